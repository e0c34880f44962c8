package global

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Last-chance recolouring: what can neither be split nor spilled takes a register
// from others, each of which must find another one, in turn. The search goes
// maxRecolorDepth deep and gives up on a register that more than
// maxRecolorInterference others are in.
const (
	maxRecolorDepth        = 5
	maxRecolorInterference = 8
)

// firstSaved decides whether iv, for which only the unused callee-saved register p
// is free, is worth the save of it in the prologue. done is false when another way
// is to be tried, with registers that cost less than limit.
func (g *greedy) firstSaved(iv *liveness.Interval, o *allocOrder, p desc.PhysReg) (_ desc.PhysReg, limit uint8, done bool) {
	const any = 255
	cost := g.savedCost()
	if cost == 0 {
		return p, any, true
	}
	s := &g.split
	switch st := g.of(iv.Reg).stage; {
	case st == stageSpill && iv.Spillable():
		s.x.analyze(iv)
		if s.spillCost() >= cost {
			return p, any, true
		}
		return 0, 1, false
	case st < stageSplit:
		s.x.analyze(iv)
		k := s.bestRegion(o, &cost, 0, true)
		if k == noCand {
			return p, any, true
		}
		before := len(g.newVRegs)
		s.splitRegion(iv, k, false)
		if len(g.newVRegs) == before {
			return p, any, true
		}
		return 0, any, true
	}
	return p, any, true
}

// savedCost is the cost of the first use of a callee-saved register, as a
// frequency: what the prologue and the epilogue pay, in LLVM's measure (5 of 2^14
// runs of the entry).
func (g *greedy) savedCost() float64 { return 5.0 / (1 << 14) * g.place().entry }

func (g *greedy) place() *spillPlacement { return &g.split.place }

// recolor finds iv a register by moving others.
func (g *greedy) recolor(iv *liveness.Interval, o *allocOrder, depth int) (desc.PhysReg, bool) {
	if depth >= maxRecolorDepth {
		return 0, false
	}
	g.fixed = append(g.fixed, iv.Reg)
	defer func() { g.fixed = g.fixed[:len(g.fixed)-1] }()
	r := iv.Reg
	for k := range o.num() {
		p, _ := o.at(k)
		if p == 0 || g.matrix.Check(iv, mir.Reg(p)) > liveness.VirtRegInterf {
			continue
		}
		moved, ok := g.movable(iv, p)
		if !ok {
			continue
		}
		// Their places are noted, and taken back when this leads nowhere.
		was := make([]desc.PhysReg, len(moved))
		for n, m := range moved {
			was[n] = g.vrm.Phys(m)
			g.unassign(g.lis.Interval(m))
		}
		g.assign(g.lis.Interval(r), p)
		num, fixed := len(g.newVRegs), len(g.fixed)
		if g.recolorAll(moved, depth) {
			g.fixed = g.fixed[:fixed]
			g.unassign(g.lis.Interval(r))
			return p, true
		}
		g.fixed = g.fixed[:fixed]
		// What was split or spilled on the way stays so; it is allocated later.
		g.newVRegs = g.newVRegs[:max(num, len(g.newVRegs))]
		g.unassign(g.lis.Interval(r))
		for _, m := range moved {
			if g.vrm.Phys(m) != 0 {
				g.unassign(g.lis.Interval(m))
			}
		}
		for n, m := range moved {
			if g.lis.Has(m) && g.isUsed(m) && g.matrix.Check(g.lis.Interval(m), mir.Reg(was[n])) == liveness.Free {
				g.assign(g.lis.Interval(m), was[n])
			} else if g.lis.Has(m) && g.isUsed(m) {
				g.enqueue(m)
			}
		}
	}
	return 0, false
}

// movable lists what is in iv's way in p, if all of it may be moved.
func (g *greedy) movable(iv *liveness.Interval, p desc.PhysReg) ([]mir.Reg, bool) {
	var moved []mir.Reg
	ok := true
	g.matrix.Units(iv, mir.Reg(p), func(u desc.RegUnit, r *liveness.Range) bool {
		g.victims = g.matrix.AppendInterfering(g.victims[:0], r, u, maxRecolorInterference)
		ok = len(g.victims) < maxRecolorInterference
		for _, v := range g.victims {
			// What is placed for good stays, and what is like iv in all would only take its place.
			if slices.Contains(g.fixed, v) || g.of(v).stage == stageDone && g.f.VReg(v).Class == g.f.VReg(iv.Reg).Class && !g.isTied(iv.Reg) {
				ok = false
			}
			if !slices.Contains(moved, v) {
				moved = append(moved, v)
			}
		}
		return ok
	})
	return moved, ok
}

// isTied reports whether r is tied to another operand somewhere.
func (g *greedy) isTied(r mir.Reg) bool {
	for id := g.f.FirstUse(r); id != 0; id = g.f.NextUse(id) {
		if o := g.f.OpAt(id); o.IsDef() && o.IsTied() {
			return true
		}
	}
	return false
}

// recolorAll places registers that were moved, the heaviest work first.
func (g *greedy) recolorAll(moved []mir.Reg, depth int) bool {
	var q queue
	for _, r := range moved {
		q.push(g.priority(g.lis.Interval(r)), r)
	}
	for !q.empty() {
		r := q.pop()
		if !g.isUsed(r) {
			continue
		}
		iv := g.lis.Interval(r)
		num := len(g.newVRegs)
		g.matrix.Changed()
		p, ok := g.selectOrSplit(iv, depth+1)
		if !ok || g.err != nil || p == 0 && len(g.newVRegs) == num {
			return false
		}
		if p == 0 {
			// It was put off, split or spilled, or others were evicted: those come again later.
			if slices.Contains(g.newVRegs[num:], r) {
				return false
			}
			continue
		}
		g.assign(iv, p)
		g.fixed = append(g.fixed, r)
	}
	return true
}
