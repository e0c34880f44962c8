package irverify

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/triple"
)

// globalValue checks what concerns all kinds of globals.
func (v *verifier) globalValue(g *ir.Global) {
	id := global(g.ID)
	if g.IsDecl && (g.Kind == ir.GlobalVar || g.Kind == ir.GlobalFunc) {
		switch g.Linkage {
		case ir.External, ir.ExternWeak, ir.AvailableExternally:
		default:
			v.fail("Global is external, but doesn't have external or weak linkage!", id)
			return
		}
	}
	if g.Kind == ir.GlobalVar || g.Kind == ir.GlobalFunc {
		if !v.globalMetadata(g) {
			return
		}
	}
	if g.Linkage == ir.Appending {
		if !v.check(g.Kind == ir.GlobalVar, "Only global variables can have appending linkage!", id) ||
			!v.check(v.t.Kind(g.ValueType) == ir.KindArray, "Only global arrays can have appending linkage!", id) {
			return
		}
	}
	if g.IsDecl && !v.check(g.Comdat == 0, "Declaration may not be in a Comdat!", id) {
		return
	}
	if g.DLL == ir.DLLExport && !v.check(g.Visibility != ir.Hidden, "dllexport GlobalValue must have default or protected visibility", id) {
		return
	}
	if g.DLL == ir.DLLImport {
		if !v.check(g.Visibility == ir.DefaultVisibility, "dllimport GlobalValue must have default visibility", id) ||
			!v.check(!g.DSOLocal, "GlobalValue with DLLImport Storage is dso_local!", id) ||
			!v.check(g.IsDecl && (g.Linkage == ir.External || g.Linkage == ir.ExternWeak) || g.Linkage == ir.AvailableExternally,
				"Global is marked as dllimport, but not external", id) {
			return
		}
	}
}

// attachment returns the first attachment of a kind.
func (v *verifier) attachment(list []ir.Attachment, kind string) (ir.MDID, bool) {
	for _, a := range list {
		if v.m.MDKinds()[a.Kind] == kind {
			return a.Node, true
		}
	}
	return 0, false
}

func (v *verifier) globalMetadata(g *ir.Global) bool {
	id := global(g.ID)
	if a, ok := v.attachment(g.MD, "associated"); ok {
		n := v.m.MD.At(a)
		if !v.check(len(n.Ops) == 1, "associated metadata must have one operand", id, mdNode(a)) {
			return false
		}
		if !v.check(n.Ops[0] != 0, "associated metadata must have a global value", id, mdNode(a)) {
			return false
		}
		op := v.m.MD.At(n.Ops[0])
		if !v.check(op.Kind == ir.MDConst, "associated metadata must be ValueAsMetadata", id, mdNode(a)) {
			return false
		}
		if !v.check(v.isPtr(v.moduleValueType(op.Value)), "associated value must be pointer typed", id, mdNode(a)) {
			return false
		}
		x := v.stripCasts(op.Value)
		if x.Global() != 0 {
			if !v.check(x.Global() != g.ID, "global values should not associate to themselves", id, mdNode(a)) {
				return false
			}
		}
	}
	if _, ok := v.attachment(g.MD, "implicit.ref"); ok && !v.implicitRefs(g) {
		return false
	}
	if a, ok := v.attachment(g.MD, "absolute_symbol"); ok {
		bits := 64
		if s := v.dl.Pointer(g.AddrSpace); s.Bits != 0 {
			bits = int(s.Bits)
		}
		v.rangeLike(id, a, v.t.Int(bits), rangeAbsolute)
	}
	return true
}

// implicitRefs checks !implicit.ref of a variable or function.
func (v *verifier) implicitRefs(g *ir.Global) bool {
	id := global(g.ID)
	if !v.check(!g.IsDecl, "ref metadata must not be placed on a declaration", id) {
		return false
	}
	for _, a := range g.MD {
		if v.m.MDKinds()[a.Kind] != "implicit.ref" {
			continue
		}
		ops := v.mdOps(a.Node)
		if !v.check(len(ops) == 1, "ref metadata must have one operand", id, mdNode(a.Node)) ||
			!v.check(ops[0] != 0 && v.m.MD.At(ops[0]).Kind == ir.MDConst, "ref metadata must be ValueAsMetadata", id, mdNode(a.Node)) {
			return false
		}
		x := v.m.MD.At(ops[0]).Value
		if !v.check(v.isPtr(v.moduleValueType(x)), "ref value must be pointer typed", id, mdNode(a.Node)) {
			return false
		}
		x = v.stripCasts(x)
		ok := x.Global() != 0 || x.Const() != 0 && v.m.Consts.At(x.Const()).Kind == ir.ConstNull
		if !v.check(ok, "ref metadata must point to a GlobalObject", id, modConst(x)) ||
			!v.check(x.Global() != g.ID, "values should not reference themselves", id, mdNode(a.Node)) {
			return false
		}
	}
	return true
}

