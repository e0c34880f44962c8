package irverify

import (
	"strconv"
	"strings"
	"sync"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/intrin"
	"github.com/mirin-go/mirin/ir/irtext"
)

// intrinsicCall checks a call of an intrinsic.
func (v *verifier) intrinsicCall(i ir.InstrID, g *ir.Global) {
	// The declaration is looked at for each call until it is found to be right.
	x, right := v.intrinsics[g.ID]
	if !right {
		if x = intrin.Lookup(g.Name); x == 0 {
			return
		}
		if !v.intrinsicSignature(x, g) {
			return
		}
		v.intrinsics[g.ID] = x
	}
	for _, a := range v.f.Ops(i)[:v.f.NumArgOps(i)] {
		if a.Tag() == ir.TagMetadata && v.m.MD.At(a.MD()) != nil && v.m.MD.At(a.MD()).Kind != ir.MDLocal {
			v.mdNode(a.MD(), true)
		}
		if a.Const() != 0 && v.f.TypeOf(a) == ir.X86AMX {
			v.fail("const x86_amx is not allowed in argument!")
			return
		}
	}
	name := strings.TrimPrefix(x.Name(), "llvm.")
	if check, ok := intrinsicChecks()[name]; ok {
		check(v, i, name)
	} else if strings.HasPrefix(name, "experimental.constrained.") {
		v.constrained(i, name)
	} else if isVPCast(name) {
		v.vpCast(i)
	} else if strings.HasPrefix(name, "amdgcn.cooperative.atomic") {
		v.cooperative(i)
	}
	v.funcletToken(i, name)
}

// intrinsicSignature checks the declaration of an intrinsic.
func (v *verifier) intrinsicSignature(x intrin.ID, g *ir.Global) bool {
	id := global(g.ID)
	if !v.check(g.IsDecl, "Intrinsic functions should never be defined!", id) {
		return false
	}
	over, r := x.Match(v.t, g.ValueType)
	switch r {
	case intrin.NoMatchRet:
		v.fail("Intrinsic has incorrect return type!", id)
		return false
	case intrin.NoMatchArg:
		v.fail("Intrinsic has incorrect argument type!", id)
		return false
	case intrin.NoMatchVarArg:
		if v.t.IsVarArg(g.ValueType) {
			v.fail("Intrinsic was not defined with variable arguments!", id)
		} else {
			v.fail("Callsite was not defined with variable arguments!", id)
		}
		return false
	}
	if want := x.MangledName(v.t, over); want != g.Name {
		unnamed := false
		for _, t := range over {
			unnamed = unnamed || intrin.UnnamedType(v.t, t)
		}
		if !unnamed && !v.check(false, "Intrinsic name not mangled correctly for type arguments! Should be: "+want, id) {
			return false
		}
	}
	return true
}

