package asmparse

import (
	"errors"
	"strings"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/mc"
)

// Options say how a text is read.
type Options struct {
	// Name is the file's name in messages.
	Name string
	// Report takes each error, warning and note when it is found; Print what .print says.
	Report func(d *diag.Diagnostic)
	Print  func(text string)
	// Open reads a file that is included, and gives the name that messages have for it. Without
	// it files are refused.
	Open func(name string) (shown string, text []byte, err error)
	// Defines are symbols with values, set before the text.
	Defines []Define
	// Variant is the syntax of instructions.
	Variant int
	// NoExecStack has an object begin with the section that says that its stack is not executable.
	NoExecStack bool
	// MacroDepth is how deep macros may expand to others, 0 for the default.
	MacroDepth int
	// NoTextSection leaves it to the text to name its first section.
	NoTextSection bool
	// NoWarn keeps warnings back, FatalWarnings makes them errors.
	NoWarn, FatalWarnings bool
	// Debug asks for a line table of the assembly itself.
	Debug bool
	// DwarfVersion is that of line tables, 0 for the default; Dwarf64 is their format.
	DwarfVersion int
	Dwarf64      bool
	// CompDir and MainFile are what debug information says of where and what was compiled.
	CompDir, MainFile string
	Producer          string
}

// Define is a symbol and its value.
type Define struct {
	Name  string
	Value int64
}

// Parser reads one text. Make it with New.
type Parser struct {
	out     mc.Streamer
	ctx     *mc.Context
	info    *mc.AsmInfo
	target  mc.TargetAsmParser
	dirs    mc.DirectiveParser // the target's, nil without
	exprs   mc.ExprParser
	st      *mc.Subtarget
	variant int
	opts    Options

	class  [256]uint8
	bufs   []*buffer
	inputs []input
	in     *input // the last of inputs
	total  int    // bytes of all buffers
	hash   hash

	// The current statement, the place of its first byte, its offset in the buffer,
	// and how much of it was read.
	text  string
	stmt  loc
	start int
	pos   int

	conds      []cond
	cond       cond
	sections   sectionStack
	syms       []symState
	directions map[int]*directional
	undirected []undirected
	macros     map[string]*macro
	macroCount int
	depth      int // of macros
	expanded   int // statements of expansions, see maxExpanded
	altMacro   bool
	frame      loc // of .cfi_startproc, 0 outside of frames
	line       lineState
	cv         codeView
	lineSeen   bool // .loc
	sectionIDs map[sectionKey]mc.SectionID
	discarded  map[string]bool // symbols of .lto_discard
	macrosOff  bool
	failed     bool
	wrong      bool // an error was shown that does not keep LLVM from going on to the object's
	abort      bool
	tag        int // see Tag
	ofTarget   any // see State
}

// New returns a parser that gives what a text says to out. t may be nil where there
// are no instructions to be read.
func New(out mc.Streamer, t mc.TargetAsmParser, st *mc.Subtarget, o Options) *Parser {
	if s, ok := t.(mc.SessionParser); ok {
		t = s.Session()
	}
	p := &Parser{out: out, ctx: out.Context(), info: out.Context().Info(), target: t, st: st, variant: o.Variant, opts: o,
		directions: map[int]*directional{}, macros: map[string]*macro{}}
	p.dirs, _ = t.(mc.DirectiveParser)
	p.exprs, _ = t.(mc.ExprParser)
	p.class = classes(p.info)
	p.ctx.DwarfVersion, p.ctx.CompDir, p.ctx.Dwarf64 = p.dwarfVersion(), o.CompDir, o.Dwarf64
	return p
}

// Context is that of the streamer.
func (p *Parser) Context() *mc.Context { return p.ctx }

// Streamer is what the parser gives to.
func (p *Parser) Streamer() mc.Streamer { return p.out }

// Subtarget is that of the next instruction.
func (p *Parser) Subtarget() *mc.Subtarget { return p.st }

// SetSubtarget changes it.
func (p *Parser) SetSubtarget(st *mc.Subtarget) { p.st = st }

// Variant is the syntax of instructions.
func (p *Parser) Variant() int { return p.variant }

