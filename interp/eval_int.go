package interp

import (
	"math/bits"

	"github.com/mirin-go/mirin/ir"
)

// Flag bits of a decoded instruction.
const (
	fNUW      = 1 << iota
	fNSW      // 2
	fExact    // 4
	fDisjoint // 8
	fNNeg     // 16
	fSameSign // 32
	fInBounds // 64
	fNUSW     // 128
)

// Fast-math flags of a decoded floating-point instruction.
const (
	fNoNaN = 1 << iota
	fNoInf
	fNSZ
)

func flagBits(f ir.Flags) uint8 {
	var b uint8
	for i, x := range [...]ir.Flags{ir.NUW, ir.NSW, ir.Exact, ir.Disjoint, ir.NNeg, ir.SameSign, ir.InBounds, ir.NUSW} {
		if f&x != 0 {
			b |= 1 << i
		}
	}
	return b
}

func mask(w uint32) uint64 { return ^uint64(0) >> (64 - w) }

// signed extends the w low bits.
func signed(v uint64, w uint32) int64 { s := 64 - w; return int64(v<<s) >> s }

// upFrom returns the bits from the lowest set bit of u upwards.
func upFrom(u uint64) uint64 {
	if u == 0 {
		return 0
	}
	return ^uint64(0) << bits.TrailingZeros64(u)
}

// evalBin is an integer operation of up to 64 bits with full tracking. The
// error is undefined behaviour.
func evalBin(op ir.Op, fl uint8, w uint32, a, b reg) (reg, error) {
	switch op {
	case ir.OpUDiv, ir.OpSDiv, ir.OpURem, ir.OpSRem:
		return evalDiv(op, fl, w, a, b)
	}
	if a.u|b.u != 0 {
		return evalBinUndef(op, fl, w, a, b), nil
	}
	m := mask(w)
	x, y := a.v, b.v
	var r uint64
	bad := false
	s := 64 - w
	switch op {
	case ir.OpAdd:
		r = (x + y) & m
		if fl&fNUW != 0 && (r < x) {
			bad = true
		}
		if fl&fNSW != 0 && (x^r)&(y^r)>>(w-1)&1 != 0 {
			bad = true
		}
	case ir.OpSub:
		r = (x - y) & m
		if fl&fNUW != 0 && x < y {
			bad = true
		}
		if fl&fNSW != 0 && (x^y)&(x^r)>>(w-1)&1 != 0 {
			bad = true
		}
	case ir.OpMul:
		hi, lo := bits.Mul64(x, y)
		r = lo & m
		if fl&fNUW != 0 && (hi != 0 || lo&^m != 0) {
			bad = true
		}
		if fl&fNSW != 0 && mulOverflows(signed(x, w), signed(y, w), w) {
			bad = true
		}
	case ir.OpShl:
		if y >= uint64(w) {
			return poisonReg, nil
		}
		r = x << y & m
		bad = fl&fNUW != 0 && r>>y != x || fl&fNSW != 0 && uint64(int64(r<<s)>>(y+uint64(s)))&m != x
	case ir.OpLShr:
		if y >= uint64(w) {
			return poisonReg, nil
		}
		r = x >> y
		bad = fl&fExact != 0 && r<<y != x
	case ir.OpAShr:
		if y >= uint64(w) {
			return poisonReg, nil
		}
		r = uint64(signed(x, w)>>y) & m
		bad = fl&fExact != 0 && x&(1<<y-1) != 0
	case ir.OpAnd:
		r = x & y
	case ir.OpOr:
		r = x | y
		bad = fl&fDisjoint != 0 && x&y != 0
	case ir.OpXor:
		r = x ^ y
	}
	if bad {
		return poisonReg, nil
	}
	return def(r), nil
}

// mulOverflows tells whether x*y leaves the signed w-bit range.
func mulOverflows(x, y int64, w uint32) bool {
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	h := int64(hi)
	if x < 0 {
		h -= y
	}
	if y < 0 {
		h -= x
	}
	if h != int64(lo)>>63 {
		return true
	}
	return signed(lo, w) != int64(lo)
}

// evalBinUndef is evalBin where a bit of an operand is not defined. Bits of the
// result that are the same for every choice are defined, where this is cheap to see.
func evalBinUndef(op ir.Op, fl uint8, w uint32, a, b reg) reg {
	if a.poison() || b.poison() {
		return poisonReg
	}
	m := mask(w)
	switch op {
	case ir.OpAnd:
		return undefBits(a.v&b.v, (a.u|b.u)&(a.v|a.u)&(b.v|b.u))
	case ir.OpOr:
		if fl&fDisjoint != 0 && a.v&b.v != 0 {
			return poisonReg
		}
		return undefBits(a.v|b.v, (a.u|b.u)&^a.v&^b.v)
	case ir.OpXor:
		return undefBits(a.v^b.v, a.u|b.u)
	case ir.OpAdd:
		return undefBits((a.v+b.v)&m, upFrom(a.u|b.u)&m)
	case ir.OpSub:
		return undefBits((a.v-b.v)&m, upFrom(a.u|b.u)&m)
	case ir.OpMul:
		if a.u == 0 && a.v == 0 || b.u == 0 && b.v == 0 {
			return def(0)
		}
		// Known low zeros of one operand keep as many low bits known.
		if a.u == 0 {
			a, b = b, a
		}
		u := upFrom(a.u | b.u)
		if b.u == 0 {
			u <<= bits.TrailingZeros64(b.v)
		}
		return undefBits(a.v*b.v&m, u&m)
	}
	// Shifts: an undefined amount may be too large, so that the result is poison.
	if b.u != 0 || b.v >= uint64(w) {
		return poisonReg
	}
	s := 64 - w
	switch op {
	case ir.OpShl:
		return undefBits(a.v<<b.v&m, a.u<<b.v&m)
	case ir.OpLShr:
		return undefBits(a.v>>b.v, a.u>>b.v)
	}
	return undefBits(uint64(int64(a.v<<s)>>(uint64(s)+b.v))&m, uint64(int64(a.u<<s)>>(uint64(s)+b.v))&m)
}

