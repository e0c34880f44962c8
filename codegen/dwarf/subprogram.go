package dwarf

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/dwarfname"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target"
)

// builder makes the entries of a function's record.
type builder struct {
	*Writer
	u   *unit
	r   *funcRecord
	sec mc.SectionID
	// vars and labels of each scope: indexes of the record's.
	vars   map[scopeID][]int
	labels map[scopeID][]int
}

func (w *Writer) symRange(r *funcRecord, sec mc.SectionID, l labelRange) symRange {
	return symRange{r.syms[l.begin], r.syms[l.end], sec}
}

// Add makes the entries of a function.
func (r *funcRecord) Add(out target.AsmOutput) error {
	w := r.w
	w.out = out
	u := w.units[r.unit]
	w.dieFor(u)
	if u.kind == kindDirectives {
		return nil
	}
	b := &builder{Writer: w, u: u, r: r, sec: out.Streamer().Context().Section(r.section), vars: map[scopeID][]int{}, labels: map[scopeID][]int{}}
	whole := symRange{r.syms[labelBegin], r.syms[labelEnd], b.sec}
	if w.firstLabel[b.sec] == 0 {
		w.firstLabel[b.sec] = whole.begin
	}
	w.addUnitRange(u, whole)
	if u.kind == kindLines && !u.flag("debugInfoForProfiling", false) && len(r.inlined) == 0 {
		return w.err
	}
	for i := range r.vars {
		b.vars[r.vars[i].scope] = append(b.vars[r.vars[i].scope], i)
	}
	for i := range r.labels {
		b.labels[r.labels[i].scope] = append(b.labels[r.labels[i].scope], i)
	}
	for _, id := range r.inlined {
		w.abstractSubprogram(r, id)
	}
	sp := w.at(r.sp)
	for _, id := range sp.list("retainedNodes") {
		w.addLocal(id)
	}
	w.finished = append(w.finished, r.sp)
	d := w.subprogramDie(u, sp, u.minimal())
	w.addRanges(u, d, []symRange{whole})
	if !u.minimal() {
		if r.frame >= 0 {
			code := []byte{byte(opReg0 + r.frame)}
			if r.frame >= 32 {
				code = appendULEB([]byte{opRegx}, uint64(r.frame))
			}
			w.addBlock(d, atFrameBase, block{b: code}, w.version)
		}
	}
	w.addSubprogramNames(u, sp, d)
	if r.root != 0 {
		if p := b.children(r.root, d); p != 0 {
			w.addDie(d, atObjectPointer, p)
		}
	}
	if types := sp.ref("type").list("types"); len(types) > 1 && types[len(types)-1] == 0 && !u.minimal() {
		w.newDie(u.number, tagUnspecifiedParameters, d)
	}
	b.callSites(sp, d)
	return w.err
}

// addLocal notes a declaration that is local to a scope.
func (w *Writer) addLocal(id ir.MDID) {
	n := w.at(id)
	if n.is("DILocalVariable") || n.is("DILabel") || n.null() {
		return
	}
	s := w.noBlockFile(n.ref("scope").id)
	if !slices.Contains(w.locals[s], id) {
		w.locals[s] = append(w.locals[s], id)
	}
}

// addUnitRange adds the code of a function to that of its unit.
func (w *Writer) addUnitRange(u *unit, r symRange) {
	same := w.lastUnit == u.number
	w.lastUnit = u.number
	if n := len(u.ranges); n > 0 && same && u.ranges[n-1].section == r.section {
		u.ranges[n-1].end = r.end
		return
	}
	u.ranges = append(u.ranges, r)
}

// abstractSubprogram makes the entry of a subprogram that was inlined, which its
// inlined copies refer to, and those of what is in it.
func (w *Writer) abstractSubprogram(r *funcRecord, id scopeID) {
	sp := w.at(r.scopes[id].node)
	if w.whole[sp.id] {
		return
	}
	d := w.abstractDie(sp)
	if d == 0 {
		return
	}
	w.whole[sp.id] = true
	for _, id := range sp.list("retainedNodes") {
		w.addLocal(id)
	}
	if p := w.abstractChildren(w.units[w.dies[d].unit], r, id, d); p != 0 {
		w.addDie(d, atObjectPointer, p)
	}
}

// abstractDie is the entry of a subprogram that was inlined, or that has no code.
func (w *Writer) abstractDie(sp node) dieID {
	if d := w.abstract[sp.id]; d != 0 {
		return d
	}
	n, ok := w.unitOf[sp.ref("unit").id]
	if !ok || w.units[n].kind == kindNoDebug {
		return 0
	}
	u := w.units[n]
	context := w.dieFor(u)
	switch decl := sp.ref("declaration"); {
	case u.minimal():
	case !decl.null():
		w.subprogramDie(u, decl, false)
	default:
		context = w.contextDie(u, sp.ref("scope"))
		if d := w.abstract[sp.id]; d != 0 {
			return d
		}
	}
	cu := w.units[w.dies[context].unit]
	d := w.newDie(cu.number, tagSubprogram, context)
	w.abstract[sp.id] = d
	w.definitionAttributes(cu, sp, d)
	if w.version >= 5 {
		w.add(d, atInline, formImplicitConst, valInt, 1)
	} else {
		w.addUint(d, atInline, 1)
	}
	return d
}

