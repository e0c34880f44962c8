package tablegen

import "github.com/mirin-go/mirin/diag"

// parser reads statements. There is no syntax tree: expressions become values
// and statements records as they are read.
type parser struct {
	lx      lexer
	rs      *Records
	ev      *evaluator
	tok     token
	scope   *scope
	loops   []*foreachLoop
	mc      *multiclass
	lets    [][]letItem
	sets    []*defset
	mcs     map[string]*multiclass
	types   map[string]*Type // deftype
	nesting int
	stopTok token // where the parse stopped at an error of syntax
	stopped bool
}

// scope is one level of names: variables and, by kind, what a record, loop or
// multiclass brings.
type scope struct {
	parent *scope
	vars   map[string]Init
	unread map[string]Loc // of vars, for the linter: not yet used
	rec    *Record
	loop   *foreachLoop
	mc     *multiclass
}

// entry is one thing that a multiclass or loop will produce.
type entry struct {
	rec  *Record
	loop *foreachLoop
	chk  *check
}

type foreachLoop struct {
	loc     Loc
	iter    *VarInit // nil for an if
	list    Init
	entries []entry
}

type multiclass struct {
	rec     *Record
	entries []entry
	used    bool
}

type letItem struct {
	name string
	bits []int
	val  Init
	loc  Loc
}

type defset struct {
	loc   Loc
	elem  *Type
	elems []Init
}

func (p *parser) next() { p.lx.next(&p.tok) }

func (p *parser) loc() Loc { return Loc{p.lx.file, p.tok.off} }

// fail reports an error at the current token. All later tokens are tokEOF, so
// that every loop of the parser ends.
func (p *parser) fail(msg string) { p.failAt(p.loc(), msg) }

func (p *parser) failAt(loc Loc, msg string) {
	if !p.ev.failed {
		p.stopTok, p.stopped = p.tok, true
	}
	p.ev.errorAt(loc, msg)
	p.tok.kind = tokEOF
}

// mark is a state of the parser to which recover can return.
type mark struct {
	scope   *scope
	nesting int
	depth   int
}

func (p *parser) mark() mark { return mark{p.scope, p.nesting, p.ev.depth} }

// recover goes on after an error of syntax, at the token where it was found:
// llvm-tblgen does so in a few places, mostly to report a second error. It
// returns false after errors of other kinds.
func (p *parser) recover(m mark) bool {
	if !p.stopped || !p.ev.failed || len(p.ev.diags) > maxSoftErrors {
		return false
	}
	p.ev.failed, p.stopped = false, false
	p.tok = p.stopTok
	p.scope, p.nesting, p.ev.depth = m.scope, m.nesting, m.depth
	return true
}

// also reports an error that follows from the one just found.
func (p *parser) also(m mark, msg string) {
	if p.recover(m) {
		p.fail(msg)
	}
}

