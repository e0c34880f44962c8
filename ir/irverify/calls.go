package irverify

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// callee returns the function that a site calls directly, nil for others.
func (v *verifier) callee(i ir.InstrID) *ir.Global {
	if g := v.f.Callee(i).Global(); g != 0 && v.m.Globals[g].Kind == ir.GlobalFunc {
		return v.m.Globals[g]
	}
	return nil
}

// paramHas asks the site's attributes and the callee's.
func (v *verifier) paramAttr(i ir.InstrID, n int, key string) (ir.Attr, bool) {
	if a, ok := v.m.Attrs.At(v.f.Instr(i).Attrs).Param(n).Get(key); ok && !a.IsString {
		return a, true
	}
	if g := v.callee(i); g != nil {
		if a, ok := v.m.Attrs.At(g.Attrs).Param(n).Get(key); ok && !a.IsString {
			return a, true
		}
	}
	return ir.Attr{}, false
}

// callSite checks a call, invoke or callbr, up to what all instructions have in common.
func (v *verifier) callSite(i ir.InstrID) bool {
	f := v.f
	in := f.Instr(i)
	ft := in.SrcType
	params := v.t.Subtypes(ft)
	nargs := f.NumArgOps(i)
	args := f.Ops(i)[:nargs]
	at := instr(i)
	if v.t.IsVarArg(ft) {
		if !v.check(nargs >= len(params), "Called function requires more parameters than were provided!", at) {
			return false
		}
	} else if !v.check(nargs == len(params), "Incorrect number of arguments passed to called function!", at) {
		return false
	}
	l := v.m.Attrs.At(in.Attrs)
	g := v.callee(i)
	intrinsic := g != nil && isIntrinsicName(g.Name)
	if intrinsic && !v.check(g.ValueType == ft, "Intrinsic called with incompatible signature", at) {
		return false
	}
	switch in.CC {
	case ccAMDKernel, ccAMDVS, ccAMDHS, ccAMDGS, ccAMDPS, ccAMDCS, ccAMDES, ccAMDLS, ccAMDChain, ccAMDChainKeep, ccAMDWholeWave, ccPTXKernel, ccSPIRKernel:
		if in.CC != ccPTXKernel && !v.check(false, "calling convention does not permit calls", at) {
			return false
		}
	}
	if !intrinsic {
		if !v.typeAlign(v.t.Result(ft), "return type", at) {
			return false
		}
		for _, t := range params {
			if !v.typeAlign(t, "argument passed", at) {
				return false
			}
		}
	}
	if has(l.Fn, "speculatable") {
		ok := g != nil && has(v.m.Attrs.At(g.Attrs).Fn, "speculatable")
		if !v.check(ok, "speculatable attribute may not apply to call sites", at) {
			return false
		}
	}
	if has(l.Fn, "preallocated") && !v.check(g != nil && strings.HasPrefix(g.Name, "llvm.call.preallocated.arg"),
		"preallocated as a call site attribute can only be on llvm.call.preallocated.arg") {
		return false
	}
	asm := f.Callee(i).Tag() == ir.TagInlineAsm
	v.functionAttrs(ft, in.Attrs, at, intrinsic, asm, nil)
	if len(params) > 0 && has(l.Param(len(params)-1), "inalloca") {
		if a := v.underlyingAlloca(args[len(params)-1]); a != 0 &&
			!v.check(f.Instr(a).Flags&ir.InAlloca != 0, "inalloca argument for call has mismatched alloca", instr(a), at) {
			return false
		}
	}
	if v.hasRare(in.Attrs) || g != nil && v.hasRare(g.Attrs) {
		for n := range params {
			if !v.argument(i, n, args[n], l, g) {
				return false
			}
		}
	}
	if v.t.IsVarArg(ft) && !v.varArgs(i, l, len(params), args, g) {
		return false
	}
	if !intrinsic {
		for _, t := range params {
			if !v.check(t != ir.Metadata, "Function has metadata parameter but isn't an intrinsic", at) ||
				!v.check(!v.tokenLike(t), "Function has token parameter but isn't an intrinsic", at) {
				return false
			}
		}
	}
	if g == nil || g.ValueType != ft { // a call of another type counts as indirect
		if !v.check(!v.tokenLike(v.t.Result(ft)), "Return type cannot be token for indirect call!") ||
			!v.check(v.t.Result(ft) != ir.X86AMX, "Return type cannot be x86_amx for indirect call!") {
			return false
		}
	}
	if intrinsic {
		v.hasTokens = v.hasTokens || strings.HasPrefix(g.Name, convergencePrefix)
		v.intrinsicCall(i, g)
	}
	if !v.bundles(i, g) {
		return false
	}
	if g != nil && g.ValueType == ft && !g.IsDecl && !interposable(g) {
		_, mine := v.attachment(v.g.MD, "dbg")
		_, theirs := v.attachment(g.MD, "dbg")
		if mine && theirs && !v.checkDI(in.Loc != 0, "inlinable function call in a function with debug info must have a !dbg location", at) {
			return false
		}
	}
	if asm && !v.asmCall(i, l) {
		return false
	}
	switch in.Op {
	case ir.OpInvoke:
		v.anyInstr(i) // LLVM looks at it as a call and as a terminator
		pad := v.firstNonPhi(f.Op(i, nargs+2).Block())
		if !v.check(pad != 0 && v.isEHPad(pad), "The unwind destination does not have an exception handling instruction!", at) {
			return false
		}
	case ir.OpCallBr:
		if !asm {
			if !v.callbrIntrinsic(i, g) {
				return false
			}
		} else if !v.check(!v.m.InlineAsms()[f.Callee(i).Index()].Unwind, "Unwinding from Callbr is not allowed") {
			return false
		}
	case ir.OpCall:
		if in.Flags&ir.MustTail != 0 {
			v.anyInstr(i)
			v.mustTail(i)
			return false
		}
	}
	return true
}

