package globalisel

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/callconv"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// call translates a call: intrinsics to instructions, all others through the
// target's call lowering.
func (t *translator) call(i ir.InstrID) {
	callee := t.fn.Callee(i)
	if t.checkCall(i); t.err != nil {
		return
	}
	if callee.Tag() == ir.TagInlineAsm {
		if l := t.inlineAsm(i, callee.Index()); l != nil {
			l.results(t.get(ir.Local(i)))
		}
		return
	}
	if intr := t.fn.IntrinsicOf(i); intr != ir.NotIntrinsic {
		t.intrinsic(i, intr)
		return
	}
	t.plainCall(i, callee)
}

// returnsResult reports that the function does nothing after call i but return
// its result, extended as the call's is, or nothing.
func (t *translator) returnsResult(i ir.InstrID, attrs ir.AttrSet) bool {
	fn := t.mod.Attrs.At(t.fn.Global().Attrs)
	if a, ok := fn.Fn.Get("disable-tail-calls"); ok && a.Value == "true" {
		return false
	}
	r := t.fn.Instr(i).Next
	if t.fn.Instr(r).Op != ir.OpRet {
		return false
	}
	return t.fn.NumOps(r) == 0 || t.op(r, 0) == ir.Local(i) && ExtensionOf(attrs) == ExtensionOf(fn.Ret)
}

func (t *translator) plainCall(i ir.InstrID, callee ir.Value) {
	in := t.fn.Instr(i)
	list := t.mod.Attrs.At(in.Attrs)
	c := &t.plain
	*c = target.CallInfo{Args: c.Args[:0], IR: i, CC: in.CC, Tail: in.Flags&(ir.TailCall|ir.MustTail) != 0, MustTail: in.Flags&ir.MustTail != 0,
		NoReturn: list.Fn.Has("noreturn"), StructReturn: t.structReturn != 0}
	var declID ir.AttrListID
	if g := t.aliasee(callee.Global()); g != 0 {
		c.Global = callee.Global()
		if fg := t.mod.Globals[g]; fg.Kind == ir.GlobalFunc && fg.ValueType == in.SrcType {
			declID = fg.Attrs
		}
	} else if callee.Tag() == ir.TagLibrary {
		c.Symbol = ir.LibFunc(callee.Index()).Name()
	} else {
		c.Reg = t.get1(callee)
	}
	c.VarArg = t.types.IsVarArg(in.SrcType)
	ret := t.parts(in.Type)
	if t.err != nil {
		return
	}
	if t.checkCallee(c.Global, declID); t.err != nil {
		return
	}
	sig := t.signature(i, declID, ret)
	decl := t.mod.Attrs.At(declID)
	slot := -1
	if len(ret) > 0 {
		c.Ret = callconv.Arg{Type: in.Type, Parts: ret, Value: ir.Local(i)}
		inRegs := false
		if sig != nil {
			c.Ret.Attrs, inRegs = sig.ret, sig.inRegs
		} else {
			c.Ret.Attrs, inRegs = mergeAttrs(list.Ret, decl, -1), t.calls.canLowerReturn(t.st, t.types, ret, in.CC)
		}
		if inRegs {
			c.Ret.Regs = t.get(ir.Local(i))
		} else if c.MustTail && t.demote != 0 {
			// The callee writes where this function's caller wants the result.
			c.Args = append(c.Args, t.hiddenResult(t.demote, in.Type))
			c.Ret = callconv.Arg{Type: ir.Void}
		} else {
			if s := t.st.Call.NoHiddenCall; s != "" {
				t.setErr(t.st.Refusal(t.f, t.mb.Loc, s))
				return
			}
			slot = t.f.Frame.CreateStackObject(int64(t.dl.SizeOf(t.types, in.Type)), log2(t.dl.PrefAlign(t.types, in.Type)), 0)
			addr := t.New(t.pointerLLT(0))
			t.Build(desc.G_FRAME_INDEX, Def(addr), mir.FrameOp(slot))
			c.Args = append(c.Args, t.hiddenResult(addr, in.Type))
			c.Ret = callconv.Arg{Type: ir.Void}
		}
	}
	hidden := len(c.Args)
	c.AtEnd = c.Tail && slot < 0 && t.demote == 0 && t.returnsResult(i, c.Ret.Attrs)
	c.Sibling = c.AtEnd && t.c.Opt > 0
	for n := range t.fn.NumArgOps(i) {
		v := t.op(i, n)
		ty := t.typ(v)
		if ty == ir.Metadata {
			t.fail("a metadata argument")
			return
		}
		a := callconv.Arg{Type: ty, Parts: t.parts(ty), Regs: t.get(v), Value: v}
		if sig != nil {
			a.Attrs = sig.params[n]
		} else {
			a.Attrs = mergeAttrs(list.Param(n), decl, n)
		}
		c.Args = append(c.Args, a)
	}
	c.NumFixed = len(t.types.Subtypes(in.SrcType)) + hidden
	if hidden > 0 {
		sig = nil // its arguments are not those of the others
	}
	if t.err != nil {
		return
	}
	if list.Fn.Has("returns_twice") || decl.Fn.Has("returns_twice") {
		t.f.ExposesReturnsTwice = true
	}
	t.setErr(t.calls.call(t.st, t.Builder, c, sig))
	if t.err != nil || slot < 0 {
		t.tailed = c.Tailed
		return
	}
	rs := t.get(ir.Local(i))
	addr := c.Args[0].Regs[0]
	for k, p := range ret {
		m := mir.MemOperand{Type: p.LLT, Size: int64(p.LLT.Bytes()), Offset: p.Offset, Ptr: uint32(int32(slot)), PtrKind: mir.PtrFixedStack,
			BaseAlign: t.f.Frame.Object(slot).Align}
		t.LoadTo(rs[k], t.partAddr(addr, p.Offset), m)
	}
}

