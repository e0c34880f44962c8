package layout

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/tailduplicate"
	"github.com/mirin-go/mirin/mir"
)

// TailDuplication copies short blocks that end in a branch or return to the end
// of the blocks that jump to them.
var TailDuplication = pass.Pass{
	Name:     "tailduplication",
	Title:    "Tail Duplication",
	Requires: mir.NoPHIs,
	Optional: pass.Skippable,
	Run: func(c *pass.Context, f *mir.Function) error {
		return duplicateTails(c, f, tailduplicate.Allocated)
	},
}

// EarlyTailDuplication does the same in SSA form. Longer blocks are copied too where
// they end in an indirect branch: a processor predicts each of the copies.
var EarlyTailDuplication = pass.Pass{
	Name:     "early-tailduplication",
	Title:    "Early Tail Duplication",
	Requires: mir.IsSSA,
	Clears:   mir.NoPHIs,
	Optional: pass.Skippable,
	Run: func(c *pass.Context, f *mir.Function) error {
		return duplicateTails(c, f, tailduplicate.SSA)
	},
}

func duplicateTails(c *pass.Context, f *mir.Function, m tailduplicate.Mode) error {
	// Copies make others possible; each round removes a block, or ends with few.
	const maxRounds = 16
	d := pass.Scratch[tailduplicate.Duplicator](c)
	d.Init(c, f, m, 0)
	for range maxRounds {
		if !d.Blocks() {
			break
		}
	}
	return nil
}
