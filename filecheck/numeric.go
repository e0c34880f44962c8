package filecheck

import (
	"errors"
	"math/big"
	"strings"
)

// formatKind is how a number is written.
type formatKind uint8

const (
	formatNone formatKind = iota
	formatUnsigned
	formatSigned
	formatHexUpper
	formatHexLower
)

// format is the matching format of a numeric expression: kind, least number of
// digits (0: any), and whether hexadecimal digits follow "0x".
type format struct {
	kind      formatKind
	precision int
	alternate bool
}

// String returns the conversion specifier.
func (f format) String() string {
	return [...]string{"<none>", "%u", "%d", "%X", "%x"}[f.kind]
}

// wildcard returns the regular expression of every number in the format.
func (f format) wildcard() string {
	sign, first, digit := "", "1-9", "0-9"
	switch f.kind {
	case formatSigned:
		sign = "-?"
	case formatHexUpper:
		first, digit = "1-9A-F", "0-9A-F"
	case formatHexLower:
		first, digit = "1-9a-f", "0-9a-f"
	}
	if f.alternate {
		sign += "0x"
	}
	if f.precision > 0 {
		return sign + "([" + first + "][" + digit + "]*)?[" + digit + "]{" + itoa(f.precision) + "}"
	}
	return sign + "[" + digit + "]+"
}

var errOverflow = errors.New("unable to substitute variable or numeric expression: overflow error")

// text writes v in the format; negative values have an unsigned format nowhere.
func (f format) text(v *big.Int) (string, error) {
	if v.Sign() < 0 && f.kind != formatSigned {
		return "", errOverflow
	}
	base := 10
	if f.kind == formatHexLower || f.kind == formatHexUpper {
		base = 16
	}
	digits := new(big.Int).Abs(v).Text(base)
	if f.kind == formatHexUpper {
		digits = strings.ToUpper(digits)
	}
	if n := f.precision - len(digits); n > 0 {
		digits = strings.Repeat("0", n) + digits
	}
	if f.alternate {
		digits = "0x" + digits
	}
	if v.Sign() < 0 {
		digits = "-" + digits
	}
	return digits, nil
}

// value reads a number that the format's wildcard matched.
func (f format) value(s string) (*big.Int, bool) {
	base := 10
	if f.kind == formatHexLower || f.kind == formatHexUpper {
		base = 16
	}
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	if f.alternate {
		s = strings.TrimPrefix(s, "0x")
	}
	v, ok := new(big.Int).SetString(s, base)
	if ok && neg {
		v.Neg(v)
	}
	return v, ok
}

// numVar is a numeric variable. Its format comes from its first definition.
type numVar struct {
	name    string
	format  format
	value   *big.Int // nil while undefined
	defLine int      // line of the directive that defines it; 0 is the command line
}

// numExpr is a node of a numeric expression: a literal, @LINE, a variable or
// an operation.
type numExpr struct {
	text string // as written
	lit  *big.Int
	v    *numVar
	at   span // of a variable, for errors
	op   string
	l, r *numExpr
}

// implicit returns the format that the variables of the expression agree on.
func (e *numExpr) implicit() (format, string) {
	switch {
	case e.v != nil:
		return e.v.format, ""
	case e.lit != nil:
		return format{}, ""
	}
	l, msg := e.l.implicit()
	if msg != "" {
		return l, msg
	}
	r, msg := e.r.implicit()
	if msg != "" {
		return r, msg
	}
	if l.kind == formatNone {
		return r, ""
	}
	if r.kind != formatNone && l != r {
		return l, "implicit format conflict between '" + e.l.text + "' (" + l.String() + ") and '" + e.r.text + "' (" + r.String() + "), need an explicit format specifier"
	}
	return l, ""
}

