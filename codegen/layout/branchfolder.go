package layout

import (
	"fmt"
	"slices"

	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// BranchFolder removes blocks that nothing reaches and blocks that only jump
// on, and rewrites branches so that the next block is fallen into. It works in
// rounds until nothing changes; each round removes a block or a branch, so
// that the work is bounded by their number.
var BranchFolder = pass.Pass{
	Name:     "branch-folder",
	Title:    "Control Flow Optimizer",
	Requires: mir.NoPHIs,
	Optional: pass.Skippable,
	Run:      runBranchFolder,
	WithParams: func(_ *pass.Pass, params string) error {
		if params != "" && params != "enable-tail-merge" {
			return fmt.Errorf("invalid BranchFolderPass pass parameter '%s'", params)
		}
		return nil
	},
}

// FallThrough removes branches to the next block. LLVM's selectors do not
// create them at -O0; here it is a pass of its own.
var FallThrough = pass.Pass{
	Name:     "fallthrough-branches",
	Title:    "Remove branches to the next block",
	Requires: mir.NoPHIs,
	Optional: pass.Skippable,
	KeepsCFG: true,
	Run: func(c *pass.Context, f *mir.Function) error {
		newFolder(c, f).fallThrough()
		return nil
	},
}

type folder struct {
	c       *pass.Context
	f       *mir.Function
	through []mir.BlockID // by block: the block that an empty jump block forwards to
}

// folderScratch is BranchFolder's memory between functions.
type folderScratch struct{ graph analysis.Graph }

func newFolder(c *pass.Context, f *mir.Function) *folder {
	return &folder{c: c, f: f}
}

func runBranchFolder(c *pass.Context, f *mir.Function) error {
	p := newFolder(c, f)
	for {
		changed := p.removeUnreachable()
		changed = p.threadJumps() || changed
		changed = p.fallThrough() || changed
		changed = p.mergeBlocks() || changed
		if !changed {
			break
		}
	}
	f.RenumberBlocks()
	return nil
}

// pinned reports a block that may be entered other than by its predecessors' branches.
func (p *folder) pinned(b mir.BlockID) bool {
	const fl = mir.EHPad | mir.MachineAddrTaken | mir.IRAddrTaken | mir.InlineAsmBrTarget | mir.EHFuncletEntry
	return p.f.Block(b).Flags&fl != 0 || b == p.f.FirstBlock()
}

func (p *folder) removeUnreachable() bool {
	f := p.f
	// One node more leads to the blocks that are entered from outside.
	g, outside := &pass.Scratch[folderScratch](p.c).graph, f.NumBlockIDs()
	g.Reset(outside+1, outside)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if p.pinned(b) {
			g.AddEdge(outside, int(b))
		}
		for _, s := range f.Succs(b) {
			g.AddEdge(int(b), int(s.Block))
		}
	}
	g.Finish()
	changed := false
	for b := f.FirstBlock(); b != 0; {
		next := f.NextBlock(b)
		if !g.Reachable(int(b)) {
			f.RemoveBlock(b)
			changed = true
			p.c.Count("branch-folder", "Number of dead blocks removed", 1)
		}
		b = next
	}
	return changed
}

// forward returns where an empty block leads: a block of nothing but a jump,
// or nothing at all. 0 when b does something.
func (p *folder) forward(b mir.BlockID) mir.BlockID {
	f := p.f
	for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
		if !f.IsDebugInstr(i) && !f.Desc(i).IsBranch() {
			return 0
		}
	}
	br, ok := p.c.Subtarget.AnalyzeBranch(f, b)
	if !ok || br.Cond != nil {
		return 0
	}
	if br.True != 0 {
		return br.True
	}
	if f.NumSuccs(b) == 1 && f.Succs(b)[0].Block == f.NextBlock(b) {
		return f.NextBlock(b)
	}
	return 0
}

// threadJumps makes branches to blocks that only jump go to the destination,
// jump tables included.
func (p *folder) threadJumps() bool {
	f := p.f
	p.through = append(p.through[:0], make([]mir.BlockID, f.NumBlockIDs())...)
	any := false
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if !p.pinned(b) {
			if t := p.forward(b); t != b {
				p.through[b] = t
				any = any || t != 0
			}
		}
	}
	if !any {
		return false
	}
	changed := false
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if p.through[b] != 0 && f.NumPreds(b) > 0 {
			changed = p.redirect(b, p.resolve(b)) || changed
		}
	}
	return changed
}

// resolve follows a chain of empty blocks; a cycle of them ends where it closes.
func (p *folder) resolve(b mir.BlockID) mir.BlockID {
	t := p.through[b]
	for n := 0; p.through[t] != 0 && n < 64; n++ {
		if p.through[t] == b || p.through[t] == t {
			break
		}
		t = p.through[t]
	}
	return t
}

