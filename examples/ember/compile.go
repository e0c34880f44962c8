package main

import (
	"strconv"

	"github.com/mirin-go/mirin"
	"github.com/mirin-go/mirin/ir"
)

// Compile reads an Ember program and makes a module of it.
func Compile(file, src string) (*ir.Module, error) {
	m, err := mirin.NewModule(file, "")
	if err != nil {
		return nil, err
	}
	c := &compiler{lexer: lexer{file: file, src: src}, m: m}
	c.m.Declare("print", c.funcType(1))
	c.next()
	for c.tok != "" && c.err == nil {
		c.function()
	}
	if c.err == nil && c.m.Lookup("main") == 0 {
		c.err = c.fault("expected a function called main")
	}
	return c.m, c.err
}

type compiler struct {
	lexer
	m    *ir.Module
	b    ir.Builder          // of the current function
	vars map[string]ir.Value // its variables: addresses on the stack
	err  error
}

// funcType is the type of a function of n arguments: i64 (i64, …).
func (c *compiler) funcType(n int) ir.Type {
	params := make([]ir.Type, n)
	for i := range params {
		params[i] = ir.Int64
	}
	return c.m.Types.Func(ir.Int64, params, false)
}

func (c *compiler) fail(msg string) {
	if c.err == nil {
		c.err = c.fault(msg)
	}
	c.tok = "" // everything stops at the end of the text
}

func (c *compiler) accept(tok string) bool {
	if c.tok != tok || c.err != nil {
		return false
	}
	c.next()
	return true
}

func (c *compiler) expect(tok string) {
	if !c.accept(tok) {
		c.fail("expected '" + tok + "'")
	}
}

func (c *compiler) name() string {
	s := c.tok
	if s == "" || !isWord(s[0]) || s[0] <= '9' {
		c.fail("expected a name")
		return ""
	}
	c.next()
	return s
}

// function = "fn" name "(" [name {"," name}] ")" block.
func (c *compiler) function() {
	c.expect("fn")
	name := c.name()
	var params []string
	c.expect("(")
	for c.err == nil && c.tok != ")" {
		params = append(params, c.name())
		if !c.accept(",") {
			break
		}
	}
	c.expect(")")
	if c.err != nil {
		return
	}
	if g := c.m.Lookup(name); g != 0 && (c.m.Globals[g].Func != nil || c.m.Globals[g].ValueType != c.funcType(len(params))) {
		c.fail("function " + name + " is there already, or was called with other arguments")
		return
	}
	f := c.m.Define(name, c.funcType(len(params)))
	f.SetParamNames(params...)
	b := ir.NewBuilder(f)
	c.b, c.vars = b, map[string]ir.Value{}
	b.SetBlock(b.Block("entry"))
	for i, p := range params {
		c.declare(p, b.Arg(i))
	}
	c.block()
	if !b.Terminated() {
		b.Ret(b.Int(ir.Int64, 0))
	}
	if c.err == nil {
		c.err = b.Err()
	}
}

// declare makes a variable: memory in the entry block's frame.
func (c *compiler) declare(name string, v ir.Value) {
	b, here := c.b, c.b.Current()
	entry := b.Func().Order[0]
	if first := b.Func().Blocks[entry].First; first != 0 {
		b.SetBefore(first)
	}
	c.vars[name] = b.Name(name + ".addr").Alloca(ir.Int64)
	b.SetBlock(here)
	b.Store(v, c.vars[name])
}

// block = "{" {statement} "}".
func (c *compiler) block() {
	c.expect("{")
	for c.err == nil && c.tok != "}" {
		c.statement()
	}
	c.expect("}")
}

func (c *compiler) statement() {
	b := c.b
	if b.Terminated() { // after a return: nothing comes here, but it must be well-formed
		b.SetBlock(b.Block("dead"))
	}
	switch {
	case c.accept("let"):
		name := c.name()
		c.expect("=")
		c.declare(name, c.expr(0))
	case c.accept("return"):
		b.Ret(c.expr(0))
	case c.accept("while"):
		test, body, done := b.Block("while"), b.Block("body"), b.Block("done")
		b.Br(test)
		b.SetBlock(test)
		b.CondBr(c.truth(c.expr(0)), body, done)
		b.SetBlock(body)
		c.block()
		c.goTo(test)
		b.SetBlock(done)
	case c.accept("if"):
		c.ifStatement()
	default:
		c.assignOrCall()
	}
}

