package mcgen

import (
	"fmt"
	"math/bits"
	"sort"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/targetinfo"
)

// decoderGen makes the decoder's table.
type decoderGen struct {
	*Source
	t       *desc.DecoderTable
	opt     DecoderOptions
	methods numbered
	formats formats
	segs    segments
	terms   terms
}

// DecoderOptions change what Decoder accepts.
type DecoderOptions struct {
	// IgnoreNonDecodable leaves out operands that have no place in the encoding.
	IgnoreNonDecodable bool
}

// entry is one encoding on its way into the tree.
type entry struct {
	e           *encoding
	mask, value []uint64
	fixed       int // number of fixed bits
	instr       uint32
}

// space is a namespace with one instruction size.
type space struct {
	name string
	size int
	list []*entry
}

// Decoder makes the table of the decoder.
func (s *Source) Decoder(opt DecoderOptions) (*desc.DecoderTable, error) {
	s.begin()
	if !s.hasInstrInfo() {
		return nil, s.take()
	}
	g := &decoderGen{Source: s, opt: opt, t: &desc.DecoderTable{BigEndian: s.bigEndian()}}
	g.formats.number(desc.ImmFormat{})
	g.t.Nodes = append(g.t.Nodes, desc.DecNode{})
	spaces := map[string]*space{}
	var order []*space
	for _, e := range g.decodable() {
		name := e.rec.String("DecoderNamespace")
		if e.rec.IsSubClassOf("InstructionEncoding") && !e.rec.IsSubClassOf("Instruction") && name == "" {
			name = e.in.Rec.String("DecoderNamespace")
		}
		if e.mode != "" && e.mode != "DefaultMode" {
			name = strings.TrimPrefix(name+"_"+e.mode, "_")
		}
		en := g.entry(e)
		if en == nil {
			continue
		}
		key := fmt.Sprint(name, "\x00", e.size)
		sp := spaces[key]
		if sp == nil {
			sp = &space{name: name, size: e.size}
			spaces[key] = sp
			order = append(order, sp)
		}
		sp.list = append(sp.list, en)
	}
	sort.SliceStable(order, func(i, j int) bool {
		if order[i].name != order[j].name {
			return order[i].name < order[j].name
		}
		return order[i].size < order[j].size
	})
	for _, sp := range order {
		sort.SliceStable(sp.list, func(i, j int) bool { return sp.list[i].fixed > sp.list[j].fixed })
		g.overlaps(sp.list)
		root := g.tree(sp.list, make([]uint64, len(sp.list[0].mask)))
		g.t.Spaces = append(g.t.Spaces, desc.DecSpace{Name: g.text(sp.name), Root: root, Size: uint8(sp.size)})
	}
	g.t.Methods, g.t.Formats, g.t.Segs, g.t.Terms = g.methods.names, g.formats.list, g.segs.list, g.terms.list
	g.t.Names = s.names.String()
	return g.t, s.take()
}

// decodable lists all encodings that bytes may mean.
func (g *decoderGen) decodable() []*encoding {
	var out []*encoding
	for _, in := range g.insts {
		if in.Rec.Bit("isPseudo") || in.Rec.Bit("isAsmParserOnly") || in.Rec.Bit("isCodeGenOnly") {
			continue
		}
		out = append(out, g.encodings(in)...)
	}
	for _, r := range g.rs.DerivedFrom("AdditionalEncoding") {
		in := g.byRec[r.DefField("AliasOf")]
		if in == nil {
			continue
		}
		if by := r.DefField("EncodingInfos"); by != nil {
			continue
		}
		if e := g.encoding(in, r, ""); e != nil {
			out = append(out, e)
		}
	}
	return out
}

