package interp

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/mirin-go/mirin/ir"
)

// Integers above 64 bits: words of 64 bits, low first, each in its register.

func wordsState(rs ...[]reg) (poison, undef bool) {
	for _, r := range rs {
		for i := range r {
			if r[i].u != 0 {
				undef = true
				poison = poison || r[i].poison()
			}
		}
	}
	return
}

func toBig(r []reg) *big.Int {
	z := new(big.Int)
	for i := len(r) - 1; i >= 0; i-- {
		z.Lsh(z, 64)
		z.Or(z, new(big.Int).SetUint64(r[i].v))
	}
	return z
}

func toBigSigned(r []reg, w uint32) *big.Int {
	z := toBig(r)
	if z.Bit(int(w)-1) != 0 {
		z.Sub(z, new(big.Int).Lsh(big.NewInt(1), uint(w)))
	}
	return z
}

// fromBig stores z modulo 2^w.
func fromBig(z *big.Int, w uint32, r []reg) {
	m := new(big.Int).Lsh(big.NewInt(1), uint(w))
	x := new(big.Int).Mod(z, m) // Euclidean: not negative
	lo := new(big.Int)
	all := new(big.Int).SetUint64(^uint64(0))
	for i := range r {
		r[i] = def(lo.And(x, all).Uint64())
		x.Rsh(x, 64)
	}
}

func undefWide(w uint32, r []reg) {
	f := leaf{bits: w, words: uint32(len(r))}
	undefLeaf(&f, r)
}

// evalWideBin is evalBin above 64 bits. Undefined bits are followed through
// and, or, xor alone; elsewhere they make the whole result undefined.
func evalWideBin(op ir.Op, fl uint8, w uint32, a, b, r []reg) error {
	poison, undef := wordsState(a, b)
	if op >= ir.OpUDiv && op <= ir.OpSRem {
		bp, bu := wordsState(b)
		switch {
		case bp:
			return ub("division by poison", "%s", op)
		case bu:
			return ub("division by undef", "%s", op)
		case toBig(b).Sign() == 0:
			return ub("division by zero", "%s", op)
		}
	}
	if poison {
		setPoison(r)
		return nil
	}
	if op == ir.OpAnd || op == ir.OpOr || op == ir.OpXor {
		for i := range r {
			v, _ := evalBin(op, fl, 64, a[i], b[i])
			if v.poison() {
				setPoison(r)
				return nil
			}
			r[i] = v
		}
		return nil
	}
	if undef {
		undefWide(w, r)
		return nil
	}
	if w == 128 && fl == 0 && op <= ir.OpMul {
		evalBin128(op, a, b, r)
		return nil
	}
	lim := func(z *big.Int, sign bool) bool { // does z leave the range
		if sign {
			h := new(big.Int).Lsh(big.NewInt(1), uint(w-1))
			return z.Cmp(h) >= 0 || z.Cmp(h.Neg(h)) < 0
		}
		return z.Sign() < 0 || z.BitLen() > int(w)
	}
	z := new(big.Int)
	bad := false
	switch op {
	case ir.OpAdd, ir.OpSub, ir.OpMul:
		f := map[ir.Op]func(z, x, y *big.Int) *big.Int{ir.OpAdd: (*big.Int).Add, ir.OpSub: (*big.Int).Sub, ir.OpMul: (*big.Int).Mul}[op]
		f(z, toBig(a), toBig(b))
		bad = fl&fNUW != 0 && lim(z, false)
		if fl&fNSW != 0 {
			f(z, toBigSigned(a, w), toBigSigned(b, w))
			bad = bad || lim(z, true)
		}
	case ir.OpUDiv, ir.OpURem:
		q, m := new(big.Int).QuoRem(toBig(a), toBig(b), new(big.Int))
		z = q
		if op == ir.OpURem {
			z = m
		} else {
			bad = fl&fExact != 0 && m.Sign() != 0
		}
	case ir.OpSDiv, ir.OpSRem:
		q, m := new(big.Int).QuoRem(toBigSigned(a, w), toBigSigned(b, w), new(big.Int))
		if lim(q, true) {
			return ub("signed division overflow", "%s of the smallest number by -1", op)
		}
		z = q
		if op == ir.OpSRem {
			z = m
		} else {
			bad = fl&fExact != 0 && m.Sign() != 0
		}
	case ir.OpShl, ir.OpLShr, ir.OpAShr:
		y := toBig(b)
		if !y.IsUint64() || y.Uint64() >= uint64(w) {
			setPoison(r)
			return nil
		}
		s := uint(y.Uint64())
		switch op {
		case ir.OpShl:
			z.Lsh(toBig(a), s)
			bad = fl&fNUW != 0 && lim(z, false) || fl&fNSW != 0 && lim(new(big.Int).Lsh(toBigSigned(a, w), s), true)
		case ir.OpLShr:
			x := toBig(a)
			z.Rsh(x, s)
			bad = fl&fExact != 0 && x.Sign() != 0 && x.TrailingZeroBits() < s
		default:
			x := toBigSigned(a, w)
			z.Rsh(x, s)
			bad = fl&fExact != 0 && x.Sign() != 0 && x.TrailingZeroBits() < s
		}
	}
	if bad {
		setPoison(r)
		return nil
	}
	fromBig(z, w, r)
	return nil
}

