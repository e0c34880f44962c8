package mc

// Layout: what has no fixed size when it is emitted is a piece. A piece holds no
// bytes of the section's buffer; it lies between two of them. Sizes are settled
// for all sections together, from the smallest upwards: instructions and LEB128
// only grow, so this ends, at the same sizes that LLVM and GNU as arrive at.

// piece is something whose size depends on the distance of labels or on where
// it lies. 56 bytes without pointers.
type piece struct {
	at   uint64 // final offset in the section
	off  uint32 // in the buffer: the piece lies before this byte
	size uint32 // in the current layout
	next uint32 // in the next one, when it grows

	alt, fix uint32 // pieceInst: first byte in secData.alt, first fixup in altFix
	arg      uint32 // pieceAlign, pieceNops: no padding beyond, 0 no limit; pieceLEB, pieceFill, pieceOrg: an Expr
	sub      uint16 // subtarget of the object

	kind       pieceKind
	log2, fill uint8   // alignments
	width      uint8   // bytes of a value of pieceFill and pieceAlign
	forms      [3]form // pieceInst: encodings, which stand behind each other in alt and altFix
	last, now  uint8   // the longest of them, and the one of the current layout
	signed     bool
}

// expr is the expression of a piece that has one.
func (p *piece) expr() Expr { return Expr(p.arg) }

// form is how many bytes and fixups an encoding has.
type form struct{ bytes, fixes uint8 }

// fixes is the number of fixups of all encodings.
func (p *piece) fixes() uint32 {
	return uint32(p.forms[0].fixes) + uint32(p.forms[1].fixes) + uint32(p.forms[2].fixes)
}

type pieceKind uint8

const (
	pieceAlign pieceKind = iota // pad with a byte
	pieceNops                   // pad with instructions
	pieceInst                   // one of several encodings
	pieceLEB
	pieceFill // values of width bytes, expr of them; the value is in alt and fix
	pieceOrg  // bytes up to the place expr
	// pieceBoundary are instructions that do nothing before a branch, which ends before the byte
	// arg of the buffer behind alt pieces.
	pieceBoundary
)

// place is a position in a section before layout.
type place struct {
	section SectionID
	piece   uint32 // pieces before it
	off     uint64 // bytes of the buffer before it
}

// final returns the offset of a place in the current layout.
func (d *secData) final(piece uint32, off uint64) uint64 {
	if piece == 0 {
		return off
	}
	p := &d.pieces[piece-1]
	return p.at + uint64(p.size) + off - uint64(p.off)
}

// size returns the section's size in the current layout.
func (d *secData) size() uint64 { return d.final(uint32(len(d.pieces)), uint64(len(d.buf))+d.bss) }

// place computes where the pieces lie, and the sizes of alignments.
func (d *secData) place() {
	shift := uint64(0)
	for i := range d.pieces {
		p := &d.pieces[i]
		p.at = uint64(p.off) + shift
		if p.kind <= pieceNops {
			p.pad()
		} else if p.kind >= pieceFill {
			p.size = p.next
		} else {
			p.size = max(p.size, p.next)
		}
		shift += uint64(p.size)
	}
}

// pad computes the size of an alignment from its offset.
func (p *piece) pad() {
	p.size = uint32(-p.at & (uint64(1)<<p.log2 - 1))
	if p.arg != 0 && p.size > p.arg {
		p.size = 0
	}
}

// maxPasses caps the passes over a section. Chains of jumps that push each other
// over the limit one by one could need a pass each; behind the cap all that are
// short become long at once, which is always right.
const maxPasses = 256

// settle finds the final size of every piece: passes over each section until
// nothing changes.
func (o *ObjectStreamer) settle() {
	for _, id := range o.order {
		o.secs[id].place()
	}
	for changed := true; changed; {
		changed = false
		for _, id := range o.order {
			limit := maxPasses
			if o.branch != nil { // one piece may settle after the other
				limit += len(o.secs[id].pieces)
			}
			for pass := 0; o.relax(id, pass >= limit); pass++ {
				changed = true
			}
		}
	}
	o.growBefore()
}

