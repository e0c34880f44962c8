package mctargetdesc

import (
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
)

// printer writes what the tables cannot say, and leaves all else to their printer.
type printer struct {
	regPrinter
	info   *desc.Info
	system systemNames
	forms  map[desc.Opcode]form
	v82    uint16 // the feature that has bfc
	wzr    desc.PhysReg
	xzr    desc.PhysReg
	low    desc.SubRegIdx // the low half of a register
	plain  bool           // no aliases
}

// regPrinter is the printer of the tables.
type regPrinter interface {
	mc.InstPrinter
	AppendReg(b []byte, r desc.PhysReg) []byte
}

// form tells how an opcode is written.
type form uint8

// The forms.
const (
	readSystem form = iota
	writeSystem
	operation
	signed32
	signed64
	unsigned32
	unsigned64
	insert32
	insert64
	hint
)

var formNames = [...]string{"MRS", "MSR", "SYSxt", "SBFMWri", "SBFMXri", "UBFMWri", "UBFMXri", "BFMWri", "BFMXri", "HINT"}

// extensions are their names by the highest bit.
var extensions = map[int64]string{7: "xtb", 15: "xth", 31: "xtw"}

// newPrinter puts the printer before that of the tables.
func newPrinter(t *mctarget.Target, p mc.InstPrinter) mc.InstPrinter {
	r, ok := p.(regPrinter)
	if !ok {
		return p
	}
	x := &printer{regPrinter: r, info: t.Info, forms: map[desc.Opcode]form{}}
	for f, n := range formNames {
		if op, ok := t.Info.OpcodeByName(n); ok {
			x.forms[op] = form(f)
		}
	}
	if k, ok := t.Info.FeatureByName("v8.2a"); ok {
		x.v82 = t.Info.Features[k].Bit
	}
	x.wzr, _ = t.Info.RegByName("wzr")
	x.xzr, _ = t.Info.RegByName("xzr")
	x.low, _ = t.Info.SubRegIndexByName("sub_32")
	for _, o := range t.PrinterOptions {
		x.plain = x.plain || o == "no-aliases"
	}
	return x
}

// AppendInst appends an instruction.
func (p *printer) AppendInst(b, remarks []byte, ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, sym func([]byte, mc.Sym) []byte) (text, notes []byte, err error) {
	if f, ok := p.forms[in.Op]; ok {
		if t, ok := p.form(b, f, st, in.Ops); ok {
			return t, remarks, nil
		}
	}
	return p.regPrinter.AppendInst(b, remarks, ctx, st, in, sym)
}

// form appends an instruction that is not the tables'; ok is false when it is.
func (p *printer) form(b []byte, f form, st *mc.Subtarget, ops []mc.Operand) (text []byte, ok bool) {
	switch {
	case f == readSystem && len(ops) == 2 && ops[0].IsReg() && ops[1].IsImm():
		b = append(p.AppendReg(append(b, "mrs\t"...), ops[0].Reg()), ", "...)
		return p.systemRegister(b, st, 'r', ops[1].Imm()), true
	case f == hint && len(ops) == 1 && ops[0].IsImm():
		if n, ok := p.system.find(p.info, st, 'h', ops[0].Imm()); ok && !p.plain {
			return append(b, n...), true
		}
		return strconv.AppendInt(append(b, "hint\t#"...), ops[0].Imm(), 10), true
	case f == writeSystem && len(ops) == 2 && ops[0].IsImm() && ops[1].IsReg():
		if ops[1].Reg() == p.xzr {
			if n, ok := p.system.find(p.info, st, 'i', ops[0].Imm()); ok {
				return append(append(b, "msr\t"...), n...), true
			}
		}
		b = p.systemRegister(append(b, "msr\t"...), st, 'w', ops[0].Imm())
		return p.AppendReg(append(b, ", "...), ops[1].Reg()), true
	case f == operation && len(ops) == 5 && ops[0].IsImm() && ops[1].IsImm() && ops[2].IsImm() && ops[3].IsImm() && ops[4].IsReg():
		return p.operation(b, st, ops), true
	case (f == insert32 || f == insert64) && len(ops) == 5 && ops[3].IsImm() && ops[4].IsImm():
		return p.insert(b, f, st, ops)
	case f >= signed32 && f < insert32 && len(ops) == 4 && ops[2].IsImm() && ops[3].IsImm() && !p.plain:
		return p.extract(b, f, ops)
	}
	return b, false
}

