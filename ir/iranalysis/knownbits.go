package iranalysis

import (
	"math/bits"

	"github.com/mirin-go/mirin/ir"
)

// Known says which bits of an integer of up to 64 bits (or of a pointer) are
// known to be 0 and which to be 1. Bits above Width are 0 in both masks.
type Known struct {
	Zero, One uint64
	Width     int
}

// mask covers the width.
func (k Known) mask() uint64 { return ^uint64(0) >> (64 - uint(k.Width)) }

// Unknown is nothing known of a value of a width.
func Unknown(width int) Known { return Known{Width: width} }

// Exactly is a constant.
func Exactly(width int, v uint64) Known {
	k := Known{Width: width}
	k.One = v & k.mask()
	k.Zero = ^v & k.mask()
	return k
}

// Const returns the value when all bits are known.
func (k Known) Const() (uint64, bool) { return k.One, k.Zero|k.One == k.mask() }

// Min and Max bound the value as an unsigned number.
func (k Known) Min() uint64 { return k.One }

// Max is the largest value that is possible.
func (k Known) Max() uint64 { return ^k.Zero & k.mask() }

// TrailingZeros and LeadingZeros count the low and high bits that are known to be 0.
func (k Known) TrailingZeros() int { return min(bits.TrailingZeros64(^k.Zero), k.Width) }

// LeadingZeros counts the high bits that are known to be 0.
func (k Known) LeadingZeros() int {
	return min(bits.LeadingZeros64(^k.Zero<<(64-uint(k.Width))), k.Width)
}

// NonNegative and Negative say what is known of the sign.
func (k Known) NonNegative() bool { return k.Zero>>(k.Width-1)&1 != 0 }

// Negative reports a sign bit that is known to be set.
func (k Known) Negative() bool { return k.One>>(k.Width-1)&1 != 0 }

// Both is what holds of a value that is one of two.
func (k Known) Both(o Known) Known { return Known{k.Zero & o.Zero, k.One & o.One, k.Width} }

// addBits is k + o + carry, the carry known or not.
func (k Known) addBits(o Known, carryZero, carryOne bool) Known {
	m := k.mask()
	lo, hi := uint64(0), uint64(1)
	if carryZero {
		hi = 0
	}
	if carryOne {
		lo = 1
	}
	// The sum of the smallest and of the largest values: where their carries
	// into a bit agree and both operands' bits are known, the bit is known.
	smin := k.One + o.One + lo
	smax := (^k.Zero & m) + (^o.Zero & m) + hi
	carry1 := smin ^ k.One ^ o.One
	carry0 := ^(smax ^ (^k.Zero & m) ^ (^o.Zero & m))
	known := (k.Zero | k.One) & (o.Zero | o.One) & (carry0 | carry1) & m
	return Known{Zero: ^smax & known, One: smin & known, Width: k.Width}
}

// Add is k + o, Sub k - o.
func (k Known) Add(o Known) Known { return k.addBits(o, true, false) }

// Sub is k - o.
func (k Known) Sub(o Known) Known {
	return k.addBits(Known{Zero: o.One, One: o.Zero, Width: o.Width}, false, true)
}

// Mul knows the low zeros and small products.
func (k Known) Mul(o Known) Known {
	if a, ok := k.Const(); ok {
		if b, ok := o.Const(); ok {
			return Exactly(k.Width, a*b)
		}
	}
	r := Unknown(k.Width)
	tz := min(k.TrailingZeros()+o.TrailingZeros(), k.Width)
	r.Zero = (1<<tz - 1) & k.mask()
	if lz := k.LeadingZeros() + o.LeadingZeros(); lz > k.Width {
		r.Zero |= r.mask() &^ (r.mask() >> uint(lz-k.Width))
	}
	return r
}

// Trunc, ZExt and SExt change the width.
func (k Known) Trunc(w int) Known {
	r := Known{k.Zero, k.One, w}
	r.Zero &= r.mask()
	r.One &= r.mask()
	return r
}

// ZExt widens with zeros.
func (k Known) ZExt(w int) Known {
	r := Known{k.Zero, k.One, w}
	r.Zero |= r.mask() &^ k.mask()
	return r
}

