package objabi

import (
	"bytes"
	"testing"

	"github.com/mirin-go/mirin/mc"
)

func TestPut(t *testing.T) {
	signed := Reloc{Name: "S", Form: PC, Bytes: 2, Signed: true}
	either := Reloc{Name: "E", Form: Abs, Bytes: 2, Signed: true, Unsigned: true}
	cut := Reloc{Name: "C", Form: Abs, Bytes: 4}
	for _, x := range []struct {
		big  bool
		r    *Reloc
		v    int64
		want []byte // nil: does not fit
	}{
		{false, &signed, -2, []byte{0xfe, 0xff, 9, 9}},
		{true, &signed, -2, []byte{0xff, 0xfe, 9, 9}},
		{true, &signed, 0x8000, nil},
		{true, &either, 0x8001, []byte{0x80, 0x01, 9, 9}},
		{false, &either, 0x10000, nil},
		{true, &cut, 0x1122334455, []byte{0x22, 0x33, 0x44, 0x55}},
		{false, &cut, 0x1122334455, []byte{0x55, 0x44, 0x33, 0x22}},
	} {
		a := ABI{Machine: mc.Machine{BigEndian: x.big}}
		b := []byte{9, 9, 9, 9}
		ok := a.Put(x.r, b, x.v)
		if want := x.want; !ok && want == nil {
			x.want = []byte{9, 9, 9, 9}
		} else if ok != (want != nil) {
			t.Errorf("%s %#x: fits %t", x.r.Name, x.v, ok)
		}
		if !bytes.Equal(b, x.want) {
			t.Errorf("%s %#x: % x, want % x", x.r.Name, x.v, b, x.want)
		}
	}
}

// The places of the thread pointer are those of Drepper's paper: x86-64 has it
// behind the data, AArch64 16 bytes before them, PowerPC 0x7000 into them.
func TestThreadPointer(t *testing.T) {
	for _, x := range []struct {
		tls  TLS
		want uint64
	}{
		{TLS{Variant: 2}, 0x1000 + 0x40},
		{TLS{Variant: 1, Head: 16}, 0x1000 - 0x20},
		{TLS{Variant: 1, TPBias: 0x7000}, 0x8000},
	} {
		if got := x.tls.ThreadPointer(0x1000, 0x1021, 0x20); got != x.want {
			t.Errorf("%+v: %#x, want %#x", x.tls, got, x.want)
		}
	}
}

func TestFor(t *testing.T) {
	abis := []*ABI{{Machine: mc.Machine{ELFMachine: 21, Is64: true}}, {Machine: mc.Machine{ELFMachine: 21, Is64: true, BigEndian: true}}}
	if For(abis, &mc.Machine{ELFMachine: 21, Is64: true, BigEndian: true}) != abis[1] || For(abis, &mc.Machine{ELFMachine: 20}) != nil {
		t.Error("wrong ABI")
	}
}

func TestReloc(t *testing.T) {
	a := ABI{Relocs: []Reloc{0: {Name: "NONE"}, 2: {Name: "X", Form: Abs}}}
	for typ, want := range []bool{true, false, true, false} {
		if _, ok := a.Reloc(uint32(typ)); ok != want {
			t.Errorf("type %d: %t", typ, ok)
		}
	}
}
