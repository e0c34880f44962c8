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

// widenParts does merges and unmerges that nothing cancels and whose scalar or
// parts are odd: the scalar becomes as wide as the rules want it, odd parts are
// joined to words first, or shifted in and out where words are no multiple of them.
func (h *Helper) widenParts(i mir.InstrID) {
	switch h.F.Instr(i).Opcode {
	case desc.G_MERGE_VALUES:
		h.widenMerge(i)
	case desc.G_UNMERGE_VALUES:
		h.widenUnmerge(i)
	}
}

func (h *Helper) widenMerge(i mir.InstrID) {
	d, p := h.reg(i, 0), h.regType(i, 1)
	t := h.Type(d)
	w, ok := h.widened(t)
	if !ok || !p.IsScalar() || w == t && !h.odd(p) {
		return
	}
	word := mir.Scalar(8 * h.Rules.Word)
	unit := p // what w is merged of
	if h.odd(p) {
		unit = word
	}
	wide := h.New(w)
	if w.ScalarBits()%unit.ScalarBits() != 0 || unit.ScalarBits()%p.ScalarBits() != 0 {
		wide = h.shiftedIn(i, w)
	} else {
		var parts []mir.Reg
		for k := range h.F.Instr(i).NumOps() - 1 {
			parts = append(parts, h.reg(i, 1+k))
		}
		parts = h.fill(parts, w.ScalarBits()/p.ScalarBits())
		if per := unit.ScalarBits() / p.ScalarBits(); per > 1 {
			var units []mir.Reg
			for ; len(parts) > 0; parts = parts[per:] {
				u := h.New(unit)
				h.Merge(u, parts[:per])
				units = append(units, u)
			}
			parts = units
		}
		h.Merge(wide, parts)
	}
	if w == t {
		h.ReplaceWith(i, 0, wide)
		return
	}
	h.BuildTo(desc.G_TRUNC, d, wide)
	h.Erase(i)
	h.pushUsers(d)
}

// fill appends undefined values to parts until there are n.
func (h *Helper) fill(parts []mir.Reg, n int) []mir.Reg {
	if len(parts) >= n {
		return parts
	}
	undef := h.New(h.Type(parts[0]))
	h.BuildTo(desc.G_IMPLICIT_DEF, undef)
	for len(parts) < n {
		parts = append(parts, undef)
	}
	return parts
}

func (h *Helper) widenUnmerge(i mir.InstrID) {
	n := h.F.Instr(i).NumOps() - 1
	p, src := h.regType(i, 0), h.reg(i, n)
	t := h.Type(src)
	w, ok := h.widened(t)
	if !ok || !p.IsScalar() || w == t && !h.odd(p) {
		return
	}
	unit := p
	if h.odd(p) {
		unit = mir.Scalar(8 * h.Rules.Word)
	}
	wide := h.Resize(desc.G_ANYEXT, w, src)
	if w.ScalarBits()%unit.ScalarBits() != 0 || unit.ScalarBits()%p.ScalarBits() != 0 {
		h.shiftedOut(i, wide)
		h.eraseReplaced(i, n)
		return
	}
	defs := h.defs(i)
	if unit == p {
		h.unmergeTo(defs, wide)
	} else {
		per := unit.ScalarBits() / p.ScalarBits()
		for _, u := range h.Unmerge(nil, unit, wide) {
			h.unmergeTo(defs[:min(per, len(defs))], u)
			defs = defs[min(per, len(defs)):]
		}
	}
	h.eraseReplaced(i, n)
}

