package x86

import "github.com/mirin-go/mirin/target"

// prepareHooks is what passes over IR ask.
var prepareHooks = target.PrepareHooks{
	LegalAddress: legalAddress,
	SlowDivide:   []target.SlowDivide{{Feature: "idivl-to-divb", Bits: 32, Short: 8}, {Feature: "idivq-to-divl", Bits: 64, Short: 32}},
	// All processors that are tuned for execute out of order.
	BranchesPredict: true,
	FastSqrt:        true,
	Compare:         target.MemoryCompare{Sizes: []int{8, 4, 2, 1}, MaxLoads: 8, MaxLoadsOptSize: 4, PerBlock: 2},
}

// legalAddress is what selectAddr matches: see address.symAllows for globals.
func legalAddress(st *target.Subtarget, a target.AddressMode) bool {
	if a.Offset != int64(int32(a.Offset)) {
		return false
	}
	if a.Global != nil {
		if st.Options.CodeModel == target.CodeModelLarge || !isDSOLocal(a.Global) || a.Global.TLS != 0 || a.Offset < 0 || a.Offset >= 1<<24 {
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
