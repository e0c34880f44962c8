package autoupgrade

import (
	"slices"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/intrin"
)

// planX86 says what becomes of an x86 intrinsic that LLVM 22 does not have.
func (u *upgrader) planX86(g *ir.Global, name string) action {
	if !u.registers(g.ValueType) {
		return nil
	}
	params := u.t.Subtypes(g.ValueType)
	ret := u.t.Result(g.ValueType)
	has := func(ps ...string) bool {
		for _, p := range ps {
			if strings.HasPrefix(name, p) {
				return true
			}
		}
		return false
	}
	full := "llvm.x86." + name
	switch {
	case has("sse41.ptest"):
		if len(params) == 2 && params[0] != u.t.Vector(ir.Int64, 2, false) {
			return u.ptest(full)
		}
		return nil
	case has("avx512.vpdp", "avx10.vpdp", "avx2.vpdp"):
		return u.dotProduct(g, full)
	case has("sse41.insertps", "sse41.dppd", "sse41.dpps", "sse41.mpsadbw", "avx.dp.ps.256", "avx2.mpsadbw"):
		if len(params) == 3 && params[2] == ir.Int32 {
			return u.byteImmediate(full)
		}
		return nil
	}
	if a := u.x86Table(g, name); a != nil {
		return a
	}
	if intrin.Lookup(full) != 0 && !has("avx512.mask.compress", "avx512.mask.expand") {
		return nil
	}
	scalarOps := map[string]ir.Op{"add": ir.OpFAdd, "sub": ir.OpFSub, "mul": ir.OpFMul, "div": ir.OpFDiv}
	if p := strings.Split(name, "."); len(p) == 3 && (p[0] == "sse" && p[2] == "ss" || p[0] == "sse2" && p[2] == "sd") {
		if op, ok := scalarOps[p[1]]; ok {
			return func(c *call) bool {
				a, b := c.extractElem(c.arg(0), 0, ir.Int32), c.extractElem(c.arg(1), 0, ir.Int32)
				return c.val(c.insertElem(c.arg(0), c.bin(op, a, b), 0, ir.Int32))
			}
		}
	}
	switch {
	case name == "sse.sqrt.ss" || name == "sse2.sqrt.sd":
		return func(c *call) bool {
			e := c.extractElem(c.arg(0), 0, ir.Int64)
			s := ir.Local(c.intrinsic("llvm.sqrt", []ir.Type{c.typeOf(e)}, e))
			return c.val(c.insertElem(c.arg(0), s, 0, ir.Int64))
		}
	case has("sse.sqrt.p", "sse2.sqrt.p", "avx.sqrt.p"):
		return func(c *call) bool { return c.val(ir.Local(c.intrinsic("llvm.sqrt", []ir.Type{ret}, c.arg(0)))) }
	case has("fma.vfmaddsub.", "fma.vfmsubadd."):
		return fmaAddSub(name[7] == 's')
	case has("fma.vfmadd.", "fma.vfmsub.", "fma.vfnmadd.", "fma.vfnmsub."):
		return fma(name)
	case has("fma4.vfmadd.s"):
		return func(c *call) bool {
			var e []ir.Value
			for i := range 3 {
				e = append(e, c.extractElem(c.arg(i), 0, ir.Int64))
			}
			f := ir.Local(c.intrinsic("llvm.fma", []ir.Type{c.typeOf(e[0])}, e...))
			return c.val(c.insertElem(c.null(ret), f, 0, ir.Int64))
		}
	case has("avx512.mask.vfmadd.s", "avx512.maskz.vfmadd.s", "avx512.mask3.vfmadd.s", "avx512.mask3.vfmsub.s", "avx512.mask3.vfnmsub.s"):
		return maskedScalarFMA(name)
	case has("avx.vinsertf128.", "avx2.vinserti128", "avx512.mask.insert"):
		return insertSub
	case has("avx.vextractf128.", "avx2.vextracti128", "avx512.mask.vextract"):
		return extractSub
	case has("sse.storeu.", "sse2.storeu.", "avx.storeu."):
		return func(c *call) bool { c.store(c.arg(1), c.arg(0), 1); return c.val(0) }
	case has("avx.movnt.", "avx512.storent."):
		return func(c *call) bool {
			i := c.store(c.arg(1), c.arg(0), alignOf(c, c.typeOf(c.arg(1))))
			u.nontemporal(c, i)
			return c.val(0)
		}
	case has("sse4a.movnt."):
		return func(c *call) bool {
			e := ir.Local(c.insert(ir.Instr{Op: ir.OpExtractElement, Type: u.t.Elem(c.typeOf(c.arg(1)))}, c.arg(1), c.int(ir.Int64, 0)))
			c.name(e.Instr(), "extractelement")
			u.nontemporal(c, c.store(e, c.arg(0), 1))
			return c.val(0)
		}
	case has("sse41.movntdqa", "avx2.movntdqa", "avx512.movntdqa"):
		return func(c *call) bool {
			l := c.load(ret, c.arg(0), alignOf(c, ret))
			u.nontemporal(c, l.Instr())
			return c.val(l)
		}
	case has("sse2.cvtdq2ps", "avx.cvtdq2.ps.256"):
		return func(c *call) bool { return c.val(c.named(c.cast(ir.OpSIToFP, c.arg(0), ret), "cvt")) }
	case has("sse.cvtsi2ss", "sse.cvtsi642ss", "sse2.cvtsi2sd", "sse2.cvtsi642sd"):
		return func(c *call) bool {
			return c.val(c.insertElem(c.arg(0), c.cast(ir.OpSIToFP, c.arg(1), u.t.Elem(ret)), 0, ir.Int64))
		}
	case has("sse2.cvtss2sd"):
		return func(c *call) bool {
			e := c.extractElem(c.arg(1), 0, ir.Int64)
			return c.val(c.insertElem(c.arg(0), c.cast(ir.OpFPExt, e, u.t.Elem(ret)), 0, ir.Int64))
		}
	case has("sse2.cvtdq2pd", "sse2.cvtps2pd", "avx.cvtdq2.pd.256", "avx.cvt.ps2.pd.256"):
		return func(c *call) bool {
			v := c.arg(0)
			if n := u.t.NumElems(ret); n < u.t.NumElems(c.typeOf(v)) {
				v = c.shuffle(v, v, iota64(int(n)))
			}
			op := ir.OpSIToFP
			if strings.Contains(name, "ps2") {
				op = ir.OpFPExt
			}
			return c.val(c.named(c.cast(op, v, ret), "cvt"))
		}
	case has("sse41.pmovsx", "sse41.pmovzx", "avx2.pmovsx", "avx2.pmovzx", "avx512.mask.pmovsx", "avx512.mask.pmovzx"):
		return func(c *call) bool {
			v := c.swizzle(c.arg(0), iota64(int(u.t.NumElems(ret))))
			op := ir.OpZExt
			if strings.Contains(name, "pmovsx") {
				op = ir.OpSExt
			}
			r := c.cast(op, v, ret)
			if len(params) == 3 {
				r = c.maskSelect(c.arg(2), r, c.arg(1))
			}
			return c.val(r)
		}
	case has("sse41.pblendw", "sse41.blendp", "avx.blend.p", "avx2.pblendw", "avx2.pblendd"):
		return func(c *call) bool {
			imm, _ := c.constInt(c.arg(2))
			n := int64(u.t.NumElems(ret))
			m := iota64(int(n))
			for i := range m {
				if imm>>(i%8)&1 != 0 {
					m[i] += n
				}
			}
			return c.val(c.shuffle(c.arg(0), c.arg(1), m))
		}
	case has("avx.vpermil.", "sse2.pshuf.d", "avx512.mask.vpermil.p", "avx512.mask.pshuf.d."):
		return u.permil(ret)
	case has("sse2.pshufl.w", "sse2.pshufh.w", "avx512.mask.pshufl.w.", "avx512.mask.pshufh.w."):
		return pshufw(strings.Contains(name, "pshufh"))
	case has("avx.vperm2f128.", "avx2.vperm2i128"):
		return perm2
	case has("sse2.pmulu.dq", "sse41.pmuldq", "avx2.pmulu.dq", "avx2.pmul.dq", "avx512.pmulu.dq.512", "avx512.pmul.dq.512", "avx512.mask.pmulu.dq.", "avx512.mask.pmul.dq."):
		return mulDQ(!strings.Contains(name, "pmulu"))
	case has("ssse3.pabs.", "avx2.pabs.", "avx512.mask.pabs."):
		return func(c *call) bool {
			r := ir.Local(c.intrinsic("llvm.abs", []ir.Type{ret}, c.arg(0), c.int(ir.Int1, 0)))
			if len(params) == 3 {
				r = c.maskSelect(c.arg(2), r, c.arg(1))
			}
			return c.val(r)
		}
	case has("xop.vpcmov"):
		return func(c *call) bool {
			sel := c.arg(2)
			not := c.bin(ir.OpXor, sel, c.int(ret, ^uint64(0)))
			a := c.bin(ir.OpAnd, c.arg(0), sel)
			b := c.bin(ir.OpAnd, c.arg(1), not)
			return c.val(c.bin(ir.OpOr, a, b))
		}
	case has("avx512.mask.compress.", "avx512.mask.expand.") && len(params) == 3 && u.t.IntBits(params[2]) != 0:
		base := "llvm.x86.avx512.mask.expand"
		if has("avx512.mask.compress.") {
			base = "llvm.x86.avx512.mask.compress"
		}
		return func(c *call) bool {
			m := c.maskVec(c.arg(2), int(u.t.NumElems(ret)))
			return c.val(ir.Local(c.intrinsic(base, []ir.Type{ret}, c.arg(0), c.arg(1), m)))
		}
	case has("avx512.mask.vpmadd52", "avx512.maskz.vpmadd52", "avx512.mask.vpdp", "avx512.maskz.vpdp"):
		return u.maskedTernary(name)
	case has("avx512.mask.vpsh", "avx512.maskz.vpsh", "avx512.vpshld.", "avx512.vpshrd.") && !has("avx512.mask.vpshuf"):
		return concatShift(strings.Contains(name, "vpshrd"), has("avx512.maskz."))
	case has("avx512.cvtb2mask.", "avx512.cvtw2mask.", "avx512.cvtd2mask.", "avx512.cvtq2mask."):
		return func(c *call) bool {
			return c.val(c.bitsOf(c.icmp(ir.ICmpSLT, c.arg(0), c.null(params[0])), 0))
		}
	case has("avx512.ptestm", "avx512.ptestnm"):
		pred := ir.ICmpNE
		if has("avx512.ptestnm") {
			pred = ir.ICmpEQ
		}
		return func(c *call) bool {
			a := c.bin(ir.OpAnd, c.arg(0), c.arg(1))
			return c.val(c.bitsOf(c.icmp(pred, a, c.null(params[0])), c.arg(2)))
		}
	}
	return nil
}

