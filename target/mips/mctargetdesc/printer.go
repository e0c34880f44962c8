package mctargetdesc

import (
	"bytes"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
)

// shorter is how an opcode is written when one operand is a certain register, which is
// then left out.
type shorter struct {
	op      int
	reg     string // by its name in the facts, in lower case
	name    string // instead of the mnemonic; "" leaves it
	without string // instead of it, where operand 0 is that register, too, and left out
}

var shorterForms = [...]struct {
	opcode string
	shorter
}{
	{"BEQ", shorter{1, "zero", "beqz", "b"}},
	{"BEQL", shorter{1, "zero", "beqzl", ""}},
	{"BC1FL", shorter{0, "fcc0", "", ""}},
	{"BC1TL", shorter{0, "fcc0", "", ""}},
}

// printer shortens what the printer of the tables writes.
type printer struct {
	mc.InstPrinter
	forms map[desc.Opcode]shorter
	regs  map[string]desc.PhysReg
}

// newPrinter puts the printer behind that of the tables.
func newPrinter(t *mctarget.Target, p mc.InstPrinter) mc.InstPrinter {
	for _, o := range t.PrinterOptions {
		if o == "no-aliases" {
			return p
		}
	}
	x := &printer{InstPrinter: p, forms: map[desc.Opcode]shorter{}, regs: map[string]desc.PhysReg{}}
	for _, f := range shorterForms {
		if op, ok := t.Info.OpcodeByName(f.opcode); ok {
			x.forms[op] = f.shorter
		}
		x.regs[f.reg], _ = t.Info.RegByName(f.reg)
	}
	return x
}

// AppendInst appends an instruction.
func (p *printer) AppendInst(b, remarks []byte, ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, sym func([]byte, mc.Sym) []byte) (text, notes []byte, err error) {
	at := len(b)
	text, notes, err = p.InstPrinter.AppendInst(b, remarks, ctx, st, in, sym)
	f, ok := p.forms[in.Op]
	is := func(op int) bool { return in.Ops[op].IsReg() && in.Ops[op].Reg() == p.regs[f.reg] }
	if err != nil || !ok || len(in.Ops) <= f.op || !is(f.op) {
		return text, notes, err
	}
	name, rest, ok := bytes.Cut(text[at:], []byte("\t"))
	ops := bytes.Split(rest, []byte(", "))
	if !ok || len(ops) != len(in.Ops) {
		return text, notes, nil // the tables have a form for it
	}
	if f.name != "" {
		name = []byte(f.name)
	}
	ops = append(ops[:f.op:f.op], ops[f.op+1:]...)
	if f.without != "" && is(0) {
		name, ops = []byte(f.without), ops[1:]
	}
	short := append(append(append([]byte(nil), name...), '\t'), bytes.Join(ops, []byte(", "))...)
	return append(text[:at], short...), notes, nil
}
