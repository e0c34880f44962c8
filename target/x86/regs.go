package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// reservedRegs appends what allocation must leave alone: stack and instruction
// pointers, segment, control and status registers.
func reservedRegs(st *target.Subtarget, out []mir.Reg) []mir.Reg {
	withSubs := func(r desc.PhysReg) {
		out = append(out, reg(r))
		for s := range st.Facts.SubRegs(r).All() {
			out = append(out, reg(s))
		}
	}
	withSubs(tab.RSP)
	withSubs(tab.RIP)
	if !modeOf(st).is64() {
		for _, r := range [...]desc.PhysReg{tab.R8, tab.R9, tab.R10, tab.R11, tab.R12, tab.R13, tab.R14, tab.R15, tab.SIL, tab.DIL, tab.BPL} {
			withSubs(r)
		}
		for _, c := range [...]desc.ClassID{tab.VR128XRegClassID, tab.VR256XRegClassID, tab.VR512RegClassID} {
			for _, r := range st.Facts.ClassMembers(c) {
				if st.Facts.Regs[r].Encoding >= 8 {
					out = append(out, reg(r))
				}
			}
		}
	}
	// The registers of APX and AVX-512 need prefixes that are not emitted.
	for r := tab.R16; r <= tab.R31; r++ {
		withSubs(r)
	}
	for _, r := range [...]desc.PhysReg{tab.CS, tab.SS, tab.DS, tab.ES, tab.FS, tab.GS, tab.SSP, tab.FPCW, tab.FPSW, tab.MXCSR,
		tab.ST0, tab.ST1, tab.ST2, tab.ST3, tab.ST4, tab.ST5, tab.ST6, tab.ST7} {
		out = append(out, reg(r))
	}
	return out
}
