package globalisel

import (
	"math"
	"math/bits"

	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// isLegal asks whether the target has an instruction of one type.
func isLegal(m *matchtable.Matcher, op desc.Opcode, t mir.LLT) bool {
	return m.ST != nil && hasInstr(m.ST, op, t)
}

// hasInstr asks whether the target has an instruction of some types, or of one.
func hasInstr(st *target.Subtarget, op desc.Opcode, types ...mir.LLT) bool {
	q := legal.Query{Op: op}
	copy(q.Types[:], types)
	return st.Legal != nil && st.Legal.Decide(&q).Act == legal.Legal
}

// hasAccess asks whether the target has a load or store of size bytes where i accesses its
// own, of a number of as many or, in front of the legalizer, of a wider one.
func hasAccess(st *target.Subtarget, f *mir.Function, i mir.InstrID, size int64) bool {
	mem := *f.MemOf(i, 0)
	mem.Size, mem.Type = size, mir.Scalar(int(8*size))
	q := legal.Query{Op: desc.G_LOAD, HasMem: true, Mem: legal.MemOf(&mem)}
	if f.Instr(i).Opcode == desc.G_STORE {
		q.Op = desc.G_STORE
	}
	q.Types[0], q.Types[1] = mem.Type, f.TypeOf(f.Op(i, 1).Reg())
	for st.Legal != nil {
		d := st.Legal.Decide(&q)
		if d.Act != legal.WidenScalar || d.Idx != 0 || d.To.Bits() <= q.Types[0].Bits() || f.Props&mir.Legalized != 0 {
			return d.Act == legal.Legal
		}
		q.Types[0] = d.To
	}
	return false
}

// This file has the Go functions that combine.td names. They test; none
// changes the function. Numbers are sign-extended from their type.

// constArg is the constant that an operand's register holds.
func constArg(m *matchtable.Matcher, a matchtable.Arg) (int64, bool) { return ConstOf(m.F, m.Reg(a)) }

// typeArg is the type of an operand's register.
func typeArg(m *matchtable.Matcher, a matchtable.Arg) mir.LLT { return m.F.TypeOf(m.Reg(a)) }

// scalarBits is the width of a scalar integer of up to 64 bits, 0 for other types.
func scalarBits(m *matchtable.Matcher, a matchtable.Arg) int {
	if t := typeArg(m, a); t.IsScalar() && t.ScalarBits() <= 64 {
		return t.ScalarBits()
	}
	return 0
}

func isConst(m *matchtable.Matcher, a []matchtable.Arg) bool {
	_, ok := constArg(m, a[0])
	return ok
}

// constValue gives a constant.
func constValue(m *matchtable.Matcher, a []matchtable.Arg) (ok bool) {
	a[1].Data.Int, ok = constArg(m, a[0])
	return ok
}

// isSummand tells that something is added to a value: its own constant may be added with that.
func isSummand(m *matchtable.Matcher, a []matchtable.Arg) bool {
	const most = 8 // users
	n := 0
	for u := range m.F.NonDebugUses(m.Reg(a[0])) {
		switch m.F.Instr(u).Opcode {
		case desc.G_ADD, desc.G_PTR_ADD, desc.G_SHL, desc.G_MUL:
			return true
		}
		if n++; n == most {
			break
		}
	}
	return false
}

// isTrue tells that a condition is a constant whose lowest bit is set.
func isTrue(m *matchtable.Matcher, a []matchtable.Arg) bool {
	v, ok := constArg(m, a[0])
	return ok && v&1 != 0
}

func isOneUse(m *matchtable.Matcher, a []matchtable.Arg) bool { return m.F.HasOneUse(m.Reg(a[0])) }

func isOneLiveUse(m *matchtable.Matcher, a []matchtable.Arg) bool {
	return hasOneLiveUse(m.F, m.Reg(a[0]))
}

func isScalarInt(m *matchtable.Matcher, a []matchtable.Arg) bool { return scalarBits(m, a[0]) > 0 }

// machineInt tells a type that machines compare.
func machineInt(m *matchtable.Matcher, a []matchtable.Arg) bool {
	n := scalarBits(m, a[0])
	return n == 8 || n == 16 || n == 32 || n == 64
}

// wide tells a scalar of more than one bit.
func wide(m *matchtable.Matcher, a []matchtable.Arg) bool { return scalarBits(m, a[0]) > 1 }

func sameType(m *matchtable.Matcher, a []matchtable.Arg) bool {
	return typeArg(m, a[0]) == typeArg(m, a[1])
}

// sameBits tells scalars or pointers of one width.
func sameBits(m *matchtable.Matcher, a []matchtable.Arg) bool {
	t, u := typeArg(m, a[0]), typeArg(m, a[1])
	return !t.IsVector() && !u.IsVector() && t.ScalarBits() == u.ScalarBits()
}

// narrower tells that the elements of the first are narrower.
func narrower(m *matchtable.Matcher, a []matchtable.Arg) bool {
	return typeArg(m, a[0]).ScalarBits() < typeArg(m, a[1]).ScalarBits()
}

// foldBinary computes instruction a[0] of two constants into a[1].
func foldBinary(m *matchtable.Matcher, a []matchtable.Arg) bool {
	f, i := m.F, a[0].Instr
	x, ok := ConstOf(f, f.Op(i, 1).Reg())
	if !ok {
		return false
	}
	y, ok := ConstOf(f, f.Op(i, 2).Reg())
	t := f.TypeOf(f.Op(i, 0).Reg())
	if !ok || !t.IsScalar() || t.ScalarBits() > 64 {
		return false
	}
	a[1].Data.Int, ok = fold(f.Instr(i).Opcode, t.ScalarBits(), x, y)
	return ok
}

// foldConsts computes a[1] op a[2], op being that of a[0], into a[3].
func foldConsts(m *matchtable.Matcher, a []matchtable.Arg) bool {
	x, ok1 := constArg(m, a[1])
	y, ok2 := constArg(m, a[2])
	n := scalarBits(m, a[1])
	if !ok1 || !ok2 || n == 0 {
		return false
	}
	v, ok := fold(m.F.Instr(a[0].Instr).Opcode, n, x, y)
	a[3].Data.Int = v
	return ok
}

// difference is a[0] - a[1] of constants, into a[2].
func difference(m *matchtable.Matcher, a []matchtable.Arg) bool {
	x, ok1 := constArg(m, a[0])
	y, ok2 := constArg(m, a[1])
	a[2].Data.Int = x - y
	return ok1 && ok2 && scalarBits(m, a[0]) > 0
}

// fold computes an operation on constants of n bits; false where the result is poison or undefined.
func fold(op desc.Opcode, n int, x, y int64) (int64, bool) {
	ux, uy := uint64(x)&lowMask(n), uint64(y)&lowMask(n)
	least := int64(-1) << (n - 1)
	switch op {
	case desc.G_ADD:
		return x + y, true
	case desc.G_SUB:
		return x - y, true
	case desc.G_MUL:
		return x * y, true
	case desc.G_AND:
		return x & y, true
	case desc.G_OR:
		return x | y, true
	case desc.G_XOR:
		return x ^ y, true
	case desc.G_SMIN:
		return min(x, y), true
	case desc.G_SMAX:
		return max(x, y), true
	case desc.G_UMIN:
		return int64(min(ux, uy)), true
	case desc.G_UMAX:
		return int64(max(ux, uy)), true
	case desc.G_UDIV, desc.G_UREM:
		if uy == 0 {
			return 0, false
		}
		if op == desc.G_UDIV {
			return int64(ux / uy), true
		}
		return int64(ux % uy), true
	case desc.G_SDIV, desc.G_SREM:
		if y == 0 || y == -1 && x == least {
			return 0, false
		}
		if op == desc.G_SDIV {
			return x / y, true
		}
		return x % y, true
	}
	if uy >= uint64(n) {
		return 0, false
	}
	switch op {
	case desc.G_SHL:
		return x << uy, true
	case desc.G_LSHR:
		return int64(ux >> uy), true
	case desc.G_ASHR:
		return x >> uy, true
	}
	return 0, false
}

// foldCast extends or truncates a constant.
func foldCast(m *matchtable.Matcher, a []matchtable.Arg) bool {
	f, i := m.F, a[0].Instr
	v, ok := ConstOf(f, f.Op(i, 1).Reg())
	t := f.TypeOf(f.Op(i, 0).Reg())
	n := f.TypeOf(f.Op(i, 1).Reg()).ScalarBits()
	if !ok || !t.IsScalar() || t.ScalarBits() > 64 || n > 64 && f.Instr(i).Opcode != desc.G_TRUNC {
		return false
	}
	if f.Instr(i).Opcode == desc.G_ZEXT {
		v = int64(uint64(v) & lowMask(n))
	}
	a[1].Data.Int = v
	return true
}

// foldICmp compares two constants.
func foldICmp(m *matchtable.Matcher, a []matchtable.Arg) bool {
	f, i := m.F, a[0].Instr
	t := f.TypeOf(f.Op(i, 2).Reg())
	x, ok1 := ConstOf(f, f.Op(i, 2).Reg())
	y, ok2 := ConstOf(f, f.Op(i, 3).Reg())
	if !ok1 || !ok2 || !t.IsScalar() || t.ScalarBits() > 64 {
		return false
	}
	a[1].Data.Int = 0
	if comparePred(ir.Pred(f.Op(i, 1).Imm()), x, y, t.ScalarBits()) {
		a[1].Data.Int = 1
	}
	return true
}

// predArg is the predicate of an operand.
func predArg(m *matchtable.Matcher, a matchtable.Arg) ir.Pred {
	return ir.Pred(m.F.Op(a.Instr, int(a.Op)).Imm())
}

// swapPred gives the predicate for exchanged operands.
func swapPred(m *matchtable.Matcher, a []matchtable.Arg) bool {
	a[1].Data.Pred = uint8(predArg(m, a[0]).Swapped())
	return true
}

// inversePred gives the predicate that holds where this does not.
func inversePred(m *matchtable.Matcher, a []matchtable.Arg) bool {
	a[1].Data.Pred = uint8(predArg(m, a[0]).Inverse())
	return true
}

// unsignedPred gives the predicate for operands whose sign bit is 0.
func unsignedPred(m *matchtable.Matcher, a []matchtable.Arg) bool {
	p := predArg(m, a[0])
	switch p {
	case ir.ICmpSGT:
		p = ir.ICmpUGT
	case ir.ICmpSGE:
		p = ir.ICmpUGE
	case ir.ICmpSLT:
		p = ir.ICmpULT
	case ir.ICmpSLE:
		p = ir.ICmpULE
	}
	a[1].Data.Pred = uint8(p)
	return true
}

func isEquality(m *matchtable.Matcher, a []matchtable.Arg) bool {
	p := predArg(m, a[0])
	return p == ir.ICmpEQ || p == ir.ICmpNE
}

// sameCompare is the result of comparing a value with itself.
func sameCompare(m *matchtable.Matcher, a []matchtable.Arg) bool {
	a[1].Data.Int = 0
	if comparePred(predArg(m, a[0]), 0, 0, 64) {
		a[1].Data.Int = 1
	}
	return true
}

// fitsUnsigned tells that the constant a[1] is one of the zero-extended values of a[0]'s type, and gives it.
func fitsUnsigned(m *matchtable.Matcher, a []matchtable.Arg) bool {
	v, ok := constArg(m, a[1])
	n := scalarBits(m, a[0])
	a[2].Data.Int = v
	return ok && n > 0 && scalarBits(m, a[1]) > 0 && uint64(v)&lowMask(scalarBits(m, a[1])) <= lowMask(n)
}

// fitsSigned is the same for sign extension.
func fitsSigned(m *matchtable.Matcher, a []matchtable.Arg) bool {
	v, ok := constArg(m, a[1])
	n := scalarBits(m, a[0])
	a[2].Data.Int = v
	return ok && n > 0 && scalarBits(m, a[1]) > 0 && signExtend(uint64(v), n) == v
}

// powerOfTwo gives the exponent of a constant.
func powerOfTwo(m *matchtable.Matcher, a []matchtable.Arg) bool {
	v, ok := constArg(m, a[0])
	n := scalarBits(m, a[0])
	u := uint64(v) & lowMask(n)
	a[1].Data.Int = int64(bits.TrailingZeros64(u))
	return ok && n > 1 && bits.OnesCount64(u) == 1
}

// stepBetween gives k of constants whose difference a[0] - a[1] is 2^k, at most 8.
func stepBetween(m *matchtable.Matcher, a []matchtable.Arg) bool {
	x, ok1 := constArg(m, a[0])
	y, ok2 := constArg(m, a[1])
	u := uint64(x-y) & lowMask(scalarBits(m, a[0]))
	a[2].Data.Int = int64(bits.TrailingZeros64(u))
	return ok1 && ok2 && u <= 8 && bits.OnesCount64(u) == 1
}

// fillsLowHalf tells a shift by a[0] and a mask a[1] that keeps what was up to bit 31.
func fillsLowHalf(m *matchtable.Matcher, a []matchtable.Arg) bool {
	n, ok1 := constArg(m, a[0])
	c, ok2 := constArg(m, a[1])
	return ok1 && ok2 && 0 < n && n < 32 && scalarBits(m, a[0]) > 32 && uint64(c) == lowMask(32-int(n))
}

// keepsLowHalf tells a shift by a[0] and a mask a[1] that keeps nothing of what was above bit 31.
func keepsLowHalf(m *matchtable.Matcher, a []matchtable.Arg) bool {
	n, ok1 := constArg(m, a[0])
	c, ok2 := constArg(m, a[1])
	return ok1 && ok2 && 0 < n && n < 32 && c != 0 && uint64(c)&^lowMask(32-int(n)) == 0
}

// lowMaskBelow gives a power of two less one.
func lowMaskBelow(m *matchtable.Matcher, a []matchtable.Arg) bool {
	v, ok := constArg(m, a[0])
	n := scalarBits(m, a[0])
	u := uint64(v) & lowMask(n)
	a[1].Data.Int = int64(u - 1)
	return ok && n > 1 && bits.OnesCount64(u) == 1
}

// shiftAmounts gives the sum of two shifts of a value of a[0]'s type, each in bounds.
func shiftAmounts(m *matchtable.Matcher, a []matchtable.Arg) (n int, sum int64, ok bool) {
	n = scalarBits(m, a[0])
	x, ok1 := constArg(m, a[1])
	y, ok2 := constArg(m, a[2])
	if !ok1 || !ok2 || n == 0 || x < 0 || y < 0 || x >= int64(n) || y >= int64(n) {
		return 0, 0, false
	}
	// The sum must be a number of the amount's type, signed or not.
	if s := scalarBits(m, a[2]); s == 0 || uint64(x+y) > lowMask(s) {
		return 0, 0, false
	}
	return n, x + y, true
}

func sumShifts(m *matchtable.Matcher, a []matchtable.Arg) bool {
	n, sum, ok := shiftAmounts(m, a)
	a[3].Data.Int = sum
	return ok && sum < int64(n)
}

func shiftsOut(m *matchtable.Matcher, a []matchtable.Arg) bool {
	n, sum, ok := shiftAmounts(m, a)
	return ok && sum >= int64(n)
}

// sumShiftsSigned stops at the sign bit.
func sumShiftsSigned(m *matchtable.Matcher, a []matchtable.Arg) bool {
	n, sum, ok := shiftAmounts(m, a)
	a[3].Data.Int = min(sum, int64(n-1))
	return ok
}

// lowBitsLeft is the mask of what shifting up and down by a[1] leaves, where it
// is small enough for an immediate operand.
func lowBitsLeft(m *matchtable.Matcher, a []matchtable.Arg) bool {
	n := scalarBits(m, a[0])
	c, ok := constArg(m, a[1])
	if !ok || c <= 0 || c >= int64(n) {
		return false
	}
	k := lowMask(n - int(c))
	a[2].Data.Int = int64(k)
	return n <= 32 || k < 1<<31
}

// sumOffsets adds constant address offsets.
func sumOffsets(m *matchtable.Matcher, a []matchtable.Arg) bool {
	x, ok1 := constArg(m, a[0])
	y, ok2 := constArg(m, a[1])
	sum := x + y
	a[2].Data.Int = sum
	return ok1 && ok2 && typeArg(m, a[0]) == typeArg(m, a[1]) && (sum > y) == (x > 0)
}

// masksNothing tells that all bits that the constant a[1] clears are 0 in a[0].
func masksNothing(m *matchtable.Matcher, a []matchtable.Arg) bool {
	c, ok := constArg(m, a[1])
	n := scalarBits(m, a[0])
	if !ok || n == 0 {
		return false
	}
	zero, _ := knownBits(m.F, m.Reg(a[0]), knownDepth)
	return ^uint64(c)&lowMask(n)&^zero == 0
}

// noCommonBits tells that each bit is 0 in one of two values.
func noCommonBits(m *matchtable.Matcher, a []matchtable.Arg) bool {
	n := scalarBits(m, a[0])
	if n == 0 {
		return false
	}
	z2, _ := knownBits(m.F, m.Reg(a[1]), knownDepth)
	if z2 == 0 {
		return false
	}
	z1, _ := knownBits(m.F, m.Reg(a[0]), knownDepth)
	return z1|z2 == lowMask(n)
}

// setsNothing tells that all bits that may be 1 in a[1] are 1 in a[0].
func setsNothing(m *matchtable.Matcher, a []matchtable.Arg) bool {
	n := scalarBits(m, a[0])
	if n == 0 {
		return false
	}
	_, one := knownBits(m.F, m.Reg(a[0]), knownDepth)
	zero, _ := knownBits(m.F, m.Reg(a[1]), knownDepth)
	return lowMask(n)&^zero&^one == 0
}

// upperBitsZero tells that a[0] is 0 above the width of a[1].
func upperBitsZero(m *matchtable.Matcher, a []matchtable.Arg) bool {
	n, k := scalarBits(m, a[0]), scalarBits(m, a[1])
	if n == 0 || k == 0 {
		return false
	}
	zero, _ := knownBits(m.F, m.Reg(a[0]), knownDepth)
	return lowMask(n)&^lowMask(k)&^zero == 0
}

// keepsLow tells that the mask a[1] keeps all bits of a[0]'s type.
func keepsLow(m *matchtable.Matcher, a []matchtable.Arg) bool {
	c, ok := constArg(m, a[1])
	n := scalarBits(m, a[0])
	return ok && n > 0 && uint64(c)&lowMask(n) == lowMask(n)
}

// fpConst is the number that a G_FCONSTANT of 32 or 64 bits holds.
func fpConst(m *matchtable.Matcher, a matchtable.Arg) (float64, bool) {
	f := m.F
	d := f.UniqueDef(m.Reg(a))
	if d == 0 || f.Instr(d).Opcode != desc.G_FCONSTANT || f.Op(d, 1).Kind() != mir.OpFPImm {
		return 0, false
	}
	c := &f.FPImms[f.Op(d, 1).Index()]
	switch c.Type {
	case ir.Float:
		return float64(math.Float32frombits(uint32(c.Lo))), true
	case ir.Double:
		return math.Float64frombits(c.Lo), true
	}
	return 0, false
}

func isFPConst(m *matchtable.Matcher, a []matchtable.Arg) bool {
	_, ok := fpConst(m, a[0])
	return ok
}

// isFP tells that a constant is the whole number a[1], and not -0.
func isFP(m *matchtable.Matcher, a []matchtable.Arg) bool {
	v, ok := fpConst(m, a[0])
	return ok && v == float64(a[1].Int) && (v != 0 || !math.Signbit(v))
}

func isMinusZero(m *matchtable.Matcher, a []matchtable.Arg) bool {
	v, ok := fpConst(m, a[0])
	return ok && v == 0 && math.Signbit(v)
}

// notBothZero tells that one of a[0] and a[1] is a number other than 0, or that instruction
// a[2], which chooses one, need not mind the sign of zeros.
func notBothZero(m *matchtable.Matcher, a []matchtable.Arg) bool {
	for k := range 2 {
		if v, ok := fpConst(m, a[k]); ok && v == v && v != 0 {
			return true
		}
	}
	return m.F.Instr(a[2].Instr).Flags()&mir.FmNsz != 0
}

// isNumber tells a floating-point constant that is not a NaN.
func isNumber(m *matchtable.Matcher, a []matchtable.Arg) bool {
	v, ok := fpConst(m, a[0])
	return ok && v == v
}

// signIsZero tells a scalar integer that is not negative.
func signIsZero(m *matchtable.Matcher, a []matchtable.Arg) bool {
	n := scalarBits(m, a[0])
	if n == 0 {
		return false
	}
	zero, _ := knownBits(m.F, m.Reg(a[0]), knownDepth)
	return zero>>(n-1)&1 != 0
}

// fitsInReg tells that a[0] is what its a[1] low bits say when their sign is extended.
func fitsInReg(m *matchtable.Matcher, a []matchtable.Arg) bool {
	n, k := scalarBits(m, a[0]), m.F.Op(a[1].Instr, int(a[1].Op)).Imm()
	return n > 0 && k >= 1 && k <= int64(n) && signBits(m.F, m.Reg(a[0]), knownDepth) > n-int(k)
}

// signFits is the same for the bits of a[1]'s type.
func signFits(m *matchtable.Matcher, a []matchtable.Arg) bool {
	n, k := scalarBits(m, a[0]), scalarBits(m, a[1])
	return n > 0 && k > 0 && signBits(m.F, m.Reg(a[0]), knownDepth) > n-k
}

// signReaches is the same for all bits of a[0] but the a[1] upper ones.
func signReaches(m *matchtable.Matcher, a []matchtable.Arg) bool {
	n := scalarBits(m, a[0])
	k, ok := constArg(m, a[1])
	return ok && n > 0 && 0 <= k && k < int64(n) && signBits(m.F, m.Reg(a[0]), knownDepth) > int(k)
}

// lowPartLeft gives the bits that shifting up and down by a[1] leaves, where
// machines have a type of that size.
func lowPartLeft(m *matchtable.Matcher, a []matchtable.Arg) bool {
	n := scalarBits(m, a[0])
	c, ok := constArg(m, a[1])
	k := int64(n) - c
	a[2].Data.Int = k
	return ok && (n == 32 || n == 64) && c > 0 && (k == 8 || k == 16 || k == 32)
}

// shiftLess tells that a[1] and a[2] are shifts of a[0]'s type, the first the
// greater one, and gives their difference.
func shiftLess(m *matchtable.Matcher, a []matchtable.Arg) bool {
	n := scalarBits(m, a[0])
	x, ok1 := constArg(m, a[1])
	y, ok2 := constArg(m, a[2])
	a[3].Data.Int = x - y
	return ok1 && ok2 && 0 <= y && y < x && x < int64(n)
}

// isBit tells a power of two of more than one bit's width.
func isBit(m *matchtable.Matcher, a []matchtable.Arg) bool {
	n := scalarBits(m, a[0])
	if v, ok := constArg(m, a[0]); ok {
		return n > 1 && bits.OnesCount64(uint64(v)&lowMask(n)) == 1
	}
	f := m.F
	d := f.UniqueDef(m.Reg(a[0]))
	if d == 0 || f.Instr(d).Opcode != desc.G_SHL || n < 2 {
		return false
	}
	v, ok := ConstOf(f, f.Op(d, 1).Reg())
	return ok && v == 1
}
