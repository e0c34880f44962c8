package x86

import (
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Operations on whole registers that several instructions do: shifts, conversions,
// reductions.

//===- Shifts ---------------------------------------------------------------

// amounts are the constants of a vector; false where one is none. Undefined ones are 0.
func (v *shaper) amounts(r mir.Reg) ([]int64, bool) {
	d := v.def(r)
	if d == 0 || v.f.Instr(d).Opcode != desc.G_BUILD_VECTOR {
		return nil, false
	}
	var out []int64
	for n := 1; n < v.f.Instr(d).NumOps(); n++ {
		e := v.def(v.f.Op(d, n).Reg())
		if e == 0 {
			return nil, false
		}
		switch v.f.Instr(e).Opcode {
		case desc.G_CONSTANT:
			c, _ := globalisel.ConstOf(v.f, v.f.Op(e, 0).Reg())
			out = append(out, c)
		case desc.G_IMPLICIT_DEF:
			out = append(out, 0)
		default:
			return nil, false
		}
	}
	return out, true
}

// def is what defines r, copies looked through.
func (v *shaper) def(r mir.Reg) mir.InstrID {
	for range 16 {
		d := v.f.UniqueDef(r)
		if d == 0 || v.f.Instr(d).Opcode != desc.COPY || !v.f.Op(d, 1).Reg().IsVirtual() {
			return d
		}
		r = v.f.Op(d, 1).Reg()
	}
	return 0
}

// splatted is the element that all elements of r are, 0 when they differ.
func (v *shaper) splatted(r mir.Reg) mir.Reg {
	d := v.def(r)
	if d == 0 {
		return 0
	}
	switch v.f.Instr(d).Opcode {
	case desc.G_BUILD_VECTOR:
		x := v.f.Op(d, 1).Reg()
		for n := 2; n < v.f.Instr(d).NumOps(); n++ {
			if v.f.Op(d, n).Reg() != x {
				return 0
			}
		}
		return x
	case desc.G_SHUFFLE_VECTOR:
		mask := v.f.ShuffleMasks[v.f.Op(d, 3).Index()]
		first := int32(-1)
		for _, m := range mask {
			if m >= 0 && first >= 0 && m != first {
				return 0
			}
			if m >= 0 {
				first = m
			}
		}
		src := v.f.Op(d, 1).Reg()
		n := int32(v.Type(src).NumElems())
		if first < 0 {
			return 0
		}
		if first >= n {
			src, first = v.f.Op(d, 2).Reg(), first-n
		}
		return v.elems(src)[first]
	}
	return 0
}

func same(k []int64) bool {
	for _, x := range k {
		if x != k[0] {
			return false
		}
	}
	return true
}

// shiftOps are the instructions that shift by one amount, by an immediate and by the low
// 64 bits of a register, and those that shift by an amount for each element.
type shiftOps struct{ imm, reg, each wideOps }

func (v *shaper) shiftOf(op desc.Opcode, bits int) (s shiftOps) {
	switch op {
	case desc.G_SHL:
		switch bits {
		case 16:
			s.imm, s.reg = wideOps{tab.PSLLWri, tab.VPSLLWYri, tab.VPSLLWZri}, wideOps{tab.PSLLWrr, tab.VPSLLWYrr, tab.VPSLLWZrr}
			if v.has("masks") {
				s.each = wideOps{tab.VPSLLVWZ128rr, tab.VPSLLVWZ256rr, tab.VPSLLVWZrr}
			}
		case 32:
			s.imm, s.reg = wideOps{tab.PSLLDri, tab.VPSLLDYri, tab.VPSLLDZri}, wideOps{tab.PSLLDrr, tab.VPSLLDYrr, tab.VPSLLDZrr}
			if v.has("avx2") {
				s.each = wideOps{tab.VPSLLVDrr, tab.VPSLLVDYrr, tab.VPSLLVDZrr}
			}
		case 64:
			s.imm, s.reg = wideOps{tab.PSLLQri, tab.VPSLLQYri, tab.VPSLLQZri}, wideOps{tab.PSLLQrr, tab.VPSLLQYrr, tab.VPSLLQZrr}
			if v.has("avx2") {
				s.each = wideOps{tab.VPSLLVQrr, tab.VPSLLVQYrr, tab.VPSLLVQZrr}
			}
		}
	case desc.G_LSHR:
		switch bits {
		case 16:
			s.imm, s.reg = wideOps{tab.PSRLWri, tab.VPSRLWYri, tab.VPSRLWZri}, wideOps{tab.PSRLWrr, tab.VPSRLWYrr, tab.VPSRLWZrr}
			if v.has("masks") {
				s.each = wideOps{tab.VPSRLVWZ128rr, tab.VPSRLVWZ256rr, tab.VPSRLVWZrr}
			}
		case 32:
			s.imm, s.reg = wideOps{tab.PSRLDri, tab.VPSRLDYri, tab.VPSRLDZri}, wideOps{tab.PSRLDrr, tab.VPSRLDYrr, tab.VPSRLDZrr}
			if v.has("avx2") {
				s.each = wideOps{tab.VPSRLVDrr, tab.VPSRLVDYrr, tab.VPSRLVDZrr}
			}
		case 64:
			s.imm, s.reg = wideOps{tab.PSRLQri, tab.VPSRLQYri, tab.VPSRLQZri}, wideOps{tab.PSRLQrr, tab.VPSRLQYrr, tab.VPSRLQZrr}
			if v.has("avx2") {
				s.each = wideOps{tab.VPSRLVQrr, tab.VPSRLVQYrr, tab.VPSRLVQZrr}
			}
		}
	case desc.G_ASHR:
		switch bits {
		case 16:
			s.imm, s.reg = wideOps{tab.PSRAWri, tab.VPSRAWYri, tab.VPSRAWZri}, wideOps{tab.PSRAWrr, tab.VPSRAWYrr, tab.VPSRAWZrr}
			if v.has("masks") {
				s.each = wideOps{tab.VPSRAVWZ128rr, tab.VPSRAVWZ256rr, tab.VPSRAVWZrr}
			}
		case 32:
			s.imm, s.reg = wideOps{tab.PSRADri, tab.VPSRADYri, tab.VPSRADZri}, wideOps{tab.PSRADrr, tab.VPSRADYrr, tab.VPSRADZrr}
			if v.has("avx2") {
				s.each = wideOps{tab.VPSRAVDrr, tab.VPSRAVDYrr, tab.VPSRAVDZrr}
			}
		case 64:
			if v.has("masks") {
				s.imm, s.reg = wideOps{tab.VPSRAQZ128ri, tab.VPSRAQZ256ri, tab.VPSRAQZri}, wideOps{tab.VPSRAQZ128rr, tab.VPSRAQZ256rr, tab.VPSRAQZrr}
				s.each = wideOps{tab.VPSRAVQZ128rr, tab.VPSRAVQZ256rr, tab.VPSRAVQZrr}
			}
		}
	}
	return s
}

// shift does a shift of a whole register.
func (v *shaper) shift() error {
	op := v.f.Instr(v.i).Opcode
	t, x, a := v.typeOf(0), v.reg(1), v.reg(2)
	e, n := t.ScalarBits(), t.NumElems()
	if v.Type(a) != t {
		a = v.Resize(desc.G_ZEXT, t, a)
	}
	ops := v.shiftOf(op, e)
	if k, ok := v.amounts(a); ok && same(k) {
		if uint64(k[0]) >= uint64(e) {
			v.done(v.undef(t))
			return nil
		}
		v.done(v.shiftBy(op, t, x, k[0]))
		return nil
	} else if ok {
		if r := v.shiftByConstants(op, t, x, a, k); r != 0 {
			v.done(r)
			return nil
		}
	}
	if c := v.splatted(a); c != 0 && ops.reg.of(t.Bits()) != 0 {
		// The count is a vector whose low 64 bits count.
		c = v.Resize(desc.G_ZEXT, mir.Scalar(64), c)
		count := v.build(2, []mir.Reg{c})
		v.done(v.emit(ops.reg.of(t.Bits()), t, globalisel.Use(x), globalisel.Use(count)))
		return nil
	}
	if each := ops.each.of(t.Bits()); each != 0 {
		v.done(v.emit(each, t, globalisel.Use(x), globalisel.Use(a)))
		return nil
	}
	switch {
	case e == 8 || e == 16 && v.has("avx2"):
		// In elements of twice the width, whose shift is there or made here.
		w := mir.Vector(n, mir.Scalar(2*e))
		ext := desc.G_ANYEXT
		switch op {
		case desc.G_LSHR:
			ext = desc.G_ZEXT
		case desc.G_ASHR:
			ext = desc.G_SEXT
		}
		aw := mir.Reg(0)
		if c := v.splatted(a); c != 0 {
			aw = v.New(w)
			v.Splat(aw, v.Resize(desc.G_ZEXT, w.Elem(), c))
		} else {
			aw = v.Un(desc.G_ZEXT, w, a)
		}
		r := v.Bin(op, w, v.Un(ext, w, x), aw)
		v.done(v.Un(desc.G_TRUNC, t, r))
	case e == 64 && op == desc.G_ASHR && v.has("avx2"):
		// As for unsigned numbers, and the sign put where it was shifted to.
		s := v.Bin(desc.G_LSHR, t, v.Const(t, -1<<63), a)
		v.done(v.Bin(desc.G_SUB, t, v.Bin(desc.G_XOR, t, v.Bin(desc.G_LSHR, t, x, a), s), s))
	case e == 16:
		v.done(v.shiftBySteps(op, t, x, a))
	case e == 32 && op == desc.G_SHL:
		// A product with a power of two, which is made as a float.
		p := v.Bin(desc.G_ADD, t, v.Bin(desc.G_SHL, t, a, v.Const(t, 23)), v.Const(t, 0x3f800000))
		v.done(v.Bin(desc.G_MUL, t, x, v.Un(desc.G_FPTOSI, t, p)))
	case e == 32 || e == 64 && op != desc.G_ASHR:
		v.done(v.shiftApart(op, t, x, a))
	default:
		return v.h.Act(v.i, legal.Decision{Act: legal.FewerElements, To: t.Elem()})
	}
	return nil
}

// shiftBy shifts all elements by k.
func (v *shaper) shiftBy(op desc.Opcode, t mir.LLT, x mir.Reg, k int64) mir.Reg {
	if k == 0 {
		return x
	}
	e, n := t.ScalarBits(), t.NumElems()
	if ops := v.shiftOf(op, e); ops.imm[0] != 0 {
		return v.emit(ops.imm.of(t.Bits()), t, globalisel.Use(x), mir.ImmOp(k))
	}
	if e == 64 {
		// To the right with the sign.
		if k == 63 && v.has("sse4.2") {
			return v.compare(ir.ICmpSLT, t, x, v.Const(t, 0))
		}
		// The high halves are shifted as such; the low ones get bits from above, or are
		// the high ones.
		w := mir.Vector(2*n, mir.Scalar(32))
		hi := v.shiftBy(desc.G_ASHR, w, v.cast(w, x), min(k, 31))
		lo := mir.Reg(0)
		if k >= 32 {
			lo = v.shiftBy(desc.G_ASHR, w, v.cast(w, x), k-32)
		} else {
			lo = v.cast(w, v.shiftBy(desc.G_LSHR, t, x, k))
		}
		mask := make([]int32, 2*n)
		for j := range mask {
			switch {
			case k >= 32 && j%2 == 0:
				mask[j] = int32(j + 1)
			case j%2 == 0:
				mask[j] = int32(j)
			default:
				mask[j] = int32(2*n + j)
			}
		}
		return v.cast(t, v.shuffle(lo, hi, mask))
	}
	// Bytes: as words, and the bits that came from the neighbour cleared.
	w := mir.Vector(n/2, mir.Scalar(16))
	switch op {
	case desc.G_SHL:
		if k == 1 {
			return v.Bin(desc.G_ADD, t, x, x)
		}
		r := v.cast(t, v.shiftBy(op, w, v.cast(w, x), k))
		return v.Bin(desc.G_AND, t, r, v.Const(t, 0xff<<k&0xff))
	case desc.G_LSHR:
		r := v.cast(t, v.shiftBy(op, w, v.cast(w, x), k))
		return v.Bin(desc.G_AND, t, r, v.Const(t, 0xff>>k))
	}
	if k == 7 {
		return v.compare(ir.ICmpSLT, t, x, v.Const(t, 0))
	}
	// The sign of k bits less: (u ^ s) - s.
	s := v.Const(t, 0x80>>k)
	return v.Bin(desc.G_SUB, t, v.Bin(desc.G_XOR, t, v.shiftBy(desc.G_LSHR, t, x, k), s), s)
}

// shiftByConstants multiplies by powers of two, where that is a shift; 0 where it is
// not worth it.
func (v *shaper) shiftByConstants(op desc.Opcode, t mir.LLT, x, a mir.Reg, k []int64) mir.Reg {
	e := t.ScalarBits()
	for _, c := range k {
		if uint64(c) >= uint64(e) {
			return 0
		}
	}
	if v.shiftOf(op, e).each[0] != 0 {
		return 0
	}
	power := func(of func(int64) int64) mir.Reg {
		var es []mir.Reg
		for _, c := range k {
			es = append(es, v.Const(t.Elem(), of(c)))
		}
		return v.build(len(es), es)
	}
	switch {
	case op == desc.G_SHL && (e == 16 || e == 32):
		return v.Bin(desc.G_MUL, t, x, power(func(c int64) int64 { return 1 << c }))
	case op != desc.G_SHL && e == 16:
		high := desc.G_UMULH
		if op == desc.G_ASHR {
			high = desc.G_SMULH
		}
		for _, c := range k {
			if c == 0 || c == 1 && op == desc.G_ASHR {
				return 0 // 2^16 is no word, nor is 2^15 a positive one
			}
		}
		return v.Bin(high, t, x, power(func(c int64) int64 { return 1 << (16 - c) }))
	}
	return 0
}

// shiftBySteps shifts by 8, 4, 2 and 1 those elements whose amount has that bit.
func (v *shaper) shiftBySteps(op desc.Opcode, t mir.LLT, x, a mir.Reg) mir.Reg {
	// The bit is moved to the sign.
	a = v.shiftBy(desc.G_SHL, t, a, int64(t.ScalarBits()-4))
	if t.ScalarBits() != 16 {
		panic("x86: steps of words alone")
	}
	for k := int64(8); k > 0; k /= 2 {
		m := v.ICmp(ir.ICmpSLT, t, a, v.Const(t, 0))
		x = v.Select(m, v.shiftBy(op, t, x, k), x)
		if k > 1 {
			a = v.Bin(desc.G_ADD, t, a, a)
		}
	}
	return x
}

// shiftApart shifts the register by the amount of each element, and takes from each
// result the element that it is right for.
func (v *shaper) shiftApart(op desc.Opcode, t mir.LLT, x, a mir.Reg) mir.Reg {
	n, e := t.NumElems(), t.ScalarBits()
	s64 := mir.Scalar(64)
	var es []mir.Reg
	for k, c := range v.elems(a) {
		count := v.build(2, []mir.Reg{v.Resize(desc.G_ZEXT, s64, c)})
		r := v.emit(v.shiftOf(op, e).reg.of(t.Bits()), t, globalisel.Use(x), globalisel.Use(count))
		es = append(es, v.elems(r)[k])
	}
	return v.build(n, es)
}

// funnel does rotations and funnel shifts by shifts.
func (v *shaper) funnel() {
	op := v.f.Instr(v.i).Opcode
	t, x, y, a := v.typeOf(0), v.reg(1), v.reg(1), v.reg(2)
	if op == desc.G_FSHL || op == desc.G_FSHR {
		y, a = v.reg(2), v.reg(3)
	}
	left := op == desc.G_FSHL || op == desc.G_ROTL
	e := t.ScalarBits()
	if v.Type(a) != t {
		a = v.Resize(desc.G_ZEXT, t, a)
	}
	hi, lo := desc.G_SHL, desc.G_LSHR
	if k, ok := v.amounts(a); ok {
		var up, down []mir.Reg
		zero := false
		for _, c := range k {
			c &= int64(e - 1)
			zero = zero || c == 0
			if !left {
				c = int64(e) - c
			}
			up, down = append(up, v.Const(t.Elem(), c)), append(down, v.Const(t.Elem(), int64(e)-c))
		}
		if !zero {
			if same(k) {
				for j := range up {
					up[j], down[j] = up[0], down[0]
				}
			}
			v.done(v.Bin(desc.G_OR, t, v.Bin(hi, t, x, v.build(len(up), up)), v.Bin(lo, t, y, v.build(len(down), down))))
			return
		}
	}
	// The other way in two steps, so that no amount reaches the width.
	m := v.Const(t, int64(e-1))
	b := v.Bin(desc.G_AND, t, v.Bin(desc.G_XOR, t, a, v.Const(t, -1)), m)
	a = v.Bin(desc.G_AND, t, a, m)
	one := v.Const(t, 1)
	if left {
		v.done(v.Bin(desc.G_OR, t, v.Bin(hi, t, x, a), v.Bin(lo, t, v.Bin(lo, t, y, one), b)))
		return
	}
	v.done(v.Bin(desc.G_OR, t, v.Bin(hi, t, v.Bin(hi, t, x, one), b), v.Bin(lo, t, y, a)))
}

// byteSwap turns the bytes of each element round.
func (v *shaper) byteSwap() {
	t := v.typeOf(0)
	e := t.ScalarBits() / 8
	bytes := vecOf(t.Bits()/8, 8)
	mask := make([]int32, t.Bits()/8)
	for k := range mask {
		mask[k] = int32(k/e*e + e - 1 - k%e)
	}
	v.done(v.cast(t, v.shuffle(v.cast(bytes, v.reg(1)), v.undef(bytes), mask)))
}

//===- Conversions ----------------------------------------------------------

// convert converts between elements of different widths, and of unsigned numbers.
func (v *shaper) convert() {
	op := v.f.Instr(v.i).Opcode
	t, from := v.typeOf(0), v.typeOf(1)
	x := v.reg(1)
	n := t.NumElems()
	to, sb := t.ScalarBits(), from.ScalarBits()
	s32, s64 := mir.Scalar(32), mir.Scalar(64)
	switch {
	case op == desc.G_UITOFP && sb < 32:
		v.done(v.Un(desc.G_SITOFP, t, v.Resize(desc.G_ZEXT, mir.Vector(n, s32), x)))
	case op == desc.G_FPTOUI && to < 32:
		v.done(v.Resize(desc.G_TRUNC, t, v.Un(desc.G_FPTOSI, mir.Vector(n, s32), x)))
	case v.has("masks") && sb != to:
		v.convertHalves(op, t, x, sb, to)
	case op == desc.G_UITOFP && sb == 32 && to == 32:
		// The halves are made floats by their place in the fraction of 2^23 and of 2^39.
		lo := v.Bin(desc.G_OR, t, v.Bin(desc.G_AND, t, x, v.Const(t, 0xffff)), v.Const(t, 0x4b000000))
		hi := v.Bin(desc.G_OR, t, v.Bin(desc.G_LSHR, t, x, v.Const(t, 16)), v.Const(t, 0x53000000))
		v.done(v.Bin(desc.G_FADD, t, v.Bin(desc.G_FSUB, t, hi, v.Const(t, 0x53000080)), lo))
	case op == desc.G_UITOFP && sb == 32:
		two52 := v.Const(t, 0x4330000000000000)
		v.done(v.Bin(desc.G_FSUB, t, v.Bin(desc.G_OR, t, v.Resize(desc.G_ZEXT, mir.Vector(n, s64), x), two52), two52))
	case op == desc.G_UITOFP:
		lo := v.Bin(desc.G_OR, t, v.Bin(desc.G_AND, t, x, v.Const(t, 0xffffffff)), v.Const(t, 0x4330000000000000))
		hi := v.Bin(desc.G_OR, t, v.Bin(desc.G_LSHR, t, x, v.Const(t, 32)), v.Const(t, 0x4530000000000000))
		v.done(v.Bin(desc.G_FADD, t, v.Bin(desc.G_FSUB, t, hi, v.Const(t, 0x4530000000100000)), lo))
	case op == desc.G_FPTOUI:
		// What is 2^31 or more is 0x80000000 as a signed number, and is converted less that.
		limit := v.Const(from, 0x4f000000)
		if sb == 64 {
			limit = v.Const(from, 0x41e0000000000000)
		}
		small := v.Un(desc.G_FPTOSI, t, x)
		big := v.Un(desc.G_FPTOSI, t, v.Bin(desc.G_FSUB, from, x, limit))
		m := v.Bin(desc.G_ASHR, t, small, v.Const(t, 31))
		v.done(v.Bin(desc.G_OR, t, small, v.Bin(desc.G_AND, t, big, m)))
	default:
		v.convertHalves(op, t, x, sb, to)
	}
}

// convertHalves converts two elements, or with AVX four, or eight, of 32 bits to or from 64 bits.
func (v *shaper) convertHalves(op desc.Opcode, t mir.LLT, x mir.Reg, sb, to int) {
	one := map[desc.Opcode]desc.Opcode{desc.G_SITOFP: tab.CVTDQ2PDrr, desc.G_FPTOSI: tab.CVTTPD2DQrr, desc.G_FPEXT: tab.CVTPS2PDrr, desc.G_FPTRUNC: tab.CVTPD2PSrr,
		desc.G_UITOFP: tab.VCVTUDQ2PDZ128rr, desc.G_FPTOUI: tab.VCVTTPD2UDQZ128rr}[op]
	switch {
	case op == desc.G_SITOFP && sb == 64:
		one = tab.VCVTQQ2PSZ128rr
	case op == desc.G_UITOFP && sb == 64:
		one = tab.VCVTUQQ2PSZ128rr
	case op == desc.G_FPTOSI && to == 64:
		one = tab.VCVTTPS2QQZ128rr
	case op == desc.G_FPTOUI && to == 64:
		one = tab.VCVTTPS2UQQZ128rr
	}
	n := t.NumElems()
	four := v.has("avx") && n > 2
	k := 2
	if four {
		k = 4
	}
	if n > 4 && v.has("zmm") {
		k = 8
	}
	es := v.elems(x)
	var out []mir.Reg
	for at := 0; at < n; at += k {
		src := es[at:min(at+k, n)]
		var r mir.Reg
		switch {
		case four:
			r = v.Un(op, vecOf(k, to), v.build(k, src))
		case sb == 32:
			r = v.emit(one, vecOf(2, 64), globalisel.Use(v.build(4, src)))
		default:
			r = v.emit(one, vecOf(4, 32), globalisel.Use(v.build(2, src)))
		}
		out = append(out, v.elems(r)[:len(src)]...)
	}
	v.done(v.build(n, out))
}

//===- Reductions -----------------------------------------------------------

// reduce folds the halves of a vector together until one element is left, as LLVM
// does: sums of floats that may be reordered depend on it.
func (v *shaper) reduce() error {
	f := v.f
	op, flags := f.Instr(v.i).Opcode, f.Instr(v.i).Flags()
	plain, src := reduceOp(op), 1
	sum := op == desc.G_VECREDUCE_SEQ_FADD || op == desc.G_VECREDUCE_SEQ_FMUL
	if sum {
		src = 2
	}
	x := v.reg(src)
	t := v.Type(x)
	n := t.NumElems()
	if sum && flags&mir.FmReassoc == 0 || n&(n-1) != 0 && !sum {
		return v.h.Act(v.i, legal.Decision{Act: legal.FewerElements})
	}
	e := t.Elem()
	odd := n&(n-1) != 0
	if odd {
		// Filled up with what changes nothing; LLVM folds the last register in order.
		neutral, bits := ir.Float, [2]uint64{1 << 31, 0x3f800000}
		if e.ScalarBits() == 64 {
			neutral, bits = ir.Double, [2]uint64{1 << 63, 0x3ff0000000000000}
		}
		fill := bits[0]
		if plain == desc.G_FMUL {
			fill = bits[1]
		}
		es := v.elems(x)
		one := v.FPConst(neutral, e.ScalarBits(), fill)
		for n = pow2(n); len(es) < n; {
			es = append(es, one)
		}
		x = v.build(n, es)
		t = v.Type(x)
	}
	do := func(t mir.LLT, a, b mir.Reg) mir.Reg {
		d := v.New(t)
		f.Instr(v.BuildTo(plain, d, a, b)).SetFlags(flags)
		return d
	}
	for n > 1 && n*e.ScalarBits() > 128 {
		n /= 2
		t = vecOf(n, e.ScalarBits())
		parts := v.Unmerge(nil, t, x)
		x = do(t, parts[0], parts[1])
	}
	if odd && t.Bits() <= 128 {
		es := v.elems(x)
		acc := es[0]
		for _, y := range es[1:] {
			acc = do(e, acc, y)
		}
		v.endReduce(do, sum, e, acc)
		return nil
	}
	if n > 1 && t.Bits() < 128 {
		t = vecOf(128/e.ScalarBits(), e.ScalarBits())
		x = v.chunks(x, t.NumElems())[0]
	}
	if n == 1 {
		v.endReduce(do, sum, e, x)
		return nil
	}
	undef := v.undef(t)
	for ; n > 1; n /= 2 {
		mask := make([]int32, t.NumElems())
		for k := range mask {
			mask[k] = -1
			if k < n/2 {
				mask[k] = int32(n/2 + k)
			}
		}
		x = do(t, x, v.shuffle(x, undef, mask))
	}
	v.endReduce(do, sum, e, v.elems(x)[0])
	return nil
}

func (v *shaper) endReduce(do func(mir.LLT, mir.Reg, mir.Reg) mir.Reg, sum bool, e mir.LLT, x mir.Reg) {
	if sum {
		x = do(e, v.reg(1), x)
	}
	v.done(x)
}

// reduceOp is the operation that a reduction folds elements with.
func reduceOp(op desc.Opcode) desc.Opcode {
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
	case desc.G_VECREDUCE_SEQ_FMUL:
		return desc.G_FMUL
	}
	return desc.G_FADD
}
