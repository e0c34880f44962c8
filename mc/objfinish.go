package mc

import (
	"math/bits"
	"sort"
)

// evaluated is the value of a fixup: the number in val.Off when known, else
// what a relocation has to add up.
type evaluated struct {
	val   Value
	known bool
	// near says that the value is dist in the layout; where a linker changes it, it is not known.
	near  bool
	dist  int64
	pcRel bool
	ok    bool   // false: no such relocation exists
	why   string // … what is said about it, "" for whyNot's
	weak  bool   // the symbol is asked for through a name of .weakref
	// section and at are where the symbol lies, section 0 when that is elsewhere.
	section SectionID
	at      uint64
}

// isLocal reports whether no other file can replace the symbol.
func (y *Symbol) isLocal() bool {
	return y.Temp() || y.Binding == BindLocal || y.Binding == BindUnset && y.Defined()
}

// evaluate computes a fixup of section id that lies at offset at.
func (o *ObjectStreamer) evaluate(id SectionID, at uint64, f *Fixup) evaluated {
	v, ok := o.ctx.Reduce(f.Expr, o.fixedDistance)
	if !ok {
		return evaluated{}
	}
	r := evaluated{val: v, ok: true, pcRel: o.be.FixupInfo(f.Kind).PCRel}
	if p, ok := o.be.(PairedFixups); ok && p.IsLow(f.Kind) {
		return o.lowHalf(p, r)
	}
	v.Off += int64(f.Addend)
	if v.A != 0 {
		// A variable that means a place of this file is a symbol with that place; others
		// are what they mean.
		base, off := o.base(v.A)
		if y := &o.ctx.syms[base]; base != 0 && y.Section != 0 {
			r.section, r.at = y.Section, uint64(int64(o.offset(y))+off)
		} else if base != v.A {
			r.weak = o.ctx.syms[v.A].Flags&SymWeakRef != 0
			v.A = base
			v.Off += off
		}
	}
	if v.B != 0 {
		// A difference to a label of this section is relative to this place.
		b, off := o.base(v.B)
		yb := &o.ctx.syms[b]
		if r.pcRel || b == 0 || yb.Section != id || v.A == 0 {
			return evaluated{}
		}
		v.B = 0
		v.Off += int64(at) - int64(o.offset(yb)) - off
		r.pcRel = true
	}
	r.val = v
	if v.A == 0 {
		r.known = !r.pcRel && o.be.Resolves(f.Kind, v.Mod)
		r.near, r.dist = r.known, v.Off
		return r
	}
	y := &o.ctx.syms[v.A]
	if r.pcRel && r.section == id && y.isLocal() && y.Type != TypeIFunc && o.be.Resolves(f.Kind, v.Mod) && !o.namesCallee(f.Kind, y) {
		r.near, r.dist = true, r.val.Off+int64(r.at)-int64(at)
		d := &o.secs[id]
		base, _ := o.base(v.A)
		if y = &o.ctx.syms[base]; !d.relaxing || !d.mixed && !o.be.FixupInfo(f.Kind).Relaxable && d.sameAs(y.piece, y.Offset, d.placeAt(at)) {
			r.known, r.val.Off = true, r.dist
		}
	}
	return r
}

// PairedFixups is an AsmBackend with fixups that are the low half of what the instruction at a label
// has the high half of.
type PairedFixups interface {
	IsLow(k FixupKind) bool
	// IsHigh reports the kinds of high halves; known says that they may be known in the file.
	IsHigh(k FixupKind) (high, known bool)
}

