package predicatecode

import (
	"math/bits"
	"sync"
)

// value is a C++ integer: its bits, of which the low ones count.
type value struct {
	v        uint64
	bits     int
	unsigned bool
}

func boolean(b bool) value {
	if b {
		return value{1, 1, true}
	}
	return value{0, 1, true}
}

// norm extends the low bits to 64, by sign or by zeros.
func (x value) norm() value {
	if x.bits < 64 {
		sh := 64 - uint(x.bits)
		if x.unsigned {
			x.v = x.v << sh >> sh
		} else {
			x.v = uint64(int64(x.v<<sh) >> sh)
		}
	}
	return x
}

func (x value) to(t value) value {
	if t.bits == 1 {
		return boolean(x.v != 0)
	}
	return value{x.v, t.bits, t.unsigned}.norm()
}

// promote makes a value at least int.
func (x value) promote() value {
	if x.bits < 32 {
		return value{x.v, 32, false}
	}
	return x
}

// common brings two values to the type in which C++ computes.
func common(a, b value) (value, value) {
	a, b = a.promote(), b.promote()
	t := value{bits: max(a.bits, b.bits)}
	t.unsigned = a.unsigned && a.bits == t.bits || b.unsigned && b.bits == t.bits
	return a.to(t), b.to(t)
}

// function is one that conditions may call.
type function struct {
	template, params int
	call             func(t []int64, a []value) value
}

func fits(v uint64, n int64) bool { return n >= 64 || v>>uint(n) == 0 }

func fitsSigned(v int64, n int64) bool {
	return n >= 64 || n > 0 && v>>(uint(n)-1) == v>>63
}

func truth(f func(v uint64) bool) function {
	return function{0, 1, func(_ []int64, a []value) value { return boolean(f(a[0].v)) }}
}

func isPowerOf2(v uint64) bool    { return v != 0 && v&(v-1) == 0 }
func isMask(v uint64) bool        { return v != 0 && v&(v+1) == 0 }
func isShiftedMask(v uint64) bool { return v != 0 && isMask((v-1)|v) }
func low32(f func(uint64) bool) function {
	return truth(func(v uint64) bool { return f(uint64(uint32(v))) })
}

// functions are made when they are first asked for: most programs never do.
var functions = sync.OnceValue(func() map[string]function {
	return map[string]function{
		"isInt":   {1, 1, func(t []int64, a []value) value { return boolean(fitsSigned(int64(a[0].v), t[0])) }},
		"isUInt":  {1, 1, func(t []int64, a []value) value { return boolean(fits(a[0].v, t[0])) }},
		"isIntN":  {0, 2, func(_ []int64, a []value) value { return boolean(fitsSigned(int64(a[1].v), int64(a[0].v))) }},
		"isUIntN": {0, 2, func(_ []int64, a []value) value { return boolean(fits(a[1].v, int64(a[0].v))) }},
		"isShiftedInt": {2, 1, func(t []int64, a []value) value {
			return boolean(fitsSigned(int64(a[0].v), t[0]+t[1]) && a[0].v&(1<<uint(t[1])-1) == 0)
		}},
		"isShiftedUInt": {2, 1, func(t []int64, a []value) value {
			return boolean(fits(a[0].v, t[0]+t[1]) && a[0].v&(1<<uint(t[1])-1) == 0)
		}},
		"isPowerOf2_64":    truth(isPowerOf2),
		"isPowerOf2_32":    low32(isPowerOf2),
		"isMask_64":        truth(isMask),
		"isMask_32":        low32(isMask),
		"isShiftedMask_64": truth(isShiftedMask),
		"isShiftedMask_32": low32(isShiftedMask),
		"has_single_bit":   truth(isPowerOf2),
		// The methods of an APInt, of the sign-extended value.
		"isZero":             truth(func(v uint64) bool { return v == 0 }),
		"isOne":              truth(func(v uint64) bool { return v == 1 }),
		"isAllOnes":          truth(func(v uint64) bool { return v == ^uint64(0) }),
		"isNegative":         truth(func(v uint64) bool { return int64(v) < 0 }),
		"isNonNegative":      truth(func(v uint64) bool { return int64(v) >= 0 }),
		"isStrictlyPositive": truth(func(v uint64) bool { return int64(v) > 0 }),
		"popcount":           {0, 1, func(_ []int64, a []value) value { return value{uint64(bits.OnesCount64(a[0].mask())), 32, false} }},
		"countr_zero": {0, 1, func(_ []int64, a []value) value {
			return value{uint64(min(bits.TrailingZeros64(a[0].v), a[0].bits)), 32, false}
		}},
		"countl_zero": {0, 1, func(_ []int64, a []value) value {
			return value{uint64(bits.LeadingZeros64(a[0].mask()) - 64 + a[0].bits), 32, false}
		}},
		"Log2_64": {0, 1, func(_ []int64, a []value) value { return value{uint64(bits.Len64(a[0].v) - 1), 32, true}.norm() }},
		"Log2_32": {0, 1, func(_ []int64, a []value) value {
			return value{uint64(bits.Len32(uint32(a[0].v)) - 1), 32, true}.norm()
		}},
		"SignExtend64": {1, 1, func(t []int64, a []value) value {
			if t[0] == 0 {
				return value{0, 64, false}
			}
			return value{value{a[0].v, int(t[0]), false}.norm().v, 64, false}
		}},
	}
})

