package autoupgrade

import (
	"math"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/intrin"
)

// insert adds an instruction before the site. It gets the site's location,
// and the records that stood before the site.
func (c *call) insert(in ir.Instr, ops ...ir.Value) ir.InstrID {
	old := c.f.Instr(c.i)
	in.Loc = old.Loc
	records := old.Records
	old.Records = 0
	id := c.f.InsertBefore(c.i, in, ops...)
	c.f.Instr(id).Records = records
	return id
}

// intrinsic calls an intrinsic.
func (c *call) intrinsic(name string, over []ir.Type, args ...ir.Value) ir.InstrID {
	x := intrin.Lookup(name)
	if x == 0 {
		return 0
	}
	g := c.u.declare(x, over)
	return c.callTo(g, args...)
}

// callTo calls a declared function.
func (c *call) callTo(g ir.GlobalID, args ...ir.Value) ir.InstrID {
	ft := c.u.m.Globals[g].ValueType
	params := c.u.t.Subtypes(ft)
	c.want(len(params) == len(args))
	for i, p := range params {
		c.want(p == c.typeOf(args[i]))
	}
	ops := append(append([]ir.Value(nil), args...), ir.GlobalVal(g))
	return c.insert(ir.Instr{Op: ir.OpCall, Type: c.u.t.Result(ft), SrcType: ft}, ops...)
}

// typeOf returns the type of a value.
func (c *call) typeOf(v ir.Value) ir.Type { return c.f.TypeOf(v) }

// int makes an integer constant, a splat for a vector type.
func (c *call) int(t ir.Type, n uint64) ir.Value {
	ty := c.u.t
	s := ty.Scalar(t)
	c.want(ty.IntBits(s) != 0)
	if w := ty.IntBits(s); w < 64 {
		n &= 1<<w - 1
	}
	v := ir.ConstVal(c.f.Consts.Int(s, n))
	if s == t {
		return v
	}
	if n == 0 {
		return ir.ConstVal(c.f.Consts.Plain(ir.ConstZero, t))
	}
	return ir.ConstVal(c.f.Consts.Aggregate(ir.ConstSplat, t, []ir.Value{v}))
}

// plain makes null, zeroinitializer, undef or poison.
func (c *call) plain(k ir.ConstKind, t ir.Type) ir.Value { return ir.ConstVal(c.f.Consts.Plain(k, t)) }

// null makes the zero of a type.
func (c *call) null(t ir.Type) ir.Value {
	switch k := c.u.t.Kind(t); {
	case k == ir.KindInteger:
		return c.int(t, 0)
	case k == ir.KindPointer:
		return c.plain(ir.ConstNull, t)
	case c.u.t.IsFloat(t):
		if c.u.t.FloatBits(t) <= 64 {
			return ir.ConstVal(c.f.Consts.FP(t, 0))
		}
		return ir.ConstVal(c.f.Consts.Wide(ir.ConstFP, t, make([]uint64, 2)))
	}
	return c.plain(ir.ConstZero, t)
}

// constInt returns the value of an integer constant.
func (c *call) constInt(v ir.Value) (n uint64, ok bool) {
	k := v.Const()
	if k == 0 {
		return 0, false
	}
	r := c.f.Consts.At(k)
	if r.Kind != ir.ConstInt || r.N != 0 {
		return 0, false
	}
	return r.Bits, true
}

// become replaces the site by instruction n, which takes its name.
func (c *call) become(n ir.InstrID) {
	c.takeName(n)
	if c.u.t.Kind(c.f.Instr(c.i).Type) == ir.KindVoid {
		c.replace(0)
		return
	}
	c.replace(ir.Local(n))
}

// val replaces the site by a value without a name.
func (c *call) val(v ir.Value) bool {
	if c.f.Instr(c.i).Type == ir.Void {
		v = 0
	}
	c.replace(v)
	return true
}

