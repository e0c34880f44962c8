package interp

import (
	"math"

	"github.com/mirin-go/mirin/ir"
)

// Operations on vectors do the lanes that are simple in a loop for each
// operation, and say how many they did: the next lane is one for the functions that do all.

// intLanes stops at lanes with undefined bits, and does nothing for operations that have more to check.
func intLanes(op ir.Op, fl uint8, bits uint32, a, b, r []reg) int {
	a, b = a[:len(r)], b[:len(r)]
	defined := 0
	for defined < len(r) && a[defined].u|b[defined].u == 0 {
		defined++
	}
	a, b, r = a[:defined], b[:defined], r[:defined]
	m := mask(bits)
	if fl != 0 {
		if op == ir.OpAdd {
			return addLanes(fl, 64-bits, a, b, r)
		}
		return 0
	}
	switch op {
	case ir.OpAdd:
		for i := range r {
			r[i] = def((a[i].v + b[i].v) & m)
		}
	case ir.OpSub:
		for i := range r {
			r[i] = def((a[i].v - b[i].v) & m)
		}
	case ir.OpMul:
		for i := range r {
			r[i] = def(a[i].v * b[i].v & m)
		}
	case ir.OpAnd:
		for i := range r {
			r[i] = def(a[i].v & b[i].v)
		}
	case ir.OpOr:
		for i := range r {
			r[i] = def(a[i].v | b[i].v)
		}
	case ir.OpXor:
		for i := range r {
			r[i] = def(a[i].v ^ b[i].v)
		}
	default:
		return 0
	}
	return defined
}

// addLanes adds with flags; shift moves the lanes to the upper end.
func addLanes(fl uint8, shift uint32, a, b, r []reg) int {
	for i := range r {
		x, y := a[i].v<<shift, b[i].v<<shift
		s := x + y
		if fl&fNSW != 0 && int64((x^s)&(y^s)) < 0 || fl&fNUW != 0 && s < x {
			return i
		}
		r[i] = def(s >> shift)
	}
	return len(r)
}

// fpLanes stops at undefined bits and at results that are NaNs.
func fpLanes(op ir.Op, k leafKind, a, b, r []reg) int {
	a, b = a[:len(r)], b[:len(r)]
	switch k {
	case leafF64:
		return f64Lanes(op, a, b, r)
	case leafF32:
		return f32Lanes(op, a, b, r)
	}
	return 0
}

func f64Lanes(op ir.Op, a, b, r []reg) int {
	for i := range r {
		x, y := math.Float64frombits(a[i].v), math.Float64frombits(b[i].v)
		switch op {
		case ir.OpFAdd:
			x += y
		case ir.OpFSub:
			x -= y
		case ir.OpFMul:
			x *= y
		case ir.OpFDiv:
			x /= y
		default:
			return i
		}
		if a[i].u|b[i].u != 0 || x != x {
			return i
		}
		r[i] = def(math.Float64bits(x))
	}
	return len(r)
}

func f32Lanes(op ir.Op, a, b, r []reg) int {
	for i := range r {
		x, y := math.Float32frombits(uint32(a[i].v)), math.Float32frombits(uint32(b[i].v))
		switch op {
		case ir.OpFAdd:
			x += y
		case ir.OpFSub:
			x -= y
		case ir.OpFMul:
			x *= y
		case ir.OpFDiv:
			x /= y
		default:
			return i
		}
		if a[i].u|b[i].u != 0 || x != x {
			return i
		}
		r[i] = def(uint64(math.Float32bits(x)))
	}
	return len(r)
}
