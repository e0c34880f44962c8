package mir

// The edges of the control flow graph. A block has a run of successors, in
// LLVM's order, and a run of predecessors. Both ends of an edge know each
// other's position, so that an edge whose one end is found is removed in
// constant time: its rows become holes, which are closed when somebody asks for
// the run or when they are as many as the edges. Holes at the ends are given up
// at once, so that taking the edges away from the front or the back while
// looking at them is linear too.

// Prob is the probability of an edge: the numerator of a fraction of ProbOne.
type Prob uint32

const (
	// ProbOne is probability 1.
	ProbOne Prob = 1 << 31
	// UnknownProb is the probability of an edge without one.
	UnknownProb Prob = ^Prob(0)
)

// Succ is one edge out of a block.
type Succ struct {
	Block BlockID
	// Prob is UnknownProb when the edge, or the whole block, has none.
	Prob Prob
	back uint32 // position of the edge in the run of the successor's predecessors
}

// CFGEdits counts the changes of blocks, of their order, of edges and of their
// probabilities: what follows from these alone still holds while it is the same.
func (f *Function) CFGEdits() uint64 { return f.cfgEdits }

// edgeRun is a run of edges: rows lead to n, of which dead are holes.
type edgeRun struct {
	run
	lead uint32
	dead uint32
}

func (r edgeRun) live() int { return int(r.n - r.lead - r.dead) }

// Succs returns the edges out of b in their order; good until an edge of b is
// added or removed or another run of edges grows.
func (f *Function) Succs(b BlockID) []Succ {
	r := &f.blocks[b].succs
	if r.dead > 0 {
		f.closeSuccs(r)
	}
	return f.succs.of(r.run)[r.lead:]
}

// Preds returns the predecessors of b; good as long as what Succs returns.
func (f *Function) Preds(b BlockID) []BlockID {
	r := &f.blocks[b].preds
	if r.dead > 0 {
		f.closePreds(r)
	}
	return f.preds.of(r.run)[r.lead:]
}

// NumSuccs returns the number of edges out of b.
func (f *Function) NumSuccs(b BlockID) int { return f.blocks[b].succs.live() }

// NumPreds returns the number of edges into b.
func (f *Function) NumPreds(b BlockID) int { return f.blocks[b].preds.live() }

// HasSucc reports whether s is a successor of b: it looks through the shorter
// of the two runs.
func (f *Function) HasSucc(b, s BlockID) bool {
	_, ok := f.findEdge(b, s)
	return ok
}

// findEdge returns the position of the first edge from b to s in b's run. It
// searches both ends in step, since either may have 100,000 edges.
func (f *Function) findEdge(b, s BlockID) (uint32, bool) {
	out, in := f.blocks[b].succs, f.blocks[s].preds
	for p, q := out.lead, in.lead; p < out.n && q < in.n; p, q = p+1, q+1 {
		if f.succs.rows[out.off+p].Block == s {
			return p, true
		}
		if f.preds.rows[in.off+q] == b {
			return f.predBack[in.off+q], true
		}
	}
	return 0, false
}

// HasSuccProbs reports whether b's edges were added with probabilities.
func (f *Function) HasSuccProbs(b BlockID) bool { return f.blocks[b].hasProbs }

// AddSucc adds an edge without probability; a block with probabilities gets UnknownProb.
func (f *Function) AddSucc(b, s BlockID) { f.addEdge(b, s, UnknownProb) }

// AddSuccProb adds an edge with a probability; it is lost when b has edges and
// none of them has one.
func (f *Function) AddSuccProb(b, s BlockID, prob Prob) {
	if f.NumSuccs(b) == 0 {
		f.blocks[b].hasProbs = true
	}
	if !f.blocks[b].hasProbs {
		prob = UnknownProb
	}
	f.addEdge(b, s, prob)
}

func (f *Function) addEdge(b, s BlockID, prob Prob) {
	f.cfgEdits++
	q := f.pushPred(s, b)
	p := f.pushSucc(b, Succ{s, prob, q})
	f.predBack[f.blocks[s].preds.off+q] = p
}

