package mc

// Branches that neither cross nor end at a boundary: a piece before each grows where it would.
// Encodings before it may grow in its place, by longer forms and by prefixes (LLVM's X86AsmBackend).

// BranchAligner is an AsmBackend that keeps branches off boundaries.
type BranchAligner interface {
	// Padding says what is padded.
	Padding() Padding
	// Pads reports whether something may stand between prev, nil for none, and in.
	Pads(prev, in *Inst) bool
	// Branches reports instructions that are kept off boundaries, OpensPair those that are so
	// together with a jump behind them, and Pair whether two are.
	Branches(in *Inst) bool
	OpensPair(in *Inst) bool
	Pair(first, second *Inst) bool
	// PaddingPrefix is a prefix without a meaning for an instruction, MorePrefixes how many
	// more an encoding may have.
	PaddingPrefix(in *Inst, st *Subtarget) byte
	MorePrefixes(code []byte, st *Subtarget) int
}

// Padding is what an object has padded.
type Padding struct {
	Log2     uint8 // of the boundary of branches; 0 none
	Prefixes bool  // instructions before branches get prefixes
	Before   bool  // encodings grow before branches
	Aligns   bool  // … before alignments
}

// branchState is what a streamer knows of the instruction before.
type branchState struct {
	BranchAligner
	Padding
	prev    Inst
	has     bool
	end     place // of prev
	empty   place // where nothing stands since something was settled
	pending place // the piece that waits for its instruction, by its section and number, none with section 0
}

func newBranchState(be AsmBackend) *branchState {
	a, ok := be.(BranchAligner)
	if !ok || a.Padding() == (Padding{}) {
		return nil
	}
	return &branchState{BranchAligner: a, Padding: a.Padding()}
}

// beginBranch puts a piece before an instruction that is kept off boundaries.
func (o *ObjectStreamer) beginBranch(in *Inst, st *Subtarget) {
	b, d := o.branch, &o.secs[o.cur]
	if b.Log2 == 0 || o.ctx.sections[o.cur].Flags&FlagExec == 0 {
		return
	}
	var prev *Inst
	if b.has {
		prev = &b.prev
	}
	if prev == nil || !b.Pair(prev, in) {
		b.pending = place{}
	}
	here := o.here()
	start := uint64(0) // of what no piece divides
	if n := len(d.pieces); n > 0 {
		start = uint64(d.pieces[n-1].off)
	}
	if b.empty.section == o.cur && b.empty.piece == here.piece {
		start = max(start, b.empty.off)
	}
	if !b.Pads(prev, in) || o.rewritable(in) || here.off != start && here != b.end { // behind data
		return
	}
	if b.pending.section == o.cur && (b.pending.piece+1 == here.piece || b.pending.piece+2 == here.piece && here.off == start) {
		return // the pair has one, and nothing is between but the first of them, which may be a piece
	}
	if b.Branches(in) || b.OpensPair(in) {
		b.pending = here
		o.piece(d, piece{kind: pieceBoundary, log2: b.Log2, sub: o.subtarget(st)})
	}
}

// rewritable reports an instruction about a symbol with a modifier: a linker may rewrite it.
func (o *ObjectStreamer) rewritable(in *Inst) bool {
	for i := range in.Ops {
		if in.Ops[i].kind == OperandExpr {
			if _, m, _, ok := o.ctx.SymRef(in.Ops[i].Expr()); ok && m != ModNone {
				return true
			}
		}
	}
	return false
}

// endBranch notes an instruction, and that the piece before a branch is about it.
func (o *ObjectStreamer) endBranch(in *Inst) {
	b, d := o.branch, &o.secs[o.cur]
	b.prev.Op, b.prev.Flags, b.has = in.Op, in.Flags, true
	b.prev.Ops = append(b.prev.Ops[:0], in.Ops...)
	b.end = o.here()
	if b.Log2 == 0 || b.pending.section != o.cur || !b.Branches(in) {
		return
	}
	p := &d.pieces[b.pending.piece]
	p.alt, p.arg = b.end.piece, uint32(b.end.off)
	b.pending, b.empty = place{}, b.end
	d.align = max(d.align, 1<<b.Log2)
}

