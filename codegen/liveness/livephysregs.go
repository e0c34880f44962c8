package liveness

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
	"github.com/mirin-go/mirin/target"
)

// LivePhysRegs is a set of physical registers that are live at a place after
// allocation, LLVM's: with a register its sub-registers are in it. Registers come
// out in the order in which they were put in, but that one that is taken out
// leaves its place to the last, which is the order of live-in lists.
type LivePhysRegs struct {
	f        *mir.Function
	saved    []desc.PhysReg // by the function's convention
	reserved []uint32       // a set
	place    []uint32       // by register: its place in regs + 1, 0 when it is not there
	regs     []desc.PhysReg
	aliases  []desc.PhysReg
}

// Init makes the set empty, for function f.
func (s *LivePhysRegs) Init(st *target.Subtarget, f *mir.Function) {
	n := len(f.Facts.Regs)
	s.f = f
	s.place, s.reserved, s.regs = rows.Zeroed(s.place, n), st.ReservedSet(f, s.reserved), s.regs[:0]
	s.saved = st.CalleeSaved(f, s.saved[:0])
}

// Clear empties the set.
func (s *LivePhysRegs) Clear() {
	for _, r := range s.regs {
		s.place[r] = 0
	}
	s.regs = s.regs[:0]
}

// Regs lists the registers.
func (s *LivePhysRegs) Regs() []desc.PhysReg { return s.regs }

// Contains reports whether r is in the set.
func (s *LivePhysRegs) Contains(r desc.PhysReg) bool { return s.place[r] != 0 }

// IsReserved reports whether allocation must not use r.
func (s *LivePhysRegs) IsReserved(r desc.PhysReg) bool { return s.reserved[r/32]>>(r%32)&1 != 0 }

func (s *LivePhysRegs) put(r desc.PhysReg) {
	if s.place[r] == 0 {
		s.regs = append(s.regs, r)
		s.place[r] = uint32(len(s.regs))
	}
}

func (s *LivePhysRegs) drop(r desc.PhysReg) {
	p := s.place[r]
	if p == 0 {
		return
	}
	last := s.regs[len(s.regs)-1]
	s.regs[p-1], s.place[last] = last, p
	s.regs, s.place[r] = s.regs[:len(s.regs)-1], 0
}

// Add puts r and its sub-registers into the set.
func (s *LivePhysRegs) Add(r desc.PhysReg) {
	s.put(r)
	for sub := range s.f.Facts.SubRegs(r).All() {
		s.put(sub)
	}
}

// Remove takes out every register that shares a part with r.
func (s *LivePhysRegs) Remove(r desc.PhysReg) {
	if len(s.regs) == 0 {
		return
	}
	s.aliases = append(s.aliases[:0], s.f.Facts.Aliases(r)...)
	slices.Sort(s.aliases) // LLVM's order, which that of the set depends on
	for _, a := range s.aliases {
		if a != r {
			s.drop(a)
		}
	}
	s.drop(r)
}

// Available reports whether nothing of r is live, and r not reserved.
func (s *LivePhysRegs) Available(r desc.PhysReg) bool {
	if s.place[r] != 0 || s.IsReserved(r) {
		return false
	}
	for _, a := range s.f.Facts.Aliases(r) {
		if s.place[a] != 0 {
			return false
		}
	}
	return true
}

// RemoveClobbered takes out what a register mask does not preserve.
func (s *LivePhysRegs) RemoveClobbered(mask []uint32) {
	s.TakeClobbered(mask, func(desc.PhysReg) {})
}

// TakeClobbered is RemoveClobbered that tells what is taken out.
func (s *LivePhysRegs) TakeClobbered(mask []uint32, taken func(desc.PhysReg)) {
	for k := 0; k < len(s.regs); {
		if r := s.regs[k]; mask[r/32]>>(r%32)&1 == 0 {
			s.drop(r)
			taken(r)
		} else {
			k++
		}
	}
}