// intrinsicChecks are the rules of single intrinsics, by name.
var intrinsicChecks = sync.OnceValue(func() map[string]func(v *verifier, i ir.InstrID, name string) {
	return map[string]func(v *verifier, i ir.InstrID, name string){
		"bswap": func(v *verifier, i ir.InstrID, _ string) {
			v.check(v.t.IntBits(v.t.Scalar(v.f.Instr(i).Type))%16 == 0, "bswap must be an even number of bytes", instr(i))
		},
		"is.fpclass": func(v *verifier, i ir.InstrID, _ string) {
			n, _ := v.constInt(v.f.Op(i, 1))
			v.check(n&^0x3ff == 0, "unsupported bits for llvm.is.fpclass test mask")
		},
		"fptrunc.round": func(v *verifier, i ir.InstrID, _ string) {
			if !v.check(v.mdIsString(v.f.Op(i, 1).MD()), "invalid value for llvm.fptrunc.round metadata operand (the operand should be a string)", mdNode(v.f.Op(i, 1).MD())) {
				return
			}
			v.check(roundingMode(v.mdString(v.f.Op(i, 1).MD())) && v.mdString(v.f.Op(i, 1).MD()) != "round.dynamic", "unsupported rounding mode argument", instr(i))
		},
		"vp.is.fpclass": func(v *verifier, i ir.InstrID, _ string) {
			n, ok := v.constInt(v.f.Op(i, 1))
			v.check(ok && n&^0x3ff == 0, "unsupported bits for llvm.vp.is.fpclass test mask")
		},
		"scmp": threeWay, "ucmp": threeWay,
		"vp.fcmp": func(v *verifier, i ir.InstrID, _ string) {
			switch v.mdString(v.f.Op(i, 2).MD()) {
			case "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult", "ule", "une":
			default:
				v.fail("invalid predicate for VP FP comparison intrinsic", instr(i))
			}
		},
		"vp.icmp": func(v *verifier, i ir.InstrID, _ string) {
			switch v.mdString(v.f.Op(i, 2).MD()) {
			case "eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle":
			default:
				v.fail("invalid predicate for VP integer comparison intrinsic", instr(i))
			}
		},
		"vector.splice.left": func(v *verifier, i ir.InstrID, _ string) {
			t := v.f.TypeOf(v.f.Op(i, 0))
			if n, ok := v.constInt(v.f.Op(i, 2)); ok {
				v.check(int64(n) < int64(v.t.NumElems(t))*v.minVScale(t),
					"The splice index exceeds the range [0, VL-1] where VL is the known minimum number of elements in the vector. For scalable vectors the minimum number of elements is determined from vscale_range.", instr(i))
			}
		},
		"vector.splice.right": spliceBounds,
		"experimental.vp.splice": func(v *verifier, i ir.InstrID, _ string) {
			t := v.f.TypeOf(v.f.Op(i, 0))
			n, ok := v.constInt(v.f.Op(i, 2))
			if !ok {
				return
			}
			lo, hi := -int64(v.t.NumElems(t))*v.minVScale(t), int64(v.t.NumElems(t))*v.minVScale(t)
			x := int64(int32(n))
			v.check(x >= lo && x < hi, "The splice index exceeds the range [-VL, VL-1] where VL is the known minimum number of elements in the vector. For scalable vectors the minimum number of elements is determined from vscale_range.", instr(i))
		},
		"va_start": func(v *verifier, i ir.InstrID, _ string) {
			v.check(v.t.IsVarArg(v.g.ValueType), "va_start called in a non-varargs function")
		},
		"get.dynamic.area.offset": func(v *verifier, i ir.InstrID, _ string) {
			t := v.f.Instr(i).Type
			v.check(v.isInt(t) && v.t.IntBits(t) == int(v.dl.Pointer(v.dl.AllocaAS).Bits),
				"get_dynamic_area_offset result type must be scalar integer matching alloca address space width", instr(i))
		},
		"get.active.lane.mask": func(v *verifier, i ir.InstrID, _ string) {
			v.check(v.t.Elem(v.f.Instr(i).Type) == ir.Int1, "get_active_lane_mask: element type is not i1", instr(i))
		},
		"threadlocal.address": func(v *verifier, i ir.InstrID, _ string) {
			g := v.f.Op(i, 0).Global()
			if v.check(g != 0, "llvm.threadlocal.address first argument must be a GlobalValue") {
				v.check(v.m.Globals[g].TLS != ir.NotTLS, "llvm.threadlocal.address operand isThreadLocal() must be true")
			}
		},
		"reloc.none": func(v *verifier, i ir.InstrID, _ string) {
			v.check(v.mdIsString(v.f.Op(i, 0).MD()), "llvm.reloc.none argument must be a metadata string", instr(i))
		},
		"prefetch": func(v *verifier, i ir.InstrID, _ string) {
			a, _ := v.constInt(v.f.Op(i, 1))
			b, _ := v.constInt(v.f.Op(i, 2))
			c, _ := v.constInt(v.f.Op(i, 3))
			if v.check(a < 2, "rw argument to llvm.prefetch must be 0-1", instr(i)) && v.check(b < 4, "locality argument to llvm.prefetch must be 0-3", instr(i)) {
				v.check(c < 2, "cache type argument to llvm.prefetch must be 0-1", instr(i))
			}
		},
		"gcroot": gcIntrinsic, "gcwrite": gcIntrinsic, "gcread": gcIntrinsic,
		"init.trampoline": func(v *verifier, i ir.InstrID, _ string) {
			g := v.f.Op(i, 1).Global()
			v.check(g != 0 && v.m.Globals[g].Kind == ir.GlobalFunc, "llvm.init_trampoline parameter #2 must resolve to a function.", instr(i))
		},
		"stackprotector": func(v *verifier, i ir.InstrID, _ string) {
			a := v.f.Op(i, 1).Instr()
			v.check(a != 0 && v.f.Instr(a).Op == ir.OpAlloca, "llvm.stackprotector parameter #2 must resolve to an alloca.", instr(i))
		},
		"assume":                           func(v *verifier, i ir.InstrID, _ string) { v.assume(i) },
		"localescape":                      func(v *verifier, i ir.InstrID, _ string) { v.localEscape(i) },
		"localrecover":                     func(v *verifier, i ir.InstrID, _ string) { v.localRecover(i) },
		"lifetime.start":                   func(v *verifier, i ir.InstrID, _ string) { v.lifetime(i) },
		"lifetime.end":                     func(v *verifier, i ir.InstrID, _ string) { v.lifetime(i) },
		"memcpy.element.unordered.atomic":  func(v *verifier, i ir.InstrID, _ string) { v.elementAtomic(i, true) },
		"memmove.element.unordered.atomic": func(v *verifier, i ir.InstrID, _ string) { v.elementAtomic(i, true) },
		"memset.element.unordered.atomic":  func(v *verifier, i ir.InstrID, _ string) { v.elementAtomic(i, false) },
		"vector.insert":                    func(v *verifier, i ir.InstrID, _ string) { v.vectorInsert(i) },
		"vector.extract":                   func(v *verifier, i ir.InstrID, _ string) { v.vectorExtract(i) },
		"ptrmask": func(v *verifier, i ir.InstrID, _ string) {
			a, b := v.f.TypeOf(v.f.Op(i, 0)), v.f.TypeOf(v.f.Op(i, 1))
			if !v.check(v.t.IsVector(a) == v.t.IsVector(b), "llvm.ptrmask intrinsic arguments must be both scalars or both vectors", instr(i)) {
				return
			}
			if v.t.IsVector(a) && !v.check(v.t.NumElems(a) == v.t.NumElems(b), "llvm.ptrmask intrinsic arguments must have the same number of elements", instr(i)) {
				return
			}
			v.check(v.dl.IndexBits(v.t.AddrSpace(v.t.Scalar(a))) == v.t.IntBits(v.t.Scalar(b)),
				"llvm.ptrmask intrinsic second argument bitwidth must match pointer index type size of first argument", instr(i))
		},
		"arm.ldaex": elementTypeFirst, "arm.ldrex": elementTypeFirst, "aarch64.ldaxr": elementTypeFirst, "aarch64.ldxr": elementTypeFirst,
		"arm.stlex": elementTypeSecond, "arm.strex": elementTypeSecond, "aarch64.stlxr": elementTypeSecond, "aarch64.stxr": elementTypeSecond,
		"preserve.array.access.index": elementTypeFirst, "preserve.struct.access.index": elementTypeFirst,
		"callbr.landingpad":          func(v *verifier, i ir.InstrID, _ string) { v.callBrLanding(i) },
		"experimental.deoptimize":    func(v *verifier, i ir.InstrID, _ string) { v.deoptimize(i) },
		"experimental.guard":         func(v *verifier, i ir.InstrID, _ string) { v.guard(i) },
		"experimental.gc.relocate":   func(v *verifier, i ir.InstrID, _ string) { v.gcRelocate(i) },
		"experimental.gc.result":     func(v *verifier, i ir.InstrID, _ string) { v.gcResult(i) },
		"experimental.gc.statepoint": func(v *verifier, i ir.InstrID, _ string) { v.statepoint(i) },
		"matrix.multiply":            func(v *verifier, i ir.InstrID, n string) { v.matrix(i, n) },
		"matrix.transpose":           func(v *verifier, i ir.InstrID, n string) { v.matrix(i, n) },
		"matrix.column.major.load":   func(v *verifier, i ir.InstrID, n string) { v.matrix(i, n) },
		"matrix.column.major.store":  func(v *verifier, i ir.InstrID, n string) { v.matrix(i, n) },
		"smul.fix":                   func(v *verifier, i ir.InstrID, n string) { v.fixedPoint(i, n) },
		"smul.fix.sat":               func(v *verifier, i ir.InstrID, n string) { v.fixedPoint(i, n) },
		"umul.fix":                   func(v *verifier, i ir.InstrID, n string) { v.fixedPoint(i, n) },
		"umul.fix.sat":               func(v *verifier, i ir.InstrID, n string) { v.fixedPoint(i, n) },
		"sdiv.fix":                   func(v *verifier, i ir.InstrID, n string) { v.fixedPoint(i, n) },
		"sdiv.fix.sat":               func(v *verifier, i ir.InstrID, n string) { v.fixedPoint(i, n) },
		"udiv.fix":                   func(v *verifier, i ir.InstrID, n string) { v.fixedPoint(i, n) },
		"udiv.fix.sat":               func(v *verifier, i ir.InstrID, n string) { v.fixedPoint(i, n) },
		"lround":                     roundInt, "llround": roundInt, "lrint": roundInt, "llrint": roundInt,
		"amdgcn.s.prefetch.data": func(v *verifier, i ir.InstrID, _ string) {
			as := v.t.AddrSpace(v.f.TypeOf(v.f.Op(i, 0)))
			v.check(as == 0 || as == 1 || as == 4 || as == 6, "llvm.amdgcn.s.prefetch.data only supports global or constant memory")
		},
		"amdgcn.call.whole.wave": func(v *verifier, i ir.InstrID, _ string) { v.wholeWave(i) },
		"amdgcn.cs.chain":        func(v *verifier, i ir.InstrID, _ string) { v.csChain(i) },
	}
})

