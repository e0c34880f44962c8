package analysis

// Graph is a control-flow graph: nodes 0…NumNodes()-1, edges in compressed
// rows. Edges keep the order in which a node's successors were added, and
// parallel edges stay apart, so that edge k of a node is successor k of its block.
type Graph struct {
	n     int
	entry int32

	from, to []int32 // edges as they were added

	succ, succEdge, succOff []int32
	pred, predEdge, predOff []int32
	rpo                     []int32 // reverse postorder of the nodes reached
	rpoNum                  []int32 // place in rpo, -1 when not reached
	stack                   []frame
	found                   []bool // of DepthFirst
}

type frame struct{ node, next int32 }

// NewGraph returns a graph of n nodes without edges.
func NewGraph(n, entry int) *Graph {
	g := new(Graph)
	g.Reset(n, entry)
	return g
}

// Reset makes g a graph of n nodes without edges and keeps its memory.
func (g *Graph) Reset(n, entry int) {
	g.n, g.entry = n, int32(entry)
	g.from, g.to, g.rpo = g.from[:0], g.to[:0], g.rpo[:0]
}

// AddEdge adds an edge and returns its number.
func (g *Graph) AddEdge(from, to int) int {
	g.from, g.to = append(g.from, int32(from)), append(g.to, int32(to))
	return len(g.from) - 1
}

// Finish builds the rows; no edge may be added after it.
func (g *Graph) Finish() {
	g.succOff = rows(g.succOff, g.n, g.from)
	g.predOff = rows(g.predOff, g.n, g.to)
	m := len(g.from)
	g.succ, g.succEdge = grow(g.succ, m), grow(g.succEdge, m)
	g.pred, g.predEdge = grow(g.pred, m), grow(g.predEdge, m)
	for e := range g.from {
		f, t := g.from[e], g.to[e]
		s, p := g.succOff[f+1], g.predOff[t+1]
		g.succ[s], g.succEdge[s] = t, int32(e)
		g.pred[p], g.predEdge[p] = f, int32(e)
		g.succOff[f+1]++
		g.predOff[t+1]++
	}
	g.number()
}

// rows counts the edges of each node: off[n+1] is where the row of n begins
// while edges are being placed, and where it ends afterwards.
func rows(off []int32, n int, of []int32) []int32 {
	off = grow(off, n+1)
	clear(off)
	for _, x := range of {
		off[x]++
	}
	sum := int32(0)
	for i := range n {
		c := off[i]
		off[i] = sum
		sum += c
	}
	off[n] = sum
	copy(off[1:], off[:n])
	off[0] = 0
	return off
}

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// number walks the graph from the entry and fixes the reverse postorder.
func (g *Graph) number() {
	g.rpoNum = grow(g.rpoNum, g.n)
	for i := range g.rpoNum {
		g.rpoNum[i] = -1
	}
	g.rpo = g.rpo[:0]
	if g.n == 0 {
		return
	}
	st := append(g.stack[:0], frame{g.entry, 0})
	g.rpoNum[g.entry] = 0
	for len(st) > 0 {
		f := &st[len(st)-1]
		if s := g.Succs(int(f.node)); int(f.next) < len(s) {
			t := s[f.next]
			f.next++
			if g.rpoNum[t] < 0 {
				g.rpoNum[t] = 0
				st = append(st, frame{t, 0})
			}
			continue
		}
		g.rpo = append(g.rpo, f.node)
		st = st[:len(st)-1]
	}
	g.stack = st
	for i, j := 0, len(g.rpo)-1; i < j; i, j = i+1, j-1 {
		g.rpo[i], g.rpo[j] = g.rpo[j], g.rpo[i]
	}
	for i, n := range g.rpo {
		g.rpoNum[n] = int32(i)
	}
}

// NumNodes returns the number of nodes, NumEdges that of edges.
func (g *Graph) NumNodes() int { return g.n }

