package link

import (
	"github.com/mirin-go/mirin/mc"
)

// Types of segments, and how they are mapped.
const (
	ptLoad, ptDynamic, ptInterp, ptPHDR, ptTLS = 1, 2, 3, 6, 7
	ptEHFrame, ptStack, ptRelro                = 0x6474e550, 0x6474e551, 0x6474e552

	segX, segW, segR = 1, 2, 4

	etDyn     = 3
	shnAbs    = 0xfff1
	shnLimit  = 0xff00
	phdrCount = 10 // at most
)

// segment is a row of the program header table.
type segment struct {
	typ, flags             uint32
	addr, fileSize, memory uint64
	align                  uint64
}

// finish writes what needs all addresses: symbols, .dynamic, headers.
func (l *linker) finish() error {
	for i := range l.outs {
		if o := &l.outs[i]; o.data != nil {
			copy(l.img[o.addr:], o.data)
		}
	}
	l.writeDynSym()
	l.writeDynamic()
	shoff, shnum := uint64(0), 0
	if !l.opt.Strip {
		shoff, shnum = l.writeSections()
	}
	segs := l.segments()
	data := byte(1)
	if l.abi.Machine.BigEndian {
		data = 2
	}
	b := append(l.img[:0:ehdrSize], 0x7f, 'E', 'L', 'F', 2, data, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	b = l.order.AppendUint16(b, etDyn)
	b = l.order.AppendUint16(b, l.abi.Machine.ELFMachine)
	b = l.order.AppendUint32(b, 1)
	b = l.order.AppendUint64(b, l.address(&l.syms[l.byName["_start"]]))
	b = l.order.AppendUint64(b, ehdrSize)
	b = l.order.AppendUint64(b, shoff)
	b = l.order.AppendUint32(b, l.abi.Machine.ELFFlags)
	b = l.order.AppendUint16(b, ehdrSize)
	b = l.order.AppendUint16(b, phdrSize)
	b = l.order.AppendUint16(b, uint16(len(segs)))
	b = l.order.AppendUint16(b, shdrSize)
	b = l.order.AppendUint16(b, uint16(shnum))
	l.order.AppendUint16(b, uint16(max(shnum-1, 0))) // section names come last
	b = l.img[ehdrSize:ehdrSize:(ehdrSize + phdrCount*phdrSize)]
	for _, s := range segs {
		b = l.order.AppendUint32(b, s.typ)
		b = l.order.AppendUint32(b, s.flags)
		for _, v := range [...]uint64{s.addr, s.addr, s.addr, s.fileSize, s.memory, s.align} {
			b = l.order.AppendUint64(b, v)
		}
	}
	return nil
}

// segments makes the program header table.
func (l *linker) segments() []segment {
	var text, tls, relro, data, whole segment
	fileEnd := l.fileSize()
	cover := func(s *segment, o *outSection) {
		if s.memory == 0 {
			s.addr = o.addr
		}
		s.memory = max(s.memory, o.addr+o.size-s.addr)
		if o.typ != mc.SecNoBits {
			s.fileSize = max(s.fileSize, o.addr+o.size-s.addr)
		}
		s.align = max(s.align, o.align)
	}
	first := &whole
	for i := range l.outs {
		o := &l.outs[i]
		if o.flags&mc.FlagTLS != 0 {
			cover(&tls, o)
		}
		switch {
		case o.rank < rankText:
			cover(first, o)
		case o.rank < rankTLS:
			cover(&text, o)
		case o.rank == rankTLSZero:
		default:
			cover(&data, o)
			if o.rank < rankData {
				cover(&relro, o)
			}
		}
	}
	first.memory += first.addr
	first.addr, first.fileSize = 0, first.memory
	// The file is mapped to the end of its bytes.
	if data.fileSize = fileEnd - data.addr; data.memory < data.fileSize {
		data.memory = data.fileSize
	}
	relro.memory = alignUp(relro.addr+relro.memory, pageSize) - relro.addr
	relro.fileSize = min(relro.memory, data.fileSize)
	load := func(s segment, flags uint32) segment {
		s.typ, s.flags, s.align = ptLoad, flags, pageSize
		return s
	}
	of := func(name string, typ, flags uint32) segment {
		o := l.outNamed(name)
		return segment{typ, flags, o.addr, o.size, o.size, o.align}
	}
	segs := []segment{{}, of(".interp", ptInterp, segR), load(*first, segR), load(text, segR|segX), load(data, segR|segW), of(".dynamic", ptDynamic, segR|segW)}
	if tls.memory > 0 {
		tls.typ, tls.flags = ptTLS, segR
		segs = append(segs, tls)
	}
	if l.outNamed(".eh_frame_hdr") != nil {
		segs = append(segs, of(".eh_frame_hdr", ptEHFrame, segR))
	}
	relro.typ, relro.flags, relro.align = ptRelro, segR, 1
	segs = append(segs, segment{typ: ptStack, flags: segR | segW, align: 16}, relro)
	size := uint64(len(segs) * phdrSize)
	segs[0] = segment{ptPHDR, segR, ehdrSize, size, size, 8}
	return segs
}

// symRow appends a symbol in the file's form.
func (l *linker) symRow(b []byte, name uint32, y *symbol, section uint16, value uint64) []byte {
	bind, typ := mc.BindGlobal, y.typ
	switch {
	case y.local:
		bind = mc.BindLocal
	case y.weak:
		bind = mc.BindWeak
	}
	if typ == mc.TypeCommon {
		typ = mc.TypeObject
	}
	if y.state == library {
		if section == 0 {
			typ = y.lib.lib.symType(y.lib.index)
			if typ == mc.TypeIFunc {
				typ = mc.TypeFunc
			}
		}
	}
	b = l.order.AppendUint32(b, name)
	b = append(b, byte(bind)<<4|byte(typ)&15, byte(y.vis))
	b = l.order.AppendUint16(b, section)
	b = l.order.AppendUint64(b, value)
	return l.order.AppendUint64(b, y.size)
}

// place gives section number and value of a symbol, as symbol tables have them.
func (l *linker) placeOf(y *symbol) (section uint16, value uint64) {
	value = l.address(y)
	switch {
	case y.state == absolute:
		return shnAbs, value
	case y.sec >= 0 && l.secs[y.sec].out >= 0:
		out := l.secs[y.sec].out
		if l.outs[out].flags&mc.FlagTLS != 0 {
			start, _, _ := l.threadData()
			value -= start
		}
		return uint16(out + 1), value
	case y.state == library && y.canonical:
		return 0, value
	}
	return 0, 0
}

func (l *linker) writeDynSym() {
	b := l.img[l.addrNamed(".dynsym"):][:symSize] // the null symbol
	for k, id := range l.dyn.order {
		y := &l.syms[id]
		section, value := l.placeOf(y)
		b = l.symRow(b, l.dyn.names[k], y, section, value)
	}
}

func (l *linker) writeDynamic() {
	relative := 0
	for relative < len(l.relas) && l.relas[relative].typ == l.abi.Dynamic.Relative {
		relative++
	}
	b := l.img[l.addrNamed(".dynamic"):][:0]
	for _, e := range l.dyn.entries {
		v := e.val
		if e.section != "" {
			o := l.outNamed(e.section)
			if v = o.addr; e.size {
				v = o.size
			}
		}
		if e.tag == dtRelaCount {
			v = uint64(relative)
		}
		b = l.order.AppendUint64(b, e.tag)
		b = l.order.AppendUint64(b, v)
	}
}

// writeSections appends the symbol table, its strings and the section headers.
func (l *linker) writeSections() (off uint64, count int) {
	strs := []byte{0}
	name := func(s string) uint32 {
		at := uint32(len(strs))
		strs = append(append(strs, s...), 0)
		return at
	}
	syms := make([]byte, symSize)
	locals := 0
	for _, local := range [2]bool{true, false} {
		for i := 1; i < len(l.syms); i++ {
			y := &l.syms[i]
			if y.local != local || y.name == "" && y.typ != mc.TypeFile || y.typ == mc.TypeSection {
				continue
			}
			if y.sec >= 0 && l.secs[y.sec].dropped {
				continue
			}
			section, value := l.placeOf(y)
			syms = l.symRow(syms, name(y.name), y, section, value)
		}
		if local {
			locals = len(syms) / symSize
		}
	}
	l.img = append(l.img, make([]byte, alignUp(uint64(len(l.img)), 8)-uint64(len(l.img)))...)
	symOff := uint64(len(l.img))
	l.img = append(l.img, syms...)
	number := map[string]uint32{}
	for i := range l.outs {
		number[l.outs[i].name] = uint32(i + 1)
	}
	b := make([]byte, shdrSize)
	row := func(n string, typ mc.SectionType, flags mc.SectionFlags, addr, off, size uint64, link, info uint32, align, ent uint64) {
		b = l.order.AppendUint32(b, name(n))
		b = l.order.AppendUint32(b, uint32(typ))
		b = l.order.AppendUint64(b, uint64(flags))
		b = l.order.AppendUint64(b, addr)
		b = l.order.AppendUint64(b, off)
		b = l.order.AppendUint64(b, size)
		b = l.order.AppendUint32(b, link)
		b = l.order.AppendUint32(b, info)
		b = l.order.AppendUint64(b, align)
		b = l.order.AppendUint64(b, ent)
	}
	for i := range l.outs {
		o := &l.outs[i]
		info := uint32(0)
		switch o.name {
		case ".dynsym":
			info = 1
		case ".gnu.version_r":
			info = uint32(l.dyn.files)
		case ".rela.plt":
			info = number[".got.plt"]
		}
		flags := o.flags
		if o.name == ".rela.plt" {
			flags |= mc.FlagInfoLink
		}
		row(o.name, o.typ, flags, o.addr, min(o.addr, l.fileSize()), o.size, number[o.link], info, max(o.align, 1), o.entSize)
	}
	n := len(l.outs)
	row(".symtab", mc.SecSymTab, 0, 0, symOff, uint64(len(syms)), uint32(n+2), uint32(locals), 8, symSize)
	last := name(".strtab") // the table is complete with its own name
	strOff := uint64(len(l.img))
	l.img = append(l.img, strs...)
	row("", mc.SecStrTab, 0, 0, strOff, uint64(len(strs)), 0, 0, 1, 0)
	l.order.PutUint32(b[len(b)-shdrSize:], last)
	l.img = append(l.img, make([]byte, alignUp(uint64(len(l.img)), 8)-uint64(len(l.img)))...)
	off = uint64(len(l.img))
	l.img = append(l.img, b...)
	return off, n + 3
}
