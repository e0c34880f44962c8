package interp

import (
	"math"
	"math/big"

	"github.com/mirin-go/mirin/ir"
)

const (
	nan64 = 0xfff8_0000_0000_0000 // the number that x86 makes of an invalid operation
	nan32 = 0xffc0_0000
	nan16 = 0xfe00
	nanBF = 0xffc0
)

// toFloat returns the number in a register; half and bfloat are exact in float64.
func toFloat(k leafKind, v uint64) float64 {
	switch k {
	case leafF32:
		return float64(math.Float32frombits(uint32(v)))
	case leafF16:
		return halfToFloat(uint16(v))
	case leafBF16:
		return float64(math.Float32frombits(uint32(v) << 16))
	}
	return math.Float64frombits(v)
}

func halfToFloat(h uint16) float64 {
	s, e, m := uint64(h>>15)<<63, int(h>>10&31), uint64(h&0x3ff)
	switch e {
	case 31:
		return math.Float64frombits(s | 0x7ff<<52 | m<<42)
	case 0:
		f := math.Ldexp(float64(m), -24)
		return math.Float64frombits(math.Float64bits(f) | s)
	}
	return math.Float64frombits(s | uint64(e-15+1023)<<52 | m<<42)
}

// fromFloat rounds to nearest even. NaNs keep sign and the upper payload, and become quiet.
func fromFloat(k leafKind, f float64) uint64 {
	switch k {
	case leafF64:
		return math.Float64bits(f)
	case leafF32:
		if f != f {
			b := math.Float64bits(f)
			return b>>63<<31 | 0x7fc0_0000 | b>>29&0x3f_ffff
		}
		return uint64(math.Float32bits(float32(f)))
	case leafF16:
		return roundSmall(f, 10, 5)
	}
	return roundSmall(f, 7, 8)
}

// roundSmall encodes f with mb bits of fraction and eb of exponent.
func roundSmall(f float64, mb, eb uint) uint64 {
	b := math.Float64bits(f)
	sign := b >> 63 << (mb + eb)
	emax := 1<<eb - 1
	bias := emax / 2
	frac := b & (1<<52 - 1)
	e := int(b >> 52 & 0x7ff)
	switch {
	case e == 0x7ff && frac != 0:
		return sign | uint64(emax)<<mb | 1<<(mb-1) | frac>>(52-mb)
	case e == 0x7ff:
		return sign | uint64(emax)<<mb
	case e == 0:
		return sign
	}
	frac |= 1 << 52
	ne := e - 1023 + bias
	shift := 52 - mb
	if ne <= 0 {
		shift += uint(1 - ne)
		ne = 0
	}
	if shift > 54 {
		return sign
	}
	q := frac >> shift
	rest, half := frac&(1<<shift-1), uint64(1)<<(shift-1)
	if rest > half || rest == half && q&1 != 0 {
		q++
	}
	if ne > 0 {
		q += uint64(ne-1) << mb // the leading one adds the last to the exponent
	}
	if q >= uint64(emax)<<mb {
		q = uint64(emax) << mb
	}
	return sign | q
}

func isNaN(k leafKind, v uint64) bool {
	switch k {
	case leafF64:
		return v<<1 > 0x7ff<<53
	case leafF32:
		return v&0x7fff_ffff > 0x7f80_0000
	case leafF16:
		return v&0x7fff > 0x7c00
	}
	return v&0x7fff > 0x7f80
}

func isInf(k leafKind, v uint64) bool {
	switch k {
	case leafF64:
		return v<<1 == 0x7ff<<53
	case leafF32:
		return v&0x7fff_ffff == 0x7f80_0000
	case leafF16:
		return v&0x7fff == 0x7c00
	}
	return v&0x7fff == 0x7f80
}

func quiet(k leafKind, v uint64) uint64 {
	switch k {
	case leafF64:
		return v | 1<<51
	case leafF32:
		return v | 1<<22
	case leafF16:
		return v | 1<<9
	}
	return v | 1<<6
}

func defaultNaN(k leafKind) uint64 {
	switch k {
	case leafF64:
		return nan64
	case leafF32:
		return nan32
	case leafF16:
		return nan16
	}
	return nanBF
}

