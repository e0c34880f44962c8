package globalisel

import (
	"github.com/mirin-go/mirin/codegen/callconv"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/iranalysis"
	"github.com/mirin-go/mirin/mir"
)

func (t *translator) pointerLLT(as uint32) mir.LLT {
	n := t.dl.Pointer(as).Bits
	if n > mir.MaxPointerBits {
		t.fail("a pointer of more than 65535 bits")
		n = 64
	}
	return mir.Pointer(as, int(n))
}

// parts lists the scalar leaves of a type, none for void.
func (t *translator) parts(ty ir.Type) []callconv.Part {
	if int(ty) >= len(t.leafs) {
		t.leafs = append(t.leafs, make([][]callconv.Part, t.types.Len()-len(t.leafs))...)
	}
	if p := t.leafs[ty]; p != nil || ty == ir.Void {
		return p
	}
	p := t.appendParts(nil, ty, 0)
	if t.err == nil {
		t.leafs[ty] = p
	}
	return p
}

// maxParts bounds the number of registers of one value.
const maxParts = 4096

func (t *translator) appendParts(p []callconv.Part, ty ir.Type, off int64) []callconv.Part {
	if len(p) > maxParts {
		t.fail("a first-class aggregate of more than 4096 parts")
	}
	if t.err != nil {
		return p
	}
	switch t.types.Kind(ty) {
	case ir.KindStruct:
		offs := t.dl.Struct(t.types, ty).Offsets
		for k, m := range t.types.Subtypes(ty) {
			p = t.appendParts(p, m, off+int64(offs[k]))
		}
		return p
	case ir.KindArray:
		elem := t.types.Elem(ty)
		size := int64(t.dl.SizeOf(t.types, elem))
		for k := range t.types.NumElems(ty) {
			p = t.appendParts(p, elem, off+int64(k)*size)
			if t.err != nil {
				break
			}
		}
		return p
	}
	if ty == ir.Void {
		return p
	}
	return append(p, callconv.Part{Type: ty, LLT: t.llt(ty), Offset: off})
}

// llt is the low-level type of a scalar or vector type; anything that Mirin
// does not translate is named and refused.
func (t *translator) llt(ty ir.Type) mir.LLT {
	switch t.types.Kind(ty) {
	case ir.KindInteger:
		if n := t.types.IntBits(ty); n <= 1<<15 {
			return mir.Scalar(n)
		}
		t.fail("an integer of more than 32768 bits")
	case ir.KindFloat, ir.KindDouble:
		return mir.Scalar(t.types.FloatBits(ty))
	case ir.KindHalf, ir.KindBFloat, ir.KindX86FP80, ir.KindFP128:
		if h := t.st.Target.ISel.HasFloat; h != nil && h(t.st, t.types.Kind(ty)) {
			return mir.Scalar(t.types.FloatBits(ty))
		}
		t.fail("type " + typeName(t.types, ty))
	case ir.KindPointer:
		return t.pointerLLT(t.types.AddrSpace(ty))
	case ir.KindVector:
		e, n := t.llt(t.types.Elem(ty)), t.types.NumElems(ty)
		switch {
		case n == 1:
			return e
		case n > 1<<12:
			t.fail("a vector of more than 4096 elements")
			return mir.Scalar(32)
		}
		return mir.Vector(int(n), e)
	default:
		t.fail("type " + typeName(t.types, ty))
	}
	return mir.Scalar(32)
}

// typeName names a type that is not supported.
func typeName(ts *ir.Types, ty ir.Type) string {
	switch ts.Kind(ty) {
	case ir.KindHalf:
		return "half"
	case ir.KindBFloat:
		return "bfloat"
	case ir.KindX86FP80:
		return "x86_fp80"
	case ir.KindFP128:
		return "fp128"
	case ir.KindPPCFP128:
		return "ppc_fp128"
	case ir.KindScalableVector:
		return "vscale"
	case ir.KindX86AMX:
		return "x86_amx"
	case ir.KindToken:
		return "token"
	case ir.KindMetadata:
		return "metadata"
	case ir.KindTargetExt:
		return "target(" + ts.StructName(ty) + ")"
	}
	return "without registers"
}