// boundary gives the size of a piece before a branch in the current layout.
func (d *secData) boundary(p *piece) uint32 {
	if p.alt == 0 {
		return 0 // of no branch
	}
	size := d.final(p.alt, uint64(p.arg)) - p.at - uint64(p.size)
	mask := uint64(1)<<p.log2 - 1
	end := p.at + size
	if p.at&^mask == (end-1)&^mask && end&mask != 0 {
		return 0
	}
	return uint32(-p.at & mask)
}

// growBefore has encodings grow in the place of padding behind them; sizes are settled.
func (o *ObjectStreamer) growBefore() {
	if o.branch == nil || !o.branch.growsBranches() && !o.branch.Aligns {
		return
	}
	labels := o.labelledPieces()
	for _, id := range o.order {
		if o.ctx.sections[id].Flags&FlagExec != 0 && o.secs[id].code {
			o.secs[id].grow(o.branch, o.subs, labels[id])
			o.secs[id].place()
		}
	}
}

// growsBranches reports whether encodings grow before branches.
func (b *branchState) growsBranches() bool { return b.Before && b.Log2 != 0 }

// labelledPieces gives, by section, the pieces before which a label stands behind the piece before them.
func (o *ObjectStreamer) labelledPieces() []map[uint32]bool {
	out := make([]map[uint32]bool, len(o.secs))
	add := func(p place) {
		if p.section == 0 {
			return
		}
		if out[p.section] == nil {
			out[p.section] = map[uint32]bool{}
		}
		out[p.section][p.piece] = true
	}
	for i := range o.ctx.syms {
		if y := &o.ctx.syms[i]; y.Type != TypeSection {
			add(place{section: y.Section, piece: y.piece})
		}
	}
	for i := range o.frames {
		f := &o.frames[i]
		add(f.begin)
		add(f.end)
		for k := range f.insts {
			add(f.insts[k].at)
		}
	}
	if o.lines != nil {
		for u := range o.lines.units {
			for i := range o.lines.units[u].rows {
				add(o.lines.units[u].rows[i].at)
			}
		}
	}
	return out
}

// grow has encodings grow before the pieces that pad.
func (d *secData) grow(b *branchState, subs []*Subtarget, labels map[uint32]bool) {
	var able []int
	for i := 0; i < len(d.pieces); i++ {
		p := &d.pieces[i]
		if labels[uint32(i)] {
			able = able[:0]
		}
		pads := p.kind == pieceNops && b.Aligns || p.kind == pieceBoundary && b.growsBranches()
		switch {
		case p.kind == pieceInst:
			able = append(able, i)
			continue
		case !pads:
			able = able[:0]
			continue
		}
		left := p.size
		for len(able) > 0 && left > 0 {
			q := &d.pieces[able[len(able)-1]]
			able = able[:len(able)-1]
			left -= d.growInst(q, b, subs[q.sub], left)
			if q.now < q.last {
				break // bytes before it may put its target out of its reach
			}
		}
		able = able[:0]
		if p.kind == pieceBoundary {
			p.size, p.next = left, left
			if p.alt == 0 { // the first half of no pair does not grow either
				i++
			} else { // what it is about keeps its place
				i = max(i, int(p.alt)-1)
			}
		}
	}
}

// growInst makes an encoding longer by left bytes at most and returns by how many.
func (d *secData) growInst(p *piece, b *branchState, st *Subtarget, left uint32) uint32 {
	old := p.size
	if p.now < p.last {
		if more := uint32(p.forms[p.last].bytes) - p.size; more <= left {
			p.now = p.last
			p.size += more
			left -= more
		}
	}
	if p.now == p.last && left > 0 {
		code, fx := d.encoding(p)
		at, fix := len(d.alt), len(d.altFix)
		if n := min(int(left), b.MorePrefixes(code, st)); n > 0 {
			for range n {
				d.alt = append(d.alt, p.fill)
			}
			d.alt = append(d.alt, code...)
			for _, f := range fx {
				f.Offset += uint32(n)
				d.altFix = append(d.altFix, f)
			}
			p.alt, p.fix, p.now, p.last = uint32(at), uint32(fix), 0, 0
			p.forms[0] = form{uint8(len(d.alt) - at), uint8(len(d.altFix) - fix)}
			p.size += uint32(n)
		}
	}
	p.next = p.size
	return p.size - old
}
