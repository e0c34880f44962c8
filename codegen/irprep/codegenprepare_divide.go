package irprep

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/iranalysis"
	"github.com/mirin-go/mirin/target"
)

// divideGroup is a quotient and a remainder of the same operands in one block,
// which one instruction gives.
type divideGroup struct {
	signed    bool
	a, b      ir.Value
	quot, rem ir.InstrID // the first of each, 0 none
	first     ir.InstrID // which of them comes first
}

// bypassSlowDivisions gives divisions that take long a short way for small
// operands.
func (p *preparer) bypassSlowDivisions() {
	f := p.f
	for _, slow := range p.st.Target.ISel.Prepare.SlowDivide {
		if !p.st.HasFeature(slow.Feature) {
			continue
		}
		p.blocks = append(p.blocks[:0], f.Order...)
		for _, b := range p.blocks {
			p.findDivisions(b, slow.Bits)
			for len(p.divides) > 0 {
				b = p.bypassDivisions(b, slow)
			}
		}
	}
}

// findDivisions collects the divisions of a block by something that is no constant.
func (p *preparer) findDivisions(b ir.BlockID, bits int) {
	f := p.f
	p.divides = p.divides[:0]
	for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
		in := &f.Instrs[i]
		switch in.Op {
		case ir.OpUDiv, ir.OpSDiv, ir.OpURem, ir.OpSRem:
		default:
			continue
		}
		if p.t.Kind(in.Type) != ir.KindInteger || p.t.IntBits(in.Type) != bits || f.Op(i, 1).Const() != 0 {
			continue
		}
		signed, rem := in.Op == ir.OpSDiv || in.Op == ir.OpSRem, in.Op == ir.OpURem || in.Op == ir.OpSRem
		k := 0
		for k < len(p.divides) && (p.divides[k].signed != signed || p.divides[k].a != f.Op(i, 0) || p.divides[k].b != f.Op(i, 1)) {
			k++
		}
		if k == len(p.divides) {
			p.divides = append(p.divides, divideGroup{signed: signed, a: f.Op(i, 0), b: f.Op(i, 1), first: i})
		}
		if g := &p.divides[k]; rem && g.rem == 0 {
			g.rem = i
		} else if !rem && g.quot == 0 {
			g.quot = i
		}
	}
}

// bypassDivisions does the last of the groups, and returns the block in which
// the others, which stand before it or in between, are.
func (p *preparer) bypassDivisions(b ir.BlockID, slow target.SlowDivide) ir.BlockID {
	f := p.f
	g := p.divides[len(p.divides)-1]
	p.divides = p.divides[:len(p.divides)-1]
	first := g.first
	t := f.Instrs[first].Type
	ka, kb := iranalysis.KnownBits(f, p.dl, g.a), iranalysis.KnownBits(f, p.dl, g.b)
	lim := uint64(1)<<slow.Short - 1
	if ka.Min() > lim || kb.Min() > lim || p.hashed(g.a, 0) {
		return b // always long, or as good as always
	}
	ops := [2]ir.Op{ir.OpUDiv, ir.OpURem}
	if g.signed {
		ops = [2]ir.Op{ir.OpSDiv, ir.OpSRem}
	}
	p.c.Count("bypass-slow-division", "Number of divisions that got a short way", 1)
	short := p.t.Int(slow.Short)
	divide := func(at ir.InstrID, op ir.Op) ir.Value {
		x := p.insert(at, ir.Instr{Op: ir.OpTrunc, Type: short}, g.a)
		y := p.insert(at, ir.Instr{Op: ir.OpTrunc, Type: short}, g.b)
		return p.insert(at, ir.Instr{Op: ir.OpZExt, Type: t}, p.insert(at, ir.Instr{Op: op, Type: short}, x, y))
	}
	each := func(do func(op int, i ir.InstrID)) {
		for k, i := range [2]ir.InstrID{g.quot, g.rem} {
			if i != 0 {
				do(k, i)
			}
		}
	}
	if ka.Max() <= lim && kb.Max() <= lim {
		var v [2]ir.Value
		each(func(k int, i ir.InstrID) { v[k] = divide(first, ir.OpUDiv+(ops[k]-ops[0])) })
		each(func(k int, i ir.InstrID) {
			f.ReplaceAllUses(ir.Local(i), v[k])
			f.Erase(i)
		})
		return b
	}
	// What is looked at: both operands, or the one that may be long.
	bits := g.a
	switch {
	case ka.Max() <= lim:
		bits = g.b
	case kb.Max() > lim:
		bits = p.insert(first, ir.Instr{Op: ir.OpOr, Type: t}, g.a, g.b)
	}
	// A dividend that is poison makes the result poison; a branch on it would be undefined.
	bits = p.insert(first, ir.Instr{Op: ir.OpFreeze, Type: t}, bits)
	high := p.insert(first, ir.Instr{Op: ir.OpAnd, Type: t}, bits, p.int(t, int64(^lim)))
	small := p.insert(first, ir.Instr{Op: ir.OpICmp, Pred: ir.ICmpEQ, Type: ir.Int1}, high, p.int(t, 0))
	end := f.SplitBlock(first, "")
	long := f.AddBlockAfter(b, "")
	fast := f.AddBlockAfter(b, "")
	loc := f.Instrs[first].Loc
	var fastV, longV, phis [2]ir.Value
	toEnd := ir.Instr{Op: ir.OpBr, Type: ir.Void, Loc: loc}
	fastBr, longBr := f.Append(fast, toEnd, ir.BlockVal(end)), f.Append(long, toEnd, ir.BlockVal(end))
	f.SetTerminator(b, toEnd, small, ir.BlockVal(fast), ir.BlockVal(long))
	each(func(k int, i ir.InstrID) {
		fastV[k] = divide(fastBr, ir.OpUDiv+(ops[k]-ops[0]))
		longV[k] = p.insert(longBr, ir.Instr{Op: ops[k], Type: t, Flags: f.Instrs[i].Flags}, g.a, g.b)
		phis[k] = p.insert(f.Blocks[end].First, ir.Instr{Op: ir.OpPhi, Type: t}, fastV[k], ir.BlockVal(fast), longV[k], ir.BlockVal(long))
	})
	each(func(k int, i ir.InstrID) {
		f.ReplaceAllUses(ir.Local(i), phis[k])
		f.Erase(i)
	})
	return b
}

// hashed reports values whose high bits are rarely all zero: products with
// constants that are large, what is mixed by exclusive or, and PHIs of these.
func (p *preparer) hashed(v ir.Value, depth int) bool {
	f := p.f
	i := v.Instr()
	if i == 0 {
		return false
	}
	switch f.Instrs[i].Op {
	case ir.OpXor:
		return true
	case ir.OpMul:
		c, ok := p.constant(f.Op(i, 1))
		return ok && uint64(c)>>16 != 0
	case ir.OpPhi:
		if depth > 0 || f.NumOps(i) > 32 {
			return false
		}
		for n := 0; n < f.NumOps(i); n += 2 {
			if c := f.Op(i, n).Const(); c != 0 && (f.Consts.At(c).Kind == ir.ConstUndef || f.Consts.At(c).Kind == ir.ConstPoison) {
				continue
			}
			if k, ok := p.constant(f.Op(i, n)); !(ok && uint64(k)>>32 != 0) && !p.hashed(f.Op(i, n), depth+1) {
				return false
			}
		}
		return true
	}
	return false
}