// relax makes one pass over a section and reports whether a piece grew. All of
// the pass sees the offsets of the layout before it, as in LLVM; with alignments
// between, another order may end at other sizes. With all set, every instruction
// becomes long.
func (o *ObjectStreamer) relax(id SectionID, all bool) bool {
	d := &o.secs[id]
	grew := false
	for i := range d.pieces {
		p := &d.pieces[i]
		switch p.kind {
		case pieceInst:
			if p.now < p.last && (all || !o.fits(id, d, p)) {
				if p.now++; all {
					p.now = p.last
				}
				p.next = uint32(p.forms[p.now].bytes)
				grew = true
			}
		case pieceLEB:
			v, _ := o.lebValue(p)
			if n := uint32(lebSize(v, p.signed)); n > p.size {
				p.next = n
				grew = true
			}
		case pieceFill, pieceOrg:
			// These may shrink; behind the cap they stay.
			if n, ok := o.wanted(id, p); ok && n >= 0 && n <= maxFill && uint32(n) != p.next && !all {
				p.next = uint32(n)
				grew = true
			}
		case pieceBoundary:
			if n := d.boundary(p); n != p.size && !all {
				p.next = n
				grew = true
			}
		}
	}
	if grew {
		d.place()
	}
	return grew
}

// lebFixed reports that no linker changes the value of a LEB128: there is no relocation
// for what it would be then.
func (o *ObjectStreamer) lebFixed(p *piece) bool {
	if !o.linker {
		return true
	}
	v, ok := o.ctx.Evaluate(p.expr(), o.fixedDistance)
	return ok && v.A == 0 && v.B == 0
}

// lebValue evaluates the expression of a LEB128 in the current layout.
func (o *ObjectStreamer) lebValue(p *piece) (int64, bool) {
	v, ok := o.ctx.Evaluate(p.expr(), o.distance)
	return v.Off, ok && v.A == 0 && v.B == 0
}

// fits reports whether all fixups of the current encoding are known and fit.
func (o *ObjectStreamer) fits(id SectionID, d *secData, p *piece) bool {
	_, fx := d.encoding(p)
	for _, f := range fx {
		r := o.evaluate(id, p.at+uint64(f.Offset), &f)
		if !r.near || o.be.NeedsRelaxation(f.Kind, r.dist) {
			return false
		}
	}
	return true
}

// base follows aliases to a symbol that is not one, and adds up the distances.
// It stops at aliases of something that is not symbol plus distance.
func (o *ObjectStreamer) base(s Sym) (Sym, int64) {
	off := int64(0)
	for range 64 {
		y := &o.ctx.syms[s]
		if y.Flags&SymHasAlias == 0 {
			break
		}
		v, ok := o.ctx.Evaluate(y.Value, o.distance)
		if !ok || v.B != 0 || v.Mod != ModNone {
			break
		}
		off += v.Off
		s = v.A
		if s == 0 {
			break
		}
	}
	return s, off
}

// distance gives a-b for two labels of the same section.
func (o *ObjectStreamer) distance(a, b Sym) (int64, bool) {
	a, ao := o.base(a)
	b, bo := o.base(b)
	if a == 0 || b == 0 {
		return ao - bo, a == b
	}
	ya, yb := &o.ctx.syms[a], &o.ctx.syms[b]
	if ya.Section == 0 || ya.Section != yb.Section {
		return ao - bo, a == b
	}
	return int64(o.offset(ya)-o.offset(yb)) + ao - bo, true
}

// offset returns the final offset of a label.
func (o *ObjectStreamer) offset(y *Symbol) uint64 {
	d := &o.secs[y.Section]
	return d.final(y.piece, y.Offset)
}

// lebSize is the number of bytes of v in LEB128.
func lebSize(v int64, signed bool) int {
	var b [10]byte
	return len(appendLEB(b[:0], v, signed, 0))
}

// appendLEB appends v in LEB128 with at least min bytes.
func appendLEB(b []byte, v int64, signed bool, min int) []byte {
	for n := 1; ; n++ {
		c := byte(v & 0x7f)
		var more bool
		if signed {
			v >>= 7
			more = !(v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0)
		} else {
			v = int64(uint64(v) >> 7)
			more = v != 0
		}
		if !more && n >= min {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}
