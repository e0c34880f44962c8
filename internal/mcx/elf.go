package mc

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
)

// RelocType gives the ELF x86-64 type of a relocation (psABI table 4.9).
func (o *Object) RelocType(r *Reloc) (uint32, error) {
	switch r.Mod {
	case ModGOTPCREL:
		switch r.Kind {
		case FixRIPLoad:
			return 41, nil
		case FixRIPLoadREX:
			return 42, nil
		}
		return 9, nil
	case ModGOTTPOFF:
		return 22, nil
	case ModTPOFF:
		if r.Kind == FixAbs64 {
			return 18, nil
		}
		return 23, nil
	case ModTLSGD:
		return 19, nil
	case ModTLSLD:
		return 20, nil
	case ModDTPOFF:
		if r.Kind == FixAbs64 {
			return 17, nil
		}
		return 21, nil
	case ModPLT:
		return 4, nil
	case ModNone:
	default:
		return 0, fmt.Errorf("relocation %s against %s is not supported", modNames[r.Mod], o.Ctx.At(r.Sym).Name)
	}
	switch r.Kind {
	case FixAbs8:
		return 14, nil
	case FixAbs16:
		return 12, nil
	case FixAbs32:
		return 10, nil
	case FixAbs32S:
		return 11, nil
	case FixAbs64:
		return 1, nil
	case FixPC8:
		return 15, nil
	case FixPC16:
		return 13, nil
	case FixPC64:
		return 24, nil
	case FixPLT32:
		return 4, nil
	}
	return 2, nil
}

// elfSym is one row of the symbol table.
type elfSym struct {
	name    uint32
	info    byte
	other   byte
	shndx   uint16
	value   uint64
	size    uint64
	sortKey int
}

type elfSection struct {
	name              string
	typ               uint32
	flags             uint64
	off, size         uint64
	link, info, align uint32
	entsize           uint64
	data              []byte
}

// WriteELF returns the finished object as an ELF64 relocatable file.
func (o *Object) WriteELF() ([]byte, error) {
	w := &elfWriter{o: o, str: []byte{0}, strAt: map[string]uint32{}}
	return w.write()
}

type elfWriter struct {
	o           *Object
	str         []byte
	strAt       map[string]uint32
	sections    []elfSection
	shndx       []int // of each section of the object
	syms        []elfSym
	symIndex    map[Sym]uint32
	secSym      map[int]uint32
	firstGlobal int
}

func (w *elfWriter) string(s string) uint32 {
	if s == "" {
		return 0
	}
	if n, ok := w.strAt[s]; ok {
		return n
	}
	n := uint32(len(w.str))
	w.str = append(append(w.str, s...), 0)
	w.strAt[s] = n
	return n
}

func (w *elfWriter) write() ([]byte, error) {
	o := w.o
	w.sections = []elfSection{{}, {name: ".strtab", typ: 3, align: 1}}
	// Groups come before their members.
	groups := map[string]int{}
	w.shndx = make([]int, len(o.Sections))
	add := func(s elfSection) int { w.sections = append(w.sections, s); return len(w.sections) - 1 }
	for k, s := range o.Sections {
		if s.Group != "" {
			if _, ok := groups[s.Group]; !ok {
				groups[s.Group] = add(elfSection{name: ".group", typ: 17, align: 4, entsize: 4})
			}
		}
		fl := s.Flags
		if s.Group != "" {
			fl |= FlagGroup
		}
		es := elfSection{name: s.Name, typ: s.Type, flags: fl, align: uint32(max(1, s.Align)), entsize: uint64(s.EntSize), size: uint64(s.Len())}
		if s.Type != SecNoBits {
			es.data = s.Data()
		}
		w.shndx[k] = add(es)
	}
	if err := w.symbols(); err != nil {
		return nil, err
	}
	symtab := 0
	relaOf := map[int]int{}
	for k, s := range o.Sections {
		if len(o.relocs[k]) == 0 {
			continue
		}
		fl := uint64(FlagInfoLink)
		if s.Group != "" {
			fl |= FlagGroup
		}
		relaOf[k] = add(elfSection{name: ".rela" + s.Name, typ: 4, flags: fl, info: uint32(w.shndx[k]), align: 8, entsize: 24})
	}
	symtab = add(elfSection{name: ".symtab", typ: 2, link: 1, info: uint32(w.firstGlobal), align: 8, entsize: 24})
	for k := range o.Sections {
		if i, ok := relaOf[k]; ok {
			data, err := w.rela(k)
			if err != nil {
				return nil, err
			}
			w.sections[i].data, w.sections[i].link = data, uint32(symtab)
		}
	}
	names := make([]string, 0, len(groups))
	for g := range groups {
		names = append(names, g)
	}
	slices.Sort(names)
	for _, g := range names {
		data := binary.LittleEndian.AppendUint32(nil, 1) // GRP_COMDAT
		for k, s := range o.Sections {
			if s.Group == g {
				data = binary.LittleEndian.AppendUint32(data, uint32(w.shndx[k]))
				if i, ok := relaOf[k]; ok {
					data = binary.LittleEndian.AppendUint32(data, uint32(i))
				}
			}
		}
		gs := &w.sections[groups[g]]
		gs.data, gs.link = data, uint32(symtab)
		if sy, ok := o.Ctx.byName[g]; ok {
			gs.info = w.symIndex[sy]
		}
	}
	var st bytes.Buffer
	for i := range w.syms {
		y := &w.syms[i]
		binary.Write(&st, binary.LittleEndian, struct {
			Name        uint32
			Info, Other byte
			Shndx       uint16
			Value, Size uint64
		}{y.name, y.info, y.other, y.shndx, y.value, y.size})
	}
	w.sections[symtab].data = st.Bytes()
	return w.layOut(), nil
}

