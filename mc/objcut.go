package mc

import "slices"

// A chunk is settled before it is joined where nothing outside of it can change
// the distances in it: then jumps within it are encoded once and for all, the
// labels that only they named are gone, and what is joined is bytes, the fixups
// that refer to other chunks, and a few symbols.

// cutter copies what a settled chunk still needs to a context of its own.
type cutter struct {
	from  *Context
	to    Context
	syms  []Sym // by those of from: number in to, 0 not there
	fixes []Fixup
	o     *ObjectStreamer
	// The chunks' memory.
	bytes   slab[byte]
	fixups  slab[Fixup]
	nodes   slab[exprNode]
	numbers slab[Sym]
	symbols slab[Symbol]
}

// Cut returns what was said since the last one and empties the streamer.
func (o *ObjectStreamer) Cut(keep ...[]Sym) Streamer {
	o.row()
	k := &ObjectStreamer{enc: o.enc, be: o.be, bigEndian: o.bigEndian, frameSections: o.frameSections, opts: o.opts, forked: true, secs: make([]secData, len(o.secs)), order: slices.Clone(o.order),
		cur: o.cur, files: o.files, frames: slices.Clone(o.frames), open: o.open, subs: slices.Clone(o.subs), errs: o.errs, asm: o.asm, lines: o.lines.cut()}
	if len(o.errs) == 0 && !o.open && o.rigid() {
		o.settle()
		k.errs = o.cutSettled(k, keep)
	} else {
		for i := range o.secs {
			d := &o.secs[i]
			k.secs[i] = secData{sym: d.sym, buf: slices.Clone(d.buf), fixups: slices.Clone(d.fixups), pieces: slices.Clone(d.pieces),
				alt: slices.Clone(d.alt), altFix: slices.Clone(d.altFix), bss: d.bss, filled: d.filled, fixed: d.fixed, align: d.align}
		}
		k.seen = slices.Clone(o.seen)
		k.ctx = o.ctx.Cut()
	}
	clear(o.frames) // their directives are the chunk's now
	o.secs, o.order, o.seen, o.frames, o.subs = o.secs[:0], o.order[:0], o.seen[:0], o.frames[:0], o.subs[:0]
	o.cur, o.open, o.files, o.errs, o.asm = 0, false, nil, nil, nil
	return k
}

// rigid reports whether no chunk around this one can change the distances in it:
// a section's part begins with its largest alignment, and what may grow depends
// on labels of the same part.
func (o *ObjectStreamer) rigid() bool {
	for _, id := range o.order {
		d := &o.secs[id]
		lead := uint8(0)
		for i := range d.pieces {
			switch p := &d.pieces[i]; p.kind {
			case pieceAlign, pieceNops:
				if i == 0 && p.off == 0 && p.arg == 0 {
					lead = p.log2
				} else if p.log2 > lead {
					return false
				}
			case pieceInst:
				for k := range d.altFix[p.fix : p.fix+p.fixes()] {
					if f := &d.altFix[int(p.fix)+k]; !o.isInner(id, f.Expr) || !o.be.FixupInfo(f.Kind).PCRel {
						return false
					}
				}
			case pieceLEB:
				if _, ok := o.lebValue(p); !ok {
					return false
				}
			case pieceFill, pieceOrg:
				return false
			}
		}
	}
	return true
}

// isInner reports whether e is a label of section id, with a distance, that
// stays out of the symbol table.
func (o *ObjectStreamer) isInner(id SectionID, e Expr) bool {
	n := &o.ctx.exprs[e]
	if n.kind != ExprSym || Modifier(n.op) != ModNone {
		return false
	}
	y := &o.ctx.syms[n.a]
	return y.Temp() && y.Section == id && y.Flags&SymHasAlias == 0
}

// cutSettled gives k what is left of a chunk whose sizes are settled and
// empties the context. It returns the errors of fixups that cannot be applied.
func (o *ObjectStreamer) cutSettled(k *ObjectStreamer, keep [][]Sym) []error {
	m := &o.cutter
	m.o, m.from = o, o.ctx
	m.to.syms = append(m.to.syms[:0], Symbol{})
	m.to.exprs = append(m.to.exprs[:0], exprNode{})
	m.to.sections = append(m.to.sections[:0], o.ctx.sections...)
	m.syms = zeroed(m.syms, len(o.ctx.syms))
	for i := 1; i < len(o.ctx.syms); i++ {
		if y := &o.ctx.syms[i]; y.Flags&(SymInner|SymNumbered) == 0 {
			m.sym(Sym(i))
		}
	}
	for _, l := range keep {
		for i, s := range l {
			l[i] = m.sym(s)
		}
	}
	if k.lines != nil {
		for u := range k.lines.units {
			rows := k.lines.units[u].rows
			for i := range rows {
				rows[i].at = m.place(rows[i].at)
			}
		}
	}
	for i := range m.to.sections {
		s := &m.to.sections[i]
		s.LinkedTo = m.sym(s.LinkedTo)
	}
	for id := range o.secs {
		k.secs[id] = m.section(SectionID(id))
	}
	for i := range k.frames {
		m.frame(&k.frames[i])
	}
	k.seen = m.numbers.make(len(m.to.syms) - 1)
	for _, s := range o.seen {
		if s = m.syms[s]; s != 0 {
			k.seen = append(k.seen, s)
		}
	}
	k.ctx = &Context{info: o.ctx.info, syms: m.symbols.clone(m.to.syms), exprs: m.nodes.clone(m.to.exprs), sections: slices.Clone(m.to.sections),
		temps: slices.Clone(o.ctx.temps)}
	o.ctx.empty()
	return o.errs
}

