package analysis

import "slices"

// Loops is the nest of natural loops of a graph: a loop is a header and the
// nodes from which an edge back to the header (from a node that the header
// dominates) is reached without passing the header. Cycles that are entered at
// several nodes are no natural loops; Irreducible tells that there are some.
type Loops struct {
	g *Graph
	// Loop is each node's innermost loop, an index into All, -1 for none.
	Loop []int32
	// All lists the loops, outer before inner, headers in reverse postorder.
	All []Loop
	// Irreducible says that a retreating edge leads to a node that does not
	// dominate where it comes from.
	Irreducible bool
	work        []int32
	// exits lists the edges out of each loop, those of loop x from exitOff[x] on;
	// made when they are first asked for.
	exits, exitOff []int32
	exitsKnown     bool
	// place numbers the loops so that those inside one come right behind it; nested
	// is how many they are, itself included.
	place, nested []int32
}

// Loop is one natural loop.
type Loop struct {
	Header int32
	// Parent is the loop around this one, -1 for none; Depth is 1 for outermost loops.
	Parent, Depth int32
	// Latches is the number of edges back to the header, Size that of the nodes, inner loops' included.
	Latches, Size int32
}

// NewLoops finds the loops of g, whose dominators are d.
func NewLoops(g *Graph, d *Dominators) *Loops {
	l := new(Loops)
	l.Compute(g, d)
	return l
}

// Compute finds the loops of g into l.
func (l *Loops) Compute(g *Graph, d *Dominators) {
	l.g, l.Irreducible, l.exitsKnown = g, false, false
	l.All = l.All[:0]
	l.Loop = grow(l.Loop, g.n)
	for i := range l.Loop {
		l.Loop[i] = -1
	}
	// Innermost headers first: a node already in a loop stands for that loop's
	// outermost one so far, and the walk goes on from its header.
	for k := len(g.rpo) - 1; k >= 0; k-- {
		h := g.rpo[k]
		l.work = l.work[:0]
		latches := int32(0)
		for _, p := range g.Preds(int(h)) {
			switch {
			case !g.Reachable(int(p)):
			case d.Dominates(int(h), int(p)):
				latches++
				l.work = append(l.work, p)
			case g.rpoNum[p] >= g.rpoNum[h]:
				l.Irreducible = true
			}
		}
		if latches > 0 {
			l.collect(h, latches)
		}
	}
	l.finish()
}

// collect makes the loop of header h; the latches are in work.
func (l *Loops) collect(h, latches int32) {
	id := int32(len(l.All))
	l.All = append(l.All, Loop{Header: h, Parent: -1, Latches: latches})
	for len(l.work) > 0 {
		n := l.work[len(l.work)-1]
		l.work = l.work[:len(l.work)-1]
		in := l.outermost(n, id)
		switch {
		case in == id:
			continue
		case in >= 0:
			l.All[in].Parent = id
			n = l.All[in].Header
		default:
			l.Loop[n] = id
		}
		if n == h {
			continue
		}
		for _, p := range l.g.Preds(int(n)) {
			if l.g.Reachable(int(p)) {
				l.work = append(l.work, p)
			}
		}
	}
	if l.Loop[h] < 0 {
		l.Loop[h] = id
	}
}

// outermost returns the outermost loop around n that is known so far, -1 for none.
func (l *Loops) outermost(n, id int32) int32 {
	in := l.Loop[n]
	for in >= 0 && in != id && l.All[in].Parent >= 0 {
		in = l.All[in].Parent
	}
	return in
}

