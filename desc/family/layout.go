package family

import (
	"strings"

	"github.com/mirin-go/mirin/triple"
)

// Data layouts, as Triple::computeDataLayout of LLVM 22 gives them;
// testdata/layouts.txt holds them to it.

func endian(t triple.Triple) string {
	if t.IsLittleEndian() {
		return "e"
	}
	return "E"
}

// mangling is the m: component: how names of symbols are written.
func mangling(t triple.Triple) string {
	switch t.Format {
	case triple.FormatMachO:
		return "-m:o"
	case triple.FormatGOFF:
		return "-m:l"
	case triple.FormatXCOFF:
		return "-m:a"
	case triple.FormatCOFF:
		switch {
		case t.OS != triple.OSWin32 && t.OS != triple.OSUEFI:
			return "-m:e"
		case t.Arch == triple.X86:
			return "-m:x"
		}
		return "-m:w"
	}
	return "-m:e"
}

// mixed are x86's and AArch64's address spaces of 32- and 64-bit pointers.
const mixed = "-p270:32:32-p271:32:32-p272:64:64"

func layoutX86(t triple.Triple, _ string) string {
	wide, windows, mcu := t.Arch == triple.X86_64, t.IsWindows(), t.OS == triple.OSELFIAMCU
	s := "e" + mangling(t)
	if !wide || t.IsX32() {
		s += "-p:32:32"
	}
	s += mixed
	switch {
	case wide || windows:
		s += "-i64:64-i128:128"
	case mcu:
		s += "-i64:32-f64:32"
	default:
		s += "-i128:128-f64:32:64"
	}
	switch {
	case mcu:
		s += "-f128:32"
	case wide || t.IsDarwin() || t.IsMSVC():
		s += "-f80:128"
	default:
		s += "-f80:32"
	}
	if wide {
		s += "-n8:16:32:64"
	} else {
		s += "-n8:16:32"
	}
	if !wide && windows || mcu {
		return s + "-a:0:32-S32"
	}
	return s + "-S128"
}

func layoutAArch64(t triple.Triple, _ string) string {
	switch t.Format {
	case triple.FormatMachO:
		if t.Arch == triple.AArch64_32 {
			return "e-m:o-p:32:32" + mixed + "-i64:64-i128:128-n32:64-S128-Fn32"
		}
		return "e-m:o" + mixed + "-i64:64-i128:128-n32:64-S128-Fn32"
	case triple.FormatCOFF:
		return "e-m:w" + mixed + "-p:64:64-i32:32-i64:64-i128:128-n32:64-S128-Fn32"
	}
	s := endian(t) + "-m:e"
	if t.Env == triple.EnvGNUILP32 {
		s += "-p:32:32"
	}
	return s + mixed + "-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"
}

func layoutARM(t triple.Triple, abi string) string {
	if abi == "" {
		abi = abiARM(t)
	}
	s := endian(t) + mangling(t) + "-p:32:32-Fi8"
	if strings.HasPrefix(abi, "apcs") {
		return s + "-f64:32:64-v64:32:64-v128:32:128-a:0:32-n32-S32"
	}
	a16 := abi == "aapcs16"
	s += "-i64:64"
	if !a16 {
		s += "-v128:64:128"
	}
	s += "-a:0:32-n32"
	if a16 {
		return s + "-S128"
	}
	return s + "-S64"
}

// abiARM is the ABI that a triple of 32-bit ARM has without -target-abi.
func abiARM(t triple.Triple) string {
	if t.Format == triple.FormatMachO {
		switch {
		case t.Env == triple.EnvEABI || t.OS == triple.UnknownOS || t.IsARMMClass():
			return "aapcs"
		case t.IsWatchABI():
			return "aapcs16"
		}
		return "apcs-gnu"
	}
	if t.OS == triple.OSNetBSD {
		switch t.Env {
		case triple.EnvEABI, triple.EnvEABIHF, triple.EnvGNUEABI, triple.EnvGNUEABIHF:
		default:
			return "apcs-gnu"
		}
	}
	return "aapcs"
}

func layoutBPF(t triple.Triple, _ string) string {
	return endian(t) + "-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
}

func layoutLoongArch(t triple.Triple, _ string) string {
	if t.Arch == triple.LoongArch32 {
		return "e-m:e-p:32:32-i64:64-n32-S128"
	}
	return "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
}

func layoutMips(t triple.Triple, abi string) string {
	if abi == "" {
		switch {
		case t.IsABIN32():
			abi = "n32"
		case t.IsMIPS64():
			abi = "n64"
		default:
			abi = "o32"
		}
	}
	s := endian(t)
	if abi == "o32" {
		return s + "-m:m-p:32:32-i8:8:32-i16:16:32-i64:64-n32-S64"
	}
	s += "-m:e"
	if abi == "n32" {
		s += "-p:32:32"
	}
	return s + "-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128"
}

func layoutNVPTX(t triple.Triple, abi string) string {
	s := "e"
	switch {
	case t.Arch == triple.NVPTX:
		s += "-p:32:32-p6:32:32-p7:32:32"
	case abi == "shortptr":
		s += "-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32"
	default:
		s += "-p6:32:32"
	}
	return s + "-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
}

func layoutPPC(t triple.Triple, abi string) string {
	wide := t.IsPPC64()
	s := endian(t) + mangling(t)
	if !wide || t.OS == triple.OSLv2 {
		s += "-p:32:32"
	}
	aix := t.OS == triple.OSAIX
	switch {
	case aix && !wide:
		s += "-Fi32"
	case aix, t.Arch == triple.PPC64 && abi != "elfv2" && !t.IsPPC64ELFv2():
		s += "-Fi64" // pointers to functions are those of descriptors
	default:
		s += "-Fn32"
	}
	s += "-i64:64"
	if wide {
		s += "-i128:128-n32:64"
	} else {
		s += "-n32"
	}
	if aix {
		s += "-f64:32:64"
	}
	if wide && (aix || t.OS == triple.OSLinux) {
		s += "-S128-v256:256:256-v512:512:512"
	}
	return s
}

