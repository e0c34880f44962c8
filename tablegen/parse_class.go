package tablegen

import "github.com/mirin-go/mirin/diag"

func (p *parser) class() {
	p.next()
	loc := p.loc()
	name := p.ident("expected class name after 'class' keyword")
	if p.ev.failed {
		return
	}
	c := p.rs.classes[name]
	switch {
	case c == nil:
		c = p.rs.newRecord(kindClass, &StringInit{S: name}, loc)
		p.rs.classes[name] = c
		p.rs.classList = append(p.rs.classList, c)
	case len(c.Fields) > 0 || len(c.Superclasses) > 0 || len(c.TemplateArgs) > 0:
		p.failAt(loc, "Class '"+name+"' already defined")
		return
	default:
		c.forward = append(c.forward, c.Loc)
		c.Loc = loc
	}
	s := p.push(scope{rec: c})
	if p.tok.kind == tokLess {
		p.templateArgs(c)
	}
	p.objectBody(c)
	p.pop(s)
	p.warnUnused(c)
}

// warnUnused reports the template arguments that nothing refers to.
func (p *parser) warnUnused(r *Record) {
	if p.ev.failed || p.rs.opts.Report == nil {
		return
	}
	for i := range r.TemplateArgs {
		if t := &r.TemplateArgs[i]; !t.used {
			p.ev.report(t.Loc, p.ev.locate(t.Loc, diag.Warning, "unused template argument: "+t.Name))
		}
	}
}

// templateArgs reads <type name = value, …>.
func (p *parser) templateArgs(r *Record) {
	p.next()
	for {
		p.templateArg(r)
		if !p.accept(tokComma) {
			break
		}
	}
	p.expect(tokGreater, "expected '>' at end of template argument list")
}

// declared reads the type and the name that a declaration begins with.
func (p *parser) declared() (t *Type, name string, loc Loc) {
	t = p.typ()
	loc = p.loc()
	name = p.ident("Expected identifier in declaration")
	if name == "NAME" && !p.ev.failed {
		p.failAt(loc, "'NAME' is a reserved variable name")
	}
	return t, name, loc
}

func (p *parser) templateArg(r *Record) {
	start := p.loc()
	t, name, loc := p.declared()
	if p.ev.failed {
		return
	}
	full := r.qualified(name)
	if r.templateArg(full) != nil {
		p.failAt(start, "template argument with the same name has already been defined")
		return
	}
	r.TemplateArgs = append(r.TemplateArgs, newUnsetField(full, t, loc))
	i := len(r.TemplateArgs) - 1
	if p.accept(tokEqual) {
		at, m := p.loc(), p.mark()
		v := p.value(r, t, false)
		if !p.ev.failed {
			p.setField(r, &r.TemplateArgs[i], at, nil, v)
		}
		if p.ev.failed {
			p.recover(m)
		}
	}
}

// typ reads a type.
func (p *parser) typ() *Type {
	switch p.tok.kind {
	case tokStringWord, tokCodeWord:
		p.next()
		return typeString
	case tokBit:
		p.next()
		return typeBit
	case tokIntWord:
		p.next()
		return typeInt
	case tokDag:
		p.next()
		return typeDag
	case tokID:
		if t := p.types[p.tok.text]; t != nil {
			p.next()
			return t
		}
		c := p.rs.classes[p.tok.text]
		if c == nil {
			m := p.mark()
			p.fail("Couldn't find class '" + p.tok.text + "'")
			if p.recover(m) {
				p.next()
				p.fail("unknown class name")
			}
			break
		}
		p.next()
		c.used = true
		return c.Type()
	case tokBits:
		p.next()
		if !p.expect(tokLess, "expected '<' after bits type") {
			break
		}
		n := p.tok.num
		if p.tok.kind != tokInt {
			p.fail("expected integer in bits<n> type")
			break
		}
		if n < 0 || n > maxBitsWidth {
			p.fail("bits<n> is too wide")
			break
		}
		p.next()
		p.expect(tokGreater, "expected '>' at end of bits<n> type")
		return bitsOf(int(n))
	case tokList:
		p.next()
		if !p.expect(tokLess, "expected '<' after list type") || !p.enterNested() {
			break
		}
		t := p.typ()
		p.nesting--
		p.expect(tokGreater, "expected '>' at end of list<ty> type")
		return listOf(t)
	default:
		p.fail("Unknown token when expecting a type")
	}
	return typeInt
}