// symbols builds the symbol table: file, locals, sections that relocations
// name, then globals.
func (w *elfWriter) symbols() error {
	o := w.o
	w.symIndex, w.secSym = map[Sym]uint32{}, map[int]uint32{}
	w.syms = []elfSym{{}}
	if o.FileName != "" {
		w.syms = append(w.syms, elfSym{name: w.string(o.FileName), info: byte(TypeFile), shndx: 0xfff1})
	}
	// Which sections are named by relocations against local symbols.
	needSec := map[int]bool{}
	named := make([]bool, len(o.Ctx.Syms)) // symbols that relocations name
	for _, rs := range o.relocs {
		for i := range rs {
			if k, ok := w.viaSection(&rs[i]); ok {
				needSec[k] = true
			} else {
				named[rs[i].Sym] = true
			}
		}
	}
	for k := range o.Sections {
		if needSec[k] {
			w.secSym[k] = uint32(len(w.syms))
			w.syms = append(w.syms, elfSym{info: byte(TypeSection), shndx: uint16(w.shndx[k])})
		}
	}
	for pass := range 2 {
		if pass == 1 {
			w.firstGlobal = len(w.syms)
		}
		for i := 1; i < len(o.Ctx.Syms); i++ {
			y := &o.Ctx.Syms[i]
			if y.Temp && !named[i] || y.Name == "" {
				continue
			}
			global := y.Binding == BindGlobal || y.Binding == BindWeak || y.Binding == BindDefault && y.Section < 0 && !y.HasEqual && !y.Common
			if global != (pass == 1) || global && y.Section < 0 && !y.HasEqual && !y.Common && !y.used && y.Binding != BindWeak {
				continue
			}
			row, ok := w.row(Sym(i), y, global)
			if !ok {
				return fmt.Errorf("symbol %s: its value cannot be expressed", y.Name)
			}
			w.symIndex[Sym(i)] = uint32(len(w.syms))
			w.syms = append(w.syms, row)
		}
	}
	return nil
}

func (w *elfWriter) row(s Sym, y *Symbol, global bool) (elfSym, bool) {
	o := w.o
	bind := byte(0)
	if global {
		bind = 1
		if y.Binding == BindWeak {
			bind = 2
		}
	}
	row := elfSym{name: w.string(y.Name), info: bind<<4 | byte(y.Type), other: byte(y.Vis)}
	switch {
	case y.Common:
		row.shndx, row.value, row.size = 0xfff2, y.CommonAlign, y.CommonSize
	case y.HasEqual:
		e := o.target(y.Equal)
		t := o.Ctx.At(e.Sym)
		if t.Section < 0 {
			return row, false
		}
		row.shndx, row.value = uint16(w.shndx[t.Section]), uint64(t.Offset+e.Off)
		if y.Type == TypeNone {
			row.info |= byte(t.Type)
		}
		if !y.HasSize && t.HasSize {
			row.size = w.size(t)
		}
	case y.Section >= 0:
		row.shndx, row.value = uint16(w.shndx[y.Section]), uint64(y.Offset)
	}
	if y.HasSize {
		row.size = w.size(y)
	}
	return row, true
}

