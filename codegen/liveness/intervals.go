package liveness

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// Intervals says where registers are live: virtual registers each in an
// Interval, physical ones by register unit in a Range that is found when it is
// first asked for (LLVM's LiveIntervals). The function has no PHIs or all its
// PHIs' values are live out of the blocks they come from.
//
// New instructions get their Index by themselves (Indexes listens), and dead
// definitions of physical registers go with the instruction that is erased. All
// other ranges are mended by who edits: by the methods here, or by Remove and a new Interval.
type Intervals struct {
	Indexes *Indexes

	f    *mir.Function
	c    *pass.Context
	row  *family.Row
	calc calc

	// pages holds the intervals of virtual registers, so that a pointer to one
	// stays good when registers are added; have says which there are.
	pages [][]Interval
	have  []bool
	units []*Range // by unit; nil: not asked for
	// unitEdits counts how often a unit's range was changed.
	unitEdits []uint32
	pool      []*Range // memory for units
	used      int

	segs []Segment // slab that ranges are cut from when they are computed
	vals []Value

	masks []Index    // places of instructions with a register mask, in order
	bits  [][]uint32 // their masks
	// maskRows are the rows of masks of each block, from and to, in the layout of
	// the indexes that has number maskLayout; 0: not known.
	maskRows   [][2]int32
	maskLayout uint32

	// reserved says of each register unit whether no allocation touches it, by the set
	// reservedRegs of the target reservedIn; nextReserved is that of the function at hand until they are compared.
	reserved     []bool
	reservedRegs []uint32
	reservedIn   *desc.Info
	nextReserved []uint32

	defs      []Index
	points    []point
	undef     []Index
	track     bool
	shrinkMem shrinker
	reorder   reorderer
	comps     Components
}

const pageBits = 8

// Compute finds the intervals of all virtual registers of f. As with LLVM's, it
// writes flags: kill flags go, dead flags are made right, and a register whose
// values have nothing to do with each other becomes several.
func (v *Intervals) Compute(c *pass.Context, f *mir.Function) {
	v.Indexes = pass.Get[Indexes](c, f)
	v.f, v.c = f, c
	v.calc.f, v.calc.x, v.calc.c, v.calc.known = f, v.Indexes, c, false
	if v.row == nil || v.row.Name != f.Facts.Target {
		v.row = family.ByName(f.Facts.Target)
	}
	v.track = tracksLanes(c, v.row)
	clear(v.have)
	v.have = rows.AtLeast(v.have[:0], f.NumVRegs())
	clear(v.have)
	v.segs, v.vals = v.segs[:0], v.vals[:0]
	v.units = rows.Zeroed(v.units, f.Facts.NumUnits())
	v.unitEdits = rows.Zeroed(v.unitEdits, f.Facts.NumUnits())
	v.used = 0
	v.Indexes.erased = v.erased
	v.findMasks()
	v.findReserved()
	v.liveInUnits()
	for n := range f.NumVRegs() {
		if r := mir.VReg(n); v.mentioned(r) {
			if li := v.CreateEmpty(r); v.compute(li) {
				v.SplitComponents(li)
			}
		}
	}
}

// TracksLanes reports whether parts of registers of f get ranges of their own, in
// the classes whose parts are disjoint.
func TracksLanes(c *pass.Context, f *mir.Function) bool {
	return tracksLanes(c, family.ByName(f.Facts.Target))
}

func tracksLanes(c *pass.Context, row *family.Row) bool {
	of := row.SubRegLivenessOf
	return row.SubRegLiveness || c.SubRegLiveness || of != "" && c.Subtarget != nil && c.Subtarget.HasFeature(of)
}

// Forget hears no more of instructions.
func (v *Intervals) Forget(*mir.Function) { v.Indexes.erased = nil }

// OfCFG is false.
func (v *Intervals) OfCFG() bool { return false }

