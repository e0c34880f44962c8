package mc

import (
	"errors"
	"iter"
	"slices"
	"strings"
)

// lineState is what .file and .loc say. What a chunk says has numbers of its own for
// files, which refs explains.
type lineState struct {
	units   []lineTable
	pending bool // next waits for the bytes that follow
	next    lineRow
	refs    []lineFileRef
}

// lineFileRef is a file that a chunk speaks of.
type lineFileRef struct {
	unit uint32
	file *LineFile
}

// lineTable is the table of one unit.
type lineTable struct {
	files   []LineFile
	have    []bool
	numbers map[string]uint32 // of LineFile, by LineFile.key
	rows    []lineRow
	version int  // of DWARF
	wanted  bool // also without files
	start   Sym  // of LineTable, 0 when nothing refers to it
}

// lineRow is a row and the place of the code that it is about.
type lineRow struct {
	at                                  place
	sym                                 Sym // ObjectStreamer.mark
	file, line, col, discriminator, isa uint32
	// label is defined in the table; the row says nothing else. It was read at labelAt.
	label   Sym
	labelAt uint32
	unit    uint32
	flags   LineFlags
}

// lineUnit is the table of a unit.
func (o *ObjectStreamer) lineUnit(unit uint32) *lineTable {
	if o.lines == nil {
		o.lines = &lineState{}
	}
	for len(o.lines.units) <= int(unit) {
		o.lines.units = append(o.lines.units, lineTable{})
	}
	return &o.lines.units[unit]
}

// DwarfFile names file n of the line table.
func (o *ObjectStreamer) DwarfFile(unit uint32, n int, f LineFile) error {
	t := o.lineUnit(unit)
	t.grow(n)
	if t.have[n] {
		if n == 0 {
			t.files[0] = f
			return nil
		}
		return errors.New("file number already allocated")
	}
	t.files[n], t.have[n] = f, true
	t.version = o.ctx.DwarfVersion
	return nil
}

func (t *lineTable) grow(n int) {
	for len(t.files) <= n {
		t.files = append(t.files, LineFile{})
		t.have = append(t.have, false)
	}
}

// LineFile gives the number of a file, which it names when it is new.
func (o *ObjectStreamer) LineFile(unit uint32, f *LineFile) uint32 {
	t := o.lineUnit(unit)
	if o.forked {
		for k := range o.lines.refs {
			if r := &o.lines.refs[k]; r.unit == unit && r.file == f {
				return uint32(k)
			}
		}
		o.lines.refs = append(o.lines.refs, lineFileRef{unit, f})
		return uint32(len(o.lines.refs) - 1)
	}
	t.version = o.ctx.DwarfVersion
	if len(t.have) > 0 && t.have[0] && t.version >= 5 && t.files[0].same(f) {
		return 0
	}
	key := f.key()
	if n, ok := t.numbers[key]; ok {
		return n
	}
	n := max(len(t.files), 1)
	t.grow(n)
	t.files[n], t.have[n] = *f, true
	if t.numbers == nil {
		t.numbers = map[string]uint32{}
	}
	t.numbers[key] = uint32(n)
	return uint32(n)
}

// LineTable is a symbol at the start of a unit's table.
func (o *ObjectStreamer) LineTable(unit uint32) Sym {
	t := o.lineUnit(unit)
	if t.start == 0 {
		t.start, t.wanted = o.ctx.Inner(), true
	}
	return t.start
}

// Loc gives the line of what follows.
func (o *ObjectStreamer) Loc(l LineLoc) {
	o.lineUnit(l.Unit)
	o.row() // of two in a row, the first counts, too
	o.lines.next = lineRow{file: l.File, line: l.Line, col: l.Col, discriminator: l.Discriminator, isa: l.ISA, unit: l.Unit, flags: l.Flags}
	o.lines.pending = true
}

// row takes the line that is waiting for the bytes that follow.
func (o *ObjectStreamer) row() {
	s := o.lines
	if s == nil || !s.pending || o.cur == 0 {
		return
	}
	s.pending = false
	s.next.at, s.next.sym = o.here(), o.mark()
	t := &s.units[s.next.unit]
	t.rows = append(t.rows, s.next)
}

