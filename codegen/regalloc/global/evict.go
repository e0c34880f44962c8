package global

import (
	"cmp"
	"math"
	"slices"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// evictionCost is what an eviction breaks: hints that were followed, then the
// weight of the heaviest register that loses its place.
type evictionCost struct {
	hints  int
	weight float32
}

const anyHints = math.MaxInt

func (c evictionCost) less(o evictionCost) bool {
	return c.hints < o.hints || c.hints == o.hints && c.weight < o.weight
}

// tryEvict takes a register from others that are cheaper to lose it. limit is the
// cost per use that the register must stay below; 255: any.
func (g *greedy) tryEvict(iv *liveness.Interval, o *allocOrder, limit uint8) desc.PhysReg {
	best, cost := desc.PhysReg(0), evictionCost{hints: anyHints}
	last := len(o.order)
	if limit < 255 {
		// Only a cheaper register is looked for: break no hints, and only evict what is lighter.
		cost = evictionCost{weight: iv.Weight}
		class := desc.ClassID(g.f.VReg(iv.Reg).Class)
		if g.classes.MinCost(class) >= limit {
			return 0
		}
		// A class often ends with many registers of one cost.
		if g.in.Regs[o.order[last-1]].Cost >= limit {
			last = g.classes.LastCostChange(class)
		}
	}
	for k := 0; k < len(o.hints)+last; k++ {
		p, hint := o.at(k)
		if p == 0 || g.in.Regs[p].Cost >= limit || limit == 1 && g.isUnusedSaved(p) || !g.canEvict(iv, p, false, &cost) {
			continue
		}
		if best = p; hint {
			break
		}
	}
	if best != 0 {
		g.evict(iv, best)
	}
	return best
}

// canEvict reports whether all that is in iv's way in p may be evicted for less
// than cost, which it then lowers. It stops at the first that may not, the common case.
func (g *greedy) canEvict(iv *liveness.Interval, p desc.PhysReg, isHint bool, cost *evictionCost) bool {
	if !iv.Empty() && (g.matrix.InterferesWithMask(iv, mir.Reg(p)) || g.matrix.InterferesWithUnits(iv, mir.Reg(p))) {
		return false
	}
	var sum evictionCost
	ok := true
	g.matrix.Units(iv, mir.Reg(p), func(u desc.RegUnit, r *liveness.Range) bool {
		n := 0
		g.matrix.EachInterfering(r, u, func(victim mir.Reg) bool {
			n++
			ok = n < maxInterference && g.canEvictOne(iv, victim, isHint, cost, &sum)
			return ok
		})
		return ok
	})
	if ok {
		*cost = sum
	}
	return ok
}

// canEvictOne adds the cost of evicting victim r to sum, and reports whether
// that is allowed and stays below cost.
func (g *greedy) canEvictOne(iv *liveness.Interval, r mir.Reg, isHint bool, cost, sum *evictionCost) bool {
	if slices.Contains(g.fixed, r) {
		return false
	}
	x, other := *g.of(r), g.lis.Interval(r)
	if x.stage == stageDone {
		return false // it can neither be split nor spilled
	}
	urgent := false
	if !iv.Spillable() {
		mine, its := desc.ClassID(g.f.VReg(iv.Reg).Class), desc.ClassID(g.f.VReg(r).Class)
		urgent = other.Spillable() || g.classes.NumAllocatable(mine) < g.classes.NumAllocatable(its)
	}
	switch cascade := g.cascadeOrNext(iv.Reg); {
	case cascade == x.cascade || cascade < x.cascade && !urgent:
		return false
	case cascade < x.cascade:
		sum.hints += 10 // a last resort
	}
	// Hints are followed if what loses its place can still be split.
	heavier := !urgent && iv.Weight <= other.Weight
	if heavier && !(isHint && x.stage < stageSpill) {
		return false
	}
	breaks := g.vrm.hasPreferred(r)
	if breaks {
		sum.hints++
	}
	sum.weight = max(sum.weight, other.Weight)
	if !sum.less(*cost) || heavier && breaks {
		return false
	}
	// Where only a cheaper register is wanted, changing places within a block leads nowhere.
	return urgent || cost.hints == anyHints || g.oneBlock(&other.Range) == 0 || !iv.Empty() && g.oneBlock(&iv.Range) == 0
}

// evict takes p from all that is in iv's way; they are allocated again.
func (g *greedy) evict(iv *liveness.Interval, p desc.PhysReg) {
	x := g.of(iv.Reg)
	if x.cascade == 0 {
		x.cascade = g.nextCascade
		g.nextCascade++
	}
	cascade := x.cascade
	g.victims = g.matrix.AppendInterferingWith(g.victims[:0], iv, mir.Reg(p), 0)
	for _, r := range g.victims {
		if g.vrm.Phys(r) == 0 {
			continue // in several units
		}
		g.unassign(g.lis.Interval(r))
		g.of(r).cascade = cascade
		g.newVRegs = append(g.newVRegs, r)
		g.c.Count(g.name, "Number of interferences evicted", 1)
	}
}

// hintInfo is a copy to or from a register: how often it runs, the other
// register and where that is; at is the copy's place.
type hintInfo struct {
	freq float64
	reg  mir.Reg
	phys desc.PhysReg
	at   liveness.Index
}

// recolorHints tries, when all is placed, to give registers that missed their
// hint what they want, and with them those that they are copied to and from.
func (g *greedy) recolorHints() {
	for _, r := range g.broken {
		if int(r.Index()) < g.f.NumVRegs() && g.vrm.Phys(r) != 0 && g.isUsed(r) {
			g.recolorHint(r)
		}
	}
}

func (g *greedy) recolorHint(start mir.Reg) {
	want := g.vrm.Phys(start)
	clear(g.visited)
	g.visited[start] = true
	g.work = append(g.work[:0], start)
	for len(g.work) > 0 {
		r := g.work[len(g.work)-1]
		g.work = g.work[:len(g.work)-1]
		now := g.vrm.Phys(r)
		if now == 0 {
			continue
		}
		iv := g.lis.Interval(r)
		if now != want && (!slices.Contains(g.order(r), want) || g.matrix.Check(iv, mir.Reg(want)) != liveness.Free) {
			continue
		}
		g.copiesOf(r)
		if now != want {
			if g.brokenFreq(now) < g.brokenFreq(want) {
				continue
			}
			g.unassign(iv)
			g.assign(iv, want)
		}
		for _, h := range g.hintInfo {
			if h.reg.IsVirtual() && !g.visited[h.reg] {
				g.visited[h.reg] = true
				g.work = append(g.work, h.reg)
			}
		}
	}
}

// copiesOf collects the copies to and from r.
func (g *greedy) copiesOf(r mir.Reg) {
	f := g.f
	g.hintInfo = g.hintInfo[:0]
	for id := f.FirstUse(r); id != 0; id = f.NextUse(id) {
		i, _ := f.Owner(id)
		if f.Instr(i).Opcode != desc.COPY || !g.isFullCopy(i) {
			continue
		}
		other := f.Op(i, 0).Reg()
		if other == r {
			if other = f.Op(i, 1).Reg(); other == r {
				continue
			}
		}
		p := desc.PhysReg(0)
		if other != 0 {
			p = g.vrm.physOf(other)
		}
		g.hintInfo = append(g.hintInfo, hintInfo{g.freq[f.Instr(i).Block()], other, p, g.idx.Of(i)})
	}
	slices.SortFunc(g.hintInfo, func(x, y hintInfo) int { return cmp.Compare(x.at, y.at) })
}

// brokenFreq is how often copies run that stay when the register is p.
func (g *greedy) brokenFreq(p desc.PhysReg) float64 {
	sum := 0.0
	for _, h := range g.hintInfo {
		if h.phys != p {
			sum += h.freq
		}
	}
	return sum
}