// stripCasts looks through pointer casts and aliases of the module's constants.
func (v *verifier) stripCasts(x ir.Value) ir.Value {
	for range 64 {
		if c := x.Const(); c != 0 {
			r := v.m.Consts.At(c)
			if r.Kind == ir.ConstExpr && (r.Op == ir.OpBitCast || r.Op == ir.OpAddrSpaceCast) {
				x = v.m.Consts.Ops(c)[0]
				continue
			}
			return x
		}
		if g := x.Global(); g != 0 && v.m.Globals[g].Kind == ir.GlobalAlias {
			x = v.m.Globals[g].Init
			continue
		}
		return x
	}
	return x
}

func (v *verifier) globalVariable(g *ir.Global) {
	id := global(g.ID)
	if !g.IsDecl {
		if !v.check(v.moduleValueType(g.Init) == g.ValueType, "Global variable initializer type does not match global variable type!", id) ||
			!v.check(v.sized(g.ValueType), "Global variable initializer must be sized", id) {
			return
		}
		v.constant(g.Init)
		if g.Linkage == ir.Common {
			if !v.check(v.isZero(g.Init), "'common' global must have a zero initializer!", id) ||
				!v.check(!g.Constant, "'common' global may not be marked constant!", id) ||
				!v.check(g.Comdat == 0, "'common' global may not be in a Comdat!", id) {
				return
			}
		}
	}
	if g.Name == "llvm.global_ctors" || g.Name == "llvm.global_dtors" {
		if !v.structors(g) {
			return
		}
	}
	if g.Name == "llvm.used" || g.Name == "llvm.compiler.used" {
		if !v.usedList(g) {
			return
		}
	}
	for _, a := range g.MD {
		if v.m.MDKinds()[a.Kind] != "dbg" {
			continue
		}
		n := v.m.MD.At(a.Node)
		if n != nil && n.Kind == ir.MDSpecialized && n.Str == "DIGlobalVariableExpression" {
			// Only the node and its variable are looked at here: types are when
			// the unit's list of globals leads to them.
			v.specialized(a.Node, n)
			if g := n.FieldNode("var"); v.mdIs(g, "DIGlobalVariable") {
				v.specialized(g, v.m.MD.At(g))
			}
		} else {
			v.failDI("!dbg attachment of global variable must be a DIGlobalVariableExpression", id)
			return
		}
	}
	if !v.check(!v.t.ContainsScalable(g.ValueType), "Globals cannot contain scalable types", id) {
		return
	}
	if ty := v.badGlobalExt(g.ValueType); ty != 0 {
		v.fail("Global @"+g.Name+" has illegal target extension type", typeOf(ty))
		v.out = append(v.out, '\n')
		return
	}
	v.globalValue(g)
}

// badGlobalExt returns a target type in ty that no variable may have.
func (v *verifier) badGlobalExt(ty ir.Type) (bad ir.Type) {
	v.t.AnyPart(ty, func(t ir.Type) bool {
		if v.t.Kind(t) == ir.KindTargetExt && irtext.TargetTypeProps(v.t, t)&irtext.PropGlobal == 0 {
			bad = t
		}
		return bad != 0
	})
	return bad
}

func (v *verifier) isZero(x ir.Value) bool {
	c := x.Const()
	if c == 0 {
		return false
	}
	r := v.m.Consts.At(c)
	switch r.Kind {
	case ir.ConstZero, ir.ConstNull:
		return true
	case ir.ConstInt, ir.ConstFP:
		for _, w := range v.m.Consts.Words(c) {
			if w != 0 {
				return false
			}
		}
		return true
	}
	return false
}

func (v *verifier) structors(g *ir.Global) bool {
	id := global(g.ID)
	if !v.check(g.IsDecl || g.Linkage == ir.Appending, "invalid linkage for intrinsic global variable", id) {
		return false
	}
	if v.t.Kind(g.ValueType) != ir.KindArray {
		return true
	}
	st := v.t.Elem(g.ValueType)
	subs := []ir.Type(nil)
	if v.t.Kind(st) == ir.KindStruct {
		subs = v.t.Subtypes(st)
	}
	fn := v.t.Pointer(v.dl.ProgramAS)
	if !v.check((len(subs) == 2 || len(subs) == 3) && subs[0] == ir.Int32 && subs[1] == fn, "wrong type for intrinsic global variable", id) {
		return false
	}
	return v.check(len(subs) == 3, "the third field of the element type is mandatory, specify ptr null to migrate from the obsoleted 2-field form") &&
		v.check(v.isPtr(subs[2]), "wrong type for intrinsic global variable", id)
}

