package irprep

import (
	"slices"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/iranalysis"
)

// loopCost is what a choice of formulae costs in each round, and before the loop.
type loopCost struct {
	instrs, regs, recs, adds, scaled, imm, setup int32
}

// loopSolver looks for the choice that costs least: greedily from each
// recurrence in turn, and then by branch and bound from the best of these.
type loopSolver struct {
	cost     loopCost
	recUses  [maxLoopRecs]int32
	invUses  []int32
	choice   []int32 // by use, the formula
	best     []int32
	bestCost loopCost
	found    bool
	order    []int32 // the uses, those with the fewest formulae first
	steps    int
}

// less orders costs as the target weighs them: what does not fit in registers
// is reloaded.
func (r *loopReducer) less(a, b *loopCost) bool {
	w := &r.st.Target.ISel.Prepare.Loops
	x := [...]int32{a.instrs + max(0, a.regs-int32(w.Registers)), a.regs, a.recs, a.adds, a.scaled, a.imm, a.setup}
	y := [...]int32{b.instrs + max(0, b.regs-int32(w.Registers)), b.regs, b.recs, b.adds, b.scaled, b.imm, b.setup}
	if !w.InstrsFirst {
		x[0], x[1], y[0], y[1] = x[1], x[0], y[1], y[0]
	}
	return slices.Compare(x[:], y[:]) < 0
}

// take adds a formula to the choice, n = 1, or takes it out, n = -1.
func (r *loopReducer) take(f *loopFormula, n int32) {
	s := &r.solver
	c := &s.cost
	c.instrs += n * f.instrs
	c.adds += n * f.adds
	c.scaled += n * f.scaled
	c.imm += n * f.imm
	r.takeRec(f.rec, n)
	if f.inv >= 0 {
		r.takeInv(f.inv, n)
	}
}

func (r *loopReducer) takeRec(k, n int32) {
	s := &r.solver
	before := s.recUses[k]
	s.recUses[k] += n
	if (before == 0) == (s.recUses[k] == 0) {
		return
	}
	s.cost.instrs += n
	s.cost.regs += n
	s.cost.recs += n
	s.cost.setup += n * r.recs[k].setup
	if i := r.recs[k].stepReg; i >= 0 {
		r.takeInv(i, n)
	}
}

func (r *loopReducer) takeInv(k, n int32) {
	s := &r.solver
	before := s.invUses[k]
	s.invUses[k] += n
	if (before == 0) == (s.invUses[k] == 0) {
		return
	}
	s.cost.regs += n
	s.cost.setup += n * r.invs[k].setup
}

// sortFormulae puts those first that cost least alone.
func (r *loopReducer) sortFormulae(fs []loopFormula) {
	alone := func(f *loopFormula) loopCost {
		c := loopCost{f.instrs, 1, 1, f.adds, f.scaled, f.imm, r.recs[f.rec].setup}
		if f.inv >= 0 {
			c.regs++
			c.setup += r.invs[f.inv].setup
		}
		return c
	}
	slices.SortStableFunc(fs, func(f, g loopFormula) int {
		a, b := alone(&f), alone(&g)
		switch {
		case r.less(&a, &b):
			return -1
		case r.less(&b, &a):
			return 1
		}
		return 0
	})
}

// solve chooses a formula for each use; false when none is better than what stands there.
func (r *loopReducer) solve() bool {
	s := &r.solver
	s.reset(len(r.uses), len(r.invs))
	slices.SortStableFunc(s.order, func(a, b int32) int {
		u, v := r.uses[a].forms, r.uses[b].forms
		return int(u.to-u.from) - int(v.to-v.from)
	})
	base := r.baseline()
	for k := range r.recs {
		r.greedy(int32(k))
	}
	r.search(0)
	if !s.found {
		return false
	}
	a, b := s.bestCost, base
	a = loopCost{instrs: a.instrs, regs: a.regs}
	b = loopCost{instrs: b.instrs, regs: b.regs}
	return r.less(&a, &b)
}