// pushSucc appends a row to the successors of b and returns its position.
func (f *Function) pushSucc(b BlockID, e Succ) uint32 {
	r := &f.blocks[b].succs
	if r.full() {
		if r.class != 0 && r.lead+r.dead >= r.n/2 {
			f.closeSuccs(r)
		} else {
			f.succs.grow(&r.run)
		}
	}
	f.succs.push(&r.run, e)
	return r.n - 1
}

// pushPred appends a row to the predecessors of s and returns its position.
func (f *Function) pushPred(s, b BlockID) uint32 {
	r := &f.blocks[s].preds
	if r.full() {
		if r.class != 0 && r.lead+r.dead >= r.n/2 {
			f.closePreds(r)
		} else {
			old := r.run
			f.preds.grow(&r.run)
			if n := len(f.preds.rows) - len(f.predBack); n > 0 {
				f.predBack = append(f.predBack, make([]uint32, n)...)
			}
			copy(f.predBack[r.off:], f.predBack[old.off:old.off+old.n])
		}
	}
	f.preds.push(&r.run, b)
	return r.n - 1
}

// closeSuccs closes the holes of a run and tells the other ends.
func (f *Function) closeSuccs(r *edgeRun) {
	rows := f.succs.of(r.run)
	k := uint32(0)
	for p := r.lead; p < r.n; p++ {
		if e := rows[p]; e.Block != 0 {
			rows[k] = e
			f.predBack[f.blocks[e.Block].preds.off+e.back] = k
			k++
		}
	}
	r.lead, r.dead, r.n = 0, 0, k
}

// closePreds closes the holes of a run and tells the other ends.
func (f *Function) closePreds(r *edgeRun) {
	rows, back := f.preds.of(r.run), f.predBack[r.off:]
	k := uint32(0)
	for q := r.lead; q < r.n; q++ {
		if p := rows[q]; p != 0 {
			rows[k], back[k] = p, back[q]
			f.succs.rows[f.blocks[p].succs.off+back[k]].back = k
			k++
		}
	}
	r.lead, r.dead, r.n = 0, 0, k
}

// drop makes row p a hole after the caller has zeroed its block; hole says
// which rows are. It reports whether the holes should be closed now.
func (r *edgeRun) drop(p uint32, hole func(at uint32) bool) bool {
	switch {
	case p == r.lead:
		for r.lead++; r.lead < r.n && hole(r.off+r.lead); r.lead++ {
			r.dead--
		}
	case p == r.n-1:
		for r.n--; r.n > r.lead && hole(r.off+r.n-1); r.n-- {
			r.dead--
		}
	default:
		r.dead++
		return r.dead > (r.n-r.lead)/2
	}
	if r.lead == r.n {
		r.lead, r.n = 0, 0
	}
	return false
}

// removePredRow removes the row at position q of s's predecessors.
func (f *Function) removePredRow(s BlockID, q uint32) {
	r := &f.blocks[s].preds
	f.preds.rows[r.off+q] = 0
	if r.drop(q, func(at uint32) bool { return f.preds.rows[at] == 0 }) {
		f.closePreds(r)
	}
}

// removeEdgeAt removes the edge at position p of b's successors.
func (f *Function) removeEdgeAt(b BlockID, p uint32) {
	f.cfgEdits++
	r := &f.blocks[b].succs
	e := &f.succs.rows[r.off+p]
	s, q := e.Block, e.back
	*e = Succ{}
	f.removePredRow(s, q)
	if r.drop(p, func(at uint32) bool { return f.succs.rows[at].Block == 0 }) {
		f.closeSuccs(r)
	}
	if r.live() == 0 {
		f.blocks[b].hasProbs = false
	}
}

// RemoveSucc removes one edge from b to s, the first.
func (f *Function) RemoveSucc(b, s BlockID) {
	if p, ok := f.findEdge(b, s); ok {
		f.removeEdgeAt(b, p)
	}
}

