package mctargetdesc

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/target/aarch64/tab"
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
	even   desc.SubRegIdx // the registers of a pair
	odd    desc.SubRegIdx
	names  *operationNames
	plain  bool // no aliases
	hex    bool // immediates are hexadecimal
	moves  map[desc.Opcode]move
	// remarks are what is said again behind instructions.
	remarks map[desc.Opcode]remark
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
	readPair
	writePair
	operationPair
	addExtended
	addExtended32
	addExtended64
	subExtended
	subExtended32
	subExtended64
	addsExtended
	addsExtended32
	addsExtended64
	subsExtended
	subsExtended32
	subsExtended64
	addHalf
	clearWord
	operationResult
	loadArray
	storeArray
	zeroTiles
	operationZero
	barrierForm
	authModifier
)

var formNames = [...]string{"MRS", "MSR", "SYSxt", "SBFMWri", "SBFMXri", "UBFMWri", "UBFMXri", "BFMWri", "BFMXri", "HINT", "MRRS", "MSRR", "SYSPxt", "ADDXrx", "ADDWrx", "ADDXrx64", "SUBXrx", "SUBWrx", "SUBXrx64", "ADDSXrx", "ADDSWrx", "ADDSXrx64", "SUBSXrx", "SUBSWrx", "SUBSXrx64", "LDADDAH", "LDCLRAW", "SYSLxt", "LDR_ZA", "STR_ZA", "ZERO_M", "SYSPxt_XZR", "DSB", "PACM"}

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
	x.even, _ = t.Info.SubRegIndexByName("sube64")
	x.odd, _ = t.Info.SubRegIndexByName("subo64")
	x.names = &operationNames{info: t.Info}
	x.moves, x.remarks = movesByOpcode(t.Info), remarksByOpcode(t.Info)
	for _, o := range t.PrinterOptions {
		x.plain = x.plain || o == "no-aliases"
		x.hex = x.hex || o == "print-imm-hex"
	}
	return x
}

// AppendInst appends an instruction.
func (p *printer) AppendInst(b, remarks []byte, ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, sym func([]byte, mc.Sym) []byte) (text, notes []byte, err error) {
	at := len(b)
	text, notes, err = p.decimal(b, remarks, ctx, st, in, sym)
	if err == nil && bytes.HasPrefix(text[at:], []byte("prfm\t")) && !p.names.has(st, "prfm-slc-target") && !p.names.has(st, "all") {
		text = p.plainPrefetch(text, at)
	}
	if err == nil && p.hex {
		text = hexNumbers(text, at)
	}
	return text, notes, err
}

// plainPrefetch writes a prefetch of the system level cache by its number.
func (p *printer) plainPrefetch(b []byte, at int) []byte {
	text := string(b[at:])
	word, rest, ok := strings.Cut(text[len("prfm\t"):], ",")
	if v, known := prefetchByName('p', word); ok && known && v>>1&3 == 3 {
		b = p.number(append(b[:at], "prfm\t#"...), v)
		return append(append(b, ','), rest...)
	}
	return b
}

// rotations are the instructions whose last number is an angle.
var rotations = map[string]bool{"fcadd": true, "fcmla": true, "cadd": true, "sqcadd": true, "cmla": true, "sqrdcmlah": true, "cdot": true}

// hexNumbers writes the numbers behind '#' from b[at] on in hexadecimal, but for amounts of shifts and
// extensions and what is added to the register of structures of vectors.
func hexNumbers(b []byte, at int) []byte {
	text := string(b[at:])
	b = b[:at]
	structure := len(text) > 4 && (text[:2] == "ld" || text[:2] == "st") && text[2] >= '1' && text[2] <= '4' && (text[3] == '\t' || text[3] == 'r') && strings.Contains(text, "{ v")
	mnemonic, _, _ := strings.Cut(text, "\t")
	rotation := rotations[mnemonic]
	for i := 0; i < len(text); {
		b = append(b, text[i])
		i++
		if text[i-1] != '#' || structure {
			continue
		}
		if w := text[:i-1]; len(w) > 4 && w[len(w)-1] == ' ' && shiftNames[w[len(w)-4:len(w)-1]] != 0 || len(w) > 5 && shiftNames[w[max(len(w)-5, 0):len(w)-1]] != 0 {
			continue
		}
		j := i
		if j < len(text) && text[j] == '-' {
			j++
		}
		for j < len(text) && isDigit(text[j]) {
			j++
		}
		if j < len(text) && (text[j] == '.' || text[j] == 'x') {
			continue
		}
		v, err := strconv.ParseInt(text[i:j], 10, 64)
		switch {
		case err != nil || rotation && j == len(text):
			continue
		case v < 0:
			b = strconv.AppendUint(append(b, "-0x"...), uint64(-v), 16)
		default:
			b = strconv.AppendUint(append(b, "0x"...), uint64(v), 16)
		}
		i = j
	}
	return b
}

