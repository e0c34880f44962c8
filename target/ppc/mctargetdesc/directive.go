package mctargetdesc

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/mirin-go/mirin/mc"
)

// ParseDirective reads the directives of PowerPC. What LLVM's parser says of them, and
// where, was asked of llvm-mc 22.
func (r *parser) ParseDirective(p mc.AsmParser, name, text string, pos int) (known bool, err error) {
	d := directive{p: p, name: name, text: text, pos: pos}
	switch name {
	case ".machine":
		return true, d.machine()
	case ".abiversion":
		return true, d.abiVersion()
	case ".localentry":
		return true, d.localEntry()
	case ".tc":
		return true, d.tc(r.ptrSize)
	case ".word":
		return true, d.data(2)
	case ".llong":
		return true, d.data(8)
	case ".gnu_attribute":
		return true, d.gnuAttribute()
	}
	return false, nil
}

// directive is one that is read.
type directive struct {
	p          mc.AsmParser
	name, text string
	pos        int
}

func (d *directive) skip() {
	for d.pos < len(d.text) && (d.text[d.pos] == ' ' || d.text[d.pos] == '\t') {
		d.pos++
	}
}

// peek is the next character, 0 at the end.
func (d *directive) peek() byte {
	if d.skip(); d.pos >= len(d.text) {
		return 0
	}
	return d.text[d.pos]
}

// errorAt is an error about the directive.
func (d *directive) errorAt(at int, msg string) error {
	return &mc.ParseError{Start: at, End: at, Msg: msg + " in '" + d.name + "' directive"}
}

// word reads letters.
func (d *directive) word() string {
	d.skip()
	at := d.pos
	for d.pos < len(d.text) && (isLetter(d.text[d.pos]) || d.text[d.pos] == '.' || d.text[d.pos] == '$') {
		d.pos++
	}
	return d.text[at:d.pos]
}

// end holds that nothing follows.
func (d *directive) end() error {
	if d.peek() != 0 {
		return d.errorAt(d.pos, "unexpected token")
	}
	return nil
}

func (d *directive) start() int {
	return max(0, strings.Index(strings.ToLower(d.text), d.name))
}

// write writes a line of text; objects have none.
func (d *directive) write(format string, args ...any) error {
	if out := d.p.Streamer(); out.IsText() {
		return out.Raw("\t" + fmt.Sprintf(format, args...) + "\n")
	}
	return nil
}

// machine is about the processor; LLVM reads it and does nothing else.
func (d *directive) machine() error {
	c := d.peek()
	w := d.word()
	if c == '"' {
		d.pos++
		w = d.word()
		d.pos++
	}
	if w == "" || d.pos > len(d.text) {
		return d.errorAt(d.start(), "unexpected token")
	}
	if err := d.end(); err != nil {
		return err
	}
	return d.write(".machine %s", w)
}

// abiVersion goes into the header of the object.
func (d *directive) abiVersion() error {
	v, err := d.number()
	if err != nil {
		if e, ok := err.(*mc.ParseError); ok {
			e.Msg += " in '" + d.name + "' directive"
		}
		return err
	}
	if err := d.end(); err != nil {
		return err
	}
	d.setVersion(uint32(v) & 3)
	return d.write(".abiversion %d", v)
}

// setVersion puts the version of the ABI into the object's header.
func (d *directive) setVersion(v uint32) {
	*d.p.State() = v
	if out, ok := d.p.Streamer().(interface{ SetELFFlags(flags uint32) }); ok {
		out.SetELFFlags(v)
	}
}

// number reads a number.
func (d *directive) number() (int64, error) {
	d.skip()
	at := d.pos
	x, v, end, err := d.p.Expr(d.text, d.pos)
	if err != nil {
		return 0, err
	}
	if d.pos = end; x != 0 {
		return 0, &mc.ParseError{Start: at, End: at, Msg: "expected absolute expression"}
	}
	return v, nil
}

