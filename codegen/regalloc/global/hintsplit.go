package global

import (
	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/desc"
)

// hintShare is the part of what the copies to and from a missed hint cost that a
// split may cost instead: less than all, so that the copies move into colder blocks.
const hintShare = 0.75

// splitAroundHint splits iv, for which a register is free that is not its hint p, around
// the region where it can be in p, if the copies at the border of that run more seldom
// than those that p makes needless: a function that calls on a rare way alone keeps its
// arguments where they came, and saves a register on that way only. It reports
// whether it did; newVRegs has the parts then.
func (g *greedy) splitAroundHint(iv *liveness.Interval, p desc.PhysReg) bool {
	// Copies in several cold blocks are more code, and parts are not split so once more.
	if g.optSize || g.of(iv.Reg).stage >= stageSplit2 || iv.Empty() || g.oneBlock(&iv.Range) != 0 {
		return false
	}
	cost := g.missedCopies(iv, p) * hintShare
	if cost == 0 {
		return false
	}
	s := &g.split
	s.x.analyze(iv)
	if !s.regionOf(p, cost) {
		return false
	}
	before := len(g.newVRegs)
	s.splitRegion(iv, 0, false)
	if len(g.newVRegs) == before {
		return false
	}
	g.c.Count("regalloc", "Number of live ranges split around their hint", 1)
	return true
}

// missedCopies is how often copies between iv's register and p run, where iv could be in p.
func (g *greedy) missedCopies(iv *liveness.Interval, p desc.PhysReg) (freq float64) {
	f := g.f
	r := iv.Reg
	for id := f.FirstUse(r); id != 0; id = f.NextUse(id) {
		i, _ := f.Owner(id)
		other := g.copyOf(i, r)
		if other == 0 || g.vrm.physOf(other) != p {
			continue
		}
		// What lives on behind the copy is not in the register that the other one takes.
		behind := g.idx.Of(i).Reg()
		if f.Op(i, 1).Reg() == r && iv.LiveAt(behind) || f.Op(i, 0).Reg() == r && other.IsVirtual() && g.lis.Interval(other).LiveAt(behind) {
			continue
		}
		freq += g.place().freq[f.Instr(i).Block()]
	}
	return freq
}

// regionOf finds the region, as candidate 0, where physical register p is worth having,
// and reports whether there is one that costs less than limit.
func (s *splitter) regionOf(p desc.PhysReg, limit float64) bool {
	s.limitRows = s.limitRows[:0]
	for range s.x.uses {
		s.limitRows = append(s.limitRows, blockConstraint{})
	}
	s.limits = s.limitRows
	cost, ok := s.useCost(p, s.limits, limit)
	if !ok {
		return false
	}
	c := s.cand(0, p)
	s.place.prepare(&c.bundles)
	if !s.addUses() || !s.grow(c, cost, limit) {
		return false
	}
	s.place.finish()
	return c.bundles.next(0) >= 0 && cost+s.regionCost(c) < limit
}
