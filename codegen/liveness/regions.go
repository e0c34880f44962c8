package liveness

import (
	"math"
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// regions lets a walk up the graph from the uses of a register step over whole
// parts of it, of two kinds.
//
// Loops: what is live into one block of a natural loop without a definition is
// live through all of its blocks, since each of them leads to the header and the
// header leads to the use; and it comes in at the header alone. So the greatest
// such loop around a block counts as one block, its header, and the cost of a
// register in a nest of loops is not that of the nest's blocks (Boissinot et al.,
// "Computing liveness sets for SSA-form programs", 2011).
//
// Nests: the blocks that one block, the header, dominates, where all edges out of
// them lead to one block and each of them leads there (nests.go). What neither is
// defined nor read there and is live in one of the blocks is live in the one behind,
// so through all of them, and comes in at the header.
//
// A loop and a nest that share a block lie one within the other: with its header a
// nest has all of a loop, which the header dominates; and a loop that has a block of
// a nest, but whose header is elsewhere, is left and come to again by the nest's one
// way out. A block that both kinds of regions hold counts as the larger one's header.
//
// The blocks of a region are listed as runs of blocks that are neighbours in an
// order of the caller's, of which together there are a few for each block; where
// there would be more no region of the kind counts.
type regions struct {
	// loop and nest are each block's innermost region of the kind, an index into all, -1
	// for none; empty: the kind does not count.
	loop, nest []int32
	// all are the loops and, from firstNest on, the nests.
	all       []region
	firstNest int32
	runs      []blockRun
	// known says of each region for which clear was found in the round asked: twice its
	// number, and one more where it is clear.
	known []uint32
	asked uint32
	// What build works with.
	begun []mir.BlockID
	found []foundRun
	exits nestFinder
}

// region is a loop or a nest. place and nested are as in analysis.Loops: those of the
// regions within, of the same kind, come right behind its own. A nest's place is its number.
type region struct {
	header        mir.BlockID
	parent        int32
	depth         int32
	place, nested int32
	// jump is a region further out, -1 for none, so that the way out to a given one takes a
	// logarithm of the depth (Myers, "An applicative random-access stack", 1983).
	jump int32
	// firstRun until endRun are its rows of runs.
	firstRun, endRun int32
}

// blockRun is blocks that follow each other, from and to included.
type blockRun struct{ from, to mir.BlockID }

type foundRun struct {
	region int32
	blockRun
}

// Limits of regions.
const (
	// minRegion is the size in blocks of the greatest loop of a function below which stepping over loops gains nothing.
	minRegion = 6
	// runsPerBlock is how many runs there may be for each block.
	runsPerBlock = 4
)

// build finds the regions of f. next gives the blocks in the order of the runs, from 0 on and with 0 at the end.
func (g *regions) build(c *pass.Context, f *mir.Function, next func(mir.BlockID) mir.BlockID) {
	g.forget()
	l := &pass.Get[pass.Loops](c, f).Loops
	most := int32(0)
	for x := range l.All {
		most = max(most, l.All[x].Size)
	}
	if most < minRegion && f.NumBlockIDs() < minNestBlocks {
		return
	}
	cfg := pass.Get[pass.CFG](c, f)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		// Blocks that are not reached lead into the middle of regions.
		if !cfg.Reachable(int(b)) && f.NumSuccs(b) > 0 {
			return
		}
	}
	if most >= minRegion {
		for x := range l.All {
			q := &l.All[x]
			place, nested := l.Place(x)
			g.add(region{header: mir.BlockID(q.Header), parent: q.Parent, place: place, nested: nested})
		}
		g.loop = append(g.loop, l.Loop...)
		if !g.findRuns(next, g.loop, 0) {
			g.forget()
		}
	}
	g.firstNest = int32(len(g.all))
	if f.NumBlockIDs() >= minNestBlocks {
		g.findNests(c, f)
		if len(g.nest) > 0 && !g.findRuns(next, g.nest, g.firstNest) {
			g.all, g.nest = g.all[:g.firstNest], g.nest[:0]
		}
	}
}

// forget makes no region count.
func (g *regions) forget() {
	g.loop, g.nest, g.all, g.runs, g.firstNest = g.loop[:0], g.nest[:0], g.all[:0], g.runs[:0], 0
}

// some reports whether there is a region.
func (g *regions) some() bool { return len(g.all) > 0 }

// add adds a region, whose parent is there.
func (g *regions) add(r region) {
	r.depth, r.jump = g.depth(r.parent)+1, r.parent
	if p := r.parent; p >= 0 {
		if j := g.all[p].jump; j >= 0 && g.all[p].depth-g.all[j].depth == g.all[j].depth-g.depth(g.all[j].jump) {
			r.jump = g.all[j].jump
		}
	}
	g.all = append(g.all, r)
}

func (g *regions) depth(x int32) int32 {
	if x < 0 {
		return 0
	}
	return g.all[x].depth
}

