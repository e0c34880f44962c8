package irprep

import (
	"github.com/mirin-go/mirin/ir"
)

// removeEmptyBlocks takes out blocks that have nothing but PHIs for those of
// their one successor, and a branch to it.
func (p *preparer) removeEmptyBlocks() {
	f := p.f
	p.blocks = append(p.blocks[:0], f.Order[1:]...)
	for _, b := range p.blocks {
		t := f.Terminator(b)
		if t == 0 || f.Instrs[t].Op != ir.OpBr || f.NumOps(t) != 1 || f.Instrs[t].Records != 0 || f.Blocks[b].Records != 0 {
			continue
		}
		to := f.Op(t, 0).Block()
		if to == b || !p.onlyPhisFor(b, to) || !p.canMerge(b, to) || p.addressTaken(b) {
			continue
		}
		p.mergeEmpty(b, to)
		p.c.Count("codegenprepare", "Number of blocks eliminated", 1)
	}
	f.DropClearedBlocks()
}

// onlyPhisFor reports whether b has, before its branch, PHIs alone, whose values
// only PHIs of block to read, on the way from b.
func (p *preparer) onlyPhisFor(b, to ir.BlockID) bool {
	f := p.f
	for i := f.Blocks[b].First; i != f.Terminator(b); i = f.Instrs[i].Next {
		if f.Instrs[i].Op != ir.OpPhi || f.Instrs[i].Records != 0 {
			return false
		}
		for u := range f.Uses(ir.Local(i)) {
			if f.Instrs[u.I].Op != ir.OpPhi || f.Instrs[u.I].Block != to || u.N < 0 || f.Op(u.I, u.N+1) != ir.BlockVal(b) {
				return false
			}
		}
	}
	return true
}

// How many ways into an empty block are looked at.
const maxEmptyPreds = 64

// canMerge reports whether the ways into b may lead to block to instead: each
// by an ordinary branch from a block that does not lead there already, so that no PHI
// would need two values for one way. Blocks through which loops are entered
// and go round stay: there is room in them for what leaves the loop, and for copies.
func (p *preparer) canMerge(b, to ir.BlockID) bool {
	f := p.f
	n := 0
	single := false
	for u := range f.Preds(b) {
		if n++; n > maxEmptyPreds {
			return false
		}
		if op := f.Instrs[u.I].Op; op != ir.OpBr {
			return false
		}
		single = f.NumOps(u.I) == 1
		from := f.Instrs[u.I].Block
		for k, s := range f.Succs(from) {
			if s == to || s == b && k != u.N {
				return false
			}
		}
	}
	if n == 0 {
		return false
	}
	if n > 1 || !single {
		return f.Instrs[f.Blocks[to].First].Op != ir.OpPhi // else the block has copies to make
	}
	return true
}

// mergeEmpty makes the ways into b lead to block to, and removes b.
func (p *preparer) mergeEmpty(b, to ir.BlockID) {
	f := p.f
	p.edges = p.edges[:0]
	for u := range f.Preds(b) {
		p.edges = append(p.edges, u)
	}
	for _, u := range p.edges {
		f.SetSucc(u.I, u.N, to, func(phi ir.InstrID) ir.Value {
			v := f.Incoming(phi, b)
			if i := v.Instr(); i != 0 && f.Instrs[i].Op == ir.OpPhi && f.Instrs[i].Block == b {
				return f.Incoming(i, f.Instrs[u.I].Block)
			}
			return v
		})
	}
	f.ClearBlock(b)
}

// foldPhis makes PHIs with one value that value: a copy of a constant for one
// would stand in the block before, on all ways out of it.
func (p *preparer) foldPhis() {
	f := p.f
	for _, b := range f.Order {
		for phi := range f.Phis(b) {
			v := f.Op(phi, 0)
			if v == ir.Local(phi) {
				continue
			}
			same := true
			for k := 2; k < f.NumOps(phi); k += 2 {
				same = same && f.Op(phi, k) == v && !v.IsLocal()
			}
			if same {
				f.ReplaceAllUses(ir.Local(phi), v)
				f.Erase(phi)
			}
		}
	}
}
