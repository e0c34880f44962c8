package asmparse

import (
	"strconv"
	"strings"
)

// Bounds on what macros and repetitions make of a text.
const (
	maxMacroDepth = 20 // as in LLVM
	maxExpansion  = 1 << 27
)

// macro is a definition.
type macro struct {
	name   string
	body   string
	params []param
	vararg bool // the last parameter takes what is left
	count  int  // how often it was expanded: \+
}

// param is a parameter of a macro.
type param struct {
	name     string
	def      []token // what it is where nothing is given
	required bool
	vararg   bool
}

// token is a piece of an argument.
type token struct {
	text string
	kind tokenKind
}

type tokenKind uint8

const (
	tokOther  tokenKind = iota
	tokString           // in quotes, or in <> of .altmacro
	tokIdent
	tokInt
	tokExpr // %expr of .altmacro: its value
)

// parseMacro reads .macro and the body behind it.
func parseMacro(p *Parser, name string, at int) error {
	m := &macro{}
	var ok bool
	if m.name, ok = p.ident(); !ok {
		return p.errHere("expected identifier in '.macro' directive")
	}
	p.eat(',')
	for !p.end() {
		if n := len(m.params); n > 0 && m.params[n-1].vararg {
			return p.errHere("vararg parameter '%s' should be the last parameter", m.params[n-1].name)
		}
		if err := p.macroParam(m); err != nil {
			return err
		}
		p.eat(',')
	}
	from := p.at(at)
	var err error
	if m.body, err = p.body(from, ".macro", "", ".endm", ".endmacro"); err != nil {
		return err
	}
	if p.macros[m.name] != nil {
		p.errorAt(from, "macro '%s' is already defined", m.name)
		return nil
	}
	p.macros[m.name] = m
	p.out.BlankLine() // as the end of the definition's last line is to LLVM
	return nil
}

// macroParam reads a parameter: name, qualifier, default.
func (p *Parser) macroParam(m *macro) error {
	var q param
	var ok bool
	if q.name, ok = p.ident(); !ok {
		return p.errHere("expected identifier in '.macro' directive")
	}
	for i := range m.params {
		if m.params[i].name == q.name {
			return p.errHere("macro '%s' has multiple parameters named '%s'", m.name, q.name)
		}
	}
	if p.eat(':') {
		p.skip()
		qat := p.pos
		w, ok := p.ident()
		if !ok {
			return p.errHere("missing parameter qualifier for '%s' in macro '%s'", q.name, m.name)
		}
		switch w {
		case "req":
			q.required = true
		case "vararg":
			q.vararg, m.vararg = true, true
		default:
			return errOff(qat, "%s is not a valid parameter qualifier for '%s' in macro '%s'", w, q.name, m.name)
		}
	}
	if p.eat('=') {
		p.skip()
		dat := p.pos
		d, err := p.macroArg(false)
		if err != nil {
			return err
		}
		if q.def = d; q.required {
			p.warnAt(p.at(dat), 0, "pointless default value for required parameter '%s' in macro '%s'", q.name, m.name)
		}
	}
	m.params = append(m.params, q)
	return nil
}

// body reads statements up to the one that ends a definition, inner ones with
// theirs included, and gives the text between.
func (p *Parser) body(from loc, begin, begin2 string, ends ...string) (string, error) {
	start := p.in.pos
	depth := 0
	saved := p.stmt
	for p.next() {
		w := p.lowered(p.wordAt(0))
		switch {
		case w == "":
		case w == begin || begin2 != "" && isRepetition(w):
			depth++
		case w == ends[0] || len(ends) > 1 && w == ends[1]:
			if depth > 0 {
				depth--
				continue
			}
			end := p.start
			p.pos = len(w)
			if !p.end() {
				return "", p.errHere("expected newline")
			}
			return p.in.buf.src[start:end], nil
		}
	}
	p.set(len(p.in.buf.src), len(p.in.buf.src), nil)
	p.stmt = saved
	if begin == ".macro" {
		p.errorAt(from, "no matching '.endmacro' in definition")
	} else {
		p.errorAt(from, "no matching '.endr' in definition")
	}
	return "", errShown
}

