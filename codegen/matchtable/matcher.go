package matchtable

import (
	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/bintable"
	"github.com/mirin-go/mirin/target"
)

// Matcher matches and selects instructions of one function at a time.
type Matcher struct {
	F   *mir.Function
	ST  *target.Subtarget
	S   *Selector
	Opt target.OptLevel
	// Rule is the number of the last rule that matched.
	Rule int

	insns    [code.MaxInsns]mir.InstrID
	ninsns   int // of the accepted rule
	slots    [code.MaxSlots][]mir.Operand
	slot     int
	ops      []mir.Operand
	mem      []mir.MemID
	memIDs   []mir.MemID // those of the instruction being built
	temps    []mir.Reg
	features []bool
	fails    [code.MaxTries]int
	b        mir.Builder
}

// Start prepares the matcher for a function.
func (m *Matcher) Start(s *Selector, st *target.Subtarget, f *mir.Function, opt target.OptLevel) {
	m.F, m.ST, m.S, m.Opt = f, st, s, opt
	m.b.F = f
	m.features = m.features[:0]
	for i, hook := range s.features {
		on := false
		if hook != nil {
			on = hook(st, f)
		} else {
			on = st.Has(s.bits[i])
		}
		m.features = append(m.features, on != s.Table.Features[i].Not)
	}
}

// Root returns the instruction being selected.
func (m *Matcher) Root() mir.InstrID { return m.insns[0] }

// Render appends an operand to those of the complex pattern being matched.
func (m *Matcher) Render(o mir.Operand) { m.slots[m.slot] = append(m.slots[m.slot], o) }

// Add appends an operand to the instruction being built (for transformations).
func (m *Matcher) Add(o mir.Operand) { m.ops = append(m.ops, o) }

// AddMem adds a memory operand to the instruction being built (for transformations).
func (m *Matcher) AddMem(id mir.MemID) { m.mem = append(m.mem, id) }

// Look follows copies between virtual registers of one size to where a value comes from.
func (m *Matcher) Look(r mir.Reg) mir.Reg {
	f := m.F
	for range 16 {
		if !r.IsVirtual() {
			return r
		}
		d := f.UniqueDef(r)
		if d == 0 || f.Instr(d).Opcode != desc.COPY {
			return r
		}
		src := f.Op(d, 1)
		if !src.Reg().IsVirtual() || src.SubReg() != 0 || f.Op(d, 0).SubReg() != 0 {
			return r
		}
		if f.TypeOf(src.Reg()).Bits() != f.TypeOf(r).Bits() {
			return r
		}
		r = src.Reg()
	}
	return r
}

// Def returns the instruction that defines r, copies looked through; 0 for none.
func (m *Matcher) Def(r mir.Reg) mir.InstrID {
	if r = m.Look(r); !r.IsVirtual() {
		return 0
	}
	return m.F.UniqueDef(r)
}

// Const returns the constant, sign-extended, that r holds.
func (m *Matcher) Const(r mir.Reg) (int64, bool) {
	d := m.Def(r)
	if d == 0 || m.F.Instr(d).Opcode != desc.G_CONSTANT {
		return 0, false
	}
	return m.OperandConst(m.F.Op(d, 1))
}

// OperandConst returns the constant of an immediate or of a register that a
// G_CONSTANT defines; none for nil.
func (m *Matcher) OperandConst(o *mir.Operand) (int64, bool) {
	switch {
	case o == nil:
		return 0, false
	case o.IsReg():
		return m.Const(o.Reg())
	}
	return m.F.Imm64(o)
}

// OperandFP returns the bits of a floating-point immediate or of a register
// that a G_FCONSTANT defines; none for nil.
func (m *Matcher) OperandFP(o *mir.Operand) (uint64, bool) {
	if o == nil {
		return 0, false
	}
	if o.IsReg() {
		d := m.Def(o.Reg())
		if d == 0 || m.F.Instr(d).Opcode != desc.G_FCONSTANT {
			return 0, false
		}
		o = m.F.Op(d, 1)
	}
	if o.Kind() != mir.OpFPImm {
		return 0, false
	}
	c := &m.F.FPImms[o.Index()]
	return c.Lo, c.Hi == 0
}