func (v *verifier) usedList(g *ir.Global) bool {
	id := global(g.ID)
	used := false
	v.m.Consts.EachOp(func(o ir.Value) { used = used || o == ir.GlobalVal(g.ID) })
	for _, x := range v.m.Globals[1:] {
		used = used || x.Init == ir.GlobalVal(g.ID)
	}
	if !v.check(!used, "invalid uses of intrinsic global variable", id) {
		return false
	}
	if !v.check(g.IsDecl || g.Linkage == ir.Appending, "invalid linkage for intrinsic global variable", id) {
		return false
	}
	if v.t.Kind(g.ValueType) != ir.KindArray {
		return true
	}
	if !v.check(v.isPtr(v.t.Elem(g.ValueType)), "wrong type for intrinsic global variable", id) {
		return false
	}
	if g.IsDecl {
		return true
	}
	c := g.Init.Const()
	if !v.check(c != 0 && v.m.Consts.At(c).Kind == ir.ConstArray, "wrong initializer for intrinsic global variable", modConst(g.Init)) {
		return false
	}
	for _, o := range v.m.Consts.Ops(c) {
		x := v.stripCasts(o)
		if !v.check(x.Global() != 0, "invalid "+g.Name+" member", modConst(x)) {
			return false
		}
		if !v.check(v.m.Globals[x.Global()].Name != "", "members of "+g.Name+" must be named", modConst(x)) {
			return false
		}
	}
	return true
}

func (v *verifier) alias(g *ir.Global) {
	id := global(g.ID)
	switch g.Linkage {
	case ir.Private, ir.Internal, ir.LinkOnceAny, ir.LinkOnceODR, ir.WeakAny, ir.WeakODR, ir.External, ir.AvailableExternally:
	default:
		v.fail("Alias should have private, internal, linkonce, weak, linkonce_odr, weak_odr, external, or available_externally linkage!", id)
		return
	}
	if !v.check(v.moduleValueType(g.Init) == v.t.Pointer(g.AddrSpace), "Alias and aliasee types should match!", id) {
		return
	}
	isExpr := g.Init.Const() != 0 && v.m.Consts.At(g.Init.Const()).Kind == ir.ConstExpr
	if !v.check(g.Init.Global() != 0 || isExpr, "Aliasee should be either GlobalValue or ConstantExpr", id) {
		return
	}
	visited := map[ir.GlobalID]bool{g.ID: true}
	before := len(v.out)
	v.aliasee(visited, g, g.Init)
	if len(v.out) == before && g.Linkage != ir.AvailableExternally {
		for id := range visited {
			v.goodAliases[id] = true
		}
	}
	v.globalValue(g)
}

func (v *verifier) aliasee(visited map[ir.GlobalID]bool, g *ir.Global, x ir.Value) {
	id := global(g.ID)
	if to := x.Global(); to != 0 {
		o := v.m.Globals[to]
		if g.Linkage == ir.AvailableExternally {
			if !v.check(o.Linkage == ir.AvailableExternally, "available_externally alias must point to available_externally global value", id) {
				return
			}
		} else if !v.check(!o.IsDecl && o.Linkage != ir.AvailableExternally, "Alias must point to a definition", id) {
			return
		}
		if o.Kind != ir.GlobalAlias {
			return
		}
		if v.goodAliases[to] && g.Linkage != ir.AvailableExternally {
			switch o.Linkage {
			case ir.LinkOnceAny, ir.WeakAny, ir.ExternWeak, ir.Common:
			default:
				return // what it leads to was followed before
			}
		}
		if !v.check(!visited[to], "Aliases cannot form a cycle", id) {
			return
		}
		visited[to] = true
		switch o.Linkage {
		case ir.LinkOnceAny, ir.WeakAny, ir.ExternWeak, ir.Common:
			v.fail("Alias cannot point to an interposable alias", id)
			return
		}
		v.aliasee(visited, g, o.Init)
		return
	}
	if c := x.Const(); c != 0 {
		if r := v.m.Consts.At(c); r.Kind == ir.ConstExpr {
			for _, o := range v.m.Consts.Ops(c) {
				v.aliasee(visited, g, o)
			}
		}
	}
}

