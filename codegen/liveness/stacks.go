package liveness

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Stacks says where stack slots hold spilled registers (LLVM's LiveStacks). It
// begins empty; an allocator fills it while it spills.
type Stacks struct {
	slots []Slotted // by frame index
	n     int
}

// Slotted is a stack slot with spilled registers: where it is live, what its
// accesses weigh, and the class of what it holds.
type Slotted struct {
	Range
	Slot   int // the frame index
	Class  desc.ClassID
	Weight float32
	used   bool
}

// Compute forgets all slots.
func (s *Stacks) Compute(*pass.Context, *mir.Function) {
	for k := range s.slots {
		s.slots[k].used = false
	}
	s.n = 0
}

// OfCFG is false.
func (s *Stacks) OfCFG() bool { return false }

// Differs compares nothing: slots are what the allocator says.
func (s *Stacks) Differs(*Stacks) string { return "" }

// GetOrCreate returns the row of slot, which holds registers of class; a slot
// that is there already holds those of a common sub-class from now on. Good until
// another slot is created.
func (s *Stacks) GetOrCreate(in *desc.Info, slot int, class desc.ClassID) *Slotted {
	s.slots = grown(s.slots, slot+1)
	x := &s.slots[slot]
	if x.used {
		x.Class = in.CommonSubClass(x.Class, class)
		return x
	}
	x.Range.Clear()
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
