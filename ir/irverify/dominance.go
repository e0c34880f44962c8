package irverify

import (
	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/support/rows"
)

// dominance answers dominance questions of one function. Nodes are blocks.
type dominance struct {
	f     *ir.Function
	graph analysis.Graph
	tree  analysis.Dominators // computed when first asked
	known bool                // tree is that of f
	order []int32             // position of an instruction in its block
}

// successors calls f for each successor of a block, in the order of its terminator.
func successors(fn *ir.Function, b ir.BlockID, f func(ir.BlockID)) {
	i := fn.Terminator(b)
	if i == 0 {
		return
	}
	for _, o := range fn.Ops(i) {
		if t := o.Block(); t != 0 {
			f(t)
		}
	}
}

// compute makes d the dominance of f and keeps its memory.
func (d *dominance) compute(f *ir.Function) {
	d.f, d.known = f, false
	d.order = rows.Zeroed(d.order, len(f.Instrs))
	g := &d.graph
	g.Reset(len(f.Blocks), int(f.Order[0]))
	for _, b := range f.Order {
		if t := f.Terminator(b); t != 0 {
			for _, o := range f.Ops(t) {
				if to := o.Block(); to != 0 {
					g.AddEdge(int(b), int(to))
				}
			}
		}
		n := int32(0)
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			n++
			d.order[i] = n
		}
	}
	g.Finish()
}

// reached reports whether control can get to a block.
func (d *dominance) reached(b ir.BlockID) bool { return d.graph.Reachable(int(b)) }

// blockDominates reports whether a dominates b; everything dominates what is not reached.
func (d *dominance) blockDominates(a, b ir.BlockID) bool {
	switch {
	case a == b:
		return true
	case !d.reached(b):
		return true
	case !d.reached(a):
		return false
	}
	if !d.known {
		d.tree.Compute(&d.graph)
		d.known = true
	}
	return d.tree.Dominates(int(a), int(b))
}

// clear reports definitions that dominate a use for a simple reason, which
// nearly all do: that they stand before it in its block or in the entry block.
func (d *dominance) clear(def *ir.Instr, at, user ir.InstrID) bool {
	if def.Op == ir.OpInvoke || def.Op == ir.OpCallBr {
		return false
	}
	u := &d.f.Instrs[user]
	if u.Block == def.Block {
		return d.order[at] < d.order[user] && u.Op != ir.OpPhi
	}
	return def.Block == d.f.Order[0]
}

// dominatesUse reports whether the definition def may be used as operand n of user.
func (d *dominance) dominatesUse(def, user ir.InstrID, n int) bool {
	f := d.f
	useBlock := f.Instr(user).Block
	isPhi := f.Instr(user).Op == ir.OpPhi
	if isPhi {
		useBlock = f.Op(user, n|1).Block()
	}
	if !d.reached(useBlock) {
		return true
	}
	defBlock := f.Instr(def).Block
	if !d.reached(defBlock) {
		return false
	}
	switch op := f.Instr(def).Op; op {
	case ir.OpInvoke, ir.OpCallBr:
		// The value exists on the way to the normal destination alone.
		k := f.NumArgOps(def) + 1
		normal := f.Op(def, k).Block()
		if op == ir.OpCallBr {
			// The result is there in all destinations.
			return d.callBrDominates(def, user, n, useBlock, isPhi)
		}
		return d.edgeDominates(defBlock, normal, user, n, useBlock, isPhi)
	}
	if defBlock != useBlock {
		return d.blockDominates(defBlock, useBlock)
	}
	if isPhi {
		return true
	}
	return d.order[def] < d.order[user]
}

func (d *dominance) callBrDominates(def, user ir.InstrID, n int, useBlock ir.BlockID, isPhi bool) bool {
	f := d.f
	b := f.Instr(def).Block
	if isPhi && useBlock == b {
		return true
	}
	return b != useBlock && d.blockDominates(b, useBlock)
}

// edgeDominates reports whether the edge from → to dominates a use.
func (d *dominance) edgeDominates(from, to ir.BlockID, user ir.InstrID, n int, useBlock ir.BlockID, isPhi bool) bool {
	f := d.f
	if isPhi && f.Instr(user).Block == to && useBlock == from {
		return true
	}
	// The edge dominates a block when its end does, and all other ways into
	// the end come from blocks that the end dominates.
	if !d.blockDominates(to, useBlock) {
		return false
	}
	edges := 0
	for _, b := range f.Order {
		ok := true
		successors(f, b, func(t ir.BlockID) {
			if t != to {
				return
			}
			if b == from {
				edges++
				return
			}
			if !d.blockDominates(to, b) {
				ok = false
			}
		})
		if !ok {
			return false
		}
	}
	return edges == 1
}
