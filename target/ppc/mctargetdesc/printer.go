package mctargetdesc

import (
	"bytes"
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
)

// printer writes rotations that are shifts as such, which follows from two operands
// together, and addresses of 32 bits.
type printer struct {
	mc.InstPrinter
	rlwinm, rldicr, rldicr32 desc.Opcode
	wide                     bool
}

// newPrinter puts the printer behind that of the tables.
func newPrinter(t *mctarget.Target, p mc.InstPrinter) mc.InstPrinter {
	x := &printer{InstPrinter: p, wide: t.Triple.PointerBits() == 64}
	x.rlwinm, _ = t.Info.OpcodeByName("RLWINM")
	x.rldicr, _ = t.Info.OpcodeByName("RLDICR")
	x.rldicr32, _ = t.Info.OpcodeByName("RLDICR_32")
	return x
}

// AppendInst appends an instruction.
func (p *printer) AppendInst(b, remarks []byte, ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, sym func([]byte, mc.Sym) []byte) (text, notes []byte, err error) {
	at := len(b)
	text, notes, err = p.InstPrinter.AppendInst(b, remarks, ctx, st, in, sym)
	if err != nil {
		return text, notes, err
	}
	if name, n := p.shift(in); name != "" {
		_, ops, _ := bytes.Cut(bytes.ReplaceAll(text[at:], []byte{'\t'}, []byte{' '}), []byte{' '})
		if ws := bytes.Split(ops, []byte(", ")); len(ws) > 2 {
			short := append([]byte(name+" "), ws[0]...)
			short = append(append(append(short, ", "...), ws[1]...), ", "...)
			return append(text[:at], strconv.AppendInt(short, n, 10)...), notes, nil
		}
	}
	if i := bytes.Index(text[at:], []byte("0xffffffff")); i >= 0 && !p.wide && len(text)-at-i == 18 {
		text = append(text[:at+i+2], text[at+i+10:]...) // an absolute branch
	}
	return text, notes, nil
}

// shift is what a rotation is called that shifts, and by how much.
func (p *printer) shift(in *mc.Inst) (string, int64) {
	imm := func(k int) int64 {
		if k < len(in.Ops) && in.Ops[k].IsImm() {
			return in.Ops[k].Imm()
		}
		return -1
	}
	switch n := imm(2); in.Op {
	case p.rlwinm:
		if n >= 0 && imm(3) == 0 && imm(4) == 31-n {
			return "slwi", n
		}
		if n >= 0 && imm(3) == 32-n && imm(4) == 31 {
			return "srwi", 32 - n
		}
	case p.rldicr, p.rldicr32:
		if n >= 0 && imm(3) == 63-n {
			return "sldi", n
		}
	}
	return "", 0
}
