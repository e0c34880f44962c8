package mc

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// What only assembly says of an object: places and counts that are expressions,
// versions and weak names of symbols, relocations by name, subsections.

// objAsm is what of it waits for the end.
type objAsm struct {
	versions []symVersion
	conds    []condAssign
	pending  map[Sym][]int // conds by the symbols that they wait for
	relocs   []namedReloc
	profile  []profileEdge
	addrsig  bool
	addrSyms []Sym
	weakRefs []Sym // names of others
}

type symVersion struct {
	sym  Sym
	name string
	keep bool
}

type condAssign struct {
	sym   Sym
	value Expr
}

// namedReloc is a relocation at an offset of a section, or at a label.
type namedReloc struct {
	section   SectionID
	at, value Expr
	typ       uint32
	loc       uint32
}

type profileEdge struct {
	from, to Sym
	count    uint64
}

// failAt notes an error about what was read at a place.
func (o *ObjectStreamer) failAt(loc uint32, format string, args ...any) {
	o.errs = append(o.errs, &SourceError{loc, fmt.Sprintf(format, args...)})
}

// extra is where what waits for the end is kept.
func (o *ObjectStreamer) extra() *objAsm {
	if o.asm == nil {
		o.asm = &objAsm{}
	}
	return o.asm
}

// Distance gives a-b for two labels whose distance no layout changes.
func (o *ObjectStreamer) Distance(a, b Sym) (int64, bool) {
	if a == b {
		return 0, true
	}
	ya, yb := &o.ctx.syms[a], &o.ctx.syms[b]
	if ya.Section == 0 || ya.Section != yb.Section || ya.piece != yb.piece || (ya.Flags|yb.Flags)&SymHasAlias != 0 {
		return 0, false
	}
	if d := &o.secs[ya.Section]; o.linker && !d.sameAs(ya.piece, ya.Offset, place{piece: yb.piece, off: yb.Offset}) {
		return 0, false
	}
	return int64(ya.Offset - yb.Offset), true
}

// AlignValue pads with values of size bytes.
func (o *ObjectStreamer) AlignValue(log2 uint8, fill int64, size int, max uint32) {
	o.align(piece{kind: pieceAlign, log2: log2, fill: uint8(fill), width: uint8(size), alt: uint32(fill), arg: max})
}

// FillExpr is Fill with a count that is an expression.
func (o *ObjectStreamer) FillExpr(count Expr, size int, v uint64) {
	d := o.content("fill", 'd')
	if d == nil {
		return
	}
	o.seeExpr(count)
	if n, ok := o.ctx.Evaluate(count, o.Distance); ok && n.A == 0 && n.B == 0 && n.Off >= 0 {
		o.Fill(uint64(n.Off), size, v)
		return
	}
	d.filled = d.filled || v != 0
	o.piece(d, piece{kind: pieceFill, arg: uint32(count), width: uint8(size), alt: uint32(v), fix: uint32(v >> 32)})
}

// Org pads up to a place.
func (o *ObjectStreamer) Org(to Expr, fill byte) {
	d := o.data(".org")
	if d == nil {
		return
	}
	o.seeExpr(to)
	d.filled = d.filled || fill != 0
	o.piece(d, piece{kind: pieceOrg, arg: uint32(to), fill: fill})
}

// Nops appends instructions that do nothing.
func (o *ObjectStreamer) Nops(n, limit uint64, st *Subtarget) {
	d := o.data("nops")
	if d == nil {
		return
	}
	for n > 0 {
		k := n
		if limit != 0 {
			k = min(n, limit)
		}
		at := len(d.buf)
		d.buf = o.be.AppendNops(d.buf, int(k), st)
		if limit != 0 && len(d.buf) == at {
			break
		}
		n -= k
	}
	if o.branch != nil { // it is no data
		o.branch.empty = o.here()
	}
}

// AssignConditional is Assign if something refers to what the value is about.
func (o *ObjectStreamer) AssignConditional(s Sym, e Expr) {
	x := o.extra()
	if t, _, _, ok := o.ctx.SymRef(e); ok && o.ctx.syms[t].Flags&SymRegistered != 0 {
		o.Assign(s, e)
		return
	}
	o.ctx.EachSym(e, func(t Sym) {
		if x.pending == nil {
			x.pending = map[Sym][]int{}
		}
		x.pending[t] = append(x.pending[t], len(x.conds))
	})
	x.conds = append(x.conds, condAssign{s, e})
}

