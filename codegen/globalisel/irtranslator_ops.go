package globalisel

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// binaryOpcode is the generic opcode of an IR binary operation, PHI (0) for none.
func binaryOpcode(op ir.Op) desc.Opcode {
	switch op {
	case ir.OpAdd:
		return desc.G_ADD
	case ir.OpFAdd:
		return desc.G_FADD
	case ir.OpSub:
		return desc.G_SUB
	case ir.OpFSub:
		return desc.G_FSUB
	case ir.OpMul:
		return desc.G_MUL
	case ir.OpFMul:
		return desc.G_FMUL
	case ir.OpUDiv:
		return desc.G_UDIV
	case ir.OpSDiv:
		return desc.G_SDIV
	case ir.OpFDiv:
		return desc.G_FDIV
	case ir.OpURem:
		return desc.G_UREM
	case ir.OpSRem:
		return desc.G_SREM
	case ir.OpFRem:
		return desc.G_FREM
	case ir.OpShl:
		return desc.G_SHL
	case ir.OpLShr:
		return desc.G_LSHR
	case ir.OpAShr:
		return desc.G_ASHR
	case ir.OpAnd:
		return desc.G_AND
	case ir.OpOr:
		return desc.G_OR
	case ir.OpXor:
		return desc.G_XOR
	}
	return 0
}

// castOpcode is the generic opcode of a cast that changes the value.
func castOpcode(op ir.Op) desc.Opcode {
	switch op {
	case ir.OpTrunc:
		return desc.G_TRUNC
	case ir.OpZExt:
		return desc.G_ZEXT
	case ir.OpSExt:
		return desc.G_SEXT
	case ir.OpFPToUI:
		return desc.G_FPTOUI
	case ir.OpFPToSI:
		return desc.G_FPTOSI
	case ir.OpUIToFP:
		return desc.G_UITOFP
	case ir.OpSIToFP:
		return desc.G_SITOFP
	case ir.OpFPTrunc:
		return desc.G_FPTRUNC
	case ir.OpFPExt:
		return desc.G_FPEXT
	case ir.OpPtrToInt, ir.OpPtrToAddr:
		return desc.G_PTRTOINT
	case ir.OpIntToPtr:
		return desc.G_INTTOPTR
	case ir.OpAddrSpaceCast:
		return desc.G_ADDRSPACE_CAST
	}
	return 0
}

// miFlags are the machine flags that stand for IR flags.
func miFlags(fl ir.Flags) mir.MIFlags {
	if fl == 0 {
		return 0
	}
	var m mir.MIFlags
	for _, p := range [...]struct {
		ir ir.Flags
		mi mir.MIFlags
	}{
		{ir.NUW, mir.NoUWrap}, {ir.NSW, mir.NoSWrap}, {ir.Exact, mir.IsExact}, {ir.Disjoint, mir.Disjoint},
		{ir.NNeg, mir.NonNeg}, {ir.SameSign, mir.SameSign}, {ir.Reassoc, mir.FmReassoc}, {ir.NoNaNs, mir.FmNoNans},
		{ir.NoInfs, mir.FmNoInfs}, {ir.NoSignedZeros, mir.FmNsz}, {ir.AllowReciprocal, mir.FmArcp},
		{ir.Contract, mir.FmContract}, {ir.ApproxFunc, mir.FmAfn},
	} {
		if fl&p.ir != 0 {
			m |= p.mi
		}
	}
	return m
}

// gepFlags are the flags of the pointer additions of a getelementptr.
func gepFlags(fl ir.Flags) mir.MIFlags {
	var m mir.MIFlags
	if fl&ir.InBounds != 0 {
		m |= mir.InBounds | mir.NoUSWrap
	}
	if fl&ir.NUSW != 0 {
		m |= mir.NoUSWrap
	}
	if fl&ir.NUW != 0 {
		m |= mir.NoUWrap
	}
	return m
}

