package globalisel

import (
	"github.com/mirin-go/mirin/codegen/callconv"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// ret stores a result that goes through memory, and lets the target return.
func (t *translator) ret(i ir.InstrID) {
	g := t.fn.Global()
	ret := callconv.Arg{Type: ir.Void, Attrs: t.mod.Attrs.At(g.Attrs).Ret}
	if t.fn.NumOps(i) == 1 {
		v := t.op(i, 0)
		ret.Type, ret.Value = t.typ(v), v
		ret.Parts, ret.Regs = t.parts(ret.Type), t.get(v)
	}
	if t.err != nil {
		return
	}
	if t.demote != 0 && len(ret.Parts) > 0 {
		base := uint8(log2(t.dl.ABIAlign(t.types, ret.Type)))
		for k, p := range ret.Parts {
			addr := t.PtrAddConst(t.demote, p.Offset)
			t.Store(ret.Regs[k], addr, mir.MemOperand{Type: p.LLT, Size: int64(p.LLT.Bytes()), Offset: p.Offset, BaseAlign: base})
		}
		ret = callconv.Arg{Type: ir.Void}
	}
	t.setErr(t.calls.returns(t.st, t.Builder, &ret, t.structReturn))
}

// br translates br: fall through is left to later passes at -O0 too, but for
// the branch to the next block, which LLVM leaves out when it optimizes.
func (t *translator) br(i ir.InstrID) {
	if t.fn.NumOps(i) == 1 {
		to := t.blocks[t.op(i, 0).Block()]
		t.jump(to)
		t.f.MergeSucc(t.mb.Block, to, t.prob(0))
		return
	}
	yes, no := t.blocks[t.op(i, 1).Block()], t.blocks[t.op(i, 2).Block()]
	if yes == no {
		t.jump(yes)
		t.f.MergeSucc(t.mb.Block, yes, t.prob(0))
		t.f.MergeSucc(t.mb.Block, yes, t.prob(1))
		return
	}
	if t.branches(i, yes, no) {
		return
	}
	t.branchIf(t.op(i, 0), t.get1(t.op(i, 0)), yes, no)
	t.f.MergeSucc(t.mb.Block, yes, t.prob(0))
	t.f.MergeSucc(t.mb.Block, no, t.prob(1))
}

// prob is the probability of edge k out of the current IR block, which is
// estimated when optimizing alone.
func (t *translator) prob(k int) mir.Prob {
	if t.c.Opt == 0 {
		return mir.UnknownProb
	}
	return mir.Prob(t.probs.Edge(int(t.cfg.SuccEdges(int(t.cur))[k])))
}

// jump builds G_BR unless optimizing and the block is the next one.
func (t *translator) jump(to mir.BlockID) {
	if t.c.Opt > 0 && t.f.NextBlock(t.mb.Block) == to {
		return
	}
	t.Build(desc.G_BR, mir.BlockOp(to))
}

// attachment returns the metadata of a kind that i carries, 0 for none.
func (t *translator) attachment(i ir.InstrID, kind uint32) ir.MDID {
	for a := t.fn.Instr(i).MD; a != 0; a = t.fn.Attachments[a].Next {
		if t.fn.Attachments[a].Kind == kind {
			return t.fn.Attachments[a].Node
		}
	}
	return 0
}

func (t *translator) indirectBr(i ir.InstrID) {
	r := t.get1(t.op(i, 0))
	t.Build(desc.G_BRINDIRECT, Use(r))
	for n := 1; n < t.fn.NumOps(i); n++ {
		t.f.MergeSucc(t.mb.Block, t.blocks[t.op(i, n).Block()], t.prob(n-1))
	}
}