// aliasee follows aliases to what they name; 0 when v is no global.
func (t *translator) aliasee(g ir.GlobalID) ir.GlobalID {
	for range 16 {
		if g == 0 || t.mod.Globals[g].Kind != ir.GlobalAlias || t.mod.Globals[g].Init.Tag() != ir.TagGlobal {
			break
		}
		g = t.mod.Globals[g].Init.Global()
	}
	return g
}

// mergeAttrs joins the attributes of a call site with those of the callee's
// declaration; n is the parameter, -1 the result.
func mergeAttrs(site ir.AttrSet, decl *ir.AttrList, n int) ir.AttrSet {
	if decl == nil {
		return site
	}
	d := decl.Ret
	if n >= 0 {
		d = decl.Param(n)
	}
	if len(d) == 0 {
		return site
	}
	if len(site) == 0 {
		return d
	}
	if !slices.ContainsFunc(d, func(a ir.Attr) bool { return !site.Has(a.Key) }) {
		return site // which is asked first
	}
	return append(append(make(ir.AttrSet, 0, len(site)+len(d)), site...), d...)
}

// simpleIntrinsics are the intrinsics that are one generic instruction over
// their arguments and results, one to one.
func simpleIntrinsic(x ir.Intrinsic) desc.Opcode {
	switch x {
	case ir.IntrSaddWithOverflow:
		return desc.G_SADDO
	case ir.IntrUaddWithOverflow:
		return desc.G_UADDO
	case ir.IntrSsubWithOverflow:
		return desc.G_SSUBO
	case ir.IntrUsubWithOverflow:
		return desc.G_USUBO
	case ir.IntrSmulWithOverflow:
		return desc.G_SMULO
	case ir.IntrUmulWithOverflow:
		return desc.G_UMULO
	case ir.IntrSaddSat:
		return desc.G_SADDSAT
	case ir.IntrUaddSat:
		return desc.G_UADDSAT
	case ir.IntrSsubSat:
		return desc.G_SSUBSAT
	case ir.IntrUsubSat:
		return desc.G_USUBSAT
	case ir.IntrSshlSat:
		return desc.G_SSHLSAT
	case ir.IntrUshlSat:
		return desc.G_USHLSAT
	case ir.IntrCtpop:
		return desc.G_CTPOP
	case ir.IntrBswap:
		return desc.G_BSWAP
	case ir.IntrBitreverse:
		return desc.G_BITREVERSE
	case ir.IntrFshl:
		return desc.G_FSHL
	case ir.IntrFshr:
		return desc.G_FSHR
	case ir.IntrSmax:
		return desc.G_SMAX
	case ir.IntrSmin:
		return desc.G_SMIN
	case ir.IntrUmax:
		return desc.G_UMAX
	case ir.IntrUmin:
		return desc.G_UMIN
	case ir.IntrScmp:
		return desc.G_SCMP
	case ir.IntrUcmp:
		return desc.G_UCMP
	case ir.IntrFabs:
		return desc.G_FABS
	case ir.IntrSqrt:
		return desc.G_FSQRT
	case ir.IntrFloor:
		return desc.G_FFLOOR
	case ir.IntrCeil:
		return desc.G_FCEIL
	case ir.IntrTrunc:
		return desc.G_INTRINSIC_TRUNC
	case ir.IntrRint:
		return desc.G_FRINT
	case ir.IntrNearbyint:
		return desc.G_FNEARBYINT
	case ir.IntrRound:
		return desc.G_INTRINSIC_ROUND
	case ir.IntrRoundeven:
		return desc.G_INTRINSIC_ROUNDEVEN
	case ir.IntrLround:
		return desc.G_LROUND
	case ir.IntrLlround:
		return desc.G_LLROUND
	case ir.IntrLrint:
		return desc.G_INTRINSIC_LRINT
	case ir.IntrLlrint:
		return desc.G_INTRINSIC_LLRINT
	case ir.IntrCopysign:
		return desc.G_FCOPYSIGN
	case ir.IntrMinnum:
		return desc.G_FMINNUM
	case ir.IntrMaxnum:
		return desc.G_FMAXNUM
	case ir.IntrMinimum:
		return desc.G_FMINIMUM
	case ir.IntrMaximum:
		return desc.G_FMAXIMUM
	case ir.IntrMinimumnum:
		return desc.G_FMINIMUMNUM
	case ir.IntrMaximumnum:
		return desc.G_FMAXIMUMNUM
	case ir.IntrFma:
		return desc.G_FMA
	case ir.IntrPow:
		return desc.G_FPOW
	case ir.IntrPowi:
		return desc.G_FPOWI
	case ir.IntrExp:
		return desc.G_FEXP
	case ir.IntrExp2:
		return desc.G_FEXP2
	case ir.IntrExp10:
		return desc.G_FEXP10
	case ir.IntrLog:
		return desc.G_FLOG
	case ir.IntrLog2:
		return desc.G_FLOG2
	case ir.IntrLog10:
		return desc.G_FLOG10
	case ir.IntrSin:
		return desc.G_FSIN
	case ir.IntrCos:
		return desc.G_FCOS
	case ir.IntrTan:
		return desc.G_FTAN
	case ir.IntrAsin:
		return desc.G_FASIN
	case ir.IntrAcos:
		return desc.G_FACOS
	case ir.IntrAtan:
		return desc.G_FATAN
	case ir.IntrAtan2:
		return desc.G_FATAN2
	case ir.IntrSinh:
		return desc.G_FSINH
	case ir.IntrCosh:
		return desc.G_FCOSH
	case ir.IntrTanh:
		return desc.G_FTANH
	case ir.IntrLdexp:
		return desc.G_FLDEXP
	case ir.IntrCanonicalize:
		return desc.G_FCANONICALIZE
	case ir.IntrFptosiSat:
		return desc.G_FPTOSI_SAT
	case ir.IntrFptouiSat:
		return desc.G_FPTOUI_SAT
	case ir.IntrPtrmask:
		return desc.G_PTRMASK
	case ir.IntrReadcyclecounter:
		return desc.G_READCYCLECOUNTER
	case ir.IntrStacksave:
		return desc.G_STACKSAVE
	case ir.IntrStackrestore:
		return desc.G_STACKRESTORE
	case ir.IntrTrap:
		return desc.G_TRAP
	case ir.IntrDebugtrap:
		return desc.G_DEBUGTRAP
	case ir.IntrVectorReduceAdd:
		return desc.G_VECREDUCE_ADD
	case ir.IntrVectorReduceMul:
		return desc.G_VECREDUCE_MUL
	case ir.IntrVectorReduceAnd:
		return desc.G_VECREDUCE_AND
	case ir.IntrVectorReduceOr:
		return desc.G_VECREDUCE_OR
	case ir.IntrVectorReduceXor:
		return desc.G_VECREDUCE_XOR
	case ir.IntrVectorReduceSmax:
		return desc.G_VECREDUCE_SMAX
	case ir.IntrVectorReduceSmin:
		return desc.G_VECREDUCE_SMIN
	case ir.IntrVectorReduceUmax:
		return desc.G_VECREDUCE_UMAX
	case ir.IntrVectorReduceUmin:
		return desc.G_VECREDUCE_UMIN
	case ir.IntrVectorReduceFadd:
		return desc.G_VECREDUCE_SEQ_FADD
	case ir.IntrVectorReduceFmul:
		return desc.G_VECREDUCE_SEQ_FMUL
	case ir.IntrVectorReduceFmax:
		return desc.G_VECREDUCE_FMAX
	case ir.IntrVectorReduceFmin:
		return desc.G_VECREDUCE_FMIN
	}
	return 0
}