// unmergeTo takes src apart into defs, which are its low parts.
func (h *Helper) unmergeTo(defs []mir.Reg, src mir.Reg) {
	if len(defs) == 0 {
		return
	}
	f := h.F
	p := h.Type(defs[0])
	u := f.New(desc.G_UNMERGE_VALUES)
	for k := range h.Type(src).Bits() / p.Bits() {
		r := mir.NoReg
		if k < len(defs) {
			r = defs[k]
		} else {
			r = h.New(p)
		}
		f.AddOp(u, Def(r))
	}
	f.AddOp(u, Use(src))
	h.Insert(u)
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
		case h.odd(t):
			return false
		default:
			h.BuildTo(f.Instr(d).Opcode, dst, x)
		}
	case desc.G_CONSTANT, desc.G_IMPLICIT_DEF:
		if h.odd(t) {
			return false
		}
		if f.Instr(d).Opcode == desc.G_IMPLICIT_DEF {
			h.BuildTo(desc.G_IMPLICIT_DEF, dst)
			break
		}
		h.Insert(f.New(desc.G_CONSTANT, Def(dst), f.CImm(t.ScalarBits(), cutWords(h.words(d), t.ScalarBits())...)))
	case desc.G_BUILD_VECTOR:
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
			return false
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
		h.q = legal.Query{Op: desc.G_IMPLICIT_DEF}
		h.q.Types[0] = t
		d := h.Rules.Decide(&h.q)
		if d.Act != legal.WidenScalar || d.To.ScalarBits() <= t.ScalarBits() {
			break
		}
		t = d.To
	}
	return t, true
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

