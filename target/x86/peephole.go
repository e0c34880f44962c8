package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// hasHighLatency is InstrHooks.HasHighLatency: divisions and square roots of
// floating point.
func hasHighLatency(f *mir.Function, i mir.InstrID) bool {
	return f.Facts.Traits(f.Instr(i).Opcode).Flags&desc.HighLatency != 0
}

// coalescableExt is InstrHooks.CoalescableExt.
func coalescableExt(f *mir.Function, i mir.InstrID) (dst, src mir.Reg, sub uint16, ok bool) {
	switch f.Instr(i).Opcode {
	case tab.MOVSX16rr8, tab.MOVZX16rr8, tab.MOVSX32rr8, tab.MOVZX32rr8, tab.MOVSX64rr8:
		sub = uint16(tab.Sub8Bit)
	case tab.MOVSX32rr16, tab.MOVZX32rr16, tab.MOVSX64rr16:
		sub = uint16(tab.Sub16Bit)
	case tab.MOVSX64rr32:
		sub = uint16(tab.Sub32Bit)
	default:
		return 0, 0, 0, false
	}
	d, s := f.Op(i, 0), f.Op(i, 1)
	return d.Reg(), s.Reg(), sub, d.SubReg() == 0 && s.SubReg() == 0
}

// keepCopy is InstrHooks.KeepCopy: a 64-bit copy is not made of a 32-bit part,
// whose upper half somebody may count on (LLVM's PR41619).
func keepCopy(f *mir.Function, dst desc.ClassID, dstSub uint16, src desc.ClassID, srcSub uint16) bool {
	gr64 := desc.ClassID(tab.GR64RegClassID)
	return dstSub == 0 && srcSub == uint16(tab.Sub32Bit) && f.Facts.HasSubClassEq(gr64, dst) && f.Facts.HasSubClassEq(gr64, src)
}
