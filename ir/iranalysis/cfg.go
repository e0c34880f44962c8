package iranalysis

import (
	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/ir"
)

// AppendSuccs appends the successors of a block in the order of the terminator's operands.
func AppendSuccs(buf []ir.BlockID, f *ir.Function, b ir.BlockID) []ir.BlockID {
	t := f.Terminator(b)
	if t == 0 {
		return buf
	}
	for _, v := range f.Ops(t) {
		if v != 0 && v.Tag() == ir.TagBlock {
			buf = append(buf, v.Block())
		}
	}
	return buf
}

// CFG is the control-flow graph of a function; nodes are ir.BlockIDs, edges
// stand in the order of the blocks and their successors.
func CFG(f *ir.Function) *analysis.Graph {
	g := new(analysis.Graph)
	FillCFG(g, f)
	return g
}

// Reached tells which blocks are reached from the entry of their function. It
// keeps the graphs of the functions that it was asked about.
type Reached struct {
	graphs map[ir.GlobalID]*analysis.Graph
}

// Block reports whether block b of function fn is reached.
func (r *Reached) Block(fn *ir.Function, b ir.BlockID) bool {
	g := r.graphs[fn.ID]
	if g == nil {
		if r.graphs == nil {
			r.graphs = map[ir.GlobalID]*analysis.Graph{}
		}
		g = CFG(fn)
		r.graphs[fn.ID] = g
	}
	return g.Reachable(int(b))
}

// FillCFG is CFG into the memory of g.
func FillCFG(g *analysis.Graph, f *ir.Function) {
	entry := 0
	if len(f.Order) > 0 {
		entry = int(f.Order[0])
	}
	g.Reset(len(f.Blocks), entry)
	var buf [16]ir.BlockID
	for _, b := range f.Order {
		for _, s := range AppendSuccs(buf[:0], f, b) {
			g.AddEdge(int(b), int(s))
		}
	}
	g.Finish()
}
