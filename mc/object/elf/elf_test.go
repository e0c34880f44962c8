package elf

import (
	"bytes"
	"debug/elf"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/mc"
)

func TestStrings(t *testing.T) {
	var s strtab
	for _, n := range []string{"", "bar", ".rela.text", "foobar", ".text", "bar", "xbar"} {
		s.add(n)
	}
	s.finish()
	for n, off := range s.off {
		if end := bytes.IndexByte(s.data[off:], 0); string(s.data[off:int(off)+end]) != n {
			t.Errorf("%q is at %d of %q", n, off, s.data)
		}
	}
	if len(s.data) != len("\x00.rela.text\x00foobar\x00xbar\x00") {
		t.Errorf("%q: tails are not shared", s.data)
	}
}

// small is an object with two sections, a group, and each kind of symbol.
func small(is64 bool) *mc.Object {
	return &mc.Object{
		Machine: mc.Machine{ELFMachine: 62, Is64: is64, Rela: true},
		Sections: []mc.ObjSection{
			{Section: mc.Section{Name: ".text", Type: mc.SecProgBits, Flags: mc.FlagAlloc | mc.FlagExec}, Data: []byte{1, 2, 3, 4, 5, 6, 7, 8}, Size: 8, Align: 16,
				Relocs: []mc.Reloc{{Offset: 1, Type: 2, Symbol: 3, Addend: -4}}, Link: -1},
			{Section: mc.Section{Name: ".bss.c", Type: mc.SecNoBits, Flags: mc.FlagAlloc | mc.FlagWrite, Group: "c", Comdat: true}, Size: 100, Align: 32, Link: -1},
		},
		Symbols: []mc.ObjSymbol{
			{Name: "f.c", Section: mc.SecAbsolute, Type: mc.TypeFile},
			{Name: "local", Section: 0, Value: 4, Size: 2, Type: mc.TypeFunc},
			{Name: "c", Section: 1, Size: 100, Binding: mc.BindWeak, Type: mc.TypeObject, Vis: mc.VisHidden},
			{Name: "undefined", Section: mc.SecUndefined, Binding: mc.BindGlobal},
			{Name: "common", Section: mc.SecCommon, Value: 8, Size: 24, Binding: mc.BindGlobal, Type: mc.TypeObject},
		},
	}
}

// The standard library's reader must find everything again.
func TestReadBack(t *testing.T) {
	for _, is64 := range []bool{true, false} {
		b, err := Append([]byte("before"), small(is64))
		if err != nil {
			t.Fatal(err)
		}
		f, err := elf.NewFile(bytes.NewReader(b[len("before"):]))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, s := range f.Sections {
			names = append(names, s.Name)
		}
		if got := strings.Join(names, " "); got != " .strtab .text .rela.text .group .bss.c .symtab" {
			t.Errorf("sections%s", got)
		}
		text := f.Section(".text")
		if d, _ := text.Data(); !bytes.Equal(d, []byte{1, 2, 3, 4, 5, 6, 7, 8}) || text.Addralign != 16 || text.Offset%16 != 0 {
			t.Errorf(".text %v", text)
		}
		if s := f.Section(".bss.c"); s.Size != 100 || s.Flags&elf.SHF_GROUP == 0 {
			t.Errorf(".bss.c %v", s)
		}
		syms, err := f.Symbols()
		if err != nil || len(syms) != 5 {
			t.Fatalf("%d symbols, %v", len(syms), err)
		}
		if s := syms[2]; s.Name != "c" || elf.ST_BIND(s.Info) != elf.STB_WEAK || elf.ST_VISIBILITY(s.Other) != elf.STV_HIDDEN || f.Sections[s.Section].Name != ".bss.c" {
			t.Errorf("c: %+v", s)
		}
		if s := syms[4]; s.Section != elf.SHN_COMMON || s.Value != 8 || s.Size != 24 {
			t.Errorf("common: %+v", s)
		}
		if s := f.Section(".symtab"); s.Info != 3 {
			t.Errorf("first symbol that is not local: %d", s.Info)
		}
	}
}

