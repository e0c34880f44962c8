package filecheck

import (
	"bytes"
	"math/big"
	"strconv"
	"strings"
)

func itoa(n int) string { return strconv.Itoa(n) }

// checkKind is the kind of a directive.
type checkKind uint8

const (
	checkNone checkKind = iota
	checkMisspelled
	checkPlain
	checkNext
	checkSame
	checkNot
	checkDAG
	checkLabel
	checkEmpty
	checkComment
	checkEOF
	checkBadNot
	checkBadCount
)

// context holds the variables of one run.
type context struct {
	opts *Options
	strs map[string]*string // a variable is known with nil while a pattern only defines it
	nums map[string]*numVar
}

func newContext(opts *Options) *context {
	return &context{opts: opts, strs: map[string]*string{}, nums: map[string]*numVar{}}
}

// isString says whether a definition of a string variable of the name was parsed.
func (c *context) isString(name string) bool {
	_, ok := c.strs[name]
	return ok
}

// clearLocals forgets the values of the variables whose names do not start with $.
func (c *context) clearLocals() {
	for name := range c.strs {
		if !strings.HasPrefix(name, "$") {
			c.strs[name] = nil
		}
	}
	for name, v := range c.nums {
		if !strings.HasPrefix(name, "$") {
			v.value = nil
		}
	}
}

// subst is a place of a pattern whose text is known only when it is matched:
// the value of a string variable or of a numeric expression.
type subst struct {
	at   int // offset in the pattern's regular expression
	name string
	pos  span
	num  *numBlock
}

// pattern is what a directive looks for.
type pattern struct {
	kind    checkKind
	literal bool // {LITERAL}
	count   int
	prefix  string
	loc     span
	line    int

	isFixed bool
	fixed   string
	regex   string // without the substitutions
	substs  []subst
	defs    []capture
	groups  int
	re      *ereRegexp // compiled where there is no substitution
	reText  string
}

// capture is a variable that a group of the pattern defines.
type capture struct {
	name  string
	num   *numBlock // nil for a string variable
	group int
}

// description is the directive as messages name it.
func (p *pattern) description() string {
	suffix := ""
	switch p.kind {
	case checkPlain:
		if p.count > 1 {
			suffix = "-COUNT"
		}
	case checkNext:
		suffix = "-NEXT"
	case checkSame:
		suffix = "-SAME"
	case checkNot:
		suffix = "-NOT"
	case checkDAG:
		suffix = "-DAG"
	case checkLabel:
		suffix = "-LABEL"
	case checkEmpty:
		suffix = "-EMPTY"
	case checkEOF:
		return "implicit EOF"
	}
	if p.literal {
		suffix += "{LITERAL}"
	}
	return p.prefix + suffix
}

const regexSpecials = `()^$|*+?.[]\{}`

func quoteRegex(s string) string {
	if !strings.ContainsAny(s, regexSpecials) {
		return s
	}
	var b strings.Builder
	for k := range len(s) {
		if strings.IndexByte(regexSpecials, s[k]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[k])
	}
	return b.String()
}

// patternParser reads the text of one directive.
type patternParser struct {
	ctx     *context
	p       *pattern
	src     *source
	regex   strings.Builder
	groups  int            // groups opened so far
	backref map[string]int // string variables that this pattern defines
}

// parsePattern fills p from the text at [start, end) of src.
func parsePattern(ctx *context, p *pattern, src *source, start, end int) error {
	o := ctx.opts
	if !(o.StrictWhitespace && o.MatchFullLines) {
		end = start + len(strings.TrimRight(src.text[start:end], spaces))
	}
	p.loc = span{src, start, start}
	text := src.text[start:end]
	if p.kind == checkEmpty {
		if text != "" {
			return errAt(src, start, "found non-empty check string for empty check with prefix '"+p.prefix+":'")
		}
		p.regex = `(\n$)`
		return nil
	}
	if text == "" {
		return errAt(src, start, "found empty check string with prefix '"+p.prefix+":'")
	}
	full := o.MatchFullLines && p.kind != checkNot
	if !full && (p.literal || !strings.Contains(text, "{{") && !strings.Contains(text, "[[")) {
		p.isFixed, p.fixed = true, text
		return nil
	}
	pp := &patternParser{ctx: ctx, p: p, src: src, groups: 0, backref: map[string]int{}}
	if full {
		pp.regex.WriteByte('^')
		if !o.StrictWhitespace {
			pp.regex.WriteString(" *")
		}
	}
	if p.literal {
		pp.regex.WriteString(quoteRegex(text))
	} else if err := pp.parts(start, end); err != nil {
		return err
	}
	if full {
		if !o.StrictWhitespace {
			pp.regex.WriteString(" *")
		}
		pp.regex.WriteByte('$')
	}
	p.regex, p.groups = pp.regex.String(), pp.groups
	if len(p.substs) == 0 {
		re, err := compileERE(p.regex, o.IgnoreCase)
		if err != nil {
			return errAt(src, start, "invalid regex: "+err.Error())
		}
		p.re, p.reText = re, p.regex
	}
	return nil
}

