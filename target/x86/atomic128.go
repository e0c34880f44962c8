package x86

import (
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// maxAtomicBits is ISelHooks.MaxAtomicBits.
func maxAtomicBits(st *target.Subtarget) int {
	if st.HasFeature("cx16") {
		return 128
	}
	return 64
}

// exchange128 makes a compare-and-exchange of 16 bytes CMPXCHG16B, whose operands are
// RDX:RAX and RCX:RBX. A base pointer is another register then (frameHooks.Pins).
func exchange128(h target.Legalizer, i mir.InstrID) error {
	b := globalisel.Wrap(h.Emit())
	f := b.F
	s64 := mir.Scalar(64)
	old, ok, p := f.Op(i, 0).Reg(), f.Op(i, 1).Reg(), f.Op(i, 2).Reg()
	cmp, val := b.Unmerge(nil, s64, f.Op(i, 3).Reg()), b.Unmerge(nil, s64, f.Op(i, 4).Reg())
	base := f.AddVReg(int16(tab.GR64RegClassID))
	b.Copy(base, p)
	b.Copy(reg(tab.RAX), cmp[0])
	b.Copy(reg(tab.RDX), cmp[1])
	b.Copy(reg(tab.RBX), val[0])
	b.Copy(reg(tab.RCX), val[1])
	x := b.BuildInstr(tab.LCMPXCHG16B, globalisel.Use(base), mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(0), mir.RegOp(0, 0))
	f.SetMem(x, f.MemIDs(i)...)
	done := f.AddVReg(int16(tab.GR8RegClassID))
	const equal = 4 // the condition code
	b.BuildInstr(tab.SETCCr, globalisel.Def(done), mir.ImmOp(equal))
	lo, hi := b.New(s64), b.New(s64)
	b.Copy(lo, reg(tab.RAX))
	b.Copy(hi, reg(tab.RDX))
	b.Merge(old, []mir.Reg{lo, hi})
	b.Copy(ok, done)
	h.Erase(i)
	return nil
}
