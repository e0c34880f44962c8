package mctargetdesc

import (
	"bytes"
	"slices"

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
	{"BGEZAL_MM", shorter{0, "zero", "bal", ""}},
	{"BC1FL", shorter{0, "fcc0", "", ""}},
	{"BC1TL", shorter{0, "fcc0", "", ""}},
	{"JALR_HB", shorter{0, "ra_64", "", ""}}, // as which that of 64 bits is written
}

// printer shortens what the printer of the tables writes.
type printer struct {
	mc.InstPrinter
	forms map[desc.Opcode]shorter
	regs  map[string]desc.PhysReg
	info  *desc.Info
	// other writes opcodes without a text in the tables.
	other     map[desc.Opcode]func(p *printer, b []byte, in *mc.Inst) []byte
	noAliases bool
	like      map[desc.Opcode]desc.Opcode // written as another opcode
}

// alike are opcodes that are written as others.
var alike = map[string]string{"JALR_HB64": "JALR_HB", "JIALC64": "JIALC", "JIC64": "JIC"}

// untold are the opcodes whose texts the tables do not have.
var untold = map[string]func(p *printer, b []byte, in *mc.Inst) []byte{
	"LWM32_MM": (*printer).appendList, "SWM32_MM": (*printer).appendList, "LWM16_MM": (*printer).appendList, "SWM16_MM": (*printer).appendList,
	"LWM16_MMR6": (*printer).appendList, "SWM16_MMR6": (*printer).appendList,
	"INS": (*printer).appendInsert, "INS_MM": (*printer).appendInsert, "INS_MMR6": (*printer).appendInsert, "DINS": (*printer).appendInsert, "DINSM": (*printer).appendInsert,
	"DINSU":      (*printer).appendInsert,
	"C_UEQ_S_MM": (*printer).appendCompare, "C_EQ_D64": (*printer).appendCompare, "C_LE_D64": (*printer).appendCompare, "C_NGE_S_MM": (*printer).appendCompare,
	"C_NGT_D64": (*printer).appendCompare, "C_OLT_S": (*printer).appendCompare, "C_ULE_D64": (*printer).appendCompare, "C_ULE_S_MM": (*printer).appendCompare,
	"C_ULT_D64": (*printer).appendCompare, "C_UN_D32_MM": (*printer).appendCompare,
}

// newPrinter puts the printer behind that of the tables.
func newPrinter(t *mctarget.Target, p mc.InstPrinter) mc.InstPrinter {
	x := &printer{InstPrinter: p, forms: map[desc.Opcode]shorter{}, regs: map[string]desc.PhysReg{}, info: t.Info, noAliases: slices.Contains(t.PrinterOptions, "no-aliases"),
		other: map[desc.Opcode]func(p *printer, b []byte, in *mc.Inst) []byte{}, like: map[desc.Opcode]desc.Opcode{}}
	for name, f := range untold {
		if op, ok := t.Info.OpcodeByName(name); ok {
			x.other[op] = f
		}
	}
	for name, as := range alike {
		if op, ok := t.Info.OpcodeByName(name); ok {
			x.like[op], _ = t.Info.OpcodeByName(as)
		}
	}
	if x.noAliases {
		return x
	}
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
	if f := p.other[in.Op]; f != nil {
		return f(p, b, in), remarks, nil
	}
	if n := p.info.OpcodeName(in.Op); (n == "Move32R16" || n == "MoveR3216") && len(in.Ops) == 2 && in.Ops[0].Reg() == p.regs["zero"] && p.info.RegName(in.Ops[1].Reg()) == "S0" {
		return append(b, "nop"...), remarks, nil
	}
	if op, ok := p.like[in.Op]; ok {
		in = &mc.Inst{Op: op, Ops: in.Ops}
	}
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
