package liveness

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// Span is where the stretches that meet a block, of those in which a register is
// taken, begin first and end last: both may lie outside of the block. Last 0 says
// that the register is free there.
type Span struct{ First, Last Index }

// staleSpan marks a block whose span is to be found again.
var staleSpan = Span{First: 1}

// add makes s reach over a stretch.
func (s *Span) add(first, last Index) {
	switch {
	case *s == staleSpan:
	case s.Last == 0:
		*s = Span{first, last}
	default:
		s.First, s.Last = min(s.First, first), max(s.Last, last)
	}
}

// Spans is where a physical register is taken, block by block: by virtual registers
// that are assigned to it or to what overlaps it, by fixed uses and definitions, by
// register masks. It is 12 bytes a block, found for all blocks when somebody asks for
// it and kept true by Assign and Unassign: groups of blocks are told of a stretch that
// reaches over all of them at once.
type Spans struct {
	m    *Matrix
	phys mir.Reg
	// of is, by block, what it meets but for what its group was told of later.
	of []Span
	// found is, by block, the clock when of was found.
	found  []uint32
	groups []spanGroup // by row of the indexes' order, spanGroupSize rows each
	// clock counts the times that a stretch was taken out of a group.
	clock uint32
	known bool
	// finds counts the blocks that were asked for one by one since the spans began.
	finds int
	edits uint32 // those of the units' fixed ranges that of stands on
	stamp uint64 // of the change that it was told of last
}

// spanGroup is what all blocks of a group meet, of what came since a stretch was
// taken out of the whole group last: what was found of its blocks before that is stale.
type spanGroup struct {
	span  Span
	stale uint32 // the clock of then
}

const spanGroupSize = 64

// At is where the register is taken in block b.
func (x *Spans) At(b mir.BlockID) Span {
	g := &x.groups[x.m.spanRow[b]/spanGroupSize]
	s := x.of[b]
	if s == staleSpan || x.found[b] < g.stale {
		s = x.find(b)
	}
	if g.span.Last != 0 {
		s.add(g.span.First, g.span.Last)
	}
	return s
}

// Spans returns the spans of phys, good until an interval is assigned, taken out or
// changed.
func (m *Matrix) Spans(phys mir.Reg) *Spans {
	if m.spanLayout != m.Intervals.Indexes.layout {
		m.dropSpans()
	}
	x := m.spans[phys]
	if x == nil {
		x = new(Spans)
		m.spans[phys] = x
	}
	edits := uint32(0)
	for u := range m.f.Facts.RegUnits(desc.PhysReg(phys)).All() {
		m.Intervals.Unit(u)
		edits += m.Intervals.unitEdits[u]
	}
	switch {
	case !x.known:
		*x = Spans{m: m, phys: phys, of: x.of, found: x.found, groups: x.groups, known: true, edits: edits}
		m.knownSpans = append(m.knownSpans, x)
		for u := range m.f.Facts.RegUnits(desc.PhysReg(phys)).All() {
			m.spansOf[u] = append(m.spansOf[u], x)
		}
		x.begin()
	case x.edits != edits:
		x.edits = edits
		x.begin()
	}
	return x
}

// Span is Spans(phys).At(b).
func (m *Matrix) Span(phys mir.Reg, b mir.BlockID) Span { return m.Spans(phys).At(b) }

// dropSpans forgets all spans.
func (m *Matrix) dropSpans() {
	for _, x := range m.knownSpans {
		x.known = false
		for u := range m.spansIn.RegUnits(desc.PhysReg(x.phys)).All() {
			m.spansOf[u] = m.spansOf[u][:0]
		}
	}
	m.knownSpans, m.spansIn = m.knownSpans[:0], m.f.Facts
	m.spansOf = rows.AtLeast(m.spansOf, m.f.Facts.NumUnits())
	m.spans = rows.AtLeast(m.spans, len(m.f.Facts.Regs))
	m.spanLayout = m.Intervals.Indexes.layout
	m.spanRow = rows.AtLeast(m.spanRow, m.f.NumBlockIDs())
	for row, o := range m.Intervals.Indexes.order {
		m.spanRow[o.b] = int32(row)
	}
}

// begin makes the spans of all blocks ones that are yet to be found: who looks for a
// register often gives it up for another behind one or two blocks.
func (x *Spans) begin() {
	x.of, x.found = rows.Sized(x.of, x.m.f.NumBlockIDs()), rows.Zeroed(x.found, x.m.f.NumBlockIDs())
	x.groups = rows.Sized(x.groups, len(x.m.Intervals.Indexes.order)/spanGroupSize+1)
	for k := range x.groups {
		x.groups[k] = spanGroup{stale: 1}
	}
	x.clock, x.finds = 1, 0
}

// findsOfFill is the share of the blocks behind which all are filled in at once: to
// find one takes about as long as to fill so many.
const findsOfFill = 16