// intrinsic translates a call of an intrinsic.
func (t *translator) intrinsic(i ir.InstrID, x ir.Intrinsic) {
	in := *t.fn.Instr(i)
	if op := simpleIntrinsic(x); op != 0 {
		if t.usesBFloat(i) && t.bfloatIntrinsic(i, op, miFlags(in.Flags)) {
			return
		}
		var args [4]mir.Reg
		n := t.fn.NumArgOps(i)
		for k := range n {
			args[k] = t.get1(t.op(i, k))
		}
		m := t.emit(miFlags(in.Flags), op)
		for _, d := range t.get(ir.Local(i)) {
			t.f.AddOp(m, Def(d))
		}
		for k := range n {
			t.f.AddOp(m, Use(args[k]))
		}
		return
	}
	if op := constrainedOp(x); op != 0 {
		t.constrained(i, x, op)
		return
	}
	switch x {
	case ir.IntrMemcpy, ir.IntrMemmove, ir.IntrMemcpyInline, ir.IntrMemset, ir.IntrMemsetInline:
		t.memIntrinsic(i, x)
	case ir.IntrDbgDeclare, ir.IntrDbgValue, ir.IntrDbgLabel, ir.IntrDbgAssign,
		ir.IntrInvariantEnd, ir.IntrAssume, ir.IntrDonothing, ir.IntrSideeffect,
		ir.IntrPseudoprobe, ir.IntrExperimentalNoaliasScopeDecl, ir.IntrVarAnnotation, ir.IntrCodeviewAnnotation, ir.IntrFakeUse, ir.IntrVaEnd:
		// Nothing to execute.
	case ir.IntrLifetimeStart, ir.IntrLifetimeEnd:
		t.lifetime(i, x == ir.IntrLifetimeStart)
	case ir.IntrCallbrLandingpad:
		t.callBrLanding(i)
	case ir.IntrEhTypeidFor:
		t.ConstTo(t.def(i), int64(t.landingPads().TypeID(t.op(i, 0))))
	case ir.IntrInvariantStart:
		t.Build(desc.G_IMPLICIT_DEF, Def(t.def(i)))
	case ir.IntrExpect, ir.IntrExpectWithProbability, ir.IntrLaunderInvariantGroup, ir.IntrStripInvariantGroup, ir.IntrSsaCopy,
		ir.IntrAnnotation, ir.IntrPtrAnnotation, ir.IntrArithmeticFence, ir.IntrThreadlocalAddress:
		t.setRegs(i, t.get(t.op(i, 0)))
	case ir.IntrCtlz, ir.IntrCttz, ir.IntrAbs:
		t.zeroPoison(i, x)
	case ir.IntrFmuladd:
		a, b, c := t.get1(t.op(i, 0)), t.get1(t.op(i, 1)), t.get1(t.op(i, 2))
		if t.isBFloat(in.Type) {
			a, b, c = t.fromBFloat(a), t.fromBFloat(b), t.fromBFloat(c)
			w := t.New(t.Type(a))
			t.emit(miFlags(in.Flags), desc.G_FADD, Def(w), Use(t.Bin(desc.G_FMUL, t.Type(a), a, b)), Use(c))
			t.toBFloat(t.def(i), w)
			return
		}
		lt := t.f.TypeOf(a)
		m := t.New(lt)
		t.emit(miFlags(in.Flags), desc.G_FMUL, Def(m), Use(a), Use(b))
		t.emit(miFlags(in.Flags), desc.G_FADD, Def(t.def(i)), Use(m), Use(c))
	case ir.IntrIsConstant, ir.IntrAllowRuntimeCheck, ir.IntrAllowUbsanCheck:
		v := int64(1)
		if x == ir.IntrIsConstant {
			v = t.isConstant(t.op(i, 0))
		}
		t.ConstTo(t.def(i), v)
	case ir.IntrObjectsize:
		v := int64(-1)
		if k, _ := t.pool.SignedInt(t.types, t.op(i, 1)); k != 0 {
			v = 0
		}
		t.ConstTo(t.def(i), v)
	case ir.IntrUbsantrap:
		k, _ := t.pool.SignedInt(t.types, t.op(i, 0))
		t.Build(desc.G_UBSANTRAP, mir.ImmOp(k))
	case ir.IntrPrefetch:
		t.prefetch(i)
	case ir.IntrVaStart:
		m := t.Build(desc.G_VASTART, Use(t.get1(t.op(i, 0))))
		t.f.SetMem(m, t.f.AddMem(mir.MemOperand{Ptr: uint32(t.op(i, 0)), PtrKind: mir.PtrValue, Flags: mir.MemStore, Size: mir.UnknownSize}))
	case ir.IntrExperimentalCttzElts:
		t.cttzElts(i)
	case ir.IntrLoadRelative:
		t.loadRelative(i)
	case ir.IntrModf:
		t.outCall(i, "modf")
	case ir.IntrFrexp:
		t.outCall(i, "frexp")
	case ir.IntrIsFpclass:
		k, _ := t.pool.SignedInt(t.types, t.op(i, 1))
		a := t.get1(t.op(i, 0))
		if t.usesBFloat(i) {
			a = t.fromBFloat(a) // of the same class: the exponents are the same
		}
		t.Build(desc.G_IS_FPCLASS, Def(t.def(i)), Use(a), mir.ImmOp(k))
	case ir.IntrStackguard, ir.IntrStackprotector:
		t.stackProtector(i, x)
	case ir.IntrVaCopy, ir.IntrThreadPointer, ir.IntrFrameaddress, ir.IntrReturnaddress, ir.IntrAddressofreturnaddress:
		t.opaqueIntrinsic(i, x)
	default:
		if x.IsTarget() || t.keepsMasked(i, x) {
			t.opaqueIntrinsic(i, x)
			return
		}
		t.fail("intrinsic " + t.mod.Globals[t.fn.Callee(i).Global()].Name)
	}
}