// eval computes the expression and adds the variables without a value to undef.
func (e *numExpr) eval(undef *[]*numExpr) (*big.Int, error) {
	if e.lit != nil {
		return e.lit, nil
	}
	if e.v != nil {
		if e.v.value == nil {
			*undef = append(*undef, e)
			return new(big.Int), nil
		}
		return e.v.value, nil
	}
	l, err := e.l.eval(undef)
	r, err2 := e.r.eval(undef)
	if err == nil {
		err = err2
	}
	if err != nil || len(*undef) > 0 {
		return nil, err
	}
	v := new(big.Int)
	switch e.op {
	case "+", "add":
		v.Add(l, r)
	case "-", "sub":
		v.Sub(l, r)
	case "mul":
		v.Mul(l, r)
	case "div":
		if r.Sign() == 0 {
			return nil, errOverflow
		}
		v.Quo(l, r)
	case "min", "max":
		if (l.Cmp(r) < 0) == (e.op == "min") {
			return l, nil
		}
		return r, nil
	}
	return v, nil
}

// numBlock is a parsed [[#…]] block.
type numBlock struct {
	format format
	def    *numVar
	expr   *numExpr // nil matches any number
}

// numParser reads the text of one numeric substitution block. Positions are
// offsets into the source.
type numParser struct {
	ctx    *context
	src    *source
	s      string // the source up to the end of the block
	pos    int
	line   int
	legacy bool // [[@LINE+n]]
	// first says that the operand at hand is the block's first, constrained that == stands before it.
	first, constrained bool
}

const spaces = " \t"

func (p *numParser) rest() string { return p.s[p.pos:] }
func (p *numParser) skip() {
	p.pos = len(p.s) - len(strings.TrimLeft(p.rest(), spaces))
}
func (p *numParser) fail(off int, msg string) error {
	return &srcError{at: span{p.src, off, off}, msg: msg, numeric: true}
}

