package liveness

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// Stacks says where stack slots hold spilled registers (LLVM's LiveStacks). It
// begins empty; an allocator fills it while it spills. Its places are compared with
// each other alone: they stay good when the indexes are gone.
type Stacks struct {
	slots  []Slotted // by frame index
	n      int
	shared []Union // by frame index: what was put into one slot by Share
	pool   []*chunk
}

// Slotted is a stack slot with spilled registers: where it holds one, what its
// accesses weigh, and the class of what it holds.
type Slotted struct {
	Slot   int // the frame index
	Class  desc.ClassID
	Weight float32
	used   bool
	// segs is where it is live: in no order and overlapping until sorted.
	segs   []Segment
	sorted bool
}

// Compute forgets all slots.
func (s *Stacks) Compute(*pass.Context, *mir.Function) {
	if s.n == 0 {
		return
	}
	for k := range s.slots {
		s.slots[k].used = false
	}
	for k := range s.shared {
		if s.shared[k].n > 0 {
			s.shared[k].clear(&s.pool)
		}
	}
	s.n = 0
}

// Add makes the slot live where r is.
func (x *Slotted) Add(r *Range) {
	x.segs, x.sorted = append(x.segs, r.Segs...), false
}

// AddValue makes the slot live where r has value v.
func (x *Slotted) AddValue(r *Range, v ValueID) {
	for _, g := range r.Segs {
		if g.Val == v {
			x.segs, x.sorted = append(x.segs, g), false
		}
	}
}

// Segments is where the slot is live, in order, without overlaps.
func (x *Slotted) Segments() []Segment {
	if x.sorted {
		return x.segs
	}
	slices.SortFunc(x.segs, func(a, b Segment) int { return cmp.Compare(a.Start, b.Start) })
	out := x.segs[:0]
	for _, g := range x.segs {
		switch n := len(out); {
		case g.Start >= g.End: // what was there was erased
		case n > 0 && g.Start <= out[n-1].End:
			out[n-1].End = max(out[n-1].End, g.End)
		default:
			out = append(out, g)
		}
	}
	x.segs, x.sorted = out, true
	return out
}

// IsFree reports whether nothing that was put into slot is live where x is.
func (s *Stacks) IsFree(slot int, x *Slotted) bool {
	segs := x.Segments()
	if slot >= len(s.shared) || s.shared[slot].n == 0 || len(segs) == 0 {
		return true
	}
	c := s.shared[slot].Find(segs[0].Start)
	for k := 0; c.Valid() && k < len(segs); {
		switch a := c.At(); {
		case segs[k].End <= a.Start:
			k++
		case segs[k].Start < a.End:
			return false
		default:
			c.AdvanceTo(segs[k].Start)
		}
	}
	return true
}

// Share puts what x holds into slot, which is free where x is live.
func (s *Stacks) Share(slot int, x *Slotted) {
	s.shared = rows.AtLeast(s.shared, slot+1)
	for _, g := range x.Segments() {
		s.shared[slot].insert(Assigned{g.Start, g.End, 0}, &s.pool)
	}
}

// renumbered gives all places the names that to gives them.
func (s *Stacks) renumbered(to func(Index) Index) {
	for k := range s.slots {
		x := &s.slots[k]
		if !x.used {
			continue
		}
		x.sorted = false
		for n := range x.segs {
			x.segs[n].Start, x.segs[n].End = to(x.segs[n].Start), to(x.segs[n].End)
		}
	}
}

// OfCFG is false.
func (s *Stacks) OfCFG() bool { return false }

// Differs compares nothing: slots are what the allocator says.
func (s *Stacks) Differs(*Stacks) string { return "" }

// GetOrCreate returns the row of slot, which holds registers of class; a slot
// that is there already holds those of a common sub-class from now on. Good until
// another slot is created.
func (s *Stacks) GetOrCreate(in *desc.Info, slot int, class desc.ClassID) *Slotted {
	s.slots = rows.AtLeast(s.slots, slot+1)
	x := &s.slots[slot]
	if x.used {
		x.Class = in.CommonSubClass(x.Class, class)
		return x
	}
	x.segs, x.sorted = x.segs[:0], true
	x.Slot, x.Class, x.Weight, x.used = slot, class, 0, true
	s.n++
	return x
}

// Get returns the row of slot, nil when it holds no register.
func (s *Stacks) Get(slot int) *Slotted {
	if slot < 0 || slot >= len(s.slots) || !s.slots[slot].used {
		return nil
	}
	return &s.slots[slot]
}

// Len is the number of slots that hold registers.
func (s *Stacks) Len() int { return s.n }

// NumSlots bounds the frame indexes for which Get has a row.
func (s *Stacks) NumSlots() int { return len(s.slots) }
