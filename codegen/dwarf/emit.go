package dwarf

import (
	"strconv"

	"github.com/mirin-go/mirin/ir/dwarfname"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target"
)

// End completes the entries and writes the sections.
func (w *Writer) End(out target.AsmOutput) error {
	w.out = out
	if w.err != nil {
		return w.err
	}
	made := w.made()
	if len(made) == 0 {
		return nil
	}
	for _, u := range made {
		if u.kind == kindDirectives {
			continue
		}
		for _, id := range u.list("imports") {
			w.imported(u, w.at(id))
		}
		for i := 0; i < len(w.deferred); i++ {
			d := w.deferred[i]
			if d.unit != u.number {
				continue
			}
			switch n := w.at(d.node); {
			case n.is("DIImportedEntity"):
				w.imported(u, n)
			case n.is("DIGlobalVariable"):
				w.globalVariable(u, n)
			case isType(n):
				w.typeDie(u, n)
			}
		}
	}
	w.finish()
	for _, u := range made {
		w.finishUnit(u)
	}
	o := &sectionWriter{s: out.Streamer(), ctx: out.Streamer().Context(), text: w.text, verbose: w.text && out.Verbose(), big: w.big, ptr: w.ptr, offset: 4}
	if w.wide {
		o.offset = 8
	}
	described := made[:0:0]
	for _, u := range made {
		if u.kind != kindDirectives {
			described = append(described, u)
		}
	}
	if len(described) > 0 {
		w.emitLocs(o)
		w.emitInfo(o, described)
		w.emitRanges(o)
		w.emitMacros(o, described)
		w.emitStrings(o)
		w.emitAddresses(o)
		w.emitNames(o, described)
		w.emitPubNames(o, described)
	}
	if w.text {
		o.open(".debug_line", 0, 0)
		o.label(out.Streamer().LineTable(0))
	}
	o.flush()
	return w.err
}

// made are the units that something asked for.
func (w *Writer) made() (us []*unit) {
	for _, u := range w.units {
		if u.die != 0 {
			us = append(us, u)
		}
	}
	return us
}

// finishUnit adds to a unit's entry what is known at the end.
func (w *Writer) finishUnit(u *unit) {
	if u.kind == kindDirectives {
		return
	}
	if n := len(u.ranges); n > 0 {
		if n > 1 {
			w.add(u.die, atLowPc, formAddr, valInt, 0)
		} else {
			u.base = u.ranges[0].begin
		}
		w.addRanges(u, u.die, u.ranges)
	}
	if w.version >= 5 {
		if len(w.addrs.syms) > 0 || u.hasRanges {
			w.add(u.die, atAddrBase, formSecOffset, valSym, uint64(w.addrs.baseSym(w)))
		}
		if u.hasRanges {
			w.add(u.die, atRnglistsBase, formSecOffset, valSym, uint64(w.tableBase(&w.rngBase, "rnglists_table_base")))
		}
		if len(w.locs) > 0 {
			w.add(u.die, atLoclistsBase, formSecOffset, valSym, uint64(w.tableBase(&w.locBase, "loclists_table_base")))
		}
	}
	if len(u.list("macros")) > 0 {
		u.macroSym = w.label("cu_macro_begin")
		attr := uint16(atMacroInfo)
		if w.version >= 5 {
			attr = atMacros
		}
		w.add(u.die, attr, w.offsetForm(), valSym, uint64(u.macroSym))
	}
}

func (p *addressPool) baseSym(w *Writer) mc.Sym { return w.tableBase(&p.base, "addr_table_base") }

func (w *Writer) tableBase(s *mc.Sym, name string) mc.Sym {
	if *s == 0 {
		*s = w.label(name)
	}
	return *s
}

// headerSize is the size of a unit's header.
func (w *Writer) headerSize() uint32 {
	n := uint32(4 + 2 + 4 + 1)
	if w.wide {
		n = 12 + 2 + 8 + 1
	}
	if w.version >= 5 {
		n++
	}
	return n
}

// emitInfo writes .debug_abbrev and .debug_info.
func (w *Writer) emitInfo(o *sectionWriter, us []*unit) {
	s := sizes{w.version, w.ptr, o.offset}
	at := uint64(0)
	for _, u := range us {
		u.length = w.place(u.die, w.headerSize(), s)
		u.offset = at
		at += uint64(u.length)
	}
	o.open(".debug_abbrev", 0, 0)
	abbrev := w.label("section_abbrev")
	o.label(abbrev)
	for k, t := range w.abbrevText {
		w.emitAbbrev(o, uint64(k+1), t)
	}
	o.u8(0, "EOM(3)")
	o.open(".debug_info", 0, 0)
	w.infoStart = w.label("info_start")
	o.label(w.infoStart)
	for _, u := range us {
		u.begin = w.label("cu_begin")
		o.label(u.begin)
		end := o.length(w, "debug_info", "Length of Unit")
		o.comment("DWARF version number")
		o.uint(uint64(w.version), 2)
		if w.version >= 5 {
			o.u8(1, "DWARF Unit Type")
			o.u8(uint64(w.ptr), "Address Size (in bytes)")
		}
		o.comment("Offset Into Abbrev. Section")
		o.sym(abbrev, o.offset)
		if w.version < 5 {
			o.u8(uint64(w.ptr), "Address Size (in bytes)")
		}
		w.emitDie(o, u.die)
		o.label(end)
	}
}