func iota64(n int) []int64 {
	m := make([]int64, n)
	for i := range m {
		m[i] = int64(i)
	}
	return m
}

// alignOf is the natural alignment of a vector, in ir's form.
func alignOf(c *call, t ir.Type) uint8 {
	ty := c.u.t
	e := ty.Elem(t)
	bytes := ty.NumElems(t) * uint64(max(ty.IntBits(e), ty.FloatBits(e))) / 8
	n := uint8(1)
	for ; bytes > 1; bytes >>= 1 {
		n++
	}
	return n
}

// nontemporal marks a memory access.
func (u *upgrader) nontemporal(c *call, i ir.InstrID) {
	if u.one == 0 {
		u.one = u.mdTuple(u.mdInt(ir.Int32, 1))
	}
	c.f.Attachments = append(c.f.Attachments, ir.Attachment{Kind: u.m.MDKind("nontemporal"), Node: u.one})
	c.f.Instr(i).MD = uint32(len(c.f.Attachments) - 1)
}

// maskVec turns a mask of bits into a vector of n of them.
func (c *call) maskVec(m ir.Value, n int) ir.Value {
	t := c.u.t
	w := t.IntBits(c.typeOf(m))
	c.want(w > 0 && w <= 64)
	v := c.cast(ir.OpBitCast, m, t.Vector(ir.Int1, uint64(w), false))
	if n <= 4 && n < w {
		return c.named(c.shuffle(v, v, iota64(n)), "extract")
	}
	return v
}

