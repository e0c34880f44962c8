package bpf

import (
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/bpf/tab"
)

// legalizeIntrinsic builds the instructions of socket filters and of pseudo values.
func legalizeIntrinsic(h target.Legalizer, i mir.InstrID, x ir.Intrinsic) (bool, error) {
	b := globalisel.Wrap(h.Emit())
	f := b.F
	ops := f.Ops(i)
	last := ops[len(ops)-1]
	switch name := x.Name(); name {
	case "llvm.bpf.load.byte", "llvm.bpf.load.half", "llvm.bpf.load.word":
		// R6 has the packet, which the kernel finds there.
		op := map[string][2]desc.Opcode{"llvm.bpf.load.byte": {tab.LD_ABS_B, tab.LD_IND_B}, "llvm.bpf.load.half": {tab.LD_ABS_H, tab.LD_IND_H},
			"llvm.bpf.load.word": {tab.LD_ABS_W, tab.LD_IND_W}}[name]
		b.Copy(mir.Reg(tab.R6), ops[len(ops)-2].Reg())
		if v, ok := globalisel.ConstOf(f, last.Reg()); ok && v == int64(int32(v)) {
			b.BuildInstr(op[0], mir.ImmOp(v))
		} else {
			r := f.AddVReg(int16(tab.GPRRegClassID))
			b.Copy(r, last.Reg())
			b.BuildInstr(op[1], mir.RegOp(r, 0))
		}
		d := b.New(s64)
		b.Copy(d, mir.Reg(tab.R0))
		h.ReplaceWith(i, 0, d)
	case "llvm.bpf.pseudo":
		which, ok := globalisel.ConstOf(f, ops[len(ops)-2].Reg())
		v, ok2 := globalisel.ConstOf(f, last.Reg())
		if !ok || !ok2 {
			return false, h.Unable(i)
		}
		r := f.AddVReg(int16(tab.GPRRegClassID))
		b.BuildInstr(tab.LD_pseudo, mir.RegOp(r, mir.Def), mir.ImmOp(which), mir.ImmOp(v))
		d := b.New(s64)
		b.Copy(d, r)
		h.ReplaceWith(i, 0, d)
	default:
		return false, nil
	}
	return true, nil
}

// legalizeAtomic makes a subtraction an addition.
func legalizeAtomic(h target.Legalizer, i mir.InstrID) {
	b := globalisel.Wrap(h.Emit())
	f := b.F
	v := f.Op(i, 2).Reg()
	neg := b.Bin(desc.G_SUB, f.TypeOf(v), b.Const(f.TypeOf(v), 0), v)
	f.SetReg(i, 2, neg)
	f.Instr(i).Opcode = desc.G_ATOMICRMW_ADD
	h.Changed(i)
}

// nativeRMW reports what is an instruction: all of v1's machines add, later ones do more.
func nativeRMW(_ *target.Subtarget, op ir.RMWOp, t mir.LLT, used bool) bool {
	switch op {
	case ir.RMWAdd, ir.RMWSub, ir.RMWAnd, ir.RMWOr, ir.RMWXor, ir.RMWXchg:
		return true
	}
	return false
}