// lowHalf evaluates a low half, whose value is that of the fixup at the label that it names: it is
// known where that is.
func (o *ObjectStreamer) lowHalf(p PairedFixups, r evaluated) evaluated {
	base, off := o.base(r.val.A)
	y := &o.ctx.syms[base]
	if r.val.B != 0 || base == 0 || off != 0 || y.Section == 0 {
		if r.val.A == 0 {
			return r
		}
		r.why = "could not find corresponding %pcrel_hi"
		r.ok = false
		return r
	}
	r.section, r.at = y.Section, o.offset(y)
	d := &o.secs[y.Section]
	i := sort.Search(len(d.fixups), func(i int) bool { return uint64(d.fixups[i].Offset) >= y.Offset })
	for ; i < len(d.fixups) && uint64(d.fixups[i].Offset) == y.Offset; i++ {
		f := &d.fixups[i]
		high, known := p.IsHigh(f.Kind)
		if !high {
			continue
		}
		if h := o.evaluate(y.Section, r.at, f); known && h.known && h.pcRel {
			r.known, r.near, r.val.Off, r.dist = true, true, h.val.Off, h.val.Off
		}
		return r
	}
	r.ok, r.why = false, "could not find corresponding %pcrel_hi"
	return r
}

// placeAt is the place at an offset of the settled section, with the pieces that end before it.
func (d *secData) placeAt(at uint64) place {
	n := sort.Search(len(d.pieces), func(i int) bool { p := &d.pieces[i]; return p.at+uint64(p.size) > at })
	if n == 0 {
		return place{off: at}
	}
	if n < len(d.pieces) && d.pieces[n].at < at {
		at = d.pieces[n].at // in the piece
	}
	p := &d.pieces[n-1]
	return place{piece: uint32(n), off: at - p.at - uint64(p.size) + uint64(p.off)}
}

// sameAs reports two places of a section with code that linkers change between which no such
// code lies, and nothing whose size layout settles.
func (d *secData) sameAs(piece uint32, off uint64, p place) bool {
	if d.before(piece, off) != d.before(p.piece, p.off) {
		return false
	}
	for i := min(piece, p.piece); i < max(piece, p.piece); i++ {
		if k := d.pieces[i].kind; k == pieceInst || k == pieceLEB || k == pieceOrg || k == pieceFill {
			return false
		}
	}
	return true
}

// whyNot says why no relocation can hold the value of a fixup.
func (o *ObjectStreamer) whyNot(id SectionID, f *Fixup) string {
	v, ok := o.ctx.Reduce(f.Expr, o.distance)
	if ok && v.B != 0 {
		b, _ := o.base(v.B)
		switch y := &o.ctx.syms[b]; {
		case b != 0 && !y.Defined():
			return "symbol '" + o.ctx.SymName(b) + "' can not be undefined in a subtraction expression"
		case b != 0 && y.Section != id:
			return "Cannot represent a difference across sections"
		}
	}
	return "expected relocatable expression"
}

// fixedDistance is distance where no linker changes it.
func (o *ObjectStreamer) fixedDistance(a, b Sym) (int64, bool) {
	if s, _ := o.base(a); o.linker && s != 0 && a != b {
		if id := o.ctx.syms[s].Section; id != 0 && o.secs[id].relaxing {
			d := &o.secs[id]
			t, _ := o.base(b)
			y, z := &o.ctx.syms[t], &o.ctx.syms[s]
			if d.mixed || t == 0 || y.Section != id || !d.sameAs(z.piece, z.Offset, place{piece: y.piece, off: y.Offset}) {
				return 0, false
			}
		}
	}
	return o.distance(a, b)
}

// finisher builds an Object.
type finisher struct {
	o     *ObjectStreamer
	obj   *Object
	index []int   // of each SectionID in obj.Sections, -1 none
	num   []int32 // of each Sym in obj.Symbols, -1 none
	signs []bool  // by Sym: it is the signature of a group; nil without groups
}

