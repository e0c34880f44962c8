package mctargetdesc

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/table"
)

var encodeFuncs = table.EncodeFuncs{Methods: map[string]func(e *table.Encoding, op int) (uint64, error){
	"encodePlace": func(e *table.Encoding, op int) (uint64, error) { return symbol(e, op, place(e)) },
	"encodeCall":  func(e *table.Encoding, op int) (uint64, error) { return symbol(e, op, fixupCall) },
	"encodeWide":  func(e *table.Encoding, op int) (uint64, error) { return symbol(e, op, fixupWide) },
}}

// place is the fixup of a jump: gotol alone has 32 bits for the distance.
func place(e *table.Encoding) mc.FixupKind {
	if e.Inst.Op == opJMPL {
		return fixupLong
	}
	return fixupPlace
}

// symbol is a number, or a fixup.
func symbol(e *table.Encoding, op int, k mc.FixupKind) (uint64, error) {
	if o := e.Inst.Ops[op]; o.IsExpr() {
		e.AddFixup(k, 0, o.Expr(), 0)
		return 0, nil
	}
	return e.Plain(op)
}

var printFuncs = table.PrintFuncs{Methods: map[string]table.PrintFunc{
	"printImm": func(p *table.Printing, op int) error {
		return number(p, op, func(v int64) int64 { return int64(int32(v)) })
	},
	"printWide": func(p *table.Printing, op int) error { return number(p, op, func(v int64) int64 { return v }) },
	"printCall": func(p *table.Printing, op int) error {
		return number(p, op, func(v int64) int64 { return int64(int32(v)) })
	},
	"printPlace": func(p *table.Printing, op int) error {
		o := p.Inst.Ops[op]
		if !o.IsImm() {
			return p.Operand(op)
		}
		v := int64(int16(o.Imm()))
		if p.Inst.Op == opJMPL {
			v = int64(int32(o.Imm()))
		}
		if v >= 0 {
			p.B = append(p.B, '+')
		}
		p.B = strconv.AppendInt(p.B, v, 10)
		return nil
	},
	"printMem": func(p *table.Printing, op int) error {
		if err := p.Operand(op); err != nil {
			return err
		}
		v, sign := p.Inst.Ops[op+1].Imm(), " + "
		if v < 0 {
			v, sign = -v, " - "
		}
		p.B = strconv.AppendInt(append(p.B, sign...), v, 10)
		return nil
	},
}}

func number(p *table.Printing, op int, as func(int64) int64) error {
	if o := p.Inst.Ops[op]; o.IsImm() {
		p.B = strconv.AppendInt(p.B, as(o.Imm()), 10)
		return nil
	}
	return p.Operand(op)
}

var matchFuncs = table.MatchFuncs{Parsers: map[string]func(p *table.Parsing, o *table.AsmOperand) bool{
	"parseMem": func(p *table.Parsing, o *table.AsmOperand) bool {
		r, ok := p.Register()
		if !ok {
			return false
		}
		o.Op = mc.Reg(r)
		// The offset has a sign in front of it, and is an expression from there on.
		neg := p.Token("-")
		if !neg && !p.Token("+") {
			return false
		}
		_, v, constant, err := p.Expr()
		if neg {
			v = -v
		}
		if err != nil || !constant || v != int64(int16(v)) {
			return false
		}
		o.More = []mc.Operand{mc.Imm(v)}
		return true
	},
	"parsePlace": func(p *table.Parsing, o *table.AsmOperand) bool { return expr(p, o, "") },
	"parseCall":  func(p *table.Parsing, o *table.AsmOperand) bool { return expr(p, o, "") },
	"parseWide": func(p *table.Parsing, o *table.AsmOperand) bool {
		if strings.HasPrefix(strings.TrimSpace(p.Text), "ld_pseudo") {
			return expr(p, o, "")
		}
		return expr(p, o, " ll")
	},
}, Renders: map[string]table.RenderFunc{"addOperands": func(p *table.Parsing, o *table.AsmOperand) {
	p.Inst.Add(o.Op)
	p.Inst.Ops = append(p.Inst.Ops, o.More...)
}}}

func expr(p *table.Parsing, o *table.AsmOperand, before string) bool {
	x, v, ok := p.AsmExpr(before)
	if o.Op = mc.Imm(v); x != 0 {
		o.Op = mc.ExprOp(x)
	}
	return ok
}