// assignPending assigns what waited for a symbol, which is defined now.
func (o *ObjectStreamer) assignPending(s Sym) {
	for _, i := range o.asm.pending[s] {
		if c := o.asm.conds[i]; c.sym != 0 {
			o.asm.conds[i].sym = 0
			o.Assign(c.sym, c.value)
		}
	}
}

// SymVer gives a symbol the name of a version.
func (o *ObjectStreamer) SymVer(s Sym, name string, keep bool) {
	o.see(s)
	x := o.extra()
	x.versions = append(x.versions, symVersion{s, name, keep})
}

// WeakRef makes alias a name of s that does not ask for it.
func (o *ObjectStreamer) WeakRef(alias, s Sym) {
	y := &o.ctx.syms[alias]
	y.Value = o.ctx.Ref(s, ModNone)
	y.Flags |= SymDefined | SymHasAlias | SymWeakRef
	x := o.extra()
	x.weakRefs = append(x.weakRefs, alias)
}

// AddrSig asks for the table of symbols whose addresses matter.
func (o *ObjectStreamer) AddrSig() { o.extra().addrsig = true }

// AddrSigSym adds a symbol to it.
func (o *ObjectStreamer) AddrSigSym(s Sym) {
	o.see(s)
	x := o.extra()
	x.addrSyms = append(x.addrSyms, s)
}

// CGProfile says how often one function calls another.
func (o *ObjectStreamer) CGProfile(from, to Sym, count uint64) {
	x := o.extra()
	x.profile = append(x.profile, profileEdge{from, to, count})
}

// genericRelocs are names of relocations of plain values.
var genericRelocs = [...]struct {
	name string
	kind FixupKind
}{{"BFD_RELOC_8", FixupData1}, {"BFD_RELOC_16", FixupData2}, {"BFD_RELOC_32", FixupData4}, {"BFD_RELOC_64", FixupData8}}

// Reloc adds a relocation by its name.
func (o *ObjectStreamer) Reloc(at Expr, name string, value Expr, _ *Subtarget) error {
	typ, ok := uint32(0), name == "BFD_RELOC_NONE"
	for _, g := range genericRelocs {
		if g.name == name {
			t, err := o.be.RelocType(g.kind, ModNone, false)
			typ, ok = t, err == nil
		}
	}
	if f := o.ctx.info.Relocs; f != nil && !ok {
		typ, ok = relocByName(f(o.be.Machine().ELFMachine), name)
	}
	if !ok {
		return errors.New("unknown relocation name")
	}
	if value != 0 {
		o.seeExpr(value)
	}
	x := o.extra()
	x.relocs = append(x.relocs, namedReloc{section: o.cur, at: at, value: value, typ: typ, loc: o.ctx.loc})
	return nil
}

// relocByName finds a relocation in a list of AsmInfo.Relocs.
func relocByName(list, name string) (uint32, bool) {
	before, _, ok := strings.Cut(list, " "+name+"\n")
	if !ok || name == "" {
		return 0, false
	}
	n, err := strconv.ParseUint(before[strings.LastIndexByte(before, '\n')+1:], 10, 32)
	return uint32(n), err == nil
}

// settleAsm does what must be done before sizes are settled.
func (o *ObjectStreamer) settleAsm() {
	x := o.asm
	if x == nil {
		return
	}
	for _, c := range x.conds {
		if c.sym == 0 {
			continue // done
		}
		used := false
		o.ctx.EachSym(c.value, func(s Sym) { used = used || o.ctx.syms[s].Flags&SymRegistered != 0 })
		if used {
			o.Assign(c.sym, c.value)
		}
	}
	renamed := map[Sym]bool{}
	n := len(o.seen)
	for _, v := range x.versions {
		if o.version(v) && !renamed[v.sym] {
			renamed[v.sym] = true
			o.seen = append(o.seen, v.sym)
		}
	}
	if len(renamed) > 0 { // names of versions stand behind all others
		o.seen = o.dropSeen(n, func(s Sym) bool { return renamed[s] })
	}
}

