package liveness

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// Limits of nests: they are for conditions within conditions, many deep. Elsewhere
// a walk has little to step over.
const (
	// minNestBlocks is the size in blocks of the smallest function in which nests are looked for.
	minNestBlocks = 64
	// minNest is the size in blocks of the smallest nest.
	minNest = 6
	// minNestDepth is how deep they must lie in one another somewhere.
	minNestDepth = 6
)

// nestFinder finds the blocks whose subtree of the dominator tree is a nest. An
// edge out of the subtree of a block leaves those of all blocks from there up to
// the first that also dominates where it leads: the edge's top. So a subtree has one way out
// where of the blocks that edges of it lead to one alone has a top above it, and
// it takes two of these, with the highest tops, to know (what is behind them is not
// asked for): the sums of subtrees are of fixed size.
type nestFinder struct {
	blocks []nestBlock
	order  []int32 // the dominator tree's, parents first
	ends   []mir.BlockID
}

// nestBlock is what is known of the subtree of a block.
type nestBlock struct {
	to   [2]mir.BlockID // where edges lead out, those with the highest tops; 0: none
	top  [2]int32       // the levels of these edges' tops, growing
	size int32
	// ends says that the block leads to the end of the function, stuck that there is no
	// way out of the subtree from some of its blocks, or none that is known.
	ends, stuck bool
}

// leave adds an edge out of the subtree.
func (n *nestBlock) leave(to mir.BlockID, top int32) {
	switch {
	case to == n.to[0] || to == n.to[1]:
	case n.to[0] == 0 || top < n.top[0]:
		n.to, n.top = [2]mir.BlockID{to, n.to[0]}, [2]int32{top, n.top[0]}
	case n.to[1] == 0 || top < n.top[1]:
		n.to[1], n.top[1] = to, top
	}
}

// findNests adds the nests of f, whose blocks that have successors are all reached.
func (g *regions) findNests(c *pass.Context, f *mir.Function) {
	d := &pass.Get[pass.Dominators](c, f).Dominators
	w := &g.exits
	w.blocks = rows.Zeroed(w.blocks, f.NumBlockIDs())
	w.order = d.Preorder(w.order[:0])
	w.findEnds(f)
	for k := len(w.order) - 1; k > 0; k-- {
		b := mir.BlockID(w.order[k])
		n, level := &w.blocks[b], int32(d.Level(int(b)))
		n.size++
		n.stuck = n.stuck || !n.ends || f.NumSuccs(b) == 0
		for _, s := range f.Succs(b) {
			top := int(s.Block)
			if !d.Dominates(top, int(b)) {
				top = d.IDom(top)
			}
			n.leave(s.Block, int32(d.Level(top)))
		}
		up := &w.blocks[d.IDom(int(b))]
		up.size += n.size
		up.stuck = up.stuck || n.stuck
		for i, to := range n.to {
			if to == 0 {
				continue
			}
			if n.top[i] >= level {
				n.to[i] = 0 // within
				continue
			}
			up.leave(to, n.top[i])
		}
	}
	g.nest = rows.Zeroed(g.nest, f.NumBlockIDs())
	for b := range g.nest {
		g.nest[b] = -1
	}
	deepest := int32(0)
	for _, b := range w.order[1:] {
		n, in := &w.blocks[b], g.nest[d.IDom(int(b))]
		if n.to[0] != 0 && n.to[1] == 0 && !n.stuck && n.size >= minNest {
			x := int32(len(g.all))
			g.add(region{header: mir.BlockID(b), parent: in, place: x, nested: 1})
			deepest = max(deepest, g.all[x].depth)
			in = x
		}
		g.nest[b] = in
	}
	if deepest < minNestDepth {
		g.all, g.nest = g.all[:g.firstNest], g.nest[:0]
		return
	}
	for x := int32(len(g.all)) - 1; x >= g.firstNest; x-- {
		if p := g.all[x].parent; p >= 0 {
			g.all[p].nested += g.all[x].nested
		}
	}
}

// findEnds marks the blocks from which a block without successors is reached.
func (w *nestFinder) findEnds(f *mir.Function) {
	w.ends = w.ends[:0]
	mark := func(b mir.BlockID) {
		if !w.blocks[b].ends {
			w.blocks[b].ends = true
			w.ends = append(w.ends, b)
		}
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if f.NumSuccs(b) == 0 {
			mark(b)
		}
	}
	for len(w.ends) > 0 {
		b := w.ends[len(w.ends)-1]
		w.ends = w.ends[:len(w.ends)-1]
		for _, p := range f.Preds(b) {
			mark(p)
		}
	}
}
