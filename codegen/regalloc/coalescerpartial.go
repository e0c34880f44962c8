package regalloc

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// What can be done about a copy of registers that interfere: the copy is useless
// where the destination still holds the value (adjustCopiesBack), where the
// source could have been computed in the destination (commuteCopyAway), or on all
// ways into the block but one (removePartialRedundancy).

// copied are the intervals of a copy's source a and destination b.
func (c *coalescer) copied() (a, b *liveness.Interval) {
	if c.p.flipped {
		return c.v.Interval(c.p.dst), c.v.Interval(c.p.src)
	}
	return c.v.Interval(c.p.src), c.v.Interval(c.p.dst)
}

// adjustCopiesBack looks for a copy of b to a whose value copy i copies back:
//
//	%a = COPY %b
//	…            no other definition of %b
//	%b = COPY %a     is i
//
// b then lives on from the first to the second, which may go; true when it may.
func (c *coalescer) adjustCopiesBack(i mir.InstrID) bool {
	f := c.f
	a, b := c.copied()
	def := c.ix.Of(i).Reg()
	use := def.EarlyClobber()
	bs := b.SegmentAt(def)
	if bs < 0 || b.Vals[b.Segs[bs].Val].Def != def {
		return false
	}
	as := a.SegmentAt(use)
	if as < 0 {
		return false
	}
	aDef := a.Vals[a.Segs[as].Val].Def
	if aDef.IsBlock() {
		return false
	}
	back := c.ix.Instr(aDef)
	if back == 0 || !c.p.joins(f, back) || !isFullCopy(f, back) {
		return false
	}
	vs := b.SegmentAt(aDef.Before())
	if vs < 0 || vs+1 != bs {
		return false
	}
	last := c.ix.Instr(b.Segs[vs].End.Before())
	if last == 0 || f.Instr(last).Block() != f.Instr(i).Block() {
		return false
	}
	gap, end := b.Segs[vs].End, b.Segs[bs].Start
	bVal, vVal := b.Segs[bs].Val, b.Segs[vs].Val
	recompute := a.Segs[as].End == def
	b.Vals[bVal].Def = gap
	b.AddSegment(liveness.Segment{Start: gap, End: end, Val: bVal})
	if bVal != vVal {
		b.MergeValues(bVal, vVal)
	}
	for k := range b.Subs {
		c.fillGap(&b.Subs[k], def, gap, end, aDef)
	}
	for n := range f.Instr(last).NumOps() {
		if o := f.Op(last, n); o.IsKill() && o.Reg() == b.Reg {
			f.SetOpFlag(last, n, mir.Kill, false)
		}
	}
	for k := range a.Subs {
		if s := a.Subs[k].SegmentAt(use); s >= 0 && a.Subs[k].Segs[s].End == def {
			recompute = true
		}
	}
	// The copy goes: it reads a no more.
	for n := range f.Instr(i).NumOps() {
		if o := f.Op(i, n); o.IsReg() && o.Reg() == a.Reg {
			f.SetReg(i, n, b.Reg)
		}
	}
	if recompute {
		c.shrinkToUses(a.Reg)
	}
	c.count("Number of copies extended", 1)
	return true
}

// fillGap makes a sub-range of b live from gap to end, where the copy at def was.
func (c *coalescer) fillGap(s *liveness.SubRange, def, gap, end, aDef liveness.Index) {
	if k := s.SegmentAt(def); k >= 0 && liveness.SameInstr(s.Segs[k].Start, s.Segs[k].End) {
		s.RemoveSegment(s.Segs[k].Start, s.Segs[k].End, true)
		return
	}
	if !s.LiveAt(gap) {
		s.ExtendInBlock(c.ix.BlockStart(c.ix.BlockAt(gap)), gap)
	}
	val := s.ValueAt(def)
	if val == liveness.NoValue {
		return
	}
	s.AddSegment(liveness.Segment{Start: gap, End: end, Val: val})
	if old := s.ValueAt(aDef.Before()); old != liveness.NoValue && old != val {
		s.MergeValues(val, old)
	}
}

