package family

import (
	"strings"

	"github.com/mirin-go/mirin/triple"
)

// ELFFlags are the processor's flags in the header of ELF objects (e_flags) for an
// ABI ("" is the triple's own) and a set of features. Each architecture's ELF
// supplement defines them.
func (r *Row) ELFFlags(t triple.Triple, abi string, has func(feature string) bool) uint32 {
	switch r.ID {
	case ARM:
		return 0x5000000 // EABI version 5
	case AVR:
		for i := range avrFlags {
			if has(avrFlags[i].feature) {
				return avrFlags[i].flags | 0x80 // relaxation is prepared for
			}
		}
		return 0x80
	case LoongArch:
		return loongArchFlags(t, abi, has)
	case Mips:
		return mipsFlags(t, abi, has)
	case RISCV:
		return riscvFlags(t, abi, has)
	case Sparc:
		if has("v8plus") {
			return 0x100
		}
	}
	return 0
}

// featureFlags are the flags of a feature.
type featureFlags struct {
	feature string
	flags   uint32
}

// avrFlags are by core family; a family implies no other's.
var avrFlags = [...]featureFlags{
	{"avrtiny", 100}, {"xmega", 102}, {"avr6", 6}, {"avr51", 51}, {"avr5", 5}, {"avr4", 4}, {"avr35", 35}, {"avr31", 31}, {"avr3", 3}, {"avr25", 25},
	{"avr2", 2}, {"avr1", 1},
}

// mipsISA are by instruction set; the first that is on counts.
var mipsISA = [...]featureFlags{
	{"mips64r6", 0xa0000000}, {"mips64r2", 0x80000000}, {"mips64", 0x60000000}, {"mips32r6", 0x90000000}, {"mips32r2", 0x70000000},
	{"mips32", 0x50000000}, {"mips5", 0x40000000}, {"mips4", 0x30000000}, {"mips3", 0x20000000}, {"mips2", 0x10000000},
}

func mipsFlags(t triple.Triple, abi string, has func(string) bool) (flags uint32) {
	isa := mipsISA[:]
	if has("mips64r6") || has("mips32r6") {
		flags |= 0x400 // NaNs of 2008
	}
	for i := range isa {
		if has(isa[i].feature) {
			flags |= isa[i].flags
			break
		}
	}
	if has("nan2008") {
		flags |= 0x400
	}
	if has("cnmips") {
		flags |= 0x8b0000
	}
	if !has("noabicalls") {
		flags |= 4 // CPIC
	}
	switch {
	case abi == "o32" || abi == "" && !t.IsMIPS64() && !t.IsABIN32():
		flags |= 0x1000
		if has("gp64") {
			flags |= 0x100
		}
	case abi == "n32" || abi == "" && t.IsABIN32():
		flags |= 0x20
	}
	return flags
}

func riscvFlags(t triple.Triple, abi string, has func(string) bool) (flags uint32) {
	if has("c") || has("zca") {
		flags |= 1
	}
	if abi == "" {
		switch {
		case has("e"):
			abi = "lp64e"
		case has("d"):
			abi = "lp64d"
		case has("f"):
			abi = "lp64f"
		}
	}
	switch {
	case strings.HasSuffix(abi, "d"):
		flags |= 4
	case strings.HasSuffix(abi, "f"):
		flags |= 2
	}
	if has("e") {
		flags |= 8
	}
	if has("ztso") {
		flags |= 0x10
	}
	return flags
}

// loongArchFlags are the ABI's registers and version 1 of the object ABI.
func loongArchFlags(t triple.Triple, abi string, has func(string) bool) uint32 {
	if abi == "" {
		switch {
		case t.Env == triple.EnvGNUSF:
			abi = "s"
		case t.Env == triple.EnvGNUF32:
			abi = "f"
		case t.Arch == triple.LoongArch64 || has("d"):
			abi = "d"
		case has("f"):
			abi = "f"
		}
	}
	switch {
	case strings.HasSuffix(abi, "d"):
		return 0x43
	case strings.HasSuffix(abi, "f"):
		return 0x42
	}
	return 0x41
}
