package family

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
)

// cpuAlias is another name of a processor.
type cpuAlias struct{ name, of string }

// The names of AArch64's processors that LLVM's parser of targets resolves
// (llvm/TargetParser/AArch64TargetParserDef.inc).
var aarch64CPUAliases = []cpuAlias{
	{"cobalt-100", "neoverse-n2"}, {"cyclone", "apple-a7"}, {"apple-a8", "apple-a7"}, {"apple-a9", "apple-a7"},
	{"apple-s4", "apple-a12"}, {"apple-s5", "apple-a12"}, {"apple-s6", "apple-a13"}, {"apple-s7", "apple-a13"},
	{"apple-s8", "apple-a13"}, {"apple-m1", "apple-a14"}, {"apple-m2", "apple-a15"}, {"apple-m3", "apple-a16"},
	{"apple-s9", "apple-a16"}, {"apple-s10", "apple-a16"}, {"apple-a18", "apple-m4"}, {"apple-a19", "apple-m5"},
	{"apple-latest", "apple-m5"},
}

// processor is the processor that a name means.
func (r *Row) processor(name string) string {
	for _, a := range r.cpuAliases {
		if a.name == name {
			return a.of
		}
	}
	return name
}

// Processors lists the names of a target's processors.
func Processors(in *desc.Info) []string {
	var names []string
	for i := range in.Processors {
		names = append(names, in.Str(in.Processors[i].Name))
	}
	if row := ByName(in.Target); row != nil {
		for _, a := range row.cpuAliases {
			if a.name != "apple-latest" { // accepted and not listed, as in LLVM
				names = append(names, a.name)
			}
		}
		slices.Sort(names)
	}
	return names
}