// abstractVars are the variables and labels of scope node, in the order of arguments and
// of their mention: those that functions have, and those of the retained nodes.
func (w *Writer) abstractVars(r *funcRecord, n ir.MDID) (vars, labels []ir.MDID) {
	seen := map[ir.MDID]bool{}
	add := func(id ir.MDID) {
		x := w.at(id)
		if seen[id] || w.noBlockFile(x.ref("scope").id) != n {
			return
		}
		seen[id] = true
		switch {
		case x.is("DILocalVariable"):
			vars = append(vars, id)
		case x.is("DILabel"):
			labels = append(labels, id)
		}
	}
	for i := range r.vars {
		add(r.vars[i].node)
	}
	for i := range r.labels {
		add(r.labels[i].node)
	}
	for _, id := range w.at(w.subprogramOf(n)).list("retainedNodes") {
		add(id)
	}
	w.sortArgs(vars)
	return vars, labels
}

// sortArgs puts arguments first, in their order.
func (w *Writer) sortArgs(vars []ir.MDID) {
	key := func(id ir.MDID) uint64 { return w.at(id).num("arg") - 1 }
	slices.SortStableFunc(vars, func(a, b ir.MDID) int { return cmp.Compare(key(a), key(b)) })
}

// abstractChildren makes the entries of what is in a scope that was inlined.
func (w *Writer) abstractChildren(u *unit, r *funcRecord, id scopeID, d dieID) (object dieID) {
	n := r.scopes[id].node
	vars, labels := w.abstractVars(r, n)
	for _, v := range vars {
		x := w.at(v)
		e := w.newDie(u.number, variableTag(x), d)
		w.entities[v] = e
		w.variableAttributes(u, x, e)
		if w.isObjectPointer(x) {
			object = e
		}
	}
	for _, l := range labels {
		e := w.newDie(u.number, tagLabel, d)
		w.entities[l] = e
		w.labelAttributes(u, w.at(l), e)
	}
	w.deferLocals(u, n)
	for c := r.scopes[id].first; c != 0; c = r.scopes[c].next {
		n := r.scopes[c].node
		if vars, _ := w.abstractVars(r, n); len(vars) == 0 && (u.minimal() || len(w.locals[n]) == 0) {
			w.abstractChildren(u, r, c, d)
			continue
		}
		e := w.newDie(u.number, tagLexicalBlock, d)
		w.dieOf[dieKey{u.number, n}] = e
		w.entities[n] = e
		w.abstractChildren(u, r, c, e)
	}
	return object
}

func (w *Writer) deferLocals(u *unit, n ir.MDID) {
	if u.minimal() {
		return
	}
	for _, id := range w.locals[n] {
		if x := (deferredDecl{u.number, id}); !slices.Contains(w.deferred, x) {
			w.deferred = append(w.deferred, x)
		}
	}
}

func variableTag(n node) uint16 {
	if n.num("arg") != 0 {
		return tagFormalParameter
	}
	return tagVariable
}

func (w *Writer) isObjectPointer(n node) bool {
	return n.word("flags", dwarfname.DIFlag)&flagObjectPointer != 0 || n.ref("type").word("flags", dwarfname.DIFlag)&flagObjectPointer != 0
}

// children makes the entries of what is in a scope of the function. It returns that of the
// object that a method is called for.
func (b *builder) children(id scopeID, d dieID) (object dieID) {
	vars := b.vars[id]
	slices.SortStableFunc(vars, func(x, y int) int {
		return cmp.Compare(b.at(b.r.vars[x].node).num("arg")-1, b.at(b.r.vars[y].node).num("arg")-1)
	})
	for _, i := range vars {
		v := &b.r.vars[i]
		x := b.at(v.node)
		e := b.newDie(b.u.number, variableTag(x), d)
		b.concrete = append(b.concrete, concreteEntity{node: v.node, die: e})
		b.location(v, e)
		if b.isObjectPointer(x) {
			object = e
		}
	}
	for _, i := range b.labels[id] {
		l := &b.r.labels[i]
		e := b.newDie(b.u.number, tagLabel, d)
		c := concreteEntity{node: l.node, die: e}
		if l.at > 0 {
			c.label = b.r.syms[l.at]
		}
		b.concrete = append(b.concrete, c)
	}
	n := b.r.scopes[id].node
	if b.r.scopes[id].inlinedAt == 0 {
		b.deferLocals(b.u, n)
	}
	for c := b.r.scopes[id].first; c != 0; c = b.r.scopes[c].next {
		s := &b.r.scopes[c]
		if x := b.at(s.node); !x.is("DISubprogram") && len(b.vars[c]) == 0 && (b.u.minimal() || len(b.locals[s.node]) == 0) {
			b.children(c, d)
			continue
		}
		b.scope(c, d)
	}
	return object
}

