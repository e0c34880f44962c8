package autoupgrade

import "github.com/mirin-go/mirin/ir"

// Operations on constants fold as LLVM folds them when it upgrades: without a
// data layout, and only where all operands are constants.

// constRow returns the row of a constant, nil for other values.
func (c *call) constRow(v ir.Value) *ir.Const {
	if k := v.Const(); k != 0 {
		return c.f.Consts.At(k)
	}
	return nil
}

// scalarBits returns the bits of a number of up to 64 bits.
func (c *call) scalarBits(v ir.Value) (uint64, bool) {
	r := c.constRow(v)
	if r == nil || r.Kind != ir.ConstInt && r.Kind != ir.ConstFP || r.N != 0 {
		return 0, false
	}
	return r.Bits, true
}

// scalarOf makes a number of its bits.
func (c *call) scalarOf(t ir.Type, b uint64) ir.Value {
	if c.u.t.IsFloat(t) {
		return ir.ConstVal(c.f.Consts.FP(t, b))
	}
	return ir.ConstVal(c.f.Consts.Int(t, b))
}

// elements returns the elements of a constant fixed vector, nil when they are not known.
func (c *call) elements(v ir.Value) []ir.Value {
	r, t := c.constRow(v), c.u.t
	if r == nil || t.Kind(r.Type) != ir.KindVector {
		return nil
	}
	n, et := int(t.NumElems(r.Type)), t.Elem(r.Type)
	if n > maxElems {
		return nil
	}
	out := make([]ir.Value, n)
	fill := func(e ir.Value) []ir.Value {
		for i := range out {
			out[i] = e
		}
		return out
	}
	switch r.Kind {
	case ir.ConstPoison, ir.ConstUndef:
		return fill(c.plain(r.Kind, et))
	case ir.ConstZero:
		return fill(c.null(et))
	case ir.ConstSplat:
		return fill(c.f.Consts.Ops(v.Const())[0])
	case ir.ConstVector:
		return append(out[:0], c.f.Consts.Ops(v.Const())...)
	case ir.ConstData:
		size := max(t.IntBits(et), t.FloatBits(et)) / 8
		if size == 0 || size > 8 {
			return nil
		}
		data := append([]byte(nil), c.f.Consts.Data(v.Const())...)
		for i := range out {
			b := uint64(0)
			for k := size - 1; k >= 0; k-- {
				b = b<<8 | uint64(data[i*size+k])
			}
			out[i] = c.scalarOf(et, b)
		}
		return out
	case ir.ConstExpr:
		for i := range out {
			x := ir.Const{Op: ir.OpExtractElement, Type: et}
			out[i] = ir.ConstVal(c.f.Consts.Expr(x, []ir.Value{v, c.int(ir.Int32, uint64(i))}))
		}
		return out
	}
	return nil
}

// vectorOf makes a fixed vector in the form that the readers give it.
func (c *call) vectorOf(t ir.Type, e []ir.Value) ir.Value {
	same, zero, poison, undef := true, true, true, true
	for _, v := range e {
		r := c.constRow(v)
		same = same && v == e[0]
		zero = zero && r != nil && c.f.Consts.IsNullValue(v.Const())
		poison = poison && r != nil && r.Kind == ir.ConstPoison
		undef = undef && r != nil && r.Kind == ir.ConstUndef
	}
	switch {
	case zero:
		return c.plain(ir.ConstZero, t)
	case poison:
		return c.plain(ir.ConstPoison, t)
	case undef:
		return c.plain(ir.ConstUndef, t)
	case same:
		if _, ok := c.scalarBits(e[0]); ok {
			return ir.ConstVal(c.f.Consts.Aggregate(ir.ConstSplat, t, e[:1]))
		}
	}
	return ir.ConstVal(c.f.Consts.Aggregate(ir.ConstVector, t, e))
}

// isOnes reports an integer, or a vector of them, with all bits set.
func (c *call) isOnes(v ir.Value) bool {
	r := c.constRow(v)
	if r == nil {
		return false
	}
	if r.Kind == ir.ConstSplat {
		return c.isOnes(c.f.Consts.Ops(v.Const())[0])
	}
	w := c.u.t.IntBits(r.Type)
	return r.Kind == ir.ConstInt && r.N == 0 && w > 0 && w <= 64 && r.Bits == ^uint64(0)>>(64-w)
}

