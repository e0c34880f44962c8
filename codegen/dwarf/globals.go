package dwarf

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/dwarfname"
	"github.com/mirin-go/mirin/mc"
)

// collectGlobals finds the globals that variables are in.
func (w *Writer) collectGlobals() {
	w.globals = map[ir.MDID][]globalExpr{}
	kind := w.mod.MDKind("dbg")
	for _, id := range w.mod.Vars {
		for _, a := range w.mod.Globals[id].MD {
			if a.Kind == kind {
				if n := w.at(a.Node); n.is("DIGlobalVariableExpression") {
					v := n.ref("var").id
					w.globals[v] = append(w.globals[v], globalExpr{id, true, n.ref("expr")})
				}
			}
		}
	}
}

// isConstantExpr reports an expression that is a number; signed says how.
func isConstantExpr(n node) (v uint64, signed, ok bool) {
	ops := parseExpr(n, nil)
	if len(ops) == 0 || ops[0].op != opConstu && ops[0].op != opConsts {
		return 0, false, false
	}
	if len(ops) > 3 || len(ops) >= 2 && ops[1].op != opStackValue && ops[1].op != opLLVMFragment || len(ops) == 3 && ops[2].op != opLLVMFragment {
		return 0, false, false
	}
	return ops[0].args[0], ops[0].op == opConsts, true
}

// beginUnit describes what a unit lists: variables, and types that nothing may refer to.
func (w *Writer) beginUnit(u *unit) {
	w.dieFor(u)
	globals := u.list("globals")
	for _, id := range globals {
		n := w.at(id)
		v, e := n.ref("var").id, n.ref("expr")
		if _, _, isConst := isConstantExpr(e); len(w.globals[v]) == 0 || isConst {
			w.globals[v] = append(w.globals[v], globalExpr{expr: e})
		}
	}
	seen := map[ir.MDID]bool{}
	for _, id := range globals {
		if v := w.at(id).ref("var"); !seen[v.id] && !v.null() {
			seen[v.id] = true
			w.globalVariable(u, v)
		}
	}
	for _, id := range u.list("enums") {
		w.typeDie(u, w.at(id))
	}
	for _, id := range u.list("retainedTypes") {
		if n := w.at(id); isType(n) {
			w.typeDie(u, n)
		}
	}
}

// sortedExprs are the parts of a variable in order.
func (w *Writer) sortedExprs(v ir.MDID) []globalExpr {
	l := slices.Clone(w.globals[v])
	off := func(g globalExpr) uint64 {
		o, _ := w.fragment(g.expr.id)
		return o
	}
	slices.SortStableFunc(l, func(a, b globalExpr) int { return cmp.Compare(off(a), off(b)) })
	return slices.CompactFunc(l, func(a, b globalExpr) bool { return a.global == b.global && a.expr.id == b.expr.id })
}

func (w *Writer) globalVariable(u *unit, n node) dieID {
	if d := w.findDie(u, n); d != 0 {
		return d
	}
	scope := n.ref("scope")
	context := w.contextDie(u, scope)
	if d := w.findDie(u, n); d != 0 {
		return d
	}
	cu := w.units[w.dies[context].unit]
	d := w.newDie(cu.number, n.tag(), context)
	w.dieOf[dieKey{u.number, n.id}] = d
	if decl := n.ref("declaration"); !decl.null() {
		scope = decl.ref("scope")
		w.addDie(d, atSpecification, w.staticMember(u, decl))
		if t := n.ref("type"); t.id != decl.ref("baseType").id {
			w.addType(u, d, atType, t)
		}
	} else {
		w.addName(d, n)
		w.addType(u, d, atType, n.ref("type"))
		if !n.flag("isLocal", false) {
			w.addFlag(d, atExternal, w.version)
		}
		w.sourceLine(u, d, n)
	}
	if !n.flag("isDefinition", true) {
		w.addFlag(d, atDeclaration, w.version)
	} else {
		w.addGlobalName(u, n.str("name"), d, scope)
	}
	w.annotations(d, n)
	if a := n.num("align") / 8; a != 0 {
		w.add(d, atAlignment, formUdata, valULEB, a)
	}
	w.templateParams(u, d, n.list("templateParams"))
	w.globalLocation(u, d, n)
	return d
}

