package elf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/mirin-go/mirin/mc"
)

const (
	secSymTabIndexes = mc.SectionType(18)
)

var errDamaged = errors.New("ELF: the file is damaged")

// reader reads one file.
type reader struct {
	b     []byte
	is64  bool
	order mc.ByteOrder
	rows  []row // section headers
	names []byte
	obj   *mc.Object
	index []int // of each section of the file in obj.Sections, -1 none
	syms  []byte
	strs  []byte
	wide  []byte  // section numbers of symbols that do not fit 16 bits
	num   []int32 // of each symbol of the file in obj.Symbols, -1 none
}

// Is reports whether a file begins as an ELF file does.
func Is(b []byte) bool { return len(b) >= 4 && string(b[:4]) == "\x7fELF" }

// row is a section header.
type row struct {
	name           uint32
	typ            mc.SectionType
	flags          uint64
	off, size      uint64
	link, info     uint32
	align, entSize uint64
}

// Read reads a relocatable object of either class and byte order. The result
// shares memory with b. The sections of the file's own bookkeeping (symbols,
// relocations, strings, groups) become parts of the Object.
func Read(b []byte) (*mc.Object, error) {
	if len(b) < 52 || !Is(b) {
		return nil, errors.New("not an ELF file")
	}
	if b[4] != 1 && b[4] != 2 || b[5] != 1 && b[5] != 2 || b[4] == 2 && len(b) < 64 {
		return nil, errDamaged
	}
	m := mc.Machine{Is64: b[4] == 2, BigEndian: b[5] == 2, Rela: true, PtrSize: 4 * int(b[4])}
	r := &reader{b: b, is64: m.Is64, order: m.Order()}
	if t := r.order.Uint16(b[16:]); t != etRel {
		return nil, fmt.Errorf("ELF: not a relocatable object (type %d)", t)
	}
	m.ELFMachine = r.order.Uint16(b[18:])
	m.OSABI, m.ABIVersion = b[7], b[8]
	if m.OSABI == osabiGNU {
		m.OSABI = 0 // what is in the file says it
	}
	off, tail := r.word(b[32:]), b[36:]
	if m.Is64 {
		off, tail = r.word(b[40:]), b[48:]
	}
	m.ELFFlags = r.order.Uint32(tail)
	r.obj = &mc.Object{Machine: m}
	if err := r.headers(off, uint64(r.order.Uint16(tail[12:])), uint32(r.order.Uint16(tail[14:]))); err != nil {
		return nil, err
	}
	for _, step := range [...]func() error{r.sections, r.symbols, r.groups, r.relocs} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return r.obj, nil
}

// pick chooses by the file's class.
func (r *reader) pick(for64, for32 int) int {
	if r.is64 {
		return for64
	}
	return for32
}

// word reads a number of the size of an address.
func (r *reader) word(b []byte) uint64 {
	if r.is64 {
		return r.order.Uint64(b)
	}
	return uint64(r.order.Uint32(b))
}

// header reads a section header.
func (r *reader) header(b []byte) row {
	w := r.pick(8, 4)
	at := func(k int) uint64 { return r.word(b[8+k*w:]) } // the words before link and info
	rest := b[8+4*w:]
	return row{name: r.order.Uint32(b), typ: mc.SectionType(r.order.Uint32(b[4:])), flags: at(0), off: at(2), size: at(3),
		link: r.order.Uint32(rest), info: r.order.Uint32(rest[4:]), align: r.word(rest[8:]), entSize: r.word(rest[8+w:])}
}

// headers finds the section header table; of many sections the first row
// holds the numbers.
func (r *reader) headers(off, n uint64, names uint32) error {
	size := uint64(r.pick(64, 40))
	if off > uint64(len(r.b)) || uint64(len(r.b))-off < size {
		return errDamaged
	}
	table := r.b[off:]
	first := r.header(table)
	if n == 0 {
		n = first.size
	}
	if names == shnXIndex {
		names = first.link
	}
	if n > uint64(len(table))/size || uint64(names) >= n {
		return errDamaged
	}
	for i := range n {
		r.rows = append(r.rows, r.header(table[i*size:(i+1)*size]))
	}
	var err error
	r.names, err = r.data(int(names))
	return err
}

