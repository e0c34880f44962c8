package mctargetdesc

import (
	"strings"

	"github.com/mirin-go/mirin/mc"
)

// tokenKind is the kind of a token as LLVM's lexer cuts them.
type tokenKind uint8

const (
	tokEnd tokenKind = iota
	tokIdent
	tokInt
	tokReal
	tokString
	tokOther // one sign, which is the token's text
)

// token is a piece of a statement.
type token struct {
	kind       tokenKind
	start, end int
}

// cursor reads the tokens of a statement. It may be set back to any place.
type cursor struct {
	p    mc.AsmParser
	text string
	tok  token
}

func isIdentStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '.' || c == '$'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isIdent(c byte) bool { return isIdentStart(c) || isDigit(c) || c == '@' || c == '?' }

// lex gives the token that begins at pos or behind blanks.
func (c *cursor) lex(pos int) token {
	t := c.text
	for pos < len(t) && (t[pos] == ' ' || t[pos] == '\t' || t[pos] == '\r') {
		pos++
	}
	if pos >= len(t) {
		return token{tokEnd, len(t), len(t)}
	}
	end := pos + 1
	switch b := t[pos]; {
	case isDigit(b) || b == '.' && end < len(t) && isDigit(t[end]):
		return c.lexNumber(pos)
	case isIdentStart(b):
		for end < len(t) && isIdent(t[end]) {
			end++
		}
		return token{tokIdent, pos, end}
	case b == '"':
		for end < len(t) && t[end] != '"' {
			if t[end] == '\\' {
				end++
			}
			end++
		}
		return token{tokString, pos, min(end+1, len(t))}
	}
	return token{tokOther, pos, end}
}

// lexNumber gives a number: an integer, or with a point or exponent a real one.
func (c *cursor) lexNumber(pos int) token {
	t := c.text
	digits := func(i int, hex bool) int {
		for i < len(t) && (isDigit(t[i]) || hex && (t[i]|0x20 >= 'a' && t[i]|0x20 <= 'f')) {
			i++
		}
		return i
	}
	if t[pos] == '0' && pos+1 < len(t) && (t[pos+1]|0x20 == 'x' || t[pos+1]|0x20 == 'b' && pos+2 < len(t) && isDigit(t[pos+2])) {
		return token{tokInt, pos, digits(pos+2, t[pos+1]|0x20 == 'x')}
	}
	end := digits(pos, false)
	kind := tokInt
	if end < len(t) && t[end] == '.' {
		kind, end = tokReal, digits(end+1, false)
	}
	if end < len(t) && t[end]|0x20 == 'e' {
		i := end + 1
		if i < len(t) && (t[i] == '+' || t[i] == '-') {
			i++
		}
		if i < len(t) && isDigit(t[i]) {
			kind, end = tokReal, digits(i, false)
		}
	}
	return token{kind, pos, end}
}

func (c *cursor) next()            { c.tok = c.lex(c.tok.end) }
func (c *cursor) seek(pos int)     { c.tok = c.lex(pos) }
func (c *cursor) peek() token      { return c.lex(c.tok.end) }
func (c *cursor) str() string      { return c.text[c.tok.start:c.tok.end] }
func (c *cursor) lower() string    { return strings.ToLower(c.str()) }
func (c *cursor) loc() int         { return c.tok.start }
func (c *cursor) is(s string) bool { return c.tok.kind == tokOther && c.str() == s }
func (c *cursor) isIdent() bool    { return c.tok.kind == tokIdent }
func (c *cursor) isInt() bool      { return c.tok.kind == tokInt }
func (c *cursor) isEnd() bool      { return c.tok.kind == tokEnd }

func (c *cursor) isAt(t token, s string) bool {
	return t.kind == tokOther && c.text[t.start:t.end] == s
}

// eat steps over a sign where it is there.
func (c *cursor) eat(s string) bool {
	if !c.is(s) {
		return false
	}
	c.next()
	return true
}

// fail is an error at a place.
func fail(at int, msg string) error { return &mc.ParseError{Start: at, End: at, Msg: msg} }

// here is an error at the token.
func (c *cursor) here(msg string) error { return fail(c.loc(), msg) }

// want steps over a sign that must be there.
func (c *cursor) want(s, msg string) error {
	if !c.eat(s) {
		return c.here(msg)
	}
	return nil
}

// expr reads an expression: x, or with x 0 the number v.
func (c *cursor) expr() (x mc.Expr, v int64, err error) {
	x, v, end, err := c.p.Expr(c.text, c.loc())
	if err != nil {
		return 0, 0, err
	}
	c.seek(end)
	return x, v, nil
}
