package mctargetdesc

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// insnFormat is one of the formats of .insn (the assembler manual's chapter on RISC-V):
// its operands as they are written and where each stands in the instruction. Operands are
//
//	O o    an opcode of 7 or 2 bits, or its name
//	2 … 8  an unsigned number of so many bits
//	r c    a register; one of the eight that compressed instructions name
//	i      a number of 12 bits or a symbol with %lo; M one with a register behind it, m one of 5 bits
//	s      a signed number of 6 bits
//	u      an unsigned number of 20 bits or a symbol with %hi
//	B J    the target of a branch of 13 bits, of a jump of 21 bits; b and k those of compressed ones
type insnFormat struct {
	name, opcode string
	operands     string
	order        string // the written operand of each of the instruction's; of M and m the number is before the register
}

var insnFormats = [...]insnFormat{
	{"r", "InsnR", "O37rrr", "301245"}, {"r", "InsnR4", "O32rrrr", "3012456"}, {"r4", "InsnR4", "O32rrrr", "3012456"},
	{"i", "InsnI", "O3rri", "20134"}, {"i", "InsnI_Mem", "O3rM", "20143"}, {"s", "InsnS", "O3rM", "01243"},
	{"b", "InsnB", "O3rrB", "01234"}, {"sb", "InsnB", "O3rrB", "01234"}, {"u", "InsnU", "Oru", "102"}, {"j", "InsnJ", "OrJ", "102"}, {"uj", "InsnJ", "OrJ", "102"},
	{"cr", "InsnCR", "o4rr", "2013"}, {"ci", "InsnCI", "o3rs", "2013"}, {"ciw", "InsnCIW", "o3c8", "2013"}, {"css", "InsnCSS", "o3r6", "0123"},
	{"cl", "InsnCL", "o3cm", "20143"}, {"cs", "InsnCS", "o3cm", "01243"}, {"ca", "InsnCA", "o62cc", "30124"}, {"cb", "InsnCB", "o3cb", "0123"}, {"cj", "InsnCJ", "o3k", "012"},
}

// insnOpcodes are names of opcodes (the ISA manual's table of the base opcode map).
var insnOpcodes = map[string]int64{
	"LOAD": 0x03, "LOAD_FP": 0x07, "CUSTOM_0": 0x0b, "MISC_MEM": 0x0f, "OP_IMM": 0x13, "AUIPC": 0x17, "OP_IMM_32": 0x1b, "STORE": 0x23, "STORE_FP": 0x27,
	"CUSTOM_1": 0x2b, "AMO": 0x2f, "OP": 0x33, "LUI": 0x37, "OP_32": 0x3b, "MADD": 0x43, "MSUB": 0x47, "NMSUB": 0x4b, "NMADD": 0x4f, "OP_FP": 0x53, "OP_V": 0x57,
	"CUSTOM_2": 0x5b, "BRANCH": 0x63, "JALR": 0x67, "JAL": 0x6f, "SYSTEM": 0x73, "OP_VE": 0x77, "CUSTOM_3": 0x7b, "C0": 0, "C1": 1, "C2": 2,
}

// insn reads an instruction that is given by its fields or its bits.
func (p *parser) insn(l *line) error {
	l.blanks()
	at := l.pos
	name := ""
	if l.pos < len(l.text) && isIdent(l.text[l.pos]) && l.text[l.pos] != '.' {
		name = l.word()
	}
	if name == "" {
		return p.insnBits(l, at)
	}
	known := false
	var failed error
	for i := range insnFormats {
		f := &insnFormats[i]
		if f.name != name {
			continue
		}
		known = true
		try := *l
		in, err := p.insnFields(&try, f)
		if err == nil {
			return l.a.Emit(in)
		}
		if failed == nil || err.(*mc.ParseError).Start >= failed.(*mc.ParseError).Start {
			failed = err
		}
	}
	if !known {
		return l.errorAt(at, "invalid instruction format")
	}
	return failed
}

// insnBits reads bits with or without their length in bytes.
func (p *parser) insnBits(l *line, at int) error {
	absolute := func() (int64, error) {
		x, v, end, err := l.a.Expr(l.text, l.pos)
		if err != nil {
			return 0, err
		}
		if x != 0 {
			return 0, l.here("expected absolute expression")
		}
		l.pos = end
		return v, nil
	}
	v, err := absolute()
	if err != nil {
		return err
	}
	size, given := int64(0), false
	if l.is(',') {
		l.pos++
		size, given = v, true
		switch {
		case size == 0 || size%2 != 0:
			return l.errorAt(at, "instruction lengths must be a non-zero multiple of two")
		case size > 8 || size < 0:
			return l.errorAt(at, "instruction lengths over 64 bits are not supported")
		}
		l.blanks()
		if v, err = absolute(); err != nil {
			return err
		}
	}
	own := int64(2)
	if v&3 == 3 {
		own = 4
	}
	switch {
	case !given:
		size = own
	case size <= 4 && size != own:
		return l.errorAt(at, "instruction length does not match the encoding")
	}
	if size < 8 && uint64(v)>>(8*size) != 0 {
		return l.errorAt(at, "encoding value does not fit into instruction")
	}
	if own == 2 && !has(l.a, "zca") {
		return l.errorAt(at, "compressed instructions are not allowed")
	}
	if !l.atEnd() {
		if l.is(',') {
			l.pos++
		}
		return l.here("invalid operand for instruction")
	}
	op, ok := p.Info.OpcodeByName("Insn" + strconv.FormatInt(8*size, 10))
	if !ok {
		return l.errorAt(at, "instructions of this length are not supported")
	}
	return l.a.Emit(new(mc.Inst).Set(op, mc.Imm(v)))
}

