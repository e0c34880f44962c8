package mc

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// FixupKind says how an expression's value is put into bytes.
type FixupKind uint8

// The kinds of fixups; the encoder chooses the relocation.
const (
	FixAbs8 FixupKind = iota
	FixAbs16
	FixAbs32
	FixAbs64
	FixAbs32S // sign-extended to 64 bits
	FixPC8
	FixPC16
	FixPC32
	FixPC64
	FixPLT32      // call or jump: PC32, PLT when the symbol is not here
	FixRIPLoad    // 4-byte rip-relative operand of an instruction that can relax a GOT load
	FixRIPLoadREX // the same with a REX prefix
)

// Size returns the number of bytes that a fixup fills.
func (k FixupKind) Size() int {
	switch k {
	case FixAbs8, FixPC8:
		return 1
	case FixAbs16, FixPC16:
		return 2
	case FixAbs64, FixPC64:
		return 8
	}
	return 4
}

// IsPC reports whether the value is relative to its place.
func (k FixupKind) IsPC() bool { return k >= FixPC8 }

// Fixup is a place in a section that an expression fills in. For pc-relative
// fixups Expr.Off includes the distance from the place to the instruction's end.
type Fixup struct {
	Off  int64
	Kind FixupKind
	Expr Expr
}

// Encoder turns instructions into bytes.
type Encoder interface {
	// Encode appends the instruction to b; fixups' offsets count from the start of b.
	Encode(b []byte, fixups []Fixup, in *Inst) ([]byte, []Fixup, error)
	// Jump recognises a short jump that may have to grow: its long form is
	// prefix bytes (opcode) followed by a 4-byte displacement.
	Jump(in *Inst) (target Expr, long []byte, ok bool)
	// Nops appends n bytes of no-operations.
	Nops(b []byte, n int) []byte
}

// growth is a place of a section whose size is settled at the end: a jump
// (2 bytes when short) or an alignment (0 to 1<<log2-1 bytes).
type growth struct {
	off    int64 // in the buffer, of its placeholder: 2 bytes for a jump, 1 for an alignment
	target Expr
	long   [4]byte
	nlong  uint8
	isLong bool
	log2   uint8 // alignments
	code   bool
	max    int
	size   int64 // bytes that it takes now
	at     int64 // final offset
}

func (g *growth) isAlign() bool { return g.nlong == 0 }

// held is the size of the placeholder, by which labels before and behind the
// place are told apart.
func (g *growth) held() int64 {
	if g.isAlign() {
		return 1
	}
	return 2
}

// Object is the Streamer that makes an object in memory.
type Object struct {
	Ctx      *Context
	Sections []*Section
	FileName string
	enc      Encoder
	cur      *Section
	frames   []frame
	open     bool
	relocs   [][]Reloc
}

// Reloc is a relocation of a finished object: Kind and Mod choose its type,
// Sym its symbol.
type Reloc struct {
	Off    int64
	Kind   FixupKind
	Mod    Modifier
	Sym    Sym
	Addend int64
}

// NewObject returns an empty object.
func NewObject(ctx *Context, enc Encoder) *Object { return &Object{Ctx: ctx, enc: enc} }

// File names the source file.
func (o *Object) File(name string) { o.FileName = name }

// Switch makes s the current section.
func (o *Object) Switch(s *Section) {
	if s.index == 0 {
		o.Sections = append(o.Sections, s)
		s.index = len(o.Sections)
	}
	o.cur = s
}

// Label defines a symbol here.
func (o *Object) Label(s Sym) {
	y := o.Ctx.At(s)
	y.Section, y.Offset = o.cur.index-1, o.here()
	o.cur.labels = append(o.cur.labels, s)
}

func (o *Object) here() int64 {
	if o.cur.Type == SecNoBits {
		return o.cur.size
	}
	return int64(len(o.cur.buf))
}

