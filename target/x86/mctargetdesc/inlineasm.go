package mctargetdesc

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// AppendAsmOperand appends an operand of inline assembly: a register, a
// constant, or five address operands. modifier is the letter of "${0:k}", 0 for
// none (GCC's manual, "x86 Operand Modifiers"); ok is false for one that does not fit.
func (p *Printer) AppendAsmOperand(b []byte, ctx *mc.Context, ops []mc.Operand, modifier byte) (out []byte, ok bool) {
	x := printing{p: p, ctx: ctx, ops: ops, sym: func(b []byte, s mc.Sym) []byte { return append(b, ctx.At(s).Name...) }}
	switch {
	case len(ops) == addrOps:
		return x.asmMemory(b, modifier)
	case len(ops) != 1:
		return b, false
	case ops[0].IsReg():
		return p.asmRegister(b, ops[0].Reg(), modifier)
	}
	switch o := ops[0]; modifier {
	case 'c', 'P', 'p':
		return x.imm(b, "n", o), true
	case 'n':
		return strconv.AppendInt(b, -o.Imm(), 10), o.IsImm()
	case 0, 'b', 'w', 'k', 'q', 'h', 'V', 'z':
		return x.imm(b, "i", o), true
	}
	return b, false
}

func (x *printing) asmMemory(b []byte, modifier byte) ([]byte, bool) {
	switch modifier {
	case 0, 'b', 'w', 'k', 'q', 'h', 'P', 'p':
	case 'A':
		if !x.p.intel {
			b = append(b, '*')
		}
	case 'H':
		if !x.ops[3].IsImm() {
			return b, false
		}
		ops := append([]mc.Operand(nil), x.ops...)
		ops[3] = mc.Imm(ops[3].Imm() + 8)
		x.ops = ops
	default:
		return b, false
	}
	return x.operand(b, "m", 0), true
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
		return append(b, p.info.AsmRegName(r)...), true
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

// PlainInst finds the instruction without operands that AT&T syntax writes as
// this word: nop, pause, cpuid, syscall.
func PlainInst(in *desc.Info, word string) (desc.Opcode, bool) {
	word = strings.ToLower(word)
	for op := desc.Opcode(desc.FirstTargetOpcode); int(op) < in.NumInstrs(); op++ {
		m, rest, ok := in.AsmParts(op, 0)
		d := in.Instr(op)
		if ok && m == word && rest == "" && d.NumOperands == 0 && !d.IsPseudo() {
			return op, true
		}
	}
	return 0, false
}
