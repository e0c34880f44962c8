package asmparse

import (
	"strings"

	"github.com/mirin-go/mirin/mc"
)

// maxDepth bounds the nesting of expressions.
const maxDepth = 200

// term is a number (x is 0) or an expression.
type term struct {
	x mc.Expr
	v int64
}

// ops are the operators of two operands, the longer ones first.
var ops = [...]struct {
	text string
	op   mc.ExprOpcode
	prec int
}{
	{"||", mc.OpLOr, 1}, {"&&", mc.OpLAnd, 2}, {"==", mc.OpEQ, 3}, {"!=", mc.OpNE, 3}, {"<>", mc.OpNE, 3}, {"<=", mc.OpLE, 3}, {">=", mc.OpGE, 3},
	{"<<", mc.OpShl, 6}, {">>", mc.OpShr, 6}, {"<", mc.OpLT, 3}, {">", mc.OpGT, 3}, {"+", mc.OpAdd, 4}, {"-", mc.OpSub, 4},
	{"|", mc.OpOr, 5}, {"!", mc.OpOrNot, 5}, {"^", mc.OpXor, 5}, {"&", mc.OpAnd, 5}, {"*", mc.OpMul, 6}, {"/", mc.OpDiv, 6}, {"%", mc.OpMod, 6},
}

// darwinPrec gives the precedence of an operator as Apple's assembler has it.
func darwinPrec(op mc.ExprOpcode) int {
	switch op {
	case mc.OpLAnd, mc.OpLOr:
		return 1
	case mc.OpOr, mc.OpXor, mc.OpAnd:
		return 2
	case mc.OpEQ, mc.OpNE, mc.OpLT, mc.OpLE, mc.OpGT, mc.OpGE:
		return 3
	case mc.OpShl, mc.OpShr, mc.OpAShr:
		return 4
	case mc.OpAdd, mc.OpSub:
		return 5
	}
	return 6
}

// Expr reads an expression of a statement for a target (mc.AsmParser).
func (p *Parser) Expr(text string, pos int) (x mc.Expr, v int64, end int, err error) {
	savedText, savedPos := p.text, p.pos
	p.text, p.pos = text, pos
	t, err := p.expr()
	end = p.pos
	p.text, p.pos = savedText, savedPos
	return t.x, t.v, end, err
}

// expr reads an expression.
func (p *Parser) expr() (term, error) {
	t, err := p.primary(0)
	if err == nil {
		t, err = p.binary(t, 1, 0)
	}
	if err == nil && p.peek() == '@' { // (a - b)@modifier
		return p.modified(t)
	}
	return t, err
}

// modified reads the modifier behind an expression in brackets.
func (p *Parser) modified(t term) (term, error) {
	p.pos++
	w := p.word()
	if w == "" {
		return t, p.errHere("unexpected symbol modifier following '@'")
	}
	m, ok := p.info.ModifierByName(w)
	if !ok {
		return t, errOff(p.pos, "invalid variant '%s'", w)
	}
	p.skip()
	at := p.pos
	p.pos += len(w)
	x := mc.Expr(0)
	if p.info.WholeModifiers && (p.info.Modifiers[m].OfNumbers || p.symbols(t.x)) {
		return term{x: p.ctx.Wrapped(m, p.wrap(t))}, nil
	}
	if t.x != 0 {
		if x, ok = p.ctx.WithModifier(t.x, m); !ok {
			return t, errOff(at, "invalid variant on expression '%s' (already modified)", w)
		}
	}
	if x == 0 {
		return t, errOff(at, "invalid modifier '%s' (no symbols present)", w)
	}
	return term{x: x}, nil
}

// symbols reports whether symbols are in an expression.
func (p *Parser) symbols(x mc.Expr) bool {
	if x == 0 {
		return false
	}
	with, ok := p.ctx.WithModifier(x, 1)
	return !ok || with != 0
}

// operator finds the operator at the place.
func (p *Parser) operator() (op mc.ExprOpcode, prec, n int) {
	p.skip()
	rest := p.text[p.pos:]
	if rest == "" {
		return 0, 0, 0
	}
	for i := range ops {
		if o := &ops[i]; rest[0] == o.text[0] && strings.HasPrefix(rest, o.text) {
			op, prec = o.op, o.prec
			if p.info.Darwin {
				prec = darwinPrec(op)
			}
			return op, prec, len(o.text)
		}
	}
	return 0, 0, 0
}

// binary reads operators of at least a precedence, and what is behind them.
func (p *Parser) binary(a term, least, depth int) (term, error) {
	at := -1 // the first operator's place is that of all operations of the chain
	for {
		op, prec, n := p.operator()
		if n == 0 || prec < least {
			return a, nil
		}
		if at < 0 {
			at = p.pos
		}
		p.pos += n
		b, err := p.primary(depth + 1)
		if err != nil {
			return a, err
		}
		if _, next, m := p.operator(); m != 0 && next > prec {
			if b, err = p.binary(b, prec+1, depth+1); err != nil {
				return a, err
			}
		}
		a = p.apply(op, a, b, at)
	}
}

