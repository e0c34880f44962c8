package global

import "math"

// A partitioned Boolean quadratic problem: each node chooses one of its options at
// a cost, and each edge adds a cost for the pair of options that its two nodes
// choose; the sum is to be small (Scholz and Eckstein, "Register allocation for
// irregular architectures", 2002; Hames and Scholz, "Nearly optimal register
// allocation with PBQP", 2006).
//
// Nodes are taken out one by one. One without edges (R0) chooses for itself; one with
// an edge or two (R1, R2) leaves behind, in its neighbour's costs or in an edge
// between both neighbours, what it will cost whatever they choose: nothing is
// lost. Where all nodes have more edges (RN) one goes without leaving anything:
// one that certainly finds an option that costs no spill, if there is one, else the one that is
// cheapest to spill for the edges it has. Then nodes choose in the reverse order,
// when those they still have edges to have chosen.

// inf is the cost of what must not be.
var inf = float32(math.Inf(1))

// pbqp is a problem, and the memory for it.
type pbqp struct {
	nodes []pbqpNode
	edges []pbqpEdge
	// half is both ends of edge e, at 2e and 2e+1.
	half  []pbqpHalf
	mats  []pbqpMatrix
	cells []float32 // of matrices
	costs []float32 // of nodes
	// unsafe is, by row and column of each matrix but the first, whether there is an inf
	// in it; deniers, for each option of a node but the first, how many edges have one.
	unsafe  []bool
	deniers []int32

	order   []int32 // in which nodes were taken out
	few     []int32 // nodes with at most two edges
	free    []int32 // nodes that certainly find an option
	heap    []pbqpKey
	choices []float32
}

// Option 0 of a node is to be spilled.
type pbqpNode struct {
	at, n  int32 // in costs
	first  int32 // half edge, -1 for none
	degree int32
	// denied is how many options the neighbours can take away at most.
	denied  int32
	deny    int32 // in deniers
	choice  int32
	removed bool
	// spill is the cost of option 0 at first.
	spill float32
}

type pbqpEdge struct{ mat int32 }

// pbqpHalf is an edge as one of its nodes has it: side 0 chooses the row.
type pbqpHalf struct {
	node, next, prev int32
}

type pbqpMatrix struct {
	at, rows, cols int32
	unsafe         int32
	// worstRow is the number of inf in the row that has most, without the first column.
	worstRow, worstCol int32
}

// pbqpKey is a node in the heap of those that may be spilled.
type pbqpKey struct {
	cost   float32
	degree int32
	node   int32
}

func (g *pbqp) reset() {
	g.nodes, g.edges, g.half, g.mats = g.nodes[:0], g.edges[:0], g.half[:0], g.mats[:0]
	g.cells, g.costs, g.unsafe, g.deniers = g.cells[:0], g.costs[:0], g.unsafe[:0], g.deniers[:0]
}

// addNode adds a node with n options and returns its costs, to be filled in.
func (g *pbqp) addNode(n int) []float32 {
	at := len(g.costs)
	g.costs = extend(g.costs, n)
	deny := len(g.deniers)
	g.deniers = extend(g.deniers, n)
	g.nodes = append(g.nodes, pbqpNode{at: int32(at), n: int32(n), first: -1, deny: int32(deny)})
	return g.costs[at : at+n]
}

func extend[T any](s []T, n int) []T {
	for range n {
		var zero T
		s = append(s, zero)
	}
	return s
}

func (g *pbqp) costsOf(n int32) []float32 {
	x := &g.nodes[n]
	return g.costs[x.at : x.at+x.n]
}

// addMatrix adds a matrix of zeroes and returns its number and cells, which are
// to be filled in before measure.
func (g *pbqp) addMatrix(rows, cols int) (int32, []float32) {
	at := len(g.cells)
	g.cells = extend(g.cells, rows*cols)
	m := pbqpMatrix{at: int32(at), rows: int32(rows), cols: int32(cols), unsafe: int32(len(g.unsafe))}
	g.unsafe = extend(g.unsafe, rows+cols)
	g.mats = append(g.mats, m)
	return int32(len(g.mats) - 1), g.cells[at:]
}

