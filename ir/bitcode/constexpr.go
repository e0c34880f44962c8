package bitcode

import "github.com/mirin-go/mirin/ir"

// castOps are the casts by their numbers in bitcode.
var castOps = [...]ir.Op{ir.OpTrunc, ir.OpZExt, ir.OpSExt, ir.OpFPToUI, ir.OpFPToSI, ir.OpUIToFP, ir.OpSIToFP, ir.OpFPTrunc, ir.OpFPExt,
	ir.OpPtrToInt, ir.OpIntToPtr, ir.OpBitCast, ir.OpAddrSpaceCast, ir.OpPtrToAddr}

// binOps are the binary operations by their numbers, on integers and on floating point.
var binOps = [...][2]ir.Op{{ir.OpAdd, ir.OpFAdd}, {ir.OpSub, ir.OpFSub}, {ir.OpMul, ir.OpFMul}, {ir.OpUDiv, 0}, {ir.OpSDiv, ir.OpFDiv},
	{ir.OpURem, 0}, {ir.OpSRem, ir.OpFRem}, {ir.OpShl, 0}, {ir.OpLShr, 0}, {ir.OpAShr, 0}, {ir.OpAnd, 0}, {ir.OpOr, 0}, {ir.OpXor, 0}}

// binop returns the operation with a number on type t, 0 when there is none.
func (r *reader) binop(n uint64, t ir.Type) ir.Op {
	s := r.t.Scalar(t)
	switch {
	case n >= uint64(len(binOps)):
		return 0
	case r.t.IntBits(s) != 0:
		return binOps[n][0]
	case r.t.IsFloat(s):
		return binOps[n][1]
	}
	return 0
}

// binopFlags decodes the optional flags of a binary operation.
func binopFlags(op ir.Op, f uint64) (out ir.Flags) {
	switch op {
	case ir.OpAdd, ir.OpSub, ir.OpMul, ir.OpShl, ir.OpTrunc:
		if f&1 != 0 {
			out |= ir.NUW
		}
		if f&2 != 0 {
			out |= ir.NSW
		}
	case ir.OpUDiv, ir.OpSDiv, ir.OpLShr, ir.OpAShr:
		if f&1 != 0 {
			out |= ir.Exact
		}
	case ir.OpOr:
		if f&1 != 0 {
			out |= ir.Disjoint
		}
	}
	return out
}

// keptExpr reports the operations that LLVM 22 keeps as constant expressions.
func keptExpr(op ir.Op) bool {
	switch op {
	case ir.OpAdd, ir.OpSub, ir.OpXor, ir.OpTrunc, ir.OpPtrToInt, ir.OpPtrToAddr, ir.OpIntToPtr, ir.OpBitCast, ir.OpAddrSpaceCast,
		ir.OpGEP, ir.OpExtractElement, ir.OpInsertElement, ir.OpShuffleVector:
		return true
	}
	return false
}

// expr makes a constant expression, a lazy one where LLVM 22 has none of that kind.
func (k *constReader) expr(r ir.Const, ops []ir.Value) ir.Value {
	for _, v := range ops {
		if v == 0 {
			return 0
		}
	}
	if !keptExpr(r.Op) || k.r.o.ExpandConstExprs || anyLazy(ops) || r.Op == ir.OpGEP && k.r.t.ContainsScalable(r.SrcType) {
		return k.lazyInstr(r, ops)
	}
	return ir.ConstVal(k.pool.Expr(r, ops))
}

func (k *constReader) binop(x *rawConst, ops []uint64) ir.Value {
	if x.code == cstUnop {
		if len(ops) < 2 {
			k.c.fail("Invalid unary op constexpr record")
			return 0
		}
		v, _ := k.get(ops[1])
		return k.expr(ir.Const{Op: ir.OpFNeg, Type: x.t}, []ir.Value{v})
	}
	if len(ops) < 3 {
		k.c.fail("Invalid binary op constexpr record")
		return 0
	}
	op := k.r.binop(ops[0], x.t)
	if op == 0 { // an unknown operation is undef, as LLVM takes it
		return ir.ConstVal(k.pool.Plain(ir.ConstUndef, x.t))
	}
	a, at1 := k.get(ops[1])
	b, bt := k.get(ops[2])
	if a == 0 || b == 0 {
		return 0
	}
	if at1 != x.t || bt != x.t {
		k.c.fail("Invalid type for value")
		return 0
	}
	return k.expr(ir.Const{Op: op, Type: x.t, Flags: binopFlags(op, at(ops, 3))}, []ir.Value{a, b})
}