// op and typ are operand n of i and its type.
func (t *translator) op(i ir.InstrID, n int) ir.Value { return t.fn.Op(i, n) }

func (t *translator) typ(v ir.Value) ir.Type { return t.fn.TypeOf(v) }

// emit builds an instruction and gives it flags.
func (t *translator) emit(fl mir.MIFlags, op desc.Opcode, ops ...mir.Operand) mir.InstrID {
	i := t.Build(op, ops...)
	if fl != 0 {
		t.f.Instr(i).SetFlags(fl)
	}
	return i
}

// instr translates one instruction.
func (t *translator) instr(i ir.InstrID) {
	in := t.fn.Instr(i)
	if t.usesBFloat(i) && t.bfloatInstr(i) {
		return
	}
	switch op := in.Op; op {
	case ir.OpRet:
		t.ret(i)
	case ir.OpBr:
		t.br(i)
	case ir.OpSwitch:
		t.switchInstr(i)
	case ir.OpIndirectBr:
		t.indirectBr(i)
	case ir.OpUnreachable:
		// At -O0 LLVM lets the block end; -trap-unreachable is not offered.
	case ir.OpAdd, ir.OpFAdd, ir.OpSub, ir.OpFSub, ir.OpMul, ir.OpFMul, ir.OpUDiv, ir.OpSDiv, ir.OpFDiv,
		ir.OpURem, ir.OpSRem, ir.OpFRem, ir.OpShl, ir.OpLShr, ir.OpAShr, ir.OpAnd, ir.OpOr, ir.OpXor:
		x, y := t.get1(t.op(i, 0)), t.get1(t.op(i, 1))
		t.emit(miFlags(in.Flags), binaryOpcode(op), Def(t.def(i)), Use(x), Use(y))
	case ir.OpFNeg:
		x := t.get1(t.op(i, 0))
		t.emit(miFlags(in.Flags), desc.G_FNEG, Def(t.def(i)), Use(x))
	case ir.OpTrunc, ir.OpZExt, ir.OpSExt, ir.OpFPToUI, ir.OpFPToSI, ir.OpUIToFP, ir.OpSIToFP, ir.OpFPTrunc,
		ir.OpFPExt, ir.OpPtrToInt, ir.OpPtrToAddr, ir.OpIntToPtr, ir.OpAddrSpaceCast:
		x := t.get1(t.op(i, 0))
		t.emit(miFlags(in.Flags), castOpcode(op), Def(t.def(i)), Use(x))
	case ir.OpBitCast:
		x, d := t.get1(t.op(i, 0)), t.def(i)
		if t.hoisted(i) {
			t.Build(desc.G_CONSTANT_FOLD_BARRIER, Def(d), Use(x))
			return
		}
		t.bitcast(t.Builder, d, x)
	case ir.OpICmp, ir.OpFCmp:
		t.compare(i)
	case ir.OpSelect:
		t.selectInstr(i)
	case ir.OpFreeze:
		src := t.get(t.op(i, 0))
		for k, d := range t.get(ir.Local(i)) {
			t.Build(desc.G_FREEZE, Def(d), Use(src[k]))
		}
	case ir.OpPhi:
		t.phi(i)
	case ir.OpGEP:
		t.gep(i)
	case ir.OpExtractValue, ir.OpInsertValue:
		t.aggregate(i)
	case ir.OpExtractElement, ir.OpInsertElement, ir.OpShuffleVector:
		t.vector(i)
	case ir.OpAlloca:
		t.alloca(i)
	case ir.OpLoad:
		t.load(i)
	case ir.OpStore:
		t.store(i)
	case ir.OpFence:
		scope := int64(1)
		if t.fn.Module.SyncScopes()[in.Scope] == "singlethread" { // other names are as wide as the system, or wider than one thread
			scope = 0
		}
		t.Build(desc.G_FENCE, mir.ImmOp(int64(in.Order)), mir.ImmOp(scope))
	case ir.OpAtomicRMW:
		t.atomicRMW(i)
	case ir.OpCmpXchg:
		t.cmpXchg(i)
	case ir.OpVAArg:
		p := t.get1(t.op(i, 0))
		al := int64(t.dl.ABIAlign(t.types, in.Type))
		if t.types.IsFloat(in.Type) {
			al = -al // low-level types do not tell; the target must know
		}
		t.Build(desc.G_VAARG, Def(t.def(i)), Use(p), mir.ImmOp(al))
	case ir.OpCall:
		t.call(i)
	case ir.OpInvoke:
		t.invoke(i)
	case ir.OpLandingPad:
		t.landingPad(i)
	case ir.OpResume:
		t.resume(i)
	case ir.OpCleanupRet, ir.OpCatchRet, ir.OpCatchSwitch, ir.OpCleanupPad, ir.OpCatchPad:
		t.fail("exception handling by funclets")
	case ir.OpCallBr:
		t.callBr(i)
	default:
		t.fail("an instruction of this kind")
	}
}

