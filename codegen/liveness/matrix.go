package liveness

import (
	"math"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// Matrix knows which register units are taken where: by the virtual registers
// that were assigned, by what is fixed in the code, and by register masks
// (LLVM's LiveRegMatrix). An interval that is assigned must not be changed: take
// it out first.
type Matrix struct {
	Intervals *Intervals

	f      *mir.Function
	unions []Union
	pool   []*chunk
	phys   []mir.Reg // by virtual register: what it is assigned to
	// seen stamps the registers that a query found.
	seen  []uint32
	stamp uint32
	// usable is what CheckRegMasks found for maskOf, in mask round maskRound.
	usable   []uint32
	masked   bool
	maskOf   mir.Reg
	subUnits []unitRange
	// spans are the spans of each physical register of spansIn, knownSpans the known ones, spansOf
	// those of each unit, in the layout of the indexes that had number spanLayout; spanStamp counts changes.
	spans      []*Spans
	spansIn    *desc.Info
	knownSpans []*Spans
	spansOf    [][]*Spans
	spanLayout uint32
	spanRow    []int32 // by block: its row of the order of that layout
	spanStamp  uint64
}

// unitRange is a register unit and what of an interval lies in it.
type unitRange struct {
	u desc.RegUnit
	r *Range
}

// Compute begins an empty matrix.
func (m *Matrix) Compute(c *pass.Context, f *mir.Function) {
	m.Intervals = pass.Get[Intervals](c, f)
	m.f = f
	for k := range m.unions {
		if m.unions[k].n > 0 {
			m.unions[k].clear(&m.pool)
		}
	}
	m.unions = rows.AtLeast(m.unions, f.Facts.NumUnits())
	m.phys = rows.Zeroed(m.phys, f.NumVRegs())
	m.seen = rows.Zeroed(m.seen, f.NumVRegs())
	m.stamp, m.maskOf = 0, 0
	m.usable = rows.Zeroed(m.usable, f.Facts.RegWords())
	m.dropSpans()
}

// OfCFG is false.
func (m *Matrix) OfCFG() bool { return false }

// Differs compares nothing: the assignment is no consequence of the function.
func (m *Matrix) Differs(*Matrix) string { return "" }

// Interference says what keeps a virtual register out of a physical one.
type Interference uint8

// The kinds of interference, in the order of how hard they are to remove.
const (
	Free          Interference = iota
	VirtRegInterf              // virtual registers that are assigned there
	UnitInterf                 // fixed uses and definitions of the register
	MaskInterf                 // a call clobbers it
)

// Union returns the stretches in which a unit is taken by virtual registers.
func (m *Matrix) Union(u desc.RegUnit) *Union { return &m.unions[u] }

// Assigned returns the physical register that r is assigned to, 0 for none.
func (m *Matrix) Assigned(r mir.Reg) mir.Reg {
	if n := r.Index(); n < len(m.phys) {
		return m.phys[n]
	}
	return 0
}

// units lists the units of phys with the range of li that lies in each: the
// sub-range that shares a lane, where parts are tracked. Units in which nothing
// lives are left out. Good until the next call.
func (m *Matrix) units(li *Interval, phys mir.Reg) []unitRange {
	in := m.f.Facts
	m.subUnits = m.subUnits[:0]
	list := in.RegUnits(desc.PhysReg(phys))
	if !li.HasSubs() {
		for k := range list.Len() {
			m.subUnits = append(m.subUnits, unitRange{list.At(k), &li.Range})
		}
		return m.subUnits
	}
	lanes := in.UnitLanes(desc.PhysReg(phys))
	for k := range list.Len() {
		for j := range li.Subs {
			if s := &li.Subs[j]; s.Lanes&lanes[k] != 0 {
				m.subUnits = append(m.subUnits, unitRange{list.At(k), &s.Range})
				break
			}
		}
	}
	return m.subUnits
}

// Assign gives li the register phys, which must be free of virtual registers where li is live.
func (m *Matrix) Assign(li *Interval, phys mir.Reg) {
	m.phys = rows.AtLeast(m.phys, m.f.NumVRegs())
	m.phys[li.Reg.Index()] = phys
	list := m.units(li, phys)
	for _, x := range list {
		u := &m.unions[x.u]
		for _, s := range x.r.Segs {
			u.insert(Assigned{s.Start, s.End, li.Reg}, &m.pool)
		}
	}
	m.changeSpans(list, true)
}

// Unassign takes li, which was not changed since Assign, out.
func (m *Matrix) Unassign(li *Interval) {
	phys := m.Assigned(li.Reg)
	if phys == 0 {
		return
	}
	m.phys[li.Reg.Index()] = 0
	list := m.units(li, phys)
	for _, x := range list {
		u := &m.unions[x.u]
		for _, s := range x.r.Segs {
			if !u.remove(s.Start, li.Reg, &m.pool) {
				panic("liveness: an interval was changed while it was assigned")
			}
		}
	}
	m.changeSpans(list, false)
}

// Renumber is Intervals.Renumber, where intervals are assigned and slots hold what
// was spilled.
func (m *Matrix) Renumber(s *Stacks) (to func(Index) Index) {
	to = m.Intervals.Renumber()
	s.renumbered(to)
	for k := range m.unions {
		u := &m.unions[k]
		for n, c := range u.chunks {
			for j := range c.rows[:c.n] {
				c.rows[j].Start, c.rows[j].End = to(c.rows[j].Start), to(c.rows[j].End)
			}
			u.last[n] = c.rows[c.n-1].End
		}
	}
	return to
}

// IsUsed reports whether a virtual register is assigned to phys or a register that overlaps it.
func (m *Matrix) IsUsed(phys mir.Reg) bool {
	for u := range m.f.Facts.RegUnits(desc.PhysReg(phys)).All() {
		if m.unions[u].n > 0 {
			return true
		}
	}
	return false
}

// InterferesWithMask reports whether a register mask that li is live across
// clobbers phys; 0 asks for any mask.
func (m *Matrix) InterferesWithMask(li *Interval, phys mir.Reg) bool {
	if m.maskOf != li.Reg {
		m.maskOf = li.Reg
		m.masked = m.Intervals.CheckRegMasks(li, m.usable)
	}
	return m.masked && (phys == 0 || m.usable[phys/32]>>(phys%32)&1 == 0)
}

// Changed says that an interval was changed: what was remembered of its masks is forgotten.
func (m *Matrix) Changed() { m.maskOf = 0 }

// InterferesWithUnits reports whether li overlaps fixed uses and definitions of
// phys. Copies between the two do not count.
func (m *Matrix) InterferesWithUnits(li *Interval, phys mir.Reg) bool {
	x := m.Intervals.Indexes
	for _, t := range m.units(li, phys) {
		fixed := m.Intervals.Unit(t.u)
		if fixed.Empty() {
			continue
		}
		if t.r.OverlapsExcept(fixed, func(def Index) bool { return m.copies(x.Instr(def), li.Reg, phys) }) {
			return true
		}
	}
	return false
}

// copies reports whether i copies between virt and phys, which share a register then.
func (m *Matrix) copies(i mir.InstrID, virt, phys mir.Reg) bool {
	if i == 0 {
		return false
	}
	f := m.f
	var dst, src mir.Operand
	sub := uint16(0)
	switch f.Instr(i).Opcode {
	case desc.COPY:
		dst, src = *f.Op(i, 0), *f.Op(i, 1)
		sub = dst.SubReg()
	case desc.SUBREG_TO_REG:
		ops := f.Ops(i)
		dst, src = ops[0], ops[len(ops)-2]
		sub = uint16(f.Facts.ComposeSubRegs(desc.SubRegIdx(dst.SubReg()), desc.SubRegIdx(ops[len(ops)-1].Imm())))
	default:
		return false
	}
	from, to, fromSub, toSub := src.Reg(), dst.Reg(), src.SubReg(), sub
	if to == virt {
		from, to, fromSub, toSub = to, from, toSub, fromSub
	} else if from != virt {
		return false
	}
	if !to.IsPhysical() {
		return false
	}
	p := f.Facts.SubReg(desc.PhysReg(to), desc.SubRegIdx(toSub))
	return p != 0 && f.Facts.SubReg(desc.PhysReg(phys), desc.SubRegIdx(fromSub)) == p
}

// Check says what keeps li out of phys, if anything: the kind that is hardest to remove.
func (m *Matrix) Check(li *Interval, phys mir.Reg) Interference {
	switch {
	case li.Empty():
		return Free
	case m.InterferesWithMask(li, phys):
		return MaskInterf
	case m.InterferesWithUnits(li, phys):
		return UnitInterf
	}
	for _, t := range m.units(li, phys) {
		if m.Overlaps(t.r, t.u) {
			return VirtRegInterf
		}
	}
	return Free
}

// Overlaps reports whether a virtual register that is assigned to unit u is live where r is.
func (m *Matrix) Overlaps(r *Range, u desc.RegUnit) bool {
	found := false
	m.visit(r, u, func(mir.Reg) bool {
		found = true
		return false
	})
	return found
}

// OverlapsSegment reports whether a virtual register that is assigned to phys, or
// a register that overlaps it, is live between start and end.
func (m *Matrix) OverlapsSegment(start, end Index, phys mir.Reg) bool {
	for u := range m.f.Facts.RegUnits(desc.PhysReg(phys)).All() {
		if c := m.unions[u].Find(start); c.Valid() && c.At().Start < end {
			return true
		}
	}
	return false
}

// visit calls f for the registers in unit u that are live where r is, a register
// perhaps several times, until f returns false.
func (m *Matrix) visit(r *Range, u desc.RegUnit, f func(mir.Reg) bool) {
	union := &m.unions[u]
	if union.n == 0 || r.Empty() {
		return
	}
	c := union.Find(r.Begin())
	for k := 0; c.Valid(); {
		a := c.At()
		if k = r.AdvanceTo(k, a.Start); k == len(r.Segs) {
			return
		}
		if s := &r.Segs[k]; s.Start < a.End {
			if !f(a.Reg) {
				return
			}
			c.Next()
			continue
		}
		c.AdvanceTo(r.Segs[k].Start)
	}
}

// AppendInterfering appends the virtual registers that are assigned to unit u and
// live where r is, each once, in the order of where they meet first; no more than
// limit are looked for (0: all). They are not compared with what buf holds.
func (m *Matrix) AppendInterfering(buf []mir.Reg, r *Range, u desc.RegUnit, limit int) []mir.Reg {
	m.begin()
	return m.appendUnit(buf, r, u, limit)
}

// AppendInterferingWith appends the virtual registers that keep li out of phys,
// each once; no more than limit are looked for (0: all).
func (m *Matrix) AppendInterferingWith(buf []mir.Reg, li *Interval, phys mir.Reg, limit int) []mir.Reg {
	m.begin()
	from := len(buf)
	for _, t := range m.units(li, phys) {
		left := 0
		if limit > 0 {
			if left = limit - (len(buf) - from); left == 0 {
				break
			}
		}
		buf = m.appendUnit(buf, t.r, t.u, left)
	}
	return buf
}

// EachInterfering calls f for what AppendInterfering would append, until f returns false.
func (m *Matrix) EachInterfering(r *Range, u desc.RegUnit, f func(mir.Reg) bool) {
	m.begin()
	m.visit(r, u, func(x mir.Reg) bool {
		if m.seen[x.Index()] == m.stamp {
			return true
		}
		m.seen[x.Index()] = m.stamp
		return f(x)
	})
}

func (m *Matrix) begin() {
	m.seen = rows.AtLeast(m.seen, m.f.NumVRegs())
	if m.stamp == math.MaxUint32 {
		clear(m.seen)
		m.stamp = 0
	}
	m.stamp++
}

func (m *Matrix) appendUnit(buf []mir.Reg, r *Range, u desc.RegUnit, limit int) []mir.Reg {
	n := 0
	m.visit(r, u, func(x mir.Reg) bool {
		if s := &m.seen[x.Index()]; *s != m.stamp {
			*s = m.stamp
			buf = append(buf, x)
			n++
		}
		return limit == 0 || n < limit
	})
	return buf
}

// Units calls f for each unit of phys with the range of li that would lie in it,
// until f returns false.
func (m *Matrix) Units(li *Interval, phys mir.Reg, f func(u desc.RegUnit, r *Range) bool) {
	for _, t := range m.units(li, phys) {
		if !f(t.u, t.r) {
			return
		}
	}
}
