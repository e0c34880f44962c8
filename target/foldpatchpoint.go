package target

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// indirectMemRef begins the four operands by which the live values of a stack map
// name memory: this mark, the size, the slot and the offset in it.
const indirectMemRef = 1

// IsPatchPoint reports STACKMAP, PATCHPOINT and STATEPOINT: they say where values
// are, in registers or in memory.
func IsPatchPoint(op desc.Opcode) bool {
	return op == desc.STACKMAP || op == desc.PATCHPOINT || op == desc.STATEPOINT
}

// PatchPointValues is the number of definitions of a patch point, and its first
// operand that is a live value, which may be in memory as well as in a register.
func PatchPointValues(f *mir.Function, i mir.InstrID) (defs, first int) {
	ops := f.Ops(i)
	for defs < len(ops) && ops[defs].IsDef() && !ops[defs].IsImplicit() {
		defs++
	}
	args := 0 // the operand that says how many arguments the call has
	switch f.Instr(i).Opcode {
	case desc.STACKMAP: // identifier, shadow bytes
		return 0, min(2, len(ops))
	case desc.PATCHPOINT: // identifier, bytes, target, number of arguments, convention, arguments
		args, first = defs+3, defs+5
	default: // STATEPOINT: identifier, bytes, number of arguments, target, arguments
		args, first = defs+2, defs+4
	}
	if args < len(ops) && ops[args].IsImm() {
		first += int(ops[args].Imm())
	}
	return defs, min(max(first, 0), len(ops))
}

// foldPatchPoint makes, before patch point i, one with the values of operands ops
// in slot fi; 0 when one of them is no live value. A definition goes with the value
// that it is tied to: both are listed.
func (st *Subtarget) foldPatchPoint(f *mir.Function, i mir.InstrID, ops []int, fi int) mir.InstrID {
	_, first := PatchPointValues(f, i)
	def := -1
	for _, k := range ops {
		switch {
		case f.Op(i, k).IsDef():
			if t := f.TiedTo(i, k); def >= 0 || t < 0 || !slices.Contains(ops, t) {
				return 0
			}
			def = k
		case k < first || f.TiedTo(i, k) >= 0 && !slices.Contains(ops, f.TiedTo(i, k)):
			return 0
		}
	}
	n := f.New(f.Instr(i).Opcode)
	f.Instr(n).Loc = f.Instr(i).Loc
	f.Instr(n).AddFlags(f.Instr(i).Flags() &^ (mir.BundledPred | mir.BundledSucc))
	if f.HasExtra(i) {
		f.SetExtra(n, f.Extra(i))
	}
	var ties [][2]int
	for k := range f.Instr(i).NumOps() {
		o := *f.Op(i, k)
		switch {
		case k == def:
		case slices.Contains(ops, k):
			size, off := st.slotRange(desc.ClassID(f.VReg(o.Reg()).Class), desc.SubRegIdx(o.SubReg()))
			for _, x := range [...]mir.Operand{mir.ImmOp(indirectMemRef), mir.ImmOp(size), mir.FrameOp(fi), mir.ImmOp(off)} {
				f.AddOp(n, x)
			}
		default:
			if t := f.TiedTo(i, k); t >= 0 && t < k {
				if def >= 0 && t > def {
					t--
				}
				ties = append(ties, [2]int{t, f.Instr(n).NumOps()})
			}
			f.InsertOp(n, f.Instr(n).NumOps(), o)
		}
	}
	for _, t := range ties {
		f.Tie(n, t[0], t[1])
	}
	f.InsertBefore(f.Instr(i).Block(), i, n)
	return n
}

// slotRange is where in a slot of a class a part of the register is, in bytes.
func (st *Subtarget) slotRange(class desc.ClassID, sub desc.SubRegIdx) (size, off int64) {
	in := st.Facts
	whole := int64(in.ClassSize(class, in.DefaultMode).SpillSize)
	x := &in.SubRegIndices[sub]
	if sub == 0 || x.Size == desc.NoBits || x.Offset == desc.NoBits {
		return whole, 0
	}
	return int64(x.Size) / 8, int64(x.Offset) / 8
}
