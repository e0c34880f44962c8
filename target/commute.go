package target

import "github.com/mirin-go/mirin/mir"

// CommutableOps finds two operands of i that may be exchanged; a and b say which,
// -1 any.
func (st *Subtarget) CommutableOps(f *mir.Function, i mir.InstrID, a, b int) (int, int, bool) {
	if h := st.Target.Instr.CommutableOps; h != nil {
		return h(st, f, i, a, b)
	}
	return st.FirstSources(f, i, a, b)
}

// FirstSources is CommutableOps of instructions that exchange their first two sources.
func (st *Subtarget) FirstSources(f *mir.Function, i mir.InstrID, a, b int) (int, int, bool) {
	d := f.Desc(i)
	if !d.IsCommutable() {
		return 0, 0, false
	}
	x := int(d.NumDefs)
	if x+1 >= f.Instr(i).NumOps() || !f.Op(i, x).IsReg() || !f.Op(i, x+1).IsReg() {
		return 0, 0, false
	}
	return FixCommutable(a, b, x, x+1)
}

// FixCommutable completes a and b, -1 where any will do, to operands x and y.
func FixCommutable(a, b, x, y int) (int, int, bool) {
	switch {
	case a < 0 && b < 0:
		return x, y, true
	case a < 0 && b == x:
		return y, b, true
	case a < 0 && b == y:
		return x, b, true
	case b < 0 && a == x:
		return a, y, true
	case b < 0 && a == y:
		return a, x, true
	}
	return a, b, a == x && b == y || a == y && b == x
}

// Commute exchanges operands a and b of i in place; false when it cannot.
func (st *Subtarget) Commute(f *mir.Function, i mir.InstrID, a, b int) bool {
	if h := st.Target.Instr.Commute; h != nil {
		return h(st, f, i, a, b)
	}
	SwapRegs(f, i, a, b)
	return true
}

// SwapRegs exchanges register operands a and b of i with sub-registers, kill,
// undef and renamable flags. A definition that is tied to one of them and names
// the same register (behind two-address rewriting) names the other.
func SwapRegs(f *mir.Function, i mir.InstrID, a, b int) {
	const with = mir.Kill | mir.Undef | mir.InternalRead | mir.Renamable
	x, y := *f.Op(i, a), *f.Op(i, b)
	for _, k := range [...]int{a, b} {
		other := y
		if k == b {
			other = x
		}
		if d := f.TiedTo(i, k); d >= 0 && f.Op(i, d).Reg() == f.Op(i, k).Reg() && f.Op(i, d).Reg() != other.Reg() {
			f.SetReg(i, d, other.Reg())
			f.SetSubReg(i, d, other.SubReg())
			other = other.WithFlag(mir.Kill, false)
		}
		f.SetReg(i, k, other.Reg())
		f.SetSubReg(i, k, other.SubReg())
		f.SetOpFlag(i, k, with, false)
		f.SetOpFlag(i, k, other.Flags()&with, true)
	}
}

// IsAssociative reports whether i is an operation that is associative and
// commutative; with inverse, the inverse of one (subtraction).
func (st *Subtarget) IsAssociative(f *mir.Function, i mir.InstrID, inverse bool) bool {
	h := st.Target.Instr.IsAssociative
	return h != nil && h(st, f, i, inverse)
}