func (c *call) allOnes(m ir.Value) bool {
	n, ok := c.constInt(m)
	w := c.u.t.IntBits(c.typeOf(m))
	c.want(w > 0 && w <= 64)
	return ok && n == ^uint64(0)>>(64-w)
}

// maskSelect takes elements of a where the mask is set, else of b.
func (c *call) maskSelect(m, a, b ir.Value) ir.Value {
	if c.allOnes(m) {
		return a
	}
	return c.sel(c.maskVec(m, int(c.u.t.NumElems(c.typeOf(a)))), a, b)
}

// bitsOf turns a vector of bits into an integer of at least 8 bits; mask 0 is none.
func (c *call) bitsOf(v, mask ir.Value) ir.Value {
	t := c.u.t
	n := int(t.NumElems(c.typeOf(v)))
	c.want(n > 0)
	if mask != 0 && !c.allOnes(mask) {
		v = c.bin(ir.OpAnd, v, c.maskVec(mask, n))
	}
	if n < 8 {
		m := iota64(8)
		for i := n; i < 8; i++ {
			m[i] = int64(n + i%n)
		}
		v = c.shuffle(v, c.null(c.typeOf(v)), m)
	}
	return c.cast(ir.OpBitCast, v, t.Int(max(n, 8)))
}

func fma(name string) action {
	negMul := name[6] == 'n'
	negAcc := name[7] == 's'
	if negMul {
		negAcc = name[8] == 's'
	}
	scalar := strings.HasSuffix(name, ".ss") || strings.HasSuffix(name, ".sd")
	return func(c *call) bool {
		ops := []ir.Value{c.arg(0), c.arg(1), c.arg(2)}
		if scalar {
			for i := range ops {
				ops[i] = c.extractElem(ops[i], 0, ir.Int64)
			}
		}
		if negMul && !scalar {
			ops[0] = c.neg(ops[0])
		}
		if negMul && scalar {
			ops[1] = c.neg(ops[1])
		}
		if negAcc {
			ops[2] = c.neg(ops[2])
		}
		r := ir.Local(c.intrinsic("llvm.fma", []ir.Type{c.typeOf(ops[0])}, ops...))
		if scalar {
			r = c.insertElem(c.arg(0), r, 0, ir.Int64)
		}
		return c.val(r)
	}
}

