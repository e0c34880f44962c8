package mirtext

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

func uint16Reg(r int) desc.PhysReg { return desc.PhysReg(r) }

// dwarfFlavour finds the register numbering of the function's triple.
func dwarfFlavour(f *mir.Function) int {
	if f.Module == nil || f.Module.Triple == "" {
		return 0
	}
	t := f.Module.Triple
	for {
		if i := f.Facts.DwarfFlavourOf(t); i != 0 || strings.HasPrefix(f.Facts.Str(f.Facts.DwarfRegs[0].Triple), t) {
			return i
		}
		cut := strings.LastIndexByte(t, '-')
		if cut < 0 {
			return 0
		}
		t = t[:cut]
	}
}

// variantLayout returns the data layout of the variant that is nearest to a
// triple: of the same architecture and object format, as far as there is one.
func variantLayout(in *desc.Info, triple string) string {
	arch, format := archOf(triple), formatOf(triple)
	best, found := -1, ""
	for i := range in.Variants {
		t := in.Str(in.Variants[i].Triple)
		score := 0
		if triple == "" && i == 0 {
			score = 8
		}
		if archOf(t) == arch {
			score += 4
		}
		if formatOf(t) == format {
			score += 2
		}
		if score > best {
			best, found = score, in.Str(in.Variants[i].DataLayout)
		}
	}
	if at := strings.Index(found, "m:"); at >= 0 && at+2 < len(found) && strings.IndexByte("eowx", found[at+2]) >= 0 {
		m := byte('e')
		switch {
		case format == 'm':
			m = 'o'
		case format == 'c' && strings.HasSuffix(arch, "86"):
			m = 'x'
		case format == 'c':
			m = 'w'
		}
		found = found[:at+2] + string(rune(m)) + found[at+3:]
	}
	return found
}

// archOf returns a triple's architecture; the names of 32-bit x86 are one.
func archOf(triple string) string {
	a, _, _ := strings.Cut(triple, "-")
	if len(a) == 4 && a[0] == 'i' && a[2:] == "86" {
		return "i386"
	}
	return a
}

// formatOf returns m for Mach-O, c for COFF, e for ELF.
func formatOf(triple string) byte {
	for _, s := range [...]string{"apple", "darwin", "macos", "ios", "macho"} {
		if strings.Contains(triple, s) {
			return 'm'
		}
	}
	for _, s := range [...]string{"windows", "win32", "uefi", "cygwin", "mingw", "coff"} {
		if strings.Contains(triple, s) && !strings.Contains(triple, "elf") {
			return 'c'
		}
	}
	return 'e'
}

// TargetOfTriple returns LLVM's name of the target family that a triple's
// architecture belongs to, as desc/facts knows it; "" when none does.
func TargetOfTriple(triple string) string {
	arch, _, _ := strings.Cut(triple, "-")
	for _, x := range [...]struct{ prefix, target string }{
		{"x86", "X86"}, {"amd64", "X86"}, {"i386", "X86"}, {"i486", "X86"}, {"i586", "X86"}, {"i686", "X86"},
		{"aarch64", "AArch64"}, {"arm64", "AArch64"}, {"amdgcn", "AMDGPU"}, {"amdgpu", "AMDGPU"}, {"r600", "R600"},
		{"arm", "ARM"}, {"thumb", "ARM"}, {"xscale", "ARM"}, {"avr", "AVR"}, {"bpf", "BPF"}, {"hexagon", "Hexagon"},
		{"lanai", "Lanai"}, {"loongarch", "LoongArch"}, {"m68k", "M68k"}, {"mips", "Mips"}, {"msp430", "MSP430"},
		{"nvptx", "NVPTX"}, {"powerpc", "PowerPC"}, {"ppc", "PowerPC"}, {"riscv", "RISCV"}, {"sparc", "Sparc"},
		{"spirv", "SPIRV"}, {"s390x", "SystemZ"}, {"systemz", "SystemZ"}, {"ve", "VE"}, {"wasm", "WebAssembly"},
		{"xcore", "XCore"}, {"xtensa", "Xtensa"},
	} {
		if strings.HasPrefix(arch, x.prefix) {
			return x.target
		}
	}
	return ""
}

