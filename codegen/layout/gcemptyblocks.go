package layout

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// GCEmptyBasicBlocks removes blocks without code: what leads to one leads to the block
// behind it. Maps of a program's blocks have no use for them. No level runs it.
var GCEmptyBasicBlocks = pass.Pass{
	Name:     "gc-empty-basic-blocks",
	Title:    "Remove Empty Basic Blocks.",
	Optional: pass.Skippable,
	Run:      runGCEmptyBasicBlocks,
}

func runGCEmptyBasicBlocks(c *pass.Context, f *mir.Function) error {
	removed := int64(0)
	for b := f.FirstBlock(); b != 0 && b != f.LastBlock(); {
		next := f.NextBlock(b)
		if x := f.Block(b); x.Flags&(mir.EHPad|mir.InlineAsmBrTarget) == 0 && !x.AddressTaken() && !hasCode(f, b) {
			removeEmpty(f, b, next)
			removed++
		}
		b = next
	}
	c.Count("gc-empty-basic-blocks", "Number of empty blocks removed", removed)
	return nil
}

// hasCode reports whether b has an instruction that is more than a note.
func hasCode(f *mir.Function, b mir.BlockID) bool {
	for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
		switch f.Instr(i).Opcode {
		case desc.EH_LABEL, desc.GC_LABEL, desc.ANNOTATION_LABEL, desc.CFI_INSTRUCTION, desc.IMPLICIT_DEF, desc.KILL:
		default:
			if !f.IsDebugInstr(i) {
				return true
			}
		}
	}
	return false
}

// removeEmpty has what leads to b lead to next.
func removeEmpty(f *mir.Function, b, next mir.BlockID) {
	for _, p := range slices.Clone(f.Preds(b)) {
		target.ReplaceUsesOfBlock(f, p, b, next)
	}
	for k := range f.JumpTables {
		for n, to := range f.JumpTables[k].Blocks {
			if to == b {
				f.JumpTables[k].Blocks[n] = next
			}
		}
	}
	for f.NumSuccs(b) > 0 {
		f.RemoveSucc(b, f.Succs(b)[f.NumSuccs(b)-1].Block)
	}
	f.RemoveBlock(b)
}
