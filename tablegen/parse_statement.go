package tablegen

// addEntry puts what was read into the loop or multiclass at hand, or carries
// it out.
func (p *parser) addEntry(e entry) {
	if n := len(p.loops); n > 0 {
		l := p.loops[n-1]
		l.entries = append(l.entries, e)
		return
	}
	var dest *[]entry
	if p.mc != nil {
		dest = &p.mc.entries
	}
	switch {
	case e.loop != nil:
		p.expandLoop(e.loop, nil, dest == nil, dest, noLoc)
	case dest != nil:
		*dest = append(*dest, e)
	case e.chk != nil:
		p.ev.runCheck(resolveCheck(p.ev, *e.chk, &resolver{final: true}))
	default:
		p.ev.addDef(e.rec, p.sets)
	}
}

type subst struct {
	name string
	val  Init
}

func (p *parser) substResolver(cur *Record, subs []subst) *resolver {
	r := p.ev.resolver(cur)
	for _, s := range subs {
		r.set(s.name, s.val)
	}
	return r
}

// expandLoop expands a loop into dest, or into definitions where dest is nil.
// Where the list is not yet known the loop itself goes to dest.
func (p *parser) expandLoop(l *foreachLoop, subs []subst, final bool, dest *[]entry, at Loc) {
	r := p.substResolver(nil, subs)
	list := p.ev.resolve(l.list, r)
	if op, ok := list.(*OpInit); ok && op.Op == OpIf && final {
		// An if statement must be decided now; the arms stay as they are.
		r.final = true
		cond := p.ev.resolve(op.Args[0], r)
		if cond == op.Args[0] {
			p.failAt(l.loc, "unable to resolve if condition '"+cond.String()+"' at end of containing scope")
			return
		}
		list = p.ev.fold(newOp(OpIf, []Init{cond, op.Args[1], op.Args[2]}, op.T, nil), nil, false)
	}
	items, ok := list.(*ListInit)
	switch {
	case p.ev.failed:
	case ok:
		for _, it := range items.Elems {
			if !p.ev.enter(nil) {
				p.ev.depth--
				return
			}
			s := subs
			if l.iter != nil {
				s = append(subs[:len(subs):len(subs)], subst{l.iter.Name, it})
			}
			p.expand(l.entries, s, final, dest, at)
			p.ev.depth--
		}
	case !final:
		in := &foreachLoop{loc: l.loc, iter: l.iter, list: list}
		p.expand(l.entries, subs, false, &in.entries, at)
		*dest = append(*dest, entry{loop: in})
	default:
		p.failAt(l.loc, "attempting to loop over '"+list.String()+"', expected a list")
	}
}

// expand resolves entries into dest, or into definitions where dest is nil. at
// is the defm that asks for it, or noLoc.
func (p *parser) expand(entries []entry, subs []subst, final bool, dest *[]entry, at Loc) {
	for i := range entries {
		if !p.ev.spend(nil, 1) {
			return
		}
		e := &entries[i]
		switch {
		case e.loop != nil:
			// llvm-tblgen does not note the defm inside loops.
			p.expandLoop(e.loop, subs, final, dest, noLoc)
		case e.chk != nil:
			k := resolveCheck(p.ev, *e.chk, p.substResolver(nil, subs))
			if dest != nil {
				*dest = append(*dest, entry{chk: &k})
			} else {
				p.ev.runCheck(resolveCheck(p.ev, k, &resolver{final: true}))
			}
		default:
			if !p.ev.mayRecord(e.rec.Loc) {
				return
			}
			r := e.rec.copyOf()
			if at != noLoc {
				r.usedAt = append(r.usedAt, at)
			}
			if !p.ev.spend(nil, len(r.Fields)) {
				return
			}
			sr := p.substResolver(r, subs)
			p.ev.resolveFields(r, sr)
			p.ev.done(sr)
			if dest != nil {
				*dest = append(*dest, entry{rec: r})
			} else {
				p.ev.addDef(r, p.sets)
			}
		}
	}
}

func (p *parser) foreach() {
	loc := p.loc()
	p.next()
	nameLoc := p.loc()
	m := p.mark()
	name := p.ident("Expected identifier in foreach declaration")
	if !p.expect(tokEqual, "Expected '=' in foreach declaration") {
		p.also(m, "expected declaration in for")
		return
	}
	l := &foreachLoop{loc: loc}
	p.lintName(name, nameLoc, "iteration variable")
	if p.foreachList(l, name); p.ev.failed {
		p.also(m, "expected declaration in for")
		return
	}
	if !p.expect(tokIn, "Unknown tok") {
		return
	}
	p.loops = append(p.loops, l)
	s := p.push(scope{loop: l})
	p.block("foreach command")
	p.pop(s)
	p.loops = p.loops[:len(p.loops)-1]
	if !p.ev.failed {
		p.addEntry(entry{loop: l})
	}
}