func (k *constReader) cast(x *rawConst, ops []uint64) ir.Value {
	if len(ops) < 3 {
		k.c.fail("Invalid cast constexpr record")
		return 0
	}
	if ops[0] >= uint64(len(castOps)) {
		return ir.ConstVal(k.pool.Plain(ir.ConstUndef, x.t))
	}
	op := castOps[ops[0]]
	v, vt := k.get(ops[2])
	if v == 0 {
		return 0
	}
	if op == ir.OpBitCast && vt != x.t && k.r.t.Kind(vt) == ir.KindPointer && k.r.t.Kind(x.t) == ir.KindPointer {
		op = ir.OpAddrSpaceCast
	}
	if vt == x.t && op == ir.OpBitCast {
		return v
	}
	if !k.r.t.CastValid(op, vt, x.t) {
		k.c.fail("Invalid cast")
		return 0
	}
	if c := v.Const(); c != 0 && keptExpr(op) && !k.r.o.ExpandConstExprs {
		switch kd := k.pool.At(c).Kind; {
		case kd == ir.ConstPoison, kd == ir.ConstUndef && op != ir.OpZExt && op != ir.OpSExt:
			return ir.ConstVal(k.pool.Plain(kd, x.t))
		case isZero(k.pool, v) && op != ir.OpAddrSpaceCast:
			return zero(k.pool, k.r.t, x.t)
		}
	}
	return k.expr(ir.Const{Op: op, Type: x.t, Flags: binopFlags(op, at(ops, 3))}, []ir.Value{v})
}

// gepParts is a getelementptr record taken apart.
type gepParts struct {
	src     uint64 // type, when hasSrc
	hasSrc  bool
	flags   ir.Flags
	inrange bool
	lo, hi  uint64
	pairs   []uint64 // type and value of each operand
}

func gepFlags(f uint64) (out ir.Flags) {
	if f&1 != 0 {
		out |= ir.InBounds | ir.NUSW
	}
	if f&2 != 0 {
		out |= ir.NUSW
	}
	if f&4 != 0 {
		out |= ir.NUW
	}
	return out
}

func (k *constReader) splitGEP(code uint32, ops []uint64) (g gepParts, ok bool) {
	if len(ops) < 2 {
		return g, false
	}
	if code == cstGEPInRangeOld || code == cstGEPInRange || code == cstGEP || len(ops)%2 != 0 {
		g.src, g.hasSrc = ops[0], true
		ops = ops[1:]
	}
	switch code {
	case cstInboundsGEP:
		g.flags = gepFlags(1)
	case cstGEPInRangeOld:
		g.flags = gepFlags(ops[0] & 1)
		ops = ops[1:]
	case cstGEP:
		g.flags = gepFlags(ops[0])
		ops = ops[1:]
	case cstGEPInRange:
		if len(ops) < 4 || ops[1] > 64 {
			return g, false
		}
		g.flags = gepFlags(ops[0]) | ir.HasInRange
		g.inrange, g.lo, g.hi = true, uint64(unsign(ops[2])), uint64(unsign(ops[3]))
		ops = ops[4:]
	}
	if len(ops)%2 != 0 || len(ops) == 0 {
		return g, false
	}
	g.pairs = ops
	return g, true
}

