package globalisel

import (
	"math"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// fpType is the IR type of a floating-point value of n bits.
func fpType(n int) ir.Type {
	switch n {
	case 16:
		return ir.Half
	case 32:
		return ir.Float
	case 80:
		return ir.X86FP80
	case 128:
		return ir.FP128
	}
	return ir.Double
}

// fp makes a floating-point constant of type t.
func (h *Helper) fp(t mir.LLT, v float64) mir.Reg {
	n := t.ScalarBits()
	lo, hi := fpWords(n, v)
	d := h.New(mir.Scalar(n))
	h.Build(desc.G_FCONSTANT, Def(d), h.F.FPImm(fpType(n), lo, hi))
	return d
}

func (h *Helper) fcmp(p ir.Pred, x, y mir.Reg) mir.Reg { return h.FCmp(p, h.boolOf(h.Type(x)), x, y) }

// lowerSign changes sign bits as integers.
func (h *Helper) lowerSign(i mir.InstrID) bool {
	t := h.regType(i, 0)
	n := t.ScalarBits()
	x := h.reg(i, 1)
	abs := func(v mir.Reg) mir.Reg {
		return h.Bin(desc.G_AND, t, v, h.lowOnes(t, n-1))
	}
	var res mir.Reg
	switch h.F.Instr(i).Opcode {
	case desc.G_FNEG:
		res = h.Bin(desc.G_XOR, t, x, h.signBit(t))
	case desc.G_FABS:
		res = abs(x)
	case desc.G_FCOPYSIGN:
		y := h.reg(i, 2)
		yt := h.Type(y)
		sign := h.Bin(desc.G_AND, yt, y, h.signBit(yt))
		if m := yt.ScalarBits(); m > n {
			sign = h.Un(desc.G_TRUNC, t, h.Bin(desc.G_LSHR, yt, sign, h.Const(yt, int64(m-n))))
		} else if m < n {
			sign = h.Bin(desc.G_SHL, t, h.Un(desc.G_ZEXT, t, sign), h.Const(t, int64(n-m)))
		}
		res = h.Bin(desc.G_OR, t, abs(x), sign)
	}
	h.ReplaceWith(i, 0, res)
	return true
}

// lowerFMin compares and selects. The …NUM forms give the other operand when
// one is no number; MINIMUM and MAXIMUM give NaN, and order the zeros.
func (h *Helper) lowerFMin(i mir.InstrID) bool {
	t := h.regType(i, 0)
	op := h.F.Instr(i).Opcode
	x, y := h.reg(i, 1), h.reg(i, 2)
	p := ir.FCmpOLT
	isMax := op == desc.G_FMAXNUM || op == desc.G_FMAXIMUM || op == desc.G_FMAXIMUMNUM
	if isMax {
		p = ir.FCmpOGT
	}
	res := h.Select(h.fcmp(p, x, y), x, y)
	switch op {
	case desc.G_FMINNUM, desc.G_FMAXNUM:
		// y was taken because x is less or either is no number: then x unless y is one.
		res = h.Select(h.fcmp(ir.FCmpUNO, y, y), x, res)
	default:
		// Equal zeros of different sign: the bits joined give the minimum, met the maximum.
		bits := desc.G_OR
		if isMax {
			bits = desc.G_AND
		}
		same := h.fcmp(ir.FCmpOEQ, x, y)
		res = h.Select(same, h.Bin(bits, t, x, y), res)
		if op == desc.G_FMINIMUM || op == desc.G_FMAXIMUM {
			res = h.Select(h.fcmp(ir.FCmpUNO, x, y), h.Bin(desc.G_FADD, t, x, y), res)
		} else {
			res = h.Select(h.fcmp(ir.FCmpUNO, y, y), x, res)
		}
	}
	h.ReplaceWith(i, 0, res)
	return true
}

// lowerFCmp splits the comparisons that the target does not have: one and ueq
// and the like, by what it has.
func (h *Helper) lowerFCmp(i mir.InstrID) bool {
	p := h.predOf(i)
	d := h.reg(i, 0)
	x, y := h.reg(i, 2), h.reg(i, 3)
	var res mir.Reg
	switch p {
	case ir.FCmpFalse:
		res = h.Const(h.Rules.Bool, 0)
	case ir.FCmpTrue:
		res = h.Const(h.Rules.Bool, 1)
	case ir.FCmpONE:
		res = h.Bin(desc.G_OR, h.Rules.Bool, h.fcmp(ir.FCmpOLT, x, y), h.fcmp(ir.FCmpOGT, x, y))
	case ir.FCmpUEQ:
		res = h.Bin(desc.G_OR, h.Rules.Bool, h.fcmp(ir.FCmpOEQ, x, y), h.fcmp(ir.FCmpUNO, x, y))
	default:
		return false
	}
	h.Erase(i)
	h.boolTo(d, res)
	return true
}

// lowerConversion does the conversions of unsigned 64-bit and of saturated integers.
func (h *Helper) lowerConversion(i mir.InstrID) bool {
	switch h.F.Instr(i).Opcode {
	case desc.G_FPTOUI:
		return h.lowerFPToUI(i)
	case desc.G_UITOFP:
		return h.lowerUIToFP(i)
	}
	return h.lowerFPToIntSat(i)
}

// lowerFPToUI: numbers of 2^63 and more are converted less 2^63.
func (h *Helper) lowerFPToUI(i mir.InstrID) bool {
	t, x := h.regType(i, 0), h.reg(i, 1)
	ft := h.Type(x)
	s64 := mir.Scalar(64)
	switch n := t.ScalarBits(); {
	case n < 64:
		h.ReplaceWith(i, 0, h.Un(desc.G_TRUNC, t, h.Un(desc.G_FPTOSI, s64, x)))
		return true
	case n > 64:
		return false
	}
	limit := h.fp(ft, 1<<63)
	small := h.fcmp(ir.FCmpOLT, x, limit)
	lo := h.Un(desc.G_FPTOSI, s64, x)
	hi := h.Un(desc.G_FPTOSI, s64, h.Bin(desc.G_FSUB, ft, x, limit))
	hi = h.Bin(desc.G_XOR, s64, hi, h.signBit(s64))
	h.ReplaceWith(i, 0, h.Select(small, lo, hi))
	return true
}

// lowerUIToFP: numbers with the top bit set are halved, with the lost bit kept
// sticky so that rounding is the same, converted and doubled.
func (h *Helper) lowerUIToFP(i mir.InstrID) bool {
	t, x := h.regType(i, 0), h.reg(i, 1)
	s64 := mir.Scalar(64)
	switch n := h.Type(x).ScalarBits(); {
	case n < 64:
		h.ReplaceWith(i, 0, h.Un(desc.G_SITOFP, t, h.Un(desc.G_ZEXT, s64, x)))
		return true
	case n > 64:
		return false
	}
	plain := h.Un(desc.G_SITOFP, t, x)
	isNeg := func() mir.Reg { return h.icmp(ir.ICmpSLT, x, h.Const(s64, 0)) }
	if t.ScalarBits() > 64 { // which holds all of them
		neg := isNeg()
		h.ReplaceWith(i, 0, h.Bin(desc.G_FADD, t, plain, h.Select(neg, h.fp(t, 1<<64), h.fp(t, 0))))
		return true
	}
	one := h.Const(s64, 1)
	half := h.Bin(desc.G_OR, s64, h.Bin(desc.G_LSHR, s64, x, one), h.Bin(desc.G_AND, s64, x, one))
	conv := h.Un(desc.G_SITOFP, t, half)
	twice := h.Bin(desc.G_FADD, t, conv, conv)
	h.ReplaceWith(i, 0, h.Select(isNeg(), twice, plain))
	return true
}

// lowerFPToIntSat converts, takes the bounds where the value is beyond them, and zero for NaN.
func (h *Helper) lowerFPToIntSat(i mir.InstrID) bool {
	t, x := h.regType(i, 0), h.reg(i, 1)
	n := t.ScalarBits()
	ft := h.Type(x)
	signed := h.F.Instr(i).Opcode == desc.G_FPTOSI_SAT
	conv := desc.G_FPTOUI
	lo, hi := 0.0, math.Ldexp(1, n)
	if signed {
		conv = desc.G_FPTOSI
		lo, hi = -math.Ldexp(1, n-1), math.Ldexp(1, n-1)
	}
	res := h.Un(conv, t, x)
	min, max := h.Const(t, 0), h.lowOnes(t, n)
	if signed {
		min, max = h.bitRange(t, n-1, n), h.lowOnes(t, n-1)
	}
	// lo and hi are powers of two, exact in every format that reaches them; others have
	// infinity for them, which is beyond all that they can say.
	res = h.Select(h.fcmp(ir.FCmpOGE, x, h.fp(ft, hi)), max, res)
	res = h.Select(h.fcmp(ir.FCmpOLE, x, h.fp(ft, lo)), min, res)
	res = h.Select(h.fcmp(ir.FCmpUNO, x, x), h.Const(t, 0), res)
	h.ReplaceWith(i, 0, res)
	return true
}

// lowerRound: half away from zero, as trunc(x + copysign(the number before 0.5, x)).
func (h *Helper) lowerRound(i mir.InstrID) bool {
	t, x := h.regType(i, 0), h.reg(i, 1)
	n := t.ScalarBits()
	half, _ := fpWords(n, 0.5)
	below := h.FPConst(fpType(n), n, half-1)
	c := h.Bin(desc.G_FCOPYSIGN, t, below, x)
	h.ReplaceWith(i, 0, h.Un(desc.G_INTRINSIC_TRUNC, t, h.Bin(desc.G_FADD, t, x, c)))
	return true
}

// The classes of llvm.is.fpclass.
const (
	fcSNaN = 1 << iota
	fcQNaN
	fcNegInf
	fcNegNormal
	fcNegSubnormal
	fcNegZero
	fcPosZero
	fcPosSubnormal
	fcPosNormal
	fcPosInf
)

// lowOnes is the constant of the n low bits.
func (h *Helper) lowOnes(t mir.LLT, n int) mir.Reg { return h.bitRange(t, 0, n) }

// bitRange is the constant whose bits from first to end-1 are set.
func (h *Helper) bitRange(t mir.LLT, first, end int) mir.Reg {
	w := make([]uint64, (t.ScalarBits()+63)/64)
	for n := first; n < end; n++ {
		w[n/64] |= 1 << (n % 64)
	}
	if len(w) == 1 {
		return h.Const(t, signExtend(w[0], t.ScalarBits()))
	}
	return h.WideConst(t, w)
}

// lowerFPClass tests the bits of the number, class by class. The format of 80 bits
// has its first bit of the mantissa in memory; where that contradicts the exponent
// the processor takes no number for it, and LLVM says NaN.
func (h *Helper) lowerFPClass(i mir.InstrID) bool {
	f := h.F
	d, x := h.reg(i, 0), h.reg(i, 1)
	mask := f.Op(i, 2).Imm()
	n := h.Type(x).ScalarBits()
	mant, ok := map[int]int{16: 10, 32: 23, 64: 52, 80: 63, 128: 112}[n]
	if !ok {
		return false
	}
	t, explicit := mir.Scalar(n), n == 80 // which bit stands for 1
	if explicit {
		t = mir.Scalar(128)
		x = h.Un(desc.G_SEXT, t, x)
	}
	infFirst, least := mant, mant // of infinity's bits, and the exponent's
	if explicit {
		least = 64
	}
	inf := func() mir.Reg { return h.bitRange(t, infFirst, n-1) }
	quiet := func() mir.Reg { return h.bitRange(t, mant-1, n-1) }
	abs := h.Bin(desc.G_AND, t, x, h.lowOnes(t, n-1))
	zero := func() mir.Reg { return h.Const(t, 0) }
	bt := h.Rules.Bool
	and := func(a, b mir.Reg) mir.Reg { return h.Bin(desc.G_AND, bt, a, b) }
	integerBit := func() mir.Reg { return h.icmp(ir.ICmpNE, h.Bin(desc.G_AND, t, x, h.bitRange(t, 63, 64)), zero()) }
	res := mir.Reg(0)
	or := func(r mir.Reg) {
		if res == 0 {
			res = r
		} else {
			res = h.Bin(desc.G_OR, bt, res, r)
		}
	}
	// both ors in the test of a class of either sign.
	both := func(pos, neg int64, test func() mir.Reg) {
		switch mask & (pos | neg) {
		case 0:
		case pos | neg:
			or(test())
		case pos:
			or(and(test(), h.icmp(ir.ICmpSGE, x, zero())))
		default:
			or(and(test(), h.icmp(ir.ICmpSLT, x, zero())))
		}
	}
	if mask&fcQNaN != 0 {
		or(h.icmp(ir.ICmpSGE, abs, quiet()))
	}
	if mask&fcSNaN != 0 {
		or(and(h.icmp(ir.ICmpSGT, abs, inf()), h.icmp(ir.ICmpSLT, abs, quiet())))
	}
	if explicit && mask&(fcQNaN|fcSNaN) == fcQNaN|fcSNaN {
		noExponent := h.icmp(ir.ICmpEQ, h.Bin(desc.G_AND, t, x, h.bitRange(t, 64, 79)), zero())
		one := h.Const(bt, 1)
		or(h.Bin(desc.G_XOR, bt, h.Bin(desc.G_XOR, bt, noExponent, integerBit()), one))
	}
	both(fcPosInf, fcNegInf, func() mir.Reg { return h.icmp(ir.ICmpEQ, abs, inf()) })
	both(fcPosZero, fcNegZero, func() mir.Reg { return h.icmp(ir.ICmpEQ, abs, zero()) })
	both(fcPosNormal, fcNegNormal, func() mir.Reg {
		// Exponents but the lowest and the highest.
		r := h.icmp(ir.ICmpULT, h.Bin(desc.G_SUB, t, abs, h.bitRange(t, least, least+1)), h.bitRange(t, least+1, n-1))
		if explicit {
			r = and(r, integerBit())
		}
		return r
	})
	both(fcPosSubnormal, fcNegSubnormal, func() mir.Reg {
		return h.icmp(ir.ICmpULT, h.Bin(desc.G_SUB, t, abs, h.Const(t, 1)), h.lowOnes(t, mant))
	})
	if res == 0 {
		res = h.Const(bt, 0)
	}
	h.Erase(i)
	h.boolTo(d, res)
	return true
}