// errShown is an error that has been shown.
var errShown = errOff(0, "")

func isRepetition(w string) bool {
	switch w {
	case ".rep", ".rept", ".irp", ".irpc":
		return true
	}
	return false
}

// macroArg reads an argument: tokens up to a comma or a blank that no operator
// stands beside; with rest all of the statement.
func (p *Parser) macroArg(rest bool) ([]token, error) {
	if rest {
		if p.end() {
			return nil, nil
		}
		s := p.text[p.pos:]
		p.pos = len(p.text)
		return []token{{strings.TrimRight(s, " \t"), tokString}}, nil
	}
	var out []token
	parens := 0
	for p.skip(); ; {
		blank := p.pos
		for p.pos < len(p.text) && p.class[p.text[p.pos]]&isBlank != 0 {
			p.pos++
		}
		c, n := byte(0), operatorLen(p.text[p.pos:])
		if p.pos < len(p.text) {
			c = p.text[p.pos]
		}
		if c == '=' && n == 0 && (p.pos == blank || p.info.Darwin) {
			return nil, p.errHere("unexpected token in macro instantiation")
		}
		if parens == 0 {
			if c == ',' {
				break
			}
			if !p.info.Darwin {
				if n == 0 && c == '=' {
					n = 1
				}
				if n > 0 {
					out = append(out, token{p.text[p.pos : p.pos+n], tokOther})
					p.pos += n
					p.skip()
					continue
				}
				if p.pos > blank {
					break
				}
			}
		} else if p.pos > blank && !p.info.Darwin && c != 0 {
			out = append(out, token{p.text[blank:p.pos], tokOther})
		}
		if c == 0 {
			break
		}
		t, err := p.argToken()
		if err != nil {
			return nil, err
		}
		parens = max(parens+nesting(t), 0)
		out = append(out, t)
	}
	if parens != 0 {
		return nil, p.errHere("unbalanced parentheses in macro argument")
	}
	return out, nil
}

func nesting(t token) int {
	switch t.text {
	case "(":
		return 1
	case ")":
		return -1
	}
	return 0
}

// operatorLen gives the length of an operator that blanks around it do not end an argument.
func operatorLen(s string) int {
	if len(s) > 1 {
		switch s[:2] {
		case "==", "!=", "<>", "<=", ">=", "<<", ">>", "||", "&&":
			return 2
		}
	}
	if s != "" && strings.IndexByte("+-~/*^|&!<>", s[0]) >= 0 {
		return 1
	}
	return 0
}

// argToken reads one token of an argument.
func (p *Parser) argToken() (token, error) {
	at := p.pos
	c := p.text[at]
	switch {
	case c == '"':
		if _, _, ok := p.quoted(); !ok {
			return token{}, errOff(at, "unterminated string constant")
		}
		return token{p.text[at:p.pos], tokString}, nil
	case c == '\'':
		p.pos = skipChar(p.text, at)
		return token{p.text[at:p.pos], tokInt}, nil
	case p.class[c]&isDigit != 0:
		k := at
		for k < len(p.text) && p.class[p.text[k]]&inIdent != 0 {
			k++
		}
		p.pos = k
		return token{p.text[at:k], tokInt}, nil
	case p.class[c]&inIdent != 0:
		k := at + 1
		for k < len(p.text) && p.class[p.text[k]]&inIdent != 0 {
			k++
		}
		p.pos = k
		return token{p.text[at:k], tokIdent}, nil
	}
	p.pos++
	return token{p.text[at:p.pos], tokOther}, nil
}

// altArg reads an argument as .altmacro has them: %expr, <text>; ok is false where it is neither.
func (p *Parser) altArg() (arg []token, ok bool, err error) {
	switch p.peek() {
	case '%':
		at := p.pos
		p.pos++
		v, err := p.absolute()
		if err != nil {
			p.pos = at
			return nil, false, err
		}
		return []token{{strconv.FormatInt(v, 10), tokExpr}}, true, nil
	case '<':
		for k := p.pos + 1; k < len(p.text); k++ {
			switch p.text[k] {
			case '!':
				k++
			case '>':
				s := p.text[p.pos+1 : k]
				p.pos = k + 1
				return []token{{s, tokAngle}}, true, nil
			}
		}
	}
	return nil, false, nil
}

