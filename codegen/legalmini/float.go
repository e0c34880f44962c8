package legalmini

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// bits lowers bit counting of what the machine does not have.
func (l *legal) bits(i mir.InstrID, op desc.Opcode) {
	d, s := l.use(i, 0), l.use(i, 1)
	n := l.width(s)
	ts, td := l.Type(s), l.Type(d)
	w := mir.Scalar(max(32, ts.Bits()))
	s8 := mir.Scalar(8)
	fit := func(v mir.Reg) { l.done(i, l.Resize(desc.G_ZEXT, td, v)) }
	switch op {
	case desc.G_CTLZ, desc.G_CTLZ_ZERO_UNDEF:
		if n == ts.Bits() && ts.Bits() >= 16 && td == ts {
			return
		}
		v := l.New(w)
		x := l.Resize(desc.G_ZEXT, w, l.exact(s, false))
		l.Build(op, mir.RegOp(v, mir.Def), mir.RegOp(x, 0))
		fit(l.Bin(desc.G_SUB, w, v, l.Const(w, int64(w.Bits()-n))))
	case desc.G_CTTZ, desc.G_CTTZ_ZERO_UNDEF:
		if n == ts.Bits() && ts.Bits() >= 16 && td == ts {
			return
		}
		// A bit above the value stops the count at its width.
		x := l.Resize(desc.G_ANYEXT, w, s)
		if n < w.Bits() {
			x = l.Bin(desc.G_OR, w, x, l.Const(w, 1<<n))
		}
		v := l.New(w)
		l.Build(desc.G_CTTZ, mir.RegOp(v, mir.Def), mir.RegOp(x, 0))
		fit(v)
	case desc.G_CTPOP:
		if n == ts.Bits() && ts.Bits() >= 16 && td == ts && l.st.HasFeature("popcnt") {
			return
		}
		fit(l.popcount(l.Resize(desc.G_ZEXT, w, l.exact(s, false))))
	case desc.G_BSWAP:
		if n != ts.Bits() {
			l.fail(i)
		}
	case desc.G_BITREVERSE:
		if n != ts.Bits() {
			l.fail(i)
			return
		}
		x := s
		if n > 8 {
			x = l.New(ts)
			l.Build(desc.G_BSWAP, mir.RegOp(x, mir.Def), mir.RegOp(s, 0))
		}
		for _, st := range [...]struct {
			mask uint64
			by   int64
		}{{0x0f0f0f0f0f0f0f0f, 4}, {0x3333333333333333, 2}, {0x5555555555555555, 1}} {
			m := l.Const(ts, int64(st.mask))
			c := l.Const(s8, st.by)
			x = l.Bin(desc.G_OR, ts, l.Bin(desc.G_AND, ts, l.Bin(desc.G_LSHR, ts, x, c), m), l.Bin(desc.G_SHL, ts, l.Bin(desc.G_AND, ts, x, m), c))
		}
		l.done(i, x)
	}
}

// popcount counts bits in parallel (Hacker's Delight, 5-1).
func (l *legal) popcount(x mir.Reg) mir.Reg {
	t := l.Type(x)
	c := func(v uint64) mir.Reg { return l.Const(t, int64(v)) }
	sh := func(v mir.Reg, n int64) mir.Reg { return l.Bin(desc.G_LSHR, t, v, l.Const(mir.Scalar(8), n)) }
	x = l.Bin(desc.G_SUB, t, x, l.Bin(desc.G_AND, t, sh(x, 1), c(0x5555555555555555)))
	x = l.Bin(desc.G_ADD, t, l.Bin(desc.G_AND, t, x, c(0x3333333333333333)), l.Bin(desc.G_AND, t, sh(x, 2), c(0x3333333333333333)))
	x = l.Bin(desc.G_AND, t, l.Bin(desc.G_ADD, t, x, sh(x, 4)), c(0x0f0f0f0f0f0f0f0f))
	x = l.Bin(desc.G_MUL, t, x, c(0x0101010101010101))
	return sh(x, int64(t.Bits()-8))
}