// foreachList reads the values that a loop runs over.
func (p *parser) foreachList(l *foreachLoop, name string) {
	var nums []int
	if p.accept(tokLBrace) {
		nums = p.rangeList()
		p.expect(tokRBrace, "expected '}' at end of bit range list")
	} else {
		loc := p.loc()
		v := p.value(nil, nil, false)
		t := v.Type()
		switch {
		case p.ev.failed:
			return
		case t == nil:
			p.failAt(loc, "expected a list, got '"+v.String()+"'")
			return
		case t.Kind == ListType:
			l.list, l.iter = v, &VarInit{name, t.Elem}
			return
		}
		if _, ok := v.(*IntInit); !ok {
			p.failAt(loc, "expected a list, got '"+v.String()+"'")
			return
		}
		nums = p.rangePiece(nil, v)
	}
	items := make([]Init, len(nums))
	for i, n := range nums {
		items[i] = NewInt(int64(n))
	}
	l.list, l.iter = newList(typeListInt, items), &VarInit{name, typeInt}
}

func (p *parser) ifStatement() {
	loc := p.loc()
	p.next()
	cond := p.value(nil, nil, false)
	if !p.expect(tokThen, "Unknown tok") {
		return
	}
	none := newList(typeListBit, nil)
	once := newList(typeListBit, []Init{bit1})
	arm := func(then, els Init) {
		list := p.ev.fold(newOp(OpIf, []Init{cond, then, els}, typeListBit, nil), nil, false)
		l := &foreachLoop{loc: loc, list: list}
		p.loops = append(p.loops, l)
		s := p.push(scope{})
		p.block("if body")
		p.pop(s)
		p.loops = p.loops[:len(p.loops)-1]
		if !p.ev.failed {
			p.addEntry(entry{loop: l})
		}
	}
	arm(once, none)
	if !p.ev.failed && p.accept(tokElse) {
		arm(none, once)
	}
}

func (p *parser) letIn() {
	p.next()
	var items []letItem
	for {
		it := letItem{loc: p.loc()}
		it.name = p.ident("expected identifier in let definition")
		if p.accept(tokLess) {
			it.bits = reversed(p.rangeList())
			p.expect(tokGreater, "expected '>' at end of range list")
		}
		if !p.expect(tokEqual, "expected '=' in let expression") {
			return
		}
		it.val = p.value(nil, nil, false)
		items = append(items, it)
		if !p.accept(tokComma) {
			break
		}
	}
	if !p.expect(tokIn, "expected 'in' at end of top-level 'let'") {
		return
	}
	p.lintNested(items)
	p.lets = append(p.lets, items)
	s := p.push(scope{})
	p.block("top level let command")
	p.pop(s)
	p.lets = p.lets[:len(p.lets)-1]
}

func (p *parser) defvar(r *Record) {
	p.next()
	if p.tok.kind != tokID {
		p.fail("expected identifier")
		return
	}
	name, loc := p.tok.text, p.loc()
	p.next()
	if p.scope != nil {
		if _, ok := p.scope.vars[name]; ok {
			p.failAt(loc, "local variable of this name already exists")
			return
		}
	}
	if r != nil && r.field(name) != nil {
		p.failAt(loc, "field of this name already exists")
		return
	}
	if p.scope == nil && (p.rs.defs[name] != nil || p.rs.globals[name] != nil) {
		p.failAt(loc, "def or global variable of this name already exists")
		return
	}
	if !p.expect(tokEqual, "expected '='") {
		return
	}
	v := p.value(r, nil, false)
	if !p.expect(tokSemi, "expected ';'") {
		return
	}
	if p.scope == nil {
		p.rs.globals[name] = v
		return
	}
	p.lintName(name, loc, "variable")
	p.setVar(name, v)
	if p.rs.opts.Lint {
		if p.scope.unread == nil {
			p.scope.unread = map[string]Loc{}
		}
		p.scope.unread[name] = loc
	}
}

func (p *parser) deftype() {
	p.next()
	loc := p.loc()
	name := p.ident("expected identifier")
	if p.types[name] != nil || p.rs.classes[name] != nil {
		p.failAt(loc, "type of this name '"+name+"' already exists")
		return
	}
	if !p.expect(tokEqual, "expected '='") {
		return
	}
	at := p.loc()
	t := p.typ()
	if t.Kind == RecordType {
		p.failAt(at, "cannot define type alias for class type '"+t.String()+"'")
		return
	}
	p.types[name] = t
	p.expect(tokSemi, "expected ';'")
}

func (p *parser) defset() {
	p.next()
	set := &defset{loc: p.loc()}
	t := p.typ()
	if !p.ev.failed && t.Kind != ListType {
		p.failAt(set.loc, "expected list type")
		return
	}
	set.elem = t.Elem
	loc := p.loc()
	name := p.ident("expected identifier")
	if p.ev.failed {
		return
	}
	if p.rs.defs[name] != nil || p.rs.globals[name] != nil {
		p.failAt(loc, "def or global variable of this name already exists")
		return
	}
	if !p.expect(tokEqual, "expected '='") {
		return
	}
	if p.tok.kind != tokLBrace {
		p.fail("expected '{'")
		return
	}
	p.sets = append(p.sets, set)
	s := p.push(scope{})
	p.block("defset")
	p.pop(s)
	p.sets = p.sets[:len(p.sets)-1]
	p.rs.globals[name] = newList(listOf(set.elem), set.elems)
}