// SetVariant changes it.
func (p *Parser) SetVariant(n int) { p.variant = n }

// State is the target's.
func (p *Parser) State() *any { return &p.ofTarget }

// Emit appends an instruction of the current statement.
func (p *Parser) Emit(in *mc.Inst) error {
	if p.opts.Debug {
		p.debugInst()
	}
	return p.out.Inst(in, p.st)
}

// Warn shows a warning about the current statement.
func (p *Parser) Warn(start, end int, msg string) { p.warnAt(p.at(start), end-start, "%s", msg) }

// Parse reads a text to its end. Errors have been reported when ok is false.
func (p *Parser) Parse(src []byte) (ok bool) {
	if !p.opts.NoTextSection {
		p.sections.cur = place{section: p.ctx.TextSection()}
		if t, ok := p.out.(interface{ Assume(s mc.SectionID) }); ok {
			t.Assume(p.ctx.TextSection()) // it is not written
		} else {
			p.out.SwitchSection(p.ctx.TextSection())
			if n := p.info.StackNote; n != "" && p.opts.NoExecStack {
				p.out.SwitchSection(p.ctx.ELFSection(n, mc.SecProgBits, 0, 0))
				p.out.SwitchSection(p.sections.cur.section)
			}
		}
	}
	p.line.debug.src = string(src)
	if s := p.out.Section(); s != 0 {
		p.debugSection(s, 0)
	}
	for _, d := range p.opts.Defines {
		p.setSymbol(p.symbol(d.Name), p.ctx.Const(d.Value))
	}
	p.push(p.opts.Name, string(src), 0, true)
	p.run()
	p.finish()
	return !p.failed
}

// run reads what was pushed to its end.
func (p *Parser) run() {
	for !p.abort {
		if !p.next() {
			if !p.in.buf.isFile && p.cond.ignore { // its own end was left out
				p.set(len(p.in.buf.src), len(p.in.buf.src), nil)
				p.abort = true
				p.errorAt(p.stmt, "unmatched .ifs or .elses")
			}
			if p.abort || !p.pop() {
				break
			}
			continue
		}
		if err := p.statement(); err != nil {
			if err != errShown {
				p.fail(err)
			}
		}
	}
}

// finish checks what is open at the end.
func (p *Parser) finish() {
	p.set(len(p.in.buf.src), len(p.in.buf.src), nil)
	if p.abort {
		return
	}
	if len(p.conds) > 0 {
		p.errorAt(p.stmt, "unmatched .ifs or .elses")
	}
	if p.frame != 0 {
		p.errorAt(p.stmt, "Unfinished frame!")
	}
	p.undefinedDirections()
	p.leftOver()
	if p.opts.Debug && !p.failed {
		p.finishDebug()
	}
	if f, ok := p.target.(mc.FinishParser); ok && !p.failed {
		if err := f.Finish(p); err != nil {
			p.fail(err)
		}
	}
}

// directive is the first word of a statement in lower case, which directives are found by.
func (p *Parser) lowered(w string) string {
	for i := range len(w) {
		if c := w[i]; c >= 'A' && c <= 'Z' {
			return strings.ToLower(w)
		}
	}
	return w
}

