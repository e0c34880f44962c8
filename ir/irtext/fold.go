package irtext

import "github.com/mirin-go/mirin/ir"

// fold returns what LLVM makes of a constant expression when it is written, 0
// where it stays an expression. It knows what needs no data layout.
func (p *parser) fold(r *ir.Const, ops []ir.Value) ir.Value {
	switch {
	case r.Op >= ir.OpTrunc && r.Op <= ir.OpAddrSpaceCast:
		return p.foldCast(r.Op, ops[0], r.Type)
	case r.Op == ir.OpAdd || r.Op == ir.OpSub || r.Op == ir.OpXor:
		return p.foldBinary(r.Op, ops[0], ops[1], r.Type)
	case r.Op == ir.OpShuffleVector:
		return p.foldShuffle(ops, r.Type)
	case r.Op == ir.OpExtractElement:
		if e := p.elements(ops[0]); e != nil {
			if i := ops[1].Const(); i != 0 && p.pool.At(i).Kind == ir.ConstInt && p.pool.At(i).Bits < uint64(len(e)) {
				return e[p.pool.At(i).Bits]
			}
		}
	case r.Op == ir.OpInsertElement:
		t := r.Type
		if p.t.Kind(t) != ir.KindVector {
			return 0
		}
		if e := p.elements(ops[0]); e != nil {
			if i := ops[2].Const(); i != 0 && p.pool.At(i).Kind == ir.ConstInt && p.pool.At(i).Bits < uint64(len(e)) {
				e[p.pool.At(i).Bits] = ops[1]
				return p.vectorOf(t, e)
			}
		}
	}
	return 0
}

// constRow returns the row of a constant, nil for other values.
func (p *parser) constRow(v ir.Value) *ir.Const {
	if c := v.Const(); c != 0 {
		return p.pool.At(c)
	}
	return nil
}

func (p *parser) foldCast(op ir.Op, v ir.Value, t ir.Type) ir.Value {
	src := p.poolType(v)
	if op == ir.OpBitCast && src == t {
		return v
	}
	r := p.constRow(v)
	if r == nil {
		return 0
	}
	switch r.Kind {
	case ir.ConstPoison:
		return ir.ConstVal(p.pool.Plain(ir.ConstPoison, t))
	case ir.ConstUndef:
		if op == ir.OpBitCast || op == ir.OpTrunc || op == ir.OpPtrToInt || op == ir.OpIntToPtr {
			return ir.ConstVal(p.pool.Plain(ir.ConstUndef, t))
		}
		return 0
	case ir.ConstNull, ir.ConstZero:
		if op != ir.OpAddrSpaceCast && t != ir.X86AMX {
			return p.zero(t)
		}
		return 0
	case ir.ConstExpr:
		if op == ir.OpBitCast || op == ir.OpAddrSpaceCast || op == ir.OpTrunc {
			return 0
		}
	}
	if p.pool.IsNullValue(v.Const()) && op != ir.OpAddrSpaceCast && t != ir.X86AMX {
		return p.zero(t)
	}
	if p.t.Kind(src) == ir.KindVector && (op == ir.OpAddrSpaceCast || op == ir.OpIntToPtr || op == ir.OpPtrToInt || op == ir.OpPtrToAddr || op == ir.OpTrunc) {
		e := p.elements(v)
		if e == nil {
			return 0
		}
		var last, made ir.Value
		for i := range e {
			if e[i] == last {
				e[i] = made
				continue
			}
			last = e[i]
			x := ir.Const{Op: op, Type: p.t.Elem(t)}
			if f := p.foldCast(op, e[i], x.Type); f != 0 {
				e[i] = f
			} else {
				e[i] = ir.ConstVal(p.pool.Expr(x, []ir.Value{e[i]}))
			}
			made = e[i]
		}
		return p.vectorOf(t, e)
	}
	switch op {
	case ir.OpTrunc:
		if r.Kind == ir.ConstInt && r.N == 0 {
			return ir.ConstVal(p.pool.Int(t, r.Bits&(1<<p.t.IntBits(t)-1)))
		}
	case ir.OpBitCast:
		return p.foldBits(v, src, t)
	}
	return 0
}

