package x86

import (
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Vectors of bits are masks here: as many integers, all ones or all zeros, of the width
// of what made them, or of 16 bytes together.

func isBits(t mir.LLT) bool { return t.IsVector() && t.Elem() == mir.Scalar(1) }

// maskOf is the type of the mask that stands for vectors of bits like those of regs.
func (v *shaper) maskOf(n int, regs ...mir.Reg) mir.LLT {
	for _, r := range regs {
		if k := v.madeOf(r, 0); k != 0 {
			return mir.Vector(n, mir.Scalar(k))
		}
	}
	k := 64
	for k > 8 && k*n > 128 {
		k /= 2
	}
	return mir.Vector(n, mir.Scalar(k))
}

// madeOf is the width of the elements that the bits of r were cut off or compared, 0
// where nothing says it.
func (v *shaper) madeOf(r mir.Reg, depth int) int {
	d := v.def(r)
	if d == 0 || depth > 4 {
		return 0
	}
	f := v.f
	switch f.Instr(d).Opcode {
	case desc.G_TRUNC:
		if k := v.Type(f.Op(d, 1).Reg()).ScalarBits(); k >= 8 && k <= 64 && k&(k-1) == 0 {
			return k
		}
	case desc.G_ICMP, desc.G_FCMP:
		if k := v.Type(f.Op(d, 2).Reg()).ScalarBits(); k >= 8 && k <= 64 && k&(k-1) == 0 {
			return k
		}
	case desc.G_AND, desc.G_OR, desc.G_XOR:
		if k := v.madeOf(f.Op(d, 1).Reg(), depth+1); k != 0 {
			return k
		}
		return v.madeOf(f.Op(d, 2).Reg(), depth+1)
	}
	return 0
}

// mask is r, a vector of bits, as a mask.
func (v *shaper) mask(t mir.LLT, r mir.Reg) mir.Reg { return v.Resize(desc.G_SEXT, t, r) }

// cut gives the instruction's result as bits of a mask.
func (v *shaper) cut(m mir.Reg) {
	v.done(v.Un(desc.G_TRUNC, mir.Vector(v.Type(m).NumElems(), mir.Scalar(1)), m))
}

// bits legalizes what works on vectors of bits; false for what does not.
func (v *shaper) bits() (bool, error) {
	if v.has("masks") {
		return v.maskBits()
	}
	f := v.f
	op := f.Instr(v.i).Opcode
	if op == desc.G_TRUNC || op == desc.G_SEXT || op == desc.G_ZEXT || op == desc.G_ANYEXT || op == desc.G_LOAD || op == desc.G_STORE || op == desc.G_UNMERGE_VALUES {
		return false, nil
	}
	if op == desc.G_BITCAST {
		switch {
		case isBits(v.typeOf(1)):
			v.bitsToWord()
		case isBits(v.typeOf(0)):
			v.wordToBits()
		default:
			return false, nil
		}
		return true, nil
	}
	if op == desc.G_ICMP {
		if !isBits(v.typeOf(2)) {
			return false, nil
		}
		t := v.maskOf(v.typeOf(2).NumElems(), v.reg(2), v.reg(3))
		f.SetReg(v.i, 2, v.mask(t, v.reg(2)))
		f.SetReg(v.i, 3, v.mask(t, v.reg(3)))
		v.h.Changed(v.i)
		return true, nil
	}
	if op == desc.G_EXTRACT_VECTOR_ELT && isBits(v.typeOf(1)) {
		t := v.maskOf(v.typeOf(1).NumElems(), v.reg(1))
		d := v.New(t.Elem())
		v.Build(op, globalisel.Def(d), globalisel.Use(v.mask(t, v.reg(1))), globalisel.Use(v.reg(2)))
		v.done(v.Un(desc.G_TRUNC, mir.Scalar(1), d))
		return true, nil
	}
	if reduceOf := reduceBits(op); reduceOf != 0 && isBits(v.typeOf(1)) {
		v.reduceBits(reduceOf)
		return true, nil
	}
	if !isBits(v.typeOf(0)) {
		return false, nil
	}
	n := v.typeOf(0).NumElems()
	t := mir.LLT(0)
	switch op {
	case desc.G_PHI, desc.G_IMPLICIT_DEF, desc.G_FREEZE:
		return true, v.h.Act(v.i, legal.Decision{Act: legal.WidenScalar, To: v.maskOf(n)})
	case desc.G_ADD, desc.G_SUB, desc.G_XOR:
		op = desc.G_XOR
	case desc.G_MUL, desc.G_AND, desc.G_UMIN, desc.G_SMAX:
		op = desc.G_AND
	case desc.G_OR, desc.G_UMAX, desc.G_SMIN:
		op = desc.G_OR
	case desc.G_SHL, desc.G_LSHR, desc.G_ASHR, desc.G_ABS, desc.G_ROTL, desc.G_ROTR:
		v.done(v.reg(1)) // there is no amount but 0
		return true, nil
	case desc.G_SELECT:
		t = v.maskOf(n, v.reg(2), v.reg(3), v.reg(1))
		c := v.reg(1)
		if v.Type(c).IsVector() {
			c = v.Resize(desc.G_SEXT, t, c)
		}
		v.cut(v.Select(c, v.mask(t, v.reg(2)), v.mask(t, v.reg(3))))
		return true, nil
	case desc.G_SHUFFLE_VECTOR:
		if !v.typeOf(1).IsVector() {
			return true, v.h.Act(v.i, legal.Decision{Act: legal.FewerElements})
		}
		t = v.maskOf(v.typeOf(1).NumElems(), v.reg(1), v.reg(2))
		d := v.New(mir.Vector(n, t.Elem()))
		v.Build(op, globalisel.Def(d), globalisel.Use(v.mask(t, v.reg(1))), globalisel.Use(v.mask(t, v.reg(2))), *f.Op(v.i, 3))
		v.cut(d)
		return true, nil
	case desc.G_CONCAT_VECTORS:
		t = v.maskOf(n, v.reg(1))
		d := v.New(t)
		var parts []mir.Reg
		for k := 1; k < f.Instr(v.i).NumOps(); k++ {
			parts = append(parts, v.mask(mir.Vector(v.typeOf(k).NumElems(), t.Elem()), v.reg(k)))
		}
		v.Merge(d, parts)
		v.cut(d)
		return true, nil
	case desc.G_INSERT_VECTOR_ELT:
		t = v.maskOf(n, v.reg(1))
		d := v.New(t)
		v.Build(op, globalisel.Def(d), globalisel.Use(v.mask(t, v.reg(1))), globalisel.Use(v.Resize(desc.G_SEXT, t.Elem(), v.reg(2))), globalisel.Use(v.reg(3)))
		v.cut(d)
		return true, nil
	default:
		return true, v.h.Act(v.i, legal.Decision{Act: legal.FewerElements})
	}
	t = v.maskOf(n, v.reg(1), v.reg(2))
	v.cut(v.Bin(op, t, v.mask(t, v.reg(1)), v.mask(t, v.reg(2))))
	return true, nil
}

// pow2 is the next power of two.
func pow2(n int) int {
	k := 1
	for k < n {
		k *= 2
	}
	return k
}

// bitsToWord collects the signs of a mask.
func (v *shaper) bitsToWord() {
	d, x := v.typeOf(0), v.reg(1)
	n := v.Type(x).NumElems()
	word := mir.Scalar(max(32, pow2(n)))
	t := v.maskOf(n, x)
	most := 128
	if v.has("avx") && t.ScalarBits() >= 32 || v.has("avx2") && t.ScalarBits() == 8 {
		most = 256
	}
	if k := t.ScalarBits(); k == 16 || k != 8 && pow2(n)*k > most {
		// Bytes, or what fits a register.
		k = 8
		if n <= 4 {
			k = 32
		}
		t = mir.Vector(n, mir.Scalar(k))
		if k != 8 || !v.has("avx2") {
			most = 128
		}
	}
	m := v.mask(t, x)
	w := 128
	if most == 256 && pow2(n)*t.ScalarBits() >= 256 {
		w = 256
	}
	per := w / t.ScalarBits()
	acc := mir.Reg(0)
	for k, c := range v.chunks(m, per) {
		r := v.emit(signsOp(t.ScalarBits(), w), mir.Scalar(32), globalisel.Use(c))
		r = v.Resize(desc.G_ZEXT, word, r)
		if k > 0 {
			r = v.Bin(desc.G_OR, word, acc, v.Bin(desc.G_SHL, word, r, v.Const(word, int64(k*per))))
		}
		acc = r
	}
	acc = v.Resize(desc.G_TRUNC, mir.Scalar(n), acc)
	if d.IsVector() {
		acc = v.Un(desc.G_BITCAST, d, acc)
	}
	v.done(acc)
}

// signsOp collects the signs of elements of so many bits of a register.
func signsOp(bits, w int) desc.Opcode {
	switch bits {
	case 32:
		return [2]desc.Opcode{tab.MOVMSKPSrr, tab.VMOVMSKPSYrr}[w/256]
	case 64:
		return [2]desc.Opcode{tab.MOVMSKPDrr, tab.VMOVMSKPDYrr}[w/256]
	}
	return [2]desc.Opcode{tab.PMOVMSKBrr, tab.VPMOVMSKBYrr}[w/256]
}

// wordToBits makes each bit of a word an element: the word everywhere, and of each
// element the bit that it is about.
func (v *shaper) wordToBits() {
	t, x := v.typeOf(0), v.reg(1)
	n := t.NumElems()
	if s := v.Type(x); s.IsVector() {
		x = v.Un(desc.G_BITCAST, mir.Scalar(n), x)
	}
	if n > 16 {
		m := 16
		for 2*m < n {
			m *= 2
		}
		var es []mir.Reg
		for at := 0; at < n; at += m {
			k := min(m, n-at)
			part := x
			if at > 0 {
				part = v.Bin(desc.G_LSHR, v.Type(x), x, v.Const(v.Type(x), int64(at)))
			}
			part = v.Resize(desc.G_TRUNC, mir.Scalar(k), part)
			es = append(es, v.elems(v.Un(desc.G_BITCAST, mir.Vector(k, mir.Scalar(1)), part))...)
		}
		v.done(v.build(n, es))
		return
	}
	p := max(2, pow2(n))
	k := 128 / p
	k = min(k, 64)
	m := vecOf(p, k)
	var all mir.Reg
	if p == 16 {
		w := vecOf(8, 16)
		d := v.New(w)
		v.Splat(d, v.Resize(desc.G_ZEXT, mir.Scalar(16), x))
		b := vecOf(16, 8)
		pick := make([]int32, 16)
		for j := range pick {
			pick[j] = int32(j / 8)
		}
		all = v.shuffle(v.cast(b, d), v.undef(b), pick)
	} else {
		all = v.New(m)
		v.Splat(all, v.Resize(desc.G_ZEXT, mir.Scalar(k), x))
	}
	var es []mir.Reg
	for j := range p {
		es = append(es, v.Const(mir.Scalar(k), 1<<(j%k)))
	}
	bit := v.build(p, es)
	r := v.ICmp(ir.ICmpEQ, m, v.Bin(desc.G_AND, m, all, bit), bit)
	if p != n {
		r = v.build(n, v.elems(r)[:n])
	}
	v.cut(r)
}

// reduceBits: the word of all bits is compared, or its bits counted.
func reduceBits(op desc.Opcode) desc.Opcode {
	switch op {
	case desc.G_VECREDUCE_AND, desc.G_VECREDUCE_MUL, desc.G_VECREDUCE_UMIN, desc.G_VECREDUCE_SMAX:
		return desc.G_AND
	case desc.G_VECREDUCE_OR, desc.G_VECREDUCE_UMAX, desc.G_VECREDUCE_SMIN:
		return desc.G_OR
	case desc.G_VECREDUCE_XOR, desc.G_VECREDUCE_ADD:
		return desc.G_XOR
	}
	return 0
}

func (v *shaper) reduceBits(op desc.Opcode) {
	n := v.typeOf(1).NumElems()
	word := mir.Scalar(n)
	x := v.Un(desc.G_BITCAST, word, v.reg(1))
	s1 := mir.Scalar(1)
	switch op {
	case desc.G_AND:
		v.done(v.ICmp(ir.ICmpEQ, s1, x, v.Const(word, -1)))
	case desc.G_OR:
		v.done(v.ICmp(ir.ICmpNE, s1, x, v.Const(word, 0)))
	default:
		w := mir.Scalar(max(32, pow2(n)))
		v.done(v.Un(desc.G_TRUNC, s1, v.Un(desc.G_CTPOP, w, v.Resize(desc.G_ZEXT, w, x))))
	}
}
