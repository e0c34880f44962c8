package sched

import (
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// edgeKind says why one instruction stands before another.
type edgeKind uint8

const (
	dataEdge   edgeKind = iota // reads what the other wrote
	antiEdge                   // writes what the other read
	outputEdge                 // writes what the other wrote
	// barrierEdge and memoryEdge order effects and accesses, artificialEdge is of
	// the scheduler's own making.
	barrierEdge
	memoryEdge
	artificialEdge
	// Weak edges advise: nodes are ready without them.
	weakEdge
	clusterEdge // the two are to be neighbours
)

func (k edgeKind) isWeak() bool { return k >= weakEdge }

// isHazard reports edges that only keep a register from being written too early.
func (k edgeKind) isHazard() bool { return k == antiEdge || k == outputEdge }

// edge is a row of a graph's edges: succ stands behind pred. Rows of one node
// are linked in the order in which they were added.
type edge struct {
	pred, succ         int32
	nextPred, nextSucc int32   // the next edge to succ, from pred; 0 ends the list
	same               int32   // another edge from pred to succ
	reg                mir.Reg // of data, anti and output edges; register units have none
	latency            int32
	kind               edgeKind
}

// node is an instruction of the region. The last node of a graph is what stands
// behind the region: an instruction or the end of the block.
type node struct {
	instr                  mir.InstrID
	preds, lastPred        int32
	succs, lastSucc        int32
	predsLeft, succsLeft   int32 // edges from and to nodes that have no place yet
	weakPreds, weakSuccs   int32
	latency, depth, height int32 // cycles: its own, the longest way from the top and to the bottom
	topReady, botReady     int32 // the first cycle, in either direction, without waiting
	dataSuccs              int32
	ops                    int32 // micro-operations
	uses, numUses          int32 // in machine.taken
	begins, ends           bool  // a group of instructions that start together
	cluster                int32 // 0 none
	queue                  uint8
	scheduled              bool
	isCall                 bool
	physUses, physDefs     bool // reads, or writes for a reader in the region, physical registers
	reserves, unbuffered   bool // takes resources that stall the machine, or that wait for each other
}

// graph is the scheduling graph of a region. Its memory serves one region after the other.
type graph struct {
	nodes []node
	edges []edge // row 0 unused
	// mark finds the edges from the node that is looked at (by) to another, see add.
	mark []struct{ by, edge int32 }
	// rank orders the nodes so that edges lead upwards; at is the reverse.
	rank, at []int32
	seen     []uint32
	stamp    uint32
	work     []int32
}

// exit is the number of the node behind the region.
func (g *graph) exit() int32 { return int32(len(g.nodes) - 1) }

// numInstrs is the number of instructions of the region.
func (g *graph) numInstrs() int32 { return int32(len(g.nodes) - 1) }

// begin makes a graph of n instructions and the exit, without edges.
func (g *graph) begin(n int) {
	g.nodes = rows.Zeroed(g.nodes, n+1)
	g.edges = append(g.edges[:0], edge{})
	g.mark = rows.Sized(g.mark, n+1)
	for k := range g.mark {
		g.mark[k].by = -1
	}
	g.seen = rows.AtLeast(g.seen, n+1)
	g.rank, g.at = g.rank[:0], g.at[:0]
}

// add makes succ stand behind pred. An edge of the same kind and register that is
// there takes the greater latency instead. To find it in constant time all edges
// from one pred are added before those from another, but for few, which may be
// there twice then.
func (g *graph) add(pred, succ int32, kind edgeKind, reg mir.Reg, latency int32) {
	m := &g.mark[succ]
	if m.by != pred {
		m.by, m.edge = pred, 0
	}
	for e := m.edge; e != 0; e = g.edges[e].same {
		if x := &g.edges[e]; x.kind == kind && x.reg == reg {
			x.latency = max(x.latency, latency)
			return
		}
	}
	m.edge = g.link(edge{pred: pred, succ: succ, same: m.edge, reg: reg, latency: latency, kind: kind})
}

// advise adds an edge without looking for one that is there.
func (g *graph) advise(pred, succ int32, kind edgeKind) {
	g.link(edge{pred: pred, succ: succ, kind: kind})
}

func (g *graph) link(x edge) int32 {
	e := int32(len(g.edges))
	g.edges = append(g.edges, x)
	p, s := &g.nodes[x.pred], &g.nodes[x.succ]
	if s.lastPred != 0 {
		g.edges[s.lastPred].nextPred = e
	} else {
		s.preds = e
	}
	s.lastPred = e
	if p.lastSucc != 0 {
		g.edges[p.lastSucc].nextSucc = e
	} else {
		p.succs = e
	}
	p.lastSucc = e
	switch {
	case x.kind.isWeak():
		s.weakPreds++
		p.weakSuccs++
	default:
		s.predsLeft++
		p.succsLeft++
	}
	if x.kind == dataEdge {
		p.dataSuccs++
	}
	return e
}

// levels finds depth and height of all nodes, along all edges. False: the graph
// has a cycle, which is a bug.
func (g *graph) levels() bool {
	n := int32(len(g.nodes))
	g.rank = rows.Zeroed(g.rank, int(n)) // here: edges from nodes that are not in at yet
	g.at = g.at[:0]
	for e := 1; e < len(g.edges); e++ {
		g.rank[g.edges[e].succ]++
	}
	for k := range n {
		if g.rank[k] == 0 {
			g.at = append(g.at, k)
		}
	}
	for k := 0; k < len(g.at); k++ {
		x := &g.nodes[g.at[k]]
		for e := x.succs; e != 0; e = g.edges[e].nextSucc {
			y := &g.edges[e]
			s := &g.nodes[y.succ]
			s.depth = max(s.depth, x.depth+y.latency)
			if g.rank[y.succ]--; g.rank[y.succ] == 0 {
				g.at = append(g.at, y.succ)
			}
		}
	}
	for k := len(g.at) - 1; k >= 0; k-- {
		x := &g.nodes[g.at[k]]
		for e := x.preds; e != 0; e = g.edges[e].nextPred {
			p := &g.nodes[g.edges[e].pred]
			p.height = max(p.height, x.height+g.edges[e].latency)
		}
	}
	return len(g.at) == int(n)
}

// biasPreds puts the deepest predecessor by a value first, so that it is released first.
func (g *graph) biasPreds(n int32) {
	x := &g.nodes[n]
	if x.preds == 0 {
		return
	}
	first := x.preds
	depth := g.nodes[g.edges[first].pred].depth
	best, before := int32(0), int32(0)
	for prev, e := first, g.edges[first].nextPred; e != 0; prev, e = e, g.edges[e].nextPred {
		if y := &g.edges[e]; y.kind == dataEdge && g.nodes[y.pred].depth > depth {
			best, before, depth = e, prev, g.nodes[y.pred].depth
		}
	}
	if best == 0 {
		return
	}
	a, b := &g.edges[first], &g.edges[best]
	x.preds = best
	if x.lastPred == best {
		x.lastPred = first
	}
	if before == first {
		a.nextPred, b.nextPred = b.nextPred, first
		return
	}
	g.edges[before].nextPred = first
	a.nextPred, b.nextPred = b.nextPred, a.nextPred
}

// order makes rank and at the order of the nodes, along which all edges lead until now.
func (g *graph) order() {
	n := len(g.nodes)
	g.rank, g.at = rows.Sized(g.rank, n), rows.Sized(g.at, n)
	for k := range g.rank {
		g.rank[k], g.at[k] = int32(k), int32(k)
	}
}

// maxReach bounds the nodes that are looked at to see whether an edge would close
// a cycle; what is further apart is not advised about.
const maxReach = 1 << 12

// reaches reports that a way leads from node from to node to, or that this is too
// long to find out. It marks, in seen, the nodes below to that from reaches.
func (g *graph) reaches(from, to int32) bool {
	g.stamp++
	limit := g.rank[to]
	if from == to {
		return true
	}
	if g.rank[from] > limit {
		return false
	}
	if limit-g.rank[from] > maxReach {
		return true
	}
	g.work = append(g.work[:0], from)
	g.seen[from] = g.stamp
	for len(g.work) > 0 {
		k := g.work[len(g.work)-1]
		g.work = g.work[:len(g.work)-1]
		for e := g.nodes[k].succs; e != 0; e = g.edges[e].nextSucc {
			s := g.edges[e].succ
			if s == to {
				return true
			}
			if g.rank[s] < limit && g.seen[s] != g.stamp {
				g.seen[s] = g.stamp
				g.work = append(g.work, s)
			}
		}
	}
	return false
}

// addWeak adds a weak edge unless that closes a cycle, and keeps the order of
// the nodes true: what succ reaches goes behind pred.
func (g *graph) addWeak(pred, succ int32) {
	if g.reaches(succ, pred) {
		return
	}
	for e := g.nodes[succ].preds; e != 0; e = g.edges[e].nextPred {
		if g.edges[e].pred == pred && g.edges[e].kind == weakEdge {
			return
		}
	}
	if lo, hi := g.rank[succ], g.rank[pred]; lo < hi {
		g.work = g.work[:0]
		to := lo
		for r := lo; r <= hi; r++ {
			if k := g.at[r]; g.seen[k] == g.stamp {
				g.work = append(g.work, k)
			} else {
				g.at[to], g.rank[k] = k, to
				to++
			}
		}
		for _, k := range g.work {
			g.at[to], g.rank[k] = k, to
			to++
		}
	}
	g.advise(pred, succ, weakEdge)
}