// NumEdges returns the number of edges.
func (g *Graph) NumEdges() int { return len(g.from) }

// Entry returns the entry node.
func (g *Graph) Entry() int { return int(g.entry) }

// Edge returns the ends of edge e.
func (g *Graph) Edge(e int) (from, to int) { return int(g.from[e]), int(g.to[e]) }

// Succs returns the successors of n in the order in which they were added.
func (g *Graph) Succs(n int) []int32 { return g.succ[g.succOff[n]:g.succOff[n+1]] }

// SuccEdges returns the edges that leave n, beside Succs.
func (g *Graph) SuccEdges(n int) []int32 { return g.succEdge[g.succOff[n]:g.succOff[n+1]] }

// Preds returns the predecessors of n in the order of the edges.
func (g *Graph) Preds(n int) []int32 { return g.pred[g.predOff[n]:g.predOff[n+1]] }

// PredEdges returns the edges that enter n, beside Preds.
func (g *Graph) PredEdges(n int) []int32 { return g.predEdge[g.predOff[n]:g.predOff[n+1]] }

// RPO returns the nodes that can be reached in reverse postorder.
func (g *Graph) RPO() []int32 { return g.rpo }

// RPONumber returns the place of n in RPO, -1 when it cannot be reached.
func (g *Graph) RPONumber(n int) int { return int(g.rpoNum[n]) }

// Reachable reports whether n can be reached from the entry.
func (g *Graph) Reachable(n int) bool { return g.rpoNum[n] >= 0 }

// DepthFirst appends the nodes that can be reached in the order in which a
// depth-first walk finds them; from, which has an element for each node, gets
// the node that each is found from.
func (g *Graph) DepthFirst(order, from []int32) []int32 {
	found := grow(g.found, g.n)
	g.found = found
	clear(found)
	found[g.entry] = true
	order = append(order, g.entry)
	st := append(g.stack[:0], frame{g.entry, 0})
	for len(st) > 0 {
		f := &st[len(st)-1]
		s := g.Succs(int(f.node))
		if int(f.next) == len(s) {
			st = st[:len(st)-1]
			continue
		}
		t := s[f.next]
		f.next++
		if !found[t] {
			found[t] = true
			from[t] = f.node
			order = append(order, t)
			st = append(st, frame{t, 0})
		}
	}
	g.stack = st
	return order
}

// Reverse returns the graph with all edges turned round and one node more, the
// new entry, from which every exit of g is reached: the nodes without
// successors, and one node of each endless loop, the last in reverse postorder
// from which no exit is reached. Dominators of the result are the
// post-dominators of g.
func (g *Graph) Reverse() *Graph {
	r := new(Graph)
	g.ReverseInto(r)
	return r
}

// ReverseInto is Reverse into the memory of r.
func (g *Graph) ReverseInto(r *Graph) {
	r.Reset(g.n+1, g.n)
	for e := range g.from {
		r.AddEdge(int(g.to[e]), int(g.from[e]))
	}
	// rpoNum is not needed before Finish: until then it marks what is seen.
	seen := grow(r.rpoNum, g.n+1)
	r.rpoNum = seen
	clear(seen)
	work := r.stack[:0]
	mark := func(n int32) {
		seen[n] = 1
		for work = append(work[:0], frame{node: n}); len(work) > 0; {
			x := work[len(work)-1].node
			work = work[:len(work)-1]
			for _, p := range g.Preds(int(x)) {
				if seen[p] == 0 {
					seen[p] = 1
					work = append(work, frame{node: p})
				}
			}
		}
	}
	for n := range g.n {
		if len(g.Succs(n)) == 0 {
			r.AddEdge(g.n, n)
			mark(int32(n))
		}
	}
	for k := len(g.rpo) - 1; k >= 0; k-- {
		if n := g.rpo[k]; seen[n] == 0 {
			r.AddEdge(g.n, int(n))
			mark(n)
		}
	}
	r.stack = work
	r.Finish()
}