func (c *call) neg(v ir.Value) ir.Value {
	return ir.Local(c.insert(ir.Instr{Op: ir.OpFNeg, Type: c.typeOf(v)}, v))
}

func fmaAddSub(subAdd bool) action {
	return func(c *call) bool {
		t := c.typeOf(c.arg(0))
		odd := ir.Local(c.intrinsic("llvm.fma", []ir.Type{t}, c.arg(0), c.arg(1), c.arg(2)))
		even := ir.Local(c.intrinsic("llvm.fma", []ir.Type{t}, c.arg(0), c.arg(1), c.neg(c.arg(2))))
		if subAdd {
			odd, even = even, odd
		}
		n := int64(c.u.t.NumElems(t))
		m := iota64(int(n))
		for i := range m {
			m[i] += int64(i%2) * n
		}
		return c.val(c.shuffle(even, odd, m))
	}
}

func maskedScalarFMA(name string) action {
	mask3, maskZ := name[11] == '3', name[11] == 'z'
	short := name[12:]
	if mask3 || maskZ {
		short = name[13:]
	}
	negMul := short[2] == 'n'
	negAcc := short[3] == 's'
	if negMul {
		negAcc = short[4] == 's'
	}
	return func(c *call) bool {
		a, b, d := c.arg(0), c.arg(1), c.arg(2)
		if negMul && (mask3 || maskZ) {
			a = c.neg(a)
		} else if negMul {
			b = c.neg(b)
		}
		if negAcc {
			d = c.neg(d)
		}
		a, b, d = c.extractElem(a, 0, ir.Int64), c.extractElem(b, 0, ir.Int64), c.extractElem(d, 0, ir.Int64)
		var r ir.Value
		if n, ok := c.constInt(c.arg(4)); !ok || n != 4 {
			f := "llvm.x86.avx512.vfmadd.f32"
			if c.typeOf(a) == ir.Double {
				f = "llvm.x86.avx512.vfmadd.f64"
			}
			r = ir.Local(c.intrinsic(f, nil, a, b, d, c.arg(4)))
		} else {
			r = ir.Local(c.intrinsic("llvm.fma", []ir.Type{c.typeOf(a)}, a, b, d))
		}
		pass := a
		switch {
		case maskZ:
			pass = c.null(c.typeOf(r))
		case mask3:
			pass = d
		}
		if negAcc && mask3 {
			pass = c.extractElem(c.arg(2), 0, ir.Int64)
		}
		if m := c.arg(3); !c.allOnes(m) {
			w := c.u.t.IntBits(c.typeOf(m))
			v := c.cast(ir.OpBitCast, m, c.u.t.Vector(ir.Int1, uint64(w), false))
			r = c.sel(c.extractElem(v, 0, ir.Int64), r, pass)
		}
		to := c.arg(0)
		if mask3 {
			to = c.arg(2)
		}
		return c.val(c.insertElem(to, r, 0, ir.Int64))
	}
}