// foldBin folds integer operations, 0 where they stay.
func (c *call) foldBin(op ir.Op, a, b ir.Value) ir.Value {
	ra, rb := c.constRow(a), c.constRow(b)
	if ra == nil || rb == nil {
		return 0
	}
	t := ra.Type
	w := c.u.t.IntBits(c.u.t.Scalar(t))
	if w == 0 || w > 64 {
		return 0
	}
	if !c.u.t.IsVector(t) {
		return c.foldInts(op, a, b, t, w)
	}
	switch {
	case op == ir.OpAnd && (rb.Kind == ir.ConstZero || c.isOnes(a)), (op == ir.OpOr || op == ir.OpXor || op == ir.OpAdd) && ra.Kind == ir.ConstZero:
		return b
	case op == ir.OpAnd && (ra.Kind == ir.ConstZero || c.isOnes(b)), (op == ir.OpOr || op == ir.OpXor || op == ir.OpAdd || op == ir.OpSub) && rb.Kind == ir.ConstZero:
		return a
	}
	ea, eb := c.elements(a), c.elements(b)
	if ea == nil || len(ea) != len(eb) {
		return 0
	}
	for i := range ea {
		if ea[i] = c.foldInts(op, ea[i], eb[i], c.u.t.Elem(t), w); ea[i] == 0 {
			return 0
		}
	}
	return c.vectorOf(t, ea)
}

func (c *call) foldInts(op ir.Op, a, b ir.Value, t ir.Type, w int) ir.Value {
	x, okX := c.scalarBits(a)
	y, okY := c.scalarBits(b)
	if !okX || !okY {
		return 0
	}
	switch op {
	case ir.OpAdd:
		x += y
	case ir.OpSub:
		x -= y
	case ir.OpMul:
		x *= y
	case ir.OpAnd:
		x &= y
	case ir.OpOr:
		x |= y
	case ir.OpXor:
		x ^= y
	default:
		return 0
	}
	return ir.ConstVal(c.f.Consts.Int(t, x&(^uint64(0)>>(64-w))))
}

// foldICmp folds comparisons of integers.
func (c *call) foldICmp(p ir.Pred, a, b ir.Value) ir.Value {
	ra, rb := c.constRow(a), c.constRow(b)
	if ra == nil || rb == nil {
		return 0
	}
	t := ra.Type
	w := c.u.t.IntBits(c.u.t.Scalar(t))
	if w == 0 || w > 64 {
		return 0
	}
	one := func(a, b ir.Value) ir.Value {
		x, okX := c.scalarBits(a)
		y, okY := c.scalarBits(b)
		if !okX || !okY {
			return 0
		}
		s, u := int64(x<<(64-w)), int64(y<<(64-w))
		r := false
		switch p {
		case ir.ICmpEQ:
			r = x == y
		case ir.ICmpNE:
			r = x != y
		case ir.ICmpUGT:
			r = x > y
		case ir.ICmpUGE:
			r = x >= y
		case ir.ICmpULT:
			r = x < y
		case ir.ICmpULE:
			r = x <= y
		case ir.ICmpSGT:
			r = s > u
		case ir.ICmpSGE:
			r = s >= u
		case ir.ICmpSLT:
			r = s < u
		case ir.ICmpSLE:
			r = s <= u
		}
		n := uint64(0)
		if r {
			n = 1
		}
		return c.int(ir.Int1, n)
	}
	if !c.u.t.IsVector(t) {
		return one(a, b)
	}
	ea, eb := c.elements(a), c.elements(b)
	if ea == nil || len(ea) != len(eb) {
		return 0
	}
	for i := range ea {
		if ea[i] = one(ea[i], eb[i]); ea[i] == 0 {
			return 0
		}
	}
	return c.vectorOf(c.boolOf(t), ea)
}

// foldShuffle picks elements of constants.
func (c *call) foldShuffle(a, b ir.Value, mask []int64, t ir.Type) ir.Value {
	if a.Const() == 0 || b.Const() == 0 {
		return 0
	}
	ea, eb := c.elements(a), c.elements(b)
	if ea == nil || eb == nil {
		return 0
	}
	all := append(ea, eb...)
	out := make([]ir.Value, len(mask))
	for i, k := range mask {
		out[i] = all[k]
	}
	return c.vectorOf(t, out)
}

