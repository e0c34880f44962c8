package main

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"sort"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/target/aarch64/tab"
)

// object is the object file of LLVM's parser.
type object struct {
	f    *elf.File
	syms []elf.Symbol
}

func openObject(path string) (*object, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	syms, err := f.Symbols()
	return &object{f, syms}, err
}

// data gives the bytes of the first object whose name contains part.
func (o *object) data(part string) ([]byte, error) {
	for _, s := range o.syms {
		if elf.ST_TYPE(s.Info) != elf.STT_OBJECT || !strings.Contains(s.Name, part) || int(s.Section) >= len(o.f.Sections) {
			continue
		}
		b, err := o.f.Sections[s.Section].Data()
		if err != nil {
			return nil, err
		}
		return b[s.Value : s.Value+s.Size], nil
	}
	return nil, fmt.Errorf("no object %s", part)
}

// The sizes of rows in LLVM 22's object file.
const (
	entrySize    = 36 // mnemonic, opcode, conversion, features, 14 classes
	entryClasses = 14
	customSize   = 8 // mnemonic, mask, class, features
	convertSize  = 15
	featureWords = 6 // FeatureBitset: 64-bit words
)

// rows reads all tables.
func (o *object) rows(t *tab.Tables) error {
	names := map[string]*tab.Mnemonic{}
	mnemonics, err := o.data("MnemonicTable")
	if err != nil {
		return err
	}
	at := func(off uint16) *tab.Mnemonic {
		n := string(mnemonics[int(off)+1 : int(off)+1+int(mnemonics[off])])
		if names[n] == nil {
			names[n] = &tab.Mnemonic{Name: n}
		}
		return names[n]
	}
	most := uint16(0)
	for v := range 2 {
		b, err := o.data(fmt.Sprintf("MatchTable%d", v))
		if err != nil {
			return err
		}
		for ; len(b) >= entrySize; b = b[entrySize:] {
			u := func(i int) uint16 { return binary.LittleEndian.Uint16(b[2*i:]) }
			e := tab.Entry{Op: desc.Opcode(u(1)), Convert: u(2), Features: u(3)}
			for i := range entryClasses {
				if c := u(4 + i); c != 0 {
					e.Classes = append(e.Classes, c)
					most = max(most, c)
				}
			}
			m := at(u(0))
			m.Entries[v] = append(m.Entries[v], e)
		}
	}
	b, err := o.data("OperandMatchTable")
	if err != nil {
		return err
	}
	for ; len(b) >= customSize; b = b[customSize:] {
		u := func(i int) uint16 { return binary.LittleEndian.Uint16(b[2*i:]) }
		m := at(u(0))
		m.Customs = append(m.Customs, tab.Custom{Mask: uint32(u(1)), Class: u(2)})
		most = max(most, u(2))
	}
	for _, m := range names {
		m.Customs = distinct(m.Customs)
		t.Mnemonics = append(t.Mnemonics, *m)
	}
	sort.Slice(t.Mnemonics, func(i, j int) bool { return t.Mnemonics[i].Name < t.Mnemonics[j].Name })
	t.Classes = make([]tab.Class, most+1)
	return o.smallRows(t)
}

// distinct drops rows that differ in features alone: operands are read the same way without them.
func distinct(l []tab.Custom) (out []tab.Custom) {
	for _, c := range l {
		known := false
		for _, o := range out {
			known = known || o == c
		}
		if !known {
			out = append(out, c)
		}
	}
	return out
}

func (o *object) smallRows(t *tab.Tables) error {
	b, err := o.data("FeatureBitsets")
	if err != nil {
		return err
	}
	for ; len(b) >= 8*featureWords; b = b[8*featureWords:] {
		var set []uint16
		for w := range featureWords {
			for k := range 64 {
				if binary.LittleEndian.Uint64(b[8*w:])>>k&1 != 0 {
					set = append(set, uint16(64*w+k))
				}
			}
		}
		t.FeatureSets = append(t.FeatureSets, set)
	}
	if b, err = o.data("ConversionTable"); err != nil {
		return err
	}
	kinds := 0
	for ; len(b) >= convertSize; b = b[convertSize:] {
		n := 0
		for n+1 < convertSize && b[n] != 0 {
			kinds = max(kinds, int(b[n])+1)
			n += 2
		}
		t.Conversions = append(t.Conversions, b[:n:n])
	}
	t.Kinds = make([][]tab.Convert, kinds)
	if b, err = o.data("TiedAsmOperandTable"); err != nil {
		return err
	}
	for ; len(b) >= 3; b = b[3:] {
		t.Tied = append(t.Tied, [3]uint8{b[0], b[1], b[2]})
	}
	return nil
}
