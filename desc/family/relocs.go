package family

import (
	"debug/elf"
	_ "embed"
	"strconv"
	"strings"
)

// relocLists are the relocations of all machines: the name of a list, number and name of
// each, an empty line (go run ./tools/mclearn -relocs DIR -o desc/family/zz_relocs.txt).
//
//go:embed zz_relocs.txt
var relocLists string

// relocList names the list of a machine, "" for none.
func relocList(m elf.Machine) string {
	switch m {
	case elf.EM_X86_64:
		return "x86_64"
	case elf.EM_386:
		return "i386"
	case elf.EM_AARCH64:
		return "AArch64"
	case elf.EM_ARM:
		return "ARM"
	case elf.EM_RISCV:
		return "RISCV"
	case elf.EM_PPC64:
		return "PowerPC64"
	case elf.EM_PPC:
		return "PowerPC"
	case elf.EM_S390:
		return "SystemZ"
	case elf.EM_MIPS:
		return "Mips"
	case elf.EM_LOONGARCH:
		return "LoongArch"
	case elf.EM_SPARC, elf.EM_SPARC32PLUS, elf.EM_SPARCV9:
		return "Sparc"
	case elf.EM_BPF:
		return "BPF"
	case elf.EM_MSP430:
		return "MSP430"
	case elf.EM_AVR:
		return "AVR"
	case elf.EM_XTENSA:
		return "Xtensa"
	case elf.EM_68K:
		return "M68k"
	case elf.EM_LANAI:
		return "Lanai"
	case elf.EM_QDSP6:
		return "Hexagon"
	case emVE:
		return "VE"
	case emAMDGPU:
		return "AMDGPU"
	}
	return ""
}

// Machines that debug/elf has no names of.
const (
	emAMDGPU elf.Machine = 224
	emVE     elf.Machine = 251
)

// ELFRelocs is the list of a machine's relocations: a line with number and name of each.
func ELFRelocs(m elf.Machine) string {
	name := relocList(m)
	_, list, ok := strings.Cut("\n"+relocLists, "\n\n"+name+"\n")
	if !ok {
		_, list, ok = strings.Cut("\n"+relocLists, "\n"+name+"\n")
	}
	if name == "" || !ok {
		return ""
	}
	list, _, _ = strings.Cut(list, "\n\n")
	return "\n" + list + "\n"
}

// ELFRelocName names a type of relocations; those that are not known are Unknown.
func ELFRelocName(m elf.Machine, t uint32) string {
	_, rest, ok := strings.Cut(ELFRelocs(m), "\n"+strconv.FormatUint(uint64(t), 10)+" ")
	if !ok {
		return "Unknown"
	}
	name, _, _ := strings.Cut(rest, "\n")
	return name
}