// accept consumes a token of the kind if it is there.
func (p *parser) accept(k tokenKind) bool {
	if p.tok.kind != k {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(k tokenKind, msg string) bool {
	if p.accept(k) {
		return true
	}
	p.fail(msg)
	return false
}

func (p *parser) ident(msg string) string {
	if p.tok.kind != tokID {
		p.fail(msg)
		return ""
	}
	s := p.tok.text
	p.next()
	return s
}

func (p *parser) push(s scope) *scope {
	s.parent = p.scope
	p.scope = &s
	return p.scope
}

func (p *parser) pop(s *scope) {
	p.scope = s.parent
	if len(s.unread) > 0 {
		p.lintScope(s)
	}
}

// setVar defines a variable in the innermost scope.
func (p *parser) setVar(name string, v Init) {
	if p.scope.vars == nil {
		p.scope.vars = map[string]Init{}
	}
	p.scope.vars[name] = v
}

// find looks a name up in all scopes but the global one.
func (p *parser) find(name string) Init {
	for s := p.scope; s != nil; s = s.parent {
		if v, ok := s.vars[name]; ok {
			delete(s.unread, name)
			return v
		}
		switch {
		case s.rec != nil:
			if f := s.rec.field(name); f != nil {
				return &VarInit{name, f.Type}
			}
			if s.rec.kind == kindClass {
				if v := templateVar(s.rec, name); v != nil {
					return v
				}
			}
		case s.loop != nil:
			if s.loop.iter != nil && s.loop.iter.Name == name {
				return s.loop.iter
			}
		case s.mc != nil:
			if v := templateVar(s.mc.rec, name); v != nil {
				return v
			}
		}
	}
	return nil
}

// templateVar returns the variable of a template argument, NAME included.
func templateVar(r *Record, name string) Init {
	if name == "NAME" {
		return &VarInit{r.qualified("NAME"), typeString}
	}
	prefix := len(r.Name) + 1
	if r.kind == kindMulticlass {
		prefix++
	}
	for i := range r.TemplateArgs {
		if t := &r.TemplateArgs[i]; len(t.Name) == prefix+len(name) && t.Name[prefix:] == name {
			t.used = true
			return &VarInit{t.Name, t.Type}
		}
	}
	return nil
}

// enterNested guards against deep nesting; the caller lowers p.nesting again.
func (p *parser) enterNested() bool {
	p.nesting++
	if p.nesting > maxNesting {
		p.fail("nested too deep")
		return false
	}
	return !p.ev.failed
}

// file reads all statements.
func (p *parser) file() {
	p.next()
	for p.statement() {
	}
	if !p.ev.failed && p.tok.kind != tokEOF {
		p.fail("Unexpected token at top level")
	}
}

// statement reads one statement; false when there is none.
func (p *parser) statement() bool {
	if p.ev.failed {
		return false
	}
	p.ev.at = p.loc()
	if p.nesting++; p.nesting > maxNesting {
		p.fail("nested too deep")
		return false
	}
	defer func() { p.nesting-- }()
	switch p.tok.kind {
	case tokAssert, tokDump:
		p.check(nil)
	case tokDef:
		p.def()
	case tokDefm:
		p.defm()
	case tokDeftype:
		p.deftype()
	case tokDefvar:
		p.defvar(nil)
	case tokForeach:
		p.foreach()
	case tokIf:
		p.ifStatement()
	case tokLet:
		p.letIn()
	case tokClass:
		if p.mc != nil || len(p.loops) > 0 {
			p.fail("class is not allowed inside multiclass or foreach loop")
			return false
		}
		p.class()
	case tokDefset:
		if p.mc != nil {
			p.fail("defset is not allowed inside multiclass")
			return false
		}
		p.defset()
	case tokMulticlass:
		if p.mc != nil || len(p.loops) > 0 {
			p.fail("multiclass is not allowed inside another multiclass or foreach loop")
			return false
		}
		p.multiclass()
	case tokEOF:
		return false
	default:
		return false
	}
	return !p.ev.failed
}

// block reads statements in braces, or one without.
func (p *parser) block(after string) {
	if p.tok.kind != tokLBrace {
		if !p.statement() && !p.ev.failed {
			p.fail("Expected assert, class, def, defm, defset, dump, foreach, if, or let")
		}
		return
	}
	open := p.loc()
	p.next()
	for p.statement() {
	}
	if !p.accept(tokRBrace) && !p.ev.failed {
		p.fail("expected '}' at end of " + after)
		p.ev.note(open, "to match this '{'")
	}
}

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
		p.fail("Class '" + name + "' already defined")
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
	if p.ev.failed || p.rs.opts.Warn == nil && p.rs.opts.Report == nil {
		return
	}
	for i := range r.TemplateArgs {
		if t := &r.TemplateArgs[i]; !t.used {
			d := p.ev.locate(t.Loc, diag.Warning, "unused template argument: "+t.Name)
			if p.rs.opts.Warn != nil {
				p.rs.opts.Warn(d)
			}
			p.ev.report(t.Loc, d)
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

func (p *parser) templateArg(r *Record) {
	t := p.typ()
	loc := p.loc()
	name := p.ident("Expected identifier in declaration")
	if p.ev.failed {
		return
	}
	if name == "NAME" {
		p.failAt(loc, "'NAME' is a reserved variable name")
		return
	}
	full := r.qualified(name)
	if r.templateArg(full) != nil {
		p.failAt(loc, "template argument with the same name has already been defined")
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
	t := p.typ()
	loc := p.loc()
	name := p.ident("Expected identifier in declaration")
	if p.ev.failed {
		return
	}
	if name == "NAME" {
		p.failAt(loc, "'NAME' is a reserved variable name")
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
	name := p.ident("expected identifier in foreach declaration")
	if !p.expect(tokEqual, "expected '=' in foreach declaration") {
		return
	}
	l := &foreachLoop{loc: loc}
	p.lintName(name, nameLoc, "iteration variable")
	m := p.mark()
	if p.foreachList(l, name); p.ev.failed {
		p.also(m, "expected declaration in for")
		return
	}
	if !p.expect(tokIn, "Unknown tok in foreach") {
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
	if !p.expect(tokThen, "Unknown tok in if") {
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