const tokAngle tokenKind = 100 // text in <>

// invoke expands a macro.
func (p *Parser) invoke(m *macro, at int) error {
	limit := maxMacroDepth
	if p.opts.MacroDepth > 0 {
		limit = min(p.opts.MacroDepth, maxIncludes)
	}
	if p.depth >= limit {
		return errOff(at, "macros cannot be nested more than %d levels deep. Use -asm-macro-max-nesting-depth to increase this limit.", limit)
	}
	args, err := p.macroArgs(m)
	if err != nil {
		return err
	}
	if !(p.info.Darwin && len(m.params) == 0) && len(args) != len(m.params) {
		return p.errHere("Wrong number of arguments")
	}
	var b strings.Builder
	if err := p.expand(&b, m, args, true); err != nil {
		return err
	}
	if err := p.enter(b.String(), m, at); err != nil {
		return err
	}
	p.macroCount++
	return nil
}

// enter begins to read an expansion.
func (p *Parser) enter(text string, m *macro, at int) error {
	p.expanded += len(text)
	if p.expanded > maxExpansion {
		p.abort = true
		return errOff(at, "macros expand to more than %d MiB", maxExpansion>>20)
	}
	end := ".endr\n"
	if m.name != "" {
		end = ".endmacro\n"
	}
	if p.push("<instantiation>", text+end, p.at(at), false) {
		p.in.macro = m
		p.depth++
	}
	return nil
}

// macroArgs reads the arguments of an invocation, by parameter.
func (p *Parser) macroArgs(m *macro) ([][]token, error) {
	args := make([][]token, len(m.params))
	named := false
	n := len(m.params)
	for k := 0; n == 0 || k < n; k++ {
		p.skip()
		at := p.pos
		name := ""
		if w := p.word(); w != "" {
			i := p.pos + len(w)
			for i < len(p.text) && p.class[p.text[i]]&isBlank != 0 {
				i++
			}
			if i < len(p.text) && p.text[i] == '=' && !(i+1 < len(p.text) && p.text[i+1] == '=') {
				name = w
				p.pos = i + 1
			}
		}
		if named && name == "" {
			return nil, errOff(at, "cannot mix positional and keyword arguments")
		}
		named = named || name != ""
		var a []token
		var err error
		ok := false
		if p.altMacro {
			a, ok, err = p.altArg()
		}
		if !ok && err == nil {
			a, err = p.macroArg(n > 0 && m.vararg && k == n-1)
		}
		if err != nil {
			return nil, err
		}
		i := k
		if name != "" {
			for i = 0; i < n && m.params[i].name != name; i++ {
			}
			if i == n {
				return nil, errOff(at, "parameter named '%s' does not exist for macro '%s'", name, m.name)
			}
		}
		if len(a) > 0 {
			for len(args) <= i {
				args = append(args, nil)
			}
			args[i] = a
		}
		if p.end() {
			return args, p.defaults(m, args)
		}
		p.eat(',')
	}
	return nil, p.errHere("too many positional arguments")
}

// defaults fills in what was not given.
func (p *Parser) defaults(m *macro, args [][]token) error {
	missing := false
	for i := range m.params {
		if len(args[i]) > 0 {
			continue
		}
		if m.params[i].required {
			p.errorAt(p.here(), "missing value for required parameter '%s' in macro '%s'", m.params[i].name, m.name)
			missing = true
		}
		args[i] = m.params[i].def
	}
	if missing {
		return errShown
	}
	return nil
}