// decimal appends an instruction with the numbers that are not marked hexadecimal in decimal.
func (p *printer) decimal(b, remarks []byte, ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, sym func([]byte, mc.Sym) []byte) (text, notes []byte, err error) {
	if f, ok := p.forms[in.Op]; ok {
		if t, ok := p.form(b, f, st, in.Ops); ok {
			return t, remarks, nil
		}
	}
	if m, ok := p.moves[in.Op]; ok {
		if t, notes, ok := p.move(b, remarks, m, ctx, in, sym); ok {
			return t, notes, nil
		}
	}
	if r, ok := p.remarks[in.Op]; ok {
		if r.kind == remarkMask {
			if t, notes, ok := p.mask(b, remarks, r, in); ok {
				return t, notes, nil
			}
		} else if t, notes, ok := p.bytes(b, remarks, r, in); ok {
			return t, notes, nil
		} else {
			remarks = p.remark(remarks, r, in)
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
	case f == authModifier && !p.names.has(st, "pauth-lr") && !p.names.has(st, "all"):
		return append(b, "hint\t#39"...), true
	case f == writeSystem && len(ops) == 2 && ops[0].IsImm() && ops[1].IsReg():
		if ops[1].Reg() == p.xzr {
			if n, ok := p.system.find(p.info, st, 'i', ops[0].Imm()); ok {
				return append(append(b, "msr\t"...), n...), true
			}
		}
		b = p.systemRegister(append(b, "msr\t"...), st, 'w', ops[0].Imm())
		return p.AppendReg(append(b, ", "...), ops[1].Reg()), true
	case f == readPair && len(ops) == 2 && ops[0].IsReg() && ops[1].IsImm():
		b = append(p.pair(append(b, "mrrs\t"...), ops[0].Reg()), ", "...)
		return p.systemRegister(b, st, 'r', ops[1].Imm()), true
	case f == writePair && len(ops) == 2 && ops[0].IsImm() && ops[1].IsReg():
		b = append(p.systemRegister(append(b, "msrr\t"...), st, 'w', ops[0].Imm()), ", "...)
		return p.pair(b, ops[1].Reg()), true
	case f == operationPair && len(ops) == 5 && ops[0].IsImm() && ops[1].IsImm() && ops[2].IsImm() && ops[3].IsImm() && ops[4].IsReg() && !p.plain:
		o := [4]int64{ops[0].Imm(), ops[1].Imm(), ops[2].Imm(), ops[3].Imm()}
		return p.pairOperation(b, st, o, ops[4].Reg())
	case f >= addExtended && f <= subsExtended64 && len(ops) == 4 && ops[0].IsReg() && ops[1].IsReg() && ops[2].IsReg() && ops[3].IsImm():
		return p.extended(b, f, ops), true
	case (f == addHalf || f == clearWord) && len(ops) == 3 && ops[0].IsReg() && ops[1].IsReg() && ops[2].IsReg():
		b = append(b, map[form]string{addHalf: "ldaddah\t", clearWord: "ldclra\t"}[f]...)
		b = p.AppendReg(append(p.AppendReg(b, ops[1].Reg()), ", "...), ops[0].Reg())
		return append(p.AppendReg(append(b, ", ["...), ops[2].Reg()), ']'), true
	case (f == loadArray || f == storeArray) && len(ops) == 5 && ops[1].IsReg() && ops[2].IsImm() && ops[3].IsReg() && ops[4].IsImm():
		b = append(b, map[form]string{loadArray: "ldr\tza[", storeArray: "str\tza["}[f]...)
		b = strconv.AppendInt(append(p.AppendReg(b, ops[1].Reg()), ", "...), ops[2].Imm(), 10)
		b = p.AppendReg(append(b, "], ["...), ops[3].Reg())
		if n := ops[4].Imm(); n != 0 {
			b = append(p.number(append(b, ", #"...), n), ", mul vl"...)
		}
		return append(b, ']'), true
	case f == barrierForm && len(ops) == 1 && ops[0].IsImm() && ops[0].Imm() == 12 && !p.names.has(st, "v8r"):
		return append(b, "dsb\t#12"...), true
	case f == zeroTiles && len(ops) == 1 && ops[0].IsImm() && !p.plain:
		return appendTiles(b, uint8(ops[0].Imm())), true
	case f == operationZero && len(ops) >= 4 && ops[0].IsImm() && ops[1].IsImm() && ops[2].IsImm() && ops[3].IsImm() && !p.plain:
		o := [4]int64{ops[0].Imm(), ops[1].Imm(), ops[2].Imm(), ops[3].Imm()}
		return p.pairOperation(b, st, o, p.xzr)
	case f == operationResult && len(ops) == 5 && ops[0].IsReg() && ops[1].IsImm() && ops[2].IsImm() && ops[3].IsImm() && ops[4].IsImm() && !p.plain:
		enc := uint32(ops[1].Imm()<<11 | ops[2].Imm()<<7 | ops[3].Imm()<<3 | ops[4].Imm())
		for _, row := range p.names.find(tab.SystemGICR, enc) {
			if p.names.allowed(st, row) {
				return append(append(p.AppendReg(append(b, "gicr\t"...), ops[0].Reg()), ", "...), strings.ToLower(row.Name)...), true
			}
		}
		return b, false
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

// appendTiles appends zero of tiles, which are the widest that make up the mask.
func appendTiles(b []byte, mask uint8) []byte {
	b = append(b, "zero\t{"...)
	switch n, letter, step := 8, byte('d'), uint8(1); {
	case mask == 0xff:
		b = append(b, "za"...)
	default:
		switch {
		case mask == 0x55 || mask == 0xaa:
			n, letter, step = 2, 'h', 0x55
		case mask>>4 == mask&15:
			n, letter, step = 4, 's', 0x11
		}
		first := true
		for i := range n {
			if mask&(step<<i) == 0 {
				continue
			}
			if !first && letter == 'd' {
				b = append(b, ", "...)
			} else if !first {
				b = append(b, ',') // as LLVM's aliases are written
			}
			first = false
			b = append(strconv.AppendInt(append(b, "za"...), int64(i), 10), '.', letter)
		}
	}
	return append(b, '}')
}

// pair appends the two registers of a pair.
func (p *printer) pair(b []byte, r desc.PhysReg) []byte {
	if r == p.xzr {
		return append(b, "xzr, xzr"...)
	}
	return p.AppendReg(append(p.AppendReg(b, p.info.SubReg(r, p.even)), ", "...), p.info.SubReg(r, p.odd))
}

// extended appends a sum or difference with an extended register. With the stack pointer the
// extension that changes nothing is a shift.
func (p *printer) extended(b []byte, f form, ops []mc.Operand) []byte {
	name := [...]string{"add", "sub", "adds", "subs"}[(f-addExtended)/3]
	rd := ops[0].Reg()
	zero := rd == p.xzr || rd == p.wzr
	switch {
	case zero && name == "subs" && !p.plain:
		b = append(b, "cmp\t"...)
	case zero && name == "adds" && !p.plain:
		b = append(b, "cmn\t"...)
	default:
		b = append(p.AppendReg(append(append(b, name...), '\t'), rd), ", "...)
	}
	b = p.AppendReg(append(p.AppendReg(b, ops[1].Reg()), ", "...), ops[2].Reg())
	ext, amount := ops[3].Imm()>>3&7, ops[3].Imm()&7
	ename := [...]string{"uxtb", "uxth", "uxtw", "uxtx", "sxtb", "sxth", "sxtw", "sxtx"}[ext]
	stack := func(name string) bool { return p.info.RegName(rd) == name || p.info.RegName(ops[1].Reg()) == name }
	if ext == 3 && stack("SP") || ext == 2 && stack("WSP") {
		if amount == 0 {
			return b
		}
		ename = "lsl"
	}
	b = append(append(b, ", "...), ename...)
	if amount != 0 {
		b = strconv.AppendInt(append(b, " #"...), amount, 10)
	}
	return b
}

// operation appends sys or the name of what it does (at, dc, ic, tlbi, …).
func (p *printer) operation(b []byte, st *mc.Subtarget, ops []mc.Operand) []byte {
	o := [4]int64{ops[0].Imm(), ops[1].Imm(), ops[2].Imm(), ops[3].Imm()}
	r := ops[4].Reg()
	if !p.plain {
		if t, ok := p.named(b, st, o, r); ok {
			return t
		}
	}
	b = p.number(append(b, "sys\t#"...), o[0])
	b = strconv.AppendInt(append(b, ", c"...), o[1], 10)
	b = strconv.AppendInt(append(b, ", c"...), o[2], 10)
	b = p.number(append(b, ", #"...), o[3])
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
