package pipeline

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/layout"
	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/regalloc"
	"github.com/mirin-go/mirin/codegen/regalloc/global"
	"github.com/mirin-go/mirin/codegen/ssaopt"
	"github.com/mirin-go/mirin/codegen/tracemetrics"
	"github.com/mirin-go/mirin/desc/family"
)

// byFacts are the passes that know registers, where they are live, and what the
// descriptions of instructions say: they run for every target of the facts, if
// with less to improve where hooks are missing. The second list are those of them
// that put copies where a block begins or ends, or move instructions there, or choose registers:
// not for targets on which lanes of a vector may be asleep there.
var byFacts = [2][]*pass.Pass{
	{
		&pass.PrintFunction,
		&ssaopt.OptPHIs, &ssaopt.StackColoring, &ssaopt.DeadMI, &ssaopt.MachineCSE,
		&regalloc.DetectDeadLanes, &regalloc.InitUndef, &regalloc.ProcessImpDefs, &regalloc.UnreachableBlocks, &regalloc.TwoAddress, &regalloc.RegisterCoalescer, &regalloc.RenameSubregs,
		&global.LiveDebugVariables, &layout.MachineCP, &tracemetrics.Pass,
	},
	{
		&ssaopt.EarlyMachineLICM, &ssaopt.MachineLICM, &ssaopt.MachineSink, &ssaopt.PeepholeOpt, &ssaopt.LiveRangeShrink,
		&ssaopt.MachineLateCleanup, &ssaopt.PostRAMachineSink,
		&regalloc.PHIElimination, &regalloc.Fast, &global.Basic, &global.Greedy, &global.PBQP, &global.VirtRegRewriter, &global.StackSlotColoring,
	},
}

// NeedsTarget returns the first of the passes that asks more than facts of a family
// say, nil when none does.
func NeedsTarget(passes []*pass.Pass, row *family.Row) *pass.Pass {
	for _, p := range passes {
		if p.AnyTarget || slices.Contains(liveness.Passes, p) || slices.Contains(byFacts[0], p) || !row.LaneMask && slices.Contains(byFacts[1], p) {
			continue
		}
		return p
	}
	return nil
}