// get returns the registers of a value, one per part; constants are made in
// the entry block on first use.
func (t *translator) get(v ir.Value) []mir.Reg {
	switch v.Tag() {
	case ir.TagLocal:
		id := v.Instr()
		if t.local[id].n == 0 {
			t.local[id] = t.newRegs(t.fn.Instr(id).Type)
		}
		return t.of(t.local[id])
	case ir.TagConst:
		return t.constant(v.Const())
	case ir.TagGlobal:
		g := v.Global()
		if s, ok := t.global(g); ok {
			return t.of(s)
		}
		r := t.New(t.pointerLLT(t.mod.Globals[g].AddrSpace))
		s := span{uint32(len(t.regs)), 1}
		t.regs = append(t.regs, r)
		t.globals[g] = globalReg{t.stamp, s}
		t.entry.Build(desc.G_GLOBAL_VALUE, Def(r), mir.IndexOp(mir.OpGlobal, uint32(g), 0, 0))
		return t.of(s)
	}
	t.fail("a value that is no register as operand")
	return []mir.Reg{t.New(mir.Scalar(32))}
}

// get1 returns the register of a value with one part.
func (t *translator) get1(v ir.Value) mir.Reg {
	if rs := t.get(v); len(rs) == 1 {
		return rs[0]
	}
	t.fail("an aggregate as operand of a scalar operation")
	return t.New(mir.Scalar(32))
}

// def returns the register that instruction i defines.
func (t *translator) def(i ir.InstrID) mir.Reg { return t.get1(ir.Local(i)) }

func (t *translator) of(s span) []mir.Reg { return t.regs[s.off : s.off+s.n : s.off+s.n] }

// newRegs makes a register for each part of a type.
func (t *translator) newRegs(ty ir.Type) span {
	ps := t.parts(ty)
	s := span{uint32(len(t.regs)), uint32(len(ps))}
	for _, p := range ps {
		t.regs = append(t.regs, t.New(p.LLT))
	}
	return s
}

// setRegs makes registers that exist already the parts of instruction i.
func (t *translator) setRegs(i ir.InstrID, rs []mir.Reg) {
	s := span{uint32(len(t.regs)), uint32(len(rs))}
	t.regs = append(t.regs, rs...)
	t.local[i] = s
}

// constant returns the registers of a constant, made in the entry block.
func (t *translator) constant(c ir.ConstID) []mir.Reg {
	if int(c) >= len(t.consts) {
		t.consts = append(t.consts, make([]span, t.pool.Len()-len(t.consts))...)
	}
	if t.consts[c].n != 0 {
		return t.of(t.consts[c])
	}
	row := t.pool.At(c)
	var s span
	if t.types.IsAggregate(row.Type) {
		s = t.constAggregate(c, row)
	} else {
		s = t.newRegs(row.Type)
		if t.err == nil {
			t.constTo(t.regs[s.off], c)
		}
	}
	t.consts[c] = s
	return t.of(s)
}

// constAggregate collects the registers of an aggregate's elements.
func (t *translator) constAggregate(c ir.ConstID, row *ir.Const) span {
	var rs []mir.Reg
	switch row.Kind {
	case ir.ConstArray, ir.ConstStruct:
		for _, v := range t.pool.Ops(c) {
			rs = append(rs, t.get(v)...)
		}
	case ir.ConstUndef, ir.ConstPoison:
		s := t.newRegs(row.Type)
		for _, r := range t.of(s) {
			t.entry.Build(desc.G_IMPLICIT_DEF, Def(r))
		}
		return s
	case ir.ConstZero:
		for _, p := range t.parts(row.Type) {
			rs = append(rs, t.get1(t.zeroOf(p.Type)))
			if t.err != nil {
				break
			}
		}
	case ir.ConstData:
		elem := t.types.Elem(row.Type)
		data := t.pool.Data(c)
		n := int(t.dl.SizeInBits(t.types, elem) / 8)
		for off := 0; off+n <= len(data); off += n {
			bits := uint64(0)
			for k := n - 1; k >= 0; k-- {
				bits = bits<<8 | uint64(data[off+k])
			}
			id := ir.ConstID(0)
			if t.types.IsFloat(elem) {
				id = t.pool.FP(elem, bits)
			} else {
				id = t.pool.Int(elem, bits)
			}
			rs = append(rs, t.get1(ir.ConstVal(id)))
			data = t.pool.Data(c)
		}
	default:
		t.fail("an aggregate constant expression")
		return t.newRegs(row.Type)
	}
	s := span{uint32(len(t.regs)), uint32(len(rs))}
	t.regs = append(t.regs, rs...)
	return s
}