func insertSub(c *call) bool {
	t := c.u.t
	imm, _ := c.constInt(c.arg(2))
	dst, src := int(t.NumElems(c.typeOf(c.arg(0)))), int(t.NumElems(c.typeOf(c.arg(1))))
	c.want(src > 0 && src <= dst)
	at := int(imm) % (dst / src) * src
	m := iota64(dst)
	for i := src; i < dst; i++ {
		m[i] = int64(src)
	}
	r := c.swizzle(c.arg(1), m)
	m = iota64(dst)
	for i := range src {
		m[at+i] = int64(i + dst)
	}
	r = c.shuffle(c.arg(0), r, m)
	if len(c.args()) == 5 {
		r = c.maskSelect(c.arg(4), r, c.arg(3))
	}
	return c.val(r)
}

func extractSub(c *call) bool {
	t := c.u.t
	imm, _ := c.constInt(c.arg(1))
	src, dst := int(t.NumElems(c.typeOf(c.arg(0)))), int(t.NumElems(c.f.Instr(c.i).Type))
	c.want(dst > 0 && dst <= src)
	m := iota64(dst)
	for i := range m {
		m[i] += int64(int(imm) % (src / dst) * dst)
	}
	r := c.shuffle(c.arg(0), c.arg(0), m)
	if len(c.args()) == 4 {
		r = c.maskSelect(c.arg(3), r, c.arg(2))
	}
	return c.val(r)
}

// registers reports whether the vectors of a function's type are no longer than registers may be.
func (u *upgrader) registers(ft ir.Type) bool {
	fits := func(t ir.Type) bool {
		return u.t.Kind(t) != ir.KindScalableVector && (!u.t.IsVector(t) || u.t.NumElems(t) <= 64)
	}
	return fits(u.t.Result(ft)) && !slices.ContainsFunc(u.t.Subtypes(ft), func(t ir.Type) bool { return !fits(t) })
}