// entry makes the row of an encoding.
func (g *decoderGen) entry(e *encoding) *entry {
	if e.size > maxBits/8 || len(e.bits) > maxBits {
		g.errorf(e.rec.Loc, "encoding of '%s' has %d bits, more than %d", e.rec.Name, len(e.bits), maxBits)
		return nil
	}
	for k := 8 * e.size; k < len(e.bits); k++ {
		if e.bits[k].kind != bitAny {
			g.errorf(e.rec.Loc, "Size of '%s' is %d bits, but Inst specifies bit %d", e.rec.Name, 8*e.size, k)
			return nil
		}
	}
	en := &entry{e: e}
	en.mask, en.value = e.words()
	if !anyBit(en.mask) {
		return nil // nothing in it could be recognized
	}
	softMask, softValue := g.softFail(e, en)
	for k := range en.mask {
		en.fixed += bits.OnesCount64(en.mask[k])
	}
	d := desc.DecInstr{Op: e.in.op, Words: uint32(len(g.t.Words)), NumWords: uint8(len(en.mask)), Ops: uint32(len(g.t.Ops))}
	g.t.Words = append(append(g.t.Words, en.mask...), en.value...)
	if softMask != nil {
		d.Soft = true
		g.t.Words = append(append(g.t.Words, softMask...), softValue...)
	}
	preds := e.rec.DefList("Predicates")
	d.Features = g.terms.add(g.features(e.rec.Loc, preds))
	if m := e.rec.String("DecoderMethod"); m != "" {
		d.Method = g.number(&g.methods, m)
		complete, ok := e.rec.BitOK("hasCompleteDecoder")
		d.Incomplete = ok && !complete
	} else {
		ops, complete, ok := g.decodeOps(e)
		if !ok {
			return nil
		}
		d.NumOps, d.Incomplete = uint8(len(ops)), !complete
		g.t.Ops = append(g.t.Ops, ops...)
	}
	en.instr = uint32(len(g.t.Instrs))
	g.t.Instrs = append(g.t.Instrs, d)
	return en
}

// softFail takes the bits of field SoftFail out of the fixed bits: they should
// be as the encoding says.
func (g *decoderGen) softFail(e *encoding, en *entry) (mask, value []uint64) {
	v := e.rec.Bits("SoftFail")
	if v == nil {
		return nil, nil
	}
	if inst := e.rec.Bits("Inst"); inst != nil && len(inst.Bits) != len(v.Bits) {
		g.errorf(e.rec.Loc, "SoftFail field of '%s', if defined, must be of the same type as Inst, which is bits<%d>", e.rec.Name, len(inst.Bits))
		return nil, nil
	}
	for k, b := range v.Bits {
		x, ok := b.(*tablegen.BitInit)
		if !ok || !x.V || k >= len(e.bits) {
			continue
		}
		if mask == nil {
			mask, value = make([]uint64, len(en.mask)), make([]uint64, len(en.mask))
		}
		m := uint64(1) << (k % 64)
		switch e.bits[k].kind {
		case bit0, bit1:
			mask[k/64] |= m
			value[k/64] |= en.value[k/64] & m
			en.mask[k/64] &^= m
			en.value[k/64] &^= m
		default:
			g.errorf(e.rec.Loc, "SoftFail bit %d of '%s' is not fixed in Inst", k, e.rec.Name)
		}
	}
	return mask, value
}

// decodeOps says how the operands are made; complete is false when one of
// their methods may refuse.
func (g *decoderGen) decodeOps(e *encoding) (ops []desc.DecOp, complete, ok bool) {
	in := e.in
	places := map[string]*field{}
	for _, f := range e.fields() {
		places[f.name] = f
	}
	complete, ok = true, true
	for gi := range in.Groups {
		gr := &in.Groups[gi]
		if f := places[gr.Name]; f != nil && gr.Num > 1 {
			m := gr.Def.String("DecoderMethod")
			if f.decode != "" {
				m = f.decode
			}
			if m == "" {
				g.errorf(e.rec.Loc, "operand '%s' of '%s' has %d parts and no DecoderMethod", gr.Name, e.rec.Name, gr.Num)
				return nil, false, false
			}
			if g.anyPart(in, gr, places) && places[gr.Name] == nil {
				g.errorf(e.rec.Loc, "operand '%s' has type '%s' with a custom DecoderMethod, but also named sub-operands", gr.Name, gr.Def.Name)
				return nil, false, false
			}
			if c, set := gr.Def.BitOK("hasCompleteDecoder"); set && !c {
				complete = false
			}
			ops = append(ops, g.decodeField(e, f, desc.DecFunc, g.number(&g.methods, m)))
			continue
		}
		if m := gr.Def.String("DecoderMethod"); m != "" && gr.Num > 1 && !g.anyPart(in, gr, places) {
			// No bits of it: the method makes them all the same.
			ops = append(ops, desc.DecOp{Kind: desc.DecFunc, Arg: g.number(&g.methods, m)})
			continue
		}
		for k := gr.First; k < gr.First+gr.Num; k++ {
			o, c, found := g.decodeOp(e, places, k)
			if !found {
				if g.opt.IgnoreNonDecodable {
					continue
				}
				g.errorf(e.rec.Loc, "could not find field for operand '%s' of '%s'", in.Groups[in.Ops[k].Group].Name, e.rec.Name)
				ok = false
				continue
			}
			complete = complete && c
			ops = append(ops, o)
		}
	}
	return ops, complete, ok
}

