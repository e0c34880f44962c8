package table

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/mc"
)

// dryExpr stands for any expression while an attempt makes none.
const dryExpr = ^mc.Expr(0)

// maxDepth bounds the nesting of expressions.
const maxDepth = 100

// Expr reads an expression: the value v where it is constant, else the expression x.
func (p *Parsing) Expr() (x mc.Expr, v int64, constant bool, err error) {
	t, err := p.binary(0, 0)
	return t.x, t.v, t.x == 0, err
}

// term is a constant (x is 0) or an expression.
type term struct {
	x mc.Expr
	v int64
}

// operators are those of two operands, longer ones first, with their precedence.
var operators = [...]struct {
	text string
	op   mc.ExprOpcode
	prec int
}{
	{"<<", mc.OpShl, 5}, {">>", mc.OpShr, 5}, {"+", mc.OpAdd, 4}, {"-", mc.OpSub, 4},
	{"*", mc.OpMul, 5}, {"/", mc.OpDiv, 5}, {"%", mc.OpMod, 5}, {"&", mc.OpAnd, 3}, {"|", mc.OpOr, 3}, {"^", mc.OpXor, 3},
}

func (p *Parsing) binary(prec, depth int) (term, error) {
	a, err := p.unary(depth)
next:
	for err == nil {
		p.skipSpace()
		for _, o := range operators {
			if o.prec <= prec || !strings.HasPrefix(p.Text[p.Pos:], o.text) {
				continue
			}
			p.Pos += len(o.text)
			var b term
			if b, err = p.binary(o.prec, depth+1); err == nil {
				a, err = p.apply(o.op, a, b)
			}
			continue next
		}
		break
	}
	return a, err
}

func (p *Parsing) expr(t term) mc.Expr {
	if t.x == 0 {
		return p.Ctx.Const(t.v)
	}
	return t.x
}

func (p *Parsing) apply(op mc.ExprOpcode, a, b term) (term, error) {
	if a.x != 0 || b.x != 0 {
		if p.dry {
			return term{x: dryExpr}, nil
		}
		if op == mc.OpAdd && b.x == 0 {
			return term{x: p.Ctx.AddConst(a.x, b.v)}, nil
		}
		return term{x: p.Ctx.Binary(op, p.expr(a), p.expr(b))}, nil
	}
	x, y := a.v, b.v
	switch op {
	case mc.OpAdd:
		x += y
	case mc.OpSub:
		x -= y
	case mc.OpMul:
		x *= y
	case mc.OpDiv, mc.OpMod:
		if y == 0 {
			return a, fmt.Errorf("division by zero")
		}
		if op == mc.OpDiv {
			x /= y
		} else {
			x %= y
		}
	case mc.OpShl, mc.OpShr:
		if y < 0 || y > 63 {
			return a, fmt.Errorf("shift by %d bits", y)
		}
		if op == mc.OpShl {
			x <<= y
		} else {
			x = int64(uint64(x) >> y)
		}
	case mc.OpAnd:
		x &= y
	case mc.OpOr:
		x |= y
	case mc.OpXor:
		x ^= y
	}
	return term{v: x}, nil
}

func (p *Parsing) unary(depth int) (term, error) {
	if depth > maxDepth {
		return term{}, fmt.Errorf("expression is nested too deeply")
	}
	p.skipSpace()
	if p.Pos >= len(p.Text) {
		return term{}, fmt.Errorf("expected an expression")
	}
	c := p.Text[p.Pos]
	switch {
	case c == '-' || c == '~' || c == '+':
		p.Pos++
		t, err := p.unary(depth + 1)
		switch {
		case err != nil || c == '+' || t.x == dryExpr:
		case t.x != 0 && c == '-':
			t.x = p.Ctx.Unary(mc.OpMinus, t.x)
		case t.x != 0:
			t.x = p.Ctx.Unary(mc.OpNot, t.x)
		case c == '-':
			t.v = -t.v
		default:
			t.v = ^t.v
		}
		return t, err
	case c == '(':
		p.Pos++
		t, err := p.binary(0, depth+1)
		if err == nil && !p.Token(")") {
			err = fmt.Errorf("expected ')'")
		}
		return t, err
	case c == '\'' && p.Pos+2 < len(p.Text) && p.Text[p.Pos+1] != '\\' && p.Text[p.Pos+2] == '\'':
		p.Pos += 3
		return term{v: int64(p.Text[p.Pos-2])}, nil
	case c >= '0' && c <= '9':
		return p.number()
	case isWord(c):
		at := p.Pos
		if _, ok := p.Register(); ok {
			p.Pos = at
			return term{}, fmt.Errorf("expected an expression, found a register")
		}
		name := p.mnemonic()
		mod := mc.ModNone
		if i := strings.LastIndexByte(name, '@'); i > 0 {
			m, ok := p.Ctx.Info().ModifierByName(name[i+1:])
			if !ok {
				return term{}, fmt.Errorf("unknown modifier '@%s'", name[i+1:])
			}
			name, mod = name[:i], m
		}
		if s := p.Ctx.Lookup(name); s != 0 && mod == mc.ModNone {
			if y := p.Ctx.At(s); y.Value != 0 {
				if v, ok := p.Ctx.ConstValue(y.Value); ok {
					return term{v: v}, nil
				}
			}
		}
		if p.dry {
			return term{x: dryExpr}, nil
		}
		return term{x: p.Ctx.Ref(p.Ctx.Symbol(name), mod)}, nil
	}
	return term{}, fmt.Errorf("expected an expression")
}

// number reads a decimal, 0x, 0b or octal number.
func (p *Parsing) number() (term, error) {
	w := p.mnemonic()
	v, err := strconv.ParseUint(w, 0, 64)
	if err != nil || strings.Contains(w, "_") {
		return term{}, fmt.Errorf("invalid number '%s'", w)
	}
	return term{v: int64(v)}, nil
}
