package mirgraph

import (
	"cmp"
	"math"
	"slices"
)

// Measures of the picture, in CSS pixels. A character of the usual monospaced
// fonts is 0.6 of its height wide.
const (
	charWidth   = 7.23
	lineHeight  = 16
	headHeight  = 24
	padX        = 10
	padY        = 7
	minWidth    = 110
	gapX        = 26
	wireWidth   = 14 // room of an edge that passes a rank
	gapY        = 46 // least height between ranks
	laneWidth   = 12
	margin      = 24
	titleHeight = 40
	maxChars    = 112
)

// node is a block or a bend of an edge that passes a rank.
type node struct {
	block      int // -1 for a bend
	rank       int
	x, w       float64 // middle, width
	up, down   []int   // neighbours in the ranks above and below
	order      float64
	pos        int // in its rank
	isolated   bool
	topY, botY float64
}

// wire is an edge with the nodes that it passes, its ends included.
type wire struct {
	from, succ int // block and number of the successor
	path       []int
	lane       float64 // of a back edge: where it goes up
}

// layout is the plan of a picture.
type layout struct {
	g             *Graph
	nodes         []node
	ranks         [][]int
	wires         []wire
	width, height float64
	rankY, rankH  []float64
}

// plan puts blocks into ranks, orders the ranks, and finds places.
func plan(g *Graph) *layout {
	l := &layout{g: g}
	l.assignRanks()
	l.makeWires()
	l.orderRanks()
	l.place()
	l.routeBack()
	return l
}

// assignRanks gives each block the length of the longest path to it over
// edges that go forward; blocks that cannot be reached stand below the rest.
func (l *layout) assignRanks() {
	g := l.g
	n := len(g.Blocks)
	l.nodes = make([]node, n)
	indeg := make([]int, n)
	forward := func(k int) []Edge {
		return slices.DeleteFunc(slices.Clone(g.Blocks[k].Succs), func(e Edge) bool { return e.Back || e.To == k })
	}
	for k := range n {
		if g.Blocks[k].Reachable {
			for _, e := range forward(k) {
				indeg[e.To]++
			}
		}
	}
	deepest := 0
	var ready []int
	if n > 0 {
		ready = append(ready, 0)
	}
	for len(ready) > 0 {
		k := ready[0]
		ready = ready[1:]
		deepest = max(deepest, l.nodes[k].rank)
		for _, e := range forward(k) {
			l.nodes[e.To].rank = max(l.nodes[e.To].rank, l.nodes[k].rank+1)
			if indeg[e.To]--; indeg[e.To] == 0 {
				ready = append(ready, e.To)
			}
		}
	}
	last := deepest
	for k := range n {
		nd := &l.nodes[k]
		nd.block = k
		nd.w = blockWidth(&g.Blocks[k])
		if !g.Blocks[k].Reachable {
			// An unreachable block has no order among others: each its own rank.
			last++
			nd.rank, nd.isolated = last, true
		}
	}
	l.ranks = make([][]int, last+1)
	for k := range n {
		l.ranks[l.nodes[k].rank] = append(l.ranks[l.nodes[k].rank], k)
	}
}

func blockWidth(b *Block) float64 {
	chars := len([]rune(b.Name+b.Note)) + 8
	for _, t := range append([]string{"liveins: " + b.Lives}, b.Lines...) {
		chars = max(chars, min(len([]rune(t)), maxChars))
	}
	return math.Ceil(max(float64(chars)*charWidth+2*padX+float64(b.Depth)*5, minWidth))
}

func blockHeight(b *Block) float64 {
	lines := len(b.Lines)
	if b.Lives != "" {
		lines++
	}
	if lines == 0 {
		return headHeight
	}
	return headHeight + 2*padY + float64(lines)*lineHeight - 3
}

// makeWires gives edges that pass ranks a bend in each.
func (l *layout) makeWires() {
	for k := range l.g.Blocks {
		for s, e := range l.g.Blocks[k].Succs {
			w := wire{from: k, succ: s, path: []int{k}}
			from, to := l.nodes[k].rank, l.nodes[e.To].rank
			if to > from {
				prev := k
				for r := from + 1; r < to; r++ {
					id := len(l.nodes)
					l.nodes = append(l.nodes, node{block: -1, rank: r, w: wireWidth})
					l.ranks[r] = append(l.ranks[r], id)
					l.join(prev, id)
					w.path = append(w.path, id)
					prev = id
				}
				l.join(prev, e.To)
			}
			w.path = append(w.path, e.To)
			l.wires = append(l.wires, w)
		}
	}
}

