package regalloc

import (
	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// joinVirtual joins the ranges of src into those of dst; false, and nothing is
// changed, when they interfere. The copies that become copies of a register to
// itself are erased; the other operands are renamed by the caller.
func (c *coalescer) joinVirtual() bool {
	f, p := c.f, &c.p
	right, left := c.v.Interval(p.src), c.v.Interval(p.dst)
	if c.isLarge(left) || c.isLarge(right) {
		return false
	}
	track := c.tracks(p.newClass)
	c.newVals = c.newVals[:0]
	l, r := &c.lhs, &c.rhs
	r.reset(c, &right.Range, p.src, p.srcIdx, 0, false, track)
	l.reset(c, &left.Range, p.dst, p.dstIdx, 0, false, track)
	if !l.mapValues(r) || !r.mapValues(l) || !l.resolve(r) || !r.resolve(l) {
		return false
	}
	if left.HasSubs() || right.HasSubs() {
		c.joinSubRanges(left, right)
	} else if track && p.dstIdx == 0 && p.srcIdx != 0 {
		left.AddSubFrom(f.Facts.Classes[p.newClass].Lanes, &left.Range)
		c.mergeSubRange(left, &right.Range, f.Facts.SubRegLanes(p.srcIdx))
		l.pruneMain(left)
		l.pruneSubValues(left)
	}
	c.ends = c.ends[:0]
	l.prune(r, true)
	r.prune(l, true)
	c.checkDebug(l, r)
	c.shrink = c.shrink[:0]
	l.eraseInstrs(left)
	r.eraseInstrs(nil)
	for n := len(c.shrink); n > 0; n = len(c.shrink) {
		reg := c.shrink[n-1]
		c.shrink = c.shrink[:n-1]
		c.shrinkToUses(reg)
	}
	c.joinRanges(&left.Range, &right.Range, l, r)
	c.clearKills(p.src)
	c.clearKills(p.dst)
	if len(c.ends) > 0 {
		c.v.ExtendTo(&left.Range, c.ends, nil)
	}
	return true
}

// joinRanges is the union of two ranges as l and r say.
func (c *coalescer) joinRanges(a, b *liveness.Range, l, r *joinVals) {
	c.mine, c.theirs = c.mine[:0], c.theirs[:0]
	for k := range l.vals {
		c.mine = append(c.mine, l.vals[k].assign)
	}
	for k := range r.vals {
		c.theirs = append(c.theirs, r.vals[k].assign)
	}
	a.Join(b, c.mine, c.theirs, c.newVals)
	dropUnused(a)
}

// dropUnused gives values without a definition up that joining left between others.
func dropUnused(r *liveness.Range) {
	n := liveness.ValueID(0)
	for n < liveness.ValueID(len(r.Vals)) && !r.Vals[n].Unused() {
		n++
	}
	if int(n) < len(r.Vals) {
		r.RenumberValues()
	}
}

// isLarge reports an interval of many values that was joined often already: each
// attempt looks at all values.
func (c *coalescer) isLarge(li *liveness.Interval) bool {
	if len(li.Vals) < largeValues {
		return false
	}
	n := li.Reg.Index()
	c.visits = rows.AtLeast(c.visits, n+1)
	if c.visits[n] < largeJoins {
		c.visits[n]++
		return false
	}
	return true
}

// tracks reports whether registers of a class have sub-ranges.
func (c *coalescer) tracks(k desc.ClassID) bool { return k != desc.NoClass && c.v.TracksClass(k) }

// clearKills takes the kill flags of r away. None are set in this pass: once is enough.
func (c *coalescer) clearKills(r mir.Reg) {
	f, n := c.f, r.Index()
	c.noKills = rows.AtLeast(c.noKills, n+1)
	if c.noKills[n] {
		return
	}
	c.noKills[n] = true
	for id := f.FirstUse(r); id != 0; id = f.NextUse(id) {
		if f.OpAt(id).IsKill() {
			i, n := f.Owner(id)
			f.SetOpFlag(i, n, mir.Kill, false)
		}
	}
}

// mergeIdentity makes the two values of a copy of a register to itself one. far
// says that without the copy the register is live too far: nothing read what it
// defined.
func (c *coalescer) mergeIdentity(i mir.InstrID) (far bool) {
	li, at := c.v.Interval(c.p.src), c.ix.Of(i)
	q := li.Query(at)
	def := q.Defined()
	if def == liveness.NoValue {
		return false
	}
	far = q.DeadDef()
	pruned := desc.LaneMask(0)
	for k := range li.Subs {
		s := &li.Subs[k]
		sq := s.Query(at)
		d := sq.Defined()
		if d == liveness.NoValue {
			continue
		}
		if sq.In != liveness.NoValue {
			far = far || sq.DeadDef()
			s.MergeValues(d, sq.In)
			continue
		}
		// Nothing was copied: from here on the lanes are undefined.
		c.ends = c.ends[:0]
		c.v.PruneValue(&s.Range, s.Vals[d].Def, &c.ends)
		s.MarkUnused(d)
		pruned |= s.Lanes
	}
	li.MergeValues(def, q.In)
	if pruned != 0 {
		for k := range li.Subs {
			if li.Subs[k].Lanes&pruned != 0 {
				c.v.ShrinkSub(&li.Subs[k], li.Reg)
			}
		}
		li.RemoveEmptySubs()
	}
	return far
}

// rename makes the operands of src name sub-register idx of dst.
func (c *coalescer) rename(src, dst mir.Reg, idx desc.SubRegIdx) {
	f := c.f
	var li *liveness.Interval
	if dst.IsVirtual() {
		li = c.v.Interval(dst)
		if li.HasSubs() && src != dst {
			c.markUndefs(li)
		}
	}
	c.stamp++
	c.visited = rows.AtLeast(c.visited, f.NumInstrIDs())
	for id := f.FirstUse(src); id != 0; {
		i, _ := f.Owner(id)
		next := f.NextUse(id)
		for next != 0 && owner(f, next) == i {
			next = f.NextUse(next)
		}
		// Composition of indices is not idempotent: each operand once.
		if src == dst && c.visited[i] == c.stamp {
			id = next
			continue
		}
		c.visited[i] = c.stamp
		reads := readsVirtual(f, i, src)
		if li != nil && !reads && idx != 0 && !f.IsDebugInstr(i) {
			// src is not read here, but other parts of dst live through.
			reads = li.LiveAt(c.ix.Of(i))
		}
		for n := range f.Instr(i).NumOps() {
			if o := f.Op(i, n); o.IsReg() && o.Reg() == src {
				c.renameOp(i, n, dst, idx, reads, li)
			}
		}
		id = next
	}
}

func owner(f *mir.Function, id mir.OpID) mir.InstrID {
	i, _ := f.Owner(id)
	return i
}

// readsVirtual reports whether i reads r: a definition of a part reads the rest
// unless all of it is defined too.
func readsVirtual(f *mir.Function, i mir.InstrID, r mir.Reg) bool {
	part, full := false, false
	ops := f.Ops(i)
	for k := range ops {
		o := &ops[k]
		switch {
		case !o.IsReg() || o.Reg() != r:
		case o.IsUse():
			if !o.IsUndef() {
				return true
			}
		case o.SubReg() != 0 && !o.IsUndef():
			part = true
		default:
			full = true
		}
	}
	return part && !full
}

// renameOp makes operand n of i name sub-register idx of dst, whose interval is
// li unless it is physical; reads says whether i reads the register.
func (c *coalescer) renameOp(i mir.InstrID, n int, dst mir.Reg, idx desc.SubRegIdx, reads bool, li *liveness.Interval) {
	f, in := c.f, c.f.Facts
	o := *f.Op(i, n)
	sub := desc.SubRegIdx(o.SubReg())
	if li == nil {
		if sub != 0 {
			dst = mir.Reg(in.SubReg(desc.PhysReg(dst), sub))
			f.SetSubReg(i, n, 0)
			if o.IsDef() {
				f.SetOpFlag(i, n, mir.Undef, false)
			}
		}
		f.SetReg(i, n, dst)
		return
	}
	if idx != 0 && o.IsDef() {
		// What defined all of the register defines a part and leaves the rest.
		f.SetOpFlag(i, n, mir.Undef, !reads)
	}
	whole := in.ComposeSubRegs(idx, sub)
	if o.IsUse() && !o.IsUndef() && whole != 0 && c.v.TracksSubs(dst) {
		if !li.HasSubs() {
			used := in.SubRegLanes(idx)
			all := in.Classes[f.VReg(dst).Class].Lanes
			li.AddSubFrom(used, &li.Range)
			li.AddSub(all &^ used)
		}
		c.addUndef(li, i, n, whole)
	}
	if o.Reg() != dst {
		f.SetReg(i, n, dst)
	}
	if idx != 0 {
		f.SetSubReg(i, n, uint16(whole))
	}
}

// markUndefs gives the operands of li's register that read only lanes without a
// value an undef flag.
func (c *coalescer) markUndefs(li *liveness.Interval) {
	f := c.f
	for id := f.FirstUse(li.Reg); id != 0; id = f.NextUse(id) {
		o := f.OpAt(id)
		if o.IsUndef() || o.IsDebug() || o.SubReg() == 0 && o.IsDef() {
			continue
		}
		i, n := f.Owner(id)
		c.addUndef(li, i, n, desc.SubRegIdx(o.SubReg()))
	}
}

// addUndef gives operand n of i, which reads sub-register sub of li's register
// (or, a definition, the rest), an undef flag when no lane of that is live.
func (c *coalescer) addUndef(li *liveness.Interval, i mir.InstrID, n int, sub desc.SubRegIdx) {
	f := c.f
	at := liveness.Index(0)
	if f.IsDebugInstr(i) {
		at = c.debugPlace(i)
	} else {
		at = c.ix.Of(i).EarlyClobber()
	}
	lanes := f.Facts.SubRegLanes(sub)
	if f.Op(i, n).IsDef() {
		lanes = ^lanes
	}
	for k := range li.Subs {
		if s := &li.Subs[k]; s.Lanes&lanes != 0 && s.LiveAt(at) {
			return
		}
	}
	f.SetOpFlag(i, n, mir.Undef, true)
	if q := li.Query(at); q.LiveOut() == liveness.NoValue {
		c.shrinkMain = true // it may have been the last reader
	}
}

// mayJoinPhys: a register is joined with a physical one only when that is
// reserved and the register has one value. Others are hints for the allocator.
func (c *coalescer) mayJoinPhys() bool {
	return c.isReserved(desc.PhysReg(c.p.dst)) && c.v.Interval(c.p.src).NumValues() == 1
}

// joinReserved joins src with the reserved register dst: the copy that defines
// src, or the one that reads it, is erased. False, and nothing is changed, when
// something else defines dst where src is live.
func (c *coalescer) joinReserved() bool {
	f, in, p := c.f, c.f.Facts, &c.p
	li, dst := c.v.Interval(p.src), desc.PhysReg(p.dst)
	constant := in.Regs[dst].Flags&desc.RegConstant != 0
	if !constant {
		for u := range in.RegUnits(dst).All() {
			for _, root := range in.Units[u] {
				if root != 0 && !c.isReserved(root) {
					return false
				}
			}
			// A reserved unit's range is its definitions.
			if li.Overlaps(c.v.Unit(u)) {
				return false
			}
		}
		if c.v.CheckRegMasks(li, c.usable) && c.usable[dst/32]>>(dst%32)&1 == 0 {
			return false
		}
	}
	if p.flipped {
		// %y = COPY $r; … %y is $r.
		c.deleteInstr(f.UniqueDef(p.src))
		c.clearKills(p.src)
		return true
	}
	// %y = …; $r = COPY %y: $r is defined where %y was.
	if !f.HasOneUse(p.src) || c.v.InBlock(li) == 0 {
		return false
	}
	def, use := f.UniqueDef(p.src), mir.InstrID(0)
	for u := range f.NonDebugUses(p.src) {
		use = u
	}
	if def == 0 {
		return false
	}
	if !constant {
		for i := f.NextBundle(def); i != 0 && i != use; i = f.NextBundle(i) {
			if !f.IsDebugInstr(i) && c.readsPhys(i, dst) {
				return false
			}
		}
	}
	at := c.ix.Of(def).Reg()
	c.v.RemovePhysRegDef(dst, c.ix.Of(use).Reg())
	c.deleteInstr(use)
	for u := range in.RegUnits(dst).All() {
		c.v.Unit(u).CreateDeadDef(at)
	}
	c.clearKills(p.src)
	return true
}

// readsPhys reports whether i, or its bundle, reads a register that overlaps r.
func (c *coalescer) readsPhys(i mir.InstrID, r desc.PhysReg) bool {
	f := c.f
	for m := range f.InBundle(i) {
		ops := f.Ops(m)
		for k := range ops {
			o := &ops[k]
			if o.IsUse() && o.Reg().IsPhysical() && !o.IsUndef() && f.Facts.Overlap(desc.PhysReg(o.Reg()), r) {
				return true
			}
		}
	}
	return false
}

// eliminateUndef looks at a copy of a register that is not live: undef reports
// that it is one. Readers of what it defines get undef flags, and gone says that
// it may be erased; it becomes an IMPLICIT_DEF where a PHI value needs it.
func (c *coalescer) eliminateUndef(i mir.InstrID) (gone, undef bool) {
	f, in := c.f, c.f.Facts
	m, _ := moveOf(f, i)
	at := c.ix.Of(i)
	src, dst := c.v.Interval(m.src), c.v.Interval(m.dst)
	if m.srcSub != 0 && src.HasSubs() {
		if lanesLive(src, in.SubRegLanes(m.srcSub), at) {
			return false, false
		}
	} else if src.LiveAt(at) {
		return false, false
	}
	def := at.Reg()
	k := dst.SegmentAt(def)
	if k < 0 {
		return false, false
	}
	out := dst.ValueAt(dst.Segs[k].End)
	if out != liveness.NoValue && dst.Vals[out].IsPHI() || out == liveness.NoValue && !dst.LiveAt(at) {
		for n := f.Instr(i).NumOps() - 1; n > 0; n-- {
			if o := f.Op(i, n); !o.IsReg() || o.IsUse() {
				f.RemoveOp(i, n)
			}
		}
		f.Instr(i).Opcode = desc.IMPLICIT_DEF
		return false, true
	}
	if prev := dst.ValueAt(at); prev != liveness.NoValue {
		// A part is defined: the rest lives on.
		dst.MergeValues(dst.ValueAt(def), prev)
		lanes := in.SubRegLanes(m.dstSub)
		for k := range dst.Subs {
			if s := &dst.Subs[k]; s.Lanes&lanes != 0 {
				if v := s.ValueAt(def); v != liveness.NoValue && liveness.SameInstr(s.Vals[v].Def, def) {
					s.RemoveValue(v)
				}
			}
		}
		dst.RemoveEmptySubs()
	} else {
		c.v.RemoveVRegDef(dst, def)
	}
	for u, n := range f.NonDebugUses(m.dst) {
		live, use := false, c.ix.Of(u)
		if s := desc.SubRegIdx(f.Op(u, n).SubReg()); s != 0 && dst.HasSubs() {
			live = lanesLive(dst, in.SubRegLanes(s), use)
		} else {
			live = dst.LiveAt(use)
		}
		if !live {
			f.SetOpFlag(u, n, mir.Undef, true)
		}
	}
	// The copy is about to go: it reads no rest of the register.
	for n := range f.Instr(i).NumOps() {
		if o := f.Op(i, n); o.IsDef() && o.Reg() == m.dst {
			f.SetOpFlag(i, n, mir.Undef, true)
		}
	}
	c.v.ShrinkToUses(dst, nil)
	return true, true
}

// lanesLive reports whether one of the lanes is live at a point.
func lanesLive(li *liveness.Interval, lanes desc.LaneMask, at liveness.Index) bool {
	for k := range li.Subs {
		if s := &li.Subs[k]; s.Lanes&lanes != 0 && s.LiveAt(at) {
			return true
		}
	}
	return false
}
