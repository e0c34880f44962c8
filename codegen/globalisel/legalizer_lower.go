package globalisel

import (
	"math/bits"

	"slices"

	"github.com/mirin-go/mirin/codegen/callconv"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// lower replaces i by simpler operations.
func (h *Helper) lower(i mir.InstrID) bool {
	f := h.F
	op := f.Instr(i).Opcode
	switch op {
	case desc.G_MERGE_VALUES:
		return h.lowerMerge(i)
	case desc.G_UNMERGE_VALUES:
		return h.lowerUnmerge(i)
	case desc.G_LOAD, desc.G_STORE, desc.G_SEXTLOAD, desc.G_ZEXTLOAD:
		return h.lowerMem(i)
	case desc.G_MEMCPY, desc.G_MEMMOVE, desc.G_MEMSET, desc.G_MEMCPY_INLINE:
		return h.inlineMem(i)
	case desc.G_SMIN, desc.G_SMAX, desc.G_UMIN, desc.G_UMAX:
		p := map[desc.Opcode]ir.Pred{desc.G_SMIN: ir.ICmpSLT, desc.G_SMAX: ir.ICmpSGT, desc.G_UMIN: ir.ICmpULT, desc.G_UMAX: ir.ICmpUGT}[op]
		x, y := h.reg(i, 1), h.reg(i, 2)
		h.ReplaceWith(i, 0, h.Select(h.icmp(p, x, y), x, y))
	case desc.G_ABS:
		// (x + s) ^ s, s the sign in all bits.
		x, t := h.reg(i, 1), h.regType(i, 0)
		s := h.Bin(desc.G_ASHR, t, x, h.Const(t, int64(t.ScalarBits()-1)))
		h.ReplaceWith(i, 0, h.Bin(desc.G_XOR, t, h.Bin(desc.G_ADD, t, x, s), s))
	case desc.G_SCMP, desc.G_UCMP:
		gt, lt := ir.ICmpSGT, ir.ICmpSLT
		if op == desc.G_UCMP {
			gt, lt = ir.ICmpUGT, ir.ICmpULT
		}
		x, y, t := h.reg(i, 1), h.reg(i, 2), h.Rules.Bool
		d := h.Bin(desc.G_SUB, t, h.icmp(gt, x, y), h.icmp(lt, x, y))
		h.ReplaceWith(i, 0, h.Resize(desc.G_SEXT, h.regType(i, 0), d))
	case desc.G_SEXT_INREG:
		t := h.regType(i, 0)
		k := h.Const(t, int64(t.ScalarBits())-f.Op(i, 2).Imm())
		h.ReplaceWith(i, 0, h.Bin(desc.G_ASHR, t, h.Bin(desc.G_SHL, t, h.reg(i, 1), k), k))
	case desc.G_SREM, desc.G_UREM:
		// What the division leaves.
		div, t := desc.Opcode(desc.G_SDIV), h.regType(i, 0)
		if op == desc.G_UREM {
			div = desc.G_UDIV
		}
		x, y := h.reg(i, 1), h.reg(i, 2)
		h.ReplaceWith(i, 0, h.Bin(desc.G_SUB, t, x, h.Bin(desc.G_MUL, t, h.Bin(div, t, x, y), y)))
	case desc.G_ROTL, desc.G_ROTR, desc.G_FSHL, desc.G_FSHR:
		return h.lowerFunnel(i)
	case desc.G_CTPOP:
		return h.lowerCtPop(i)
	case desc.G_CTLZ_ZERO_UNDEF, desc.G_CTTZ_ZERO_UNDEF:
		f.Instr(i).Opcode = map[desc.Opcode]desc.Opcode{desc.G_CTLZ_ZERO_UNDEF: desc.G_CTLZ, desc.G_CTTZ_ZERO_UNDEF: desc.G_CTTZ}[op]
		h.Changed(i)
	case desc.G_BITREVERSE:
		return h.lowerBitReverse(i)
	case desc.G_BSWAP:
		return h.lowerBSwap(i)
	case desc.G_UADDSAT, desc.G_USUBSAT, desc.G_SADDSAT, desc.G_SSUBSAT:
		return h.lowerAddSat(i)
	case desc.G_USHLSAT, desc.G_SSHLSAT:
		return h.lowerShlSat(i)
	case desc.G_UMULO, desc.G_SMULO:
		return h.lowerMulO(i)
	case desc.G_SADDO, desc.G_SSUBO, desc.G_SADDE, desc.G_SSUBE:
		return h.lowerSignedOverflow(i)
	case desc.G_UADDO, desc.G_USUBO, desc.G_UADDE, desc.G_USUBE:
		return h.lowerCarry(i)
	case desc.G_CTLZ, desc.G_CTTZ:
		return h.lowerCount(i)
	case desc.G_SMULH, desc.G_UMULH:
		return h.lowerMulH(i)
	case desc.G_PTRMASK:
		t := mir.Scalar(h.regType(i, 0).ScalarBits())
		v := h.Un(desc.G_PTRTOINT, t, h.reg(i, 1))
		and := h.Bin(desc.G_AND, t, v, h.Resize(desc.G_ZEXT, t, h.reg(i, 2)))
		h.ReplaceWith(i, 0, h.Un(desc.G_INTTOPTR, h.regType(i, 0), and))
	case desc.G_BITCAST:
		return h.lowerBitcast(i)
	case desc.G_ADDRSPACE_CAST:
		return h.lowerAddrSpaceCast(i)
	case desc.G_FNEG, desc.G_FABS, desc.G_FCOPYSIGN:
		return h.lowerSign(i)
	case desc.G_FMINNUM, desc.G_FMAXNUM, desc.G_FMINIMUMNUM, desc.G_FMAXIMUMNUM, desc.G_FMINIMUM, desc.G_FMAXIMUM:
		return h.lowerFMin(i)
	case desc.G_FCANONICALIZE:
		t := h.regType(i, 0)
		h.ReplaceWith(i, 0, h.Bin(desc.G_FMUL, t, h.reg(i, 1), h.fp(t, 1)))
	case desc.G_FCONSTANT:
		return h.lowerFConstant(i)
	case desc.G_FPEXT, desc.G_FPTRUNC:
		return h.lowerFPConvert(i)
	case desc.G_FPTOUI, desc.G_UITOFP, desc.G_FPTOSI_SAT, desc.G_FPTOUI_SAT:
		return h.lowerConversion(i)
	case desc.G_IS_FPCLASS:
		return h.lowerFPClass(i)
	case desc.G_FCMP:
		return h.lowerFCmp(i)
	case desc.G_INTRINSIC_ROUND:
		return h.lowerRound(i)
	case desc.G_VASTART:
		return h.lowerVAStart(i)
	case desc.G_VAARG:
		h.lowerVAArg(i)
	case desc.G_DYN_STACKALLOC:
		return false // custom
	case desc.G_ATOMIC_CMPXCHG_WITH_SUCCESS:
		h.lowerCmpXchg(i)
	default:
		return false
	}
	return true
}

// lowerCmpXchg: an exchange was made where what was in memory is what was expected.
func (h *Helper) lowerCmpXchg(i mir.InstrID) {
	old, ok, expected := h.reg(i, 0), h.reg(i, 1), h.reg(i, 3)
	n := h.BuildTo(desc.G_ATOMIC_CMPXCHG, old, h.reg(i, 2), expected, h.reg(i, 4))
	h.F.CopyMem(n, i)
	h.Build(desc.G_ICMP, Def(ok), mir.PredOp(uint8(ir.ICmpEQ)), Use(old), Use(expected))
	h.F.Erase(i)
}

// lowerFunnel: rotates are funnel shifts of one value; funnel shifts are two shifts.
func (h *Helper) lowerFunnel(i mir.InstrID) bool {
	f := h.F
	op := f.Instr(i).Opcode
	t := h.regType(i, 0)
	n := t.ScalarBits()
	x, y, a := h.reg(i, 1), h.reg(i, 1), h.reg(i, 2)
	if op == desc.G_FSHL || op == desc.G_FSHR {
		y, a = h.reg(i, 2), h.reg(i, 3)
		if x == y {
			rot := desc.G_ROTL
			if op == desc.G_FSHR {
				rot = desc.G_ROTR
			}
			d := h.reg(i, 0)
			h.BuildTo(rot, d, x, a)
			h.Erase(i)
			return true
		}
	}
	left := op == desc.G_ROTL || op == desc.G_FSHL
	at := h.Type(a)
	// The amount modulo the width; the other way round by n - amount, in two
	// steps where it is not known, so that no amount reaches the width.
	if v, ok := h.constant(a, 0); ok {
		v := int64(v % uint64(n))
		if at.ScalarBits() > 32 {
			at = mir.Scalar(32)
		}
		switch {
		case v == 0 && left:
			h.ReplaceWith(i, 0, x)
			return true
		case v == 0:
			h.ReplaceWith(i, 0, y)
			return true
		case !left:
			v = int64(n) - v // of the other direction
		}
		hi := h.Bin(desc.G_SHL, t, x, h.Const(at, v))
		h.ReplaceWith(i, 0, h.Bin(desc.G_OR, t, hi, h.Bin(desc.G_LSHR, t, y, h.Const(at, int64(n)-v))))
		return true
	}
	if n&(n-1) != 0 {
		if at.ScalarBits() < 32 {
			at = mir.Scalar(32)
			a = h.Resize(desc.G_ZEXT, at, a)
		}
		a = h.Bin(desc.G_UREM, at, a, h.Const(at, int64(n)))
		b := h.Bin(desc.G_SUB, at, h.Const(at, int64(n-1)), a)
		h.ReplaceWith(i, 0, h.funnel(t, x, y, a, b, left))
		return true
	}
	mask := h.Const(at, int64(n-1))
	b := h.Bin(desc.G_AND, at, h.Bin(desc.G_XOR, at, a, h.Const(at, -1)), mask)
	a = h.Bin(desc.G_AND, at, a, mask)
	h.ReplaceWith(i, 0, h.funnel(t, x, y, a, b, left))
	return true
}

// constant is the value of up to 64 bits of a register, through what the
// legalizer makes of constants: truncations and merges.
func (h *Helper) constant(r mir.Reg, depth int) (uint64, bool) {
	r, d := h.source(r)
	if d == 0 || depth > 8 {
		return 0, false
	}
	n := h.Type(r).Bits()
	switch h.F.Instr(d).Opcode {
	case desc.G_CONSTANT:
		w := h.words(d)
		for _, x := range w[1:] {
			if x != 0 {
				return 0, false
			}
		}
		return w[0] & lowMask(n), true
	case desc.G_TRUNC:
		v, ok := h.constant(h.reg(d, 1), depth+1)
		return v & lowMask(n), ok
	case desc.G_MERGE_VALUES:
		v, off := uint64(0), 0
		for k := 1; k < h.F.Instr(d).NumOps(); k++ {
			x, ok := h.constant(h.reg(d, k), depth+1)
			if !ok || off >= 64 && x != 0 {
				return 0, false
			}
			v |= x << off
			off += h.regType(d, k).Bits()
		}
		return v, true
	}
	return 0, false
}

// funnel shifts x:y by a to the left (right); b is n-1-a.
func (h *Helper) funnel(t mir.LLT, x, y, a, b mir.Reg, left bool) mir.Reg {
	one := h.Const(h.Type(a), 1)
	if left {
		lo := h.Bin(desc.G_LSHR, t, h.Bin(desc.G_LSHR, t, y, one), b)
		return h.Bin(desc.G_OR, t, h.Bin(desc.G_SHL, t, x, a), lo)
	}
	hi := h.Bin(desc.G_SHL, t, h.Bin(desc.G_SHL, t, x, one), b)
	return h.Bin(desc.G_OR, t, hi, h.Bin(desc.G_LSHR, t, y, a))
}

// spread repeats the bits of a byte over a type.
func spread(b uint8) int64 { return int64(uint64(b) * 0x0101010101010101) }

// lowerCtPop adds neighbouring bits, pairs, nibbles, then all bytes by a multiplication.
func (h *Helper) lowerCtPop(i mir.InstrID) bool {
	t := h.regType(i, 0)
	n := t.ScalarBits()
	if n > 64 || n < 8 || n&(n-1) != 0 || h.regType(i, 1) != t {
		return false
	}
	x := h.reg(i, 1)
	sh := func(v mir.Reg, k int) mir.Reg { return h.Bin(desc.G_LSHR, t, v, h.Const(t, int64(k))) }
	and := func(v mir.Reg, b uint8) mir.Reg { return h.Bin(desc.G_AND, t, v, h.Const(t, spread(b))) }
	x = h.Bin(desc.G_SUB, t, x, and(sh(x, 1), 0x55))
	x = h.Bin(desc.G_ADD, t, and(x, 0x33), and(sh(x, 2), 0x33))
	x = and(h.Bin(desc.G_ADD, t, x, sh(x, 4)), 0x0f)
	if n > 8 {
		x = sh(h.Bin(desc.G_MUL, t, x, h.Const(t, spread(1))), n-8)
	}
	h.ReplaceWith(i, 0, x)
	return true
}

// lowerBitReverse swaps bits, pairs and nibbles of bytes, then the bytes.
func (h *Helper) lowerBitReverse(i mir.InstrID) bool {
	t := h.regType(i, 0)
	n := t.ScalarBits()
	if n > 64 || t.IsVector() && n&(n-1) != 0 {
		return false
	}
	x := h.reg(i, 1)
	if n < 8 || n&(n-1) != 0 { // at the upper end of a number with a width of its own
		w := mir.Scalar(max(8, 1<<bits.Len(uint(n))))
		r := h.Un(desc.G_BITREVERSE, w, h.Un(desc.G_ANYEXT, w, x))
		r = h.Bin(desc.G_LSHR, w, r, h.Const(w, int64(w.Bits()-n)))
		h.ReplaceWith(i, 0, h.Un(desc.G_TRUNC, t, r))
		return true
	}
	if n > 8 {
		x = h.Un(desc.G_BSWAP, t, x)
	}
	for _, s := range [...]struct {
		k    int64
		mask uint8
	}{{4, 0x0f}, {2, 0x33}, {1, 0x55}} {
		k, m := h.Const(t, s.k), h.Const(t, spread(s.mask))
		hi := h.Bin(desc.G_AND, t, h.Bin(desc.G_LSHR, t, x, k), m)
		lo := h.Bin(desc.G_SHL, t, h.Bin(desc.G_AND, t, x, m), k)
		x = h.Bin(desc.G_OR, t, hi, lo)
	}
	h.ReplaceWith(i, 0, x)
	return true
}

func (h *Helper) lowerBSwap(i mir.InstrID) bool {
	t := h.regType(i, 0)
	n := t.ScalarBits()
	if n%8 != 0 || n > 64 {
		return false
	}
	x := h.reg(i, 1)
	var acc mir.Reg
	for k := 0; k < n; k += 8 {
		b := x
		if k > 0 {
			b = h.Bin(desc.G_LSHR, t, b, h.Const(t, int64(k)))
		}
		b = h.Bin(desc.G_AND, t, b, h.Const(t, 255))
		if n-8-k > 0 {
			b = h.Bin(desc.G_SHL, t, b, h.Const(t, int64(n-8-k)))
		}
		if acc == 0 {
			acc = b
		} else {
			acc = h.Bin(desc.G_OR, t, acc, b)
		}
	}
	h.ReplaceWith(i, 0, acc)
	return true
}

// lowerAddSat adds with overflow and takes the bound where it overflows.
func (h *Helper) lowerAddSat(i mir.InstrID) bool {
	f := h.F
	t := h.regType(i, 0)
	n := t.ScalarBits()
	if t.IsVector() {
		return h.lowerVectorAddSat(i, t)
	}
	op := map[desc.Opcode]desc.Opcode{desc.G_UADDSAT: desc.G_UADDO, desc.G_USUBSAT: desc.G_USUBO,
		desc.G_SADDSAT: desc.G_SADDO, desc.G_SSUBSAT: desc.G_SSUBO}[f.Instr(i).Opcode]
	res, over := h.New(t), h.New(h.Rules.Bool)
	h.Insert(f.New(op, Def(res), Def(over), Use(h.reg(i, 1)), Use(h.reg(i, 2))))
	var bound mir.Reg
	switch op {
	case desc.G_UADDO:
		bound = h.Const(t, -1)
	case desc.G_USUBO:
		bound = h.Const(t, 0)
	default:
		// The sign of the wrapped result is the wrong one: all bits of it, but the sign turned.
		s := h.Bin(desc.G_ASHR, t, res, h.Const(t, int64(n-1)))
		bound = h.Bin(desc.G_XOR, t, s, h.signBit(t))
	}
	h.ReplaceWith(i, 0, h.Select(over, bound, res))
	return true
}

// lowerVectorAddSat bounds what is added or subtracted, or looks at the signs.
func (h *Helper) lowerVectorAddSat(i mir.InstrID, t mir.LLT) bool {
	x, y := h.reg(i, 1), h.reg(i, 2)
	switch op := h.F.Instr(i).Opcode; op {
	case desc.G_UADDSAT:
		h.ReplaceWith(i, 0, h.Bin(desc.G_ADD, t, x, h.Bin(desc.G_UMIN, t, y, h.Bin(desc.G_XOR, t, x, h.Const(t, -1)))))
	case desc.G_USUBSAT:
		h.ReplaceWith(i, 0, h.Bin(desc.G_SUB, t, x, h.Bin(desc.G_UMIN, t, x, y)))
	default:
		plain, second := desc.Opcode(desc.G_ADD), mir.Reg(0)
		if op == desc.G_SSUBSAT {
			plain = desc.G_SUB
		}
		res := h.Bin(plain, t, x, y)
		if second = res; op == desc.G_SSUBSAT {
			second = x
		}
		over := h.icmp(ir.ICmpSLT, h.Bin(desc.G_AND, t, h.Bin(desc.G_XOR, t, res, x), h.Bin(desc.G_XOR, t, second, y)), h.Const(t, 0))
		bound := h.Bin(desc.G_XOR, t, h.Bin(desc.G_ASHR, t, res, h.Const(t, int64(t.ScalarBits()-1))), h.signBit(t))
		h.ReplaceWith(i, 0, h.Select(over, bound, res))
	}
	return true
}

// signBit is the constant with the top bit alone.
func (h *Helper) signBit(t mir.LLT) mir.Reg {
	if t.IsVector() {
		d := h.New(t)
		h.Splat(d, h.signBit(t.Elem()))
		return d
	}
	n := t.ScalarBits()
	w := make([]uint64, (n+63)/64)
	w[(n-1)/64] = 1 << ((n - 1) % 64)
	return h.WideConst(t, w)
}

// lowerShlSat shifts left and back; where that differs the bound counts.
func (h *Helper) lowerShlSat(i mir.InstrID) bool {
	t := h.regType(i, 0)
	x, a := h.reg(i, 1), h.reg(i, 2)
	res := h.Bin(desc.G_SHL, t, x, a)
	back, bound := desc.G_LSHR, mir.Reg(0)
	if h.F.Instr(i).Opcode == desc.G_SSHLSAT {
		back = desc.G_ASHR
		neg := h.icmp(ir.ICmpSLT, x, h.Const(t, 0))
		min := h.signBit(t)
		bound = h.Select(neg, min, h.Bin(desc.G_XOR, t, min, h.Const(t, -1)))
	} else {
		bound = h.Const(t, -1)
	}
	lost := h.icmp(ir.ICmpNE, h.Bin(back, t, res, a), x)
	h.ReplaceWith(i, 0, h.Select(lost, bound, res))
	return true
}

// lowerCarry adds or subtracts, and compares: a sum that is less than an operand had a carry, and
// what is subtracted from less than itself borrows.
func (h *Helper) lowerCarry(i mir.InstrID) bool {
	op := h.F.Instr(i).Opcode
	d, o, x, y := h.reg(i, 0), h.reg(i, 1), h.reg(i, 2), h.reg(i, 3)
	t := h.Type(d)
	step := func(x, y mir.Reg) (res, over mir.Reg) {
		if op == desc.G_USUBO || op == desc.G_USUBE {
			return h.Bin(desc.G_SUB, t, x, y), h.icmp(ir.ICmpULT, x, y)
		}
		res = h.Bin(desc.G_ADD, t, x, y)
		return res, h.icmp(ir.ICmpULT, res, y)
	}
	res, over := step(x, y)
	if op == desc.G_UADDE || op == desc.G_USUBE {
		in := h.Bin(desc.G_AND, t, h.Resize(desc.G_ANYEXT, t, h.reg(i, 4)), h.Const(t, 1))
		second := mir.Reg(0)
		res, second = step(res, in)
		over = h.Bin(desc.G_OR, h.Type(over), over, second)
	}
	h.Erase(i)
	h.replace(d, res)
	h.boolTo(o, over)
	return true
}

// lowerSignedOverflow adds or subtracts, and looks at the signs: a sum overflows
// when its sign differs from both operands', a difference when the operands'
// signs differ and its own is not the first's.
func (h *Helper) lowerSignedOverflow(i mir.InstrID) bool {
	f := h.F
	op := f.Instr(i).Opcode
	d, o, x, y := h.reg(i, 0), h.reg(i, 1), h.reg(i, 2), h.reg(i, 3)
	t := h.Type(d)
	var res mir.Reg
	switch op {
	case desc.G_SADDO:
		res = h.Bin(desc.G_ADD, t, x, y)
	case desc.G_SSUBO:
		res = h.Bin(desc.G_SUB, t, x, y)
	case desc.G_SADDE:
		res, _ = h.carry(desc.G_UADDE, x, y, h.reg(i, 4))
	default:
		res, _ = h.carry(desc.G_USUBE, x, y, h.reg(i, 4))
	}
	a, b := h.Bin(desc.G_XOR, t, res, x), mir.Reg(0)
	if op == desc.G_SADDO || op == desc.G_SADDE {
		b = h.Bin(desc.G_XOR, t, res, y)
	} else {
		b = h.Bin(desc.G_XOR, t, x, y)
	}
	over := h.icmp(ir.ICmpSLT, h.Bin(desc.G_AND, t, a, b), h.Const(t, 0))
	h.Erase(i)
	h.replace(d, res)
	h.boolTo(o, over)
	return true
}

// lowerCount counts leading zeros by setting all bits below the first, trailing
// zeros by setting those below the last alone, and counting what is set.
func (h *Helper) lowerCount(i mir.InstrID) bool {
	t, x := h.regType(i, 1), h.reg(i, 1)
	n := t.ScalarBits()
	var bits mir.Reg
	if h.F.Instr(i).Opcode == desc.G_CTTZ {
		bits = h.Bin(desc.G_AND, t, h.Bin(desc.G_XOR, t, x, h.Const(t, -1)), h.Bin(desc.G_SUB, t, x, h.Const(t, 1)))
	} else {
		for k := 1; k < n; k *= 2 {
			x = h.Bin(desc.G_OR, t, x, h.Bin(desc.G_LSHR, t, x, h.Const(t, int64(k))))
		}
		bits = h.Bin(desc.G_XOR, t, x, h.Const(t, -1))
	}
	h.ReplaceWith(i, 0, h.Un(desc.G_CTPOP, h.regType(i, 0), bits))
	return true
}

// lowerMulO multiplies in twice the width.
func (h *Helper) lowerMulO(i mir.InstrID) bool {
	return h.widenOverflow(i, mir.Scalar(2*h.regType(i, 0).ScalarBits()))
}

// lowerMulH takes the upper half of the product in twice the width.
func (h *Helper) lowerMulH(i mir.InstrID) bool {
	t := h.regType(i, 0)
	n := t.ScalarBits()
	ext := desc.G_ZEXT
	if h.F.Instr(i).Opcode == desc.G_SMULH {
		ext = desc.G_SEXT
	}
	w := mir.Scalar(2 * n)
	p := h.Bin(desc.G_MUL, w, h.Resize(ext, w, h.reg(i, 1)), h.Resize(ext, w, h.reg(i, 2)))
	hi := h.Bin(desc.G_LSHR, w, p, h.Const(w, int64(n)))
	h.ReplaceWith(i, 0, h.Resize(desc.G_TRUNC, t, hi))
	return true
}

// lowerBitcast goes through the common parts of both types.
func (h *Helper) lowerBitcast(i mir.InstrID) bool {
	d, s := h.reg(i, 0), h.reg(i, 1)
	dt, st := h.Type(d), h.Type(s)
	if dt == st {
		h.ReplaceWith(i, 0, s)
		return true
	}
	if !dt.IsVector() && !st.IsVector() {
		if !h.castTo(d, s) || dt.IsScalar() == st.IsScalar() {
			return false
		}
		h.Erase(i)
		h.pushUsers(d)
		return true
	}
	de, se := dt.Elem(), st.Elem()
	if de.ScalarBits() < 8 || se.ScalarBits() < 8 {
		return h.bitcastBits(i)
	}
	parts := []mir.Reg{s}
	if st.IsVector() {
		parts = h.Unmerge(nil, se, s)
	}
	toInt := func(r mir.Reg) mir.Reg {
		if h.Type(r).IsPointer() {
			return h.Un(desc.G_PTRTOINT, mir.Scalar(h.Type(r).ScalarBits()), r)
		}
		return r
	}
	for k := range parts {
		parts[k] = toInt(parts[k])
	}
	sn, dn := se.ScalarBits(), de.ScalarBits()
	var out []mir.Reg
	switch {
	case sn == dn:
		out = parts
	case sn > dn && sn%dn == 0:
		for _, p := range parts {
			first := len(out)
			out = h.Unmerge(out, mir.Scalar(dn), p)
			h.inMemoryOrder(out[first:])
		}
	case dn%sn == 0:
		for k := 0; k < len(parts); k += dn / sn {
			r := h.New(mir.Scalar(dn))
			m := h.F.New(desc.G_MERGE_VALUES, Def(r))
			h.inMemoryOrder(parts[k : k+dn/sn])
			for _, p := range parts[k : k+dn/sn] {
				h.F.AddOp(m, Use(p))
			}
			h.Insert(m)
			out = append(out, r)
		}
	default:
		return false
	}
	if de.IsPointer() {
		for k := range out {
			out[k] = h.Un(desc.G_INTTOPTR, de, out[k])
		}
	}
	if !dt.IsVector() {
		h.ReplaceWith(i, 0, out[0])
		return true
	}
	return h.joined(i, out)
}

// inMemoryOrder turns parts of a number from low first to the order in which memory
// has them, or back: elements of vectors lie in that order.
func (h *Helper) inMemoryOrder(parts []mir.Reg) {
	if h.ST.Layout.BigEndian {
		slices.Reverse(parts)
	}
}

// bitcastBits casts between a vector of bits and an integer.
func (h *Helper) bitcastBits(i mir.InstrID) bool {
	d, s := h.reg(i, 0), h.reg(i, 1)
	dt, st := h.Type(d), h.Type(s)
	switch {
	case st.IsScalar() && dt.IsVector():
		var out []mir.Reg
		n := dt.ScalarBits()
		for k := range dt.NumElems() {
			v := s
			if k > 0 {
				v = h.Bin(desc.G_LSHR, st, s, h.Const(st, int64(k*n)))
			}
			out = append(out, h.Un(desc.G_TRUNC, dt.Elem(), v))
		}
		h.inMemoryOrder(out)
		return h.joined(i, out)
	case st.IsVector() && dt.IsScalar():
		n := st.ScalarBits()
		var acc mir.Reg
		parts := h.Unmerge(nil, st.Elem(), s)
		h.inMemoryOrder(parts)
		for k, p := range parts {
			v := h.Un(desc.G_ZEXT, dt, p)
			if k > 0 {
				v = h.Bin(desc.G_SHL, dt, v, h.Const(dt, int64(k*n)))
				v = h.Bin(desc.G_OR, dt, acc, v)
			}
			acc = v
		}
		h.ReplaceWith(i, 0, acc)
		return true
	}
	// Vector to vector: through the integer of the whole.
	whole := h.Un(desc.G_BITCAST, mir.Scalar(st.Bits()), s)
	h.F.SetReg(i, 1, whole)
	h.Changed(i)
	return true
}

// Call emits a call of a library function: args and result by their IR types.
func (h *Helper) Call(name string, ret mir.Reg, retType ir.Type, args []mir.Reg, types []ir.Type) error {
	if h.ST.Target.ISel.NoLibrary {
		return h.ST.Refusal(h.F, h.Loc, "A call to built-in function '"+name+"' is not supported.")
	}
	c := target.CallInfo{Symbol: name}
	if ret != 0 {
		c.Ret = callconv.Arg{Type: retType, Parts: []callconv.Part{{Type: retType, LLT: h.Type(ret)}}, Regs: []mir.Reg{ret}}
	}
	for k := range args {
		c.Args = append(c.Args, callconv.Arg{Type: types[k], Parts: []callconv.Part{{Type: types[k], LLT: h.Type(args[k])}}, Regs: args[k : k+1]})
	}
	c.NumFixed = len(args)
	return h.calls.call(h.ST, h.Builder, &c, nil)
}

// lowerAddrSpaceCast keeps the bits of pointers of one size.
func (h *Helper) lowerAddrSpaceCast(i mir.InstrID) bool {
	to, from := h.regType(i, 0), h.regType(i, 1)
	if to.IsVector() || to.Bits() != from.Bits() {
		return false
	}
	n := h.Un(desc.G_PTRTOINT, mir.Scalar(from.Bits()), h.reg(i, 1))
	h.ReplaceWith(i, 0, h.Un(desc.G_INTTOPTR, to, n))
	return true
}
