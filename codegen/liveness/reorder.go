package liveness

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// reorderer is the memory of Reorder.
type reorderer struct {
	old     []Index // by place among those with an index, in the order before: its number
	was     []Index // by instruction of the block: its number before
	touched []reordered
	row     []int32 // by unit, then virtual register: row of touched + 1 when stamped
	stamp   []uint32
	epoch   uint32
	segs    []Segment // copies of what the ranges had
}

// reordered is a range that instructions of the stretch name.
type reordered struct {
	r        *Range
	reg      mir.Reg // 0 for a unit
	unit     desc.RegUnit
	from, n  int // its segments in the stretch: r.Segs[from:from+n]
	segs     int // copies of these, from here on in reorderer.segs
	written  int // how many of them are written anew
	reserved bool
	odd      bool // it must be found anew as a whole
}

// Reorder puts the instructions of block b in another order, in which each reads
// the values that it read before, and makes indexes and ranges true. Bundles stay where
// they are. Within the block ranges are written anew along the order: the time is that of
// looking at the block, but for registers whose lanes are tracked, which are found anew.
func (v *Intervals) Reorder(b mir.BlockID, order []mir.InstrID) {
	f, x, q := v.f, v.Indexes, &v.reorder
	q.old, q.was = q.old[:0], rows.AtLeast(q.was, f.NumInstrIDs())
	for i := f.Block(b).First(); i != 0; i = f.NextBundle(i) {
		if at := x.of[i]; at != 0 {
			q.old = append(q.old, at)
			q.was[i] = at
		}
	}
	f.Unlisten(x)
	at := f.Block(b).First()
	for _, i := range order {
		if i == at {
			at = f.Instr(i).Next()
		} else {
			f.Move(b, at, i)
		}
	}
	f.Listen(x)
	first, last := x.renumberBlock(b, q.old)
	if first != 0 {
		v.reorderRanges(first, last)
	}
}

// renumberBlock gives the numbers, in order, to the instructions of b and returns
// the first and the last that have another one than before.
func (x *Indexes) renumberBlock(b mir.BlockID, numbers []Index) (first, last mir.InstrID) {
	f := x.f
	edited := x.edited
	k := 0
	for i := f.Block(b).First(); i != 0; i = f.NextBundle(i) {
		if x.of[i] == 0 {
			continue
		}
		if x.of[i] != numbers[k] {
			if first == 0 {
				first = i
			}
			last = i
			x.drop(i)
			// What stood there goes first: two instructions never have one number.
			x.put(i, numbers[k])
		}
		k++
	}
	x.edited = edited
	return first, last
}

// reorderRanges makes the ranges true between two instructions.
func (v *Intervals) reorderRanges(first, last mir.InstrID) {
	f, q := v.f, &v.reorder
	n := f.Facts.NumUnits() + f.NumVRegs()
	q.row, q.stamp = rows.AtLeast(q.row, n), rows.AtLeast(q.stamp, n)
	q.epoch++
	q.touched, q.segs = q.touched[:0], q.segs[:0]
	begin, end := v.Indexes.of[first], v.Indexes.of[last].Dead()
	stop := f.NextBundle(last)
	for i := first; i != stop; i = f.NextBundle(i) {
		at := v.Indexes.of[i]
		if at == 0 {
			continue
		}
		for m := range f.InBundle(i) {
			for k := range f.Ops(m) {
				if o := f.Op(m, k); o.IsReg() && o.Reg() != 0 && !o.IsDebug() && o.ReadsReg() {
					early := o.IsDef() && o.IsEarlyClobber() || o.IsUse() && o.IsTied() && f.Op(m, f.TiedTo(m, k)).IsEarlyClobber()
					v.eachRange(o.Reg(), begin, end, func(t *reordered) { t.read(q, at.RegSlot(early)) })
				}
			}
		}
		for m := range f.InBundle(i) {
			for k := range f.Ops(m) {
				if o := f.Op(m, k); o.IsDef() && o.Reg() != 0 {
					d := at.RegSlot(o.IsEarlyClobber())
					v.eachRange(o.Reg(), begin, end, func(t *reordered) { t.define(q, d, q.was[i]) })
				}
			}
		}
	}
	for k := range q.touched {
		t := &q.touched[k]
		if !t.finish(q, end) {
			if t.reg != 0 {
				v.Recompute(v.at(t.reg))
			} else {
				v.refresh(t.unit)
			}
		}
		if t.reg == 0 {
			v.unitEdits[t.unit]++
		}
	}
}

