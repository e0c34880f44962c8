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

// variantLayout returns the data layout of the variant whose triple shares the
// longest beginning with triple.
func variantLayout(in *desc.Info, triple string) string {
	best, found := -1, ""
	for i := range in.Variants {
		t := in.Str(in.Variants[i].Triple)
		n := 0
		for n < len(t) && n < len(triple) && t[n] == triple[n] {
			n++
		}
		if n > best {
			best, found = n, in.Str(in.Variants[i].DataLayout)
		}
	}
	return found
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
