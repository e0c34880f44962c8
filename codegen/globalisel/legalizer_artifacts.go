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
	// An artifact of types that are not legal waits for its other half; verify
	// reports those that never find it.
	d := h.decide(i)
	if d.Act == legal.Unsupported || d.Act == legal.NotFound {
		return nil
	}
	return h.act(i, d)
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
	if t.IsVector() {
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
		case h.oddWidth(t):
			return false
		default:
			h.BuildTo(f.Instr(d).Opcode, dst, x)
		}
	case desc.G_CONSTANT, desc.G_IMPLICIT_DEF:
		if h.oddWidth(t) {
			return false
		}
		if f.Instr(d).Opcode == desc.G_IMPLICIT_DEF {
			h.BuildTo(desc.G_IMPLICIT_DEF, dst)
			break
		}
		h.Insert(f.New(desc.G_CONSTANT, Def(dst), f.CImm(t.ScalarBits(), cutWords(h.words(d), t.ScalarBits())...)))
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
		case n%w == 0 && !h.oddWidth(t):
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

// oddWidth reports widths that instructions are widened from (those below the
// type that comparisons give): making an
// instruction of such a width of a truncation would only bring the truncation back.
func (h *Helper) oddWidth(t mir.LLT) bool {
	n := t.ScalarBits()
	return n < h.Rules.Bool.ScalarBits() || n&(n-1) != 0 && n%64 != 0
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
	if t.IsVector() {
		return false
	}
	src, d := h.source(h.reg(i, 1))
	st := f.TypeOf(src)
	if d == 0 {
		return false
	}
	switch dop := f.Instr(d).Opcode; dop {
	case desc.G_TRUNC:
		if t.ScalarBits() > 64 && op != desc.G_ANYEXT && st.ScalarBits() <= 64 {
			return false // narrowed first
		}
		x := h.reg(d, 1)
		if f.TypeOf(x).ScalarBits() > 64 && t.ScalarBits() <= 64 && f.TypeOf(x).ScalarBits() != t.ScalarBits() {
			return false // the truncation is folded first
		}
		h.extOfTrunc(op, dst, x, st.ScalarBits())
	case desc.G_ZEXT, desc.G_SEXT, desc.G_ANYEXT:
		if op == desc.G_ANYEXT || dop == op || dop == desc.G_ZEXT {
			h.BuildTo(dop, dst, h.reg(d, 1))
			break
		}
		// The bits of the first extension are cut off, or continued.
		if t.ScalarBits() > 64 {
			return false
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
	case desc.G_IMPLICIT_DEF:
		if op == desc.G_ANYEXT {
			h.BuildTo(desc.G_IMPLICIT_DEF, dst)
		} else {
			h.Insert(f.New(desc.G_CONSTANT, Def(dst), f.CImm(t.ScalarBits(), signWords(t.ScalarBits(), 0)...)))
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
	v := h.Resize(desc.G_ANYEXT, t, x)
	if op == desc.G_ZEXT {
		words := make([]uint64, (t.ScalarBits()+63)/64)
		for k := range words {
			words[k] = lowMask(max(0, n-64*k))
		}
		h.BuildTo(desc.G_AND, dst, v, h.WideConst(t, words))
		return
	}
	h.Insert(h.F.New(desc.G_SEXT_INREG, Def(dst), Use(v), mir.ImmOp(int64(n))))
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
		// Parts of a part: cut the whole into the smaller ones.
		whole := h.reg(d, f.Instr(d).NumOps()-1)
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
		return false
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
			if r, dk := h.source(h.reg(i, 1+k)); dk != d || f.Op(d, k).Reg() != r {
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
	f := h.F
	t := h.regType(i, 0)
	if t.IsVector() || t.Bits() > 64 {
		return false
	}
	wide := mir.Scalar(t.Bits())
	var acc mir.Reg
	shift := 0
	for n := 1; n < f.Instr(i).NumOps(); n++ {
		p := h.reg(i, n)
		pt := h.Type(p)
		if pt.IsVector() {
			return false
		}
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
	if t.IsPointer() {
		acc = h.Un(desc.G_INTTOPTR, t, acc)
	}
	h.ReplaceWith(i, 0, acc)
	return true
}

// lowerUnmerge cuts a scalar of legal size into narrower parts by shifting.
func (h *Helper) lowerUnmerge(i mir.InstrID) bool {
	f := h.F
	nd := f.Instr(i).NumOps() - 1
	src := h.reg(i, nd)
	st, pt := h.Type(src), h.regType(i, 0)
	if st.IsVector() || st.Bits() > 64 || pt.IsVector() {
		return false
	}
	if st.IsPointer() {
		st = mir.Scalar(st.Bits())
		src = h.Un(desc.G_PTRTOINT, st, src)
	}
	for k := range nd {
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
	h.eraseReplaced(i, nd)
	return true
}

// predOf returns the predicate of a comparison.
func (h *Helper) predOf(i mir.InstrID) ir.Pred { return ir.Pred(h.F.Op(i, 1).Imm()) }