// Files may have more sections than 16 bits count; symbols name them in a
// section of their own.
func TestManySections(t *testing.T) {
	for _, is64 := range []bool{true, false} {
		o := &mc.Object{Machine: mc.Machine{ELFMachine: 62, Is64: is64, Rela: true}}
		const n = 65300
		for i := range n {
			o.Sections = append(o.Sections, mc.ObjSection{Section: mc.Section{Name: ".text", Type: mc.SecProgBits, Flags: mc.FlagAlloc | mc.FlagExec,
				Unique: mc.GenericSection}, Data: []byte{byte(i)}, Size: 1, Align: 1, Link: -1})
			if i%9 == 0 {
				o.Symbols = append(o.Symbols, mc.ObjSymbol{Name: "f" + strconv.Itoa(i), Section: i, Binding: mc.BindGlobal, Type: mc.TypeFunc})
			}
		}
		o.Symbols = append(o.Symbols, mc.ObjSymbol{Name: "c", Section: mc.SecCommon, Value: 4, Size: 4, Binding: mc.BindGlobal})
		b, err := Append(nil, o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Read(b)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Sections) != n || !slices.Equal(got.Symbols, o.Symbols) {
			t.Errorf("%d sections, %d symbols", len(got.Sections), len(got.Symbols))
		}
		if again, err := Append(nil, got); err != nil || !bytes.Equal(again, b) {
			t.Errorf("written again it differs (%v)", err)
		}
	}
}

func TestErrors(t *testing.T) {
	o := small(true)
	o.Sections[1].Group = "nobody"
	if _, err := Append(nil, o); err == nil || !strings.Contains(err.Error(), "'nobody'") {
		t.Errorf("got %v", err)
	}
}

// Relocations of 64-bit MIPS have the symbol in the byte order of the file, then four
// bytes, of which the last is the first type.
func TestMIPS64(t *testing.T) {
	for _, big := range []bool{false, true} {
		o := small(true)
		o.Machine.ELFMachine, o.Machine.BigEndian = emMIPS, big
		o.Sections[0].Relocs[0].Type = 0x051807
		b, err := Append(nil, o)
		if err != nil {
			t.Fatal(err)
		}
		f, err := elf.NewFile(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range f.Sections {
			if s.Type != elf.SHT_RELA {
				continue
			}
			rel, err := s.Data()
			if err != nil || !bytes.Equal(rel[12:16], []byte{0, 5, 0x18, 7}) || f.ByteOrder.Uint32(rel[8:]) == 0 {
				t.Errorf("% x, %v", rel, err)
			}
			break
		}
		got, err := Read(b)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Append(nil, got); err != nil || !bytes.Equal(again, b) {
			t.Errorf("written again it differs (%v)", err)
		}
	}
}

// A group may be named by a symbol that is nothing else: it is local, and stands in
// the group's header, whose number files may need more than 16 bits for.
func TestSignature(t *testing.T) {
	for _, more := range []int{0, 65400} {
		o := small(true)
		o.Sections[1].Group = "signature"
		o.Sections[0].Relocs[0].Symbol = 4
		o.Symbols = slices.Insert(o.Symbols, 1, mc.ObjSymbol{Name: "signature", Section: mc.SecSignature})
		front := make([]mc.ObjSection, more)
		for i := range front {
			front[i] = mc.ObjSection{Section: mc.Section{Name: ".text", Type: mc.SecProgBits, Unique: mc.GenericSection}, Align: 1, Link: -1}
		}
		o.Sections = slices.Insert(o.Sections, 1, front...)
		o.Symbols[3].Section += more
		b, err := Append(nil, o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Read(b)
		if err != nil {
			t.Fatal(err)
		}
		if g := got.Sections[1+more].Group; g != "signature" || !slices.Equal(got.Symbols, o.Symbols) {
			t.Errorf("group %q, symbols %+v", g, got.Symbols)
		}
		if again, err := Append(nil, got); err != nil || !bytes.Equal(again, b) {
			t.Errorf("written again it differs (%v)", err)
		}
		if more > 0 {
			continue
		}
		f, err := elf.NewFile(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		syms, err := f.Symbols()
		if err != nil || len(syms) != 6 {
			t.Fatalf("%d symbols, %v", len(syms), err)
		}
		if s := syms[1]; s.Name != "signature" || s.Info != 0 || f.Sections[s.Section].Name != ".group" || f.Section(".group").Info != 2 {
			t.Errorf("%+v, %+v", s, f.Section(".group"))
		}
	}
}
