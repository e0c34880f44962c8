package x86

import (
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// shaper makes vectors of shapes that registers have. Values are taken apart into
// elements and put together again freely: these artifacts cancel, and what is left of
// them is selected as shuffles (shuffle.go).
type shaper struct {
	globalisel.Builder
	h  target.Legalizer
	f  *mir.Function
	st *target.Subtarget
	i  mir.InstrID // what is legalized
}

// legalizeVector does the custom actions of vectors; false for instructions without.
func legalizeVector(h target.Legalizer, i mir.InstrID) (bool, error) {
	b := globalisel.Wrap(h.Emit())
	v := &shaper{Builder: b, h: h, f: b.F, st: h.Subtarget(), i: i}
	isVector := false
	for _, o := range v.f.Ops(i) {
		isVector = isVector || o.IsReg() && o.Reg().IsVirtual() && v.Type(o.Reg()).IsVector()
	}
	if !isVector {
		return false, nil
	}
	if v.mismatched() {
		return true, h.Unable(i)
	}
	if done, err := v.bits(); done || err != nil {
		return true, err
	}
	if v.halfRegisters() {
		return true, nil
	}
	switch op := v.f.Instr(i).Opcode; op {
	case desc.G_LOAD, desc.G_STORE:
		v.memory()
	case desc.G_BITCAST:
		return true, v.bitcast()
	case desc.G_UNMERGE_VALUES:
		v.unmerge()
	case desc.G_CONCAT_VECTORS:
		v.concat()
	case desc.G_SELECT:
		v.maskSelect()
	case desc.G_ZEXT, desc.G_SEXT, desc.G_ANYEXT:
		v.extend()
	case desc.G_TRUNC:
		v.truncate()
	case desc.G_SHL, desc.G_LSHR, desc.G_ASHR:
		return true, v.shift()
	case desc.G_ROTL, desc.G_ROTR, desc.G_FSHL, desc.G_FSHR:
		v.funnel()
	case desc.G_BSWAP:
		v.byteSwap()
	case desc.G_SITOFP, desc.G_FPTOSI, desc.G_FPEXT, desc.G_FPTRUNC, desc.G_UITOFP, desc.G_FPTOUI:
		v.convert()
	case desc.G_VECREDUCE_SEQ_FADD, desc.G_VECREDUCE_SEQ_FMUL, desc.G_VECREDUCE_ADD, desc.G_VECREDUCE_MUL, desc.G_VECREDUCE_AND,
		desc.G_VECREDUCE_OR, desc.G_VECREDUCE_XOR, desc.G_VECREDUCE_SMAX, desc.G_VECREDUCE_SMIN, desc.G_VECREDUCE_UMAX,
		desc.G_VECREDUCE_UMIN, desc.G_VECREDUCE_FMAX, desc.G_VECREDUCE_FMIN:
		return true, v.reduce()
	default:
		return false, nil
	}
	return true, nil
}

// halfRegisters takes apart and puts together 512 bits of an intrinsic where all else has 256.
func (v *shaper) halfRegisters() bool {
	if !v.has("halves of zmm") {
		return false
	}
	f := v.f
	n := f.Instr(v.i).NumOps()
	var uses []mir.Reg
	switch op := f.Instr(v.i).Opcode; op {
	case desc.G_UNMERGE_VALUES:
		src := v.reg(n - 1)
		t := v.Type(src)
		if t.Bits() != 512 || v.typeOf(0).ScalarBits() != t.ScalarBits() || n < 4 {
			return false
		}
		var ds []mir.Reg
		for k := range n - 1 {
			ds = append(ds, v.reg(k))
		}
		// By instructions of the target: parts of parts would become parts again.
		whole := f.AddVReg(int16(tab.VR512RegClassID))
		v.Copy(whole, src)
		lo, hi := halvesOfZMM(v.Builder, vecOf(t.NumElems()/2, t.ScalarBits()), whole)
		part := v.Type(ds[0])
		for k, h := range [...]mir.Reg{lo, hi} {
			for m, r := range v.Unmerge(nil, part, h) {
				v.Copy(ds[k*(n-1)/2+m], r)
			}
		}
		v.h.Erase(v.i)
	case desc.G_BUILD_VECTOR, desc.G_CONCAT_VECTORS:
		t := v.typeOf(0)
		if t.Bits() != 512 || n < 4 {
			return false
		}
		for k := 1; k < n; k++ {
			uses = append(uses, v.reg(k))
		}
		half := vecOf(t.NumElems()/2, t.ScalarBits())
		lo, hi, d := v.New(half), v.New(half), v.New(t)
		v.Merge(lo, uses[:len(uses)/2])
		v.Merge(hi, uses[len(uses)/2:])
		v.Merge(d, []mir.Reg{lo, hi})
		v.done(d)
	default:
		return false
	}
	return true
}

// mismatched reports conversions between vectors of other lengths, which have no meaning.
// The verifiers, LLVM's and ours, reject extensions and truncations of that kind, but let
// conversions between integers and floats pass.
func (v *shaper) mismatched() bool {
	switch v.f.Instr(v.i).Opcode {
	case desc.G_ZEXT, desc.G_SEXT, desc.G_ANYEXT, desc.G_TRUNC, desc.G_SITOFP, desc.G_FPTOSI, desc.G_FPEXT, desc.G_FPTRUNC, desc.G_UITOFP, desc.G_FPTOUI:
		a, b := v.typeOf(0), v.typeOf(1)
		return a.IsVector() != b.IsVector() || a.NumElems() != b.NumElems()
	}
	return false
}

//===- Pieces ---------------------------------------------------------------

func (v *shaper) reg(n int) mir.Reg       { return v.f.Op(v.i, n).Reg() }
func (v *shaper) typeOf(n int) mir.LLT    { return v.Type(v.reg(n)) }
func (v *shaper) has(feature string) bool { return hasFeature(v.st, feature) }
func (v *shaper) done(r mir.Reg)          { v.h.ReplaceWith(v.i, 0, r) }

// vecOf is a vector of n elements of so many bits, a scalar for 1.
func vecOf(n, bits int) mir.LLT {
	if n == 1 {
		return mir.Scalar(bits)
	}
	return mir.Vector(n, mir.Scalar(bits))
}

// widest is how many bits a register of integers has.
func (v *shaper) widest() int {
	if v.has("zmm") {
		return 512
	}
	if v.has("avx2") {
		return 256
	}
	return 128
}

func (v *shaper) undef(t mir.LLT) mir.Reg {
	d := v.New(t)
	v.BuildTo(desc.G_IMPLICIT_DEF, d)
	return d
}

// elems are the elements of r, itself when it is a scalar.
func (v *shaper) elems(r mir.Reg) []mir.Reg {
	if t := v.Type(r); t.IsVector() {
		return v.Unmerge(nil, t.Elem(), r)
	}
	return []mir.Reg{r}
}

// build makes a vector of elements, those that are missing undefined.
func (v *shaper) build(n int, elems []mir.Reg) mir.Reg {
	e := v.Type(elems[0])
	if n == 1 {
		return elems[0]
	}
	d := v.New(mir.Vector(n, e))
	i := v.BuildTo(desc.G_BUILD_VECTOR, d)
	fill := mir.Reg(0)
	for k := range n {
		if k < len(elems) {
			v.f.AddOp(i, globalisel.Use(elems[k]))
			continue
		}
		if fill == 0 {
			at := v.At
			v.At = i
			fill = v.undef(e)
			v.At = at
		}
		v.f.AddOp(i, globalisel.Use(fill))
	}
	return d
}

// chunks cuts r into vectors of m elements, the last one filled up.
func (v *shaper) chunks(r mir.Reg, m int) (out []mir.Reg) {
	t := v.Type(r)
	if n := t.NumElems(); t.IsVector() && n%m == 0 {
		return v.Unmerge(nil, vecOf(m, t.ScalarBits()), r)
	}
	es := v.elems(r)
	for k := 0; k < len(es); k += m {
		out = append(out, v.build(m, es[k:min(k+m, len(es))]))
	}
	return out
}

// assemble gives the first elements of parts as a vector of type t.
func (v *shaper) assemble(t mir.LLT, parts []mir.Reg) mir.Reg {
	total := 0
	for _, p := range parts {
		total += v.Type(p).Bits()
	}
	if len(parts) == 1 && total == t.Bits() {
		return parts[0]
	}
	d := v.New(t)
	if total == t.Bits() {
		v.Merge(d, parts)
		return d
	}
	var es []mir.Reg
	for _, p := range parts {
		es = append(es, v.elems(p)...)
	}
	v.Merge(d, es[:t.NumElems()])
	return d
}

func (v *shaper) cast(t mir.LLT, r mir.Reg) mir.Reg {
	if v.Type(r) == t {
		return r
	}
	return v.Un(desc.G_BITCAST, t, r)
}

// shuffle builds a shuffle of two vectors of one type.
func (v *shaper) shuffle(x, y mir.Reg, mask []int32) mir.Reg {
	d := v.New(v.Type(x))
	v.f.ShuffleMasks = append(v.f.ShuffleMasks, mask)
	v.Build(desc.G_SHUFFLE_VECTOR, globalisel.Def(d), globalisel.Use(x), globalisel.Use(y), mir.IndexOp(mir.OpShuffleMask, uint32(len(v.f.ShuffleMasks)-1), 0, 0))
	return d
}

// emit builds an instruction of the target, whose registers have classes from the start.
func (v *shaper) emit(op desc.Opcode, t mir.LLT, uses ...mir.Operand) mir.Reg {
	infos := v.f.Facts.Operands(op)
	ops := make([]mir.Operand, 1, 1+len(uses))
	for k, o := range uses {
		if o.IsReg() && infos[k+1].RegClass >= 0 {
			o = globalisel.Use(v.inClass(o.Reg(), infos[k+1].RegClass))
		}
		ops = append(ops, o)
	}
	d := v.f.AddVReg(int16(infos[0].RegClass))
	v.f.VReg(d).Type = t
	ops[0] = globalisel.Def(d)
	i := v.BuildInstr(op, ops...)
	v.f.TieDeclared(i)
	return d
}

func (v *shaper) inClass(r mir.Reg, c desc.ClassID) mir.Reg {
	if v.f.VReg(r).Class == int16(c) {
		return r
	}
	d := v.f.AddVReg(int16(c))
	v.f.VReg(d).Type = v.Type(r)
	v.Copy(d, r)
	return d
}

//===- Memory and casts -----------------------------------------------------

// memory loads or stores a vector in parts: registers, then words.
func (v *shaper) memory() {
	f := v.f
	t, p := v.typeOf(0), v.reg(1)
	m := *f.MemOf(v.i, 0)
	m.Ranges = 0
	e, n := t.ScalarBits(), t.NumElems()
	load := f.Instr(v.i).Opcode == desc.G_LOAD
	var es, parts []mir.Reg
	if !load {
		es = v.elems(v.reg(0))
	}
	for at := 0; at < n; {
		k := 1
		for size := v.memWidest(); size >= 2*e; size /= 2 {
			if size <= (n-at)*e {
				k = size / e
				break
			}
		}
		off := int64(at * e / 8)
		pm := m
		pm.Offset, pm.Size = m.Offset+off, int64(k*e/8)
		addr := v.PtrAddConst(p, off)
		mt, vt := vecOf(k, e), vecOf(k, e)
		if k > 1 && k*e < 128 {
			mt = mir.Scalar(k * e)
		}
		pm.Type = mt
		if load {
			parts = append(parts, v.cast(vt, v.Load(mt, addr, pm)))
		} else {
			v.Store(v.cast(mt, v.build(k, es[at:at+k])), addr, pm)
		}
		at += k
	}
	if !load {
		v.h.Erase(v.i)
		return
	}
	even := true
	for _, r := range parts {
		even = even && v.Type(r) == v.Type(parts[0])
	}
	if !even {
		es = nil
		for _, r := range parts {
			es = append(es, v.elems(r)...)
		}
		parts = es
	}
	v.done(v.assemble(t, parts))
}

// memWidest is how many bits a load has at most.
func (v *shaper) memWidest() int {
	if v.has("zmm") {
		return 512
	}
	if v.has("avx") {
		return 256
	}
	return 128
}

// bitcast casts between vectors, and between vectors and words, through registers of
// the same bits.
func (v *shaper) bitcast() error {
	d, s := v.typeOf(0), v.typeOf(1)
	ok := func(t mir.LLT) bool {
		e := t.ScalarBits()
		return t.IsScalar() && (e == 8 || e == 16 || e == 32 || e == 64)
	}
	isWord := func(t mir.LLT) bool { return !t.IsVector() && ok(t) }
	if !ok(d.Elem()) && !isWord(d) || !ok(s.Elem()) && !isWord(s) {
		return v.h.Act(v.i, legal.Decision{Act: legal.Lower})
	}
	n := d.Bits()
	if n > 128 {
		// In halves, or by whole registers.
		w := 128
		switch {
		case n%512 == 0 && v.has("zmm"):
			w = 512
		case n%256 == 0 && v.has("avx"):
			w = 256
		}
		if n%w != 0 {
			return v.h.Act(v.i, legal.Decision{Act: legal.Lower})
		}
		var parts []mir.Reg
		for _, r := range v.chunks(v.reg(1), w/s.ScalarBits()) {
			parts = append(parts, v.cast(vecOf(w/d.ScalarBits(), d.ScalarBits()), r))
		}
		v.done(v.assemble(d, parts))
		return nil
	}
	x := v.reg(1)
	var full mir.Reg // 128 bits with x at the bottom
	if isWord(s) {
		full = v.build(128/s.ScalarBits(), []mir.Reg{x})
	} else {
		full = v.chunks(x, 128/s.ScalarBits())[0]
	}
	full = v.cast(vecOf(128/d.ScalarBits(), d.ScalarBits()), full)
	if es := v.elems(full); isWord(d) {
		v.done(es[0])
	} else {
		v.done(v.build(d.NumElems(), es[:d.NumElems()]))
	}
	return nil
}

// unmerge takes elements out of a register, or short vectors out of any.
func (v *shaper) unmerge() {
	f := v.f
	n := f.Instr(v.i).NumOps() - 1
	src := v.reg(n)
	p := v.typeOf(0)
	if !p.IsVector() && p.ScalarBits() == v.Type(src).ScalarBits() {
		s64 := mir.Scalar(64)
		for k := range n {
			d := v.reg(k)
			if f.HasUses(d) {
				v.Build(desc.G_EXTRACT_VECTOR_ELT, globalisel.Def(d), globalisel.Use(src), globalisel.Use(v.Const(s64, int64(k))))
			}
		}
		v.h.Erase(v.i)
		return
	}
	if !p.IsVector() || p.ScalarBits() != v.Type(src).ScalarBits() {
		// Parts of another width.
		src = v.cast(vecOf(v.Type(src).Bits()/p.ScalarBits(), p.ScalarBits()), src)
	}
	es := v.elems(src)
	m := p.NumElems()
	if !p.IsVector() {
		m = 1
	}
	var ds []mir.Reg
	for k := range n {
		ds = append(ds, v.reg(k))
	}
	v.h.Erase(v.i)
	for k, d := range ds {
		if m == 1 {
			v.Copy(d, es[k])
		} else {
			v.Merge(d, es[k*m:(k+1)*m])
		}
	}
}

// concat makes a vector of the elements of short ones.
func (v *shaper) concat() {
	var es []mir.Reg
	for n := 1; n < v.f.Instr(v.i).NumOps(); n++ {
		es = append(es, v.elems(v.reg(n))...)
	}
	d := v.New(v.typeOf(0))
	v.Merge(d, es)
	v.done(d)
}

// maskSelect makes the conditions of a select a mask as wide as its values, or bits.
func (v *shaper) maskSelect() {
	t := v.typeOf(2)
	if v.has("masks") {
		v.f.SetReg(v.i, 1, v.Un(desc.G_TRUNC, mir.Vector(t.NumElems(), mir.Scalar(1)), v.reg(1)))
		v.h.Changed(v.i)
		return
	}
	m := mir.Vector(t.NumElems(), mir.Scalar(t.ScalarBits()))
	v.f.SetReg(v.i, 1, v.Resize(desc.G_SEXT, m, v.reg(1)))
	v.h.Changed(v.i)
}

//===- Widths ---------------------------------------------------------------

// extend makes the elements of a vector wider, register by register of the result.
func (v *shaper) extend() {
	op := v.f.Instr(v.i).Opcode
	t, from := v.typeOf(0), v.typeOf(1)
	to, sb, n := t.ScalarBits(), from.ScalarBits(), t.NumElems()
	x := v.reg(1)
	var parts []mir.Reg
	if v.has("sse4.1") {
		w := 128
		for w < v.widest() && n*to > w {
			w *= 2
		}
		// The source is a register, or the low part of one.
		full := max(128, w*sb/to)
		es := v.elems(x)
		for k := 0; k < n; k += w / to {
			src := x
			if k > 0 || from.Bits() != full {
				src = v.build(full/sb, es[k:min(k+w/to, n)])
			}
			parts = append(parts, v.emit(extendOp(op, sb, to, w), vecOf(w/to, to), globalisel.Use(src)))
		}
	} else {
		for _, c := range v.chunks(x, 128/sb) {
			parts = append(parts, v.unpackTo(op, c, to)...)
		}
	}
	need := (n*to + v.Type(parts[0]).Bits() - 1) / v.Type(parts[0]).Bits()
	v.done(v.assemble(t, parts[:need]))
}

// extendOp is the instruction that extends the low elements of a register.
func extendOp(op desc.Opcode, from, to, w int) desc.Opcode {
	type key struct{ from, to int }
	k := key{from, to}
	z, s := map[key][3]desc.Opcode{
		{8, 16}: {tab.PMOVZXBWrr, tab.VPMOVZXBWYrr, tab.VPMOVZXBWZrr}, {8, 32}: {tab.PMOVZXBDrr, tab.VPMOVZXBDYrr, tab.VPMOVZXBDZrr}, {8, 64}: {tab.PMOVZXBQrr, tab.VPMOVZXBQYrr, tab.VPMOVZXBQZrr},
		{16, 32}: {tab.PMOVZXWDrr, tab.VPMOVZXWDYrr, tab.VPMOVZXWDZrr}, {16, 64}: {tab.PMOVZXWQrr, tab.VPMOVZXWQYrr, tab.VPMOVZXWQZrr}, {32, 64}: {tab.PMOVZXDQrr, tab.VPMOVZXDQYrr, tab.VPMOVZXDQZrr},
	}[k], map[key][3]desc.Opcode{
		{8, 16}: {tab.PMOVSXBWrr, tab.VPMOVSXBWYrr, tab.VPMOVSXBWZrr}, {8, 32}: {tab.PMOVSXBDrr, tab.VPMOVSXBDYrr, tab.VPMOVSXBDZrr}, {8, 64}: {tab.PMOVSXBQrr, tab.VPMOVSXBQYrr, tab.VPMOVSXBQZrr},
		{16, 32}: {tab.PMOVSXWDrr, tab.VPMOVSXWDYrr, tab.VPMOVSXWDZrr}, {16, 64}: {tab.PMOVSXWQrr, tab.VPMOVSXWQYrr, tab.VPMOVSXWQZrr}, {32, 64}: {tab.PMOVSXDQrr, tab.VPMOVSXDQYrr, tab.VPMOVSXDQZrr},
	}[k]
	if op == desc.G_SEXT {
		z = s
	}
	return z[w/256]
}

// unpackTo extends all elements of a register of 128 bits, by steps of twice the width.
func (v *shaper) unpackTo(op desc.Opcode, x mir.Reg, to int) []mir.Reg {
	t := v.Type(x)
	n, e := t.NumElems(), t.ScalarBits()
	if e == to {
		return []mir.Reg{x}
	}
	y := mir.Reg(0)
	switch {
	case op == desc.G_ZEXT:
		y = v.Const(t, 0)
	case op == desc.G_ANYEXT, v.h.IsMask(x):
		y = x
	case e == 32:
		y = v.ICmp(ir.ICmpSLT, t, x, v.Const(t, 0))
	default:
		y = x // the sign is shifted down below
	}
	var out []mir.Reg
	w := vecOf(n/2, 2*e)
	for half := range 2 {
		mask := make([]int32, n)
		for k := range n {
			mask[k] = int32(half*n/2 + k/2 + k%2*n)
		}
		r := v.cast(w, v.shuffle(x, y, mask))
		if op == desc.G_SEXT && y == x && !v.h.IsMask(x) {
			r = v.Bin(desc.G_ASHR, w, r, v.Const(w, int64(e)))
		}
		out = append(out, v.unpackTo(op, r, to)...)
	}
	return out
}

// truncate makes the elements of a vector narrower, in halves: two registers become one.
func (v *shaper) truncate() {
	t, from := v.typeOf(0), v.typeOf(1)
	to, sb := t.ScalarBits(), from.ScalarBits()
	x := v.reg(1)
	if v.has("masks") && t.NumElems()*sb > 128 {
		v.truncateWide()
		return
	}
	mask := v.h.IsMask(x)
	parts := v.chunks(x, 128/sb)
	if len(parts) == 1 && v.has("ssse3") && !(mask && sb == 2*to) && !(sb == 64 && to == 32) {
		v.done(v.assemble(t, []mir.Reg{v.pickBytes(parts[0], sb, to)}))
		return
	}
	cut := mask
	for e := sb; e > to; e /= 2 {
		if !cut && e <= 32 {
			parts, cut = v.cutTo(parts, e, to), true
		}
		var next []mir.Reg
		for k := 0; k < len(parts); k += 2 {
			next = append(next, v.pack(parts[k], parts[min(k+1, len(parts)-1)], e, to, mask))
		}
		parts = next
	}
	v.done(v.assemble(t, parts))
}

// truncateWide truncates registers of 256 or 512 bits by one instruction each.
func (v *shaper) truncateWide() {
	t, x := v.typeOf(0), v.reg(1)
	to, sb := t.ScalarBits(), v.Type(x).ScalarBits()
	w := 256
	if t.NumElems()*sb > 256 && v.has("zmm") {
		w = 512
	}
	type key struct{ from, to int }
	op := map[key]wideOps{
		{16, 8}: {0, tab.VPMOVWBZ256rr, tab.VPMOVWBZrr}, {32, 8}: {0, tab.VPMOVDBZ256rr, tab.VPMOVDBZrr}, {64, 8}: {0, tab.VPMOVQBZ256rr, tab.VPMOVQBZrr},
		{32, 16}: {0, tab.VPMOVDWZ256rr, tab.VPMOVDWZrr}, {64, 16}: {0, tab.VPMOVQWZ256rr, tab.VPMOVQWZrr}, {64, 32}: {0, tab.VPMOVQDZ256rr, tab.VPMOVQDZrr},
	}[key{sb, to}]
	n := w / sb
	var parts []mir.Reg
	for _, c := range v.chunks(x, n) {
		r := v.emit(op.of(w), vecOf(max(128/to, n), to), globalisel.Use(c))
		if n < 128/to {
			r = v.build(n, v.elems(r)[:n])
		}
		parts = append(parts, r)
	}
	v.done(v.assemble(t, parts))
}

// pickBytes truncates the elements of one register by a shuffle of its bytes.
func (v *shaper) pickBytes(x mir.Reg, from, to int) mir.Reg {
	mask := make([]int32, 16)
	for k := range mask {
		mask[k] = -1
		if e := k / (to / 8); e < 128/from {
			mask[k] = int32(e*from/8 + k%(to/8))
		}
	}
	bytes := vecOf(16, 8)
	return v.cast(vecOf(128/to, to), v.shuffle(v.cast(bytes, x), v.undef(bytes), mask))
}

// cutTo leaves only those low bits of elements of 16 or 32 bits that packing takes as
// they are: it saturates.
func (v *shaper) cutTo(parts []mir.Reg, e, to int) (out []mir.Reg) {
	t := vecOf(128/e, e)
	for _, p := range parts {
		switch {
		case to == 8:
			p = v.Bin(desc.G_AND, t, p, v.Const(t, 0xff))
		case v.has("sse4.1"):
			p = v.Bin(desc.G_AND, t, p, v.Const(t, 0xffff))
		default:
			k := v.Const(t, 16)
			p = v.Bin(desc.G_ASHR, t, v.Bin(desc.G_SHL, t, p, k), k)
		}
		out = append(out, p)
	}
	return out
}

// pack makes one register of the elements of two, on the way to elements of to bits.
// Masks and what cutTo leaves fit.
func (v *shaper) pack(x, y mir.Reg, e, to int, mask bool) mir.Reg {
	half := vecOf(256/e, e/2)
	var op desc.Opcode
	switch {
	case e == 64:
		return v.shuffle(v.cast(half, x), v.cast(half, y), []int32{0, 2, 4, 6})
	case e == 16 && mask:
		op = tab.PACKSSWBrr
	case e == 16:
		op = tab.PACKUSWBrr
	case mask || to == 8 || !v.has("sse4.1"):
		op = tab.PACKSSDWrr
	default:
		op = tab.PACKUSDWrr
	}
	return v.emit(op, half, globalisel.Use(x), globalisel.Use(y))
}
