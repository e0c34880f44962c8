package globalisel

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// This file makes branches of their own of the parts of a condition: who
// branches on a && b tests a, and b in a block that is reached where a does not
// decide. Where b costs next to nothing both are computed and one branch is taken.

// maxConditions is how many parts of a condition become branches.
const maxConditions = 8

// maxTogether is the cost, in cycles, of a second condition that is cheaper to
// compute than to branch around (LLVM's for x86, and right for what predicts branches).
const maxTogether = 2

// mdUnpredictable is the number of the fixed metadata kind "unpredictable".
const mdUnpredictable = 15

// countUses fills t.uses.
func (t *translator) countUses() {
	t.uses = rows.Zeroed(t.uses, len(t.fn.Instrs))
	for _, b := range t.fn.Order {
		for i := t.fn.Blocks[b].First; i != 0; i = t.fn.Instr(i).Next {
			for _, v := range t.fn.Ops(i) {
				if n := v.Instr(); v.Tag() == ir.TagLocal && n != 0 && t.uses[n] < 255 {
					t.uses[n]++
				}
			}
		}
	}
}

// usedOnce gives the instruction of the current block that makes v, when v has one user.
func (t *translator) usedOnce(v ir.Value) (ir.InstrID, bool) {
	if v.Tag() != ir.TagLocal {
		return 0, false
	}
	i := v.Instr()
	return i, i != 0 && t.uses[i] == 1 && t.fn.Instr(i).Block == t.cur
}

// logical takes apart x && y or x || y, in any form.
func (t *translator) logical(v ir.Value) (op ir.Op, x, y ir.Value, ok bool) {
	i, once := t.usedOnce(v)
	if !once || t.types.IntBits(t.fn.Instr(i).Type) != 1 {
		return 0, 0, 0, false
	}
	isConst := func(v ir.Value, want int64) bool {
		n, ok := t.pool.SignedInt(t.types, v)
		return ok && n&1 == want
	}
	switch t.fn.Instr(i).Op {
	case ir.OpAnd:
		return ir.OpAnd, t.op(i, 0), t.op(i, 1), true
	case ir.OpOr:
		return ir.OpOr, t.op(i, 0), t.op(i, 1), true
	case ir.OpSelect:
		switch c, a, b := t.op(i, 0), t.op(i, 1), t.op(i, 2); {
		case isConst(b, 0):
			return ir.OpAnd, c, a, true
		case isConst(a, 1):
			return ir.OpOr, c, b, true
		}
	}
	return 0, 0, 0, false
}

// conditions appends the parts of v, which op joins, to t.conds and what joins them to t.joins.
func (t *translator) conditions(v ir.Value, op ir.Op) {
	if o, x, y, ok := t.logical(v); ok && o == op && len(t.conds) < maxConditions-1 {
		t.joins = append(t.joins, v.Instr())
		t.conditions(x, op)
		t.conditions(y, op)
		return
	}
	t.conds = append(t.conds, v)
}

// keepTogether tells that y is cheaper than a branch around it, or that
// comparing x and y together is one comparison.
func (t *translator) keepTogether(op ir.Op, x, y ir.Value) bool {
	a, b := t.comparison(x), t.comparison(y)
	if a != 0 && b != 0 && t.fn.Instr(a).Op == ir.OpICmp && t.fn.Instr(b).Op == ir.OpICmp {
		p, q := t.fn.Instr(a).Pred, t.fn.Instr(b).Pred
		if t.op(a, 0) == t.op(b, 0) && t.op(a, 1) == t.op(b, 1) {
			return true
		}
		// x == 0 && y == 0, x != 0 || y != 0: one number is (is not) 0.
		if p == q && (op == ir.OpAnd && p == ir.ICmpEQ || op == ir.OpOr && p == ir.ICmpNE) && t.isZero(t.op(a, 1)) && t.isZero(t.op(b, 1)) {
			return true
		}
	}
	if t.st.Target.ISel.JumpsAreCheap {
		return false
	}
	if op == ir.OpOr && t.isEquality(x) && t.isEquality(y) {
		return false
	}
	left := maxTogether
	t.spend(y, &left, 6)
	return left >= 0
}

