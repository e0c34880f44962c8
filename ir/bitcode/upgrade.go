package bitcode

import (
	"slices"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
)

// leastOperands are the lengths that records of debug info have at least.
var leastOperands = [...]uint8{mdBasicType: 6, mdFile: 3, mdDerivedType: 12, mdComposite: 16, mdSubroutine: 3, mdCompileUnit: 14, mdSubprogram: 18,
	mdLexBlock: 5, mdLexBlockFile: 4, mdCommonBlock: 6, mdTemplateType: 3, mdTemplateVal: 5, mdGlobalVar: 11, mdLocalVar: 8,
	mdGlobalVarExp: 3, mdObjCProperty: 8, mdImported: 6, mdModule: 5, mdMacro: 5, mdMacroFile: 5, mdSubrange: 3, mdGenericRange: 5,
	mdStringType: 8, mdSubrangeType: 13, mdNamespace: 3, mdLabel: 5, mdAssignID: 1}

// upgradeRecord brings a record of debug info to the layout that LLVM 22
// writes; false says that its length is wrong.
func (d *mdTable) upgradeRecord(code uint32, rec []uint64) ([]uint64, bool) {
	n := len(rec)
	least := 0
	if int(code) < len(leastOperands) {
		least = int(leastOperands[code])
	}
	if n < least {
		if code == mdImported {
			d.c.fail("Invalid DIImportedEntity record")
		}
		return nil, false
	}
	switch code {
	case mdImported:
		if n > 8 {
			d.c.fail("Invalid DIImportedEntity record")
			return nil, false
		}
		if n < 7 { // a line means nothing without its file
			rec[4] = 0
		}
	case mdSubrange:
		switch rec[0] >> 1 {
		case 0, 1: // numbers, or a node and a number
			d.oldSubrange(rec)
			return nil, true
		}
	case mdNamespace:
		if n == 5 { // scope, file, name, line
			rec = []uint64{rec[0], rec[1], rec[3]}
		}
	case mdModule:
		if n == 6 || n == 5 { // without file, line and declaration
			rec = append([]uint64{rec[0], 0}, rec[1:]...)
		}
	case mdTemplateVal:
		if n == 5 {
			rec = []uint64{rec[0], rec[1], rec[2], rec[3], 0, rec[4]}
		}
	case mdGlobalVar:
		switch rec[0] >> 1 {
		case 0:
			old := append([]uint64(nil), rec...)
			for len(old) < 12 {
				old = append(old, 0)
			}
			rec = []uint64{old[0], old[1], old[2], old[3], old[4], old[5], old[6], old[7], old[8], old[10], 0, old[11], 0, old[9]}
		case 1: // before template parameters
			rec = []uint64{rec[0], rec[1], rec[2], rec[3], rec[4], rec[5], rec[6], rec[7], rec[8], at(rec, 10), 0, at(rec, 11), 0}
		}
	case mdLocalVar:
		if rec[0]&2 == 0 && n > 8 { // with a tag
			rec = append([]uint64{rec[0]}, rec[2:]...)
			n--
		}
		if rec[0]&2 == 0 && n > 8 {
			rec = rec[:8]
		}
	case mdSubprogram:
		return upgradeSubprogram(rec), true
	case mdMacroFile, mdMacro:
	}
	return rec, true
}