// fill finds the spans in all blocks, by one walk over each unit's stretches and
// its fixed range, and one over the register masks.
func (x *Spans) fill() {
	m := x.m
	order := m.Intervals.Indexes.order
	x.of, x.found = rows.Zeroed(x.of, m.f.NumBlockIDs()), rows.Zeroed(x.found, m.f.NumBlockIDs())
	x.groups, x.clock = rows.Zeroed(x.groups, len(order)/spanGroupSize+1), 0
	row := 0
	spread := func(start, end Index) {
		for row+1 < len(order) && order[row+1].at <= start {
			row++
		}
		for k := row; k < len(order) && order[k].at < end; k++ {
			x.of[order[k].b].add(start, end)
		}
	}
	for u := range m.f.Facts.RegUnits(desc.PhysReg(x.phys)).All() {
		row = 0
		for _, c := range m.unions[u].chunks {
			for k := range c.rows[:c.n] {
				spread(c.rows[k].Start, c.rows[k].End)
			}
		}
		row = 0
		fixed := m.Intervals.Unit(u)
		for k := range fixed.Segs {
			spread(fixed.Segs[k].Start, fixed.Segs[k].End)
		}
	}
	row = 0
	for k, at := range m.Intervals.masks {
		if x.kills(m.Intervals.bits[k]) {
			for row+1 < len(order) && order[row+1].at <= at {
				row++
			}
			x.of[order[row].b].add(at, at.Dead())
		}
	}
}

// kills reports whether a register mask clobbers the register.
func (x *Spans) kills(mask []uint32) bool { return mask[x.phys/32]>>(x.phys%32)&1 == 0 }

// addMasks adds the first and the last instruction of b that clobbers the register.
func (x *Spans) addMasks(s *Span, b mir.BlockID) {
	slots, masks := x.m.Intervals.RegMaskSlotsIn(b)
	for k := 0; k < len(slots) && (s.Last == 0 || slots[k] < s.First); k++ {
		if x.kills(masks[k]) {
			s.add(slots[k], slots[k].Dead())
			break
		}
	}
	for k := len(slots) - 1; k >= 0 && slots[k].Dead() > s.Last; k-- {
		if x.kills(masks[k]) {
			s.add(slots[k], slots[k].Dead())
			break
		}
	}
}

// find finds the span in block b anew, or those of all blocks.
func (x *Spans) find(b mir.BlockID) Span {
	m := x.m
	if x.finds >= 0 {
		if x.finds++; x.finds > len(m.Intervals.Indexes.order)/findsOfFill {
			x.finds = -1
			x.fill()
			return x.of[b]
		}
	}
	start, stop := m.Intervals.Indexes.BlockStart(b), m.Intervals.Indexes.BlockEnd(b)
	var s Span
	for u := range m.f.Facts.RegUnits(desc.PhysReg(x.phys)).All() {
		if c := m.unions[u].Find(start); c.Valid() && c.At().Start < stop {
			first, last := c.At().Start, c.At().End
			if c.AdvanceTo(stop - 1); !c.Valid() || c.At().Start >= stop {
				c.Prev()
			}
			s.add(first, max(last, c.At().End))
		}
		r := m.Intervals.Unit(u)
		if n := r.Find(start); n < len(r.Segs) && r.Segs[n].Start < stop {
			k := r.AdvanceTo(n, stop-1)
			if k == len(r.Segs) || r.Segs[k].Start >= stop {
				k--
			}
			s.add(r.Segs[n].Start, r.Segs[k].End)
		}
	}
	x.addMasks(&s, b)
	x.of[b], x.found[b] = s, x.clock
	return s
}

// changeSpans tells the spans that are known of what was put into units, or taken
// out of them.
func (m *Matrix) changeSpans(list []unitRange, put bool) {
	if m.spanLayout != m.Intervals.Indexes.layout {
		m.dropSpans()
		return
	}
	for k, t := range list {
		if k == 0 || t.r != list[k-1].r {
			m.spanStamp++ // who was told of this range in one unit knows of it
		}
		for _, x := range m.spansOf[t.u] {
			if x.stamp != m.spanStamp {
				x.stamp = m.spanStamp
				x.change(t.r, put)
			}
		}
	}
}

// change takes note of the segments of r.
func (x *Spans) change(r *Range, put bool) {
	idx := x.m.Intervals.Indexes
	order := idx.order
	for _, seg := range r.Segs {
		for row, first := int(x.m.spanRow[idx.BlockAt(seg.Start)]), true; row < len(order) && (first || order[row].at < seg.End); first = false {
			if last := row + spanGroupSize - 1; row%spanGroupSize == 0 && last < len(order) && order[last].at < seg.End {
				g := &x.groups[row/spanGroupSize]
				if put {
					g.span.add(seg.Start, seg.End)
				} else {
					x.clock++
					g.span, g.stale = Span{}, x.clock
				}
				row += spanGroupSize
				continue
			}
			if b := order[row].b; put {
				x.of[b].add(seg.Start, seg.End)
			} else {
				x.of[b] = staleSpan
			}
			row++
		}
	}
}