func (s *loopSolver) reset(uses, invs int) {
	s.cost, s.found, s.steps = loopCost{}, false, 0
	s.recUses = [maxLoopRecs]int32{}
	s.invUses = append(s.invUses[:0], make([]int32, invs)...)
	s.choice = append(s.choice[:0], make([]int32, uses)...)
	s.best = append(s.best[:0], make([]int32, uses)...)
	s.order = s.order[:0]
	for k := range uses {
		s.order = append(s.order, int32(k))
	}
}

// baseline is what the loop costs as it is: each use is computed from the PHI
// that it was found from. A comparison at the end that reads the value before
// the step keeps both alive.
func (r *loopReducer) baseline() loopCost {
	s := &r.solver
	for k := range r.uses {
		u := &r.uses[k]
		e := r.recurs(u.root)
		rec := int32(slices.IndexFunc(r.recs, func(c loopRec) bool { return c.expr == e }))
		found := false
		for n := u.forms.from; n < u.forms.to && rec >= 0 && !found; n++ {
			if f := &r.forms[n]; f.rec == rec && f.global == 0 {
				s.choice[k], found = n, true
				r.take(f, 1)
			}
		}
		if !found {
			// Something like a multiplication, and what it is added to.
			s.choice[k] = -1
			s.cost.instrs++
			s.cost.regs += 2
			if rec >= 0 {
				r.takeRec(rec, 1)
			}
		}
	}
	c := s.cost
	for k, v := range r.forest {
		if v.i == v.root && slices.ContainsFunc(r.forest[:k], func(w forestValue) bool { return w.i == w.root && r.recurs(w.i) == r.recurs(v.i) }) {
			c.instrs++ // it counts what another counts already
			c.regs++
		}
	}
	for k := range r.fixups {
		x := &r.fixups[k]
		if x.user == r.exitCompare && x.val == ir.Local(r.uses[x.use].root) && r.uses[x.use].kind == equalUse {
			c.instrs++
		}
	}
	s.reset(len(r.uses), len(r.invs))
	slices.SortStableFunc(s.order, func(a, b int32) int {
		u, v := r.uses[a].forms, r.uses[b].forms
		return int(u.to-u.from) - int(v.to-v.from)
	})
	return c
}

// recurs is the recurrence that a value of the forest is, without flags.
func (r *loopReducer) recurs(i ir.InstrID) iranalysis.Expr { return r.se.Plain(r.se.Of(ir.Local(i))) }

// greedy gives each use the formula with recurrence k if it has one, else that
// which adds least.
func (r *loopReducer) greedy(k int32) {
	s := &r.solver
	for _, n := range s.order {
		u := &r.uses[n]
		pick, cost := int32(-1), loopCost{}
		for i := u.forms.from; i < u.forms.to; i++ {
			f := &r.forms[i]
			r.take(f, 1)
			c := s.cost
			r.take(f, -1)
			mine, theirs := f.rec == k, pick >= 0 && r.forms[pick].rec == k
			if pick < 0 || mine && !theirs || mine == theirs && r.less(&c, &cost) {
				pick, cost = i, c
			}
		}
		s.choice[n] = pick
		r.take(&r.forms[pick], 1)
	}
	r.keepBest()
	for n := range r.uses {
		r.take(&r.forms[s.choice[n]], -1)
	}
}

func (r *loopReducer) keepBest() {
	s := &r.solver
	if !s.found || r.less(&s.cost, &s.bestCost) {
		s.found, s.bestCost = true, s.cost
		copy(s.best, s.choice)
	}
}

// search goes through the formulae of the uses from the at-th on; costs only
// grow, so that what is no better than the best already is left.
func (r *loopReducer) search(at int) {
	s := &r.solver
	if s.steps++; s.steps > maxSearch || s.found && !r.less(&s.cost, &s.bestCost) {
		return
	}
	if at == len(s.order) {
		r.keepBest()
		return
	}
	n := s.order[at]
	u := &r.uses[n]
	for i := u.forms.from; i < u.forms.to; i++ {
		s.choice[n] = i
		r.take(&r.forms[i], 1)
		r.search(at + 1)
		r.take(&r.forms[i], -1)
	}
}
