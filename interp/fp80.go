package interp

import (
	"math"
	"math/big"
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// x86_fp80 is kept in two registers: the significand with its explicit leading
// one, and sign with exponent. Arithmetic goes through big.Float with 64 bits;
// numbers below the smallest normal one are rounded once more, as the last step.

const (
	bias80 = 16383
	max80  = 0x7fff
)

// num80 is an x87 number taken apart.
type num80 struct {
	nan, inf, neg bool
	f             *big.Float // finite: absolute value with sign
}

func split80(r []reg) num80 {
	m, se := r[0].v, r[1].v&0xffff
	n := num80{neg: se>>15 != 0}
	e := int(se & max80)
	switch {
	case e == max80 && m == 1<<63:
		n.inf = true
	case e == max80, e != 0 && m>>63 == 0: // the latter: encodings that the x87 rejects
		n.nan = true
	default:
		f := new(big.Float).SetPrec(64).SetUint64(m)
		f.SetMantExp(f, max(e, 1)-bias80-63)
		if n.neg {
			f.Neg(f)
		}
		n.f = f
	}
	return n
}

func put80(r []reg, m, se uint64) { r[0], r[1] = def(m), def(se) }

func nan80(r []reg)           { put80(r, 0xc000_0000_0000_0000, 0xffff) }
func inf80(r []reg, neg bool) { put80(r, 1<<63, max80|b2u(neg)<<15) }

// join80 stores a finite number of any precision, rounding to nearest even.
func join80(r []reg, f *big.Float) {
	neg := f.Signbit()
	s := b2u(neg) << 15
	if f.Sign() == 0 {
		put80(r, 0, s)
		return
	}
	a := new(big.Float).Abs(f)
	e := a.MantExp(nil) - 1 // value is 1.x * 2^e
	prec := 64
	if e < 1-bias80 {
		prec = 64 - (1 - bias80 - e)
	}
	if prec <= 0 {
		// Half of the smallest number, or less.
		if prec == 0 && a.Cmp(new(big.Float).SetMantExp(big.NewFloat(1), 1-bias80-64)) > 0 {
			put80(r, 1, s)
		} else {
			put80(r, 0, s)
		}
		return
	}
	q := new(big.Float).SetPrec(uint(prec)).SetMode(big.ToNearestEven).Set(a)
	e = max(q.MantExp(nil)-1, 1-bias80)
	if e > bias80 {
		inf80(r, neg)
		return
	}
	q.SetPrec(64)
	z, _ := q.SetMantExp(q, 63-e).Uint64()
	be := uint64(e + bias80)
	if z>>63 == 0 {
		be = 0
	}
	put80(r, z, s|be)
}

func from80(n num80) float64 {
	switch {
	case n.nan:
		return math.Float64frombits(nan64)
	case n.inf && n.neg:
		return math.Inf(-1)
	case n.inf:
		return math.Inf(1)
	}
	f, _ := n.f.Float64()
	return f
}

// to80 is exact.
func to80(r []reg, f float64) {
	switch {
	case f != f:
		put80(r, 0xc000_0000_0000_0000|math.Float64bits(f)<<11, max80|math.Float64bits(f)>>63<<15)
	case math.IsInf(f, 0):
		inf80(r, f < 0)
	default:
		b := new(big.Float).SetPrec(64).SetFloat64(f)
		join80(r, b)
	}
}

// bin80 is one operation; wide precision and one rounding at the end.
func bin80(op ir.Op, a, b, r []reg) {
	x, y := split80(a), split80(b)
	xz, yz := x.f != nil && x.f.Sign() == 0, y.f != nil && y.f.Sign() == 0
	switch {
	case x.nan && a[0].v>>63 != 0:
		put80(r, a[0].v|1<<62, a[1].v)
		return
	case y.nan && b[0].v>>63 != 0:
		put80(r, b[0].v|1<<62, b[1].v)
		return
	case x.nan || y.nan:
		nan80(r)
		return
	}
	if op == ir.OpFSub {
		y.neg = !y.neg
		if y.f != nil {
			y.f.Neg(y.f)
		}
		op = ir.OpFAdd
	}
	neg := x.neg != y.neg
	switch op {
	case ir.OpFAdd:
		switch {
		case x.inf && y.inf && neg:
			nan80(r)
		case x.inf:
			inf80(r, x.neg)
		case y.inf:
			inf80(r, y.neg)
		default:
			// Far apart, the smaller one only breaks ties: 200 bits are enough for that when it is replaced by a sticky bit.
			join80(r, addSticky(x.f, y.f))
		}
	case ir.OpFMul:
		switch {
		case x.inf && yz || y.inf && xz:
			nan80(r)
		case x.inf || y.inf:
			inf80(r, neg)
		default:
			join80(r, new(big.Float).SetPrec(128).Mul(x.f, y.f))
		}
	case ir.OpFDiv:
		switch {
		case x.inf && y.inf || xz && yz:
			nan80(r)
		case x.inf || yz:
			inf80(r, neg)
		case y.inf:
			put80(r, 0, b2u(neg)<<15)
		default:
			q := new(big.Float).SetPrec(192).SetMode(big.ToZero).Quo(x.f, y.f)
			join80(r, sticky80(q))
		}
	case ir.OpFRem:
		switch {
		case x.inf || yz:
			nan80(r)
		case y.inf || xz:
			put80(r, a[0].v, a[1].v)
		default:
			join80(r, rem80(x.f, y.f, x.neg))
		}
	}
}

// sticky80 makes the last bit of an inexact quotient say so.
func sticky80(q *big.Float) *big.Float {
	if q.Acc() == big.Exact {
		return q
	}
	tiny := new(big.Float).SetMantExp(big.NewFloat(1), q.MantExp(nil)-191)
	if q.Signbit() {
		tiny.Neg(tiny)
	}
	return new(big.Float).SetPrec(256).Add(q, tiny)
}

func addSticky(x, y *big.Float) *big.Float {
	if x.Sign() == 0 || y.Sign() == 0 {
		return new(big.Float).SetPrec(64).Add(x, y)
	}
	ex, ey := x.MantExp(nil), y.MantExp(nil)
	if ex-ey > 200 {
		y = new(big.Float).SetMantExp(big.NewFloat(float64(y.Sign())), ex-200)
	} else if ey-ex > 200 {
		x = new(big.Float).SetMantExp(big.NewFloat(float64(x.Sign())), ey-200)
	}
	return new(big.Float).SetPrec(400).Add(x, y)
}

func rem80(x, y *big.Float, neg bool) *big.Float {
	sx, sy := x.MantExp(nil), y.MantExp(nil)
	e := min(sx, sy) - 64
	xi, _ := new(big.Float).SetMantExp(x, -e).Int(nil)
	yi, _ := new(big.Float).SetMantExp(y, -e).Int(nil)
	m := new(big.Int).Rem(xi, yi)
	f := new(big.Float).SetPrec(64).SetInt(m)
	f.SetMantExp(f, e)
	if m.Sign() == 0 && neg {
		f.Neg(f)
	}
	return f
}

func cmp80(p ir.Pred, a, b []reg) bool {
	x, y := split80(a), split80(b)
	if x.nan || y.nan {
		return fcmp(p, math.NaN(), 0)
	}
	key := func(n num80) *big.Float {
		if n.inf {
			return new(big.Float).SetInf(n.neg)
		}
		return n.f
	}
	return fcmp(p, float64(key(x).Cmp(key(y))), 0)
}

// fp80 decodes an operation on x86_fp80.
func (d *decoder) fp80(i ir.InstrID, in *ir.Instr, ops []ir.Value, n uint32) {
	op, p := in.Op, in.Pred
	a, r := d.opnd(ops[0]), d.late(d.slots[i])
	b := a
	if len(ops) > 1 {
		b = d.opnd(ops[1])
	}
	d.gen(func(vm *Interp, regs []reg) error {
		for k := range n {
			x, y := regs[*a+2*k:*a+2*k+2], regs[*b+2*k:*b+2*k+2]
			poison, undef := wordsState(x, y)
			if op == ir.OpFCmp {
				switch {
				case poison:
					regs[*r+k] = poisonReg
				case undef:
					regs[*r+k] = reg{u: 1}
				default:
					regs[*r+k] = boolReg(cmp80(p, x, y))
				}
				continue
			}
			out := regs[*r+2*k : *r+2*k+2]
			switch {
			case poison:
				setPoison(out)
			case undef:
				undefWide(80, out)
			case op == ir.OpFNeg:
				put80(out, x[0].v, x[1].v^1<<15)
			default:
				bin80(op, x, y, out)
			}
		}
		return nil
	})
}

// cast80 converts from or to x86_fp80.
func cast80(op ir.Op, fk, tk leafKind, fb, tb uint32, a, r []reg) error {
	poison, undef := wordsState(a)
	switch {
	case poison:
		setPoison(r)
		return nil
	case undef:
		undefWide(tb, r)
		return nil
	}
	switch op {
	case ir.OpFPExt:
		if isNaN(fk, a[0].v) {
			to80(r, math.Float64frombits(nanBits(fk, a[0].v)))
		} else {
			to80(r, toFloat(fk, a[0].v))
		}
	case ir.OpFPTrunc:
		n := split80(a)
		switch {
		case n.nan:
			v := a[0].v<<1>>12 | 1<<51 | 0x7ff<<52 | b2u(n.neg)<<63
			r[0] = def(fromFloat(tk, math.Float64frombits(v)))
		case n.inf || tk == leafF64:
			r[0] = def(fromFloat(tk, from80(n)))
		case tk == leafF32:
			f, _ := n.f.Float32()
			r[0] = def(uint64(math.Float32bits(f)))
		default:
			// Rounded to odd, then once more.
			o := new(big.Float).SetPrec(53).SetMode(big.ToZero).Set(n.f)
			f, _ := o.Float64()
			if o.Acc() != big.Exact {
				f = math.Float64frombits(math.Float64bits(f) | 1)
			}
			r[0] = def(fromFloat(tk, f))
		}
	case ir.OpSIToFP, ir.OpUIToFP:
		z := toBig(a)
		if op == ir.OpSIToFP {
			z = toBigSigned(a, fb)
		}
		join80(r, new(big.Float).SetPrec(uint(max(fb, 64))).SetInt(z))
	case ir.OpFPToSI, ir.OpFPToUI:
		n := split80(a)
		if n.f == nil {
			setPoison(r)
			return nil
		}
		z, _ := n.f.Int(nil)
		hi := new(big.Int).Lsh(big.NewInt(1), uint(tb))
		lo := new(big.Int)
		if op == ir.OpFPToSI {
			hi.Rsh(hi, 1)
			lo.Neg(hi)
		}
		if z.Cmp(hi) >= 0 || z.Cmp(lo) < 0 {
			setPoison(r)
			return nil
		}
		fromBig(z, tb, r)
	default:
		return unsupported("%s of x86_fp80", op)
	}
	return nil
}

// intrinsic80 decodes the intrinsics that need no rounding, or one.
func (d *decoder) intrinsic80(i ir.InstrID, id ir.Intrinsic, args []ir.Value) bool {
	var fn func(a, b, c, r []reg)
	switch id {
	case ir.IntrIsFpclass:
		m, _ := d.f.Consts.SignedInt(d.vm.t, args[1])
		a, r := d.opnd(args[0]), d.late(d.slots[i])
		d.gen(func(vm *Interp, regs []reg) error {
			x := regs[*a : *a+2]
			switch poison, undef := wordsState(x); {
			case poison:
				regs[*r] = poisonReg
			case undef:
				regs[*r] = reg{u: 1}
			default:
				c := class80(x)
				regs[*r] = boolReg(c&uint64(m) != 0 && (c != 3 || m&3 == 3))
			}
			return nil
		})
		return true
	case ir.IntrFabs:
		fn = func(a, _, _, r []reg) { put80(r, a[0].v, a[1].v&max80) }
	case ir.IntrCopysign:
		fn = func(a, b, _, r []reg) { put80(r, a[0].v, a[1].v&max80|b[1].v&^max80) }
	case ir.IntrFmuladd:
		fn = func(a, b, c, r []reg) {
			t := make([]reg, 2)
			bin80(ir.OpFMul, a, b, t)
			bin80(ir.OpFAdd, t, c, r)
		}
	default:
		f := long80(strings.TrimPrefix(id.String(), "llvm."))
		if f == nil {
			return false
		}
		fn = func(a, _, _, r []reg) { f(a, r) }
	}
	var at [3]*uint32
	for k := range at {
		at[k] = d.opnd(args[min(k, len(args)-1)])
	}
	r := d.late(d.slots[i])
	d.gen(func(vm *Interp, regs []reg) error {
		a, b, c, out := regs[*at[0]:*at[0]+2], regs[*at[1]:*at[1]+2], regs[*at[2]:*at[2]+2], regs[*r:*r+2]
		switch poison, undef := wordsState(a, b, c); {
		case poison:
			setPoison(out)
		case undef:
			undefWide(80, out)
		default:
			fn(a, b, c, out)
		}
		return nil
	})
	return true
}

// long80 finds a function of one x86_fp80 that is exact or rounded once.
func long80(name string) func(a, r []reg) {
	toInt := func(mode func(float64) float64) func(f *big.Float) *big.Float {
		return func(f *big.Float) *big.Float {
			z, _ := f.Int(nil)
			whole := new(big.Float).SetPrec(64).SetInt(z)
			// What is left is below 1 in size; only its class matters, and ties.
			d, _ := new(big.Float).SetPrec(64).Sub(f, whole).Float64()
			return new(big.Float).SetPrec(64).Add(whole, big.NewFloat(mode(d)))
		}
	}
	var fn func(f *big.Float) *big.Float
	switch name {
	case "fabs":
		return func(a, r []reg) { put80(r, a[0].v, a[1].v&max80) }
	case "floor":
		fn = toInt(math.Floor)
	case "ceil":
		fn = toInt(math.Ceil)
	case "trunc":
		fn = toInt(math.Trunc)
	case "sqrt":
		fn = func(f *big.Float) *big.Float { return new(big.Float).SetPrec(64).Sqrt(f) }
	default:
		return nil
	}
	return func(a, r []reg) {
		n := split80(a)
		switch {
		case name == "sqrt" && n.neg && !n.nan && (n.inf || n.f.Sign() != 0):
			nan80(r)
		case n.f == nil || n.f.Sign() == 0:
			put80(r, a[0].v, a[1].v)
		default:
			f := fn(n.f)
			join80(r, f)
			if f.Sign() == 0 && n.neg {
				r[1] = def(1 << 15)
			}
		}
	}
}

// class80 returns the bit of llvm.is.fpclass. Encodings that the x87 does not
// know are NaNs, neither quiet nor signaling: 3.
func class80(r []reg) uint64 {
	m, e, neg := r[0].v, r[1].v&max80, r[1].v>>15&1 != 0
	pos, negBit := uint64(0x100), uint64(8)
	switch {
	case e == max80 && m == 1<<63:
		pos, negBit = 0x200, 4
	case e == max80 && m>>62 == 3:
		return 2
	case e != 0 && m>>63 == 0:
		return 3
	case e == max80:
		return 1
	case e == 0 && m == 0:
		pos, negBit = 0x40, 0x20
	case e == 0 && m>>63 == 0:
		pos, negBit = 0x80, 0x10
	}
	if neg {
		return negBit
	}
	return pos
}
