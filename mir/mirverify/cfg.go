package mirverify

import (
	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/miranalysis"
	"github.com/mirin-go/mirin/support/rows"
)

// cfgState is what the checks ask about the graph of blocks.
type cfgState struct {
	f     *mir.Function
	graph analysis.Graph
	// dom is made on first use.
	dom     analysis.Dominators
	haveDom bool
	// pred marks the predecessors of the block that predOf names.
	pred   []mir.BlockID
	predOf mir.BlockID
}

// build takes the graph from the lists of successors.
func (c *cfgState) build(f *mir.Function) {
	c.f, c.haveDom = f, false
	c.pred, c.predOf = rows.Zeroed(c.pred, f.NumBlockIDs()), 0
	miranalysis.FillCFG(&c.graph, f)
}

// isPred reports whether p is a predecessor of b; calls with the same b are cheap.
func (c *cfgState) isPred(p, b mir.BlockID) bool {
	if c.predOf != b {
		c.predOf = b
		for _, x := range c.f.Preds(b) {
			c.pred[x] = b
		}
	}
	return c.pred[p] == b
}

func (c *cfgState) reachable(b mir.BlockID) bool { return c.graph.Reachable(int(b)) }

// dominates reports whether b is reached, and every way to it passes a.
func (c *cfgState) dominates(a, b mir.BlockID) bool {
	if !c.haveDom {
		c.dom.Compute(&c.graph)
		c.haveDom = true
	}
	return c.reachable(b) && c.dom.Dominates(int(a), int(b))
}