// cut gives the state to a chunk.
func (s *lineState) cut() *lineState {
	if s == nil {
		return nil
	}
	k := &lineState{units: make([]lineTable, len(s.units)), refs: slices.Clone(s.refs)}
	for i := range s.units {
		k.units[i].rows = slices.Clone(s.units[i].rows)
		s.units[i].rows = s.units[i].rows[:0]
	}
	s.refs, s.pending = s.refs[:0], false
	return k
}

// joinLines adds the lines of a chunk.
func (o *ObjectStreamer) joinLines(c *lineState, starts []place) {
	if c == nil {
		return
	}
	o.row()
	numbers := make([]uint32, len(c.refs))
	for k, r := range c.refs {
		numbers[k] = o.LineFile(r.unit, r.file)
	}
	for unit := range c.units {
		t := o.lineUnit(uint32(unit))
		for _, r := range c.units[unit].rows {
			r.at = starts[r.at.section].plus(r.at)
			r.file = numbers[r.file]
			t.rows = append(t.rows, r)
		}
	}
}

// LocLabel defines a symbol in the line table.
func (o *ObjectStreamer) LocLabel(s Sym, at uint32) {
	if o.data(".loc_label") == nil {
		return
	}
	t := o.lineUnit(0)
	t.rows = append(t.rows, lineRow{at: o.here(), label: s, labelAt: at})
}

// DWARF's opcodes of line programs.
const (
	lnsCopy           = 1
	lnsAdvancePC      = 2
	lnsAdvanceLine    = 3
	lnsSetFile        = 4
	lnsSetColumn      = 5
	lnsNegateStmt     = 6
	lnsBasicBlock     = 7
	lnsConstAddPC     = 8
	lnsFixedAdvancePC = 9
	lnsPrologueEnd    = 10
	lnsEpilogueBegin  = 11
	lnsSetISA         = 12

	lneEndSequence      = 1
	lneSetAddress       = 2
	lneSetDiscriminator = 4

	lineBase   = -5 // parameters of special opcodes
	lineRange  = 14
	opcodeBase = 13

	maxSpecialAddr = (255 - opcodeBase) / lineRange
)

// endSequence stands for the end of a section in advance.
const endSequence = int64(^uint64(0) >> 1)

// lineWriter writes .debug_line, when all places are settled.
type lineWriter struct {
	o       *ObjectStreamer
	t       *lineTable
	version int
	b       []byte
	fixups  []Fixup
	dirs    []string
	dirOf   []int // of each file
	strs    *lineStrings
}

// emitLines writes the line tables.
func (o *ObjectStreamer) emitLines() {
	if o.lines == nil {
		return
	}
	var strs lineStrings
	for i := range o.lines.units {
		if t := &o.lines.units[i]; len(t.files) > 0 || t.wanted {
			o.emitUnitLines(t, &strs)
		}
	}
	if strs.sym != 0 {
		saved := o.cur
		o.SwitchSection(o.lineStrSection())
		o.content("line table", 'd')
		o.secs[o.cur].buf = append(o.secs[o.cur].buf, strs.b...)
		o.cur = saved
	}
}

// lineStrings is .debug_line_str: names for the tables of all units.
type lineStrings struct {
	b   []byte
	at  map[string]int
	sym Sym
}

func (o *ObjectStreamer) lineStrSection() SectionID {
	return o.ctx.ELFSection(".debug_line_str", o.ctx.info.DebugType(), FlagMerge|FlagStrings, 1)
}

func (o *ObjectStreamer) emitUnitLines(t *lineTable, strs *lineStrings) {
	if len(t.files) == 0 {
		t.files, t.have = []LineFile{{}}, []bool{false}
		t.version = o.ctx.DwarfVersion
	}
	w := &lineWriter{o: o, t: t, version: max(t.version, 2), strs: strs}
	if w.version > 5 {
		w.version = 5
	}
	if t.have[0] {
		w.version = 5
	}
	saved := o.cur
	if !t.have[0] {
		t.files[0].Dir = o.ctx.CompDir
	}
	o.SwitchSection(o.ctx.ELFSection(".debug_line", o.ctx.info.DebugType(), 0, 0))
	o.content("line table", 'd')
	line := o.cur
	if w.version >= 5 && strs.sym == 0 {
		o.SwitchSection(o.lineStrSection())
		strs.sym, strs.at = o.secs[o.cur].sym, map[string]int{}
		o.cur = line
	}
	if t.start != 0 {
		o.Label(t.start)
	}
	w.table()
	d := &o.secs[o.cur]
	base := uint32(len(d.buf))
	for i := range w.fixups {
		w.fixups[i].Offset += base
	}
	d.buf = append(d.buf, w.b...)
	d.fixups = append(d.fixups, w.fixups...)
	o.cur = saved
}

