package dwarf

import (
	"github.com/mirin-go/mirin/mc"
)

// sectionWriter writes bytes of debug sections. Objects get what has no symbols in
// long runs; text gets a directive for each, with comments.
type sectionWriter struct {
	s       mc.Streamer
	ctx     *mc.Context
	buf     []byte
	text    bool
	verbose bool
	big     bool
	ptr     int
	offset  int // size of an offset
}

func (o *sectionWriter) flush() {
	if len(o.buf) > 0 {
		o.s.Bytes(o.buf)
		o.buf = o.buf[:0]
	}
}

// open switches to a section.
func (o *sectionWriter) open(name string, flags mc.SectionFlags, entry uint32) mc.SectionID {
	o.flush()
	id := o.ctx.ELFSection(name, o.ctx.Info().DebugType(), flags, entry)
	o.s.SwitchSection(id)
	return id
}

func (o *sectionWriter) comment(s string) {
	if o.verbose {
		o.s.Comment(s)
	}
}

func (o *sectionWriter) label(s mc.Sym) {
	o.flush()
	o.s.Label(s)
}

func (o *sectionWriter) uint(v uint64, size int) {
	switch {
	case o.text && (size == 1 || size == 2 || size == 4 || size == 8):
		o.s.Int(v, size)
		return
	}
	at := len(o.buf)
	o.buf = append(o.buf, make([]byte, size)...)
	mc.PutInt(o.buf[at:], v, o.big)
	if o.text {
		o.split()
	}
}

// split writes the bytes one by one.
func (o *sectionWriter) split() {
	for _, b := range o.buf {
		o.s.Int(uint64(b), 1)
	}
	o.buf = o.buf[:0]
}

func (o *sectionWriter) u8(v uint64, comment string) {
	o.comment(comment)
	o.uint(v, 1)
}

func (o *sectionWriter) uleb(v uint64) {
	if o.text && v < 0x80 {
		o.s.Int(v, 1)
		return
	}
	o.buf = appendULEB(o.buf, v)
	if o.text {
		o.flush()
	}
}

func (o *sectionWriter) sleb(v int64) {
	o.buf = appendSLEB(o.buf, v)
	if o.text {
		if len(o.buf) == 1 {
			o.split()
		} else {
			o.flush()
		}
	}
}

func (o *sectionWriter) bytes(b []byte) {
	o.buf = append(o.buf, b...)
	if o.text {
		o.split()
	}
}

// str writes a string and its end.
func (o *sectionWriter) str(s string) {
	o.buf = append(append(o.buf, s...), 0)
	if o.text {
		o.flush()
	}
}

func (o *sectionWriter) sym(s mc.Sym, size int) {
	o.flush()
	o.s.Value(o.ctx.Ref(s, mc.ModNone), size)
}

func (o *sectionWriter) symOff(s mc.Sym, off int64, size int) {
	o.flush()
	o.s.Value(o.ctx.RefOff(s, mc.ModNone, off), size)
}

func (o *sectionWriter) delta(hi, lo mc.Sym, size int) {
	o.flush()
	o.s.Value(o.ctx.Diff(hi, lo), size)
}

func (o *sectionWriter) ulebDelta(hi, lo mc.Sym) {
	o.flush()
	o.s.ULEB128(o.ctx.Diff(hi, lo))
}

// length begins a table with its length: end is a symbol behind it.
func (o *sectionWriter) length(w *Writer, name, comment string) (end mc.Sym) {
	if o.offset == 8 {
		o.comment("DWARF64 Mark")
		o.uint(1<<32-1, 4)
	}
	start := w.label(name + "_start")
	end = w.label(name + "_end")
	o.comment(comment)
	o.delta(end, start, o.offset)
	o.label(start)
	return end
}
