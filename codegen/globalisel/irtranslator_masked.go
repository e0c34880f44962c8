package globalisel

import (
	"github.com/mirin-go/mirin/codegen/callconv"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// masked translates masked loads, stores, gathers and scatters: a branch
// around the access of each element, for targets without such instructions.
func (t *translator) masked(i ir.InstrID, x ir.Intrinsic) {
	ops := t.fn.Ops(i)[:t.fn.NumArgOps(i)]
	list := t.mod.Attrs.At(t.fn.Instr(i).Attrs)
	align := uint64(1)
	// The alignment is an attribute of the pointer, or an argument in older modules.
	ptrArg := 0
	if x == ir.IntrMaskedStore || x == ir.IntrMaskedScatter {
		ptrArg = 1
	}
	if a, ok := list.Param(ptrArg).Get("align"); ok {
		align = max(a.Int, 1)
	}
	if len(ops) == 4 {
		k, _ := t.pool.SignedInt(t.types, ops[ptrArg+1])
		align = max(uint64(k), 1)
		ops = append(append([]ir.Value(nil), ops[:ptrArg+1]...), ops[ptrArg+2:]...)
	}
	load := x == ir.IntrMaskedLoad || x == ir.IntrMaskedGather
	var ptr, mask, val mir.Reg
	if load {
		ptr, mask, val = t.get1(ops[0]), t.get1(ops[1]), t.get1(ops[2])
	} else {
		val, ptr, mask = t.get1(ops[0]), t.get1(ops[1]), t.get1(ops[2])
	}
	vt := t.f.TypeOf(val)
	if t.err != nil {
		return
	}
	if !vt.IsVector() || vt.ScalarBits()%8 != 0 || !t.f.TypeOf(mask).IsVector() {
		t.fail("a masked access of this type")
		return
	}
	n, size := vt.NumElems(), int64(vt.ScalarBits()/8)
	it := mir.Scalar(t.pointerLLT(0).ScalarBits())
	for k := range n {
		idx := t.Const(it, int64(k))
		bit := t.New(mir.Scalar(1))
		t.Build(desc.G_EXTRACT_VECTOR_ELT, Def(bit), Use(mask), Use(idx))
		from := t.mb.Block
		do := t.newBlockAfter(from)
		next := t.newBlockAfter(do)
		t.Build(desc.G_BRCOND, Use(bit), mir.BlockOp(do))
		t.Build(desc.G_BR, mir.BlockOp(next))
		t.f.MergeSucc(from, do, mir.UnknownProb)
		t.f.MergeSucc(from, next, mir.UnknownProb)
		t.enterBlock(do)
		addr, off := ptr, int64(0)
		if t.f.TypeOf(ptr).IsVector() {
			addr = t.New(t.f.TypeOf(ptr).Elem())
			t.Build(desc.G_EXTRACT_VECTOR_ELT, Def(addr), Use(ptr), Use(t.Const(it, int64(k))))
		} else {
			off = int64(k) * size
			addr = t.partAddr(ptr, off)
		}
		m := mir.MemOperand{Type: vt.Elem(), Size: size, Offset: off, BaseAlign: min(log2(align), 12)}
		var merged mir.Reg
		if load {
			e := t.Load(vt.Elem(), addr, m)
			merged = t.New(vt)
			t.Build(desc.G_INSERT_VECTOR_ELT, Def(merged), Use(val), Use(e), Use(t.Const(it, int64(k))))
		} else {
			e := t.New(vt.Elem())
			t.Build(desc.G_EXTRACT_VECTOR_ELT, Def(e), Use(val), Use(t.Const(it, int64(k))))
			t.Store(e, addr, m)
		}
		t.Build(desc.G_BR, mir.BlockOp(next))
		t.f.MergeSucc(do, next, mir.UnknownProb)
		t.enterBlock(next)
		if load {
			v := t.New(vt)
			t.Build(desc.G_PHI, Def(v), Use(val), mir.BlockOp(from), Use(merged), mir.BlockOp(do))
			val = v
		}
	}
	if load {
		t.setRegs(i, []mir.Reg{val})
	}
}

// cttzElts counts the elements before the first that is not zero.
func (t *translator) cttzElts(i ir.InstrID) {
	v := t.get1(t.op(i, 0))
	vt := t.f.TypeOf(v)
	if !vt.IsVector() {
		t.fail("llvm.experimental.cttz.elts of one element")
		return
	}
	n := vt.NumElems()
	bits := mir.Vector(n, mir.Scalar(1))
	if vt != bits {
		zero := t.New(vt)
		t.ConstTo(zero, 0)
		v = t.ICmp(ir.ICmpNE, bits, v, zero)
	}
	it := mir.Scalar(n)
	whole := t.Un(desc.G_BITCAST, it, v)
	// One more bit stops the count at n.
	wide := mir.Scalar(n + 1)
	stop := t.WideConst(wide, bitWord(n))
	c := t.Un(desc.G_CTTZ_ZERO_UNDEF, wide, t.Bin(desc.G_OR, wide, t.Un(desc.G_ZEXT, wide, whole), stop))
	d := t.def(i)
	t.Copy(d, t.Resize(desc.G_ZEXT, t.f.TypeOf(d), c))
}

// bitWord is the number with bit n alone, in words.
func bitWord(n int) []uint64 {
	w := make([]uint64, n/64+1)
	w[n/64] = 1 << (n % 64)
	return w
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

// loadRelative translates llvm.load.relative: base + the 32-bit offset at base + off.
func (t *translator) loadRelative(i ir.InstrID) {
	base, off := t.get1(t.op(i, 0)), t.get1(t.op(i, 1))
	it := mir.Scalar(t.f.TypeOf(base).ScalarBits())
	p := t.PtrAdd(base, t.Resize(desc.G_SEXT, it, off))
	s32 := mir.Scalar(32)
	v := t.Load(s32, p, mir.MemOperand{Type: s32, Size: 4, BaseAlign: 2, Flags: mir.MemInvariant | mir.MemDereferenceable})
	t.Build(desc.G_PTR_ADD, Def(t.def(i)), Use(base), Use(t.Resize(desc.G_SEXT, it, v)))
}

// outCall translates an intrinsic with two results to a call of a C function
// that stores the second one where its last argument points to.
func (t *translator) outCall(i ir.InstrID, name string) {
	x := t.get1(t.op(i, 0))
	ty := t.typ(t.op(i, 0))
	parts := t.parts(t.fn.Instr(i).Type)
	if t.err != nil {
		return
	}
	if len(parts) != 2 || ty != ir.Float && ty != ir.Double {
		t.fail("intrinsic " + t.mod.Globals[t.fn.Callee(i).Global()].Name)
		return
	}
	if ty == ir.Float {
		name += "f"
	}
	rs := t.get(ir.Local(i))
	size := int64(parts[1].LLT.Bytes())
	fi := t.f.Frame.CreateStackObject(size, log2(uint64(size)), 0)
	addr := t.New(t.pointerLLT(0))
	t.Build(desc.G_FRAME_INDEX, Def(addr), mir.FrameOp(fi))
	c := target.CallInfo{Symbol: name, NumFixed: 2,
		Ret: callconv.Arg{Type: ty, Parts: []callconv.Part{{Type: ty, LLT: parts[0].LLT}}, Regs: rs[:1]},
		Args: []callconv.Arg{
			{Type: ty, Parts: []callconv.Part{{Type: ty, LLT: parts[0].LLT}}, Regs: []mir.Reg{x}},
			{Type: ir.Ptr, Parts: []callconv.Part{{Type: ir.Ptr, LLT: t.pointerLLT(0)}}, Regs: []mir.Reg{addr}},
		}}
	t.setErr(lowerCall(t.st, t.Builder, &c))
	t.LoadTo(rs[1], addr, mir.MemOperand{Type: parts[1].LLT, Size: size, Ptr: uint32(int32(fi)), PtrKind: mir.PtrFixedStack, BaseAlign: log2(uint64(size))})
}