// expand writes the body with arguments in place of parameters. at says whether \@ means something.
func (p *Parser) expand(b *strings.Builder, m *macro, args [][]token, at bool) error {
	s := m.body
	defer func() { m.count++ }()
	dollars := p.info.Darwin && m.name != "" && len(m.params) == 0
	isName := func(c byte) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c == '.'
	}
	for i := 0; i < len(s); {
		if b.Len() > maxExpansion {
			return errOff(0, "macros expand to more than %d MiB", maxExpansion>>20)
		}
		if p.altMacro && len(m.params) > 0 && isName(s[i]) {
			k := i
			for k < len(s) && isName(s[k]) {
				k++
			}
			if n := m.param(s[i:k]); n >= 0 {
				p.substitute(b, m, n, args[n])
				if i = k; i < len(s) && s[i] == '&' {
					i++
				}
			} else {
				b.WriteString(s[i:k])
				i = k
			}
			continue
		}
		if dollars && s[i] == '$' && i+1 < len(s) {
			if n := appendDollar(b, s[i+1], args); n {
				i += 2
				continue
			}
		}
		if s[i] != '\\' || i+1 == len(s) {
			k := i + 1
			for k < len(s) && s[k] != '\\' && !p.altMacro && !dollars {
				k++
			}
			b.WriteString(s[i:k])
			i = k
			continue
		}
		i++
		switch {
		case s[i] == '@' && at:
			b.WriteString(strconv.Itoa(p.macroCount))
			i++
			continue
		case s[i] == '+':
			b.WriteString(strconv.Itoa(m.count))
			i++
			continue
		case strings.HasPrefix(s[i:], "()"):
			i += 2
			continue
		}
		k := i
		for k < len(s) && isName(s[k]) {
			k++
		}
		if n := m.param(s[i:k]); n >= 0 {
			p.substitute(b, m, n, args[n])
			i = k
			if p.altMacro && i < len(s) && s[i] == '&' {
				i++
			}
			continue
		}
		b.WriteByte('\\')
		b.WriteString(s[i:k])
		i = k
	}
	return nil
}

// appendDollar writes what $c means in a macro without parameters, as Apple's assembler has
// them: an argument, their number, a dollar. It reports whether it means something.
func appendDollar(b *strings.Builder, c byte, args [][]token) bool {
	switch {
	case c == '$':
		b.WriteByte('$')
	case c == 'n':
		b.WriteString(strconv.Itoa(len(args)))
	case c >= '0' && c <= '9':
		if k := int(c - '0'); k < len(args) {
			for _, t := range args[k] {
				b.WriteString(t.text)
			}
		}
	default:
		return false
	}
	return true
}

func (m *macro) param(name string) int {
	for i := range m.params {
		if m.params[i].name == name && name != "" {
			return i
		}
	}
	return -1
}

// substitute writes an argument.
func (p *Parser) substitute(b *strings.Builder, m *macro, n int, arg []token) {
	vararg := m.params[n].vararg
	for _, t := range arg {
		switch {
		case t.kind == tokAngle:
			for i := 0; i < len(t.text); i++ {
				if t.text[i] == '!' && i+1 < len(t.text) {
					i++
				}
				b.WriteByte(t.text[i])
			}
		case t.kind == tokString && !vararg && len(t.text) > 1 && t.text[0] == '"':
			b.WriteString(t.text[1 : len(t.text)-1])
		default:
			b.WriteString(t.text)
		}
	}
}

// parsePurgem reads .purgem.
func parsePurgem(p *Parser, _ string, at int) error {
	n, ok := p.ident()
	if !ok {
		return p.errHere("expected identifier in '.purgem' directive")
	}
	if err := p.eol(); err != nil {
		return err
	}
	if p.macros[n] == nil {
		return errOff(at, "macro '%s' is not defined", n)
	}
	delete(p.macros, n)
	return nil
}

// parseEndMacro reads .endm outside of a definition: inside of an expansion it is its end.
func parseEndMacro(p *Parser, name string, _ int) error {
	if err := p.eol(); err != nil {
		return err
	}
	if p.leave() {
		return nil
	}
	return p.errHere("unexpected '%s' in file, no current macro definition", name)
}

// parseExitMacro reads .exitm.
func parseExitMacro(p *Parser, name string, _ int) error {
	if err := p.eol(); err != nil {
		return err
	}
	if p.depth == 0 {
		return p.errHere("unexpected '%s' in file, no current macro definition", name)
	}
	for p.in.macro == nil && len(p.inputs) > 1 {
		p.pop()
	}
	n := p.in.conds
	p.pop()
	p.cutConds(n)
	return nil
}

