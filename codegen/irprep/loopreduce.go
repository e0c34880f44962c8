package irprep

import (
	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/iranalysis"
	"github.com/mirin-go/mirin/mir"
)

// LoopReduce chooses what a loop counts with: all that changes by one step in
// each round (…_uses.go) can be computed from one of several recurrences, with
// an invariant value beside it, scaled, or as an address that the access takes
// in (…_formula.go). The cheapest choice for all uses together is looked for
// (…_solve.go), and becomes PHIs of the loop with what they start with before
// it and their step at its end (…_rewrite.go, …_expand.go). A comparison that
// ends the loop reads the value after the step.
//
// New computations carry no flags, so that none is poison where the old one
// was not; what they read is part of what they replace.
var LoopReduce = pass.Pass{
	Name:     "loop-reduce",
	Title:    "Loop Strength Reduction",
	IR:       true,
	Optional: pass.Skippable,
	Run:      runLoopReduce,
}

// The bounds of the work on one loop: what exceeds them is left as it is, or
// is decided by what was found until then.
const (
	maxLoopFixups = 256
	maxLoopUses   = 64
	maxLoopRecs   = 32
	maxLoopPhis   = 32   // of a loop around, looked at
	maxSearch     = 4096 // steps of the search for the best choice
)

// loopReducer is the state of the pass for one function, and for one of its loops.
type loopReducer struct {
	preparer
	g     analysis.Graph
	dom   analysis.Dominators
	loops analysis.Loops
	se    iranalysis.ScalarEvolution
	made  []ir.BlockID // blocks that were made before loops
	came  []cameFrom   // the sources of the PHIs of these loops before

	loop               int
	header, pre, latch ir.BlockID
	exitCompare        ir.InstrID // what the latch asks, if it alone; else 0

	forest []forestValue
	place  []int32 // by instruction: 1 + its index in forest
	fixups []loopFixup
	uses   []loopUse
	recs   []loopRec
	invs   []loopInvariant
	forms  []loopFormula
	unk    []iranalysis.Expr // runs of unknowns of uses and recurrences
	solver loopSolver

	expanded []expansion
	outer    []outerPhi
}

// forestValue is an instruction or PHI of the loop whose value is a recurrence
// of it, and the PHI that it was found from.
type forestValue struct {
	i, root ir.InstrID
}

// cameFrom is one source of a PHI, in the order in which it named them.
type cameFrom struct {
	phi  ir.InstrID
	from ir.Value
}

func runLoopReduce(c *pass.Context, mf *mir.Function) error {
	if mf.IR == nil || mf.FirstBlock() != 0 {
		return nil // from MIR, past this pass
	}
	r := pass.Scratch[loopReducer](c)
	if !r.hasBackEdge(mf.IR) {
		return nil
	}
	r.start(c, mf)
	r.findLoops()
	if len(r.loops.All) == 0 {
		return nil
	}
	r.f = mf.OwnIR()
	r.f.IndexUses()
	if r.enterLoops() {
		r.findLoops()
	}
	r.se.Reset(r.f, r.dl, &r.g, &r.dom, &r.loops)
	r.place = append(r.place[:0], make([]int32, len(r.f.Instrs))...)
	for x := len(r.loops.All) - 1; x >= 0; x-- {
		if r.begin(x) && r.collect() {
			r.reduce()
		}
		r.end()
	}
	r.leaveLoops()
	r.f.DropUses()
	return nil
}

// hasBackEdge reports whether a branch leads to its own block or to one that
// stands before it, as one of each loop does.
func (r *loopReducer) hasBackEdge(f *ir.Function) bool {
	r.place = append(r.place[:0], make([]int32, len(f.Blocks))...)
	at := r.place
	for k, b := range f.Order {
		at[b] = int32(k)
	}
	for k, b := range f.Order {
		for _, s := range f.Succs(b) {
			if at[s] <= int32(k) {
				return true
			}
		}
	}
	return false
}

func (r *loopReducer) findLoops() {
	iranalysis.FillCFG(&r.g, r.f)
	r.dom.Compute(&r.g)
	r.loops.Compute(&r.g, &r.dom)
}

// enterLoops gives a block of its own to the way into each loop that has
// something to count and no such block, and reports whether there was one.
func (r *loopReducer) enterLoops() bool {
	f := r.f
	r.made, r.came = r.made[:0], r.came[:0]
	for x := range r.loops.All {
		h := ir.BlockID(r.loops.All[x].Header)
		if r.loops.All[x].Latches != 1 || r.loops.Preheader(x) >= 0 || !r.counts(h) {
			continue
		}
		r.edges = r.edges[:0]
		ok := true
		for u := range f.Preds(h) {
			from := int(f.Instrs[u.I].Block)
			if from >= r.g.NumNodes() || !r.g.Reachable(from) {
				ok = false
				break
			}
			if r.loops.Contains(x, from) {
				continue
			}
			op := f.Instrs[u.I].Op
			ok = ok && (op == ir.OpBr || op == ir.OpSwitch)
			r.edges = append(r.edges, u)
		}
		if ok && len(r.edges) > 0 {
			for phi := range f.Phis(h) {
				for n := 1; n < f.NumOps(phi); n += 2 {
					r.came = append(r.came, cameFrom{phi, f.Op(phi, n)})
				}
			}
			r.made = append(r.made, r.funnel(h))
		}
	}
	return len(r.made) > 0
}

// counts reports whether a block has a PHI that may count.
func (r *loopReducer) counts(h ir.BlockID) bool {
	for phi := range r.f.Phis(h) {
		if r.reducible(r.f.Instrs[phi].Type) {
			return true
		}
	}
	return false
}

