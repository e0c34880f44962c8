package regalloc

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// rematerialize computes again what copy i copies, where that is as cheap, and
// erases the copy. again reports that its source is a copy itself: when that is
// gone there may be something to compute.
func (c *coalescer) rematerialize(i mir.InstrID) (done, again bool) {
	f, in, p, st := c.f, c.f.Facts, c.p, c.pc.Subtarget
	src, srcIdx, dst, dstIdx := p.src, p.srcIdx, p.dst, p.dstIdx
	if p.flipped {
		src, srcIdx, dst, dstIdx = dst, dstIdx, src, srcIdx
	}
	if src.IsPhysical() || st == nil {
		return false, false
	}
	li, at := c.v.Interval(src), c.ix.Of(i)
	val := li.Query(at).In
	if val == liveness.NoValue || li.Vals[val].IsPHI() {
		return false, false
	}
	def := c.ix.Instr(li.Vals[val].Def)
	if def == 0 {
		return false, false
	}
	if isCopyLike(f, def) {
		return false, true
	}
	if !c.mayRepeat(def, src, at) || srcIdx != 0 && dstIdx != 0 {
		return false, false
	}
	copyDst := *f.Op(i, 0)
	if copyDst.SubReg() != 0 && !copyDst.IsUndef() {
		return false, false // the rest of the register would be overwritten
	}
	if copyDst.Reg().IsPhysical() && p.partial && c.otherLanesLive(dst, copyDst.Reg(), at) {
		return false, false
	}
	defSub := desc.SubRegIdx(f.Op(def, 0).SubReg())
	defClass := desc.NoClass
	if f.Instr(def).Opcode != desc.IMPLICIT_DEF {
		defClass = in.OperandClass(f.Instr(def).Opcode, 0, in.DefaultMode)
		if dst.IsPhysical() {
			r := in.SubReg(desc.PhysReg(dst), in.ComposeSubRegs(srcIdx, defSub))
			if r == 0 || defClass == desc.NoClass || !in.ClassContains(defClass, r) {
				return false, false
			}
		}
	}
	newClass, dropIdx := p.newClass, false
	if dst.IsVirtual() {
		// What is computed is the register that the joined one would be, or just what
		// was copied when the definition writes no more.
		newSub := in.ComposeSubRegs(srcIdx, defSub)
		if dstIdx != 0 && newSub == dstIdx {
			if k := in.CommonSubClass(defClass, desc.ClassID(f.VReg(dst).Class)); k != desc.NoClass {
				newClass, newSub, dropIdx = k, 0, true
			}
		}
		if defClass != desc.NoClass {
			if newSub != 0 {
				newClass = in.MatchingSuperRegClass(newClass, defClass, newSub)
			} else {
				newClass = in.CommonSubClass(newClass, defClass)
			}
			if newClass == desc.NoClass {
				return false, false
			}
		}
	}
	n := st.Rematerialize(f, f.Instr(i).Block(), f.Instr(i).Next(), dst, uint16(srcIdx), def)
	f.Instr(n).Loc = f.Instr(i).Loc
	for k := range f.Instr(n).NumOps() {
		if o := f.Op(n, k); o.IsDef() && o.Reg() == f.Op(n, 0).Reg() {
			f.SetOpFlag(n, k, mir.Dead, false)
		}
	}
	if dropIdx {
		for k := range f.Instr(n).NumOps() {
			if o := f.Op(n, k); o.IsReg() && o.Reg() == dst && desc.SubRegIdx(o.SubReg()) == dstIdx {
				f.SetSubReg(n, k, 0)
				if o.IsDef() {
					f.SetOpFlag(n, k, mir.Undef, false)
				}
			}
		}
		dstIdx = 0
	}
	c.replaceCopy(i, n, copyDst, dst, dstIdx, newClass)
	c.count("Number of instructions re-materialized", 1)
	c.moveDebug(src, dst, n)
	c.afterRemat(src)
	return true, false
}

// mayRepeat reports that instruction def can be executed again at the copy at at
// and gives the same: cheap, without effects, of nothing that changed.
func (c *coalescer) mayRepeat(def mir.InstrID, r mir.Reg, at liveness.Index) bool {
	f, st := c.f, c.pc.Subtarget
	d := f.Desc(def)
	if !d.Has(desc.CheapAsAMove) || !st.IsRematerializable(f, def) || d.NumDefs != 1 && f.Instr(def).Opcode != desc.IMPLICIT_DEF || f.IsBundled(def) {
		return false
	}
	full := false
	ops := f.Ops(def)
	from := c.ix.Of(def).EarlyClobber()
	for k := range ops {
		o := &ops[k]
		if !o.IsReg() || o.Reg() == 0 {
			continue
		}
		if o.IsDef() && o.Reg() == r && (o.SubReg() == 0 || o.IsUndef()) {
			full = true
		}
		if !o.ReadsReg() {
			continue
		}
		if o.Reg().IsPhysical() {
			if !st.IsConstantReg(f, o.Reg()) {
				return false
			}
			continue
		}
		if !c.sameValue(o, from, at.EarlyClobber()) {
			return false
		}
	}
	return full
}

