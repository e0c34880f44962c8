package mctargetdesc

import (
	"bytes"
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
	bits       map[string]uint16 // of features that hints name
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

// conditions are the suffixes of conditions by number; the last is always.
var conditions = [...]string{"eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", ""}

// newPrinter puts the printer before that of the tables.
func newPrinter(t *mctarget.Target, p mc.InstPrinter) mc.InstPrinter {
	x := &printer{InstPrinter: p, bits: map[string]uint16{}}
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
	for _, f := range [...]string{"v8", "ras", "clrbhb"} {
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

// AppendInst appends an instruction.
func (p *printer) AppendInst(b, remarks []byte, ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, sym func([]byte, mc.Sym) []byte) (text, notes []byte, err error) {
	if l, ok := p.lent[in.Op]; ok {
		at := len(b)
		text, notes, err = p.InstPrinter.AppendInst(b, remarks, ctx, st, &mc.Inst{Op: l.op, Ops: in.Ops}, sym)
		if err == nil && bytes.HasPrefix(text[at:], []byte(l.from)) {
			copy(text[at:], l.to) // of the same length
		}
		return text, notes, err
	}
	if in.Op != p.arm && in.Op != p.thumb && in.Op != p.short || len(in.Ops) < 2 || !in.Ops[0].IsImm() || !in.Ops[1].IsImm() || uint64(in.Ops[1].Imm()) >= uint64(len(conditions)) {
		return p.InstPrinter.AppendInst(b, remarks, ctx, st, in, sym)
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