// nameSections lets names of sections, where nothing else defines them, mean the sections'
// symbols: what the text says about ".debug_abbrev" is about its first byte.
func (o *ObjectStreamer) nameSections() {
	var moved map[Sym]Sym
	for _, id := range o.order {
		s := o.ctx.Lookup(o.ctx.sections[id].Name)
		if s == 0 {
			continue
		}
		y := &o.ctx.syms[s]
		if y.Defined() || y.Binding != BindUnset || y.Flags&SymCommon != 0 {
			continue
		}
		y.Section, y.Type, y.Binding = id, TypeSection, BindLocal
		y.Flags |= SymDefined
		if moved == nil {
			moved = map[Sym]Sym{}
		}
		moved[o.secs[id].sym] = s
		o.secs[id].sym = s
	}
	if moved == nil {
		return
	}
	// A name stands where it, or its section, was seen first.
	kept, done, file := o.seen[:0], map[Sym]bool{}, 0
	for i, s := range o.seen {
		for ; file < len(o.files) && o.files[file].seen <= i; file++ {
			o.files[file].seen = len(kept)
		}
		if to, ok := moved[s]; ok {
			s = to
		}
		if o.ctx.syms[s].Type == TypeSection {
			if done[s] {
				continue
			}
			done[s] = true
		}
		kept = append(kept, s)
	}
	o.seen = kept
}

// Object settles all sizes and returns the result. The streamer is used up.
func (o *ObjectStreamer) Object() (*Object, error) {
	if o.open {
		o.fail("unfinished call frame information: no .cfi_endproc")
	}
	o.mergeSubsections()
	o.nameSections()
	o.settleAsm()
	o.settle()
	o.emitFrames()
	o.emitLines()
	o.profileSection()
	o.ctx.loc = 0
	f := &finisher{o: o, obj: &Object{Machine: o.be.Machine(), Crel: o.opts.Crel}}
	f.obj.Machine.Rela = f.obj.Machine.Rela || o.opts.Crel
	if o.elfFlags != nil {
		f.obj.Machine.ELFFlags = *o.elfFlags
	}
	f.index = make([]int, len(o.secs))
	for i := range f.index {
		f.index[i] = -1
	}
	for _, id := range o.order {
		f.index[id] = len(f.obj.Sections)
		f.obj.Sections = append(f.obj.Sections, f.section(id))
	}
	f.namedRelocs()
	f.sortRelocs()
	o.weaken()
	f.listAddrSyms()
	f.symbols()
	f.addrSigSection()
	for i := range f.obj.Sections {
		s := &f.obj.Sections[i]
		for k := range s.Relocs {
			r := &s.Relocs[k]
			if r.Symbol > 0 {
				r.Symbol = f.num[r.Symbol]
			} else {
				r.Symbol = -1
			}
		}
	}
	return f.obj, o.Err()
}

// section makes the bytes and relocations of a section. Relocs' symbols are
// Syms until symbols has numbered them.
func (f *finisher) section(id SectionID) ObjSection {
	o := f.o
	d := &o.secs[id]
	s := ObjSection{Section: o.ctx.sections[id], Align: d.align, Link: -1}
	if s.Type == SecNoBits {
		s.Size = d.size()
		o.checkPieces(id, d)
		if d.filled {
			o.fail("BSS section '%s' cannot have non-zero bytes", s.Name)
		} else if d.fixed {
			o.fail("BSS section '%s' cannot have fixups", s.Name)
		}
		return s
	}
	if s.LinkedTo != 0 {
		if y := &o.ctx.syms[s.LinkedTo]; y.Section != 0 {
			s.Link = int(y.Section) // a SectionID; symbols makes it an index
		}
	}
	if d.size() > maxFill {
		o.fail("section '%s' with 2 GiB or more of bytes is not supported", s.Name)
		return s
	}
	o.checkPieces(id, d)
	s.Relocs = make([]Reloc, 0, len(d.fixups))
	apply := func(out []byte, at uint64, fix *Fixup) { f.apply(id, out, at, fix, &s) }
	if len(d.pieces) == 0 {
		s.Data = d.buf
		for k := range d.fixups {
			apply(d.buf, uint64(d.fixups[k].Offset), &d.fixups[k])
		}
	} else {
		known := false
		if s.Data, known = o.appendSection(make([]byte, 0, d.size()), d, o.appendPadding, apply); !known {
			o.failLEB(d)
		}
	}
	s.Size = uint64(len(s.Data))
	return s
}

