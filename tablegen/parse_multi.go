package tablegen

func (p *parser) multiclass() {
	p.next()
	loc := p.loc()
	name := p.ident("expected identifier after multiclass for name")
	if p.ev.failed {
		return
	}
	if p.mcs[name] != nil {
		p.failAt(loc, "multiclass '"+name+"' already defined")
		return
	}
	m := &multiclass{rec: p.rs.newRecord(kindMulticlass, &StringInit{S: name}, loc)}
	p.mcs[name] = m
	p.mc = m
	s := p.push(scope{mc: m})
	p.multiclassBody(m)
	p.pop(s)
	p.mc = nil
	p.warnUnused(m.rec)
}

func (p *parser) multiclassBody(m *multiclass) {
	if p.tok.kind == tokLess {
		p.templateArgs(m.rec)
	}
	inherits := false
	if p.accept(tokColon) {
		inherits = true
		for {
			loc := p.loc()
			base, args := p.multiclassRef(nil)
			if base == nil {
				return
			}
			self := &VarInit{m.rec.qualified("NAME"), typeString}
			if subs, ok := p.bindMulticlass(base, args, self, loc); ok {
				p.expand(base.entries, subs, false, &m.entries, noLoc)
			}
			if !p.accept(tokComma) {
				break
			}
		}
	}
	if p.tok.kind != tokLBrace {
		if !inherits {
			p.fail("expected '{' in multiclass definition")
			return
		}
		p.expect(tokSemi, "expected ';' in multiclass definition")
		return
	}
	p.next()
	if p.tok.kind == tokRBrace {
		p.fail("multiclass must contain at least one def")
		return
	}
	for p.tok.kind != tokRBrace && !p.ev.failed {
		k := p.tok.kind
		if k == tokClass || k == tokDefset || k == tokMulticlass || !p.statement() && !p.ev.failed {
			p.fail("expected 'assert', 'def', 'defm', 'defvar', 'dump', 'foreach', 'if', or 'let' in multiclass body")
		}
	}
	p.next()
	if !p.ev.failed && p.tok.kind == tokSemi {
		p.spuriousSemi("A multiclass body should not end with a semicolon")
	}
}

// classRef reads Class<args>.
func (p *parser) classRef(cur *Record) classRef {
	ref := classRef{loc: p.loc()}
	name := p.ident("expected name for ClassID")
	if p.ev.failed {
		return ref
	}
	ref.class = p.rs.classes[name]
	if ref.class == nil {
		p.failAt(ref.loc, "Couldn't find class '"+name+"'")
		return ref
	}
	ref.class.used = true
	if p.accept(tokLess) {
		ref.args = p.templateArgValues(cur, ref.class, ref.loc)
	}
	return ref
}

// multiclassRef reads Multiclass<args>.
func (p *parser) multiclassRef(cur *Record) (*multiclass, []ClassArg) {
	loc := p.loc()
	name := p.ident("expected name for MultiClassID")
	if p.ev.failed {
		return nil, nil
	}
	m := p.mcs[name]
	if m == nil {
		p.failAt(loc, "Couldn't find multiclass '"+name+"'")
		return nil, nil
	}
	m.used = true
	var args []ClassArg
	if p.accept(tokLess) {
		args = p.templateArgValues(cur, m.rec, loc)
	}
	if p.ev.failed {
		return nil, nil
	}
	return m, args
}

// templateArgValues reads the values up to ">": positional ones, then NAME = value.
func (p *parser) templateArgValues(cur, class *Record, refLoc Loc) []ClassArg {
	var args []ClassArg
	if p.accept(tokGreater) {
		return args
	}
	var locs []Loc
	seen := make([]bool, len(class.TemplateArgs))
	named := false
	for {
		loc := p.loc()
		var t *Type
		if !named {
			if len(args) >= len(class.TemplateArgs) {
				p.fail("Too many template arguments: " + NewInt(int64(len(args)+1)).String())
				return nil
			}
			t = class.TemplateArgs[len(args)].Type
		}
		v := p.value(cur, t, false)
		if p.ev.failed {
			return nil
		}
		i := len(args)
		if p.tok.kind == tokEqual {
			s, ok := v.(*StringInit)
			if !ok {
				p.failAt(loc, "The name of named argument should be a valid identifier")
				return nil
			}
			named = true
			if i = argIndex(class, s.S); i < 0 {
				p.failAt(loc, "Argument \""+s.S+"\" doesn't exist")
				return nil
			}
			p.next()
			loc = p.loc()
			v = p.value(cur, class.TemplateArgs[i].Type, false)
			if p.ev.failed {
				return nil
			}
			if v == Init(unset) {
				p.failAt(loc, "The value of named argument should be initialized, but we got '?'")
				return nil
			}
		} else if named {
			p.failAt(loc, "Positional argument should be put before named argument")
			return nil
		}
		if seen[i] {
			p.failAt(refLoc, "We can only specify the template argument '"+class.TemplateArgs[i].Name+"' once")
			return nil
		}
		seen[i] = true
		args = append(args, ClassArg{i, named, v})
		locs = append(locs, loc)
		if p.accept(tokGreater) {
			return p.argValues(class, args, locs)
		}
		if !p.accept(tokComma) {
			p.fail("Expected comma before next argument")
			return nil
		}
	}
}

