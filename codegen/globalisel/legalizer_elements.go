package globalisel

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Vectors of other numbers of elements: FewerElements splits them into shorter
// ones with a leftover, MoreElements makes them longer with elements that do not
// count, Bitcast makes them other types of the same size. What they take apart
// and put together are artifacts, which cancel where neighbours do the same.

// vectorOf is a vector of n elements, the element itself for 1.
func vectorOf(n int, e mir.LLT) mir.LLT {
	if n == 1 {
		return e
	}
	return mir.Vector(n, e)
}

// fewerElements does i on vectors of to's number of elements, to being wanted
// at type index idx, or on elements when to is none.
func (h *Helper) fewerElements(i mir.InstrID, idx int, to mir.LLT) bool {
	if !to.IsVector() {
		return h.scalarize(i)
	}
	if to.IsScalable() {
		return false
	}
	f := h.F
	m := to.NumElems()
	switch op := f.Instr(i).Opcode; op {
	case desc.G_LOAD, desc.G_STORE:
		return h.splitMem(i, m)
	case desc.G_PHI:
		return h.splitPhiElems(i, m)
	case desc.G_IMPLICIT_DEF:
		t := h.regType(i, 0)
		var parts []mir.Reg
		for off := 0; off < t.NumElems(); off += m {
			parts = append(parts, h.Undef(vectorOf(min(m, t.NumElems()-off), t.Elem())))
		}
		return h.joinElems(i, 0, parts)
	case desc.G_BUILD_VECTOR:
		d := h.reg(i, 0)
		var parts []mir.Reg
		for n := 1; n < f.Instr(i).NumOps(); n += m {
			k := min(m, f.Instr(i).NumOps()-n)
			if k == 1 {
				parts = append(parts, h.reg(i, n))
				continue
			}
			b := f.New(desc.G_BUILD_VECTOR, Def(h.New(mir.Vector(k, h.Type(d).Elem()))))
			for j := range k {
				f.AddOp(b, Use(h.reg(i, n+j)))
			}
			h.Insert(b)
			parts = append(parts, h.reg(b, 0))
		}
		return h.joinElems(i, 0, parts)
	case desc.G_BITCAST:
		return h.splitBitcast(i, idx, m)
	case desc.G_EXTRACT_VECTOR_ELT, desc.G_INSERT_VECTOR_ELT:
		return h.elementAccess(i)
	case desc.G_SHUFFLE_VECTOR:
		return h.shuffle(i)
	case desc.G_UNMERGE_VALUES, desc.G_CONCAT_VECTORS:
		return false
	}
	if plain := reduction(f.Instr(i).Opcode); plain != 0 {
		return h.splitReduction(i, m, plain)
	}
	return h.splitEach(i, m)
}

// Undef builds an undefined value.
func (b Builder) Undef(t mir.LLT) mir.Reg {
	d := b.New(t)
	b.BuildTo(desc.G_IMPLICIT_DEF, d)
	return d
}

// partElems cuts vector v into vectors of m elements and one of what is left, which
// is appended to out; scalars stand for vectors of one.
func (h *Helper) partElems(out []mir.Reg, v mir.Reg, m int) []mir.Reg {
	t := h.Type(v)
	n := t.NumElems()
	if m == 1 || n%m == 0 {
		return h.Unmerge(out, vectorOf(m, t.Elem()), v)
	}
	elems := h.Unmerge(nil, t.Elem(), v)
	for off := 0; off < n; off += m {
		k := min(m, n-off)
		d := elems[off]
		if k > 1 {
			d = h.New(mir.Vector(k, t.Elem()))
			h.Merge(d, elems[off:off+k])
		}
		out = append(out, d)
	}
	return out
}

// mergeElems makes d of vectors and scalars, its elements in order.
func (h *Helper) mergeElems(d mir.Reg, parts []mir.Reg) {
	even := true
	for _, p := range parts {
		even = even && h.Type(p) == h.Type(parts[0])
	}
	if !even {
		var elems []mir.Reg
		for _, p := range parts {
			if h.Type(p).IsVector() {
				elems = h.Unmerge(elems, h.Type(p).Elem(), p)
			} else {
				elems = append(elems, p)
			}
		}
		parts = elems
	}
	h.Merge(d, parts)
}