func fpSign(k leafKind) uint64 {
	switch k {
	case leafF64:
		return 1 << 63
	case leafF32:
		return 1 << 31
	}
	return 1 << 15
}

func fpBits(k leafKind) uint32 {
	switch k {
	case leafF64:
		return 64
	case leafF32:
		return 32
	}
	return 16
}

// fmfPoison applies nnan and ninf: operands and result that they exclude make poison.
func fmfPoison(k leafKind, fl uint8, vs ...reg) bool {
	for _, r := range vs {
		if r.poison() || r.u == 0 && (fl&fNoNaN != 0 && isNaN(k, r.v) || fl&fNoInf != 0 && isInf(k, r.v)) {
			return true
		}
	}
	return false
}

func undefFP(k leafKind) reg { return reg{u: mask(fpBits(k))} }

// evalFBin is fadd, fsub, fmul, fdiv, frem with the NaNs of x86: the first
// operand's, quiet, or the default one.
func evalFBin(op ir.Op, fl uint8, k leafKind, a, b reg) reg {
	if a.poison() || b.poison() || fl != 0 && fmfPoison(k, fl, a, b) {
		return poisonReg
	}
	if a.u|b.u != 0 {
		return undefFP(k)
	}
	r := def(fbin(op, k, a.v, b.v))
	if fl != 0 && fmfPoison(k, fl, r) {
		return poisonReg
	}
	return r
}

// evalFMA is llvm.fma, or llvm.fmuladd, which rounds the product here.
func evalFMA(fused bool, k leafKind, fl uint8, x, y, z reg) reg {
	switch {
	case x.poison() || y.poison() || z.poison() || fl != 0 && fmfPoison(k, fl, x, y, z):
		return poisonReg
	case x.u|y.u|z.u != 0:
		return undefFP(k)
	case fused:
		return def(fma(k, x.v, y.v, z.v))
	}
	return def(fbin(ir.OpFAdd, k, fbin(ir.OpFMul, k, x.v, y.v), z.v))
}

func fbin(op ir.Op, k leafKind, a, b uint64) uint64 {
	switch {
	case isNaN(k, a):
		return quiet(k, a)
	case isNaN(k, b):
		return quiet(k, b)
	}
	var r uint64
	if k == leafF32 && op != ir.OpFRem {
		x, y := math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b))
		var f float32
		switch op {
		case ir.OpFAdd:
			f = x + y
		case ir.OpFSub:
			f = x - y
		case ir.OpFMul:
			f = x * y
		case ir.OpFDiv:
			f = x / y
		}
		r = uint64(math.Float32bits(f))
	} else {
		// The sum, product or quotient of half and bfloat numbers rounds
		// rightly through float64, which has more than twice their bits.
		x, y := toFloat(k, a), toFloat(k, b)
		var f float64
		switch op {
		case ir.OpFAdd:
			f = x + y
		case ir.OpFSub:
			f = x - y
		case ir.OpFMul:
			f = x * y
		case ir.OpFDiv:
			f = x / y
		case ir.OpFRem:
			f = math.Mod(x, y)
		}
		r = fromFloat(k, f)
	}
	if isNaN(k, r) {
		return defaultNaN(k)
	}
	return r
}

func evalFCmp(p ir.Pred, fl uint8, k leafKind, a, b reg) reg {
	if a.poison() || b.poison() || fl != 0 && fmfPoison(k, fl, a, b) {
		return poisonReg
	}
	if a.u|b.u != 0 && p != ir.FCmpFalse && p != ir.FCmpTrue {
		return reg{u: 1}
	}
	return boolReg(fcmp(p, toFloat(k, a.v), toFloat(k, b.v)))
}

// fcmp reads the predicate's bits: 1 equal, 2 greater, 4 less, 8 unordered.
func fcmp(p ir.Pred, x, y float64) bool {
	bit := ir.Pred(8)
	switch {
	case x == y:
		bit = 1
	case x > y:
		bit = 2
	case x < y:
		bit = 4
	}
	return p&bit != 0
}

