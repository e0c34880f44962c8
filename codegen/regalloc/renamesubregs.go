package regalloc

import (
	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// RenameSubregs gives parts of a register that have nothing to do with each other
// registers of their own: the values of all lanes are one component when one
// operand names them together, or one is made from the other. The allocator need
// not find a place then that is free for all of them.
//
// A register that begins to be live at a block, and is not defined on one of the
// ways there, since the lanes that were are another register's now, is defined by
// an IMPLICIT_DEF of all its lanes that live on that way.
var RenameSubregs = pass.Pass{
	Name:     "rename-independent-subregs",
	Title:    "Rename Disconnected Subregister Components",
	Requires: mir.NoPHIs,
	KeepsCFG: true,
	Keeps:    []pass.Kind{pass.KindOf[liveness.Indexes](), pass.KindOf[liveness.Intervals]()},
	Optional: pass.Skippable,
	Run:      runRenameSubregs,
}

// renameSubregs is the pass's memory.
type renameSubregs struct {
	pc *pass.Context
	f  *mir.Function
	v  *liveness.Intervals

	comps liveness.Components
	// first is, by sub-range, its first row of up; rows are components.
	first []int
	vals  [][]int32 // by sub-range: the component of each value, within it
	// up is a union-find over components; class their numbers in the end.
	up    []int32
	class []int32
	regs  []mir.Reg // by class
	ops   []mir.OpID
}

func runRenameSubregs(pc *pass.Context, f *mir.Function) error {
	if !liveness.TracksLanes(pc, f) {
		return nil
	}
	s := pass.Scratch[renameSubregs](pc)
	s.pc, s.f = pc, f
	s.v = pass.Get[liveness.Intervals](pc, f)
	for n := range f.NumVRegs() { // those that are added are not looked at
		if r := mir.VReg(n); s.v.Has(r) {
			if li := s.v.Interval(r); li.HasSubs() {
				s.rename(li)
			}
		}
	}
	if s.v.Indexes.Crowded() {
		s.v.Renumber()
	}
	return nil
}

// rename splits the register of li where it falls apart.
func (s *renameSubregs) rename(li *liveness.Interval) {
	n := s.classify(li)
	if n < 2 || !s.canDefine(li) {
		return
	}
	r := li.Reg
	s.regs = append(s.regs[:0], r)
	for len(s.regs) < n {
		s.regs = append(s.regs, s.f.CloneVReg(r))
	}
	s.rewrite(li)
	for _, r := range s.regs {
		s.complete(r)
	}
	s.pc.Count("rename-independent-subregs", "Number of registers made of components", int64(n-1))
}

// classify numbers the components of all values of li's sub-ranges and returns how
// many there are. The sub-range that was made last comes first, as with LLVM.
func (s *renameSubregs) classify(li *liveness.Interval) int {
	n := len(li.Subs)
	s.first = rows.Sized(s.first, n)
	for len(s.vals) < n {
		s.vals = append(s.vals, nil)
	}
	total := 0
	for k := n - 1; k >= 0; k-- {
		sub := &li.Subs[k]
		s.first[k] = total
		total += s.comps.Find(s.v, &sub.Range)
		s.vals[k] = s.vals[k][:0]
		for v := range sub.Vals {
			s.vals[k] = append(s.vals[k], int32(s.comps.Of(liveness.ValueID(v))))
		}
	}
	s.up, s.class = rows.Sized(s.up, total), rows.Sized(s.class, total)
	for k := range s.up {
		s.up[k] = int32(k)
	}
	for id := s.f.FirstUse(li.Reg); id != 0; id = s.f.NextUse(id) {
		if o := s.f.OpAt(id); o.IsDebug() || !o.IsDef() && !o.ReadsReg() {
			continue
		}
		all := int32(-1)
		s.components(li, id, func(c int32) bool {
			if all >= 0 {
				s.join(all, c)
			}
			all = c
			return true
		})
	}
	classes := int32(0)
	for k := range s.up {
		if root := s.root(int32(k)); root == int32(k) {
			s.class[k] = classes
			classes++
		} else {
			s.class[k] = s.class[root]
		}
	}
	return int(classes)
}

// components calls f for those of the values that operand id defines or reads,
// as long as it wants.
func (s *renameSubregs) components(li *liveness.Interval, id mir.OpID, f func(int32) bool) {
	o := s.f.OpAt(id)
	i, _ := s.f.Owner(id)
	at := s.v.Indexes.Of(i)
	if o.IsDef() {
		at = at.RegSlot(o.IsEarlyClobber())
	}
	lanes := s.lanes(o)
	for k := len(li.Subs) - 1; k >= 0; k-- {
		sub := &li.Subs[k]
		if sub.Lanes&lanes == 0 {
			continue
		}
		if v := sub.ValueAt(at); v != liveness.NoValue && !f(int32(s.first[k])+s.vals[k][v]) {
			return
		}
	}
}

func (s *renameSubregs) lanes(o *mir.Operand) desc.LaneMask {
	if sub := o.SubReg(); sub != 0 {
		return s.f.Facts.SubRegLanes(desc.SubRegIdx(sub))
	}
	return desc.AllLanes
}

func (s *renameSubregs) classOf(sub int, v liveness.ValueID) int32 {
	return s.class[int32(s.first[sub])+s.vals[sub][v]]
}

// root keeps the smallest component of a class on top.
func (s *renameSubregs) root(n int32) int32 {
	for s.up[n] != n {
		s.up[n] = s.up[s.up[n]]
		n = s.up[n]
	}
	return n
}

func (s *renameSubregs) join(a, b int32) {
	a, b = s.root(a), s.root(b)
	if a > b {
		a, b = b, a
	}
	s.up[b] = a
}

// canDefine reports that wherever an IMPLICIT_DEF will be wanted, at the end of a
// block, its class is not live any more: a branch may read what ends with it.
func (s *renameSubregs) canDefine(li *liveness.Interval) bool {
	x := s.v.Indexes
	for k := range li.Subs {
		for v, d := range li.Subs[k].Vals {
			if d.Unused() || !d.IsPHI() {
				continue
			}
			class, b := s.classOf(k, liveness.ValueID(v)), x.BlockAt(d.Def)
			for _, p := range s.f.Preds(b) {
				end := x.BlockEnd(p)
				from := end
				if at := s.f.EdgePlace(p, b); at != 0 {
					from = x.Of(s.f.BundleHead(at))
				}
				if live, out := s.liveBehind(li, class, from, end); live && !out {
					return false
				}
			}
		}
	}
	return true
}

// liveBehind reports whether a value of class is live between from and end, which
// lie in one block, and whether one is at the end.
func (s *renameSubregs) liveBehind(li *liveness.Interval, class int32, from, end liveness.Index) (live, out bool) {
	for k := range li.Subs {
		sub := &li.Subs[k]
		for n := sub.Find(from); n < len(sub.Segs) && sub.Segs[n].Start < end; n++ {
			if s.classOf(k, sub.Segs[n].Val) == class {
				live = true
				out = out || sub.Segs[n].End >= end
			}
		}
	}
	return live, out
}

// rewrite has the operands of li's register name the registers of their classes.
func (s *renameSubregs) rewrite(li *liveness.Interval) {
	f := s.f
	s.ops = s.ops[:0]
	for id := f.FirstUse(li.Reg); id != 0; id = f.NextUse(id) {
		s.ops = append(s.ops, id)
	}
	for _, id := range s.ops {
		o := f.OpAt(id)
		if o.Reg() != li.Reg {
			continue // tied to one before it
		}
		i, n := f.Owner(id)
		if o.IsDebug() {
			s.rewriteDebug(li, i, n)
			continue
		}
		if !o.IsDef() && !o.ReadsReg() {
			continue
		}
		to := li.Reg
		s.components(li, id, func(c int32) bool {
			to = s.regs[s.class[c]]
			return false
		})
		if to == li.Reg {
			continue
		}
		f.SetReg(i, n, to)
		// What it is tied to may be an undef use, which has no value.
		if t := f.TiedTo(i, n); t >= 0 && f.Op(i, t).Reg() == li.Reg {
			f.SetReg(i, t, to)
		}
	}
}

// rewriteDebug has debug operand n of i name the register that its lanes are in,
// none where they are in several.
func (s *renameSubregs) rewriteDebug(li *liveness.Interval, i mir.InstrID, n int) {
	lanes, class := s.lanes(s.f.Op(i, n)), int32(-1)
	for k := range li.Subs {
		sub := &li.Subs[k]
		if sub.Lanes&lanes == 0 {
			continue
		}
		v := s.v.ValueAround(&sub.Range, i)
		if v == liveness.NoValue {
			continue
		}
		switch c := s.classOf(k, v); {
		case class < 0 || c == class:
			class = c
		default:
			s.f.SetReg(i, n, mir.NoReg)
			s.f.SetSubReg(i, n, 0)
			return
		}
	}
	if class > 0 {
		s.f.SetReg(i, n, s.regs[class])
	}
}

// complete finds the interval of r anew, with what it lacks: definitions on ways to
// a block on which another register has the lanes that were live, and the flags of
// definitions whose other lanes are another register's.
func (s *renameSubregs) complete(r mir.Reg) {
	f := s.f
	li := s.interval(r)
	added := false
	for k := range li.Subs {
		for _, d := range li.Subs[k].Vals {
			if d.Unused() || !d.IsPHI() {
				continue
			}
			b := s.v.Indexes.BlockAt(d.Def)
			for _, p := range f.Preds(b) {
				if s.liveSub(li, s.v.Indexes.BlockEnd(p).Before()) || s.isDefinedFor(r, p, b) {
					continue
				}
				def := mir.RegOp(r, mir.Def)
				if sub := s.indexOf(li); sub != 0 {
					def = mir.SubRegOp(r, sub, mir.Def|mir.Undef)
				}
				f.InsertBefore(p, f.EdgePlace(p, b), f.New(desc.IMPLICIT_DEF, def))
				added = true
			}
		}
	}
	if added {
		li = s.interval(r)
	}
	if s.setFlags(li) || added {
		s.interval(r)
	}
}

// indexOf is the index of the part of li's register that is ever live, 0 for all of
// it and where no index names just that.
func (s *renameSubregs) indexOf(li *liveness.Interval) uint16 {
	in, class := s.f.Facts, desc.ClassID(s.f.VReg(li.Reg).Class)
	lanes := desc.LaneMask(0)
	for k := range li.Subs {
		lanes |= li.Subs[k].Lanes
	}
	if lanes == in.Classes[class].Lanes {
		return 0
	}
	for k := 1; k < len(in.SubRegIndices); k++ {
		if in.SubRegIndices[k].Lanes == lanes && in.SubClassWithSubReg(class, desc.SubRegIdx(k)) == class {
			return uint16(k)
		}
	}
	return 0
}

// isDefinedFor reports that an IMPLICIT_DEF of r stands at the end of p already, on the way to b.
func (s *renameSubregs) isDefinedFor(r mir.Reg, p, b mir.BlockID) bool {
	i := s.f.EdgePlace(p, b)
	if i == 0 {
		i = s.f.Block(p).Last()
	} else {
		i = s.f.Instr(i).Prev()
	}
	return i != 0 && s.f.Instr(i).Opcode == desc.IMPLICIT_DEF && s.f.Op(i, 0).Reg() == r
}

// interval finds the interval of r from its operands.
func (s *renameSubregs) interval(r mir.Reg) *liveness.Interval {
	if !s.v.Has(r) {
		return s.v.Interval(r)
	}
	li := s.v.Interval(r)
	s.v.Recompute(li)
	return li
}

// liveSub reports whether a lane of li is live at a point.
func (s *renameSubregs) liveSub(li *liveness.Interval, at liveness.Index) bool {
	for k := range li.Subs {
		if li.Subs[k].LiveAt(at) {
			return true
		}
	}
	return !li.HasSubs() && li.LiveAt(at)
}

// setFlags gives the definitions of parts of li's register the undef and dead
// flags that are right now, and reports whether one was missing.
func (s *renameSubregs) setFlags(li *liveness.Interval) (changed bool) {
	f := s.f
	for i, n := range f.Defs(li.Reg) {
		o := f.Op(i, n)
		if o.SubReg() == 0 {
			continue
		}
		at := s.v.Indexes.Of(i)
		if !o.IsUndef() && !s.liveSub(li, at) {
			f.SetOpFlag(i, n, mir.Undef, true)
			changed = true
		}
		if !f.Op(i, n).IsDead() && !s.liveSub(li, at.Dead()) {
			f.SetOpFlag(i, n, mir.Dead, true)
			changed = true
		}
	}
	return changed
}