// mentioned reports whether an instruction other than debug ones names r.
func (v *Intervals) mentioned(r mir.Reg) bool {
	f := v.f
	for id := f.FirstUse(r); id != 0; id = f.NextUse(id) {
		if o := f.OpAt(id); !o.IsDebug() {
			return true
		}
	}
	return false
}

// Has reports whether the interval of virtual register r is there.
func (v *Intervals) Has(r mir.Reg) bool {
	n := r.Index()
	return n < len(v.have) && v.have[n]
}

// Interval returns the interval of virtual register r, computed from its
// operands when it is not there. The pointer is good until Remove.
func (v *Intervals) Interval(r mir.Reg) *Interval {
	if v.Has(r) {
		return v.at(r)
	}
	li := v.CreateEmpty(r)
	v.compute(li)
	return li
}

// Known is Interval of a register that is known to have one.
func (v *Intervals) Known(r mir.Reg) *Interval { return v.at(r) }

// at is the memory of r's interval.
func (v *Intervals) at(r mir.Reg) *Interval {
	n := r.Index()
	return &v.pages[n>>pageBits][n&(1<<pageBits-1)]
}

// CreateEmpty returns an interval for r that is live nowhere; there was none.
func (v *Intervals) CreateEmpty(r mir.Reg) *Interval {
	n := r.Index()
	for n>>pageBits >= len(v.pages) {
		v.pages = append(v.pages, make([]Interval, 1<<pageBits))
	}
	v.have = rows.AtLeast(v.have, n+1)
	v.have[n] = true
	li := v.at(r)
	*li = Interval{Reg: r, Subs: li.Subs[:0]}
	return li
}

// Remove forgets the interval of r.
func (v *Intervals) Remove(r mir.Reg) {
	if v.Has(r) {
		v.have[r.Index()] = false
	}
}

// Recompute makes li what the operands of its register say.
func (v *Intervals) Recompute(li *Interval) {
	w := li.Weight
	v.compute(li)
	li.Weight = w
}

// TracksClass reports whether parts of registers of class k get ranges of their own.
func (v *Intervals) TracksClass(k desc.ClassID) bool {
	return v.track && k >= 0 && v.f.Facts.Classes[k].Flags&desc.ClassDisjunctSubRegs != 0
}

// TracksSubs reports whether parts of r get ranges of their own.
func (v *Intervals) TracksSubs(r mir.Reg) bool {
	c := v.f.VReg(r).Class
	return v.track && c >= 0 && v.f.Facts.Classes[c].Flags&desc.ClassDisjunctSubRegs != 0
}

// compute finds where li's register is live. True: li may consist of components.
func (v *Intervals) compute(li *Interval) bool {
	li.Clear()
	f, r := v.f, li.Reg
	subs := v.TracksSubs(r)
	v.defs = v.defs[:0]
	for id := f.FirstUse(r); id != 0; id = f.NextUse(id) {
		o := f.OpAt(id)
		if o.IsDebug() || !o.IsDef() && !o.ReadsReg() {
			continue
		}
		if o.SubReg() != 0 && subs {
			v.computeSubs(li)
			return v.deadValues(li, nil)
		}
		if o.IsDef() {
			i, _ := f.Owner(id)
			v.defs = append(v.defs, v.Indexes.Of(i).RegSlot(o.IsEarlyClobber()))
		}
	}
	v.build(&li.Range, r, desc.AllLanes, nil)
	return v.deadValues(li, nil)
}

// build makes r, which is empty, live from v.defs to the uses of lanes of reg.
func (v *Intervals) build(r *Range, reg mir.Reg, lanes desc.LaneMask, undefs []Index) {
	v.deadDefs(r)
	v.points = v.appendUses(v.points[:0], reg, lanes)
	v.calc.extend(r, v.points, undefs)
}

