package globalisel

import (
	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// artifactStep cancels an artifact against what defines its operand, or
// legalizes it when there is nothing to cancel.
func (h *Helper) artifactStep(i mir.InstrID) error {
	f := h.F
	if h.gone(i) || !isArtifact(f.Instr(i).Opcode) {
		return nil
	}
	if IsTriviallyDead(f, i) {
		h.eraseDead(i)
		return nil
	}
	h.mb.SetBefore(i)
	h.mb.Loc = f.Instr(i).Loc
	done := false
	switch f.Instr(i).Opcode {
	case desc.G_TRUNC:
		done = h.combineTrunc(i)
	case desc.G_ZEXT, desc.G_SEXT, desc.G_ANYEXT:
		done = h.combineExt(i)
	case desc.G_UNMERGE_VALUES:
		done = h.combineUnmerge(i)
	case desc.G_MERGE_VALUES, desc.G_BUILD_VECTOR, desc.G_CONCAT_VECTORS:
		done = h.combineMerge(i)
	}
	if done {
		return nil
	}
	// Extensions and truncations from and to odd widths wait for their users or
	// operands to be widened, and then cancel; others that the rules say nothing
	// of wait for their other half. run gives up waiting (force) when nothing is
	// left that could come.
	d := h.decide(i)
	switch {
	case h.waits(i, d):
	case d.Act != legal.Unsupported && d.Act != legal.NotFound:
		return h.act(i, d)
	case h.force:
		h.widenParts(i)
	}
	return nil
}

// waits reports extensions and truncations of odd widths, unless what was
// decided narrows them.
func (h *Helper) waits(i mir.InstrID, d legal.Decision) bool {
	op := h.F.Instr(i).Opcode
	if op != desc.G_TRUNC && op != desc.G_ZEXT && op != desc.G_SEXT && op != desc.G_ANYEXT {
		return false
	}
	dt, st := h.regType(i, 0), h.regType(i, 1)
	if d.Act == legal.NarrowScalar && dt.IsScalar() && st.IsScalar() {
		n, sn, w := dt.ScalarBits(), st.ScalarBits(), d.To.ScalarBits()
		if op == desc.G_TRUNC {
			return sn%w != 0 || n%w != 0 && (n+w-1)/w == sn/w
		}
		return n%w != 0 || sn > w && sn%w != 0
	}
	return h.odd(dt) || h.odd(st)
}

// source follows copies between generic registers.
func (h *Helper) source(r mir.Reg) (mir.Reg, mir.InstrID) {
	f := h.F
	for range 16 {
		d := f.UniqueDef(r)
		if d == 0 || f.Instr(d).Opcode != desc.COPY {
			return r, d
		}
		s := f.Op(d, 1).Reg()
		if !s.IsVirtual() || f.TypeOf(s) != f.TypeOf(r) || f.TypeOf(s) == 0 {
			return r, d
		}
		r = s
	}
	return r, 0
}

// combineTrunc folds a truncation into what defines its operand.
func (h *Helper) combineTrunc(i mir.InstrID) bool {
	f := h.F
	dst, t := h.reg(i, 0), h.regType(i, 0)
	if h.takenApart(i, t) {
		return false
	}
	src, d := h.source(h.reg(i, 1))
	if d == 0 {
		return false
	}
	switch f.Instr(d).Opcode {
	case desc.G_TRUNC:
		h.BuildTo(desc.G_TRUNC, dst, h.reg(d, 1))
	case desc.G_ZEXT, desc.G_SEXT, desc.G_ANYEXT:
		x := h.reg(d, 1)
		switch n := f.TypeOf(x).ScalarBits(); {
		case n == t.ScalarBits():
			h.ReplaceWith(i, 0, x)
			return true
		case n > t.ScalarBits():
			h.BuildTo(desc.G_TRUNC, dst, x)
		case h.odd(t): // by way of what it is widened to
			w, _ := h.widened(t)
			if w.ScalarBits() >= f.TypeOf(src).ScalarBits() {
				return false
			}
			h.BuildTo(desc.G_TRUNC, dst, h.Un(f.Instr(d).Opcode, w, x))
		default:
			h.BuildTo(f.Instr(d).Opcode, dst, x)
		}
	case desc.G_CONSTANT, desc.G_IMPLICIT_DEF:
		// The rules would widen it again, and bring back the truncation.
		if a := h.memo.DecideType(desc.G_IMPLICIT_DEF, t).Act; h.odd(t) || t.IsVector() && (a == legal.Custom || a == legal.WidenScalar) {
			return false
		}
		if f.Instr(d).Opcode == desc.G_IMPLICIT_DEF {
			h.BuildTo(desc.G_IMPLICIT_DEF, dst)
			break
		}
		h.Insert(f.New(desc.G_CONSTANT, Def(dst), f.CImm(t.ScalarBits(), cutWords(h.words(d), t.ScalarBits())...)))
	case desc.G_BUILD_VECTOR:
		if h.doneWhole(i, d) {
			return false
		}
		h.resizeElems(desc.G_TRUNC, dst, d)
	case desc.G_MERGE_VALUES:
		part := h.reg(d, 1)
		pt := f.TypeOf(part)
		switch n, w := t.ScalarBits(), pt.ScalarBits(); {
		case pt.IsPointer():
			return false
		case n == w:
			h.ReplaceWith(i, 0, part)
			return true
		case n < w:
			h.BuildTo(desc.G_TRUNC, dst, part)
		case n%w == 0 && !h.odd(t):
			m := f.New(desc.G_MERGE_VALUES, Def(dst))
			for k := range n / w {
				f.AddOp(m, Use(h.reg(d, 1+k)))
			}
			h.Insert(m)
		default:
			// The parts that it is in are less than all.
			low := mir.Scalar((n + w - 1) / w * w)
			if low.ScalarBits() >= f.TypeOf(src).ScalarBits() || h.odd(low) {
				return false
			}
			m := h.New(low)
			parts := make([]mir.Reg, low.ScalarBits()/w)
			for k := range parts {
				parts[k] = h.reg(d, 1+k)
			}
			h.Merge(m, parts)
			h.BuildTo(desc.G_TRUNC, dst, m)
		}
	default:
		if src != h.reg(i, 1) {
			f.SetReg(i, 1, src)
		}
		return false
	}
	h.Erase(i)
	h.pushUsers(dst)
	return true
}

// odd reports scalars that instructions are widened from: making an instruction
// of such a width of an artifact would only bring the artifact back.
func (h *Helper) odd(t mir.LLT) bool {
	w, ok := h.widened(t)
	return ok && w != t
}

// widened is the scalar that the rules widen t to, t itself when they leave or
// narrow it; they are asked about a value without an operation.
func (h *Helper) widened(t mir.LLT) (mir.LLT, bool) {
	for range 8 {
		if !t.IsScalar() {
			return t, false
		}
		d := h.memo.DecideType(desc.G_IMPLICIT_DEF, t)
		if d.Act != legal.WidenScalar || d.To.ScalarBits() <= t.ScalarBits() {
			break
		}
		t = d.To
	}
	return t, true
}

// doneWhole reports an extension or truncation of vector d, that G_BUILD_VECTOR makes,
// which the target does as a whole: taking its elements apart would be no gain, unless
// they are constants.
func (h *Helper) doneWhole(i, d mir.InstrID) bool {
	if a := h.decide(i).Act; a != legal.Legal && a != legal.Custom {
		return false
	}
	for n := range 2 {
		// Other widths are there to cancel.
		if w := h.regType(i, n).ScalarBits(); w < 8 || w != nextPow2(w) {
			return false
		}
	}
	for n := 1; n < h.F.Instr(d).NumOps(); n++ {
		_, e := h.source(h.reg(d, n))
		if e == 0 || h.F.Instr(e).Opcode != desc.G_CONSTANT && h.F.Instr(e).Opcode != desc.G_IMPLICIT_DEF {
			return true
		}
	}
	return false
}

// resizeElems builds vector dst of the elements of G_BUILD_VECTOR d, extended or truncated.
func (h *Helper) resizeElems(op desc.Opcode, dst mir.Reg, d mir.InstrID) {
	e := h.Type(dst).Elem()
	var elems []mir.Reg
	for n := 1; n < h.F.Instr(d).NumOps(); n++ {
		if n > 1 && h.reg(d, n) == h.reg(d, n-1) {
			elems = append(elems, elems[n-2])
			continue
		}
		elems = append(elems, h.Resize(op, e, h.reg(d, n)))
	}
	h.Merge(dst, elems)
}

// takenApart reports artifacts of vectors that are done element by element, and
// of elements above 64 bits: what they cancel against is scalars.
func (h *Helper) takenApart(i mir.InstrID, t mir.LLT) bool {
	return t.IsVector() && (h.decide(i).Act == legal.FewerElements || h.regType(i, 1).ScalarBits() > 64 || t.ScalarBits() > 64)
}

// words gives the value of a G_CONSTANT in words.
func (h *Helper) words(d mir.InstrID) []uint64 {
	o := h.F.Op(d, 1)
	if o.Kind() == mir.OpCImm {
		return h.F.CImms[o.Index()].Words
	}
	n := h.regType(d, 0).ScalarBits()
	return signWords(n, o.Imm())
}

// cutWords cuts a number to n bits.
func cutWords(w []uint64, n int) []uint64 {
	out := append([]uint64(nil), w[:min(len(w), (n+63)/64)]...)
	if n%64 != 0 && len(out) == (n+63)/64 {
		out[len(out)-1] &= lowMask(n % 64)
	}
	return out
}

// combineExt folds an extension into what defines its operand.
func (h *Helper) combineExt(i mir.InstrID) bool {
	f := h.F
	op, dst, t := f.Instr(i).Opcode, h.reg(i, 0), h.regType(i, 0)
	if h.takenApart(i, t) {
		return false
	}
	src, d := h.source(h.reg(i, 1))
	st, word := f.TypeOf(src), 8*h.Rules.Word
	if t.IsVector() {
		word = max(word, 64) // elements are not cut into words
	}
	if d == 0 {
		return false
	}
	switch dop := f.Instr(d).Opcode; dop {
	case desc.G_TRUNC:
		if t.ScalarBits() > word && op != desc.G_ANYEXT && st.ScalarBits() <= word {
			return false // narrowed first
		}
		x := h.reg(d, 1)
		if f.TypeOf(x).ScalarBits() > word && t.ScalarBits() <= word && f.TypeOf(x).ScalarBits() != t.ScalarBits() {
			return false // the truncation is folded first
		}
		h.extOfTrunc(op, dst, x, st.ScalarBits())
	case desc.G_ZEXT, desc.G_SEXT, desc.G_ANYEXT:
		if op == desc.G_ANYEXT || dop == op || dop == desc.G_ZEXT {
			h.BuildTo(dop, dst, h.reg(d, 1))
			break
		}
		// The bits of the first extension are cut off, or continued.
		if t.ScalarBits() > word && !h.odd(st) {
			return false // narrowed first
		}
		h.extOfTrunc(op, dst, h.Resize(dop, t, h.reg(d, 1)), st.ScalarBits())
	case desc.G_CONSTANT:
		if t.ScalarBits() > 64 {
			return false
		}
		w := h.words(d)[0] & lowMask(st.ScalarBits())
		if op == desc.G_SEXT || op == desc.G_ANYEXT && st.ScalarBits() > 1 {
			w = uint64(signExtend(w, st.ScalarBits())) & lowMask(t.ScalarBits())
		}
		h.Insert(f.New(desc.G_CONSTANT, Def(dst), f.CImm(t.ScalarBits(), w)))
	case desc.G_BUILD_VECTOR:
		if h.doneWhole(i, d) {
			return false
		}
		h.resizeElems(op, dst, d)
	case desc.G_IMPLICIT_DEF:
		if op == desc.G_ANYEXT {
			h.BuildTo(desc.G_IMPLICIT_DEF, dst)
		} else {
			h.ConstTo(dst, 0)
		}
	default:
		if src != h.reg(i, 1) {
			f.SetReg(i, 1, src)
		}
		return false
	}
	h.Erase(i)
	h.pushUsers(dst)
	return true
}

// extOfTrunc builds dst = ext(trunc x to n bits): x resized, with its upper
// bits set as the extension wants.
func (h *Helper) extOfTrunc(op desc.Opcode, dst, x mir.Reg, n int) {
	t := h.Type(dst)
	if n == 1 && h.isMask(x, 0) {
		if v := h.Resize(desc.G_SEXT, t, x); op == desc.G_ZEXT {
			h.BuildTo(desc.G_AND, dst, v, h.Const(t, 1))
		} else {
			h.BuildTo(desc.COPY, dst, v)
		}
		return
	}
	if op == desc.G_ANYEXT || op == desc.G_ZEXT && h.zeroAbove(x, n, 0) {
		ext := desc.G_ANYEXT
		if op == desc.G_ZEXT {
			ext = desc.G_ZEXT
		}
		switch from := h.Type(x).ScalarBits(); {
		case from == t.ScalarBits():
			h.Insert(h.F.New(desc.COPY, Def(dst), Use(x)))
		case from > t.ScalarBits():
			h.BuildTo(desc.G_TRUNC, dst, x)
		default:
			h.BuildTo(ext, dst, x)
		}
		return
	}
	if op == desc.G_ZEXT && t.IsVector() {
		h.BuildTo(desc.G_AND, dst, h.Resize(desc.G_ANYEXT, t, x), h.Const(t, int64(lowMask(n))))
		return
	}
	if op == desc.G_ZEXT {
		words := make([]uint64, (t.ScalarBits()+63)/64)
		for k := range words {
			words[k] = lowMask(max(0, n-64*k))
		}
		h.BuildTo(desc.G_AND, dst, h.Resize(desc.G_ANYEXT, t, x), h.WideConst(t, words))
		return
	}
	if n == 1 && t.IsScalar() && t.ScalarBits() <= 64 && h.zeroAbove(x, 1, 0) {
		// Of 0 and 1: the number taken from 0.
		h.BuildTo(desc.G_SUB, dst, h.Const(t, 0), h.Resize(desc.G_ZEXT, t, x))
		return
	}
	h.Insert(h.F.New(desc.G_SEXT_INREG, Def(dst), Use(h.Resize(desc.G_ANYEXT, t, x)), mir.ImmOp(int64(n))))
}

// zeroAbove reports whether all bits of x from n up are known to be zero.
func (h *Helper) zeroAbove(x mir.Reg, n, depth int) bool {
	f := h.F
	_, d := h.source(x)
	if d == 0 || depth > 4 {
		return false
	}
	switch f.Instr(d).Opcode {
	case desc.G_ICMP, desc.G_FCMP:
		return n >= 1
	case desc.G_UADDO, desc.G_SADDO, desc.G_USUBO, desc.G_SSUBO, desc.G_UADDE, desc.G_USUBE, desc.G_SADDE, desc.G_SSUBE,
		desc.G_UMULO, desc.G_SMULO, desc.G_ATOMIC_CMPXCHG_WITH_SUCCESS:
		return n >= 1 && f.Op(d, 1).Reg() == x && f.Op(d, 0).Reg() != x
	case desc.G_ANYEXT:
		// Over a truncation of the same width, which will cancel.
		_, e := h.source(h.reg(d, 1))
		return e != 0 && f.Instr(e).Opcode == desc.G_TRUNC && h.regType(e, 1) == f.TypeOf(x) && h.zeroAbove(h.reg(e, 1), n, depth+1)
	case desc.G_ASSERT_ZEXT:
		return int(f.Op(d, 2).Imm()) <= n
	case desc.G_ZEXT:
		return h.regType(d, 1).ScalarBits() <= n || h.zeroAbove(h.reg(d, 1), n, depth+1)
	case desc.G_CONSTANT:
		w := h.words(d)
		return len(w) == 1 && w[0]&^lowMask(n) == 0
	case desc.G_AND:
		return h.zeroAbove(h.reg(d, 1), n, depth+1) || h.zeroAbove(h.reg(d, 2), n, depth+1)
	case desc.G_OR, desc.G_XOR:
		return h.zeroAbove(h.reg(d, 1), n, depth+1) && h.zeroAbove(h.reg(d, 2), n, depth+1)
	case desc.G_SELECT:
		return h.zeroAbove(h.reg(d, 2), n, depth+1) && h.zeroAbove(h.reg(d, 3), n, depth+1)
	}
	return false
}

// defs lists the registers that i defines.
func (h *Helper) defs(i mir.InstrID) []mir.Reg {
	var out []mir.Reg
	for n := range h.F.Instr(i).NumOps() {
		if o := h.F.Op(i, n); o.IsDef() {
			out = append(out, o.Reg())
		}
	}
	return out
}

// eraseReplaced erases i, whose nd definitions other instructions make now.
func (h *Helper) eraseReplaced(i mir.InstrID, nd int) {
	var buf [8]mir.Reg
	ds := buf[:0]
	for k := range nd {
		ds = append(ds, h.reg(i, k))
	}
	h.Erase(i)
	for _, r := range ds {
		h.pushUsers(r)
	}
}

// castTo builds d = s between types of one size.
func (h *Helper) castTo(d, s mir.Reg) bool {
	dt, st := h.Type(d), h.Type(s)
	switch {
	case dt.IsScalar() && st.IsPointer():
		h.BuildTo(desc.G_PTRTOINT, d, s)
	case dt.IsPointer() && st.IsScalar():
		h.BuildTo(desc.G_INTTOPTR, d, s)
	case dt.Bits() == st.Bits():
		h.BuildTo(desc.G_BITCAST, d, s)
	default:
		return false
	}
	return true
}

// predOf returns the predicate of a comparison.
func (h *Helper) predOf(i mir.InstrID) ir.Pred { return ir.Pred(h.F.Op(i, 1).Imm()) }
