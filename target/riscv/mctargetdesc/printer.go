package mctargetdesc

import (
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
	return x
}

// AppendInst appends an instruction.
func (p *printer) AppendInst(b, remarks []byte, ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, sym func([]byte, mc.Sym) []byte) (text, notes []byte, err error) {
	form, ok := p.texts[in.Op]
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
			b = append(b, '0') // of jalr
		}
	}
	return b, remarks, nil
}