// bitcast makes dst = src of the same size: a copy when the low-level types agree.
func (t *translator) bitcast(b Builder, dst, src mir.Reg) {
	if t.f.TypeOf(dst) == t.f.TypeOf(src) {
		b.Copy(dst, src)
		return
	}
	b.Build(desc.G_BITCAST, Def(dst), Use(src))
}

// hoisted reports what consthoist makes: a bitcast of an integer constant, which
// its users are not to see.
func (t *translator) hoisted(i ir.InstrID) bool {
	c := t.op(i, 0).Const()
	if c == 0 || t.st.Target.ISel.Prepare.ImmCost == nil || t.pool.At(c).Kind != ir.ConstInt || t.pool.At(c).Type != t.fn.Instr(i).Type {
		return false
	}
	switch t.types.IntBits(t.pool.At(c).Type) {
	case 8, 16, 32, 64:
		return true
	}
	return false
}

func (t *translator) compare(i ir.InstrID) {
	in := t.fn.Instr(i)
	x, y := t.get1(t.op(i, 0)), t.get1(t.op(i, 1))
	d := t.def(i)
	switch {
	case in.Op == ir.OpICmp:
		t.emit(miFlags(in.Flags), desc.G_ICMP, Def(d), mir.PredOp(uint8(in.Pred)), Use(x), Use(y))
	case in.Pred == ir.FCmpFalse:
		t.ConstTo(d, 0)
	case in.Pred == ir.FCmpTrue:
		t.ConstTo(d, -1)
	default:
		t.emit(miFlags(in.Flags), desc.G_FCMP, Def(d), mir.PredOp(uint8(in.Pred)), Use(x), Use(y))
	}
}

func (t *translator) selectInstr(i ir.InstrID) {
	c := t.get1(t.op(i, 0))
	ds, xs, ys := t.get(ir.Local(i)), t.get(t.op(i, 1)), t.get(t.op(i, 2))
	if t.err != nil {
		// Values of a type that is refused have no parts after the first.
		return
	}
	fl := miFlags(t.fn.Instr(i).Flags)
	for k := range ds {
		t.emit(fl, desc.G_SELECT, Def(ds[k]), Use(c), Use(xs[k]), Use(ys[k]))
	}
}

func (t *translator) phi(i ir.InstrID) {
	p := pendingPhi{phi: i, block: t.mb.Block}
	for k, d := range t.get(ir.Local(i)) {
		m := t.emit(miFlags(t.fn.Instr(i).Flags), desc.G_PHI, Def(d))
		if k == 0 {
			p.first = m
		}
	}
	if p.first != 0 {
		t.phis = append(t.phis, p)
	}
}

