package family

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/triple"
)

// Rows are the back ends by ID; the row of None has nothing in it. They must not be changed.
var Rows = [Count]Row{
	AArch64: {
		ID: AArch64, Name: "AArch64", MapSymbols: true,
		cpuAliases:      aarch64CPUAliases,
		Comment:         "//",
		CodeLittle:      true,
		lastDwarf:       func(n string) bool { return n[0] == 'P' || n[0] == 'W' },
		March:           []MarchName{{"arm64", "aarch64"}},
		Layout:          layoutAArch64,
		FuncAlign:       2,
		FramePointers:   []string{"fp"},
		Freed:           []string{"FP", "W28_W29", "W29", "X22_", "X28_"},
		CallFrameOnLoad: true,
		Branches:        Branches{Style: BranchPair, Always: []string{"B"}, Cond: []string{"Bcc", "CBZW", "CBZX", "CBNZW", "CBNZX", "TBZW", "TBZX", "TBNZW", "TBNZX"}, Detached: true},
		FunctionInfo: []InfoField{{Key: "hasRedZone", Kind: InfoBool, Optional: true}, {Key: "stackSizeZPR", Optional: true},
			{Key: "stackSizePPR", Optional: true}, {Key: "hasStackFrame", Kind: InfoBool, Optional: true}},
		FramePointerFor: VarSized,
		BasePointers:    []BasePointer{{"x19", AnyMode, VarSized | Realigned}},
	},
	AMDGPU: {
		ID: AMDGPU, Name: "AMDGPU",
		Comment:        ";",
		SubRegLiveness: true,
		LaneMask:       true,
		Layout:         layoutAMDGPU,
		DefaultCPU:     amdgpuCPU,
		StackSpace:     5,
		ConstSpace:     4,
		Freed:          []string{"VGPR", "AGPR", "SGPR"},
		WordImm:        "S_DELAY_ALU",
		Branches:       Branches{Style: BranchFirst, Always: []string{"S_BRANCH"}, Cond: []string{"S_CBRANCH_SCC0", "S_CBRANCH_SCC1", "S_CBRANCH_VCCZ", "S_CBRANCH_VCCNZ", "S_CBRANCH_EXECZ", "S_CBRANCH_EXECNZ"}, Detached: true},
		VRegFlags:      []string{"WWM_REG"},
		FunctionInfo:   amdgpuInfo,
		mode:           modeAMDGPU,
	},
	ARM: {
		ID: ARM, Name: "ARM",
		Comment:          "@",
		CodeLittle:       true,
		SubRegLivenessOf: "mve",
		Layout:           layoutARM,
		TripleFeatures:   featuresARM,
		FuncAlign:        2,
		FuncAlignOf:      []ArchAlign{{triple.Thumb, 1}, {triple.ThumbEB, 1}},
		FramePointers:    []string{"r11", "r7"},
		ManyPads:         true,
		Branches:         Branches{Style: BranchPredicated, Always: []string{"B", "t2B", "tB"}, Cond: []string{"Bcc", "t2Bcc", "tBcc"}, Detached: true, Predicated: true, AlwaysPred: 14},
		FunctionInfo:     []InfoField{{Key: "isLRSpilled", Kind: InfoBool, Default: "false", Always: true}},
		mode:             modeARM,
		FramePointerFor:  VarSized | Realigned,
		BasePointers:     []BasePointer{{"r6", AnyMode, VarSized | Realigned}, {"r6", 1, VarSized}},
	},
	AVR: {
		ID: AVR, Name: "AVR",
		Comment:   ";",
		Layout:    func(triple.Triple, string) string { return avrLayout },
		FuncAlign: 1,
	},
	BPF: {
		ID: BPF, Name: "BPF",
		March:     []MarchName{{"bpf", "bpfel"}},
		Layout:    layoutBPF,
		FuncAlign: 3,
		Branches:  Branches{Style: BranchScan, Always: []string{"JMP"}, Detached: true},
	},
	Hexagon: {
		ID: Hexagon, Name: "Hexagon",
		Comment:         "//",
		SubRegLiveness:  true,
		Layout:          func(triple.Triple, string) string { return hexagonLayout },
		FuncAlign:       4,
		FramePointers:   []string{"r30"},
		FramePointerFor: VarSized,
		Branches:        Branches{Style: BranchBundled, Always: []string{"J2_jump"}, Cond: []string{"J2_jumpt", "J2_jumpf", "J2_jumptpt", "J2_jumpfpt", "J2_jumptnew", "J2_jumpfnew", "J2_jumptnewpt", "J2_jumpfnewpt", "ENDLOOP0", "ENDLOOP1"}},
		FunctionInfo:    []InfoField{{Key: "stackAlignBaseReg", Kind: InfoString, Always: true}},
		mode:            modeHexagon,
	},
	Lanai: {
		ID: Lanai, Name: "Lanai",
		Comment:      "!",
		Layout:       func(triple.Triple, string) string { return lanaiLayout },
		FuncAlign:    2,
		BasePointers: []BasePointer{{"r14", AnyMode, VarSized | Realigned}},
	},
	LoongArch: {
		ID: LoongArch, Name: "LoongArch",
		Layout:          layoutLoongArch,
		FuncAlign:       5,
		FramePointers:   []string{"r22"},
		Branches:        Branches{Style: BranchPair, Always: []string{"PseudoBR"}, Cond: []string{"BEQ", "BNE", "BLT", "BGE", "BLTU", "BGEU", "BEQZ", "BNEZ", "BCEQZ", "BCNEZ"}, OneAlways: true},
		mode:            modeByWidth,
		FramePointerFor: VarSized | Realigned,
		BasePointers:    []BasePointer{{"r31", AnyMode, VarSized | Realigned}},
	},
	M68k: {
		ID: M68k, Name: "M68k",
		Comment:         ";",
		Layout:          func(triple.Triple, string) string { return m68kLayout },
		FuncAlign:       1,
		FramePointers:   []string{"a6"},
		FramePointerFor: VarSized | Realigned,
		BasePointers:    []BasePointer{{"a4", AnyMode, VarSized | Realigned}, {"a4", AnyMode, MovesSP | Realigned}},
	},
	MSP430: {
		ID: MSP430, Name: "MSP430",
		Comment:         ";",
		Layout:          func(triple.Triple, string) string { return msp430Layout },
		FuncAlign:       1,
		FramePointers:   []string{"r4"},
		FramePointerFor: VarSized,
	},
	Mips: {
		ID: Mips, Name: "Mips",
		Layout:          layoutMips,
		FuncAlign:       2,
		FuncAlignOf:     []ArchAlign{{triple.MIPS64, 3}, {triple.MIPS64EL, 3}},
		FramePointers:   []string{"fp", "fp_64"},
		Branches:        Branches{Style: BranchPair, AnyBranch: true, OneAlways: true, SkipDebug: true},
		mode:            modeByWidth,
		FramePointerFor: VarSized | Realigned,
		BasePointers:    []BasePointer{{"s7", AnyMode, VarSized | Realigned}, {"s7_64", AnyMode, VarSized | Realigned}},
	},
	NVPTX: {
		ID: NVPTX, Name: "NVPTX",
		Layout: layoutNVPTX,
		mode:   modeByWidth,
	},
	PowerPC: {
		ID: PowerPC, Name: "PowerPC",
		SubRegLiveness:  true,
		lastDwarf:       func(n string) bool { return !strings.HasPrefix(n, "VS") && !strings.HasPrefix(n, "ZERO") },
		March:           []MarchName{{"ppc32", "powerpc"}, {"ppc64", "powerpc64"}, {"ppc64le", "powerpc64le"}},
		Layout:          layoutPPC,
		FuncAlign:       2,
		FuncAlignOf:     []ArchAlign{{triple.PPC64LE, 4}},
		FramePointers:   []string{"x31", "r31"},
		Freed:           []string{"R13", "X13", "S13", "BP"},
		Branches:        Branches{Style: BranchPair, Always: []string{"B"}, Cond: []string{"BCC", "BC", "BCn"}},
		mode:            modeByWidth,
		FramePointerFor: VarSized,
		BasePointers:    []BasePointer{{"x30", AnyMode, Realigned}},
	},
	R600: {
		ID: R600, Name: "R600",
		Layout: layoutR600,
	},
	RISCV: {
		ID: RISCV, Name: "RISCV", MapSymbols: true,
		CodeLittle:      true,
		SubRegLiveness:  true,
		lastDwarf:       func(n string) bool { return strings.HasSuffix(n, "_H") },
		Layout:          layoutRISCV,
		FuncAlign:       2,
		FramePointers:   []string{"x8"},
		Branches:        Branches{Style: BranchPair, Always: []string{"PseudoBR"}, Cond: []string{"BEQ", "BNE", "BLT", "BGE", "BLTU", "BGEU"}, OneAlways: true},
		FunctionInfo:    []InfoField{{Key: "varArgsFrameIndex", Default: "0", Always: true}, {Key: "varArgsSaveSize", Default: "0", Always: true}},
		mode:            modeByWidth,
		FramePointerFor: VarSized | Realigned,
		BasePointers:    []BasePointer{{"x9", AnyMode, VarSized | Realigned}},
	},
	SPIRV: {
		ID: SPIRV, Name: "SPIRV",
		Layout: layoutSPIRV,
	},
	Sparc: {
		ID: Sparc, Name: "Sparc",
		Comment:   "!",
		Layout:    layoutSparc,
		FuncAlign: 2,
		Freed:     []string{"G1", "G2", "G3", "G4", "G0_G1"},
		Branches:  Branches{Style: BranchPair, Always: []string{"BA"}, Cond: []string{"BCOND", "FBCOND"}},
		mode:      modeByWidth,
	},
	SystemZ: {
		ID: SystemZ, Name: "SystemZ",
		March:           []MarchName{{"systemz", "s390x"}},
		Layout:          layoutSystemZ,
		FuncAlign:       4,
		FrameFloats:     true,
		FramePointers:   []string{"r11d"},
		PCRelRegs:       true,
		Branches:        Branches{Style: BranchScan, Always: []string{"J", "JG"}, Cond: []string{"BRC", "BRCL"}, Detached: true},
		FramePointerFor: VarSized,
	},
	VE: {
		ID: VE, Name: "VE",
		Layout:    func(triple.Triple, string) string { return veLayout },
		FuncAlign: 4,
	},
	WebAssembly: {
		ID: WebAssembly, Name: "WebAssembly",
		Layout:   layoutWebAssembly,
		ManyPads: true,
		FunctionInfo: []InfoField{{Key: "params", Kind: InfoStrings, Default: "[]"}, {Key: "results", Kind: InfoStrings, Default: "[]"},
			{Key: "isCFGStackified", Kind: InfoBool, Default: "false"}, {Key: "wasmEHFuncInfo", Kind: InfoIntMap, Default: "{}"}},
		mode: modeByWidth,
	},
	X86: {
		ID: X86, Name: "X86",
		lastDwarf:       func(string) bool { return false },
		March:           []MarchName{{"x86-64", "x86_64"}, {"x86", "i386"}},
		Layout:          layoutX86,
		TripleFeatures:  featuresX86,
		FuncAlign:       4,
		FramePointers:   []string{"rbp", "ebp"},
		Freed:           []string{"XMM", "YMM", "ZMM", "R8", "R9", "R1", "R2", "R3"},
		Branches:        Branches{Style: BranchScan, Always: []string{"JMP_1"}, Cond: []string{"JCC_1"}, Detached: true, UndefFlags: true},
		FunctionInfo:    []InfoField{{Key: "amxProgModel", Kind: InfoString, Default: "None", Always: true}},
		mode:            modeX86,
		FramePointerFor: VarSized | Realigned | MovesSP,
		BasePointers:    []BasePointer{{"rsi", 0, VarSized | Realigned}, {"rsi", 0, MovesSP | Realigned}, {"rbx", 1, VarSized | Realigned}, {"rbx", 1, MovesSP | Realigned}, {"rbx", 2, VarSized | Realigned}, {"rbx", 2, MovesSP | Realigned}},
	},
	XCore: {
		ID: XCore, Name: "XCore",
		Layout:          func(triple.Triple, string) string { return xcoreLayout },
		FuncAlign:       2,
		FramePointers:   []string{"r10"},
		FramePointerFor: VarSized,
	},
	Xtensa: {
		ID: Xtensa, Name: "Xtensa",
		Layout:          func(triple.Triple, string) string { return xtensaLayout },
		FuncAlign:       2,
		FramePointers:   []string{"a15"},
		FramePointerFor: VarSized,
	},
}