// goTo ends the current block by a branch unless it has an end.
func (c *compiler) goTo(to ir.BlockID) {
	if !c.b.Terminated() {
		c.b.Br(to)
	}
}

// ifStatement = "if" expr block ["else" block].
func (c *compiler) ifStatement() {
	b := c.b
	yes, no, done := b.Block("then"), b.Block("else"), b.Block("endif")
	b.CondBr(c.truth(c.expr(0)), yes, no)
	b.SetBlock(yes)
	c.block()
	c.goTo(done)
	b.SetBlock(no)
	if c.accept("else") {
		if c.tok == "if" {
			c.next()
			c.ifStatement()
		} else {
			c.block()
		}
	}
	c.goTo(done)
	b.SetBlock(done)
}

// assignOrCall = name "=" expr | expr.
func (c *compiler) assignOrCall() {
	addr, ok := c.vars[c.tok]
	if !ok {
		c.expr(0)
		return
	}
	c.next()
	c.expect("=")
	c.b.Store(c.expr(0), addr)
}

// binary operators by precedence, loosest first.
var levels = [][]string{{"==", "!=", "<", "<=", ">", ">="}, {"+", "-"}, {"*", "/", "%"}}

var compare = map[string]ir.Pred{"==": ir.ICmpEQ, "!=": ir.ICmpNE, "<": ir.ICmpSLT, "<=": ir.ICmpSLE, ">": ir.ICmpSGT, ">=": ir.ICmpSGE}

func (c *compiler) expr(level int) ir.Value {
	if level == len(levels) {
		return c.primary()
	}
	x := c.expr(level + 1)
	for c.err == nil {
		op := ""
		for _, o := range levels[level] {
			if c.tok == o {
				op = o
			}
		}
		if op == "" {
			break
		}
		c.next()
		x = c.apply(op, x, c.expr(level+1))
	}
	return x
}

func (c *compiler) apply(op string, x, y ir.Value) ir.Value {
	b := c.b
	switch op {
	case "+":
		return b.Add(x, y)
	case "-":
		return b.Sub(x, y)
	case "*":
		return b.Mul(x, y)
	case "/":
		return b.SDiv(x, y)
	case "%":
		return b.SRem(x, y)
	}
	return b.ZExt(b.ICmp(compare[op], x, y), ir.Int64)
}

// truth is what if and while ask of a number: whether it is not zero.
func (c *compiler) truth(v ir.Value) ir.Value { return c.b.ICmp(ir.ICmpNE, v, c.b.Int(ir.Int64, 0)) }

// primary = number | name | name "(" [expr {"," expr}] ")" | "(" expr ")" | "-" primary.
func (c *compiler) primary() ir.Value {
	b := c.b
	zero := b.Int(ir.Int64, 0)
	switch {
	case c.accept("("):
		v := c.expr(0)
		c.expect(")")
		return v
	case c.accept("-"):
		return b.Sub(zero, c.primary())
	case c.tok != "" && '0' <= c.tok[0] && c.tok[0] <= '9':
		n, err := strconv.ParseInt(c.tok, 10, 64)
		if err != nil {
			c.fail("expected a number that fits 64 bits")
			return zero
		}
		c.next()
		return b.Int(ir.Int64, n)
	}
	at := c.lexer
	name := c.name()
	if c.accept("(") {
		return c.call(name, at)
	}
	addr, ok := c.vars[name]
	if !ok {
		c.lexer = at
		c.fail("there is no variable " + name)
		return zero
	}
	return b.Load(ir.Int64, addr)
}

// call reads the arguments of a call; a function that is not known yet is
// declared by them. at is the place of the name, for faults.
func (c *compiler) call(name string, at lexer) ir.Value {
	var args []ir.Value
	for c.err == nil && c.tok != ")" {
		args = append(args, c.expr(0))
		if !c.accept(",") {
			break
		}
	}
	c.expect(")")
	g := c.m.Declare(name, c.funcType(len(args)))
	if c.err == nil && c.m.Globals[g].ValueType != c.funcType(len(args)) {
		c.lexer = at
		c.fail("function " + name + " takes another number of arguments")
		return c.b.Int(ir.Int64, 0)
	}
	return c.b.Call(g, args...)
}