func gcIntrinsic(v *verifier, i ir.InstrID, name string) {
	f := v.f
	if name == "gcroot" {
		a := f.Op(i, 0).Instr()
		if !v.check(a != 0 && f.Instr(a).Op == ir.OpAlloca, "llvm.gcroot parameter #1 must be an alloca.", instr(i)) ||
			!v.check(f.Op(i, 1).Const() != 0 || f.Op(i, 1).Global() != 0, "llvm.gcroot parameter #2 must be a constant.", instr(i)) {
			return
		}
		null := f.Op(i, 1).Const() != 0 && f.Consts.At(f.Op(i, 1).Const()).Kind == ir.ConstNull
		if !v.isPtr(f.Instr(a).SrcType) && !v.check(!null, "llvm.gcroot parameter #1 must either be a pointer alloca, or argument #2 must be a non-null constant.", instr(i)) {
			return
		}
	}
	v.check(v.g.GC != "", "Enclosing function does not use GC.", instr(i))
}

func elementTypeFirst(v *verifier, i ir.InstrID, _ string) {
	_, ok := v.m.Attrs.At(v.f.Instr(i).Attrs).Param(0).Get("elementtype")
	v.check(ok, "Intrinsic requires elementtype attribute on first argument.", instr(i))
}

func elementTypeSecond(v *verifier, i ir.InstrID, _ string) {
	_, ok := v.m.Attrs.At(v.f.Instr(i).Attrs).Param(1).Get("elementtype")
	v.check(ok, "Intrinsic requires elementtype attribute on second argument.", instr(i))
}