func layoutRISCV(t triple.Triple, abi string) string {
	if t.Format == triple.FormatMachO {
		return "e-m:o-p:32:32-i64:64-n32-S128" // LLVM has no other
	}
	s := endian(t) + "-m:e"
	if t.IsRISCV64() {
		s += "-p:64:64-i64:64-i128:128-n32:64"
	} else {
		s += "-p:32:32-i64:64-n32"
	}
	switch {
	case strings.HasPrefix(abi, "ilp32e"):
		return s + "-S32"
	case strings.HasPrefix(abi, "lp64e"):
		return s + "-S64"
	}
	return s + "-S128"
}

func layoutSparc(t triple.Triple, _ string) string {
	if t.Arch == triple.SPARCV9 {
		return "E-m:e-i64:64-i128:128-n32:64-S128"
	}
	return endian(t) + "-m:e-p:32:32-i64:64-i128:128-f128:64-n32-S64"
}

func layoutSystemZ(t triple.Triple, _ string) string {
	s := "E" + mangling(t)
	if t.OS == triple.OSZOS {
		s += "-p1:32:32"
	}
	return s + "-i1:8:16-i8:8:16-i64:64-f128:64-v128:64-a:8:16-n32:64"
}

func layoutWebAssembly(t triple.Triple, _ string) string {
	s := "e-m:e-p:32:32"
	if t.Arch == triple.Wasm64 {
		s = "e-m:e-p:64:64"
	}
	s += "-p10:8:8-p20:8:8-i64:64"
	if t.OS == triple.OSEmscripten {
		return s + "-i128:128-f128:64-n32:64-S128-ni:1:10:20"
	}
	return s + "-i128:128-n32:64-S128-ni:1:10:20"
}

// gpuVectors are the alignments of AMD's vectors.
const gpuVectors = "-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"

func layoutAMDGPU(triple.Triple, string) string {
	return "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32" +
		gpuVectors + "-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
}

func layoutR600(triple.Triple, string) string {
	return "e-m:e-p:32:32" + gpuVectors + "-v2048:2048-n32:64-S32-A5-G1"
}

func layoutSPIRV(t triple.Triple, _ string) string {
	switch {
	case t.Arch == triple.SPIRV32:
		return "e-p:32:32" + gpuVectors + "-n8:16:32:64-G1"
	case t.Arch == triple.SPIRV:
		return "e" + gpuVectors + "-n8:16:32:64-G10"
	case t.Vendor == triple.VendorAMD && t.OS == triple.OSAMDHSA:
		return "e" + gpuVectors + "-n32:64-S32-G1-P4-A0"
	case t.Vendor == triple.VendorIntel:
		return "e" + gpuVectors + "-n8:16:32:64-G1-P9-A0"
	}
	return "e" + gpuVectors + "-n8:16:32:64-G1"
}

// The layouts of targets that have one alone.
const (
	avrLayout     = "e-P1-p:16:8-i8:8-i16:8-i32:8-i64:8-f32:8-f64:8-n8:16-a:8"
	hexagonLayout = "e-m:e-p:32:32:32-a:0-n16:32-i64:64:64-i32:32:32-i16:16:16-i1:8:8-f32:32:32-f64:64:64-v32:32:32-v64:64:64-v512:512:512-v1024:1024:1024-v2048:2048:2048"
	lanaiLayout   = "E-m:e-p:32:32-i64:64-a:0:32-n32-S64"
	m68kLayout    = "E-m:e-p:32:16:32-i8:8:8-i16:16:16-i32:16:32-n8:16:32-a:0:16-S16"
	msp430Layout  = "e-m:e-p:16:16-i32:16-i64:16-f32:16-f64:16-a:8-n8:16-S16"
	veLayout      = "e-m:e-i64:64-n32:64-S128-v64:64:64-v128:64:64-v256:64:64-v512:64:64-v1024:64:64-v2048:64:64-v4096:64:64-v8192:64:64-v16384:64:64"
	xcoreLayout   = "e-m:e-p:32:32-i1:8:32-i8:8:32-i16:16:32-i64:32-f64:32-a:0:32-n32"
	xtensaLayout  = "e-m:e-p:32:32-i8:8:32-i16:16:32-i64:64-n32"
)

// DataLayout returns the data layout that LLVM has for a triple and ABI, "" when it knows none.
func DataLayout(t triple.Triple, abi string) string {
	if r := ByArch(t.Arch); r != nil {
		return r.DataLayout(nil, t, abi)
	}
	return otherLayouts[t.Arch]
}

// otherLayouts are those of architectures whose back ends are not among LLVM's usual ones.
var otherLayouts = [triple.NumArchs]string{
	triple.ARC:    "e-m:e-p:32:32-i1:8:32-i8:8:32-i16:16:32-i32:32:32-f32:32:32-i64:32-f64:32-a:0:32-n32",
	triple.CSKY:   "e-m:e-S32-p:32:32-i32:32:32-i64:32:32-f32:32:32-f64:32:32-v64:32:32-v128:32:32-a:0:32-Fi32-n32",
	triple.DXIL:   "e-m:e-p:32:32-i1:32-i8:8-i16:16-i32:32-i64:64-f16:16-f32:32-f64:64-n8:16:32:64-v48:16:16-v96:32:32-v192:64:64",
	triple.SPIR:   "e" + gpuVectors + "-n8:16:32:64-G1",
	triple.SPIR64: "e" + gpuVectors + "-n8:16:32:64-G1",
}
