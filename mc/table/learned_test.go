package table

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mc"
)

// What learned tables have beside those of .td files: transformations of values,
// styles, forms that hold without aliases. The opcode is any of BPF's.
func TestTransformations(t *testing.T) {
	info, err := facts.BPF()
	if err != nil {
		t.Fatal(err)
	}
	const op = desc.FirstTargetOpcode
	for _, c := range []struct {
		name   string
		x      desc.EncXform
		format desc.ImmFormat
		ops    []mc.Operand
		want   string // empty: refused
	}{
		{"plain", desc.EncXform{}, desc.ImmFormat{Bits: 8}, []mc.Operand{mc.Imm(0x12)}, "ed"}, // the fixed bits are all ones
		{"add", desc.EncXform{Add: -1}, desc.ImmFormat{Bits: 5}, []mc.Operand{mc.Imm(32)}, "e0"},
		{"add, out of range", desc.EncXform{Add: -1}, desc.ImmFormat{Bits: 5}, []mc.Operand{mc.Imm(33)}, ""},
		{"subtract", desc.EncXform{Kind: desc.XformSub, Add: 64}, desc.ImmFormat{Bits: 6}, []mc.Operand{mc.Imm(60)}, "fb"},
		{"sum", desc.EncXform{Kind: desc.XformSum, Add: -1, Op: 1}, desc.ImmFormat{Bits: 5}, []mc.Operand{mc.Imm(3), mc.Imm(4)}, "f9"},
		{"map", desc.EncXform{Kind: desc.XformImm, Num: 2}, desc.ImmFormat{}, []mc.Operand{mc.Imm(270)}, "fc"},
		{"not in the map", desc.EncXform{Kind: desc.XformImm, Num: 2}, desc.ImmFormat{}, []mc.Operand{mc.Imm(91)}, ""},
		{"map of registers", desc.EncXform{Kind: desc.XformReg, First: 2, Num: 1}, desc.ImmFormat{}, []mc.Operand{mc.Reg(0)}, "fe"},
		{"a number where a register is mapped", desc.EncXform{Kind: desc.XformReg, First: 2, Num: 1}, desc.ImmFormat{}, []mc.Operand{mc.Imm(0)}, ""},
		{"sign and magnitude", desc.EncXform{Kind: desc.XformSign, Add: 0x7f}, desc.ImmFormat{}, []mc.Operand{mc.Imm(-5)}, "fa"},
		{"sign and magnitude, positive", desc.EncXform{Kind: desc.XformSign, Add: 0x7f}, desc.ImmFormat{}, []mc.Operand{mc.Imm(5)}, "7a"},
		{"sign and magnitude, out of range", desc.EncXform{Kind: desc.XformSign, Add: 0x7f}, desc.ImmFormat{}, []mc.Operand{mc.Imm(128)}, ""},
	} {
		tab := &desc.EncoderTable{
			Instrs:  make([]desc.EncInstr, op+1),
			Words:   []uint64{0xff},
			Fields:  []desc.EncField{{Xform: 1, Format: 1, NumSegs: 2}},
			Segs:    []desc.BitSeg{{Value: 0, Inst: 0, Len: 7}, {Value: 63, Inst: 7, Len: 1}},
			Formats: []desc.ImmFormat{{}, c.format},
			Xforms:  []desc.EncXform{{}, c.x},
			Maps:    []desc.EncMap{{Key: 90, Value: 1}, {Key: 270, Value: 3}, {Key: 0, Value: 1}},
		}
		tab.Instrs[op] = desc.EncInstr{NumFields: 1, Size: 1}
		e, err := NewEncoder(tab, info, EncodeFuncs{})
		if err != nil {
			t.Fatal(err)
		}
		b, _, err := e.Encode(mc.NewContext(nil), nil, (&mc.Inst{}).Set(op, c.ops...), nil, nil)
		if got := hex.EncodeToString(b); got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

func TestStyles(t *testing.T) {
	info, err := facts.BPF()
	if err != nil {
		t.Fatal(err)
	}
	var blob strings.Builder
	name := func(s string) desc.Name {
		n := desc.MakeName(blob.Len(), len(s))
		blob.WriteString(s)
		return n
	}
	const op = desc.FirstTargetOpcode
	texts := []desc.StyleText{{Value: 0, Text: name("none")}, {Value: 7, Text: name("all")}}
	for _, c := range []struct {
		name string
		y    desc.WriterStyle
		val  mc.Operand
		want string
	}{
		{"decimal", desc.WriterStyle{Kind: desc.StyleDec, Mul: 4, Add: 1}, mc.Imm(-3), "-11"},
		{"with its surroundings", desc.WriterStyle{Kind: desc.StyleDec, Mul: 1, Prefix: name(", lsl #"), Suffix: name("!"), Num: 2}, mc.Imm(3), ", lsl #3!"},
		{"exception", desc.WriterStyle{Kind: desc.StyleDec, Mul: 1, Prefix: name(", lsl #"), Num: 2}, mc.Imm(0), "none"},
		{"signed bits", desc.WriterStyle{Kind: desc.StyleDec, Mul: 1, Bits: 16, Signed: true}, mc.Imm(0xfffe), "-2"},
		{"unsigned bits", desc.WriterStyle{Kind: desc.StyleDec, Mul: 1, Bits: 8}, mc.Imm(-1), "255"},
		{"hexadecimal", desc.WriterStyle{Kind: desc.StyleHex, Mul: 1}, mc.Imm(-31), "-0x1f"},
		{"hexadecimal bits", desc.WriterStyle{Kind: desc.StyleHexBits, Mul: 1}, mc.Imm(-1), "0xffffffffffffffff"},
		{"sum", desc.WriterStyle{Kind: desc.StyleSum, Mul: 1}, mc.Imm(-8), "- 8"},
		{"sign", desc.WriterStyle{Kind: desc.StyleSign, Mul: 1}, mc.Imm(8), "+8"},
		{"texts", desc.WriterStyle{Kind: desc.StyleTexts, Num: 2}, mc.Imm(7), "all"},
		{"no text", desc.WriterStyle{Kind: desc.StyleTexts, Num: 2}, mc.Imm(6), ""},
		{"a number for a register", desc.WriterStyle{Kind: desc.StyleReg}, mc.Imm(6), ""},
		{"a register for a number", desc.WriterStyle{Kind: desc.StyleDec, Mul: 1}, mc.Reg(1), ""},
		{"texts of registers", desc.WriterStyle{Kind: desc.StyleRegTexts, Num: 2}, mc.Reg(7), "all"},
	} {
		w := &desc.WriterTable{Names: blob.String(), Variants: 1, Rows: make([]uint32, op+1), Styles: []desc.WriterStyle{c.y}, Texts: texts,
			Parts: []desc.WriterPart{{Op: -1, Last: true}, {Op: 0, Style: 1, Last: true}}}
		w.Rows[op] = 1
		p, err := NewPrinter(w, info, 0, PrintFuncs{})
		if err != nil {
			t.Fatal(err)
		}
		text, _, err := p.AppendInst(nil, nil, mc.NewContext(nil), nil, (&mc.Inst{}).Set(op, c.val), nil)
		if string(text) != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s: %q, %v, want %q", c.name, text, err, c.want)
		}
	}
}