// callbrIntrinsic checks a callbr of a function.
func (v *verifier) callbrIntrinsic(i ir.InstrID, g *ir.Global) bool {
	f := v.f
	x := f.Instr(i).Extra
	switch {
	case !v.check(g != nil, "Callbr: indirect function / invalid signature"),
		!v.check(x == 0 || len(f.Extras[x].Bundles) == 0, "Callbr for intrinsics currently doesn't support operand bundles"),
		!v.check(strings.HasPrefix(g.Name, "llvm.amdgcn.kill"), "Callbr currently only supports asm-goto and selected intrinsics"):
		return false
	}
	first := f.NumArgOps(i) + 2 // behind the callee and the fallthrough
	if !v.check(f.NumOps(i)-first == 1, "Callbr amdgcn_kill only supports one indirect dest") {
		return false
	}
	to := f.Blocks[f.Op(i, first).Block()].First
	ok := to != 0 && f.Instr(to).Op == ir.OpUnreachable
	if to != 0 && f.Instr(to).Op == ir.OpCall {
		c := f.Callee(to).Global()
		ok = c != 0 && v.m.Globals[c].Name == "llvm.amdgcn.unreachable"
	}
	return v.check(ok, "Callbr amdgcn_kill indirect dest needs to be unreachable")
}

func interposable(g *ir.Global) bool {
	switch g.Linkage {
	case ir.LinkOnceAny, ir.WeakAny, ir.ExternWeak, ir.Common:
		return true
	}
	return false
}

func (v *verifier) typeAlign(t ir.Type, what string, at any) bool {
	if t == ir.Void || !v.sized(t) {
		return true
	}
	if v.dl.ABIAlign(v.t, t) <= 1<<32 && !v.hugeVector(t) {
		return true
	}
	v.fail("Incorrect alignment of "+what+" to called function!", at)
	return false
}

