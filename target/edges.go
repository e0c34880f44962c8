package target

import "github.com/mirin-go/mirin/mir"

// CanSplitEdge reports that a block can be put on the edge from b to s. Not on one
// of a jump table by which another block jumps, too.
func (st *Subtarget) CanSplitEdge(f *mir.Function, b, s mir.BlockID) bool {
	if f.Block(s).Flags&(mir.EHPad|mir.InlineAsmBrTarget) != 0 {
		return false
	}
	if k := JumpTableOf(f, b); k >= 0 {
		return !isShared(f, k, b, s)
	}
	br, ok := st.AnalyzeBranch(f, b)
	return ok && (br.True == 0 || br.True != br.False)
}

// JumpTableOf returns the jump table by which b ends, -1 when it ends otherwise or
// something else may jump by that table too.
func JumpTableOf(f *mir.Function, b mir.BlockID) int {
	i := f.FirstTerminator(b)
	if i == 0 || !f.Desc(i).IsIndirectBranch() {
		return -1
	}
	return jumpTable(f, b, i, 4)
}

// maxTablePreds is the number of blocks before a target of a jump table from which on
// its edges are not split: all are looked at for each.
const maxTablePreds = 1000

// isShared reports that a block other than b jumps by table k, which has s: the
// block on the edge from b would be on its way, too. Such a block comes before s.
func isShared(f *mir.Function, k int, b, s mir.BlockID) bool {
	if f.NumPreds(s) > maxTablePreds {
		return true
	}
	for _, p := range f.Preds(s) {
		if i := f.FirstTerminator(p); p != b && i != 0 && f.Desc(i).IsIndirectBranch() && namesTable(f, k, i, 4) {
			return true
		}
	}
	return false
}

// namesTable reports that i, or what it reads, names table k.
func namesTable(f *mir.Function, k int, i mir.InstrID, depth int) bool {
	for _, o := range f.Ops(i) {
		switch {
		case o.Kind() == mir.OpJTI && int(o.Index()) == k:
			return true
		case o.IsUse() && o.Reg().IsVirtual() && depth > 0:
			if d := f.UniqueDef(o.Reg()); d != 0 && namesTable(f, k, d, depth-1) {
				return true
			}
		}
	}
	return false
}

// jumpTable finds the jump table that instruction i, or what it reads, names, if
// what is computed from it is read in block b alone.
func jumpTable(f *mir.Function, b mir.BlockID, i mir.InstrID, depth int) int {
	found := -1
	for _, o := range f.Ops(i) {
		k := -1
		switch {
		case o.Kind() == mir.OpJTI:
			k = int(o.Index())
		case o.IsUse() && o.Reg().IsVirtual() && depth > 0:
			d := f.UniqueDef(o.Reg())
			if d == 0 || f.IsPHI(d) {
				continue
			}
			if k = jumpTable(f, b, d, depth-1); k >= 0 && !readIn(f, o.Reg(), b) {
				return -1
			}
		}
		if k >= 0 && found >= 0 && k != found {
			return -1
		}
		found = max(found, k)
	}
	return found
}

// readIn reports that r is read in block b alone.
func readIn(f *mir.Function, r mir.Reg, b mir.BlockID) bool {
	for u := range f.NonDebugUses(r) {
		if f.Instr(u).Block() != b {
			return false
		}
	}
	return true
}

// SplitEdge puts a new block on the edge from b to s, for which CanSplitEdge
// holds, behind b, and returns it. PHIs and live-ins follow; analyses do not.
func (st *Subtarget) SplitEdge(f *mir.Function, b, s mir.BlockID) mir.BlockID {
	prev, loc := f.NextBlock(b), st.BranchLoc(f, b)
	n := f.AddBlockAfter(b)
	f.Block(n).CallFrame = f.Block(s).CallFrame
	if k := JumpTableOf(f, b); k >= 0 {
		for j, to := range f.JumpTables[k].Blocks {
			if to == s {
				f.JumpTables[k].Blocks[j] = n
			}
		}
		f.ReplaceSucc(b, s, n)
	} else {
		ReplaceUsesOfBlock(f, b, s, n)
		if prev == s {
			prev = n
		}
		st.UpdateTerminator(f, b, prev)
	}
	f.AddSuccProb(n, s, mir.UnknownProb)
	if f.NextBlock(n) != s {
		st.InsertBranch(f, n, Branch{True: s}, loc)
	}
	f.ReplacePhiPred(s, b, n)
	for k := 0; k < f.Block(s).NumLiveIns(); k++ {
		l := f.LiveInsOf(s)[k]
		f.AddLiveIn(n, l.Reg, l.Mask)
	}
	return n
}
