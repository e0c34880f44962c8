package family

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"strings"
)

// ELFFeatures are the features that an ELF file says its code is for, as -mattr lists
// them. section gives the contents of one by its name, nil where there is none.
func ELFFeatures(machine elf.Machine, flags uint32, section func(name string) []byte) string {
	if machine == elf.EM_MIPS {
		return mipsFeatures(flags)
	}
	if machine != elf.EM_RISCV {
		return ""
	}
	// The psABI's chapters on e_flags and attributes.
	const compressed = 1
	var out []string
	if flags&compressed != 0 {
		out = append(out, "+zca")
	}
	if arch := riscvArch(section(".riscv.attributes")); len(arch) > 4 {
		for _, part := range strings.Split(arch[4:], "_") {
			name := strings.TrimRight(part, "0123456789")
			if n, ok := strings.CutSuffix(name, "p"); ok && len(name) < len(part) {
				name = strings.TrimRight(n, "0123456789")
			}
			out = append(out, "+"+name)
		}
	}
	return strings.Join(out, ",")
}

// mipsFeatures are the ABI's architecture, processor and extensions in e_flags.
func mipsFeatures(flags uint32) string {
	const microMips, mips16, machine, octeon = 0x02000000, 0x04000000, 0x00ff0000, 0x008b0000
	archs := [16]string{"", "mips2", "mips3", "mips4", "mips5", "mips32", "mips64", "mips32r2", "mips64r2", "mips32r6", "mips64r6"}
	var out []string
	if a := archs[flags>>28]; a != "" {
		out = append(out, "+"+a)
	}
	if flags&machine == octeon {
		out = append(out, "+cnmips")
	}
	if flags&mips16 != 0 {
		out = append(out, "+mips16")
	}
	if flags&microMips != 0 {
		out = append(out, "+micromips")
	}
	return strings.Join(out, ",")
}

// riscvArch takes the architecture out of a section of attributes.
func riscvArch(b []byte) string {
	const fileTag, archTag = 1, 5
	if len(b) < 5 || b[0] != 'A' {
		return ""
	}
	b = b[5:] // the format and the length of the vendor's part
	vendor, b, ok := bytes.Cut(b, []byte{0})
	if !ok || string(vendor) != "riscv" || len(b) < 5 || b[0] != fileTag {
		return ""
	}
	for b = b[5:]; len(b) > 0; {
		tag, n := binary.Uvarint(b)
		if n <= 0 {
			return ""
		}
		b = b[n:]
		if tag%2 == 0 {
			_, n := binary.Uvarint(b)
			if n <= 0 {
				return ""
			}
			b = b[n:]
			continue
		}
		text, rest, ok := bytes.Cut(b, []byte{0})
		if !ok {
			return ""
		}
		if tag == archTag {
			return string(text)
		}
		b = rest
	}
	return ""
}