// paramAttrs returns the attributes of the site with those of parameter n set to s.
func (c *call) paramAttrs(n int, s ir.AttrSet) ir.AttrListID {
	l := &ir.AttrList{}
	for len(l.Params) <= n {
		l.Params = append(l.Params, nil)
	}
	l.Params[n] = s
	return c.u.m.Attrs.Intern(l)
}

const tailFlags = ir.TailCall | ir.MustTail | ir.NoTail

// maxElems bounds the vectors whose constant elements are looked at.
const maxElems = 64

// Shorthands for instructions. Types that do not fit leave the action (misfit).

// bin is a binary operation on numbers or vectors of them.
func (c *call) bin(op ir.Op, a, b ir.Value) ir.Value {
	t := c.typeOf(a)
	s := c.u.t.Scalar(t)
	fp := op == ir.OpFAdd || op == ir.OpFSub || op == ir.OpFMul || op == ir.OpFDiv
	c.want(t == c.typeOf(b) && (fp && c.u.t.IsFloat(s) || !fp && c.u.t.IntBits(s) != 0))
	if f := c.foldBin(op, a, b); f != 0 {
		return f
	}
	return ir.Local(c.insert(ir.Instr{Op: op, Type: t}, a, b))
}

// cast is a conversion between numbers, or vectors of as many of them.
func (c *call) cast(op ir.Op, v ir.Value, t ir.Type) ir.Value {
	if op == ir.OpBitCast && c.typeOf(v) == t {
		return v
	}
	c.want(c.castable(op, c.typeOf(v), t))
	if f := c.foldCast(op, v, t); f != 0 {
		return f
	}
	return ir.Local(c.insert(ir.Instr{Op: op, Type: t}, v))
}

// castable reports whether a conversion is between types that it may have.
func (c *call) castable(op ir.Op, from, to ir.Type) bool {
	ty := c.u.t
	if ty.Kind(from) == ir.KindScalableVector || ty.Kind(to) == ir.KindScalableVector {
		return op == ir.OpBitCast
	}
	count := func(t ir.Type) uint64 {
		if ty.IsVector(t) {
			return ty.NumElems(t)
		}
		return 1
	}
	sf, st := ty.Scalar(from), ty.Scalar(to)
	wf, wt := max(ty.IntBits(sf), ty.FloatBits(sf)), max(ty.IntBits(st), ty.FloatBits(st))
	if wf == 0 || wt == 0 || from == ir.X86AMX || to == ir.X86AMX {
		return false
	}
	if op == ir.OpBitCast {
		return uint64(wf)*count(from) == uint64(wt)*count(to)
	}
	ints, floats := ty.IntBits(sf) != 0 && ty.IntBits(st) != 0, ty.IsFloat(sf) && ty.IsFloat(st)
	if ty.IsVector(from) != ty.IsVector(to) || count(from) != count(to) {
		return false
	}
	switch op {
	case ir.OpTrunc:
		return ints && wf > wt
	case ir.OpZExt, ir.OpSExt:
		return ints && wf < wt
	case ir.OpFPExt:
		return floats && wf < wt
	case ir.OpFPTrunc:
		return floats && wf > wt
	case ir.OpSIToFP, ir.OpUIToFP:
		return ty.IntBits(sf) != 0 && ty.IsFloat(st)
	}
	return false
}

// float makes a floating-point number that both formats have been given for.
func (c *call) float(t ir.Type, f64 float64, f32 float32) ir.Value {
	switch t {
	case ir.Double:
		return ir.ConstVal(c.f.Consts.FP(t, math.Float64bits(f64)))
	case ir.Float:
		return ir.ConstVal(c.f.Consts.FP(t, uint64(math.Float32bits(f32))))
	}
	return 0
}

// shuffle makes a shufflevector.
func (c *call) shuffle(a, b ir.Value, mask []int64) ir.Value {
	t, va := c.u.t, c.typeOf(a)
	c.want(t.Kind(va) == ir.KindVector && va == c.typeOf(b) && len(mask) > 0 && len(mask) <= 64)
	n := 2 * int64(t.NumElems(va))
	for _, k := range mask {
		c.want(k >= 0 && k < n)
	}
	ty := t.Vector(t.Elem(va), uint64(len(mask)), false)
	if f := c.foldShuffle(a, b, mask, ty); f != 0 {
		return f
	}
	x := c.f.AddExtra(ir.Extra{Ints: mask})
	return ir.Local(c.insert(ir.Instr{Op: ir.OpShuffleVector, Type: ty, Extra: x}, a, b))
}