func roundInt(v *verifier, i ir.InstrID, name string) {
	a, r := v.f.TypeOf(v.f.Op(i, 0)), v.f.Instr(i).Type
	if !v.check(v.isFPOrVec(a), name+": argument must be floating-point or vector of floating-points, and result must be integer or vector of integers", instr(i)) {
		return
	}
	if v.check(v.t.IsVector(a) == v.t.IsVector(r), name+": argument and result disagree on vector use", instr(i)) && v.t.IsVector(a) {
		v.check(v.t.NumElems(a) == v.t.NumElems(r), name+": argument must be same length as result", instr(i))
	}
}

func roundingMode(s string) bool {
	switch s {
	case "round.dynamic", "round.tonearest", "round.tonearestaway", "round.downward", "round.upward", "round.towardzero":
		return true
	}
	return false
}

// constrained checks the modes of a constrained floating-point operation.
func (v *verifier) constrained(i ir.InstrID, name string) {
	f := v.f
	n := f.NumArgOps(i)
	op := strings.TrimPrefix(name, "experimental.constrained.")
	if op == "fcmp" || op == "fcmps" {
		ok := false
		switch v.mdString(f.Op(i, 2).MD()) {
		case "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult", "ule", "une":
			ok = true
		}
		if !v.check(ok, "invalid predicate for constrained FP comparison intrinsic", instr(i)) {
			return
		}
	}
	switch v.mdString(f.Op(i, n-1).MD()) {
	case "fpexcept.ignore", "fpexcept.maytrap", "fpexcept.strict":
	default:
		v.fail("invalid exception behavior argument", instr(i))
	}
	if n >= 2 && f.Op(i, n-2).Tag() == ir.TagMetadata && op != "fcmp" && op != "fcmps" {
		v.check(roundingMode(v.mdString(f.Op(i, n-2).MD())), "invalid rounding mode argument", instr(i))
	}
}

func (v *verifier) cooperative(i ir.InstrID) {
	f := v.f
	as := v.t.AddrSpace(f.TypeOf(f.Op(i, 0)))
	if !v.check(as == 0 || as == 1, "cooperative atomic intrinsics require a generic or global pointer", instr(i), f.Op(i, 0)) {
		return
	}
	last := f.Op(i, f.NumArgOps(i)-1)
	ops := v.mdOps(last.MD())
	v.check(len(ops) == 1 && v.mdIsString(ops[0]), "cooperative atomic intrinsics require that the last argument is a metadata string", instr(i), last)
}

