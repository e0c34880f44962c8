package autoupgrade

import (
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
	ops := append(append([]ir.Value(nil), args...), ir.GlobalVal(g))
	return c.insert(ir.Instr{Op: ir.OpCall, Type: c.u.t.Result(ft), SrcType: ft}, ops...)
}

// typeOf returns the type of a value.
func (c *call) typeOf(v ir.Value) ir.Type { return c.f.TypeOf(v) }

// int makes an integer constant, a splat for a vector type.
func (c *call) int(t ir.Type, n uint64) ir.Value {
	ty := c.u.t
	s := ty.Scalar(t)
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

// Shorthands for instructions.

func (c *call) bin(op ir.Op, a, b ir.Value) ir.Value {
	return ir.Local(c.insert(ir.Instr{Op: op, Type: c.typeOf(a)}, a, b))
}

func (c *call) cast(op ir.Op, v ir.Value, t ir.Type) ir.Value {
	if op == ir.OpBitCast && c.typeOf(v) == t {
		return v
	}
	if f := c.foldCast(op, v, t); f != 0 {
		return f
	}
	return ir.Local(c.insert(ir.Instr{Op: op, Type: t}, v))
}

func (c *call) foldCast(op ir.Op, v ir.Value, t ir.Type) ir.Value {
	k := v.Const()
	if k == 0 {
		return 0
	}
	ty := c.u.t
	switch r := c.f.Consts.At(k); r.Kind {
	case ir.ConstPoison, ir.ConstUndef:
		if op == ir.OpBitCast {
			return c.plain(r.Kind, t)
		}
	case ir.ConstZero:
		if op == ir.OpBitCast || op == ir.OpTrunc || op == ir.OpZExt || op == ir.OpSExt {
			return c.null(t)
		}
	case ir.ConstInt:
		if r.N != 0 || ty.IntBits(t) == 0 || ty.IntBits(t) > 64 {
			if op == ir.OpBitCast && r.N == 0 && ty.IsVector(t) && ty.Elem(t) == ir.Int1 {
				n := ty.NumElems(t)
				if r.Bits == 0 {
					return c.null(t)
				}
				if r.Bits == 1<<n-1 || n == 64 && r.Bits == ^uint64(0) {
					return c.int(t, 1)
				}
				var ops []ir.Value
				for i := range n {
					ops = append(ops, c.int(ir.Int1, r.Bits>>i&1))
				}
				return ir.ConstVal(c.f.Consts.Aggregate(ir.ConstVector, t, ops))
			}
			return 0
		}
		w := ty.IntBits(r.Type)
		switch op {
		case ir.OpTrunc, ir.OpZExt:
			return c.int(t, r.Bits)
		case ir.OpSExt:
			return c.int(t, uint64(int64(r.Bits<<(64-w))>>(64-w)))
		}
	}
	return 0
}

// shuffle makes a shufflevector.
func (c *call) shuffle(a, b ir.Value, mask []int64) ir.Value {
	t := c.u.t
	ty := t.Vector(t.Elem(c.typeOf(a)), uint64(len(mask)), false)
	x := c.f.AddExtra(ir.Extra{Ints: mask})
	return ir.Local(c.insert(ir.Instr{Op: ir.OpShuffleVector, Type: ty, Extra: x}, a, b))
}

// swizzle shuffles one vector.
func (c *call) swizzle(a ir.Value, mask []int64) ir.Value {
	return c.shuffle(a, c.plain(ir.ConstPoison, c.typeOf(a)), mask)
}

func (c *call) extractElem(v ir.Value, i uint64, idx ir.Type) ir.Value {
	return ir.Local(c.insert(ir.Instr{Op: ir.OpExtractElement, Type: c.u.t.Elem(c.typeOf(v))}, v, c.int(idx, i)))
}

func (c *call) insertElem(v, e ir.Value, i uint64, idx ir.Type) ir.Value {
	return ir.Local(c.insert(ir.Instr{Op: ir.OpInsertElement, Type: c.typeOf(v)}, v, e, c.int(idx, i)))
}

func (c *call) icmp(p ir.Pred, a, b ir.Value) ir.Value {
	return ir.Local(c.insert(ir.Instr{Op: ir.OpICmp, Pred: p, Type: c.boolOf(c.typeOf(a))}, a, b))
}

func (c *call) boolOf(t ir.Type) ir.Type {
	ty := c.u.t
	if !ty.IsVector(t) {
		return ir.Int1
	}
	return ty.Vector(ir.Int1, ty.NumElems(t), ty.Kind(t) == ir.KindScalableVector)
}

// sel is a select; a constant condition folds.
func (c *call) sel(cond, a, b ir.Value) ir.Value {
	if k := cond.Const(); k != 0 {
		switch r := c.f.Consts.At(k); {
		case r.Kind == ir.ConstZero || r.Kind == ir.ConstInt && r.Bits == 0:
			return b
		case r.Kind == ir.ConstSplat || r.Kind == ir.ConstInt:
			return a
		}
	}
	return ir.Local(c.insert(ir.Instr{Op: ir.OpSelect, Type: c.typeOf(a)}, cond, a, b))
}

func (c *call) load(t ir.Type, p ir.Value, align uint8) ir.Value {
	return ir.Local(c.insert(ir.Instr{Op: ir.OpLoad, Type: t, SrcType: t, Align: align}, p))
}

func (c *call) store(v, p ir.Value, align uint8) ir.InstrID {
	return c.insert(ir.Instr{Op: ir.OpStore, Type: ir.Void, SrcType: c.typeOf(v), Align: align}, v, p)
}