func (g *decoderGen) anyPart(in *inst, gr *targetinfo.Group, places map[string]*field) bool {
	for k := gr.First; k < gr.First+gr.Num; k++ {
		if g.placeOf(in, places, k) != nil {
			return true
		}
	}
	return false
}

// placeOf finds the bits of an operand.
func (g *decoderGen) placeOf(in *inst, places map[string]*field, k int) *field {
	o := &in.Ops[k]
	if f := places[o.Name]; f != nil {
		return f
	}
	gr := &in.Groups[o.Group]
	if gr.Num == 1 || o.Part == "" {
		return places[gr.Name]
	}
	return places[gr.Name+"."+o.Part]
}

// decodeOp says how one MC operand is made.
func (g *decoderGen) decodeOp(e *encoding, places map[string]*field, k int) (op desc.DecOp, complete, ok bool) {
	in := e.in
	o := &in.Ops[k]
	f := g.placeOf(in, places, k)
	if f == nil && o.TiedTo >= 0 {
		return desc.DecOp{Kind: desc.DecCopy, Arg: uint16(o.TiedTo)}, true, true
	}
	if f == nil { // the operand that is tied to this one has the bits
		for j := range in.Ops {
			if in.Ops[j].TiedTo == k && g.placeOf(in, places, j) != nil {
				f = g.placeOf(in, places, j)
			}
		}
	}
	def := o.Def
	if gr := &in.Groups[o.Group]; gr.Num == 1 && (gr.Def.String("DecoderMethod") != "" || immFormat(gr.Def) != (desc.ImmFormat{})) {
		def = gr.Def
	}
	if f == nil {
		// Bits that the record fixes, or a method that needs none.
		v := in.Rec.Bits(o.Name)
		if n, known := tablegen.IntValue(initOf(v)); v != nil && known {
			f = &field{name: o.Name}
			op = g.decodePlain(e, f, def)
			op.Fixed = uint64(n)
			return op, true, true
		}
		if m := def.String("DecoderMethod"); m != "" {
			return desc.DecOp{Kind: desc.DecFunc, Arg: g.number(&g.methods, m)}, def.Bit("hasCompleteDecoder"), true
		}
		return desc.DecOp{}, true, false
	}
	m := def.String("DecoderMethod")
	if f.decode != "" {
		m = f.decode
	}
	if m == "" && def.IsSubClassOf("RegisterOperand") {
		if rc := def.DefField("RegClass"); rc != nil {
			m = rc.String("DecoderMethod")
		}
	}
	if m != "" {
		c, set := def.BitOK("hasCompleteDecoder")
		return g.decodeField(e, f, desc.DecFunc, g.number(&g.methods, m)), !set || c, true
	}
	return g.decodePlain(e, f, def), true, true
}

func initOf(v *tablegen.BitsInit) tablegen.Init {
	if v == nil {
		return tablegen.Unset()
	}
	return v
}

// decodePlain is an operand without a method: a register of its class, or a number.
func (g *decoderGen) decodePlain(e *encoding, f *field, def *tablegen.Record) desc.DecOp {
	if c, isReg := g.regClass(def); isReg {
		if c == desc.NoClass {
			return g.decodeField(e, f, desc.DecFunc, g.number(&g.methods, "Decode"+def.Name+"RegisterClass"))
		}
		return g.decodeField(e, f, desc.DecReg, uint16(c))
	}
	return g.decodeField(e, f, desc.DecImm, g.formats.number(immFormat(def)))
}

// decodeField is an operand made of the bits of a field and those of its value
// that the record fixes.
func (g *decoderGen) decodeField(e *encoding, f *field, kind desc.DecOpKind, arg uint16) desc.DecOp {
	o := desc.DecOp{Kind: kind, Arg: arg, Segs: g.segs.add(f.segs), NumSegs: uint8(len(f.segs))}
	if v := e.rec.Bits(f.name); v != nil {
		for k, b := range v.Bits {
			if x, ok := b.(*tablegen.BitInit); ok && x.V && k < 64 {
				o.Fixed |= 1 << k
			}
		}
	}
	return o
}
