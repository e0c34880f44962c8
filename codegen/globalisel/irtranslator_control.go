package globalisel

import (
	"math/bits"

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
		t.f.MergeSucc(t.mb.Block, to, mir.UnknownProb)
		return
	}
	c := t.get1(t.op(i, 0))
	yes, no := t.blocks[t.op(i, 1).Block()], t.blocks[t.op(i, 2).Block()]
	if yes == no {
		t.jump(yes)
		t.f.MergeSucc(t.mb.Block, yes, mir.UnknownProb)
		return
	}
	t.Build(desc.G_BRCOND, Use(c), mir.BlockOp(yes))
	t.jump(no)
	py, pn := mir.UnknownProb, mir.UnknownProb
	if w := t.branchWeights(i, 2); w != nil {
		py, pn = weightProb(w[0], w[0]+w[1]), weightProb(w[1], w[0]+w[1])
	}
	t.f.MergeSucc(t.mb.Block, yes, py)
	t.f.MergeSucc(t.mb.Block, no, pn)
}

// jump builds G_BR unless optimizing and the block is the next one.
func (t *translator) jump(to mir.BlockID) {
	if t.c.Opt > 0 && t.f.NextBlock(t.mb.Block) == to {
		return
	}
	t.Build(desc.G_BR, mir.BlockOp(to))
}

// mdProf is the number of the fixed metadata kind "prof".
const mdProf = 2

// attachment returns the metadata of a kind that i carries, 0 for none.
func (t *translator) attachment(i ir.InstrID, kind uint32) ir.MDID {
	for a := t.fn.Instr(i).MD; a != 0; a = t.fn.Attachments[a].Next {
		if t.fn.Attachments[a].Kind == kind {
			return t.fn.Attachments[a].Node
		}
	}
	return 0
}

// branchWeights reads n branch weights of !prof, nil when there are none or
// when nothing is optimized.
func (t *translator) branchWeights(i ir.InstrID, n int) []uint64 {
	if t.c.Opt == 0 {
		return nil
	}
	md := t.attachment(i, mdProf)
	if md == 0 {
		return nil
	}
	node := t.mod.MD.At(md)
	if node == nil || len(node.Ops) < 1+n {
		return nil
	}
	if s := t.mod.MD.At(node.Ops[0]); s == nil || s.Str != "branch_weights" {
		return nil
	}
	out, sum := make([]uint64, n), uint64(0)
	for k, id := range node.Ops[len(node.Ops)-n:] {
		m := t.mod.MD.At(id)
		if m == nil || m.Kind != ir.MDConst {
			return nil
		}
		v, ok := t.mod.Consts.SignedInt(t.types, m.Value)
		if !ok {
			return nil
		}
		out[k] = uint64(uint32(v))
		sum += out[k]
	}
	if sum == 0 {
		return nil
	}
	return out
}

// weightProb is w of sum as a probability, rounded to the nearest. The weights
// of many cases sum to more than 33 bits, so that the product needs 128.
func weightProb(w, sum uint64) mir.Prob {
	hi, lo := bits.Mul64(w, uint64(mir.ProbOne))
	lo, carry := bits.Add64(lo, sum/2, 0)
	q, _ := bits.Div64(hi+carry, lo, sum)
	return mir.Prob(q)
}

func (t *translator) indirectBr(i ir.InstrID) {
	r := t.get1(t.op(i, 0))
	t.Build(desc.G_BRINDIRECT, Use(r))
	for n := 1; n < t.fn.NumOps(i); n++ {
		t.f.MergeSucc(t.mb.Block, t.blocks[t.op(i, n).Block()], mir.UnknownProb)
	}
}