// sameValue reports that the register of operand o holds at to what it did at from.
func (c *coalescer) sameValue(o *mir.Operand, from, to liveness.Index) bool {
	li := c.v.Interval(o.Reg())
	v := li.ValueAt(from)
	if v == liveness.NoValue {
		return true
	}
	if v != li.ValueAt(to) || liveness.SameInstr(from, to) {
		return false
	}
	if li.HasSubs() {
		lanes := c.f.Facts.SubRegLanes(desc.SubRegIdx(o.SubReg()))
		for k := range li.Subs {
			if s := &li.Subs[k]; s.Lanes&lanes != 0 && !s.LiveAt(to) {
				return false
			}
		}
	}
	return true
}

// otherLanesLive reports whether units of dst that copyDst does not have are live at at.
func (c *coalescer) otherLanesLive(dst, copyDst mir.Reg, at liveness.Index) bool {
	in := c.f.Facts
	for u := range in.RegUnits(desc.PhysReg(dst)).All() {
		own := false
		for w := range in.RegUnits(desc.PhysReg(copyDst)).All() {
			own = own || u == w
		}
		if !own && c.v.Unit(u).LiveAt(at) {
			return true
		}
	}
	return false
}

// replaceCopy puts n in the place of copy i of what copyDst names and mends what
// is known of dst, whose sub-register dstIdx the copy's destination becomes.
func (c *coalescer) replaceCopy(i, n mir.InstrID, copyDst mir.Operand, dst mir.Reg, dstIdx desc.SubRegIdx, class desc.ClassID) {
	f, in := c.f, c.f.Facts
	from := int(f.Desc(i).NumOperands)
	implicit := append(c.opBuf[:0], f.Ops(i)[from:]...)
	c.opBuf = implicit
	own := f.Instr(n).NumOps()
	c.ix.Replace(i, n)
	c.deleteInstr(i)
	at := c.ix.Of(n).Reg()
	if dst.IsVirtual() {
		li := c.v.Interval(dst)
		sub := f.Op(n, 0).SubReg()
		f.VReg(dst).Class = int16(class)
		if dstIdx != 0 {
			for k := range li.Subs {
				li.Subs[k].Lanes = in.ComposeLanes(dstIdx, li.Subs[k].Lanes)
			}
			c.rename(dst, dst, dstIdx)
		}
		f.SetSubReg(n, 0, sub)
		f.SetOpFlag(n, 0, mir.Undef, sub != 0)
		if c.v.TracksSubs(dst) && (li.HasSubs() || sub != 0) {
			c.v.Recompute(li)
		}
	} else {
		if r := f.Op(n, 0).Reg(); r != copyDst.Reg() {
			// It defines a part of what was wanted, or more.
			f.SetOpFlag(n, 0, mir.Dead, true)
			f.InsertOp(n, f.Instr(n).NumOps(), mir.RegOp(copyDst.Reg(), mir.Def|mir.Implicit))
			c.deadDefs(r, at)
		}
	}
	for k := int(f.Desc(n).NumOperands); k < own; k++ {
		if o := f.Op(n, k); o.IsDef() && o.Reg().IsPhysical() {
			c.deadDefs(o.Reg(), at)
		}
	}
	for _, o := range implicit {
		f.InsertOp(n, f.Instr(n).NumOps(), o)
	}
}

// deadDefs notes that r is written at at.
func (c *coalescer) deadDefs(r mir.Reg, at liveness.Index) {
	for u := range c.f.Facts.RegUnits(desc.PhysReg(r)).All() {
		if x := c.v.CachedUnit(u); x != nil {
			x.CreateDeadDef(at)
		}
	}
}

// afterRemat shrinks the register that lost a reader, at once or, where many
// copies of it may follow, in the end.
func (c *coalescer) afterRemat(r mir.Reg) {
	f := c.f
	if c.isLateReg(r) {
		return
	}
	n := 0
	for u := range f.NonDebugUses(r) {
		if isCopyLike(f, u) {
			if n++; n == lateShrinkUses {
				c.isLate = rows.AtLeast(c.isLate, f.NumVRegs())
				c.isLate[r.Index()] = true
				c.late = append(c.late, r)
				return
			}
		}
	}
	c.shrinkWithDead(r)
}

func (c *coalescer) isLateReg(r mir.Reg) bool {
	return r.IsVirtual() && r.Index() < len(c.isLate) && c.isLate[r.Index()]
}

// shrinkLate shrinks the registers that afterRemat left.
func (c *coalescer) shrinkLate() {
	for _, r := range c.late {
		c.isLate[r.Index()] = false
		if c.v.Has(r) {
			c.shrinkWithDead(r)
		}
	}
	c.late = c.late[:0]
}

func (c *coalescer) shrinkWithDead(r mir.Reg) {
	if c.v.ShrinkToUses(c.v.Interval(r), &c.dead) {
		c.v.SplitComponents(c.v.Interval(r))
	}
	c.count("Number of shrinkToUses called", 1)
	c.eliminateDead()
}

