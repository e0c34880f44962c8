package check

import (
	"fmt"

	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/miranalysis"
)

// Snapshot is a function as it was before allocation. It listens to the function
// until Verify, so that an instruction that takes the number of one that was
// erased is not taken for it.
type Snapshot struct {
	mir.NoListener
	f       *mir.Function
	rows    []original // row 0 unused; those of a block in its order
	rowOf   []int32    // by InstrID, 0 for none
	blocks  [][2]int32 // by BlockID: its rows
	ops     []operand
	full    []mir.Operand // beside ops
	folds   map[mir.InstrID]fold
	stored  map[mir.InstrID]storedExpr
	created mir.InstrID // what was put in last, if nothing was erased since
	hasDef  []bool      // by virtual register: anything but IMPLICIT_DEF defines it
	// class is by virtual register; allocated is what allocation made of it, once that was verified.
	class, allocated []int16
	numVReg          int
	// constantIn gives the constant that def moves into r: what makes one in two ways makes the same.
	constantIn func(f *mir.Function, def mir.InstrID, r mir.Reg) (int64, bool)
}

// original is what an instruction's operands named.
type original struct {
	first, num uint32 // in Snapshot.ops
	opcode     desc.Opcode
	// gone: it was erased. folded: another one does the same with operands in memory.
	gone, folded bool
	// pure: it does nothing but define registers, and would the same anywhere.
	// erasable: nobody misses it when nobody reads what it defines.
	pure, erasable bool
	expr           int32 // see checker.exprOf
	// constant is what it moves to its first operand.
	constant    int64
	hasConstant bool
}

type operand struct {
	vreg  mir.Reg // 0 when the operand is no virtual register
	sub   uint16
	flags mir.OpFlags
}

// Record notes the operands of f, and what becomes of its instructions from here on.
func Record(f *mir.Function) *Snapshot {
	n := f.NumVRegs()
	s := &Snapshot{f: f, rows: make([]original, 1, f.NumInstrIDs()+1), rowOf: make([]int32, f.NumInstrIDs()), blocks: make([][2]int32, f.NumBlockIDs()),
		folds: map[mir.InstrID]fold{}, stored: map[mir.InstrID]storedExpr{}, hasDef: make([]bool, n), class: make([]int16, n), numVReg: n}
	for r := range n {
		s.class[r] = f.VReg(mir.VReg(r)).Class
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		s.blocks[b][0] = int32(len(s.rows))
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if !f.IsDebugInstr(i) {
				s.record(i)
			}
		}
		s.blocks[b][1] = int32(len(s.rows))
	}
	f.Listen(s)
	return s
}

// Constants has the snapshot ask constant, which gives what def moves into r, about what it recorded
// and, in Verify, about what was added. It is called behind Record, if at all.
func (s *Snapshot) Constants(constant func(f *mir.Function, def mir.InstrID, r mir.Reg) (int64, bool)) {
	s.constantIn = constant
	for i, row := range s.rowOf {
		if row == 0 {
			continue
		}
		if o := &s.rows[row]; o.pure && o.num > 0 {
			if p := &s.full[o.first]; p.IsDef() && p.Reg() != 0 {
				o.constant, o.hasConstant = s.constant(mir.InstrID(i), p.Reg())
			}
		}
	}
}

func (s *Snapshot) record(i mir.InstrID) {
	f := s.f
	ops, op, d := f.Ops(i), f.Instr(i).Opcode, f.Desc(i)
	row := original{first: uint32(len(s.ops)), num: uint32(len(ops)), opcode: op}
	row.erasable = !d.MayStore() && !d.IsCall() && !d.IsTerminator() && !d.HasUnmodeledSideEffects() && op != desc.INLINEASM && op != desc.INLINEASM_BR && op != desc.EH_LABEL
	row.pure = row.erasable && (!d.MayLoad() || f.IsInvariantLoad(i))
	s.rowOf[i] = int32(len(s.rows))
	s.rows = append(s.rows, row)
	for k := range ops {
		o := operand{}
		if p := &ops[k]; p.IsReg() && p.Reg().IsVirtual() {
			o = operand{p.Reg(), p.SubReg(), p.Flags()}
			if p.IsDef() && op != desc.IMPLICIT_DEF {
				s.hasDef[o.vreg.Index()] = true
			}
		}
		s.ops = append(s.ops, o)
		s.full = append(s.full, ops[k])
	}
}

// original returns what i's operands named, false for an instruction that was not there.
func (s *Snapshot) original(f *mir.Function, i mir.InstrID) ([]operand, bool) {
	row := s.row(i)
	if row == 0 {
		return nil, false
	}
	// A copy that changes nothing any more may be kept as KILL.
	o := &s.rows[row]
	if op := f.Instr(i).Opcode; o.opcode != op && (o.opcode != desc.COPY || op != desc.KILL) {
		return nil, false
	}
	return s.ops[o.first : o.first+o.num], true
}