// statement reads what next found.
func (p *Parser) statement() error {
	p.skip()
	if p.pos == len(p.text) {
		p.blank()
		return nil
	}
	p.ctx.SetLoc(uint32(p.here()))
	at := p.pos
	c := p.text[at]
	if p.class[c]&isDigit != 0 {
		return p.numberLabel()
	}
	word, quoted := "", c == '"'
	switch {
	case p.class[c]&beginIdent != 0 || quoted || c == '$' || c == '@':
		word, _ = p.ident()
	case p.cond.ignore:
		return nil
	case c == '{' || c == '}' || c == '*' || c == '(' || c == '[':
		return p.instruction(at)
	}
	if word == "" {
		if p.cond.ignore {
			return nil
		}
		return errOff(at, "unexpected token at start of statement")
	}
	after := p.pos
	name := word
	if word[0] == '.' && !quoted {
		name = p.lowered(word)
		if f := condition(name); f != nil {
			p.pos = after
			return f(p, name, at)
		}
	}
	if p.cond.ignore {
		return nil
	}
	switch p.peek() {
	case ':':
		if word == "." {
			return errOff(at, "invalid use of pseudo-symbol '.' as a label")
		}
		p.pos++
		if p.discarded[word] {
			return p.rest()
		}
		if err := p.label(word, p.at(at)); err != nil {
			return err
		}
		return p.rest()
	case '=':
		if _, no := p.target.(mc.EqualsParser); no {
			break
		}
		if p.pos+1 < len(p.text) && p.text[p.pos+1] == '=' {
			return p.errHere("unknown token in expression")
		}
		p.pos++
		return p.assign(word, true)
	}
	if quoted {
		return errOff(at, "unexpected token at start of statement")
	}
	if m := p.macros[word]; m != nil && !p.macrosOff {
		return p.invoke(m, at)
	}
	if word[0] == '.' && word != "." {
		return p.directive(name, at, after)
	}
	return p.instruction(at)
}

// blank keeps an empty line, which the end of a line alone makes: no comment, no separator.
func (p *Parser) blank() {
	if end := p.start + len(p.text); p.out.IsText() && end < len(p.in.buf.src) {
		if c := p.in.buf.src[end]; c == '\n' || c == '\r' {
			p.out.BlankLine()
		}
	}
}

// rest reads the statement behind a label.
func (p *Parser) rest() error {
	if p.skip(); p.pos == len(p.text) {
		return nil
	}
	p.stmt += loc(p.pos)
	p.start += p.pos
	p.text = p.text[p.pos:]
	p.pos = 0
	return p.statement()
}

// numberLabel reads "1:".
func (p *Parser) numberLabel() error {
	at := p.pos
	k := at
	for k < len(p.text) && p.class[p.text[k]]&isDigit != 0 {
		k++
	}
	n, ok := small(p.text[at:k])
	p.pos = k
	if p.cond.ignore {
		return nil
	}
	if !ok || p.peek() != ':' {
		return errOff(at, "unexpected token at start of statement")
	}
	p.pos++
	p.defineLabel(p.defineDirection(n))
	return p.rest()
}

// directive reads a directive: the target's, else everybody's.
func (p *Parser) directive(name string, at, after int) error {
	if p.dirs != nil {
		known, err := p.dirs.ParseDirective(p, name, p.text, after)
		if known || err != nil {
			return err
		}
	}
	p.pos = after
	if a, ok := p.target.(mc.DirectiveAliaser); ok {
		name = a.DirectiveAlias(name)
	}
	if f := directive(name); f != nil {
		return f(p, name, at)
	}
	if size, ok := p.dataSize(name); ok {
		return p.values(size)
	}
	return errOff(at, "unknown directive")
}

// instruction reads a statement that is the target's.
func (p *Parser) instruction(at int) error {
	if p.target == nil {
		return errOff(at, "instructions of this target are not supported")
	}
	text := p.text
	if at > 0 {
		p.stmt += loc(at)
		p.start += at
		text = text[at:]
		p.text = text
	}
	for len(text) > 0 && p.class[text[len(text)-1]]&isBlank != 0 {
		text = text[:len(text)-1]
	}
	p.pos = 0
	err := p.target.ParseInstruction(p, text)
	var e *mc.ParseError
	var s *mc.SourceError
	if err != nil && !errors.As(err, &e) && !errors.As(err, &s) {
		return errOff(0, "%s", err.Error())
	}
	return err
}

// sectionStack is what .pushsection and .previous remember.
type sectionStack struct {
	cur, prev place
	stack     [][2]place
}

// place is a section, or a subsection of one.
type place struct{ section mc.SectionID }

// switchTo makes a section the current one; sub is the subsection's number, nil for 0.
func (p *Parser) switchTo(s mc.SectionID, sub *int64) {
	n := int64(0)
	if sub != nil {
		n = *sub
	}
	to := p.ctx.Subsection(s, int32(n))
	p.sections.prev = p.sections.cur
	p.sections.cur = place{section: to}
	p.out.SwitchSection(to)
}
