package regalloc

import (
	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/desc"
)

// The joining of sub-ranges, on targets that track lanes apart. The whole ranges
// have been found to join; here each sub-range is joined with the one of the same
// lanes, after the lanes of both are those of the joined register.

// joinSubRanges joins the sub-ranges of right into those of left.
func (c *coalescer) joinSubRanges(left, right *liveness.Interval) {
	in, p := c.f.Facts, &c.p
	lanesOf := func(idx desc.SubRegIdx) desc.LaneMask {
		if idx == 0 {
			return in.Classes[p.newClass].Lanes
		}
		return in.SubRegLanes(idx)
	}
	if !left.HasSubs() {
		left.AddSubFrom(lanesOf(p.dstIdx), &left.Range)
	} else if p.dstIdx != 0 {
		for k := range left.Subs {
			left.Subs[k].Lanes = in.ComposeLanes(p.dstIdx, left.Subs[k].Lanes)
		}
	}
	if !right.HasSubs() {
		c.mergeSubRange(left, &right.Range, lanesOf(p.srcIdx))
	} else {
		for k := range right.Subs {
			s := &right.Subs[k]
			c.mergeSubRange(left, &s.Range, in.ComposeLanes(p.srcIdx, s.Lanes))
		}
	}
	c.lhs.pruneMain(left)
	c.lhs.pruneSubValues(left)
	c.rhs.pruneSubValues(left)
}

// mergeSubRange joins r, which is of the given lanes, into the sub-ranges of li.
func (c *coalescer) mergeSubRange(li *liveness.Interval, r *liveness.Range, lanes desc.LaneMask) {
	c.v.RefineSubs(li, lanes, c.p.dstIdx, func(s *liveness.SubRange) {
		if s.Empty() {
			s.CopyFrom(r)
			return
		}
		// The joining uses its right side up, which may be joined with several.
		c.subCopy.CopyFrom(r)
		c.joinSub(&s.Range, &c.subCopy, s.Lanes)
	})
}

// joinSub joins the ranges of one set of lanes; that it succeeds is known.
func (c *coalescer) joinSub(a, b *liveness.Range, lanes desc.LaneMask) {
	p := &c.p
	// The values of the whole ranges' join are still needed.
	whole := c.newVals
	c.newVals = c.subVals[:0]
	l, r := &c.subLHS, &c.subRHS
	r.reset(c, b, p.src, p.srcIdx, lanes, true, true)
	l.reset(c, a, p.dst, p.dstIdx, lanes, true, true)
	if !l.mapValues(r) || !r.mapValues(l) || !l.resolve(r) || !r.resolve(l) {
		panic("register-coalescer: sub-ranges of two ranges that join do not")
	}
	c.ends = c.ends[:0]
	l.prune(r, false)
	r.prune(l, false)
	l.removeImplicitDefs()
	r.removeImplicitDefs()
	c.joinRanges(a, b, l, r)
	if len(c.ends) > 0 {
		// Where lanes are undefined at an end nothing needs to reach it.
		c.subUndefs = c.v.Undefs(c.subUndefs[:0], p.dst, lanes)
		c.v.ExtendTo(a, c.ends, c.subUndefs)
	}
	c.subVals, c.newVals = c.newVals, whole
}

// removeImplicitDefs removes the pruned values of IMPLICIT_DEFs that will go.
func (j *joinVals) removeImplicitDefs() {
	for k := range j.vals {
		x := &j.vals[k]
		if x.res == keep && x.implicitDef && x.pruned {
			removeSegments(j.r, liveness.ValueID(k))
			j.r.Vals[k].Def = 0
			j.c.newVals[x.assign].Def = 0
		}
	}
}

// pruneMain marks the values of the main range of li as pruned whose definitions
// are in no sub-range any more.
func (j *joinVals) pruneMain(li *liveness.Interval) {
	for k := range j.vals {
		d := j.r.Vals[k]
		if j.vals[k].res != keep || d.Unused() || d.IsPHI() || definedInSub(li, d.Def) {
			continue
		}
		j.vals[k].pruned = true
		j.c.shrinkMain = true
	}
}

func definedInSub(li *liveness.Interval, def liveness.Index) bool {
	for k := range li.Subs {
		s := &li.Subs[k]
		if v := s.Query(def).Out; v != liveness.NoValue && s.Vals[v].Def == def {
			return true
		}
	}
	return false
}

// pruneSubValues takes out of li's sub-ranges the values of lanes that were
// undefined where an erased copy copied them, and notes the lanes that end at one.
func (j *joinVals) pruneSubValues(li *liveness.Interval) {
	c, did := j.c, false
	for k := range j.vals {
		x := &j.vals[k]
		if x.res != erase && (x.res != keep || !x.implicitDef || !x.pruned) {
			continue
		}
		def, other := j.r.Vals[k].Def, liveness.Index(0)
		if x.identical {
			o := &c.lhs
			if j == o {
				o = &c.rhs
			}
			other = o.r.Vals[x.other].Def
		}
		for n := range li.Subs {
			s := &li.Subs[n]
			q := s.Query(def)
			if q.Out != liveness.NoValue && (q.In == liveness.NoValue || x.identical && x.res == erase && s.Vals[q.Out].Def == def) {
				c.subEnds = c.subEnds[:0]
				phi := s.Vals[q.Out].IsPHI()
				c.v.PruneValue(&s.Range, def, &c.subEnds)
				s.Vals[q.Out].Def = 0
				if x.identical && s.Query(other).Out != liveness.NoValue {
					c.v.ExtendTo(&s.Range, c.subEnds, nil)
				}
				if phi {
					c.shrinkLanes |= s.Lanes
				}
				did = true
				continue
			}
			if q.In != liveness.NoValue && q.LiveOut() == liveness.NoValue ||
				x.res == erase && q.In != liveness.NoValue && q.In == q.Out {
				c.shrinkLanes |= s.Lanes
			}
		}
	}
	if did {
		li.RemoveEmptySubs()
	}
}