// hugeVector reports vectors whose alignment would be beyond LLVM's limit of 2^32.
func (v *verifier) hugeVector(t ir.Type) bool {
	return v.t.IsVector(t) && v.t.NumElems(t) >= 1<<31
}

// underlyingAlloca looks through constant getelementptrs.
func (v *verifier) underlyingAlloca(x ir.Value) ir.InstrID {
	for x.IsLocal() {
		in := v.f.Instr(x.Instr())
		switch in.Op {
		case ir.OpAlloca:
			return x.Instr()
		case ir.OpGEP, ir.OpBitCast, ir.OpAddrSpaceCast:
			x = v.f.Op(x.Instr(), 0)
		default:
			return 0
		}
	}
	return 0
}

func (v *verifier) argument(i ir.InstrID, n int, x ir.Value, l *ir.AttrList, g *ir.Global) bool {
	f := v.f
	at := instr(i)
	if _, ok := v.paramAttr(i, n, "swifterror"); ok {
		if a := v.underlyingAlloca(x); a != 0 {
			return v.check(f.Instr(a).Flags&ir.SwiftError != 0, "swifterror argument for call has mismatched alloca", instr(a), at)
		}
		isArg := x.IsLocal() && f.Instr(x.Instr()).Op == ir.OpArgument
		if !v.check(isArg, "swifterror argument should come from an alloca or parameter", x, at) {
			return false
		}
		mine := v.m.Attrs.At(v.g.Attrs).Param(int(x.Instr()) - 1)
		if !v.check(has(mine, "swifterror"), "swifterror argument for call has mismatched parameter", x, at) {
			return false
		}
	}
	if has(l.Param(n), "immarg") {
		ok := g != nil && has(v.m.Attrs.At(g.Attrs).Param(n), "immarg")
		if !v.check(ok, "immarg may not apply only to call sites", x, at) {
			return false
		}
	}
	if _, ok := v.paramAttr(i, n, "immarg"); ok {
		k := x.Const()
		imm := false
		if k != 0 {
			r := f.Consts.At(k)
			imm = r.Kind == ir.ConstInt || r.Kind == ir.ConstFP
		}
		if !v.check(imm, "immarg operand has non-immediate parameter", x, at) {
			return false
		}
		if a, ok := v.paramAttr(i, n, "range"); ok && f.Consts.At(k).Kind == ir.ConstInt && v.t.IntBits(f.TypeOf(x)) <= 64 {
			lo, hi, _ := strings.Cut(a.Value, ",")
			lv, _ := strconv.ParseInt(strings.TrimSpace(lo), 10, 64)
			hv, _ := strconv.ParseInt(strings.TrimSpace(hi), 10, 64)
			w := v.t.IntBits(f.TypeOf(x))
			bits := f.Consts.At(k).Bits
			sv := int64(bits<<(64-w)) >> (64 - w)
			mask := ^uint64(0) >> (64 - w)
			in := (bits-uint64(lv))&mask < uint64(hv-lv)&mask
			if !v.check(in, "immarg value "+strconv.FormatInt(sv, 10)+" out of range ["+strconv.FormatInt(lv, 10)+", "+strconv.FormatInt(hv, 10)+")", at) {
				return false
			}
		}
	}
	if has(l.Param(n), "preallocated") {
		ob := len(v.bundlesOf(i, "preallocated")) != 0
		must := f.Instr(i).Flags&ir.MustTail != 0
		if !v.check(ob != must, "preallocated operand either requires a preallocated bundle or the call to be musttail (but not both)", x, at) {
			return false
		}
	}
	return true
}