// convert reduces conversions to the signed ones of 32 and 64 bits.
func (l *legal) convert(i mir.InstrID, op desc.Opcode) {
	d, s := l.use(i, 0), l.use(i, 1)
	s32, s64 := mir.Scalar(32), mir.Scalar(64)
	switch op {
	case desc.G_SITOFP:
		x := l.exact(s, true)
		l.f.SetReg(i, 1, l.Resize(desc.G_SEXT, mir.Scalar(max(32, l.Type(x).Bits())), x))
	case desc.G_UITOFP:
		x := l.exact(s, false)
		switch n := l.width(s); {
		case n < 32:
			l.done(i, l.Un(desc.G_SITOFP, l.Type(d), l.Resize(desc.G_ZEXT, s32, x)))
		case n < 64:
			l.done(i, l.Un(desc.G_SITOFP, l.Type(d), l.Resize(desc.G_ZEXT, s64, x)))
		default:
			l.u64ToFP(i, x)
		}
	case desc.G_FPTOSI:
		if t := l.Type(d); t.Bits() < 32 {
			l.done(i, l.Un(desc.G_TRUNC, t, l.Un(desc.G_FPTOSI, s32, s)))
		}
	case desc.G_FPTOUI:
		t := l.Type(d)
		switch n := l.width(d); {
		case n < 32:
			l.done(i, l.Un(desc.G_TRUNC, t, l.Un(desc.G_FPTOSI, s32, s)))
		case n < 64:
			l.done(i, l.Resize(desc.G_TRUNC, t, l.Un(desc.G_FPTOSI, s64, s)))
		default:
			l.fpToU64(i, s)
		}
	}
}

// u64ToFP converts numbers with the top bit set by halves: the lowest bit is
// or-ed into the next so that the rounding stays right, the result doubled.
func (l *legal) u64ToFP(i mir.InstrID, x mir.Reg) {
	s8, s64 := mir.Scalar(8), mir.Scalar(64)
	t := l.Type(l.use(i, 0))
	one := l.Const(s8, 1)
	half := l.Bin(desc.G_OR, s64, l.Bin(desc.G_LSHR, s64, x, one), l.Bin(desc.G_AND, s64, x, l.Const(s64, 1)))
	h := l.Un(desc.G_SITOFP, t, half)
	big := l.Bin(desc.G_FADD, t, h, h)
	small := l.Un(desc.G_SITOFP, t, x)
	l.done(i, l.Select(l.ICmp(ir.ICmpSLT, s8, x, l.Const(s64, 0)), big, small))
}

// fpToU64 takes 2^63 off numbers that reach it and sets the top bit again.
func (l *legal) fpToU64(i mir.InstrID, x mir.Reg) {
	s8, s64 := mir.Scalar(8), mir.Scalar(64)
	t := l.Type(x)
	var limit mir.Reg
	if t.Bits() == 32 {
		limit = l.FPConst(ir.Float, 32, 0x5f000000)
	} else {
		limit = l.FPConst(ir.Double, 64, 0x43e0000000000000)
	}
	small := l.Un(desc.G_FPTOSI, s64, x)
	big := l.Bin(desc.G_XOR, s64, l.Un(desc.G_FPTOSI, s64, l.Bin(desc.G_FSUB, t, x, limit)), l.Const(s64, -1<<63))
	l.done(i, l.Select(l.FCmp(ir.FCmpOLT, s8, x, limit), small, big))
}