func (k *constReader) gep(x *rawConst, ops []uint64) ir.Value {
	g, ok := k.splitGEP(x.code, ops)
	if !ok {
		k.c.fail("Constant GEP record must have at least two elements")
		return 0
	}
	r := ir.Const{Op: ir.OpGEP, Type: x.t, Flags: g.flags}
	vals := make([]ir.Value, 0, len(g.pairs)/2+2)
	var base ir.Type
	baseID := noID
	null := true
	for i := 0; i < len(g.pairs); i += 2 {
		v, id := k.getTyped(g.pairs[i+1])
		if v == 0 {
			return 0
		}
		t := k.typeOf(v)
		if i == 0 {
			base, baseID = t, id
			if k.r.t.Kind(k.r.t.Scalar(t)) != ir.KindPointer {
				k.c.fail("Constant GEP base must be a pointer")
				return 0
			}
		} else {
			if k.r.t.IntBits(k.r.t.Scalar(t)) == 0 {
				k.c.fail("Constant GEP index must be an integer")
				return 0
			}
			c := v.Const()
			null = null && c != 0 && (isZero(k.pool, v) || k.pool.At(c).Kind == ir.ConstUndef)
		}
		vals = append(vals, v)
	}
	if g.hasSrc {
		r.SrcType = k.r.typ(g.src)
	} else {
		r.SrcType = k.r.typ(uint64(k.r.elemID(baseID, 0)))
	}
	if r.SrcType == 0 {
		k.c.fail("Missing element type for old-style constant GEP")
		return 0
	}
	if x.t == base && null && !g.inrange && !k.r.o.ExpandConstExprs {
		return vals[0]
	}
	if g.inrange {
		vals = append(vals, ir.ConstVal(k.pool.Int(ir.Int64, g.lo)), ir.ConstVal(k.pool.Int(ir.Int64, g.hi)))
	}
	return k.expr(r, vals)
}

// vectorExpr makes the expressions over vectors, and select and cmp of old files.
func (k *constReader) vectorExpr(x *rawConst, ops []uint64) ir.Value {
	r := ir.Const{Type: x.t}
	var ids []uint64
	switch x.code {
	case cstExtractElt:
		r.Op = ir.OpExtractElement
		if len(ops) < 3 {
			k.c.fail("Invalid extractelement constexpr record")
			return 0
		}
		ids = []uint64{ops[1], ops[len(ops)-1]}
	case cstInsertElt:
		r.Op = ir.OpInsertElement
		if len(ops) < 3 {
			k.c.fail("Invalid insertelement constexpr record")
			return 0
		}
		ids = []uint64{ops[0], ops[1], ops[len(ops)-1]}
	case cstShuffleVec, cstShuffleVecEx:
		r.Op = ir.OpShuffleVector
		if x.code == cstShuffleVecEx && len(ops) > 3 {
			ops = ops[1:]
		}
		if len(ops) < 3 {
			k.c.fail("Invalid shufflevector constexpr record")
			return 0
		}
		ids = ops[:3]
	case cstSelect:
		r.Op = ir.OpSelect
		if len(ops) < 3 {
			k.c.fail("Invalid select constexpr record")
			return 0
		}
		ids = ops[:3]
	case cstCmp:
		if len(ops) < 4 {
			k.c.fail("Invalid cmp constexpt record")
			return 0
		}
		ids = ops[1:3]
		r.Op, r.Bits = ir.OpICmp, ops[3]
		if k.r.t.IsFloat(k.r.t.Scalar(k.r.typ(ops[0]))) {
			r.Op = ir.OpFCmp
		}
		if !predicateFits(r.Op, r.Bits) {
			k.c.fail("Invalid record")
			return 0
		}
	}
	vals := make([]ir.Value, len(ids))
	for i, id := range ids {
		v, _ := k.get(id)
		if v == 0 {
			return 0
		}
		vals[i] = v
	}
	if r.Op == ir.OpShuffleVector {
		if v := k.splatOf(vals); v != 0 {
			return k.splat(x.t, v)
		}
	}
	return k.expr(r, vals)
}

// splatOf returns the number that a shuffle of one inserted element spreads,
// which is how scalable vectors write splats; 0 for other shuffles.
func (k *constReader) splatOf(vals []ir.Value) ir.Value {
	c := vals[0].Const()
	if c == 0 || !isZero(k.pool, vals[2]) {
		return 0
	}
	ins := k.pool.At(c)
	if ins.Kind != ir.ConstExpr || ins.Op != ir.OpInsertElement {
		return 0
	}
	ops := k.pool.Ops(c)
	if e := ops[1].Const(); e != 0 && isZero(k.pool, ops[2]) && ops[0].Const() != 0 && k.pool.At(ops[0].Const()).Kind == ir.ConstPoison {
		if kd := k.pool.At(e).Kind; kd == ir.ConstInt || kd == ir.ConstFP {
			return ops[1]
		}
	}
	return 0
}
