package mctargetdesc

import (
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/table"
)

// The functions that the tables name, by LLVM's names of its PrintMethods, as far
// as it has them.
var (
	attMethods = map[string]table.PrintFunc{
		"printImm":           func(p *table.Printing, op int) error { p.B = appendImmATT(p, op, true); return nil },
		"printNumber":        func(p *table.Printing, op int) error { p.B = appendNumber(p, op); return nil },
		"printU8Imm":         func(p *table.Printing, op int) error { return appendLow(p, op, "$", 0xff) },
		"printU16Imm":        func(p *table.Printing, op int) error { return appendLow(p, op, "$", 0xffff) },
		"printPCRelImm":      printPCRelATT,
		"printMemReference":  printMemATT,
		"printMemOffset":     printOffsetATT,
		"printSrcIdx":        printSrcATT,
		"printDstIdx":        printDstATT,
		"printSTiRegOperand": func(p *table.Printing, op int) error { return printSTi(p, op, ATT) },
		"printVKPair":        func(p *table.Printing, op int) error { return printVKPair(p, op, ATT) },
	}
	intelMethods = map[string]table.PrintFunc{
		"printImm":           func(p *table.Printing, op int) error { p.B = appendImmIntel(p, op); return nil },
		"printNumber":        func(p *table.Printing, op int) error { p.B = appendImmIntel(p, op); return nil },
		"printU8Imm":         func(p *table.Printing, op int) error { return appendLow(p, op, "", 0xff) },
		"printU16Imm":        func(p *table.Printing, op int) error { return appendLow(p, op, "", 0xffff) },
		"printPCRelImm":      printPCRelIntel,
		"printMemReference":  printMemIntel,
		"printMemOffset":     printOffsetIntel,
		"printSrcIdx":        printSrcIntel,
		"printDstIdx":        printDstIntel,
		"printSTiRegOperand": func(p *table.Printing, op int) error { return printSTi(p, op, Intel) },
		"printVKPair":        func(p *table.Printing, op int) error { return printVKPair(p, op, Intel) },
	}
)

// appendNumber appends an immediate or expression as it is.
func appendNumber(p *table.Printing, op int) []byte {
	o := p.Inst.Ops[op]
	if o.IsExpr() {
		return p.Ctx.AppendExpr(p.B, o.Expr(), p.Symbol())
	}
	return strconv.AppendInt(p.B, o.Imm(), 10)
}

// appendImmATT appends an immediate; large ones are remarked upon in hexadecimal.
func appendImmATT(p *table.Printing, op int, remark bool) []byte {
	p.B = append(p.B, '$')
	if o := p.Inst.Ops[op]; remark && !o.IsExpr() {
		if v := o.Imm(); v > 255 || v < -256 {
			p.Remarks = appendImmRemark(p.Remarks, v)
		}
	}
	return appendNumber(p, op)
}

func appendImmIntel(p *table.Printing, op int) []byte {
	if p.Inst.Ops[op].IsExpr() {
		p.B = append(p.B, "offset "...)
	}
	return appendNumber(p, op)
}

// appendLow appends the low bits of an immediate.
func appendLow(p *table.Printing, op int, prefix string, mask int64) error {
	o := p.Inst.Ops[op]
	switch p.B = append(p.B, prefix...); {
	case o.IsExpr() && prefix == "":
		p.B = appendImmIntel(p, op)
	case o.IsExpr():
		p.B = appendNumber(p, op)
	default:
		p.B = strconv.AppendInt(p.B, o.Imm()&mask, 10)
	}
	return nil
}

// appendImmRemark writes v in hexadecimal without superfluous sign bits.
func appendImmRemark(b []byte, v int64) []byte {
	u := uint64(v)
	switch {
	case v == int64(int16(v)):
		u &= 0xffff
	case v == int64(int32(v)):
		u &= 0xffffffff
	}
	b = append(b, "imm = 0x"...)
	at := len(b)
	b = strconv.AppendUint(b, u, 16)
	for i := at; i < len(b); i++ {
		if b[i] >= 'a' {
			b[i] -= 'a' - 'A'
		}
	}
	return append(b, '\n')
}

// segment appends the segment register of operand n with its colon.
func segment(p *table.Printing, n, variant int) {
	if n < len(p.Inst.Ops) && p.Inst.Ops[n].Reg() != 0 {
		p.B = append(p.AppendRegAlt(p.B, p.Inst.Ops[n].Reg(), variant), ':')
	}
}

// dispATT appends a displacement or target. What begins with a dollar sign would
// be an immediate, and stands in parentheses.
func dispATT(p *table.Printing, op int) {
	at := len(p.B)
	p.B = appendNumber(p, op)
	if at < len(p.B) && p.B[at] == '$' {
		p.B = append(slices.Insert(p.B, at, '('), ')')
	}
}

