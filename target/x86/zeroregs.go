package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// zeroRegs is what "zero-call-used-regs" may clear before a return: general registers,
// by their lower half, and vectors, without the upper parts that AVX adds.
var zeroRegs = target.ZeroRegs{
	Integers:    []desc.PhysReg{tab.EAX, tab.EBP, tab.EBX, tab.ECX, tab.EDI, tab.EDX, tab.ESI, tab.R8D, tab.R9D, tab.R10D, tab.R11D, tab.R12D, tab.R13D, tab.R14D, tab.R15D},
	ArgIntegers: []desc.PhysReg{tab.ECX, tab.EDI, tab.EDX, tab.ESI, tab.R8D, tab.R9D},
	Others: []desc.PhysReg{tab.XMM0, tab.XMM1, tab.XMM2, tab.XMM3, tab.XMM4, tab.XMM5, tab.XMM6, tab.XMM7,
		tab.XMM8, tab.XMM9, tab.XMM10, tab.XMM11, tab.XMM12, tab.XMM13, tab.XMM14, tab.XMM15},
	ArgOthers: vecRegs,
	Missing:   func(st *target.Subtarget) bool { return st.HasFeature("avx") },
	Clear:     clearRegister,
	ClearAll:  clearX87,
}

// clearRegister makes r zero.
func clearRegister(b *mir.Builder, r desc.PhysReg) {
	op := tab.XORPSrr
	if b.F.Facts.ClassContains(tab.GR32RegClassID, r) {
		op = tab.XOR32rr
	}
	deadFlags(b.F, b.BuildInstr(op, mir.RegOp(reg(r), mir.Def), mir.RegOp(reg(r), mir.Undef), mir.RegOp(reg(r), mir.Undef)))
}

// clearX87 overwrites the registers of the x87 stack, which is empty before and after.
func clearX87(st *target.Subtarget, b *mir.Builder) {
	if !st.HasFeature("x87") {
		return
	}
	for range 8 {
		b.BuildInstr(tab.LD_F0)
	}
	for range 8 {
		b.BuildInstr(tab.ST_FPrr, mir.RegOp(reg(tab.ST0), 0))
	}
}