// joinElems replaces definition n of i, its only one, by the vector of parts.
func (h *Helper) joinElems(i mir.InstrID, n int, parts []mir.Reg) bool {
	d := h.reg(i, n)
	if h.F.IsPHI(i) {
		h.mb.At = h.afterPhis(i)
	}
	h.mergeElems(d, parts)
	h.Erase(i)
	h.pushUsers(d)
	return true
}

// splitEach repeats an operation that works element by element for vectors of m
// elements and one of what is left; operands that are no vectors are the same
// for all.
func (h *Helper) splitEach(i mir.InstrID, m int) bool {
	f := h.F
	op, fl := f.Instr(i).Opcode, f.Instr(i).Flags()
	n := f.Instr(i).NumOps()
	elems, defs := 0, 0
	split := make([][]mir.Reg, n)
	for k := range n {
		o := f.Op(i, k)
		if !o.IsReg() {
			continue
		}
		t := h.Type(o.Reg())
		if o.IsDef() {
			defs++
		}
		if !t.IsVector() {
			if o.IsDef() {
				return false
			}
			continue
		}
		if t.IsScalable() || elems != 0 && elems != t.NumElems() {
			return false
		}
		elems = t.NumElems()
		if !o.IsDef() {
			split[k] = h.partElems(nil, o.Reg(), m)
			continue
		}
		for off := 0; off < elems; off += m {
			split[k] = append(split[k], h.New(vectorOf(min(m, elems-off), t.Elem())))
		}
	}
	if elems == 0 || defs == 0 {
		return false
	}
	ops := make([]mir.Operand, n)
	for e := range (elems + m - 1) / m {
		for k := range n {
			o := *f.Op(i, k)
			switch {
			case split[k] != nil && o.IsDef():
				o = Def(split[k][e])
			case split[k] != nil:
				o = Use(split[k][e])
			case o.IsReg():
				o = Use(o.Reg())
			}
			ops[k] = o
		}
		var mask mir.Reg
		if (op == desc.G_ICMP || op == desc.G_FCMP) && h.Type(ops[0].Reg()).ScalarBits() > 1 && !h.Type(ops[0].Reg()).IsVector() {
			// Of a mask, whose elements are all ones or all zeros; scalars are 1 or 0.
			mask = ops[0].Reg()
			ops[0] = Def(h.New(mir.Scalar(1)))
		}
		c := f.New(op, ops...)
		f.Instr(c).SetFlags(fl)
		h.Insert(c)
		if mask != 0 {
			h.BuildTo(desc.G_SEXT, mask, ops[0].Reg())
		}
	}
	var ds []mir.Reg
	for k := range defs {
		d := h.reg(i, k)
		h.mergeElems(d, split[k])
		ds = append(ds, d)
	}
	h.Erase(i)
	for _, d := range ds {
		h.pushUsers(d)
	}
	return true
}

// splitMem loads or stores a vector in parts of m elements.
func (h *Helper) splitMem(i mir.InstrID, m int) bool {
	f := h.F
	t := h.regType(i, 0)
	if f.NumMem(i) == 0 || t.ScalarBits()%8 != 0 {
		return false
	}
	mem := *f.MemOf(i, 0)
	if mem.Order != 0 || mem.Size != int64(t.Bytes()) {
		return false
	}
	p := h.reg(i, 1)
	part := func(off int) (mir.LLT, mir.Reg, mir.MemOperand) {
		pt := vectorOf(min(m, t.NumElems()-off), t.Elem())
		at := int64(off * t.ScalarBits() / 8)
		return pt, h.PtrAddConst(p, at), subMem(mem, pt, at)
	}
	if f.Instr(i).Opcode == desc.G_STORE {
		for k, v := range h.partElems(nil, h.reg(i, 0), m) {
			_, a, pm := part(k * m)
			h.Store(v, a, pm)
		}
		h.Erase(i)
		return true
	}
	var parts []mir.Reg
	for off := 0; off < t.NumElems(); off += m {
		pt, a, pm := part(off)
		parts = append(parts, h.Load(pt, a, pm))
	}
	return h.joinElems(i, 0, parts)
}