// localEntry says how far behind a function's start those enter it that share its TOC:
// three bits of st_other (64-bit ELF V2 ABI, 3.4.1).
func (d *directive) localEntry() error {
	at := d.start()
	name := d.word()
	if name == "" {
		return d.errorAt(at, "expected identifier")
	}
	if d.peek() != ',' {
		return d.errorAt(d.pos, "unexpected token")
	}
	d.pos++
	d.skip()
	from := d.pos
	ctx := d.p.Context()
	x, v, end, err := d.p.Expr(d.text, d.pos)
	if err != nil {
		return err
	}
	d.pos = end
	if err := d.end(); err != nil {
		return err
	}
	out := d.p.Streamer()
	s := ctx.Symbol(name)
	if out.IsText() {
		b := []byte(".localentry\t" + name + ", ")
		if x == 0 {
			x = ctx.Const(v)
		}
		b = ctx.AppendExpr(b, x, func(b []byte, s mc.Sym) []byte { return append(b, ctx.At(s).Name...) })
		return d.write("%s", b)
	}
	if x != 0 {
		known := false
		if o, ok := out.(interface {
			Distance(a, b mc.Sym) (int64, bool)
		}); ok {
			y, good := ctx.Evaluate(x, o.Distance)
			v, known = y.Off, good && y.A == 0 && y.B == 0
		}
		if !known {
			return &mc.ParseError{Start: from, End: from, Msg: ".localentry expression must be absolute"}
		}
	}
	code := v
	if v >= 4 {
		code = int64(bits.Len64(uint64(v))) - 1
	}
	if v < 0 || code > 7 || v >= 4 && v != 1<<code || v == 2 || v == 3 {
		return &mc.SourceError{Msg: ".localentry expression must be a power of 2"} // LLVM has no place for it
	}
	y := ctx.At(s)
	y.Other = y.Other&^0xe0 | uint8(code)<<5
	if v := d.p.State(); *v == nil {
		d.setVersion(2)
	}
	return nil
}

// data writes integers; what is wrong with them is said of the directive.
func (d *directive) data(size int) error {
	if d.peek() == 0 {
		return nil
	}
	out := d.p.Streamer()
	for {
		d.skip()
		x, v, end, err := d.p.Expr(d.text, d.pos)
		if e, ok := err.(*mc.ParseError); ok {
			e.Msg += " in '" + d.name + "' directive"
		}
		if err != nil {
			return err
		}
		at := d.pos
		if d.pos = end; x != 0 {
			out.Value(x, size)
		} else if bits := uint(8 * size); bits < 64 && (v >= 1<<bits || v < -1<<(bits-1)) {
			return &mc.ParseError{Start: at, End: at, Msg: "literal value out of range for '" + d.name + "' directive"}
		} else {
			out.Int(uint64(v), size)
		}
		switch d.peek() {
		case 0:
			return nil
		case ',':
			d.pos++
		default:
			return d.errorAt(d.pos, "unexpected token")
		}
	}
}

// tc is an entry of the table of contents: its name does not matter.
func (d *directive) tc(size int) error {
	for d.peek() != ',' {
		if d.peek() == 0 {
			return d.errorAt(d.pos, "unexpected token")
		}
		d.pos++
	}
	d.pos++
	log := uint8(bits.Len(uint(size)) - 1)
	out := d.p.Streamer()
	out.Align(log, 0, 0)
	for {
		d.skip()
		x, v, end, err := d.p.Expr(d.text, d.pos)
		if err != nil {
			return err
		}
		if d.pos = end; x == 0 {
			out.Int(uint64(v), size)
		} else {
			out.Value(x, size)
		}
		switch d.peek() {
		case 0:
			return nil
		case ',':
			d.pos++
		default:
			return d.errorAt(d.pos, "unexpected token")
		}
	}
}

// gnuAttribute says which of several conventions the code follows.
func (d *directive) gnuAttribute() error {
	at := d.start()
	bad := &mc.ParseError{Start: at, End: at, Msg: "malformed .gnu_attribute directive"}
	tag, err := d.number()
	if err != nil || d.peek() != ',' {
		return bad
	}
	d.pos++
	v, err := d.number()
	if err != nil {
		return bad
	}
	if err := d.end(); err != nil {
		return err
	}
	if !d.p.Streamer().IsText() {
		return &mc.ParseError{Start: at, End: at, Msg: ".gnu_attribute is not supported in objects"}
	}
	return d.write(".gnu_attribute %d, %d", tag, v)
}
