package mc

import (
	"errors"
	"slices"
)

// Fork returns a streamer for a chunk.
func (o *ObjectStreamer) Fork() Streamer {
	return &ObjectStreamer{ctx: NewContext(o.ctx.info), enc: o.enc, be: o.be, bigEndian: o.bigEndian, frameSections: o.frameSections, opts: o.opts, forked: true, objScratch: new(objScratch)}
}

// Join appends a chunk. A section without bytes is aligned as the chunk's part
// of it wants before that is appended.
func (o *ObjectStreamer) Join(chunk Streamer, keep ...[]Sym) error {
	k, ok := chunk.(*ObjectStreamer)
	if !ok {
		return errors.New("mc: a chunk of another kind of streamer")
	}
	if k.open {
		k.fail("unfinished call frame information at the end of a chunk")
	}
	if k.asm != nil {
		k.fail("directives of assembly in a function's chunk are not supported in object output")
	}
	j := &o.joiner
	j.Start(o.ctx, k.ctx)
	for i := 1; i < len(k.ctx.syms); i++ {
		y := &k.ctx.syms[i]
		if y.Type == TypeSection {
			continue
		}
		if y.Flags&SymDefined != 0 && o.ctx.syms[j.Syms[i]].Defined() {
			o.fail("symbol '%s' is already defined", y.Name)
		}
	}
	for _, s := range k.seen {
		if y := &k.ctx.syms[s]; y.Type == TypeSection {
			cur := o.cur
			o.SwitchSection(j.Sections[y.Section])
			o.cur = cur
			continue
		}
		o.see(j.Syms[s])
	}
	for i := 1; i < len(k.ctx.syms); i++ {
		if y := &k.ctx.syms[i]; y.Type != TypeSection {
			o.merge(y, &o.ctx.syms[j.Syms[i]], j)
		}
	}
	j.subs = j.subs[:0]
	for _, st := range k.subs {
		j.subs = append(j.subs, o.subtarget(st))
	}
	starts := j.starts[:0]
	for id := range k.secs {
		starts = append(starts, place{section: j.Sections[id]})
	}
	j.starts = starts
	for _, id := range k.order {
		starts[id] = o.append(&k.secs[id], j, j.Sections[id])
	}
	for i := 1; i < len(k.ctx.syms); i++ {
		if y := &k.ctx.syms[i]; y.Type != TypeSection && y.Section != 0 {
			z := &o.ctx.syms[j.Syms[i]]
			p := starts[y.Section].plus(place{piece: y.piece, off: y.Offset})
			z.Section, z.piece, z.Offset = p.section, p.piece, p.off
		}
	}
	for _, f := range k.frames {
		o.frames = append(o.frames, f.moved(j, starts))
	}
	o.joinLines(k.lines, starts)
	j.Renumber(keep)
	for _, f := range k.files {
		o.File(f.name)
	}
	o.errs = append(o.errs, k.errs...)
	if k.cur != 0 {
		o.cur = j.Sections[k.cur]
	}
	return o.Err()
}

// plus is the place q behind the start p of a chunk's part of a section.
func (p place) plus(q place) place {
	return place{section: p.section, piece: p.piece + q.piece, off: p.off + q.off}
}

// merge adds what a chunk says about a symbol.
func (o *ObjectStreamer) merge(y, z *Symbol, j *Joiner) {
	if y.Binding != BindUnset && z.Binding != BindWeak {
		z.Binding = y.Binding
	}
	z.Other |= y.Other
	if y.Vis != VisDefault {
		z.Vis = y.Vis
	}
	if y.Type != TypeNone {
		z.Type = y.Type
	}
	z.Flags |= y.Flags & (SymDefined | SymHasAlias | SymCommon)
	if y.Size != 0 {
		z.Size = j.Expr(y.Size)
	}
	if y.Value != 0 {
		z.Value = j.Expr(y.Value)
	}
	if y.Flags&SymCommon != 0 {
		z.CommonSize, z.CommonAlign = y.CommonSize, y.CommonAlign
	}
}