// appendSection appends the settled bytes of a section to out, which is empty, and
// calls apply for each fixup with the bytes up to it and its place among them. pad
// appends the bytes of an alignment. known is false when a LEB128 value is not.
func (o *ObjectStreamer) appendSection(out []byte, d *secData, pad func([]byte, *piece) []byte, apply func([]byte, uint64, *Fixup)) (_ []byte, known bool) {
	known = true
	last, fix := uint32(0), d.fixups
	// flush copies the buffer up to a piece and applies the fixups of that part.
	flush := func(n int, end uint32) {
		out = append(out, d.buf[last:end]...)
		for len(fix) > 0 && fix[0].Offset < end {
			apply(out, d.final(uint32(n), uint64(fix[0].Offset)), &fix[0])
			fix = fix[1:]
		}
		last = end
	}
	for i := range d.pieces {
		p := &d.pieces[i]
		flush(i, p.off)
		switch p.kind {
		case pieceAlign, pieceNops, pieceFill, pieceOrg, pieceBoundary:
			out = pad(out, p)
		case pieceLEB:
			v, ok := o.lebValue(p)
			fixed := o.lebFixed(p)
			known = known && ok && (fixed || !p.signed && o.lebMoves)
			if fixed {
				out = appendLEB(out, v, p.signed, int(p.size))
				break
			}
			if o.lebZero {
				v = 0
			}
			out = appendLEB(out, v, p.signed, int(p.size))
			apply(out, p.at, &Fixup{Expr: p.expr(), Kind: fixupLEB})
		case pieceInst:
			b, fx := d.encoding(p)
			out = append(out, b...)
			for k := range fx {
				apply(out, p.at+uint64(fx[k].Offset), &fx[k])
			}
		}
	}
	flush(len(d.pieces), uint32(len(d.buf)))
	return out, known
}

// appendPadding appends the bytes of a settled alignment.
func (o *ObjectStreamer) appendPadding(b []byte, p *piece) []byte {
	if p.kind == pieceNops || p.kind == pieceBoundary {
		return o.be.AppendNops(b, int(p.size), o.subs[p.sub])
	}
	return o.appendFilled(b, p)
}

// encoding gives the settled encoding of an instruction and its fixups.
func (d *secData) encoding(p *piece) ([]byte, []Fixup) {
	at, fix := p.alt, p.fix
	for _, f := range p.forms[:p.now] {
		at, fix = at+uint32(f.bytes), fix+uint32(f.fixes)
	}
	f := p.forms[p.now]
	return d.alt[at : at+uint32(f.bytes)], d.altFix[fix : fix+uint32(f.fixes)]
}

// difference makes the two relocations of a difference of labels whose distance is not known, on
// machines that have such.
func (f *finisher) difference(at uint64, fx *Fixup, s *ObjSection) bool {
	o, m := f.o, &f.obj.Machine
	var add, sub uint32
	switch {
	case m.AddRelocs[0] == 0:
		return false
	case fx.Kind == fixupLEB:
		add, sub = m.LEBAdd, m.LEBSub
	case fx.Kind >= fixupStep6 && fx.Kind <= fixupStep32:
		add, sub = m.FrameAdds[fx.Kind-fixupStep6], m.FrameSubs[fx.Kind-fixupStep6]
	case fx.Kind >= FirstTargetFixup || o.be.FixupInfo(fx.Kind).PCRel:
		return false
	default:
		k := bits.TrailingZeros8(o.be.FixupInfo(fx.Kind).Size)
		add, sub = m.AddRelocs[k], m.SubRelocs[k]
	}
	v, ok := o.ctx.Reduce(fx.Expr, o.fixedDistance)
	if !ok || v.A == 0 || v.B == 0 || v.Mod != ModNone {
		return false
	}
	a, ao := o.base(v.A)
	b, bo := o.base(v.B)
	if a == 0 || b == 0 || o.ctx.syms[b].Section == 0 {
		return false
	}
	for i, y := range [...]Sym{a, b} {
		typ, addend := add, v.Off+int64(fx.Addend)+ao
		if i == 1 {
			typ, addend = sub, bo
		}
		o.see(y)
		o.ctx.syms[y].Flags |= SymUsed
		s.Relocs = append(s.Relocs, Reloc{Offset: at, Addend: addend, Type: typ, Symbol: int32(y)})
	}
	return true
}