// poolType returns the type of a value at hand.
func (p *parser) poolType(v ir.Value) ir.Type {
	switch v.Tag() {
	case ir.TagConst:
		return p.pool.At(v.Const()).Type
	case ir.TagGlobal:
		return p.t.Pointer(p.m.Globals[v.Index()].AddrSpace)
	case tagForward:
		if p.fn == nil && int(v.Index()) < len(p.fwdList) {
			return p.fwdList[v.Index()].typ
		}
	}
	return 0
}

func (p *parser) width(t ir.Type) int { return max(p.t.IntBits(t), p.t.FloatBits(t)) }

// scalarBits returns the bits of a number of up to 64 bits.
func (p *parser) scalarBits(v ir.Value) (uint64, bool) {
	r := p.constRow(v)
	if r == nil || r.Kind != ir.ConstInt && r.Kind != ir.ConstFP || r.N != 0 {
		return 0, false
	}
	return r.Bits, true
}

func (p *parser) scalarOf(t ir.Type, b uint64) ir.Value {
	if p.t.IsFloat(t) {
		return ir.ConstVal(p.pool.FP(t, b))
	}
	return ir.ConstVal(p.pool.Int(t, b))
}

// foldBits reinterprets numbers and vectors of numbers, on a little-endian machine where order matters.
func (p *parser) foldBits(v ir.Value, src, t ir.Type) ir.Value {
	ss, ts := p.t.Scalar(src), p.t.Scalar(t)
	sw, tw := p.width(ss), p.width(ts)
	if sw == 0 || tw == 0 || sw > 64 || tw > 64 || ss == ir.X86FP80 || ts == ir.PPCFP128 ||
		p.t.Kind(src) == ir.KindScalableVector || p.t.Kind(t) == ir.KindScalableVector {
		return 0
	}
	if !p.t.IsVector(src) && !p.t.IsVector(t) {
		b, ok := p.scalarBits(v)
		if !ok {
			return 0
		}
		return p.scalarOf(t, b)
	}
	if !p.t.IsVector(src) {
		return p.foldToVector(v, src, t)
	}
	if sw != tw || !p.t.IsVector(t) {
		return 0
	}
	e := p.elements(v)
	if e == nil {
		return 0
	}
	for i := range e {
		b, ok := p.scalarBits(e[i])
		if !ok {
			return 0
		}
		e[i] = p.scalarOf(ts, b)
	}
	return p.vectorOf(t, e)
}

// foldToVector reinterprets a number as a vector: as one of one element first.
func (p *parser) foldToVector(v ir.Value, src, t ir.Type) ir.Value {
	b, ok := p.scalarBits(v)
	if !ok {
		return 0
	}
	e := p.t.Elem(t)
	w := p.t.IntBits(src)
	switch {
	case p.t.NumElems(t) == 1:
		return p.splatOf(t, p.scalarOf(e, b))
	case w != 0 && p.width(e) <= w && b == ^uint64(0)>>(64-w):
		return p.splatOf(t, p.scalarOf(e, b>>(w-p.width(e))))
	}
	one := p.splatOf(p.t.Vector(src, 1, false), v)
	return ir.ConstVal(p.pool.Expr(ir.Const{Op: ir.OpBitCast, Type: t}, []ir.Value{one}))
}

func (p *parser) foldBinary(op ir.Op, a, b ir.Value, t ir.Type) ir.Value {
	w := p.t.IntBits(t)
	x, okX := p.scalarBits(a)
	y, okY := p.scalarBits(b)
	if w == 0 || w > 64 {
		return 0
	}
	mask := ^uint64(0) >> (64 - w)
	if okX && okY {
		switch op {
		case ir.OpAdd:
			x += y
		case ir.OpSub:
			x -= y
		default:
			x ^= y
		}
		return ir.ConstVal(p.pool.Int(t, x&mask))
	}
	switch {
	case okY && y == 0:
		return a
	case okX && x == 0 && op != ir.OpSub:
		return b
	}
	return 0
}