func (l *layout) join(a, b int) {
	l.nodes[a].down = append(l.nodes[a].down, b)
	l.nodes[b].up = append(l.nodes[b].up, a)
}

// sweeps is the number of passes down and up that order and place nodes.
const sweeps = 12

// orderRanks orders each rank by the middle of its neighbours and keeps the
// order with the fewest crossings.
func (l *layout) orderRanks() {
	l.number()
	best, fewest := l.copyRanks(), l.crossings()
	for s := 0; s < sweeps && fewest > 0; s++ {
		if s%2 == 0 {
			for r := 1; r < len(l.ranks); r++ {
				l.sortRank(r, func(n *node) []int { return n.up })
			}
		} else {
			for r := len(l.ranks) - 2; r >= 0; r-- {
				l.sortRank(r, func(n *node) []int { return n.down })
			}
		}
		if c := l.crossings(); c < fewest {
			best, fewest = l.copyRanks(), c
		}
	}
	l.ranks = best
	l.number()
}

func (l *layout) number() {
	for _, r := range l.ranks {
		for p, id := range r {
			l.nodes[id].pos = p
		}
	}
}

func (l *layout) copyRanks() [][]int {
	out := make([][]int, len(l.ranks))
	for k, r := range l.ranks {
		out[k] = slices.Clone(r)
	}
	return out
}

func (l *layout) sortRank(r int, side func(*node) []int) {
	for _, id := range l.ranks[r] {
		n := &l.nodes[id]
		n.order = float64(n.pos)
		if at := side(n); len(at) > 0 {
			sum := 0.0
			for _, m := range at {
				sum += float64(l.nodes[m].pos)
			}
			n.order = sum / float64(len(at))
		}
	}
	slices.SortStableFunc(l.ranks[r], func(a, b int) int { return cmp.Compare(l.nodes[a].order, l.nodes[b].order) })
	for p, id := range l.ranks[r] {
		l.nodes[id].pos = p
	}
}

// crossings counts pairs of edges between neighbouring ranks that cross.
func (l *layout) crossings() int {
	total := 0
	for r := 0; r+1 < len(l.ranks); r++ {
		var ends []int
		for _, id := range l.ranks[r] {
			from := len(ends)
			for _, d := range l.nodes[id].down {
				ends = append(ends, l.nodes[d].pos)
			}
			slices.Sort(ends[from:])
		}
		// A Fenwick tree counts the ends to the right that came before.
		tree := make([]int, len(l.ranks[r+1])+1)
		for k, e := range ends {
			before := 0
			for i := e + 1; i > 0; i -= i & -i {
				before += tree[i]
			}
			total += k - before
			for i := e + 1; i < len(tree); i += i & -i {
				tree[i]++
			}
		}
	}
	return total
}

// place finds x and y. A rank is moved towards the middle of its neighbours
// as a whole of groups that touch, which keeps distances and order.
func (l *layout) place() {
	for _, r := range l.ranks {
		x := 0.0
		for _, id := range r {
			n := &l.nodes[id]
			n.x = x + n.w/2
			x += n.w + gapX
		}
		for _, id := range r {
			l.nodes[id].x -= x / 2
		}
	}
	for s := range 2 * sweeps {
		if s%2 == 0 {
			for r := 1; r < len(l.ranks); r++ {
				l.pull(r, func(n *node) []int { return n.up })
			}
		} else {
			for r := len(l.ranks) - 2; r >= 0; r-- {
				l.pull(r, func(n *node) []int { return n.down })
			}
		}
	}
	l.rankY, l.rankH = make([]float64, len(l.ranks)), make([]float64, len(l.ranks))
	y := float64(margin + titleHeight)
	for r, ids := range l.ranks {
		for _, id := range ids {
			if b := l.nodes[id].block; b >= 0 {
				l.rankH[r] = max(l.rankH[r], blockHeight(&l.g.Blocks[b]))
			}
		}
		l.rankY[r] = y
		y += l.rankH[r] + l.gapBelow(r)
	}
	l.height = y - gapY + margin
	for k := range l.nodes {
		n := &l.nodes[k]
		n.topY = l.rankY[n.rank]
		n.botY = n.topY + l.rankH[n.rank]
		if n.block >= 0 {
			n.botY = n.topY + blockHeight(&l.g.Blocks[n.block])
		}
	}
}