func (w *lineWriter) uint(v uint64, size int) {
	at := len(w.b)
	w.b = append(w.b, make([]byte, size)...)
	PutInt(w.b[at:], v, w.o.bigEndian)
}

func (w *lineWriter) uleb(v uint64) { w.b = appendLEB(w.b, int64(v), false, 0) }

// address appends the address of a symbol.
func (w *lineWriter) address(s Sym, off int64, size int) {
	w.fixups = append(w.fixups, Fixup{Offset: uint32(len(w.b)), Expr: w.o.ctx.RefOff(s, ModNone, off), Kind: DataFixup(size)})
	w.b = append(w.b, make([]byte, size)...)
}

// str refers to a string of .debug_line_str.
func (w *lineWriter) str(s string) {
	at, ok := w.strs.at[s]
	if !ok {
		at = len(w.strs.b)
		w.strs.at[s] = at
		w.strs.b = append(append(w.strs.b, s...), 0)
	}
	size := 4
	if w.o.ctx.Dwarf64 {
		size = 8
	}
	w.address(w.strs.sym, int64(at), size)
}

// directories gives each file the number of its directory.
func (w *lineWriter) directories() {
	w.dirOf = make([]int, len(w.t.files))
	number := map[string]int{}
	for i := range w.t.files {
		f := &w.t.files[i]
		if i == 0 || !w.t.have[i] {
			continue
		}
		if f.Dir == w.t.files[0].Dir {
			f.Dir = ""
		}
		if f.Dir == "" {
			if k := strings.LastIndexByte(f.Name, '/'); k >= 0 && k+1 < len(f.Name) {
				f.Dir, f.Name = f.Name[:max(k, 1)], f.Name[k+1:]
			}
		}
		if f.Dir == "" {
			continue
		}
		k, ok := number[f.Dir]
		if !ok {
			k = len(w.dirs)
			number[f.Dir] = k
			w.dirs = append(w.dirs, f.Dir)
		}
		w.dirOf[i] = k + 1
	}
}

func (w *lineWriter) table() {
	m := w.o.be.Machine()
	w.directories()
	wide := w.o.ctx.Dwarf64
	size, lead := 4, 4
	if wide {
		w.uint(1<<32-1, 4)
		size, lead = 8, 12
	}
	w.uint(0, size) // the length, below
	w.uint(uint64(w.version), 2)
	if w.version >= 5 {
		w.b = append(w.b, byte(m.PtrSize), 0)
	}
	header := len(w.b)
	w.uint(0, size)
	w.b = append(w.b, byte(w.minInst()))
	if w.version >= 4 {
		w.b = append(w.b, 1)
	}
	base := int8(lineBase)
	w.b = append(w.b, 1, byte(base), lineRange, opcodeBase)
	w.b = append(w.b, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1) // operands of standard opcodes
	if w.version >= 5 {
		w.files5()
	} else {
		w.files2()
	}
	PutInt(w.b[header:header+size], uint64(len(w.b)-header-size), w.o.bigEndian)
	for rows := range w.sections() {
		w.section(rows, m.PtrSize)
	}
	PutInt(w.b[lead-size:lead], uint64(len(w.b)-lead), w.o.bigEndian)
}

// minInst is the unit of addresses in line programs.
func (w *lineWriter) minInst() int { return max(w.o.ctx.info.MinInst, 1) }

func (w *lineWriter) files2() {
	for _, d := range w.dirs {
		w.b = append(append(w.b, d...), 0)
	}
	w.b = append(w.b, 0)
	for i := 1; i < len(w.t.files); i++ {
		w.b = append(append(w.b, w.t.files[i].Name...), 0)
		w.uleb(uint64(w.dirOf[i]))
		w.b = append(w.b, 0, 0)
	}
	w.b = append(w.b, 0)
}