func typeOf(name string) value {
	t, _ := typeNamed(name)
	return t
}

// mask is the value with only its own bits.
func (x value) mask() uint64 {
	x.unsigned = true
	return x.norm().v
}

// Match reports whether a constant of that many bits, sign-extended in imm,
// meets the condition.
func (e *Expr) Match(imm int64, width int) bool { return e.root.eval(imm, width).v != 0 }

func (n *node) eval(imm int64, width int) value {
	switch n.op {
	case "lit":
		return n.val
	case "imm":
		return value{uint64(imm), 64, false}
	case "zext":
		return value{value{uint64(imm), width, true}.norm().v, 64, true}
	case "call":
		var args [2]value
		for i, k := range n.kids {
			args[i] = k.eval(imm, width)
		}
		return functions()[n.fn].call(n.args, args[:len(n.kids)])
	case "cast":
		return n.kids[0].eval(imm, width).to(typeOf(n.fn))
	case "?":
		if n.kids[0].eval(imm, width).v != 0 {
			return n.kids[1].eval(imm, width)
		}
		return n.kids[2].eval(imm, width)
	}
	a := n.kids[0].eval(imm, width)
	switch n.op {
	case "!":
		return boolean(a.v == 0)
	case "~":
		a = a.promote()
		a.v = ^a.v
		return a.norm()
	case "neg":
		a = a.promote()
		a.v = -a.v
		return a.norm()
	case "&&":
		return boolean(a.v != 0 && n.kids[1].eval(imm, width).v != 0)
	case "||":
		return boolean(a.v != 0 || n.kids[1].eval(imm, width).v != 0)
	}
	return binary(n.op, a, n.kids[1].eval(imm, width))
}

func binary(op string, a, b value) value {
	if op == "<<" || op == ">>" {
		a = a.promote()
		if op == "<<" {
			a.v <<= b.v
			return a.norm()
		}
		if a.unsigned {
			a.v >>= b.v
		} else {
			a.v = uint64(int64(a.v) >> min(b.v, 63))
		}
		return a
	}
	a, b = common(a, b)
	less := int64(a.v) < int64(b.v)
	if a.unsigned {
		less = a.v < b.v
	}
	switch op {
	case "==":
		return boolean(a.v == b.v)
	case "!=":
		return boolean(a.v != b.v)
	case "<":
		return boolean(less)
	case ">=":
		return boolean(!less)
	case ">":
		return boolean(!less && a.v != b.v)
	case "<=":
		return boolean(less || a.v == b.v)
	case "+":
		a.v += b.v
	case "-":
		a.v -= b.v
	case "*":
		a.v *= b.v
	case "&":
		a.v &= b.v
	case "|":
		a.v |= b.v
	case "^":
		a.v ^= b.v
	case "/", "%":
		a.v = divide(op, a, b)
	}
	return a.norm()
}

// divide: division by zero, which C++ leaves undefined, gives 0.
func divide(op string, a, b value) uint64 {
	switch {
	case b.v == 0:
		return 0
	case a.unsigned && op == "/":
		return a.v / b.v
	case a.unsigned:
		return a.v % b.v
	case op == "/":
		return uint64(int64(a.v) / int64(b.v))
	}
	return uint64(int64(a.v) % int64(b.v))
}

// Range returns the bounds of a condition that is one range of signed values:
// isInt<N>(Imm), and isUInt<N>(Imm) for N below 64.
func (e *Expr) Range() (lo, hi int64, ok bool) {
	n := e.root
	if n.op != "call" || len(n.kids) != 1 || n.kids[0].op != "imm" {
		return 0, 0, false
	}
	switch {
	case n.fn == "isInt" && n.args[0] > 0 && n.args[0] < 64:
		return -1 << uint(n.args[0]-1), 1<<uint(n.args[0]-1) - 1, true
	case n.fn == "isUInt" && n.args[0] < 63:
		return 0, 1<<uint(n.args[0]) - 1, true
	}
	return 0, 0, false
}

// AsksWidth reports whether the condition depends on the width of the constant.
func (e *Expr) AsksWidth() bool { return e.root.asksWidth() }

func (n *node) asksWidth() bool {
	for _, k := range n.kids {
		if k.asksWidth() {
			return true
		}
	}
	return n.op == "zext"
}