// SExt widens with the sign.
func (k Known) SExt(w int) Known {
	r := Known{k.Zero, k.One, w}
	if k.NonNegative() {
		r.Zero |= r.mask() &^ k.mask()
	}
	if k.Negative() {
		r.One |= r.mask() &^ k.mask()
	}
	return r
}

// maxKnownDepth bounds how far back KnownBits looks, LLVM's depth.
const maxKnownDepth = 6

// KnownBits finds what is known of a scalar integer or pointer value of f;
// Width is 0 for other types and for integers wider than 64 bits.
func KnownBits(f *ir.Function, dl *ir.DataLayout, v ir.Value) Known {
	k := knower{f, dl, f.Module.Types}
	return k.of(v, 0)
}

type knower struct {
	f  *ir.Function
	dl *ir.DataLayout
	t  *ir.Types
}

func (k *knower) width(t ir.Type) int {
	switch k.t.Kind(t) {
	case ir.KindInteger:
		if w := k.t.IntBits(t); w <= 64 {
			return w
		}
	case ir.KindPointer:
		return min(int(k.dl.PointerSize(k.t.AddrSpace(t))*8), 64)
	}
	return 0
}

// lowZeros is a value whose low n bits are 0.
func lowZeros(w, n int) Known {
	r := Unknown(w)
	r.Zero = (1<<min(n, w) - 1) & r.mask()
	return r
}

func (k *knower) of(v ir.Value, depth int) Known {
	w := k.width(k.f.TypeOf(v))
	if w == 0 {
		return Known{}
	}
	switch v.Tag() {
	case ir.TagConst:
		c := k.f.Consts.At(v.Const())
		switch c.Kind {
		case ir.ConstInt:
			return Exactly(w, c.Bits)
		case ir.ConstNull, ir.ConstZero:
			return Exactly(w, 0)
		}
		return Unknown(w)
	case ir.TagGlobal:
		if g := k.f.Module.Globals[v.Global()]; g.Kind == ir.GlobalVar && g.Align > 0 {
			return lowZeros(w, int(g.Align)-1)
		}
		return Unknown(w)
	case ir.TagLocal:
		if depth < maxKnownDepth {
			return k.instr(v.Instr(), w, depth+1)
		}
	}
	return Unknown(w)
}

func (k *knower) instr(i ir.InstrID, w, depth int) Known {
	f := k.f
	in := &f.Instrs[i]
	op := func(n int) Known { return k.of(f.Op(i, n), depth) }
	switch in.Op {
	case ir.OpAnd:
		a, b := op(0), op(1)
		return Known{a.Zero | b.Zero, a.One & b.One, w}
	case ir.OpOr:
		a, b := op(0), op(1)
		return Known{a.Zero & b.Zero, a.One | b.One, w}
	case ir.OpXor:
		a, b := op(0), op(1)
		return Known{a.Zero&b.Zero | a.One&b.One, a.Zero&b.One | a.One&b.Zero, w}
	case ir.OpAdd:
		return op(0).Add(op(1))
	case ir.OpSub:
		return op(0).Sub(op(1))
	case ir.OpMul:
		return op(0).Mul(op(1))
	case ir.OpShl, ir.OpLShr, ir.OpAShr:
		return k.shift(in.Op, op(0), op(1))
	case ir.OpUDiv:
		a := op(0)
		r := Unknown(w)
		r.Zero = r.mask() &^ (r.mask() >> uint(a.LeadingZeros()))
		return r
	case ir.OpURem:
		b := op(1)
		r := Unknown(w)
		if c, ok := b.Const(); ok && c != 0 && c&(c-1) == 0 {
			a := op(0)
			return Known{a.Zero&(c-1) | r.mask()&^(c-1), a.One & (c - 1), w}
		}
		r.Zero = r.mask() &^ (r.mask() >> uint(b.LeadingZeros()))
		return r
	case ir.OpTrunc:
		if a := op(0); a.Width > 0 {
			return a.Trunc(w)
		}
	case ir.OpZExt:
		if a := op(0); a.Width > 0 {
			return a.ZExt(w)
		}
	case ir.OpSExt:
		if a := op(0); a.Width > 0 {
			return a.SExt(w)
		}
	case ir.OpPtrToInt, ir.OpIntToPtr, ir.OpPtrToAddr:
		if a := op(0); a.Width >= w {
			return a.Trunc(w)
		} else if a.Width > 0 {
			return a.ZExt(w)
		}
	case ir.OpSelect:
		return op(1).Both(op(2))
	case ir.OpPhi:
		if f.NumOps(i) == 0 || depth >= maxKnownDepth-1 {
			break
		}
		r := Known{Zero: ^uint64(0), One: ^uint64(0), Width: w}
		for n := 0; n < f.NumOps(i); n += 2 {
			if f.Op(i, n).Instr() == i {
				continue
			}
			r = r.Both(k.of(f.Op(i, n), maxKnownDepth-1))
		}
		if r.Zero&r.One != 0 {
			return Unknown(w)
		}
		return r
	case ir.OpAlloca:
		if in.Align > 0 {
			return lowZeros(w, int(in.Align)-1)
		}
	case ir.OpGEP:
		return k.gep(i, w, depth)
	case ir.OpICmp, ir.OpFCmp:
		return Unknown(w)
	case ir.OpCall:
		return k.call(i, w, depth)
	}
	return Unknown(w)
}