// append adds a chunk's part of a section and returns where it starts.
func (o *ObjectStreamer) append(c *secData, j *Joiner, id SectionID) place {
	d := &o.secs[id]
	if c.lead.log2 != 0 {
		o.lead(d, c.lead, j)
	}
	start := place{section: id, piece: uint32(len(d.pieces)), off: uint64(len(d.buf))}
	if o.ctx.sections[id].Type == SecNoBits {
		d.bss = (d.bss + c.align - 1) &^ (c.align - 1)
		start.off = d.bss
		d.bss += c.bss
		d.filled, d.fixed = d.filled || c.filled, d.fixed || c.fixed
	}
	d.align = max(d.align, c.align)
	base, alt, fix := uint32(len(d.buf)), uint32(len(d.alt)), uint32(len(d.altFix))
	d.buf = append(room(d.buf, len(c.buf)), c.buf...)
	d.fixups = room(d.fixups, len(c.fixups))
	d.altFix = room(d.altFix, len(c.altFix))
	d.pieces = room(d.pieces, len(c.pieces))
	for _, f := range c.fixups {
		f.Offset += base
		f.Expr = j.Expr(f.Expr)
		d.fixups = append(d.fixups, f)
	}
	d.alt = append(room(d.alt, len(c.alt)), c.alt...)
	for _, f := range c.altFix {
		f.Expr = j.Expr(f.Expr)
		d.altFix = append(d.altFix, f)
	}
	for _, p := range c.pieces {
		p.off += base
		if p.kind == pieceInst {
			p.alt += alt
			p.fix += fix
		}
		if p.kind >= pieceLEB && p.kind <= pieceOrg {
			p.arg = uint32(j.Expr(p.expr()))
		}
		if p.kind == pieceInst || p.kind == pieceNops {
			p.sub = j.subs[p.sub]
		}
		d.pieces = append(d.pieces, p)
	}
	return start
}

// lead adds the alignment before a settled part of a section. Where all before
// it is settled, too, and begins the section, its size is known.
func (o *ObjectStreamer) lead(d *secData, p piece, j *Joiner) {
	p.off = uint32(len(d.buf))
	if p.kind == pieceNops {
		p.sub = j.subs[p.sub]
	}
	if o.forked || len(d.pieces) > 0 {
		d.pieces = append(room(d.pieces, 1), p)
		return
	}
	p.at = uint64(p.off)
	p.pad()
	d.buf = o.appendPadding(room(d.buf, int(p.size)), &p)
}

// Joiner maps the numbers of a chunk's Context to those of the Context that the
// chunk is joined to. One serves chunk after chunk.
type Joiner struct {
	Syms     []Sym
	Sections []SectionID
	base     uint32 // added to the numbers of expressions
	// TempBase is what must be added to the number of a numbered symbol, by
	// prefix in the order of the chunk.
	TempBase []uint32
	prefixes []string

	// Of objects: the numbers of the chunk's subtargets, and where its parts of sections start.
	subs   []uint16
	starts []place
}

// Start adds the symbols, expressions and sections of a chunk to those of c.
func (j *Joiner) Start(c, chunk *Context) {
	j.Syms = zeroed(j.Syms, len(chunk.syms))
	j.Sections = zeroed(j.Sections, len(chunk.sections))
	j.TempBase, j.prefixes = j.TempBase[:0], j.prefixes[:0]
	for _, t := range chunk.temps {
		k := c.tempIndex(t.prefix[len(c.info.PrivateGlobal):])
		j.TempBase = append(j.TempBase, c.temps[k].n)
		j.prefixes = append(j.prefixes, t.prefix)
		c.temps[k].n += t.n
	}
	for i := 1; i < len(chunk.syms); i++ {
		y := &chunk.syms[i]
		switch {
		case y.Type == TypeSection:
		case y.Flags&SymNumbered != 0:
			j.Syms[i] = c.add(Symbol{Name: y.Name, Number: y.Number + j.Base(y.Name), Binding: BindUnset, Flags: SymTemp | SymNumbered})
		case y.Name == "":
			j.Syms[i] = c.add(Symbol{Binding: y.Binding, Flags: y.Flags & SymTemp})
		default:
			j.Syms[i] = c.Symbol(y.Name)
		}
	}
	for i := 1; i < len(chunk.sections); i++ {
		s := chunk.sections[i]
		s.LinkedTo = j.Syms[s.LinkedTo]
		j.Sections[i] = c.Section(s)
	}
	j.base = uint32(len(c.exprs)) - 1
	c.exprs = room(c.exprs, len(chunk.exprs))
	for _, n := range chunk.exprs[1:] {
		switch n.kind {
		case ExprSym:
			n.a = uint32(j.Syms[n.a])
		case ExprUnary, ExprModified:
			n.a += j.base
		case ExprBinary:
			n.a += j.base
			n.b += j.base
		}
		c.exprs = append(c.exprs, n)
	}
}

// Renumber gives symbols of the chunk, in place, the numbers that they have where it was joined to.
func (j *Joiner) Renumber(keep [][]Sym) {
	for _, l := range keep {
		for i, s := range l {
			l[i] = j.Syms[s]
		}
	}
}

// zeroed is a slice of n zeros, in the memory of s where that is enough.
func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// Base gives what must be added to numbers of symbols with a prefix.
func (j *Joiner) Base(prefix string) uint32 {
	for i, p := range j.prefixes {
		if p == prefix {
			return j.TempBase[i]
		}
	}
	return 0
}

// Expr maps an expression.
func (j *Joiner) Expr(e Expr) Expr {
	if e == 0 {
		return 0
	}
	return e + Expr(j.base)
}
