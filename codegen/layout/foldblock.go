package layout

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// analysis of a block's end after what needs no thought was done to it.
func (p *folder) analyze(b mir.BlockID) (target.Branch, bool) {
	p.st.TidyBranch(p.f, b)
	return p.st.AnalyzeBranch(p.f, b)
}

// rewrite replaces the branches at the end of b.
func (p *folder) rewrite(b mir.BlockID, br target.Branch) {
	loc := p.st.BranchLoc(p.f, b)
	p.st.RemoveBranch(p.f, b)
	if br.True != 0 {
		p.st.InsertBranch(p.f, b, br, loc)
	}
	p.c.Count("branch-folder", "Number of branches optimized", 1)
}

// block optimizes the end of b and of the block before it, and their places.
func (p *folder) block(b mir.BlockID) bool {
	changed := false
	// Each round changes a branch or moves the block back; the bound is against cycles nobody thought of.
	for range maxRounds {
		did, again := p.blockOnce(b)
		changed = changed || did || again
		if !again {
			break
		}
	}
	return changed
}

// blockOnce reports whether it changed something, and whether it is to be asked again.
func (p *folder) blockOnce(b mir.BlockID) (changed, again bool) {
	f, st := p.f, p.st
	next, prev := f.NextBlock(b), f.PrevBlock(b)
	cur, curOK := p.analyze(b)
	if p.isEmpty(b) && !p.isPad(b) && !f.Block(b).AddressTaken() {
		return p.empty(b, next), false
	}
	prior, priorOK := p.analyze(prev)
	if priorOK {
		if did, again := p.priorBranch(b, prev, next, prior); did || again {
			return did, again
		}
	}
	if p.foldTailCalls(b) {
		return true, false
	}
	if curOK {
		// A loop of one block branches back on its condition, and out by a jump.
		if cur.True != 0 && cur.False == b && cur.True != b && st.ReverseCond(cur.Cond) {
			p.rewrite(b, target.Branch{True: b, False: cur.True, Cond: cur.Cond})
			return true, true
		}
		if cur.True != 0 && cur.Cond == nil && cur.True != b && !f.Block(b).AddressTaken() && !p.isPad(b) && p.branchOnly(b) {
			did, done := p.thread(b, prev, cur.True, prior, priorOK)
			if done {
				return did, false
			}
			changed = changed || did
		}
	}
	if !st.CanFallThrough(f, prev) {
		did, again := p.move(b, prev, next, cur)
		return changed || did, again
	}
	return changed, false
}

// foldTailCalls has those that branch on a condition to b, which is nothing but a tail
// call, make the call under the condition; not where XRay marks the call as an exit, with
// code before it that is executed on that way only.
func (p *folder) foldTailCalls(b mir.BlockID) bool {
	f, hook := p.f, p.c.Machine.Target.Instr.FoldTailCall
	call := p.firstReal(b)
	if hook == nil || call == 0 {
		return false
	}
	if d := f.Desc(call); !d.IsCall() || !d.IsReturn() || !d.IsBarrier() || mayXRay(f) {
		return false
	}
	changed := false
	p.preds = append(p.preds[:0], f.Preds(b)...)
	for _, q := range p.preds {
		br, ok := p.analyze(q)
		if !ok || br.Cond == nil || br.True != b || br.False == b {
			continue
		}
		if i := hook(p.st, f, q, br.Cond, call); i != 0 {
			p.liveAcross(q, i)
			f.RemoveSucc(q, b)
			p.c.Count("branch-folder", "Number of tail calls optimized", 1)
			changed = true
		}
	}
	return changed
}

// liveAcross has i, a call that is made on one way, at the end of b, read and write
// what it clobbers and what is live on the other.
func (p *folder) liveAcross(b mir.BlockID, i mir.InstrID) {
	f := p.f
	p.sets()
	p.live.Clear()
	p.live.AddLiveOuts(b)
	for k := range f.Instr(i).NumOps() {
		switch o := *f.Op(i, k); {
		case o.IsKill():
			p.live.Remove(desc.PhysReg(o.Reg()))
		case o.Kind() == mir.OpRegMask:
			p.live.TakeClobbered(f.RegMasks[o.Index()], func(r desc.PhysReg) {
				f.AddOp(i, mir.RegOp(mir.Reg(r), mir.Implicit))
				f.AddOp(i, mir.RegOp(mir.Reg(r), mir.Implicit|mir.Def))
			})
		}
	}
}