// insnFields reads the operands of a format.
func (p *parser) insnFields(l *line, f *insnFormat) (*mc.Inst, error) {
	var ops []mc.Operand
	for k, kind := range []byte(f.operands) {
		if k > 0 {
			if !l.is(',') {
				if l.atEnd() {
					return nil, l.errorAt(0, "too few operands for instruction")
				}
				return nil, l.here("unexpected token")
			}
			l.pos++
		}
		if l.atEnd() {
			return nil, l.errorAt(0, "too few operands for instruction")
		}
		o, err := p.insnOperand(l, kind)
		if err != nil {
			return nil, err
		}
		ops = append(ops, o)
		if kind != 'M' && kind != 'm' {
			continue
		}
		if !l.is('(') {
			return nil, l.here("invalid operand for instruction")
		}
		l.pos++
		reg := byte('r')
		if kind == 'm' {
			reg = 'c'
		}
		if o, err = p.insnOperand(l, reg); err != nil {
			return nil, err
		}
		ops = append(ops, o)
		if !l.is(')') {
			return nil, l.here("expected ')'")
		}
		l.pos++
	}
	if !l.atEnd() {
		if l.is(',') {
			l.pos++
		}
		return nil, l.here("invalid operand for instruction")
	}
	op, ok := p.Info.OpcodeByName(f.opcode)
	if !ok {
		return nil, l.errorAt(0, "this format is not supported")
	}
	in := new(mc.Inst).Reset(op)
	for _, k := range []byte(f.order) {
		in.Add(ops[k-'0'])
	}
	return in, nil
}

// insnOperand reads one operand of a format.
func (p *parser) insnOperand(l *line, kind byte) (mc.Operand, error) {
	l.blanks()
	at := l.pos
	if kind == 'r' || kind == 'c' {
		r, end, ok := p.ParseRegister(l.a, l.text, l.pos)
		if !ok || kind == 'c' && !compressedReg(p.Info, r) {
			return mc.Operand{}, l.errorAt(at, "invalid operand for instruction")
		}
		l.pos = end
		return mc.Reg(r), nil
	}
	lo, hi, step, msg := int64(0), int64(0), int64(1), ""
	switch kind {
	case 'O':
		hi, msg = 127, "opcode must be a valid opcode name or an immediate in the range [0, 127]"
	case 'o':
		hi, msg = 2, "opcode must be a valid opcode name or an immediate in the range [0, 2]"
	case 'i', 'M':
		lo, hi, msg = -2048, 2047, "operand must be a symbol with %lo/%pcrel_lo/%tprel_lo specifier or an integer in the range [-2048, 2047]"
	case 'm':
		hi = 31
	case 's':
		lo, hi = -32, 31
	case 'u':
		hi, msg = 1048575, "operand must be a symbol with %hi/%tprel_hi specifier or an integer in the range [0, 1048575]"
	case 'B':
		lo, hi, step = -4096, 4094, 2
	case 'J':
		lo, hi, step = -1048576, 1048574, 2
	case 'b':
		lo, hi, step = -256, 254, 2
	case 'k':
		lo, hi, step = -2048, 2046, 2
	default:
		hi = 1<<(kind-'0') - 1
	}
	switch {
	case msg == "" && step > 1:
		msg = fmt.Sprintf("immediate must be a multiple of %d bytes in the range [%d, %d]", step, lo, hi)
	case msg == "":
		msg = fmt.Sprintf("immediate must be an integer in the range [%d, %d]", lo, hi)
	}
	if kind == 'O' || kind == 'o' {
		if w := l.word(); w != "" {
			v, ok := insnOpcodes[w]
			if !ok || v > hi {
				return mc.Operand{}, l.errorAt(at, msg)
			}
			return mc.Imm(v), nil
		}
	}
	if kind == 'M' || kind == 'm' {
		if l.is('(') { // nothing before the register is 0
			return mc.Imm(0), nil
		}
	}
	if _, _, ok := p.ParseRegister(l.a, l.text, l.pos); ok && isIdent(l.text[at]) {
		return mc.Operand{}, l.errorAt(at, msg)
	}
	x, v, end, err := l.a.Expr(l.text, l.pos)
	if err != nil {
		return mc.Operand{}, err
	}
	if x != 0 {
		if strings.IndexByte("iMuBJbk", kind) < 0 || step == 1 && l.text[at] != '%' {
			return mc.Operand{}, l.errorAt(at, msg)
		}
		l.pos = end
		return mc.ExprOp(x), nil
	}
	if !has(l.a, "64bit") && v>>31 == 1 && lo < 0 {
		v = int64(int32(v))
	}
	if v < lo || v > hi || v%step != 0 {
		return mc.Operand{}, l.errorAt(at, msg)
	}
	l.pos = end
	return mc.Imm(v), nil
}

// compressedReg reports one of the registers that three bits name.
func compressedReg(info *desc.Info, r desc.PhysReg) bool {
	e := info.Regs[r].Encoding
	return e >= 8 && e < 16
}

// insnText is how an instruction of a format is written, with "$n" for its operands.
func insnText(f *insnFormat) string {
	var b strings.Builder
	b.WriteString(".insn " + f.name)
	at := 0
	operand := func() {
		fmt.Fprintf(&b, "$%d", strings.IndexByte(f.order, byte('0'+at)))
		at++
	}
	for k, kind := range []byte(f.operands) {
		if k == 0 {
			b.WriteByte(' ')
		} else {
			b.WriteString(", ")
		}
		operand()
		if kind == 'M' || kind == 'm' {
			b.WriteByte('(')
			operand()
			b.WriteByte(')')
		}
	}
	return b.String()
}
