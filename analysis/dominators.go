package analysis

// Dominators is the dominator tree of a graph, found by the semi-NCA algorithm
// (Georgiadis, "Linear-Time Algorithms for Dominators and Related Problems",
// 2005, section 2.3), which LLVM uses too.
type Dominators struct {
	g *Graph
	// idom is each node's immediate dominator, -1 for the entry and for nodes
	// that are not reached. in and out number the tree's nodes on the way down
	// and up: a dominates b when in[a] <= in[b] and out[b] <= out[a].
	idom, level, in, out []int32
	child, sibling       []int32 // tree as lists; -1 ends
	// jump is a node further up, so that the way up takes a logarithm of the depth
	// (Myers, "An applicative random-access stack", 1983); the entry's is itself.
	jump []int32

	order, pre, parent, semi, label, anc []int32 // by preorder number of the walk
	stack                                []frame
}

// NewDominators computes the dominators of g.
func NewDominators(g *Graph) *Dominators {
	d := new(Dominators)
	d.Compute(g)
	return d
}

// Compute computes the dominators of g into d.
func (d *Dominators) Compute(g *Graph) {
	d.g = g
	n := g.n
	for _, s := range []*[]int32{&d.idom, &d.level, &d.in, &d.out, &d.child, &d.sibling, &d.pre, &d.jump} {
		*s = grow(*s, n)
		for i := range *s {
			(*s)[i] = -1
		}
	}
	if n == 0 {
		return
	}
	d.walk()
	m := len(d.order)
	d.semi, d.label, d.anc = grow(d.semi, m), grow(d.label, m), grow(d.anc, m)
	for i := range m {
		d.semi[i], d.label[i], d.anc[i] = int32(i), int32(i), d.parent[i]
	}
	// Semidominators, from the last node back; anc shrinks to compressed paths.
	for w := int32(m - 1); w > 0; w-- {
		best := d.parent[w]
		for _, p := range g.Preds(int(d.order[w])) {
			v := d.pre[p]
			if v < 0 {
				continue
			}
			if s := d.semi[d.eval(v, w)]; s < best {
				best = s
			}
		}
		d.semi[w] = best
	}
	// The immediate dominator is the nearest ancestor in the tree so far that is
	// not below the semidominator.
	dom := d.anc // reused: dominators by preorder number
	dom[0] = 0
	for w := int32(1); w < int32(m); w++ {
		v := d.parent[w]
		for v > d.semi[w] {
			v = dom[v]
		}
		dom[w] = v
		d.idom[d.order[w]] = d.order[v]
	}
	d.tree(m)
}

// walk numbers the nodes in preorder of a depth-first walk.
func (d *Dominators) walk() {
	g := d.g
	d.order, d.parent = d.order[:0], d.parent[:0]
	visit := func(n, parent int32) {
		d.pre[n] = int32(len(d.order))
		d.order, d.parent = append(d.order, n), append(d.parent, parent)
	}
	visit(g.entry, 0)
	st := append(d.stack[:0], frame{g.entry, 0})
	for len(st) > 0 {
		f := &st[len(st)-1]
		s := g.Succs(int(f.node))
		if int(f.next) == len(s) {
			st = st[:len(st)-1]
			continue
		}
		t := s[f.next]
		f.next++
		if d.pre[t] < 0 {
			visit(t, d.pre[f.node])
			st = append(st, frame{t, 0})
		}
	}
	d.stack = st
}

// eval finds the node with the smallest semidominator on the path from v up to
// the part of the tree that is not done yet (numbers below last), and
// compresses the path.
func (d *Dominators) eval(v, last int32) int32 {
	if v <= last {
		return v
	}
	path := d.stack[:0]
	for d.anc[v] > last {
		path = append(path, frame{node: v})
		v = d.anc[v]
	}
	// v is the highest node on the path: its ancestor is not done.
	top := v
	for k := len(path) - 1; k >= 0; k-- {
		x := path[k].node
		if a := d.label[top]; d.semi[a] < d.semi[d.label[x]] {
			d.label[x] = a
		}
		d.anc[x] = d.anc[v]
		top = x
	}
	d.stack = path
	return d.label[top]
}

// tree links children in order of their numbers and numbers the tree.
func (d *Dominators) tree(m int) {
	for w := m - 1; w > 0; w-- {
		n := d.order[w]
		p := d.idom[n]
		d.sibling[n], d.child[p] = d.child[p], n
	}
	clock := int32(0)
	n, lvl := d.g.entry, int32(0)
	d.idom[n] = n // until the end
	for {
		d.in[n], d.level[n] = clock, lvl
		p := d.idom[n]
		if d.jump[n] = p; n != d.g.entry {
			if j := d.jump[p]; d.level[p]-d.level[j] == d.level[j]-d.level[d.jump[j]] {
				d.jump[n] = d.jump[j]
			}
		}
		clock++
		if c := d.child[n]; c >= 0 {
			n = c
			lvl++
			continue
		}
		for {
			d.out[n] = clock
			if n == d.g.entry {
				d.idom[n] = -1
				return
			}
			if s := d.sibling[n]; s >= 0 {
				n = s
				break
			}
			n = d.idom[n]
			lvl--
		}
	}
}

// NumNodes returns the number of nodes of the graph.
func (d *Dominators) NumNodes() int { return len(d.idom) }

// IDom returns the immediate dominator of n, -1 for the entry and nodes that are not reached.
func (d *Dominators) IDom(n int) int { return int(d.idom[n]) }

// Level returns the depth of n in the tree, 0 for the entry, -1 when it is not reached.
func (d *Dominators) Level(n int) int { return int(d.level[n]) }

// Dominates reports whether every way from the entry to b goes through a. A
// node dominates itself; a node that is not reached is dominated by every node.
func (d *Dominators) Dominates(a, b int) bool {
	if d.in[b] < 0 {
		return true
	}
	return d.in[a] >= 0 && d.in[a] <= d.in[b] && d.out[b] <= d.out[a]
}

// Common returns the nearest node that dominates both a and b, which must be reached.
func (d *Dominators) Common(a, b int) int {
	for !d.Dominates(a, b) {
		if j := int(d.jump[a]); !d.Dominates(j, b) {
			a = j
		}
		a = int(d.idom[a])
	}
	return a
}

// Children calls f with the nodes whose immediate dominator is n.
func (d *Dominators) Children(n int, f func(child int)) {
	for c := d.child[n]; c >= 0; c = d.sibling[c] {
		f(int(c))
	}
}

// Preorder returns the nodes of the tree, each before those it dominates.
func (d *Dominators) Preorder(buf []int32) []int32 {
	n := 0
	for _, x := range d.in {
		if x >= 0 {
			n++
		}
	}
	buf = grow(buf, n)
	for i, x := range d.in {
		if x >= 0 {
			buf[x] = int32(i)
		}
	}
	return buf
}
