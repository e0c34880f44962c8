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
	shnXIndex        = 0xffff
	symbolRow        = 24
	relaRow          = 24
)

var errDamaged = errors.New("ELF: the file is damaged")

// reader reads one file.
type reader struct {
	b     []byte
	rows  [][]byte // section headers
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

// Read reads a relocatable object of a 64-bit little-endian machine. The result
// shares memory with b. The sections of the file's own bookkeeping (symbols,
// relocations, strings, groups) become parts of the Object.
func Read(b []byte) (*mc.Object, error) {
	if len(b) < 64 || !Is(b) {
		return nil, errors.New("not an ELF file")
	}
	if b[4] != 2 || b[5] != 1 {
		return nil, errors.New("ELF: only 64-bit little-endian files are supported")
	}
	le := binary.LittleEndian
	if t := le.Uint16(b[16:]); t != etRel {
		return nil, fmt.Errorf("ELF: not a relocatable object (type %d)", t)
	}
	r := &reader{b: b, obj: &mc.Object{Machine: mc.Machine{ELFMachine: le.Uint16(b[18:]), ELFFlags: le.Uint32(b[48:]), Is64: true, Rela: true, PtrSize: 8}}}
	if err := r.headers(le.Uint64(b[40:]), uint64(le.Uint16(b[60:])), uint32(le.Uint16(b[62:]))); err != nil {
		return nil, err
	}
	for _, step := range [...]func() error{r.sections, r.symbols, r.groups, r.relocs} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return r.obj, nil
}

// headers finds the section header table; of many sections the first row
// holds the numbers.
func (r *reader) headers(off, n uint64, names uint32) error {
	if off > uint64(len(r.b)) || uint64(len(r.b))-off < sectionRow {
		return errDamaged
	}
	first := r.b[off:]
	if n == 0 {
		n = binary.LittleEndian.Uint64(first[32:])
	}
	if names == shnXIndex {
		names = binary.LittleEndian.Uint32(first[40:])
	}
	if n > uint64(len(first))/sectionRow || uint64(names) >= n {
		return errDamaged
	}
	for i := range n {
		r.rows = append(r.rows, first[i*sectionRow:(i+1)*sectionRow])
	}
	var err error
	r.names, err = r.data(int(names))
	return err
}

// The fields of a section header.
func (r *reader) typ(i int) mc.SectionType { return mc.SectionType(r.u32(i, 4)) }
func (r *reader) u32(i, at int) uint32     { return binary.LittleEndian.Uint32(r.rows[i][at:]) }
func (r *reader) u64(i, at int) uint64     { return binary.LittleEndian.Uint64(r.rows[i][at:]) }

// data is the contents of a section.
func (r *reader) data(i int) ([]byte, error) {
	if i < 0 || i >= len(r.rows) {
		return nil, errDamaged
	}
	off, size := r.u64(i, 24), r.u64(i, 32)
	if r.typ(i) == mc.SecNoBits || size == 0 {
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
		typ := r.typ(i)
		switch typ {
		case mc.SecNull, mc.SecStrTab, mc.SecRela, mc.SecGroup, secSymTabIndexes:
			continue
		case mc.SecRel:
			return errors.New("ELF: relocations without addends are not supported")
		case mc.SecSymTab:
			var err error
			if r.syms, err = r.data(i); err != nil {
				return err
			}
			if r.strs, err = r.data(int(r.u32(i, 40))); err != nil {
				return err
			}
			continue
		}
		name, err := str(r.names, r.u32(i, 0))
		if err != nil {
			return err
		}
		data, err := r.data(i)
		if err != nil {
			return err
		}
		align := max(r.u64(i, 48), 1)
		if align&(align-1) != 0 || align > 1<<32 {
			return fmt.Errorf("ELF: section %s has alignment %d", name, align)
		}
		r.index[i] = len(r.obj.Sections)
		r.obj.Sections = append(r.obj.Sections, mc.ObjSection{Section: mc.Section{Name: name, Type: typ, Flags: mc.SectionFlags(r.u64(i, 8)),
			EntSize: uint32(r.u64(i, 56)), Unique: mc.GenericSection}, Data: data, Size: r.u64(i, 32), Align: align, Link: -1})
	}
	for i := range r.rows {
		if r.typ(i) == secSymTabIndexes {
			var err error
			if r.wide, err = r.data(i); err != nil {
				return err
			}
		}
		if k := r.index[i]; k >= 0 && r.obj.Sections[k].Flags&mc.FlagLinkOrder != 0 {
			if to := r.u32(i, 40); int(to) < len(r.rows) {
				r.obj.Sections[k].Link = r.index[to]
			}
		}
	}
	return nil
}

// symbols takes over the symbol table without its null symbol. Symbols of
// sections that are bookkeeping go.
func (r *reader) symbols() error {
	r.num = make([]int32, len(r.syms)/symbolRow)
	le := binary.LittleEndian
	for i := range r.num {
		r.num[i] = -1
		if i == 0 {
			continue
		}
		b := r.syms[i*symbolRow:]
		name, err := str(r.strs, le.Uint32(b))
		if err != nil {
			return err
		}
		y := mc.ObjSymbol{Name: name, Binding: mc.Binding(b[4] >> 4), Type: mc.SymType(b[4] & 15), Vis: mc.Visibility(b[5] & 3),
			Value: le.Uint64(b[8:]), Size: le.Uint64(b[16:])}
		section := uint32(le.Uint16(b[6:]))
		if section == shnXIndex && 4*i+4 <= len(r.wide) {
			section = le.Uint32(r.wide[4*i:])
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
				continue
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
		if r.typ(i) != mc.SecGroup {
			continue
		}
		b, err := r.data(i)
		if err != nil {
			return err
		}
		sig := r.u32(i, 44)
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
		comdat := binary.LittleEndian.Uint32(b)&groupFlag != 0
		for b = b[4:]; len(b) >= 4; b = b[4:] {
			m := binary.LittleEndian.Uint32(b)
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

// relocs gives the sections their relocations.
func (r *reader) relocs() error {
	le := binary.LittleEndian
	for i := range r.rows {
		if r.typ(i) != mc.SecRela {
			continue
		}
		to := r.u32(i, 44)
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
		relocs := make([]mc.Reloc, 0, len(b)/relaRow)
		for ; len(b) >= relaRow; b = b[relaRow:] {
			info := le.Uint64(b[8:])
			sym := info >> 32
			if sym >= uint64(len(r.num)) && sym != 0 {
				return errDamaged
			}
			n := int32(-1)
			if sym != 0 {
				if n = r.num[sym]; n < 0 {
					return errDamaged
				}
			}
			relocs = append(relocs, mc.Reloc{Offset: le.Uint64(b), Addend: int64(le.Uint64(b[16:])), Type: uint32(info), Symbol: n})
		}
		r.obj.Sections[k].Relocs = relocs
	}
	return nil
}
