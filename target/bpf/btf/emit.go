package btf

import (
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/mc"
)

const (
	magic     = 0xeb9f
	version   = 1
	header    = 24 // bytes of .BTF's header
	extHeader = 32 // bytes of .BTF.ext's

	typeBytes    = 12 // of a type without its further words
	secInfoBytes = 8  // of what stands before the records of a section
	funcBytes    = 8
	lineBytes    = 16
	relocBytes   = 16
)

func (w *Writer) section(name string) {
	out := w.env.Out
	out.SwitchSection(out.Context().Section(mc.Section{Name: name, Type: mc.SecProgBits, Unique: mc.GenericSection}))
	if !out.IsText() { // LLVM does not say the alignment in text
		out.Align(2, 0, 0)
	}
	out.Comment("0x" + strconv.FormatInt(magic, 16))
	out.Int(magic, 2)
	out.Int(version, 1)
	out.Int(0, 1)
}

func (w *Writer) words(words ...uint32) {
	for _, x := range words {
		w.env.Out.Int(uint64(x), 4)
	}
}

// hex writes a word whose value stands in hexadecimal behind it.
func (w *Writer) hex(x uint32) {
	w.env.Out.Comment("0x" + strconv.FormatUint(uint64(x), 16))
	w.env.Out.Int(uint64(x), 4)
}

// label writes the place of a symbol in its section, a relocation.
func (w *Writer) label(s mc.Sym) {
	w.env.Out.Value(w.env.Out.Context().Ref(s, mc.ModNone), 4)
}

// emitTypes writes .BTF, unless there is nothing to say.
func (w *Writer) emitTypes(secs []*dataSec) {
	t, out := w.t, w.env.Out
	if len(t.rows) == 1 && t.stringLen == 1 {
		return
	}
	w.section(".BTF")
	size := 0
	for _, r := range t.rows[1:] {
		size += typeBytes + 4*int(r.n)
	}
	for _, s := range secs {
		size += typeBytes * len(s.vars)
	}
	w.words(header, 0, uint32(size), uint32(size), t.stringLen)
	for id := range t.rows[1:] {
		w.emitType(TypeID(id+1), &secs)
	}
	off := 0
	for _, s := range t.strings {
		out.Comment("string offset=" + strconv.Itoa(off))
		out.Bytes([]byte(s))
		out.Bytes([]byte{0})
		off += len(s) + 1
	}
}

func (w *Writer) emitType(id TypeID, secs *[]*dataSec) {
	t, out := w.t, w.env.Out
	r := &t.rows[id]
	out.Comment("BTF_KIND_" + kindNames[r.kind] + "(id = " + strconv.Itoa(int(id)) + ")")
	w.words(r.nameOff)
	w.hex(r.info)
	w.words(r.size)
	var more []uint32
	if r.n > 0 { // else first may be anything
		more = t.words[r.first : r.first+r.n]
	}
	switch r.kind {
	case KindInt:
		w.hex(more[0])
	case KindStruct, KindUnion:
		for k := 0; k < len(more); k += 3 {
			w.words(more[k], more[k+1])
			w.hex(more[k+2])
		}
	case KindEnum64:
		for k := 0; k < len(more); k += 3 {
			w.words(more[k])
			w.hex(more[k+1])
			w.hex(more[k+2])
		}
	case KindDataSec: // in the order of the sections
		for _, v := range (*secs)[0].vars {
			w.words(uint32(v.id))
			w.label(w.env.Sym(v.g))
			w.words(v.size)
		}
		*secs = (*secs)[1:]
	case KindEnum: // LLVM shows the sign of values
		for k := 0; k < len(more); k += 2 {
			w.words(more[k])
			out.Value(out.Context().Const(int64(int32(more[k+1]))), 4)
		}
	default:
		w.words(more...)
	}
}

// bytes is the size of the records of one sort, with the word that tells theirs.
func (r *records) bytes(each int) uint32 { return uint32(4 + secInfoBytes*len(r.secs) + each*r.n) }

// sorted are the sections in the order of their names' offsets.
func (r *records) sorted() (out []*secRecords) {
	for _, s := range r.secs { // sorted below
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b *secRecords) int { return int(a.name) - int(b.name) })
	return out
}

// emitRecords writes .BTF.ext, unless there is nothing to say.
func (w *Writer) emitRecords() {
	if w.funcs.n+w.lines.n+w.relocs.n == 0 {
		return
	}
	out := w.env.Out
	w.section(".BTF.ext")
	funcs, lines, relocs := w.funcs.bytes(funcBytes), w.lines.bytes(lineBytes), uint32(0)
	if w.relocs.n > 0 {
		relocs = w.relocs.bytes(relocBytes)
	}
	w.words(extHeader, 0, funcs, funcs, lines, funcs+lines, relocs)
	w.emitSort("FuncInfo", "FuncInfo", funcBytes, &w.funcs, func(r *record) { w.words(r.words[0]) })
	w.emitSort("LineInfo", "LineInfo", lineBytes, &w.lines, func(r *record) {
		w.words(r.words[0], r.words[1])
		line, col := r.words[2], r.words[3]
		out.Comment("Line " + strconv.Itoa(int(line)) + " Col " + strconv.Itoa(int(col)))
		w.words(line<<10 | col)
	})
	if w.relocs.n > 0 {
		w.emitSort("FieldReloc", "Field reloc", relocBytes, &w.relocs, func(r *record) { w.words(r.words[:3]...) })
	}
}

func (w *Writer) emitSort(title, short string, each uint32, rs *records, rest func(r *record)) {
	out := w.env.Out
	out.Comment(title)
	w.words(each)
	for _, s := range rs.sorted() {
		out.Comment(short + " section string offset=" + strconv.Itoa(int(s.name)))
		w.words(s.name, uint32(len(s.rows)))
		for k := range s.rows {
			w.label(s.rows[k].label)
			rest(&s.rows[k])
		}
	}
}
