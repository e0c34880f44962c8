package liveness

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
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

// unitSpans is the span of a unit in every block: 8 bytes each, made for all
// blocks at once when somebody asks for one of them, and kept true by Assign and Unassign.
type unitSpans struct {
	of    []Span // by block
	known bool
	edits uint32 // those of the unit's fixed range that of stands on
}

// Span is where phys is taken in block b: by virtual registers that are assigned
// to it or to what overlaps it, by fixed uses and definitions, by register masks.
func (m *Matrix) Span(phys mir.Reg, b mir.BlockID) Span {
	var sum Span
	if v := m.Intervals; m.spanLayout != v.Indexes.layout {
		m.dropSpans()
	}
	list := m.f.Facts.RegUnits(desc.PhysReg(phys))
	for k := range list.Len() {
		u := list.At(k)
		x := &m.spans[u]
		if !x.known || x.edits != m.Intervals.unitEdits[u] {
			m.findSpans(u)
		}
		s := &x.of[b]
		if *s == staleSpan {
			*s = m.findSpan(u, b)
		}
		if s.Last != 0 {
			sum.add(s.First, s.Last)
		}
	}
	m.addMasks(&sum, phys, b)
	return sum
}

// addMasks adds the first and the last instruction of b that clobbers phys.
func (m *Matrix) addMasks(s *Span, phys mir.Reg, b mir.BlockID) {
	slots, masks := m.Intervals.RegMaskSlotsIn(b)
	kills := func(k int) bool { return masks[k][phys/32]>>(phys%32)&1 == 0 }
	for k := 0; k < len(slots) && (s.Last == 0 || slots[k] < s.First); k++ {
		if kills(k) {
			s.add(slots[k], slots[k].Dead())
			break
		}
	}
	for k := len(slots) - 1; k >= 0 && slots[k].Dead() > s.Last; k-- {
		if kills(k) {
			s.add(slots[k], slots[k].Dead())
			break
		}
	}
}

// dropSpans forgets the spans of all units.
func (m *Matrix) dropSpans() {
	for u := range m.spans {
		m.spans[u].known = false
	}
	m.spans = grown(m.spans, m.f.Facts.NumUnits())
	m.spanLayout = m.Intervals.Indexes.layout
}

// findSpans finds the spans of unit u in all blocks, by one walk over its
// stretches and one over its fixed range.
func (m *Matrix) findSpans(u desc.RegUnit) {
	x := &m.spans[u]
	fixed := m.Intervals.Unit(u)
	x.known, x.edits = true, m.Intervals.unitEdits[u]
	x.of = cleared(x.of, m.f.NumBlockIDs())
	order := m.Intervals.Indexes.order
	row := 0
	spread := func(start, end Index) {
		for row+1 < len(order) && order[row+1].at <= start {
			row++
		}
		for k := row; k < len(order) && order[k].at < end; k++ {
			x.of[order[k].b].add(start, end)
		}
	}
	for _, c := range m.unions[u].chunks {
		for k := range c.rows[:c.n] {
			spread(c.rows[k].Start, c.rows[k].End)
		}
	}
	row = 0
	for k := range fixed.Segs {
		spread(fixed.Segs[k].Start, fixed.Segs[k].End)
	}
}

// findSpan finds the span of unit u in block b.
func (m *Matrix) findSpan(u desc.RegUnit, b mir.BlockID) Span {
	start, stop := m.Intervals.Indexes.BlockStart(b), m.Intervals.Indexes.BlockEnd(b)
	var s Span
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
	return s
}

// changeSpans tells the spans of unit u, if they are known, of the segments of r:
// they were put in, or taken out.
func (m *Matrix) changeSpans(u desc.RegUnit, r *Range, put bool) {
	x := &m.spans[u]
	if !x.known {
		return
	}
	idx := m.Intervals.Indexes
	if m.spanLayout != idx.layout {
		x.known = false
		return
	}
	for _, seg := range r.Segs {
		b := idx.BlockAt(seg.Start)
		for {
			if put {
				x.of[b].add(seg.Start, seg.End)
			} else {
				x.of[b] = staleSpan
			}
			for b = m.f.NextBlock(b); b != 0 && !idx.knows(b); b = m.f.NextBlock(b) {
			}
			if b == 0 || idx.start[b] >= seg.End {
				break
			}
		}
	}
}