// foldDistance is how many instructions a load may move over, so that blocks
// with many loads do not cost quadratic time.
const foldDistance = 200

// CanFold reports whether load i may be done by the root instead: it is the
// only user (through what stands between), in the same block, the access is a
// plain one and nothing between the two may write memory.
func (m *Matcher) CanFold(i mir.InstrID) bool {
	f, root := m.F, m.insns[0]
	if f.Instr(i).Block() != f.Instr(root).Block() || f.NumMem(i) == 0 || !f.HasOneUse(f.Op(i, 0).Reg()) {
		return false
	}
	mem := f.MemOf(i, 0)
	if mem.Flags&mir.MemVolatile != 0 || mem.Order > ir.Unordered {
		return false
	}
	invariant := mem.Flags&mir.MemInvariant != 0
	const barrier = desc.MayStore | desc.Call | desc.UnmodeledSideEffects
	n := 0
	for at := f.Instr(i).Next(); at != root; at = f.Instr(at).Next() {
		if n++; at == 0 || n > foldDistance {
			return false
		}
		op := f.Instr(at).Opcode
		if op == desc.INLINEASM || op == desc.INLINEASM_BR {
			return false
		}
		if !invariant && f.Facts.Instr(op).Flags&barrier != 0 {
			return false
		}
	}
	return true
}

// Select matches instruction i and replaces it; false when no rule matches.
func (m *Matcher) Select(i mir.InstrID) bool {
	op := m.F.Instr(i).Opcode
	if int(op) >= len(m.S.roots) || m.S.roots[op] == 0 {
		return false
	}
	m.insns[0] = i
	m.temps = m.temps[:0]
	pc, ok := m.match(int(m.S.roots[op] - 1))
	if !ok {
		return false
	}
	m.act(pc)
	return true
}

// operand reads insn and op and returns the operand, nil when there is no such one.
func (m *Matcher) operand(c []byte, pc int) (*mir.Operand, int) {
	i, pc := bintable.UintAt(c, pc)
	n, pc := bintable.UintAt(c, pc)
	if int(n) >= m.F.Instr(m.insns[i]).NumOps() {
		return nil, pc
	}
	return m.F.Op(m.insns[i], int(n)), pc
}

// match runs tests until a rule is accepted and returns where its actions start.
func (m *Matcher) match(pc int) (int, bool) {
	c := m.S.Table.Code
	sp := 0
	for {
		op := code.Op(c[pc])
		pc++
		ok := true
		switch op {
		case code.Try:
			var n uint64
			n, pc = bintable.UintAt(c, pc)
			m.fails[sp] = pc + int(n)
			sp++
		case code.Reject:
			ok = false
		case code.SwitchType:
			pc, ok = m.switchType(c, pc)
		case code.Accept:
			var r, n uint64
			r, pc = bintable.UintAt(c, pc)
			n, pc = bintable.UintAt(c, pc)
			m.Rule, m.ninsns = int(r), int(n)
			return pc, true
		default:
			pc, ok = m.test(op, c, pc)
		}
		if !ok {
			if sp == 0 {
				return 0, false
			}
			sp--
			pc = m.fails[sp]
		}
	}
}

func (m *Matcher) switchType(c []byte, pc int) (int, bool) {
	o, pc := m.operand(c, pc)
	n, pc := bintable.UintAt(c, pc)
	want := ^uint64(0)
	if o != nil && o.IsReg() {
		want = typeCode(m.F.TypeOf(o.Reg()))
	}
	found := -1
	for ; n > 0; n-- {
		var t, off uint64
		t, pc = bintable.UintAt(c, pc)
		off, pc = bintable.UintAt(c, pc)
		if t == want {
			found = int(off)
		}
	}
	return pc + found, found >= 0
}
