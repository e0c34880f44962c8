package mirverify

import "github.com/mirin-go/mirin/mir"

// cfgState is what the checks ask about the graph of blocks.
type cfgState struct {
	f     *mir.Function
	order []mir.BlockID // reverse post-order of the reachable blocks
	rpo   []int32       // by block: position in order + 1, 0 when unreachable
	idom  []mir.BlockID
	// pre numbers the blocks in the order of a walk over the tree of dominators;
	// a block's subtree is pre … pre+size-1.
	pre, size, slot []int32
	// pred marks the predecessors of the block that predOf names.
	pred   []mir.BlockID
	predOf mir.BlockID
	work   []frame
}

type frame struct {
	block mir.BlockID
	next  int
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	s = s[:n]
	clear(s)
	return s
}

// build walks the graph from the entry. Dominators are made on first use.
func (c *cfgState) build(f *mir.Function) {
	c.f = f
	n := f.NumBlockIDs()
	c.rpo = resize(c.rpo, n)
	c.order, c.work, c.idom = c.order[:0], c.work[:0], c.idom[:0]
	c.pred, c.predOf = resize(c.pred, n), 0
	if f.FirstBlock() == 0 {
		return
	}
	c.rpo[f.FirstBlock()] = 1
	c.work = append(c.work, frame{block: f.FirstBlock()})
	for len(c.work) > 0 {
		top := &c.work[len(c.work)-1]
		succs := f.Succs(top.block)
		if top.next == len(succs) {
			c.order = append(c.order, top.block)
			c.work = c.work[:len(c.work)-1]
			continue
		}
		s := succs[top.next].Block
		top.next++
		if c.rpo[s] == 0 {
			c.rpo[s] = 1
			c.work = append(c.work, frame{block: s})
		}
	}
	for a, b := 0, len(c.order)-1; a < b; a, b = a+1, b-1 {
		c.order[a], c.order[b] = c.order[b], c.order[a]
	}
	for k, b := range c.order {
		c.rpo[b] = int32(k + 1)
	}
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

func (c *cfgState) reachable(b mir.BlockID) bool { return c.rpo[b] != 0 }

// dominators computes immediate dominators by iteration over the reverse
// post-order.
func (c *cfgState) dominators() {
	if len(c.idom) > 0 || len(c.order) == 0 {
		return
	}
	c.idom = resize(c.idom, len(c.rpo))
	entry := c.order[0]
	c.idom[entry] = entry
	for changed := true; changed; {
		changed = false
		for _, b := range c.order[1:] {
			var d mir.BlockID
			for _, p := range c.f.Preds(b) {
				if c.idom[p] == 0 {
					continue
				}
				if d == 0 {
					d = p
					continue
				}
				for p != d {
					for c.rpo[p] > c.rpo[d] {
						p = c.idom[p]
					}
					for c.rpo[d] > c.rpo[p] {
						d = c.idom[d]
					}
				}
			}
			if c.idom[b] != d {
				c.idom[b] = d
				changed = true
			}
		}
	}
	n := len(c.rpo)
	c.pre, c.size, c.slot = resize(c.pre, n), resize(c.size, n), resize(c.slot, n)
	for k := len(c.order) - 1; k >= 0; k-- {
		b := c.order[k]
		c.size[b]++
		if k > 0 {
			c.size[c.idom[b]] += c.size[b]
		}
	}
	c.slot[entry] = 1
	for _, b := range c.order[1:] {
		d := c.idom[b]
		c.pre[b] = c.slot[d]
		c.slot[d] += c.size[b]
		c.slot[b] = c.pre[b] + 1
	}
}

// dominates reports whether every way to b passes a.
func (c *cfgState) dominates(a, b mir.BlockID) bool {
	c.dominators()
	return c.reachable(a) && c.reachable(b) && c.pre[a] <= c.pre[b] && c.pre[b] < c.pre[a]+c.size[a]
}
