package global

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// EdgeBundles groups the edges of the control-flow graph: all edges out of a
// block are of one bundle, and all edges into one. A value that is in a register
// on one edge of a bundle must be so on the others, unless code is put on edges;
// so where a value lives between blocks is decided bundle by bundle.
//
// It is LLVM's analysis edge-bundles.
type EdgeBundles struct {
	of     []int32 // by 2*block (edges in) and 2*block+1 (edges out)
	n      int
	off    []int32 // blocks of bundle k: blocks[off[k]:off[k+1]]
	blocks []mir.BlockID
}

// Compute joins the edges.
func (e *EdgeBundles) Compute(_ *pass.Context, f *mir.Function) {
	n := 2 * f.NumBlockIDs()
	e.of = rows.Sized(e.of, n)
	for k := range e.of {
		e.of[k] = int32(k)
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for _, s := range f.Succs(b) {
			x, y := e.find(2*int32(b)+1), e.find(2*int32(s.Block))
			e.of[max(x, y)] = min(x, y)
		}
	}
	// Leaders come before their members: each gets its number first. Blocks that were removed have none.
	e.n = 0
	for k := range e.of {
		if p := e.of[k]; int(p) != k {
			e.of[k] = e.of[p]
			continue
		}
		e.of[k] = int32(e.n)
		e.n++
	}
	e.listBlocks(f)
}

func (e *EdgeBundles) find(x int32) int32 {
	for e.of[x] != x {
		e.of[x] = e.of[e.of[x]]
		x = e.of[x]
	}
	return x
}

func (e *EdgeBundles) listBlocks(f *mir.Function) {
	e.off = rows.Zeroed(e.off, e.n+1)
	each := func(visit func(bundle int32, b mir.BlockID)) {
		for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
			in, out := e.Of(b, false), e.Of(b, true)
			visit(int32(in), b)
			if out != in {
				visit(int32(out), b)
			}
		}
	}
	total := 0
	each(func(k int32, _ mir.BlockID) { e.off[k+1]++; total++ })
	for k := range e.n {
		e.off[k+1] += e.off[k]
	}
	e.blocks = rows.Sized(e.blocks, total)
	each(func(k int32, b mir.BlockID) { e.blocks[e.off[k]] = b; e.off[k]++ })
	copy(e.off[1:], e.off[:e.n])
	e.off[0] = 0
}

// Num is the number of bundles.
func (e *EdgeBundles) Num() int { return e.n }

// Of returns the bundle of the edges into b, or out of it.
func (e *EdgeBundles) Of(b mir.BlockID, out bool) int {
	if out {
		return int(e.of[2*b+1])
	}
	return int(e.of[2*b])
}

// Blocks lists the blocks that a bundle leads into or out of, in layout order.
func (e *EdgeBundles) Blocks(bundle int) []mir.BlockID {
	return e.blocks[e.off[bundle]:e.off[bundle+1]]
}

// Differs compares the bundles of all blocks.
func (e *EdgeBundles) Differs(o *EdgeBundles) string {
	if e.n != o.n || len(e.of) != len(o.of) {
		return "the number of edge bundles"
	}
	for k := range e.of {
		if e.of[k] != o.of[k] {
			return "the edge bundle of a block"
		}
	}
	return ""
}

// OfCFG is true.
func (e *EdgeBundles) OfCFG() bool { return true }

// OfEdges says that it holds until an edge changes.
func (e *EdgeBundles) OfEdges() {}