// isEquality tells x == y, or several such that OR joins: each is seldom true.
func (t *translator) isEquality(v ir.Value) bool {
	if op, _, y, ok := t.logical(v); ok {
		return op == ir.OpOr && t.isEquality(y)
	}
	c := t.comparison(v)
	return c != 0 && t.fn.Instr(c).Op == ir.OpICmp && t.fn.Instr(c).Pred == ir.ICmpEQ
}

func (t *translator) isZero(v ir.Value) bool {
	n, ok := t.pool.SignedInt(t.types, v)
	return ok && n == 0
}

// comparison gives the comparison that makes v, 0 for none.
func (t *translator) comparison(v ir.Value) ir.InstrID {
	if v.Tag() == ir.TagLocal && v.Instr() != 0 {
		if op := t.fn.Instr(v.Instr()).Op; op == ir.OpICmp || op == ir.OpFCmp {
			return v.Instr()
		}
	}
	return 0
}

// spend takes from left what it costs to compute v, with what it alone needs.
func (t *translator) spend(v ir.Value, left *int, depth int) {
	i, once := t.usedOnce(v)
	if !once || depth == 0 || *left < 0 {
		return
	}
	switch t.fn.Instr(i).Op {
	case ir.OpPhi, ir.OpArgument:
		return
	case ir.OpTrunc, ir.OpBitCast, ir.OpIntToPtr, ir.OpPtrToInt, ir.OpFreeze, ir.OpGEP:
	case ir.OpICmp, ir.OpAdd, ir.OpSub, ir.OpAnd, ir.OpOr, ir.OpXor, ir.OpShl, ir.OpLShr, ir.OpAShr, ir.OpZExt, ir.OpSExt, ir.OpSelect:
		*left--
	default:
		*left -= maxTogether + 1 // memory, floating point, products, calls
	}
	for k := range t.fn.NumOps(i) {
		t.spend(t.op(i, k), left, depth-1)
	}
}

// branches makes several branches of the conditional branch i; false when one is right.
func (t *translator) branches(i ir.InstrID, yes, no mir.BlockID) bool {
	if t.c.Opt == 0 {
		return false
	}
	op, x, y, ok := t.logical(t.op(i, 0))
	if !ok || t.attachment(i, mdUnpredictable) != 0 || t.keepTogether(op, x, y) {
		return false
	}
	t.conds, t.joins = t.conds[:0], t.joins[:0]
	t.conditions(t.op(i, 0), op)
	f, first := t.f, t.mb.Block
	t.dropJoins()
	toYes, toNo := edge{t.cur, t.op(i, 1).Block()}, edge{t.cur, t.op(i, 2).Block()}
	p, q := t.prob(0), t.prob(1)
	for k, v := range t.conds {
		c := t.conditionIn(v, first)
		next, last := mir.BlockID(0), k == len(t.conds)-1
		if !last {
			next = t.newBlockAfter(t.mb.Block)
		}
		this := t.mb.Block
		a, b, pa, pb := yes, no, p, q
		switch {
		case last:
		case op == ir.OpAnd:
			// Half of what fails fails here.
			a, pa, pb = next, p+q/2, q/2
		default:
			b, pa, pb = next, p/2, q+p/2
		}
		t.branchIf(v, c, a, b)
		f.MergeSucc(this, a, pa)
		f.MergeSucc(this, b, pb)
		if a == yes {
			t.preds[toYes] = append(t.preds[toYes], this)
		}
		if b == no {
			t.preds[toNo] = append(t.preds[toNo], this)
		}
		if last {
			break
		}
		// Of those that come to the next block.
		if op == ir.OpAnd {
			p, q = share(p, q/2)
		} else {
			p, q = share(p/2, q)
		}
		t.enterBlock(next)
	}
	return true
}

