package x86

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// isSchedulingBoundary is InstrHooks.IsSchedulingBoundary: landing places of
// indirect branches, the set-up of tiles, and what makes and takes down frames.
func isSchedulingBoundary(f *mir.Function, i mir.InstrID) bool {
	switch f.Instr(i).Opcode {
	case tab.ENDBR64, tab.ENDBR32, tab.PLDTILECFGV:
		return true
	}
	return f.Instr(i).Flags()&(mir.FrameSetup|mir.FrameDestroy) != 0
}

// The first halves of what processors fuse (Intel's Optimization Reference Manual,
// "Macro-Fusion"): comparisons of these kinds
const (
	fuseTest = iota
	fuseAnd
	fuseCmp
	fuseAddSub
	fuseIncDec
)

// fusedFirst lists them.
var fusedFirst = [...][]desc.Opcode{
	fuseTest:   {tab.TEST8i8, tab.TEST8mr, tab.TEST8ri, tab.TEST8rr, tab.TEST16i16, tab.TEST16mr, tab.TEST16ri, tab.TEST16rr, tab.TEST32i32, tab.TEST32mr, tab.TEST32ri, tab.TEST32rr, tab.TEST64i32, tab.TEST64mr, tab.TEST64ri32, tab.TEST64rr},
	fuseAnd:    {tab.AND8i8, tab.AND8ri, tab.AND8ri8, tab.AND8rm, tab.AND8rr, tab.AND16i16, tab.AND16ri, tab.AND16ri8, tab.AND16rm, tab.AND16rr, tab.AND32i32, tab.AND32ri, tab.AND32ri8, tab.AND32rm, tab.AND32rr, tab.AND64i32, tab.AND64ri32, tab.AND64ri8, tab.AND64rm, tab.AND64rr},
	fuseCmp:    {tab.CMP8i8, tab.CMP8mr, tab.CMP8ri, tab.CMP8ri8, tab.CMP8rm, tab.CMP8rr, tab.CMP16i16, tab.CMP16mr, tab.CMP16ri, tab.CMP16ri8, tab.CMP16rm, tab.CMP16rr, tab.CMP32i32, tab.CMP32mr, tab.CMP32ri, tab.CMP32ri8, tab.CMP32rm, tab.CMP32rr, tab.CMP64i32, tab.CMP64mr, tab.CMP64ri32, tab.CMP64ri8, tab.CMP64rm, tab.CMP64rr},
	fuseAddSub: {tab.ADD8i8, tab.ADD8ri, tab.ADD8ri8, tab.ADD8rm, tab.ADD8rr, tab.ADD16i16, tab.ADD16ri, tab.ADD16ri8, tab.ADD16rm, tab.ADD16rr, tab.ADD32i32, tab.ADD32ri, tab.ADD32ri8, tab.ADD32rm, tab.ADD32rr, tab.ADD64i32, tab.ADD64ri32, tab.ADD64ri8, tab.ADD64rm, tab.ADD64rr, tab.SUB8i8, tab.SUB8ri, tab.SUB8ri8, tab.SUB8rm, tab.SUB8rr, tab.SUB16i16, tab.SUB16ri, tab.SUB16ri8, tab.SUB16rm, tab.SUB16rr, tab.SUB32i32, tab.SUB32ri, tab.SUB32ri8, tab.SUB32rm, tab.SUB32rr, tab.SUB64i32, tab.SUB64ri32, tab.SUB64ri8, tab.SUB64rm, tab.SUB64rr},
	fuseIncDec: {tab.INC8r, tab.INC16r, tab.INC32r, tab.INC64r, tab.DEC8r, tab.DEC16r, tab.DEC32r, tab.DEC64r},
}

// fusedConds are, by kind, the conditions of the branches that they fuse with; nil: all.
var fusedConds = [...][]int64{
	fuseTest:   nil,
	fuseAnd:    nil,
	fuseCmp:    {condB, condAE, condE, condNE, condBE, condA, condL, condGE, condLE, condG},
	fuseAddSub: {condB, condAE, condE, condNE, condBE, condA, condL, condGE, condLE, condG},
	fuseIncDec: {condE, condNE, condL, condGE, condLE, condG},
}

// macroFusion is InstrHooks.MacroFusion: processors with "branchfusion" fuse CMP
// and TEST with any conditional branch, those with "macrofusion" what the tables say.
func macroFusion(st *target.Subtarget, f *mir.Function, first, second mir.InstrID) bool {
	branch := st.HasFeature("branchfusion")
	if !branch && !st.HasFeature("macrofusion") || f.Instr(second).Opcode != tab.JCC_1 {
		return false
	}
	if first == 0 {
		return true
	}
	for kind, ops := range fusedFirst {
		if slices.Contains(ops, f.Instr(first).Opcode) {
			if branch {
				return kind == fuseCmp || kind == fuseTest
			}
			conds := fusedConds[kind]
			return conds == nil || slices.Contains(conds, f.Op(second, 1).Imm())
		}
	}
	return false
}
