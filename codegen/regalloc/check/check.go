package check

import (
	"fmt"

	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/miranalysis"
)

// Snapshot is a function as it was before allocation.
type Snapshot struct {
	instrs  []original // by InstrID
	ops     []operand
	hasDef  []bool // by virtual register: anything but IMPLICIT_DEF defines it
	numVReg int
}

// original is what an instruction's operands named.
type original struct {
	first, num uint32 // in Snapshot.ops
	opcode     desc.Opcode
	known      bool
}

type operand struct {
	vreg  mir.Reg // 0 when the operand is no virtual register
	sub   uint16
	flags mir.OpFlags
}

// Record notes the virtual registers of all operands of f.
func Record(f *mir.Function) *Snapshot {
	s := &Snapshot{instrs: make([]original, f.NumInstrIDs()), hasDef: make([]bool, f.NumVRegs()), numVReg: f.NumVRegs()}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			ops := f.Ops(i)
			op := f.Instr(i).Opcode
			s.instrs[i] = original{uint32(len(s.ops)), uint32(len(ops)), op, true}
			for k := range ops {
				o := operand{}
				if p := &ops[k]; p.IsReg() && p.Reg().IsVirtual() {
					o = operand{p.Reg(), p.SubReg(), p.Flags()}
					if p.IsDef() && op != desc.IMPLICIT_DEF {
						s.hasDef[o.vreg.Index()] = true
					}
				}
				s.ops = append(s.ops, o)
			}
		}
	}
	return s
}

// original returns what i's operands named, false for an instruction that was not there.
func (s *Snapshot) original(f *mir.Function, i mir.InstrID) ([]operand, bool) {
	if int(i) >= len(s.instrs) {
		return nil, false
	}
	o := &s.instrs[i]
	if !o.known || o.opcode != f.Instr(i).Opcode {
		return nil, false
	}
	return s.ops[o.first : o.first+o.num], true
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

	shapes
	contents
	values
	local
	flow
}

// Verify checks the allocated function against the snapshot and returns what
// is wrong with it, in the order of the layout. It must run before the allocator
// deletes instructions that were there before. Blocks that nothing reaches are
// not looked at.
func (s *Snapshot) Verify(f *mir.Function) []error {
	if f.FirstBlock() == 0 {
		return nil
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
	c.contents.reset()
	c.values.reset(s.numVReg)
	c.local.reset(c)
	for _, b := range c.block[1:] {
		c.execute(b)
	}
	c.followUses()
	return c.errs
}

func (c *checker) fail(u *use) {
	if len(c.errs) == maxErrors {
		return
	}
	f := c.f
	p, w := f.Op(u.instr, int(u.operand)), c.s.ops[c.s.instrs[u.instr].first+uint32(u.operand)]
	text := fmt.Sprintf("%s, operand %d: ", c.in.OpcodeName(f.Instr(u.instr).Opcode), u.operand)
	if p.IsReg() && p.Reg().IsPhysical() {
		text += fmt.Sprintf("$%s does not hold %%%d", c.in.RegName(desc.PhysReg(p.Reg())), w.vreg.Index())
	} else {
		text += fmt.Sprintf("%%%d was given no register", w.vreg.Index())
	}
	b := f.Instr(u.instr).Block()
	c.errs = append(c.errs, &Error{Func: f.Name, Block: f.Block(b).Number, Instr: u.instr, Text: text})
}
