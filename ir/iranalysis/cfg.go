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

// AddressTaken lists the blocks of each function whose address a constant of
// the module takes, found once: the constants of all functions are looked at,
// since any of them may name a block of any other.
type AddressTaken struct {
	module *ir.Module
	blocks map[ir.GlobalID][]ir.BlockID
}

// Blocks returns the blocks of function fn whose addresses are taken.
func (a *AddressTaken) Blocks(m *ir.Module, fn ir.GlobalID) []ir.BlockID {
	if a.module != m {
		a.find(m)
	}
	return a.blocks[fn]
}

func (a *AddressTaken) find(m *ir.Module) {
	a.module, a.blocks = m, map[ir.GlobalID][]ir.BlockID{}
	pool := func(p *ir.ConstPool) {
		for k := 1; k < p.Len(); k++ {
			if c := p.At(ir.ConstID(k)); c.Kind == ir.ConstBlockAddr {
				g := ir.GlobalID(c.Off)
				a.blocks[g] = append(a.blocks[g], ir.BlockID(c.Bits))
			}
		}
	}
	pool(&m.Consts)
	for _, id := range m.Funcs {
		if fn := m.Globals[id].Func; fn != nil {
			pool(&fn.Consts)
		}
	}
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
