package family

import (
	"debug/elf"

	"github.com/mirin-go/mirin/triple"
)

// ELFOSABI is the system that an ELF file for a triple says it is for.
func ELFOSABI(t triple.Triple) uint8 {
	switch t.OS {
	case triple.OSFreeBSD, triple.OSPS4:
		return uint8(elf.ELFOSABI_FREEBSD)
	case triple.OSSolaris:
		return uint8(elf.ELFOSABI_SOLARIS)
	case triple.OSOpenBSD:
		return uint8(elf.ELFOSABI_OPENBSD)
	}
	return uint8(elf.ELFOSABI_NONE)
}

// ELFArch gives the first word of the triple that an ELF file is for, and what
// LLVM calls its format behind elf32- or elf64-. "" is a machine that is not known.
func ELFArch(machine elf.Machine, wide, big bool) (arch, format string) {
	pick := func(c bool, a, b string) string {
		if c {
			return a
		}
		return b
	}
	switch machine {
	case elf.EM_X86_64:
		return "x86_64", "x86-64"
	case elf.EM_386:
		return "i386", "i386"
	case elf.EM_AARCH64:
		return pick(big, "aarch64_be", "aarch64"), pick(big, "bigaarch64", "littleaarch64")
	case elf.EM_ARM:
		return pick(big, "armeb", "arm"), pick(big, "bigarm", "littlearm")
	case elf.EM_RISCV:
		return pick(wide, "riscv64", "riscv32"), pick(wide, "littleriscv", "littleriscv")
	case elf.EM_PPC64:
		return pick(big, "powerpc64", "powerpc64le"), pick(big, "powerpc", "powerpcle")
	case elf.EM_PPC:
		return "powerpc", "powerpc"
	case elf.EM_S390:
		return "s390x", "s390"
	case elf.EM_MIPS:
		return pick(wide, "mips64", "mips") + pick(big, "", "el"), "mips"
	case elf.EM_LOONGARCH:
		return pick(wide, "loongarch64", "loongarch32"), "loongarch"
	case elf.EM_SPARC:
		return pick(big, "sparc", "sparcel"), "sparc"
	case elf.EM_SPARCV9:
		return "sparcv9", "sparc"
	case elf.EM_BPF:
		return pick(big, "bpfeb", "bpfel"), "bpf"
	case elf.EM_MSP430:
		return "msp430", "msp430"
	case elf.EM_AVR:
		return "avr", "avr"
	case elf.EM_XTENSA:
		return "xtensa", "xtensa"
	case elf.EM_68K:
		return "m68k", "m68k"
	case elf.EM_LANAI:
		return "lanai", "lanai"
	case emVE:
		return "ve", "ve"
	}
	return "", "unknown"
}

// ObjdumpStyle is how disassembly is laid out where targets differ.
type ObjdumpStyle struct {
	Features string // those that are on where no processor is named
	Column   int    // where instructions stand behind their bytes
	Words    bool   // instructions of 4 bytes are shown as numbers
	Halves   bool   // all others of whole halves are, too, by these; longer ones by words
	PCRel    bool   // the last operand of any instruction may be such a target
	Tab      bool   // single tabs stand behind addresses and bytes
	Unit     uint64 // addresses count units of so many bytes, in decimal; 0: bytes
	Hex      bool   // numbers are hexadecimal
	Sigil    byte   // starts registers' names; numbers after it stay; '#': only those after it change; 0: none
	Pairs    bool   // all instructions are shown as halves
	Noted    bool   // targets of branches are bare, what is encoded is noted
	FromEnd  bool   // targets of branches count from the end of the instruction
	Bias     uint64 // added to them
	// Distances says that branches show their distance, which the symbol of the target follows.
	Distances bool
	PC        string // the register of addresses relative to the next instruction
	// Alone says that Features are those without any that are named.
	Alone bool
	// PrinterHex says that hexadecimal numbers are the printer's option print-imm-hex.
	PrinterHex bool
	// Near and Page are the opcodes whose second operand is a distance in bytes and in pages.
	Near, Page string
}

// Objdump is how llvm-objdump lays out the target.
func (r *Row) Objdump() ObjdumpStyle {
	switch r.ID {
	case X86:
		return ObjdumpStyle{Column: 40, Hex: true, FromEnd: true, PC: "RIP"}
	case AArch64:
		return ObjdumpStyle{Column: 24, Words: true, Features: "+all", Alone: true, PrinterHex: true, Near: "ADR", Page: "ADRP"}
	case ARM:
		return ObjdumpStyle{Column: 24, Words: true, Bias: 8, Hex: true, Sigil: '#', Noted: true}
	case RISCV:
		return ObjdumpStyle{Column: 24, Words: true, Halves: true, Hex: true, PCRel: true}
	case BPF:
		return ObjdumpStyle{Column: 24, Tab: true, Unit: 8, Hex: true}
	case Mips:
		return ObjdumpStyle{Column: 24, Hex: true, Sigil: '$'}
	case LoongArch:
		return ObjdumpStyle{Column: 24, Distances: true}
	case Sparc, AVR:
		return ObjdumpStyle{Column: 24, Hex: true}
	}
	return ObjdumpStyle{Column: 24}
}
