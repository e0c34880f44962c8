package liveness

import (
	"slices"
	"sort"

	"github.com/mirin-go/mirin/mir"
)

// ValueID numbers a value of a Range: a row of Vals.
type ValueID uint32

// NoValue is no value.
const NoValue = ^ValueID(0)

// Segment is a stretch in which one value is live: from Start until before End.
type Segment struct {
	Start, End Index
	Val        ValueID
}

// Value is one of the values that a range has over time, all of them live from
// where they are defined: an early-clobber or register slot of an instruction,
// or the block slot of a block's start for what PHIs and live-ins define. Def 0
// marks a number that is not in use.
type Value struct{ Def Index }

// IsPHI reports a value that is defined at a block's start.
func (v Value) IsPHI() bool { return v.Def != 0 && v.Def.IsBlock() }

// Unused reports a number without a value.
func (v Value) Unused() bool { return v.Def == 0 }

// Range says where something is live and with which value: segments in order,
// which do not overlap; two that touch have different values. A value is live in
// any number of segments, that of its definition among them.
type Range struct {
	Segs []Segment
	Vals []Value
}

// Empty reports whether r is live nowhere.
func (r *Range) Empty() bool { return len(r.Segs) == 0 }

// Begin is where the first segment starts; r is not empty.
func (r *Range) Begin() Index { return r.Segs[0].Start }

// End is where the last segment ends; r is not empty.
func (r *Range) End() Index { return r.Segs[len(r.Segs)-1].End }

// Clear makes r live nowhere, without values.
func (r *Range) Clear() { r.Segs, r.Vals = r.Segs[:0], r.Vals[:0] }

// CopyFrom makes r a copy of o.
func (r *Range) CopyFrom(o *Range) {
	r.Segs = append(r.Segs[:0], o.Segs...)
	r.Vals = append(r.Vals[:0], o.Vals...)
}

// Find returns the first segment that ends behind at, the number of segments
// when there is none: the one that at is in, or the next.
func (r *Range) Find(at Index) int {
	s := r.Segs
	n := len(s)
	if n == 0 || at >= s[n-1].End {
		return n
	}
	lo := 0
	for n > 0 { // the first with End > at is in s[lo:lo+n] or is lo+n
		h := n / 2
		if s[lo+h].End <= at {
			lo += h + 1
			n -= h + 1
		} else {
			n = h
		}
	}
	return lo
}

// AdvanceTo is Find from segment k on, which ends not far before at.
func (r *Range) AdvanceTo(k int, at Index) int {
	s := r.Segs
	step := 1
	for k < len(s) && s[k].End <= at {
		// Gallop: most callers go on by a few segments.
		if j := k + step; j < len(s) && s[j].End <= at {
			k, step = j, step*2
			continue
		}
		if step == 1 {
			k++
			continue
		}
		hi := min(k+step, len(s))
		return k + sort.Search(hi-k, func(d int) bool { return s[k+d].End > at })
	}
	return k
}

// SegmentAt returns the segment that at is in, -1 when r is not live there.
func (r *Range) SegmentAt(at Index) int {
	if k := r.Find(at); k < len(r.Segs) && r.Segs[k].Start <= at {
		return k
	}
	return -1
}

// LiveAt reports whether r is live at a point.
func (r *Range) LiveAt(at Index) bool { return r.SegmentAt(at) >= 0 }

// ValueAt returns the value that is live at a point, NoValue for none.
func (r *Range) ValueAt(at Index) ValueID {
	if k := r.SegmentAt(at); k >= 0 {
		return r.Segs[k].Val
	}
	return NoValue
}

// ValueBefore returns the value that reaches a point from before: what is live
// out of a block for the block's end, what an instruction reads for its register slot.
func (r *Range) ValueBefore(at Index) ValueID { return r.ValueAt(at - 1) }

