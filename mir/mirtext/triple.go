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

func hasPrefixOf(s string, list []string) bool {
	for _, p := range list {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