// sym is the symbol in the chunk's context.
func (m *cutter) sym(s Sym) Sym {
	if s == 0 || m.syms[s] != 0 {
		return m.syms[s]
	}
	n := Sym(len(m.to.syms))
	m.syms[s] = n
	y := m.from.syms[s]
	size, value := y.Size, y.Value
	if y.Section != 0 {
		y.piece, y.Offset = 0, m.o.offset(&m.from.syms[s])
	}
	m.to.syms = append(m.to.syms, y)
	if size != 0 {
		size = m.value(size)
		m.to.syms[n].Size = size
	}
	if value != 0 {
		value = m.expr(value)
		m.to.syms[n].Value = value
	}
	return n
}

// expr is the expression in the chunk's context.
func (m *cutter) expr(e Expr) Expr {
	if e == 0 {
		return 0
	}
	n := m.from.exprs[e]
	switch n.kind {
	case ExprSym:
		n.a = uint32(m.sym(Sym(n.a)))
	case ExprUnary, ExprModified:
		n.a = uint32(m.expr(Expr(n.a)))
	case ExprBinary:
		n.a, n.b = uint32(m.expr(Expr(n.a))), uint32(m.expr(Expr(n.b)))
	}
	return m.to.node(n)
}

// value is expr for one that may be known by now.
func (m *cutter) value(e Expr) Expr {
	if v, ok := m.from.Reduce(e, m.o.distance); ok && v.A == 0 && v.B == 0 {
		return m.to.Const(v.Off)
	}
	return m.expr(e)
}

// place is a place after layout.
func (m *cutter) place(p place) place {
	if p.section != 0 {
		p.off, p.piece = m.o.secs[p.section].final(p.piece, p.off), 0
	}
	return p
}

func (m *cutter) frame(f *frame) {
	f.begin, f.end = m.place(f.begin), m.place(f.end)
	for i := range f.insts {
		f.insts[i].at = m.place(f.insts[i].at)
	}
	f.personality, f.lsda = m.sym(f.personality), m.sym(f.lsda)
}

// section makes the bytes of a section's part and the fixups that are left.
func (m *cutter) section(id SectionID) secData {
	d := &m.o.secs[id]
	c := secData{sym: m.sym(d.sym), bss: d.bss, filled: d.filled, fixed: d.fixed, align: d.align}
	if m.o.ctx.sections[id].Type == SecNoBits || d.sym == 0 {
		return c
	}
	m.fixes = m.fixes[:0]
	pad := func(out []byte, p *piece) []byte {
		if p == &d.pieces[0] && p.off == 0 && p.arg == 0 {
			c.lead = *p // becomes the alignment of the part
			return out
		}
		return m.o.appendPadding(out, p)
	}
	// All LEB128 values are known: a chunk with another is not rigid.
	c.buf, _ = m.o.appendSection(m.bytes.make(int(d.size())), d, pad, func(out []byte, at uint64, f *Fixup) { m.apply(id, out, at, f) })
	c.fixups = m.fixups.clone(m.fixes)
	return c
}

// apply fills in a fixup to an inner label of the section's part, or keeps it.
func (m *cutter) apply(id SectionID, out []byte, at uint64, f *Fixup) {
	info := m.o.be.FixupInfo(f.Kind)
	if !info.PCRel || !m.o.isInner(id, f.Expr) {
		m.fixes = append(m.fixes, Fixup{Offset: uint32(at), Expr: m.expr(f.Expr), Addend: f.Addend, Kind: f.Kind})
		return
	}
	n := &m.from.exprs[f.Expr]
	v := int64(m.o.offset(&m.from.syms[n.a])) + n.val + int64(f.Addend) - int64(at)
	if err := m.o.be.Apply(out[at:at+uint64(info.Size)], f.Kind, v); err != nil {
		m.o.errs = append(m.o.errs, err)
	}
}