// finish turns the list round, so that outer loops come first, and counts.
func (l *Loops) finish() {
	n := int32(len(l.All))
	for i, j := 0, len(l.All)-1; i < j; i, j = i+1, j-1 {
		l.All[i], l.All[j] = l.All[j], l.All[i]
	}
	for i := range l.All {
		p := &l.All[i]
		if p.Parent >= 0 {
			p.Parent = n - 1 - p.Parent
			p.Depth = l.All[p.Parent].Depth
		}
		p.Depth++
	}
	for i, x := range l.Loop {
		if x >= 0 {
			l.Loop[i] = n - 1 - x
			l.All[l.Loop[i]].Size++
		}
	}
	l.place, l.nested = grow(l.place, int(n)), grow(l.nested, int(n))
	for i := range l.nested {
		l.nested[i] = 1
	}
	for i := n - 1; i >= 0; i-- {
		if p := l.All[i].Parent; p >= 0 {
			l.All[p].Size += l.All[i].Size
			l.nested[p] += l.nested[i]
		}
	}
	// work is where the next loop inside each goes.
	l.work = grow(l.work, int(n))
	top := int32(0)
	for i := range n {
		at := &top
		if p := l.All[i].Parent; p >= 0 {
			at = &l.work[p]
		}
		l.place[i] = *at
		*at += l.nested[i]
		l.work[i] = l.place[i] + 1
	}
}

// Depth returns how many loops n is in.
func (l *Loops) Depth(n int) int {
	if x := l.Loop[n]; x >= 0 {
		return int(l.All[x].Depth)
	}
	return 0
}

// Contains reports whether node n is in loop x or in one inside it.
func (l *Loops) Contains(x, n int) bool {
	in := l.Loop[n]
	return in >= 0 && uint32(l.place[in]-l.place[x]) < uint32(l.nested[x])
}

// Place numbers loop x so that the loops inside it come right behind it; with it
// they are nested.
func (l *Loops) Place(x int) (place, nested int32) { return l.place[x], l.nested[x] }

// IsHeader reports whether n is the header of its loop.
func (l *Loops) IsHeader(n int) bool {
	x := l.Loop[n]
	return x >= 0 && l.All[x].Header == int32(n)
}

// Preheader returns the only node outside loop x from which its header is
// reached, if that node leads nowhere else; otherwise -1.
func (l *Loops) Preheader(x int) int {
	h, found := int(l.All[x].Header), -1
	for _, p := range l.g.Preds(h) {
		if !l.g.Reachable(int(p)) || l.Contains(x, int(p)) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = int(p)
	}
	if found >= 0 && len(l.g.Succs(found)) != 1 {
		return -1
	}
	return found
}

// Exits calls f with each edge that leaves loop x, in the order of the edges.
func (l *Loops) Exits(x int, f func(edge, from, to int)) {
	if !l.exitsKnown {
		l.findExits()
	}
	for _, e := range l.exits[l.exitOff[x]:l.exitOff[x+1]] {
		from, to := l.g.Edge(int(e))
		f(int(e), from, to)
	}
}

// findExits lists the edges that leave each loop.
func (l *Loops) findExits() {
	l.exitsKnown = true
	l.exitOff = grow(l.exitOff, len(l.All)+1)
	clear(l.exitOff)
	l.eachExit(func(_, x int32) { l.exitOff[x]++ })
	n := int32(0)
	for x, k := range l.exitOff {
		n += k
		l.exitOff[x] = n // where the loop's edges end; filling them in moves it to where they begin
	}
	l.exits = grow(l.exits, int(n))
	l.eachExit(func(e, x int32) {
		l.exitOff[x]--
		l.exits[l.exitOff[x]] = e
	})
	for x := range l.All {
		slices.Reverse(l.exits[l.exitOff[x]:l.exitOff[x+1]])
	}
}

// eachExit calls f with each edge and each loop that it leaves.
func (l *Loops) eachExit(f func(e, x int32)) {
	for e := range l.g.from {
		from, to := l.g.Edge(e)
		if !l.g.Reachable(from) {
			continue
		}
		// The loops around both are those where the ways up meet: parents have lower numbers.
		for x, y := l.Loop[from], l.Loop[to]; x != y; {
			if x > y {
				f(int32(e), x)
				x = l.All[x].Parent
			} else {
				y = l.All[y].Parent
			}
		}
	}
}
