package tablegen

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
		if p.mc != nil {
			p.fail("class is not allowed inside multiclass")
			return false
		}
		if len(p.loops) > 0 {
			p.fail("class is not allowed inside foreach loop")
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
		if len(p.loops) > 0 {
			p.fail("multiclass is not allowed inside foreach loop")
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