func name(k dwarfname.Kind, n uint64) string { return dwarfname.Name(k, n) }

// emitAbbrev writes an abbreviation, whose key has its parts already.
func (w *Writer) emitAbbrev(o *sectionWriter, code uint64, key string) {
	o.comment("Abbreviation Code")
	o.uleb(code)
	if !o.verbose {
		o.bytes(append([]byte(key), 0, 0))
		return
	}
	next := func() (v uint64) {
		for shift := 0; ; shift += 7 {
			c := key[0]
			key = key[1:]
			v |= uint64(c&0x7f) << shift
			if c < 0x80 {
				return v
			}
		}
	}
	tag := next()
	o.comment(name(dwarfname.Tag, tag))
	o.uleb(tag)
	children := [...]string{"DW_CHILDREN_no", "DW_CHILDREN_yes"}
	c := next()
	o.u8(c, children[c])
	for key != "" {
		attr := next()
		form := next()
		o.comment(name(dwarfname.Attribute, attr))
		o.uleb(attr)
		o.comment(name(dwarfname.Form, form))
		o.uleb(form)
		if form == formImplicitConst {
			v := key[0]
			o.u8(uint64(v), "")
			next()
		}
	}
	o.u8(0, "EOM(1)")
	o.u8(0, "EOM(2)")
}

// emitDie writes an entry and those below it.
func (w *Writer) emitDie(o *sectionWriter, d dieID) {
	x := &w.dies[d]
	if o.verbose {
		o.comment("Abbrev [" + strconv.Itoa(int(x.abbrev)) + "] 0x" + strconv.FormatUint(uint64(x.offset), 16) + ":0x" +
			strconv.FormatUint(uint64(w.end(d)-x.offset), 16) + " " + name(dwarfname.Tag, uint64(x.tag)))
	}
	o.uleb(uint64(x.abbrev))
	for v := x.values; v != 0; v = w.values[v].next {
		r := &w.values[v]
		if o.verbose && r.form != formFlagPresent && r.form != formImplicitConst {
			o.comment(name(dwarfname.Attribute, uint64(r.attr)))
		}
		w.emitValue(o, x, r)
	}
	for c := x.first; c != 0; c = w.dies[c].next {
		w.emitDie(o, c)
	}
	if x.first != 0 {
		o.u8(0, "End Of Children Mark")
	}
}

// end is where an entry and those below it end.
func (w *Writer) end(d dieID) uint32 {
	x := &w.dies[d]
	off := x.offset + uint32(ulebSize(uint64(x.abbrev)))
	s := sizes{w.version, w.ptr, 4}
	if w.wide {
		s.offset = 8
	}
	for v := x.values; v != 0; v = w.values[v].next {
		off += uint32(w.size(&w.values[v], s))
	}
	if x.last != 0 {
		off = w.end(x.last) + 1
	}
	return off
}

func (w *Writer) emitValue(o *sectionWriter, x *die, r *value) {
	size := 0
	switch r.form {
	case formFlagPresent, formImplicitConst:
		return
	case formData1, formFlag, formStrx1:
		size = 1
	case formData2, formStrx2:
		size = 2
	case formStrx3:
		size = 3
	case formData4, formRef4, formStrx4:
		size = 4
	case formData8:
		size = 8
	case formAddr:
		size = w.ptr
	case formStrp, formSecOffset:
		size = o.offset
	case formRefAddr:
		if size = o.offset; w.version == 2 {
			size = w.ptr
		}
	}
	switch r.kind {
	case valInt:
		o.uint(r.a, size)
	case valULEB:
		o.uleb(r.a)
	case valSLEB:
		o.sleb(int64(r.a))
	case valStr:
		if r.form == formStrp {
			w.emitStringRef(o, uint32(r.a))
		} else {
			o.uint(uint64(w.strs.indexes[r.a]), size)
		}
	case valDie:
		to := &w.dies[r.a]
		if r.form == formRef4 {
			o.uint(uint64(to.offset), 4)
		} else {
			o.symOff(w.infoStart, int64(w.units[to.unit].offset)+int64(to.offset), size)
		}
	case valSym:
		o.sym(mc.Sym(r.a), size)
	case valDelta:
		o.delta(mc.Sym(r.a>>32), mc.Sym(r.a), size)
	case valBlock:
		w.emitBlock(o, r.form, &w.blocks[r.a])
	}
}