func argIndex(class *Record, name string) int {
	full := class.qualified(name)
	for i := range class.TemplateArgs {
		if class.TemplateArgs[i].Name == full {
			return i
		}
	}
	return -1
}

// argValues converts template arguments to their types; nil after an error.
// Wrong ones are reported all together.
func (p *parser) argValues(class *Record, args []ClassArg, locs []Loc) []ClassArg {
	m := p.mark()
	stop, bad := p.tok, false
	for i := range args {
		v := p.argValue(class, args[i].Index, args[i].Value, locs[i])
		if v == nil {
			bad = true
			p.recover(m)
			continue
		}
		args[i].Value = v
	}
	if bad {
		// The errors are reported; reading stops here.
		p.stopTok, p.stopped, p.ev.failed = stop, true, true
		p.tok.kind = tokEOF
		return nil
	}
	return args
}

// argValue converts a template argument to its type.
func (p *parser) argValue(class *Record, i int, v Init, loc Loc) Init {
	a := &class.TemplateArgs[i]
	if _, ok := v.(*UnsetInit); ok {
		return v
	}
	if c := castTo(v, a.Type); c != nil {
		return c
	}
	p.failAt(loc, "Value specified for template argument '"+a.Name+"' is of type "+v.Type().String()+
		"; expected type "+a.Type.String()+": "+v.String())
	return nil
}

// bindMulticlass maps the template arguments of m, and NAME.
func (p *parser) bindMulticlass(m *multiclass, args []ClassArg, name Init, loc Loc) ([]subst, bool) {
	r := &resolver{}
	if !p.ev.bindArgs(r, m.rec, args, loc) {
		return nil, false
	}
	subs := make([]subst, 0, len(r.binds)+1)
	for _, b := range r.binds {
		subs = append(subs, subst{b.name, b.val})
	}
	return append(subs, subst{m.rec.qualified("NAME"), name}), true
}

func (p *parser) defm() {
	p.next()
	name := p.objectName()
	if p.ev.failed {
		return
	}
	if name == nil {
		name = p.rs.newAnonName()
		if p.mc != nil {
			name = p.strConcat(&VarInit{p.mc.rec.qualified("NAME"), typeString}, name)
		}
	}
	if !p.expect(tokColon, "expected ':' after defm identifier") {
		return
	}
	var made []entry
	classes := false
	for {
		loc := p.loc()
		m, args := p.multiclassRef(nil)
		if m == nil {
			return
		}
		subs, ok := p.bindMulticlass(m, args, name, loc)
		if !ok {
			return
		}
		p.expand(m.entries, subs, p.mc == nil && len(p.loops) == 0, &made, loc)
		if p.ev.failed || !p.accept(tokComma) {
			break
		}
		if p.tok.kind != tokID {
			p.fail("expected identifier")
			return
		}
		if p.rs.classes[p.tok.text] != nil {
			classes = true
			break
		}
	}
	for classes && !p.ev.failed {
		ref := p.classRef(nil)
		if p.ev.failed {
			return
		}
		for i := range made {
			p.inheritEntry(&made[i], ref)
		}
		classes = p.accept(tokComma)
	}
	if p.ev.failed {
		return
	}
	for i := range made {
		p.letEntry(&made[i])
		p.addEntry(made[i])
		if p.ev.defFailed {
			// As llvm-tblgen does: the definition is left out.
			p.ev.failed, p.ev.defFailed = false, false
		}
	}
	p.expect(tokSemi, "expected ';' at end of defm")
}

// inheritEntry adds a superclass to all records of an entry.
func (p *parser) inheritEntry(e *entry, ref classRef) {
	switch {
	case p.ev.failed:
	case e.rec != nil:
		p.ev.inherit(e.rec, ref)
	case e.loop != nil:
		for i := range e.loop.entries {
			p.inheritEntry(&e.loop.entries[i], ref)
		}
	}
}

// letEntry applies the let statements at hand to all records of an entry.
func (p *parser) letEntry(e *entry) {
	switch {
	case p.ev.failed:
	case e.rec != nil:
		p.applyLets(e.rec)
	case e.loop != nil:
		for i := range e.loop.entries {
			p.letEntry(&e.loop.entries[i])
		}
	}
}