// reducible reports types whose values are taken apart: integers in one
// register, and pointers that are numbers.
func (r *loopReducer) reducible(t ir.Type) bool {
	switch r.t.Kind(t) {
	case ir.KindInteger:
		w := r.t.IntBits(t)
		return w >= 8 && w <= 64 && r.dl.IsNativeInt(w)
	case ir.KindPointer:
		as := r.t.AddrSpace(t)
		p := r.dl.Pointer(as)
		return !r.dl.IsNonIntegral(as) && p.IndexBits == p.Bits && p.Bits <= 64
	}
	return false
}

// funnel leads the edges in r.edges, which are all that reach h from outside a
// loop, through a new block.
func (r *loopReducer) funnel(h ir.BlockID) ir.BlockID {
	f := r.f
	if len(r.edges) == 1 {
		return f.SplitEdge(r.edges[0].I, r.edges[0].N, "")
	}
	mid := f.AddBlockAfter(f.Instrs[r.edges[len(r.edges)-1].I].Block, "")
	br := f.Append(mid, ir.Instr{Op: ir.OpBr, Type: ir.Void, Loc: f.Instrs[r.edges[0].I].Loc}, ir.BlockVal(h))
	outside := func(b ir.BlockID) bool {
		for _, u := range r.edges {
			if f.Instrs[u.I].Block == b {
				return true
			}
		}
		return false
	}
	var in, kept []ir.Value
	for phi := range f.Phis(h) {
		in, kept = in[:0], kept[:0]
		same := true
		for k := 0; k < f.NumOps(phi); k += 2 {
			v, b := f.Op(phi, k), f.Op(phi, k+1)
			if !outside(b.Block()) {
				kept = append(kept, v, b)
				continue
			}
			in = append(in, v, b)
			same = same && v == in[0]
		}
		v := in[0]
		if !same {
			v = ir.Local(f.InsertBefore(br, ir.Instr{Op: ir.OpPhi, Type: f.Instrs[phi].Type}, in...))
		}
		f.SetOps(phi, append(kept, v, ir.BlockVal(mid)))
	}
	for _, u := range r.edges {
		f.SetOp(u.I, u.N, ir.BlockVal(mid))
	}
	return mid
}

// leaveLoops takes out the blocks of enterLoops in which nothing came to stand.
func (r *loopReducer) leaveLoops() {
	f := r.f
	gone := false
	for _, b := range r.made {
		t := f.Terminator(b)
		if to := f.Op(t, 0).Block(); r.onlyPhisFor(b, to) {
			r.mergeEmpty(b, to)
			gone = true
		}
	}
	if gone {
		f.DropClearedBlocks()
	}
	r.reorderSources()
}

// reorderSources gives PHIs that have the sources of before enterLoops again
// their order too: a loop that stays as it was is what it was to the letter.
func (r *loopReducer) reorderSources() {
	f := r.f
	var ops []ir.Value
	for a := 0; a < len(r.came); {
		phi := r.came[a].phi
		b := a
		ops = ops[:0]
		for ; b < len(r.came) && r.came[b].phi == phi; b++ {
			if v := f.Incoming(phi, r.came[b].from.Block()); v != 0 {
				ops = append(ops, v, r.came[b].from)
			}
		}
		if len(ops) == 2*(b-a) && f.NumOps(phi) == len(ops) && f.Instrs[phi].Block != 0 {
			f.SetOps(phi, ops)
		}
		a = b
	}
}

// begin turns to a loop, and reports whether it has one way in and one back
// where instructions can stand.
func (r *loopReducer) begin(x int) bool {
	f := r.f
	r.loop, r.exitCompare = x, 0
	r.forest, r.fixups, r.uses, r.recs = r.forest[:0], r.fixups[:0], r.uses[:0], r.recs[:0]
	r.invs, r.forms, r.unk = r.invs[:0], r.forms[:0], r.unk[:0]
	r.expanded, r.outer = r.expanded[:0], r.outer[:0]
	l := &r.loops.All[x]
	pre := r.loops.Preheader(x)
	if l.Latches != 1 || pre < 0 {
		return false
	}
	r.header, r.pre = ir.BlockID(l.Header), ir.BlockID(pre)
	if f.Instrs[f.Terminator(r.pre)].Op != ir.OpBr || r.firstPlace(r.header) == 0 {
		return false
	}
	for _, p := range r.g.Preds(int(r.header)) {
		if int(p) != pre && r.g.Reachable(int(p)) {
			r.latch = ir.BlockID(p)
		} else if int(p) != pre {
			return false
		}
	}
	t := f.Terminator(r.latch)
	if op := f.Instrs[t].Op; op != ir.OpBr && op != ir.OpSwitch {
		return false
	}
	if f.Instrs[t].Op != ir.OpBr || f.NumOps(t) != 3 {
		return true
	}
	c := f.Op(t, 0).Instr()
	leaves := !r.loops.Contains(x, int(f.Op(t, 1).Block())) || !r.loops.Contains(x, int(f.Op(t, 2).Block()))
	if c != 0 && leaves && f.Instrs[c].Op == ir.OpICmp && f.HasOneUse(ir.Local(c)) && r.loops.Loop[f.Instrs[c].Block] == int32(x) {
		r.exitCompare = c
	}
	return true
}

// end forgets what was noted about the loop.
func (r *loopReducer) end() {
	for _, v := range r.forest {
		r.place[v.i] = 0
	}
}

// reduce chooses and rewrites.
func (r *loopReducer) reduce() {
	if len(r.uses) == 0 || !r.candidates() {
		return
	}
	if !r.solve() {
		return
	}
	r.rewrite()
	r.se.Forget()
	if n := len(r.f.Instrs) - len(r.place); n > 0 {
		r.place = append(r.place, make([]int32, n)...)
	}
}