// block reads [%fmt,][VAR:][==][expr].
func (p *numParser) block() (*numBlock, error) {
	b := &numBlock{}
	explicit, err := p.formatSpec()
	if err != nil {
		return nil, err
	}
	defPos, defEnd := p.pos, -1
	if k := strings.IndexByte(p.rest(), ':'); k >= 0 {
		defEnd = p.pos + k
		p.pos = defEnd + 1
	}
	p.skip()
	constraint := strings.HasPrefix(p.rest(), "==")
	p.constrained = constraint
	if constraint {
		p.pos += 2
	}
	p.skip()
	if p.rest() == "" {
		if constraint {
			return nil, p.fail(p.pos, "empty numeric expression should not have a constraint")
		}
	} else {
		p.s = strings.TrimRight(p.s, spaces)
		if b.expr, err = p.expression(); err != nil {
			return nil, err
		}
	}
	b.format = explicit
	if explicit.kind == formatNone && b.expr != nil {
		f, msg := b.expr.implicit()
		if msg != "" {
			return nil, p.fail(p.offsetOf(b.expr), msg)
		}
		b.format = f
	}
	if b.format.kind == formatNone {
		b.format = format{kind: formatUnsigned}
	}
	if defEnd >= 0 {
		q := *p
		q.s, q.pos = p.s[:min(defEnd, len(p.s))], defPos
		if b.def, err = q.definition(b.format); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (p *numParser) offsetOf(e *numExpr) int { return len(p.s) - len(e.text) }

func (p *numParser) formatSpec() (format, error) {
	var f format
	comma, call := strings.IndexByte(p.rest(), ','), strings.IndexByte(p.rest(), '(')
	if comma < 0 || call >= 0 && call < comma {
		return f, nil
	}
	end := p.pos + comma
	p.skip()
	spec := strings.TrimRight(p.s[p.pos:max(p.pos, end)], spaces)
	pos := p.pos
	p.pos = end + 1
	if !strings.HasPrefix(spec, "%") {
		return f, p.fail(pos, "invalid matching format specification in expression")
	}
	spec, pos = spec[1:], pos+1
	altPos := pos
	if strings.HasPrefix(spec, "#") {
		f.alternate, spec, pos = true, spec[1:], pos+1
	}
	if strings.HasPrefix(spec, ".") {
		spec, pos = spec[1:], pos+1
		n := 0
		for n < len(spec) && isDigit(spec[n]) && f.precision < 1<<20 {
			f.precision = f.precision*10 + int(spec[n]-'0')
			n++
		}
		if n == 0 {
			return f, p.fail(pos, "invalid precision in format specifier")
		}
		spec, pos = spec[n:], pos+n
	}
	f.kind = formatUnsigned
	if spec != "" {
		k := strings.IndexByte("udXx", spec[0])
		if k < 0 {
			return f, p.fail(pos, "invalid format specifier in expression")
		}
		f.kind = formatUnsigned + formatKind(k)
		spec, pos = spec[1:], pos+1
	}
	if f.alternate && f.kind != formatHexLower && f.kind != formatHexUpper {
		return f, p.fail(altPos, "alternate form only supported for hex values")
	}
	if spec != "" {
		return f, p.fail(pos, "invalid matching format specification in expression")
	}
	return f, nil
}

// definition reads the variable name before the colon.
func (p *numParser) definition(f format) (*numVar, error) {
	p.skip()
	start := p.pos
	name, pseudo, err := p.variable()
	if err != nil {
		return nil, err
	}
	if pseudo {
		return nil, p.fail(start, "definition of pseudo numeric variable unsupported")
	}
	nameEnd := p.pos
	if p.ctx.isString(name) {
		return nil, p.fail(start, "string variable with name '"+name+"' already exists")
	}
	p.skip()
	if p.rest() != "" {
		return nil, p.fail(p.pos, "unexpected characters after numeric variable name")
	}
	v := p.ctx.nums[name]
	if v == nil {
		v = &numVar{name: name}
		p.ctx.nums[name] = v
	} else if v.format.kind != formatNone && v.format != f {
		return nil, p.fail(nameEnd, "format different from previous variable definition")
	}
	v.format, v.defLine = f, p.line
	return v, nil
}

// variable reads a variable name; a leading @ makes it a pseudo variable and a
// leading $ a global one.
func (p *numParser) variable() (name string, pseudo bool, err error) {
	s := p.rest()
	name, pseudo, msg := scanVariable(s)
	if msg != "" {
		return "", false, p.fail(p.pos, msg)
	}
	p.pos += len(name)
	return name, pseudo, nil
}

func scanVariable(s string) (name string, pseudo bool, msg string) {
	if s == "" {
		return "", false, "empty variable name"
	}
	k := 0
	pseudo = s[0] == '@'
	if pseudo || s[0] == '$' {
		k++
	}
	if k == len(s) || !isWord(s[k]) || isDigit(s[k]) {
		return "", false, "invalid variable name"
	}
	for k < len(s) && isWord(s[k]) {
		k++
	}
	return s[:k], pseudo, ""
}

func (p *numParser) expression() (*numExpr, error) {
	start := p.pos
	p.first = !p.legacy && !p.constrained
	e, err := p.operand(true)
	p.first = false
	for err == nil && p.rest() != "" {
		if e, err = p.binary(e, start); err == nil && p.legacy && p.rest() != "" {
			err = p.fail(p.pos, "unexpected characters at end of expression '"+p.rest()+"'")
		}
	}
	return e, err
}

// binary reads the operator and the right operand of an expression that
// started at start.
func (p *numParser) binary(l *numExpr, start int) (*numExpr, error) {
	p.skip()
	if p.rest() == "" {
		return l, nil
	}
	op := p.s[p.pos]
	if op != '+' && op != '-' {
		return nil, p.fail(p.pos, "unsupported operation '"+string(op)+"'")
	}
	p.pos++
	p.skip()
	if p.rest() == "" {
		return nil, p.fail(p.pos, "missing operand in expression")
	}
	r, err := p.operand(false)
	if err != nil {
		return nil, err
	}
	return &numExpr{text: p.s[start:p.pos], op: string(op), l: l, r: r}, nil
}

// operand reads a parenthesized expression, a variable, a call or a literal.
// In a legacy expression the first is @LINE and the second a decimal literal.
func (p *numParser) operand(first bool) (*numExpr, error) {
	start := p.pos
	if p.legacy && !first {
		if strings.HasPrefix(p.rest(), "(") {
			return nil, p.fail(start, "parenthesized expression not permitted here")
		}
		return p.literal()
	}
	if strings.HasPrefix(p.rest(), "(") {
		p.first = false
		return p.paren()
	}
	if _, _, msg := scanVariable(p.rest()); msg == "" {
		name, pseudo, err := p.variable()
		if err != nil {
			return nil, err
		}
		after := strings.TrimLeft(p.rest(), spaces)
		if strings.HasPrefix(after, "(") {
			return p.call(name, start)
		}
		return p.use(name, pseudo, start)
	}
	return p.literal()
}

func (p *numParser) use(name string, pseudo bool, start int) (*numExpr, error) {
	if pseudo {
		if name != "@LINE" {
			return nil, p.fail(start, "invalid pseudo numeric variable '"+name+"'")
		}
		return &numExpr{text: name, lit: big.NewInt(int64(p.line))}, nil
	}
	v := p.ctx.nums[name]
	if v == nil {
		v = &numVar{name: name}
		p.ctx.nums[name] = v
	} else if v.defLine == p.line && v.defLine != 0 {
		return nil, p.fail(start, "numeric variable '"+name+"' defined earlier in the same CHECK directive")
	}
	return &numExpr{text: name, v: v, at: span{p.src, start, start + len(name)}}, nil
}

func (p *numParser) literal() (*numExpr, error) {
	start := p.pos
	s := p.rest()
	neg := strings.HasPrefix(s, "-")
	k, base := 0, 10
	if neg {
		k = 1
	}
	digits := k
	if !p.legacy && (strings.HasPrefix(s[k:], "0x") || strings.HasPrefix(s[k:], "0X")) {
		base, digits = 16, k+2
	}
	k = digits
	for k < len(s) && (isDigit(s[k]) || base == 16 && strings.IndexByte("abcdefABCDEF", s[k]) >= 0) {
		k++
	}
	v, ok := new(big.Int).SetString(s[digits:k], base)
	if !ok && base == 16 && k < len(s) {
		v, ok = new(big.Int), true // LLVM reads a prefix alone as 0
	}
	if !ok {
		msg := "invalid operand format"
		if p.first {
			msg = "invalid matching constraint or operand format"
		}
		return nil, p.fail(start, msg)
	}
	if neg {
		v.Neg(v)
	}
	p.pos += k
	return &numExpr{text: s[:k], lit: v}, nil
}

func (p *numParser) paren() (*numExpr, error) {
	start := p.pos
	p.pos++
	p.skip()
	if p.rest() == "" {
		return nil, p.fail(p.pos, "missing operand in expression")
	}
	inner := p.pos
	e, err := p.operand(true)
	for err == nil {
		p.skip()
		if p.rest() == "" || p.s[p.pos] == ')' {
			break
		}
		e, err = p.binary(e, inner)
	}
	if err != nil {
		return nil, err
	}
	if p.rest() == "" {
		return nil, p.fail(p.pos, "missing ')' at end of nested expression")
	}
	p.pos++
	c := *e
	c.text = p.s[start:p.pos]
	return &c, nil
}

func (p *numParser) call(name string, start int) (*numExpr, error) {
	p.first = false
	p.skip()
	p.pos++
	var args []*numExpr
	for p.skip(); p.rest() != "" && p.s[p.pos] != ')'; p.skip() {
		if p.s[p.pos] == ',' {
			return nil, p.fail(p.pos, "missing argument")
		}
		argPos := p.pos
		e, err := p.operand(true)
		for err == nil {
			p.skip()
			if p.rest() == "" || p.s[p.pos] == ',' || p.s[p.pos] == ')' {
				break
			}
			e, err = p.binary(e, argPos)
		}
		if err != nil {
			return nil, err
		}
		args = append(args, e)
		if !strings.HasPrefix(p.rest(), ",") {
			break
		}
		p.pos++
		p.skip()
		if strings.HasPrefix(p.rest(), ")") {
			return nil, p.fail(p.pos, "missing argument")
		}
	}
	if !strings.HasPrefix(p.rest(), ")") {
		return nil, p.fail(p.pos, "missing ')' at end of call expression")
	}
	p.pos++
	switch name {
	case "add", "div", "max", "min", "mul", "sub":
	default:
		return nil, p.fail(start, "call to undefined function '"+name+"'")
	}
	if len(args) != 2 {
		return nil, p.fail(start, "function '"+name+"' takes 2 arguments but "+itoa(len(args))+" given")
	}
	return &numExpr{text: p.s[start:p.pos], op: name, l: args[0], r: args[1]}, nil
}