// globalLocation adds where a variable is, or its value.
func (w *Writer) globalLocation(u *unit, d dieID, n node) {
	exprs := w.sortedExprs(n.id)
	e := exprWriter{w: w}
	var b block
	some, indexed := false, false
	for _, g := range exprs {
		if v, signed, ok := isConstantExpr(g.expr); ok && len(exprs) == 1 {
			indexed = true
			if signed {
				w.addSint(d, atConstValue, int64(v))
			} else {
				w.add(d, atConstValue, formUdata, valULEB, v)
			}
			break
		}
		if _, _, ok := isConstantExpr(g.expr); !g.has && !ok {
			continue
		}
		if g.has && w.mod.Globals[g.global].TLS != ir.NotTLS && w.dtpOff == 0 {
			continue
		}
		some, indexed = true, true
		ops := parseExpr(g.expr, nil)
		e.kind, e.ops = locUnknown, ops
		e.fragment(ops)
		if g.has {
			s := w.out.Symbol(g.global)
			if w.mod.Globals[g.global].TLS != ir.NotTLS {
				code := byte(opConst8u)
				if w.ptr == 4 {
					code = opConst4u
				}
				e.op(code)
				b.fix = append(b.fix, blockFix{at: len(e.b), sym: s, size: w.ptr, tls: true})
				if w.version >= 3 && !w.gnuTLS() {
					e.op(opFormTlsAddress)
				} else {
					e.op(opGNUPushTlsAddress)
				}
			} else {
				w.opAddress(&e.b, &b.fix, s)
			}
		}
		if e.kind == locUnknown {
			e.kind = locMemory
		}
		e.rest(nil)
	}
	if some {
		e.finish()
		b.b = e.b
		w.addBlock(d, atLocation, b, w.version)
	}
	if l := n.str("linkageName"); l != "" {
		w.linkageName(d, l)
	}
	if indexed {
		w.addAccelName(u, n.str("name"), d)
		if l := n.str("linkageName"); l != "" && l != n.str("name") {
			w.addAccelName(u, l, d)
		}
	}
}

// gnuTLS says that debuggers know only GNU's operation for thread-local variables.
func (w *Writer) gnuTLS() bool { return true }

func (w *Writer) linkageName(d dieID, s string) {
	if s == "" {
		return
	}
	if s[0] == 1 {
		s = s[1:]
	}
	attr := uint16(atLinkageName)
	if w.version < 4 {
		attr = atMIPSLinkageName
	}
	w.addString(d, attr, s)
}

// opAddress appends the address of a symbol to an expression.
func (w *Writer) opAddress(b *[]byte, fix *[]blockFix, s mc.Sym) {
	if w.version >= 5 {
		*b = appendULEB(append(*b, opAddrx), uint64(w.addrs.number(s)))
		return
	}
	*b = append(*b, opAddr)
	*fix = append(*fix, blockFix{at: len(*b), sym: s, size: w.ptr})
}

func (w *Writer) addressOf(s mc.Sym) (b block) {
	w.opAddress(&b.b, &b.fix, s)
	return b
}

func (w *Writer) namespace(u *unit, n node) dieID {
	context := w.contextDie(u, n.ref("scope"))
	if d := w.findDie(u, n); d != 0 {
		return d
	}
	d := w.newDie(int(w.dies[context].unit), tagNamespace, context)
	w.dieOf[dieKey{u.number, n.id}] = d
	name := n.str("name")
	if name != "" {
		w.addString(d, atName, name)
	} else {
		name = "(anonymous namespace)"
	}
	w.addAccelName(u, name, d)
	w.addGlobalName(u, name, d, n.ref("scope"))
	if n.flag("exportSymbols", false) {
		w.addFlag(d, atExportSymbols, w.version)
	}
	return d
}

