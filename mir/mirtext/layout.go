package mirtext

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
)

// DataLayout returns the data layout that LLVM's target has for a triple and
// -target-abi. Where only one layout exists it is that of the facts.
func DataLayout(in *desc.Info, triple, abi string) string {
	t := splitTriple(triple)
	m := "-m:" + string(t.mangling())
	switch in.Target {
	case "X86":
		return t.layoutX86(m)
	case "AArch64":
		switch {
		case t.format == 'o' && t.arch == "aarch64_32" || t.arch == "arm64_32":
			return "e-m:o-p:32:32-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-n32:64-S128-Fn32"
		case t.format == 'o':
			return "e-m:o-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-n32:64-S128-Fn32"
		case t.format == 'w':
			return "e-m:w-p270:32:32-p271:32:32-p272:64:64-p:64:64-i32:32-i64:64-i128:128-n32:64-S128-Fn32"
		}
		s := endian(t.arch != "aarch64_be" && t.arch != "arm64eb") + "-m:e"
		if strings.HasPrefix(t.env, "gnu_ilp32") {
			s += "-p:32:32"
		}
		return s + "-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"
	case "ARM":
		return t.layoutARM(m, abi)
	case "BPF":
		return endian(t.arch != "bpfeb" && t.arch != "bpf_be") + "-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
	case "LoongArch":
		if t.arch == "loongarch32" {
			return "e-m:e-p:32:32-i64:64-n32-S128"
		}
		return "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
	case "Mips":
		return t.layoutMips(abi)
	case "NVPTX":
		if t.arch == "nvptx" {
			return "e-p:32:32-p6:32:32-p7:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
		}
		return "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
	case "PowerPC":
		return t.layoutPPC(m)
	case "RISCV":
		s := endian(!strings.HasSuffix(t.arch, "be")) + "-m:e"
		if strings.HasPrefix(t.arch, "riscv64") {
			s += "-p:64:64-i64:64-i128:128-n32:64"
		} else {
			s += "-p:32:32-i64:64-n32"
		}
		switch abi {
		case "ilp32e":
			return s + "-S32"
		case "lp64e":
			return s + "-S64"
		}
		return s + "-S128"
	case "Sparc":
		if t.arch == "sparcv9" || t.arch == "sparc64" {
			return "E-m:e-i64:64-i128:128-n32:64-S128"
		}
		return endian(t.arch == "sparcel") + "-m:e-p:32:32-i64:64-i128:128-f128:64-n32-S64"
	case "SystemZ":
		s := "E" + m
		if t.is("zos") {
			s += "-p1:32:32"
		}
		return s + "-i1:8:16-i8:8:16-i64:64-f128:64-v128:64-a:8:16-n32:64"
	case "WebAssembly":
		s := "e-m:e-p:32:32"
		if t.arch == "wasm64" {
			s = "e-m:e-p:64:64"
		}
		s += "-p10:8:8-p20:8:8-i64:64-i128:128"
		if t.is("emscripten") {
			s += "-f128:64"
		}
		return s + "-n32:64-S128-ni:1:10:20"
	case "AMDGPU":
		return "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32" +
			"-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
	case "R600":
		return "e-m:e-p:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1"
	case "SPIRV":
		const tail = "i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
		switch {
		case t.arch == "spirv32":
			return "e-p:32:32-" + tail
		case t.arch == "spirv":
			return "e-" + tail + "0"
		case t.vendor == "amd" && t.is("amdhsa"):
			return "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
		}
		return "e-" + tail
	}
	return variantLayout(in, triple)
}

func endian(little bool) string {
	if little {
		return "e"
	}
	return "E"
}

// tripleParts is a triple in its parts and what follows from them.
type tripleParts struct {
	arch, vendor, os, env string
	format                byte // e ELF, o Mach-O, w COFF, a XCOFF, l GOFF
}

func splitTriple(s string) tripleParts {
	var t tripleParts
	var format string
	for i, p := range strings.SplitN(s, "-", 5) {
		switch i {
		case 0:
			t.arch = p
		case 1:
			t.vendor = p
		case 2:
			t.os = p
		case 3:
			t.env = p
		case 4:
			format = p
		}
	}
	t.format = 'e'
	switch {
	case t.isDarwin():
		t.format = 'o'
	case t.is("windows") || t.is("win32") || t.is("uefi"):
		t.format = 'w'
	case t.is("aix"):
		t.format = 'a'
	case t.is("zos"):
		t.format = 'l'
	}
	for _, f := range [...]string{t.env, format} {
		switch {
		case strings.HasSuffix(f, "xcoff"):
			t.format = 'a'
		case strings.HasSuffix(f, "coff"):
			t.format = 'w'
		case strings.HasSuffix(f, "elf"):
			t.format = 'e'
		case strings.HasSuffix(f, "macho"):
			t.format = 'o'
		case strings.HasSuffix(f, "goff"):
			t.format = 'l'
		}
	}
	return t
}