func (w *lineWriter) files5() {
	const path, dirIndex, md5, source, lineStrp, udata, data16 = 1, 2, 5, 0x2001, 0x1f, 0x0f, 0x1e
	w.b = append(w.b, 1, path, lineStrp)
	w.uleb(uint64(len(w.dirs) + 1))
	w.str(w.t.files[0].Dir)
	for _, d := range w.dirs {
		w.str(d)
	}
	all, any := true, false
	for i, f := range w.t.files {
		if w.t.have[i] {
			all = all && f.HasMD5
			any = any || f.HasSource
		}
	}
	w.b = append(w.b, byte(2+b2i(all)+b2i(any)), path, lineStrp, dirIndex, udata)
	if all {
		w.b = append(w.b, md5, data16)
	}
	if any {
		w.uleb(source)
		w.b = append(w.b, lineStrp)
	}
	w.uleb(uint64(len(w.t.files)))
	for i := range w.t.files {
		f, dir := &w.t.files[i], w.dirOf[i]
		if i == 0 && !w.t.have[0] && len(w.t.files) > 1 {
			f, dir = &w.t.files[1], w.dirOf[1] // written for older versions
		}
		w.str(f.Name)
		w.uleb(uint64(dir))
		if all {
			w.b = append(w.b, f.MD5[:]...)
		}
		if any {
			w.str(f.Source)
		}
	}
}

// sections gives the rows of each section, in the order of the first.
func (w *lineWriter) sections() iter.Seq[[]*lineRow] {
	return func(yield func([]*lineRow) bool) {
		rank := make([]int, len(w.o.secs)) // of sections, from 1
		n := 0
		rows := make([]*lineRow, len(w.t.rows))
		for i := range w.t.rows {
			rows[i] = &w.t.rows[i]
			if s := rows[i].at.section; rank[s] == 0 {
				n++
				rank[s] = n
			}
		}
		slices.SortStableFunc(rows, func(a, b *lineRow) int { return rank[a.at.section] - rank[b.at.section] })
		for len(rows) > 0 {
			k := 1
			for k < len(rows) && rows[k].at.section == rows[0].at.section {
				k++
			}
			if !yield(rows[:k]) {
				return
			}
			rows = rows[k:]
		}
	}
}

// section writes the rows of a section.
func (w *lineWriter) section(rows []*lineRow, ptr int) {
	d := &w.o.secs[rows[0].at.section]
	var file, col, isa uint32
	var line int64
	var flags LineFlags
	at, begun := uint64(0), false
	var sym Sym // of the last row
	start := func() { file, line, col, isa, flags = 1, 1, 0, 0, LineIsStmt }
	start()
	for _, r := range rows {
		if r.label != 0 {
			if begun {
				w.advanceTo(endSequence, d.final(r.at.piece, r.at.off)-at, sym, r.sym)
			}
			begun = false
			start()
			w.define(r)
			continue
		}
		if r.file != file {
			file = r.file
			w.b = append(w.b, lnsSetFile)
			w.uleb(uint64(file))
		}
		if r.col != col {
			col = r.col
			w.b = append(w.b, lnsSetColumn)
			w.uleb(uint64(col))
		}
		if r.discriminator != 0 && w.version >= 4 {
			n := lebSize(int64(r.discriminator), false)
			w.b = append(w.b, 0, byte(n+1), lneSetDiscriminator)
			w.uleb(uint64(r.discriminator))
		}
		if r.isa != isa {
			isa = r.isa
			w.b = append(w.b, lnsSetISA)
			w.uleb(uint64(isa))
		}
		if (r.flags^flags)&LineIsStmt != 0 {
			flags = r.flags
			w.b = append(w.b, lnsNegateStmt)
		}
		for _, f := range [...]struct {
			flag LineFlags
			op   byte
		}{{LineBasicBlock, lnsBasicBlock}, {LinePrologueEnd, lnsPrologueEnd}, {LineEpilogueBegin, lnsEpilogueBegin}} {
			if r.flags&f.flag != 0 {
				w.b = append(w.b, f.op)
			}
		}
		p := d.final(r.at.piece, r.at.off)
		if !begun {
			begun = true
			w.b = append(w.b, 0, byte(ptr+1), lneSetAddress)
			s := r.sym
			if s == 0 {
				s = w.o.ctx.add(Symbol{Section: r.at.section, piece: r.at.piece, Offset: r.at.off, Binding: BindLocal, Flags: SymTemp | SymDefined})
			}
			w.address(s, 0, ptr)
			at, sym = p, 0
		}
		w.advanceTo(int64(r.line)-line, p-at, sym, r.sym)
		at, line, sym = p, int64(r.line), r.sym
	}
	if begun {
		end := Sym(0)
		if sym != 0 {
			saved := w.o.cur
			w.o.cur = rows[0].at.section
			end = w.o.mark()
			w.o.cur = saved
		}
		w.advanceTo(endSequence, d.size()-at, sym, end)
	}
}