// removeEdges removes all edges out of and into b.
func (f *Function) removeEdges(b BlockID) {
	for f.NumSuccs(b) > 0 {
		f.removeEdgeAt(b, f.blocks[b].succs.lead)
	}
	for f.NumPreds(b) > 0 {
		r := f.blocks[b].preds
		f.removeEdgeAt(f.preds.rows[r.off+r.lead], f.predBack[r.off+r.lead])
	}
	f.succs.release(&f.blocks[b].succs.run)
	f.preds.release(&f.blocks[b].preds.run)
}

// MergeSucc adds probability prob to the edge from b to s, which it makes when
// there is none. An edge of unknown probability keeps that.
func (f *Function) MergeSucc(b, s BlockID, prob Prob) {
	p, ok := f.findEdge(b, s)
	switch {
	case !ok && prob == UnknownProb:
		f.AddSucc(b, s)
		return
	case !ok:
		f.AddSuccProb(b, s, prob)
		return
	}
	f.cfgEdits++
	e := &f.succs.rows[f.blocks[b].succs.off+p]
	if prob != UnknownProb && e.Prob != UnknownProb {
		e.Prob = addProb(e.Prob, prob)
	}
}

func addProb(p, q Prob) Prob { return Prob(min(uint64(p)+uint64(q), uint64(ProbOne))) }

// ReplaceSucc redirects the first edge from b to old to new, merging with an
// edge that is there already (probabilities are added). PHIs are not touched.
func (f *Function) ReplaceSucc(b, old, new BlockID) {
	if old == new {
		return
	}
	p, ok := f.findEdge(b, old)
	if !ok {
		return
	}
	f.cfgEdits++
	off := f.blocks[b].succs.off
	if n, ok := f.findEdge(b, new); ok {
		from, to := &f.succs.rows[off+p], &f.succs.rows[off+n]
		if from.Prob != UnknownProb && to.Prob != UnknownProb {
			to.Prob = addProb(to.Prob, from.Prob)
		}
		f.removeEdgeAt(b, p)
		return
	}
	f.removePredRow(old, f.succs.rows[off+p].back)
	q := f.pushPred(new, b)
	f.predBack[f.blocks[new].preds.off+q] = p
	e := &f.succs.rows[off+p]
	e.Block, e.back = new, q
}

// TransferSuccs moves all successors of from to to (to must have none of them
// yet) and makes PHIs of the successors name to instead of from.
func (f *Function) TransferSuccs(from, to BlockID) {
	for f.NumSuccs(from) > 0 {
		r := f.blocks[from].succs
		e, has := f.succs.rows[r.off+r.lead], f.blocks[from].hasProbs
		f.removeEdgeAt(from, r.lead)
		if has {
			f.AddSuccProb(to, e.Block, e.Prob)
		} else {
			f.AddSucc(to, e.Block)
		}
		// Of parallel edges only the last asks: a PHI of 100,000 entries from one block is walked once.
		if !f.HasSucc(from, e.Block) {
			f.ReplacePhiPred(e.Block, from, to)
		}
	}
}

// ReplacePhiPred makes the PHIs of b that name predecessor old name new. To
// rename many, use RenamePhiPreds.
func (f *Function) ReplacePhiPred(b, old, new BlockID) {
	f.RenamePhiPreds(b, func(p BlockID) BlockID {
		if p == old {
			return new
		}
		return p
	})
}

// RenamePhiPreds makes the PHIs of b name rename(p) instead of predecessor p,
// in one walk over their operands.
func (f *Function) RenamePhiPreds(b BlockID, rename func(BlockID) BlockID) {
	for i := f.blocks[b].first; i != 0 && f.IsPHI(i); i = f.instrs[i].next {
		ops := f.Ops(i)
		for k := 2; k < len(ops); k += 2 {
			if ops[k].kind == OpMBB {
				f.SetBlock(i, k, rename(ops[k].Block()))
			}
		}
	}
}

