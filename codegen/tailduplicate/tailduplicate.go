package tailduplicate

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// DefaultSize is how many instructions a block may have that is copied at -O2.
const DefaultSize = 2

// Limits for blocks that end in an indirect branch: how many instructions they
// may have before allocation, and from how many blocks before them together with
// how many behind them the edges, whose number would be the product, are too many.
const (
	indirectSize = 20
	predLimit    = 16
	succLimit    = 16
	// maxEdges bounds the edges that copies of one computed goto may have, which
	// LLVM does not.
	maxEdges = 1 << 20
)

// Mode says when tails are copied.
type Mode uint8

// The modes.
const (
	// SSA: before register allocation, in SSA form.
	SSA Mode = iota
	// Allocated: after register allocation.
	Allocated
	// Layout: while blocks are being placed; what stands behind a block now tells nothing.
	Layout
)

// Duplicator copies tails within one function.
type Duplicator struct {
	c    *pass.Context
	f    *mir.Function
	mode Mode
	// Removed is told of a block before it is removed; nil: nobody wants to know.
	Removed func(b mir.BlockID)

	size     int
	profiled bool
	optSize  bool
	preds    []mir.BlockID
	into     []mir.BlockID
	probs    []mir.Prob
	ssa      ssaState
}

// Init begins a function. size is how many instructions a block may have that is
// copied, 0 for the default.
func (d *Duplicator) Init(c *pass.Context, f *mir.Function, mode Mode, size int) {
	if size == 0 {
		size = c.Machine.Options.Tuning.TailDupSize.Or(DefaultSize)
	}
	*d = Duplicator{c: c, f: f, mode: mode, size: size, preds: d.preds, into: d.into, probs: d.probs, ssa: d.ssa,
		profiled: target.HasProfile(f), optSize: target.OptForSize(f)}
}

// Blocks duplicates every block that is worth it once and reports whether one was.
func (d *Duplicator) Blocks() bool {
	f, changed := d.f, false
	for b := f.NextBlock(f.FirstBlock()); b != 0; {
		next := f.NextBlock(b)
		if simple := d.IsSimple(b); d.ShouldDuplicate(simple, b) {
			_, did, _ := d.DuplicateInto(simple, b, 0, nil)
			changed = changed || did
		}
		b = next
	}
	return changed
}

// IsSimple reports a block that does nothing but go to its only successor.
func (d *Duplicator) IsSimple(b mir.BlockID) bool {
	f := d.f
	if f.NumSuccs(b) != 1 || f.NumPreds(b) == 0 {
		return false
	}
	i := f.SkipDebug(f.Block(b).First())
	return i == 0 || f.Desc(i).IsUnconditionalBranch()
}

// ShouldDuplicate reports whether copies of b are right and small enough.
func (d *Duplicator) ShouldDuplicate(simple bool, b mir.BlockID) bool {
	f, st := d.f, d.c.Subtarget
	through := st.CanFallThrough(f, b)
	if d.mode != Layout && through || f.HasSucc(b, b) {
		return false
	}
	limit := d.size
	if d.optSize {
		limit = 1
	}
	if through {
		if _, ok := st.AnalyzeBranch(f, b); !ok {
			return false
		}
	}
	indirect := d.mode == SSA && d.endsIndirectly(b)
	goes := d.mode != SSA && d.computedGoto(b) // in SSA form the PHIs would be too many
	if goes || indirect {
		limit = max(limit, indirectSize)
	}
	if goes {
		if f.NumPreds(b)*f.NumSuccs(b) > maxEdges {
			return false
		}
	} else if t := &d.c.Machine.Options.Tuning; f.NumPreds(b) > t.TailDupPredSize.Or(predLimit) && f.NumSuccs(b) > t.TailDupSuccSize.Or(succLimit) {
		return false
	}
	n := 0
	for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
		op, x := f.Instr(i).Opcode, f.Desc(i)
		if x.IsNotDuplicable() && op != desc.CFI_INSTRUCTION || x.IsConvergent() || op == desc.INLINEASM_BR {
			return false
		}
		// A return becomes many instructions yet, and a call parts live ranges.
		if d.mode == SSA && (x.IsReturn() || x.IsCall()) {
			return false
		}
		if !x.IsMeta() && !f.IsPHI(i) && f.Instr(i).Flags()&mir.BundledPred == 0 {
			n++
		}
		if n > limit {
			return false
		}
	}
	return d.mode != SSA || d.namesWholeRegs(b) && (indirect || simple || d.goesEverywhere(b))
}

