package x86

import (
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/mctargetdesc"
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
	kind, ok := mctargetdesc.FusedKind(f.Instr(first).Opcode)
	switch {
	case !ok:
		return false
	case branch:
		return kind == mctargetdesc.FuseCmp || kind == mctargetdesc.FuseTest
	}
	return kind.With(f.Op(second, 1).Imm())
}
