package miranalysis

import (
	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/mir"
)

// FillCFG makes g the control-flow graph of f, in g's memory: nodes are
// mir.BlockIDs (0 and removed blocks are nodes without edges), edges stand in
// the order of the layout and of each block's successors.
func FillCFG(g *analysis.Graph, f *mir.Function) {
	g.Reset(f.NumBlockIDs(), int(f.FirstBlock()))
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for _, s := range f.Succs(b) {
			g.AddEdge(int(b), int(s.Block))
		}
	}
	g.Finish()
}

// AppendProbs appends the probability of each edge of a graph that FillCFG
// made, out of analysis.ProbOne.
func AppendProbs(buf []mir.Prob, f *mir.Function) []mir.Prob {
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		buf = f.AppendSuccProbs(buf, b)
	}
	return buf
}

// AppendPostOrder appends the blocks in post order of a depth-first walk from
// the entry, then those that are not reached in the order of the layout.
func AppendPostOrder(buf []mir.BlockID, g *analysis.Graph, f *mir.Function) []mir.BlockID {
	if f.FirstBlock() == 0 {
		return buf
	}
	rpo := g.RPO()
	for k := len(rpo) - 1; k >= 0; k-- {
		buf = append(buf, mir.BlockID(rpo[k]))
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if !g.Reachable(int(b)) {
			buf = append(buf, b)
		}
	}
	return buf
}