// StepBackward makes the set what is live before i out of what is live behind it.
func (s *LivePhysRegs) StepBackward(i mir.InstrID) {
	f := s.f
	for k := range f.Instr(i).NumOps() {
		switch o := f.Op(i, k); o.Kind() {
		case mir.OpReg:
			if o.IsDef() && !o.IsDebug() && o.Reg().IsPhysical() {
				s.Remove(desc.PhysReg(o.Reg()))
			}
		case mir.OpRegMask:
			s.RemoveClobbered(f.RegMasks[o.Index()])
		}
	}
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsReg() && o.Reg().IsPhysical() && o.ReadsReg() && !o.IsDef() && !o.IsDebug() {
			s.Add(desc.PhysReg(o.Reg()))
		}
	}
}

// AddLiveIns adds what is live into b.
func (s *LivePhysRegs) AddLiveIns(b mir.BlockID) {
	in := s.f.Facts
	for _, l := range s.f.LiveInsOf(b) {
		r := desc.PhysReg(l.Reg)
		if l.Mask == mir.AllLanes || in.SubRegs(r).Len() == 0 {
			s.Add(r)
			continue
		}
		for k, idx := range in.SubRegIndexList(r) {
			if in.SubRegLanes(idx)&desc.LaneMask(l.Mask) != 0 {
				s.Add(in.SubRegs(r).At(k))
			}
		}
	}
}

// AddLiveOuts adds what is live out of b: what its successors have live, for a
// return what is restored before it, and the registers that the function
// preserves by never using them.
func (s *LivePhysRegs) AddLiveOuts(b mir.BlockID) {
	if fr := &s.f.Frame; fr.IsCalleeSavedInfoValid {
		for _, r := range s.saved {
			s.Add(r)
		}
		for k := range fr.CalleeSaved {
			s.Remove(desc.PhysReg(fr.CalleeSaved[k].Reg))
		}
	}
	s.AddLiveOutsNoPristines(b)
}

// AddLiveOutsNoPristines is AddLiveOuts without the registers that are never used.
func (s *LivePhysRegs) AddLiveOutsNoPristines(b mir.BlockID) {
	f := s.f
	for _, t := range f.Succs(b) {
		s.AddLiveIns(t.Block)
	}
	if last := f.Block(b).Last(); last != 0 && f.Desc(last).IsReturn() && f.Frame.IsCalleeSavedInfoValid {
		for k := range f.Frame.CalleeSaved {
			if ci := &f.Frame.CalleeSaved[k]; ci.Restored {
				s.Add(desc.PhysReg(ci.Reg))
			}
		}
	}
}

// ComputeLiveIns makes the set what is live into b.
func (s *LivePhysRegs) ComputeLiveIns(b mir.BlockID) {
	s.Clear()
	s.AddLiveOutsNoPristines(b)
	for i := s.f.Block(b).Last(); i != 0; i = s.f.Instr(i).Prev() {
		s.StepBackward(i)
	}
}

// Lists reports whether r, which is in the set, stands in live-in lists: no
// reserved register does, and no part of one that does.
func (s *LivePhysRegs) Lists(r desc.PhysReg) bool {
	return !s.IsReserved(r) && !s.HasSuper(r)
}

// HasSuper reports whether a register that contains r, and is not reserved, is in the set.
func (s *LivePhysRegs) HasSuper(r desc.PhysReg) bool {
	for sup := range s.f.Facts.SuperRegs(r).All() {
		if s.place[sup] != 0 && !s.IsReserved(sup) {
			return true
		}
	}
	return false
}

// ListLiveIns adds the registers of the set to the live-ins of b.
func (s *LivePhysRegs) ListLiveIns(b mir.BlockID) {
	for _, r := range s.regs {
		if s.Lists(r) {
			s.f.AddLiveIn(b, mir.Reg(r), mir.AllLanes)
		}
	}
}

// RecomputeLiveIns makes the live-ins of b what its code and its successors need,
// and reports whether they changed.
func (s *LivePhysRegs) RecomputeLiveIns(b mir.BlockID) bool {
	f := s.f
	var buf [32]mir.LiveIn
	old := append(buf[:0], f.LiveInsOf(b)...)
	f.ClearLiveIns(b)
	s.ComputeLiveIns(b)
	s.ListLiveIns(b)
	f.SortLiveIns(b)
	return !sameLiveIns(old, f.LiveInsOf(b))
}

func sameLiveIns(a, b []mir.LiveIn) bool {
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if a[k] != b[k] {
			return false
		}
	}
	return true
}
