package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// reservedRegs lists what allocation must leave alone: stack and instruction
// pointers, segment, control and status registers, the frame and base pointers
// where the function has them.
func reservedRegs(st *target.Subtarget, f *mir.Function) []mir.Reg {
	var out []mir.Reg
	withSubs := func(r desc.PhysReg) {
		out = append(out, reg(r))
		for s := range f.Facts.SubRegs(r).All() {
			out = append(out, reg(s))
		}
	}
	withSubs(tab.RSP)
	withSubs(tab.RIP)
	if hasFP(st, f) {
		withSubs(tab.RBP)
	}
	if hasBasePointer(st, f) {
		withSubs(tab.RBX)
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

// calleeSaved lists the registers that the System V convention preserves, in
// the order in which they are saved (psABI 3.2.1).
func calleeSaved(st *target.Subtarget, f *mir.Function) []mir.Reg {
	rs := []mir.Reg{reg(tab.RBX), reg(tab.R12), reg(tab.R13), reg(tab.R14), reg(tab.R15), reg(tab.RBP)}
	if hasFP(st, f) {
		rs = rs[:5] // the prologue saves RBP by itself
	}
	return rs
}

// callPreservedMask returns the mask of registers that survive a call.
func callPreservedMask(_ *target.Subtarget, f *mir.Function, cc uint16) []uint32 {
	name := "csr_64"
	if cc == ccGHC {
		name = "csr_noregs"
	}
	if i, ok := f.Facts.RegMaskByName(name); ok {
		return f.Facts.RegMask(i)
	}
	return nil
}
