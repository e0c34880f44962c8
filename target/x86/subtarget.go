package x86

import (
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/triple"
)

// matches reports the triples that the target serves.
func matches(t triple.Triple) bool {
	return t.Arch == triple.X86_64 && t.IsELF()
}

// matches32 reports the triples of 32-bit code.
func matches32(t triple.Triple) bool {
	return t.Arch == triple.X86 && t.IsELF() && t.OS != triple.OSELFIAMCU
}

// newSubtarget refuses what there is no code for.
func newSubtarget(st *target.Subtarget) error {
	unsupported := func(what string) error { return &target.Unsupported{Target: st.Target.Name, What: what} }
	switch {
	case st.Options.WithoutABI:
	case st.Triple.IsX32():
		return unsupported("the x32 ABI")
	case st.Triple.IsWindows():
		return unsupported("Windows")
	case st.Options.Reloc == target.RelocPIC && (st.Options.CodeModel == target.CodeModelMedium || st.Options.CodeModel == target.CodeModelLarge):
		return unsupported("position-independent code of the medium and large code models")
	case modeOf(st).is64() && !st.HasFeature("64bit"):
		return unsupported("code for processors without 64-bit mode")
	}
	st.Instr = &instrTable
	if st.HasFeature("avx") {
		st.Instr = instrTableVEX()
	}
	st.Legal = legalTable(modeOf(st)).Bind(func(name string) bool { return hasFeature(st, name) })
	st.Legal.BitVectors = hasMasks(st)
	var err error
	st.Call, err = callConv(st)
	return err
}

// hasFeature is Subtarget.HasFeature with three features more: "masks", mask registers
// for vectors of all widths, "zmm", registers of 512 bits for values, and "halves of zmm",
// such registers for intrinsics alone, which code of 256 bits takes apart.
func hasFeature(st *target.Subtarget, name string) bool {
	switch name {
	case "masks":
		return hasMasks(st)
	case "zmm":
		return hasMasks(st) && wantsZMM(st)
	case "halves of zmm":
		return st.HasFeature("avx512f") && !hasMasks(st)
	}
	return st.HasFeature(name)
}

// hasMasks reports the features of AVX-512 that all of its processors but Knights Landing have.
func hasMasks(st *target.Subtarget) bool {
	return st.HasFeature("avx512f") && st.HasFeature("avx512bw") && st.HasFeature("avx512dq") && st.HasFeature("avx512vl")
}

// wantsZMM reports whether registers of 512 bits are used: where the function prefers
// them, or needs them for its arguments and intrinsics (LLVM, X86Subtarget.h: useAVX512Regs).
func wantsZMM(st *target.Subtarget) bool {
	prefer := st.Widths.Prefer
	switch {
	case prefer >= 0:
	case st.HasFeature("prefer-128-bit"):
		prefer = 128
	case st.HasFeature("prefer-256-bit"):
		prefer = 256
	default:
		prefer = 512
	}
	return prefer >= 512 || !st.HasFeature("avx512vl") || st.Widths.MinLegal < 0 || st.Widths.MinLegal > 256
}
