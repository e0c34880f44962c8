package x86

import (
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Vectors of bits where there are mask registers: they are values of 2, 4, 8, 16, 32 or
// 64 bits. Comparisons make them, selects and masked operations take them. Bits of a
// register above those of the type mean nothing. What is asked of single bits is done in
// a general register, what moves them about in a vector of bytes or wider elements.

// maskBits legalizes what works on vectors of bits; false for what does not.
func (v *shaper) maskBits() (bool, error) {
	f := v.f
	op := f.Instr(v.i).Opcode
	switch op {
	case desc.G_LOAD, desc.G_STORE:
		if !isBits(v.typeOf(0)) {
			return false, nil
		}
		v.bitsMemory()
		return true, nil
	case desc.G_BITCAST:
		if !isBits(v.typeOf(0)) && !isBits(v.typeOf(1)) {
			return false, nil
		}
		v.bitsCast()
		return true, nil
	case desc.G_ZEXT, desc.G_SEXT, desc.G_ANYEXT:
		if !isBits(v.typeOf(1)) {
			return false, nil
		}
		v.bitsExtend(op)
		return true, nil
	case desc.G_TRUNC:
		if !isBits(v.typeOf(0)) {
			return false, nil
		}
		v.bitsTruncate()
		return true, nil
	case desc.G_UNMERGE_VALUES:
		if !isBits(v.Type(v.reg(f.Instr(v.i).NumOps() - 1))) {
			return false, nil
		}
		v.bitsUnmerge()
		return true, nil
	case desc.G_ICMP:
		if !isBits(v.typeOf(2)) {
			return false, nil
		}
		v.done(v.bitsCompare(ir.Pred(f.Op(v.i, 1).Imm()), v.reg(2), v.reg(3)))
		return true, nil
	case desc.G_EXTRACT_VECTOR_ELT:
		if !isBits(v.typeOf(1)) {
			return false, nil
		}
		w := v.bitsWord(v.reg(1))
		t := v.Type(w)
		v.done(v.Un(desc.G_TRUNC, mir.Scalar(1), v.Bin(desc.G_LSHR, t, w, v.index(t, v.reg(2)))))
		return true, nil
	}
	if of := reduceBits(op); of != 0 && isBits(v.typeOf(1)) {
		v.reduceBits(of)
		return true, nil
	}
	if !isBits(v.typeOf(0)) {
		return false, nil
	}
	t := v.typeOf(0)
	switch op {
	case desc.G_ADD, desc.G_SUB:
		op = desc.G_XOR
	case desc.G_MUL, desc.G_UMIN, desc.G_SMAX:
		op = desc.G_AND
	case desc.G_UMAX, desc.G_SMIN:
		op = desc.G_OR
	case desc.G_SHL, desc.G_LSHR, desc.G_ASHR, desc.G_ABS, desc.G_ROTL, desc.G_ROTR:
		v.done(v.reg(1)) // there is no amount but 0
		return true, nil
	case desc.G_SELECT:
		c := v.reg(1)
		x, y := v.Bin(desc.G_AND, t, c, v.reg(2)), v.Bin(desc.G_AND, t, v.bitsNot(c), v.reg(3))
		v.done(v.Bin(desc.G_OR, t, x, y))
		return true, nil
	case desc.G_BUILD_VECTOR:
		v.bitsBuild()
		return true, nil
	case desc.G_CONCAT_VECTORS:
		v.bitsConcat()
		return true, nil
	case desc.G_INSERT_VECTOR_ELT:
		w := v.bitsWord(v.reg(1))
		wt := v.Type(w)
		k := v.index(wt, v.reg(3))
		one := v.Bin(desc.G_SHL, wt, v.Const(wt, 1), k)
		cleared := v.Bin(desc.G_AND, wt, w, v.Bin(desc.G_XOR, wt, one, v.Const(wt, -1)))
		v.done(v.bitsOf(t, v.Bin(desc.G_OR, wt, cleared, v.Bin(desc.G_SHL, wt, v.Resize(desc.G_ZEXT, wt, v.reg(2)), k))))
		return true, nil
	case desc.G_SHUFFLE_VECTOR:
		if !v.typeOf(1).IsVector() {
			return true, v.h.Act(v.i, legal.Decision{Act: legal.FewerElements})
		}
		m := v.typeOf(1).NumElems()
		if r := v.bitsRun(f.ShuffleMasks[f.Op(v.i, 3).Index()], m); r != 0 {
			v.done(r)
			return true, nil
		}
		e := v.bitsElem(max(m, t.NumElems()))
		wide := mir.Vector(m, e)
		d := v.New(mir.Vector(t.NumElems(), e))
		v.Build(op, globalisel.Def(d), globalisel.Use(v.Resize(desc.G_SEXT, wide, v.reg(1))), globalisel.Use(v.Resize(desc.G_SEXT, wide, v.reg(2))), *f.Op(v.i, 3))
		v.done(v.signs(d))
		return true, nil
	default:
		return true, v.h.Act(v.i, legal.Decision{Act: legal.FewerElements})
	}
	v.done(v.Bin(op, t, v.reg(1), v.reg(2)))
	return true, nil
}

// bitsRun does shuffles that take bits in a row out of one vector of m, or that join
// both; 0 for others.
func (v *shaper) bitsRun(mask []int32, m int) mir.Reg {
	if m != pow2(m) || len(mask) != pow2(len(mask)) {
		return 0
	}
	first := int32(-1)
	for k, s := range mask {
		switch {
		case s < 0:
		case first < 0:
			if first = s - int32(k); first < 0 {
				return 0
			}
		case s-int32(k) != first:
			return 0
		}
	}
	switch n := int32(len(mask)); {
	case first < 0:
		return v.undef(v.typeOf(0))
	case first+n <= int32(m):
		return v.bitsAt(int(n), v.reg(1), int(first))
	case first >= int32(m) && first+n <= int32(2*m):
		return v.bitsAt(int(n), v.reg(2), int(first)-m)
	case first == 0 && int(n) == 2*m:
		return v.join(v.reg(1), v.reg(2))
	}
	return 0
}

// index is the number of an element as an amount to shift a word by.
func (v *shaper) index(t mir.LLT, r mir.Reg) mir.Reg {
	if v.Type(r).ScalarBits() > t.ScalarBits() {
		return v.Un(desc.G_TRUNC, t, r)
	}
	return v.Resize(desc.G_ZEXT, t, r)
}

// bitsElem is the element of vectors in which n bits are moved about.
func (v *shaper) bitsElem(n int) mir.LLT {
	e := 64
	for e > 8 && e*n > 128 {
		e /= 2
	}
	return mir.Scalar(e)
}

// signs are the signs of the elements of x.
func (v *shaper) signs(x mir.Reg) mir.Reg {
	t := v.Type(x)
	return v.ICmp(ir.ICmpSLT, mir.Vector(t.NumElems(), mir.Scalar(1)), x, v.Const(t, 0))
}

// compare compares integers; the result has the type of the operands, all ones or all zeros.
func (v *shaper) compare(p ir.Pred, t mir.LLT, x, y mir.Reg) mir.Reg {
	if v.has("masks") {
		return v.Un(desc.G_SEXT, t, v.ICmp(p, mir.Vector(t.NumElems(), mir.Scalar(1)), x, y))
	}
	return v.ICmp(p, t, x, y)
}

//===- Words and registers --------------------------------------------------

// bitsLow is the first n bits of x, or x with more that mean nothing behind.
func (v *shaper) bitsLow(n int, x mir.Reg) mir.Reg {
	t := mir.Vector(n, mir.Scalar(1))
	switch m := v.Type(x).NumElems(); {
	case m == n:
		return x
	case m != pow2(m) || n != pow2(n):
		// Of such a length there are no values: their elements are to cancel.
		es := v.elems(x)
		return v.build(n, es[:min(n, m)])
	case m > n:
		d := v.New(t)
		v.Build(desc.G_EXTRACT_SUBVECTOR, globalisel.Def(d), globalisel.Use(x), mir.ImmOp(0))
		return d
	}
	d := v.New(t)
	v.Build(desc.G_INSERT_SUBVECTOR, globalisel.Def(d), globalisel.Use(v.undef(t)), globalisel.Use(x), mir.ImmOp(0))
	return d
}

// bitsAt is n bits of x from bit k on.
func (v *shaper) bitsAt(n int, x mir.Reg, k int) mir.Reg {
	if k > 0 {
		x = v.bitsShift([4]desc.Opcode{tab.KSHIFTRBki, tab.KSHIFTRWki, tab.KSHIFTRDki, tab.KSHIFTRQki}, x, k)
	}
	return v.bitsLow(n, x)
}

// bitsShift shifts x, of at least 8 bits then, by k; ops are of 8, 16, 32 and 64 bits.
func (v *shaper) bitsShift(ops [4]desc.Opcode, x mir.Reg, k int) mir.Reg {
	x = v.bitsLow(max(8, v.Type(x).NumElems()), x)
	n := 0
	for 8<<n < v.Type(x).NumElems() {
		n++
	}
	return v.emit(ops[n], v.Type(x), globalisel.Use(x), mir.ImmOp(int64(k)))
}

// bitsWord is x, of up to 64 bits, as a word of at least 8; bits above mean nothing.
func (v *shaper) bitsWord(x mir.Reg) mir.Reg {
	n := max(8, pow2(v.Type(x).NumElems()))
	return v.Un(desc.G_BITCAST, mir.Scalar(n), v.bitsLow(n, x))
}

// bitsOf is a vector of the lowest bits of a word.
func (v *shaper) bitsOf(t mir.LLT, w mir.Reg) mir.Reg {
	n := max(8, pow2(t.NumElems()))
	return v.bitsLow(t.NumElems(), v.Un(desc.G_BITCAST, mir.Vector(n, mir.Scalar(1)), v.Resize(desc.G_ANYEXT, mir.Scalar(n), w)))
}

// bitsNot turns all bits round.
func (v *shaper) bitsNot(x mir.Reg) mir.Reg {
	t := v.Type(x)
	return v.Bin(desc.G_XOR, t, x, v.bitsOf(t, v.Const(mir.Scalar(max(8, pow2(t.NumElems()))), -1)))
}

// bitsCast casts between bits and words, and other vectors through words.
func (v *shaper) bitsCast() {
	d, s := v.typeOf(0), v.typeOf(1)
	n := d.Bits()
	word := mir.Scalar(n)
	if n > 64 {
		// Word by word; n is a multiple where that means something.
		x := v.reg(1)
		bits, w := mir.Vector(64, mir.Scalar(1)), mir.Scalar(64)
		var out []mir.Reg
		if isBits(s) {
			for _, p := range v.Unmerge(nil, bits, x) {
				out = append(out, v.Un(desc.G_BITCAST, w, p))
			}
			all := v.New(word)
			v.Merge(all, out)
			v.done(v.cast(d, all))
			return
		}
		for _, p := range v.Unmerge(nil, w, v.cast(word, x)) {
			out = append(out, v.Un(desc.G_BITCAST, bits, p))
		}
		v.done(v.assemble(d, out))
		return
	}
	switch {
	case isBits(s) && isBits(d):
		v.done(v.reg(1))
	case isBits(s):
		v.done(v.cast(d, v.Resize(desc.G_TRUNC, word, v.bitsWord(v.reg(1)))))
	default:
		v.done(v.bitsOf(d, v.cast(word, v.reg(1))))
	}
}

// bitsMemory loads and stores bits as a number.
func (v *shaper) bitsMemory() {
	f := v.f
	t := v.typeOf(0)
	m := *f.MemOf(v.i, 0)
	word := mir.Scalar(t.NumElems())
	m.Type, m.Ranges = word, 0
	if f.Instr(v.i).Opcode == desc.G_LOAD {
		v.done(v.Un(desc.G_BITCAST, t, v.Load(word, v.reg(1), m)))
		return
	}
	v.Store(v.Un(desc.G_BITCAST, word, v.reg(0)), v.reg(1), m)
	v.h.Erase(v.i)
}

//===- To and from vectors of integers --------------------------------------

// bitsExtend makes elements of bits.
func (v *shaper) bitsExtend(op desc.Opcode) {
	t, x := v.typeOf(0), v.reg(1)
	n, e := t.NumElems(), t.ScalarBits()
	if op != desc.G_SEXT {
		s := v.Un(desc.G_SEXT, t, x)
		switch {
		case op == desc.G_ANYEXT:
		case e == 8:
			s = v.Bin(desc.G_AND, t, s, v.Const(t, 1))
		default:
			s = v.Bin(desc.G_LSHR, t, s, v.Const(t, int64(e-1)))
		}
		v.done(s)
		return
	}
	if n*e > v.widest() {
		var parts []mir.Reg
		for _, p := range v.Unmerge(nil, mir.Vector(n/2, mir.Scalar(1)), x) {
			parts = append(parts, v.Un(op, mir.Vector(n/2, t.Elem()), p))
		}
		v.done(v.assemble(t, parts))
		return
	}
	k := 128 / e
	v.done(v.assemble(t, []mir.Reg{v.Un(op, mir.Vector(k, t.Elem()), v.bitsLow(k, x))}))
}

// bitsTruncate takes bit 0 of each element.
func (v *shaper) bitsTruncate() {
	x := v.reg(1)
	t := v.Type(x)
	n, e := t.NumElems(), t.ScalarBits()
	bits := func(n int) mir.LLT { return mir.Vector(n, mir.Scalar(1)) }
	switch {
	case n*e > v.widest():
		var parts []mir.Reg
		for _, p := range v.Unmerge(nil, mir.Vector(n/2, t.Elem()), x) {
			parts = append(parts, v.Un(desc.G_TRUNC, bits(n/2), p))
		}
		v.done(v.assemble(bits(n), parts))
	case n*e < 128:
		k := 128 / e
		v.done(v.bitsLow(n, v.Un(desc.G_TRUNC, bits(k), v.chunks(x, k)[0])))
	case v.h.IsMask(x):
		v.done(v.signs(x))
	default:
		v.done(v.ICmp(ir.ICmpNE, bits(n), v.Bin(desc.G_AND, t, x, v.Const(t, 1)), v.Const(t, 0)))
	}
}

// bitsCompare compares bits as numbers of one bit: with a sign, 1 is -1.
func (v *shaper) bitsCompare(p ir.Pred, x, y mir.Reg) mir.Reg {
	t := v.Type(x)
	switch p {
	case ir.ICmpEQ:
		return v.bitsNot(v.Bin(desc.G_XOR, t, x, y))
	case ir.ICmpNE:
		return v.Bin(desc.G_XOR, t, x, y)
	case ir.ICmpULT, ir.ICmpSGT:
		return v.Bin(desc.G_AND, t, v.bitsNot(x), y)
	case ir.ICmpUGT, ir.ICmpSLT:
		return v.Bin(desc.G_AND, t, v.bitsNot(y), x)
	case ir.ICmpULE, ir.ICmpSGE:
		return v.Bin(desc.G_OR, t, v.bitsNot(x), y)
	}
	return v.Bin(desc.G_OR, t, v.bitsNot(y), x)
}

//===- Parts ----------------------------------------------------------------

// bitsUnmerge takes bits out, or short vectors of them.
func (v *shaper) bitsUnmerge() {
	f := v.f
	nd := f.Instr(v.i).NumOps() - 1
	x := v.reg(nd)
	p := v.typeOf(0)
	word := mir.Reg(0)
	for k := range nd {
		d := v.reg(k)
		if !f.HasUses(d) {
			continue
		}
		if p.IsVector() {
			v.Copy(d, v.bitsAt(p.NumElems(), x, k*p.NumElems()))
			continue
		}
		if word == 0 {
			word = v.bitsWord(x)
		}
		w := word
		if k > 0 {
			w = v.Bin(desc.G_LSHR, v.Type(w), w, v.Const(v.Type(w), int64(k)))
		}
		v.BuildTo(desc.G_TRUNC, d, w)
	}
	v.h.Erase(v.i)
}

// bitSource is where a bit comes from.
type bitSource struct {
	vec   mir.Reg // a vector of bits, 0 for none
	at    int
	known bool // a constant, or undefined
	undef bool
	one   bool
}

// bitSourceOf finds out what r, a bit, is. What bitsUnmerge makes is known again.
func (v *shaper) bitSourceOf(r mir.Reg) bitSource {
	f := v.f
	d := v.def(r)
	if d == 0 {
		return bitSource{}
	}
	switch f.Instr(d).Opcode {
	case desc.G_IMPLICIT_DEF:
		return bitSource{known: true, undef: true}
	case desc.G_CONSTANT:
		c, _ := globalisel.ConstOf(f, f.Op(d, 0).Reg())
		return bitSource{known: true, one: c&1 != 0}
	case desc.G_UNMERGE_VALUES:
		x := f.Op(d, f.Instr(d).NumOps()-1).Reg()
		if !isBits(v.Type(x)) {
			return bitSource{}
		}
		for k := range f.Instr(d).NumOps() - 1 {
			if f.Op(d, k).Reg() == r {
				return bitSource{vec: x, at: k}
			}
		}
	case desc.G_TRUNC:
		w, at := v.def(f.Op(d, 1).Reg()), 0
		if w != 0 && f.Instr(w).Opcode == desc.G_LSHR {
			c, ok := globalisel.ConstOf(f, f.Op(w, 2).Reg())
			if !ok {
				return bitSource{}
			}
			w, at = v.def(f.Op(w, 1).Reg()), int(c)
		}
		if w == 0 || f.Instr(w).Opcode != desc.G_BITCAST || !isBits(v.Type(f.Op(w, 1).Reg())) {
			return bitSource{}
		}
		x := f.Op(w, 1).Reg()
		if e := v.def(x); e != 0 && f.Instr(e).Opcode == desc.G_INSERT_SUBVECTOR && f.Op(e, 3).Imm() == 0 {
			x = f.Op(e, 2).Reg()
		}
		if at < v.Type(x).NumElems() {
			return bitSource{vec: x, at: at}
		}
	}
	return bitSource{}
}

// bitsBuild makes a vector of single bits.
func (v *shaper) bitsBuild() {
	t := v.typeOf(0)
	n := t.NumElems()
	src := make([]bitSource, n)
	known, run, splat := true, true, true
	first := -1 // of those that come from a vector
	for k := range src {
		src[k] = v.bitSourceOf(v.reg(1 + k))
		known = known && src[k].known
		splat = splat && v.reg(1+k) == v.reg(1)
		if src[k].undef {
			continue
		}
		if first < 0 {
			first = k
		}
		run = run && src[k].vec != 0 && src[k].vec == src[first].vec && src[k].at-k == src[first].at-first
	}
	word := mir.Scalar(max(8, n))
	switch {
	case first < 0:
		v.done(v.undef(t))
	case known:
		w, ones := uint64(0), true
		for k, s := range src {
			if s.one {
				w |= 1 << k
			}
			ones = ones && (s.one || s.undef)
		}
		c := int64(w)
		if ones {
			c = -1
		}
		v.done(v.bitsOf(t, v.Const(word, c<<(64-word.ScalarBits())>>(64-word.ScalarBits()))))
	case run && src[first].at >= first:
		v.done(v.bitsAt(n, src[first].vec, src[first].at-first))
	case splat:
		v.done(v.bitsOf(t, v.Resize(desc.G_SEXT, word, v.reg(1))))
	default:
		if r := v.bitsPair(t, src); r != 0 {
			v.done(r)
			return
		}
		v.bitsGather(t, src)
	}
}

// bitsPair joins two vectors of which one is the first half, the other the second; 0 for others.
func (v *shaper) bitsPair(t mir.LLT, src []bitSource) mir.Reg {
	n := len(src)
	var half [2]mir.Reg
	for k, s := range src {
		h := &half[2*k/n]
		if s.vec == 0 || s.at != k%(n/2) || *h != 0 && *h != s.vec {
			return 0
		}
		*h = s.vec
	}
	for k := range half {
		if n/2 == 1 {
			return 0
		}
		half[k] = v.bitsLow(n/2, half[k])
	}
	return v.join(half[0], half[1])
}

// bitsGather builds the vector as one of wider elements.
func (v *shaper) bitsGather(t mir.LLT, src []bitSource) {
	e := v.bitsElem(t.NumElems())
	parts := map[mir.Reg][]mir.Reg{}
	var es []mir.Reg
	for k, s := range src {
		switch {
		case s.vec != 0:
			if parts[s.vec] == nil {
				wide := mir.Vector(v.Type(s.vec).NumElems(), e)
				parts[s.vec] = v.elems(v.Un(desc.G_SEXT, wide, s.vec))
			}
			es = append(es, parts[s.vec][s.at])
		case s.undef:
			es = append(es, v.undef(e))
		case s.known && s.one:
			es = append(es, v.Const(e, -1))
		case s.known:
			es = append(es, v.Const(e, 0))
		default:
			es = append(es, v.Resize(desc.G_SEXT, e, v.reg(1+k)))
		}
	}
	v.done(v.signs(v.build(len(es), es)))
}

// bitsConcat joins vectors of bits.
func (v *shaper) bitsConcat() {
	var parts []mir.Reg
	for k := 1; k < v.f.Instr(v.i).NumOps(); k++ {
		parts = append(parts, v.reg(k))
	}
	if n := v.Type(parts[0]).NumElems(); n&(n-1) != 0 || len(parts)&(len(parts)-1) != 0 || v.typeOf(0).NumElems() > 64 {
		var es []mir.Reg
		for _, p := range parts {
			es = append(es, v.elems(p)...)
		}
		d := v.New(v.typeOf(0))
		v.Merge(d, es)
		v.done(d)
		return
	}
	for len(parts) > 1 {
		var next []mir.Reg
		for k := 0; k < len(parts); k += 2 {
			next = append(next, v.join(parts[k], parts[k+1]))
		}
		parts = next
	}
	v.done(parts[0])
}

// join makes a vector of bits of two of half the length.
func (v *shaper) join(x, y mir.Reg) mir.Reg {
	n := v.Type(x).NumElems()
	t := mir.Vector(2*n, mir.Scalar(1))
	if d := v.def(y); d != 0 && v.f.Instr(d).Opcode == desc.G_IMPLICIT_DEF {
		return v.bitsLow(2*n, x)
	}
	if n >= 8 {
		d := v.New(t)
		v.Build(desc.G_CONCAT_VECTORS, globalisel.Def(d), globalisel.Use(x), globalisel.Use(y))
		return d
	}
	left := [4]desc.Opcode{tab.KSHIFTLBki, tab.KSHIFTLWki, tab.KSHIFTLDki, tab.KSHIFTLQki}
	right := [4]desc.Opcode{tab.KSHIFTRBki, tab.KSHIFTRWki, tab.KSHIFTRDki, tab.KSHIFTRQki}
	lo := v.bitsShift(right, v.bitsShift(left, x, 8-n), 8-n)
	return v.bitsLow(2*n, v.Bin(desc.G_OR, v.Type(lo), lo, v.bitsShift(left, y, n)))
}