// computedGoto reports that b ends in an indirect branch to blocks whose address
// is taken: processors predict copies of it better than one.
func (d *Duplicator) computedGoto(b mir.BlockID) bool {
	f := d.f
	if !d.endsIndirectly(b) || f.NumSuccs(b) == 0 {
		return false
	}
	for _, s := range f.Succs(b) {
		if !f.Block(s.Block).AddressTaken() {
			return false
		}
	}
	return true
}

func (d *Duplicator) endsIndirectly(b mir.BlockID) bool {
	last := d.f.Block(b).Last()
	return last != 0 && d.f.Desc(last).IsIndirectBranch()
}

// CanDuplicate reports whether tail may be copied to the end of pred.
func (d *Duplicator) CanDuplicate(tail, pred mir.BlockID) bool {
	f := d.f
	if f.NumSuccs(pred) > 1 {
		return false // to landing pads too, which the branches do not show
	}
	br, ok := d.c.Subtarget.AnalyzeBranch(f, pred)
	return ok && br.Cond == nil && f.Block(tail).Flags&mir.InlineAsmBrTarget == 0
}

// DuplicateInto copies tail into the blocks before it that take it, into those of
// candidates alone where that is not nil. before stands for the block that tail
// is going to stand behind; 0: it stands where it does. It returns the blocks that
// were changed, whether there are any, and whether tail is gone.
func (d *Duplicator) DuplicateInto(simple bool, tail, before mir.BlockID, candidates []mir.BlockID) (into []mir.BlockID, changed, gone bool) {
	d.into = d.into[:0]
	if d.mode == SSA {
		d.beginSSA(tail)
	}
	if simple {
		d.forward(tail)
	} else {
		d.copyTail(tail, before, candidates)
	}
	if len(d.into) == 0 {
		return nil, false, false
	}
	d.c.Count("tailduplication", "Number of tails duplicated", 1)
	f := d.f
	gone = f.NumPreds(tail) == 0 && !f.Block(tail).AddressTaken()
	if d.mode == SSA {
		d.updateSuccPHIs(tail, gone)
	}
	if gone {
		d.c.Count("tailduplication", "Number of dead blocks removed", 1)
		if d.Removed != nil {
			d.Removed(tail)
		}
		f.RemoveBlock(tail)
	}
	if d.mode == SSA {
		d.updateSSA()
	}
	return d.into, true, gone
}

// forward makes the blocks before a simple block go where it goes.
func (d *Duplicator) forward(tail mir.BlockID) {
	f, st := d.f, d.c.Subtarget
	to := f.Succs(tail)[0].Block
	d.preds = append(d.preds[:0], f.Preds(tail)...)
	for _, p := range d.preds {
		if d.hasPadOrAsmBr(p) || d.mode == SSA && d.mergesBoth(p, to) {
			continue
		}
		br, ok := st.AnalyzeBranch(f, p)
		if !ok {
			continue
		}
		next := f.NextBlock(p)
		if br.Cond == nil {
			br.False = br.True
		}
		if br.True == 0 {
			br.True = next
		}
		if br.False == 0 {
			br.False = next
		}
		if br.False == tail {
			br.False = to
		}
		if br.True == tail {
			br.True = to
		}
		if br.True == br.False {
			br.Cond, br.False = nil, 0
		}
		if br.False == next {
			br.False = 0
		}
		if br.True == next && br.False == 0 {
			br.True = 0
		}
		loc := st.BranchLoc(f, p)
		st.RemoveBranch(f, p)
		f.ReplaceSucc(p, tail, to)
		if br.True != 0 {
			st.InsertBranch(f, p, br, loc)
		}
		d.into = append(d.into, p)
	}
}

func (d *Duplicator) hasPadOrAsmBr(b mir.BlockID) bool {
	f := d.f
	for _, s := range f.Succs(b) {
		if f.Block(s.Block).Flags&(mir.EHPad|mir.InlineAsmBrTarget) != 0 {
			return true
		}
	}
	return false
}