// wrap gives the expression of a term.
func (p *Parser) wrap(t term) mc.Expr {
	if t.x == 0 {
		return p.ctx.Const(t.v)
	}
	return t.x
}

// apply makes a op b; at is the operator's place.
func (p *Parser) apply(op mc.ExprOpcode, a, b term, at int) term {
	if a.x == 0 && b.x == 0 {
		if v, ok := mc.FoldExpr(op, a.v, b.v); ok {
			return term{v: v}
		}
	}
	if b.x == 0 && (op == mc.OpAdd || op == mc.OpSub) {
		if s, m, off, ok := p.ctx.SymRef(a.x); ok && off == 0 && a.x != 0 && b.v != 0 {
			d := b.v
			if op == mc.OpSub {
				d = -d
			}
			p.ctx.SetLoc(uint32(p.at(at)))
			return term{x: p.ctx.RefOff(s, m, d)}
		}
	}
	x, y := p.wrap(a), p.wrap(b)
	p.ctx.SetLoc(uint32(p.at(at)))
	return term{x: p.ctx.Binary(op, x, y)}
}

// primary reads an operand.
func (p *Parser) primary(depth int) (term, error) {
	if depth > maxDepth {
		return term{}, p.errHere("expression is nested too deeply")
	}
	c := p.peek()
	at := p.pos
	p.ctx.SetLoc(uint32(p.at(at)))
	if p.exprs != nil {
		x, end, known, err := p.exprs.ParsePrimary(p, p.text, p.pos)
		if known || err != nil {
			p.pos = max(end, p.pos)
			return term{x: x}, err
		}
	}
	if m, n := p.info.ModifierByPrefix(p.text[p.pos:]); m != 0 {
		return p.wrapped(m, n, depth)
	}
	switch {
	case c == '(':
		p.pos++
		t, err := p.primary(depth + 1)
		if err == nil {
			t, err = p.binary(t, 1, depth+1)
		}
		if err == nil && !p.eat(')') {
			err = p.errHere("expected ')'")
		}
		return t, err
	case c == '[':
		p.pos++
		t, err := p.primary(depth + 1)
		if err == nil {
			t, err = p.binary(t, 1, depth+1)
		}
		if err == nil && !p.eat(']') {
			err = p.errHere("expected ']' in brackets expression")
		}
		return t, err
	case c == '-' || c == '+' || c == '~' || c == '!':
		p.pos++
		t, err := p.primary(depth + 1)
		if err != nil {
			return t, err
		}
		return p.unary(c, t, at), nil
	case c == '\'':
		v, err := p.charLit()
		return term{v: v}, err
	case c >= '0' && c <= '9':
		return p.numberTerm()
	case c == '"' || p.class[c]&beginIdent != 0 || c == '$' || c == '@' || c == '%' && p.info.PercentNames:
		return p.nameTerm(at)
	}
	return term{}, p.errHere("unknown token in expression")
}

// wrapped reads what a modifier stands around, whose prefix has n bytes.
func (p *Parser) wrapped(m mc.Modifier, n, depth int) (term, error) {
	at := p.pos
	p.pos += n
	t, err := p.primary(depth + 1)
	if err == nil {
		t, err = p.binary(t, 1, depth+1)
	}
	if err != nil {
		return t, err
	}
	if s := p.info.Modifiers[m].Suffix; s != "" {
		p.skip()
		if !strings.HasPrefix(p.text[p.pos:], s) {
			return t, p.errHere("expected '%s'", s)
		}
		p.pos += len(s)
	}
	x := p.wrap(t)
	p.ctx.SetLoc(uint32(p.at(at)))
	return term{x: p.ctx.Modified(m, x)}, nil
}

// unary makes op t.
func (p *Parser) unary(op byte, t term, at int) term {
	if t.x == 0 {
		switch op {
		case '-':
			t.v = -t.v
		case '~':
			t.v = ^t.v
		case '!':
			if t.v == 0 {
				t.v = 1
			} else {
				t.v = 0
			}
		}
		return t
	}
	p.ctx.SetLoc(uint32(p.at(at)))
	o := mc.OpPlus
	switch op {
	case '-':
		o = mc.OpMinus
	case '~':
		o = mc.OpNot
	case '!':
		o = mc.OpLNot
	}
	return term{x: p.ctx.Unary(o, t.x)}
}