// Attr sets an attribute of a symbol.
func (o *Object) Attr(s Sym, a Attr) {
	y := o.Ctx.At(s)
	switch a {
	case AttrGlobal:
		y.Binding = BindGlobal
	case AttrLocal:
		y.Binding = BindLocal
	case AttrWeak:
		y.Binding = BindWeak
	case AttrHidden:
		y.Vis = VisHidden
	case AttrProtected:
		y.Vis = VisProtected
	case AttrInternal:
		y.Vis = VisInternal
	case AttrFunc:
		y.Type = TypeFunc
	case AttrObject:
		y.Type = TypeObject
	case AttrTLS:
		y.Type = TypeTLS
	case AttrIFunc:
		y.Type = TypeIFunc
	}
}

// Size sets a symbol's size.
func (o *Object) Size(s Sym, e Expr) { y := o.Ctx.At(s); y.Size, y.HasSize = e, true }

// Assign makes s another name for an expression.
func (o *Object) Assign(s Sym, e Expr) { y := o.Ctx.At(s); y.Equal, y.HasEqual = e, true }

// Common declares a common symbol.
func (o *Object) Common(s Sym, size, align uint64, local bool) {
	if local {
		o.localCommon(s, size, align)
		return
	}
	y := o.Ctx.At(s)
	y.Common, y.CommonSize, y.CommonAlign, y.Type = true, size, align, TypeObject
	if y.Binding == BindDefault {
		y.Binding = BindGlobal
	}
}

// localCommon gives a local zero-initialised variable its place in .bss, as assemblers do.
func (o *Object) localCommon(s Sym, size, align uint64) {
	save := o.cur
	var bss *Section
	for _, x := range o.Sections {
		if x.Name == ".bss" && x.Group == "" {
			bss = x
		}
	}
	if bss == nil {
		bss = &Section{Name: ".bss", Type: SecNoBits, Flags: FlagAlloc | FlagWrite}
	}
	o.Switch(bss)
	y := o.Ctx.At(s)
	y.Binding, y.Type = BindLocal, TypeObject
	log2 := 0
	for 1<<log2 < int(align) {
		log2++
	}
	o.Align(log2, false, 0)
	o.Label(s)
	o.Zeros(int64(size))
	o.Size(s, Expr{Off: int64(size)})
	o.cur = save
}

// Bytes appends data.
func (o *Object) Bytes(b []byte) {
	if o.cur.Type == SecNoBits {
		o.cur.size += int64(len(b))
		return
	}
	o.cur.buf = append(o.cur.buf, b...)
}

// Int appends an integer of size bytes.
func (o *Object) Int(v uint64, size int) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	o.Bytes(b[:size])
}

// Value appends the value of an expression.
func (o *Object) Value(e Expr, size int) {
	k := map[int]FixupKind{1: FixAbs8, 2: FixAbs16, 4: FixAbs32, 8: FixAbs64}[size]
	o.cur.fixups = append(o.cur.fixups, Fixup{int64(len(o.cur.buf)), k, e})
	o.Int(0, size)
}

// Zeros appends n zero bytes.
func (o *Object) Zeros(n int64) {
	if o.cur.Type == SecNoBits {
		o.cur.size += n
		return
	}
	o.cur.buf = append(o.cur.buf, make([]byte, n)...)
}

// Align pads to a multiple of 1<<log2, with at most max bytes when max is not 0.
func (o *Object) Align(log2 int, code bool, max int) {
	o.cur.Align = maxInt(o.cur.Align, 1<<log2)
	if o.cur.Type == SecNoBits {
		a := int64(1) << log2
		o.cur.size = (o.cur.size + a - 1) &^ (a - 1)
		return
	}
	if log2 == 0 {
		return
	}
	if len(o.cur.grow) == 0 {
		// Nothing before can move: the padding is known now.
		a := 1 << log2
		pad := (a - len(o.cur.buf)%a) % a
		if max != 0 && pad > max {
			return
		}
		if code {
			o.cur.buf = o.enc.Nops(o.cur.buf, pad)
		} else {
			o.cur.buf = append(o.cur.buf, make([]byte, pad)...)
		}
		return
	}
	o.cur.grow = append(o.cur.grow, growth{off: int64(len(o.cur.buf)), log2: uint8(log2), code: code, max: max})
	o.cur.buf = append(o.cur.buf, 0)
}

