package mctargetdesc

import (
	"bytes"
	"math"
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
)

// printer writes hints, and leaves all else to the printer of the tables.
type printer struct {
	mc.InstPrinter
	arm, thumb desc.Opcode
	short      desc.Opcode // Thumb's of two bytes
	lent       map[desc.Opcode]lender
	bits       map[string]uint16 // of features that hints and barriers name
	info       *desc.Info
	reg        func(b []byte, r desc.PhysReg) []byte
	sp         desc.PhysReg
	dsub       [2]desc.SubRegIdx // of the two registers of a pair with one between
	movsi, dsb desc.Opcode
	// barriers are the mnemonics of barriers that have no name of their own.
	barriers map[desc.Opcode]string
	eret     desc.Opcode
	// forms are those of forms.go; lone are opcodes of which one register is enough for a form of the stack.
	forms, stack map[desc.Opcode]string
	lone         map[desc.Opcode]bool
}

// hints are the names of hints by their numbers (Arm's manual, F5.1 and F4.2.3), what a
// subtarget must have for them, and whether Thumb's, of four bytes, are marked so.
var hints = map[int64]struct {
	name     string
	features []string
	wide     bool
}{
	0:  {"nop", nil, true},
	1:  {"yield", nil, true},
	2:  {"wfe", nil, true},
	3:  {"wfi", nil, true},
	4:  {"sev", nil, true},
	5:  {"sevl", []string{"v8"}, true},
	16: {"esb", []string{"ras"}, true},
	20: {"csdb", nil, false},
	22: {"clrbhb", []string{"v8", "clrbhb"}, false},
}