func (u *upgrader) permil(t ir.Type) action {
	if !u.t.IsVector(t) || u.t.IntBits(u.t.Elem(t))+u.t.FloatBits(u.t.Elem(t)) == 0 {
		return nil
	}
	e := u.t.Elem(t)
	size := 64 / max(u.t.IntBits(e), u.t.FloatBits(e))
	mask := 1<<size - 1
	return func(c *call) bool {
		imm, _ := c.constInt(c.arg(1))
		m := iota64(int(u.t.NumElems(t)))
		for i := range m {
			m[i] = int64(int(imm)>>(i*size%8)&mask | i&^mask)
		}
		r := c.shuffle(c.arg(0), c.arg(0), m)
		if len(c.args()) == 4 {
			r = c.maskSelect(c.arg(3), r, c.arg(2))
		}
		return c.val(r)
	}
}

func pshufw(high bool) action {
	return func(c *call) bool {
		imm, _ := c.constInt(c.arg(1))
		m := iota64(int(c.u.t.NumElems(c.f.Instr(c.i).Type)))
		c.want(len(m)%8 == 0)
		for l := 0; l < len(m); l += 8 {
			for i := range 4 {
				k := int64(imm >> (2 * i) & 3)
				if high {
					m[l+4+i] = k + int64(4+l)
				} else {
					m[l+i] = k + int64(l)
				}
			}
		}
		r := c.shuffle(c.arg(0), c.arg(0), m)
		if len(c.args()) == 4 {
			r = c.maskSelect(c.arg(3), r, c.arg(2))
		}
		return c.val(r)
	}
}

func perm2(c *call) bool {
	imm, _ := c.constInt(c.arg(2))
	t := c.f.Instr(c.i).Type
	n := int64(c.u.t.NumElems(t))
	half := n / 2
	pick := func(second, zero bool) ir.Value {
		switch {
		case zero:
			return c.null(t)
		case second:
			return c.arg(1)
		}
		return c.arg(0)
	}
	a, b := pick(imm&2 != 0, imm&8 != 0), pick(imm&0x20 != 0, imm&0x80 != 0)
	m := make([]int64, n)
	for i := range half {
		m[i] = int64(imm&1)*half + i
		m[i+half] = n + int64(imm>>4&1)*half + i
	}
	return c.val(c.shuffle(a, b, m))
}

func mulDQ(signed bool) action {
	return func(c *call) bool {
		t := c.f.Instr(c.i).Type
		a, b := c.cast(ir.OpBitCast, c.arg(0), t), c.cast(ir.OpBitCast, c.arg(1), t)
		if signed {
			s := c.int(t, 32)
			a = c.bin(ir.OpAShr, c.bin(ir.OpShl, a, s), s)
			b = c.bin(ir.OpAShr, c.bin(ir.OpShl, b, s), s)
		} else {
			m := c.int(t, 0xffffffff)
			a, b = c.bin(ir.OpAnd, a, m), c.bin(ir.OpAnd, b, m)
		}
		r := c.bin(ir.OpMul, a, b)
		if len(c.args()) == 4 {
			r = c.maskSelect(c.arg(3), r, c.arg(2))
		}
		return c.val(r)
	}
}

// maskedTernary is for operations that add to their first operand.
func (u *upgrader) maskedTernary(name string) action {
	zero := strings.HasPrefix(name, "avx512.maskz.")
	rest := strings.TrimPrefix(strings.TrimPrefix(name, "avx512.maskz."), "avx512.mask.")
	return func(c *call) bool {
		t := c.f.Instr(c.i).Type
		args := []ir.Value{c.arg(0), c.arg(1), c.arg(2)}
		if strings.HasPrefix(rest, "vpdp") {
			args[1], args[2] = c.narrow(rest, args[1]), c.narrow(rest, args[2])
		}
		n := c.intrinsic("llvm.x86.avx512."+rest, nil, args...)
		if n == 0 {
			return false
		}
		pass := c.arg(0)
		if zero {
			pass = c.null(t)
		}
		return c.val(c.maskSelect(c.arg(3), ir.Local(n), pass))
	}
}

