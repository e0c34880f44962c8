package predicatecode

import (
	"fmt"
	"strconv"
	"strings"
)

// Expr is a parsed condition; it is immutable.
type Expr struct {
	root *node
	text string
}

// String returns the expression in one line, without return and semicolon.
// Parse accepts it again.
func (e *Expr) String() string { return e.text }

// node is an operator with operands, a literal or the immediate.
type node struct {
	op   string // "lit", "imm", "zext", "call", "cast", "?", "!", "~", "neg", or a binary operator
	fn   string // of call, cast
	args []int64
	val  value
	kids []*node
}

// maxLen bounds the text, and so the nesting.
const maxLen = 4096

// Parse reads the body of a predicate, "return E;", or an expression alone.
func Parse(body string) (*Expr, error) {
	if len(body) > maxLen {
		return nil, fmt.Errorf("condition is longer than %d bytes", maxLen)
	}
	text := strings.TrimSpace(body)
	if s, ok := strings.CutPrefix(text, "return"); ok && s != "" && strings.IndexByte(" \t\n(!~-", s[0]) >= 0 {
		text = strings.TrimSpace(s)
	}
	text = strings.TrimSpace(strings.TrimSuffix(text, ";"))
	p := &parser{src: text}
	p.next()
	n, err := p.ternary(0)
	if err != nil {
		return nil, err
	}
	if p.tok != "" {
		return nil, p.fail()
	}
	return &Expr{n, strings.Join(strings.Fields(text), " ")}, nil
}

type parser struct {
	src string
	pos int
	tok string // "" at the end
}

