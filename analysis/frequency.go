package analysis

// ProbOne is the denominator of edge probabilities, LLVM's: 2^31.
const ProbOne = 1 << 31

// maxScale bounds how often a loop without an end is taken to run, as LLVM does.
const maxScale = 4096

// Frequencies says how often each node runs for one run of the entry, from the
// probabilities of the edges (Wu and Larus, "Static Branch Frequency and
// Program Profile Analysis", 1994). Loops are done innermost first: the share
// of a header's runs that comes back over its latches gives the factor by which
// all of the loop runs more often. Retreating edges of irreducible cycles are
// followed in a bounded number of further rounds.
type Frequencies struct {
	// Freq is 1 for the entry (unless it is in a loop), 0 for nodes that are not reached.
	Freq []float64

	back  []float64 // by loop: share of the header's runs that come back
	times []float64 // by loop: runs of the header for one of the header around it
	local []float64 // by node: runs for one run of the header of its loop
	// nodes lists, by loop + 1, the nodes that are in no loop inside it and the
	// headers of the loops directly inside, in reverse postorder; begin is where each list does.
	nodes, begin []int32
}

// NewFrequencies computes the frequencies; prob gives an edge's probability
// out of ProbOne.
func NewFrequencies(g *Graph, l *Loops, prob func(edge int) uint32) *Frequencies {
	f := new(Frequencies)
	f.Compute(g, l, prob)
	return f
}

// Compute computes the frequencies into f.
func (f *Frequencies) Compute(g *Graph, l *Loops, prob func(edge int) uint32) {
	f.Freq, f.local = grow(f.Freq, g.n), grow(f.local, g.n)
	f.back, f.times = grow(f.back, len(l.All)), grow(f.times, len(l.All))
	clear(f.back)
	clear(f.times)
	clear(f.Freq)
	clear(f.local)
	f.list(g, l)
	for x := len(l.All) - 1; x >= 0; x-- {
		h := l.All[x].Header
		f.round(g, l, prob, h, int32(x))
		sum := 0.0
		preds, edges := g.Preds(int(h)), g.PredEdges(int(h))
		for k, p := range preds {
			if g.Reachable(int(p)) && l.Contains(x, int(p)) {
				// The conversions keep products from being fused, so that every machine gets the same.
				sum += float64(f.value(l, int32(x), p) * share(prob(int(edges[k]))))
			}
		}
		f.back[x] = min(sum, 1-1.0/maxScale)
	}
	f.round(g, l, prob, g.entry, -1)
	for x := range l.All {
		if p := l.All[x].Parent; p >= 0 {
			f.times[x] *= f.times[p]
		}
	}
	for _, n := range g.rpo {
		v := f.local[n]
		if x := l.Loop[n]; x >= 0 {
			if l.All[x].Header == n {
				v = 1
			}
			v *= f.times[x]
		}
		f.Freq[n] = v
	}
}

// list fills the lists of nodes.
func (f *Frequencies) list(g *Graph, l *Loops) {
	of := func(n int32) int32 {
		x := l.Loop[n]
		if x >= 0 && l.All[x].Header == n {
			x = l.All[x].Parent
		}
		return x + 1
	}
	f.begin, f.nodes = grow(f.begin, len(l.All)+2), grow(f.nodes, len(g.rpo))
	clear(f.begin)
	for _, n := range g.rpo {
		f.begin[of(n)]++
	}
	sum := int32(0)
	for k, c := range f.begin {
		f.begin[k] = sum
		sum += c
	}
	for _, n := range g.rpo {
		k := of(n)
		f.nodes[f.begin[k]] = n
		f.begin[k]++
	}
	copy(f.begin[1:], f.begin[:len(f.begin)-1])
	f.begin[0] = 0
}

func share(p uint32) float64 { return float64(p) / ProbOne }

// value is how often p, which is in loop x or one inside it, runs for one run of
// x's header; loops between them are done.
func (f *Frequencies) value(l *Loops, x, p int32) float64 {
	y := l.Loop[p]
	v := f.local[p]
	if y >= 0 && l.All[y].Header == p {
		v = 1
	}
	for ; y != x; y = l.All[y].Parent {
		v *= f.times[y]
	}
	return v
}

// round spreads 1 from a node over the nodes of a loop (-1: all), inner loops
// being scaled at their headers.
func (f *Frequencies) round(g *Graph, l *Loops, prob func(int) uint32, from, loop int32) {
	rounds := 1
	if l.Irreducible {
		rounds = 8
	}
	for range rounds {
		for _, n := range f.nodes[f.begin[loop+1]:f.begin[loop+2]] {
			v := 0.0
			if n == from {
				v = 1
			}
			preds, edges := g.Preds(int(n)), g.PredEdges(int(n))
			for e, p := range preds {
				if !g.Reachable(int(p)) || loop >= 0 && !l.Contains(int(loop), int(p)) || f.isBack(l, p, n) {
					continue
				}
				v += float64(f.value(l, loop, p) * share(prob(int(edges[e]))))
			}
			if x := l.Loop[n]; x != loop {
				f.times[x] = v / (1 - f.back[x])
			} else {
				f.local[n] = v
			}
		}
	}
}

// isBack reports an edge back to the header of a natural loop that p is in.
func (f *Frequencies) isBack(l *Loops, p, n int32) bool {
	x := l.Loop[n]
	return x >= 0 && l.All[x].Header == n && l.Contains(int(x), int(p))
}
