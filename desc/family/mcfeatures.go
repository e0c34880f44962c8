package family

import (
	"strings"

	"github.com/mirin-go/mirin/triple"
)

// MCSubtarget gives the processor and the features, as -mcpu and -mattr name them,
// that the machine code layer starts from for a triple: what the triple's name asks
// for, and what is the default where no processor is named. Features that are asked
// for come behind them.
func (r *Row) MCSubtarget(t triple.Triple, cpu string) (string, string) {
	if r.ID == X86 {
		cpu = orElse(cpu, "generic")
	}
	if r.TripleFeatures != nil {
		return cpu, r.TripleFeatures(t)
	}
	switch r.ID {
	case AArch64:
		if cpu == "" {
			return "generic", "+v8a"
		}
	case ARM:
		return cpu, armFeatures(t.ArchName(), cpu)
	case RISCV, LoongArch:
		if !t.Is64Bit() {
			return orElse(cpu, strings.ToLower(genericOf[r.ID])+"32"), "+32bit"
		}
		return orElse(cpu, strings.ToLower(genericOf[r.ID])+"64"), "+64bit"
	case Sparc:
		if t.Is64Bit() {
			return cpu, "+64bit"
		}
	case Mips:
		def := "mips32"
		if t.Is64Bit() || t.IsABIN32() {
			def = "mips64"
		}
		if strings.Contains(t.ArchName(), "r6") {
			def += "r6"
		}
		return orElse(cpu, def), ""
	case VE:
		return cpu, "+vpu"
	}
	return cpu, ""
}

// genericOf are the first words of the names of processors that are none in particular.
var genericOf = [Count]string{RISCV: "generic-rv", LoongArch: "generic-la"}

func orElse(s, other string) string {
	if s == "" || s == "generic" {
		return other
	}
	return s
}

// armFeatures are those of the architecture in a triple's first word: armv7em,
// thumbv8.1m.main. A processor has its own.
func armFeatures(arch, cpu string) string {
	rest, thumb := strings.CutPrefix(arch, "thumb")
	if !thumb {
		rest = strings.TrimPrefix(arch, "arm")
	}
	rest = strings.TrimPrefix(rest, "eb")
	v := strings.TrimSuffix(rest, "eb")
	name := ""
	switch v {
	case "", "64":
		if thumb {
			name = "v4t"
		}
	case "v4", "v4t", "v5t", "v5te", "v5tej", "v6", "v6k", "v6t2", "v7k", "v7s", "v7ve":
		name = "arm" + v
	case "v5":
		name = "armv5t"
	case "v5e":
		name = "armv5te"
	case "v6m", "v6sm":
		name = "armv6-m"
	case "v7", "v7a", "v7l", "v7hl":
		name = "armv7-a"
	case "v7em":
		name = "armv7e-m"
	case "v8", "v9":
		name = "arm" + v + "-a"
	default:
		// v7m, v8.1a, v8m.main, v8.1m.main: a profile's letter after the version.
		k := strings.LastIndexAny(v, "0123456789") + 1
		if name = "arm" + v[:k] + "-" + v[k:]; k == len(v) {
			name += "a"
		}
	}
	out := ""
	if name != "" && (cpu == "" || cpu == "generic") {
		out = "+" + name
	}
	if thumb {
		out = strings.TrimPrefix(out+",+thumb-mode", ",")
	}
	return out
}
