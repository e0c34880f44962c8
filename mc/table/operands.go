package table

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// Operands are the operands of a form that come next, and the text to read them from
// (Syntax.Operands).
type Operands struct {
	m     *reading
	f     *desc.MatchForm
	parts []desc.WriterPart
	ops   []desc.MatchOp
	names string
}

// Parser is the parser that reads the statement.
func (o *Operands) Parser() mc.AsmParser { return o.m.p }

// Opcode is that of the form.
func (o *Operands) Opcode() desc.Opcode { return o.f.Op }

// Op is the index in the instruction of the i-th operand from here; -1 where there is none.
func (o *Operands) Op(i int) int {
	for k := range o.parts[:min(i, len(o.parts))] {
		if o.parts[k].Last {
			return -1
		}
	}
	if i >= len(o.parts) {
		return -1
	}
	return int(o.parts[i].Op)
}

// Before is the text before the i-th operand.
func (o *Operands) Before(i int) string { return o.parts[i].Text.In(o.names) }

// Style is how the i-th operand is written.
func (o *Operands) Style(i int) *desc.WriterStyle { return &o.m.w.Styles[o.parts[i].Style-1] }

// IsReg reports that the i-th operand is written as a register.
func (o *Operands) IsReg(i int) bool {
	k := o.Style(i).Kind
	return k == desc.StyleReg || k == desc.StyleRegTexts
}

// IsPlace reports that the i-th operand is a place in the code.
func (o *Operands) IsPlace(i int) bool {
	if o.Style(i).Kind == desc.StyleSign && strings.HasSuffix(o.Before(i), ".") {
		return true
	}
	x := o.m.field(o.f, o.Op(i))
	return x != nil && x.Fixup != 0 && o.m.e.Fixups[x.Fixup-1].PCRel
}

// Class is the name of the register class of the i-th operand, "" for none.
func (o *Operands) Class(i int) string {
	info := o.m.Info
	c := info.OperandClass(o.f.Op, o.Op(i), info.DefaultMode)
	if c == desc.NoClass || int(c) >= len(info.Classes) {
		return ""
	}
	return info.Str(info.Classes[c].Name)
}

// Text is the statement; Pos is where reading stands in it.
func (o *Operands) Text() string { return o.m.text }

// Pos is where reading stands.
func (o *Operands) Pos() int { return o.m.pos }

// Seek goes elsewhere.
func (o *Operands) Seek(pos int) { o.m.pos = pos }

// Peek is the next character behind blanks, 0 at the end.
func (o *Operands) Peek() byte {
	o.m.skip()
	if o.m.pos >= len(o.m.text) {
		return 0
	}
	return o.m.text[o.m.pos]
}

// Eat takes the next character if it is c.
func (o *Operands) Eat(c byte) bool {
	if o.Peek() != c {
		return false
	}
	o.m.pos++
	return true
}

// Closed says that the text t of what comes behind the operands taken has been read.
func (o *Operands) Closed(t string) { o.m.closed = t }

// Expr reads an expression, of which x is 0 for numbers.
func (o *Operands) Expr() (x mc.Expr, v int64, err error) {
	o.m.skip()
	if x, v, ok := o.m.expr(); ok {
		return x, v, nil
	}
	if o.m.exprErr == errNoExpr {
		return 0, 0, o.Error("unknown token in expression")
	}
	return 0, 0, o.m.exprErr
}

// ExprAny reads an expression, in which names of registers are symbols.
func (o *Operands) ExprAny() (x mc.Expr, v int64, err error) {
	o.m.skip()
	m := o.m
	if m.exprAt != m.pos || m.exprErr == errNoExpr {
		m.exprAt = m.pos
		m.exprX, m.exprV, m.exprEnd, m.exprErr = m.p.Expr(m.text, m.pos)
	}
	if m.exprErr != nil {
		return 0, 0, m.exprErr
	}
	m.pos = m.exprEnd
	return m.exprX, m.exprV, nil
}

