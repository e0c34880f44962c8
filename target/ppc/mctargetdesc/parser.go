package mctargetdesc

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/mc/table"
)

// parser is PowerPC's mc.TargetAsmParser.
type parser struct {
	*table.Reader
	ptrSize  int
	prefixed []bool // opcodes of eight bytes
}

func newParser(t *mctarget.Target) (mc.TargetAsmParser, error) {
	y := mctarget.Syntax(t.Info.Target)
	narrow := t.Triple.PointerBits() == 32
	y.Operands = func(o *table.Operands) (int, error) { return operands(o, narrow) }
	y.Expand = func(r *table.Reader, p mc.AsmParser, mnemonic, text string) (bool, error) {
		return expand(r, p, narrow, mnemonic, text)
	}
	r, err := t.Reader(y)
	if err != nil {
		return nil, err
	}
	x := &parser{Reader: r, ptrSize: t.Triple.PointerBits() / 8}
	tab, err := t.Tables()
	if err != nil {
		return nil, err
	}
	x.prefixed = make([]bool, len(tab.Encoder.Instrs))
	for op := range tab.Encoder.Instrs {
		x.prefixed[op] = tab.Encoder.Instrs[op].Size == 8
	}
	return x, nil
}

// emitter is the assembler, but for instructions of eight bytes: no boundary of 64 bytes lies
// within them (Power ISA 3.1, Book I, 1.6).
type emitter struct {
	mc.AsmParser
	prefixed []bool
}

// Emit appends an instruction.
func (e *emitter) Emit(in *mc.Inst) error {
	if out := e.Streamer(); int(in.Op) < len(e.prefixed) && e.prefixed[in.Op] && !out.IsText() {
		out.AlignCode(6, e.Subtarget(), 4)
	}
	return e.AsmParser.Emit(in)
}

// ParseInstruction reads an instruction.
func (r *parser) ParseInstruction(p mc.AsmParser, text string) error {
	return r.Reader.ParseInstruction(&emitter{p, r.prefixed}, text)
}

// Finish gives symbols that are other names of functions what is known of their entries.
func (r *parser) Finish(p mc.AsmParser) error {
	ctx := p.Context()
	for s := range ctx.NumSymbols() {
		y := ctx.At(mc.Sym(s))
		if y.Flags&mc.SymHasAlias == 0 {
			continue
		}
		if base, _, off, ok := ctx.SymRef(y.Value); ok && off == 0 {
			y.Other |= ctx.At(base).Other & localEntryMask
		}
	}
	return nil
}

// ParseRegister reads a register's name, with '%' or without, or its number.
func (r *parser) ParseRegister(p mc.AsmParser, text string, pos int) (desc.PhysReg, int, bool) {
	end := pos
	for end < len(text) && (isLetter(text[end]) || end == pos && text[end] == '%') {
		end++
	}
	name := strings.ToLower(strings.TrimPrefix(text[pos:end], "%"))
	if reg, ok := r.byName(name); ok {
		return reg, end, true
	}
	return 0, pos, false
}

// byName finds a register: of those of a name the one that has a number in call frames.
func (r *parser) byName(name string) (desc.PhysReg, bool) {
	fact := name
	if r.ptrSize == 8 {
		switch {
		case name == "lr" || name == "ctr":
			fact += "8"
		case len(name) > 1 && name[0] == 'r' && name[1] >= '0' && name[1] <= '9':
			fact = "x" + name[1:]
		}
	}
	if strings.HasPrefix(name, "vs") && len(name) > 2 && name[2] >= '0' && name[2] <= '9' {
		if n, err := strconv.Atoi(name[2:]); err == nil && n < 64 {
			if fact = "vsl" + name[2:]; n >= 32 {
				fact = "v" + strconv.Itoa(n-32)
			}
		}
	}
	return r.Info.RegByName(fact)
}

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// ParsePrimary reads '$', which is the place of the instruction.
func (r *parser) ParsePrimary(p mc.AsmParser, text string, pos int) (x mc.Expr, end int, known bool, err error) {
	if pos >= len(text) || text[pos] != '$' || pos+1 < len(text) && (isLetter(text[pos+1]) || text[pos+1] == '$' || text[pos+1] == '.') {
		return 0, pos, false, nil
	}
	x, _, _, err = p.Expr(".", 0)
	return x, pos + 1, true, err
}