// Query is what happens to a range at one instruction.
type Query struct {
	// In is the value that reaches the instruction, Out the one that is live behind
	// it or defined by it (live or dead); NoValue for none.
	In, Out ValueID
	// End is where the segment that follows ends (of Out, or of In that ends here); 0 when nothing is live.
	End Index
	// Kill reports that In is not live behind the instruction.
	Kill bool
}

// Defined is the value that the instruction defines, NoValue for none.
func (q Query) Defined() ValueID {
	if q.Out == q.In {
		return NoValue
	}
	return q.Out
}

// DeadDef reports that the instruction defines a value that nothing reads.
func (q Query) DeadDef() bool { return q.End != 0 && q.End.IsDead() }

// LiveOut is Out unless that is a dead definition.
func (q Query) LiveOut() ValueID {
	if q.DeadDef() {
		return NoValue
	}
	return q.Out
}

// Query asks for the values around the place of at.
func (r *Range) Query(at Index) Query {
	q := Query{In: NoValue, Out: NoValue}
	k := r.Find(at.Base())
	if k == len(r.Segs) {
		return q
	}
	s := r.Segs
	if s[k].Start <= at.Base() {
		q.In, q.End = s[k].Val, s[k].End
		if SameInstr(at, s[k].End) {
			q.Kill = true
			if k++; k == len(s) {
				return q
			}
		}
		// A PHI value is not live in where it begins; that may be in the middle of a
		// segment, when the value is live out of the block before too.
		if r.Vals[q.In].Def == at.Base() {
			q.In = NoValue
		}
	}
	// Now k is the segment that is live behind, or begins at, or begins after the place.
	if !EarlierInstr(at, s[k].Start) {
		q.Out, q.End = s[k].Val, s[k].End
	}
	return q
}

// Overlaps reports whether r and o are live at one point.
func (r *Range) Overlaps(o *Range) bool {
	return !r.Empty() && !o.Empty() && r.OverlapsFrom(o, o.Find(r.Begin()))
}

// OverlapsFrom is Overlaps with the segments of o from k on.
func (r *Range) OverlapsFrom(o *Range, k int) bool {
	if r.Empty() || k >= len(o.Segs) {
		return false
	}
	j := r.Find(o.Segs[k].Start)
	for j < len(r.Segs) && k < len(o.Segs) {
		a, b := &r.Segs[j], &o.Segs[k]
		switch {
		case a.End <= b.Start:
			j = r.AdvanceTo(j, b.Start)
		case b.End <= a.Start:
			k = o.AdvanceTo(k, a.Start)
		default:
			return true
		}
	}
	return false
}

// OverlapsExcept reports whether r and o are live at one point, where neither
// value is defined by an instruction that except accepts: r and o overlap from
// there on, and except says (for a copy between the two) that it does no harm.
func (r *Range) OverlapsExcept(o *Range, except func(def Index) bool) bool {
	j, k := 0, 0
	for j < len(r.Segs) && k < len(o.Segs) {
		a, b := &r.Segs[j], &o.Segs[k]
		switch {
		case a.End <= b.Start:
			j = r.AdvanceTo(j, b.Start)
			continue
		case b.End <= a.Start:
			k = o.AdvanceTo(k, a.Start)
			continue
		}
		// The later start is where the overlap begins.
		if def := max(a.Start, b.Start); def.IsBlock() || !except(def) {
			return true
		}
		if a.End < b.End {
			j++
		} else {
			k++
		}
	}
	return false
}

// OverlapsSegment reports whether r is live between start and before end.
func (r *Range) OverlapsSegment(start, end Index) bool {
	k := r.Find(start)
	return k < len(r.Segs) && r.Segs[k].Start < end
}

// Covers reports whether r is live wherever o is.
func (r *Range) Covers(o *Range) bool {
	if r.Empty() {
		return o.Empty()
	}
	k := 0
	for _, s := range o.Segs {
		k = r.AdvanceTo(k, s.Start)
		if k == len(r.Segs) || r.Segs[k].Start > s.Start {
			return false
		}
		for r.Segs[k].End < s.End {
			if k+1 == len(r.Segs) || r.Segs[k].End != r.Segs[k+1].Start {
				return false
			}
			k++
		}
	}
	return true
}