// isConstant is 1 for arguments that are constants, else 0.
func (t *translator) isConstant(v ir.Value) int64 {
	if v.Tag() == ir.TagConst && t.pool.At(v.Const()).Kind != ir.ConstExpr {
		return 1
	}
	return 0
}

// zeroPoison translates the intrinsics whose second argument says that one
// input gives poison.
func (t *translator) zeroPoison(i ir.InstrID, x ir.Intrinsic) {
	poison, _ := t.pool.SignedInt(t.types, t.op(i, 1))
	op := desc.G_ABS
	switch {
	case x == ir.IntrCtlz && poison != 0:
		op = desc.G_CTLZ_ZERO_UNDEF
	case x == ir.IntrCtlz:
		op = desc.G_CTLZ
	case x == ir.IntrCttz && poison != 0:
		op = desc.G_CTTZ_ZERO_UNDEF
	case x == ir.IntrCttz:
		op = desc.G_CTTZ
	}
	a := t.get1(t.op(i, 0))
	t.Build(op, Def(t.def(i)), Use(a))
}

// memIntrinsic translates memcpy, memmove and memset with one memory operand a pointer.
func (t *translator) memIntrinsic(i ir.InstrID, x ir.Intrinsic) {
	list := t.mod.Attrs.At(t.fn.Instr(i).Attrs)
	if n := t.op(i, 2); n.Tag() == ir.TagConst {
		if k, ok := t.pool.SignedInt(t.types, n); ok && k == 0 {
			return
		}
	}
	dst, src := t.get1(t.op(i, 0)), t.get1(t.op(i, 1))
	n := t.Resize(desc.G_ZEXT, mir.Scalar(t.f.TypeOf(dst).ScalarBits()), t.get1(t.op(i, 2)))
	op := desc.G_MEMCPY
	switch x {
	case ir.IntrMemmove:
		op = desc.G_MEMMOVE
	case ir.IntrMemcpyInline:
		op = desc.G_MEMCPY_INLINE
	case ir.IntrMemset:
		op = desc.G_MEMSET
	case ir.IntrMemsetInline:
		t.fail("intrinsic llvm.memset.inline")
		return
	}
	m := t.Build(op, Use(dst), Use(src), Use(n))
	if x != ir.IntrMemcpyInline {
		t.f.AddOp(m, mir.ImmOp(0))
	}
	vol, _ := t.pool.SignedInt(t.types, t.op(i, 3))
	mem := func(k int, fl mir.MemFlags) mir.MemID {
		o := mir.MemOperand{Type: mir.Scalar(8), Size: 1, Ptr: uint32(t.op(i, k)), PtrKind: mir.PtrValue, Flags: fl,
			AddrSpace: t.types.AddrSpace(t.typ(t.op(i, k)))}
		if vol != 0 {
			o.Flags |= mir.MemVolatile
		}
		if a, ok := list.Param(k).Get("align"); ok {
			o.BaseAlign = log2(a.Int)
		}
		return t.f.AddMem(o)
	}
	if op == desc.G_MEMSET {
		t.f.SetMem(m, mem(0, mir.MemStore))
		return
	}
	t.f.SetMem(m, mem(0, mir.MemStore), mem(1, mir.MemLoad))
}

