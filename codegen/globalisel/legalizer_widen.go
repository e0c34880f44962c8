package globalisel

import (
	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// wrapFlags are lost when an operation is widened by any-extension.
const wrapFlags = mir.NoUWrap | mir.NoSWrap | mir.IsExact | mir.Disjoint | mir.NonNeg | mir.SameSign

// widenSrc extends use n of i to t.
func (h *Helper) widenSrc(i mir.InstrID, n int, op desc.Opcode, t mir.LLT) {
	r := h.reg(i, n)
	if h.Type(r) == t {
		return
	}
	h.F.SetReg(i, n, h.Resize(op, t, r))
}

// widenDst makes definition n of i a register of type t, cut to the old one behind i.
func (h *Helper) widenDst(i mir.InstrID, n int, t mir.LLT) {
	f := h.F
	d := h.reg(i, n)
	w := h.New(t)
	f.SetReg(i, n, w)
	at := h.mb.At
	h.mb.At = h.afterPhis(i)
	h.BuildTo(desc.G_TRUNC, d, w)
	h.mb.At = at
}

// afterPhis is where something may stand behind i.
func (h *Helper) afterPhis(i mir.InstrID) mir.InstrID {
	f := h.F
	if f.IsPHI(i) {
		return f.AfterPHIs(f.Instr(i).Block())
	}
	return f.Instr(i).Next()
}

// widen makes the scalars of type index idx of i wider.
func (h *Helper) widen(i mir.InstrID, idx int, t mir.LLT) bool {
	f := h.F
	op := f.Instr(i).Opcode
	bin := func(ext desc.Opcode) bool {
		h.widenSrc(i, 1, ext, t)
		h.widenSrc(i, 2, ext, t)
		h.widenDst(i, 0, t)
		return true
	}
	if k, ok := fpTypeIndex(op); ok && k == idx {
		h.widenFloat(i, idx, t)
		return true
	}
	switch op {
	case desc.G_ADD, desc.G_SUB, desc.G_MUL, desc.G_AND, desc.G_OR, desc.G_XOR:
		f.Instr(i).ClearFlags(wrapFlags)
		bin(desc.G_ANYEXT)
	case desc.G_SDIV, desc.G_SREM, desc.G_SMIN, desc.G_SMAX:
		bin(desc.G_SEXT)
	case desc.G_UDIV, desc.G_UREM, desc.G_UMIN, desc.G_UMAX:
		bin(desc.G_ZEXT)
	case desc.G_SHL, desc.G_LSHR, desc.G_ASHR, desc.G_ROTL, desc.G_ROTR, desc.G_FSHL, desc.G_FSHR:
		if !h.widenShift(i, idx, t) {
			return false
		}
	case desc.G_CONSTANT:
		h.widenConstant(i, t)
		return true
	case desc.G_IMPLICIT_DEF:
		h.widenDst(i, 0, t)
	case desc.G_FREEZE:
		h.widenSrc(i, 1, desc.G_ANYEXT, t)
		h.widenDst(i, 0, t)
	case desc.G_LOAD, desc.G_STORE:
		// The access stays as wide as it is: the load any-extends, the store truncates.
		if idx != 0 || f.NumMem(i) == 0 || !h.regType(i, 0).IsScalar() || int64(h.regType(i, 0).ScalarBits()) != 8*f.MemOf(i, 0).Size {
			return false
		}
		if op == desc.G_STORE {
			h.widenSrc(i, 0, desc.G_ANYEXT, t)
		} else {
			h.widenDst(i, 0, t)
			m := f.MemOf(i, 0)
			if h.Rules.LoadsZeroExtend && m.Order <= ir.NotAtomic && int64(1)<<legal.MemOf(m).Align >= m.Size {
				f.Instr(i).Opcode = desc.G_ZEXTLOAD
			}
		}
	case desc.G_ZEXTLOAD, desc.G_SEXTLOAD:
		h.widenDst(i, 0, t)
	case desc.G_ABS:
		h.widenSrc(i, 1, desc.G_SEXT, t)
		h.widenDst(i, 0, t)
	case desc.G_SEXT_INREG:
		h.widenSrc(i, 1, desc.G_ANYEXT, t)
		h.widenDst(i, 0, t)
	case desc.G_SELECT:
		if idx == 1 {
			h.widenSrc(i, 1, desc.G_ANYEXT, t) // only bit 0 counts
			break
		}
		h.widenSrc(i, 2, desc.G_ANYEXT, t)
		h.widenSrc(i, 3, desc.G_ANYEXT, t)
		h.widenDst(i, 0, t)
	case desc.G_BRCOND:
		h.widenSrc(i, 0, desc.G_ANYEXT, t)
	case desc.G_PHI:
		h.widenPhi(i, t)
	case desc.G_ICMP:
		if idx == 0 {
			h.widenDst(i, 0, t)
			break
		}
		ext := desc.G_ZEXT
		if p := h.predOf(i); p >= ir.ICmpSGT {
			ext = desc.G_SEXT
		}
		h.widenSrc(i, 2, ext, t)
		h.widenSrc(i, 3, ext, t)
	case desc.G_FCMP:
		h.widenDst(i, 0, t)
	case desc.G_FPTOSI, desc.G_FPTOUI, desc.G_INTRINSIC_LRINT, desc.G_INTRINSIC_LLRINT, desc.G_LROUND, desc.G_LLROUND:
		// Results that do not fit are poison.
		h.widenDst(i, 0, t)
	case desc.G_SITOFP:
		h.widenSrc(i, 1, desc.G_SEXT, t)
	case desc.G_UITOFP, desc.G_INTTOPTR:
		h.widenSrc(i, 1, desc.G_ZEXT, t)
	case desc.G_PTRTOINT:
		h.widenDst(i, 0, t)
	case desc.G_FPOWI, desc.G_FLDEXP:
		h.widenSrc(i, 2, desc.G_SEXT, t)
	case desc.G_PTR_ADD:
		h.widenSrc(i, 2, desc.G_SEXT, t)
	case desc.G_UADDO, desc.G_SADDO, desc.G_USUBO, desc.G_SSUBO, desc.G_UMULO, desc.G_SMULO:
		if idx == 1 {
			h.widenDst(i, 1, t)
			break
		}
		return h.widenOverflow(i, t)
	case desc.G_UADDE, desc.G_SADDE, desc.G_USUBE, desc.G_SSUBE:
		if idx != 1 {
			return false
		}
		h.widenSrc(i, 4, desc.G_ANYEXT, t)
		h.widenDst(i, 1, t)
	case desc.G_ATOMIC_CMPXCHG_WITH_SUCCESS:
		if idx != 1 {
			return false
		}
		h.widenDst(i, 1, t)
	case desc.G_CTPOP, desc.G_CTLZ, desc.G_CTTZ, desc.G_CTLZ_ZERO_UNDEF, desc.G_CTTZ_ZERO_UNDEF, desc.G_BSWAP, desc.G_BITREVERSE:
		return h.widenBits(i, idx, t)
	case desc.G_TRUNC:
		// Of an odd width: the operand is widened, the result stays.
		if idx == 1 {
			h.widenSrc(i, 1, desc.G_ANYEXT, t)
			break
		}
		h.widenDst(i, 0, t)
	case desc.G_ZEXT, desc.G_SEXT, desc.G_ANYEXT:
		return h.widenExt(i, idx, t)
	case desc.G_IS_FPCLASS:
		h.widenDst(i, 0, t)
	default:
		return false
	}
	h.Changed(i)
	return true
}

func (h *Helper) widenShift(i mir.InstrID, idx int, t mir.LLT) bool {
	op := h.F.Instr(i).Opcode
	amt := 2
	if op == desc.G_FSHL || op == desc.G_FSHR {
		amt = 3
	}
	if idx == 1 {
		h.widenSrc(i, amt, desc.G_ZEXT, t)
		return true
	}
	switch op {
	case desc.G_SHL:
		h.F.Instr(i).ClearFlags(wrapFlags)
		h.widenSrc(i, 1, desc.G_ANYEXT, t)
	case desc.G_LSHR:
		h.widenSrc(i, 1, desc.G_ZEXT, t)
	case desc.G_ASHR:
		h.widenSrc(i, 1, desc.G_SEXT, t)
	default:
		return false
	}
	h.widenDst(i, 0, t)
	return true
}

// widenConstant makes a wider constant: sign-extended, but true is 1.
func (h *Helper) widenConstant(i mir.InstrID, t mir.LLT) {
	f := h.F
	d, n := h.reg(i, 0), h.regType(i, 0).ScalarBits()
	w := h.words(i)
	words := make([]uint64, (t.ScalarBits()+63)/64)
	neg := n > 1 && w[(n-1)/64]>>((n-1)%64)&1 != 0
	for k := range words {
		if neg {
			words[k] = ^uint64(0)
		}
	}
	copy(words, w)
	if neg && n%64 != 0 {
		words[n/64] |= ^lowMask(n % 64)
	}
	if m := t.ScalarBits() % 64; m != 0 {
		words[len(words)-1] &= lowMask(m)
	}
	wide := h.WideConst(t, words)
	c := f.New(desc.G_TRUNC, Def(d), Use(wide))
	h.Insert(c)
	h.Erase(i)
	h.pushUsers(d)
}

// widenPhi extends the incoming values at the end of the predecessors.
func (h *Helper) widenPhi(i mir.InstrID, t mir.LLT) {
	f := h.F
	for n := 1; n < f.Instr(i).NumOps(); n += 2 {
		h.atEnd(f.Op(i, n+1).Block(), f.Instr(i).Block())
		h.widenSrc(i, n, desc.G_ANYEXT, t)
	}
	h.mb.SetBefore(i)
	h.widenDst(i, 0, t)
}

// atEnd moves the builder to the end of b as seen from its successor to, before
// the terminators. The copies to physical registers of a tail call or return
// count to the terminators, but those blocks have no successors.
func (h *Helper) atEnd(b, to mir.BlockID) {
	h.mb.SetBlock(b)
	h.mb.At = h.F.EdgePlace(b, to)
}

// widenOverflow does an operation with overflow in a wider type, and compares.
func (h *Helper) widenOverflow(i mir.InstrID, t mir.LLT) bool {
	f := h.F
	op := f.Instr(i).Opcode
	d, o := h.reg(i, 0), h.reg(i, 1)
	nt := h.Type(d)
	ext, plain := desc.G_ZEXT, desc.G_ADD
	switch op {
	case desc.G_SADDO:
		ext = desc.G_SEXT
	case desc.G_SSUBO:
		ext, plain = desc.G_SEXT, desc.G_SUB
	case desc.G_USUBO:
		plain = desc.G_SUB
	case desc.G_UMULO:
		plain = desc.G_MUL
	case desc.G_SMULO:
		ext, plain = desc.G_SEXT, desc.G_MUL
	}
	x, y := h.Resize(ext, t, h.reg(i, 2)), h.Resize(ext, t, h.reg(i, 3))
	var full, over mir.Reg
	if plain == desc.G_MUL && t.ScalarBits() < 2*nt.ScalarBits() {
		full, over = h.New(t), h.New(h.Rules.Bool)
		h.Insert(f.New(op, Def(full), Def(over), Use(x), Use(y)))
	} else {
		full = h.Bin(plain, t, x, y)
	}
	cut := h.New(nt)
	h.BuildTo(desc.G_TRUNC, cut, full)
	back := h.Resize(ext, t, cut)
	ne := h.icmp(ir.ICmpNE, full, back)
	if over != 0 {
		ne = h.Bin(desc.G_OR, h.Rules.Bool, ne, over)
	}
	h.Erase(i)
	h.replace(d, cut)
	h.boolTo(o, ne)
	return true
}

// boolTo makes r the boolean b of the target's type.
func (h *Helper) boolTo(r, b mir.Reg) {
	if h.Type(r) == h.Type(b) {
		h.replace(r, b)
		return
	}
	op := desc.G_TRUNC
	if h.Type(r).ScalarBits() > h.Type(b).ScalarBits() {
		op = desc.G_ZEXT
	}
	h.BuildTo(op, r, b)
	h.pushUsers(r)
}

// widenBits widens the operations on the bits of a number.
func (h *Helper) widenBits(i mir.InstrID, idx int, t mir.LLT) bool {
	f := h.F
	op := f.Instr(i).Opcode
	if idx == 0 && op != desc.G_BSWAP && op != desc.G_BITREVERSE {
		// The count alone.
		if h.regType(i, 0).ScalarBits() < t.ScalarBits() {
			h.widenDst(i, 0, t)
			h.Changed(i)
			return true
		}
		return false
	}
	x := h.reg(i, 1)
	n, w := h.Type(x).ScalarBits(), t.ScalarBits()
	var res mir.Reg
	switch op {
	case desc.G_CTPOP:
		res = h.Un(op, t, h.Resize(desc.G_ZEXT, t, x))
	case desc.G_CTLZ, desc.G_CTLZ_ZERO_UNDEF:
		res = h.Un(op, t, h.Resize(desc.G_ZEXT, t, x))
		res = h.Bin(desc.G_SUB, t, res, h.Const(t, int64(w-n)))
	case desc.G_CTTZ_ZERO_UNDEF:
		res = h.Un(op, t, h.Resize(desc.G_ANYEXT, t, x))
	case desc.G_CTTZ:
		// A bit above the number stops the count.
		wide := h.Resize(desc.G_ANYEXT, t, x)
		var stop mir.Reg
		if n < 64 {
			stop = h.Const(t, int64(1)<<n)
		} else {
			words := make([]uint64, (w+63)/64)
			words[n/64] = 1 << (n % 64)
			stop = h.WideConst(t, words)
		}
		res = h.Un(desc.G_CTTZ_ZERO_UNDEF, t, h.Bin(desc.G_OR, t, wide, stop))
	case desc.G_BSWAP, desc.G_BITREVERSE:
		res = h.Un(op, t, h.Resize(desc.G_ANYEXT, t, x))
		res = h.Bin(desc.G_LSHR, t, res, h.Const(t, int64(w-n)))
	}
	h.ReplaceWith(i, 0, h.Resize(desc.G_ZEXT, h.regType(i, 0), res))
	return true
}

// widenExt extends or is extended from an odd width: through the wider type.
func (h *Helper) widenExt(i mir.InstrID, idx int, t mir.LLT) bool {
	op := h.F.Instr(i).Opcode
	if idx == 0 {
		h.widenDst(i, 0, t)
		h.Changed(i)
		return true
	}
	x := h.reg(i, 1)
	n := h.Type(x).ScalarBits()
	dt := h.regType(i, 0)
	if t.ScalarBits() > dt.ScalarBits() {
		return false
	}
	v := h.Resize(desc.G_ANYEXT, t, x)
	switch op {
	case desc.G_ZEXT:
		if t.ScalarBits() <= 64 {
			v = h.Bin(desc.G_AND, t, v, h.Const(t, int64(lowMask(n))))
		} else {
			words := make([]uint64, (t.ScalarBits()+63)/64)
			for k := range words {
				if m := n - 64*k; m > 0 {
					words[k] = lowMask(m)
				}
			}
			v = h.Bin(desc.G_AND, t, v, h.WideConst(t, words))
		}
	case desc.G_SEXT:
		d := h.New(t)
		h.Insert(h.F.New(desc.G_SEXT_INREG, Def(d), Use(v), mir.ImmOp(int64(n))))
		v = d
	}
	if t.ScalarBits() == dt.ScalarBits() {
		h.ReplaceWith(i, 0, v)
		return true
	}
	h.F.SetReg(i, 1, v)
	h.Changed(i)
	return true
}