// apply puts the value of a fixup into the bytes or makes a relocation.
func (f *finisher) apply(id SectionID, out []byte, at uint64, fx *Fixup, s *ObjSection) {
	o := f.o
	if fx.Kind == fixupAlign {
		n, _ := o.ctx.ConstValue(fx.Expr)
		s.Relocs = append(s.Relocs, Reloc{Offset: at, Addend: n, Type: f.obj.Machine.AlignReloc, Symbol: -1})
		return
	}
	if f.difference(at, fx, s) {
		return
	}
	r := o.evaluate(id, at, fx)
	if !r.ok {
		if r.why == "" {
			r.why = o.whyNot(id, fx)
		}
		o.failAt(o.ctx.ExprLoc(fx.Expr), "%s", r.why)
		return
	}
	info := o.be.FixupInfo(fx.Kind)
	if r.known {
		if err := o.be.Apply(out[at:at+uint64(info.Size)], fx.Kind, r.val.Off); err != nil {
			o.failAt(o.ctx.ExprLoc(fx.Expr), "%s", err.Error())
		}
		return
	}
	t, err := o.be.RelocType(fx.Kind, r.val.Mod, r.pcRel)
	if err != nil {
		o.failAt(o.ctx.ExprLoc(fx.Expr), "%s", err.Error())
		return
	}
	sym, addend := r.val.A, r.val.Off
	if sym != 0 {
		y := &o.ctx.syms[sym]
		if y.Type == TypeNone && o.ctx.info.isTLS(r.val.Mod) {
			y.Type = TypeTLS
		}
		if n, ok := o.be.(SymbolRelocs); ok {
			var in *Section
			if r.section != 0 {
				in = &o.ctx.sections[r.section]
			}
			t = n.RelocOf(t, y, in)
		}
		if !o.namesCallee(fx.Kind, y) && o.useSectionSymbol(y, &r, t) {
			addend += int64(r.at)
			sym = o.secs[r.section].sym
		}
		o.see(sym)
		if r.weak {
			o.ctx.syms[sym].Flags |= SymWeakUsed
		} else {
			o.ctx.syms[sym].Flags |= SymUsed
		}
	}
	if m, ok := o.be.(CalleeNames); ok && m.NoSymbol(t) {
		sym = 0
	}
	if !f.obj.Machine.Rela {
		if err := o.be.Apply(out[at:at+uint64(info.Size)], fx.Kind, addend); err != nil {
			o.errs = append(o.errs, err)
		}
	} else if info.Always {
		if err := o.be.Apply(out[at:at+uint64(info.Size)], fx.Kind, 0); err != nil {
			o.errs = append(o.errs, err)
		}
	}
	s.Relocs = append(s.Relocs, Reloc{Offset: at, Addend: addend, Type: t, Symbol: int32(sym)})
	if r := f.obj.Machine.RelaxReloc; r != 0 && info.Relaxable {
		s.Relocs = append(s.Relocs, Reloc{Offset: at, Type: r, Symbol: -1})
	}
}

// useSectionSymbol chooses, as LLVM does, between a relocation against a local
// symbol and one against its section: tables need the symbol, linkers want it
// for thread-local data, and in a section whose strings may be merged the
// addend must not lead into another string.
func (o *ObjectStreamer) useSectionSymbol(y *Symbol, r *evaluated, relocType uint32) bool {
	if !y.isLocal() || r.section == 0 || y.Type == TypeIFunc || o.be.NeedsSymbol(relocType, r.val.Mod) {
		return false
	}
	fl := o.ctx.sections[r.section].Flags
	if fl&FlagMerge != 0 {
		if m, ok := o.be.(MergeSymbols); r.val.Off != 0 || ok && m.MergeNeedsSymbol(relocType) {
			return false
		}
	}
	return fl&FlagTLS == 0
}