// branchOnly reports a block that begins with its branch.
func (p *folder) branchOnly(b mir.BlockID) bool {
	i := p.firstReal(b)
	return i != 0 && p.f.Desc(i).IsBranch()
}

// empty makes who goes to the empty block b go to next, into which it falls.
func (p *folder) empty(b, next mir.BlockID) bool {
	f := p.f
	p.salvageDebug(b)
	if f.NumPreds(b) == 0 || next == 0 || p.isPad(next) || !f.HasSucc(b, next) {
		return false
	}
	p.preds = append(p.preds[:0], f.Preds(b)...)
	for k := len(p.preds) - 1; k >= 0; k-- {
		if q := p.preds[k]; f.HasSucc(q, b) {
			target.ReplaceUsesOfBlock(f, q, b, next)
		}
	}
	for _, s := range f.Succs(b) {
		if s.Block != next && !f.HasSucc(next, s.Block) {
			p.copySucc(next, s)
		}
	}
	p.rename(b, next)
	return true
}

func (p *folder) copySucc(b mir.BlockID, s mir.Succ) {
	if p.f.HasSuccProbs(b) {
		p.f.AddSuccProb(b, s.Block, s.Prob)
	} else {
		p.f.AddSucc(b, s.Block)
	}
}

// salvageDebug copies the debug instructions of an empty block to where they hold too.
func (p *folder) salvageDebug(b mir.BlockID) {
	f := p.f
	if f.Block(b).First() == 0 {
		return
	}
	for _, s := range f.Succs(b) {
		if f.NumPreds(s.Block) == 1 {
			at := f.FirstNonPHI(s.Block)
			for at != 0 && (f.Instr(at).Opcode == desc.EH_LABEL || f.Instr(at).Opcode == desc.GC_LABEL || f.Instr(at).Opcode == desc.ANNOTATION_LABEL || f.Instr(at).Opcode == desc.CFI_INSTRUCTION) {
				at = f.Instr(at).Next()
			}
			p.copyDebug(b, s.Block, at)
		}
	}
	for _, q := range f.Preds(b) {
		if f.NumSuccs(q) == 1 {
			p.copyDebug(b, q, f.FirstTerminator(q))
		}
	}
}

func (p *folder) copyDebug(from, to mir.BlockID, at mir.InstrID) {
	f := p.f
	for i := f.Block(from).First(); i != 0; i = f.Instr(i).Next() {
		if f.IsDebugInstr(i) {
			f.InsertBefore(to, at, f.Clone(i))
		}
	}
}

// priorBranch simplifies the branch br of the block before b.
func (p *folder) priorBranch(b, prev, next mir.BlockID, br target.Branch) (changed, again bool) {
	f, st := p.f, p.st
	switch {
	case br.True != 0 && br.True == br.False:
		to := br.True
		if to == b {
			to = 0
		}
		p.rewrite(prev, target.Branch{True: to})
		return true, true
	case br.Cond == nil && br.True == 0 && f.NumPreds(b) == 1 && f.NumSuccs(prev) == 1 && f.HasSucc(prev, b) &&
		!f.Block(b).AddressTaken() && !p.isPad(b):
		p.join(prev, b)
		return true, false
	case br.True == b && br.False == 0:
		p.rewrite(prev, target.Branch{})
		return true, true
	case br.False == b:
		p.rewrite(prev, target.Branch{True: br.True, Cond: br.Cond})
		return true, true
	case br.True == b && br.False != 0:
		if st.ReverseCond(br.Cond) {
			p.rewrite(prev, target.Branch{True: br.False, Cond: br.Cond})
			return true, true
		}
	case f.NumSuccs(b) == 0 && br.Cond != nil && br.False == 0 && br.True == next && next != 0 && !st.CanFallThrough(f, b):
		// A block that leaves the function stands in the way: it goes to the end,
		// unless it is as good there as the block that would take its place.
		if f.NextBlock(next) == 0 && !p.fallsBetter(next, b) {
			break
		}
		if st.ReverseCond(br.Cond) {
			p.rewrite(prev, target.Branch{True: b, Cond: br.Cond})
			f.MoveBlockAfter(b, f.LastBlock())
			return true, false
		}
	}
	return false, false
}

// fallsBetter reports whether a should be fallen into rather than b: b ends with a
// call, which may be one that does not return, and a does not.
func (p *folder) fallsBetter(a, b mir.BlockID) bool {
	x, y := p.f.LastReal(a), p.f.LastReal(b)
	return x != 0 && y != 0 && p.f.Desc(y).IsCall() && !p.f.Desc(x).IsCall()
}