// measure counts what matrix m forbids.
func (g *pbqp) measure(m int32) {
	x := &g.mats[m]
	cells, rows, cols := g.cells[x.at:x.at+x.rows*x.cols], int(x.rows), int(x.cols)
	unsafe := g.unsafe[x.unsafe:][:rows+cols]
	x.worstRow, x.worstCol = 0, 0
	for j := 1; j < cols; j++ {
		n := int32(0)
		for i := 1; i < rows; i++ {
			if cells[i*cols+j] == inf {
				n++
				unsafe[i], unsafe[rows+j] = true, true
			}
		}
		x.worstCol = max(x.worstCol, n)
	}
	for i := 1; i < rows; i++ {
		n := int32(0)
		for _, c := range cells[i*cols+1 : (i+1)*cols] {
			if c == inf {
				n++
			}
		}
		x.worstRow = max(x.worstRow, n)
	}
}

// addEdge adds an edge between two nodes, of which a chooses the row of matrix m.
func (g *pbqp) addEdge(a, b, m int32) int32 {
	e := int32(len(g.edges))
	g.edges = append(g.edges, pbqpEdge{m})
	g.half = append(g.half, pbqpHalf{node: a}, pbqpHalf{node: b})
	g.link(2 * e)
	g.link(2*e + 1)
	return e
}

func (g *pbqp) link(h int32) {
	x := &g.nodes[g.half[h].node]
	g.half[h].next, g.half[h].prev = x.first, -1
	if x.first >= 0 {
		g.half[x.first].prev = h
	}
	x.first = h
	x.degree++
	g.deny(h, 1)
}

func (g *pbqp) unlink(h int32) {
	q := g.half[h]
	x := &g.nodes[q.node]
	if q.prev >= 0 {
		g.half[q.prev].next = q.next
	} else {
		x.first = q.next
	}
	if q.next >= 0 {
		g.half[q.next].prev = q.prev
	}
	x.degree--
	g.deny(h, -1)
}

// deny counts what the edge of h can take away from its node.
func (g *pbqp) deny(h, d int32) {
	x, m := &g.nodes[g.half[h].node], &g.mats[g.edges[h/2].mat]
	mine := g.unsafe[m.unsafe:][:m.rows]
	if h%2 == 0 {
		x.denied += d * m.worstCol
	} else {
		x.denied += d * m.worstRow
		mine = g.unsafe[m.unsafe+m.rows:][:m.cols]
	}
	count := g.deniers[x.deny:]
	for k, u := range mine {
		if u {
			count[k] += d
		}
	}
}

// isFree reports that node n finds an option other than the first whatever its
// neighbours choose.
func (g *pbqp) isFree(n int32) bool {
	x := &g.nodes[n]
	if x.denied < x.n-1 {
		return true
	}
	for _, d := range g.deniers[x.deny+1 : x.deny+x.n] {
		if d == 0 {
			return true
		}
	}
	return false
}

// at is the cost of half edge h where its node chooses i and the other one j.
func (g *pbqp) at(h, i, j int32) float32 {
	m := &g.mats[g.edges[h/2].mat]
	if h%2 != 0 {
		i, j = j, i
	}
	return g.cells[m.at+i*m.cols+j]
}

// maxCells bounds the costs that R2 may put between neighbours: from there on nodes
// with two edges are taken out as others are.
const maxCells = 1 << 24

// solve chooses an option for each node.
func (g *pbqp) solve() {
	g.order, g.few, g.free, g.heap = g.order[:0], g.few[:0], g.free[:0], g.heap[:0]
	for n := range g.nodes {
		g.nodes[n].removed, g.nodes[n].spill = false, g.costs[g.nodes[n].at]
		g.file(int32(n))
	}
	for len(g.order) < len(g.nodes) {
		switch {
		case len(g.few) > 0:
			n := g.few[len(g.few)-1]
			g.few = g.few[:len(g.few)-1]
			if !g.nodes[n].removed {
				g.reduce(n)
			}
		case len(g.free) > 0:
			n := g.free[len(g.free)-1]
			g.free = g.free[:len(g.free)-1]
			if !g.nodes[n].removed {
				g.remove(n)
			}
		default:
			k := g.popHeap()
			switch x := &g.nodes[k.node]; {
			case x.removed:
			case x.degree != k.degree:
				g.pushHeap(k.node) // it has fewer edges now, which makes it dearer for each
			default:
				g.remove(k.node)
			}
		}
	}
	for k := len(g.order) - 1; k >= 0; k-- {
		g.choose(g.order[k])
	}
}

// file puts node n where solve looks for it.
func (g *pbqp) file(n int32) {
	switch x := &g.nodes[n]; {
	case x.degree <= 2:
		g.few = append(g.few, n)
	case g.isFree(n):
		g.free = append(g.free, n)
	default:
		g.pushHeap(n)
	}
}