func (p *parser) fail() error {
	if p.tok == "" {
		return fmt.Errorf("condition ends unexpectedly")
	}
	return fmt.Errorf("%q is not understood", p.tok)
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// next reads a token: a word (with :: and a trailing member access), an operator.
func (p *parser) next() {
	for p.pos < len(p.src) && strings.IndexByte(" \t\r\n", p.src[p.pos]) >= 0 {
		p.pos++
	}
	start := p.pos
	if start == len(p.src) {
		p.tok = ""
		return
	}
	if isWord(p.src[start]) {
		for p.pos < len(p.src) {
			switch {
			case isWord(p.src[p.pos]), p.src[p.pos] == '.' && p.pos+1 < len(p.src) && isWord(p.src[p.pos+1]):
				p.pos++
			case strings.HasPrefix(p.src[p.pos:], "::"), strings.HasPrefix(p.src[p.pos:], "->"):
				p.pos += 2
			default:
				p.tok = p.src[start:p.pos]
				return
			}
		}
		p.tok = p.src[start:]
		return
	}
	for _, op := range []string{"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"} {
		if strings.HasPrefix(p.src[start:], op) {
			p.pos += 2
			p.tok = op
			return
		}
	}
	p.pos++
	p.tok = p.src[start:p.pos]
}

func (p *parser) expect(tok string) error {
	if p.tok != tok {
		return p.fail()
	}
	p.next()
	return nil
}

func (p *parser) ternary(depth int) (*node, error) {
	if depth > 100 {
		return nil, fmt.Errorf("condition is nested too deeply")
	}
	c, err := p.binary(0, depth)
	if err != nil || p.tok != "?" {
		return c, err
	}
	p.next()
	a, err := p.ternary(depth + 1)
	if err != nil {
		return nil, err
	}
	if err := p.expect(":"); err != nil {
		return nil, err
	}
	b, err := p.ternary(depth + 1)
	return &node{op: "?", kids: []*node{c, a, b}}, err
}

// levels are the binary operators, loosest first.
var levels = [][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

func (p *parser) binary(level, depth int) (*node, error) {
	if level == len(levels) {
		return p.unary(depth)
	}
	a, err := p.binary(level+1, depth)
	for err == nil {
		op := ""
		for _, o := range levels[level] {
			if p.tok == o {
				op = o
			}
		}
		if op == "" {
			break
		}
		p.next()
		var b *node
		if b, err = p.binary(level+1, depth); err == nil {
			a = &node{op: op, kids: []*node{a, b}}
		}
	}
	return a, err
}

func (p *parser) unary(depth int) (*node, error) {
	if depth > 100 {
		return nil, fmt.Errorf("condition is nested too deeply")
	}
	switch op := p.tok; op {
	case "!", "~", "-", "+":
		p.next()
		k, err := p.unary(depth + 1)
		if op == "+" {
			return k, err
		}
		if op == "-" {
			op = "neg"
		}
		return &node{op: op, kids: []*node{k}}, err
	case "(":
		p.next()
		if t := p.typeName(); t != "" && p.tok == ")" { // a cast
			p.next()
			k, err := p.unary(depth + 1)
			return &node{op: "cast", fn: t, kids: []*node{k}}, err
		}
		n, err := p.ternary(depth + 1)
		if err != nil {
			return nil, err
		}
		return n, p.expect(")")
	}
	return p.primary(depth)
}

// typeNamed knows the names of integer types with signedness and width.
func typeNamed(s string) (v value, ok bool) {
	switch s {
	case "int64_t", "long":
		return value{bits: 64}, true
	case "uint64_t", "size_t":
		return value{bits: 64, unsigned: true}, true
	case "int32_t", "int":
		return value{bits: 32}, true
	case "uint32_t", "unsigned":
		return value{bits: 32, unsigned: true}, true
	case "int16_t":
		return value{bits: 16}, true
	case "uint16_t":
		return value{bits: 16, unsigned: true}, true
	case "int8_t", "char":
		return value{bits: 8}, true
	case "uint8_t":
		return value{bits: 8, unsigned: true}, true
	case "bool":
		return value{bits: 1, unsigned: true}, true
	}
	return v, false
}

// typeName reads the name of a type if one is there.
func (p *parser) typeName() string {
	t := strings.TrimPrefix(p.tok, "std::")
	if _, ok := typeNamed(t); !ok {
		return ""
	}
	p.next()
	for t == "unsigned" || t == "long" { // unsigned int, long long
		if p.tok == "int" || p.tok == "long" {
			if p.tok == "long" && t == "unsigned" {
				t = "uint64_t"
			}
			p.next()
			continue
		}
		break
	}
	return t
}

// immName knows the ways to say the immediate, sign-extended.
func immName(s string) (v string, ok bool) {
	switch s {
	case "Imm", "Imm.getSExtValue", "N->getSExtValue", "N->getAPIntValue.getSExtValue":
		return "imm", true
	case "Imm.getZExtValue", "N->getZExtValue":
		return "zext", true
	}
	return v, false
}

// method knows questions to an APInt that functions answer too.
func method(s string) (v string, ok bool) {
	switch s {
	case "Imm.isPowerOf2":
		return "isPowerOf2_64", true
	case "Imm.isZero", "N->isZero":
		return "isZero", true
	case "Imm.isNonNegative":
		return "isNonNegative", true
	case "Imm.isNegative":
		return "isNegative", true
	case "Imm.isStrictlyPositive":
		return "isStrictlyPositive", true
	case "Imm.isAllOnes", "N->isAllOnes", "N->isAllOnesValue":
		return "isAllOnes", true
	case "Imm.isOne", "N->isOne":
		return "isOne", true
	case "Imm.isMask":
		return "isMask_64", true
	case "Imm.isShiftedMask":
		return "isShiftedMask_64", true
	case "Imm.isSignedIntN":
		return "isIntN", true
	case "Imm.isIntN":
		return "isUIntN", true
	}
	return v, false
}

func (p *parser) primary(depth int) (*node, error) {
	tok := strings.TrimPrefix(strings.TrimPrefix(p.tok, "llvm::"), "std::")
	if tok == "" {
		return nil, p.fail()
	}
	if tok[0] >= '0' && tok[0] <= '9' {
		return p.number()
	}
	switch tok {
	case "true", "false":
		p.next()
		return &node{op: "lit", val: boolean(tok == "true")}, nil
	case "INT64_MIN":
		p.next()
		return &node{op: "lit", val: value{v: 1 << 63, bits: 64}}, nil
	case "INT64_MAX":
		p.next()
		return &node{op: "lit", val: value{v: 1<<63 - 1, bits: 64}}, nil
	case "UINT32_MAX":
		p.next()
		return &node{op: "lit", val: value{v: 1<<32 - 1, bits: 32, unsigned: true}}, nil
	case "INT32_MAX":
		p.next()
		return &node{op: "lit", val: value{v: 1<<31 - 1, bits: 32}}, nil
	case "static_cast":
		return p.staticCast(depth)
	}
	if op, ok := immName(tok); ok {
		p.next()
		if tok != "Imm" {
			if err := p.emptyArgs(); err != nil {
				return nil, err
			}
		}
		return &node{op: op}, nil
	}
	if fn, ok := method(tok); ok {
		p.next()
		n := &node{op: "call", fn: fn, kids: []*node{{op: "imm"}}}
		if fn != "isIntN" && fn != "isUIntN" {
			return n, p.emptyArgs()
		}
		args, err := p.callArgs(depth)
		if err != nil || len(args) != 1 {
			return nil, fmt.Errorf("%s takes one operand", tok)
		}
		n.kids = []*node{args[0], {op: "imm"}}
		return n, nil
	}
	if t := p.typeName(); t != "" { // uint64_t(x)
		args, err := p.callArgs(depth)
		if err != nil || len(args) != 1 {
			return nil, p.fail()
		}
		return &node{op: "cast", fn: t, kids: args}, nil
	}
	return p.call(tok, depth)
}

func (p *parser) emptyArgs() error {
	if err := p.expect("("); err != nil {
		return err
	}
	return p.expect(")")
}

func (p *parser) callArgs(depth int) ([]*node, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	var out []*node
	for p.tok != ")" {
		n, err := p.ternary(depth + 1)
		if err != nil {
			return nil, err
		}
		if out = append(out, n); p.tok == "," {
			p.next()
		} else if p.tok != ")" {
			return nil, p.fail()
		}
	}
	p.next()
	return out, nil
}

func (p *parser) staticCast(depth int) (*node, error) {
	p.next()
	if err := p.expect("<"); err != nil {
		return nil, err
	}
	t := p.typeName()
	if t == "" {
		return nil, p.fail()
	}
	if err := p.expect(">"); err != nil {
		return nil, err
	}
	args, err := p.callArgs(depth)
	if err != nil || len(args) != 1 {
		return nil, p.fail()
	}
	return &node{op: "cast", fn: t, kids: args}, nil
}

func (p *parser) call(fn string, depth int) (*node, error) {
	f, ok := functions()[fn]
	if !ok {
		return nil, p.fail()
	}
	p.next()
	n := &node{op: "call", fn: fn}
	if p.tok == "<" {
		for p.tok != ">" {
			p.next()
			v, err := strconv.ParseInt(p.tok, 0, 32)
			if err != nil || v < 0 || v > 64 {
				return nil, p.fail()
			}
			n.args = append(n.args, v)
			if p.next(); p.tok != "," && p.tok != ">" {
				return nil, p.fail()
			}
		}
		p.next()
	}
	var err error
	if n.kids, err = p.callArgs(depth); err != nil {
		return nil, err
	}
	if len(n.args) != f.template || len(n.kids) != f.params {
		return nil, fmt.Errorf("%s with %d template arguments and %d operands is not understood", fn, len(n.args), len(n.kids))
	}
	return n, nil
}

func (p *parser) number() (*node, error) {
	s := strings.ToLower(strings.ReplaceAll(p.tok, "'", ""))
	digits := strings.TrimRight(s, "ul")
	if strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0b") {
		digits = strings.TrimRight(s, "ul")
	}
	v, err := strconv.ParseUint(digits, 0, 64)
	if err != nil {
		return nil, p.fail()
	}
	suffix := s[len(digits):]
	t := value{v: v, bits: 32, unsigned: strings.Contains(suffix, "u")}
	hex := strings.HasPrefix(s, "0")
	if strings.Contains(suffix, "l") || v > 1<<31-1 && !(t.unsigned || hex) || v > 1<<32-1 {
		t.bits = 64
	}
	if hex && (t.bits == 32 && v > 1<<31-1 || t.bits == 64 && v > 1<<63-1) {
		t.unsigned = true
	}
	p.next()
	return &node{op: "lit", val: t}, nil
}
