package target

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Compare is what a comparison compares: register Src with register Src2, or
// with Value where Src2 is 0; of Src only the bits of Mask count.
type Compare struct {
	Src, Src2   mir.Reg
	Mask, Value int64
}

// SelectCost is what a select costs in cycles from each of its operands on.
type SelectCost struct{ Cond, True, False int }

// Address is the place of an access: Width bytes (0: not known) at Offset from
// operand Base, which is a register or a frame index.
type Address struct {
	Base   int
	Offset int64
	Width  int64
}

// InstrSize estimates how many bytes of code i makes.
func (st *Subtarget) InstrSize(f *mir.Function, i mir.InstrID) int {
	d := f.Desc(i)
	if d.IsMeta() {
		return 0
	}
	if h := st.Target.Instr.InstrSize; h != nil {
		return h(st, f, i)
	}
	return int(d.Size)
}

// MemAddress understands the address of a load or store.
func (st *Subtarget) MemAddress(f *mir.Function, i mir.InstrID) (Address, bool) {
	if h := st.Target.Instr.MemAddress; h != nil {
		return h(st, f, i)
	}
	return Address{}, false
}

// AreDisjoint reports that the accesses of a and b, between which the base
// registers keep their values, do not overlap: same base, offsets apart.
func (st *Subtarget) AreDisjoint(f *mir.Function, a, b mir.InstrID) bool {
	x, ok := st.MemAddress(f, a)
	if !ok {
		return false
	}
	y, ok := st.MemAddress(f, b)
	if !ok || x.Width == 0 || y.Width == 0 || !f.Op(a, x.Base).SameValue(f.Op(b, y.Base)) {
		return false
	}
	if x.Offset > y.Offset {
		x, y = y, x
	}
	return x.Offset+x.Width <= y.Offset
}

// IsSafeToMoveDefs reports whether definitions of registers of a class may be moved.
func (st *Subtarget) IsSafeToMoveDefs(class desc.ClassID) bool {
	return st.Instr == nil || !slices.Contains(st.Instr.FixedClasses, class)
}

// IsSchedulingBoundary reports that nothing moves across i.
func (st *Subtarget) IsSchedulingBoundary(f *mir.Function, i mir.InstrID) bool {
	d := f.Desc(i)
	switch f.Instr(i).Opcode {
	case desc.EH_LABEL, desc.GC_LABEL, desc.ANNOTATION_LABEL, desc.CFI_INSTRUCTION, desc.INLINEASM_BR, desc.FAKE_USE:
		return true
	}
	if d.IsTerminator() {
		return true
	}
	if h := st.Target.Instr.IsSchedulingBoundary; h != nil && h(st, f, i) {
		return true
	}
	sp := mir.Reg(st.Variant.StackPointer)
	for _, o := range f.Ops(i) {
		if o.IsReg() && o.Reg() == sp && sp != 0 && o.IsDef() {
			return true
		}
	}
	return false
}