// numberTerm reads a number or the name of a directional label (1b, 1f).
func (p *Parser) numberTerm() (term, error) {
	at := p.pos
	k := at
	for k < len(p.text) && p.class[p.text[k]]&isDigit != 0 {
		k++
	}
	if k < len(p.text) && (p.text[k] == 'f' || p.text[k] == 'b') && (k+1 == len(p.text) || p.class[p.text[k+1]]&inIdent == 0 || p.text[k+1] == '@') {
		n, ok := small(p.text[at:k])
		if ok {
			s, err := p.direction(n, p.text[k] == 'b', at)
			if err != nil {
				return term{}, err
			}
			p.pos = k + 1
			m := mc.ModNone
			if p.pos < len(p.text) && p.text[p.pos] == '@' {
				w := p.wordAt(p.pos + 1)
				if m, ok = p.info.ModifierByName(w); !ok {
					return term{}, errOff(p.pos+1, "invalid variant '%s'", w)
				}
				p.pos += 1 + len(w)
			}
			return term{x: p.ctx.Ref(s, m)}, nil
		}
	}
	n, err := p.number()
	switch {
	case err != nil:
		return term{}, err
	case n.real:
		return term{v: int64(realBits(n.text))}, nil
	case n.big != nil:
		return term{}, errOff(at, "literal value out of range for directive")
	}
	return term{v: int64(n.v)}, nil
}

func small(s string) (n int, ok bool) {
	for i := range len(s) {
		if n = n*10 + int(s[i]-'0'); n > 1<<30 {
			return 0, false
		}
	}
	return n, true
}

// nameTerm reads a symbol, with its modifier, or ".".
func (p *Parser) nameTerm(at int) (term, error) {
	quoted := p.text[at] == '"'
	name, ok := p.ident()
	if !ok {
		if quoted {
			return term{}, errOff(at, "unterminated string constant")
		}
		if p.text[at] == '$' {
			return term{}, errOff(at, "invalid token in expression")
		}
		return term{}, p.errHere("unknown token in expression")
	}
	if name == "" {
		return term{}, p.errHere("expected a symbol reference")
	}
	if name == "." && !quoted {
		var s mc.Sym
		if p.out.IsText() {
			s = p.ctx.Temp("tmp")
		} else {
			s = p.ctx.Inner()
		}
		p.out.Label(s)
		return term{x: p.ctx.Ref(s, mc.ModNone)}, nil
	}
	m := mc.ModNone
	if i := strings.IndexByte(name, '@'); i > 0 && !quoted && p.info.AtModifiers() {
		m, ok = p.info.ModifierByName(name[i+1:])
		if !ok && !p.info.AtInNames {
			return term{}, errOff(at+i+1, "invalid variant '%s'", name[i+1:])
		}
		if ok {
			name = name[:i]
		}
	} else if p.pos < len(p.text) && p.text[p.pos] == '@' && p.info.AtModifiers() && p.class['@']&stops == 0 { // "a b"@plt
		w := p.wordAt(p.pos + 1)
		if m, ok = p.info.ModifierByName(w); !ok {
			return term{}, errOff(p.pos+1, "invalid variant '%s'", w)
		}
		p.pos += 1 + len(w)
	} else if p.pos < len(p.text) && p.text[p.pos] == '(' && p.info.ParenModifiers {
		k := p.pos + 1
		for k < len(p.text) && p.class[p.text[k]]&inIdent != 0 {
			k++
		}
		if k < len(p.text) && p.text[k] == ')' {
			if m, ok = p.info.ModifierByName(p.text[p.pos+1 : k]); ok {
				p.pos = k + 1
			}
		}
	}
	s := p.symbol(name)
	y := p.ctx.At(s)
	if y.Flags&mc.SymHasAlias != 0 {
		if v, ok := p.ctx.ConstValue(y.Value); ok {
			if m != mc.ModNone {
				return term{}, errOff(p.pos, "unexpected modifier on variable reference")
			}
			return term{v: v}, nil
		}
	}
	p.used(s, p.at(at))
	return term{x: p.ctx.Ref(s, m)}, nil
}

// absolute reads an expression that has a value now.
func (p *Parser) absolute() (int64, error) {
	p.skip()
	at := p.pos
	t, err := p.expr()
	if err != nil || t.x == 0 {
		return t.v, err
	}
	if v, ok := p.known(t.x); ok {
		return v, nil
	}
	return 0, errOff(at, "expected absolute expression")
}

// known gives the value of an expression that has one now.
func (p *Parser) known(x mc.Expr) (int64, bool) {
	var distance func(a, b mc.Sym) (int64, bool)
	if d, ok := p.out.(interface {
		Distance(a, b mc.Sym) (int64, bool)
	}); ok {
		distance = d.Distance
	}
	v, ok := p.ctx.Evaluate(x, distance)
	return v.Off, ok && v.A == 0 && v.B == 0
}

// value reads an expression as it is.
func (p *Parser) value() (mc.Expr, error) {
	t, err := p.expr()
	if err != nil {
		return 0, err
	}
	if t.x == 0 {
		return p.ctx.Const(t.v), nil
	}
	return t.x, nil
}

// list reads what item reads, separated by commas.
func (p *Parser) list(item func() error) error {
	if p.end() {
		return nil
	}
	for {
		if err := item(); err != nil {
			return err
		}
		if p.end() {
			return nil
		}
		if !p.eat(',') {
			return p.errHere("unexpected token")
		}
	}
}
