package x86

import (
	"slices"

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
// for, in instructions, unless flags say otherwise.
const (
	partialClearance = 64
	undefClearance   = 128
)

// partialUpdateClearance is InstrHooks.PartialUpdate.
func partialUpdateClearance(st *target.Subtarget, f *mir.Function, i mir.InstrID, k int) int {
	if k != 0 {
		return 0
	}
	narrow := narrowNewDest(f, i)
	if !narrow && !partialUpdate(st, f.Instr(i).Opcode, false) {
		return 0
	}
	// Where the register is an input too, the old value is wanted, but by what has a
	// destination of its own: its shorter form would keep the upper part.
	if readsRegister(f, i, f.Op(i, 0).Reg()) != narrow {
		return 0
	}
	return st.Options.Tuning.PartialClearance.Or(partialClearance)
}

// readsRegister reports whether i reads a part of r.
func readsRegister(f *mir.Function, i mir.InstrID, r mir.Reg) bool {
	for _, o := range f.Ops(i) {
		if o.IsUse() && !o.IsUndef() && o.Reg() != 0 && (o.Reg() == r || r.IsPhysical() && o.Reg().IsPhysical() && overlap(f.Facts, o.Reg(), r)) {
			return true
		}
	}
	return false
}

// narrowNewDest reports an instruction of APX that has a destination of its own, of 8
// or 16 bits: it clears what is above, and x86-compress-evex may give it a form that
// does not.
func narrowNewDest(f *mir.Function, i mir.InstrID) bool {
	const (
		opMap, mapT4 = 15 << 13, 8 << 13
		vex4V, evexB = 1 << 39, 1 << 44
	)
	ts := f.Desc(i).TSFlags
	return ts&opMap == mapT4 && ts&vex4V != 0 && ts&evexB != 0 && isNarrow(f, f.Op(i, 0))
}

// isNarrow reports a physical register of 8 or 16 bits.
func isNarrow(f *mir.Function, o *mir.Operand) bool {
	return o.IsReg() && o.Reg().IsPhysical() && (isClass(f, o.Reg(), tab.GR8RegClassID) || isClass(f, o.Reg(), tab.GR16RegClassID))
}

// overlap reports whether two physical registers share a part.
func overlap(in *desc.Info, a, b mir.Reg) bool {
	return in.Overlap(desc.PhysReg(a), desc.PhysReg(b))
}

// undefReadClearance is InstrHooks.UndefRead.
func undefReadClearance(st *target.Subtarget, f *mir.Function, i mir.InstrID, k int) int {
	if o := f.Op(i, k); o.IsUndef() && o.Reg().IsPhysical() && k < 8 && st.Facts.Traits(f.Instr(i).Opcode).Undef>>k&1 != 0 {
		return st.Options.Tuning.UndefClearance.Or(undefClearance)
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
	if narrowNewDest(f, i) {
		// A definition of the whole register has it keep its form.
		w, _ := wideOf(in, r)
		whole := reg(in.MatchingSuperReg(desc.PhysReg(w), tab.Sub32Bit, tab.GR64RegClassID))
		if !slices.ContainsFunc(f.Ops(i), func(o mir.Operand) bool { return o.IsDef() && o.Reg() == whole }) {
			f.AddOp(i, mir.RegOp(whole, mir.Def|mir.Implicit))
		}
		return
	}
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