// data is the contents of a section.
func (r *reader) data(i int) ([]byte, error) {
	if i < 0 || i >= len(r.rows) {
		return nil, errDamaged
	}
	off, size := r.rows[i].off, r.rows[i].size
	if r.rows[i].typ == mc.SecNoBits || size == 0 {
		return nil, nil
	}
	if off > uint64(len(r.b)) || size > uint64(len(r.b))-off {
		return nil, errDamaged
	}
	return r.b[off : off+size : off+size], nil
}

func str(table []byte, off uint32) (string, error) {
	if uint64(off) >= uint64(len(table)) {
		if off == 0 {
			return "", nil
		}
		return "", errDamaged
	}
	end := bytes.IndexByte(table[off:], 0)
	if end < 0 {
		return "", errDamaged
	}
	return string(table[off : int(off)+end]), nil
}

// sections takes over the sections that are not bookkeeping.
func (r *reader) sections() error {
	r.index = make([]int, len(r.rows))
	for i := range r.rows {
		r.index[i] = -1
		typ := r.rows[i].typ
		switch typ {
		case mc.SecNull, mc.SecStrTab, mc.SecRela, mc.SecRel, mc.SecGroup, secSymTabIndexes:
			continue
		case mc.SecSymTab:
			var err error
			if r.syms, err = r.data(i); err != nil {
				return err
			}
			if r.strs, err = r.data(int(r.rows[i].link)); err != nil {
				return err
			}
			continue
		}
		name, err := str(r.names, r.rows[i].name)
		if err != nil {
			return err
		}
		data, err := r.data(i)
		if err != nil {
			return err
		}
		align := max(r.rows[i].align, 1)
		if align&(align-1) != 0 || align > 1<<32 {
			return fmt.Errorf("ELF: section %s has alignment %d", name, align)
		}
		r.index[i] = len(r.obj.Sections)
		r.obj.Sections = append(r.obj.Sections, mc.ObjSection{Section: mc.Section{Name: name, Type: typ, Flags: mc.SectionFlags(r.rows[i].flags),
			EntSize: uint32(r.rows[i].entSize), Unique: mc.GenericSection}, Data: data, Size: r.rows[i].size, Align: align, Link: -1})
	}
	for i := range r.rows {
		if r.rows[i].typ == secSymTabIndexes {
			var err error
			if r.wide, err = r.data(i); err != nil {
				return err
			}
		}
		if k := r.index[i]; k >= 0 && r.obj.Sections[k].Flags&mc.FlagLinkOrder != 0 {
			if to := r.rows[i].link; int(to) < len(r.rows) {
				r.obj.Sections[k].Link = r.index[to]
			}
		}
	}
	return nil
}

// symbols takes over the symbol table without its null symbol. Symbols of
// sections that are bookkeeping go.
func (r *reader) symbols() error {
	size := r.pick(24, 16)
	r.num = make([]int32, len(r.syms)/size)
	for i := range r.num {
		r.num[i] = -1
		if i == 0 {
			continue
		}
		b := r.syms[i*size:]
		name, err := str(r.strs, r.order.Uint32(b))
		if err != nil {
			return err
		}
		info, value := b[4:], b[8:] // binding and type, visibility, section
		if !r.is64 {
			info, value = b[12:], b[4:]
		}
		y := mc.ObjSymbol{Name: name, Binding: mc.Binding(info[0] >> 4), Type: mc.SymType(info[0] & 15), Vis: mc.Visibility(info[1] & 3),
			Value: r.word(value), Size: r.word(value[r.pick(8, 4):])}
		section := uint32(r.order.Uint16(info[2:]))
		if section == shnXIndex && 4*i+4 <= len(r.wide) {
			section = r.order.Uint32(r.wide[4*i:])
		} else if section >= shnLimit {
			section |= 0xffff0000
		}
		switch section {
		case shnUndef:
			y.Section = mc.SecUndefined
		case shnAbs | 0xffff0000:
			y.Section = mc.SecAbsolute
		case shnCommon | 0xffff0000:
			y.Section = mc.SecCommon
		default:
			if section >= uint32(len(r.index)) {
				return errDamaged
			}
			if y.Section = r.index[section]; y.Section < 0 {
				if r.rows[section].typ != mc.SecGroup {
					continue
				}
				y.Section = mc.SecSignature
			}
		}
		r.num[i] = int32(len(r.obj.Symbols))
		r.obj.Symbols = append(r.obj.Symbols, y)
	}
	return nil
}