func printPCRelATT(p *table.Printing, op int) error {
	dispATT(p, op)
	return nil
}

func printPCRelIntel(p *table.Printing, op int) error {
	p.B = appendNumber(p, op)
	return nil
}

func printOffsetATT(p *table.Printing, op int) error {
	segment(p, op+1, ATT)
	dispATT(p, op)
	return nil
}

func printOffsetIntel(p *table.Printing, op int) error {
	segment(p, op+1, Intel)
	p.B = append(p.B, '[')
	p.B = append(appendNumber(p, op), ']')
	return nil
}

func index1(p *table.Printing, op, variant int, open, end byte) {
	p.B = append(p.AppendRegAlt(append(p.B, open), p.Inst.Ops[op].Reg(), variant), end)
}

func printSrcATT(p *table.Printing, op int) error {
	segment(p, op+1, ATT)
	index1(p, op, ATT, '(', ')')
	return nil
}

func printSrcIntel(p *table.Printing, op int) error {
	segment(p, op+1, Intel)
	index1(p, op, Intel, '[', ']')
	return nil
}

func printDstATT(p *table.Printing, op int) error {
	p.B = append(p.B, "%es:"...)
	index1(p, op, ATT, '(', ')')
	return nil
}

func printDstIntel(p *table.Printing, op int) error {
	index1(p, op, Intel, '[', ']')
	return nil
}

// printSTi writes most operands of the x87 stack: the top as st(0), not as st.
func printSTi(p *table.Printing, op, variant int) error {
	r := p.Inst.Ops[op].Reg()
	p.B = p.AppendRegAlt(p.B, r, variant)
	if p.B[len(p.B)-1] != ')' {
		p.B = append(p.B, "(0)"...)
	}
	return nil
}

// printVKPair writes the first of two mask registers.
func printVKPair(p *table.Printing, op, variant int) error {
	p.B = p.AppendRegAlt(p.B, p.Info.SubRegs(p.Inst.Ops[op].Reg()).At(0), variant)
	return nil
}

// address is the operands of an address.
func addressAt(p *table.Printing, op int) ([]mc.Operand, error) {
	if op+addrOps > len(p.Inst.Ops) {
		return nil, errShortAddress
	}
	return p.Inst.Ops[op : op+addrOps], nil
}

type constError string

func (e constError) Error() string { return string(e) }

const errShortAddress constError = "an address has five operands"

// printMemATT writes segment:disp(base,index,scale).
func printMemATT(p *table.Printing, op int) error {
	m, err := addressAt(p, op)
	if err != nil {
		return err
	}
	base, index, disp := m[0].Reg(), m[2].Reg(), m[3]
	segment(p, op+4, ATT)
	if disp.IsExpr() || disp.Imm() != 0 || base == 0 && index == 0 {
		dispATT(p, op+3)
	}
	if base == 0 && index == 0 {
		return nil
	}
	b := append(p.B, '(')
	if base != 0 {
		b = p.AppendReg(b, base)
	}
	if index != 0 {
		b = p.AppendReg(append(b, ','), index)
		if s := m[1].Imm(); s != 1 {
			b = strconv.AppendInt(append(b, ','), s, 10)
		}
	}
	p.B = append(b, ')')
	return nil
}

// printMemIntel writes segment:[base + scale*index + disp].
func printMemIntel(p *table.Printing, op int) error {
	m, err := addressAt(p, op)
	if err != nil {
		return err
	}
	base, index, disp := m[0].Reg(), m[2].Reg(), m[3]
	segment(p, op+4, Intel)
	b := append(p.B, '[')
	plus := false
	if base != 0 {
		b = p.AppendRegAlt(b, base, Intel)
		plus = true
	}
	if index != 0 {
		if plus {
			b = append(b, " + "...)
		}
		if s := m[1].Imm(); s != 1 || base == 0 { // without the factor it would be read as the base
			b = append(strconv.AppendInt(b, s, 10), '*')
		}
		b = p.AppendRegAlt(b, index, Intel)
		plus = true
	}
	switch {
	case disp.IsExpr():
		if plus {
			b = append(b, " + "...)
		}
		p.B = b
		b = appendNumber(p, op+3)
	case disp.Imm() == 0 && plus:
	case plus && disp.Imm() > 0:
		b = strconv.AppendInt(append(b, " + "...), disp.Imm(), 10)
	case plus:
		b = strconv.AppendInt(append(b, " - "...), -disp.Imm(), 10)
	default:
		b = strconv.AppendInt(b, disp.Imm(), 10)
	}
	p.B = append(b, ']')
	return nil
}
