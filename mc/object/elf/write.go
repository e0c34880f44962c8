package elf

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/mirin-go/mirin/mc"
)

// Reserved section numbers, and constants of headers.
const (
	shnUndef  = 0
	shnAbs    = 0xfff1
	shnCommon = 0xfff2
	shnLimit  = 0xff00 // larger numbers stand elsewhere
	shnXIndex = 0xffff

	osabiGNU  = 3
	etRel     = 1
	groupFlag = 1 // GRP_COMDAT
	shfGroup  = uint64(mc.FlagGroup)
	emMIPS    = 8
)

// header is a row of the section header table.
type header struct {
	name           string
	typ            mc.SectionType
	flags          uint64
	off, size      uint64
	link, info     uint32
	align, entSize uint64
	group          int // number of the group in writer.groups, -1 none
	relocs         []mc.Reloc
	data           []byte
}

// group is a section group.
type group struct {
	name    string
	comdat  bool
	header  int
	members []uint32
}

// writer lays out one file.
type writer struct {
	obj     *mc.Object
	b       []byte
	start   int // of the file in b
	is64    bool
	order   mc.ByteOrder
	headers []header
	index   []uint32 // header of each section of the object
	groups  []group
	rela    []int // headers of relocation sections, in order
	str     strtab
	number  []uint32
	locals  int
	symtab  int            // its header
	groupOf map[string]int // by the name of the signature
	wide    []uint32       // section numbers of symbols, where one does not fit 16 bits
}