// is reports that the operating system's name begins so.
func (t *tripleParts) is(os string) bool { return strings.HasPrefix(t.os, os) }

func (t *tripleParts) isDarwin() bool {
	return hasPrefixOf(t.os, []string{"darwin", "macos", "ios", "tvos", "watchos", "xros", "visionos", "bridgeos", "driverkit"})
}

func (t *tripleParts) isX86() bool {
	return len(t.arch) == 4 && t.arch[0] == 'i' && t.arch[2:] == "86"
}

// mangling is the letter of the m: component.
func (t *tripleParts) mangling() byte {
	switch {
	case t.format == 'w' && !(t.is("windows") || t.is("win32") || t.is("uefi")):
		return 'e'
	case t.format == 'w' && t.isX86():
		return 'x'
	}
	return t.format
}

func (t *tripleParts) layoutX86(m string) string {
	wide, windows, mcu := !t.isX86(), t.is("windows") || t.is("win32"), t.is("elfiamcu")
	s := "e" + m
	if !wide || strings.HasSuffix(t.env, "x32") {
		s += "-p:32:32"
	}
	s += "-p270:32:32-p271:32:32-p272:64:64"
	switch {
	case wide || windows:
		s += "-i64:64-i128:128"
	case mcu:
		s += "-i64:32-f64:32"
	default:
		s += "-i128:128-f64:32:64"
	}
	msvc := windows && (t.env == "" || t.env == "unknown" || strings.HasPrefix(t.env, "msvc"))
	switch {
	case mcu:
		s += "-f128:32"
	case wide || t.isDarwin() || msvc:
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

func (t *tripleParts) layoutARM(m, abi string) string {
	if abi == "" {
		abi = t.abiARM()
	}
	s := endian(!strings.HasPrefix(t.arch, "armeb") && !strings.HasPrefix(t.arch, "thumbeb")) + m + "-p:32:32-Fi8"
	apcs, a16 := strings.HasPrefix(abi, "apcs"), abi == "aapcs16"
	if apcs {
		return s + "-f64:32:64-v64:32:64-v128:32:128-a:0:32-n32-S32"
	}
	s += "-i64:64"
	if !a16 {
		s += "-v128:64:128"
	}
	s += "-a:0:32-n32"
	if a16 || t.is("nacl") {
		return s + "-S128"
	}
	return s + "-S64"
}

func (t *tripleParts) abiARM() string {
	v := strings.TrimPrefix(strings.TrimPrefix(t.arch, "thumb"), "arm")
	if t.format == 'o' {
		profileM := v == "v6m" || v == "v7m" || v == "v7em" || v == "v6-m" || v == "v7e-m" || strings.HasPrefix(v, "v8m")
		switch {
		case strings.HasPrefix(t.env, "eabi") || t.os == "" || t.os == "unknown" || t.is("none") || profileM:
			return "aapcs"
		case t.is("watchos") || v == "v7k":
			return "aapcs16"
		}
		return "apcs-gnu"
	}
	if t.is("netbsd") && !strings.Contains(t.env, "eabi") {
		return "apcs-gnu"
	}
	return "aapcs"
}

func (t *tripleParts) layoutMips(abi string) string {
	s := endian(strings.Contains(t.arch, "el"))
	if abi == "" {
		switch {
		case strings.HasSuffix(t.env, "abin32"):
			abi = "n32"
		case strings.HasPrefix(t.arch, "mips64") || strings.HasPrefix(t.arch, "mipsisa64"):
			abi = "n64"
		default:
			abi = "o32"
		}
	}
	if abi == "o32" {
		return s + "-m:m-p:32:32-i8:8:32-i16:16:32-i64:64-n32-S64"
	}
	s += "-m:e"
	if abi == "n32" {
		s += "-p:32:32"
	}
	return s + "-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128"
}

func (t *tripleParts) layoutPPC(m string) string {
	little := strings.HasSuffix(t.arch, "le")
	wide := strings.Contains(t.arch, "64")
	s := endian(little) + m
	if !wide || t.is("lv2") {
		s += "-p:32:32"
	}
	elfv2 := t.is("openbsd") || t.is("freebsd") && !hasPrefixOf(t.os, []string{"freebsd8", "freebsd9", "freebsd10", "freebsd11", "freebsd12"}) ||
		strings.HasPrefix(t.env, "musl")
	switch {
	case wide && !little && !elfv2:
		s += "-Fi64"
	case t.is("aix"):
		s += "-Fi32"
	default:
		s += "-Fn32"
	}
	s += "-i64:64"
	if wide {
		s += "-i128:128-n32:64"
	} else {
		s += "-n32"
	}
	if t.is("aix") {
		s += "-f64:32:64"
	}
	if wide && (t.is("aix") || t.is("linux")) {
		s += "-S128-v256:256:256-v512:512:512"
	}
	return s
}