// scope makes the entry of an inlined subprogram or of a lexical block.
func (b *builder) scope(id scopeID, d dieID) {
	s := &b.r.scopes[id]
	n := b.at(s.node)
	rs := make([]symRange, 0, len(s.ranges))
	for _, l := range s.ranges {
		if l.begin > 0 && l.end > 0 {
			rs = append(rs, b.symRange(b.r, b.sec, l))
		}
	}
	if n.is("DISubprogram") && s.inlinedAt != 0 {
		origin := b.abstract[n.id]
		if origin == 0 {
			return
		}
		e := b.newDie(b.u.number, tagInlinedSubroutine, d)
		b.addDie(e, atAbstractOrigin, origin)
		b.addRanges(b.u, e, rs)
		l, _ := b.md.Location(s.inlinedAt)
		at := b.at(l.Scope)
		b.addUint(e, atCallFile, b.fileNumber(b.u, at.ref("file").id))
		b.addUint(e, atCallLine, uint64(l.Line))
		if l.Column != 0 {
			b.addUint(e, atCallColumn, uint64(l.Column))
		}
		if dis := at.num("discriminator"); at.is("DILexicalBlockFile") && dis != 0 && b.version >= 4 {
			b.addUint(e, atGNUDiscriminator, dis)
		}
		b.addSubprogramNames(b.u, n, e)
		b.children(id, e)
		return
	}
	if len(rs) == 0 {
		return
	}
	e := b.newDie(b.u.number, tagLexicalBlock, d)
	b.addRanges(b.u, e, rs)
	if s.inlinedAt == 0 {
		b.noteBlock(s.node, e)
	}
	b.lexical = append(b.lexical, concreteEntity{node: s.node, die: e})
	b.children(id, e)
}

// noteBlock notes the entry of a lexical block that types and the like may be local to.
func (b *builder) noteBlock(n ir.MDID, e dieID) {
	k := dieKey{b.u.number, n}
	if b.dieOf[k] == 0 && b.abstract[b.subprogramOf(n)] == 0 {
		b.blockDie[n] = e
	}
}

// location adds where a variable is.
func (b *builder) location(v *varRecord, d dieID) {
	r := b.r
	bytes := func(s span) []byte { return r.bytes[s.off:s.end] }
	switch v.kind {
	case varExpr:
		if e := bytes(v.expr); len(e) > 0 {
			b.addBlock(d, atLocation, block{b: e}, b.version)
		}
	case varConst:
		b.constantValue(d, &v.c, v.c.fp || b.isUnsigned(b.at(v.node).ref("type")))
	case varList:
		n := len(b.locs)
		l := locList{unit: b.u.number}
		for _, e := range v.list {
			l.entries = append(l.entries, locEntry{b.symRange(r, b.sec, labelRange{e.begin, e.end}), bytes(e.expr)})
		}
		if b.version >= 5 {
			b.add(d, atLocation, formLoclistx, valULEB, uint64(n))
		} else {
			l.sym = b.label("debug_loc")
			b.add(d, atLocation, b.offsetForm(), valSym, uint64(l.sym))
		}
		b.locs = append(b.locs, l)
	}
	if v.tag >= 0 {
		b.add(d, atLLVMTagOffset, formData1, valInt, uint64(v.tag))
	}
}

// constantValue adds a constant; wide ones are blocks of bytes.
func (w *Writer) constantValue(d dieID, c *constant, unsigned bool) {
	if c.bits > 64 {
		n := (c.bits + 7) / 8
		var b []byte
		for k := range n {
			i := k
			if w.big {
				i = n - 1 - k
			}
			x := uint64(0)
			if i/8 < len(c.words) {
				x = c.words[i/8] >> (i % 8 * 8)
			}
			b = append(b, byte(x))
		}
		w.addBlock(d, atConstValue, block{b: b}, w.version)
		return
	}
	v := c.words[0]
	if unsigned {
		if c.bits < 64 {
			v &= 1<<c.bits - 1
		}
		w.add(d, atConstValue, formUdata, valULEB, v)
		return
	}
	w.add(d, atConstValue, formSdata, valSLEB, uint64(int64(v)<<(64-c.bits)>>(64-c.bits)))
}