// byArch gives the back end of each architecture.
var byArch = [triple.NumArchs]ID{
	triple.AArch64: AArch64, triple.AArch64BE: AArch64, triple.AArch64_32: AArch64,
	triple.AMDGCN: AMDGPU,
	triple.ARM:    ARM, triple.ARMEB: ARM, triple.Thumb: ARM, triple.ThumbEB: ARM,
	triple.AVR:   AVR,
	triple.BPFEL: BPF, triple.BPFEB: BPF,
	triple.Hexagon:     Hexagon,
	triple.Lanai:       Lanai,
	triple.LoongArch32: LoongArch, triple.LoongArch64: LoongArch,
	triple.M68k:   M68k,
	triple.MSP430: MSP430,
	triple.MIPS:   Mips, triple.MIPSEL: Mips, triple.MIPS64: Mips, triple.MIPS64EL: Mips,
	triple.NVPTX: NVPTX, triple.NVPTX64: NVPTX,
	triple.PPC: PowerPC, triple.PPCLE: PowerPC, triple.PPC64: PowerPC, triple.PPC64LE: PowerPC,
	triple.R600:    R600,
	triple.RISCV32: RISCV, triple.RISCV64: RISCV, triple.RISCV32BE: RISCV, triple.RISCV64BE: RISCV,
	triple.SPIRV: SPIRV, triple.SPIRV32: SPIRV, triple.SPIRV64: SPIRV,
	triple.SPARC: Sparc, triple.SPARCV9: Sparc, triple.SPARCEL: Sparc,
	triple.SystemZ: SystemZ,
	triple.VE:      VE,
	triple.Wasm32:  WebAssembly, triple.Wasm64: WebAssembly,
	triple.X86: X86, triple.X86_64: X86,
	triple.XCore:  XCore,
	triple.Xtensa: Xtensa,
}

