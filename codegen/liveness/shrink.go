package liveness

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// shrinker is the memory of ShrinkToUses and PruneValue.
type shrinker struct {
	work []reachPoint
	used []bool
	old  Range
}

// reachPoint is a point that a value must reach.
type reachPoint struct {
	point
	v ValueID
}

// ShrinkToUses makes li live no further than its register's operands read it,
// with the values that it has. Definitions that nothing reads any more get a dead
// flag; those instructions of which every result is dead are appended to dead
// unless that is nil. True: li may have come apart, see SplitComponents.
func (v *Intervals) ShrinkToUses(li *Interval, dead *[]mir.InstrID) bool {
	for k := range li.Subs {
		v.ShrinkSub(&li.Subs[k], li.Reg)
	}
	li.RemoveEmptySubs()
	v.shrink(&li.Range, li.Reg, desc.AllLanes)
	return v.deadValues(li, dead)
}

// ShrinkSub is ShrinkToUses of one sub-range of reg.
func (v *Intervals) ShrinkSub(s *SubRange, reg mir.Reg) {
	v.shrink(&s.Range, reg, s.Lanes)
	for k := len(s.Vals) - 1; k >= 0; k-- {
		if k >= len(s.Vals) {
			continue // numbers at the end are given up together
		}
		if d := s.Vals[k].Def; d != 0 && d.IsBlock() {
			if x := s.SegmentAt(d); s.Segs[x].End == d.Dead() {
				s.Segs = slices.Delete(s.Segs, x, x+1)
				s.MarkUnused(ValueID(k))
			}
		}
	}
}

// shrink gives r the segments from its values' definitions to the uses of lanes.
func (v *Intervals) shrink(r *Range, reg mir.Reg, lanes desc.LaneMask) {
	k, sh, f := &v.calc, &v.shrinkMem, v.f
	sh.work = sh.work[:0]
	last := mir.InstrID(0)
	for id := f.FirstUse(reg); id != 0; id = f.NextUse(id) {
		o := f.OpAt(id)
		if o.IsDebug() || !o.ReadsReg() {
			continue
		}
		if lanes != desc.AllLanes {
			if o.IsDef() || o.SubReg() != 0 && f.Facts.SubRegLanes(desc.SubRegIdx(o.SubReg()))&lanes == 0 {
				continue
			}
		}
		i, n := f.Owner(id)
		if f.IsPHI(i) && !o.IsDef() {
			p := v.usePoint(id)
			if val := r.ValueBefore(p.at); val != NoValue {
				sh.work = append(sh.work, reachPoint{p, val})
			}
			continue
		}
		if i == last && n > 0 {
			continue // each instruction once is enough
		}
		last = i
		at := v.Indexes.Of(i).Reg()
		q := r.Query(at)
		if q.In == NoValue {
			continue // an undefined lane, or code that is wrong
		}
		if d := q.Defined(); d != NoValue {
			at = r.Vals[d].Def // early clobber that is tied
		}
		sh.work = append(sh.work, reachPoint{point{at, f.Instr(i).Block()}, q.In})
	}
	k.begin()
	sh.old.CopyFrom(r)
	sh.used = rows.Zeroed(sh.used, len(r.Vals))
	r.Segs = r.Segs[:0]
	for n, d := range r.Vals {
		if d.Def != 0 {
			r.Segs = append(r.Segs, Segment{d.Def, d.Def.Dead(), ValueID(n)})
		}
	}
	slices.SortFunc(r.Segs, func(a, b Segment) int { return int(int64(a.Start) - int64(b.Start)) })
	for len(sh.work) > 0 {
		p := sh.work[len(sh.work)-1]
		sh.work = sh.work[:len(sh.work)-1]
		start := k.x.BlockStart(p.b)
		if val := r.ExtendInBlock(start, p.at); val != NoValue {
			if r.Vals[val].Def != start || sh.used[val] {
				continue
			}
			sh.used[val] = true // a PHI value that is read: so is what comes in to it
		} else if q := k.block(p.b); q.kill != 0 {
			q.kill = max(q.kill, p.at)
			continue
		} else {
			k.comeIn(p.b, p.at)
			q.in = p.v
		}
		for _, pred := range f.Preds(p.b) {
			if q := k.block(pred); q.state&outValue == 0 {
				q.state |= outValue
				end := k.x.BlockEnd(pred)
				if val := sh.old.ValueBefore(end); val != NoValue {
					sh.work = append(sh.work, reachPoint{point{end, pred}, val})
				}
			}
		}
	}
	k.addLive(r)
}

