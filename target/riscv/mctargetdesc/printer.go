package mctargetdesc

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/mc/table"
)

// printer writes what the tables have no text for.
type printer struct {
	mc.InstPrinter
	op    opcodes
	texts map[desc.Opcode]string
	reg   func(b []byte, r desc.PhysReg) []byte
	// csrOps have the number of a control and status register as operand 1.
	csrOps    map[desc.Opcode]string // with their mnemonics
	noAliases bool
	numeric   bool
	pushes    map[desc.Opcode]string // mnemonics
	wide      uint16
	hints     uint16
	cAdd      desc.Opcode
	zero, ra  desc.PhysReg
	floats    [2]uint16 // features that have the status of floating point
}

func newPrinter(t *mctarget.Target, p mc.InstPrinter) mc.InstPrinter {
	w, ok := p.(interface {
		AppendReg(b []byte, r desc.PhysReg) []byte
	})
	op, err := findOpcodes(t.Info)
	if err != nil || !ok {
		return p
	}
	x := &printer{InstPrinter: p, op: op, reg: w.AppendReg}
	// $n stands for operand n.
	x.texts = map[desc.Opcode]string{op.call: "call\t$0", op.callReg: "call\t$0, $1", op.tail: "tail\t$0", op.jump: "jump\t$1, $0",
		op.addTPRel: "add\t$0, $1, $2, $3", op.tlsDesc: "jalr\t$0, $2($1), $3"}
	for i := range insnFormats {
		if o, ok := t.Info.OpcodeByName(insnFormats[i].opcode); ok && x.texts[o] == "" && insnFormats[i].opcode != "InsnR4" {
			x.texts[o] = insnText(&insnFormats[i])
		}
	}
	if o, ok := t.Info.OpcodeByName("InsnR4"); ok {
		x.texts[o] = ".insn r4 $1, $2, $3, $0, $4, $5, $6"
	}
	x.csrOps = map[desc.Opcode]string{}
	for _, n := range [...]string{"csrrw", "csrrs", "csrrc", "csrrwi", "csrrsi", "csrrci"} {
		if o, ok := t.Info.OpcodeByName(strings.ToUpper(n)); ok {
			x.csrOps[o] = n
		}
	}
	x.pushes = map[desc.Opcode]string{}
	for name, row := range pushes {
		if o, ok := t.Info.OpcodeByName(row.opcode); ok {
			x.pushes[o] = name
		}
	}
	x.numeric = slices.Contains(t.PrinterOptions, "numeric")
	x.wide, x.hints = featureBit(t.Info, "64bit"), featureBit(t.Info, "zihintntl")
	x.cAdd, _ = t.Info.OpcodeByName("C_ADD")
	x.noAliases = slices.Contains(t.PrinterOptions, "no-aliases") || t.Flags.On(noAliasesFlag, false)
	if tp, ok := p.(*table.Printer); ok {
		tp.NoAliases = x.noAliases
	}
	x.zero, _ = t.Info.RegByName("x0")
	x.ra, _ = t.Info.RegByName("x1")
	x.floats = [2]uint16{featureBit(t.Info, "f"), featureBit(t.Info, "zfinx")}
	return x
}

// AppendInst appends an instruction.
func (p *printer) AppendInst(b, remarks []byte, ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, sym func([]byte, mc.Sym) []byte) (text, notes []byte, err error) {
	form, ok := p.texts[in.Op]
	if row, ok := p.pushes[in.Op]; ok {
		return p.appendPush(b, st, in, row), remarks, nil
	}
	if hint := p.hint(st, in); hint != "" {
		return append(b, hint...), remarks, nil
	}
	if in.Op == p.op.jalr && !p.noAliases {
		return p.appendJALR(b, ctx, in, sym), remarks, nil
	}
	if name := p.csrOps[in.Op]; name != "" && st != nil {
		return p.appendCSROp(b, st, in, name), remarks, nil
	}
	if !ok {
		return p.InstPrinter.AppendInst(b, remarks, ctx, st, in, sym)
	}
	for i := 0; i < len(form); i++ {
		if form[i] != '$' {
			b = append(b, form[i])
			continue
		}
		i++
		switch o := in.Ops[form[i]-'0']; {
		case o.IsReg():
			b = p.reg(b, o.Reg())
		case o.IsExpr():
			b = ctx.AppendExpr(b, o.Expr(), sym)
		default:
			b = strconv.AppendInt(b, o.Imm(), 10)
		}
	}
	return b, remarks, nil
}