func evalDiv(op ir.Op, fl uint8, w uint32, a, b reg) (reg, error) {
	switch {
	case b.poison():
		return reg{}, ub("division by poison", "%s", op)
	case b.u != 0:
		return reg{}, ub("division by undef", "%s", op)
	case b.v == 0:
		return reg{}, ub("division by zero", "%s", op)
	case a.poison():
		return poisonReg, nil
	}
	m := mask(w)
	if op == ir.OpUDiv || op == ir.OpURem {
		if a.u != 0 {
			return undefBits(0, m), nil
		}
		q, r := a.v/b.v, a.v%b.v
		if op == ir.OpURem {
			return def(r), nil
		}
		if fl&fExact != 0 && r != 0 {
			return poisonReg, nil
		}
		return def(q), nil
	}
	if b.v == m && (a.u == 0 && a.v == 1<<(w-1)) {
		return reg{}, ub("signed division overflow", "%s of the smallest number by -1", op)
	}
	if a.u != 0 {
		return undefBits(0, m), nil
	}
	x, y := signed(a.v, w), signed(b.v, w)
	if op == ir.OpSRem {
		return def(uint64(x%y) & m), nil
	}
	if fl&fExact != 0 && x%y != 0 {
		return poisonReg, nil
	}
	return def(uint64(x/y) & m), nil
}

// evalCast is trunc, zext, sext of up to 64 bits.
func evalCast(op ir.Op, fl uint8, from, to uint32, a reg) reg {
	if a.poison() {
		return poisonReg
	}
	m := mask(to)
	switch op {
	case ir.OpTrunc:
		if a.u == 0 {
			if fl&fNUW != 0 && a.v&^m != 0 || fl&fNSW != 0 && uint64(signed(a.v, to))&mask(from) != a.v {
				return poisonReg
			}
		}
		return reg{v: a.v & m, u: a.u & m}
	case ir.OpZExt:
		if fl&fNNeg != 0 && a.u == 0 && a.v>>(from-1) != 0 {
			return poisonReg
		}
		return reg{v: a.v, u: a.u}
	}
	return undefBits(uint64(signed(a.v, from))&m, uint64(signed(a.u, from))&m)
}

// evalICmp compares; the result is undefined only where both outcomes are possible.
func evalICmp(p ir.Pred, fl uint8, w uint32, a, b reg) reg {
	if a.poison() || b.poison() {
		return poisonReg
	}
	x, y := a.v, b.v
	if fl&fSameSign != 0 && a.u|b.u == 0 && (x^y)>>(w-1)&1 != 0 {
		return poisonReg
	}
	if p >= ir.ICmpSGT {
		// Signed is unsigned with the sign bit turned.
		s := uint64(1) << (w - 1)
		x, y = x^s&^a.u, y^s&^b.u
	}
	var lt, eq bool
	if a.u|b.u == 0 {
		lt, eq = x < y, x == y
	} else {
		if p == ir.ICmpEQ || p == ir.ICmpNE {
			if (x^y)&^(a.u|b.u) != 0 {
				return boolReg(p == ir.ICmpNE)
			}
			return reg{u: 1}
		}
		xmax, ymax := x|a.u, y|b.u
		switch p {
		case ir.ICmpULT, ir.ICmpSLT, ir.ICmpUGE, ir.ICmpSGE:
			if xmax < y {
				lt = true
			} else if x < ymax {
				return reg{u: 1}
			}
		default: // x > y, x <= y
			if x > ymax {
				lt, eq = false, false
			} else if xmax > y {
				return reg{u: 1}
			} else {
				lt = true
			}
		}
	}
	switch p {
	case ir.ICmpEQ:
		return boolReg(eq)
	case ir.ICmpNE:
		return boolReg(!eq)
	case ir.ICmpUGT, ir.ICmpSGT:
		return boolReg(!lt && !eq)
	case ir.ICmpUGE, ir.ICmpSGE:
		return boolReg(!lt)
	case ir.ICmpULT, ir.ICmpSLT:
		return boolReg(lt)
	}
	return boolReg(lt || eq)
}

func boolReg(b bool) reg {
	if b {
		return reg{v: 1}
	}
	return reg{}
}

// evalSelect picks one value. An undefined condition leaves open what the two
// do not agree in.
func evalSelect(c, a, b reg, w uint32) reg {
	switch {
	case c.poison():
		return poisonReg
	case c.u != 0:
		if a.poison() || b.poison() {
			return poisonReg
		}
		if a == b {
			return a
		}
		return undefBits(a.v, (a.v^b.v|a.u|b.u)&mask(w))
	case c.v != 0:
		return a
	}
	return b
}