// AppendSuccProbs appends the probability of each successor of b in turn:
// unknown ones share what the known ones leave.
func (f *Function) AppendSuccProbs(probs []Prob, b BlockID) []Prob {
	succs := f.Succs(b)
	if !f.blocks[b].hasProbs {
		for range succs {
			probs = append(probs, evenProb(len(succs)))
		}
		return probs
	}
	known, sum := 0, uint64(0)
	for _, e := range succs {
		if e.Prob != UnknownProb {
			known++
			sum = min(sum+uint64(e.Prob), uint64(ProbOne))
		}
	}
	for _, e := range succs {
		if e.Prob == UnknownProb {
			e.Prob = (ProbOne - Prob(sum)) / Prob(len(succs)-known)
		}
		probs = append(probs, e.Prob)
	}
	return probs
}

// EdgeProb is the probability of the first edge from b to s as AppendSuccProbs
// gives it, 0 when there is none.
func (f *Function) EdgeProb(b, s BlockID) Prob {
	p, ok := f.findEdge(b, s)
	if !ok {
		return 0
	}
	if !f.blocks[b].hasProbs {
		return evenProb(f.NumSuccs(b))
	}
	if e := &f.succs.rows[f.blocks[b].succs.off+p]; e.Prob != UnknownProb {
		return e.Prob
	}
	known, sum := 0, uint64(0)
	for _, e := range f.Succs(b) {
		if e.Prob != UnknownProb {
			known++
			sum = min(sum+uint64(e.Prob), uint64(ProbOne))
		}
	}
	return (ProbOne - Prob(sum)) / Prob(f.NumSuccs(b)-known)
}

// SetSuccProb gives successor n of b, whose edges have probabilities, another.
func (f *Function) SetSuccProb(b BlockID, n int, p Prob) {
	if f.blocks[b].hasProbs {
		f.cfgEdits++
		f.Succs(b)[n].Prob = p
	}
}

// evenProb is the probability of one among n successors.
func evenProb(n int) Prob { return Prob((uint64(ProbOne) + uint64(n)/2) / uint64(n)) }

// NormalizeSuccProbs scales the probabilities of b's successors so that their
// sum is one; unknown ones get what is left.
func (f *Function) NormalizeSuccProbs(b BlockID) {
	if f.blocks[b].hasProbs {
		f.cfgEdits++
		normalize(f.Succs(b))
	}
}

func normalize(succs []Succ) {
	sum, unknown := uint64(0), uint64(0)
	for _, e := range succs {
		if e.Prob == UnknownProb {
			unknown++
		} else {
			sum += uint64(e.Prob)
		}
	}
	if unknown > 0 {
		each := uint64(0)
		if sum < uint64(ProbOne) {
			each = (uint64(ProbOne) - sum) / unknown
		}
		for i := range succs {
			if succs[i].Prob == UnknownProb {
				succs[i].Prob = Prob(each)
			}
		}
		if sum <= uint64(ProbOne) {
			return
		}
	}
	for i := range succs {
		if sum == 0 {
			succs[i].Prob = evenProb(len(succs))
		} else {
			succs[i].Prob = Prob((uint64(succs[i].Prob)*uint64(ProbOne) + sum/2) / sum)
		}
	}
}

// CanPredictProbs reports whether the probabilities of b's successors are
// those that a block without any would have.
func (f *Function) CanPredictProbs(b BlockID) bool {
	succs := f.Succs(b)
	if len(succs) <= 1 || !f.blocks[b].hasProbs {
		return true
	}
	var buf, equalBuf [16]Succ
	norm, equal := append(buf[:0], succs...), equalBuf[:0]
	for range succs {
		equal = append(equal, Succ{Prob: UnknownProb})
	}
	normalize(norm)
	normalize(equal)
	for i := range norm {
		if norm[i].Prob != equal[i].Prob {
			return false
		}
	}
	return true
}