func (p *printer) systemRegister(b []byte, st *mc.Subtarget, kind byte, enc int64) []byte {
	if n, ok := p.system.find(p.info, st, kind, enc); ok {
		return append(b, n...)
	}
	return plainRegister(b, enc)
}

// operation appends sys or the name of what it does (at, dc, ic, tlbi, …).
func (p *printer) operation(b []byte, st *mc.Subtarget, ops []mc.Operand) []byte {
	o := [4]int64{ops[0].Imm(), ops[1].Imm(), ops[2].Imm(), ops[3].Imm()}
	r := ops[4].Reg()
	enc := o[0]<<11 | o[1]<<7 | o[2]<<3 | o[3]
	switch {
	case p.plain:
	case r == p.xzr:
		if n, ok := p.system.find(p.info, st, 'z', enc); ok {
			return append(b, n...)
		}
	default:
		if n, ok := p.system.find(p.info, st, 'x', enc); ok {
			return p.AppendReg(append(append(b, n...), ", "...), r)
		}
	}
	b = strconv.AppendInt(append(b, "sys\t#"...), o[0], 10)
	b = strconv.AppendInt(append(b, ", c"...), o[1], 10)
	b = strconv.AppendInt(append(b, ", c"...), o[2], 10)
	b = strconv.AppendInt(append(b, ", #"...), o[3], 10)
	if r != p.xzr || p.plain {
		b = p.AppendReg(append(b, ", "...), r)
	}
	return b
}

// field appends mnemonic, two registers and numbers.
func (p *printer) field(b []byte, name string, rd, rn desc.PhysReg, nums ...int64) []byte {
	b = p.AppendReg(append(append(b, name...), '\t'), rd)
	if rn != 0 {
		b = p.AppendReg(append(b, ", "...), rn)
	}
	for _, n := range nums {
		b = strconv.AppendInt(append(b, ", #"...), n, 10)
	}
	return b
}

// extract appends sbfm and ubfm by the names that Arm's manual prefers (C6.2):
// shifts, extensions, insertions into zeros, extractions.
func (p *printer) extract(b []byte, f form, ops []mc.Operand) (text []byte, ok bool) {
	rd, rn, r, s := ops[0].Reg(), ops[1].Reg(), ops[2].Imm(), ops[3].Imm()
	size, sign := int64(32), "u"
	if f == signed64 || f == unsigned64 {
		size = 64
	}
	if f == signed32 || f == signed64 {
		sign = "s"
	}
	if sign == "s" || size == 32 { // extensions read the low half
		if name := extensions[s]; r == 0 && s < size-1 && name != "" && (s < 31 || sign == "s") {
			if size == 64 {
				rn = p.info.SubReg(rn, p.low)
			}
			return p.field(b, sign+name, rd, rn), true
		}
	}
	switch {
	case sign == "u" && s != size-1 && s+1 == r:
		return p.field(b, "lsl", rd, rn, size-1-s), true
	case s == size-1 && sign == "u":
		return p.field(b, "lsr", rd, rn, r), true
	case s == size-1:
		return p.field(b, "asr", rd, rn, r), true
	case r > s:
		return p.field(b, sign+"bfiz", rd, rn, size-r, s+1), true
	}
	return p.field(b, sign+"bfx", rd, rn, r, s-r+1), true
}

// insert appends bfm, which has a name whatever its operands are.
func (p *printer) insert(b []byte, f form, st *mc.Subtarget, ops []mc.Operand) (text []byte, ok bool) {
	rd, rn, r, s := ops[0].Reg(), ops[2].Reg(), ops[3].Imm(), ops[4].Imm()
	size := int64(32)
	if f == insert64 {
		size = 64
	}
	zero := rn == p.wzr || rn == p.xzr
	switch {
	case zero && (r == 0 || s < r) && st != nil && st.Has(p.v82):
		return p.field(b, "bfc", rd, 0, (size-r)%size, s+1), true
	case s < r:
		return p.field(b, "bfi", rd, rn, (size-r)%size, s+1), true
	}
	return p.field(b, "bfxil", rd, rn, r, s-r+1), true
}