func (w *Writer) emitBlock(o *sectionWriter, form uint16, b *block) {
	switch form {
	case formBlock1:
		o.uint(uint64(b.size), 1)
	case formBlock2:
		o.uint(uint64(b.size), 2)
	case formBlock4:
		o.uint(uint64(b.size), 4)
	default:
		o.uleb(uint64(b.size))
	}
	at := 0
	for _, f := range b.fix {
		o.bytes(b.b[at:f.at])
		at = f.at
		if f.tls {
			o.flush()
			o.s.Value(o.ctx.Ref(f.sym, w.dtpOff), f.size)
			continue
		}
		o.sym(f.sym, f.size)
	}
	o.bytes(b.b[at:])
}

// emitStringRef writes the offset of a string.
func (w *Writer) emitStringRef(o *sectionWriter, n uint32) {
	if w.text {
		o.sym(w.stringSym(n), o.offset)
		return
	}
	o.symOff(w.strSection(), int64(w.strOffset(n)), o.offset)
}

// stringSym is the label of a string in text.
func (w *Writer) stringSym(n uint32) mc.Sym {
	return w.out.Streamer().Context().Symbol(w.out.Streamer().Context().Info().PrivateGlobal + "info_string" + strconv.Itoa(int(n)))
}

// strSection is .debug_str in objects: linkers that merge strings find one by its offset
// from the section's own symbol alone.
func (w *Writer) strSection() mc.Sym {
	s := w.out.Streamer()
	return s.(interface{ SectionStart(mc.SectionID) mc.Sym }).SectionStart(s.Context().ELFSection(".debug_str", s.Context().Info().DebugType(), mc.FlagMerge|mc.FlagStrings, 1))
}

// strOffset is where a string stands in .debug_str: in the order of numbers.
func (w *Writer) strOffset(n uint32) uint64 {
	p := &w.strs
	for len(p.offsets) < len(p.text) {
		k := len(p.offsets)
		off := uint64(0)
		if k > 0 {
			off = p.offsets[k-1] + uint64(len(p.text[k-1])) + 1
		}
		p.offsets = append(p.offsets, off)
	}
	return p.offsets[n]
}

// emitStrings writes .debug_str_offsets and .debug_str.
func (w *Writer) emitStrings(o *sectionWriter) {
	p := &w.strs
	if len(p.text) == 0 {
		return
	}
	if w.version >= 5 && p.base != 0 {
		o.open(".debug_str_offsets", 0, 0)
		if o.offset == 8 {
			o.comment("DWARF64 Mark")
			o.uint(1<<32-1, 4)
		}
		o.comment("Length of String Offsets Set")
		o.uint(uint64(len(p.order)*o.offset+4), o.offset)
		o.uint(5, 2)
		o.uint(0, 2)
		o.label(p.base)
	}
	o.open(".debug_str", mc.FlagMerge|mc.FlagStrings, 1)
	for n, s := range p.text {
		if w.text {
			o.label(w.stringSym(uint32(n)))
			o.comment("string offset=" + strconv.FormatUint(w.strOffset(uint32(n)), 10))
		}
		o.str(s)
	}
	o.flush()
	if w.version >= 5 && p.base != 0 {
		o.open(".debug_str_offsets", 0, 0)
		for _, n := range p.order {
			w.emitStringRef(o, n)
		}
	}
}

// emitAddresses writes .debug_addr.
func (w *Writer) emitAddresses(o *sectionWriter) {
	p := &w.addrs
	if len(p.syms) == 0 || w.version < 5 {
		return
	}
	o.open(".debug_addr", 0, 0)
	end := o.length(w, "debug_addr", "Length of contribution")
	o.comment("DWARF version number")
	o.uint(5, 2)
	o.u8(uint64(w.ptr), "Address size")
	o.u8(0, "Segment selector size")
	o.label(p.baseSym(w))
	for _, s := range p.syms {
		o.sym(s, w.ptr)
	}
	o.label(end)
}

// listTable begins .debug_rnglists or .debug_loclists: n offsets and the lists.
func (w *Writer) listTable(o *sectionWriter, base mc.Sym, n int) (end mc.Sym) {
	end = o.length(w, "debug_list_header", "Length")
	o.comment("Version")
	o.uint(uint64(w.version), 2)
	o.u8(uint64(w.ptr), "Address size")
	o.u8(0, "Segment selector size")
	o.comment("Offset entry count")
	o.uint(uint64(n), 4)
	o.label(base)
	return end
}

