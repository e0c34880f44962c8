package liveness

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// Unit returns where a register unit is live, computed when it is not known. Of
// reserved units only the definitions are known, each dead.
func (v *Intervals) Unit(u desc.RegUnit) *Range {
	if r := v.units[u]; r != nil {
		return r
	}
	r := v.newUnit(u)
	v.computeUnit(u, r)
	return r
}

// CachedUnit returns what Unit found before, nil when nobody asked.
func (v *Intervals) CachedUnit(u desc.RegUnit) *Range { return v.units[u] }

// IsReservedUnit reports a unit that no allocation touches.
func (v *Intervals) IsReservedUnit(u desc.RegUnit) bool { return v.reserved[u] }

// NumUnits is the number of register units.
func (v *Intervals) NumUnits() int { return len(v.units) }

func (v *Intervals) newUnit(u desc.RegUnit) *Range {
	if v.used == len(v.pool) {
		v.pool = append(v.pool, new(Range))
	}
	r := v.pool[v.used]
	v.used++
	r.Clear()
	v.units[u] = r
	return r
}

// liveInUnits begins the ranges of units that come into the function or a landing pad.
func (v *Intervals) liveInUnits() {
	f := v.f
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if b != f.FirstBlock() && f.Block(b).Flags&mir.EHPad == 0 {
			continue
		}
		at := v.Indexes.BlockStart(b)
		for _, l := range f.LiveInsOf(b) {
			for u := range f.Facts.RegUnits(desc.PhysReg(l.Reg)).All() {
				if v.units[u] == nil {
					v.newUnit(u)
				}
				v.units[u].CreateDeadDef(at)
			}
		}
	}
	for u, r := range v.units {
		if r != nil {
			v.computeUnit(desc.RegUnit(u), r)
		}
	}
}

// computeUnit adds to r, which has the live-ins, what the operands say.
func (v *Intervals) computeUnit(u desc.RegUnit, r *Range) {
	v.defs = v.defs[:0]
	for k := range r.Vals {
		v.defs = append(v.defs, r.Vals[k].Def)
	}
	v.points = v.points[:0]
	in := v.f.Facts
	for n, root := range in.Units[u] {
		if root == 0 || n > 0 && root == in.Units[u][0] {
			continue
		}
		v.unitOperands(mir.Reg(root), u)
		for s := range in.SuperRegs(root).All() {
			// A register may lie above both roots; what is there twice does no harm.
			v.unitOperands(mir.Reg(s), u)
		}
	}
	if len(v.defs) > 1 {
		slices.Sort(v.defs)
		v.defs = slices.Compact(v.defs)
	}
	r.Clear()
	for _, d := range v.defs {
		if n := len(r.Segs); n > 0 && SameInstr(r.Segs[n-1].Start, d) {
			continue
		}
		r.Segs = append(r.Segs, Segment{d, d.Dead(), r.NewValue(d)})
	}
	v.calc.extend(r, v.points, nil)
}

// unitOperands collects definitions and, unless the unit is reserved, uses of a register.
func (v *Intervals) unitOperands(r mir.Reg, u desc.RegUnit) {
	f := v.f
	for id := f.FirstUse(r); id != 0; id = f.NextUse(id) {
		o := f.OpAt(id)
		i, _ := f.Owner(id)
		if o.IsDebug() || f.Instr(i).Block() == 0 {
			continue
		}
		if o.IsDef() {
			v.defs = append(v.defs, v.Indexes.Of(i).RegSlot(o.IsEarlyClobber()))
		}
		v.clearKill(id)
		if o.ReadsReg() && !v.reserved[u] {
			v.points = append(v.points, v.usePoint(id))
		}
	}
}

// findReserved marks the units that no allocation touches: those of which a root
// and all registers above it are reserved. Most functions reserve what the one before did.
func (v *Intervals) findReserved() {
	f := v.f
	in := f.Facts
	v.nextReserved = reservedSet(v.c, f, v.nextReserved)
	if v.reservedIn == in && slices.Equal(v.nextReserved, v.reservedRegs) {
		return
	}
	v.reservedIn = in
	v.reservedRegs, v.nextReserved = v.nextReserved, v.reservedRegs
	set := v.reservedRegs
	v.reserved = rows.Zeroed(v.reserved, in.NumUnits())
	has := func(r desc.PhysReg) bool { return set[r/32]>>(r%32)&1 != 0 }
	for u := range v.reserved {
		for n, root := range in.Units[u] {
			if root == 0 || n > 0 && root == in.Units[u][0] {
				continue
			}
			all := has(root)
			for s := range in.SuperRegs(root).All() {
				all = all && has(s)
			}
			v.reserved[u] = v.reserved[u] || all
		}
	}
}

// erased takes the dead definitions of an instruction that is erased out of the
// units' ranges.
func (v *Intervals) erased(i mir.InstrID, at Index) {
	for _, o := range v.f.Ops(i) {
		if !o.IsDef() || !o.Reg().IsPhysical() {
			continue
		}
		for u := range v.f.Facts.RegUnits(desc.PhysReg(o.Reg())).All() {
			r := v.units[u]
			if r == nil {
				continue
			}
			d := at.RegSlot(o.IsEarlyClobber())
			if k := r.SegmentAt(d); k >= 0 && r.Segs[k].Start == d && r.Segs[k].End == d.Dead() {
				val := r.Segs[k].Val
				r.Segs = slices.Delete(r.Segs, k, k+1)
				r.MarkUnused(val)
				v.unitEdits[u]++
			}
		}
	}
}