// commuteCopyAway exchanges the sources of the instruction that computes a:
//
//	%a = OP %a', killed %b
//	%b = COPY %a     is i
//
// becomes %b = OP %b, %a' and the copy may go (changed); readers of a read b.
// shrink: b may be live too far.
func (c *coalescer) commuteCopyAway(i mir.InstrID) (changed, shrink bool) {
	f, st := c.f, c.pc.Subtarget
	a, b := c.copied()
	at := c.ix.Of(i)
	bVal, aVal := b.ValueAt(at.Reg()), a.ValueAt(at.EarlyClobber())
	if st == nil || bVal == liveness.NoValue || aVal == liveness.NoValue || a.Vals[aVal].IsPHI() || a.HasSubs() || b.HasSubs() {
		return false, false
	}
	aDef := a.Vals[aVal].Def
	def := c.ix.Instr(aDef)
	if def == 0 || !f.Desc(def).IsCommutable() {
		return false, false
	}
	tied := -1
	for n := range f.Instr(def).NumOps() {
		if o := f.Op(def, n); o.IsDef() && o.Reg() == a.Reg {
			tied = f.TiedTo(def, n)
			break
		}
	}
	if tied < 0 {
		return false, false
	}
	x, y, ok := st.CommutableOps(f, def, tied, -1)
	if !ok {
		return false, false
	}
	if x == tied {
		x = y
	}
	if f.Op(def, x).Reg() != b.Reg || f.Op(def, x).SubReg() != 0 || !b.Query(aDef).Kill {
		return false, false
	}
	if c.otherDefsReach(a, b, aVal, bVal) || c.tiedReader(a, aVal) {
		return false, false
	}
	class := f.Facts.CommonSubClass(desc.ClassID(f.VReg(b.Reg).Class), desc.ClassID(f.VReg(a.Reg).Class))
	if class == desc.NoClass || !st.Commute(f, def, tied, x) {
		return false, false
	}
	f.VReg(b.Reg).Class = int16(class)
	// The result is tied to what is b now.
	if d := f.TiedTo(def, tied); d >= 0 {
		f.SetReg(def, d, b.Reg)
	}
	bVal = c.readInstead(a, b, aVal, bVal, i)
	b.Vals[bVal].Def = aDef
	for _, s := range a.Segs {
		if s.Val != aVal {
			continue
		}
		s.Val = bVal
		if k := b.AddSegment(s); b.Segs[k].End.IsDead() {
			shrink = true
		}
	}
	c.v.RemoveVRegDef(a, aDef)
	c.count("Number of instruction commuting performed", 1)
	return true, shrink
}

// otherDefsReach reports whether another value of b is live where value aVal of a is.
func (c *coalescer) otherDefsReach(a, b *liveness.Interval, aVal, bVal liveness.ValueID) bool {
	for k := range a.Vals {
		if !a.Vals[k].IsPHI() {
			continue
		}
		preds := c.f.Preds(c.ix.BlockAt(a.Vals[k].Def))
		if len(preds) > 100 {
			return true
		}
		for _, p := range preds {
			if a.ValueBefore(c.ix.BlockEnd(p)) == aVal {
				return true
			}
		}
	}
	for _, s := range a.Segs {
		if s.Val != aVal {
			continue
		}
		for k := b.Find(s.Start); k < len(b.Segs) && b.Segs[k].Start <= s.End; k++ {
			o := &b.Segs[k]
			if o.Val != bVal && (o.Start <= s.Start && o.End > s.Start || o.Start > s.Start && o.Start < s.End) {
				return true
			}
		}
	}
	return false
}

// tiedReader reports whether a reader of value aVal must have its result in the same register.
func (c *coalescer) tiedReader(a *liveness.Interval, aVal liveness.ValueID) bool {
	for u, n := range c.f.NonDebugUses(a.Reg) {
		if c.f.Op(u, n).IsTied() && a.ValueAt(c.ix.Of(u)) == aVal {
			return true
		}
	}
	return false
}

// readInstead makes the readers of value aVal of a read b; copies of it to b
// other than i go. It returns the number that bVal has then.
func (c *coalescer) readInstead(a, b *liveness.Interval, aVal, bVal liveness.ValueID, i mir.InstrID) liveness.ValueID {
	f := c.f
	for id := f.FirstUse(a.Reg); id != 0; {
		next := f.NextUse(id)
		o := f.OpAt(id)
		u, n := f.Owner(id)
		id = next
		if o.IsDef() || o.IsUndef() {
			continue
		}
		if o.IsDebug() {
			f.SetReg(u, n, b.Reg)
			continue
		}
		at := c.ix.Of(u)
		if a.ValueAt(at.EarlyClobber()) != aVal {
			continue
		}
		f.SetOpFlag(u, n, mir.Kill, false)
		f.SetReg(u, n, b.Reg)
		if u == i || f.Instr(u).Opcode != desc.COPY || f.Op(u, 0).Reg() != b.Reg || f.Op(u, 0).SubReg() != 0 {
			continue
		}
		v := b.ValueAt(at.Reg())
		if v == liveness.NoValue {
			continue
		}
		bVal = b.MergeValues(v, bVal)
		c.deleteInstr(u)
	}
	return bVal
}

