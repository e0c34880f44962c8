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

// calleeSaved lists the registers that the function's convention preserves, in
// the order in which they are saved, without those that hold the result.
func calleeSaved(st *target.Subtarget, f *mir.Function) []mir.Reg {
	cc := uint16(ccC)
	if f.IR != nil {
		cc = f.IR.Global().CC
	}
	list := savedList(st, cc)
	fp := hasFP(st, f)
	var out []mir.Reg
	for _, r := range tab.CallConv.SavedRegs(list) {
		if fp && r == tab.RBP {
			continue // the prologue saves it by itself
		}
		// C preserves no register that could hold a result.
		if list == tab.CSR_64 || !isReturned(f, r) {
			out = append(out, reg(r))
		}
	}
	return out
}

// isReturned reports whether a return of f reads a part of r.
func isReturned(f *mir.Function, r desc.PhysReg) bool {
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		i := f.Block(b).Last()
		if i == 0 || !f.Facts.Instr(f.Instr(i).Opcode).IsReturn() {
			continue
		}
		for _, o := range f.Ops(i) {
			if o.IsReg() && o.IsImplicit() && !o.IsDef() && o.Reg().IsPhysical() && f.Facts.Overlap(desc.PhysReg(o.Reg()), r) {
				return true
			}
		}
	}
	return false
}
