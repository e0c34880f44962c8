package globalisel

import (
	"math/bits"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// knownDepth is how many instructions knownBits looks through.
const knownDepth = 6

// maxKnownSources is how many values a PHI may have to be looked through.
const maxKnownSources = 4

// knownBits returns the bits of a scalar of up to 64 bits that are certainly 0
// and those that are certainly 1; nothing is known of other types.
func knownBits(f *mir.Function, r mir.Reg, depth int) (zero, one uint64) {
	if !r.IsVirtual() {
		return 0, 0
	}
	t := f.TypeOf(r)
	n := t.ScalarBits()
	d := f.UniqueDef(r)
	if d == 0 || !t.IsScalar() || n > 64 {
		return 0, 0
	}
	all := lowMask(n)
	if v, ok := ConstOf(f, r); ok {
		return ^uint64(v) & all, uint64(v) & all
	}
	if depth == 0 {
		return 0, 0
	}
	of := func(k int) (uint64, uint64) { return knownBits(f, f.Op(d, k).Reg(), depth-1) }
	switch op := f.Instr(d).Opcode; op {
	case desc.COPY:
		if f.Op(d, 1).SubReg() == 0 && f.Op(d, 1).Reg().IsVirtual() && f.TypeOf(f.Op(d, 1).Reg()) == t {
			return of(1)
		}
	case desc.G_FREEZE:
		// Bits of poison are bits of some number, but not known ones.
		return 0, 0
	case desc.G_AND:
		z2, o2 := of(2)
		z1, o1 := of(1)
		return z1 | z2, o1 & o2
	case desc.G_OR:
		z2, o2 := of(2)
		z1, o1 := of(1)
		return z1 & z2, o1 | o2
	case desc.G_XOR:
		z2, o2 := of(2)
		if z2|o2 == 0 {
			return 0, 0
		}
		z1, o1 := of(1)
		return z1&z2 | o1&o2, z1&o2 | o1&z2
	case desc.G_ADD, desc.G_SUB:
		z2, o2 := of(2)
		z1, o1 := of(1)
		return knownSum(op == desc.G_SUB, n, z1, o1, z2, o2)
	case desc.G_MUL:
		// Factors of two add up, and so do lengths.
		z2, _ := of(2)
		z1, _ := of(1)
		low := bits.TrailingZeros64(^z1) + bits.TrailingZeros64(^z2)
		long := n - leading(z1, n) + n - leading(z2, n)
		zero = lowMask(min(low, n))
		if long < n {
			zero |= all &^ lowMask(long)
		}
		return zero, 0
	case desc.G_UDIV:
		z1, _ := of(1)
		lead := leading(z1, n)
		if v, ok := ConstOf(f, f.Op(d, 2).Reg()); ok && uint64(v)&all != 0 {
			lead += bits.Len64(uint64(v)&all) - 1
		}
		return all &^ lowMask(n-min(lead, n)), 0
	case desc.G_UREM:
		// Less than the divisor, and not more than what is divided.
		z1, _ := of(1)
		z2, _ := of(2)
		long := n - max(leading(z1, n), leading(z2, n))
		if v, ok := ConstOf(f, f.Op(d, 2).Reg()); ok && uint64(v)&all != 0 {
			long = min(long, bits.Len64(uint64(v)&all-1))
		}
		return all &^ lowMask(long), 0
	case desc.G_UMIN, desc.G_UMAX, desc.G_SMIN, desc.G_SMAX:
		// One of the two; the least is no longer than either.
		z2, o2 := of(2)
		z1, o1 := of(1)
		zero, one = z1&z2, o1&o2
		if op == desc.G_UMIN {
			zero |= all &^ lowMask(n-max(leading(z1, n), leading(z2, n)))
		}
		return zero, one
	case desc.G_SELECT:
		z2, o2 := of(3)
		if z2|o2 == 0 {
			return 0, 0
		}
		z1, o1 := of(2)
		return z1 & z2, o1 & o2
	case desc.G_PHI, desc.PHI:
		return knownPHI(f, d, all, depth)
	case desc.G_ZEXT:
		src := f.TypeOf(f.Op(d, 1).Reg())
		if !src.IsScalar() {
			return 0, 0
		}
		z, o := of(1)
		zero, one = z&lowMask(src.ScalarBits())|all&^lowMask(src.ScalarBits()), o
		if f.Instr(d).Flags()&mir.NonNeg != 0 {
			zero |= 1 << (src.ScalarBits() - 1) &^ one
		}
		return zero, one
	case desc.G_SEXT:
		src := f.TypeOf(f.Op(d, 1).Reg())
		if !src.IsScalar() {
			return 0, 0
		}
		z, o := of(1)
		return uint64(signExtend(z, src.ScalarBits())) & all, uint64(signExtend(o, src.ScalarBits())) & all
	case desc.G_SEXT_INREG:
		if k := int(f.Op(d, 2).Imm()); k > 0 && k <= 64 {
			z, o := of(1)
			return uint64(signExtend(z, k)) & all, uint64(signExtend(o, k)) & all
		}
	case desc.G_ANYEXT:
		return of(1)
	case desc.G_TRUNC:
		z, o := of(1)
		return z & all, o & all
	case desc.G_SHL, desc.G_LSHR, desc.G_ASHR:
		k, ok := ConstOf(f, f.Op(d, 2).Reg())
		if !ok {
			z, _ := of(1)
			switch op {
			case desc.G_SHL:
				return lowMask(bits.TrailingZeros64(^z)) & all, 0
			case desc.G_LSHR:
				return all &^ lowMask(n-leading(z, n)), 0
			}
			return 0, 0
		}
		if k < 0 || k >= int64(n) {
			return 0, 0
		}
		z, o := of(1)
		switch op {
		case desc.G_SHL:
			return (z<<k | lowMask(int(k))) & all, o << k & all
		case desc.G_LSHR:
			return z>>k | all&^(all>>k), o >> k
		}
		return uint64(signExtend(z, n)>>k) & all, uint64(signExtend(o, n)>>k) & all
	case desc.G_ZEXTLOAD:
		if f.NumMem(d) == 1 {
			if size := f.MemOf(d, 0).Size; size > 0 && size < 8 {
				return all &^ lowMask(int(size)*8), 0
			}
		}
	case desc.G_ASSERT_ZEXT:
		if o := f.Op(d, 2); o.IsImm() && o.Imm() > 0 && o.Imm() < 64 {
			z, ones := of(1)
			return z | all&^lowMask(int(o.Imm())), ones & lowMask(int(o.Imm()))
		}
	case desc.G_CTPOP, desc.G_CTLZ, desc.G_CTTZ, desc.G_CTLZ_ZERO_UNDEF, desc.G_CTTZ_ZERO_UNDEF:
		if src := f.TypeOf(f.Op(d, 1).Reg()); src.IsScalar() {
			return all &^ lowMask(bits.Len(uint(src.ScalarBits()))), 0
		}
	case desc.G_BSWAP:
		if n%16 == 0 {
			z, o := of(1)
			return bits.ReverseBytes64(z) >> (64 - n), bits.ReverseBytes64(o) >> (64 - n)
		}
	}
	return 0, 0
}

// leading counts the known zeros at the top of n bits.
func leading(zero uint64, n int) int { return bits.LeadingZeros64(^(zero << (64 - n))) }

// knownSum is what is known of a sum or difference: a bit is where both bits and
// the carry into them are; the carry is when the least and the greatest sums
// agree on it.
func knownSum(sub bool, n int, z1, o1, z2, o2 uint64) (zero, one uint64) {
	all := lowMask(n)
	carry := uint64(0)
	if sub {
		// x - y is x + ^y + 1.
		z2, o2, carry = o2, z2, 1
	}
	least := (o1 + o2 + carry) & all
	greatest := (^z1&all + ^z2&all + carry) & all
	// Carries into each bit of the two sums.
	carryZero := ^(greatest ^ (^z1 & all) ^ (^z2 & all))
	carryOne := least ^ o1 ^ o2
	known := (z1 | o1) & (z2 | o2) & (carryZero | carryOne) & all
	return ^least & known, least & known
}

// knownPHI is what all values that come into a PHI have in common.
func knownPHI(f *mir.Function, phi mir.InstrID, all uint64, depth int) (zero, one uint64) {
	n := f.Instr(phi).NumOps()
	if n < 3 || n > 1+2*maxKnownSources {
		return 0, 0
	}
	zero, one = all, all
	self := f.Op(phi, 0).Reg()
	for k := 1; k+1 < n && zero|one != 0; k += 2 {
		r := f.Op(phi, k).Reg()
		if r == self {
			continue
		}
		// PHIs lead to PHIs: what is behind one is looked at no deeper than two instructions.
		z, o := knownBits(f, r, min(depth-1, 2))
		zero, one = zero&z, one&o
	}
	if zero&one != 0 {
		return 0, 0 // a PHI of itself alone
	}
	return zero, one
}

// signBits returns how many bits at the top of a scalar of up to 64 bits are
// certainly equal to its sign bit, that one included; 1 when nothing is known.
func signBits(f *mir.Function, r mir.Reg, depth int) int {
	if !r.IsVirtual() {
		return 1
	}
	t := f.TypeOf(r)
	n := t.ScalarBits()
	d := f.UniqueDef(r)
	if d == 0 || !t.IsScalar() || n > 64 {
		return 1
	}
	if v, ok := ConstOf(f, r); ok {
		return n - bits.Len64(uint64(v^v>>63)&lowMask(n))
	}
	if depth == 0 {
		return 1
	}
	of := func(k int) int { return signBits(f, f.Op(d, k).Reg(), depth-1) }
	src := func() int {
		if s := f.TypeOf(f.Op(d, 1).Reg()); s.IsScalar() {
			return s.ScalarBits()
		}
		return n
	}
	switch op := f.Instr(d).Opcode; op {
	case desc.COPY:
		if f.Op(d, 1).SubReg() == 0 && f.Op(d, 1).Reg().IsVirtual() && f.TypeOf(f.Op(d, 1).Reg()) == t {
			return of(1)
		}
	case desc.G_SEXT:
		return n - src() + of(1)
	case desc.G_SEXT_INREG:
		return max(n-int(f.Op(d, 2).Imm())+1, of(1))
	case desc.G_SEXTLOAD:
		if f.NumMem(d) == 1 && f.MemOf(d, 0).Size < 8 {
			return max(1, n-8*int(f.MemOf(d, 0).Size)+1)
		}
	case desc.G_ASHR:
		if k, ok := ConstOf(f, f.Op(d, 2).Reg()); ok && 0 <= k && k < int64(n) {
			return min(n, of(1)+int(k))
		}
		return of(1)
	case desc.G_TRUNC:
		return max(1, of(1)-(src()-n))
	case desc.G_AND, desc.G_OR, desc.G_XOR:
		if s := min(of(2), of(1)); s > 1 {
			return s
		}
	case desc.G_ADD, desc.G_SUB:
		if s := of(2); s > 1 {
			return max(1, min(s, of(1))-1)
		}
		return 1
	case desc.G_SELECT:
		return min(of(2), of(3))
	}
	zero, one := knownBits(f, r, depth)
	return max(1, leading(zero, n), leading(one, n))
}
