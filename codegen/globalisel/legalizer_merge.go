package globalisel

import (
	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

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

// wholeWords is what a scalar of type t is widened to where parts p of it are joined or
// taken: one that registers hold may be no number to compute with (80 bits of x87).
func (h *Helper) wholeWords(t, p mir.LLT) (mir.LLT, bool) {
	w, ok := h.widened(t)
	if word := 8 * h.Rules.Word; ok && w == t && h.odd(p) && t.ScalarBits() > word && t.ScalarBits()%word != 0 {
		w = mir.Scalar((t.ScalarBits() + word - 1) / word * word)
	}
	return w, ok
}

func (h *Helper) widenMerge(i mir.InstrID) {
	d, p := h.reg(i, 0), h.regType(i, 1)
	t := h.Type(d)
	w, ok := h.wholeWords(t, p)
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
	w, ok := h.wholeWords(t, p)
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
	case desc.G_TRUNC:
		// Of a vector of bits: they are cut off one by one. Parts of elements are not.
		if !h.Type(src).IsVector() || !h.regType(d, 1).IsVector() || pt != h.Type(src).Elem() || pt.ScalarBits() >= 8 {
			return false
		}
		wide := h.Unmerge(nil, h.regType(d, 1).Elem(), h.reg(d, 1))
		for k, r := range h.defs(i) {
			h.BuildTo(desc.G_TRUNC, r, wide[k])
		}
		h.eraseReplaced(i, nd)
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