// DWARF's kinds of entries in lists of ranges and locations.
const (
	listEnd          = 0
	listBaseAddressx = 1
	listStartxLength = 3
	listOffsetPair   = 4
)

// emitRanges writes .debug_rnglists or .debug_ranges.
func (w *Writer) emitRanges(o *sectionWriter) {
	if len(w.lists) == 0 {
		return
	}
	if w.version < 5 {
		o.open(".debug_ranges", 0, 0)
		for k := range w.lists {
			l := &w.lists[k]
			o.label(l.sym)
			w.emitRangeList(o, w.units[l.unit], l.ranges, nil)
			o.uint(0, w.ptr)
			o.uint(0, w.ptr)
		}
		return
	}
	o.open(".debug_rnglists", 0, 0)
	base := w.tableBase(&w.rngBase, "rnglists_table_base")
	end := w.listTable(o, base, len(w.lists))
	for k := range w.lists {
		w.lists[k].sym = w.label("debug_ranges")
		o.delta(w.lists[k].sym, base, o.offset)
	}
	for k := range w.lists {
		l := &w.lists[k]
		o.label(l.sym)
		w.emitRangeList(o, w.units[l.unit], l.ranges, nil)
		o.u8(listEnd, "DW_RLE_end_of_list")
	}
	o.label(end)
}

// emitLocs writes .debug_loclists or .debug_loc.
func (w *Writer) emitLocs(o *sectionWriter) {
	if len(w.locs) == 0 {
		return
	}
	base, end := mc.Sym(0), mc.Sym(0)
	if w.version < 5 {
		o.open(".debug_loc", 0, 0)
	} else {
		o.open(".debug_loclists", 0, 0)
		base = w.tableBase(&w.locBase, "loclists_table_base")
		end = w.listTable(o, base, len(w.locs))
		for k := range w.locs {
			w.locs[k].sym = w.label("debug_loc")
			o.delta(w.locs[k].sym, base, o.offset)
		}
	}
	for k := range w.locs {
		l := &w.locs[k]
		o.label(l.sym)
		ranges := make([]symRange, len(l.entries))
		for i := range l.entries {
			ranges[i] = l.entries[i].symRange
		}
		w.emitRangeList(o, w.units[l.unit], ranges, func(i int) {
			e := l.entries[i].expr
			if w.version >= 5 {
				o.comment("Loc expr size")
				o.uleb(uint64(len(e)))
			} else {
				o.comment("Loc expr size")
				o.uint(uint64(len(e)), 2)
			}
			o.bytes(e)
		})
		if w.version >= 5 {
			o.u8(listEnd, "DW_LLE_end_of_list")
		} else {
			o.uint(0, w.ptr)
			o.uint(0, w.ptr)
		}
	}
	if end != 0 {
		o.label(end)
	}
}

// emitRangeList writes ranges, which are of one section each row of equal ones, and
// what is said of each.
func (w *Writer) emitRangeList(o *sectionWriter, u *unit, ranges []symRange, payload func(i int)) {
	kind := "DW_RLE_"
	if payload != nil {
		kind = "DW_LLE_"
	}
	for i := 0; i < len(ranges); {
		n := i
		for n < len(ranges) && ranges[n].section == ranges[i].section {
			n++
		}
		base := u.base
		if base == 0 {
			b := w.sectionLabel(ranges[i].section)
			switch {
			case w.version < 5:
				base = b
				o.uint(^uint64(0), w.ptr)
				o.comment("  base address")
				o.sym(base, w.ptr)
			case b != ranges[i].begin || n-i > 1:
				base = b
				o.u8(listBaseAddressx, kind+"base_addressx")
				o.comment("  base address index")
				o.uleb(uint64(w.addrs.number(base)))
			}
		}
		for ; i < n; i++ {
			r := &ranges[i]
			switch {
			case base != 0 && w.version >= 5:
				o.u8(listOffsetPair, kind+"offset_pair")
				o.comment("  starting offset")
				o.ulebDelta(r.begin, base)
				o.comment("  ending offset")
				o.ulebDelta(r.end, base)
			case base != 0:
				o.delta(r.begin, base, w.ptr)
				o.delta(r.end, base, w.ptr)
			case w.version >= 5:
				o.u8(listStartxLength, kind+"startx_length")
				o.comment("  start index")
				o.uleb(uint64(w.addrs.number(r.begin)))
				o.comment("  length")
				o.ulebDelta(r.end, r.begin)
			}
			if payload != nil {
				payload(i)
			}
		}
	}
}

// sectionLabel is the first label in a section of code: that of its first function.
func (w *Writer) sectionLabel(s mc.SectionID) mc.Sym { return w.firstLabel[s] }
