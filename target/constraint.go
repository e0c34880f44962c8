package target

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// WidestClass is the largest class that all operands which name virtual register r
// allow, that of r when none is larger (LLVM's recomputeRegClass).
func (st *Subtarget) WidestClass(f *mir.Function, r mir.Reg) desc.ClassID {
	old := desc.ClassID(f.VReg(r).Class)
	class := st.LargestSuperClass(old)
	if class == old {
		return old
	}
	for id := f.FirstUse(r); id != 0; id = f.NextUse(id) {
		if f.OpAt(id).IsDebug() {
			continue
		}
		i, k := f.Owner(id)
		if class = ConstrainedClass(f, i, k, class); class == desc.NoClass || class == old {
			return old
		}
	}
	return class
}

// ConstrainedClass is the part of class whose registers operand k of i, a register,
// may name; NoClass when there is none.
func ConstrainedClass(f *mir.Function, i mir.InstrID, k int, class desc.ClassID) desc.ClassID {
	in := f.Facts
	sub := desc.SubRegIdx(f.Op(i, k).SubReg())
	want := OperandClass(f, i, k)
	switch {
	case want >= 0 && sub != 0:
		return in.MatchingSuperRegClass(class, want, sub)
	case want >= 0:
		return in.CommonSubClass(class, want)
	case sub != 0:
		return in.SubClassWithSubReg(class, sub)
	}
	return class
}

// OperandClass is the class that operand k of i must be of, NoClass when any will do.
func OperandClass(f *mir.Function, i mir.InstrID, k int) desc.ClassID {
	in := f.Facts
	op := f.Instr(i).Opcode
	if op != desc.INLINEASM && op != desc.INLINEASM_BR {
		return in.OperandClass(op, k, in.DefaultMode)
	}
	// A tied use is as its definition.
	if o := f.Op(i, k); o.IsUse() && o.IsTied() {
		k = f.TiedTo(i, k)
	}
	ops := f.Ops(i)
	for n := mir.AsmFirstGroup; n < k && ops[n].IsImm(); n = mir.AsmGroupAfter(ops, n) {
		if mir.AsmGroupAfter(ops, n) <= k {
			continue
		}
		switch g := mir.AsmGroup(ops[n].Imm()); {
		case g.Kind() == mir.AsmMem:
			return desc.ClassID(f.VReg(f.Op(i, k).Reg()).Class) // what addresses take is not said here
		case g.Class() >= 0 && g.Class() < len(in.Classes):
			return desc.ClassID(g.Class())
		}
		break
	}
	return desc.NoClass
}