// gapBelow leaves more room where edges have far to go aside.
func (l *layout) gapBelow(r int) float64 {
	far := 0.0
	for _, id := range l.ranks[r] {
		for _, d := range l.nodes[id].down {
			far = max(far, math.Abs(l.nodes[d].x-l.nodes[id].x))
		}
	}
	return gapY + min(far/14, 60)
}

// group is a run of nodes of a rank that stand as close as they may.
type group struct {
	first, last int     // positions
	want        float64 // weighted sum of the wishes for the place of the first
	weight      float64
}

// pull places the nodes of a rank as near as can be to the middle of their
// neighbours on one side, in order and without overlap: wishes of nodes that
// would meet are averaged (the pool-adjacent-violators algorithm).
func (l *layout) pull(r int, side func(*node) []int) {
	ids := l.ranks[r]
	offset := make([]float64, len(ids)) // least distance from the first node
	for p := 1; p < len(ids); p++ {
		a, b := &l.nodes[ids[p-1]], &l.nodes[ids[p]]
		offset[p] = offset[p-1] + a.w/2 + b.w/2 + gapX
		if a.block < 0 && b.block < 0 {
			offset[p] -= gapX - 4
		}
	}
	var groups []group
	for p, id := range ids {
		n := &l.nodes[id]
		want, weight := n.x, 0.05
		if at := side(n); len(at) > 0 {
			xs := make([]float64, len(at))
			weight = 1
			for k, m := range at {
				xs[k] = l.nodes[m].x
				if n.block < 0 && l.nodes[m].block < 0 {
					weight = 8 // long edges are straight
				}
			}
			slices.Sort(xs)
			want = (xs[(len(xs)-1)/2] + xs[len(xs)/2]) / 2
		}
		groups = append(groups, group{p, p, (want - offset[p]) * weight, weight})
		for k := len(groups) - 1; k > 0 && groups[k].want/groups[k].weight < groups[k-1].want/groups[k-1].weight; k-- {
			groups[k-1].want += groups[k].want
			groups[k-1].weight += groups[k].weight
			groups[k-1].last = groups[k].last
			groups = groups[:k]
		}
	}
	for _, gr := range groups {
		for p := gr.first; p <= gr.last; p++ {
			l.nodes[ids[p]].x = gr.want/gr.weight + offset[p]
		}
	}
}

// routeBack finds the lanes in which back edges go up: right of everything in
// the ranks that they pass, and apart from one another.
func (l *layout) routeBack() {
	var back []int
	for k, w := range l.wires {
		if l.goesUp(&w) {
			back = append(back, k)
		}
	}
	span := func(k int) (top, bottom int) {
		p := l.wires[k].path
		return l.nodes[p[1]].rank, l.nodes[p[0]].rank
	}
	slices.SortStableFunc(back, func(a, b int) int { // short ones inside
		ta, ba := span(a)
		tb, bb := span(b)
		return cmp.Compare(ba-ta, bb-tb)
	})
	right := make([]float64, len(l.ranks)) // what is taken
	for r, ids := range l.ranks {
		right[r] = math.Inf(-1)
		for _, id := range ids {
			right[r] = max(right[r], l.nodes[id].x+l.nodes[id].w/2)
		}
	}
	for _, k := range back {
		top, bottom := span(k)
		lane := math.Inf(-1)
		for r := top; r <= bottom; r++ {
			lane = max(lane, right[r]+laneWidth+6)
		}
		for r := top; r <= bottom; r++ {
			right[r] = lane
		}
		l.wires[k].lane = lane
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, n := range l.nodes {
		lo, hi = min(lo, n.x-n.w/2), max(hi, n.x+n.w/2)
	}
	for _, k := range back {
		hi = max(hi, l.wires[k].lane+44)
	}
	if len(l.nodes) == 0 {
		lo, hi = 0, 200
	}
	shift := margin - lo
	for k := range l.nodes {
		l.nodes[k].x += shift
	}
	for _, k := range back {
		l.wires[k].lane += shift
	}
	l.width = hi - lo + 2*margin
	if len(back) > 0 {
		l.height += 24 // a back edge may leave the last rank
	}
}

// goesUp says that a wire leads to the same rank or one above.
func (l *layout) goesUp(w *wire) bool {
	return len(w.path) == 2 && l.nodes[w.path[1]].rank <= l.nodes[w.path[0]].rank
}