func (v *verifier) varArgs(i ir.InstrID, l *ir.AttrList, from int, args []ir.Value, g *ir.Global) bool {
	at := instr(i)
	nest, returned := false, false
	for n := 0; n < from; n++ {
		nest = nest || has(l.Param(n), "nest")
		returned = returned || has(l.Param(n), "returned")
	}
	for n := from; n < len(args); n++ {
		s := l.Param(n)
		v.paramAttrs(s, v.f.TypeOf(args[n]), at)
		if has(s, "nest") {
			if !v.check(!nest, "More than one parameter has attribute nest!", at) {
				return false
			}
			nest = true
		}
		if has(s, "returned") {
			if !v.check(!returned, "More than one parameter has attribute returned!", at) ||
				!v.check(v.lossless(v.f.TypeOf(args[n]), v.f.Instr(i).Type), "Incompatible argument and return types for 'returned' attribute", at) {
				return false
			}
			returned = true
		}
		if has(s, "sret") && !(g != nil && strings.HasPrefix(g.Name, "llvm.experimental.gc.statepoint")) &&
			!v.check(false, "Attribute 'sret' cannot be used for vararg call arguments!", at) {
			return false
		}
		if has(s, "inalloca") && !v.check(n == len(args)-1, "inalloca isn't on the last argument!", at) {
			return false
		}
	}
	return true
}

func (v *verifier) bundlesOf(i ir.InstrID, tag string) []ir.Bundle {
	var out []ir.Bundle
	if x := v.f.Instr(i).Extra; x != 0 {
		for _, b := range v.f.Extras[x].Bundles {
			if b.Tag == tag {
				out = append(out, b)
			}
		}
	}
	return out
}

func (v *verifier) bundles(i ir.InstrID, g *ir.Global) bool {
	f := v.f
	at := instr(i)
	x := f.Instr(i).Extra
	if x == 0 {
		return true
	}
	seen := map[string]bool{}
	names := map[string]string{"deopt": "deopt", "gc-transition": "gc-transition", "funclet": "funclet", "cfguardtarget": "CFGuardTarget",
		"ptrauth": "ptrauth", "kcfi": "kcfi", "preallocated": "preallocated", "gc-live": "gc-live", "clang.arc.attachedcall": "\"clang.arc.attachedcall\""}
	for _, b := range f.Extras[x].Bundles {
		v.hasTokens = v.hasTokens || b.Tag == "convergencectrl"
		name, known := names[b.Tag]
		if !known {
			continue
		}
		if !v.check(!seen[b.Tag], "Multiple "+name+" operand bundles", at) {
			return false
		}
		seen[b.Tag] = true
		arg := func(n int) ir.Value {
			if n < len(b.Args) {
				return b.Args[n]
			}
			return 0
		}
		isConstInt := func(a ir.Value, t ir.Type) bool {
			_, ok := v.constInt(a)
			return ok && f.TypeOf(a) == t
		}
		switch b.Tag {
		case "funclet":
			if !v.check(len(b.Args) == 1, "Expected exactly one funclet bundle operand", at) {
				return false
			}
			p := arg(0).Instr()
			ok := p != 0 && (f.Instr(p).Op == ir.OpCatchPad || f.Instr(p).Op == ir.OpCleanupPad)
			if !v.check(ok, "Funclet bundle operands should correspond to a FuncletPadInst", at) {
				return false
			}
		case "cfguardtarget":
			if !v.check(len(b.Args) == 1, "Expected exactly one cfguardtarget bundle operand", at) {
				return false
			}
		case "ptrauth":
			if !v.check(len(b.Args) == 2, "Expected exactly two ptrauth bundle operands", at) ||
				!v.check(isConstInt(arg(0), ir.Int32), "Ptrauth bundle key operand must be an i32 constant", at) ||
				!v.check(f.TypeOf(arg(1)) == ir.Int64, "Ptrauth bundle discriminator operand must be an i64", at) {
				return false
			}
		case "kcfi":
			if !v.check(len(b.Args) == 1, "Expected exactly one kcfi bundle operand", at) ||
				!v.check(isConstInt(arg(0), ir.Int32), "Kcfi bundle operand must be an i32 constant", at) {
				return false
			}
		case "preallocated":
			if !v.check(len(b.Args) == 1, "Expected exactly one preallocated bundle operand", at) {
				return false
			}
			p := arg(0).Instr()
			ok := p != 0 && f.Instr(p).Op == ir.OpCall && v.callee(p) != nil && strings.HasPrefix(v.callee(p).Name, "llvm.call.preallocated.setup")
			if !v.check(ok, "\"preallocated\" argument must be a token from llvm.call.preallocated.setup", at) {
				return false
			}
		case "clang.arc.attachedcall":
			v.attachedCall(i, b)
		}
	}
	return v.check(!(g != nil && seen["ptrauth"]), "Direct call cannot have a ptrauth bundle", at)
}