// copyTail copies the instructions of tail. Where all blocks but the one before
// it have copies, that one takes the instructions themselves.
func (d *Duplicator) copyTail(tail, before mir.BlockID, candidates []mir.BlockID) {
	f, st := d.f, d.c.Subtarget
	through := d.mode == Layout && st.CanFallThrough(f, tail)
	if candidates == nil {
		candidates = f.Preds(tail)
	}
	d.preds = d.preds[:0]
	for _, p := range candidates {
		if n := len(d.preds); n < 8 && slices.Contains(d.preds, p) || n >= 8 && f.NumSuccs(p) != 1 {
			continue // one with several edges takes no copy
		}
		d.preds = append(d.preds, p)
	}
	for _, p := range d.preds {
		if !d.CanDuplicate(tail, p) {
			continue
		}
		if !d.profiled || d.mode != Layout {
			if before == p || before == 0 && f.NextBlock(p) == tail && st.CanFallThrough(f, p) {
				continue
			}
		}
		d.into = append(d.into, p)
		d.copyInto(tail, p, through)
	}
	d.mergeUp(tail, before, through)
	if d.mode == SSA && len(d.into) > 0 {
		d.valuesOfOthers(tail)
	}
}

// mergeUp moves the instructions of tail to the end of the block before it where
// only that one leads to it still, and nowhere else.
func (d *Duplicator) mergeUp(tail, before mir.BlockID, through bool) {
	f, st := d.f, d.c.Subtarget
	prev := before
	if prev == 0 {
		prev = f.PrevBlock(tail)
	}
	if prev == 0 || f.NumSuccs(prev) != 1 || f.Succs(prev)[0].Block != tail || f.NumPreds(tail) != 1 || f.Block(tail).AddressTaken() {
		return
	}
	if br, ok := st.AnalyzeBranch(f, prev); !ok || br.Cond != nil || br.True != 0 && br.True != tail {
		return
	}
	next := f.NextBlock(tail)
	st.RemoveBranch(f, prev)
	if f.FirstTerminator(prev) != 0 {
		return
	}
	if first := f.Block(tail).First(); first != 0 {
		if d.mode == SSA {
			d.cloneInto(tail, prev)
		} else {
			f.Splice(prev, first)
		}
	}
	f.RemoveSucc(prev, tail)
	if d.mode == SSA {
		// PHIs name tail until updateSuccPHIs; its edges go with it.
		for _, x := range f.Succs(tail) {
			if f.HasSuccProbs(tail) {
				f.AddSuccProb(prev, x.Block, x.Prob)
			} else {
				f.AddSucc(prev, x.Block)
			}
		}
	} else {
		f.TransferSuccs(tail, prev)
	}
	if through {
		st.UpdateTerminator(f, prev, next)
	}
	d.into = append(d.into, prev)
}

func (d *Duplicator) copyInto(tail, p mir.BlockID, through bool) {
	f, st := d.f, d.c.Subtarget
	st.RemoveBranch(f, p)
	n := d.cloneInto(tail, p)
	d.c.Count("tailduplication", "Number of instructions added due to tail duplication", int64(n-1))
	f.RemoveSucc(p, tail)
	d.probs = f.AppendSuccProbs(d.probs[:0], tail)
	for k := range d.probs {
		f.AddSuccProb(p, f.Succs(tail)[k].Block, d.probs[k])
	}
	if through {
		st.UpdateTerminator(f, p, f.NextBlock(tail))
	}
	d.c.Count("tailduplication", "Number of tail duplicated blocks", 1)
}

// cloneInto puts copies of the instructions of tail at the end of p and says how
// many there are in tail.
func (d *Duplicator) cloneInto(tail, p mir.BlockID) int {
	f := d.f
	if d.mode == SSA {
		d.beginCopy()
	}
	prev, n := mir.InstrID(0), 0
	for i := f.Block(tail).First(); i != 0; n++ {
		next := f.Instr(i).Next()
		if d.mode == SSA && f.IsPHI(i) {
			d.copyPHI(i, tail, p, true)
			i = next
			continue
		}
		x := f.Clone(i)
		f.Append(p, x)
		if f.Instr(i).Flags()&mir.BundledPred != 0 && prev != 0 {
			f.BundleWithPred(x)
		}
		if d.mode == SSA {
			d.rename(x, tail, p)
		}
		prev, i = x, next
	}
	if d.mode == SSA {
		d.appendCopies(p)
	}
	return n
}
