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
	local []float64
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
	f.back = grow(f.back, len(l.All))
	clear(f.back)
	for x := len(l.All) - 1; x >= 0; x-- {
		f.round(g, l, prob, int(l.All[x].Header), x)
		sum := 0.0
		h := int(l.All[x].Header)
		preds, edges := g.Preds(h), g.PredEdges(h)
		for k, p := range preds {
			if g.Reachable(int(p)) && l.Contains(x, int(p)) {
				// The conversions keep products from being fused, so that every machine gets the same.
				sum += float64(f.local[p] * share(prob(int(edges[k]))))
			}
		}
		f.back[x] = min(sum, 1-1.0/maxScale)
	}
	f.round(g, l, prob, g.Entry(), -1)
	copy(f.Freq, f.local)
}

func share(p uint32) float64 { return float64(p) / ProbOne }

// round spreads 1 from a node over the nodes of a loop (-1: all), inner loops
// being scaled at their headers.
func (f *Frequencies) round(g *Graph, l *Loops, prob func(int) uint32, from, loop int) {
	first, size := g.RPONumber(from), len(g.rpo)
	if loop >= 0 {
		size = int(l.All[loop].Size)
	}
	rounds := 1
	if l.Irreducible {
		rounds = 8
	}
	// Round 0 only clears; a loop's nodes stand near each other, so that each
	// round ends with the last of them.
	for r := range rounds + 1 {
		left := size
		for k := first; left > 0; k++ {
			n := g.rpo[k]
			if loop >= 0 && !l.Contains(loop, int(n)) {
				continue
			}
			left--
			if r == 0 {
				f.local[n] = 0
				continue
			}
			v := 0.0
			if int(n) == from {
				v = 1
			}
			if loop < 0 || int(n) != from {
				preds, edges := g.Preds(int(n)), g.PredEdges(int(n))
				for e, p := range preds {
					if !g.Reachable(int(p)) || loop >= 0 && !l.Contains(loop, int(p)) || f.isBack(l, p, n) {
						continue
					}
					v += float64(f.local[p] * share(prob(int(edges[e]))))
				}
			}
			if x := l.Loop[n]; x >= 0 && l.All[x].Header == n && int(x) != loop {
				v /= 1 - f.back[x]
			}
			f.local[n] = v
		}
	}
}

// isBack reports an edge back to the header of a natural loop that p is in.
func (f *Frequencies) isBack(l *Loops, p, n int32) bool {
	x := l.Loop[n]
	return x >= 0 && l.All[x].Header == n && l.Contains(int(x), int(p))
}