// splitPhiElems makes a PHI for each part of m elements and for what is left.
func (h *Helper) splitPhiElems(i mir.InstrID, m int) bool {
	f := h.F
	t := h.regType(i, 0)
	var parts []mir.Reg
	var phis []mir.InstrID
	for off := 0; off < t.NumElems(); off += m {
		r := h.New(vectorOf(min(m, t.NumElems()-off), t.Elem()))
		parts = append(parts, r)
		phis = append(phis, f.New(desc.G_PHI, Def(r)))
	}
	for n := 1; n < f.Instr(i).NumOps(); n += 2 {
		b := f.Op(i, n+1).Block()
		h.atEnd(b, f.Instr(i).Block())
		for k, r := range h.partElems(nil, h.reg(i, n), m) {
			f.AddOp(phis[k], Use(r))
			f.AddOp(phis[k], mir.BlockOp(b))
		}
	}
	h.mb.SetBefore(i)
	for _, p := range phis {
		h.Insert(p)
	}
	return h.joinElems(i, 0, parts)
}

// splitBitcast casts parts: m elements at type index idx and what has the same size on the other side.
func (h *Helper) splitBitcast(i mir.InstrID, idx, m int) bool {
	dt, st := h.regType(i, 0), h.regType(i, 1)
	here, there := dt, st
	if idx == 1 {
		here, there = st, dt
	}
	size := m * here.ScalarBits()
	if !st.IsVector() || !dt.IsVector() || here.NumElems()%m != 0 || size%there.ScalarBits() != 0 {
		return h.lowerBitcast(i)
	}
	var parts []mir.Reg
	for _, s := range h.partElems(nil, h.reg(i, 1), size/st.ScalarBits()) {
		parts = append(parts, h.Un(desc.G_BITCAST, vectorOf(size/dt.ScalarBits(), dt.Elem()), s))
	}
	return h.joinElems(i, 0, parts)
}

// reduction is the operation that a reduction without order folds elements with, 0 for no such.
func reduction(op desc.Opcode) desc.Opcode {
	switch op {
	case desc.G_VECREDUCE_ADD:
		return desc.G_ADD
	case desc.G_VECREDUCE_MUL:
		return desc.G_MUL
	case desc.G_VECREDUCE_AND:
		return desc.G_AND
	case desc.G_VECREDUCE_OR:
		return desc.G_OR
	case desc.G_VECREDUCE_XOR:
		return desc.G_XOR
	case desc.G_VECREDUCE_SMAX:
		return desc.G_SMAX
	case desc.G_VECREDUCE_SMIN:
		return desc.G_SMIN
	case desc.G_VECREDUCE_UMAX:
		return desc.G_UMAX
	case desc.G_VECREDUCE_UMIN:
		return desc.G_UMIN
	case desc.G_VECREDUCE_FMAX:
		return desc.G_FMAXNUM
	case desc.G_VECREDUCE_FMIN:
		return desc.G_FMINNUM
	}
	return 0
}

// splitReduction folds the parts of m elements together, then the elements of
// the result; parts that are left are reduced on their own.
func (h *Helper) splitReduction(i mir.InstrID, m int, plain desc.Opcode) bool {
	f := h.F
	op, fl := f.Instr(i).Opcode, f.Instr(i).Flags()
	parts := h.partElems(nil, h.reg(i, 1), m)
	e := h.regType(i, 1).Elem()
	do := func(t mir.LLT, op desc.Opcode, uses ...mir.Reg) mir.Reg {
		d := h.New(t)
		f.Instr(h.BuildTo(op, d, uses...)).SetFlags(fl)
		return d
	}
	whole := mir.Vector(m, e)
	acc, rest := parts[0], mir.NoReg
	for _, p := range parts[1:] {
		switch t := h.Type(p); {
		case t == whole:
			acc = do(whole, plain, acc, p)
		case t.IsVector():
			rest = do(e, op, p)
		default:
			rest = p
		}
	}
	acc = do(e, op, acc)
	if rest != 0 {
		acc = do(e, plain, acc, rest)
	}
	h.ReplaceWith(i, 0, acc)
	return true
}

// padElems makes vector v, or a scalar, one of n elements; those added are undefined.
func (h *Helper) padElems(v mir.Reg, n int) mir.Reg { return h.padWith(v, n, 0) }

// padWith is padElems with fill in the elements added, undefined ones for 0.
func (h *Helper) padWith(v mir.Reg, n int, fill mir.Reg) mir.Reg {
	t := h.Type(v)
	e := t.Elem()
	var elems []mir.Reg
	if t.IsVector() {
		elems = h.Unmerge(nil, e, v)
	} else {
		elems = append(elems, v)
	}
	if fill == 0 {
		fill = h.Undef(e)
	}
	for len(elems) < n {
		elems = append(elems, fill)
	}
	d := h.New(mir.Vector(n, e))
	h.Merge(d, elems)
	return d
}