// Size is the sum of the segments' lengths, in slots; Indexes.Distance has LLVM's measure.
func (r *Range) Size() int {
	n := 0
	for _, s := range r.Segs {
		n += int(s.End - s.Start)
	}
	return n
}

// Local reports whether r begins and ends between start and end.
func (r *Range) Local(start, end Index) bool {
	return r.Begin() > start.Base() && r.End() < end.Dead()
}

// NewValue adds a value without segments.
func (r *Range) NewValue(def Index) ValueID {
	r.Vals = append(r.Vals, Value{def})
	return ValueID(len(r.Vals) - 1)
}

// CreateDeadDef returns the value defined at def, a new one that nothing reads
// when there is none yet. When an instruction defines a register at both its
// early-clobber and its register slot, the earlier one counts.
func (r *Range) CreateDeadDef(def Index) ValueID {
	k := r.Find(def)
	if k < len(r.Segs) {
		if s := &r.Segs[k]; SameInstr(s.Start, def) {
			if def < s.Start {
				s.Start = def
				r.Vals[s.Val].Def = def
			}
			return s.Val
		}
	}
	v := r.NewValue(def)
	r.Segs = slices.Insert(r.Segs, k, Segment{def, def.Dead(), v})
	return v
}

// AddSegment makes r live in s with its value, and returns where that is. What
// it overlaps must have the same value.
func (r *Range) AddSegment(s Segment) int {
	// The segments that s touches or overlaps are k to e: they become one.
	k, _ := slices.BinarySearchFunc(r.Segs, s.Start, func(x Segment, at Index) int {
		if x.End < at {
			return -1
		}
		return 1
	})
	if k < len(r.Segs) && r.Segs[k].End == s.Start && r.Segs[k].Val != s.Val {
		k++
	}
	e := k
	for e < len(r.Segs) && (r.Segs[e].Start < s.End || r.Segs[e].Start == s.End && r.Segs[e].Val == s.Val) {
		if r.Segs[e].Val != s.Val {
			panic("liveness: a segment overlaps one with another value")
		}
		s.Start, s.End = min(s.Start, r.Segs[e].Start), max(s.End, r.Segs[e].End)
		e++
	}
	if e == k {
		r.Segs = slices.Insert(r.Segs, k, s)
		return k
	}
	r.Segs[k] = s
	r.Segs = slices.Delete(r.Segs, k+1, e)
	return k
}

// Append adds a segment behind all others.
func (r *Range) Append(s Segment) { r.Segs = append(r.Segs, s) }

// RemoveSegment makes r not live from start until before end, which lie in one
// segment. With dropValue its value goes when it has no segment left.
func (r *Range) RemoveSegment(start, end Index, dropValue bool) {
	k := r.SegmentAt(start)
	if k < 0 || r.Segs[k].End < end {
		panic("liveness: a segment is removed that the range does not have")
	}
	s := &r.Segs[k]
	v := s.Val
	switch {
	case s.Start == start && s.End == end:
		r.Segs = slices.Delete(r.Segs, k, k+1)
		if dropValue && !r.hasSegment(v) {
			r.MarkUnused(v)
		}
	case s.Start == start:
		s.Start = end
	case s.End == end:
		s.End = start
	default:
		tail := Segment{end, s.End, v}
		s.End = start
		r.Segs = slices.Insert(r.Segs, k+1, tail)
	}
}

func (r *Range) hasSegment(v ValueID) bool {
	for k := range r.Segs {
		if r.Segs[k].Val == v {
			return true
		}
	}
	return false
}

// RemoveValue takes a value and all its segments away.
func (r *Range) RemoveValue(v ValueID) {
	r.Segs = slices.DeleteFunc(r.Segs, func(s Segment) bool { return s.Val == v })
	r.MarkUnused(v)
}

