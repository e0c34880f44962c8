package mc

// The description of an assembly file for debuggers (-g): a compile unit whose children are
// the labels, in .debug_info, .debug_abbrev, .debug_aranges and, of several sections,
// .debug_ranges or .debug_rnglists. DWARF 2 to 5; the same as LLVM's assembler writes.

// debugSections is what a streamer that makes objects says of sections; text has their names.
type debugSections interface {
	// HasCode reports a section with instructions.
	HasCode(s SectionID) bool
	// SectionStart and SectionEnd are symbols of a section's bounds.
	SectionStart(s SectionID) Sym
	SectionEnd(s SectionID) Sym
}

// HasCode reports a section with instructions.
func (o *ObjectStreamer) HasCode(s SectionID) bool { return int(s) < len(o.secs) && o.secs[s].code }

// SectionStart is a section's symbol.
func (o *ObjectStreamer) SectionStart(s SectionID) Sym {
	cur := o.cur
	o.SwitchSection(s)
	o.cur = cur
	return o.secs[s].sym
}

// SectionEnd is a new symbol at the end of what a section holds.
func (o *ObjectStreamer) SectionEnd(s SectionID) Sym {
	cur := o.cur
	o.SwitchSection(s)
	y := o.ctx.Temp("sec_end")
	o.Label(y)
	o.cur = cur
	return y
}

// debugAsm writes the description of one unit.
type debugAsm struct {
	s          Streamer
	ctx        *Context
	u          *DebugUnit
	version    int
	ptr        int
	offset     int // size of an offset
	starts     []Sym
	ends       []Sym
	info, abbr Sym
	lines      Sym
	ranges     Sym
}

// EmitDebugAssembly writes what debuggers want to know of an assembly file.
func EmitDebugAssembly(s Streamer, u *DebugUnit) {
	ctx := s.Context()
	d := debugAsm{s: s, ctx: ctx, u: u, version: u.Version, ptr: ctx.info.PointerSize(), offset: 4}
	if ctx.Dwarf64 {
		d.offset = 8
	}
	o, object := s.(debugSections)
	if x, ok := s.(*ObjectStreamer); ok {
		x.nameFrameSections() // they stand before
	}
	for _, id := range u.Sections {
		switch {
		case !object:
			d.starts = append(d.starts, ctx.Symbol(ctx.sections[id].Name))
			d.ends = append(d.ends, ctx.Temp("sec_end"))
		case o.HasCode(id):
			d.starts = append(d.starts, o.SectionStart(id))
			d.ends = append(d.ends, o.SectionEnd(id))
		}
	}
	if len(d.starts) > 0 {
		saved := s.Section()
		d.info = d.begin(".debug_info")
		d.abbr = d.begin(".debug_abbrev")
		d.aranges()
		if len(d.starts) > 1 && d.version >= 3 {
			d.rangeList()
		}
		d.abbreviations()
		d.lines = d.lineTable()
		d.unit()
		if object && saved != 0 {
			s.SwitchSection(saved)
		}
	}
	if !object {
		d.section(".debug_line")
		s.Label(d.lines)
	} else {
		d.lineTable()
	}
}

// lineTable is the symbol of the line table.
func (d *debugAsm) lineTable() Sym {
	if o, ok := d.s.(*ObjectStreamer); ok {
		o.lineUnit(0).wanted = true
		return o.SectionStart(d.id(".debug_line"))
	}
	return d.ctx.Temp("line_table_start")
}

func (d *debugAsm) id(name string) SectionID {
	return d.ctx.ELFSection(name, d.ctx.info.DebugType(), 0, 0)
}

func (d *debugAsm) section(name string) { d.s.SwitchSection(d.id(name)) }

// begin switches to a section and gives a symbol of its start.
func (d *debugAsm) begin(name string) Sym {
	d.section(name)
	y := d.ctx.Temp("tmp")
	d.s.Label(y)
	return y
}

func (d *debugAsm) int(v uint64, size int) { d.s.Int(v, size) }
func (d *debugAsm) sym(s Sym, size int)    { d.s.Value(d.ctx.Ref(s, ModNone), size) }

// extent is the size of a section.
func (d *debugAsm) extent(i int) Expr {
	return d.ctx.Binary(OpSub, d.ctx.Diff(d.ends[i], d.starts[i]), d.ctx.Const(0))
}

// str writes a string that ends with a zero.
func (d *debugAsm) str(parts ...string) {
	for _, p := range parts {
		if p != "" {
			d.s.Bytes([]byte(p))
		}
	}
	d.int(0, 1)
}

// mark begins a length of the 64-bit format.
func (d *debugAsm) mark(comment bool) {
	if d.offset == 8 {
		if comment {
			d.s.Comment("DWARF64 mark")
		}
		d.int(1<<32-1, 4)
	}
}

func (d *debugAsm) aranges() {
	d.section(".debug_aranges")
	head := d.offset
	if head == 8 {
		head = 12
	}
	n := head + 2 + d.offset + 2
	pad := -n & (2*d.ptr - 1)
	d.mark(false)
	d.int(uint64(n+pad+2*d.ptr*(len(d.starts)+1)-head), d.offset)
	d.int(2, 2)
	d.sym(d.info, d.offset)
	d.int(uint64(d.ptr), 1)
	d.int(0, 1)
	for range pad {
		d.int(0, 1)
	}
	for i := range d.starts {
		d.sym(d.starts[i], d.ptr)
		d.s.Value(d.extent(i), d.ptr)
	}
	d.int(0, d.ptr)
	d.int(0, d.ptr)
}