// row is the row of an instruction that was there, 0 for others.
func (s *Snapshot) row(i mir.InstrID) int32 {
	if int(i) < len(s.rowOf) {
		return s.rowOf[i]
	}
	return 0
}

// defined reports whether anything defines r; a register without definition
// may hold anything.
func (s *Snapshot) defined(r mir.Reg) bool { return s.hasDef[r.Index()] }

// Error is one use that does not read what it should.
type Error struct {
	Func  string
	Block int32
	Instr mir.InstrID
	Text  string
}

// Error describes the fault.
func (e *Error) Error() string {
	return fmt.Sprintf("register allocation of %s is wrong: bb.%d: %s", e.Func, e.Block, e.Text)
}

// maxErrors bounds what is reported of one function.
const maxErrors = 20

type checker struct {
	f    *mir.Function
	in   *desc.Info
	s    *Snapshot
	cfg  analysis.Graph
	dom  analysis.Dominators
	errs []error

	// Reached blocks are numbered from 1 in the order of the layout; 0 says not reached.
	number []int32 // by BlockID
	block  []mir.BlockID

	// fixed has a bit for each register unit that is not reserved: what the code
	// itself writes there is a value too, see fixedReg.
	fixed []bool

	shapes
	exprs
	contents
	values
	local
	flow
}

// Close ends the observation of the function.
func (s *Snapshot) Close() { s.f.Unlisten(s) }

// MoveSlots tells that what was in a stack slot is in slot to(slot) now.
func (s *Snapshot) MoveSlots(to func(slot int) int) {
	for _, x := range s.folds {
		for k := range x.mem {
			x.mem[k].slot = to(x.mem[k].slot)
		}
	}
}

// Verify checks the allocated function against the snapshot and returns what
// is wrong with it, in the order of the layout. Blocks that nothing reaches are
// not looked at. More may be changed and verified then, until Close.
func (s *Snapshot) Verify(f *mir.Function) []error {
	if f.FirstBlock() == 0 {
		return nil
	}
	for k := range s.rows {
		s.rows[k].expr = 0
	}
	if n := min(f.NumVRegs(), s.numVReg); n > 0 {
		s.allocated = s.allocated[:0]
		for r := range n {
			s.allocated = append(s.allocated, f.VReg(mir.VReg(r)).Class)
		}
	}
	c := &checker{f: f, in: f.Facts, s: s}
	miranalysis.FillCFG(&c.cfg, f)
	c.dom.Compute(&c.cfg)
	c.number = make([]int32, f.NumBlockIDs())
	c.block = []mir.BlockID{0}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if c.cfg.Reachable(int(b)) {
			c.number[b] = int32(len(c.block))
			c.block = append(c.block, b)
		}
	}
	c.shapes.reset(f.Facts)
	c.exprs.reset()
	c.contents.reset()
	c.findFixed()
	c.values.reset(s.numVReg + f.Facts.NumUnits())
	c.local.reset(c)
	for _, b := range c.block[1:] {
		c.execute(b)
	}
	c.followUses()
	return c.errs
}

func (c *checker) fail(u *use) {
	f := c.f
	var p, w mir.Operand
	if int(u.operand) < f.Instr(u.instr).NumOps() {
		p = *f.Op(u.instr, int(u.operand))
	}
	what := ""
	switch x := c.list[u.value].vreg; {
	case u.value == 0:
		if row := c.s.row(u.instr); row != 0 {
			w = c.s.full[c.s.rows[row].first+uint32(u.operand)]
		}
		what = fmt.Sprintf("%%%d", w.Reg().Index())
	case int(x) < c.s.numVReg:
		what = fmt.Sprintf("%%%d", x)
	default:
		what = "what was written to it"
	}
	text := fmt.Sprintf("%s, operand %d: ", c.in.OpcodeName(f.Instr(u.instr).Opcode), u.operand)
	switch {
	case u.memory:
		text += "the memory does not hold " + what
	case p.IsReg() && p.Reg().IsPhysical():
		text += fmt.Sprintf("$%s does not hold %s", c.in.RegName(desc.PhysReg(p.Reg())), what)
	default:
		text += what + " was given no register"
	}
	c.report(f.Instr(u.instr).Block(), u.instr, text)
}

func (c *checker) report(b mir.BlockID, i mir.InstrID, text string) {
	if len(c.errs) < maxErrors {
		c.errs = append(c.errs, &Error{Func: c.f.Name, Block: c.f.Block(b).Number, Instr: i, Text: text})
	}
}