// maxFixedAdvance is the largest step that is written in 16 bits where a linker may change it, as
// LLVM has it: it may grow.
const maxFixedAdvance = 60000

// advanceTo is advance between two marks, 0 where there are none.
func (w *lineWriter) advanceTo(lines int64, addr uint64, from, to Sym) {
	if !w.o.moves(from, to) {
		w.advance(lines, addr)
		return
	}
	if lines != endSequence {
		w.b = append(w.b, lnsAdvanceLine)
		w.b = appendLEB(w.b, lines, true, 0)
	}
	size, e := 2, w.o.ctx.Diff(to, from)
	if addr > maxFixedAdvance {
		size = w.o.be.Machine().PtrSize
		w.b, e = append(w.b, 0, byte(size+1), lneSetAddress), w.o.ctx.Ref(to, ModNone)
	} else {
		w.b = append(w.b, lnsFixedAdvancePC)
	}
	w.fixups = append(w.fixups, Fixup{Offset: uint32(len(w.b)), Expr: e, Kind: DataFixup(size)})
	w.b = append(w.b, make([]byte, size)...)
	if lines == endSequence {
		w.b = append(w.b, 0, 1, lneEndSequence)
	} else {
		w.b = append(w.b, lnsCopy)
	}
}

// define gives a label of the table its place.
func (w *lineWriter) define(r *lineRow) {
	o := w.o
	y := &o.ctx.syms[r.label]
	if y.Defined() {
		o.failAt(r.labelAt, "symbol '%s' is already defined", o.ctx.SymName(r.label))
		return
	}
	d := &o.secs[o.cur]
	y.Section, y.piece, y.Offset = o.cur, uint32(len(d.pieces)), uint64(len(d.buf)+len(w.b))
	y.Flags |= SymDefined
	o.see(r.label)
}

// advance writes the opcodes for a step of lines and addresses.
func (w *lineWriter) advance(lines int64, addr uint64) {
	addr /= uint64(w.minInst())
	if lines == endSequence {
		if addr == maxSpecialAddr {
			w.b = append(w.b, lnsConstAddPC)
		} else if addr != 0 {
			w.b = append(w.b, lnsAdvancePC)
			w.uleb(addr)
		}
		w.b = append(w.b, 0, 1, lneEndSequence)
		return
	}
	temp, copied := uint64(lines-lineBase), false
	if temp >= lineRange || temp+opcodeBase > 255 {
		w.b = append(w.b, lnsAdvanceLine)
		w.b = appendLEB(w.b, lines, true, 0)
		lines, copied = 0, true
		temp = -lineBase
	}
	if lines == 0 && addr == 0 {
		w.b = append(w.b, lnsCopy)
		return
	}
	temp += opcodeBase
	if addr < 256+maxSpecialAddr {
		if op := temp + addr*lineRange; op <= 255 {
			w.b = append(w.b, byte(op))
			return
		}
		if op := temp + (addr-maxSpecialAddr)*lineRange; op <= 255 && addr >= maxSpecialAddr {
			w.b = append(w.b, lnsConstAddPC, byte(op))
			return
		}
	}
	w.b = append(w.b, lnsAdvancePC)
	w.uleb(addr)
	if copied {
		w.b = append(w.b, lnsCopy)
	} else {
		w.b = append(w.b, byte(temp))
	}
}

// failLEB shows each LEB128 whose value is not known.
func (o *ObjectStreamer) failLEB(d *secData) {
	for i := range d.pieces {
		p := &d.pieces[i]
		if p.kind != pieceLEB {
			continue
		}
		if _, ok := o.lebValue(p); !ok {
			o.failAt(o.ctx.ExprLoc(p.expr()), ".%cleb128 expression is not absolute", "us"[b2i(p.signed)])
		} else if !o.lebFixed(p) && (p.signed || !o.lebMoves) {
			o.failAt(o.ctx.ExprLoc(p.expr()), "a LEB128 of a distance over code that a linker may change is not supported")
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