// upgradeSubprogram turns the records of before LLVM 8, which had booleans for
// the flags of definitions, into today's.
func upgradeSubprogram(rec []uint64) []uint64 {
	if rec[0]&4 != 0 {
		return rec
	}
	// distinct, scope, name, linkage, file, line, type, isLocal, isDefinition, scopeLine, containingType, virtuality, virtualIndex, flags, isOptimized, …
	hasUnit := rec[0]&2 != 0
	v := at(rec, 11) & 3
	if at(rec, 7) != 0 {
		v |= 1 << 2
	}
	if at(rec, 8) != 0 {
		v |= 1 << 3
	}
	if at(rec, 14) != 0 {
		v |= 1 << 4
	}
	if at(rec, 13)&(1<<21) != 0 { // main subprogram was a flag of types
		v |= 1 << 8
		rec[13] &^= 1 << 21
	}
	out := []uint64{rec[0] | 6, rec[1], rec[2], rec[3], rec[4], rec[5], rec[6], at(rec, 9), at(rec, 10), v, at(rec, 12), at(rec, 13)}
	switch {
	case hasUnit:
		out = append(out, at(rec, 15), at(rec, 16), at(rec, 17), at(rec, 18), at(rec, 19), at(rec, 20))
	case len(rec) >= 19: // a function instead of the unit
		out = append(out, 0, at(rec, 16), at(rec, 17), at(rec, 18), 0, 0)
	default:
		out = append(out, 0, at(rec, 15), at(rec, 16), at(rec, 17), 0, 0)
	}
	if v&8 != 0 {
		out[0] |= 1 // definitions are distinct
	}
	return out
}

// oldSubrange reads the first two versions: bounds were numbers.
func (d *mdTable) oldSubrange(rec []uint64) {
	d.f = d.f[:0]
	if rec[0]>>1 == 0 {
		if c := int64(rec[1]); c != -1 {
			d.signedKept("count", c)
		}
	} else {
		d.bound("count", d.orNull(rec[1]))
	}
	d.signedKept("lowerBound", unsign(rec[2]))
	d.emit("DISubrange", rec[0])
}

func (d *mdTable) signedKept(name string, v int64) {
	n := len(d.f)
	d.signed(name, v)
	if len(d.f) == n {
		d.f = append(d.f, ir.MDField{Name: name, Kind: ir.MDFieldInt})
	}
}

// add adds a node without a number.
func (d *mdTable) add(n *ir.MDNode) ir.MDID {
	if d.body != nil {
		return d.body.addMD(n)
	}
	return d.r.m.MD.Add(n)
}

// oldGlobalVar makes a variable whose record named its global or its value.
// Today an expression beside it says the value, and the global has both attached.
func (d *mdTable) oldGlobalVar(rec []uint64) {
	d.r.oldVars = true
	n := d.newNode()
	n.Kind, n.Str, n.Distinct = ir.MDSpecialized, "DIGlobalVariable", rec[0]&1 != 0
	n.Fields = d.takeFields(d.f)
	expr := d.orNull(rec[13])
	x := d.node(expr)
	if expr == 0 {
		d.define(n)
		return
	}
	if x == nil || x.Kind != ir.MDConst { // an expression, known already or not
		d.define(d.exprOf(d.add(n), expr))
		return
	}
	if g := x.Value.Global(); g != 0 {
		id := d.define(n)
		if gl := d.r.globals[g-1]; gl.Kind == ir.GlobalVar {
			gl.MD = append(gl.MD, ir.Attachment{Kind: d.r.m.MDKind("dbg"), Node: d.add(d.exprOf(id, 0))})
		}
		return
	}
	v, ok := d.r.m.Consts.SignedInt(d.r.t, x.Value)
	if !ok || x.Value.Const() == 0 {
		d.define(n)
		return
	}
	e := d.newNode()
	e.Kind, e.Str = ir.MDSpecialized, "DIExpression"
	e.Fields = irtext.ExpressionFields([]uint64{dwOpConstu, uint64(v), dwOpStackValue})
	d.define(d.exprOf(d.add(n), d.add(e)))
}

// exprOf makes the node that joins a global variable and an expression, an empty one for 0.
func (d *mdTable) exprOf(v, expr ir.MDID) *ir.MDNode {
	if expr == 0 {
		expr = d.add(&ir.MDNode{Kind: ir.MDSpecialized, Str: "DIExpression"})
	}
	return &ir.MDNode{Kind: ir.MDSpecialized, Str: "DIGlobalVariableExpression", Distinct: true,
		Fields: []ir.MDField{{Name: "var", Node: v}, {Name: "expr", Node: expr}}}
}

