package ssaopt

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// isLayoutSucc reports that block b is left for s by falling through.
func isLayoutSucc(f *mir.Function, b, s mir.BlockID) bool { return s != 0 && f.NextBlock(b) == s }

// mayHoistInto reports that code can be added at the end of b, in front of its
// terminators: it would run whenever b is left.
func mayHoistInto(f *mir.Function, b mir.BlockID) bool {
	if last := f.Block(b).Last(); last != 0 && f.Desc(last).IsReturn() {
		return false
	}
	for _, e := range f.Succs(b) {
		if f.Block(e.Block).Flags&(mir.EHPad|mir.InlineAsmBrTarget) != 0 {
			return false
		}
	}
	return true
}

// canSplitEdge reports that a block can be put on the edge from b to s.
func canSplitEdge(c *pass.Context, f *mir.Function, b, s mir.BlockID) bool {
	if f.Block(s).Flags&(mir.EHPad|mir.InlineAsmBrTarget) != 0 {
		return false
	}
	br, ok := c.Subtarget.AnalyzeBranch(f, b)
	return ok && (br.True == 0 || br.True != br.False)
}

// splitEdge puts a new block on the edge from b to s, for which canSplitEdge
// holds, behind b, and returns it. PHIs and live-ins follow; analyses do not.
func splitEdge(c *pass.Context, f *mir.Function, b, s mir.BlockID) mir.BlockID {
	fallsTo := f.NextBlock(b)
	loc := branchLoc(f, b)
	n := f.AddBlockAfter(b)
	f.Block(n).CallFrame = f.Block(s).CallFrame
	for i := f.Block(b).Last(); i != 0 && f.Desc(i).IsTerminator(); i = f.Instr(i).Prev() {
		for k := range f.Instr(i).NumOps() {
			if o := f.Op(i, k); o.Kind() == mir.OpMBB && o.Block() == s {
				f.SetBlock(i, k, n)
			}
		}
	}
	f.ReplaceSucc(b, s, n)
	if fallsTo == s {
		fallsTo = n
	}
	updateTerminator(c.Subtarget, f, b, fallsTo, loc)
	f.AddSuccProb(n, s, mir.UnknownProb)
	if !isLayoutSucc(f, n, s) {
		c.Subtarget.InsertBranch(f, n, target.Branch{True: s}, loc)
	}
	f.ReplacePhiPred(s, b, n)
	for k := 0; k < f.Block(s).NumLiveIns(); k++ {
		l := f.LiveInsOf(s)[k]
		f.AddLiveIn(n, l.Reg, l.Mask)
	}
	return n
}

// branchLoc is the location of the branches of b, 0 when they differ.
func branchLoc(f *mir.Function, b mir.BlockID) mir.DebugLoc {
	i := f.FirstTerminator(b)
	if i == 0 {
		return 0
	}
	loc := f.Instr(i).Loc
	for ; i != 0; i = f.Instr(i).Next() {
		if f.Desc(i).IsBranch() && f.Instr(i).Loc != loc {
			return 0
		}
	}
	return loc
}

// updateTerminator makes the branches of b, which once fell through to block
// fallsTo, right for the blocks behind it in the layout: as few as will do.
func updateTerminator(st *target.Subtarget, f *mir.Function, b, fallsTo mir.BlockID, loc mir.DebugLoc) {
	if f.NumSuccs(b) == 0 {
		return
	}
	br, ok := st.AnalyzeBranch(f, b)
	if !ok {
		return
	}
	cond := append([]mir.Operand(nil), br.Cond...)
	set := func(t, e mir.BlockID, cond []mir.Operand) {
		st.RemoveBranch(f, b)
		st.InsertBranch(f, b, target.Branch{True: t, False: e, Cond: cond}, loc)
	}
	switch {
	case len(cond) == 0 && br.True != 0:
		if isLayoutSucc(f, b, br.True) {
			st.RemoveBranch(f, b)
		}
	case len(cond) == 0:
		if fallsTo != 0 && f.HasSucc(b, fallsTo) && f.Block(fallsTo).Flags&mir.EHPad == 0 && !isLayoutSucc(f, b, fallsTo) {
			st.InsertBranch(f, b, target.Branch{True: fallsTo}, loc)
		}
	case br.False != 0:
		if isLayoutSucc(f, b, br.True) {
			if st.ReverseCond(cond) {
				set(br.False, 0, cond)
			}
		} else if isLayoutSucc(f, b, br.False) {
			set(br.True, 0, cond)
		}
	case fallsTo == br.True:
		st.RemoveBranch(f, b)
		if !isLayoutSucc(f, b, br.True) {
			st.InsertBranch(f, b, target.Branch{True: br.True}, loc)
		}
	case isLayoutSucc(f, b, br.True):
		if st.ReverseCond(cond) {
			set(fallsTo, 0, cond)
		} else {
			st.InsertBranch(f, b, target.Branch{True: fallsTo}, loc)
		}
	case !isLayoutSucc(f, b, fallsTo):
		set(br.True, fallsTo, cond)
	}
}