// deadDefs gives r a value for each of v.defs, in order.
func (v *Intervals) deadDefs(r *Range) {
	if len(v.defs) > 1 {
		slices.Sort(v.defs)
	}
	r.Segs, r.Vals = v.cut(len(v.defs))
	for _, d := range v.defs {
		if n := len(r.Segs); n > 0 && SameInstr(r.Segs[n-1].Start, d) {
			continue // the earlier slot counts
		}
		r.Segs = append(r.Segs, Segment{d, d.Dead(), r.NewValue(d)})
	}
}

// cut gives memory for n segments and values from the slabs.
func (v *Intervals) cut(n int) ([]Segment, []Value) {
	if len(v.segs)+n > cap(v.segs) {
		v.segs = make([]Segment, 0, max(1024, 2*cap(v.segs), n))
	}
	if len(v.vals)+n > cap(v.vals) {
		v.vals = make([]Value, 0, max(1024, 2*cap(v.vals), n))
	}
	s, w := len(v.segs), len(v.vals)
	v.segs, v.vals = v.segs[:s+n], v.vals[:w+n]
	return v.segs[s : s : s+n], v.vals[w : w : w+n]
}

// appendUses appends the points up to which reads of lanes of reg need it. It
// takes kill flags away, as LLVM does: who changes code by these intervals would
// leave them wrong, and virtregrewriter makes them anew.
func (v *Intervals) appendUses(buf []point, reg mir.Reg, lanes desc.LaneMask) []point {
	f := v.f
	for id := f.FirstUse(reg); id != 0; id = f.NextUse(id) {
		o := f.OpAt(id)
		if o.IsDebug() {
			continue
		}
		v.clearKill(id)
		// A definition of a part reads the register, but none of its lanes: those
		// that it does not write live on without it.
		if !o.ReadsReg() || lanes != desc.AllLanes && o.IsDef() {
			continue
		}
		if lanes != desc.AllLanes && o.SubReg() != 0 && f.Facts.SubRegLanes(desc.SubRegIdx(o.SubReg()))&lanes == 0 {
			continue
		}
		buf = append(buf, v.usePoint(id))
	}
	return buf
}

func (v *Intervals) clearKill(id mir.OpID) {
	if v.f.OpAt(id).IsKill() {
		i, n := v.f.Owner(id)
		v.f.SetOpFlag(i, n, mir.Kill, false)
	}
}

// usePoint is how far operand id needs its register.
func (v *Intervals) usePoint(id mir.OpID) point {
	f := v.f
	o := f.OpAt(id)
	i, n := f.Owner(id)
	if !o.IsDef() && f.IsPHI(i) {
		// A PHI reads at the end of the block that the value comes from.
		b := f.Op(i, n+1).Block()
		return point{v.Indexes.BlockEnd(b), b}
	}
	early := o.IsDef() && o.IsEarlyClobber()
	if !o.IsDef() && o.IsTied() {
		early = f.Op(i, f.TiedTo(i, n)).IsEarlyClobber()
	}
	return point{v.Indexes.Of(i).RegSlot(early), f.Instr(i).Block()}
}

// computeSubs finds the ranges of the parts of li's register, and the main range from them.
func (v *Intervals) computeSubs(li *Interval) {
	f, r := v.f, li.Reg
	for id := f.FirstUse(r); id != 0; id = f.NextUse(id) {
		o := f.OpAt(id)
		if o.IsDebug() || !o.IsDef() && !o.ReadsReg() {
			continue
		}
		i, _ := f.Owner(id)
		at := v.Indexes.Of(i).RegSlot(o.IsEarlyClobber())
		v.RefineSubs(li, v.opLanes(r, o.SubReg()), 0, func(s *SubRange) {
			if o.IsDef() {
				s.CreateDeadDef(at)
			}
		})
	}
	for k := range li.Subs {
		s := &li.Subs[k]
		v.undef = v.undefs(v.undef[:0], r, s.Lanes)
		v.points = v.appendUses(v.points[:0], r, s.Lanes)
		v.calc.extend(&s.Range, v.points, v.undef)
	}
	li.RemoveEmptySubs()
	v.ConstructMain(li)
}

