package liveness

import (
	"math"
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Interval is where a virtual register is live (LLVM's LiveInterval).
type Interval struct {
	// Range is where any lane of the register is live.
	Range
	// Subs are the ranges of parts of the register, when they are tracked apart:
	// their lanes do not overlap; where a lane is in none it is never live. Empty
	// when the register is looked at as a whole.
	Subs []SubRange
	Reg  mir.Reg
	// Weight is what spilling costs; NotSpillable for what must not be spilled.
	Weight float32
}

// SubRange is where some lanes of a register are live.
type SubRange struct {
	Range
	Lanes desc.LaneMask
}

// HasSubs reports whether lanes are tracked apart.
func (li *Interval) HasSubs() bool { return len(li.Subs) > 0 }

// Spillable reports whether li may be spilled.
func (li *Interval) Spillable() bool { return !math.IsInf(float64(li.Weight), 1) }

// Clear makes li live nowhere, without sub-ranges.
func (li *Interval) Clear() {
	li.Range.Clear()
	li.Subs = li.Subs[:0]
}

// AddSub adds an empty sub-range and returns it; what was returned before may
// have moved.
func (li *Interval) AddSub(lanes desc.LaneMask) *SubRange {
	n := len(li.Subs)
	if n < cap(li.Subs) {
		li.Subs = li.Subs[:n+1]
		s := &li.Subs[n]
		s.Range.Clear()
		s.Lanes = lanes
		return s
	}
	li.Subs = append(li.Subs, SubRange{Lanes: lanes})
	return &li.Subs[n]
}

// AddSubFrom is AddSub with a copy of a range.
func (li *Interval) AddSubFrom(lanes desc.LaneMask, r *Range) *SubRange {
	s := li.AddSub(lanes)
	s.CopyFrom(r)
	return s
}

// RemoveEmptySubs takes sub-ranges away that are live nowhere.
func (li *Interval) RemoveEmptySubs() {
	n := 0
	for k := range li.Subs {
		if !li.Subs[k].Empty() {
			if n != k {
				li.Subs[n], li.Subs[k] = li.Subs[k], li.Subs[n]
			}
			n++
		}
	}
	li.Subs = li.Subs[:n]
}

// KillsAt reports whether li, or one of the lanes that an operand with a sub-register
// index names, is live up to at and no further.
func (v *Intervals) KillsAt(li *Interval, sub uint16, at Index) bool {
	if li.Query(at).Kill {
		return true
	}
	for k := range li.Subs {
		if s := &li.Subs[k]; s.Lanes&v.opLanes(li.Reg, sub) != 0 && s.Query(at).Kill {
			return true
		}
	}
	return false
}

// RefineSubs makes sub-ranges that each lie within lanes or outside them, and
// calls apply for those within, of which there are enough to cover lanes. A
// sub-range that is cut in two keeps only values in each part that an
// instruction defines there: definitions of other lanes are taken away from it.
// compose, if not 0, is an index that the register's operands will have in front
// of theirs (a coalescer that has not rewritten them yet).
func (v *Intervals) RefineSubs(li *Interval, lanes desc.LaneMask, compose desc.SubRegIdx, apply func(*SubRange)) {
	rest := lanes
	for k, n := 0, len(li.Subs); k < n; k++ {
		common := li.Subs[k].Lanes & lanes
		if common == 0 {
			continue
		}
		at := k
		if common != li.Subs[k].Lanes {
			li.Subs[k].Lanes &^= lanes
			r := li.Subs[k].Range
			li.AddSubFrom(common, &r)
			at = len(li.Subs) - 1
			// The values were of both parts; each keeps its own.
			v.dropForeignValues(&li.Subs[at], li.Reg, compose)
			v.dropForeignValues(&li.Subs[k], li.Reg, compose)
		}
		apply(&li.Subs[at])
		rest &^= common
	}
	if rest != 0 {
		apply(li.AddSub(rest))
	}
}

// dropForeignValues takes values away whose instructions define no lane of s.
func (v *Intervals) dropForeignValues(s *SubRange, r mir.Reg, compose desc.SubRegIdx) {
	for k := len(s.Vals) - 1; k >= 0; k-- {
		if k >= len(s.Vals) || s.Vals[k].Unused() || s.Vals[k].IsPHI() {
			continue
		}
		d := s.Vals[k].Def
		i, found := v.Indexes.Instr(d), false
		if i == 0 {
			continue
		}
		for m := range v.f.InBundle(i) {
			for _, o := range v.f.Ops(m) {
				if !o.IsDef() || o.Reg() != r {
					continue
				}
				lanes := v.opLanes(r, o.SubReg())
				if compose != 0 {
					lanes = v.f.Facts.ComposeLanes(compose, v.f.Facts.SubRegLanes(desc.SubRegIdx(o.SubReg())))
				}
				found = found || lanes&s.Lanes != 0
			}
		}
		if !found {
			s.RemoveValue(ValueID(k))
		}
	}
}

// AppendText appends li as LLVM writes it: "%0 [16r,32r:0) 0@16r  weight:0.000000e+00".
func (li *Interval) AppendText(buf []byte, x *Indexes) []byte {
	buf = append(appendInt(append(buf, '%'), li.Reg.Index()), ' ')
	buf = li.Range.AppendText(buf, x)
	for k := range li.Subs {
		buf = li.Subs[k].AppendText(buf, x)
	}
	buf = append(buf, "  weight:"...)
	if !li.Spillable() {
		return append(buf, "INF"...)
	}
	return strconv.AppendFloat(buf, float64(li.Weight), 'e', 6, 64)
}

// AppendText appends " L0000000000000003 [16r,32r:0) 0@16r".
func (s *SubRange) AppendText(buf []byte, x *Indexes) []byte {
	buf = append(buf, " L"...)
	h := strconv.AppendUint(nil, uint64(s.Lanes), 16)
	buf = append(buf, "0000000000000000"[len(h):]...)
	for _, c := range h {
		if c >= 'a' {
			c -= 'a' - 'A'
		}
		buf = append(buf, c)
	}
	return s.Range.AppendText(append(buf, ' '), x)
}

func appendInt(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }

// undefs appends, in order, the points at which the lanes become undefined: what
// defines other lanes with an undef flag.
func (v *Intervals) undefs(buf []Index, r mir.Reg, lanes desc.LaneMask) []Index {
	f := v.f
	for id := f.FirstUse(r); id != 0; id = f.NextUse(id) {
		o := f.OpAt(id)
		if !o.IsDef() {
			break
		}
		if !o.IsUndef() {
			continue
		}
		// An undef definition of a part leaves all other lanes undefined.
		if def, all := v.opLanes(r, o.SubReg()), v.maxLanes(r); lanes&all&^def != 0 {
			i, _ := f.Owner(id)
			buf = append(buf, v.Indexes.Of(i).RegSlot(o.IsEarlyClobber()))
		}
	}
	slices.Sort(buf)
	return buf
}

// opLanes are the lanes of r that an operand with a sub-register index names.
func (v *Intervals) opLanes(r mir.Reg, sub uint16) desc.LaneMask {
	if sub == 0 {
		return v.maxLanes(r)
	}
	return v.f.Facts.SubRegLanes(desc.SubRegIdx(sub))
}

// maxLanes are all the lanes that r has.
func (v *Intervals) maxLanes(r mir.Reg) desc.LaneMask {
	if c := v.f.VReg(r).Class; c >= 0 {
		return v.f.Facts.Classes[c].Lanes
	}
	return desc.AllLanes
}
