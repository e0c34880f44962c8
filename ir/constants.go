package ir

import (
	"fmt"
	"math"
)

// Constants makes constants in the pool of a function (a Builder has its own)
// or of a module's initializers ([Module.Constants]).
type Constants struct {
	pool  *ConstPool
	t     *Types
	fault func(format string, args ...any)
}

// Constants makes constants for initializers. Its methods panic where the
// type does not fit the value.
func (m *Module) Constants() Constants {
	return Constants{pool: &m.Consts, t: m.Types, fault: func(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }}
}

// Int returns a constant of an integer type, cut to its width; of a vector
// type, the constant in every lane. Types wider than 64 bits get v's sign.
func (c Constants) Int(t Type, v int64) Value {
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

// Null returns the null pointer of a pointer type, Zero the zero of any type.
func (c Constants) Null(t Type) Value { return ConstVal(c.pool.Plain(ConstNull, t)) }

// Zero returns 0, 0.0, null or zeroinitializer by the type.
func (c Constants) Zero(t Type) Value {
	switch k := c.t.Kind(t); {
	case k == KindInteger:
		return c.Int(t, 0)
	case k == KindPointer:
		return c.Null(t)
	case k == KindFloat || k == KindDouble || k == KindHalf || k == KindBFloat:
		return ConstVal(c.pool.FP(t, 0))
	}
	return ConstVal(c.pool.Plain(ConstZero, t))
}

// Undef returns undef, Poison poison.
func (c Constants) Undef(t Type) Value { return ConstVal(c.pool.Plain(ConstUndef, t)) }

// Poison returns poison.
func (c Constants) Poison(t Type) Value { return ConstVal(c.pool.Plain(ConstPoison, t)) }

// ConstStruct, ConstArray and ConstVector return aggregates of constants.
func (c Constants) ConstStruct(t Type, members ...Value) Value {
	return ConstVal(c.pool.Uniqued(c.t, ConstStruct, t, members))
}

// ConstArray returns an array of constants of type elem.
func (c Constants) ConstArray(elem Type, elems ...Value) Value {
	return ConstVal(c.pool.Uniqued(c.t, ConstArray, c.t.Array(elem, uint64(len(elems))), elems))
}

// ConstVector returns a vector of constants of type elem.
func (c Constants) ConstVector(elem Type, elems ...Value) Value {
	return ConstVal(c.pool.Uniqued(c.t, ConstVector, c.t.Vector(elem, uint64(len(elems)), false), elems))
}