// findRuns goes through the blocks for the regions from first on, of which in says the
// innermost of each block: where that changes, runs of the regions that are left end
// and those of the regions that are entered begin.
func (g *regions) findRuns(next func(mir.BlockID) mir.BlockID, in []int32, first int32) bool {
	budget := runsPerBlock * (len(in) + len(g.all))
	g.begun, g.found = rows.Zeroed(g.begun, len(g.all)), g.found[:0]
	last, from := mir.BlockID(0), int32(-1)
	for {
		b := next(last)
		to := int32(-1)
		if b != 0 {
			to = innermost(in, b)
		}
		for x, y := from, to; x != y; budget-- {
			// Regions around others have lower numbers.
			if x > y {
				g.found = append(g.found, foundRun{x, blockRun{g.begun[x], last}})
				g.all[x].endRun++
				x = g.all[x].parent
			} else {
				g.begun[y] = b
				y = g.all[y].parent
			}
		}
		if b == 0 {
			break
		}
		if budget < 0 {
			return false
		}
		last, from = b, to
	}
	n := int32(len(g.runs))
	for x := first; int(x) < len(g.all); x++ {
		r := &g.all[x]
		r.firstRun, n = n, n+r.endRun
		r.endRun = r.firstRun
	}
	g.runs = slices.Grow(g.runs, len(g.found))[:n]
	for _, x := range g.found {
		r := &g.all[x.region]
		g.runs[r.endRun] = x.blockRun
		r.endRun++
	}
	return true
}

// innermost is the innermost region of b by the table of a kind, -1 for none.
func innermost(in []int32, b mir.BlockID) int32 {
	if int(b) >= len(in) {
		return -1
	}
	return in[b]
}

// contains reports whether b is in region x.
func (g *regions) contains(x int32, b mir.BlockID) bool {
	of := g.loop
	if x >= g.firstNest {
		of = g.nest
	}
	in := innermost(of, b)
	return in >= 0 && uint32(g.all[in].place-g.all[x].place) < uint32(g.all[x].nested)
}

// holds reports whether one of a growing list of nests is x or within it.
func (g *regions) holds(x int32, nests []int32) bool {
	q, k := &g.all[x], 0
	if len(nests) > 4 {
		k, _ = slices.BinarySearch(nests, q.place)
	}
	for k < len(nests) && nests[k] < q.place {
		k++
	}
	return k < len(nests) && nests[k]-q.place < q.nested
}

// appendNest appends the innermost nest of b, when there is one, to a list.
func (g *regions) appendNest(nests []int32, b mir.BlockID) []int32 {
	if x := innermost(g.nest, b); x >= 0 {
		nests = append(nests, x)
	}
	return nests
}

// runsOf are the runs of region x, in their order.
func (g *regions) runsOf(x int32) []blockRun {
	return g.runs[g.all[x].firstRun:g.all[x].endRun]
}

// greatest returns the outermost of x and the regions around it, of one kind, for
// which ok is true, -1 for none. Those around one for which it is not have it false too.
func (g *regions) greatest(x int32, ok func(int32) bool) int32 {
	if !ok(x) {
		return -1
	}
	for {
		q := &g.all[x]
		switch {
		case q.parent < 0 || !ok(q.parent):
			return x
		case q.jump >= 0 && ok(q.jump):
			x = q.jump
		default:
			x = q.parent
		}
	}
}

// larger is the one of a loop and a nest around the same block that holds the other; -1 is none.
func (g *regions) larger(loop, nest int32) int32 {
	if loop < 0 || nest >= 0 && g.contains(nest, g.all[loop].header) {
		return nest
	}
	return loop
}

// without returns the greatest region around b that a register defined in home is
// live through when it is live in b, -1 for none. nests are, in order, those of home and of its uses.
func (g *regions) without(b, home mir.BlockID, nests []int32) int32 {
	loop, nest := innermost(g.loop, b), innermost(g.nest, b)
	if loop >= 0 {
		loop = g.greatest(loop, func(x int32) bool { return !g.contains(x, home) })
	}
	if nest < 0 || g.holds(nest, nests) {
		return loop
	}
	return g.larger(loop, g.greatest(nest, func(x int32) bool { return !g.holds(x, nests) }))
}

// ask begins a round, in which clear is asked of one range: that is to get no segments
// where it has none, but may get longer ones within blocks.
func (g *regions) ask() {
	if g.asked++; g.asked > math.MaxUint32/2 {
		clear(g.known)
		g.asked = 1
	}
	g.known = rows.AtLeast(g.known, len(g.all))
}

// clear reports whether r has no segment and no undefined point in region x.
func (g *regions) clear(x int32, at *Indexes, r *Range, undefs []Index) bool {
	if k := g.known[x]; k>>1 == g.asked {
		return k&1 != 0
	}
	g.known[x] = g.asked<<1 | 1
	for _, run := range g.runsOf(x) {
		start, end := at.BlockStart(run.from), at.BlockEnd(run.to)
		if k := r.Find(start); k < len(r.Segs) && r.Segs[k].Start < end || len(undefs) > 0 && UndefIn(undefs, start, end) {
			g.known[x] = g.asked << 1
			return false
		}
	}
	return true
}

// around returns the greatest region around b that r is live through when it is live
// in b, -1 for none: r is live nowhere in it yet, and not undefined. nests are, in order, those of its uses.
func (g *regions) around(b mir.BlockID, at *Indexes, r *Range, undefs []Index, nests []int32) int32 {
	loop, nest := innermost(g.loop, b), innermost(g.nest, b)
	if loop >= 0 {
		loop = g.greatest(loop, func(x int32) bool { return g.clear(x, at, r, undefs) })
	}
	if nest < 0 || g.holds(nest, nests) {
		return loop
	}
	return g.larger(loop, g.greatest(nest, func(x int32) bool { return !g.holds(x, nests) && g.clear(x, at, r, undefs) }))
}