// callSites adds the calls of a function all of whose calls are described.
func (b *builder) callSites(sp node, d dieID) {
	if sp.word("flags", dwarfname.DIFlag)&flagAllCalls == 0 || b.u.minimal() {
		return
	}
	gnu := b.version < 5
	attr := func(v5, old uint16) uint16 {
		if gnu {
			return old
		}
		return v5
	}
	b.addFlag(d, attr(atCallAllCalls, atGNUAllCallSites), b.version)
	tag := attr(tagCallSite, tagGNUCallSite)
	for _, c := range b.r.calls {
		var origin dieID
		if c.callee != 0 {
			callee := b.at(b.spOf[c.callee])
			if g := b.mod.Globals[c.callee]; isDefinition(callee) && (g.Func == nil && g.IsDecl || g.Linkage == ir.AvailableExternally) {
				continue
			}
			if origin = b.subprogramDie(b.u, callee, false); !isDefinition(callee) && !b.has(origin, atLinkageName) && !b.has(origin, atMIPSLinkageName) {
				b.linkageName(origin, callee.str("linkageName"))
			}
		}
		e := b.newDie(b.u.number, tag, d)
		if origin != 0 {
			b.addDie(e, attr(atCallOrigin, atAbstractOrigin), origin)
		} else {
			code := []byte{byte(opReg0 + c.reg)}
			if c.reg >= 32 {
				code = appendULEB([]byte{opRegx}, uint64(c.reg))
			}
			at := attr(atCallTarget, atGNUCallSiteTarget)
			if c.clobbered {
				at = attr(atCallTargetClobbered, atGNUCallSiteTargetClobbered)
			}
			b.addBlock(e, at, block{b: code}, b.version)
		}
		if c.tail {
			b.addFlag(e, attr(atCallTailCall, atGNUTailCall), b.version)
			if !gnu {
				b.addAddress(e, atCallPc, b.r.syms[c.at])
			}
		}
		if !c.tail || gnu {
			b.addAddress(e, attr(atCallReturnPc, atLowPc), b.r.syms[c.behind])
		}
	}
}

func isDefinition(sp node) bool {
	if sp.has("isDefinition") {
		return sp.flag("isDefinition", true)
	}
	if sp.has("spFlags") {
		return sp.word("spFlags", dwarfname.DISPFlag)&spDefinition != 0
	}
	return !sp.has("declaration") && sp.Distinct || sp.has("unit")
}

// finish completes the entries of subprograms and of their variables, when it is known
// which were inlined.
func (w *Writer) finish() {
	for _, id := range w.finished {
		if w.done[id] {
			continue
		}
		w.done[id] = true
		sp := w.at(id)
		u := w.units[w.unitOf[sp.ref("unit").id]]
		d := w.findDie(u, sp)
		if d == 0 {
			continue
		}
		if a := w.abstract[id]; a != 0 {
			w.addDie(d, atAbstractOrigin, a)
		} else {
			w.definitionAttributes(u, sp, d)
		}
	}
	for _, c := range w.lexical {
		if a := w.entities[c.node]; a != 0 {
			w.addDie(c.die, atAbstractOrigin, a)
		}
	}
	for i := 0; i < len(w.concrete); i++ {
		c := &w.concrete[i]
		n, u := w.at(c.node), w.units[w.dies[c.die].unit]
		switch a := w.entities[c.node]; {
		case a != 0:
			w.addDie(c.die, atAbstractOrigin, a)
		case n.is("DILabel"):
			w.labelAttributes(u, n, c.die)
		default:
			w.variableAttributes(u, n, c.die)
		}
		if c.label != 0 {
			w.addAddress(c.die, atLowPc, c.label)
		}
	}
	for _, c := range w.holders {
		if t := w.at(c.typ); !t.null() {
			if d := w.findDie(w.units[w.dies[c.die].unit], t); d != 0 {
				w.addDie(c.die, atContainingType, d)
			}
		}
	}
}

func (w *Writer) variableAttributes(u *unit, n node, d dieID) {
	if s := n.str("name"); s != "" {
		w.addString(d, atName, s)
	}
	if a := n.num("align"); a != 0 {
		w.add(d, atAlignment, formUdata, valULEB, a/8)
	}
	w.annotations(d, n)
	w.sourceLine(u, d, n)
	w.addType(u, d, atType, n.ref("type"))
	if n.word("flags", dwarfname.DIFlag)&flagArtificial != 0 || n.ref("type").word("flags", dwarfname.DIFlag)&flagArtificial != 0 {
		w.addFlag(d, atArtificial, w.version)
	}
}

func (w *Writer) labelAttributes(u *unit, n node, d dieID) {
	if s := n.str("name"); s != "" {
		w.addString(d, atName, s)
	}
	w.sourceLine(u, d, n)
	if n.flag("isArtificial", false) {
		w.addFlag(d, atArtificial, w.version)
	}
}