// noReturn reports a call that does not come back.
func (v *verifier) noReturn(i ir.InstrID) bool {
	if v.m.Attrs.At(v.f.Instr(i).Attrs).Fn.Has("noreturn") {
		return true
	}
	g := v.f.Callee(i).Global()
	return g != 0 && v.m.Attrs.At(v.m.Globals[g].Attrs).Fn.Has("noreturn")
}

func (v *verifier) attachedCall(i ir.InstrID, b ir.Bundle) bool {
	f := v.f
	at := instr(i)
	t := f.Instr(i).Type
	ok := v.isPtr(t) || t == ir.Void && v.noReturn(i)
	if !v.check(ok, "a call with operand bundle \"clang.arc.attachedcall\" must call a function returning a pointer or a non-returning function that has a void return type", at) {
		return false
	}
	if !v.check(len(b.Args) == 1 && b.Args[0].Global() != 0 && v.m.Globals[b.Args[0].Global()].Kind == ir.GlobalFunc,
		"operand bundle \"clang.arc.attachedcall\" requires one function as an argument", at) {
		return false
	}
	name := v.m.Globals[b.Args[0].Global()].Name
	if isIntrinsicName(name) {
		return v.check(name == "llvm.objc.retainAutoreleasedReturnValue" || name == "llvm.objc.claimAutoreleasedReturnValue" || name == "llvm.objc.unsafeClaimAutoreleasedReturnValue",
			"invalid function argument", at)
	}
	return v.check(name == "objc_retainAutoreleasedReturnValue" || name == "objc_claimAutoreleasedReturnValue" || name == "objc_unsafeClaimAutoreleasedReturnValue",
		"invalid function argument", at)
}

// asmCall compares the constraints of inline assembly with the site's arguments.
func (v *verifier) asmCall(i ir.InstrID, l *ir.AttrList) bool {
	f := v.f
	a := &v.m.InlineAsms()[f.Callee(i).Index()]
	arg, labels := 0, 0
	at := instr(i)
	for c := range strings.SplitSeq(a.Constraints, ",") {
		if c == "" || c[0] == '~' {
			continue
		}
		if c[0] == '!' {
			labels++
			continue
		}
		out := c[0] == '='
		c = strings.TrimLeft(c, "=&%+")
		indirect := strings.HasPrefix(c, "*")
		if out && !indirect {
			continue
		}
		if arg >= f.NumArgOps(i) {
			break
		}
		_, elem := l.Param(arg).Get("elementtype")
		if indirect {
			if !v.check(v.isPtr(f.TypeOf(f.Op(i, arg))), "Operand for indirect constraint must have pointer type", at) ||
				!v.check(elem, "Operand for indirect constraint must have elementtype attribute", at) {
				return false
			}
		} else if !v.check(!elem, "Elementtype attribute can only be applied for indirect constraints", at) {
			return false
		}
		arg++
	}
	if f.Instr(i).Op == ir.OpCallBr {
		n := f.NumOps(i) - f.NumArgOps(i) - 2
		return v.check(labels == n, "Number of label constraints does not match number of callbr dests", at)
	}
	return v.check(labels == 0, "Label constraints can only be used with callbr", at)
}

