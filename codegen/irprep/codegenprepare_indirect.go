package irprep

import (
	"github.com/mirin-go/mirin/ir"
)

// splitIndirectEdges gives the targets of an indirectbr that are reached by
// other ways too, and have PHIs, a block of their own for those ways. Nothing can be put on an edge of an
// indirectbr, so the copies of such PHIs would stand before it, those for all
// its targets on each way; now they stand in the targets.
func (p *preparer) splitIndirectEdges() {
	f := p.f
	p.blocks = p.blocks[:0]
	for _, b := range f.Order {
		if t := f.Terminator(b); t != 0 && f.Instrs[t].Op == ir.OpIndirectBr {
			for _, s := range f.Succs(b) {
				p.blocks = append(p.blocks, s)
			}
		}
	}
	done := map[ir.BlockID]bool{}
	for _, b := range p.blocks {
		if !done[b] {
			done[b] = true
			p.splitIndirectTarget(b)
		}
	}
}

// splitIndirectTarget does one target. It stays where the indirectbr leads, and
// has its PHIs with the values from there.
func (p *preparer) splitIndirectTarget(target ir.BlockID) {
	f := p.f
	place := p.firstPlace(target)
	if place == 0 || place == f.Blocks[target].First {
		return
	}
	from := ir.InstrID(0)
	p.edges = p.edges[:0]
	for u := range f.Preds(target) {
		switch f.Instrs[u.I].Op {
		case ir.OpIndirectBr:
			if from != 0 {
				return // of several, or several times of one
			}
			from = u.I
		case ir.OpBr, ir.OpSwitch:
			p.edges = append(p.edges, u)
		default:
			return
		}
	}
	if from == 0 || len(p.edges) == 0 {
		return
	}
	p.c.Count("codegenprepare", "Number of targets of indirectbr that were split", 1)
	body := f.SplitBlock(place, "")
	direct := f.AddBlockAfter(target, "")
	out := f.Append(direct, ir.Instr{Op: ir.OpBr, Type: ir.Void, Loc: f.Instrs[f.Terminator(target)].Loc}, ir.BlockVal(body))
	place = f.Blocks[body].First
	for phi := range f.Phis(target) {
		t := f.Instrs[phi].Type
		one := p.insert(place, ir.Instr{Op: ir.OpPhi, Type: t, Flags: f.Instrs[phi].Flags})
		f.ReplaceAllUses(ir.Local(phi), one)
		other := p.insert(out, ir.Instr{Op: ir.OpPhi, Type: t, Flags: f.Instrs[phi].Flags})
		// What a PHI has for the indirectbr stays; the rest moves.
		var stay, move []ir.Value
		ops := f.Ops(phi)
		for k := 0; k < len(ops); k += 2 {
			if ops[k+1] == ir.BlockVal(f.Instrs[from].Block) {
				stay = append(stay, ops[k], ops[k+1])
			} else {
				move = append(move, ops[k], ops[k+1])
			}
		}
		f.SetOps(phi, stay)
		f.SetOps(other.Instr(), move)
		f.SetOps(one.Instr(), []ir.Value{ir.Local(phi), ir.BlockVal(target), other, ir.BlockVal(direct)})
	}
	for _, u := range p.edges {
		f.SetOp(u.I, u.N, ir.BlockVal(direct))
	}
}