// objectBody reads superclasses and body of a class or definition, applying
// the let statements around it in between.
func (p *parser) objectBody(r *Record) {
	if p.accept(tokColon) {
		for !p.ev.failed {
			ref := p.classRef(r)
			if p.ev.failed {
				return
			}
			p.ev.inherit(r, ref)
			if !p.accept(tokComma) {
				break
			}
		}
	}
	p.applyLets(r)
	if p.ev.failed {
		return
	}
	p.body(r)
}

func (p *parser) applyLets(r *Record) {
	for _, l := range p.lets {
		for i := range l {
			it := &l[i]
			f := r.field(it.name)
			if f == nil {
				p.failAt(it.loc, "Value '"+it.name+"' unknown!")
				return
			}
			p.letValue(r, f, it.loc, it.bits, it.val)
		}
	}
}

// body reads ";" or "{ items }".
func (p *parser) body(r *Record) {
	if p.accept(tokSemi) {
		return
	}
	if !p.expect(tokLBrace, "Expected '{' to start body or ';' for declaration only") {
		return
	}
	s := p.push(scope{})
	for p.tok.kind != tokRBrace && !p.ev.failed {
		p.bodyItem(r)
	}
	p.pop(s)
	p.expect(tokRBrace, "expected '}' at end of body")
	if !p.ev.failed && p.tok.kind == tokSemi {
		p.spuriousSemi("A class or def body should not end with a semicolon")
	}
}

// spuriousSemi reports a semicolon and goes on after it.
func (p *parser) spuriousSemi(msg string) {
	p.ev.softError(p.loc(), msg)
	p.ev.note(noLoc, "Semicolon ignored; remove to eliminate this error")
	p.next()
}

func (p *parser) bodyItem(r *Record) {
	switch p.tok.kind {
	case tokAssert, tokDump:
		p.check(r)
	case tokDefvar:
		p.defvar(r)
	case tokLet:
		p.letField(r)
	default:
		p.declaration(r)
	}
}

func (p *parser) declaration(r *Record) {
	special := p.accept(tokField)
	t, name, loc := p.declared()
	if p.ev.failed {
		return
	}
	if _, ok := p.scope.vars[name]; ok {
		p.failAt(loc, "local variable of this name already exists")
		return
	}
	f := newUnsetField(name, t, loc)
	f.NonConcreteOK = special
	if !p.ev.addField(r, f, loc) {
		return
	}
	if p.accept(tokEqual) {
		at, m := p.loc(), p.mark()
		v := p.value(r, t, false)
		if !p.ev.failed {
			p.setField(r, r.field(name), at, nil, v)
		}
		if p.ev.failed && !p.recover(m) {
			return
		}
	}
	p.expect(tokSemi, "expected ';' after declaration")
}

// letField reads let name{bits} = value; in a body.
func (p *parser) letField(r *Record) {
	p.next()
	loc := p.loc()
	name := p.ident("expected field identifier after let")
	var bits []int
	if p.tok.kind == tokLBrace {
		p.next()
		bits = p.rangeList()
		p.expect(tokRBrace, "expected '}' at end of bit list")
	}
	if !p.expect(tokEqual, "expected '=' in let expression") {
		return
	}
	f := r.field(name)
	if f == nil {
		p.failAt(loc, "Value '"+name+"' unknown!")
		return
	}
	t := f.Type
	if bits != nil && t.Kind == BitsType {
		t = bitsOf(len(bits))
	}
	v := p.value(r, t, false)
	if !p.expect(tokSemi, "expected ';' after let expression") {
		return
	}
	p.letValue(r, r.field(name), loc, reversed(bits), v)
}

func reversed(l []int) []int {
	for i, j := 0, len(l)-1; i < j; i, j = i+1, j-1 {
		l[i], l[j] = l[j], l[i]
	}
	return l
}

// letValue sets a field by a let, which becomes the field's place.
func (p *parser) letValue(r *Record, f *Field, loc Loc, bits []int, v Init) {
	if p.rs.opts.Lint {
		p.lintLet(f, loc, bits, v)
	}
	if p.setField(r, f, loc, bits, v); !p.ev.failed {
		f.Loc = loc
	}
}