// removePartialRedundancy is for copy i of a to b, where a is a PHI value of the
// block and on some of the ways in a was copied from b just before:
//
//	bb.1:  %a = COPY %b      bb.2:  %a = …
//	bb.3:  %b = COPY %a      is i
//
// The copy moves to the other way in. Blocks of two predecessors count.
func (c *coalescer) removePartialRedundancy(i mir.InstrID) bool {
	f := c.f
	blk := f.Instr(i).Block()
	if !isFullCopy(f, i) || f.Block(blk).Flags&(mir.EHPad|mir.InlineAsmBrTarget) != 0 || f.NumPreds(blk) != 2 {
		return false
	}
	a, b := c.copied()
	at := c.ix.Of(i).EarlyClobber()
	aVal := a.ValueAt(at)
	if aVal == liveness.NoValue || !a.Vals[aVal].IsPHI() || b.OverlapsSegment(c.ix.BlockStart(blk), at) {
		return false
	}
	found, left := false, mir.BlockID(0)
	for _, p := range f.Preds(blk) {
		if c.copiesBack(p, a, b) {
			found = true
		} else {
			left = p
		}
	}
	if !found || left != 0 && f.NumSuccs(left) > 1 {
		return false
	}
	if left != 0 {
		place := f.FirstTerminator(left)
		if place != 0 && b.OverlapsSegment(c.ix.Of(place).EarlyClobber(), c.ix.BlockEnd(left)) {
			return false
		}
		n := f.New(desc.COPY, mir.RegOp(b.Reg, mir.Def), mir.RegOp(a.Reg, 0))
		f.Instr(n).Loc = f.Instr(i).Loc
		f.InsertBefore(left, place, n)
		def := c.ix.Of(n).Reg()
		b.CreateDeadDef(def)
		for k := range b.Subs {
			b.Subs[k].CreateDeadDef(def)
		}
	}
	c.deleteInstr(i)
	def := at.Reg()
	c.ends = c.ends[:0]
	val := b.Query(at).Out
	c.v.PruneValue(&b.Range, def, &c.ends)
	if val != liveness.NoValue {
		removeSegments(&b.Range, val)
		b.Vals[val].Def = 0
	}
	for k := range b.Subs {
		s := &b.Subs[k]
		c.subEnds = c.subEnds[:0]
		v := s.Query(at).Out
		if v == liveness.NoValue {
			continue
		}
		c.v.PruneValue(&s.Range, def, &c.subEnds)
		removeSegments(&s.Range, v)
		s.Vals[v].Def = 0
		// Lanes that are written again before they are read ended at the copy, which is gone.
		c.subEnds = slices.DeleteFunc(c.subEnds, func(end liveness.Index) bool { return liveness.SameInstr(end, at) })
		c.subUndefs = c.v.Undefs(c.subUndefs[:0], b.Reg, s.Lanes)
		c.v.ExtendTo(&s.Range, c.subEnds, c.subUndefs)
	}
	c.v.ExtendTo(&b.Range, c.ends, nil)
	dropUnused(&b.Range)
	c.shrinkToUses(b.Reg)
	c.shrinkToUses(a.Reg)
	return true
}

// copiesBack reports that the value of a that leaves block p is a copy, in p, of
// what b holds there to the end.
func (c *coalescer) copiesBack(p mir.BlockID, a, b *liveness.Interval) bool {
	f, end := c.f, c.ix.BlockEnd(p)
	v := a.ValueBefore(end)
	if v == liveness.NoValue || a.Vals[v].IsPHI() {
		return false
	}
	def := a.Vals[v].Def
	i := c.ix.Instr(def)
	if i == 0 || f.Instr(i).Block() != p || !isFullCopy(f, i) || f.Op(i, 0).Reg() != a.Reg || f.Op(i, 1).Reg() != b.Reg {
		return false
	}
	for _, w := range b.Vals {
		if def < w.Def && w.Def < end {
			return false
		}
	}
	return true
}