// groups marks the members of groups.
func (r *reader) groups() error {
	for i := range r.rows {
		if r.rows[i].typ != mc.SecGroup {
			continue
		}
		b, err := r.data(i)
		if err != nil {
			return err
		}
		sig := r.rows[i].info
		if len(b) < 4 || uint64(sig) >= uint64(len(r.num)) {
			return errDamaged
		}
		name := ""
		if n := r.num[sig]; n >= 0 {
			name = r.obj.Symbols[n].Name
			if name == "" && r.obj.Symbols[n].Section >= 0 {
				name = r.obj.Sections[r.obj.Symbols[n].Section].Name
			}
		}
		comdat := r.order.Uint32(b)&groupFlag != 0
		for b = b[4:]; len(b) >= 4; b = b[4:] {
			m := r.order.Uint32(b)
			if int(m) >= len(r.index) {
				return errDamaged
			}
			if k := r.index[m]; k >= 0 {
				r.obj.Sections[k].Group, r.obj.Sections[k].Comdat = name, comdat
			}
		}
	}
	return nil
}

// relocs gives the sections their relocations. An object has those with addends or those without.
func (r *reader) relocs() error {
	kind := mc.SecNull
	for i := range r.rows {
		switch typ := r.rows[i].typ; {
		case typ != mc.SecRela && typ != mc.SecRel:
			continue
		case kind != mc.SecNull && kind != typ:
			return errors.New("ELF: relocations with addends beside relocations without are not supported")
		default:
			kind = typ
		}
		rela := kind == mc.SecRela
		r.obj.Machine.Rela = rela
		to := r.rows[i].info
		if int(to) >= len(r.index) {
			return errDamaged
		}
		k := r.index[to]
		if k < 0 {
			continue
		}
		b, err := r.data(i)
		if err != nil {
			return err
		}
		size := r.pick(24, 12)
		if !rela {
			size = r.pick(16, 8)
		}
		relocs := make([]mc.Reloc, 0, len(b)/size)
		for ; len(b) >= size; b = b[size:] {
			var sym, typ uint64
			var addend int64
			if info := r.word(b[r.pick(8, 4):]); r.is64 {
				sym, typ = info>>32, info&0xffffffff
				if r.obj.Machine.ELFMachine == emMIPS {
					sym, typ = uint64(r.order.Uint32(b[8:])), uint64(binary.BigEndian.Uint32(b[12:]))
				}
			} else {
				sym, typ = info>>8, info&0xff
			}
			switch {
			case rela && r.is64:
				addend = int64(r.order.Uint64(b[16:]))
			case rela:
				addend = int64(int32(r.order.Uint32(b[8:])))
			}
			if sym >= uint64(len(r.num)) && sym != 0 {
				return errDamaged
			}
			n := int32(-1)
			if sym != 0 {
				if n = r.num[sym]; n < 0 {
					return errDamaged
				}
			}
			relocs = append(relocs, mc.Reloc{Offset: r.word(b), Addend: addend, Type: uint32(typ), Symbol: n})
		}
		r.obj.Sections[k].Relocs = relocs
	}
	return nil
}