// mathCalls are the C library's functions, without the f of the float version.
var mathCalls = map[desc.Opcode]string{
	desc.G_FREM: "fmod", desc.G_FPOW: "pow", desc.G_FSIN: "sin", desc.G_FCOS: "cos", desc.G_FTAN: "tan", desc.G_FEXP: "exp",
	desc.G_FEXP2: "exp2", desc.G_FEXP10: "exp10", desc.G_FLOG: "log", desc.G_FLOG2: "log2", desc.G_FLOG10: "log10",
	desc.G_FFLOOR: "floor", desc.G_FCEIL: "ceil", desc.G_INTRINSIC_TRUNC: "trunc", desc.G_FRINT: "rint",
	desc.G_FNEARBYINT: "nearbyint", desc.G_INTRINSIC_ROUND: "round", desc.G_INTRINSIC_ROUNDEVEN: "roundeven",
	desc.G_FMA: "fma", desc.G_FMINNUM: "fmin", desc.G_FMAXNUM: "fmax", desc.G_FASIN: "asin", desc.G_FACOS: "acos",
	desc.G_FATAN: "atan", desc.G_FATAN2: "atan2", desc.G_FSINH: "sinh", desc.G_FCOSH: "cosh", desc.G_FTANH: "tanh",
}

func (l *legal) float(i mir.InstrID, op desc.Opcode) {
	switch op {
	case desc.G_FFLOOR, desc.G_FCEIL, desc.G_INTRINSIC_TRUNC, desc.G_FRINT, desc.G_FNEARBYINT, desc.G_INTRINSIC_ROUNDEVEN:
		if l.st.HasFeature("sse4.1") {
			return
		}
	case desc.G_FMA:
		if l.st.HasFeature("fma") {
			return
		}
	case desc.G_FMAD:
		t := l.Type(l.use(i, 0))
		l.done(i, l.Bin(desc.G_FADD, t, l.Bin(desc.G_FMUL, t, l.use(i, 1), l.use(i, 2)), l.use(i, 3)))
		return
	case desc.G_FCOPYSIGN:
		l.copysign(i)
		return
	case desc.G_FLDEXP, desc.G_FPOWI:
		name, t := "ldexp", ir.Double
		if op == desc.G_FPOWI {
			name = "__powidf2"
		}
		if l.Type(l.use(i, 0)).Bits() == 32 {
			t = ir.Float
			name = map[string]string{"ldexp": "ldexpf", "__powidf2": "__powisf2"}[name]
		}
		l.libcall(i, name, t, l.arg(t, l.use(i, 1)), l.arg(ir.Int32, l.use(i, 2)))
		return
	}
	name, ok := mathCalls[op]
	if !ok {
		return
	}
	t := ir.Double
	if l.Type(l.use(i, 0)).Bits() == 32 {
		t = ir.Float
		name += "f"
	}
	var args []target.CallArg
	for k := 1; k < l.f.Instr(i).NumOps(); k++ {
		args = append(args, l.arg(t, l.use(i, k)))
	}
	l.libcall(i, name, t, args...)
}

func (l *legal) copysign(i mir.InstrID) {
	d, x, s := l.use(i, 0), l.use(i, 1), l.use(i, 2)
	t, ts := l.Type(d), l.Type(s)
	n := t.Bits()
	xi := l.Un(desc.G_BITCAST, t, x)
	si := l.Un(desc.G_BITCAST, ts, s)
	if ts.Bits() > n {
		si = l.Un(desc.G_TRUNC, t, l.Bin(desc.G_LSHR, ts, si, l.Const(mir.Scalar(8), int64(ts.Bits()-n))))
	} else if ts.Bits() < n {
		si = l.Bin(desc.G_SHL, t, l.Un(desc.G_ANYEXT, t, si), l.Const(mir.Scalar(8), int64(n-ts.Bits())))
	}
	sign := l.Bin(desc.G_AND, t, si, l.Const(t, -1<<(n-1)))
	mag := l.Bin(desc.G_AND, t, xi, l.Const(t, int64(uint64(1)<<(n-1)-1)))
	v := l.Bin(desc.G_OR, t, sign, mag)
	l.Build(desc.G_BITCAST, mir.RegOp(d, mir.Def), mir.RegOp(v, 0))
	l.f.Erase(i)
}
