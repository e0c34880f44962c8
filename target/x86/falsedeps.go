package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// False dependencies: an instruction whose result waits for a register's old
// value, which the program does not need. Agner Fog, "The microarchitecture of
// Intel, AMD and VIA CPUs", and the errata of POPCNT and its like tell which.

// partialUpdate reports an opcode that writes a part of its destination, or waits
// for its old value on the processor: the old SSE scalars, and by feature what some
// processors do. With fold it is asked whether the memory form is to be avoided:
// integers that are converted wait either way.
func partialUpdate(st *target.Subtarget, op desc.Opcode, fold bool) bool {
	want := desc.PartialUpdate
	if fold {
		want = desc.PartialFold
	}
	t := st.Facts.Traits(op)
	return t.Flags&want != 0 && (t.Feature == desc.NoFeature || st.Has(int(t.Feature)))
}

// What a register that is read or kept for nothing should have been left alone
// for, in instructions.
const (
	partialClearance = 64
	undefClearance   = 128
)

// partialUpdateClearance is InstrHooks.PartialUpdate.
func partialUpdateClearance(st *target.Subtarget, f *mir.Function, i mir.InstrID, k int) int {
	if k != 0 || !partialUpdate(st, f.Instr(i).Opcode, false) {
		return 0
	}
	d := f.Op(i, 0)
	if d.ReadsReg() && d.IsUse() {
		return 0
	}
	for _, o := range f.Ops(i) {
		// Where the register is an input too, the old value is wanted.
		if o.IsUse() && !o.IsUndef() && o.Reg() != 0 && (o.Reg() == d.Reg() || d.Reg().IsPhysical() && o.Reg().IsPhysical() && overlap(f.Facts, o.Reg(), d.Reg())) {
			return 0
		}
	}
	return partialClearance
}

// overlap reports whether two physical registers share a part.
func overlap(in *desc.Info, a, b mir.Reg) bool {
	for u := range in.RegUnits(desc.PhysReg(a)).All() {
		for v := range in.RegUnits(desc.PhysReg(b)).All() {
			if u == v {
				return true
			}
		}
	}
	return false
}

// undefReadClearance is InstrHooks.UndefRead.
func undefReadClearance(st *target.Subtarget, f *mir.Function, i mir.InstrID, k int) int {
	if o := f.Op(i, k); o.IsUndef() && o.Reg().IsPhysical() && k < 8 && st.Facts.Traits(f.Instr(i).Opcode).Undef>>k&1 != 0 {
		return undefClearance
	}
	return 0
}

// breakDependency is InstrHooks.BreakDependency: an exclusive or of a register with
// itself, which processors know to depend on nothing.
func breakDependency(st *target.Subtarget, f *mir.Function, i mir.InstrID, k int) {
	r := f.Op(i, k).Reg()
	for _, o := range f.Ops(i) {
		if o.IsKill() && o.Reg() == r {
			return
		}
	}
	p := desc.PhysReg(r)
	in := f.Facts
	low := func(sub desc.SubRegIdx) mir.Reg { return reg(in.SubReg(p, sub)) }
	op, part := desc.Opcode(0), r
	switch {
	case in.ClassContains(tab.VR128RegClassID, p):
		if op = tab.XORPSrr; st.HasFeature("avx") {
			op = tab.VXORPSrr
		}
	case in.ClassContains(tab.VR256RegClassID, p):
		op, part = tab.VXORPSrr, low(tab.SubXmm)
	case in.ClassContains(tab.VR128XRegClassID, p):
		if !st.HasFeature("avx512vl") {
			return
		}
		op = tab.VPXORDZ128rr
	case in.ClassContains(tab.VR256XRegClassID, p), in.ClassContains(tab.VR512RegClassID, p):
		if !st.HasFeature("avx512vl") {
			return
		}
		op, part = tab.VPXORDZ128rr, low(tab.SubXmm)
	case in.ClassContains(tab.GR64RegClassID, p):
		op, part = tab.XOR32rr, low(tab.Sub32Bit)
	case in.ClassContains(tab.GR32RegClassID, p):
		op = tab.XOR32rr
	default:
		return
	}
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	n := b.BuildInstr(op, mir.RegOp(part, mir.Def), mir.RegOp(part, mir.Undef), mir.RegOp(part, mir.Undef))
	if part != r {
		f.AddOp(n, mir.RegOp(r, mir.Def|mir.Implicit))
	}
	f.AddOp(i, mir.RegOp(r, mir.Implicit|mir.Kill))
}
