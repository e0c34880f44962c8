package x86

import (
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// maxAtomicBits is ISelHooks.MaxAtomicBits.
func maxAtomicBits(st *target.Subtarget) int {
	switch {
	case modeOf(st).is64() && st.HasFeature("cx16"):
		return 128
	case !modeOf(st).is64() && !st.HasFeature("cx8"):
		return 32
	}
	return 64
}

// exchangeTwo makes a compare-and-exchange of two words CMPXCHG16B, whose operands are
// RDX:RAX and RCX:RBX, or CMPXCHG8B in 32-bit mode. A base pointer is another register then (frameHooks.Pins).
func exchangeTwo(h target.Legalizer, i mir.InstrID) error {
	b := globalisel.Wrap(h.Emit())
	f, m := b.F, modeOf(h.Subtarget())
	word := m.int0()
	old, ok, p := f.Op(i, 0).Reg(), f.Op(i, 1).Reg(), f.Op(i, 2).Reg()
	cmp, val := b.Unmerge(nil, word, f.Op(i, 3).Reg()), b.Unmerge(nil, word, f.Op(i, 4).Reg())
	base := f.AddVReg(int16(m.gr))
	b.Copy(base, p)
	b.Copy(reg(m.ax), cmp[0])
	b.Copy(reg(m.dx), cmp[1])
	b.Copy(reg(m.bx), val[0])
	b.Copy(reg(m.cx), val[1])
	x := b.BuildInstr(m.exchangeTwo, globalisel.Use(base), mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(0), mir.RegOp(0, 0))
	f.SetMem(x, f.MemIDs(i)...)
	done := f.AddVReg(int16(tab.GR8RegClassID))
	const equal = 4 // the condition code
	b.BuildInstr(tab.SETCCr, globalisel.Def(done), mir.ImmOp(equal))
	lo, hi := b.New(word), b.New(word)
	b.Copy(lo, reg(m.ax))
	b.Copy(hi, reg(m.dx))
	b.Merge(old, []mir.Reg{lo, hi})
	b.Copy(ok, done)
	h.Erase(i)
	return nil
}
