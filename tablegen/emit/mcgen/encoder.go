package mcgen

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
)

// encoderGen makes the encoder's table.
type encoderGen struct {
	*Source
	t       *desc.EncoderTable
	methods numbered
	post    numbered
	formats formats
	segs    segments
	fixups  map[fixupKey]uint16
}

// fixupKey tells fixups apart: the record, the operand's format and its place.
type fixupKey struct {
	rec    *tablegen.Record
	format desc.ImmFormat
	segs   uint32
	num    int
	size   int
}

// Encoder makes the table of the encoder.
func (s *Source) Encoder() (*desc.EncoderTable, error) {
	s.begin()
	g := &encoderGen{Source: s, t: &desc.EncoderTable{BigEndian: s.bigEndian()}, fixups: map[fixupKey]uint16{}}
	g.formats.number(desc.ImmFormat{})
	for _, in := range s.insts {
		es := s.encodings(in)
		if len(es) == 0 {
			continue
		}
		if es[0].mode != "" {
			e := es[0]
			for _, x := range es {
				if x.mode == "DefaultMode" {
					e = x
				}
			}
			es = []*encoding{e}
		}
		g.instr(es[0])
	}
	g.t.Methods, g.t.PostFuncs = g.methods.names, g.post.names
	g.t.Formats, g.t.Segs = g.formats.list, g.segs.list
	g.t.Names = s.names.String()
	return g.t, s.take()
}

// instr adds the encoding of one instruction.
func (g *encoderGen) instr(e *encoding) {
	in := e.in
	if e.size > 32 || len(e.bits) > 256 {
		g.errorf(e.rec.Loc, "encoding of '%s' has %d bits, more than 256", e.rec.Name, len(e.bits))
		return
	}
	for len(g.t.Instrs) <= int(in.op) {
		g.t.Instrs = append(g.t.Instrs, desc.EncInstr{})
	}
	d := desc.EncInstr{Words: uint32(len(g.t.Words)), Fields: uint32(len(g.t.Fields)), Size: uint8(e.size)}
	_, value := e.words()
	g.t.Words = append(g.t.Words, value...)
	for _, f := range e.fields() {
		k, ok := g.operandOf(e, f.name)
		if !ok {
			continue
		}
		ef := desc.EncField{Op: uint16(k), Segs: g.segs.add(f.segs), NumSegs: uint8(len(f.segs))}
		o := &in.ops[k]
		def := o.def
		if gr := &in.groups[o.group]; gr.num > 1 && gr.name == f.name {
			def = gr.def
			if def.String("EncoderMethod") == "" && f.encode == "" {
				g.errorf(e.rec.Loc, "operand '%s' of '%s' has %d parts and no EncoderMethod", f.name, e.rec.Name, gr.num)
				continue
			}
		}
		m := def.String("EncoderMethod")
		if f.encode != "" {
			m = f.encode
		}
		ef.Method = g.number(&g.methods, m)
		format := immFormat(def)
		ef.Format = g.formats.number(format)
		if fx := def.DefField("ImmFixup"); fx != nil && format != (desc.ImmFormat{}) {
			ef.Fixup = g.fixup(fx, format, f, e.size)
		}
		g.t.Fields = append(g.t.Fields, ef)
		d.NumFields++
	}
	d.Post = uint8(g.number(&g.post, in.rec.String("PostEncoderMethod")))
	g.t.Instrs[in.op] = d
}

// operandOf finds the operand that a field of an encoding names.
func (s *Source) operandOf(e *encoding, name string) (int, bool) {
	k, ok := e.in.find(name)
	if !ok {
		s.errorf(e.rec.Loc, "no operand named '%s' in record '%s'", name, e.in.rec.Name)
		return 0, false
	}
	// A tied operand without a place of its own shares that of the other.
	return k, true
}

// fixup numbers a fixup for an operand in its place.
func (g *encoderGen) fixup(r *tablegen.Record, f desc.ImmFormat, place *field, size int) uint16 {
	segs := place.segs
	if n := r.Int("Bits"); n >= 0 && r.HasField("Bits") {
		f.Bits, f.Shift = uint8(n), 0
		segs = lowBits(segs, int(n))
	}
	if sgn, ok := r.BitOK("Signed"); ok {
		f.Signed = sgn
	}
	if r.Bit("Wrap") {
		f = desc.ImmFormat{}
	}
	key := fixupKey{r, f, g.segs.add(segs), len(segs), size}
	if n, ok := g.fixups[key]; ok {
		return n
	}
	g.t.Fixups = append(g.t.Fixups, desc.FixupDesc{Name: g.text(r.Name), Segs: key.segs, NumSegs: uint8(len(segs)), Size: uint8(size),
		PCRel: r.Bit("PCRel"), Format: g.formats.number(f), Base: int8(r.Int("Base")), Add: int32(r.Int("Add")),
		Skip: uint8(r.Int("Drop")), Reloc: uint32(r.Int("Reloc"))})
	n := uint16(len(g.t.Fixups))
	g.fixups[key] = n
	return n
}

// lowBits are the segments of the low n bits of a value.
func lowBits(segs []desc.BitSeg, n int) (out []desc.BitSeg) {
	for _, s := range segs {
		if int(s.Value) < n {
			s.Len = min(s.Len, uint16(n)-s.Value)
			out = append(out, s)
		}
	}
	return out
}