// upgradeDebugInfo gives the module's debug info today's form where that takes more than one record.
func (r *reader) upgradeDebugInfo() {
	md := &r.m.MD
	d := &r.md
	d.r, d.c, d.body = r, &r.cursor, nil
	types := map[string]ir.MDID{}
	for i := 1; i < md.Len(); i++ {
		n := md.At(ir.MDID(i))
		if n == nil || n.Kind != ir.MDSpecialized {
			continue
		}
		switch n.Str {
		case "DICompileUnit":
			// Lists of variables hold expressions.
			if f := field(n, "globals"); f != nil && md.At(f.Node) != nil {
				for k, o := range md.At(f.Node).Ops {
					if v := md.At(o); v != nil && v.Kind == ir.MDSpecialized && v.Str == "DIGlobalVariable" {
						md.At(f.Node).Ops[k] = md.Add(d.exprOf(o, 0))
					}
				}
			}
		case "DICompositeType":
			if f := field(n, "identifier"); f != nil && r.oldRefs {
				types[f.Str] = ir.MDID(i)
			}
		}
	}
	for _, u := range r.oldUnits {
		if l := md.At(u.list); l != nil && l.Kind == ir.MDTuple {
			for _, o := range l.Ops {
				if n := md.At(o); n != nil && n.Kind == ir.MDSpecialized && n.Str == "DISubprogram" {
					setNode(n, "unit", u.unit)
				}
			}
		}
	}
	if kind := r.m.MDKind("dbg"); r.oldVars {
		for _, g := range r.globals {
			for i := range g.MD {
				if a := &g.MD[i]; g.Kind == ir.GlobalVar && a.Kind == kind {
					if v := md.At(a.Node); v != nil && v.Kind == ir.MDSpecialized && v.Str == "DIGlobalVariable" {
						a.Node = md.Add(d.exprOf(a.Node, 0))
					}
				}
			}
		}
	}
	if !r.oldRefs || len(types) == 0 {
		return
	}
	resolve := func(id *ir.MDID) {
		if n := md.At(*id); *id != 0 && n != nil && n.Kind == ir.MDString && types[n.Str] != 0 {
			*id = types[n.Str]
		}
	}
	for i := 1; i < md.Len(); i++ {
		n := md.At(ir.MDID(i))
		if n == nil || n.Kind != ir.MDSpecialized || n.Str == "GenericDINode" {
			continue
		}
		for k := range n.Fields {
			f := &n.Fields[k]
			if f.Kind != ir.MDFieldNode {
				continue
			}
			resolve(&f.Node)
			if l := md.At(f.Node); (f.Name == "types" || f.Name == "retainedTypes") && l != nil && l.Kind == ir.MDTuple {
				for x := range l.Ops {
					resolve(&l.Ops[x])
				}
			}
		}
	}
}

// oldUnit is a compile unit that lists its subprograms, which point to it today.
type oldUnit struct{ unit, list ir.MDID }

// setNode sets a field of a specialized node that is a node, in the place where the class has it.
func setNode(n *ir.MDNode, name string, v ir.MDID) {
	if f := field(n, name); f != nil {
		f.Kind, f.Node = ir.MDFieldNode, v
		return
	}
	x := recordByClass(n.Str)
	place := func(name string) int {
		return slices.IndexFunc(x.ops, func(o mdOperand) bool { return o.name == name })
	}
	at := slices.IndexFunc(n.Fields, func(f ir.MDField) bool { return place(f.Name) > place(name) })
	if at < 0 {
		at = len(n.Fields)
	}
	n.Fields = slices.Insert(slices.Clone(n.Fields), at, ir.MDField{Name: name, Node: v})
}