// redirect makes every predecessor of b that names it in a branch go to t.
func (p *folder) redirect(b, t mir.BlockID) bool {
	f := p.f
	if b == t {
		return false
	}
	changed := false
	for _, pr := range slices.Clone(f.Preds(b)) {
		if pr == b || !f.HasSucc(pr, b) {
			continue
		}
		named := p.renameIn(pr, b, t)
		if f.NextBlock(pr) == b && p.fallsInto(pr, b) {
			continue // falls into b still
		}
		if named {
			f.ReplaceSucc(pr, b, t)
			changed = true
			p.c.Count("branch-folder", "Number of branches optimized", 1)
		}
	}
	return changed
}

// renameIn replaces block operands and jump table entries of pr's terminators.
func (p *folder) renameIn(pr, b, t mir.BlockID) bool {
	f := p.f
	named := false
	for i := f.FirstTerminator(pr); i != 0; i = f.Instr(i).Next() {
		ops := f.Ops(i)
		for k := range ops {
			if ops[k].Kind() == mir.OpMBB && ops[k].Block() == b {
				f.SetBlock(i, k, t)
				named = true
			}
		}
	}
	// An indirect branch goes through jump tables; which one it reads may have
	// been decided earlier, so all of them follow.
	if last := f.LastReal(pr); last != 0 && f.Desc(last).IsIndirectBranch() && len(f.JumpTables) > 0 {
		named = true
		for j := range f.JumpTables {
			for e, x := range f.JumpTables[j].Blocks {
				if x == b {
					f.JumpTables[j].Blocks[e] = t
				}
			}
		}
	}
	return named
}

// fallsInto reports whether pr reaches its layout successor b without a branch.
func (p *folder) fallsInto(pr, b mir.BlockID) bool {
	f := p.f
	br, ok := p.c.Subtarget.AnalyzeBranch(f, pr)
	if !ok {
		last := f.LastReal(pr)
		return last == 0 || !f.Desc(last).IsBarrier()
	}
	return br.True == 0 || br.Cond != nil && br.False == 0
}

// fallThrough drops branches to the next block, reversing conditions where
// that makes it possible.
func (p *folder) fallThrough() bool {
	f, st := p.f, p.c.Subtarget
	changed := false
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		br, ok := st.AnalyzeBranch(f, b)
		if !ok || br.True == 0 {
			continue
		}
		next := f.NextBlock(b)
		loc := f.Instr(f.LastReal(b)).Loc
		other := br.False
		if br.Cond != nil && other == 0 {
			other = next
		}
		switch {
		case br.Cond != nil && br.True == other:
			// Both ways lead to the same block.
			st.RemoveBranch(f, b)
			if br.True != next {
				st.InsertBranch(f, b, target.Branch{True: br.True}, loc)
			}
		case br.Cond == nil && br.True == next:
			st.RemoveBranch(f, b)
		case br.Cond != nil && br.False != 0 && br.False == next:
			st.RemoveBranch(f, b)
			st.InsertBranch(f, b, target.Branch{True: br.True, Cond: br.Cond}, loc)
		case br.Cond != nil && br.False != 0 && br.True == next && st.ReverseCond(br.Cond):
			st.RemoveBranch(f, b)
			st.InsertBranch(f, b, target.Branch{True: br.False, Cond: br.Cond}, loc)
		default:
			continue
		}
		changed = true
	}
	return changed
}

// mergeBlocks joins a block with its only successor where that has no other
// predecessor, moving the successor's instructions up when it stands elsewhere.
func (p *folder) mergeBlocks() bool {
	f := p.f
	changed := false
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for f.NumSuccs(b) == 1 {
			s := f.Succs(b)[0].Block
			if s == b || p.pinned(s) || f.NumPreds(s) != 1 {
				break
			}
			br, ok := p.c.Subtarget.AnalyzeBranch(f, b)
			if !ok || br.Cond != nil || br.True == 0 && f.NextBlock(b) != s {
				break
			}
			if _, ok := p.c.Subtarget.AnalyzeBranch(f, s); !ok && f.NextBlock(b) != s {
				break // its end may depend on where it stands
			}
			if p.fallsOut(s) && f.NextBlock(b) != s {
				break
			}
			p.c.Subtarget.RemoveBranch(f, b)
			if first := f.Block(s).First(); first != 0 {
				f.Splice(b, first)
			}
			f.RemoveSucc(b, s)
			f.TransferSuccs(s, b)
			f.RemoveBlock(s)
			changed = true
		}
	}
	return changed
}

// fallsOut reports whether control leaves b into the next block without a branch.
func (p *folder) fallsOut(b mir.BlockID) bool {
	f := p.f
	last := f.LastReal(b)
	if last == 0 {
		return true
	}
	d := f.Desc(last)
	return !d.Has(desc.Barrier) && f.NumSuccs(b) > 0
}