func (w *elfWriter) size(y *Symbol) uint64 {
	v := y.Size.Off
	if y.Size.Sym != 0 {
		v += w.o.Ctx.At(y.Size.Sym).Offset
	}
	if y.Size.Sub != 0 {
		v -= w.o.Ctx.At(y.Size.Sub).Offset
	}
	return uint64(v)
}

// viaSection reports whether a relocation names its symbol's section instead
// of the symbol: for symbols that are not in the table or are plainly local.
func (w *elfWriter) viaSection(r *Reloc) (int, bool) {
	y := w.o.Ctx.At(r.Sym)
	if y.Section < 0 || y.Type == TypeTLS || y.Type == TypeIFunc {
		return 0, false
	}
	if w.o.Sections[y.Section].Flags&FlagMerge != 0 {
		// A linker that merges takes section and addend for the place itself; the
		// distance to the instruction's end in the addend would mislead it.
		return 0, false
	}
	if y.Temp || y.Name == "" {
		return y.Section, true
	}
	local := y.Binding == BindLocal || y.Binding == BindDefault
	return y.Section, local && r.Mod == ModNone
}

func (w *elfWriter) rela(k int) ([]byte, error) {
	var b []byte
	for i := range w.o.relocs[k] {
		r := &w.o.relocs[k][i]
		t, err := w.o.RelocType(r)
		if err != nil {
			return nil, err
		}
		sym, add := w.symIndex[r.Sym], r.Addend
		if s, ok := w.viaSection(r); ok {
			sym = w.secSym[s]
			add += w.o.Ctx.At(r.Sym).Offset
		}
		b = binary.LittleEndian.AppendUint64(b, uint64(r.Off))
		b = binary.LittleEndian.AppendUint64(b, uint64(sym)<<32|uint64(t))
		b = binary.LittleEndian.AppendUint64(b, uint64(add))
	}
	return b, nil
}

// layOut writes header, contents and section table.
func (w *elfWriter) layOut() []byte {
	for i := range w.sections {
		w.string(w.sections[i].name)
	}
	w.sections[1].data = w.str
	out := make([]byte, 64)
	for i := range w.sections {
		s := &w.sections[i]
		for s.align > 1 && len(out)%int(s.align) != 0 {
			out = append(out, 0)
		}
		s.off = uint64(len(out))
		if s.typ != SecNoBits {
			s.size = uint64(len(s.data))
			out = append(out, s.data...)
		}
	}
	w.sections[0].off = 0
	for len(out)%8 != 0 {
		out = append(out, 0)
	}
	shoff := len(out)
	for i := range w.sections {
		s := &w.sections[i]
		out = binary.LittleEndian.AppendUint32(out, w.string(s.name))
		out = binary.LittleEndian.AppendUint32(out, s.typ)
		for _, v := range [...]uint64{s.flags, 0, s.off, s.size} {
			out = binary.LittleEndian.AppendUint64(out, v)
		}
		out = binary.LittleEndian.AppendUint32(out, s.link)
		out = binary.LittleEndian.AppendUint32(out, s.info)
		out = binary.LittleEndian.AppendUint64(out, uint64(s.align))
		out = binary.LittleEndian.AppendUint64(out, s.entsize)
	}
	h := out[:0]
	h = append(h, "\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00"...)
	h = binary.LittleEndian.AppendUint16(h, 1)  // ET_REL
	h = binary.LittleEndian.AppendUint16(h, 62) // EM_X86_64
	h = binary.LittleEndian.AppendUint32(h, 1)
	h = binary.LittleEndian.AppendUint64(h, 0)
	h = binary.LittleEndian.AppendUint64(h, 0)
	h = binary.LittleEndian.AppendUint64(h, uint64(shoff))
	h = binary.LittleEndian.AppendUint32(h, 0)
	for _, v := range [...]uint16{64, 0, 0, 64, uint16(len(w.sections)), 1} {
		h = binary.LittleEndian.AppendUint16(h, v)
	}
	return out
}