// dropSeen gives the list of symbols without those among the first n that drop names.
func (o *ObjectStreamer) dropSeen(n int, drop func(s Sym) bool) []Sym {
	kept, file := o.seen[:0], 0
	for i, s := range o.seen {
		for ; file < len(o.files) && o.files[file].seen <= i; file++ {
			o.files[file].seen = len(kept)
		}
		if i >= n || !drop(s) {
			kept = append(kept, s)
		}
	}
	return kept
}

// version makes the symbol of a version's name, or renames the one it is of.
func (o *ObjectStreamer) version(v symVersion) (renamed bool) {
	y := &o.ctx.syms[v.sym]
	name := v.name
	if base, rest, ok := strings.Cut(name, "@@@"); ok {
		if y.Defined() {
			name = base + "@@" + rest
		} else {
			name = base + "@" + rest
		}
	}
	if strings.Contains(name, "@@") && !y.Defined() {
		o.fail("default version symbol %s must be defined", name)
		return false
	}
	if !y.Defined() || !v.keep {
		if strings.Contains(y.Name, "@") && y.Name != name {
			o.fail("multiple versions for %s", y.Name[:strings.IndexByte(y.Name, '@')])
			return false
		}
		y.Name = name
		return true
	}
	a := o.ctx.Symbol(name)
	y = &o.ctx.syms[v.sym]
	z := &o.ctx.syms[a]
	z.Binding, z.Vis, z.Type = y.Binding, y.Vis, y.Type
	if z.Binding == BindUnset {
		z.Binding = BindLocal
	}
	o.Assign(a, o.ctx.Ref(v.sym, ModNone))
	return false
}

// weaken makes symbols weak that weak names alone ask for.
func (o *ObjectStreamer) weaken() {
	if o.asm == nil {
		return
	}
	for _, a := range o.asm.weakRefs {
		base, _ := o.base(a)
		y := &o.ctx.syms[base]
		if base != 0 && y.Flags&SymWeakUsed != 0 && y.Flags&SymUsed == 0 && !y.Defined() && y.Binding == BindUnset {
			y.Binding = BindWeak
			y.Flags |= SymUsed
		}
	}
}

// mergeSubsections puts the parts of sections that were written apart into one, in the
// order of their numbers.
func (o *ObjectStreamer) mergeSubsections() {
	var subs []SectionID
	for id := range o.secs {
		if id > 0 && o.ctx.sections[id].Subsection != 0 && o.secs[id].used {
			subs = append(subs, SectionID(id))
		}
	}
	if subs == nil {
		return
	}
	slices.SortStableFunc(subs, func(a, b SectionID) int {
		return cmp.Compare(o.ctx.sections[a].Subsection, o.ctx.sections[b].Subsection)
	})
	starts := make([]place, len(o.secs))
	for _, id := range subs {
		to := o.ctx.Subsection(id, 0)
		starts[id] = o.appendPart(id, to)
		o.secs[to].mixed = true
		o.secs[to].relaxing = o.secs[to].relaxing || o.secs[id].relaxing
	}
	move := func(p place) place {
		if s := starts[p.section]; s.section != 0 {
			return s.plus(p)
		}
		return p
	}
	for i := range o.ctx.syms {
		if y := &o.ctx.syms[i]; y.Section != 0 && starts[y.Section].section != 0 {
			p := move(place{y.Section, y.piece, y.Offset})
			y.Section, y.piece, y.Offset = p.section, p.piece, p.off
		}
	}
	for i := range o.frames {
		f := &o.frames[i]
		f.begin, f.end = move(f.begin), move(f.end)
		for k := range f.insts {
			f.insts[k].at = move(f.insts[k].at)
		}
	}
	if o.lines != nil {
		for u := range o.lines.units {
			rows := o.lines.units[u].rows
			for i := range rows {
				rows[i].at = move(rows[i].at)
			}
		}
	}
	if o.asm != nil {
		for i := range o.asm.relocs {
			if r := &o.asm.relocs[i]; starts[r.section].section != 0 {
				r.section = starts[r.section].section
			}
		}
	}
}

