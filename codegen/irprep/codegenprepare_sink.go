package irprep

import (
	"github.com/mirin-go/mirin/ir"
)

// sinkUsersFirst walks up the function, so that what uses a value has moved
// before the value is looked at.
func (p *preparer) sinkUsersFirst() {
	f := p.f
	for k := len(f.Order) - 1; k >= 0; k-- {
		b := f.Order[k]
		for i := f.Blocks[b].Last; i != 0; {
			prev := f.Instrs[i].Prev
			switch f.Instrs[i].Op {
			case ir.OpICmp, ir.OpFCmp:
				if p.comparable(i) {
					p.sink(i)
				}
			case ir.OpAnd:
				p.sinkMask(i)
			case ir.OpTrunc, ir.OpBitCast, ir.OpPtrToInt, ir.OpIntToPtr, ir.OpPtrToAddr:
				if p.isCopy(i) {
					p.sink(i)
				}
			case ir.OpZExt, ir.OpSExt:
				p.extendLoad(i)
			}
			i = prev
		}
	}
}

// comparable reports comparisons that are cheaper made again than their result
// kept: of values in one register, with one flag as result.
func (p *preparer) comparable(i ir.InstrID) bool {
	t := p.f.TypeOf(p.f.Op(i, 0))
	if p.t.IsVector(t) {
		return false
	}
	switch p.t.Kind(t) {
	case ir.KindInteger:
		return p.t.IntBits(t) <= 64
	case ir.KindPointer, ir.KindFloat, ir.KindDouble:
		return true
	}
	return false
}

// isCopy reports casts that are no more than another name of a register. Those of
// constants are where they are on purpose (consthoist).
func (p *preparer) isCopy(i ir.InstrID) bool {
	if p.f.Op(i, 0).Const() != 0 {
		return false
	}
	from, to := p.f.TypeOf(p.f.Op(i, 0)), p.f.Instrs[i].Type
	kf, kt := p.t.Kind(from), p.t.Kind(to)
	whole := func(k ir.TypeKind, t ir.Type) bool {
		return k == ir.KindPointer || k == ir.KindInteger && p.t.IntBits(t) <= 64
	}
	if !whole(kf, from) || !whole(kt, to) {
		return false
	}
	return p.dl.SizeInBits(p.t, from) >= p.dl.SizeInBits(p.t, to)
}

// sink computes i again in each other block that uses it, and there only.
func (p *preparer) sink(i ir.InstrID) {
	f := p.f
	b := f.Instrs[i].Block
	p.work = p.work[:0]
	for u := range f.Uses(ir.Local(i)) {
		if u.N >= 0 && f.Instrs[u.I].Block != b && f.Instrs[u.I].Op != ir.OpPhi {
			p.work = append(p.work, u.I)
		}
	}
	if len(p.work) == 0 {
		return
	}
	in := f.Instrs[i]
	ops := [2]ir.Value{}
	n := copy(ops[:], f.Ops(i))
	copies := map[ir.BlockID]ir.Value{}
	for k, user := range p.work {
		to := f.Instrs[user].Block
		v, ok := copies[to]
		if !ok {
			at := user
			if several(f, p.work[k+1:], user, to) {
				at = p.firstPlace(to)
			}
			if at == 0 {
				continue
			}
			v = ir.Local(f.InsertBefore(at, copyOf(&in), ops[:n]...))
			copies[to] = v
		}
		for n, op := range f.Ops(user) {
			if op == ir.Local(i) {
				f.SetOp(user, n, v)
			}
		}
	}
	p.c.Count("codegenprepare", "Number of uses of Cmp expressions replaced with uses of sunken Cmps", int64(len(p.work)))
	if !f.HasUses(ir.Local(i)) {
		f.Erase(i)
	}
}

// several reports whether another instruction than user stands in block b.
func several(f *ir.Function, users []ir.InstrID, user ir.InstrID, b ir.BlockID) bool {
	for _, u := range users {
		if u != user && f.Instrs[u].Block == b {
			return true
		}
	}
	return false
}

// copyOf is a row for another instruction that computes what in does.
func copyOf(in *ir.Instr) ir.Instr {
	return ir.Instr{Op: in.Op, Pred: in.Pred, Flags: in.Flags, Type: in.Type, SrcType: in.SrcType, Loc: in.Loc}
}

// sinkMask moves a mask by a constant to comparisons with zero in other blocks,
// where both become one test.
func (p *preparer) sinkMask(i ir.InstrID) {
	f := p.f
	if _, ok := p.constant(f.Op(i, 1)); !ok {
		return
	}
	for u := range f.Uses(ir.Local(i)) {
		in := &f.Instrs[u.I]
		if in.Op != ir.OpICmp || in.Block == f.Instrs[i].Block || in.Pred != ir.ICmpEQ && in.Pred != ir.ICmpNE {
			return
		}
		if c, ok := p.constant(f.Op(u.I, 1)); !ok || c != 0 {
			return
		}
	}
	p.sink(i)
}

// extendLoad moves an extension of a load to the load, which then does it.
func (p *preparer) extendLoad(i ir.InstrID) {
	f := p.f
	l := f.Op(i, 0).Instr()
	if l == 0 || f.Instrs[l].Op != ir.OpLoad || f.Instrs[l].Block == f.Instrs[i].Block || !f.HasOneUse(ir.Local(l)) {
		return
	}
	if t := f.Instrs[i].Type; p.t.Kind(t) != ir.KindInteger || p.t.IntBits(t) > 64 {
		return
	}
	p.c.Count("codegenprepare", "Number of [s|z]ext instructions combined with loads", 1)
	f.MoveBefore(i, f.Instrs[l].Next)
}