// MarkUnused gives a value's number up; the last ones are taken away.
func (r *Range) MarkUnused(v ValueID) {
	r.Vals[v].Def = 0
	for n := len(r.Vals); n > 0 && r.Vals[n-1].Unused(); n-- {
		r.Vals = r.Vals[:n-1]
	}
}

// ExtendInBlock makes the value that is live before kill, or was in the block
// that begins at start, live until kill. NoValue when there is none: r must be
// live into the block.
func (r *Range) ExtendInBlock(start, kill Index) ValueID {
	v, _ := r.ExtendInBlockUndef(nil, start, kill)
	return v
}

// ExtendInBlockUndef is ExtendInBlock where the points undefs, in order, end all
// values; undef reports that such a point lies between the last value and kill
// (or the block's start and kill when there is no value).
func (r *Range) ExtendInBlockUndef(undefs []Index, start, kill Index) (v ValueID, undef bool) {
	before := kill - 1
	k := r.Find(before)
	if k == len(r.Segs) || r.Segs[k].Start > before {
		k--
	}
	if k < 0 || r.Segs[k].End <= start {
		return NoValue, UndefIn(undefs, start, before)
	}
	s := &r.Segs[k]
	if s.End < kill {
		if UndefIn(undefs, s.End, before) {
			return NoValue, true
		}
		r.extendEnd(k, kill)
	}
	return r.Segs[k].Val, false
}

// extendEnd makes segment k end at end, over those of the same value behind it.
func (r *Range) extendEnd(k int, end Index) {
	s := &r.Segs[k]
	e := k + 1
	for e < len(r.Segs) && r.Segs[e].End <= end {
		e++
	}
	s.End = max(end, r.Segs[e-1].End)
	if e < len(r.Segs) && r.Segs[e].Start <= s.End && r.Segs[e].Val == s.Val {
		s.End = r.Segs[e].End
		e++
	}
	r.Segs = slices.Delete(r.Segs, k+1, e)
}

// UndefIn reports whether one of undefs, in order, lies from begin until before end.
func UndefIn(undefs []Index, begin, end Index) bool {
	k, _ := slices.BinarySearch(undefs, begin)
	return k < len(undefs) && undefs[k] < end
}

// MergeValues makes the two values one, which has the definition of b, and
// returns its number, the smaller of both.
func (r *Range) MergeValues(a, b ValueID) ValueID {
	if a == b {
		return b
	}
	if a < b {
		r.Vals[a] = r.Vals[b]
		a, b = b, a
	}
	// a goes, b stays; touching segments become one.
	out := r.Segs[:0]
	for _, s := range r.Segs {
		if s.Val == a {
			s.Val = b
		}
		if n := len(out); n > 0 && s.Val == b && out[n-1].Val == b && out[n-1].End == s.Start {
			out[n-1].End = s.End
			continue
		}
		out = append(out, s)
	}
	r.Segs = out
	r.MarkUnused(a)
	return b
}

// mergeSorted adds sorted segments, each with the value that to makes of its
// own; NoValue leaves it out. It takes time linear in both when they are many.
func (r *Range) mergeSorted(segs []Segment, to func(ValueID) ValueID) {
	if len(segs) <= 4 {
		for _, s := range segs {
			if s.Val = to(s.Val); s.Val != NoValue {
				r.AddSegment(s)
			}
		}
		return
	}
	// Merge from the end, in place, and join what touches from the front.
	n := len(r.Segs)
	r.Segs = slices.Grow(r.Segs, len(segs))[:n+len(segs)]
	at, j := len(r.Segs), n-1
	for k := len(segs) - 1; k >= 0; k-- {
		s := segs[k]
		if s.Val = to(s.Val); s.Val == NoValue {
			continue
		}
		for ; j >= 0 && r.Segs[j].Start >= s.Start; j-- {
			at--
			r.Segs[at] = r.Segs[j]
		}
		at--
		r.Segs[at] = s
	}
	// The first j+1 stay where they are; those from at on follow.
	rest := r.Segs[at:]
	r.Segs = r.Segs[:j+1]
	for _, s := range rest {
		r.pushMerged(s)
	}
}