// amdgpuCPU is what LLVM takes when no processor is named.
func amdgpuCPU(t triple.Triple) string {
	if t.OS == triple.OSAMDHSA {
		return "generic-hsa"
	}
	return "generic"
}

// featuresX86 are the modes of the processor, and the ABI with 32-bit pointers.
func featuresX86(t triple.Triple) string {
	switch {
	case t.Arch == triple.X86_64 && t.IsX32():
		return "+64bit-mode,-32bit-mode,-16bit-mode,+x32"
	case t.Arch == triple.X86_64:
		return "+64bit-mode,-32bit-mode,-16bit-mode"
	case t.Env == triple.EnvCODE16:
		return "-64bit-mode,-32bit-mode,+16bit-mode"
	}
	return "-64bit-mode,+32bit-mode,-16bit-mode"
}

// featuresARM are Thumb's mode and the version of the architecture, which names of
// architectures have in a short form: armv8.6a is armv8.6-a.
func featuresARM(t triple.Triple) string {
	name, features := t.ArchName(), ""
	for _, p := range [...]string{"thumbeb", "armeb", "thumb", "arm"} {
		if v, ok := strings.CutPrefix(name, p); ok {
			name = strings.TrimSuffix(v, "eb")
			break
		}
	}
	if t.IsThumb() {
		features = "+thumb-mode"
	}
	if !strings.HasPrefix(name, "v") {
		return features
	}
	digits := 1 // "v8.1m.main": up to the profile
	for digits < len(name) && (name[digits] >= '0' && name[digits] <= '9' || name[digits] == '.') {
		digits++
	}
	version, profile := name[:digits], name[digits:]
	switch {
	case profile == "" && (version == "v7" || version == "v8" || version == "v9"):
		profile = "-a"
	case profile == "em":
		profile = "e-m"
	case profile == "a", profile == "r", profile == "m", strings.HasPrefix(profile, "m."), profile == "sm":
		if profile == "sm" {
			profile = "s-m"
		} else {
			profile = "-" + profile
		}
	}
	return strings.TrimPrefix(features+",+arm"+version+profile, ",")
}