func maxInt(a, b int) int { return max(a, b) }

// Inst encodes an instruction.
func (o *Object) Inst(in *Inst) error {
	s := o.cur
	if t, long, ok := o.enc.Jump(in); ok {
		g := growth{off: int64(len(s.buf)), target: t, nlong: uint8(len(long)), size: 2}
		copy(g.long[:], long)
		s.grow = append(s.grow, g)
		s.buf = append(s.buf, 0, 0)
		return nil
	}
	n := len(s.fixups)
	var err error
	s.buf, s.fixups, err = o.enc.Encode(s.buf, s.fixups, in)
	if err != nil {
		s.fixups = s.fixups[:n]
	}
	return err
}

// Comment does nothing in an object.
func (o *Object) Comment(string) {}

// Raw is module-level assembly, which an object cannot take.
func (o *Object) Raw(string) error {
	return fmt.Errorf("module asm is not supported in object output")
}

// settle fixes the sizes of growing places of s and the final offsets.
func (o *Object) settle(s *Section) {
	if len(s.grow) == 0 {
		return
	}
	for changed := true; changed; {
		changed = false
		shift := int64(0)
		for k := range s.grow {
			g := &s.grow[k]
			g.at = g.off + shift
			if g.isAlign() {
				a := int64(1) << g.log2
				g.size = (a - g.at&(a-1)) & (a - 1)
				if g.max != 0 && g.size > int64(g.max) {
					g.size = 0
				}
			}
			shift += g.size - g.held()
		}
		for k := range s.grow {
			g := &s.grow[k]
			if g.isAlign() || g.isLong {
				continue
			}
			t := o.Ctx.At(g.target.Sym)
			far := t.Section != s.index-1 || g.target.Mod != ModNone && t.Binding != BindLocal && !t.Temp
			if !far {
				d := s.moved(t.Offset) + g.target.Off - (g.at + 2)
				far = d != int64(int8(d))
			}
			if far {
				g.isLong, g.size = true, int64(g.nlong)+4
				changed = true
			}
		}
	}
	o.rebuild(s)
}

// moved maps an offset of the buffer to its final place.
func (s *Section) moved(off int64) int64 {
	k, _ := slices.BinarySearchFunc(s.grow, off, func(g growth, off int64) int {
		if g.off < off {
			return -1
		}
		return 1
	})
	if k == 0 {
		return off
	}
	g := &s.grow[k-1]
	return off - g.off - g.held() + g.at + g.size
}

// rebuild writes the section's final bytes and moves fixups and labels.
func (o *Object) rebuild(s *Section) {
	out := make([]byte, 0, len(s.buf)+4*len(s.grow))
	var jumps []Fixup
	last := int64(0)
	for k := range s.grow {
		g := &s.grow[k]
		out = append(out, s.buf[last:g.off]...)
		last = g.off + g.held()
		switch {
		case g.isAlign() && g.code:
			out = o.enc.Nops(out, int(g.size))
		case g.isAlign():
			out = append(out, make([]byte, g.size)...)
		case g.isLong:
			out = append(out, g.long[:g.nlong]...)
			e := g.target
			e.Off -= 4
			jumps = append(jumps, Fixup{int64(len(out)), FixPLT32, e})
			out = append(out, 0, 0, 0, 0)
		default:
			d := s.moved(o.Ctx.At(g.target.Sym).Offset) + g.target.Off - (g.at + 2)
			op := g.long[0] // jmp: e9 becomes eb
			if g.nlong == 2 {
				op = g.long[1] - 0x10 // 0f 8x becomes 7x
			} else {
				op = 0xeb
			}
			out = append(out, op, byte(d))
		}
	}
	out = append(out, s.buf[last:]...)
	for k := range s.fixups {
		s.fixups[k].Off = s.moved(s.fixups[k].Off)
	}
	for _, l := range s.labels {
		y := o.Ctx.At(l)
		y.Offset = s.moved(y.Offset)
	}
	s.fixups = append(s.fixups, jumps...)
	slices.SortStableFunc(s.fixups, func(a, b Fixup) int { return int(a.Off - b.Off) })
	s.buf, s.grow = out, nil
}