// appendPart appends a subsection to its section and returns where it starts.
func (o *ObjectStreamer) appendPart(from, to SectionID) place {
	c, d := &o.secs[from], &o.secs[to]
	start := place{section: to, piece: uint32(len(d.pieces)), off: uint64(len(d.buf))}
	d.align = max(d.align, c.align)
	base, alt, fix := uint32(len(d.buf)), uint32(len(d.alt)), uint32(len(d.altFix))
	if o.ctx.sections[to].Type == SecNoBits {
		start.off = d.bss
		base = uint32(d.bss)
		d.bss += c.bss
		d.filled, d.fixed = d.filled || c.filled, d.fixed || c.fixed
	}
	d.buf = append(d.buf, c.buf...)
	for _, f := range c.fixups {
		f.Offset += base
		d.fixups = append(d.fixups, f)
	}
	d.alt = append(d.alt, c.alt...)
	d.altFix = append(d.altFix, c.altFix...)
	for _, p := range c.pieces {
		p.off += base
		if p.kind == pieceInst {
			p.alt += alt
			p.fix += fix
		}
		d.pieces = append(d.pieces, p)
	}
	return start
}

// wanted gives the size of a piece whose expression says it, in the current layout.
func (o *ObjectStreamer) wanted(id SectionID, p *piece) (int64, bool) {
	v, ok := o.ctx.Evaluate(p.expr(), o.distance)
	if !ok || v.B != 0 {
		return 0, false
	}
	if p.kind == pieceFill {
		return v.Off * int64(p.width), v.A == 0
	}
	n := v.Off
	if v.A != 0 {
		base, off := o.base(v.A)
		y := &o.ctx.syms[base]
		if base == 0 || y.Section != id {
			return 0, false
		}
		n += int64(o.offset(y)) + off
	}
	return n - int64(p.at), true
}

// checkPieces shows the pieces whose sizes cannot be had.
func (o *ObjectStreamer) checkPieces(id SectionID, d *secData) {
	for i := range d.pieces {
		p := &d.pieces[i]
		if p.kind != pieceFill && p.kind != pieceOrg {
			continue
		}
		n, ok := o.wanted(id, p)
		loc := o.ctx.ExprLoc(p.expr())
		switch {
		case !ok && p.kind == pieceOrg:
			o.failAt(loc, "expected absolute expression")
		case !ok:
			o.failAt(loc, "expected assembly-time absolute expression")
		case n < 0 && p.kind == pieceOrg:
			o.failAt(loc, "invalid .org offset '%d' (at offset '%d')", int64(p.at)+n, p.at)
		case n < 0:
			o.failAt(loc, "invalid number of bytes")
		case n > maxFill:
			o.failAt(loc, "section '%s' with 2 GiB or more of bytes is not supported", o.ctx.sections[id].Name)
		}
	}
}

// appendFilled appends the bytes of a settled fill or alignment with wide values.
func (o *ObjectStreamer) appendFilled(b []byte, p *piece) []byte {
	size := int(p.width)
	if p.kind == pieceOrg || size <= 1 && p.kind == pieceAlign {
		for range p.size {
			b = append(b, p.fill)
		}
		return b
	}
	v := uint64(p.alt) | uint64(p.fix)<<32
	if p.kind == pieceAlign {
		v = uint64(p.alt)
		for range int(p.size) % size {
			b = append(b, 0)
		}
	}
	var w [8]byte
	PutInt(w[:size], v, o.bigEndian)
	for range int(p.size) / size {
		b = append(b, w[:size]...)
	}
	return b
}

// namedRelocs adds the relocations that .reloc asked for to the sections.
func (f *finisher) namedRelocs() {
	o := f.o
	if o.asm == nil {
		return
	}
	added := map[int][]placedReloc{}
	for _, r := range o.asm.relocs {
		loc := o.ctx.ExprLoc(r.at)
		at, ok := o.ctx.Evaluate(r.at, o.distance)
		if !ok || at.B != 0 {
			o.failAt(loc, ".reloc offset is not relocatable")
			continue
		}
		id, off := r.section, at.Off
		part := uint32(0) // pieces before it
		if id == o.ctx.TextSection() {
			part = noPart
		}
		if _, constant := o.ctx.ConstValue(r.at); !constant {
			base, d := o.base(at.A)
			y := &o.ctx.syms[base]
			if base == 0 || y.Section == 0 {
				o.failAt(loc, ".reloc offset is not relative to a section")
				continue
			}
			id, part = y.Section, y.piece
			off += int64(o.offset(y)) + d
		}
		rel := Reloc{Offset: uint64(off), Type: r.typ}
		if r.value != 0 {
			fx := Fixup{Expr: r.value, Kind: FixupData1}
			e := o.evaluate(id, uint64(off), &fx)
			if !e.ok {
				o.failAt(o.ctx.ExprLoc(r.value), "%s", o.whyNot(id, &fx))
				continue
			}
			v := e.val
			rel.Addend = v.Off
			if v.A != 0 {
				sym := v.A
				rel.Symbol = int32(sym)
				o.ctx.syms[sym].Flags |= SymUsed
			}
		}
		p := placedReloc{Reloc: rel}
		if d := &o.secs[id]; part < uint32(len(d.pieces)) {
			p.before = d.pieces[part].at
		} else if part != noPart {
			p.before = d.size()
		}
		k := f.index[id]
		added[k] = append(added[k], p)
	}
	for i := range f.obj.Sections {
		if a := added[i]; a != nil {
			f.obj.Sections[i].Relocs = insertRelocs(f.obj.Sections[i].Relocs, a)
		}
	}
}

