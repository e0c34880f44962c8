package analysis

import (
	"math"
	"math/rand"
	"slices"
	"testing"
)

// graph makes a graph of n nodes from pairs of ends; node 0 is the entry.
func graph(n int, ends ...int) *Graph {
	g := NewGraph(n, 0)
	for k := 0; k < len(ends); k += 2 {
		g.AddEdge(ends[k], ends[k+1])
	}
	g.Finish()
	return g
}

func TestGraph(t *testing.T) {
	g := graph(5, 0, 2, 0, 1, 1, 3, 2, 3, 3, 0, 4, 3)
	if got := g.Succs(0); !slices.Equal(got, []int32{2, 1}) {
		t.Errorf("successors of 0 in the order of adding: %v", got)
	}
	if got := g.Preds(3); !slices.Equal(got, []int32{1, 2, 4}) {
		t.Errorf("predecessors of 3: %v", got)
	}
	if g.Reachable(4) || !g.Reachable(3) || g.RPO()[0] != 0 || g.RPO()[3] != 3 {
		t.Errorf("order %v", g.RPO())
	}
}

// slowDominates asks whether b is reached from the entry without a.
func slowDominates(g *Graph, a, b int) bool {
	if a == b {
		return true
	}
	seen := make([]bool, g.NumNodes())
	var walk func(n int) bool
	walk = func(n int) bool {
		if n == a || seen[n] {
			return false
		}
		if n == b {
			return true
		}
		seen[n] = true
		for _, s := range g.Succs(n) {
			if walk(int(s)) {
				return true
			}
		}
		return false
	}
	return !walk(g.Entry())
}

// TestDominatorsRandom holds the tree to the definition on random graphs, and
// one Dominators is used for all of them.
func TestDominatorsRandom(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	d := new(Dominators)
	for range 400 {
		n := 1 + r.Intn(14)
		g := NewGraph(n, 0)
		for range r.Intn(3 * n) {
			g.AddEdge(r.Intn(n), r.Intn(n))
		}
		g.Finish()
		d.Compute(g)
		for a := range n {
			for b := range n {
				if !g.Reachable(b) || !g.Reachable(a) {
					continue
				}
				if got, want := d.Dominates(a, b), slowDominates(g, a, b); got != want {
					t.Fatalf("%v -> %v: Dominates(%d, %d) = %v", g.from, g.to, a, b, got)
				}
			}
			if i := d.IDom(a); i >= 0 && (!slowDominates(g, i, a) || d.Level(a) != d.Level(i)+1) {
				t.Fatalf("%v -> %v: IDom(%d) = %d", g.from, g.to, a, i)
			}
		}
	}
}

func TestPostDominators(t *testing.T) {
	// 0 -> 1 | 2, both -> 3; 3 -> 4 (an endless loop of its own) | 5 (exit).
	g := graph(6, 0, 1, 0, 2, 1, 3, 2, 3, 3, 4, 4, 4, 3, 5)
	r := g.Reverse()
	d := NewDominators(r)
	if !d.Dominates(3, 0) || d.Dominates(1, 0) || d.IDom(0) != 3 || d.IDom(4) != r.Entry() {
		t.Errorf("post-dominators: of 0 %d, of 4 %d", d.IDom(0), d.IDom(4))
	}
	if d.Dominates(5, 3) {
		t.Error("the exit does not post-dominate what an endless loop leaves")
	}
}

func TestLoops(t *testing.T) {
	// 1 and 2 are headers of a nest, 2-3 the inner loop; 6 is a loop of one node.
	g := graph(8, 0, 1, 1, 2, 2, 3, 3, 2, 3, 4, 4, 1, 4, 5, 5, 6, 6, 6, 6, 7)
	l := NewLoops(g, NewDominators(g))
	if len(l.All) != 3 || l.Irreducible {
		t.Fatalf("loops %+v", l.All)
	}
	for n, want := range []int{0, 1, 2, 2, 1, 0, 1, 0} {
		if got := l.Depth(n); got != want {
			t.Errorf("depth of %d is %d, want %d", n, got, want)
		}
	}
	outer := int(l.Loop[1])
	if l.All[outer].Size != 4 || !l.Contains(outer, 3) || l.Contains(outer, 5) || l.Preheader(outer) != 0 {
		t.Errorf("outer loop %+v", l.All[outer])
	}
	var exits []int
	l.Exits(outer, func(_, from, to int) { exits = append(exits, from, to) })
	if !slices.Equal(exits, []int{4, 5}) {
		t.Errorf("exits %v", exits)
	}
	if g := graph(3, 0, 1, 0, 2, 1, 2, 2, 1); !NewLoops(g, NewDominators(g)).Irreducible {
		t.Error("a cycle with two entries is irreducible")
	}
}

func TestFrequencies(t *testing.T) {
	// 0 -> 1; 1 -> 2 (a half) | 3; 2, 3 -> 4; 4 -> 1 (nine of ten) | 5.
	g := graph(6, 0, 1, 1, 2, 1, 3, 2, 4, 3, 4, 4, 1, 4, 5)
	probs := []uint32{ProbOne, ProbOne / 2, ProbOne / 2, ProbOne, ProbOne, ProbOne / 10 * 9, ProbOne / 10}
	f := NewFrequencies(g, NewLoops(g, NewDominators(g)), func(e int) uint32 { return probs[e] })
	for n, want := range []float64{1, 10, 5, 5, 10, 1} {
		if math.Abs(f.Freq[n]-want) > 1e-6*want {
			t.Errorf("node %d runs %v times, want %v", n, f.Freq[n], want)
		}
	}
	// An endless loop is bounded.
	g = graph(2, 0, 1, 1, 1)
	f = NewFrequencies(g, NewLoops(g, NewDominators(g)), func(int) uint32 { return ProbOne })
	if math.Abs(f.Freq[1]-maxScale) > 1e-6*maxScale {
		t.Errorf("an endless loop runs %v times", f.Freq[1])
	}
}

func BenchmarkDominators(b *testing.B) {
	// A ladder of diamonds and nested loops of 10,000 nodes.
	const n = 10000
	g := NewGraph(n, 0)
	for i := range n - 3 {
		g.AddEdge(i, i+1)
		if i%3 == 0 {
			g.AddEdge(i, i+2)
		}
		if i%7 == 6 {
			g.AddEdge(i, i-6)
		}
	}
	g.Finish()
	d := new(Dominators)
	b.ReportAllocs()
	for b.Loop() {
		d.Compute(g)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/node")
}