// gep adds up constant offsets and adds each variable index as it comes.
func (t *translator) gep(i ir.InstrID) {
	in := t.fn.Instr(i)
	fl := gepFlags(in.Flags)
	base := t.get1(t.op(i, 0))
	pt := t.f.TypeOf(base)
	it := mir.Scalar(t.dl.IndexBits(pt.AddrSpace()))
	// A vector of addresses: what is scalar stands for all elements.
	spread := func(r mir.Reg) mir.Reg { return r }
	if t.types.IsVector(in.Type) && t.types.NumElems(in.Type) > 1 {
		n := int(t.types.NumElems(in.Type))
		pt, it = mir.Vector(n, pt.Elem()), mir.Vector(n, it)
		spread = func(r mir.Reg) mir.Reg {
			if t.f.TypeOf(r).IsVector() {
				return r
			}
			v := t.New(mir.Vector(n, t.f.TypeOf(r)))
			t.Splat(v, r)
			return v
		}
		base = spread(base)
	}
	ptrAdd := func(r mir.Reg, off mir.Reg, fl mir.MIFlags) mir.Reg {
		d := t.New(pt)
		t.emit(fl, desc.G_PTR_ADD, Def(d), Use(r), Use(off))
		return d
	}
	// A constant that is not negative makes "nusw" into "nuw" as well.
	constFlags := func(off int64) mir.MIFlags {
		if off >= 0 && fl&mir.NoUSWrap != 0 {
			return fl | mir.NoUWrap
		}
		return fl
	}
	off, ty := int64(0), in.SrcType
	for n := 1; n < t.fn.NumOps(i); n++ {
		idx := t.op(i, n)
		k, isConst := t.pool.SignedInt(t.types, idx)
		if n > 1 && t.types.Kind(ty) == ir.KindStruct {
			o, elem, ok := t.dl.ElemOffset(t.types, ty, k)
			if !ok || !isConst {
				t.fail("a getelementptr with such indices")
				return
			}
			off, ty = off+o, elem
			continue
		}
		if n > 1 {
			ty = t.types.Elem(ty)
		}
		size := int64(t.dl.SizeOf(t.types, ty))
		if isConst {
			off += k * size
			continue
		}
		if t.dl.IsScalable(t.types, ty) {
			t.fail("type vscale")
			return
		}
		if off != 0 {
			base = ptrAdd(base, t.blockConst(it, off), constFlags(off))
			off = 0
		}
		r := t.Resize(desc.G_SEXT, it, spread(t.get1(idx)))
		if size != 1 {
			c := t.blockConst(it, size)
			m := t.New(it)
			var mf mir.MIFlags
			if fl&mir.NoUSWrap != 0 {
				mf |= mir.NoSWrap
			}
			if fl&mir.NoUWrap != 0 {
				mf |= mir.NoUWrap
			}
			t.emit(mf, desc.G_MUL, Def(m), Use(r), Use(c))
			r = m
		}
		base = ptrAdd(base, r, fl)
	}
	if off != 0 {
		c := t.blockConst(it, off)
		t.emit(constFlags(off), desc.G_PTR_ADD, Def(t.def(i)), Use(base), Use(c))
		return
	}
	t.Copy(t.def(i), base)
}

// partIndex is the number of parts before the element that indices name.
func (t *translator) partIndex(ty ir.Type, idx []int64) (first, n int) {
	for _, k := range idx {
		if t.types.Kind(ty) == ir.KindStruct {
			m := t.types.Subtypes(ty)
			for _, x := range m[:k] {
				first += len(t.parts(x))
			}
			ty = m[k]
			continue
		}
		ty = t.types.Elem(ty)
		first += int(k) * len(t.parts(ty))
	}
	return first, len(t.parts(ty))
}

// aggregate translates extractvalue and insertvalue, which only rename registers.
func (t *translator) aggregate(i ir.InstrID) {
	in := t.fn.Instr(i)
	src := t.op(i, 0)
	idx := t.fn.Extras[in.Extra].Ints
	first, n := t.partIndex(t.typ(src), idx)
	rs := t.get(src)
	if t.err != nil {
		return
	}
	if in.Op == ir.OpExtractValue {
		t.setRegs(i, rs[first:first+n])
		return
	}
	out := append([]mir.Reg(nil), rs...)
	copy(out[first:first+n], t.get(t.op(i, 1)))
	t.setRegs(i, out)
}