// operands reads operands as LLVM's parser does: what a register or an immediate may be
// is a number, a register's name behind '%', or an expression.
func operands(o *table.Operands, narrow bool) (int, error) {
	if t := strings.TrimRight(o.Text(), " \t"); o.Pos() >= len(t) && !strings.HasSuffix(t, ",") {
		return -1, nil // there are no more
	}
	b := o.Before(0)
	if b == "" || isLetter(b[len(b)-1]) {
		return 0, nil // part of the mnemonic
	}
	memory := strings.HasSuffix(b, "(")
	n, err := operand(o, memory, narrow)
	if n <= 0 || err != nil {
		return n, err
	}
	if o.Peek() == '(' && !memory {
		at := skipBlanks(o.Text(), o.Pos()+1)
		if at >= len(o.Text()) || o.Text()[at] != '%' && (o.Text()[at] < '0' || o.Text()[at] > '9') {
			return 0, &mc.ParseError{Start: at, End: at, Msg: "invalid memory operand"}
		}
	}
	if c := o.Peek(); c == '(' || c == 0 || c == ',' || c == ')' && memory {
		return n, nil
	} else if memory {
		return 0, o.Error("missing ')'")
	}
	return 0, o.Error("unexpected token")
}

func operand(o *table.Operands, memory, narrow bool) (int, error) {
	at := o.Pos()
	switch c := o.Peek(); {
	case c == '%':
		rs, end := o.Regs()
		if len(rs) == 0 {
			return 0, o.Error("invalid register name")
		}
		o.Seek(end)
		return set(o, int64(o.Encoding(rs[0])))
	case c == 0 || c == ',':
		return 0, o.Error("unknown operand")
	case memory && (c < '0' || c > '9'):
		return 0, o.Error("invalid memory operand")
	}
	if isCondition(o) {
		if end, v, ok := conditionBit(o.Text(), o.Pos()); ok {
			o.Seek(end)
			return set(o, v)
		}
	}
	x, v, err := o.ExprAny()
	if e, ok := err.(*mc.ParseError); ok && len(e.More) == 0 {
		return 0, &mc.ParseError{Start: e.Start, End: e.End, Msg: e.Msg, More: []mc.ParseError{{Start: at, End: at, Msg: "unknown operand"}}}
	}
	if err == nil && x != 0 {
		var known bool
		if x, v, known, err = whole(o.Parser().Context(), x); known {
			return setHalf(o, v)
		}
	}
	switch {
	case err != nil:
		return 0, err
	case x != 0:
		if o.IsReg(0) || !o.TakesExpr(0, x) || !o.Set(0, mc.ExprOp(x)) {
			return -1, nil
		}
		return 1, nil
	case memory && (v < 0 || v > 31):
		o.Seek(at)
		return 0, o.Error("invalid register number")
	}
	if narrow && v>>31 == 1 && strings.HasPrefix(strings.ToLower(strings.TrimLeft(o.Text(), " \t")), "b") {
		v = int64(int32(v)) // a place among 32 bits
	}
	return set(o, v)
}

// set makes the operand a number, or the register of the number.
func set(o *table.Operands, v int64) (int, error) {
	if o.Class(0) == "G8pRC" { // pairs go by their first register
		if r, ok := o.Parser().Subtarget().Info.RegByName("x" + strconv.FormatInt(v, 10)); ok && v&1 == 0 && o.Set(0, mc.Reg(r)) {
			return 1, nil
		}
		return -1, nil
	}
	if o.IsReg(0) || o.Style(0).Num > 0 {
		n := strconv.FormatInt(v, 10)
		if o.SetListed(0, n) || o.IsReg(0) && v >= 0 && o.SetReg(0, o.RegsOf(n)) || !o.IsReg(0) && o.SetNumber(0, v) {
			return 1, nil
		}
		return -1, nil
	}
	if !o.SetNumber(0, v) {
		return -1, nil
	}
	return 1, nil
}

// isCondition reports an operand that is a field or a bit of the condition register.
func isCondition(o *table.Operands) bool {
	c := o.Class(0)
	return strings.HasPrefix(c, "CR")
}

// conditionBit evaluates an expression of names of conditions: 4*cr2+eq.
func conditionBit(text string, pos int) (end int, v int64, ok bool) {
	names := false
	skip := func() {
		for pos < len(text) && (text[pos] == ' ' || text[pos] == '\t') {
			pos++
		}
	}
	factor := func() (int64, bool) {
		skip()
		from := pos
		for pos < len(text) && isLetter(text[pos]) {
			pos++
		}
		w := strings.ToLower(text[from:pos])
		if n, err := strconv.ParseInt(w, 0, 32); err == nil {
			return n, true
		}
		names = true
		switch w {
		case "lt":
			return 0, true
		case "gt":
			return 1, true
		case "eq":
			return 2, true
		case "so", "un":
			return 3, true
		}
		if len(w) == 3 && w[:2] == "cr" && w[2] >= '0' && w[2] <= '7' {
			return int64(w[2] - '0'), true
		}
		return 0, false
	}
	term := func() (int64, bool) {
		v, ok := factor()
		for skip(); ok && pos < len(text) && text[pos] == '*'; skip() {
			pos++
			w, good := factor()
			v, ok = v*w, good
		}
		return v, ok
	}
	v, ok = term()
	for skip(); ok && pos < len(text) && text[pos] == '+'; skip() {
		pos++
		w, good := term()
		v, ok = v+w, good
	}
	return pos, v, ok && names
}