// shrinkToUses makes r live no longer than it is read; parts that are not
// connected any more become registers of their own.
func (c *coalescer) shrinkToUses(r mir.Reg) {
	c.count("Number of shrinkToUses called", 1)
	if li := c.v.Interval(r); c.v.ShrinkToUses(li, nil) {
		c.v.SplitComponents(li)
	}
}

// eliminateDead erases the instructions of c.dead, of which all results are
// dead, and what is dead without them.
func (c *coalescer) eliminateDead() {
	for {
		for n := len(c.dead); n > 0; n = len(c.dead) {
			i := c.dead[n-1]
			c.dead = c.dead[:n-1]
			c.eraseDead(i)
		}
		n := len(c.toShrink)
		if n == 0 {
			return
		}
		r := c.toShrink[n-1]
		c.toShrink = c.toShrink[:n-1]
		if !c.v.Has(r) {
			continue
		}
		if li := c.v.Interval(r); c.v.ShrinkToUses(li, &c.dead) {
			c.v.SplitComponents(li)
		}
	}
}

// eraseDead erases i unless it has effects, and notes the registers it read.
func (c *coalescer) eraseDead(i mir.InstrID) {
	f := c.f
	if f.Instr(i).Block() == 0 || f.IsBundled(i) || !isRemovable(f, i) {
		return
	}
	at, readsPhys := c.ix.Of(i), false
	c.emptied = c.emptied[:0]
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsReg() || o.Reg() == 0 {
			continue
		}
		r := o.Reg()
		if r.IsPhysical() {
			if o.ReadsReg() && !c.isReserved(desc.PhysReg(r)) {
				readsPhys = true
			} else if o.IsDef() {
				c.v.RemovePhysRegDef(desc.PhysReg(r), at.Reg())
			}
			continue
		}
		li := c.v.Interval(r)
		if o.ReadsReg() && (o.IsDef() || f.Instr(i).Opcode == desc.COPY || f.HasOneUse(r) || c.v.KillsAt(li, o.SubReg(), at)) && !slices.Contains(c.toShrink, r) {
			c.toShrink = append(c.toShrink, r)
		}
		if o.IsDef() {
			c.v.RemoveVRegDef(li, at.RegSlot(o.IsEarlyClobber()))
			if li.Empty() {
				c.emptied = append(c.emptied, r)
			}
		}
	}
	if readsPhys {
		// The physical register's range ends here: something must read it.
		for k := f.Instr(i).NumOps() - 1; k >= 0; k-- {
			if o := f.Op(i, k); !o.IsReg() || !o.Reg().IsPhysical() {
				f.RemoveOp(i, k)
			}
		}
		f.Instr(i).Opcode = desc.KILL
		f.SetMem(i)
		c.noteErased(i)
	} else {
		c.deleteInstr(i)
	}
	for _, r := range c.emptied {
		if c.v.Has(r) && !mentioned(f, r) {
			if k := slices.Index(c.toShrink, r); k >= 0 {
				c.toShrink = slices.Delete(c.toShrink, k, k+1)
			}
			c.v.Remove(r)
			f.DropDebugUses(r)
		}
	}
}

// mentioned reports whether an instruction other than debug ones names r.
func mentioned(f *mir.Function, r mir.Reg) bool {
	for id := f.FirstUse(r); id != 0; id = f.NextUse(id) {
		if !f.OpAt(id).IsDebug() {
			return true
		}
	}
	return false
}

// allDefsDead reports that every result of i has a dead flag.
func allDefsDead(f *mir.Function, i mir.InstrID) bool {
	ops := f.Ops(i)
	for k := range ops {
		if ops[k].IsDef() && !ops[k].IsDead() {
			return false
		}
	}
	return true
}

// isRemovable reports that i, were its results dead, could go.
func isRemovable(f *mir.Function, i mir.InstrID) bool {
	d := f.Desc(i)
	switch f.Instr(i).Opcode {
	case desc.INLINEASM, desc.INLINEASM_BR, desc.PHI, desc.G_PHI, desc.CFI_INSTRUCTION, desc.EH_LABEL, desc.GC_LABEL,
		desc.ANNOTATION_LABEL, desc.LIFETIME_START, desc.LIFETIME_END, desc.PSEUDO_PROBE, desc.JUMP_TABLE_DEBUG_INFO:
		return false
	}
	const effects = desc.MayStore | desc.Call | desc.Terminator | desc.UnmodeledSideEffects
	if d.Flags&effects != 0 || f.IsDebugInstr(i) {
		return false
	}
	if d.Flags&desc.MayRaiseFPException != 0 && f.Instr(i).Flags()&mir.NoFPExcept == 0 {
		return false
	}
	if d.MayLoad() {
		if f.NumMem(i) == 0 {
			return false
		}
		for n := range f.NumMem(i) {
			if m := f.MemOf(i, n); m.Flags&mir.MemVolatile != 0 || m.Order > 1 {
				return false
			}
		}
	}
	return true
}