func (w *Writer) module(u *unit, n node) dieID {
	context := w.contextDie(u, n.ref("scope"))
	if d := w.findDie(u, n); d != 0 {
		return d
	}
	d := w.newDie(int(w.dies[context].unit), tagModule, context)
	w.dieOf[dieKey{u.number, n.id}] = d
	if s := n.str("name"); s != "" {
		w.addString(d, atName, s)
		w.addGlobalName(u, s, d, n.ref("scope"))
	}
	for _, a := range [...]struct {
		field string
		attr  uint16
	}{{"configMacros", atLLVMConfigMacros}, {"includePath", atLLVMIncludePath}, {"apinotes", atLLVMApinotes}} {
		if s := n.str(a.field); s != "" {
			w.addString(d, a.attr, s)
		}
	}
	if f := n.ref("file"); !f.null() {
		w.addUint(d, atDeclFile, w.fileNumber(u, f.id))
	}
	if l := n.num("line"); l != 0 {
		w.addUint(d, atDeclLine, l)
	}
	if n.flag("isDecl", false) {
		w.addFlag(d, atDeclaration, w.version)
	}
	return d
}

func (w *Writer) commonBlock(u *unit, n node) dieID {
	context := w.contextDie(u, n.ref("scope"))
	if d := w.findDie(u, n); d != 0 {
		return d
	}
	d := w.newDie(int(w.dies[context].unit), tagCommonBlock, context)
	w.dieOf[dieKey{u.number, n.id}] = d
	name := n.str("name")
	if name == "" {
		name = "_BLNK_"
	}
	w.addString(d, atName, name)
	w.addGlobalName(u, name, d, n.ref("scope"))
	w.sourceLine(u, d, n)
	if v := n.ref("declaration"); !v.null() {
		w.globalLocation(u, d, v)
	}
	return d
}

// imported describes an imported entity: a using directive or declaration.
func (w *Writer) imported(u *unit, n node) dieID {
	if d := w.findDie(u, n); d != 0 {
		return d
	}
	context := w.contextDie(u, n.ref("scope"))
	d := w.importedDie(u, n)
	w.dieOf[dieKey{u.number, n.id}] = d
	w.adopt(context, d)
	return d
}

func (w *Writer) importedDie(u *unit, n node) dieID {
	d := w.newDie(u.number, n.tag(), 0)
	var to dieID
	switch e := n.ref("entity"); {
	case e.is("DINamespace"):
		to = w.namespace(u, e)
	case e.is("DIModule"):
		to = w.module(u, e)
	case e.is("DISubprogram"):
		if to = w.abstract[e.id]; to == 0 {
			to = w.subprogramDie(u, e, false)
		}
	case isType(e):
		to = w.typeDie(u, e)
	case e.is("DIGlobalVariable"):
		to = w.globalVariable(u, e)
	case e.is("DIImportedEntity"):
		to = w.imported(u, e)
	case !e.null():
		to = w.variableDie(u, e)
	}
	w.sourceLine(u, d, n)
	if to != 0 {
		w.addDie(d, atImport, to)
	}
	if s := n.str("name"); s != "" {
		w.addString(d, atName, s)
		w.addAccelName(u, s, d)
	}
	for _, id := range n.list("elements") {
		if e := w.at(id); !e.null() {
			w.adopt(d, w.importedDie(u, e))
		}
	}
	return d
}

// subprogramDie is the entry of a subprogram: all of a declaration, of a definition
// what finish completes.
func (w *Writer) subprogramDie(u *unit, n node, minimal bool) dieID {
	definition := isDefinition(n)
	if cu, ok := w.unitOf[n.ref("unit").id]; ok && definition && w.units[cu].kind != kindNoDebug {
		u = w.units[cu]
	}
	context := w.dieFor(u)
	if !minimal {
		context = w.contextDie(u, n.ref("scope"))
	}
	if d := w.findDie(u, n); d != 0 {
		return d
	}
	if decl := n.ref("declaration"); !decl.null() && !minimal {
		w.subprogramDie(u, decl, false)
		context = w.dieFor(u)
	}
	cu := w.units[w.dies[context].unit]
	d := w.newDie(cu.number, tagSubprogram, context)
	w.dieOf[w.key(u, n)] = d
	if definition {
		return d
	}
	w.subprogramAttributes(cu, n, d, minimal)
	return d
}

func (w *Writer) definitionAttributes(u *unit, n node, d dieID) {
	scope := n.ref("scope")
	if decl := n.ref("declaration"); !decl.null() {
		scope = decl.ref("scope")
	}
	if !u.minimal() {
		w.contextDie(u, scope)
	}
	w.subprogramAttributes(u, n, d, u.minimal())
	w.addGlobalName(u, n.str("name"), d, scope)
}