// narrow makes an operand of a dot product a vector of bytes or words.
func (c *call) narrow(name string, v ir.Value) ir.Value {
	e, w := ir.Int8, 8
	if strings.HasPrefix(name, "vpdpw") {
		e, w = ir.Int16, 16
	}
	t := c.typeOf(v)
	bits := int(c.u.t.NumElems(t)) * c.u.t.IntBits(c.u.t.Elem(t))
	return c.cast(ir.OpBitCast, v, c.u.t.Vector(e, uint64(bits/w), false))
}

// dotProduct is for dot products whose operands were vectors of i32 once.
func (u *upgrader) dotProduct(g *ir.Global, full string) action {
	x := intrin.Lookup(full)
	if x == 0 {
		return nil
	}
	if _, r := x.Match(u.t, g.ValueType); r == intrin.Matches {
		return nil
	}
	rest := full[strings.Index(full, "vpdp"):]
	id := u.declare(x, nil)
	return func(c *call) bool {
		c.become(c.callTo(id, c.arg(0), c.narrow(rest, c.arg(1)), c.narrow(rest, c.arg(2))))
		return true
	}
}

// byteImmediate is for intrinsics whose last operand was an i32 once.
func (u *upgrader) byteImmediate(full string) action {
	x := intrin.Lookup(full)
	if x == 0 {
		return nil
	}
	id := u.declare(x, nil)
	return func(c *call) bool {
		c.become(c.callTo(id, c.arg(0), c.arg(1), c.cast(ir.OpTrunc, c.arg(2), ir.Int8)))
		return true
	}
}

func (u *upgrader) ptest(full string) action {
	x := intrin.Lookup(full)
	if x == 0 {
		return nil
	}
	id := u.declare(x, nil)
	return func(c *call) bool {
		t := u.t.Vector(ir.Int64, 2, false)
		a := c.cast(ir.OpBitCast, c.arg(0), t)
		c.name(a.Instr(), "cast")
		b := c.cast(ir.OpBitCast, c.arg(1), t)
		c.name(b.Instr(), "cast")
		c.become(c.callTo(id, a, b))
		return true
	}
}

func concatShift(right, zero bool) action {
	return func(c *call) bool {
		t := c.f.Instr(c.i).Type
		a, b, amt := c.arg(0), c.arg(1), c.arg(2)
		if right {
			a, b = b, a
		}
		if c.typeOf(amt) != t {
			n, _ := c.constInt(amt)
			amt = c.int(t, n)
		}
		name := "llvm.fshl"
		if right {
			name = "llvm.fshr"
		}
		r := ir.Local(c.intrinsic(name, []ir.Type{t}, a, b, amt))
		if k := len(c.args()); k >= 4 {
			var src ir.Value
			switch {
			case k == 5:
				src = c.arg(3)
			case zero:
				src = c.null(t)
			default:
				src = c.arg(0)
			}
			r = c.maskSelect(c.arg(k-1), r, src)
		}
		return c.val(r)
	}
}

// name gives an instruction a name, with a number behind it where it is taken.
func (c *call) name(i ir.InstrID, base string) {
	if i == 0 {
		return
	}
	taken := c.u.namesOf(c.f)
	name := base
	for taken[name] {
		if c.u.unique == nil {
			c.u.unique = map[*ir.Function]int{}
		}
		c.u.unique[c.f]++
		name = base + itoa(c.u.unique[c.f])
	}
	taken[name] = true
	c.f.ValueNames[i] = name
}

// named names a value that is an instruction.
func (c *call) named(v ir.Value, base string) ir.Value {
	if v.IsLocal() {
		c.name(v.Instr(), base)
	}
	return v
}

// namesOf returns the names in a function, collected once.
func (u *upgrader) namesOf(f *ir.Function) map[string]bool {
	if n := u.names[f]; n != nil {
		return n
	}
	n := map[string]bool{}
	for _, s := range f.ValueNames {
		n[s] = true
	}
	for _, s := range f.BlockNames {
		n[s] = true
	}
	if u.names == nil {
		u.names = map[*ir.Function]map[string]bool{}
	}
	u.names[f] = n
	return n
}
