// Package analysis computes facts about control-flow graphs: orders,
// dominators and post-dominators, natural loops, block frequencies.
//
// It knows nothing of IR or machine code. A caller describes its blocks as a
// [Graph] of small numbers, and everything else is dense slices over them:
//
//	g := analysis.NewGraph(blocks, entry)
//	g.AddEdge(from, to)            // in the order of the successors
//	g.Finish()
//	d := analysis.NewDominators(g)
//	l := analysis.NewLoops(g, d)
//
// Each result is a value that is computed once for a finished graph; each can
// be computed again into the same memory for the next function (Compute).
// Nodes that cannot be reached from the entry are in no order, have no
// dominator and belong to no loop.
//
// Package analysis imports the standard library only.
package analysis
