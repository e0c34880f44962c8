package ir

import "math"

// Constants makes constants in the pool of a function (a Builder has its own)
// or of a module's initializers ([Module.Constants]).
type Constants struct {
	pool  *ConstPool
	t     *Types
	fault func(format string, args ...any)
}

// Constants makes constants for initializers. Where the type does not fit the
// value they are poison, and the module remembers the fault (Module.Err).
func (m *Module) Constants() Constants {
	return Constants{pool: &m.Consts, t: m.Types, fault: m.fail}
}

// Int returns a constant of an integer type, cut to its width; of a vector
// type, the constant in every lane. Types wider than 64 bits get v's sign.
func (c Constants) Int(t Type, v int64) Value {
	if !c.known(t) {
		return c.Poison(Int32)
	}
	if c.t.IsVector(t) {
		return c.splat(t, c.Int(c.t.Elem(t), v))
	}
	n := c.t.IntBits(t)
	switch {
	case n == 0:
		c.fault("Int: %s is no integer type", c.t.name(t))
		return c.Poison(t)
	case n > 64:
		return ConstVal(c.pool.WideInt(t, n, []uint64{uint64(v)}, v < 0))
	}
	u := uint64(v)
	if n < 64 {
		u &= 1<<n - 1
	}
	return ConstVal(c.pool.Int(t, u))
}

// Bool returns true or false.
func (c Constants) Bool(v bool) Value {
	if v {
		return c.Int(Int1, 1)
	}
	return c.Int(Int1, 0)
}

// Float returns a constant of type float or double, rounded to nearest; of a
// vector type, the constant in every lane.
func (c Constants) Float(t Type, v float64) Value {
	if !c.known(t) {
		return c.Poison(Double)
	}
	switch {
	case c.t.IsVector(t):
		return c.splat(t, c.Float(c.t.Elem(t), v))
	case t == Double:
		return ConstVal(c.pool.FP(t, math.Float64bits(v)))
	case t == Float:
		return ConstVal(c.pool.FP(t, uint64(math.Float32bits(float32(v)))))
	}
	c.fault("Float: %s is neither float nor double", c.t.name(t))
	return c.Poison(t)
}

func (c Constants) splat(t Type, v Value) Value {
	if r := c.pool.At(v.Const()); r.Kind == ConstPoison {
		return c.Poison(t)
	}
	return ConstVal(c.pool.Aggregate(ConstSplat, t, []Value{v}))
}

// Null returns the null pointer of a pointer type.
func (c Constants) Null(t Type) Value {
	if c.known(t) && c.t.Kind(t) != KindPointer {
		c.fault("Null: %s is no pointer type", c.t.name(t))
		return c.Poison(t)
	}
	return c.plain(ConstNull, t)
}

// known reports whether t is a type of the module, and has the fault remembered.
func (c Constants) known(t Type) bool {
	if t == NoType || int(t) >= c.t.Len() {
		c.fault("there is no type %d", t)
		return false
	}
	return true
}

func (c Constants) plain(k ConstKind, t Type) Value {
	if !c.known(t) {
		t = Int32
	}
	return ConstVal(c.pool.Plain(k, t))
}

// members reports whether the members of an aggregate are constants of the pool
// of the types that it has, and has the fault remembered. what is the method.
func (c Constants) members(what string, members []Value, typeOf func(i int) Type) bool {
	for i, v := range members {
		switch {
		case v.Tag() == TagGlobal: // its address
			if want := typeOf(i); c.t.Kind(want) != KindPointer {
				c.fault("%s: member %d is an address, want %s", what, i, c.t.name(want))
				return false
			}
		case v.Tag() != TagConst || v.Index() == 0 || int(v.Index()) >= c.pool.Len():
			c.fault("%s: member %d is no constant", what, i)
			return false
		default:
			if got, want := c.pool.At(v.Const()).Type, typeOf(i); got != want {
				c.fault("%s: member %d has type %s, want %s", what, i, c.t.name(got), c.t.name(want))
				return false
			}
		}
	}
	return true
}

// Zero returns 0, 0.0, null or zeroinitializer by the type.
func (c Constants) Zero(t Type) Value {
	if !c.known(t) {
		return c.Poison(Int32)
	}
	switch k := c.t.Kind(t); {
	case k == KindInteger:
		return c.Int(t, 0)
	case k == KindPointer:
		return c.Null(t)
	case k == KindFloat || k == KindDouble || k == KindHalf || k == KindBFloat:
		return ConstVal(c.pool.FP(t, 0))
	}
	return c.plain(ConstZero, t)
}

// Undef returns undef, Poison poison.
func (c Constants) Undef(t Type) Value { return c.plain(ConstUndef, t) }

// Poison returns poison.
func (c Constants) Poison(t Type) Value { return c.plain(ConstPoison, t) }

// ConstStruct returns a structure of type t.
func (c Constants) ConstStruct(t Type, members ...Value) Value {
	if !c.known(t) {
		return c.Poison(Int32)
	}
	types := c.t.Subtypes(t)
	if c.t.Kind(t) != KindStruct || len(types) != len(members) {
		c.fault("ConstStruct: %d members for %s", len(members), c.t.name(t))
		return c.Poison(t)
	}
	if !c.members("ConstStruct", members, func(i int) Type { return types[i] }) {
		return c.Poison(t)
	}
	return ConstVal(c.pool.Uniqued(c.t, ConstStruct, t, members))
}

// ConstArray returns an array of constants of type elem.
func (c Constants) ConstArray(elem Type, elems ...Value) Value {
	if !c.known(elem) {
		return c.Poison(Int32)
	}
	t := c.t.Array(elem, uint64(len(elems)))
	if !c.members("ConstArray", elems, func(int) Type { return elem }) {
		return c.Poison(t)
	}
	return ConstVal(c.pool.Uniqued(c.t, ConstArray, t, elems))
}

// ConstVector returns a vector of constants of type elem.
func (c Constants) ConstVector(elem Type, elems ...Value) Value {
	if !c.known(elem) || len(elems) == 0 {
		c.fault("ConstVector: there is no lane")
		return c.Poison(Int32)
	}
	t := c.t.Vector(elem, uint64(len(elems)), false)
	if !c.members("ConstVector", elems, func(int) Type { return elem }) {
		return c.Poison(t)
	}
	return ConstVal(c.pool.Uniqued(c.t, ConstVector, t, elems))
}