// fpToInt truncates; ok is false where the number does not fit (poison).
func fpToInt(f float64, w uint32, sign bool) (v uint64, ok bool) {
	if f != f || math.IsInf(f, 0) {
		return 0, false
	}
	f = math.Trunc(f)
	if sign {
		lim := math.Ldexp(1, int(w)-1)
		if f < -lim || f >= lim {
			return 0, false
		}
		return uint64(int64(f)) & mask(w), true
	}
	if f < 0 || f >= math.Ldexp(1, int(w)) {
		return 0, false
	}
	return floatToUint(f), true
}

// floatToUint converts 0 ≤ f < 2^64.
func floatToUint(f float64) uint64 {
	if f >= 1<<63 {
		return uint64(int64(f-1<<63)) + 1<<63
	}
	return uint64(int64(f))
}

// intToFP rounds once, to nearest even.
func intToFP(k leafKind, v uint64, w uint32, sign bool) uint64 {
	if sign {
		s := signed(v, w)
		switch k {
		case leafF64:
			return math.Float64bits(float64(s))
		case leafF32:
			return uint64(math.Float32bits(float32(s)))
		}
		if s < 0 {
			return intToFP(k, uint64(-s), 64, false) | fpSign(k)
		}
		v = uint64(s)
	}
	switch k {
	case leafF64:
		return math.Float64bits(float64(v))
	case leafF32:
		return uint64(math.Float32bits(uintToFloat32(v)))
	}
	return fromFloat(k, sticky(v))
}

// uintToFloat32 rounds once; Go's conversion of uint64 does so too, spelled out
// to be the same on every machine.
func uintToFloat32(v uint64) float32 { return float32(v) }

// sticky returns v as a float64 whose low bit stands for all that did not fit,
// so that a second rounding is right.
func sticky(v uint64) float64 {
	if v < 1<<53 {
		return float64(v)
	}
	n := 0
	for v >= 1<<53 {
		v = v>>1 | v&1
		n++
	}
	return math.Ldexp(float64(v), n)
}

// evalFCast is a conversion between a floating-point number and an integer of
// up to 64 bits, or another floating-point type.
func evalFCast(op ir.Op, fl uint8, from, to leafKind, fromBits, toBits uint32, a reg) reg {
	if a.poison() {
		return poisonReg
	}
	switch op {
	case ir.OpFPToSI, ir.OpFPToUI:
		if a.u != 0 {
			return poisonReg
		}
		v, ok := fpToInt(toFloat(from, a.v), toBits, op == ir.OpFPToSI)
		if !ok {
			return poisonReg
		}
		return def(v)
	case ir.OpSIToFP, ir.OpUIToFP:
		if a.u != 0 {
			return undefFP(to)
		}
		if fl&fNNeg != 0 && a.v>>(fromBits-1) != 0 {
			return poisonReg
		}
		return def(intToFP(to, a.v, fromBits, op == ir.OpSIToFP))
	}
	if a.u != 0 {
		return undefFP(to)
	}
	if fmfPoison(from, fl, a) {
		return poisonReg
	}
	var r reg
	if isNaN(from, a.v) {
		// Through bits, so that no conversion of the machine changes the payload.
		r = def(fromFloat(to, math.Float64frombits(nanBits(from, a.v))))
	} else {
		r = def(fromFloat(to, toFloat(from, a.v)))
	}
	if fmfPoison(to, fl, r) {
		return poisonReg
	}
	return r
}

// nanBits widens a NaN to 64 bits, quiet.
func nanBits(k leafKind, v uint64) uint64 {
	switch k {
	case leafF64:
		return v | 1<<51
	case leafF32:
		return v>>31<<63 | 0x7ff8<<48 | v&0x7f_ffff<<29
	case leafF16:
		return v>>15<<63 | 0x7ff8<<48 | v&0x3ff<<42
	}
	return v>>15<<63 | 0x7ff8<<48 | v&0x7f<<45
}

// bigFloat is an exact value of a finite number.
func bigFloat(f float64) *big.Float { return new(big.Float).SetPrec(2200).SetFloat64(f) }
