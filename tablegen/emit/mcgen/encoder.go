package mcgen

import (
	"sort"

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
	if !s.hasInstrInfo() {
		return nil, s.take()
	}
	g := &encoderGen{Source: s, t: &desc.EncoderTable{BigEndian: s.bigEndian()}, fixups: map[fixupKey]uint16{}}
	g.formats.number(desc.ImmFormat{})
	for _, in := range s.insts {
		es := s.encodings(in)
		if len(es) == 0 {
			if !in.Rec.HasField("Inst") && !in.Rec.Bit("isPseudo") && in.Rec.String("Namespace") != "TargetOpcode" && in.Rec.DefField("EncodingInfos") == nil {
				s.errorf(in.Rec.Loc, "Record `%s' does not have a field named `Inst'!", in.Rec.Name)
			}
			continue
		}
		for _, e := range es {
			g.add(e)
		}
	}
	sort.SliceStable(g.t.ModeInstrs, func(i, j int) bool {
		a, b := &g.t.ModeInstrs[i], &g.t.ModeInstrs[j]
		return a.Mode < b.Mode || a.Mode == b.Mode && a.Op < b.Op
	})
	g.t.Methods, g.t.PostFuncs = g.methods.names, g.post.names
	g.t.Formats, g.t.Segs = g.formats.list, g.segs.list
	g.t.Names = s.names.String()
	return g.t, s.take()
}

// add adds the encoding of one instruction, to the common rows or to those of a
// hardware mode.
func (g *encoderGen) add(e *encoding) {
	if e.size > maxBits/8 || len(e.bits) > maxBits {
		g.errorf(e.rec.Loc, "encoding of '%s' has %d bits, more than %d", e.rec.Name, len(e.bits), maxBits)
		return
	}
	d, ok := g.instr(e)
	if !ok {
		return
	}
	if e.mode != "" && e.mode != "DefaultMode" {
		m := 0
		for m < len(g.t.Modes) && g.t.Modes[m] != g.text(e.mode) {
			m++
		}
		if m == len(g.t.Modes) {
			g.t.Modes = append(g.t.Modes, g.text(e.mode))
		}
		g.t.ModeInstrs = append(g.t.ModeInstrs, desc.EncModeInstr{Instr: d, Op: e.in.op, Mode: uint8(m)})
		return
	}
	for len(g.t.Instrs) <= int(e.in.op) {
		g.t.Instrs = append(g.t.Instrs, desc.EncInstr{})
	}
	g.t.Instrs[e.in.op] = d
}

// instr makes the row of an encoding; false when it has none that is right.
func (g *encoderGen) instr(e *encoding) (desc.EncInstr, bool) {
	in := e.in
	d := desc.EncInstr{Words: uint32(len(g.t.Words)), Fields: uint32(len(g.t.Fields)), Size: uint8(e.size)}
	_, value := e.words()
	g.t.Words = append(g.t.Words, value...)
	for _, f := range e.fields() {
		k, ok := g.operandOf(e, f.name)
		if !ok {
			continue
		}
		ef := desc.EncField{Op: uint16(k), Segs: g.segs.add(f.segs), NumSegs: uint8(len(f.segs))}
		o := &in.Ops[k]
		def := o.Def
		if gr := &in.Groups[o.Group]; gr.Num > 1 && gr.Name == f.name {
			def = gr.Def
			if def.String("EncoderMethod") == "" && f.encode == "" {
				g.warnf(e.rec.Loc, "operand '%s' of '%s' has %d parts and no EncoderMethod; the instruction gets no encoding", f.name, e.rec.Name, gr.Num)
				g.t.Fields = g.t.Fields[:d.Fields]
				return desc.EncInstr{}, false
			}
		}
		if gr := &in.Groups[o.Group]; gr.Num == 1 && (gr.Def.String("EncoderMethod") != "" || immFormat(gr.Def) != (desc.ImmFormat{})) {
			def = gr.Def
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
	d.Post = uint8(g.number(&g.post, in.Rec.String("PostEncoderMethod")))
	return d, true
}

// operandOf finds the operand that a field of an encoding names.
func (s *Source) operandOf(e *encoding, name string) (int, bool) {
	k, ok := e.in.Find(name)
	if !ok {
		s.errorf(e.rec.Loc, "no operand named '%s' in record '%s'", name, e.in.Rec.Name)
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
