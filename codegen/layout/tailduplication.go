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
		// Copies make others possible; each round removes a block, or ends with few.
		const maxRounds = 16
		d := pass.Scratch[tailduplicate.Duplicator](c)
		d.Init(c, f, false, 0)
		for range maxRounds {
			if !d.Blocks() {
				break
			}
		}
		return nil
	},
}