// parseAltMacro reads .altmacro and .noaltmacro.
func parseAltMacro(p *Parser, name string, _ int) error {
	if err := p.eol(); err != nil {
		return err
	}
	p.altMacro = name == ".altmacro"
	return nil
}

// parseRept reads .rept.
func parseRept(p *Parser, name string, at int) error {
	p.skip()
	nat := p.pos
	t, err := p.expr()
	if err != nil {
		return err
	}
	n, ok := t.v, t.x == 0
	if !ok {
		if n, ok = p.known(t.x); !ok {
			return errShownAfter(p, p.at(nat), "unexpected token in '%s' directive", name)
		}
	}
	if n < 0 {
		return errShownAfter(p, p.at(nat), "Count is negative")
	}
	if err := p.eol(); err != nil {
		return err
	}
	from := p.at(at)
	m := &macro{}
	if m.body, err = p.body(from, ".rept", ".irp", ".endr"); err != nil {
		return err
	}
	var b strings.Builder
	for range n {
		if len(m.body) == 0 {
			break
		}
		if err := p.expand(&b, m, nil, false); err != nil {
			return err
		}
	}
	return p.enterFrom(b.String(), m, from)
}

func errShownAfter(p *Parser, l loc, format string, args ...any) error {
	p.errorAt(l, format, args...)
	return errShown
}

// enterFrom is enter for a statement that is not the current one any more.
func (p *Parser) enterFrom(text string, m *macro, from loc) error {
	p.stmt = from
	return p.enter(text, m, 0)
}

// parseIrp reads .irp.
func parseIrp(p *Parser, name string, at int) error {
	m := &macro{}
	n, ok := p.ident()
	if !ok {
		return p.errHere("expected identifier in '%s' directive", name)
	}
	m.params = []param{{name: n}}
	if !p.eat(',') {
		return p.errHere("expected comma")
	}
	var values [][]token
	for {
		a, err := p.macroArg(false)
		if err != nil {
			return err
		}
		values = append(values, a)
		if p.end() {
			break
		}
		p.eat(',')
	}
	return p.repeat(m, values, at)
}

// parseIrpc reads .irpc.
func parseIrpc(p *Parser, name string, at int) error {
	m := &macro{}
	n, ok := p.ident()
	if !ok {
		return p.errHere("expected identifier in '%s' directive", name)
	}
	m.params = []param{{name: n}}
	if !p.eat(',') {
		return p.errHere("expected comma")
	}
	a, err := p.macroArg(false)
	if err != nil {
		return err
	}
	if err := p.eol(); err != nil {
		return err
	}
	text := ""
	for _, t := range a {
		if t.kind == tokString && len(t.text) > 1 && t.text[0] == '"' {
			t.text = t.text[1 : len(t.text)-1]
		}
		text += t.text
	}
	var values [][]token
	for i := range len(text) {
		values = append(values, []token{{text[i : i+1], tokIdent}})
	}
	return p.repeat(m, values, at)
}

// repeat expands a body for each of several values of its parameter.
func (p *Parser) repeat(m *macro, values [][]token, at int) (err error) {
	from := p.at(at)
	if m.body, err = p.body(from, ".rept", ".irp", ".endr"); err != nil {
		return err
	}
	var b strings.Builder
	for _, v := range values {
		if err := p.expand(&b, m, [][]token{v}, true); err != nil {
			return err
		}
	}
	return p.enterFrom(b.String(), m, from)
}

// parseEndr reads .endr outside of a repetition.
func parseEndr(p *Parser, _ string, _ int) error {
	if err := p.eol(); err != nil {
		return err
	}
	if p.leave() {
		return nil
	}
	return p.errHere("unmatched '.endr' directive")
}

// leave goes to the end of the expansion that is being read, false outside of one.
func (p *Parser) leave() bool {
	if p.in.macro == nil {
		return false
	}
	p.in.pos = len(p.in.buf.src)
	return true
}