// vector translates the operations on elements of vectors.
func (t *translator) vector(i ir.InstrID) {
	in := t.fn.Instr(i)
	switch in.Op {
	case ir.OpExtractElement:
		v, k := t.get1(t.op(i, 0)), t.elemIndex(t.op(i, 1))
		d := t.def(i)
		if !t.f.TypeOf(v).IsVector() {
			t.Copy(d, v)
			return
		}
		t.Build(desc.G_EXTRACT_VECTOR_ELT, Def(d), Use(v), Use(k))
	case ir.OpInsertElement:
		v, x, k := t.get1(t.op(i, 0)), t.get1(t.op(i, 1)), t.elemIndex(t.op(i, 2))
		d := t.def(i)
		if !t.f.TypeOf(v).IsVector() {
			t.Copy(d, x)
			return
		}
		t.Build(desc.G_INSERT_VECTOR_ELT, Def(d), Use(v), Use(x), Use(k))
	case ir.OpShuffleVector:
		t.shuffle(i)
	}
}

// shuffle translates shufflevector. Vectors of one element are scalars here, so
// a shuffle of them builds a vector, and one to them takes an element.
func (t *translator) shuffle(i ir.InstrID) {
	x, y := t.get1(t.op(i, 0)), t.get1(t.op(i, 1))
	mask := t.fn.Extras[t.fn.Instr(i).Extra].Ints
	d := t.def(i)
	ty := t.f.TypeOf(x)
	switch {
	case len(mask) == 1 && mask[0] < 0:
		t.Build(desc.G_IMPLICIT_DEF, Def(d))
	case len(mask) == 1 && !ty.IsVector():
		t.Copy(d, [2]mir.Reg{x, y}[mask[0]])
	case len(mask) == 1:
		n := int64(ty.NumElems())
		k := t.get1(ir.ConstVal(t.pool.Int(t.types.Int(t.pointerLLT(0).ScalarBits()), uint64(mask[0]%n))))
		t.Build(desc.G_EXTRACT_VECTOR_ELT, Def(d), Use([2]mir.Reg{x, y}[mask[0]/n]), Use(k))
	case !ty.IsVector():
		elems := [3]mir.Reg{x, y}
		ops := make([]mir.Operand, 1, len(mask)+1)
		ops[0] = Def(d)
		for _, m := range mask {
			if m < 0 {
				if m = 2; elems[m] == 0 {
					elems[m] = t.f.AddGenericVReg(ty)
					t.Build(desc.G_IMPLICIT_DEF, Def(elems[m]))
				}
			}
			ops = append(ops, Use(elems[m]))
		}
		t.Build(desc.G_BUILD_VECTOR, ops...)
	default:
		lanes := make([]int32, len(mask))
		for k, n := range mask {
			lanes[k] = int32(n)
		}
		t.f.ShuffleMasks = append(t.f.ShuffleMasks, lanes)
		t.Build(desc.G_SHUFFLE_VECTOR, Def(d), Use(x), Use(y), mir.IndexOp(mir.OpShuffleMask, uint32(len(t.f.ShuffleMasks)-1), 0, 0))
	}
}

// elemIndex gives the register of an element's number, as wide as a pointer.
func (t *translator) elemIndex(v ir.Value) mir.Reg {
	it := mir.Scalar(t.pointerLLT(0).ScalarBits())
	if k, ok := t.pool.SignedInt(t.types, v); ok {
		if n := t.types.IntBits(t.typ(v)); n < 64 {
			k = int64(uint64(k) & lowMask(n)) // unsigned
		}
		return t.get1(ir.ConstVal(t.pool.Int(t.types.Int(it.ScalarBits()), uint64(k))))
	}
	return t.Resize(desc.G_ZEXT, it, t.get1(v))
}