// Place makes the expression for a number of bytes from here.
func (o *Operands) Place(text string) (mc.Expr, error) {
	if o.m.placeAt != o.m.pos {
		x, _, _, err := o.m.p.Expr(text, 0)
		if err != nil {
			return 0, err
		}
		o.m.placeAt, o.m.place = o.m.pos, x
	}
	return o.m.place, nil
}

// Regs are the registers whose name is next, and where it ends.
func (o *Operands) Regs() ([]desc.PhysReg, int) {
	o.m.skip()
	return o.m.regAt(o.m.pos)
}

// RegsOf are the registers of a name.
func (o *Operands) RegsOf(name string) []desc.PhysReg { return o.m.regs[name] }

// SetReg makes the i-th operand the register among rs that it may be.
func (o *Operands) SetReg(i int, rs []desc.PhysReg) bool {
	for _, r := range rs {
		if o.m.takesReg(o.f, o.Op(i), r) {
			return o.m.set(o.Op(i), mc.Reg(r))
		}
	}
	return false
}

// Set makes the i-th operand x, whatever it may be.
func (o *Operands) Set(i int, x mc.Operand) bool { return o.m.set(o.Op(i), x) }

// SetNumber makes the i-th operand the number v, where it may be.
func (o *Operands) SetNumber(i int, v int64) bool {
	v, ok := o.value(i, v)
	return ok && o.m.set(o.Op(i), mc.Imm(v))
}

// value is the i-th operand that is written as the number v.
func (o *Operands) value(i int, v int64) (int64, bool) {
	y := o.Style(i)
	if v -= y.Add; y.Mul != 0 && y.Mul != 1 {
		if v%y.Mul != 0 {
			return 0, false
		}
		v /= y.Mul
	}
	if y.Bits == 0 || y.Bits >= 64 {
		return v, o.m.takesImm(o.f, o.Op(i), v)
	}
	// What is written is the low bits of the operand.
	lo, hi := int64(-1)<<(y.Bits-1), int64(1)<<y.Bits-1
	if y.Signed {
		hi >>= 1
	}
	if v < lo || v > hi {
		return 0, false
	}
	if !o.m.takesImm(o.f, o.Op(i), v) {
		v &= 1<<y.Bits - 1
	}
	return v, o.m.takesImm(o.f, o.Op(i), v)
}

// FitsNumber reports that the i-th operand may be v.
func (o *Operands) FitsNumber(i int, v int64) bool {
	_, ok := o.value(i, v)
	return ok
}

// Unchecked reports that it is not known which numbers the i-th operand takes.
func (o *Operands) Unchecked(i int) bool {
	x := o.m.field(o.f, o.Op(i))
	if x == nil || x.Xform != 0 {
		return false
	}
	f := o.m.e.Formats[x.Format]
	return f.Bits == 0 || f.Signed && f.Either
}

// TakesExpr reports that the i-th operand may be the expression x.
func (o *Operands) TakesExpr(i int, x mc.Expr) bool { return o.m.syms(&o.ops[i], x) }

// RegName is the name of a register in the facts.
func (o *Operands) RegName(r desc.PhysReg) string { return o.m.Info.RegName(r) }

// Error is an error at the place where reading stands.
func (o *Operands) Error(msg string) error {
	return &mc.ParseError{Start: o.m.pos, End: o.m.pos, Msg: msg}
}

// SetListed makes the i-th operand what its style writes as text.
func (o *Operands) SetListed(i int, text string) bool {
	y := o.Style(i)
	reg := o.IsReg(i)
	for _, v := range o.m.index(y, int(o.parts[i].Style-1)).words[text] {
		if reg && o.m.takesReg(o.f, o.Op(i), desc.PhysReg(v)) {
			return o.m.set(o.Op(i), mc.Reg(desc.PhysReg(v)))
		}
		if !reg && o.m.takesImm(o.f, o.Op(i), v) {
			return o.m.set(o.Op(i), mc.Imm(v))
		}
	}
	return false
}

// Encoding is that of a register.
func (o *Operands) Encoding(r desc.PhysReg) int { return int(o.m.Info.Regs[r].Encoding) }