// SymbolRelocs is an AsmBackend whose relocations depend on what they name: a symbol, and the
// section of this file in which it lies, nil when it does in none.
type SymbolRelocs interface {
	RelocOf(relocType uint32, y *Symbol, in *Section) uint32
}

// RelocSorter is an AsmBackend that orders the relocations of a section. Their symbols are those of
// the context, addends are there also where they are in the bytes.
type RelocSorter interface {
	SortRelocs(list []Reloc, local func(Sym) bool)
}

// sortRelocs has the target order relocations, and forgets the addends that are in the bytes.
func (f *finisher) sortRelocs() {
	r, ok := f.o.be.(RelocSorter)
	if !ok && f.obj.Machine.Rela {
		return
	}
	local := func(s Sym) bool { return f.o.ctx.syms[s].isLocal() }
	for i := range f.obj.Sections {
		list := f.obj.Sections[i].Relocs
		if ok {
			r.SortRelocs(list, local)
		}
		if !f.obj.Machine.Rela {
			for k := range list {
				list[k].Addend = 0
			}
		}
	}
}

// CalleeNames is an AsmBackend of which what a fixup does depends on the symbol.
type CalleeNames interface {
	// NamesCallee reports fixups that stay, and name the symbol, though it is local and near.
	NamesCallee(k FixupKind, y *Symbol) bool
	// NoSymbol reports relocations that name none, whatever the expression says.
	NoSymbol(relocType uint32) bool
}

func (o *ObjectStreamer) namesCallee(k FixupKind, y *Symbol) bool {
	m, ok := o.be.(CalleeNames)
	return ok && m.NamesCallee(k, y)
}

// MergeSymbols is an AsmBackend with relocations that name the symbol where its section's
// strings may be merged.
type MergeSymbols interface {
	MergeNeedsSymbol(relocType uint32) bool
}

// inTable reports whether a symbol goes into the symbol table.
func (f *finisher) inTable(s Sym) bool {
	y := &f.o.ctx.syms[s]
	switch {
	case y.Flags&SymUsed != 0, f.signs != nil && f.signs[s]:
		return true
	case y.Type == TypeSection || y.Temp() || y.Flags&(SymWeakRef|SymReplaced) != 0:
		return false
	case y.Flags&SymHasAlias != 0:
		base, _ := f.o.base(s)
		return base == 0 || f.o.ctx.syms[base].Defined()
	}
	return y.Defined() || y.Binding != BindUnset
}

// symbols makes the symbol table: local symbols, each file before those that were first
// mentioned behind it, then the others, in the order in which they were first mentioned.
func (f *finisher) symbols() {
	o := f.o
	files := o.files
	if len(files) > 0 {
		files[0].seen = 0 // what is mentioned before it is of that file, too
	}
	file := func() {
		f.obj.Symbols = append(f.obj.Symbols, ObjSymbol{Name: files[0].name, Section: SecAbsolute, Type: TypeFile})
		files = files[1:]
	}
	f.signatures()
	f.num = make([]int32, len(o.ctx.syms))
	for _, local := range [2]bool{true, false} {
		for !local && len(files) > 0 {
			file()
		}
		for i, s := range o.seen {
			if y := &o.ctx.syms[s]; y.Flags&SymUsed != 0 && y.Temp() && !y.Defined() && local {
				o.fail("Undefined temporary symbol %s", o.ctx.SymName(s))
			}
			if y := &o.ctx.syms[s]; (y.isLocal() || f.isPlainSignature(s)) != local || !f.inTable(s) {
				continue
			}
			for len(files) > 0 && files[0].seen <= i {
				file()
			}
			f.num[s] = int32(len(f.obj.Symbols))
			f.obj.Symbols = append(f.obj.Symbols, f.symbol(s))
		}
	}
	for i := range f.obj.Sections {
		if s := &f.obj.Sections[i]; s.Link >= 0 {
			s.Link = f.index[s.Link]
		}
	}
}

