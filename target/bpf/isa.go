package bpf

import (
	"strings"

	"github.com/mirin-go/mirin/target"
)

// isa is what a version of the instruction set has, in the order in which the kernel
// learned it; LLVM's names.
type isa struct {
	jmpExt                                        bool // v2: jumps on less-than
	jmp32, alu32                                  bool // v3: jumps on low halves, arithmetic on them
	ldsx, movsx, bswap, sdivSmod, gotol, storeImm bool // v4
	loadAcqStoreRel, gotox                        bool // v4
}

// isaOf is the instruction set of a compilation: the version of the processor that it names, and
// "alu32". "generic" is v3. Attributes of functions change nothing, as in LLVM 22: all of an
// object is for one version.
func isaOf(st *target.Subtarget) isa {
	v := 3
	switch st.Options.CPU {
	case "v1":
		v = 1
	case "v2":
		v = 2
	case "v4":
		v = 4
	case "probe":
		v = probe()
	}
	s := isa{jmpExt: v >= 2, jmp32: v >= 3, alu32: v >= 3 || alu32(st.Options.Features, false)}
	if v >= 4 {
		s.ldsx, s.movsx, s.bswap, s.sdivSmod, s.gotol, s.storeImm = true, true, true, true, true, true
		s.loadAcqStoreRel, s.gotox = true, true
	}
	return s
}

// alu32 is what the last word about it in a list of features is.
func alu32(features string, on bool) bool {
	for f := range strings.SplitSeq(features, ",") {
		if name := strings.TrimLeft(f, "+-"); name == "alu32" {
			on = f[0] != '-'
		}
	}
	return on
}

// probe is the version for "probe", which asks the kernel that runs: where programs may not be
// loaded, and the compiler does not try, the least that all kernels have is right.
func probe() int { return 1 }

// features answer the conditions of patterns.
var features = map[string]func(*isa) bool{
	"Alu32":           func(s *isa) bool { return s.alu32 },
	"Jmp32":           func(s *isa) bool { return s.jmp32 },
	"JmpExt":          func(s *isa) bool { return s.jmpExt },
	"Ldsx":            func(s *isa) bool { return s.ldsx },
	"Movsx":           func(s *isa) bool { return s.movsx },
	"Bswap":           func(s *isa) bool { return s.bswap },
	"SdivSmod":        func(s *isa) bool { return s.sdivSmod },
	"StoreImm":        func(s *isa) bool { return s.storeImm },
	"LoadAcqStoreRel": func(s *isa) bool { return s.loadAcqStoreRel },
}
