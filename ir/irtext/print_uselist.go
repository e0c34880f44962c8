package irtext

import (
	"slices"

	"github.com/mirin-go/mirin/ir"
)

// useOrders prints the directives of use-list orders of a function or, when p.f is nil, of the module.
func (p *printer) useOrders(list []ir.UseOrder, indexes []uint32) {
	if !p.useLists || len(list) == 0 {
		return
	}
	p.str("\n; uselistorder directives\n")
	for _, u := range list {
		if p.f != nil {
			p.str("  ")
		}
		p.str("uselistorder ")
		switch {
		case u.Value.Tag() == ir.TagBlock:
			p.str("label ")
			p.blockName(u.Value.Block())
		case p.f != nil:
			p.typedOperand(&p.f.Consts, u.Value)
		default:
			p.typedOperand(&p.m.Consts, u.Value)
		}
		p.str(", { ")
		for i, x := range indexes[u.Off : u.Off+u.N] {
			if i > 0 {
				p.str(", ")
			}
			p.int(int(x))
		}
		p.str(" }\n")
	}
}

// orderedPreds returns the predecessors of a block, the last use of it first in
// the list of uses behind the others, in the order that the file gave.
func (p *printer) orderedPreds(b ir.BlockID) []ir.BlockID {
	preds := p.predsOf[b]
	for _, u := range p.f.UseOrders {
		if u.Value != ir.BlockVal(b) || int(u.N) != len(preds) {
			continue
		}
		// LLVM's list begins with the last use; ours is turned round.
		n := len(preds)
		out := slices.Clone(preds)
		for i, to := range p.f.UseIndexes[u.Off : u.Off+u.N] {
			if int(to) < n {
				out[n-1-int(to)] = preds[n-1-i]
			}
		}
		return out
	}
	return preds
}
