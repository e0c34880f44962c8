package x86

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/target"
)

// prepareHooks is what passes over IR ask.
var prepareHooks = target.PrepareHooks{
	LegalAddress: legalAddress,
	SlowDivide:   []target.SlowDivide{{Feature: "idivl-to-divb", Bits: 32, Short: 8}, {Feature: "idivq-to-divl", Bits: 64, Short: 32}},
	// All processors that are tuned for execute out of order.
	BranchesPredict: true,
	FastSqrt:        true,
	// As many bytes as LLVM: 32, which it has in two loads, and 16.
	Compare:    target.MemoryCompare{Sizes: []int{8, 4, 2, 1}, MaxLoads: 4, MaxOrdered: 2, PerBlock: 2},
	ImmCost:    immCost,
	AddImmBits: 32,
	Loops:      target.LoopCosts{Registers: 15, InstrsFirst: true},
	Masked:     selectsMasked,
}

// selectsMasked is PrepareHooks.Masked: whole registers under mask registers, of elements
// that stand side by side in memory.
func selectsMasked(st *target.Subtarget, types *ir.Types, x ir.Intrinsic, vec ir.Type) bool {
	if !hasMasks(st) || types.Kind(vec) != ir.KindVector || x == ir.IntrMaskedGather || x == ir.IntrMaskedScatter {
		return false
	}
	e := types.Elem(vec)
	bits := 0
	switch {
	case types.Kind(e) == ir.KindInteger:
		bits = types.IntBits(e)
	case e == ir.Float:
		bits = 32
	case e == ir.Double:
		bits = 64
	}
	switch bits {
	case 32, 64:
	case 8, 16:
		if (x == ir.IntrMaskedExpandload || x == ir.IntrMaskedCompressstore) && !st.HasFeature("avx512vbmi2") {
			return false
		}
	default:
		return false
	}
	n := int(types.NumElems(vec)) * bits
	return n == 128 || n == 256 || n == 512 && hasFeature(st, "zmm")
}

// immCost: constants of 32 bits with their sign are part of instructions, or
// made by a MOV of 5 to 7 bytes; others by one of 10.
func immCost(u target.ImmediateUse) int {
	cost := 1
	switch {
	case u.Value == 0:
		cost = 0
	case u.Value != int64(int32(u.Value)):
		cost = 2
	}
	inside := -1 // the operand that can be part of the instruction
	switch u.Op {
	case ir.OpGEP:
		if u.Operand == 0 {
			return 2
		}
		return 0
	case ir.OpStore:
		inside = 0
	case ir.OpICmp:
		// A comparison with these is a shift to the right, and one with 0.
		if u.Operand == 1 && u.Bits == 64 && (u.Value == 1<<32 || u.Value == 1<<32-1) {
			return 1
		}
		inside = 1
	case ir.OpAnd:
		// What keeps 32 bits of 64 is one on the lower half.
		if u.Operand == 1 && u.Bits == 64 && u.Value == int64(uint32(u.Value)) {
			return 1
		}
		inside = 1
	case ir.OpAdd, ir.OpSub:
		// The other operation has a constant of 32 bits.
		if u.Operand == 1 && u.Bits == 64 && u.Value == 1<<31 {
			return 1
		}
		inside = 1
	case ir.OpMul, ir.OpOr, ir.OpXor:
		inside = 1
	case ir.OpShl, ir.OpLShr, ir.OpAShr:
		if u.Operand == 1 {
			return 0
		}
	case ir.OpPhi, ir.OpCall, ir.OpSelect, ir.OpRet, ir.OpLoad:
	default:
		return 0 // divisions by constants become products with others
	}
	if u.Operand == inside && cost <= 1 {
		return 0
	}
	return max(cost, 1)
}

// legalAddress is what selectAddr matches: see address.symAllows for globals.
func legalAddress(st *target.Subtarget, a target.AddressMode) bool {
	if a.Offset != int64(int32(a.Offset)) {
		return false
	}
	if a.Global != nil {
		if st.Options.CodeModel != target.CodeModelSmall && st.Options.CodeModel != target.CodeModelKernel || !target.IsDSOLocal(a.Global) || a.Global.TLS != 0 || a.Offset < 0 || a.Offset >= 1<<24 {
			return false
		}
		absolute := st.Options.Reloc == target.RelocStatic && !st.Options.JIT
		if !absolute && (a.Base || a.Scale != 0) {
			return false
		}
	}
	switch a.Scale {
	case 0, 1, 2, 4, 8:
		return true
	case 3, 5, 9:
		return !a.Base && a.Global == nil // index and base are one register
	}
	return false
}