func (k *knower) shift(op ir.Op, a, by Known) Known {
	w := a.Width
	n, ok := by.Const()
	if !ok || n >= uint64(w) {
		switch op {
		case ir.OpShl:
			return lowZeros(w, a.TrailingZeros())
		case ir.OpLShr:
			r := Unknown(w)
			r.Zero = r.mask() &^ (r.mask() >> uint(a.LeadingZeros()))
			return r
		}
		return Unknown(w)
	}
	m := a.mask()
	switch op {
	case ir.OpShl:
		return Known{(a.Zero<<n | (1<<n - 1)) & m, a.One << n & m, w}
	case ir.OpLShr:
		return Known{a.Zero>>n | m&^(m>>n), a.One >> n, w}
	}
	r := Known{a.Zero >> n, a.One >> n, w}
	high := m &^ (m >> n)
	if a.NonNegative() {
		r.Zero |= high
	} else if a.Negative() {
		r.One |= high
	}
	return r
}

// gep knows the low bits that base and scaled indices leave.
func (k *knower) gep(i ir.InstrID, w, depth int) Known {
	f := k.f
	if off, ok := k.dl.ConstGEPOffset(f, i); ok {
		base := k.of(f.Op(i, 0), depth)
		return base.Add(Exactly(w, uint64(off)))
	}
	d := decompose(f, k.dl, ir.Local(i))
	if d.opaque {
		return Unknown(w)
	}
	tz := k.of(d.base, depth).TrailingZeros()
	if d.off != 0 {
		tz = min(tz, bits.TrailingZeros64(uint64(d.off)))
	}
	for _, t := range d.terms {
		tz = min(tz, bits.TrailingZeros64(uint64(t.scale)))
	}
	return lowZeros(w, tz)
}

func (k *knower) call(i ir.InstrID, w, depth int) Known {
	f := k.f
	r := Unknown(w)
	switch f.IntrinsicOf(i) {
	case ir.IntrCtpop, ir.IntrCtlz, ir.IntrCttz:
		r.Zero = r.mask() &^ (1<<bits.Len(uint(w)) - 1)
	case ir.IntrBswap:
		if a := k.of(f.Op(i, 0), depth); a.Width == w && w%8 == 0 {
			s := 64 - uint(w)
			return Known{bits.ReverseBytes64(a.Zero) >> s, bits.ReverseBytes64(a.One) >> s, w}
		}
	case ir.IntrUmin:
		a, b := k.of(f.Op(i, 0), depth), k.of(f.Op(i, 1), depth)
		r = a.Both(b)
		r.Zero |= r.mask() &^ (r.mask() >> uint(max(a.LeadingZeros(), b.LeadingZeros())))
	case ir.IntrUmax:
		return k.of(f.Op(i, 0), depth).Both(k.of(f.Op(i, 1), depth))
	}
	if a, ok := f.Module.Attrs.At(f.Instrs[i].Attrs).Ret.Get("align"); ok && a.Int > 0 {
		return lowZeros(w, bits.TrailingZeros64(a.Int))
	}
	return r
}
