package global

import (
	"errors"
	"slices"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/regalloc/check"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// StackSlotColoring gives spilled registers that are never alive together one
// stack slot, those that are used most the first ones, and erases stores of what
// was just loaded from the slot.
var StackSlotColoring = pass.Pass{
	Name:     "stack-slot-coloring",
	Title:    "Stack Slot Coloring",
	Requires: mir.NoPHIs | mir.NoVRegs,
	KeepsCFG: true,
	Optional: pass.Skippable,
	Run:      runStackSlotColoring,
}

// maxSharedTried bounds the slots that may have room and are looked at to find one to share: of more
// a spilled register gets a new one, so that 10^5 of them that are alive together
// do not compare each with each.
const maxSharedTried = 200

type slotColoring struct {
	c      *pass.Context
	f      *mir.Function
	stacks *liveness.Stacks
	// snapshot is the function before allocation where the colouring is to be proved.
	snapshot *check.Snapshot
	weights  []float64 // by frame index: how often it is accessed
	order    []int     // the slots, those of most accesses first
	to       []int32   // by frame index: the slot that it becomes, -1 for what stays
	objects  []mir.FrameObject
	taken    []int // the slots that are given, in order
	slotted  []*liveness.Slotted
	probes   slotProbes // by the order of taken
	mem      []mir.MemID
}

func runStackSlotColoring(c *pass.Context, f *mir.Function) error {
	s := pass.Scratch[slotColoring](c)
	s.c, s.f = c, f
	s.stacks = pass.Get[liveness.Stacks](c, f)
	snapshot := s.snapshot
	s.snapshot = nil
	// The stack may be changed before a longjmp comes back to it.
	changed := s.stacks.Len() > 0 && !f.ExposesReturnsTwice && s.color()
	pass.Drop[liveness.Stacks](c)
	if snapshot == nil {
		return nil
	}
	defer snapshot.Close()
	if !changed {
		return nil
	}
	snapshot.MoveSlots(func(fi int) int { return s.slotOf(fi) })
	return errors.Join(snapshot.Verify(f)...)
}

// color gives the slots their places and reports whether code was changed.
func (s *slotColoring) color() bool {
	f := s.f
	s.to = rows.Sized(s.to, f.Frame.End())
	s.order = s.order[:0]
	for fi := range s.to {
		s.to[fi] = -1
		if s.stacks.Get(fi) != nil && !f.Frame.IsDead(fi) {
			s.order = append(s.order, fi)
		}
	}
	if len(s.order) < 2 {
		return false
	}
	s.weigh()
	places := slices.Clone(s.order)
	s.objects = append(s.objects[:0], f.Frame.Objects[f.Frame.NumFixed:]...)
	slices.SortStableFunc(s.order, func(x, y int) int {
		switch {
		case s.weights[x] > s.weights[y]:
			return -1
		case s.weights[x] < s.weights[y]:
			return 1
		}
		return 0
	})
	s.taken, s.slotted = s.taken[:0], s.slotted[:0]
	for _, fi := range s.order {
		s.slotted = append(s.slotted, s.stacks.Get(fi))
	}
	s.probes.begin(s.slotted)
	changed := false
	for _, fi := range s.order {
		to := s.place(fi, places)
		s.to[fi] = int32(to)
		changed = changed || to != fi
	}
	if !changed {
		return false
	}
	s.rewrite()
	s.eraseDeadStores()
	for _, fi := range places[len(s.taken):] {
		f.Frame.RemoveObject(fi)
	}
	return true
}

// place is the first slot in which fi finds room, the next free one when there is
// none; its object is large enough for all that are in it.
func (s *slotColoring) place(fi int, places []int) int {
	f, x := s.f, s.stacks.Get(fi)
	was := &s.objects[fi]
	s.probes.ask(x)
	tried := 0
	for k := s.probes.next(0); k < len(s.taken) && tried < maxSharedTried; k = s.probes.next(k + 1) {
		slot := s.taken[k]
		tried++
		o := f.Frame.Object(slot)
		if o.StackID != was.StackID || !s.stacks.IsFree(slot, x) {
			continue
		}
		s.stacks.Share(slot, x)
		s.probes.put(k, x)
		o.Align, o.Size = max(o.Align, was.Align), max(o.Size, was.Size)
		s.c.Count("stack-slot-coloring", "Number of stack slots eliminated due to coloring", 1)
		return slot
	}
	slot := places[len(s.taken)]
	s.probes.put(len(s.taken), x)
	s.taken = append(s.taken, slot)
	s.stacks.Share(slot, x)
	o := f.Frame.Object(slot)
	o.Align, o.Size, o.StackID = was.Align, was.Size, was.StackID
	return slot
}

// slotOf is where slot fi is now.
func (s *slotColoring) slotOf(fi int) int {
	if fi >= 0 && fi < len(s.to) && s.to[fi] >= 0 {
		return int(s.to[fi])
	}
	return fi
}

// weigh adds up how often each slot is accessed.
func (s *slotColoring) weigh() {
	f := s.f
	s.weights = rows.Zeroed(s.weights, len(s.to))
	freq := pass.Get[pass.Frequencies](s.c, f).Freq
	small := hasFnAttr(f, "optsize") || hasFnAttr(f, "minsize")
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		w := freq[b]
		if small {
			w = 1
		}
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if f.IsDebugInstr(i) {
				continue
			}
			ops := f.Ops(i)
			for k := range ops {
				if o := &ops[k]; o.Kind() == mir.OpFrameIndex && o.FrameIndex() >= 0 {
					s.weights[o.FrameIndex()] += w
				}
			}
		}
	}
}