func (v *verifier) lifetime(i ir.InstrID) {
	p := v.f.Op(i, v.f.NumArgOps(i)-1)
	ok := p.IsLocal() && v.f.Instr(p.Instr()).Op == ir.OpAlloca || p.Const() != 0 && v.f.Consts.At(p.Const()).Kind == ir.ConstPoison
	v.check(ok, "llvm.lifetime.start/end can only be used on alloca or poison", instr(i))
}

// assume checks the bundles of an assumption, each of which names an attribute, what
// has it, and the attribute's number.
func (v *verifier) assume(i ir.InstrID) {
	f, at := v.f, instr(i)
	x := f.Instr(i).Extra
	if x == 0 || len(f.Extras[x].Bundles) == 0 {
		return
	}
	n, ok := v.constInt(f.Op(i, 0))
	if !v.check(ok && n == 1, "assume with operand bundles must have i1 true condition", at) {
		return
	}
	for _, b := range f.Extras[x].Bundles {
		ptr := func(k int) bool { return v.isPtr(f.TypeOf(b.Args[k])) }
		num := func(k int) bool { return v.isInt(f.TypeOf(b.Args[k])) }
		n := len(b.Args)
		known, number, param := irtext.AttrUse(b.Tag)
		ok := true
		switch {
		case b.Tag == "separate_storage":
			ok = v.check(n == 2, "separate_storage assumptions should have 2 arguments", at) &&
				v.check(ptr(0) && ptr(1), "arguments to separate_storage assumptions should be pointers", at)
		case !known && b.Tag != "ignore" && !isKnownString(b.Tag):
			ok = v.check(false, "tags must be valid attribute names", at)
		case b.Tag == "align":
			ok = v.check(n == 2 || n == 3, "alignment assumptions should have 2 or 3 arguments", at) &&
				v.check(ptr(0), "first argument should be a pointer", at) && v.check(num(1), "second argument should be an integer", at) &&
				v.check(n == 2 || num(2), "third argument should be an integer if present", at)
		case b.Tag == "dereferenceable":
			ok = v.check(n == 2, "dereferenceable assumptions should have 2 arguments", at) &&
				v.check(ptr(0), "first argument should be a pointer", at) && v.check(num(1), "second argument should be an integer", at)
		case n > 2:
			ok = v.check(false, "too many arguments", at)
		case !known:
			return // LLVM looks no further
		case number:
			if ok = v.check(n == 2, "this attribute should have 2 arguments", at); ok {
				_, ok = v.constInt(b.Args[1])
				v.check(ok, "the second argument should be a constant integral value", at)
			}
		case param:
			ok = v.check(n == 1, "this attribute should have one argument", at)
		default:
			ok = v.check(n == 0, "this attribute has no argument", at)
		}
		if !ok {
			return
		}
	}
}

// isKnownString reports the string attributes that LLVM has a name for.
func isKnownString(key string) bool {
	switch key {
	case "approx-func-fp-math", "unsafe-fp-math":
		return false // no more
	case "denormal-fp-math", "denormal-fp-math-f32":
		return true
	}
	return isBoolAttr(key)
}

func (v *verifier) elementAtomic(i ir.InstrID, src bool) {
	f := v.f
	n, ok := v.constInt(f.Op(i, 3))
	if !ok {
		return
	}
	if !v.check(isPow2(n), "element size of the element-wise atomic memory intrinsic must be a power of 2", instr(i)) {
		return
	}
	valid := func(k int) bool {
		a, ok := v.paramAttr(i, k, "align")
		return ok && a.Int >= n
	}
	if v.check(valid(0), "incorrect alignment of the destination argument", instr(i)) && src {
		v.check(valid(1), "incorrect alignment of the source argument", instr(i))
	}
}

func (v *verifier) vectorInsert(i ir.InstrID) {
	f := v.f
	a, b := f.TypeOf(f.Op(i, 0)), f.TypeOf(f.Op(i, 1))
	idx, _ := v.constInt(f.Op(i, 2))
	if !v.check(v.t.Elem(a) == v.t.Elem(b), "vector_insert parameters must have the same element type.", instr(i)) ||
		!v.check(idx%v.t.NumElems(b) == 0, "vector_insert index must be a constant multiple of the subvector's known minimum vector length.") {
		return
	}
	if v.t.Kind(a) == v.t.Kind(b) {
		v.check(idx < v.t.NumElems(a) && idx+v.t.NumElems(b) <= v.t.NumElems(a), "subvector operand of vector_insert would overrun the vector being inserted into.")
	}
}