// branchIf branches to yes if condition v, which c holds, is true, to no otherwise.
// That floating-point numbers are equal and ordered is asked the other way round:
// either of two flags then decides, with a branch for each.
func (t *translator) branchIf(v ir.Value, c mir.Reg, yes, no mir.BlockID) {
	if f, d := t.f, t.f.UniqueDef(c); t.c.Opt > 0 && d != 0 && f.Instr(d).Opcode == desc.G_FCMP &&
		ir.Pred(f.Op(d, 1).Imm()) == ir.FCmpOEQ && f.Instr(d).Block() == t.mb.Block && !f.HasUses(c) {
		if _, ok := t.usedOnce(v); ok {
			n := t.New(f.TypeOf(c))
			unequal := t.Build(desc.G_FCMP, Def(n), mir.PredOp(uint8(ir.FCmpUNE)), Use(f.Op(d, 2).Reg()), Use(f.Op(d, 3).Reg()))
			f.Instr(unequal).SetFlags(f.Instr(d).Flags())
			c, yes, no = n, no, yes
		}
	}
	t.Build(desc.G_BRCOND, Use(c), mir.BlockOp(yes))
	t.jump(no)
}

// share makes probabilities that sum to one of two that do not.
func share(p, q mir.Prob) (mir.Prob, mir.Prob) {
	sum := uint64(p) + uint64(q)
	if sum == 0 {
		return mir.ProbOne / 2, mir.ProbOne / 2
	}
	a := mir.Prob((uint64(p)*uint64(mir.ProbOne) + sum/2) / sum)
	return a, mir.ProbOne - a
}

// dropJoins erases what joined the conditions.
func (t *translator) dropJoins() {
	f := t.f
	for _, i := range t.joins {
		r := t.get1(ir.Local(i))
		if d := f.UniqueDef(r); d != 0 && !f.HasUses(r) {
			f.DropDebugUses(r)
			f.Erase(d)
		}
	}
}

// conditionIn gives the register of condition v in the current block: a
// comparison that nobody else wants is brought here from block first.
func (t *translator) conditionIn(v ir.Value, first mir.BlockID) mir.Reg {
	f, r := t.f, t.get1(v)
	if _, once := t.usedOnce(v); !once || t.mb.Block == first || t.comparison(v) == 0 {
		return r
	}
	if d := f.UniqueDef(r); d != 0 && f.Instr(d).Block() == first && !f.HasUses(r) {
		f.DropDebugUses(r)
		f.Move(t.mb.Block, 0, d)
	}
	return r
}

// fallThrough turns conditional branches to the block behind round where nothing later can
// (Subtarget.ReversesBranches), so that the jump beside them is what goes away.
func (t *translator) fallThrough() {
	f := t.f
	if t.c.Opt == 0 || t.st.ReversesBranches() {
		return
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		jump := f.Block(b).Last()
		if jump == 0 || f.Instr(jump).Opcode != desc.G_BR {
			continue
		}
		br := f.Instr(jump).Prev()
		if br == 0 || f.Instr(br).Opcode != desc.G_BRCOND || f.Op(br, 1).Block() != f.NextBlock(b) {
			continue
		}
		c := f.Op(br, 0).Reg()
		if d := f.UniqueDef(c); d != 0 && f.Instr(d).Opcode == desc.G_ICMP && f.HasOneUse(c) {
			f.ReplaceOp(d, 1, mir.PredOp(uint8(ir.Pred(f.Op(d, 1).Imm()).Inverse())))
		} else {
			at := Builder{Builder: &mir.Builder{F: f, Loc: f.Instr(br).Loc}}
			at.SetBefore(br)
			f.SetReg(br, 0, at.Bin(desc.G_XOR, f.TypeOf(c), c, at.Const(f.TypeOf(c), 1)))
		}
		yes, no := f.Op(br, 1).Block(), f.Op(jump, 0).Block()
		f.SetBlock(br, 1, no)
		f.SetBlock(jump, 0, yes)
	}
}
