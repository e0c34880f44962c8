package irprep

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/iranalysis"
)

// duplicateReturns returns where a call that may be a tail call only branches
// to a return of its result, so that the call can be a jump.
func (p *preparer) duplicateReturns() {
	f := p.f
	p.blocks = append(p.blocks[:0], f.Order...)
	for _, b := range p.blocks {
		ret := f.Terminator(b)
		if ret == 0 || f.Instrs[ret].Op != ir.OpRet || b == f.Order[0] {
			continue
		}
		var phi ir.InstrID
		i := f.Blocks[b].First
		if f.Instrs[i].Op == ir.OpPhi {
			phi, i = i, f.Instrs[i].Next
		}
		if i != ret || f.NumOps(ret) == 1 && phi != 0 && f.Op(ret, 0) != ir.Local(phi) || phi != 0 && f.NumOps(ret) == 0 {
			continue
		}
		p.work = p.work[:0]
		for u := range f.Preds(b) {
			if f.Instrs[u.I].Op == ir.OpBr && f.NumOps(u.I) == 1 && p.tailCallBefore(u.I, ret, phi) {
				p.work = append(p.work, u.I)
			}
		}
		for _, br := range p.work {
			from := f.Instrs[br].Block
			in := f.Instrs[ret]
			row := ir.Instr{Op: ir.OpRet, Type: ir.Void, Loc: in.Loc}
			switch {
			case f.NumOps(ret) == 0:
				f.SetTerminator(from, row)
			case phi != 0:
				f.SetTerminator(from, row, f.Incoming(phi, from))
			default:
				f.SetTerminator(from, row, f.Op(ret, 0))
			}
			p.c.Count("codegenprepare", "Number of return instructions duplicated", 1)
		}
		if len(p.work) > 0 && !f.HasPreds(b) && !p.addressTaken(b) {
			f.RemoveBlock(b)
		}
	}
}

// tailCallBefore reports whether a branch to a return stands directly behind a
// call marked tail whose result, if any, is what is returned.
func (p *preparer) tailCallBefore(br, ret, phi ir.InstrID) bool {
	f := p.f
	call := f.Instrs[br].Prev
	if call == 0 || f.Instrs[call].Op != ir.OpCall || f.Instrs[call].Flags&(ir.TailCall|ir.MustTail) == 0 || f.IntrinsicOf(call) != ir.NotIntrinsic {
		return false
	}
	switch {
	case f.NumOps(ret) == 0:
		return true
	case phi != 0:
		return f.Incoming(phi, f.Instrs[br].Block) == ir.Local(call) && f.HasOneUse(ir.Local(call))
	}
	return f.Op(ret, 0) == ir.Local(call)
}

// addressTaken reports whether a constant is the address of a block.
func (p *preparer) addressTaken(b ir.BlockID) bool {
	taken := pass.Scratch[iranalysis.AddressTaken](p.c).Blocks(p.f.Module, p.f.ID)
	return slices.Contains(taken, b)
}
