package mctargetdesc

import (
	"bytes"
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
)

// printer writes what the tables have no text for.
type printer struct {
	mc.InstPrinter
	op    opcodes
	texts map[desc.Opcode]string
	reg   func(b []byte, r desc.PhysReg) []byte
	// csrOps have the number of a control and status register as operand 1.
	csrOps map[desc.Opcode]bool
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
	x.csrOps = map[desc.Opcode]bool{}
	for _, n := range [...]string{"CSRRW", "CSRRS", "CSRRC", "CSRRWI", "CSRRSI", "CSRRCI"} {
		if o, ok := t.Info.OpcodeByName(n); ok {
			x.csrOps[o] = true
		}
	}
	return x
}

// AppendInst appends an instruction.
func (p *printer) AppendInst(b, remarks []byte, ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, sym func([]byte, mc.Sym) []byte) (text, notes []byte, err error) {
	form, ok := p.texts[in.Op]
	if p.csrOps[in.Op] && st != nil {
		from := len(b)
		text, notes, err = p.InstPrinter.AppendInst(b, remarks, ctx, st, in, sym)
		return renameCSR(text, from, st, in.Ops[1].Imm()), notes, err
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

// renameCSR writes the register of an instruction as the subtarget names it.
func renameCSR(text []byte, from int, st *mc.Subtarget, num int64) []byte {
	mnemonic, ops, ok := bytes.Cut(text[from:], []byte("\t"))
	k := csrOperand(string(mnemonic))
	if !ok || k < 0 {
		return text // an alias that names it
	}
	list := bytes.Split(ops, []byte(", "))
	if k >= len(list) {
		return text
	}
	list[k] = appendCSR(nil, st.Info, st, num)
	all := append(append([]byte(nil), mnemonic...), '\t')
	return append(append(text[:from], all...), bytes.Join(list, []byte(", "))...)
}