func (v *verifier) vectorExtract(i ir.InstrID) {
	f := v.f
	r, a := f.Instr(i).Type, f.TypeOf(f.Op(i, 0))
	idx, _ := v.constInt(f.Op(i, 1))
	if !v.check(v.t.Elem(r) == v.t.Elem(a), "vector_extract result must have the same element type as the input vector.", instr(i)) ||
		!v.check(idx%v.t.NumElems(r) == 0, "vector_extract index must be a constant multiple of the result type's known minimum vector length.") {
		return
	}
	if v.t.Kind(a) == v.t.Kind(r) {
		v.check(idx < v.t.NumElems(a) && idx+v.t.NumElems(r) <= v.t.NumElems(a), "vector_extract would overrun.")
	}
}

func (v *verifier) callBrLanding(i ir.InstrID) {
	f := v.f
	c := f.Op(i, 0).Instr()
	if !v.check(c != 0 && f.Instr(c).Op == ir.OpCallBr, "intrinstic requires callbr operand", instr(i)) {
		return
	}
	b := f.Instr(i).Block
	uniq := ir.BlockID(0)
	for _, p := range v.preds[b] {
		if uniq != 0 && p != uniq {
			uniq = 0
			break
		}
		uniq = p
	}
	if uniq == 0 {
		v.fail("Intrinsic in block must have 1 unique predecessor", instr(i))
		return
	}
	if !v.check(f.Instr(c).Block == uniq, "Intrinsic must have corresponding callbr in predecessor", instr(i)) {
		return
	}
	found := false
	for _, o := range f.Ops(c)[f.NumArgOps(c)+2:] {
		found = found || o.Block() == b
	}
	if !v.check(found, "Intrinsic's corresponding callbr must have intrinsic's parent basic block in indirect destination list", instr(i)) {
		return
	}
	v.check(f.Blocks[b].First == i, "No other instructions may proceed intrinsic", instr(i))
}

func (v *verifier) localEscape(i ir.InstrID) {
	f := v.f
	if !v.check(f.Instr(i).Block == f.Order[0], "llvm.localescape used outside of entry block", instr(i)) {
		return
	}
	e := v.escapes[v.g.ID]
	if !v.check(!v.escaped[v.g.ID], "multiple calls to llvm.localescape in one function", instr(i)) {
		return
	}
	for _, a := range f.Ops(i)[:f.NumArgOps(i)] {
		if a.Const() != 0 && f.Consts.At(a.Const()).Kind == ir.ConstNull {
			continue
		}
		x := a.Instr()
		static := x != 0 && f.Instr(x).Op == ir.OpAlloca && f.Instr(x).Block == f.Order[0]
		if static {
			_, static = v.constInt(f.Op(x, 0))
		}
		if !v.check(static, "llvm.localescape only accepts static allocas", instr(i)) {
			return
		}
	}
	e[0] = uint64(f.NumArgOps(i))
	v.noteEscape(v.g.ID, e)
	v.escaped[v.g.ID] = true
}

func (v *verifier) noteEscape(id ir.GlobalID, e [2]uint64) {
	if _, ok := v.escapes[id]; !ok {
		v.escapeOrder = append(v.escapeOrder, id)
	}
	v.escapes[id] = e
}

func (v *verifier) localRecover(i ir.InstrID) {
	f := v.f
	g := f.Op(i, 0).Global()
	if !v.check(g != 0 && v.m.Globals[g].Kind == ir.GlobalFunc && !v.m.Globals[g].IsDecl,
		"llvm.localrecover first argument must be function defined in this module", instr(i)) {
		return
	}
	n, _ := v.constInt(f.Op(i, 2))
	e := v.escapes[g]
	e[1] = max(e[1], n+1)
	v.noteEscape(g, e)
}

// frameRecoverIndices compares what is recovered with what was escaped.
func (v *verifier) frameRecoverIndices() {
	for _, id := range v.escapeOrder {
		e := v.escapes[id]
		if !v.check(e[1] <= e[0],
			"all indices passed to llvm.localrecover must be less than the number of arguments passed to llvm.localescape in the parent function", global(id)) {
			return
		}
	}
}

func (v *verifier) fixedPoint(i ir.InstrID, name string) {
	f := v.f
	t := f.Instr(i).Type
	if !v.check(v.isIntOrVec(t), "first operand of [us][mul|div]_fix[_sat] must be an int type or vector of ints") {
		return
	}
	n, _ := v.constInt(f.Op(i, 2))
	w := uint64(v.t.IntBits(v.t.Scalar(t)))
	if name[0] == 's' {
		v.check(n < w, "the scale of s[mul|div]_fix[_sat] must be less than the width of the operands")
	} else {
		v.check(n <= w, "the scale of u[mul|div]_fix[_sat] must be less than or equal to the width of the operands")
	}
}