// rangeList writes the code's extents.
func (d *debugAsm) rangeList() {
	if d.version >= 5 {
		const startLength = 7 // DW_RLE_start_length
		d.section(".debug_rnglists")
		start, end := d.ctx.Temp("debug_list_header_start"), d.ctx.Temp("debug_list_header_end")
		d.mark(true)
		d.s.Comment("Length")
		d.s.Value(d.ctx.Diff(end, start), d.offset)
		d.s.Label(start)
		d.s.Comment("Version")
		d.int(uint64(d.version), 2)
		d.s.Comment("Address size")
		d.int(uint64(d.ptr), 1)
		d.s.Comment("Segment selector size")
		d.int(0, 1)
		d.s.Comment("Offset entry count")
		d.int(0, 4)
		d.ranges = d.ctx.Temp("debug_rnglist0_start")
		d.s.Label(d.ranges)
		for i := range d.starts {
			d.int(startLength, 1)
			d.sym(d.starts[i], d.ptr)
			d.s.ULEB128(d.extent(i))
		}
		d.int(0, 1)
		d.s.Label(end)
		return
	}
	d.section(".debug_ranges")
	d.ranges = d.ctx.Temp("debug_ranges_start")
	d.s.Label(d.ranges)
	for i := range d.starts {
		d.s.Fill(uint64(d.ptr), 1, 0xff)
		d.sym(d.starts[i], d.ptr)
		d.int(0, d.ptr)
		d.s.Value(d.extent(i), d.ptr)
	}
	d.int(0, d.ptr)
	d.int(0, d.ptr)
}

// Numbers of DWARF.
const (
	dwTagCompileUnit = 0x11
	dwTagLabel       = 0x0a
	dwAtName         = 0x03
	dwAtStmtList     = 0x10
	dwAtLowPC        = 0x11
	dwAtHighPC       = 0x12
	dwAtLanguage     = 0x13
	dwAtCompDir      = 0x1b
	dwAtProducer     = 0x25
	dwAtDeclFile     = 0x3a
	dwAtDeclLine     = 0x3b
	dwAtRanges       = 0x55
	dwFormAddr       = 0x01
	dwFormData2      = 0x05
	dwFormData4      = 0x06
	dwFormData8      = 0x07
	dwFormString     = 0x08
	dwFormSecOffset  = 0x17
	dwLangAssembler  = 0x8001 // DW_LANG_Mips_Assembler
	dwUTCompile      = 1
)

func (d *debugAsm) abbreviations() {
	d.section(".debug_abbrev")
	put := func(b ...byte) {
		for _, c := range b {
			d.int(uint64(c), 1)
		}
	}
	offset := byte(dwFormSecOffset)
	if d.version < 4 {
		offset = dwFormData4
		if d.offset == 8 {
			offset = dwFormData8
		}
	}
	put(1, dwTagCompileUnit, 1, dwAtStmtList, offset)
	if d.ranges != 0 {
		put(dwAtRanges, offset)
	} else {
		put(dwAtLowPC, dwFormAddr, dwAtHighPC, dwFormAddr)
	}
	put(dwAtName, dwFormString)
	if d.u.CompDir != "" {
		put(dwAtCompDir, dwFormString)
	}
	put(dwAtProducer, dwFormString, dwAtLanguage, dwFormData2, 0, 0)
	put(2, dwTagLabel, 0, dwAtName, dwFormString, dwAtDeclFile, dwFormData4, dwAtDeclLine, dwFormData4, dwAtLowPC, dwFormAddr, 0, 0)
	put(0)
}

// unit writes the compile unit and the labels.
func (d *debugAsm) unit() {
	d.section(".debug_info")
	start, end := d.ctx.Temp("tmp"), d.ctx.Temp("tmp")
	d.s.Label(start)
	head := int64(d.offset)
	if head == 8 {
		head = 12
	}
	d.mark(false)
	d.s.Value(d.ctx.Binary(OpSub, d.ctx.Diff(end, start), d.ctx.Const(head)), d.offset)
	d.int(uint64(d.version), 2)
	if d.version >= 5 {
		d.int(dwUTCompile, 1)
		d.int(uint64(d.ptr), 1)
	}
	d.sym(d.abbr, d.offset)
	if d.version <= 4 {
		d.int(uint64(d.ptr), 1)
	}
	d.int(1, 1)
	d.sym(d.lines, d.offset)
	if d.ranges != 0 {
		d.sym(d.ranges, d.offset)
	} else {
		d.sym(d.starts[0], d.ptr)
		d.sym(d.ends[0], d.ptr)
	}
	d.str(d.u.Name)
	if d.u.CompDir != "" {
		d.str(d.u.CompDir)
	}
	d.str(d.u.Producer)
	d.int(dwLangAssembler, 2)
	for _, l := range d.u.Labels {
		d.int(2, 1)
		d.str(l.Name)
		d.int(uint64(l.File), 4)
		d.int(uint64(l.Line), 4)
		d.sym(l.Sym, d.ptr)
	}
	d.int(0, 1)
	d.s.Label(end)
}
