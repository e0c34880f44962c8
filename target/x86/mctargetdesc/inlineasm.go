package mctargetdesc

import (
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/table"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// AppendAsmOperand appends an operand of inline assembly: a register, a
// constant, or five address operands. modifier is the letter of "${0:k}", 0 for
// none (GCC's manual, "x86 Operand Modifiers"); ok is false for one that does not fit.
func (p *Printer) AppendAsmOperand(b []byte, ctx *mc.Context, ops []mc.Operand, modifier byte) (out []byte, ok bool) {
	x := table.Printing{Printer: p.Printer, B: b, Ctx: ctx, Inst: &mc.Inst{Ops: ops}}
	switch {
	case len(ops) == addrOps:
		ok = p.asmMemory(&x, modifier)
		return x.B, ok
	case len(ops) != 1:
		return b, false
	case ops[0].IsReg():
		return p.asmRegister(b, ops[0].Reg(), modifier)
	}
	switch o := ops[0]; modifier {
	case 'c', 'P', 'p':
		if p.intel {
			return appendImmIntel(&x, 0), true
		}
		return appendNumber(&x, 0), true
	case 'n':
		return strconv.AppendInt(b, -o.Imm(), 10), o.IsImm()
	case 0, 'b', 'w', 'k', 'q', 'h', 'V', 'z':
		if p.intel {
			return appendImmIntel(&x, 0), true
		}
		return appendImmATT(&x, 0, false), true
	}
	return b, false
}

func (p *Printer) asmMemory(x *table.Printing, modifier byte) bool {
	switch modifier {
	case 0, 'b', 'w', 'k', 'q', 'h', 'P', 'p':
	case 'A':
		if !p.intel {
			x.B = append(x.B, '*')
		}
	case 'H':
		if !x.Inst.Ops[3].IsImm() {
			return false
		}
		ops := append([]mc.Operand(nil), x.Inst.Ops...)
		ops[3] = mc.Imm(ops[3].Imm() + 8)
		x.Inst.Ops = ops
	default:
		return false
	}
	if p.intel {
		return printMemIntel(x, 0) == nil
	}
	return printMemATT(x, 0) == nil
}

func (p *Printer) asmRegister(b []byte, r desc.PhysReg, modifier byte) ([]byte, bool) {
	class, high := desc.NoClass, false
	switch modifier {
	case 0:
		return p.reg(b, r), true
	case 'A':
		if !p.intel {
			b = append(b, '*')
		}
		return p.reg(b, r), true
	case 'V':
		return p.AppendRegAlt(b, r, Intel), true
	case 'a':
		if p.intel {
			return append(p.reg(append(b, '['), r), ']'), true
		}
		return append(p.reg(append(b, '('), r), ')'), true
	case 'b':
		class = tab.GR8RegClassID
	case 'h':
		class, high = tab.GR8RegClassID, true
	case 'w':
		class = tab.GR16RegClassID
	case 'k':
		class = tab.GR32RegClassID
	case 'q':
		class = tab.GR64RegClassID
	case 'x':
		class = tab.VR128RegClassID
	case 't':
		class = tab.VR256RegClassID
	case 'g':
		class = tab.VR512RegClassID
	default:
		return b, false
	}
	w := p.sized(r, class, high)
	return p.reg(b, w), w != 0
}

// sized is the register of a class that shares its low bits with r, or bits 8
// to 15 where high is set; 0 when there is none.
func (p *Printer) sized(r desc.PhysReg, class desc.ClassID, high bool) desc.PhysReg {
	isHigh := func(s desc.PhysReg) bool { return s == tab.AH || s == tab.BH || s == tab.CH || s == tab.DH }
	fits := func(s desc.PhysReg) bool { return p.info.ClassContains(class, s) && isHigh(s) == high }
	if fits(r) {
		return r
	}
	for s := range p.info.SubRegs(r).All() {
		if fits(s) {
			return s
		}
	}
	for s := range p.info.SuperRegs(r).All() {
		if fits(s) {
			return s
		}
		for t := range p.info.SubRegs(s).All() {
			if high && fits(t) {
				return t
			}
		}
	}
	return 0
}
