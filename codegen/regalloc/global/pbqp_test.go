package global

import (
	"math/rand/v2"
	"testing"
)

// total is what the choices of a problem cost.
func (g *pbqp) total(nodes []float32, edges [][3]int32, choice []int32) float32 {
	sum := float32(0)
	at := 0
	for n := range g.nodes {
		sum += nodes[at+int(choice[n])]
		at += int(g.nodes[n].n)
	}
	for _, e := range edges {
		m := &g.mats[e[2]]
		sum += g.cells[m.at+choice[e[0]]*m.cols+choice[e[1]]]
	}
	return sum
}

// A problem whose nodes can be taken out by R0, R1 and R2 alone is solved to the
// optimum: trees with rings of triangles, against all choices that there are.
func TestPBQPOptimum(t *testing.T) {
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		var g pbqp
		n := 2 + rnd.IntN(6)
		for range n {
			costs := g.addNode(2 + rnd.IntN(3))
			for k := range costs {
				costs[k] = float32(rnd.IntN(20))
			}
		}
		var edges [][3]int32
		join := func(a, b int32) {
			m, cells := g.addMatrix(int(g.nodes[a].n), int(g.nodes[b].n))
			for k := range cells[:g.nodes[a].n*g.nodes[b].n] {
				cells[k] = float32(rnd.IntN(12) - 3)
			}
			g.measure(m)
			g.addEdge(a, b, m)
			edges = append(edges, [3]int32{a, b, m})
		}
		// Each node is joined to one before it, or to both ends of an edge before it.
		for k := int32(1); int(k) < n; k++ {
			if len(edges) > 0 && rnd.IntN(2) == 0 {
				e := edges[rnd.IntN(len(edges))]
				join(e[0], k)
				join(k, e[1])
			} else {
				join(int32(rnd.IntN(int(k))), k)
			}
		}
		nodes := append([]float32(nil), g.costs...)
		choice := make([]int32, n)
		best := inf
		for {
			best = min(best, g.total(nodes, edges, choice))
			k := 0
			for ; k < n; k++ {
				if choice[k]++; choice[k] < g.nodes[k].n {
					break
				}
				choice[k] = 0
			}
			if k == n {
				break
			}
		}
		g.solve()
		for k := range choice {
			choice[k] = g.nodes[k].choice
		}
		if got := g.total(nodes, edges, choice); got != best {
			t.Errorf("seed %d: %d nodes, %d edges cost %v, %v is possible", seed, n, len(edges), got, best)
		}
	}
}

// Five nodes that all exclude each other, with three registers: the two that are
// cheapest to spill are.
func TestPBQPSpills(t *testing.T) {
	var g pbqp
	spill := []float32{50, 3, 40, 1, 60}
	for _, c := range spill {
		g.addNode(4)[0] = c
	}
	m, cells := g.addMatrix(4, 4)
	for k := 1; k < 4; k++ {
		cells[k*4+k] = inf
	}
	g.measure(m)
	for a := range int32(5) {
		for b := range a {
			g.addEdge(a, b, m)
		}
	}
	g.solve()
	seen := map[int32]bool{}
	for n := range g.nodes {
		k := g.nodes[n].choice
		if want := spill[n] < 10; (k == 0) != want {
			t.Errorf("node %d: option %d", n, k)
		}
		if k != 0 && seen[k] {
			t.Errorf("option %d is chosen twice", k)
		}
		seen[k] = true
	}
}