func (pp *patternParser) parts(pos, end int) error {
	for pos < end {
		s := pp.src.text[pos:end]
		var err error
		switch {
		case strings.HasPrefix(s, "{{"):
			pos, err = pp.regexBlock(pos, s)
		case strings.HasPrefix(s, "[[") && !strings.HasPrefix(s, "[[["):
			pos, err = pp.substBlock(pos, s)
		default:
			n := len(s)
			for _, open := range []string{"{{", "[["} {
				// "[[[" is a bracket before a substitution block.
				if k := strings.Index(s[1:], open); k >= 0 {
					n = min(n, k+1)
				}
			}
			pp.regex.WriteString(quoteRegex(s[:n]))
			pos += n
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addRegex checks a regular expression that the user wrote and adds it.
func (pp *patternParser) addRegex(s string, pos int) error {
	_, p, err := parseERE(s, false)
	if err != nil {
		return errAt(pp.src, pos, "invalid regex: "+err.Error())
	}
	pp.regex.WriteString(s)
	pp.groups += p.groups
	return nil
}

func (pp *patternParser) regexBlock(pos int, s string) (int, error) {
	k := strings.Index(s, "}}")
	if k < 0 {
		return 0, errAt(pp.src, pos, "found start of regex string with no end '}}'")
	}
	re := s[2:k]
	// An alternation must not reach beyond its braces.
	alt := strings.Contains(re, "|")
	if alt {
		pp.regex.WriteByte('(')
		pp.groups++
	}
	if err := pp.addRegex(re, pos+2); err != nil {
		return 0, err
	}
	if alt {
		pp.regex.WriteByte(')')
	}
	return pos + k + 2, nil
}

// substEnd finds the "]]" that ends a substitution block whose inner text is s;
// brackets of the expression nest and a backslash quotes.
func substEnd(s string) (end int, unclosed int) {
	depth := 0
	for k := 0; k < len(s); k++ {
		if depth == 0 && strings.HasPrefix(s[k:], "]]") {
			return k, -1
		}
		switch s[k] {
		case '\\':
			k++
		case '[':
			depth++
		case ']':
			if depth == 0 {
				return -1, k
			}
			depth--
		}
	}
	return -1, -1
}

func (pp *patternParser) substBlock(pos int, s string) (int, error) {
	end, unclosed := substEnd(s[2:])
	if unclosed >= 0 {
		e := errAt(pp.src, pos+2+unclosed, `missing closing "]" for regex variable`)
		e.fatal = true
		return 0, e
	}
	if end < 0 {
		return 0, errAt(pp.src, pos, "Invalid substitution block, no ]] found")
	}
	body, start := s[2:2+end], pos+2
	next := start + end + 2
	if strings.HasPrefix(body, "#") {
		return next, pp.numeric(start+1, start+end, false)
	}
	colon := strings.IndexByte(body, ':')
	head := body
	if colon >= 0 {
		head = body[:colon]
	}
	if k := strings.IndexAny(head, spaces); k >= 0 {
		return 0, errAt(pp.src, start+k, "unexpected whitespace")
	}
	name, pseudo, msg := scanVariable(body)
	if msg != "" {
		e := errAt(pp.src, start, msg)
		e.numeric = true
		return 0, e
	}
	if colon >= 0 {
		if pseudo || colon != len(name) {
			return 0, errAt(pp.src, start, "invalid name in string variable definition")
		}
		if _, ok := pp.ctx.nums[name]; ok {
			return 0, errAt(pp.src, start, "numeric variable with name '"+name+"' already exists")
		}
		return next, pp.define(name, body[colon+1:], start+colon+1)
	}
	if pseudo {
		return next, pp.numeric(start, start+end, true)
	}
	if len(name) != len(body) {
		return 0, errAt(pp.src, start, "invalid name in string variable use")
	}
	if group, ok := pp.backref[name]; ok {
		if group < 1 || group > 9 {
			return 0, errAt(pp.src, start, "Can't back-reference more than 9 variables")
		}
		pp.regex.WriteString(`\` + itoa(group))
		return next, nil
	}
	pp.p.substs = append(pp.p.substs, subst{at: pp.regex.Len(), name: name, pos: span{pp.src, start, start + len(name)}})
	return next, nil
}

// define adds a group that captures a string variable.
func (pp *patternParser) define(name, re string, pos int) error {
	pp.regex.WriteByte('(')
	pp.groups++
	group := pp.groups
	if re != "" {
		if err := pp.addRegex(re, pos); err != nil {
			return err
		}
	}
	pp.regex.WriteByte(')')
	pp.backref[name] = group
	if !pp.ctx.isString(name) {
		pp.ctx.strs[name] = nil
	}
	pp.p.defs = append(pp.p.defs, capture{name: name, group: group})
	return nil
}

func (pp *patternParser) numeric(start, end int, legacy bool) error {
	np := &numParser{ctx: pp.ctx, src: pp.src, s: pp.src.text[:end], pos: start, line: pp.p.line, legacy: legacy}
	b, err := np.block()
	if err != nil {
		return err
	}
	if b.def != nil {
		pp.regex.WriteByte('(')
		pp.groups++
		pp.p.defs = append(pp.p.defs, capture{name: b.def.name, num: b, group: pp.groups})
	}
	if b.expr != nil {
		pp.p.substs = append(pp.p.substs, subst{at: pp.regex.Len(), name: pp.src.text[start:end], num: b, pos: span{pp.src, start, start}})
	} else {
		w := b.format.wildcard()
		pp.groups += strings.Count(w, "(")
		pp.regex.WriteString(w)
	}
	if b.def != nil {
		pp.regex.WriteByte(')')
	}
	return nil
}

// value returns the text that a substitution stands for.
func (c *context) value(s *subst) (string, []error) {
	if s.num == nil {
		v := c.strs[s.name]
		if v == nil {
			return "", []error{errAt(s.pos.src, s.pos.start, "undefined variable: "+s.name)}
		}
		return *v, nil
	}
	var undef []*numExpr
	v, err := s.num.expr.eval(&undef)
	if len(undef) > 0 {
		var errs []error
		for _, e := range undef {
			errs = append(errs, errAt(e.at.src, e.at.start, "undefined variable: "+e.v.name))
		}
		return "", errs
	}
	var text string
	if err == nil {
		text, err = s.num.format.text(v)
	}
	if err != nil {
		return "", []error{errAt(s.pos.src, s.pos.start, err.Error())}
	}
	return text, nil
}

// match is a place where a pattern matches, relative to the text searched.
type match struct {
	pos, len int
	caps     []captured
}

// captured is a variable's value and where it was found.
type captured struct {
	name       string
	start, end int
}

// find searches text. A nil match without errors means that it is not there;
// errors say why the pattern cannot be matched at all.
func (p *pattern) find(ctx *context, text []byte) (*match, []error) {
	switch {
	case p.kind == checkEOF:
		return &match{pos: len(text)}, nil
	case p.kind == checkEmpty:
		return findEmptyLine(text), nil
	case p.isFixed:
		k := 0
		if ctx.opts.IgnoreCase {
			k = indexFold(text, p.fixed)
		} else {
			k = bytes.Index(text, []byte(p.fixed))
		}
		if k < 0 {
			return nil, nil
		}
		return &match{pos: k, len: len(p.fixed)}, nil
	}
	if errs := p.compile(ctx); len(errs) > 0 {
		return nil, errs
	}
	m := p.re.find(text)
	if m == nil {
		return nil, nil
	}
	return p.capture(ctx, text, m)
}

// compile puts the values of the substitutions into the regular expression.
func (p *pattern) compile(ctx *context) (errs []error) {
	if len(p.substs) == 0 {
		return nil
	}
	var b strings.Builder
	at := 0
	for k := range p.substs {
		s := &p.substs[k]
		v, e := ctx.value(s)
		if len(e) > 0 {
			errs = append(errs, e...)
			continue
		}
		b.WriteString(p.regex[at:s.at])
		at = s.at
		b.WriteString(quoteRegex(v))
	}
	if len(errs) > 0 {
		return errs
	}
	b.WriteString(p.regex[at:])
	if p.re != nil && p.reText == b.String() {
		return nil
	}
	re, err := compileERE(b.String(), ctx.opts.IgnoreCase)
	if err != nil {
		return []error{errAt(p.loc.src, p.loc.start, "invalid regex: "+err.Error())}
	}
	p.re, p.reText = re, b.String()
	return nil
}

func (p *pattern) capture(ctx *context, text []byte, m []int) (*match, []error) {
	r := &match{pos: m[0], len: m[1] - m[0]}
	for _, d := range p.defs {
		lo, hi := m[2*d.group], m[2*d.group+1]
		if lo < 0 {
			lo, hi = m[0], m[0]
		}
		value := string(text[lo:hi])
		if d.num == nil {
			ctx.strs[d.name] = &value
		} else {
			v, ok := d.num.format.value(value)
			if !ok {
				v = new(big.Int)
			}
			d.num.def.value = v
		}
		r.caps = append(r.caps, captured{d.name, lo, hi})
	}
	return r, nil
}

// findEmptyLine finds a line end that is followed by an empty line. The match
// is the empty line: the newline before it is not part.
func findEmptyLine(text []byte) *match {
	if k := bytes.Index(text, []byte("\n\n")); k >= 0 {
		return &match{pos: k + 1}
	}
	if bytes.HasSuffix(text, []byte("\n")) {
		return &match{pos: len(text)}
	}
	return nil
}

// indexFold is bytes.Index that takes ASCII letters of either case as equal.
func indexFold(text []byte, s string) int {
	return bytes.Index(lowerASCII(text), lowerASCII([]byte(s)))
}

func lowerASCII(b []byte) []byte {
	r := make([]byte, len(b))
	for k, c := range b {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		r[k] = c
	}
	return r
}