func (v *verifier) ifunc(g *ir.Global) {
	id := global(g.ID)
	v.globalValue(g)
	switch g.Linkage {
	case ir.Private, ir.Internal, ir.LinkOnceAny, ir.LinkOnceODR, ir.WeakAny, ir.WeakODR, ir.External:
	default:
		v.fail("IFunc should have private, internal, linkonce, weak, linkonce_odr, weak_odr, or external linkage!", id)
		return
	}
	x := v.stripCasts(g.Init)
	r := (*ir.Global)(nil)
	if x.Global() != 0 {
		r = v.m.Globals[x.Global()]
	}
	if !v.check(r != nil && r.Kind == ir.GlobalFunc, "IFunc must have a Function resolver", id) ||
		!v.check(!r.IsDecl && r.Linkage != ir.AvailableExternally, "IFunc resolver must be a definition", id) ||
		!v.check(v.isPtr(v.t.Result(r.ValueType)), "IFunc resolver must return a pointer", id) {
		return
	}
	if !v.check(v.isPtr(v.moduleValueType(g.Init)), "IFunc resolver has incorrect type", id) {
		return
	}
	for _, k := range [...]string{"dbg", "prof"} {
		if _, ok := v.attachment(g.MD, k); ok {
			v.fail("an ifunc may not have a !"+k+" attachment", id)
		}
	}
}

func (v *verifier) comdat(i uint32) {
	// In COFF a comdat's leader has its name.
	if v.triple.Format != triple.FormatCOFF {
		return
	}
	if g := v.m.Lookup(v.m.Comdats[i].Name); g != 0 {
		v.check(v.m.Globals[g].Linkage != ir.Private, "comdat global value has private linkage", global(g))
	}
}

// constant checks the expressions of an initializer.
func (v *verifier) constant(x ir.Value) {
	c := x.Const()
	if c == 0 || v.seenConst[x] {
		return
	}
	v.seenConst[x] = true
	r := v.m.Consts.At(c)
	switch r.Kind {
	case ir.ConstArray, ir.ConstStruct, ir.ConstVector, ir.ConstSplat, ir.ConstExpr:
		v.constExpr(&v.m.Consts, x)
		for _, o := range v.m.Consts.Ops(c) {
			v.constant(o)
		}
	case ir.ConstPtrAuth:
		v.ptrAuth(x, v.m.Consts.Ops(c))
	}
}

func (v *verifier) ptrAuth(x ir.Value, ops []ir.Value) {
	if len(ops) < 4 {
		return
	}
	at := modConst(x)
	if !v.check(v.isPtr(v.moduleValueType(ops[0])), "signed ptrauth constant base pointer must have pointer type") {
		return
	}
	typ := func(o ir.Value) ir.Type { return v.moduleValueType(o) }
	if !v.check(v.t.IntBits(typ(ops[1])) == 32, "signed ptrauth constant key must be i32 constant integer", at) ||
		!v.check(v.isPtr(typ(ops[3])), "signed ptrauth constant address discriminator must be a pointer", at) ||
		!v.check(v.t.IntBits(typ(ops[2])) == 64, "signed ptrauth constant discriminator must be i64 constant integer", at) {
		return
	}
}

// constExpr checks a constant expression of either pool.
func (v *verifier) constExpr(pool *ir.ConstPool, x ir.Value) {
	r := pool.At(x.Const())
	if r.Kind != ir.ConstExpr || r.Op != ir.OpPtrToAddr {
		return
	}
	o := pool.Ops(x.Const())[0]
	src := v.moduleValueType(o)
	if pool != &v.m.Consts {
		src = v.f.TypeOf(o)
	}
	ok := v.t.IntBits(v.t.Scalar(r.Type)) == v.dl.IndexBits(v.t.AddrSpace(v.t.Scalar(src)))
	v.check(ok, "PtrToAddr result must be address width", x)
}

// bodyConstant checks the expressions in an operand of an instruction.
func (v *verifier) bodyConstant(x ir.Value, depth int) {
	c := x.Const()
	if c == 0 || depth > 64 {
		return
	}
	switch v.f.Consts.At(c).Kind {
	case ir.ConstArray, ir.ConstStruct, ir.ConstVector, ir.ConstSplat, ir.ConstExpr:
		v.constExpr(&v.f.Consts, x)
		for _, o := range v.f.Consts.Ops(c) {
			v.bodyConstant(o, depth+1)
		}
	}
}