func (t *translator) prefetch(i ir.InstrID) {
	arg := func(k int) int64 { v, _ := t.pool.SignedInt(t.types, t.op(i, k)); return v }
	m := t.Build(desc.G_PREFETCH, Use(t.get1(t.op(i, 0))), mir.ImmOp(arg(1)), mir.ImmOp(arg(2)), mir.ImmOp(arg(3)))
	fl := mir.MemLoad
	if arg(1) != 0 {
		fl = mir.MemStore
	}
	t.f.SetMem(m, t.f.AddMem(mir.MemOperand{Ptr: uint32(t.op(i, 0)), PtrKind: mir.PtrValue, Flags: fl, Size: mir.UnknownSize}))
}

// keepsMasked reports a masked access that the target selects as it is.
func (t *translator) keepsMasked(i ir.InstrID, x ir.Intrinsic) bool {
	val := t.typ(ir.Local(i))
	switch x {
	case ir.IntrMaskedLoad, ir.IntrMaskedExpandload:
	case ir.IntrMaskedStore, ir.IntrMaskedCompressstore:
		val = t.typ(t.op(i, 0))
	default:
		return false
	}
	keep := t.st.Target.ISel.Prepare.Masked
	return keep != nil && t.fn.NumArgOps(i) == 3 && keep(t.st, t.types, x, val)
}