// eachRange calls do with the known ranges of a register.
func (v *Intervals) eachRange(r mir.Reg, begin, end Index, do func(t *reordered)) {
	f := v.f
	if r.IsVirtual() {
		if v.Has(r) {
			do(v.touch(f.Facts.NumUnits()+r.Index(), r, 0, begin, end))
		}
		return
	}
	for u := range f.Facts.RegUnits(desc.PhysReg(r)).All() {
		if v.units[u] != nil {
			do(v.touch(int(u), 0, u, begin, end))
		}
	}
}

// touch returns the row of a range, made when it is met first.
func (v *Intervals) touch(thing int, r mir.Reg, u desc.RegUnit, begin, end Index) *reordered {
	q := &v.reorder
	if q.stamp[thing] == q.epoch {
		return &q.touched[q.row[thing]]
	}
	q.stamp[thing], q.row[thing] = q.epoch, int32(len(q.touched))
	t := reordered{reg: r, unit: u, segs: len(q.segs)}
	if r != 0 {
		li := v.at(r)
		t.r, t.odd = &li.Range, li.HasSubs()
	} else {
		t.r, t.reserved = v.units[u], v.reserved[u]
	}
	t.from = t.r.Find(begin)
	for k := t.from; k < len(t.r.Segs) && t.r.Segs[k].Start < end; k++ {
		q.segs = append(q.segs, t.r.Segs[k])
		t.n++
	}
	if t.n > 0 && q.segs[t.segs].Start < begin {
		// What comes in keeps its start; the reads say how far it goes.
		t.written = 1
	}
	q.touched = append(q.touched, t)
	return &q.touched[len(q.touched)-1]
}

// read lives the value that is there on to a place.
func (t *reordered) read(q *reorderer, to Index) {
	switch {
	case t.reserved || t.odd:
	case t.written == 0:
		t.odd = true
	default:
		t.r.Segs[t.from+t.written-1].End = to
	}
}

// define begins the segment of the value that was defined by the instruction whose
// number was was.
func (t *reordered) define(q *reorderer, at, was Index) {
	if t.odd {
		return
	}
	if t.written > 0 {
		if s := &t.r.Segs[t.from+t.written-1]; SameInstr(s.Start, at) {
			if at < s.Start {
				s.Start = at
				t.r.Vals[s.Val].Def = at
			}
			return
		}
	}
	k, _ := slices.BinarySearchFunc(q.segs[t.segs:t.segs+t.n], was, func(s Segment, at Index) int { return int(int64(s.Start) - int64(at)) })
	if k == t.n || t.written == t.n || !SameInstr(q.segs[t.segs+k].Start, was) {
		t.odd = true
		return
	}
	val := q.segs[t.segs+k].Val
	t.r.Segs[t.from+t.written] = Segment{at, at.Dead(), val}
	t.r.Vals[val].Def = at
	t.written++
}

// finish lets the last value live on behind the stretch if it did. False: the
// range must be found anew.
func (t *reordered) finish(q *reorderer, end Index) bool {
	if t.odd || t.written != t.n {
		return false
	}
	if t.n == 0 {
		return true
	}
	was, now := q.segs[t.segs+t.n-1], &t.r.Segs[t.from+t.n-1]
	if was.End > end {
		if now.Val != was.Val {
			return false
		}
		now.End = was.End
	}
	return true
}