// dropElems makes definition n of i a vector of k elements and its register the first of them, behind i.
func (h *Helper) dropElems(i mir.InstrID, n, k int) {
	f := h.F
	d := h.reg(i, n)
	t := h.Type(d)
	w := h.New(mir.Vector(k, t.Elem()))
	f.SetReg(i, n, w)
	at := h.mb.At
	h.mb.At = h.afterPhis(i)
	h.Merge(d, h.Unmerge(nil, t.Elem(), w)[:t.NumElems()])
	h.mb.At = at
	h.pushUsers(d)
}

// moreElements does i on vectors of to's number of elements, to being wanted at type index idx.
func (h *Helper) moreElements(i mir.InstrID, idx int, to mir.LLT) bool {
	f := h.F
	k := to.NumElems()
	if !to.IsVector() || to.IsScalable() {
		return false
	}
	switch op := f.Instr(i).Opcode; op {
	case desc.G_LOAD, desc.G_STORE:
		return false // memory has no more elements
	case desc.G_PHI:
		for n := 1; n < f.Instr(i).NumOps(); n += 2 {
			h.atEnd(f.Op(i, n+1).Block(), f.Instr(i).Block())
			f.SetReg(i, n, h.padElems(h.reg(i, n), k))
		}
		h.mb.SetBefore(i)
		h.dropElems(i, 0, k)
	case desc.G_EXTRACT_VECTOR_ELT:
		f.SetReg(i, 1, h.padElems(h.reg(i, 1), k))
	case desc.G_INSERT_VECTOR_ELT:
		f.SetReg(i, 1, h.padElems(h.reg(i, 1), k))
		h.dropElems(i, 0, k)
	case desc.G_SHUFFLE_VECTOR:
		return h.moreShuffle(i, idx, k)
	case desc.G_BUILD_VECTOR:
		d := h.reg(i, 0)
		var elems []mir.Reg
		for n := 1; n < f.Instr(i).NumOps(); n++ {
			elems = append(elems, h.reg(i, n))
		}
		w := h.New(mir.Vector(k, h.Type(d).Elem()))
		h.Merge(w, h.fill(elems, k))
		h.Merge(d, h.Unmerge(nil, h.Type(d).Elem(), w)[:len(elems)])
		h.Erase(i)
		h.pushUsers(d)
		return true
	case desc.G_BITCAST:
		dt, st := h.regType(i, 0), h.regType(i, 1)
		size := k * dt.ScalarBits()
		if idx == 1 {
			size = k * st.ScalarBits()
		}
		if !dt.IsVector() || !st.IsVector() || size%dt.ScalarBits() != 0 || size%st.ScalarBits() != 0 {
			return h.lowerBitcast(i)
		}
		f.SetReg(i, 1, h.padElems(h.reg(i, 1), size/st.ScalarBits()))
		h.dropElems(i, 0, size/dt.ScalarBits())
	case desc.G_UNMERGE_VALUES, desc.G_CONCAT_VECTORS, desc.G_VECREDUCE_SEQ_FADD, desc.G_VECREDUCE_SEQ_FMUL:
		return false
	default:
		if plain := reduction(op); plain != 0 {
			fill := h.neutral(plain, h.regType(i, 1).Elem())
			if fill == 0 {
				return false
			}
			f.SetReg(i, 1, h.padWith(h.reg(i, 1), k, fill))
			break
		}
		return h.moreEach(i, k)
	}
	h.Changed(i)
	return true
}

// moreEach pads the operands of an operation that works element by element.
func (h *Helper) moreEach(i mir.InstrID, k int) bool {
	f := h.F
	op := f.Instr(i).Opcode
	elems := 0
	for n := range f.Instr(i).NumOps() {
		o := f.Op(i, n)
		if !o.IsReg() {
			continue
		}
		switch t := h.Type(o.Reg()); {
		case t.IsVector() && (elems == 0 || elems == t.NumElems()) && t.NumElems() < k:
			elems = t.NumElems()
		case t.IsVector() || o.IsDef():
			return false
		}
	}
	if elems == 0 {
		return false
	}
	var last, padded mir.Reg // of the operand before, often the same
	for n := range f.Instr(i).NumOps() {
		o := f.Op(i, n)
		if !o.IsReg() || !h.Type(o.Reg()).IsVector() {
			continue
		}
		switch {
		case o.IsDef():
			h.dropElems(i, n, k)
		case n == 2 && (op == desc.G_UDIV || op == desc.G_SDIV || op == desc.G_UREM || op == desc.G_SREM):
			// Undefined divisors might be zero.
			f.SetReg(i, n, h.padWith(o.Reg(), k, h.Const(h.Type(o.Reg()).Elem(), 1)))
		default:
			if r := o.Reg(); r != last {
				last, padded = r, h.padElems(r, k)
			}
			f.SetReg(i, n, padded)
		}
	}
	h.Changed(i)
	return true
}

