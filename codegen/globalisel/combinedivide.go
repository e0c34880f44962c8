package globalisel

import (
	"math/big"
	"math/bits"

	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// This file has the numbers of divisions by constants for combine.td, after
// Granlund and Montgomery, "Division by Invariant Integers using
// Multiplication" (PLDI 1994).

// expandsDivision tells that speed counts, not size.
func expandsDivision(m *matchtable.Matcher, _ []matchtable.Arg) bool {
	f := m.F
	if f.Module == nil || f.IR == nil {
		return true
	}
	return !f.Module.Attrs.At(f.IR.Global().Attrs).Fn.Has("minsize")
}

// dividesByConstants tells a target whose divisions stay what they are.
func dividesByConstants(m *matchtable.Matcher) bool {
	return m.ST != nil && m.ST.Target.ISel.DividesByConstants
}

// divisor tells a constant whose quotient is no simple one.
func divisor(m *matchtable.Matcher, a []matchtable.Arg) bool {
	if dividesByConstants(m) {
		return false
	}
	v, ok := constArg(m, a[0])
	return ok && v != 0 && v != 1
}

// exactInverse gives for the divisor a[1] of instruction a[0] its power of two and the inverse of the rest
// modulo 2^n.
func exactInverse(m *matchtable.Matcher, a []matchtable.Arg) bool {
	v, ok := constArg(m, a[1])
	n := scalarBits(m, a[1])
	if !ok || n == 0 || v == 0 {
		return false
	}
	k := bits.TrailingZeros64(uint64(v))
	odd := uint64(v >> k)
	if m.F.Instr(a[0].Instr).Opcode == desc.G_UDIV {
		odd = uint64(v) & lowMask(n) >> k
	}
	// Each step of Newton's method doubles the bits that are right; 3 are at the start.
	inv := odd
	for range 5 {
		inv *= 2 - odd*inv
	}
	a[2].Data.Int, a[3].Data.Int = int64(k), signExtend(inv, n)
	return true
}

// signedPower gives, for a divisor of 2^k or (with a[1]) -2^k, the shift to the
// sign bit, the shift of that which leaves 2^k - 1 of it, and k.
func signedPower(m *matchtable.Matcher, a []matchtable.Arg) bool {
	v, ok := constArg(m, a[0])
	n := scalarBits(m, a[0])
	negative := v < 0
	u := uint64(v)
	if negative {
		u = -u
	}
	u &= lowMask(n)
	k := int64(bits.TrailingZeros64(u))
	if !ok || n == 0 || bits.OnesCount64(u) != 1 || k == 0 || negative != (a[1].Int != 0) {
		return false
	}
	a[2].Data.Int, a[3].Data.Int, a[4].Data.Int = int64(n-1), int64(n)-k, k
	return true
}

// inverse gives for an unsigned divisor d a shift s before, a multiplier m and
// a shift behind so that (x >> s) * m >> post is x / d for all x of n bits. m
// has n bits, for 8 and 16 one more; for 64 the upper half of the product is
// meant, so that post is 64 less.
func inverse(m *matchtable.Matcher, a []matchtable.Arg) bool {
	if dividesByConstants(m) {
		return false
	}
	v, ok := constArg(m, a[0])
	n := scalarBits(m, a[0])
	d := uint64(v) & lowMask(n)
	if !ok || d < 3 || bits.OnesCount64(d) == 1 {
		return false
	}
	width := n
	if n <= 16 {
		width = n + 1
	}
	mul, p, ok := unsignedMultiplier(d, n, width, 0)
	pre := 0
	if !ok && d&1 == 0 {
		// At least 64 bits are shifted out where the upper half is all there is.
		pre = bits.TrailingZeros64(d)
		mul, p, ok = unsignedMultiplier(d>>pre, n-pre, width, pre)
	}
	if !ok {
		return false
	}
	post := n - pre + p
	if n == 64 {
		post -= 64
	}
	a[2].Data.Int, a[3].Data.Int, a[4].Data.Int = int64(pre), int64(mul), int64(post)
	return true
}

// unsignedMultiplier finds the least m = ceil(2^(n+p) / d), below 2^width, with
// x*m >> (n+p) == x/d for all x below 2^n: m*d - 2^(n+p) must be at most 2^p.
func unsignedMultiplier(d uint64, n, width, least int) (mul uint64, p int, ok bool) {
	bd := new(big.Int).SetUint64(d)
	for p = least; p <= least+bits.Len64(d); p++ {
		q, r := new(big.Int).DivMod(new(big.Int).Lsh(big.NewInt(1), uint(n+p)), bd, new(big.Int))
		q.Add(q, big.NewInt(1)) // d is odd or no power of two: r is not 0
		e := r.Sub(bd, r)
		if q.BitLen() > width {
			return 0, 0, false
		}
		if e.Cmp(new(big.Int).Lsh(big.NewInt(1), uint(p))) <= 0 {
			return q.Uint64(), p, true
		}
	}
	return 0, 0, false
}

// inverseAdd gives the lower n bits of a multiplier of n+1 bits and the shift
// behind ((x - t) >> 1) + t, where t is the upper half of the product.
func inverseAdd(m *matchtable.Matcher, a []matchtable.Arg) bool {
	if dividesByConstants(m) {
		return false
	}
	v, ok := constArg(m, a[0])
	n := scalarBits(m, a[0])
	d := uint64(v) & lowMask(n)
	if !ok || d < 3 || bits.OnesCount64(d) == 1 {
		return false
	}
	mul, p, ok := unsignedMultiplier33(d, n)
	a[1].Data.Int, a[2].Data.Int = int64(mul), int64(p-1)
	return ok && p > 0
}

// unsignedMultiplier33 is unsignedMultiplier with n+1 bits, the uppermost left out.
func unsignedMultiplier33(d uint64, n int) (uint64, int, bool) {
	bd := new(big.Int).SetUint64(d)
	p := bits.Len64(d)
	q := new(big.Int).Div(new(big.Int).Lsh(big.NewInt(1), uint(n+p)), bd)
	q.Add(q, big.NewInt(1))
	if q.BitLen() != n+1 {
		return 0, 0, false
	}
	return q.SetBit(q, n, 0).Uint64(), p, true
}

// signedInverse gives multiplier and shift for a signed divisor that is
// negative as a[1] says; a[2] says whether the multiplier of 64 bits has its
// sign bit set. The quotient of |d| is the shifted product, plus one for
// negative x; a[5] is the shift to the sign bit.
func signedInverse(m *matchtable.Matcher, a []matchtable.Arg) bool {
	if dividesByConstants(m) {
		return false
	}
	v, ok := constArg(m, a[0])
	n := scalarBits(m, a[0])
	if !ok || n == 0 || (v < 0) != (a[1].Int != 0) {
		return false
	}
	d := uint64(v)
	if v < 0 {
		d = -d
	}
	d &= lowMask(n)
	if d < 3 || bits.OnesCount64(d) == 1 {
		return false
	}
	mul, s := signedMultiplier(d, n)
	if n == 64 {
		if (mul>>63 != 0) != (a[2].Int != 0) {
			return false
		}
	} else {
		s += n
	}
	a[3].Data.Int, a[4].Data.Int, a[5].Data.Int = int64(mul), int64(s), int64(n-1)
	return true
}

// signedMultiplier finds the least s and m = floor(2^(n+s) / d) + 1, below 2^n,
// so that floor(x*m / 2^(n+s)) is x/d rounded down for x >= 0 and one less than
// x/d rounded towards zero for x < 0: 2^(n+s) must be more than
// (2^(n-1) - 1) * (d - 2^(n+s) mod d), and enough for -2^(n-1).
func signedMultiplier(d uint64, n int) (uint64, int) {
	bd := new(big.Int).SetUint64(d)
	half := new(big.Int).Lsh(big.NewInt(1), uint(n-1))
	for s := 0; ; s++ {
		power := new(big.Int).Lsh(big.NewInt(1), uint(n+s))
		q, r := new(big.Int).DivMod(power, bd, new(big.Int))
		e := r.Sub(bd, r) // m*d - power
		if new(big.Int).Mul(half, e).Cmp(power) <= 0 {
			return q.Add(q, big.NewInt(1)).Uint64(), s
		}
	}
}

// shiftsToTop tells that the constant a[1] is the shift to the sign bit of a[0].
func shiftsToTop(m *matchtable.Matcher, a []matchtable.Arg) bool {
	c, ok := constArg(m, a[1])
	n := scalarBits(m, a[0])
	return ok && n > 0 && c == int64(n-1)
}

// highBitsLeft is the mask of what shifting down and up by a[1] leaves, where
// it is small enough for an immediate operand.
func highBitsLeft(m *matchtable.Matcher, a []matchtable.Arg) bool {
	n := scalarBits(m, a[0])
	c, ok := constArg(m, a[1])
	if !ok || c <= 0 || c >= int64(n) {
		return false
	}
	a[2].Data.Int = -1 << c
	return c < 31
}

// quotientOf finds the division of the block whose rest instruction i computes, where
// the target divides once for both; 0 for none.
func quotientOf(m *matchtable.Matcher, i mir.InstrID) mir.InstrID {
	const most = 16 // users of the dividend
	f := m.F
	div, both := desc.Opcode(desc.G_UDIV), desc.Opcode(desc.G_UDIVREM)
	if f.Instr(i).Opcode == desc.G_SREM {
		div, both = desc.G_SDIV, desc.G_SDIVREM
	}
	x, y := f.Op(i, 1).Reg(), f.Op(i, 2).Reg()
	n := 0
	for u := range f.NonDebugUses(x) {
		if n++; n > most {
			return 0
		}
		if f.Instr(u).Opcode == div && f.Op(u, 1).Reg() == x && f.Op(u, 2).Reg() == y && f.Instr(u).Block() == f.Instr(i).Block() && isLegal(m, both, f.TypeOf(x)) {
			return u
		}
	}
	return 0
}

func hasQuotient(m *matchtable.Matcher, a []matchtable.Arg) bool {
	return quotientOf(m, a[0].Instr) != 0
}

// divideOnce divides where the first of the two was; the other one is dead then.
func divideOnce(m *matchtable.Matcher, a []matchtable.Arg) bool {
	f, i := m.F, a[0].Instr
	div := quotientOf(m, i)
	if div == 0 {
		return false
	}
	op := desc.Opcode(desc.G_UDIVREM)
	if f.Instr(i).Opcode == desc.G_SREM {
		op = desc.G_SDIVREM
	}
	at := Builder{&mir.Builder{F: f, Loc: f.Instr(i).Loc}}
	if at.SetBefore(i); f.Before(div, i) {
		at.Loc = f.Instr(div).Loc
		at.SetBefore(div)
	}
	x, q := f.Op(i, 1).Reg(), f.Op(div, 0).Reg()
	f.SetReg(div, 0, at.New(f.TypeOf(x)))
	at.Build(op, Def(q), Def(f.Op(i, 0).Reg()), Use(x), Use(f.Op(i, 2).Reg()))
	return true
}