// abiAttrs are the attributes of a parameter that a callee must agree on.
func (v *verifier) abiAttrs(s ir.AttrSet) string {
	var b strings.Builder
	for _, a := range s {
		switch a.Key {
		case "sret", "byval", "inalloca", "inreg", "alignstack", "swiftself", "swiftasync", "swifterror", "preallocated", "byref":
			b.WriteString(v.attrString(a) + " ")
		case "align":
			if has(s, "byval") || has(s, "byref") {
				b.WriteString(v.attrString(a) + " ")
			}
		}
	}
	return b.String()
}

func (v *verifier) congruent(a, b ir.Type) bool {
	if a == b {
		return true
	}
	return v.isPtr(a) && v.isPtr(b) && v.t.AddrSpace(a) == v.t.AddrSpace(b)
}

func (v *verifier) mustTail(i ir.InstrID) {
	f := v.f
	in := f.Instr(i)
	at := instr(i)
	if !v.check(f.Callee(i).Tag() != ir.TagInlineAsm, "cannot use musttail call with inline asm", at) {
		return
	}
	caller, callee := v.g.ValueType, in.SrcType
	if !v.check(v.t.IsVarArg(caller) == v.t.IsVarArg(callee), "cannot guarantee tail call due to mismatched varargs", at) ||
		!v.check(v.congruent(v.t.Result(caller), v.t.Result(callee)), "cannot guarantee tail call due to mismatched return types", at) ||
		!v.check(v.g.CC == in.CC, "cannot guarantee tail call due to mismatched calling conv", at) {
		return
	}
	val, next := i, in.Next
	if next != 0 && f.Instr(next).Op == ir.OpBitCast {
		if !v.check(f.Op(next, 0) == ir.Local(val), "bitcast following musttail call must use the call", instr(next)) {
			return
		}
		val, next = next, f.Instrs[next].Next
	}
	if !v.check(next != 0 && f.Instr(next).Op == ir.OpRet, "musttail call must precede a ret with an optional bitcast", at) {
		return
	}
	if f.NumOps(next) > 0 {
		o := f.Op(next, 0)
		undef := o.Const() != 0 && (f.Consts.At(o.Const()).Kind == ir.ConstUndef || f.Consts.At(o.Const()).Kind == ir.ConstPoison)
		if !v.check(o == ir.Local(val) || undef, "musttail call result must be returned", instr(next)) {
			return
		}
	}
	mine, theirs := v.m.Attrs.At(v.g.Attrs), v.m.Attrs.At(in.Attrs)
	cp, tp := v.t.Subtypes(caller), v.t.Subtypes(callee)
	if in.CC == ccTail || in.CC == ccSwiftTail {
		name := "tailcc"
		if in.CC == ccSwiftTail {
			name = "swifttailcc"
		}
		bad := func(n int, l *ir.AttrList, what string) bool {
			for k := range n {
				for _, key := range [...]string{"inalloca", "inreg", "swifterror", "preallocated", "byref"} {
					if !v.check(!has(l.Param(k), key), key+" attribute not allowed in "+name+" musttail "+what) {
						return false
					}
				}
			}
			return true
		}
		if !bad(len(cp), mine, "caller") || !bad(len(tp), theirs, "callee") {
			return
		}
		v.check(!v.t.IsVarArg(caller), "cannot guarantee "+name+" tail call for varargs function")
		return
	}
	if g := v.callee(i); g == nil || !isIntrinsicName(g.Name) {
		if !v.check(len(cp) == len(tp), "cannot guarantee tail call due to mismatched parameter counts", at) {
			return
		}
		for k := range cp {
			if !v.check(v.congruent(cp[k], tp[k]), "cannot guarantee tail call due to mismatched parameter types", at) {
				return
			}
		}
	}
	for k := range cp {
		if k >= f.NumArgOps(i) {
			break
		}
		if !v.check(v.abiAttrs(mine.Param(k)) == v.abiAttrs(theirs.Param(k)),
			"cannot guarantee tail call due to mismatched ABI impacting function attributes", at, f.Op(i, k)) {
			return
		}
	}
}