// noPart is the part of .text before its bytes, which is what offsets without a label count from.
const noPart = ^uint32(0)

// placedReloc is a relocation that stands, as in LLVM, behind all others of the part of the
// section between two pieces that it is about: that before an offset.
type placedReloc struct {
	Reloc
	before uint64
}

// insertRelocs puts relocations among those of a section, which are in the order of offsets.
func insertRelocs(to []Reloc, add []placedReloc) []Reloc {
	slices.SortStableFunc(add, func(a, b placedReloc) int { return cmp.Compare(a.before, b.before) })
	out := make([]Reloc, 0, len(to)+len(add))
	for _, r := range to {
		for len(add) > 0 && add[0].before <= r.Offset {
			out, add = append(out, add[0].Reloc), add[1:]
		}
		out = append(out, r)
	}
	for i := range add {
		out = append(out, add[i].Reloc)
	}
	return out
}

// profileSection makes the section of calls' counts.
func (o *ObjectStreamer) profileSection() {
	if o.asm == nil || len(o.asm.profile) == 0 {
		return
	}
	const none = 0 // on all machines
	saved := o.cur
	o.SwitchSection(o.ctx.ELFSection(".llvm.call-graph-profile", SecCGProfile, FlagExclude, 8))
	for i, e := range o.asm.profile {
		for _, s := range [2]Sym{e.from, e.to} {
			if y := &o.ctx.syms[s]; y.Temp() {
				if y.Section == 0 {
					o.fail("Reference to undefined temporary symbol `%s`", o.ctx.SymName(s))
					continue
				}
				s = o.secs[y.Section].sym
			}
			o.see(s)
			o.asm.relocs = append(o.asm.relocs, namedReloc{section: o.cur, at: o.ctx.Const(int64(8 * i)), value: o.ctx.Ref(s, ModNone), typ: none})
			o.ctx.syms[s].Flags |= SymUsed
		}
		o.Int(e.count, 8)
	}
	o.cur = saved
}

// listed is the symbol that stands for another in the table of those whose addresses
// matter: that of its section where it has no name in the file, 0 for none.
func (f *finisher) listed(s Sym) Sym {
	y := &f.o.ctx.syms[s]
	switch {
	case !y.Temp():
		return s
	case y.Section != 0:
		return f.o.secs[y.Section].sym
	}
	return 0
}

// listAddrSyms has the symbols of that table in the symbol table.
func (f *finisher) listAddrSyms() {
	if f.o.asm == nil {
		return
	}
	for _, s := range f.o.asm.addrSyms {
		if t := f.listed(s); t != 0 && t != s {
			f.o.ctx.syms[t].Flags |= SymUsed
		}
	}
}

// addrSigSection makes the table of symbols whose addresses matter; symbols have numbers.
func (f *finisher) addrSigSection() {
	o := f.o
	if o.asm == nil || !o.asm.addrsig {
		return
	}
	var b []byte
	for _, s := range o.asm.addrSyms {
		if t := f.listed(s); t != 0 && f.inTable(t) {
			b = appendLEB(b, int64(f.num[t])+1, false, 0)
		}
	}
	f.obj.Sections = append(f.obj.Sections, ObjSection{Section: Section{Name: ".llvm_addrsig", Type: SecAddrSig, Flags: FlagExclude, Unique: GenericSection},
		Data: b, Size: uint64(len(b)), Align: 1, Link: -1})
}