// Write writes an object.
func Write(w io.Writer, obj *mc.Object) error {
	b, err := Append(nil, obj)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

// Append appends the file of an object to b.
func Append(b []byte, obj *mc.Object) ([]byte, error) {
	w := &writer{obj: obj, b: b, start: len(b), is64: obj.Machine.Is64, order: obj.Machine.Order()}
	w.number = make([]uint32, len(obj.Symbols))
	for i := range obj.Symbols {
		w.number[i] = uint32(i + 1)
		if obj.Symbols[i].Binding == mc.BindLocal {
			w.locals++
		}
	}
	if err := w.plan(); err != nil {
		return b, err
	}
	w.strings()
	w.b = slices.Grow(w.b, w.bound())
	w.b = append(w.b, make([]byte, w.pick(64, 52))...)
	w.contents()
	w.header()
	return w.b, nil
}

// bound is a size that the file does not exceed, so that its buffer is made once.
func (w *writer) bound() int {
	const symbol, reloc, head = 24 + 4, 24, 64 // the largest forms
	n := head + len(w.str.data) + symbol*(1+len(w.obj.Symbols))
	for i := range w.headers {
		h := &w.headers[i]
		n += head + int(min(h.align, maxFileAlign)) + len(h.data) + reloc*len(h.relocs)
	}
	for i := range w.groups {
		n += 4 * (1 + len(w.groups[i].members))
	}
	return n
}

// pick chooses by the file's class.
func (w *writer) pick(for64, for32 int) int {
	if w.is64 {
		return for64
	}
	return for32
}

// plan makes the section headers, without places.
func (w *writer) plan() error {
	w.headers = make([]header, 0, 2*len(w.obj.Sections)+5) // each may have relocations
	w.headers = append(w.headers, header{group: -1}, header{name: ".strtab", typ: mc.SecStrTab, align: 1, group: -1})
	w.index = make([]uint32, len(w.obj.Sections))
	w.groupOf = map[string]int{}
	for i := range w.obj.Sections {
		s := &w.obj.Sections[i]
		g := -1
		if s.Group != "" {
			var ok bool
			if g, ok = w.groupOf[s.Group]; !ok {
				g = len(w.groups)
				w.groupOf[s.Group] = g
				w.groups = append(w.groups, group{name: s.Group, comdat: s.Comdat, header: len(w.headers)})
				w.headers = append(w.headers, header{name: ".group", typ: mc.SecGroup, align: 4, entSize: 4, group: -1})
			}
		}
		flags := uint64(s.Flags)
		if g >= 0 {
			flags |= shfGroup
			w.groups[g].members = append(w.groups[g].members, uint32(len(w.headers)))
		}
		w.index[i] = uint32(len(w.headers))
		w.headers = append(w.headers, header{name: s.Name, typ: s.Type, flags: flags, align: max(s.Align, 1), entSize: uint64(s.EntSize),
			size: s.Size, data: s.Data, group: g})
		if len(s.Relocs) == 0 {
			continue
		}
		h := header{name: ".rela" + s.Name, typ: mc.SecRela, info: w.index[i],
			align: uint64(w.pick(8, 4)), entSize: uint64(w.pick(24, 12)), group: g, relocs: s.Relocs}
		switch {
		case w.obj.Crel && s.Type != mc.SecCGProfile:
			h.name, h.typ, h.align, h.entSize = ".crel"+s.Name, mc.SecCrel, 1, 1
		case !w.obj.Machine.Rela || s.Type == mc.SecCGProfile:
			h.name, h.typ, h.entSize = ".rel"+s.Name, mc.SecRel, uint64(w.pick(16, 8))
		}
		h.flags = uint64(mc.FlagInfoLink)
		if g >= 0 {
			h.flags = shfGroup // alone, as LLVM has it
			w.groups[g].members = append(w.groups[g].members, uint32(len(w.headers)))
		}
		w.rela = append(w.rela, len(w.headers))
		w.headers = append(w.headers, h)
	}
	for i := range w.obj.Sections {
		if s := &w.obj.Sections[i]; s.Flags&mc.FlagLinkOrder != 0 && s.Link >= 0 {
			w.headers[w.index[i]].link = w.index[s.Link]
		}
	}
	if w.obj.NoSymbols {
		w.symtab = -1
		return nil
	}
	w.headers = append(w.headers, header{name: ".symtab", typ: mc.SecSymTab, align: uint64(w.pick(8, 4)), entSize: uint64(w.pick(24, 16)),
		link: 1, info: uint32(w.locals + 1), group: -1})
	symtab := uint32(len(w.headers) - 1)
	w.symtab = int(symtab)
	for i := range w.obj.Sections {
		if t := w.obj.Sections[i].Type; t == mc.SecAddrSig || t == mc.SecCGProfile {
			w.headers[w.index[i]].link = symtab
		}
	}
	for i := range w.obj.Symbols {
		if w.sectionOf(&w.obj.Symbols[i]) >= shnLimit {
			w.wide = make([]uint32, 1, len(w.obj.Symbols)+1)
			w.headers = append(w.headers, header{name: ".symtab_shndx", typ: secSymTabIndexes, align: 4, entSize: 4, link: symtab, group: -1})
			break
		}
	}
	for _, i := range w.rela {
		w.headers[i].link = symtab
	}
	signatures := map[string]int{} // the first symbol of each name
	if len(w.groups) > 0 {
		for i := len(w.obj.Symbols) - 1; i >= 0; i-- {
			if y := &w.obj.Symbols[i]; y.Type != mc.TypeFile {
				signatures[y.Name] = i
			}
		}
	}
	for i := range w.groups {
		h := &w.headers[w.groups[i].header]
		h.link = symtab
		sig, ok := signatures[w.groups[i].name]
		if !ok {
			return fmt.Errorf("ELF: the symbol '%s' that names a group is not in the symbol table", w.groups[i].name)
		}
		h.info = w.number[sig]
	}
	return nil
}

// strings makes the one string table, for symbols and sections.
func (w *writer) strings() {
	for i := range w.headers {
		w.str.add(w.headers[i].name)
	}
	for i := range w.obj.Symbols {
		w.str.add(w.obj.Symbols[i].Name)
	}
	w.str.finish()
}

// place aligns the file and notes where a section starts.
func (w *writer) place(h *header) {
	w.pad(h.align)
	h.off = uint64(len(w.b) - w.start)
}

// maxFileAlign bounds what an alignment makes of the file: a loader cares where
// sections of programs lie, but nobody where those of objects do.
const maxFileAlign = 1 << 16

func (w *writer) pad(align uint64) {
	align = min(align, maxFileAlign)
	for uint64(len(w.b)-w.start)%align != 0 {
		w.b = append(w.b, 0)
	}
}

// contents writes everything between the file header and the section headers.
func (w *writer) contents() {
	for k, i := range w.index {
		if w.obj.Sections[k].Type == mc.SecAddrSig {
			continue // it numbers symbols, and stands behind them
		}
		h := &w.headers[i]
		w.place(h)
		w.b = append(w.b, h.data...)
	}
	for i := range w.groups {
		g := &w.groups[i]
		h := &w.headers[g.header]
		w.place(h)
		flag := uint32(0)
		if g.comdat {
			flag = groupFlag
		}
		w.u32(flag)
		for _, m := range g.members {
			w.u32(m)
		}
		h.size = uint64(4 + 4*len(g.members))
	}
	if w.symtab < 0 {
		h := &w.headers[1]
		w.place(h)
		w.b = append(w.b, w.str.data...)
		h.size = uint64(len(w.str.data))
		return
	}
	h := &w.headers[w.symtab]
	w.place(h)
	w.b = append(w.b, make([]byte, h.entSize)...)
	for i := range w.obj.Symbols {
		w.symbol(&w.obj.Symbols[i])
	}
	h.size = h.entSize * uint64(1+len(w.obj.Symbols))
	if w.wide != nil {
		h = &w.headers[w.symtab+1]
		w.place(h)
		for _, n := range w.wide {
			w.u32(n)
		}
		h.size = 4 * uint64(len(w.wide))
	}
	for _, i := range w.rela {
		h := &w.headers[i]
		w.place(h)
		if h.typ == mc.SecCrel {
			start := len(w.b)
			w.crel(h.relocs)
			h.size = uint64(len(w.b) - start)
			continue
		}
		for k := range h.relocs {
			w.reloc(&h.relocs[k], h.typ == mc.SecRela)
		}
		h.size = h.entSize * uint64(len(h.relocs))
	}
	for k, i := range w.index {
		if w.obj.Sections[k].Type == mc.SecAddrSig {
			w.place(&w.headers[i])
			w.b = append(w.b, w.headers[i].data...)
		}
	}
	h = &w.headers[1]
	w.place(h)
	w.b = append(w.b, w.str.data...)
	h.size = uint64(len(w.str.data))
}

func (w *writer) u16(v uint16)    { w.b = w.order.AppendUint16(w.b, v) }
func (w *writer) u32(v uint32)    { w.b = w.order.AppendUint32(w.b, v) }
func (w *writer) u64(v uint64)    { w.b = w.order.AppendUint64(w.b, v) }
func (w *writer) bytes(v ...byte) { w.b = append(w.b, v...) }

// word writes a number of the size of an address.
func (w *writer) word(v uint64) {
	if w.is64 {
		w.u64(v)
	} else {
		w.u32(uint32(v))
	}
}

func (w *writer) symbol(s *mc.ObjSymbol) {
	name := uint32(0)
	if s.Name != "" && s.Type != mc.TypeSection {
		name = w.str.off[s.Name]
	}
	section, wide := uint16(shnUndef), uint32(0)
	switch s.Section {
	case mc.SecUndefined:
	case mc.SecAbsolute:
		section = shnAbs
	case mc.SecCommon:
		section = shnCommon
	default:
		if n := w.sectionOf(s); n < shnLimit {
			section = uint16(n)
		} else {
			section, wide = shnXIndex, n
		}
	}
	if w.wide != nil {
		w.wide = append(w.wide, wide)
	}
	info, other := byte(s.Binding)<<4|byte(s.Type)&15, byte(s.Vis)|s.Other
	w.u32(name)
	if w.is64 {
		w.bytes(info, other)
		w.u16(section)
		w.u64(s.Value)
		w.u64(s.Size)
		return
	}
	w.u32(uint32(s.Value))
	w.u32(uint32(s.Size))
	w.bytes(info, other)
	w.u16(section)
}

// sectionOf is the number of the section that a symbol stands in, 0 for none.
func (w *writer) sectionOf(s *mc.ObjSymbol) uint32 {
	switch {
	case s.Section >= 0:
		return w.index[s.Section]
	case s.Section == mc.SecSignature:
		if g, ok := w.groupOf[s.Name]; ok {
			return uint32(w.groups[g].header)
		}
	}
	return shnUndef
}

// reloc writes a relocation, with its addend where the section has them.
func (w *writer) reloc(r *mc.Reloc, rela bool) {
	sym := uint32(0)
	if r.Symbol >= 0 {
		sym = w.number[r.Symbol]
	}
	w.word(r.Offset)
	switch {
	case w.is64 && w.obj.Machine.ELFMachine == emMIPS:
		// Three types in a row, the first one last, and a special symbol before them.
		w.u32(sym)
		w.b = binary.BigEndian.AppendUint32(w.b, r.Type)
	case w.is64:
		w.u64(uint64(sym)<<32 | uint64(r.Type))
	default:
		w.u32(sym<<8 | r.Type&0xff)
	}
	if rela {
		w.word(uint64(r.Addend))
	}
}

// header writes the section headers and fills in the file header.
func (w *writer) header() {
	w.pad(uint64(w.pick(8, 4)))
	at := uint64(len(w.b) - w.start)
	count := len(w.headers)
	if count >= shnLimit {
		w.headers[0].size = uint64(count)
		count = 0
	}
	for i := range w.headers {
		h := &w.headers[i]
		w.u32(w.str.off[h.name])
		w.u32(uint32(h.typ))
		w.word(h.flags)
		w.word(0)
		w.word(h.off)
		w.word(h.size)
		w.u32(h.link)
		w.u32(h.info)
		w.word(h.align)
		w.word(h.entSize)
	}
	end := w.b
	w.b = w.b[:w.start]
	w.bytes(0x7f, 'E', 'L', 'F', byte(w.pick(2, 1)), w.data(), 1, w.osabi())
	w.bytes(w.obj.Machine.ABIVersion, 0, 0, 0, 0, 0, 0, 0)
	w.u16(etRel)
	w.u16(w.obj.Machine.ELFMachine)
	w.u32(1)
	w.word(0)
	w.word(0)
	w.word(at)
	w.u32(w.obj.Machine.ELFFlags)
	w.u16(uint16(w.pick(64, 52)))
	w.u16(0)
	w.u16(0)
	w.u16(uint16(w.pick(64, 40)))
	w.u16(uint16(count))
	w.u16(1)
	w.b = end
}

// data is the number of the file's byte order.
func (w *writer) data() byte {
	if w.obj.Machine.BigEndian {
		return 2
	}
	return 1
}

// osabi is GNU's where the file uses its extensions.
func (w *writer) osabi() byte {
	if w.obj.Machine.OSABI != 0 {
		return w.obj.Machine.OSABI
	}
	for i := range w.obj.Symbols {
		if s := &w.obj.Symbols[i]; s.Type == mc.TypeIFunc || s.Binding == mc.BindGNUUnique {
			return osabiGNU
		}
	}
	for i := range w.obj.Sections {
		if w.obj.Sections[i].Flags&mc.FlagRetain != 0 {
			return osabiGNU
		}
	}
	return w.obj.Machine.OSABI
}