// combineUnmerge folds an unmerge of a merge, of a constant or of nothing.
func (h *Helper) combineUnmerge(i mir.InstrID) bool {
	f := h.F
	nd := f.Instr(i).NumOps() - 1
	src, d := h.source(h.reg(i, nd))
	if d == 0 {
		return false
	}
	pt := h.regType(i, 0)
	switch op := f.Instr(d).Opcode; op {
	case desc.G_MERGE_VALUES, desc.G_BUILD_VECTOR, desc.G_CONCAT_VECTORS:
		return h.unmergeOfMerge(i, d, nd)
	case desc.G_UNMERGE_VALUES:
		// Parts of a part: cut the whole into the smaller ones, unless both cuts are legal.
		whole := h.reg(d, f.Instr(d).NumOps()-1)
		if h.Type(src).IsVector() && h.decide(i).Act == legal.Legal {
			return false
		}
		at := 0
		for f.Op(d, at).Reg() != src {
			at++
		}
		if h.Type(whole).IsVector() != pt.IsVector() && h.Type(src) != h.Type(whole).Elem() && h.Type(whole).IsVector() {
			if h.Type(whole).Elem() != pt {
				return false
			}
		}
		if h.Type(whole).IsVector() && !h.Type(src).IsVector() {
			return false
		}
		parts := h.Unmerge(nil, pt, whole)
		ds := h.defs(i)
		h.Erase(i)
		for k, r := range ds {
			h.replace(r, parts[at*nd+k])
		}
		return true
	case desc.G_CONSTANT:
		if pt.IsVector() || !pt.IsScalar() {
			return false
		}
		w := h.words(d)
		for k := range nd {
			r := h.reg(i, k)
			h.Insert(f.New(desc.G_CONSTANT, Def(r), f.CImm(pt.ScalarBits(), bitsAt(w, k*pt.ScalarBits(), pt.ScalarBits())...)))
		}
		h.eraseReplaced(i, nd)
		return true
	case desc.G_IMPLICIT_DEF:
		for k := range nd {
			h.BuildTo(desc.G_IMPLICIT_DEF, h.reg(i, k))
		}
		h.eraseReplaced(i, nd)
		return true
	case desc.G_ANYEXT, desc.G_ZEXT:
		// The extension of a part by more parts.
		x := h.reg(d, 1)
		if h.Type(x) != pt {
			return false
		}
		ds := h.defs(i)
		h.Erase(i)
		h.replace(ds[0], x)
		if len(ds) > 1 {
			var hi mir.Reg
			if op == desc.G_ZEXT {
				hi = h.Const(pt, 0)
			} else {
				hi = h.New(pt)
				h.BuildTo(desc.G_IMPLICIT_DEF, hi)
			}
			for _, r := range ds[1:] {
				h.replace(r, hi)
			}
		}
		return true
	}
	if src != h.reg(i, nd) {
		f.SetReg(i, nd, src)
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

// bitsAt cuts n bits at bit off out of a number.
func bitsAt(w []uint64, off, n int) []uint64 {
	out := make([]uint64, (n+63)/64)
	for k := range out {
		pos := off + 64*k
		v := uint64(0)
		if pos/64 < len(w) {
			v = w[pos/64] >> (pos % 64)
			if pos%64 != 0 && pos/64+1 < len(w) {
				v |= w[pos/64+1] << (64 - pos%64)
			}
		}
		out[k] = v
	}
	if n%64 != 0 {
		out[len(out)-1] &= lowMask(n % 64)
	}
	return out
}

// unmergeOfMerge cancels unmerge i against merge d: parts are passed on, or
// joined or cut to the other size.
func (h *Helper) unmergeOfMerge(i, d mir.InstrID, nd int) bool {
	f := h.F
	ns := f.Instr(d).NumOps() - 1
	pt, st := h.regType(i, 0), h.regType(d, 1)
	switch {
	case nd == ns:
		ds := h.defs(i)
		var ss []mir.Reg
		for k := range ns {
			ss = append(ss, h.reg(d, 1+k))
		}
		if pt != st {
			// The same size, but pointers or vectors of other elements.
			for k := range ds {
				if !h.castTo(ds[k], ss[k]) {
					return false
				}
			}
			h.Erase(i)
			for _, r := range ds {
				h.pushUsers(r)
			}
			return true
		}
		h.Erase(i)
		for k := range ds {
			h.replace(ds[k], ss[k])
		}
	case nd > ns && nd%ns == 0:
		ds := h.defs(i)
		n := nd / ns
		for k := range ns {
			u := f.New(desc.G_UNMERGE_VALUES)
			for j := range n {
				f.AddOp(u, Def(ds[k*n+j]))
			}
			f.AddOp(u, Use(h.reg(d, 1+k)))
			h.Insert(u)
		}
		h.Erase(i)
	case ns > nd && ns%nd == 0:
		ds := h.defs(i)
		n := ns / nd
		op := desc.G_MERGE_VALUES
		if pt.IsVector() {
			op = desc.G_BUILD_VECTOR
			if st.IsVector() {
				op = desc.G_CONCAT_VECTORS
			}
		}
		for k := range nd {
			m := f.New(op, Def(ds[k]))
			for j := range n {
				f.AddOp(m, Use(h.reg(d, 1+k*n+j)))
			}
			h.Insert(m)
		}
		h.Erase(i)
		for _, r := range ds {
			h.pushUsers(r)
		}
	default:
		return h.unmergeElems(i, d)
	}
	return true
}

// unmergeElems cancels an unmerge of vectors against a merge of vectors of
// another length, element by element.
func (h *Helper) unmergeElems(i, d mir.InstrID) bool {
	f := h.F
	if !h.regType(i, 0).IsVector() || !h.regType(d, 1).IsVector() || h.regType(i, 0).Elem() != h.regType(d, 1).Elem() {
		return false
	}
	var elems []mir.Reg
	for n := 1; n < f.Instr(d).NumOps(); n++ {
		elems = h.Unmerge(elems, h.regType(d, n).Elem(), h.reg(d, n))
	}
	ds := h.defs(i)
	h.Erase(i)
	for _, r := range ds {
		n := h.Type(r).NumElems()
		h.Merge(r, elems[:n])
		elems = elems[n:]
		h.pushUsers(r)
	}
	return true
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

// combineMerge folds a merge of all the parts of one value in order, and
// flattens merges of merges of vectors.
func (h *Helper) combineMerge(i mir.InstrID) bool {
	f := h.F
	n := f.Instr(i).NumOps() - 1
	first, d := h.source(h.reg(i, 1))
	if d == 0 {
		return false
	}
	if f.Instr(d).Opcode == desc.G_UNMERGE_VALUES && f.Instr(d).NumOps()-1 == n && f.Op(d, 0).Reg() == first {
		for k := 1; k < n; k++ {
			r, dk := h.source(h.reg(i, 1+k))
			if dk != 0 && f.Instr(dk).Opcode == desc.G_IMPLICIT_DEF && h.regType(i, 0).IsVector() {
				continue // an element of the source will do
			}
			if dk != d || f.Op(d, k).Reg() != r {
				return false
			}
		}
		if src := h.reg(d, n); f.TypeOf(src) == h.regType(i, 0) {
			h.ReplaceWith(i, 0, src)
			return true
		}
	}
	return false
}

// lowerMerge builds a scalar of legal size from narrower parts by shifting.
func (h *Helper) lowerMerge(i mir.InstrID) bool {
	t := h.regType(i, 0)
	if t.IsVector() || t.Bits() > 64 {
		return false
	}
	for n := 1; n < h.F.Instr(i).NumOps(); n++ {
		if h.regType(i, n).IsVector() {
			return false
		}
	}
	acc := h.shiftedIn(i, mir.Scalar(t.Bits()))
	if t.IsPointer() {
		acc = h.Un(desc.G_INTTOPTR, t, acc)
	}
	h.ReplaceWith(i, 0, acc)
	return true
}

// shiftedIn makes a scalar of type wide of the parts that i merges.
func (h *Helper) shiftedIn(i mir.InstrID, wide mir.LLT) mir.Reg {
	var acc mir.Reg
	shift := 0
	for n := 1; n < h.F.Instr(i).NumOps(); n++ {
		p := h.reg(i, n)
		pt := h.Type(p)
		if pt.IsPointer() {
			p = h.Un(desc.G_PTRTOINT, mir.Scalar(pt.ScalarBits()), p)
		}
		v := h.Resize(desc.G_ZEXT, wide, p)
		if shift == 0 {
			acc = v
		} else {
			s := h.Bin(desc.G_SHL, wide, v, h.Const(wide, int64(shift)))
			acc = h.Bin(desc.G_OR, wide, acc, s)
		}
		shift += pt.Bits()
	}
	return acc
}

// lowerUnmerge cuts a scalar of legal size into narrower parts by shifting.
func (h *Helper) lowerUnmerge(i mir.InstrID) bool {
	nd := h.F.Instr(i).NumOps() - 1
	src := h.reg(i, nd)
	st := h.Type(src)
	if st.IsVector() || st.Bits() > 64 || h.regType(i, 0).IsVector() {
		return false
	}
	if st.IsPointer() {
		src = h.Un(desc.G_PTRTOINT, mir.Scalar(st.Bits()), src)
	}
	h.shiftedOut(i, src)
	h.eraseReplaced(i, nd)
	return true
}

// shiftedOut makes what unmerge i defines of scalar src, which may be wider than what i takes apart.
func (h *Helper) shiftedOut(i mir.InstrID, src mir.Reg) {
	st, pt := h.Type(src), h.regType(i, 0)
	for k := range h.F.Instr(i).NumOps() - 1 {
		v := src
		if k > 0 {
			v = h.Bin(desc.G_LSHR, st, src, h.Const(st, int64(k*pt.Bits())))
		}
		r := h.reg(i, k)
		if pt.IsPointer() {
			n := h.Un(desc.G_TRUNC, mir.Scalar(pt.Bits()), v)
			h.BuildTo(desc.G_INTTOPTR, r, n)
			continue
		}
		h.BuildTo(desc.G_TRUNC, r, v)
	}
}

// predOf returns the predicate of a comparison.
func (h *Helper) predOf(i mir.InstrID) ir.Pred { return ir.Pred(h.F.Op(i, 1).Imm()) }