// zeroOf returns the zero constant of a scalar or vector type.
func (t *translator) zeroOf(ty ir.Type) ir.Value {
	p := t.pool
	switch t.types.Kind(ty) {
	case ir.KindInteger:
		if n := t.types.IntBits(ty); n > 64 {
			return ir.ConstVal(p.Plain(ir.ConstZero, ty))
		}
		return ir.ConstVal(p.Int(ty, 0))
	case ir.KindPointer:
		return ir.ConstVal(p.Plain(ir.ConstNull, ty))
	case ir.KindFloat, ir.KindDouble, ir.KindHalf, ir.KindBFloat:
		return ir.ConstVal(p.FP(ty, 0))
	case ir.KindX86FP80, ir.KindFP128:
		return ir.ConstVal(p.Wide(ir.ConstFP, ty, []uint64{0, 0}))
	}
	return ir.ConstVal(p.Plain(ir.ConstZero, ty))
}

// constTo makes a scalar or vector constant in register r of the entry block.
func (t *translator) constTo(r mir.Reg, c ir.ConstID) {
	b, row := t.entry, *t.pool.At(c)
	ty := t.f.TypeOf(r)
	switch row.Kind {
	case ir.ConstInt:
		if row.N == 0 {
			b.Build(desc.G_CONSTANT, Def(r), t.f.CImm(ty.ScalarBits(), row.Bits))
		} else {
			b.Build(desc.G_CONSTANT, Def(r), t.f.CImm(ty.ScalarBits(), t.pool.Words(c)...))
		}
	case ir.ConstFP:
		if row.N == 0 {
			b.Build(desc.G_FCONSTANT, Def(r), t.f.FPImm(row.Type, row.Bits, 0))
		} else {
			w := t.pool.Words(c)
			b.Build(desc.G_FCONSTANT, Def(r), t.f.FPImm(row.Type, w[0], w[1]))
		}
	case ir.ConstNull:
		b.ConstTo(r, 0)
	case ir.ConstUndef, ir.ConstPoison:
		b.Build(desc.G_IMPLICIT_DEF, Def(r))
	case ir.ConstZero:
		t.zeroTo(r, row.Type)
	case ir.ConstSplat:
		e := t.get1(t.pool.Ops(c)[0])
		if !ty.IsVector() {
			b.Copy(r, e)
			return
		}
		b.Splat(r, e)
	case ir.ConstVector:
		var es []mir.Reg
		for _, v := range t.pool.Ops(c) {
			es = append(es, t.get1(v))
		}
		b.Merge(r, es)
	case ir.ConstData:
		s := t.constAggregate(c, &row)
		b.Merge(r, t.of(s))
	case ir.ConstBlockAddr:
		if fn := t.mod.Globals[ir.GlobalID(row.Off)].Func; !pass.Scratch[iranalysis.Reached](t.c).Block(fn, ir.BlockID(row.Bits)) {
			b.ConstTo(r, 1) // no code is made for the block: LLVM's value for it
			return
		}
		t.f.BlockAddrs = append(t.f.BlockAddrs, mir.BlockAddr{Func: ir.GlobalID(row.Off), Block: ir.BlockID(row.Bits)})
		b.Build(desc.G_BLOCK_ADDR, Def(r), mir.IndexOp(mir.OpBlockAddr, uint32(len(t.f.BlockAddrs)-1), 0, 0))
	case ir.ConstExpr:
		t.constExpr(r, c, &row)
	case ir.ConstDSOLocalEquivalent, ir.ConstNoCFI:
		b.Copy(r, t.get1(t.pool.Ops(c)[0]))
	default:
		t.fail("a constant of this kind")
	}
}

// zeroTo makes zeroinitializer of a scalar or vector type.
func (t *translator) zeroTo(r mir.Reg, ty ir.Type) {
	b := t.entry
	elem := t.types.Scalar(ty)
	switch {
	case ty != elem && t.f.TypeOf(r).IsVector():
		b.Splat(r, t.get1(t.zeroOf(elem)))
	case t.types.IsFloat(elem):
		b.Build(desc.G_FCONSTANT, Def(r), t.f.FPImm(elem, 0, 0))
	default:
		b.ConstTo(r, 0)
	}
}