// rewrite names the slots that things are in now.
func (s *slotColoring) rewrite() {
	f := s.f
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			for k := range f.Instr(i).NumOps() {
				if o := f.Op(i, k); o.Kind() == mir.OpFrameIndex && s.slotOf(o.FrameIndex()) != o.FrameIndex() {
					f.ReplaceOp(i, k, mir.FrameOp(s.slotOf(o.FrameIndex())))
				}
			}
			s.rewriteMem(i)
		}
	}
}

// rewriteMem names the slots in the memory operands of i.
func (s *slotColoring) rewriteMem(i mir.InstrID) {
	f, changed := s.f, false
	s.mem = append(s.mem[:0], f.MemIDs(i)...)
	for k := range s.mem {
		m := *f.MemOf(i, k)
		if m.PtrKind != mir.PtrFixedStack {
			continue
		}
		if fi := int(int32(m.Ptr)); s.slotOf(fi) != fi {
			m.Ptr = uint32(int32(s.slotOf(fi)))
			s.mem[k], changed = f.AddMem(m), true
		}
	}
	if changed {
		f.SetMem(i, s.mem...)
	}
}

// eraseDeadStores erases stores of what was just loaded from the same slot, and the
// load as well when that was the only reason for it.
func (s *slotColoring) eraseDeadStores() {
	f, st := s.f, s.c.Subtarget
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			r, fi, n, ok := st.LoadFromStackSlot(f, i)
			if !ok || fi < 0 || f.Frame.Object(fi).Flags&mir.FrameSpill == 0 {
				continue
			}
			j := f.Instr(i).Next()
			for j != 0 && f.IsDebugInstr(j) {
				j = f.Instr(j).Next()
			}
			if j == 0 {
				break
			}
			if sr, sfi, sn, ok := st.StoreToStackSlot(f, j); !ok || sr != r || sfi != fi || sn != n {
				continue
			}
			killed := slices.ContainsFunc(f.Ops(j), func(o mir.Operand) bool {
				return o.IsUse() && o.IsKill() && o.Reg().IsPhysical() && f.Facts.IsSubRegisterEq(desc.PhysReg(o.Reg()), desc.PhysReg(r))
			})
			f.Erase(j)
			s.c.Count("stack-slot-coloring", "Number of trivially dead stack accesses eliminated", 1)
			if killed {
				prev := i
				if i = f.Instr(i).Prev(); i == 0 {
					i = f.Instr(prev).Next()
				}
				f.Erase(prev)
				s.c.Count("stack-slot-coloring", "Number of trivially dead stack accesses eliminated", 1)
				if i == 0 {
					break
				}
			}
		}
	}
}
