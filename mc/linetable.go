package mc

import (
	"errors"
	"slices"
	"strings"
)

// lineTable is what .file and .loc say.
type lineTable struct {
	files   []LineFile
	have    []bool
	rows    []lineRow
	pending bool
	next    LineLoc
	version int  // of DWARF
	wanted  bool // also without files
}

// lineRow is a row and the place of the code that it is about.
type lineRow struct {
	at  place
	loc LineLoc
	// label is defined in the table; the row says nothing else. It was read at labelAt.
	label   Sym
	labelAt uint32
}

// DwarfFile names file n of the line table.
func (o *ObjectStreamer) DwarfFile(n int, f LineFile) error {
	t := &o.extra().lines
	for len(t.files) <= n {
		t.files = append(t.files, LineFile{})
		t.have = append(t.have, false)
	}
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

// Loc gives the line of what follows.
func (o *ObjectStreamer) Loc(l LineLoc) {
	o.extra()
	o.row() // of two in a row, the first counts, too
	t := &o.asm.lines
	t.next, t.pending = l, true
}

// row takes the line that is waiting for the bytes that follow.
func (o *ObjectStreamer) row() {
	t := &o.asm.lines
	if !t.pending || o.cur == 0 {
		return
	}
	t.pending = false
	t.rows = append(t.rows, lineRow{at: o.here(), loc: t.next})
}

// LocLabel defines a symbol in the line table.
func (o *ObjectStreamer) LocLabel(s Sym, at uint32) {
	if o.data(".loc_label") == nil {
		return
	}
	t := &o.extra().lines
	t.rows = append(t.rows, lineRow{at: o.here(), label: s, labelAt: at})
}

// DWARF's opcodes of line programs.
const (
	lnsCopy          = 1
	lnsAdvancePC     = 2
	lnsAdvanceLine   = 3
	lnsSetFile       = 4
	lnsSetColumn     = 5
	lnsNegateStmt    = 6
	lnsBasicBlock    = 7
	lnsConstAddPC    = 8
	lnsPrologueEnd   = 10
	lnsEpilogueBegin = 11
	lnsSetISA        = 12

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
	strs    []byte
	strAt   map[string]int
	strSym  Sym
}

// emitLines writes the line table.
func (o *ObjectStreamer) emitLines() {
	if o.asm == nil || len(o.asm.lines.files) == 0 && !o.asm.lines.wanted {
		return
	}
	t := &o.asm.lines
	if len(t.files) == 0 {
		t.files, t.have = []LineFile{{}}, []bool{false}
		t.version = o.ctx.DwarfVersion
	}
	w := &lineWriter{o: o, t: t, version: max(t.version, 2)}
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
	o.SwitchSection(o.ctx.ELFSection(".debug_line", SecProgBits, 0, 0))
	o.content("line table", 'd')
	line := o.cur
	if w.version >= 5 {
		o.SwitchSection(o.ctx.ELFSection(".debug_line_str", SecProgBits, FlagMerge|FlagStrings, 1))
		w.strSym = o.secs[o.cur].sym
		w.strAt = map[string]int{}
		o.cur = line
	}
	d := &o.secs[o.cur]
	w.table()
	base := uint32(len(d.buf))
	for i := range w.fixups {
		w.fixups[i].Offset += base
	}
	d = &o.secs[o.cur]
	d.buf = append(d.buf, w.b...)
	d.fixups = append(d.fixups, w.fixups...)
	if w.version >= 5 {
		o.SwitchSection(o.ctx.ELFSection(".debug_line_str", SecProgBits, FlagMerge|FlagStrings, 1))
		o.content("line table", 'd')
		o.secs[o.cur].buf = append(o.secs[o.cur].buf, w.strs...)
	}
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
	at, ok := w.strAt[s]
	if !ok {
		at = len(w.strs)
		w.strAt[s] = at
		w.strs = append(append(w.strs, s...), 0)
	}
	size := 4
	if w.o.ctx.Dwarf64 {
		size = 8
	}
	w.address(w.strSym, int64(at), size)
}

// directories gives each file the number of its directory.
func (w *lineWriter) directories() {
	w.dirOf = make([]int, len(w.t.files))
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
		k := slices.Index(w.dirs, f.Dir)
		if k < 0 {
			k = len(w.dirs)
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
	var order []SectionID
	for i := range w.t.rows {
		if s := w.t.rows[i].at.section; !slices.Contains(order, s) {
			order = append(order, s)
		}
	}
	for _, s := range order {
		w.section(s, m.PtrSize)
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

// section writes the rows of a section.
func (w *lineWriter) section(id SectionID, ptr int) {
	d := &w.o.secs[id]
	var file, col, isa uint32
	var line int64
	var flags LineFlags
	at, begun := uint64(0), false
	start := func() { file, line, col, isa, flags = 1, 1, 0, 0, LineIsStmt }
	start()
	for i := range w.t.rows {
		r := &w.t.rows[i]
		if r.at.section != id {
			continue
		}
		if r.label != 0 {
			if begun {
				w.advance(endSequence, d.final(r.at.piece, r.at.off)-at)
			}
			begun = false
			start()
			w.define(r)
			continue
		}
		l := &r.loc
		if l.File != file {
			file = l.File
			w.b = append(w.b, lnsSetFile)
			w.uleb(uint64(file))
		}
		if l.Col != col {
			col = l.Col
			w.b = append(w.b, lnsSetColumn)
			w.uleb(uint64(col))
		}
		if l.Discriminator != 0 && w.version >= 4 {
			n := lebSize(int64(l.Discriminator), false)
			w.b = append(w.b, 0, byte(n+1), lneSetDiscriminator)
			w.uleb(uint64(l.Discriminator))
		}
		if l.ISA != isa {
			isa = l.ISA
			w.b = append(w.b, lnsSetISA)
			w.uleb(uint64(isa))
		}
		if (l.Flags^flags)&LineIsStmt != 0 {
			flags = l.Flags
			w.b = append(w.b, lnsNegateStmt)
		}
		for _, f := range [...]struct {
			flag LineFlags
			op   byte
		}{{LineBasicBlock, lnsBasicBlock}, {LinePrologueEnd, lnsPrologueEnd}, {LineEpilogueBegin, lnsEpilogueBegin}} {
			if l.Flags&f.flag != 0 {
				w.b = append(w.b, f.op)
			}
		}
		p := d.final(r.at.piece, r.at.off)
		if !begun {
			begun = true
			w.b = append(w.b, 0, byte(ptr+1), lneSetAddress)
			s := w.o.ctx.add(Symbol{Section: id, piece: r.at.piece, Offset: r.at.off, Binding: BindLocal, Flags: SymTemp | SymDefined})
			w.address(s, 0, ptr)
			at = p
		}
		w.advance(int64(l.Line)-line, p-at)
		at, line = p, int64(l.Line)
	}
	if begun {
		w.advance(endSequence, d.size()-at)
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
			o.failAt(o.ctx.ExprLoc(p.expr), ".%cleb128 expression is not absolute", "us"[b2i(p.signed)])
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