// constExpr translates a constant expression in the entry block.
func (t *translator) constExpr(r mir.Reg, c ir.ConstID, row *ir.Const) {
	b := t.entry
	ops := t.pool.Ops(c)
	op := func(n int) mir.Reg { return t.get1(ops[n]) }
	switch row.Op {
	case ir.OpGEP:
		if t.f.TypeOf(r).IsVector() {
			t.vectorGEP(r, c, row)
			return
		}
		off, ok := t.dl.ConstExprGEPOffset(t.mod, t.pool, c)
		if !ok {
			t.fail("a constant getelementptr with such indices")
			return
		}
		base := op(0)
		k := b.Const(mir.Scalar(t.dl.IndexBits(t.types.AddrSpace(row.Type))), off)
		b.Build(desc.G_PTR_ADD, Def(r), Use(base), Use(k))
	case ir.OpPtrToInt, ir.OpPtrToAddr:
		b.Build(desc.G_PTRTOINT, Def(r), Use(op(0)))
	case ir.OpIntToPtr:
		b.Build(desc.G_INTTOPTR, Def(r), Use(op(0)))
	case ir.OpAddrSpaceCast:
		b.Build(desc.G_ADDRSPACE_CAST, Def(r), Use(op(0)))
	case ir.OpBitCast:
		t.bitcast(b, r, op(0))
	case ir.OpTrunc:
		b.Build(desc.G_TRUNC, Def(r), Use(op(0)))
	case ir.OpAdd, ir.OpSub, ir.OpXor, ir.OpMul, ir.OpShl:
		x, y := op(0), op(1)
		b.Build(binaryOpcode(row.Op), Def(r), Use(x), Use(y))
	default:
		t.fail("a constant expression of this kind")
	}
}

// blockConst returns a constant made in the current block, once per block.
func (t *translator) blockConst(ty mir.LLT, v int64) mir.Reg {
	for k := len(t.curConst) - 1; k >= 0 && k >= len(t.curConst)-32; k-- {
		if c := &t.curConst[k]; c.t == ty && c.v == v {
			return c.r
		}
	}
	r := t.Const(ty, v)
	t.curConst = append(t.curConst, blockConst{ty, v, r})
	return r
}

// vectorGEP makes a constant vector of addresses, element by element.
func (t *translator) vectorGEP(r mir.Reg, c ir.ConstID, row *ir.Const) {
	b := t.entry
	ops := t.pool.Ops(c)
	n := t.f.TypeOf(r).NumElems()
	pt := t.f.TypeOf(r).Elem()
	base := t.get1(ops[0])
	if t.f.TypeOf(base).IsVector() {
		t.fail("a constant getelementptr of a vector of addresses")
		return
	}
	var lanes []mir.Reg
	idx := make([]int64, len(ops)-1)
	for k := range n {
		for j, o := range ops[1:] {
			v, ok := t.laneOf(o, k)
			if !ok {
				t.fail("a constant getelementptr with such indices")
				return
			}
			idx[j] = v
		}
		off, ok := t.dl.GEPOffset(t.types, row.SrcType, pt.AddrSpace(), idx)
		if !ok {
			t.fail("a constant getelementptr with such indices")
			return
		}
		lanes = append(lanes, b.PtrAddConst(base, off))
	}
	b.Merge(r, lanes)
}

// laneOf is element k of a constant integer or vector of them.
func (t *translator) laneOf(v ir.Value, k int) (int64, bool) {
	p := t.pool
	if n, ok := p.SignedInt(t.types, v); ok {
		return n, true
	}
	if v.Tag() != ir.TagConst {
		return 0, false
	}
	switch row := p.At(v.Const()); row.Kind {
	case ir.ConstZero:
		return 0, true
	case ir.ConstVector:
		return p.SignedInt(t.types, p.Ops(v.Const())[k])
	case ir.ConstSplat:
		return p.SignedInt(t.types, p.Ops(v.Const())[0])
	case ir.ConstData:
		n := t.types.IntBits(t.types.Elem(row.Type)) / 8
		bits := uint64(0)
		for j, x := range p.Data(v.Const())[k*n : (k+1)*n] {
			bits |= uint64(x) << (8 * j)
		}
		return signExtend(bits, 8*n), true
	}
	return 0, false
}