func (v *verifier) matrix(i ir.InstrID, name string) {
	f := v.f
	num := func(k int) uint64 { n, _ := v.constInt(f.Op(i, k)); return n }
	var result ir.Type
	var rows, cols uint64
	var op0, op1 ir.Type
	switch name {
	case "matrix.multiply":
		r, n, c := num(2), num(3), num(4)
		if !v.check(v.t.NumElems(f.TypeOf(f.Op(i, 0))) == r*n, "First argument of a matrix operation does not match specified shape!") ||
			!v.check(v.t.NumElems(f.TypeOf(f.Op(i, 1))) == n*c, "Second argument of a matrix operation does not match specified shape!") {
			return
		}
		rows, cols, result = r, c, f.Instr(i).Type
		op0, op1 = v.t.Elem(f.TypeOf(f.Op(i, 0))), v.t.Elem(f.TypeOf(f.Op(i, 1)))
	case "matrix.transpose":
		rows, cols, result = num(1), num(2), f.Instr(i).Type
		op0 = v.t.Elem(f.TypeOf(f.Op(i, 0)))
	case "matrix.column.major.load":
		rows, cols, result = num(3), num(4), f.Instr(i).Type
		if n, ok := v.constInt(f.Op(i, 1)); ok && !v.check(n >= rows, "Stride must be greater or equal than the number of rows!", instr(i)) {
			return
		}
	default:
		rows, cols, result = num(4), num(5), f.TypeOf(f.Op(i, 0))
		op0 = v.t.Elem(result)
		if n, ok := v.constInt(f.Op(i, 2)); ok && !v.check(n >= rows, "Stride must be greater or equal than the number of rows!", instr(i)) {
			return
		}
	}
	e := v.t.Elem(result)
	if !v.check(v.isInt(e) || v.t.IsFloat(e), "Result type must be an integer or floating-point type!", instr(i)) {
		return
	}
	if op0 != 0 && !v.check(e == op0, "Vector element type mismatch of the result and first operand vector!", instr(i)) {
		return
	}
	if op1 != 0 && !v.check(e == op1, "Vector element type mismatch of the result and second operand vector!", instr(i)) {
		return
	}
	v.check(v.t.NumElems(result) == rows*cols, "Result of a matrix operation does not fit in the returned vector!")
}

func (v *verifier) wholeWave(i ir.InstrID) {
	f := v.f
	g := f.Op(i, 0).Global()
	if !v.check(g != 0 && v.m.Globals[g].Kind == ir.GlobalFunc, "Indirect whole wave calls are not allowed", instr(i)) {
		return
	}
	c := v.m.Globals[g]
	if !v.check(c.CC == ccAMDWholeWave, "Callee must have the amdgpu_gfx_whole_wave calling convention", instr(i)) ||
		!v.check(!v.t.IsVarArg(c.ValueType), "Variadic whole wave calls are not allowed", instr(i)) {
		return
	}
	params := v.t.Subtypes(c.ValueType)
	if !v.check(len(params) == f.NumArgOps(i), "Call argument count must match callee argument count", instr(i)) {
		return
	}
	if !v.check(len(params) > 0 && params[0] == ir.Int1, "Callee must have i1 as its first argument", instr(i)) {
		return
	}
	l, cl := v.m.Attrs.At(f.Instr(i).Attrs), v.m.Attrs.At(c.Attrs)
	for k := 1; k < len(params); k++ {
		if !v.check(f.TypeOf(f.Op(i, k)) == params[k], "Argument types must match", instr(i)) {
			return
		}
		if !v.check(has(cl.Param(k), "inreg") == has(l.Param(k), "inreg"), "Argument inreg attributes must match", instr(i)) {
			return
		}
	}
}

func (v *verifier) csChain(i ir.InstrID) {
	f := v.f
	switch v.g.CC {
	case ccAMDCS, ccAMDChain, ccAMDChainKeep:
	default:
		v.fail("Intrinsic can only be used from functions with the amdgpu_cs, amdgpu_cs_chain or amdgpu_cs_chain_preserve calling conventions", instr(i))
		return
	}
	l := v.m.Attrs.At(f.Instr(i).Attrs)
	if !v.check(has(l.Param(2), "inreg"), "SGPR arguments must have the `inreg` attribute", instr(i)) ||
		!v.check(!has(l.Param(3), "inreg"), "VGPR arguments must not have the `inreg` attribute", instr(i)) {
		return
	}
	next := f.Instr(i).Next
	if next != 0 && f.Instr(next).Op != ir.OpUnreachable {
		g := (*ir.Global)(nil)
		if f.Instr(next).Op == ir.OpCall {
			g = v.callee(next)
		}
		if g == nil || !strings.HasPrefix(g.Name, "llvm.amdgcn.") {
			v.check(false, "llvm.amdgcn.cs.chain must be followed by unreachable", instr(i))
		}
	}
}

