package mct

import (
	"fmt"
	"strconv"

	"github.com/mirin-go/mirin/desc"
	mc "github.com/mirin-go/mirin/internal/mcx"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Printer writes x86 instructions in AT&T or Intel syntax from the facts' templates.
type Printer struct {
	Facts *desc.Info
	Intel bool
}

// Print appends one instruction.
func (p *Printer) Print(b []byte, ctx *mc.Context, in *mc.Inst) ([]byte, error) {
	variant := 0
	if p.Intel {
		variant = 1
	}
	m, rest, ok := p.Facts.AsmParts(in.Op, variant)
	if !ok {
		return b, fmt.Errorf("x86-64: printing of %s is not supported", p.Facts.OpcodeName(in.Op))
	}
	if in.Lock || tsLock(p.Facts.Instrs[in.Op].TSFlags) && m != "" && !hasLock(m) {
		b = append(b, "lock\t"...)
	}
	var err error
	for _, t := range [...]string{m, rest} {
		if b, err = p.template(b, ctx, in, t); err != nil {
			return b, err
		}
	}
	return b, nil
}

func hasLock(m string) bool { return len(m) >= 4 && m[:4] == "lock" }

// template expands the placeholders of one part.
func (p *Printer) template(b []byte, ctx *mc.Context, in *mc.Inst, t string) ([]byte, error) {
	for i := 0; i < len(t); i++ {
		if t[i] == '|' {
			break // the second form; immediates without a name are rare
		}
		if t[i] != '<' {
			b = append(b, t[i])
			continue
		}
		end := i
		colon := -1
		for ; t[end] != '>'; end++ {
			if t[end] == ':' {
				colon = end
			}
		}
		kind := t[i+1 : colon]
		n, err := strconv.Atoi(t[colon+1 : end])
		if err != nil {
			return b, err
		}
		b = p.operand(b, ctx, in, kind, n)
		i = end
	}
	return b, nil
}

func (p *Printer) reg(b []byte, r desc.PhysReg) []byte {
	if !p.Intel {
		b = append(b, '%')
	}
	return append(b, p.Facts.AsmRegName(r)...)
}

func (p *Printer) operand(b []byte, ctx *mc.Context, in *mc.Inst, kind string, n int) []byte {
	o := &in.Ops[n]
	switch kind {
	case "r":
		return p.reg(b, o.Reg)
	case "st":
		if o.Reg == tab.ST0 {
			if p.Intel {
				return append(b, "st(0)"...)
			}
			return append(b, "%st(0)"...)
		}
		return p.reg(b, o.Reg)
	case "i", "n", "u8", "u16":
		if !p.Intel && kind != "n" {
			b = append(b, '$')
		} else if p.Intel && o.Kind == mc.OpExpr {
			b = append(b, "offset "...)
		}
		if o.Kind == mc.OpExpr {
			return ctx.AppendExpr(b, o.Expr)
		}
		switch kind {
		case "u8":
			return strconv.AppendInt(b, o.Imm&0xff, 10)
		case "u16":
			return strconv.AppendInt(b, o.Imm&0xffff, 10)
		}
		return strconv.AppendInt(b, o.Imm, 10)
	case "pc":
		if o.Kind == mc.OpExpr {
			return ctx.AppendExpr(b, o.Expr)
		}
		return strconv.AppendInt(b, o.Imm, 10)
	case "m":
		if p.Intel {
			return p.intelMem(b, ctx, in, n)
		}
		return p.attMem(b, ctx, in, n)
	case "s", "d", "o":
		return p.stringOp(b, ctx, in, kind, n)
	}
	if w, ok := desc.AsmPredicate(kind, o.Imm); ok {
		return append(b, w...)
	}
	return append(b, "?"...)
}

// stringOp writes the operands of string instructions and absolute offsets.
func (p *Printer) stringOp(b []byte, ctx *mc.Context, in *mc.Inst, kind string, n int) []byte {
	o := &in.Ops[n]
	if kind != "d" && in.Ops[n+1].Reg != 0 {
		b = append(p.reg(b, in.Ops[n+1].Reg), ':')
	}
	if kind == "o" {
		if o.Kind == mc.OpExpr {
			return ctx.AppendExpr(b, o.Expr)
		}
		return strconv.AppendInt(b, o.Imm, 10)
	}
	if kind == "d" {
		if p.Intel {
			b = append(b, "es:"...)
		} else {
			b = append(b, "%es:"...)
		}
	}
	if p.Intel {
		return append(p.reg(append(b, '['), o.Reg), ']')
	}
	return append(p.reg(append(b, '('), o.Reg), ')')
}

// attMem writes seg:disp(base,index,scale).
func (p *Printer) attMem(b []byte, ctx *mc.Context, in *mc.Inst, n int) []byte {
	base, scale, index, disp, seg := in.Ops[n].Reg, in.Ops[n+1].Imm, in.Ops[n+2].Reg, &in.Ops[n+3], in.Ops[n+4].Reg
	if seg != 0 {
		b = append(p.reg(b, seg), ':')
	}
	if disp.Kind == mc.OpExpr {
		b = ctx.AppendExpr(b, disp.Expr)
	} else if disp.Imm != 0 || base == 0 && index == 0 {
		b = strconv.AppendInt(b, disp.Imm, 10)
	}
	if base == 0 && index == 0 {
		return b
	}
	b = append(b, '(')
	if base != 0 {
		b = p.reg(b, base)
	}
	if index != 0 {
		b = append(b, ',')
		b = p.reg(b, index)
		if scale != 1 {
			b = strconv.AppendInt(append(b, ','), scale, 10)
		}
	}
	return append(b, ')')
}

// intelMem writes seg:[base + scale*index + disp].
func (p *Printer) intelMem(b []byte, ctx *mc.Context, in *mc.Inst, n int) []byte {
	base, scale, index, disp, seg := in.Ops[n].Reg, in.Ops[n+1].Imm, in.Ops[n+2].Reg, &in.Ops[n+3], in.Ops[n+4].Reg
	if seg != 0 {
		b = append(p.reg(b, seg), ':')
	}
	b = append(b, '[')
	plus := false
	if base != 0 {
		b = p.reg(b, base)
		plus = true
	}
	if index != 0 {
		if plus {
			b = append(b, " + "...)
		}
		if scale != 1 {
			b = append(strconv.AppendInt(b, scale, 10), '*')
		}
		b = p.reg(b, index)
		plus = true
	}
	switch {
	case disp.Kind == mc.OpExpr:
		if plus {
			b = append(b, " + "...)
		}
		b = ctx.AppendExpr(b, disp.Expr)
	case !plus:
		b = strconv.AppendInt(b, disp.Imm, 10)
	case disp.Imm > 0:
		b = strconv.AppendInt(append(b, " + "...), disp.Imm, 10)
	case disp.Imm < 0:
		b = strconv.AppendInt(append(b, " - "...), -disp.Imm, 10)
	}
	return append(b, ']')
}

// DwarfReg appends the register with a DWARF number.
func (p *Printer) DwarfReg(b []byte, n int) []byte {
	fl := p.Facts.DwarfFlavourOf("x86_64")
	for r := range p.Facts.Regs {
		if p.Facts.DwarfNum(fl, desc.PhysReg(r), true) == n && p.Facts.ClassContains(tab.GR64RegClassID, desc.PhysReg(r)) {
			return p.reg(b, desc.PhysReg(r))
		}
	}
	return strconv.AppendInt(b, int64(n), 10)
}
