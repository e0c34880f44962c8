package analysis_test

import (
	"fmt"

	"github.com/mirin-go/mirin/analysis"
)

// A loop 1 → 2 → 1 between an entry and an exit.
func ExampleNewLoops() {
	g := analysis.NewGraph(4, 0)
	g.AddEdge(0, 1)
	g.AddEdge(1, 2)
	g.AddEdge(2, 1)
	g.AddEdge(1, 3)
	g.Finish()
	d := analysis.NewDominators(g)
	l := analysis.NewLoops(g, d)
	fmt.Println("idom of 3:", d.IDom(3))
	for n := range g.NumNodes() {
		fmt.Println(n, l.Depth(n), l.IsHeader(n))
	}
	// Output:
	// idom of 3: 1
	// 0 0 false
	// 1 1 true
	// 2 1 false
	// 3 0 false
}
