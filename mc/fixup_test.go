package mc

import (
	"bytes"
	"testing"
)

// The fields are those of real instructions, as llvm-mc encodes them: a branch of
// PowerPC (24 bits above the lowest two, in units of 4), one of AArch64 (19 bits
// from bit 5 on), and plain numbers.
func TestFixupPut(t *testing.T) {
	ppc := FixupInfo{Name: "br24", Size: 4, Offset: 2, Bits: 24, Shift: 2, PCRel: true, Checked: true}
	a64 := FixupInfo{Name: "branch19", Size: 4, Offset: 5, Bits: 19, Shift: 2, PCRel: true, Checked: true}
	for _, x := range []struct {
		f    *FixupInfo
		big  bool
		b    []byte
		v    int64
		want []byte // nil: an error
	}{
		{&ppc, true, []byte{0x48, 0, 0, 1}, 8, []byte{0x48, 0, 0, 9}},           // bl .+8
		{&ppc, true, []byte{0x48, 0, 0, 0}, -4, []byte{0x4b, 0xff, 0xff, 0xfc}}, // b .-4
		{&ppc, false, []byte{0, 0, 0, 0x48}, -4, []byte{0xfc, 0xff, 0xff, 0x4b}},
		{&ppc, true, []byte{0x48, 0, 0, 0}, 2, nil},
		{&ppc, true, []byte{0x48, 0, 0, 0}, 1 << 25, nil},
		{&ppc, true, []byte{0x48, 0, 0, 0}, -1 << 25, []byte{0x4a, 0, 0, 0}},
		{&a64, false, []byte{0x01, 0, 0, 0x54}, 8, []byte{0x41, 0, 0, 0x54}}, // b.ne .+8
		{&a64, false, []byte{0x01, 0, 0, 0x54}, -1 << 20, []byte{0x01, 0, 0x80, 0x54}},
		{GenericFixup(FixupData4), true, make([]byte, 4), 0x11223344, []byte{0x11, 0x22, 0x33, 0x44}},
		{GenericFixup(FixupData8), false, make([]byte, 8), -2, []byte{0xfe, 255, 255, 255, 255, 255, 255, 255}},
		{GenericFixup(FixupPCRel2), true, make([]byte, 2), 0x7fff, []byte{0x7f, 0xff}},
		{GenericFixup(FixupPCRel2), true, make([]byte, 2), 0x8000, nil},
	} {
		err := x.f.Put(x.b, x.v, x.big)
		if (err != nil) != (x.want == nil) || err == nil && !bytes.Equal(x.b, x.want) {
			t.Errorf("%s %#x: % x, %v; want % x", x.f.Name, x.v, x.b, err, x.want)
		}
	}
}

func TestModifiers(t *testing.T) {
	info := ELFAsmInfo()
	info.Modifiers = []ModifierInfo{{}, {Name: "plt"}, {Name: "hi", Prefix: "%hi(", Suffix: ")"}, {Name: "lo12", Prefix: ":lo12:"}, {Name: "higher", Prefix: "%higher(", Suffix: ")"}}
	c := NewContext(&info)
	a, b := c.Symbol("a"), c.Symbol("b")
	name := func(out []byte, s Sym) []byte { return append(out, c.SymName(s)...) }
	for _, x := range []struct {
		e    Expr
		text string
		v    Value
	}{
		{c.Ref(a, 1), "a@plt", Value{A: a, Mod: 1}},
		{c.RefOff(a, 2, 4), "%hi(a+4)", Value{A: a, Mod: 2, Off: 4}},
		{c.Modified(3, c.RefOff(a, 0, -4)), ":lo12:a-4", Value{A: a, Mod: 3, Off: -4}},
		{c.Modified(2, c.Diff(a, b)), "%hi(a-b)", Value{A: a, B: b, Mod: 2}},
		{c.Modified(2, c.Const(5)), "%hi(5)", Value{Mod: 2, Off: 5}},
	} {
		if got := string(c.AppendExpr(nil, x.e, name)); got != x.text {
			t.Errorf("%q, want %q", got, x.text)
		}
		if v, ok := c.Reduce(x.e, nil); !ok || v != x.v {
			t.Errorf("%s: %+v, want %+v", x.text, v, x.v)
		}
	}
	if _, ok := c.Reduce(c.Binary(OpAdd, c.Modified(2, c.Const(5)), c.Const(1)), nil); ok {
		t.Error("the modifier of a constant is lost in a sum")
	}
	if m, n := info.ModifierByPrefix("%HIGHER(x)"); m != 4 || n != 8 {
		t.Error(m, n)
	}
	if _, ok := info.ModifierByName("hi"); ok {
		t.Error("@hi is none")
	}
}