// opaqueIntrinsic builds G_INTRINSIC or G_INTRINSIC_W_SIDE_EFFECTS for the target to understand.
func (t *translator) opaqueIntrinsic(i ir.InstrID, x ir.Intrinsic) {
	decl := t.mod.Attrs.At(0) // of calls that passes make
	if g := t.fn.Callee(i).Global(); g != 0 {
		decl = t.mod.Attrs.At(t.mod.Globals[g].Attrs)
	}
	op := desc.G_INTRINSIC_W_SIDE_EFFECTS
	if a, ok := decl.Fn.Get("memory"); ok && a.Value == "none" || x == ir.IntrFrameaddress || x == ir.IntrReturnaddress {
		op = desc.G_INTRINSIC
	}
	params := t.types.Subtypes(t.fn.Instr(i).SrcType)
	var ops []mir.Operand
	for _, d := range t.get(ir.Local(i)) {
		ops = append(ops, Def(d))
	}
	ops = append(ops, mir.IntrinsicOp(x))
	for k := range params {
		if v, ok := t.pool.SignedInt(t.types, t.op(i, k)); ok && (decl.Param(k).Has("immarg") || x == ir.IntrFrameaddress || x == ir.IntrReturnaddress) {
			ops = append(ops, mir.ImmOp(v))
			continue
		}
		for _, r := range t.get(t.op(i, k)) {
			ops = append(ops, Use(r))
		}
	}
	t.Build(op, ops...)
}