// ConstructMain makes the main range of li what its sub-ranges say.
func (v *Intervals) ConstructMain(li *Interval) {
	li.Range.Clear()
	v.defs = v.defs[:0]
	for k := range li.Subs {
		for _, d := range li.Subs[k].Vals {
			if !d.Unused() && !d.IsPHI() {
				v.defs = append(v.defs, d.Def)
			}
		}
	}
	v.undef = v.undefs(v.undef[:0], li.Reg, desc.AllLanes)
	v.build(&li.Range, li.Reg, desc.AllLanes, v.undef)
}

// ExtendTo makes r live up to each of the places of uses, from what is live above
// them; new PHI values are made where several values meet. A use at a block's end
// is one that the block's successors make. undefs, in order, are points that end
// all values (see Undefs).
func (v *Intervals) ExtendTo(r *Range, uses []Index, undefs []Index) {
	v.points = v.points[:0]
	for _, u := range uses {
		v.points = append(v.points, point{u, v.Indexes.BlockAt(u - 1)})
	}
	v.calc.extend(r, v.points, undefs)
}

// Undefs appends, in order, the points at which definitions of other lanes leave
// lanes of reg undefined.
func (v *Intervals) Undefs(buf []Index, reg mir.Reg, lanes desc.LaneMask) []Index {
	return v.undefs(buf, reg, lanes)
}

// InBlock returns the block that all of li lies in, 0 when it is live between blocks.
func (v *Intervals) InBlock(li *Interval) mir.BlockID {
	if li.Empty() {
		return 0
	}
	start, end := li.Begin(), li.End()
	if start.IsBlock() || end.IsBlock() {
		return 0
	}
	if b := v.Indexes.BlockAt(start); b == v.Indexes.BlockAt(end) {
		return b
	}
	return 0
}

// Renumber gives all places new numbers and rewrites all ranges. The caller holds
// no Index, but may translate those that it has with what comes back, before the
// next time; nor does a Matrix: that has a Renumber of its own.
func (v *Intervals) Renumber() (to func(Index) Index) {
	x := v.Indexes
	old := *x
	x.of, x.next, x.bucket, x.inBlock, x.start, x.order = x.spare.of, x.spare.next, x.spare.bucket, x.spare.inBlock, x.spare.start, x.spare.order
	x.number()
	x.spare.of, x.spare.next, x.spare.bucket, x.spare.inBlock, x.spare.start, x.spare.order = old.of, old.next, old.bucket, old.inBlock, old.start, old.order
	to = func(at Index) Index { return old.translate(x, at) }
	fix := func(r *Range) {
		for k := range r.Segs {
			r.Segs[k].Start, r.Segs[k].End = to(r.Segs[k].Start), to(r.Segs[k].End)
		}
		for k := range r.Vals {
			if r.Vals[k].Def != 0 {
				r.Vals[k].Def = to(r.Vals[k].Def)
			}
		}
	}
	for n, have := range v.have {
		if have {
			li := v.at(mir.VReg(n))
			fix(&li.Range)
			for k := range li.Subs {
				fix(&li.Subs[k].Range)
			}
		}
	}
	for _, r := range v.units {
		if r != nil {
			fix(r)
		}
	}
	for k := range v.masks {
		v.masks[k] = to(v.masks[k])
	}
	return to
}

// translate turns an index of the old numbering into one of the new. A place
// whose instruction is gone becomes the dead slot of what stands before it.
func (x *Indexes) translate(n *Indexes, at Index) Index {
	if at == x.end {
		return n.end
	}
	if i := x.Instr(at); i != 0 {
		return n.of[i] | at&slotMask
	}
	b := x.BlockAt(at)
	if x.start[b] == at.Base() {
		return n.start[b] | at&slotMask
	}
	last := n.start[b]
	for i := x.f.Block(b).First(); i != 0; i = x.f.NextBundle(i) {
		if o := x.of[i]; o != 0 {
			if o > at {
				break
			}
			last = n.of[i]
		}
	}
	return last.Dead()
}