// declared adds what a definition adds to its declaration, and reports whether it has one.
func (w *Writer) declared(u *unit, n node, d dieID, minimal bool) bool {
	var decl dieID
	declName := ""
	if x := n.ref("declaration"); !x.null() && !minimal {
		a, b := x.ref("type").list("types"), n.ref("type").list("types")
		if len(a) > 0 && len(b) > 0 && b[0] != 0 && a[0] != b[0] {
			w.addType(u, d, atType, w.at(b[0]))
		}
		decl = w.subprogramDie(u, x, false)
		declName = x.str("linkageName")
		from, to := w.fileNumber(u, x.ref("file").id), w.fileNumber(u, n.ref("file").id)
		if from != to {
			w.addUint(d, atDeclFile, to)
		}
		if n.num("line") != x.num("line") {
			w.addUint(d, atDeclLine, n.num("line"))
		}
	}
	if !minimal || n.flags()&(1<<30) != 0 { // DIFlagNameIsSimplified
		w.templateParams(u, d, n.list("templateParams"))
	}
	if l := n.str("linkageName"); l != declName {
		w.linkageName(d, l)
	}
	if decl == 0 {
		return false
	}
	w.addDie(d, atSpecification, decl)
	return true
}

func (w *Writer) subprogramAttributes(u *unit, n node, d dieID, minimal bool) {
	line := !minimal || u.flag("debugInfoForProfiling", false)
	if line && w.declared(u, n, d, minimal) {
		return
	}
	w.addName(d, n)
	w.annotations(d, n)
	if line {
		w.sourceLine(u, d, n)
	}
	if minimal {
		return
	}
	fl, sp := n.flags(), n.word("spFlags", dwarfname.DISPFlag)
	if fl&flagPrototyped != 0 && u.isCLike() {
		w.addFlag(d, atPrototyped, w.version)
	}
	t := n.ref("type")
	if cc := t.word("cc", dwarfname.CC); cc > 1 {
		w.add(d, atCallingConvention, formData1, valInt, cc)
	}
	types := t.list("types")
	if len(types) > 0 {
		w.addType(u, d, atType, w.at(types[0]))
	}
	virtuality := sp & 3
	if n.has("virtuality") {
		virtuality = n.word("virtuality", dwarfname.Virtuality)
	}
	if virtuality != 0 {
		w.add(d, atVirtuality, formData1, valInt, virtuality)
		if i := n.num("virtualIndex"); n.has("virtualIndex") && uint32(i) != ^uint32(0) || !n.has("virtualIndex") {
			w.addBlock(d, atVtableElemLocation, block{b: appendULEB([]byte{opConstu}, i)}, w.version)
		}
		w.holders = append(w.holders, containing{d, n.ref("containingType").id})
	}
	if !isDefinition(n) {
		w.addFlag(d, atDeclaration, w.version)
		w.arguments(u, d, types)
	}
	for _, id := range n.list("thrownTypes") {
		e := w.newDie(u.number, tagThrownType, d)
		w.addType(u, e, atType, w.at(id))
	}
	local := sp&spLocalToUnit != 0 || n.flag("isLocal", false)
	for _, a := range [...]struct {
		on   bool
		attr uint16
	}{{fl&flagArtificial != 0, atArtificial}, {!local, atExternal}, {fl&flagLValueRef != 0, atReference}, {fl&flagRValueRef != 0, atRvalueReference},
		{fl&flagNoReturn != 0, atNoreturn}} {
		if a.on {
			w.addFlag(d, a.attr, w.version)
		}
	}
	w.addAccess(d, n)
	for _, a := range [...]struct {
		on   bool
		attr uint16
	}{{fl&flagExplicit != 0, atExplicit}, {sp&spMain != 0, atMainSubprogram}, {sp&spPure != 0, atPure}, {sp&spElemental != 0, atElemental}, {sp&spRecursive != 0, atRecursive}} {
		if a.on {
			w.addFlag(d, a.attr, w.version)
		}
	}
	if s := n.str("targetFuncName"); s != "" {
		w.addString(d, atTrampoline, s)
	}
	if sp&spDeleted != 0 {
		w.addFlag(d, atDeleted, w.version)
	}
}