// pushMerged appends s, whose start is not before the last one's, joined with it
// when they touch and have one value.
func (r *Range) pushMerged(s Segment) {
	if n := len(r.Segs); n > 0 {
		last := &r.Segs[n-1]
		if last.Val == s.Val && s.Start <= last.End {
			last.End = max(last.End, s.End)
			return
		}
		if s.Start < last.End {
			panic("liveness: a segment overlaps one with another value")
		}
	}
	r.Segs = append(r.Segs, s)
}

// Join makes r the union of r and o: value v of r becomes row mine[v] of vals, v
// of o theirs[v] (NoValue for numbers that are not in use). Where both are live
// they have the same value then. o is used up.
func (r *Range) Join(o *Range, mine, theirs []ValueID, vals []Value) {
	relabel := func(segs []Segment, to []ValueID) []Segment {
		out := segs[:0]
		for _, s := range segs {
			s.Val = to[s.Val]
			if n := len(out); n > 0 && out[n-1].Val == s.Val && out[n-1].End == s.Start {
				out[n-1].End = s.End
				continue
			}
			out = append(out, s)
		}
		return out
	}
	r.Segs = relabel(r.Segs, mine)
	o.Segs = relabel(o.Segs, theirs)
	r.Vals = append(r.Vals[:0], vals...)
	r.mergeSorted(o.Segs, func(v ValueID) ValueID { return v })
	o.Clear()
}

// RenumberValues numbers the values in the order in which segments first name
// them and forgets those without segments.
func (r *Range) RenumberValues() {
	vals := make([]Value, 0, len(r.Vals))
	to := make([]ValueID, len(r.Vals))
	for i := range to {
		to[i] = NoValue
	}
	for k := range r.Segs {
		v := &r.Segs[k].Val
		if to[*v] == NoValue {
			to[*v] = ValueID(len(vals))
			vals = append(vals, r.Vals[*v])
		}
		*v = to[*v]
	}
	r.Vals = append(r.Vals[:0], vals...)
}

// NumValues counts the values in use.
func (r *Range) NumValues() int {
	n := 0
	for _, v := range r.Vals {
		if !v.Unused() {
			n++
		}
	}
	return n
}

// LiveInTo reports whether r is live into block b.
func (r *Range) LiveInTo(x *Indexes, b mir.BlockID) bool { return r.LiveAt(x.BlockStart(b)) }

// LiveOutOf reports whether r is live out of block b.
func (r *Range) LiveOutOf(x *Indexes, b mir.BlockID) bool { return r.LiveAt(x.BlockEnd(b) - 1) }

// AppendText appends r in LLVM's notation: "[16r,32r:0) 0@16r".
func (r *Range) AppendText(buf []byte, x *Indexes) []byte {
	if r.Empty() {
		buf = append(buf, "EMPTY"...)
	}
	for _, s := range r.Segs {
		buf = append(buf, '[')
		buf = append(x.AppendIndex(buf, s.Start), ',')
		buf = append(x.AppendIndex(buf, s.End), ':')
		buf = append(appendInt(buf, int(s.Val)), ')')
	}
	for v, d := range r.Vals {
		if v == 0 {
			buf = append(buf, ' ')
		}
		buf = append(buf, ' ')
		buf = append(appendInt(buf, v), '@')
		switch {
		case d.Unused():
			buf = append(buf, 'x')
		case d.IsPHI():
			buf = append(x.AppendIndex(buf, d.Def), "-phi"...)
		default:
			buf = x.AppendIndex(buf, d.Def)
		}
	}
	return buf
}