// mayCall are the intrinsics that become calls of functions.
func mayCall(name string) bool { return strings.HasPrefix(name, "objc.") }

// funcletToken checks that an intrinsic that may become a call says in which funclet it stands.
func (v *verifier) funcletToken(i ir.InstrID, name string) {
	if !mayCall(name) || v.g.Persona == 0 {
		return
	}
	p := v.stripCasts(v.g.Persona)
	if p.Global() == 0 {
		return
	}
	switch v.m.Globals[p.Global()].Name {
	case "__CxxFrameHandler3", "_except_handler3", "_except_handler4", "__C_specific_handler", "ProcessCLRException", "__gxx_wasm_personality_v0":
	default:
		return
	}
	// The block stands in a funclet when a pad's block dominates it.
	f := v.f
	for _, b := range f.Order {
		pad := v.firstNonPhi(b)
		if pad == 0 || f.Instr(pad).Op != ir.OpCatchPad && f.Instr(pad).Op != ir.OpCleanupPad {
			continue
		}
		if !v.dom.blockDominates(b, f.Instr(i).Block) || !v.dom.reached(b) || v.leaves(pad, f.Instr(i).Block) {
			continue
		}
		v.check(len(v.bundlesOf(i, "funclet")) > 0, "Missing funclet token on intrinsic call", instr(i))
		return
	}
}

// leaves reports whether a return from the pad leads to a block that dominates b.
func (v *verifier) leaves(pad ir.InstrID, b ir.BlockID) bool {
	for _, u := range v.usersOf(pad) {
		switch v.f.Instr(u).Op {
		case ir.OpCatchRet:
			if v.dom.blockDominates(v.f.Op(u, 1).Block(), b) {
				return true
			}
		}
	}
	return false
}

// minVScale returns the least vscale that a function's attributes allow, 1 for fixed vectors.
func (v *verifier) minVScale(t ir.Type) int64 {
	if v.t.Kind(t) != ir.KindScalableVector {
		return 1
	}
	if a, ok := v.m.Attrs.At(v.g.Attrs).Fn.Get("vscale_range"); ok {
		lo, _, _ := strings.Cut(a.Value, ",")
		if n, err := strconv.ParseInt(lo, 10, 32); err == nil && n > 0 {
			return n
		}
	}
	return 1
}

func spliceBounds(v *verifier, i ir.InstrID, _ string) {
	t := v.f.TypeOf(v.f.Op(i, 0))
	if n, ok := v.constInt(v.f.Op(i, 2)); ok {
		v.check(int64(n) <= int64(v.t.NumElems(t))*v.minVScale(t),
			"The splice index exceeds the range [0, VL] where VL is the known minimum number of elements in the vector. For scalable vectors the minimum number of elements is determined from vscale_range.", instr(i))
	}
}

func threeWay(v *verifier, i ir.InstrID, _ string) {
	src, dst := v.f.TypeOf(v.f.Op(i, 0)), v.f.Instr(i).Type
	if !v.check(v.t.IntBits(v.t.Scalar(dst)) >= 2, "result type must be at least 2 bits wide", instr(i)) {
		return
	}
	if !v.check(v.t.IsVector(src) == v.t.IsVector(dst), "ucmp/scmp argument and result types must both be either vector or scalar types", instr(i)) {
		return
	}
	if v.t.IsVector(src) {
		v.check(v.t.NumElems(src) == v.t.NumElems(dst), "return type and arguments must have the same number of elements", instr(i))
	}
}

// vpCast checks the lengths of a vector-predicated conversion.
func (v *verifier) vpCast(i ir.InstrID) {
	v.check(v.t.NumElems(v.f.TypeOf(v.f.Op(i, 0))) == v.t.NumElems(v.f.Instr(i).Type),
		"VP cast intrinsic first argument and result vector lengths must be equal", instr(i))
}

func isVPCast(name string) bool {
	switch name {
	case "vp.trunc", "vp.zext", "vp.sext", "vp.fptrunc", "vp.fpext", "vp.fptoui", "vp.fptosi", "vp.uitofp", "vp.sitofp", "vp.ptrtoint", "vp.inttoptr":
		return true
	}
	return false
}