// remove takes node n out: its neighbours lose the edge, n keeps it for its choice.
func (g *pbqp) remove(n int32) {
	x := &g.nodes[n]
	x.removed = true
	g.order = append(g.order, n)
	for h := x.first; h >= 0; h = g.half[h].next {
		o := g.half[h^1].node
		was := g.nodes[o].degree <= 2 || g.isFree(o)
		g.unlink(h ^ 1)
		if d := g.nodes[o].degree; d == 2 || d > 2 && !was && g.isFree(o) {
			g.file(o)
		}
	}
}

// reduce takes out a node with at most two edges.
func (g *pbqp) reduce(n int32) {
	x := &g.nodes[n]
	switch x.degree {
	case 1:
		g.reduce1(n, x.first)
	case 2:
		if len(g.cells) < maxCells {
			g.reduce2(n, x.first, g.half[x.first].next)
		}
	}
	g.remove(n)
}

// reduce1 adds to the costs of the neighbour over h what n costs at least then.
func (g *pbqp) reduce1(n, h int32) {
	mine, other := g.costsOf(n), g.costsOf(g.half[h^1].node)
	for j := range other {
		best := inf
		for i := range mine {
			best = min(best, mine[i]+g.at(h, int32(i), int32(j)))
		}
		other[j] += best
	}
}

// reduce2 adds to the edge between the neighbours over h and k, a new one if there
// is none, what n costs at least then.
func (g *pbqp) reduce2(n, h, k int32) {
	y, z := g.half[h^1].node, g.half[k^1].node
	old := g.edgeBetween(y, z)
	rows, cols := int(g.nodes[y].n), int(g.nodes[z].n)
	m, cells := g.addMatrix(rows, cols)
	mine, any := g.costsOf(n), false
	for i := range rows {
		for j := range cols {
			best := inf
			for c := range mine {
				best = min(best, mine[c]+g.at(h, int32(c), int32(i))+g.at(k, int32(c), int32(j)))
			}
			if old >= 0 {
				best += g.at(old, int32(i), int32(j))
			}
			cells[i*cols+j] = best
			any = any || best != cells[0]
		}
	}
	if old < 0 && !any {
		return // the same whatever they choose
	}
	g.measure(m)
	if old >= 0 {
		g.unlink(old)
		g.unlink(old ^ 1)
	}
	g.addEdge(y, z, m)
}

// edgeBetween is the half edge of y that leads to z, -1 for none.
func (g *pbqp) edgeBetween(y, z int32) int32 {
	from, to := y, z
	if g.nodes[z].degree < g.nodes[y].degree {
		from, to = z, y
	}
	for h := g.nodes[from].first; h >= 0; h = g.half[h].next {
		if g.half[h^1].node == to {
			if from != y {
				h ^= 1
			}
			return h
		}
	}
	return -1
}

// choose gives node n the option that costs least with what was chosen before it,
// the lowest of several.
func (g *pbqp) choose(n int32) {
	x := &g.nodes[n]
	g.choices = append(g.choices[:0], g.costsOf(n)...)
	for h := x.first; h >= 0; h = g.half[h].next {
		j := g.nodes[g.half[h^1].node].choice
		for i := range g.choices {
			g.choices[i] += g.at(h, int32(i), j)
		}
	}
	best := 0
	for i, c := range g.choices {
		if c < g.choices[best] {
			best = i
		}
	}
	x.choice = int32(best)
}

// The heap has on top the node that is cheapest to spill for each edge it has.

func (g *pbqp) pushHeap(n int32) {
	d := g.nodes[n].degree
	h := append(g.heap, pbqpKey{g.nodes[n].spill / float32(d), d, n})
	for k := len(h) - 1; k > 0; {
		up := (k - 1) / 2
		if !h[k].less(&h[up]) {
			break
		}
		h[up], h[k] = h[k], h[up]
		k = up
	}
	g.heap = h
}

func (g *pbqp) popHeap() pbqpKey {
	h := g.heap
	top := h[0]
	h[0] = h[len(h)-1]
	h = h[:len(h)-1]
	for k := 0; ; {
		c := 2*k + 1
		if c >= len(h) {
			break
		}
		if c+1 < len(h) && h[c+1].less(&h[c]) {
			c++
		}
		if !h[c].less(&h[k]) {
			break
		}
		h[k], h[c] = h[c], h[k]
		k = c
	}
	g.heap = h
	return top
}

func (a *pbqpKey) less(b *pbqpKey) bool {
	if a.cost != b.cost {
		return a.cost < b.cost
	}
	return a.node < b.node
}