// foldCast folds conversions of numbers.
func (c *call) foldCast(op ir.Op, v ir.Value, t ir.Type) ir.Value {
	r, ty := c.constRow(v), c.u.t
	if r == nil {
		return 0
	}
	src := r.Type
	switch r.Kind {
	case ir.ConstPoison:
		return c.plain(ir.ConstPoison, t)
	case ir.ConstUndef:
		if op == ir.OpBitCast || op == ir.OpTrunc {
			return c.plain(ir.ConstUndef, t)
		}
		return 0
	}
	if c.f.Consts.IsNullValue(v.Const()) {
		return c.null(t)
	}
	if op == ir.OpBitCast {
		return c.foldBits(v, src, t)
	}
	if !ty.IsVector(src) {
		return c.foldConv(op, v, src, t)
	}
	e := c.elements(v)
	if e == nil {
		return 0
	}
	for i := range e {
		if e[i] = c.foldConv(op, e[i], ty.Elem(src), ty.Elem(t)); e[i] == 0 {
			return 0
		}
	}
	return c.vectorOf(t, e)
}

// foldConv converts one number.
func (c *call) foldConv(op ir.Op, v ir.Value, src, t ir.Type) ir.Value {
	b, ok := c.scalarBits(v)
	ty := c.u.t
	w, to := ty.IntBits(src), ty.IntBits(t)
	if !ok || w == 0 || w > 64 {
		return 0
	}
	signed := int64(b<<(64-w)) >> (64 - w)
	switch op {
	case ir.OpTrunc, ir.OpZExt:
		if to != 0 && to <= 64 {
			return c.int(t, b)
		}
	case ir.OpSExt:
		if to != 0 && to <= 64 {
			return c.int(t, uint64(signed))
		}
	case ir.OpSIToFP:
		return c.float(t, float64(signed), float32(signed))
	case ir.OpUIToFP:
		return c.float(t, float64(b), float32(b))
	}
	return 0
}

// foldBits reinterprets a number. A scalar that becomes a vector stays an
// expression, of a vector of one element.
func (c *call) foldBits(v ir.Value, src, t ir.Type) ir.Value {
	ty := c.u.t
	if !ty.IsVector(src) {
		b, ok := c.scalarBits(v)
		w := ty.IntBits(src)
		switch {
		case !ok:
		case !ty.IsVector(t):
			if s := max(ty.IntBits(t), ty.FloatBits(t)); s > 0 && s <= 64 {
				return c.scalarOf(t, b)
			}
		case w == 0:
		case b == ^uint64(0)>>(64-w) && ty.IntBits(ty.Elem(t)) != 0:
			return c.int(t, ^uint64(0))
		default:
			one := ty.Vector(src, 1, false)
			s := ir.ConstVal(c.f.Consts.Aggregate(ir.ConstSplat, one, []ir.Value{v}))
			return ir.ConstVal(c.f.Consts.Expr(ir.Const{Op: ir.OpBitCast, Type: t}, []ir.Value{s}))
		}
		return 0
	}
	if !ty.IsVector(t) {
		if c.isOnes(v) && ty.IntBits(t) != 0 && ty.IntBits(t) <= 64 {
			return c.int(t, ^uint64(0))
		}
		return ir.ConstVal(c.f.Consts.Expr(ir.Const{Op: ir.OpBitCast, Type: t}, []ir.Value{v}))
	}
	if ty.IntBits(ty.Elem(src)) != 0 && ty.IntBits(ty.Elem(t)) != 0 && c.isOnes(v) {
		return c.int(t, ^uint64(0))
	}
	if ty.NumElems(src) != ty.NumElems(t) {
		return 0
	}
	e := c.elements(v)
	for i := range e {
		b, ok := c.scalarBits(e[i])
		if !ok {
			return 0
		}
		e[i] = c.scalarOf(ty.Elem(t), b)
	}
	if e == nil {
		return 0
	}
	return c.vectorOf(t, e)
}