// setField sets a field, or the given bits of it (lowest first).
func (p *parser) setField(r *Record, f *Field, loc Loc, bits []int, v Init) {
	if bits == nil {
		if x, ok := v.(*VarInit); ok && x.Name == f.Name {
			p.failAt(loc, "Recursion / self-assignment forbidden")
			return
		}
	} else {
		v = p.mergeBits(f, loc, bits, v)
		if v == nil {
			return
		}
	}
	if !p.ev.weighs(v, r, loc) || f.setValue(v) {
		return
	}
	what := "'"
	if b, ok := v.(*BitsInit); ok {
		what = "' of type bit initializer with length " + NewInt(int64(len(b.Bits))).String()
	} else if t := v.Type(); t != nil {
		what = "' of type '" + t.String() + "'"
	}
	p.failAt(loc, "Field '"+f.Name+"' of type '"+f.Type.String()+"' is incompatible with value '"+v.String()+what)
}

func (p *parser) mergeBits(f *Field, loc Loc, nums []int, v Init) Init {
	cur, ok := f.Value.(*BitsInit)
	if !ok {
		p.failAt(loc, "Value '"+f.Name+"' is not a bits type")
		return nil
	}
	src := castTo(v, bitsOf(len(nums)))
	if src == nil {
		p.failAt(loc, "Initializer is not compatible with bit range")
		return nil
	}
	out := make([]Init, len(cur.Bits))
	for i, n := range nums {
		if n >= len(out) {
			p.failAt(loc, "Bit #"+NewInt(int64(n)).String()+" is out of range of value '"+f.Name+"'")
			return nil
		}
		if out[n] != nil {
			p.failAt(loc, "Cannot set bit #"+NewInt(int64(n)).String()+" of value '"+f.Name+"' more than once")
			return nil
		}
		out[n] = bitOf(src, i)
	}
	for i := range out {
		if out[i] == nil {
			out[i] = cur.Bits[i]
		}
	}
	return newBits(out)
}

// check reads an assert or dump statement; r is the record around it.
func (p *parser) check(r *Record) {
	k := check{}
	isAssert := p.tok.kind == tokAssert
	k.loc = p.loc()
	p.next()
	if isAssert {
		k.loc = p.loc()
		k.cond = p.value(r, nil, false)
		if !p.expect(tokComma, "expected ',' in assert statement") {
			return
		}
		k.msg = p.value(r, nil, false)
		p.expect(tokSemi, "expected ';'")
	} else {
		k.msg = p.value(r, nil, false)
		p.expect(tokSemi, "expected ';'")
		k = dumpText(p.ev, k)
	}
	if p.ev.failed {
		return
	}
	if r != nil {
		r.checks = append(r.checks, k)
		return
	}
	p.addEntry(entry{chk: &k})
}

// dumpText makes a record in a dump statement a string.
func dumpText(ev *evaluator, k check) check {
	if t := k.msg.Type(); t != nil && t.Kind == RecordType {
		k.msg = ev.fold(newOp(OpRepr, []Init{k.msg}, typeString, nil), nil, false)
	}
	return k
}

func (p *parser) def() {
	loc := p.loc()
	p.next()
	nameLoc := p.loc()
	name := p.objectName()
	if p.ev.failed {
		return
	}
	var r *Record
	if name == nil {
		r = p.rs.newRecord(kindDef, p.rs.newAnonName(), loc)
	} else {
		r = p.rs.newRecord(kindDef, name, nameLoc)
	}
	s := p.push(scope{rec: r})
	p.objectBody(r)
	p.pop(s)
	if !p.ev.failed {
		p.addEntry(entry{rec: r})
	}
}

// objectName reads the name of a def or defm; nil where there is none.
func (p *parser) objectName() Init {
	switch p.tok.kind {
	case tokColon, tokSemi, tokLBrace:
		return nil
	}
	loc := p.loc()
	v := p.value(nil, typeString, true)
	if p.ev.failed {
		return nil
	}
	if t := v.Type(); t == nil || t.Kind != StringType {
		c := castTo(v, typeString)
		if c == nil {
			p.failAt(loc, "record name '"+v.String()+"' is not a string")
			return nil
		}
		v = c
	}
	if p.mc != nil {
		n := p.mc.rec.qualified("NAME")
		if !refersTo(v, n) {
			v = p.strConcat(&VarInit{n, typeString}, v)
		}
	}
	return v
}