// conditions are the suffixes of conditions by number; 14 is always, 15 none.
var conditions = [...]string{"eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "", "<und>"}

// newPrinter puts the printer before that of the tables.
func newPrinter(t *mctarget.Target, p mc.InstPrinter) mc.InstPrinter {
	x := &printer{InstPrinter: p, bits: map[string]uint16{}, info: t.Info, forms: map[desc.Opcode]string{}, stack: map[desc.Opcode]string{}, lone: map[desc.Opcode]bool{}}
	if w, ok := p.(interface {
		AppendReg(b []byte, r desc.PhysReg) []byte
	}); ok {
		x.reg = w.AppendReg
		for _, f := range [...]struct {
			from map[string]string
			to   map[desc.Opcode]string
		}{{forms, x.forms}, {stackForms, x.stack}} {
			for name, text := range f.from {
				if op, ok := t.Info.OpcodeByName(name); ok {
					f.to[op] = text
					x.lone[op] = name[0] == 'V'
				}
			}
		}
	}
	x.sp, _ = t.Info.RegByName("sp")
	for i := range t.Info.SubRegIndices {
		switch t.Info.Str(t.Info.SubRegIndices[i].Name) {
		case "dsub_0":
			x.dsub[0] = desc.SubRegIdx(i)
		case "dsub_2":
			x.dsub[1] = desc.SubRegIdx(i)
		}
	}
	x.movsi, _ = t.Info.OpcodeByName("MOVsi")
	x.dsb, _ = t.Info.OpcodeByName("t2DSB")
	x.barriers = map[desc.Opcode]string{}
	for name, text := range map[string]string{"DSB": "dsb\t", "DMB": "dmb\t", "t2DMB": "dmb{p}\t"} {
		if op, ok := t.Info.OpcodeByName(name); ok {
			x.barriers[op] = text
		}
	}
	x.eret, _ = t.Info.OpcodeByName("t2SUBS_PC_LR")
	x.arm, _ = t.Info.OpcodeByName("HINT")
	x.thumb, _ = t.Info.OpcodeByName("t2HINT")
	x.short, _ = t.Info.OpcodeByName("tHINT")
	x.lent = map[desc.Opcode]lender{}
	for _, l := range lenders {
		if op, ok := t.Info.OpcodeByName(l.to); ok {
			from, _ := t.Info.OpcodeByName(l.from)
			x.lent[op] = lender{from, l.lender, l.word}
		}
	}
	for _, f := range [...]string{"v8", "ras", "clrbhb", "dfb", "virtualization"} {
		if k, ok := t.Info.FeatureByName(f); ok {
			x.bits[f] = t.Info.Features[k].Bit
		}
	}
	return x
}

// lender is an opcode as which another one is written, but for the mnemonic.
type lender struct {
	op       desc.Opcode
	from, to string
}

// AppendInst appends an instruction: what the tables have for it, where the vector
// predicate of a block ends the mnemonic, and minus nothing is written so.
func (p *printer) AppendInst(b, remarks []byte, ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, sym func([]byte, mc.Sym) []byte) (text, notes []byte, err error) {
	at := len(b)
	if text, notes, err = p.appendInst(b, remarks, ctx, st, in, sym); err != nil {
		return text, notes, err
	}
	if k := p.vectorAt(in.Op); k >= 0 && k < len(in.Ops) && in.Ops[k].IsImm() && in.Ops[k].Imm() != 0 && p.forms[in.Op] == "" {
		suffix := "t"
		if in.Ops[k].Imm() == 2 {
			suffix = "e"
		}
		end := bytes.IndexAny(text[at:], ".\t")
		if end < 0 {
			end = len(text) - at
		}
		text = slices.Insert(text, at+end, suffix[0])
	}
	if hasMinusNothing(in) && bytes.IndexByte(text[at:], '[') > 0 {
		text = append(text[:at], bytes.ReplaceAll(text[at:], []byte("#-2147483648"), []byte("#-0"))...)
	}
	return text, notes, nil
}

// hasMinusNothing reports an operand that subtracts 0 from an address.
func hasMinusNothing(in *mc.Inst) bool {
	return slices.ContainsFunc(in.Ops, func(o mc.Operand) bool { return o.IsImm() && o.Imm() == math.MinInt32 })
}

// vectorAt finds the vector predicate among the operands, -1 none.
func (p *printer) vectorAt(op desc.Opcode) int {
	ops := p.info.Operands(op)
	return slices.IndexFunc(ops, func(o desc.OperandInfo) bool { return o.Type == operandVPredR || o.Type == operandVPredN })
}

func (p *printer) appendInst(b, remarks []byte, ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, sym func([]byte, mc.Sym) []byte) (text, notes []byte, err error) {
	if l, ok := p.lent[in.Op]; ok {
		at := len(b)
		text, notes, err = p.InstPrinter.AppendInst(b, remarks, ctx, st, &mc.Inst{Op: l.op, Ops: in.Ops}, sym)
		if err == nil && bytes.HasPrefix(text[at:], []byte(l.from)) {
			copy(text[at:], l.to) // of the same length
		}
		return text, notes, err
	}
	if text, ok := p.special(b, st, in); ok {
		return text, remarks, nil
	}
	if f := p.form(in); f != "" {
		if text, ok := p.appendForm(b, in, f); ok {
			return text, remarks, nil
		}
	}
	if in.Op != p.arm && in.Op != p.thumb && in.Op != p.short || len(in.Ops) < 2 || !in.Ops[0].IsImm() || !in.Ops[1].IsImm() || uint64(in.Ops[1].Imm()) >= uint64(len(conditions)) {
		at := len(b)
		if text, notes, err = p.InstPrinter.AppendInst(b, remarks, ctx, st, in, sym); err != nil {
			if t, n, ok := p.borrowed(text[:at], notes, ctx, st, in, sym); ok {
				return t, n, nil
			}
		}
		return text, notes, err
	}
	n, cond := in.Ops[0].Imm(), conditions[in.Ops[1].Imm()]
	h, named := hints[n]
	for _, f := range h.features {
		named = named && st != nil && st.Has(p.bits[f])
	}
	if !named {
		h.name, h.wide = "hint", true
	}
	b = append(append(b, h.name...), cond...)
	if h.wide && in.Op == p.thumb {
		b = append(b, ".w"...)
	}
	if !named {
		b = strconv.AppendInt(append(b, "\t#"...), n, 10)
	}
	return b, remarks, nil
}

// special writes what is called otherwise for its operands: moves of shifted registers by
// the shift, and barriers and returns by what the processor has.
func (p *printer) special(b []byte, st *mc.Subtarget, in *mc.Inst) ([]byte, bool) {
	switch {
	case in.Op == p.movsi && len(in.Ops) > 2 && in.Ops[2].IsImm():
		v := in.Ops[2].Imm()
		kind, amount := v&7, v>>3
		if kind == 0 || kind >= int64(len(shifts)) {
			return b, false
		}
		form := shifts[kind] + "{s}{p}\t$0, $1"
		if kind != 5 {
			if amount == 0 && kind != 2 {
				amount = 32
			}
			form += ", #" + strconv.FormatInt(amount, 10)
		}
		return p.appendForm(b, in, form)
	case p.barriers[in.Op] != "" && in.Ops[0].IsImm() && !(in.Ops[0].Imm()&11 == 0 && p.barriers[in.Op] == "dsb\t"):
		return p.appendForm(b, in, p.barriers[in.Op]+p.barrier(st, in.Ops[0].Imm()))
	case in.Op == p.dsb && in.Ops[0].IsImm():
		name := ""
		switch n := in.Ops[0].Imm(); {
		case n == 0:
			name = "ssbb"
		case n == 4:
			name = "pssbb"
		case n == 12 && st != nil && st.Has(p.bits["dfb"]):
			name = "dfb"
		default:
			name = "dsb{p}\t" + p.barrier(st, n)
		}
		return p.appendForm(b, in, name)
	case in.Op == p.eret && in.Ops[0].IsImm() && in.Ops[0].Imm() == 0 && st != nil && st.Has(p.bits["virtualization"]):
		return p.appendForm(b, in, "eret{p}")
	}
	return b, false
}

// barrier is the name of what a barrier orders (Arm ARM, F6.1.55 DSB); those of loads alone are v8's.
func (p *printer) barrier(st *mc.Subtarget, n int64) string {
	loads := n&3 == 1
	if s := [...]string{"", "oshld", "oshst", "osh", "", "nshld", "nshst", "nsh", "", "ishld", "ishst", "ish", "", "ld", "st", "sy"}[n&15]; s != "" && (!loads || st != nil && st.Has(p.bits["v8"])) {
		return s
	}
	return "#0x" + strconv.FormatInt(n&15, 16)
}

// borrowed writes an instruction where the tables have no text for the number of a coprocessor,
// or for a condition that is none: with a number for which they have one, in whose place the
// instruction's own is put.
func (p *printer) borrowed(b, remarks []byte, ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, sym func([]byte, mc.Sym) []byte) (text, notes []byte, ok bool) {
	const lent = 1
	at := p.predicateAt(in.Op)
	for k := range in.Ops {
		if !in.Ops[k].IsImm() || uint64(in.Ops[k].Imm()) > 15 {
			continue
		}
		other := mc.Inst{Op: in.Op, Ops: slices.Clone(in.Ops)}
		other.Ops[k] = mc.Imm(lent)
		text, notes, err := p.InstPrinter.AppendInst(slices.Clone(b), remarks, ctx, st, &other, sym)
		if err != nil {
			continue
		}
		was, is := "p1,", "p"+strconv.FormatInt(in.Ops[k].Imm(), 10)+","
		if k == at {
			was, is = conditions[lent], conditions[in.Ops[k].Imm()]
		}
		if i := bytes.LastIndex(text[len(b):], []byte(was)); k != at && i > 0 {
			return slices.Concat(text[:len(b)+i], []byte(is), text[len(b)+i+len(was):]), notes, true
		}
		// A condition ends the mnemonic, before the type of its elements.
		name := bytes.IndexAny(text[len(b):], ".\t")
		if k == at && name > 0 && bytes.HasSuffix(text[:len(b)+name], []byte(was)) {
			return slices.Concat(text[:len(b)+name-len(was)], []byte(is), text[len(b)+name:]), notes, true
		}
	}
	return b, remarks, false
}
