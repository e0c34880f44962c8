package bpf

import (
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

// isaOf is the instruction set of a subtarget: its processor's version, and "alu32".
// "generic" is v3, as in LLVM 22.
func isaOf(st *target.Subtarget) isa {
	v := 3
	switch st.CPU {
	case "v1":
		v = 1
	case "v2":
		v = 2
	case "v4":
		v = 4
	case "probe":
		v = probe()
	}
	s := isa{jmpExt: v >= 2, jmp32: v >= 3, alu32: v >= 3 || st.HasFeature("alu32")}
	if v >= 4 {
		s.ldsx, s.movsx, s.bswap, s.sdivSmod, s.gotol, s.storeImm = true, true, true, true, true, true
		s.loadAcqStoreRel, s.gotox = true, true
	}
	return s
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