// modeByWidth is for targets whose modes 0 and 1 are those of 32 and 64 bits.
func modeByWidth(in *desc.Info, t triple.Triple, _ func() FeatureSet) int {
	switch {
	case t.Arch == triple.UnknownArch:
		return in.DefaultMode
	case t.Is64Bit():
		return 1
	}
	return 0
}

// modeX86: 32 bits, 64 bits, 64 bits with pointers of 32.
func modeX86(in *desc.Info, t triple.Triple, _ func() FeatureSet) int {
	switch {
	case t.Arch == triple.X86:
		return 0
	case t.IsX32():
		return 2
	}
	return in.DefaultMode
}

// modeAMDGPU: waves of 64 lanes; those where tuples of vector registers begin at
// even ones (1), and with 32 lanes (2); 32 lanes (4).
func modeAMDGPU(_ *desc.Info, _ triple.Triple, features func() FeatureSet) int {
	fs := features()
	wave32 := fs.Has("wavefrontsize32") || fs.Has("gfx10-insts") && !fs.Has("wavefrontsize64")
	aligned := fs.Has("vgpr-align2")
	switch {
	case aligned && wave32:
		return 2
	case aligned:
		return 1
	case wave32:
		return 4
	}
	return 0
}

// modeARM: 1 is Thumb code without Thumb-2.
func modeARM(_ *desc.Info, t triple.Triple, features func() FeatureSet) int {
	if !t.IsThumb() || features().Has("thumb2") {
		return 0
	}
	switch t.SubArch {
	case triple.NoSubArch, triple.SubARMV4t, triple.SubARMV5, triple.SubARMV5te, triple.SubARMV6, triple.SubARMV6k,
		triple.SubARMV6m, triple.SubARMV8mBase:
		return 1
	}
	return 0
}

// modeHexagon: no vectors, those of 64 bytes, those of 128.
func modeHexagon(_ *desc.Info, _ triple.Triple, features func() FeatureSet) int {
	fs := features()
	switch {
	case fs.Has("hvx-length128b"):
		return 2
	case fs.Has("hvx-length64b"):
		return 1
	}
	return 0
}