// deadValues marks definitions that nothing reads and drops PHI values of that kind.
func (v *Intervals) deadValues(li *Interval, dead *[]mir.InstrID) bool {
	may, subs := false, v.TracksSubs(li.Reg)
	for n := len(li.Vals) - 1; n >= 0; n-- {
		if n >= len(li.Vals) || li.Vals[n].Unused() {
			continue // numbers at the end are given up together
		}
		d := li.Vals[n].Def
		x := li.SegmentAt(d)
		if subs && !d.IsBlock() && (x == 0 || li.Segs[x-1].End < d) {
			// Nothing is live before: the definition of a part reads no other.
			v.setReadUndef(v.Indexes.Instr(d), li.Reg)
		}
		if li.Segs[x].End != d.Dead() {
			continue
		}
		may = true
		if d.IsBlock() {
			li.Segs = slices.Delete(li.Segs, x, x+1)
			li.MarkUnused(ValueID(n))
			continue
		}
		i := v.Indexes.Instr(d)
		if v.setDead(i, li.Reg); dead != nil && v.allDefsDead(i) {
			*dead = append(*dead, i)
		}
	}
	return may
}

// setReadUndef gives the definitions of parts of reg an undef flag.
func (v *Intervals) setReadUndef(i mir.InstrID, reg mir.Reg) {
	for m := range v.f.InBundle(i) {
		for n := range v.f.Ops(m) {
			if o := v.f.Op(m, n); o.IsDef() && o.Reg() == reg && o.SubReg() != 0 {
				v.f.SetOpFlag(m, n, mir.Undef, true)
			}
		}
	}
}

// setDead gives the definitions of reg a dead flag.
func (v *Intervals) setDead(i mir.InstrID, reg mir.Reg) {
	for m := range v.f.InBundle(i) {
		for n := range v.f.Ops(m) {
			if o := v.f.Op(m, n); o.IsDef() && o.Reg() == reg {
				v.f.SetOpFlag(m, n, mir.Dead, true)
			}
		}
	}
}

func (v *Intervals) allDefsDead(i mir.InstrID) bool {
	for _, o := range v.f.Ops(i) {
		if o.IsDef() && !o.IsDead() {
			return false
		}
	}
	return true
}

// PruneValue makes the value that is live at kill end there, wherever it is live
// without another definition in between, and appends to ends the points up to
// which it was live: extending r to them by ExtendTo restores it.
func (v *Intervals) PruneValue(r *Range, kill Index, ends *[]Index) {
	x := v.Indexes
	q := r.Query(kill)
	val := q.Out
	if val == NoValue {
		return
	}
	b := x.BlockAt(kill)
	end := x.BlockEnd(b)
	give := func(at Index) {
		if ends != nil {
			*ends = append(*ends, at)
		}
	}
	if q.End < end {
		r.RemoveSegment(kill, q.End, false)
		give(q.End)
		return
	}
	r.RemoveSegment(kill, end, false)
	give(end)
	// The value was live out of the block: every block that it reaches without a new definition.
	k := &v.calc
	k.begin()
	k.stack = k.stack[:0]
	push := func(b mir.BlockID) {
		for _, s := range v.f.Succs(b) {
			if p := k.block(s.Block); p.state&visited == 0 {
				p.state |= visited
				k.stack = append(k.stack, s.Block)
			}
		}
	}
	push(b)
	for len(k.stack) > 0 {
		b := k.stack[len(k.stack)-1]
		k.stack = k.stack[:len(k.stack)-1]
		start, end := x.BlockStart(b), x.BlockEnd(b)
		n := r.SegmentAt(start)
		if n < 0 || r.Segs[n].Val != val || r.Vals[val].Def == start {
			continue // not live in, or another value from here on
		}
		if to := r.Segs[n].End; to < end {
			r.RemoveSegment(start, to, false)
			give(to)
			continue
		}
		r.RemoveSegment(start, end, false)
		give(end)
		push(b)
	}
}

// RemovePhysRegDef takes the values that the instruction at at gives reg's units away.
func (v *Intervals) RemovePhysRegDef(reg desc.PhysReg, at Index) {
	for u := range v.f.Facts.RegUnits(reg).All() {
		if r := v.units[u]; r != nil {
			if val := r.Query(at).Defined(); val != NoValue {
				r.RemoveValue(val)
			}
		}
	}
}

// RemoveVRegDef takes the value of li that the instruction at at defines away, and
// those of its sub-ranges.
func (v *Intervals) RemoveVRegDef(li *Interval, at Index) {
	if val := li.Query(at).Defined(); val != NoValue {
		li.RemoveValue(val)
	}
	for k := range li.Subs {
		if val := li.Subs[k].Query(at).Defined(); val != NoValue {
			li.Subs[k].RemoveValue(val)
		}
	}
	li.RemoveEmptySubs()
}