// moreShuffle pads the operands of a shuffle, for type index 1, or its result and mask.
func (h *Helper) moreShuffle(i mir.InstrID, idx, k int) bool {
	f := h.F
	t := h.regType(i, 1)
	if !t.IsVector() || !h.regType(i, 0).IsVector() {
		return h.shuffle(i)
	}
	mask := append([]int32(nil), f.ShuffleMasks[f.Op(i, 3).Index()]...)
	if idx == 1 {
		for n := range mask {
			if int(mask[n]) >= t.NumElems() {
				mask[n] += int32(k - t.NumElems())
			}
		}
		f.SetReg(i, 1, h.padElems(h.reg(i, 1), k))
		f.SetReg(i, 2, h.padElems(h.reg(i, 2), k))
	} else {
		for len(mask) < k {
			mask = append(mask, -1)
		}
		h.dropElems(i, 0, k)
	}
	f.ShuffleMasks = append(f.ShuffleMasks, mask)
	f.ReplaceOp(i, 3, mir.IndexOp(mir.OpShuffleMask, uint32(len(f.ShuffleMasks)-1), 0, 0))
	h.Changed(i)
	return true
}

// neutral is the element that does not change what an operation folds, 0 when there is none to build.
func (h *Helper) neutral(op desc.Opcode, e mir.LLT) mir.Reg {
	if !e.IsScalar() {
		return 0
	}
	switch op {
	case desc.G_ADD, desc.G_OR, desc.G_XOR, desc.G_UMAX:
		return h.Const(e, 0)
	case desc.G_MUL:
		return h.Const(e, 1)
	case desc.G_AND, desc.G_UMIN:
		return h.Const(e, -1)
	case desc.G_SMAX:
		return h.signBit(e)
	case desc.G_SMIN:
		return h.Bin(desc.G_XOR, e, h.signBit(e), h.Const(e, -1))
	}
	return 0
}

// bitcast does i on values of type to, which have the same size, at type index idx.
func (h *Helper) bitcast(i mir.InstrID, idx int, to mir.LLT) bool {
	f := h.F
	if idx != 0 || to.Bits() != h.regType(i, 0).Bits() || to == h.regType(i, 0) {
		return false
	}
	use := func(n int) { f.SetReg(i, n, h.Un(desc.G_BITCAST, to, h.reg(i, n))) }
	switch f.Instr(i).Opcode {
	case desc.G_LOAD:
		if f.NumMem(i) > 0 {
			m := *f.MemOf(i, 0)
			m.Type = to
			f.SetMem(i, f.AddMem(m))
		}
	case desc.G_STORE:
		if f.NumMem(i) > 0 {
			m := *f.MemOf(i, 0)
			m.Type = to
			f.SetMem(i, f.AddMem(m))
		}
		use(0)
		h.Changed(i)
		return true
	case desc.G_AND, desc.G_OR, desc.G_XOR:
		use(1)
		use(2)
	case desc.G_SELECT:
		if h.regType(i, 1).IsVector() {
			return false
		}
		use(2)
		use(3)
	case desc.G_FREEZE:
		// A cast of a value that is partly poison might spread it.
		if to.ScalarBits() > h.regType(i, 0).ScalarBits() {
			return false
		}
		use(1)
	case desc.G_IMPLICIT_DEF:
	case desc.G_PHI:
		for n := 1; n < f.Instr(i).NumOps(); n += 2 {
			h.atEnd(f.Op(i, n+1).Block(), f.Instr(i).Block())
			use(n)
		}
		h.mb.SetBefore(i)
	default:
		return false
	}
	d, w := h.reg(i, 0), h.New(to)
	f.SetReg(i, 0, w)
	at := h.mb.At
	h.mb.At = h.afterPhis(i)
	h.BuildTo(desc.G_BITCAST, d, w)
	h.mb.At = at
	h.Changed(i)
	return true
}
