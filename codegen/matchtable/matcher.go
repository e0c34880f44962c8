package matchtable

import (
	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// Matcher applies the rules of a table to the instructions of one function at
// a time: selection patterns or combine rules.
type Matcher struct {
	state
	F   *mir.Function
	ST  *target.Subtarget
	T   *Table
	Opt target.OptLevel
	// B builds in front of the root, for functions that combine rules call.
	B mir.Builder
	// Accept, unless nil, is asked about each instruction that a rule built in front
	// of the root. Where it refuses one, all of them go, and the next rule is tried.
	Accept func(i mir.InstrID) bool
	// Raises says that what replaces the root may raise floating-point exceptions, though
	// its opcode does not say so.
	Raises bool

	insns [code.MaxInsns]mir.InstrID
	slots [code.MaxSlots][]mir.Operand
	reads [code.MaxSlots]mir.MemID // what an address in a slot reads, 0 for what a matched instruction says
	slot  int
	args  [code.MaxArgs]Arg
	data  [code.MaxData]Data
	temps []mir.Reg
	pairs [][2]mir.Reg // registers to be replaced
	prev  mir.InstrID  // what stands before the root, and before what is built
	// refused are the rules that built what Accept refused of this root.
	refused []int
	// became says that the root became the last instruction of what replaces it.
	became bool
	// of the instruction that is being built
	opcode desc.Opcode
	flags  mir.MIFlags
	ops    []mir.Operand
	mem    []mir.MemID
	memIDs []mir.MemID // all that it gets
}

// Start prepares the matcher for a function.
func (m *Matcher) Start(t *Table, st *target.Subtarget, f *mir.Function, opt target.OptLevel) {
	m.F, m.ST, m.T, m.Opt = f, st, t, opt
	m.B.F = f
	m.code, m.features = t.t.Code, m.features[:0]
	for i, hook := range t.features {
		on := false
		if hook != nil {
			on = hook(st, f)
		} else {
			on = st.Has(t.bits[i])
		}
		m.features = append(m.features, on != t.t.Features[i].Not)
	}
}

// Apply replaces instruction i by the first rule that matches it; false when
// none does, and nothing has changed then. Otherwise i is gone, or the last of what
// stands in its place.
func (m *Matcher) Apply(i mir.InstrID) bool {
	op := m.F.Instr(i).Opcode
	if !m.T.HasRules(op) {
		return false
	}
	m.insns[0] = i
	m.refused = m.refused[:0]
	t := m.T.treeOf(op)
	for {
		r := m.match(t)
		if r == nil {
			return false
		}
		m.begin()
		if !m.actAll(m.recipeOf(t, r)) {
			m.undo()
			return false
		}
		if m.accepted() {
			break
		}
		m.undo()
		m.refused = append(m.refused, m.Rule)
	}
	if !m.became {
		m.F.Erase(i)
	}
	for _, p := range m.pairs {
		m.F.ReplaceReg(p[0], p[1])
	}
	return true
}

// accepted asks Accept about what the actions built.
func (m *Matcher) accepted() bool {
	if m.Accept == nil {
		return true
	}
	for i := m.F.Instr(m.insns[0]).Prev(); i != m.prev; i = m.F.Instr(i).Prev() {
		if !m.Accept(i) {
			return false
		}
	}
	return true
}

// undo removes what actions built that met an operand of the wrong kind (a rule
// that did not test what it uses) or that was not accepted.
func (m *Matcher) undo() {
	for {
		i := m.F.Instr(m.insns[0]).Prev()
		if i == m.prev {
			return
		}
		m.F.Erase(i)
	}
}

// begin begins the actions of a rule.
func (m *Matcher) begin() {
	root := m.insns[0]
	m.temps = m.temps[:0]
	m.pairs = m.pairs[:0]
	m.prev, m.became = m.F.Instr(root).Prev(), false
	m.B.SetBefore(root)
	m.B.Loc = m.F.Instr(root).Loc
}

// Root returns the instruction that is matched.
func (m *Matcher) Root() mir.InstrID { return m.insns[0] }

// Render appends an operand to those of the complex pattern being matched.
func (m *Matcher) Render(o mir.Operand) { m.slots[m.slot] = append(m.slots[m.slot], o) }

// RenderMem says what the memory operand that the complex pattern renders reads,
// where no matched instruction does.
func (m *Matcher) RenderMem(id mir.MemID) { m.reads[m.slot] = id }

// Add appends an operand to the instruction being built (for transformations).
func (m *Matcher) Add(o mir.Operand) { m.ops = append(m.ops, o) }

// AddMem adds a memory operand to the instruction being built (for transformations).
func (m *Matcher) AddMem(id mir.MemID) { m.mem = append(m.mem, id) }

// Look follows copies between virtual registers of one size to where a value comes from.
func (m *Matcher) Look(r mir.Reg) mir.Reg {
	r, _ = m.source(r)
	return r
}

// Def returns the instruction that defines r, copies looked through; 0 for none.
func (m *Matcher) Def(r mir.Reg) mir.InstrID {
	_, d := m.source(r)
	return d
}

// maxCopies bounds how many copies are looked through.
const maxCopies = 16

// source follows copies to a register and what defines it.
func (m *Matcher) source(r mir.Reg) (mir.Reg, mir.InstrID) {
	f := m.F
	for n := 0; ; n++ {
		if !r.IsVirtual() {
			return r, 0
		}
		d := f.UniqueDef(r)
		if d == 0 || f.Instr(d).Opcode != desc.COPY || n == maxCopies {
			return r, d
		}
		src := f.Op(d, 1)
		if !src.Reg().IsVirtual() || src.SubReg() != 0 || f.Op(d, 0).SubReg() != 0 {
			return r, d
		}
		if f.TypeOf(src.Reg()).Bits() != f.TypeOf(r).Bits() {
			return r, d
		}
		r = src.Reg()
	}
}

// Const returns the constant, sign-extended, that r holds.
func (m *Matcher) Const(r mir.Reg) (int64, bool) {
	d := m.Def(r)
	if d == 0 || m.F.Instr(d).Opcode != desc.G_CONSTANT {
		return 0, false
	}
	return m.F.Imm64(m.F.Op(d, 1))
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

// CanFold reports whether load i may be done by the root instead.
func (m *Matcher) CanFold(i mir.InstrID) bool { return m.CanFoldInto(i, m.insns[0]) }

// CanFoldInto reports whether load i may be done by instruction root instead: it
// is the only user (through what stands between), in the same block, the access is
// a plain one and nothing between the two may write memory.
func (m *Matcher) CanFoldInto(i, root mir.InstrID) bool {
	f := m.F
	if f.Instr(i).Block() != f.Instr(root).Block() || f.NumMem(i) == 0 || !f.Op(i, 0).IsReg() || !f.HasOneUse(f.Op(i, 0).Reg()) {
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
		if at != 0 && f.IsDebugInstr(at) {
			continue
		}
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

// CanReplace reports whether register b may stand wherever a does: virtual
// registers of one type, where neither's class or bank says otherwise.
func (m *Matcher) CanReplace(a, b mir.Reg) bool {
	if !a.IsVirtual() || !b.IsVirtual() || a == b {
		return false
	}
	x, y := m.F.VReg(a), m.F.VReg(b)
	if x.Type == 0 || x.Type != y.Type {
		return false
	}
	return x.Class == y.Class && x.Bank == y.Bank
}
