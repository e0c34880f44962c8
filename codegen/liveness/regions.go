package liveness

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// regions lets a walk up the graph from the uses of a register step over whole
// loops: what is live into one block of a natural loop without a definition is
// live through all of its blocks, since each of them leads to the header and the
// header leads to the use; and it comes in at the header alone. So the greatest
// such loop around a block counts as one block, its header, and the cost of a
// register in a nest of loops is not that of the nest's blocks (Boissinot et al.,
// "Computing liveness sets for SSA-form programs", 2011).
//
// The blocks of a loop are listed as runs of blocks that are neighbours in an
// order of the caller's, of which together there are a few for each block; where
// there would be more no loop is a region.
type regions struct {
	// loop is each block's innermost loop, an index into loops, -1 for none; empty: no loop is a region.
	loop  []int32
	loops []region
	runs  []blockRun
	// What build works with.
	begun []mir.BlockID
	found []foundRun
}

// region is one loop. place and nested are as in analysis.Loops: those of the
// loops within come right behind its own.
type region struct {
	header        mir.BlockID
	parent        int32
	depth         int32
	place, nested int32
	// jump is a loop further out, -1 for none, so that the way out to a given loop takes a
	// logarithm of the depth (Myers, "An applicative random-access stack", 1983).
	jump int32
	// firstRun until endRun are its rows of runs.
	firstRun, endRun int32
}

// blockRun is blocks that follow each other, from and to included.
type blockRun struct{ from, to mir.BlockID }

type foundRun struct {
	loop int32
	blockRun
}

// Limits of regions.
const (
	// minRegion is the size in blocks of the greatest loop of a function below which stepping over loops gains nothing.
	minRegion = 6
	// runsPerBlock is how many runs there may be for each block.
	runsPerBlock = 4
)

// build finds the loops of f. next gives the blocks in the order of the runs, from 0 on and with 0 at the end.
func (g *regions) build(c *pass.Context, f *mir.Function, next func(mir.BlockID) mir.BlockID) {
	g.loop, g.loops, g.runs = g.loop[:0], g.loops[:0], g.runs[:0]
	l := &pass.Get[pass.Loops](c, f).Loops
	most := int32(0)
	for x := range l.All {
		most = max(most, l.All[x].Size)
	}
	if most < minRegion {
		return
	}
	cfg := pass.Get[pass.CFG](c, f)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		// Blocks that are not reached lead into the middle of loops.
		if !cfg.Reachable(int(b)) && f.NumSuccs(b) > 0 {
			return
		}
	}
	for x := range l.All {
		q := &l.All[x]
		r := region{header: mir.BlockID(q.Header), parent: q.Parent, depth: q.Depth, jump: q.Parent}
		r.place, r.nested = l.Place(x)
		if p := q.Parent; p >= 0 {
			if j := g.loops[p].jump; j >= 0 && g.loops[p].depth-g.loops[j].depth == g.loops[j].depth-g.depth(g.loops[j].jump) {
				r.jump = g.loops[j].jump
			}
		}
		g.loops = append(g.loops, r)
	}
	g.loop = append(g.loop, l.Loop...)
	if !g.findRuns(next) {
		g.loop = g.loop[:0]
	}
}

func (g *regions) depth(x int32) int32 {
	if x < 0 {
		return 0
	}
	return g.loops[x].depth
}

// findRuns goes through the blocks: where the loop changes, runs of the loops that
// are left end and those of the loops that are entered begin.
func (g *regions) findRuns(next func(mir.BlockID) mir.BlockID) bool {
	budget := runsPerBlock * (len(g.loop) + len(g.loops))
	g.begun, g.found = rows.Zeroed(g.begun, len(g.loops)), g.found[:0]
	last, in := mir.BlockID(0), int32(-1)
	for {
		b := next(last)
		to := int32(-1)
		if b != 0 {
			to = g.loopOf(b)
		}
		for x, y := in, to; x != y; budget-- {
			// Loops around others have lower numbers.
			if x > y {
				g.found = append(g.found, foundRun{x, blockRun{g.begun[x], last}})
				g.loops[x].endRun++
				x = g.loops[x].parent
			} else {
				g.begun[y] = b
				y = g.loops[y].parent
			}
		}
		if b == 0 {
			break
		}
		if budget < 0 {
			return false
		}
		last, in = b, to
	}
	n := int32(0)
	for x := range g.loops {
		r := &g.loops[x]
		r.firstRun, n = n, n+r.endRun
		r.endRun = r.firstRun
	}
	g.runs = rows.Zeroed(g.runs, int(n))
	for _, x := range g.found {
		r := &g.loops[x.loop]
		g.runs[r.endRun] = x.blockRun
		r.endRun++
	}
	return true
}

// loopOf is the innermost loop of b, -1 for none.
func (g *regions) loopOf(b mir.BlockID) int32 {
	if int(b) >= len(g.loop) {
		return -1
	}
	return g.loop[b]
}

// contains reports whether b is in loop x or in one within it.
func (g *regions) contains(x int32, b mir.BlockID) bool {
	in := g.loopOf(b)
	return in >= 0 && uint32(g.loops[in].place-g.loops[x].place) < uint32(g.loops[x].nested)
}

// runsOf are the runs of loop x, in their order.
func (g *regions) runsOf(x int32) []blockRun {
	return g.runs[g.loops[x].firstRun:g.loops[x].endRun]
}

// without returns the greatest loop around b that home is not in, -1 for none.
func (g *regions) without(b, home mir.BlockID) int32 {
	x := g.loopOf(b)
	if x < 0 || g.contains(x, home) {
		return -1
	}
	for {
		r := &g.loops[x]
		switch {
		case r.parent < 0 || g.contains(r.parent, home):
			return x
		case r.jump >= 0 && !g.contains(r.jump, home):
			x = r.jump
		default:
			x = r.parent
		}
	}
}

// clear reports whether r has no segment and no undefined point in loop x.
func (g *regions) clear(x int32, at *Indexes, r *Range, undefs []Index) bool {
	for _, run := range g.runsOf(x) {
		start, end := at.BlockStart(run.from), at.BlockEnd(run.to)
		if k := r.Find(start); k < len(r.Segs) && r.Segs[k].Start < end || len(undefs) > 0 && UndefIn(undefs, start, end) {
			return false
		}
	}
	return true
}

// around returns the greatest loop around b in which r is live nowhere and not undefined, -1 for none.
func (g *regions) around(b mir.BlockID, at *Indexes, r *Range, undefs []Index) int32 {
	x := g.loopOf(b)
	if x < 0 || !g.clear(x, at, r, undefs) {
		return -1
	}
	for {
		q := &g.loops[x]
		switch {
		case q.parent < 0 || !g.clear(q.parent, at, r, undefs):
			return x
		case q.jump >= 0 && g.clear(q.jump, at, r, undefs):
			x = q.jump
		default:
			x = q.parent
		}
	}
}