// foldShuffle finds splats: the first element of a vector in all places.
func (p *parser) foldShuffle(ops []ir.Value, t ir.Type) ir.Value {
	m := p.constRow(ops[2])
	if m == nil {
		return 0
	}
	if m.Kind == ir.ConstZero {
		if r := p.constRow(ops[0]); r != nil && r.Kind == ir.ConstZero {
			return p.zero(t)
		}
		if e := p.firstElement(ops[0]); e != 0 {
			return p.splatOf(t, e)
		}
	}
	if p.t.Kind(t) != ir.KindVector {
		return 0
	}
	mask, a, b := p.elements(ops[2]), p.elements(ops[0]), p.elements(ops[1])
	if mask == nil || a == nil || b == nil {
		return 0
	}
	all := append(a, b...)
	out := make([]ir.Value, len(mask))
	for i, k := range mask {
		n, ok := p.scalarBits(k)
		if !ok || n >= uint64(len(all)) {
			out[i] = ir.ConstVal(p.pool.Plain(ir.ConstPoison, p.t.Elem(t)))
			continue
		}
		out[i] = all[n]
	}
	return p.vectorOf(t, out)
}

// firstElement returns element 0 of a constant vector or of an insertelement into it.
func (p *parser) firstElement(v ir.Value) ir.Value {
	r := p.constRow(v)
	if r == nil {
		return 0
	}
	if r.Kind == ir.ConstExpr && r.Op == ir.OpInsertElement {
		ops := p.pool.Ops(v.Const())
		if i := p.constRow(ops[2]); i != nil && (i.Kind == ir.ConstInt || i.Kind == ir.ConstZero) && i.Bits == 0 {
			return ops[1]
		}
		return 0
	}
	if e := p.elements(v); e != nil {
		return e[0]
	}
	return 0
}

// splatOf makes a vector of equal elements.
func (p *parser) splatOf(t ir.Type, e ir.Value) ir.Value {
	r := p.constRow(e)
	switch {
	case r == nil:
		return 0
	case r.Kind == ir.ConstPoison || r.Kind == ir.ConstUndef:
		return ir.ConstVal(p.pool.Plain(r.Kind, t))
	case p.pool.IsNullValue(e.Const()):
		return p.zero(t)
	case r.Kind != ir.ConstInt && r.Kind != ir.ConstFP:
		return 0
	}
	return ir.ConstVal(p.pool.Aggregate(ir.ConstSplat, t, []ir.Value{e}))
}

// elements returns the elements of a constant fixed vector, nil when they are not known.
func (p *parser) elements(v ir.Value) []ir.Value {
	r := p.constRow(v)
	if r == nil || p.t.Kind(r.Type) != ir.KindVector {
		return nil
	}
	n, et := int(p.t.NumElems(r.Type)), p.t.Elem(r.Type)
	if n > 1<<12 {
		return nil
	}
	fill := func(e ir.Value) []ir.Value {
		out := make([]ir.Value, n)
		for i := range out {
			out[i] = e
		}
		return out
	}
	switch r.Kind {
	case ir.ConstPoison, ir.ConstUndef:
		return fill(ir.ConstVal(p.pool.Plain(r.Kind, et)))
	case ir.ConstZero:
		return fill(p.zero(et))
	case ir.ConstSplat:
		return fill(p.pool.Ops(v.Const())[0])
	case ir.ConstVector:
		return append([]ir.Value(nil), p.pool.Ops(v.Const())...)
	case ir.ConstData:
		size := p.width(et) / 8
		if size == 0 {
			return nil
		}
		data := append([]byte(nil), p.pool.Data(v.Const())...)
		out := make([]ir.Value, n)
		for i := range out {
			b := uint64(0)
			for k := size - 1; k >= 0; k-- {
				b = b<<8 | uint64(data[i*size+k])
			}
			out[i] = p.scalarOf(et, b)
		}
		return out
	}
	return nil
}

// vectorOf makes a fixed vector in the form that the reader gives it.
func (p *parser) vectorOf(t ir.Type, e []ir.Value) ir.Value {
	same, zero, poison, undef := true, true, true, true
	for _, v := range e {
		r := p.constRow(v)
		same = same && v == e[0]
		zero = zero && r != nil && p.pool.IsNullValue(v.Const())
		poison = poison && r != nil && r.Kind == ir.ConstPoison
		undef = undef && r != nil && r.Kind == ir.ConstUndef
	}
	switch {
	case zero:
		return p.zero(t)
	case poison:
		return ir.ConstVal(p.pool.Plain(ir.ConstPoison, t))
	case undef:
		return ir.ConstVal(p.pool.Plain(ir.ConstUndef, t))
	case same:
		if s := p.splatOf(t, e[0]); s != 0 {
			return s
		}
	}
	return ir.ConstVal(p.pool.Aggregate(ir.ConstVector, t, e))
}
