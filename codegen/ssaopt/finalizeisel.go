package ssaopt

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// FinalizeISel lets the target expand the pseudo instructions that need
// control flow or other code of their own (UsesCustomInserter). Above -O0 it
// stands before all machine passes, as in LLVM.
var FinalizeISel = pass.Pass{
	Name:  "finalize-isel",
	Title: "Finalize ISel and expand pseudo-instructions",
	Run:   runFinalizeISel,
}

func runFinalizeISel(c *pass.Context, f *mir.Function) error {
	insert, v := c.Machine.Target.Instr.InsertCustom, c.Machine.Variant
	grown := false
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; {
			next := f.Instr(i).Next()
			op, d := f.Instr(i).Opcode, f.Desc(i)
			if d.IsCall() && !d.IsReturn() {
				f.Frame.HasCalls = true
			}
			if op >= desc.FirstTargetOpcode && (op == v.FrameSetup || op == v.FrameDestroy) {
				f.Frame.AdjustsStack = true
			}
			if !d.UsesCustomInserter() {
				i = next
				continue
			}
			if insert == nil {
				return c.Subtarget.NotSupported(f, f.Facts.OpcodeName(op)+" in finalize-isel")
			}
			nb, err := insert(c.Subtarget, f, i)
			if err != nil {
				return err
			}
			if nb != b {
				// The rest of the block moved to nb.
				grown = true
				b, i = nb, f.Block(nb).First()
				continue
			}
			i = next
		}
	}
	if grown {
		// Numbers in layout order are what reading MIR gives; the text stays the same.
		f.RenumberBlocks()
	}
	return nil
}