func evalBin128(op ir.Op, a, b, r []reg) {
	var lo, hi, c uint64
	switch op {
	case ir.OpAdd:
		lo, c = bits.Add64(a[0].v, b[0].v, 0)
		hi, _ = bits.Add64(a[1].v, b[1].v, c)
	case ir.OpSub:
		lo, c = bits.Sub64(a[0].v, b[0].v, 0)
		hi, _ = bits.Sub64(a[1].v, b[1].v, c)
	default:
		hi, lo = bits.Mul64(a[0].v, b[0].v)
		hi += a[0].v*b[1].v + a[1].v*b[0].v
	}
	r[0], r[1] = def(lo), def(hi)
}

func evalWideICmp(p ir.Pred, w uint32, a, b []reg) reg {
	poison, undef := wordsState(a, b)
	if poison {
		return poisonReg
	}
	if undef {
		if p == ir.ICmpEQ || p == ir.ICmpNE {
			for i := range a {
				if (a[i].v^b[i].v)&^(a[i].u|b[i].u) != 0 {
					return boolReg(p == ir.ICmpNE)
				}
			}
		}
		return reg{u: 1}
	}
	var c int
	if p >= ir.ICmpSGT {
		c = toBigSigned(a, w).Cmp(toBigSigned(b, w))
	} else {
		for i := len(a) - 1; i >= 0 && c == 0; i-- {
			if a[i].v != b[i].v {
				c = 1
				if a[i].v < b[i].v {
					c = -1
				}
			}
		}
	}
	return boolReg([...]bool{c == 0, c != 0, c > 0, c >= 0, c < 0, c <= 0, c > 0, c >= 0, c < 0, c <= 0}[p-ir.ICmpEQ])
}

// wideCast converts where source or result is wider than 64 bits.
func wideCast(op ir.Op, fl uint8, fk, tk leafKind, fb, tb uint32, a, r []reg) error {
	poison, undef := wordsState(a)
	if poison {
		setPoison(r)
		return nil
	}
	switch op {
	case ir.OpTrunc, ir.OpZExt, ir.OpSExt, ir.OpPtrToInt, ir.OpIntToPtr:
		if op == ir.OpZExt && fl&fNNeg != 0 && !undef && a[len(a)-1].v>>((fb-1)%64)&1 != 0 {
			setPoison(r)
			return nil
		}
		if op == ir.OpTrunc && fl != 0 && !undef {
			z := toBig(a)
			s := toBigSigned(a, fb)
			h := new(big.Int).Lsh(big.NewInt(1), uint(tb-1))
			if fl&fNUW != 0 && z.BitLen() > int(tb) || fl&fNSW != 0 && (s.Cmp(h) >= 0 || s.Cmp(new(big.Int).Neg(h)) < 0) {
				setPoison(r)
				return nil
			}
		}
		var fill reg
		last := a[len(a)-1]
		top := (fb-1)%64 + 1
		ext := func(x reg) reg { return x }
		if op == ir.OpSExt {
			fill = undefBits(uint64(signed(last.v, top)>>63), uint64(signed(last.u, top)>>63))
			ext = func(x reg) reg { return undefBits(uint64(signed(x.v, top)), uint64(signed(x.u, top))) }
		}
		for i := range r {
			switch {
			case i < len(a)-1:
				r[i] = reg{v: a[i].v, u: a[i].u}
			case i == len(a)-1:
				r[i] = ext(reg{v: a[i].v, u: a[i].u})
			default:
				r[i] = fill
			}
		}
		if w := tb % 64; w != 0 {
			x := &r[len(r)-1]
			x.v &= mask(w)
			x.u &= mask(w)
		}
		return nil
	case ir.OpUIToFP, ir.OpSIToFP:
		if undef {
			r[0] = undefFP(tk)
			return nil
		}
		z := toBig(a)
		if op == ir.OpSIToFP {
			z = toBigSigned(a, fb)
		}
		r[0] = def(bigToFP(tk, z))
		return nil
	case ir.OpFPToUI, ir.OpFPToSI:
		f := toFloat(fk, a[0].v)
		if undef || f != f || math.IsInf(f, 0) {
			setPoison(r)
			return nil
		}
		z, _ := bigFloat(math.Trunc(f)).Int(nil)
		h := new(big.Int).Lsh(big.NewInt(1), uint(tb))
		lo := new(big.Int)
		if op == ir.OpFPToSI {
			h.Rsh(h, 1)
			lo.Neg(h)
		}
		if z.Cmp(h) >= 0 || z.Cmp(lo) < 0 {
			setPoison(r)
			return nil
		}
		fromBig(z, tb, r)
		return nil
	}
	return unsupported("%s of i%d to i%d", op, fb, tb)
}

// bigToFP rounds once.
func bigToFP(k leafKind, z *big.Int) uint64 {
	switch k {
	case leafF32:
		f, _ := new(big.Float).SetInt(z).Float32()
		return uint64(math.Float32bits(f))
	case leafF64:
		f, _ := new(big.Float).SetInt(z).Float64()
		return math.Float64bits(f)
	}
	// Half and bfloat: round to odd in 53 bits first.
	x := new(big.Float).SetPrec(53).SetMode(big.ToZero).SetInt(z)
	f, _ := x.Float64()
	if x.Acc() != big.Exact {
		f = math.Float64frombits(math.Float64bits(f) | 1)
	}
	return fromFloat(k, f)
}