// fixDeclares takes the leading dereference off the expressions of declared arguments.
func (r *reader) fixDeclares() {
	if !r.oldDeclares {
		return
	}
	for _, id := range r.m.Funcs {
		f := r.m.Globals[id].Func
		if f == nil {
			continue
		}
		for i := range f.DbgRecords {
			x := &f.DbgRecords[i]
			if x.Kind != ir.DbgDeclare {
				continue
			}
			a, e := r.m.MD.At(x.Args[0]), r.m.MD.At(x.Args[2])
			if a == nil || e == nil || a.Kind != ir.MDLocal || f.Instrs[a.Value.Index()].Op != ir.OpArgument || len(e.Fields) == 0 ||
				e.Fields[0].Str != "DW_OP_deref" {
				continue
			}
			x.Args[2] = r.m.MD.Add(&ir.MDNode{Kind: ir.MDSpecialized, Str: "DIExpression", Fields: e.Fields[1:]})
		}
	}
}

// dropAligns takes alignments off parameters that are no pointers.
func (r *reader) dropAligns(id ir.AttrListID, ft ir.Type) ir.AttrListID {
	if id == 0 {
		return id
	}
	l := r.m.Attrs.At(id)
	params := r.t.Subtypes(ft)
	var c *ir.AttrList
	for i, set := range l.Params {
		if !set.Has("align") || i >= len(params) || r.t.Kind(r.t.Scalar(params[i])) == ir.KindPointer {
			continue
		}
		if c == nil {
			c = &ir.AttrList{Fn: l.Fn, Ret: l.Ret, Params: append([]ir.AttrSet(nil), l.Params...)}
		}
		var s ir.AttrSet
		for _, a := range set {
			if a.Key != "align" {
				s = append(s, a)
			}
		}
		c.Params[i] = s
	}
	if c == nil {
		return id
	}
	return r.m.Attrs.Intern(c)
}

// elementTypes gives arguments whose pointee matters the attribute that says
// it since pointers are opaque: of exclusive loads and stores, of structure accesses, of
// indirect operands of inline assembly.
func (b *bodyReader) elementTypes(attrs ir.AttrListID, callee ir.Value, args []value) ir.AttrListID {
	if !b.typed {
		return attrs
	}
	var at []int
	switch callee.Tag() {
	case ir.TagInlineAsm:
		a := &b.done.asms[callee.Index()&^provisional]
		n := 0
		for _, c := range strings.Split(a.Constraints, ",") {
			if strings.HasPrefix(c, "~") || strings.HasPrefix(c, "=") && !strings.Contains(c, "*") {
				continue
			}
			if strings.Contains(c, "*") {
				at = append(at, n)
			}
			n++
		}
	case ir.TagGlobal:
		name := b.globals[callee.Global()-1].Name
		switch {
		case strings.HasPrefix(name, "llvm.preserve.array.access.index"), strings.HasPrefix(name, "llvm.preserve.struct.access.index"):
			at = []int{0}
		case strings.HasPrefix(name, "llvm.arm.ldrex.p"), strings.HasPrefix(name, "llvm.arm.ldaex.p"),
			strings.HasPrefix(name, "llvm.aarch64.ldxr."), strings.HasPrefix(name, "llvm.aarch64.ldaxr."):
			at = []int{0}
		case strings.HasPrefix(name, "llvm.arm.strex.p"), strings.HasPrefix(name, "llvm.arm.stlex.p"),
			strings.HasPrefix(name, "llvm.aarch64.stxr."), strings.HasPrefix(name, "llvm.aarch64.stlxr."):
			at = []int{1}
		}
	}
	for _, i := range at {
		if i >= len(args) {
			break
		}
		t := b.typ(uint64(b.elemID(args[i].tid, 0)))
		l := b.m.Attrs.At(attrs)
		if t == 0 || l.Param(i).Has("elementtype") {
			continue
		}
		c := &ir.AttrList{Fn: l.Fn, Ret: l.Ret, Params: append([]ir.AttrSet(nil), l.Params...)}
		for len(c.Params) <= i {
			c.Params = append(c.Params, nil)
		}
		c.Params[i] = append(append(ir.AttrSet(nil), c.Params[i]...), ir.Attr{Key: "elementtype", Type: t})
		sortAttrs(c.Params[i])
		attrs = b.m.Attrs.Intern(c)
	}
	return attrs
}