// join moves the instructions of b to the end of the block before it.
func (p *folder) join(prev, b mir.BlockID) {
	f := p.f
	// Debug instructions that say the same at the end of one and the beginning of the other.
	x, y := f.Block(prev).Last(), f.Block(b).First()
	for x != 0 && f.Instr(x).Prev() != 0 && y != 0 && f.IsDebugInstr(x) && f.IsDebugInstr(y) && identical(f, x, y, false) {
		dup := y
		x, y = f.Instr(x).Prev(), f.Instr(y).Next()
		f.Erase(dup)
	}
	if first := f.Block(b).First(); first != 0 {
		f.Splice(prev, first)
	}
	f.RemoveSucc(prev, b)
	f.TransferSuccs(b, prev)
}

// thread makes who goes to b, which only jumps to to, go there. done says that b
// has gone with it.
func (p *folder) thread(b, prev, to mir.BlockID, prior target.Branch, priorOK bool) (changed, done bool) {
	f, st := p.f, p.st
	loc := st.BranchLoc(f, b)
	st.RemoveBranch(f, b)
	if p.isEmpty(b) {
		for i := f.Block(b).First(); i != 0; i = f.Block(b).First() {
			f.Erase(i)
		}
	}
	if f.Block(b).First() == 0 {
		through := st.CanFallThrough(f, prev)
		if !through || priorOK || !f.HasSucc(prev, b) {
			if through && f.HasSucc(prev, b) && prior.True != b && prior.False != b {
				if prior.True == 0 {
					prior.True = b
				} else {
					prior.False = b
				}
				l := st.BranchLoc(f, prev)
				st.RemoveBranch(f, prev)
				st.InsertBranch(f, prev, prior, l)
			}
			did, self := p.forward(b, to)
			if did {
				p.c.Count("branch-folder", "Number of branches optimized", 1)
				if changed = true; !self {
					return true, true
				}
			}
		}
	}
	st.InsertBranch(f, b, target.Branch{True: to}, loc)
	return changed, false
}

// forward redirects the predecessors of b to to; self says that b is one itself.
func (p *folder) forward(b, to mir.BlockID) (changed, self bool) {
	f, st := p.f, p.st
	p.preds = append(p.preds[:0], f.Preds(b)...)
	for _, q := range p.preds {
		if q == b {
			self = true
			continue
		}
		if !f.HasSucc(q, b) {
			continue
		}
		changed = true
		target.ReplaceUsesOfBlock(f, q, b, to)
		for _, s := range f.Succs(b) {
			if s.Block != to && !f.HasSucc(to, s.Block) {
				p.copySucc(to, s)
			}
		}
		if br, ok := p.analyze(q); ok && br.True != 0 && br.True == br.False {
			l := st.BranchLoc(f, q)
			st.RemoveBranch(f, q)
			st.InsertBranch(f, q, target.Branch{True: br.True}, l)
		}
	}
	if len(f.JumpTables) > 0 {
		p.rename(b, to)
	}
	return changed, self
}

// move finds a place for b, into which nothing falls, where something would, or
// where it falls into another block.
func (p *folder) move(b, prev, next mir.BlockID, cur target.Branch) (changed, again bool) {
	f, st := p.f, p.st
	falls := st.CanFallThrough(f, b)
	if !p.isPad(b) {
		for _, q := range f.Preds(b) {
			if q == b || st.CanFallThrough(f, q) {
				continue
			}
			br, ok := p.analyze(q)
			if !ok || br.True != b && br.False != b || falls && (cur.True != 0 && cur.False != 0 || f.Block(b).Number < f.Block(q).Number) {
				continue
			}
			if falls {
				st.InsertBranch(f, b, target.Branch{True: next}, 0)
			}
			f.MoveBlockAfter(b, q)
			return true, true
		}
	}
	if falls {
		return false, false
	}
	for _, s := range f.Succs(b) {
		if p.isPad(s.Block) {
			continue // the unwinder goes there: two blocks that unwind to one would change places for ever
		}
		if above := f.PrevBlock(s.Block); s.Block != b && above != b && above != 0 && !st.CanFallThrough(f, above) {
			f.MoveBlockAfter(b, above)
			return true, true
		}
	}
	if next != 0 && f.Block(next).Flags&(mir.EHPad|mir.InlineAsmBrTarget) == 0 && f.HasSucc(prev, next) {
		if _, ok := p.analyze(prev); ok {
			f.MoveBlockAfter(b, f.LastBlock())
			return true, false
		}
	}
	return false, false
}