// appendCSROp appends an access to a control and status register, by a shorter name where
// there is one (the assembler manual's list of pseudoinstructions).
func (p *printer) appendCSROp(b []byte, st *mc.Subtarget, in *mc.Inst, name string) []byte {
	rd, num, src := in.Ops[0].Reg(), in.Ops[1].Imm(), in.Ops[2]
	immediate := src.IsImm()
	nothing := !immediate && src.Reg() == p.zero
	write, read := name[:5] == "csrrw", true // rd is written
	short := ""
	if !p.noAliases {
		floats := st.Has(p.floats[0]) || st.Has(p.floats[1])
		status := ""
		if num >= 1 && num <= 3 && floats {
			status = [...]string{"flags", "rm", "csr"}[num-1]
		}
		switch {
		case name == "csrrs" && nothing && num >= 0xc00 && num <= 0xc02:
			return p.reg(append(b, [...]string{"rdcycle\t", "rdtime\t", "rdinstret\t"}[num-0xc00]...), rd)
		case name == "csrrs" && nothing && num >= 0xc80 && num <= 0xc82 && appendCSR(nil, st.Info, st, num)[0] > '9':
			return p.reg(append(b, [...]string{"rdcycleh\t", "rdtimeh\t", "rdinstreth\t"}[num-0xc80]...), rd)
		case name == "csrrs" && nothing && status != "":
			return p.reg(append(b, "fr"+status+"\t"...), rd)
		case write && status != "" && !(immediate && num == 3):
			b = append(b, "fs"+status...)
			if immediate {
				b = append(b, 'i')
			}
			b = append(b, '\t')
			if rd != p.zero {
				b = append(p.reg(b, rd), ", "...)
			}
			return p.source(b, src)
		case name == "csrrs" && nothing:
			return appendCSR(append(p.reg(append(b, "csrr\t"...), rd), ", "...), st.Info, st, num)
		case rd == p.zero:
			short, read = "csr"+name[4:], false
		}
	}
	if short == "" {
		short = name
	}
	b = append(append(b, short...), '\t')
	if read {
		b = append(p.reg(b, rd), ", "...)
	}
	b = append(appendCSR(b, st.Info, st, num), ", "...)
	return p.source(b, src)
}

// source appends a register or a number.
func (p *printer) source(b []byte, o mc.Operand) []byte {
	if o.IsReg() {
		return p.reg(b, o.Reg())
	}
	return strconv.AppendInt(b, o.Imm(), 10)
}

// appendJALR appends an indirect jump by its shortest name.
func (p *printer) appendJALR(b []byte, ctx *mc.Context, in *mc.Inst, sym func([]byte, mc.Sym) []byte) []byte {
	rd, rs, off := in.Ops[0].Reg(), in.Ops[1].Reg(), in.Ops[2]
	near := off.IsImm() && off.Imm() == 0
	switch {
	case rd == p.zero && rs == p.ra && near:
		return append(b, "ret"...)
	case rd == p.zero:
		b = append(b, "jr\t"...)
	case rd == p.ra:
		b = append(b, "jalr\t"...)
	default:
		b = append(p.reg(append(b, "jalr\t"...), rd), ", "...)
	}
	if near {
		return p.reg(b, rs)
	}
	if off.IsExpr() {
		b = ctx.AppendExpr(b, off.Expr(), sym)
	} else {
		b = strconv.AppendInt(b, off.Imm(), 10)
	}
	return append(p.reg(append(b, '('), rs), ')')
}

// appendPush appends an instruction that saves or restores a list of registers.
func (p *printer) appendPush(b []byte, st *mc.Subtarget, in *mc.Inst, name string) []byte {
	n := int(in.Ops[0].Imm()) - 4 // of s0, s1, …
	if n == 11 {
		n = 12
	}
	b = append(append(b, name...), "\t{"...)
	part := func(first, last string) {
		b = append(b, first...)
		if last != first {
			b = append(append(b, '-'), last...)
		}
	}
	if p.numeric {
		b = append(b, "x1"...)
		if n > 0 {
			b = append(b, ", "...)
			part(saved(0), saved(min(n, 2)-1))
		}
		if n > 2 {
			b = append(b, ", "...)
			part(saved(2), saved(n-1))
		}
	} else {
		b = append(b, "ra"...)
		if n > 0 {
			b = append(b, ", "...)
			part("s0", "s"+strconv.Itoa(n-1))
		}
	}
	word, sign := int64(4), int64(1)
	if st != nil && st.Has(p.wide) {
		word = 8
	}
	if pushes[name].down {
		sign = -1
	}
	room := (int64(1+n)*word+15)&^15 + in.Ops[1].Imm()
	return strconv.AppendInt(append(b, "}, "...), sign*room, 10)
}

// hint is the name of an add to x0 that says something about the next access.
func (p *printer) hint(st *mc.Subtarget, in *mc.Inst) string {
	if in.Op != p.op.add && in.Op != p.cAdd || st == nil || p.noAliases || !st.Has(p.hints) || len(in.Ops) != 3 || in.Ops[0].Reg() != p.zero || in.Ops[1].Reg() != p.zero {
		return ""
	}
	var name string
	switch st.Info.Regs[in.Ops[2].Reg()].Encoding {
	case 2:
		name = "ntl.p1"
	case 3:
		name = "ntl.pall"
	case 4:
		name = "ntl.s1"
	case 5:
		name = "ntl.all"
	}
	if name != "" && in.Op == p.cAdd {
		name = "c." + name
	}
	return name
}