// Finish settles sizes, writes the call frame section, resolves what can be
// resolved and leaves the rest as relocations.
func (o *Object) Finish() error {
	for _, s := range o.Sections {
		o.settle(s)
	}
	o.emitFrames()
	o.relocs = make([][]Reloc, len(o.Sections))
	for k, s := range o.Sections {
		for i := range s.fixups {
			if err := o.resolve(k, s, &s.fixups[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// Relocs returns the relocations of section k of a finished object.
func (o *Object) Relocs(k int) []Reloc { return o.relocs[k] }

// Data returns the bytes of a section of a finished object, nil for SecNoBits.
func (s *Section) Data() []byte { return s.buf }

// Len returns the size of a section of a finished object.
func (s *Section) Len() int64 {
	if s.Type == SecNoBits {
		return s.size
	}
	return int64(len(s.buf))
}

// target follows aliases.
func (o *Object) target(e Expr) Expr {
	for n := 0; n < 16 && e.Sym != 0 && o.Ctx.At(e.Sym).HasEqual; n++ {
		y := o.Ctx.At(e.Sym)
		if y.Binding == BindWeak || y.Binding == BindGlobal && e.Mod != ModNone {
			break
		}
		e.Off += y.Equal.Off
		e.Sym = y.Equal.Sym
	}
	return e
}

// Resolve follows aliases to the symbol and offset behind an expression.
func (o *Object) Resolve(e Expr) Expr {
	for n := 0; n < 16 && o.Ctx.At(e.Sym).HasEqual; n++ {
		y := o.Ctx.At(e.Sym)
		e = Expr{Sym: y.Equal.Sym, Off: e.Off + y.Equal.Off}
	}
	return e
}

// Used reports whether a relocation of the finished object names the symbol.
func (y *Symbol) Used() bool { return y.used }

// resolve puts one fixup's value into the bytes or makes a relocation.
func (o *Object) resolve(k int, s *Section, f *Fixup) error {
	e := f.Expr
	if e.Sub != 0 {
		sub := o.Ctx.At(e.Sub)
		if sub.Section == k && e.Sym != 0 && o.Ctx.At(e.Sym).Section != k {
			// S - (a label here): relative to this place.
			f.Kind = map[FixupKind]FixupKind{FixAbs32: FixPC32, FixAbs64: FixPC64}[f.Kind]
			e.Off += f.Off - sub.Offset
			e.Sub = 0
		} else if e.Sym != 0 && o.Ctx.At(e.Sym).Section == sub.Section && sub.Section >= 0 {
			o.patch(s, f, o.Ctx.At(e.Sym).Offset-sub.Offset+e.Off)
			return nil
		} else {
			return fmt.Errorf("difference of %s and %s cannot be expressed", o.Ctx.At(e.Sym).Name, sub.Name)
		}
	}
	if e.Sym == 0 {
		o.patch(s, f, e.Off)
		return nil
	}
	e = o.target(e)
	y := o.Ctx.At(e.Sym)
	local := y.Binding == BindLocal || y.Temp || y.Binding == BindDefault && y.Section >= 0
	if f.Kind.IsPC() && y.Section == k && y.Type != TypeIFunc && (local || y.Vis != VisDefault && y.Binding != BindWeak) && (e.Mod == ModNone || e.Mod == ModPLT) {
		o.patch(s, f, y.Offset+e.Off-f.Off)
		return nil
	}
	y.used = true
	o.relocs[k] = append(o.relocs[k], Reloc{Off: f.Off, Kind: f.Kind, Mod: e.Mod, Sym: e.Sym, Addend: e.Off})
	return nil
}

func (o *Object) patch(s *Section, f *Fixup, v int64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(v))
	copy(s.buf[f.Off:], b[:f.Kind.Size()])
}