// NormalizeTriple puts a triple's parts in their places: arch-vendor-os-environment.
func NormalizeTriple(t string) string {
	parts := strings.Split(t, "-")
	var found [4]bool
	valid := func(pos int, s string) bool {
		switch pos {
		case 0:
			return TargetOfTriple(s) != "" || hasPrefixOf(s, otherArchs)
		case 1:
			return isVendor(s)
		case 2:
			return hasPrefixOf(s, osNames)
		}
		return hasPrefixOf(s, envNames) || hasSuffixOf(s, formatNames)
	}
	for i := 0; i < len(parts) && i < 4; i++ {
		found[i] = valid(i, parts[i]) && (i < 3 || hasPrefixOf(parts[i], envNames))
	}
	for pos := range found {
		for i := 0; i < len(parts) && !found[pos]; i++ {
			if i < 4 && found[i] || !valid(pos, parts[i]) {
				continue
			}
			if pos < i {
				parts = shiftLeft(parts, found, pos, i)
			} else if pos > i {
				parts = shiftRight(parts, found, pos, i)
			}
			found[pos] = true
		}
	}
	if found[0] && !found[1] && !found[2] && found[3] && parts[1] == "none" && parts[2] == "" {
		parts[1], parts[2] = parts[2], parts[1]
	}
	for i := range parts {
		if parts[i] == "" {
			parts[i] = "unknown"
		}
	}
	return strings.Join(normalizeWindows(parts), "-")
}

// shiftLeft moves part i to pos; those in its way move on to the next free places.
func shiftLeft(parts []string, found [4]bool, pos, i int) []string {
	cur := parts[i]
	parts[i] = ""
	for k := pos; cur != ""; k++ {
		for k < 4 && found[k] {
			k++
		}
		cur, parts[k] = parts[k], cur
	}
	return parts
}

// shiftRight puts empty parts before part i until it stands at pos.
func shiftRight(parts []string, found [4]bool, pos, i int) []string {
	for {
		cur := ""
		for k := i; k < len(parts); {
			cur, parts[k] = parts[k], cur
			if cur == "" {
				break
			}
			for k++; k < 4 && found[k]; k++ {
			}
		}
		if cur != "" {
			parts = append(parts, cur)
		}
		for i++; i < 4 && found[i]; i++ {
		}
		if i >= pos {
			return parts
		}
	}
}

// normalizeWindows writes Windows' older names as windows with an environment.
func normalizeWindows(p []string) []string {
	if len(p) < 3 {
		return p
	}
	env, set := "", func(e string) {
		for len(p) < 4 {
			p = append(p, "")
		}
		p = p[:4]
		p[2], p[3] = "windows", e
	}
	if len(p) > 3 {
		env = p[3]
	}
	switch os := p[2]; {
	case strings.HasPrefix(os, "mingw32"):
		set("gnu")
	case strings.HasPrefix(os, "cygwin"):
		set("cygnus")
	case strings.HasPrefix(os, "win32"), strings.HasPrefix(os, "windows"):
		switch {
		case hasPrefixOf(env, envNames):
			set(env)
		case hasSuffixOf(env, formatNames) && !strings.HasSuffix(env, "coff"):
			set(env)
		default:
			set("msvc")
		}
	}
	return p
}

var (
	otherArchs = []string{"csky", "arc", "dxil", "tce", "le32", "le64", "amdil", "hsail", "spir", "shave", "kalimba", "renderscript", "unknown"}
	osNames    = []string{"darwin", "dragonfly", "freebsd", "fuchsia", "ios", "kfreebsd", "linux", "lv2", "macos", "netbsd", "openbsd",
		"solaris", "uefi", "win32", "windows", "zos", "haiku", "rtems", "aix", "cuda", "nvcl", "amdhsa", "ps4", "ps5", "elfiamcu", "tvos",
		"watchos", "bridgeos", "driverkit", "xros", "visionos", "mesa3d", "amdpal", "hermit", "hurd", "wasi", "emscripten", "shadermodel",
		"liteos", "serenity", "vulkan", "managarm", "firmware", "qurt", "h2", "cygwin", "mingw32"}
	envNames = []string{"eabi", "gnu", "android", "musl", "msvc", "itanium", "cygnus", "coreclr", "simulator", "macabi", "code16",
		"opencl", "ohos", "llvm", "pixel", "vertex", "compute", "geometry", "hull", "domain", "library", "mesh", "amplification",
		"raygeneration", "intersection", "anyhit", "closesthit", "miss", "callable", "rootsignature", "mlibc", "mtia", "pauthtest"}
	formatNames = []string{"xcoff", "coff", "elf", "goff", "macho", "wasm", "spirv", "dxcontainer"}
)

func isVendor(s string) bool {
	switch s {
	case "apple", "pc", "scei", "sie", "fsl", "ibm", "img", "mti", "nvidia", "csr", "amd", "mesa", "suse", "oe", "intel", "meta":
		return true
	}
	return false
}

func hasSuffixOf(s string, list []string) bool {
	for _, p := range list {
		if strings.HasSuffix(s, p) {
			return true
		}
	}
	return false
}

func hasPrefixOf(s string, list []string) bool {
	for _, p := range list {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