// signatures finds the symbols that name groups.
func (f *finisher) signatures() {
	for i := range f.obj.Sections {
		if g := f.obj.Sections[i].Group; g != "" {
			s := f.o.ctx.Symbol(g)
			if f.signs == nil {
				f.signs = make([]bool, len(f.o.ctx.syms))
			}
			f.signs[s] = true
		}
	}
}

// isPlainSignature reports a symbol that does nothing but name a group: a local
// one, which stands in the group's header.
func (f *finisher) isPlainSignature(s Sym) bool {
	y := &f.o.ctx.syms[s]
	return f.signs != nil && f.signs[s] && y.Binding == BindUnset && y.Flags&(SymDefined|SymUsed|SymCommon|SymHasAlias) == 0
}

// aliasType is the type of a symbol that is another name of one with type base. A function
// and what is chosen at run time keep their types, and so does what is thread-local.
func aliasType(own, base SymType) SymType {
	switch {
	case own == TypeIFunc, own == TypeTLS && base != TypeTLS, own == TypeFunc && base != TypeIFunc, own == TypeObject && base == TypeNone:
		return own
	}
	return base
}

// symbol makes one row of the table.
func (f *finisher) symbol(s Sym) ObjSymbol {
	o := f.o
	y := &o.ctx.syms[s]
	r := ObjSymbol{Name: y.Name, Section: SecUndefined, Binding: y.Binding, Type: y.Type, Vis: y.Vis, Other: y.Other}
	if y.Flags&SymNumbered != 0 {
		r.Name = o.ctx.SymName(s)
	}
	if y.Temp() && (y.Name == "" || y.Flags&(SymNumbered|SymNamed) == SymNumbered && y.Name == o.ctx.info.PrivateGlobal+"tmp") {
		r.Name = ".L0 " // as LLVM calls what has no name
	}
	switch {
	case f.isPlainSignature(s):
		r.Section, r.Binding = SecSignature, BindLocal
		return r
	case y.isLocal():
		r.Binding = BindLocal
	case y.Binding == BindUnset:
		r.Binding = BindGlobal
	}
	size := y.Size
	switch {
	case y.Type == TypeSection:
		r.Section = f.index[y.Section]
		return r
	case y.Flags&SymCommon != 0:
		r.Section, r.Value, r.Size = SecCommon, y.CommonAlign, y.CommonSize
		return r
	case y.Flags&SymHasAlias != 0:
		base, off := o.base(s)
		if base == 0 {
			r.Section, r.Value = SecAbsolute, uint64(off)
			break
		}
		b := &o.ctx.syms[base]
		if b.Flags&SymCommon != 0 {
			o.failAt(o.ctx.ExprLoc(y.Value), "Common symbol '%s' cannot be used in assignment expr", o.ctx.SymName(base))
			return r
		}
		if b.Flags&SymHasAlias != 0 {
			o.fail("the value of symbol '%s' is not supported in object output", y.Name)
			return r
		}
		if b.Section != 0 {
			r.Section, r.Value = f.index[b.Section], o.offset(b)+uint64(off)
		}
		if size == 0 {
			size = b.Size
		}
		r.Type = aliasType(r.Type, b.Type)
	case y.Section != 0:
		r.Section, r.Value = f.index[y.Section], o.offset(y)
	}
	if size != 0 {
		v, ok := o.ctx.Reduce(size, o.distance)
		if !ok || v.A != 0 || v.B != 0 {
			o.fail("the size of symbol '%s' is not a constant", y.Name)
		}
		r.Size = uint64(v.Off)
	}
	return r
}