// swizzle shuffles one vector.
func (c *call) swizzle(a ir.Value, mask []int64) ir.Value {
	return c.shuffle(a, c.plain(ir.ConstPoison, c.typeOf(a)), mask)
}

func (c *call) extractElem(v ir.Value, i uint64, idx ir.Type) ir.Value {
	t := c.typeOf(v)
	c.want(c.u.t.Kind(t) == ir.KindVector && i < c.u.t.NumElems(t))
	if r := c.constRow(v); r != nil && r.Kind == ir.ConstExpr {
		return ir.ConstVal(c.f.Consts.Expr(ir.Const{Op: ir.OpExtractElement, Type: c.u.t.Elem(t)}, []ir.Value{v, c.int(idx, i)}))
	}
	if e := c.elements(v); e != nil {
		return e[i]
	}
	return ir.Local(c.insert(ir.Instr{Op: ir.OpExtractElement, Type: c.u.t.Elem(t)}, v, c.int(idx, i)))
}

func (c *call) insertElem(v, e ir.Value, i uint64, idx ir.Type) ir.Value {
	t := c.typeOf(v)
	c.want(c.u.t.Kind(t) == ir.KindVector && i < c.u.t.NumElems(t) && c.u.t.Elem(t) == c.typeOf(e))
	if es := c.elements(v); es != nil && e.Const() != 0 {
		es[i] = e
		return c.vectorOf(t, es)
	}
	return ir.Local(c.insert(ir.Instr{Op: ir.OpInsertElement, Type: t}, v, e, c.int(idx, i)))
}

func (c *call) icmp(p ir.Pred, a, b ir.Value) ir.Value {
	t := c.typeOf(a)
	c.want(t == c.typeOf(b) && c.u.t.IntBits(c.u.t.Scalar(t)) != 0)
	if f := c.foldICmp(p, a, b); f != 0 {
		return f
	}
	return ir.Local(c.insert(ir.Instr{Op: ir.OpICmp, Pred: p, Type: c.boolOf(t)}, a, b))
}

func (c *call) boolOf(t ir.Type) ir.Type {
	ty := c.u.t
	if !ty.IsVector(t) {
		return ir.Int1
	}
	return ty.Vector(ir.Int1, ty.NumElems(t), ty.Kind(t) == ir.KindScalableVector)
}

// sel is a select; it folds when all three are constants.
func (c *call) sel(cond, a, b ir.Value) ir.Value {
	t := c.typeOf(a)
	c.want(t == c.typeOf(b) && (c.typeOf(cond) == ir.Int1 || c.typeOf(cond) == c.boolOf(t)))
	if r := c.constRow(cond); r != nil && a.Const() != 0 && b.Const() != 0 {
		switch {
		case c.f.Consts.IsNullValue(cond.Const()):
			return b
		case r.Kind != ir.ConstExpr && c.isOnes(cond):
			return a
		}
	}
	return ir.Local(c.insert(ir.Instr{Op: ir.OpSelect, Type: t}, cond, a, b))
}

func (c *call) load(t ir.Type, p ir.Value, align uint8) ir.Value {
	c.want(c.u.t.Kind(c.typeOf(p)) == ir.KindPointer)
	return ir.Local(c.insert(ir.Instr{Op: ir.OpLoad, Type: t, SrcType: t, Align: align}, p))
}

func (c *call) store(v, p ir.Value, align uint8) ir.InstrID {
	c.want(c.u.t.Kind(c.typeOf(p)) == ir.KindPointer)
	return c.insert(ir.Instr{Op: ir.OpStore, Type: ir.Void, SrcType: c.typeOf(v), Align: align}, v, p)
}