// structors gives llvm.global_ctors and llvm.global_dtors of old files the third member, a null pointer.
func (r *reader) structors() {
	for _, g := range r.globals {
		if g.Kind != ir.GlobalVar || g.Name != "llvm.global_ctors" && g.Name != "llvm.global_dtors" || r.t.Kind(g.ValueType) != ir.KindArray {
			continue
		}
		e := r.t.Elem(g.ValueType)
		if r.t.Kind(e) != ir.KindStruct || len(r.t.Subtypes(e)) != 2 || g.Init.Const() == 0 {
			continue
		}
		m := r.t.Subtypes(e)
		st := r.t.Struct([]ir.Type{m[0], m[1], ir.Ptr}, false)
		pool := &r.m.Consts
		null := zero(pool, r.t, ir.Ptr)
		at := r.t.Array(st, r.t.NumElems(g.ValueType))
		switch pool.At(g.Init.Const()).Kind {
		case ir.ConstZero:
			g.ValueType, g.Init = at, ir.ConstVal(pool.Plain(ir.ConstZero, at))
		case ir.ConstArray:
			var elems []ir.Value
			for _, v := range append([]ir.Value(nil), pool.Ops(g.Init.Const())...) {
				if c := v.Const(); c == 0 || pool.At(c).Kind != ir.ConstStruct {
					elems = nil
					break
				}
				ops := append(append([]ir.Value(nil), pool.Ops(v.Const())...), null)
				elems = append(elems, ir.ConstVal(pool.Aggregate(ir.ConstStruct, st, ops)))
			}
			if elems != nil {
				g.ValueType, g.Init = at, ir.ConstVal(pool.Aggregate(ir.ConstArray, at, elems))
			}
		}
	}
}

// loopID returns what replaces a loop's node with the hints of LLVM 3.4, the node itself when it has none.
func (r *reader) loopID(id ir.MDID, done map[ir.MDID]ir.MDID) ir.MDID {
	if to, ok := done[id]; ok {
		return to
	}
	done[id] = id
	n := r.m.MD.At(id)
	if n == nil || n.Kind != ir.MDTuple {
		return id
	}
	ops := make([]ir.MDID, len(n.Ops))
	changed := false
	for i, o := range n.Ops {
		ops[i] = o
		if to, ok := done[o]; ok && to != o {
			ops[i], changed = to, true
			continue
		}
		h := r.m.MD.At(o)
		if h == nil || h.Kind != ir.MDTuple || len(h.Ops) == 0 || o == id {
			continue
		}
		s := r.m.MD.At(h.Ops[0])
		if s == nil || s.Kind != ir.MDString || !strings.HasPrefix(s.Str, "llvm.vectorizer.") {
			continue
		}
		name := "llvm.loop.vectorize." + s.Str[len("llvm.vectorizer."):]
		if s.Str == "llvm.vectorizer.unroll" {
			name = "llvm.loop.interleave.count"
		}
		x := &ir.MDNode{Kind: ir.MDTuple, Ops: append([]ir.MDID(nil), h.Ops...)}
		x.Ops[0] = r.m.MD.Add(&ir.MDNode{Kind: ir.MDString, Str: name})
		ops[i], changed = r.m.MD.Add(x), true
		done[o] = ops[i]
	}
	if changed {
		done[id] = r.m.MD.Add(&ir.MDNode{Kind: ir.MDTuple, Ops: ops})
	}
	return done[id]
}

// fixLoops upgrades the !llvm.loop attachments.
func (r *reader) fixLoops() {
	for id, n := range r.m.MD.Nodes() { // what contains itself cannot be uniqued
		if n.Kind == ir.MDTuple && !n.Distinct {
			n.Distinct = slices.Contains(n.Ops, id)
		}
	}
	kind := r.m.MDKind("llvm.loop")
	done := map[ir.MDID]ir.MDID{}
	for _, id := range r.m.Funcs {
		if f := r.m.Globals[id].Func; f != nil {
			for i := range f.Attachments {
				if a := &f.Attachments[i]; a.Kind == kind && a.Node != 0 {
					a.Node = r.loopID(a.Node, done)
				}
			}
		}
	}
}
