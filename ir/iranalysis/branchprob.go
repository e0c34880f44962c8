package iranalysis

import (
	"slices"

	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/ir"
)

// Probs are the probabilities of a function's branches.
type Probs struct {
	// Graph is what they were computed from, with its dominators and loops; Post
	// is the dominator tree of the reversed graph.
	Graph     *analysis.Graph
	Dom, Post analysis.Dominators
	Loops     analysis.Loops
	edge      []uint32
	reverse   analysis.Graph
	estimator estimator
}

// Edge returns the probability of edge e of the graph, out of analysis.ProbOne.
func (p *Probs) Edge(e int) uint32 { return p.edge[e] }

// The estimated weights of blocks, LLVM's: how often a block runs against one
// of which nothing is known.
const (
	weightUnreachable = 0
	weightLowest      = 1 // a call that does not return; where an exception lands
	weightCold        = 0xffff
	weightDefault     = 0xfffff
	unknownWeight     = -1
)

// Weights of the heuristics, LLVM's.
const (
	loopTrips     = 31 // an exit is taken once in so many rounds (124:4)
	likely        = 20 // pointers are not null, numbers not zero
	unlikely      = 12
	orderedWeight = 1<<20 - 1 // numbers are numbers
)

// BranchProbabilities estimates how often each branch is taken, as LLVM's
// BranchProbabilityInfo does: by !prof weights where there are some; else by
// what the ways lead to (unreachable code, calls that do not return or are
// cold, loop exits); else by what is compared.
func BranchProbabilities(f *ir.Function, g *analysis.Graph) *Probs {
	p := new(Probs)
	p.Compute(f, g)
	return p
}

// Compute is BranchProbabilities into the memory of p.
func (p *Probs) Compute(f *ir.Function, g *analysis.Graph) {
	p.Graph = g
	p.Dom.Compute(g)
	p.Loops.Compute(g, &p.Dom)
	g.ReverseInto(&p.reverse)
	p.Post.Compute(&p.reverse)
	p.edge = slices.Grow(p.edge[:0], g.NumEdges())[:g.NumEdges()]
	clear(p.edge)
	e := &p.estimator
	e.Probs, e.f, e.t = p, f, f.Module.Types
	e.estimate()
	for _, b := range f.Order {
		e.branch(b)
	}
	e.f, e.t = nil, nil
}

type estimator struct {
	*Probs
	f       *ir.Function
	t       *ir.Types
	weight  []int64 // by block, unknownWeight for none
	loopW   []int64 // by loop
	blocks  []int32 // work lists
	loops   []int32
	weights []uint64 // of the edges of the branch being looked at
}

// estimate gives weights to blocks and loops: to those that say something of
// themselves, then to all from which only such blocks are reached.
func (e *estimator) estimate() {
	g := e.Graph
	e.weight = slices.Grow(e.weight[:0], g.NumNodes())[:g.NumNodes()]
	e.loopW = slices.Grow(e.loopW[:0], len(e.Loops.All))[:len(e.Loops.All)]
	e.blocks, e.loops = e.blocks[:0], e.loops[:0]
	for i := range e.weight {
		e.weight[i] = unknownWeight
	}
	for i := range e.loopW {
		e.loopW[i] = unknownWeight
	}
	for _, b := range g.RPO() {
		if w := e.initial(ir.BlockID(b)); w >= 0 {
			e.spread(b, w)
		}
	}
	for len(e.blocks) > 0 || len(e.loops) > 0 {
		for len(e.loops) > 0 {
			l := e.loops[len(e.loops)-1]
			e.loops = e.loops[:len(e.loops)-1]
			e.loop(l)
		}
		for len(e.blocks) > 0 {
			b := e.blocks[len(e.blocks)-1]
			e.blocks = e.blocks[:len(e.blocks)-1]
			if e.weight[b] >= 0 || !g.Reachable(int(b)) {
				continue
			}
			top := int64(unknownWeight)
			for _, s := range g.Succs(int(b)) {
				w := e.edgeWeight(b, s)
				if w < 0 {
					top = unknownWeight
					break
				}
				top = max(top, w)
			}
			if top >= 0 {
				e.spread(b, top)
			}
		}
	}
}

// loop weighs a loop by the heaviest of its exits when all of them are known.
func (e *estimator) loop(l int32) {
	if e.loopW[l] >= 0 {
		return
	}
	top, ok := int64(unknownWeight), true
	e.Loops.Exits(int(l), func(_, from, to int) {
		w := e.edgeWeight(int32(from), int32(to))
		ok = ok && w >= 0
		top = max(top, w)
	})
	if !ok || top < 0 {
		return
	}
	e.loopW[l] = max(top, weightLowest) // it can be entered once at least
	h := int(e.Loops.All[l].Header)
	for _, p := range e.Graph.Preds(h) {
		if !e.Loops.Contains(int(l), int(p)) {
			e.blocks = append(e.blocks, p)
		}
	}
}

// initial is what a block says of itself, unknownWeight for nothing.
func (e *estimator) initial(b ir.BlockID) int64 {
	f := e.f
	term := f.Terminator(b)
	if term == 0 {
		return unknownWeight
	}
	noReturn, cold := false, false
	for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
		if f.Instrs[i].Op == ir.OpCall {
			noReturn = noReturn || e.callHas(i, "noreturn")
			cold = cold || e.callHas(i, "cold")
		}
	}
	if f.Instrs[term].Op == ir.OpUnreachable {
		if noReturn {
			return weightLowest
		}
		return weightUnreachable
	}
	for _, p := range e.Graph.Preds(int(b)) {
		t := f.Terminator(ir.BlockID(p))
		if f.Instrs[t].Op == ir.OpInvoke && f.Op(t, f.NumOps(t)-1).Block() == b {
			return weightLowest
		}
	}
	if cold {
		return weightCold
	}
	return unknownWeight
}

// callHas asks the call site and the called function for an attribute.
func (e *estimator) callHas(i ir.InstrID, attr string) bool {
	m := e.f.Module
	if m.Attrs.At(e.f.Instrs[i].Attrs).Fn.Has(attr) {
		return true
	}
	g := e.f.Callee(i).Global()
	return g != 0 && m.Attrs.At(m.Globals[g].Attrs).Fn.Has(attr)
}

// exits reports whether an edge leaves a loop, enters whether it enters one.
func (e *estimator) exits(from, to int32) bool {
	l := e.Loops.Loop[from]
	return l >= 0 && !e.Loops.Contains(int(l), int(to))
}

func (e *estimator) enters(from, to int32) bool {
	l := e.Loops.Loop[to]
	return l >= 0 && !e.Loops.Contains(int(l), int(from))
}

// edgeWeight is the weight of where an edge leads: of the loop that it enters, or of the block.
func (e *estimator) edgeWeight(from, to int32) int64 {
	if e.enters(from, to) {
		return e.loopW[e.Loops.Loop[to]]
	}
	return e.weight[to]
}

// spread gives a block its weight, and the blocks above that always lead to it
// in the same loop.
func (e *estimator) spread(b int32, w int64) {
	for x := b; x >= 0; x = int32(e.Dom.IDom(int(x))) {
		if !e.Post.Dominates(int(b), int(x)) {
			break
		}
		switch {
		case e.exits(x, b):
			e.loops = append(e.loops, e.Loops.Loop[x])
		case e.enters(x, b):
		default:
			if !e.set(x, w) {
				return
			}
		}
	}
}

// set gives a block its weight, once, and has its predecessors looked at.
func (e *estimator) set(b int32, w int64) bool {
	if e.weight[b] >= 0 {
		return false
	}
	e.weight[b] = w
	for _, p := range e.Graph.Preds(int(b)) {
		switch {
		case !e.Graph.Reachable(int(p)):
		case e.exits(p, b):
			if l := e.Loops.Loop[p]; e.loopW[l] < 0 {
				e.loops = append(e.loops, l)
			}
		case e.weight[p] < 0:
			e.blocks = append(e.blocks, p)
		}
	}
	return true
}

// branch fills in the probabilities of a block's edges.
func (e *estimator) branch(b ir.BlockID) {
	edges := e.Graph.SuccEdges(int(b))
	if len(edges) == 0 {
		return
	}
	e.weights = slices.Grow(e.weights[:0], len(edges))[:len(edges)]
	w := e.weights
	switch {
	case len(edges) == 1:
		w[0] = 1
	case e.metadata(b, w), e.estimated(b, w), e.compared(b, w):
	default:
		for k := range w {
			w[k] = 1
		}
		e.even(edges)
		return
	}
	total := uint64(0)
	for _, x := range w {
		total += x
	}
	for k, x := range w {
		e.edge[edges[k]] = uint32((x*analysis.ProbOne + total/2) / total)
	}
}

// even spreads the probability evenly, as 1/n rounded.
func (e *estimator) even(edges []int32) {
	n := uint64(len(edges))
	for _, x := range edges {
		e.edge[x] = uint32((analysis.ProbOne + n/2) / n)
	}
}

const mdProf = 2 // the fixed number of the metadata kind "prof"

// metadata reads !prof branch weights.
func (e *estimator) metadata(b ir.BlockID, w []uint64) bool {
	t := e.f.Terminator(b)
	if op := e.f.Instrs[t].Op; op != ir.OpBr && op != ir.OpSwitch && op != ir.OpIndirectBr && op != ir.OpInvoke && op != ir.OpCallBr {
		return false
	}
	if !BranchWeights(e.f, t, w) {
		return false
	}
	sum := uint64(0)
	for _, x := range w {
		sum += x
	}
	if scale := sum/0xffffffff + 1; scale > 1 {
		for k := range w {
			w[k] /= scale
		}
	}
	if sum == 0 {
		for k := range w {
			w[k] = 1
		}
	}
	return true
}

// BranchWeights fills in the weights that !prof gives the ways of a terminator
// or select, and reports whether there are as many as w has room for.
func BranchWeights(f *ir.Function, i ir.InstrID, w []uint64) bool {
	m := f.Module
	var node *ir.MDNode
	for a := f.Instrs[i].MD; a != 0; a = f.Attachments[a].Next {
		if f.Attachments[a].Kind == mdProf {
			node = m.MD.At(f.Attachments[a].Node)
		}
	}
	if node == nil || len(node.Ops) <= len(w) || len(node.Ops) > len(w)+2 {
		return false
	}
	if s := m.MD.At(node.Ops[0]); s == nil || s.Str != "branch_weights" {
		return false
	}
	for k, id := range node.Ops[len(node.Ops)-len(w):] {
		c := m.MD.At(id)
		if c == nil || c.Kind != ir.MDConst || c.Value.Const() == 0 {
			return false
		}
		w[k] = m.Consts.At(c.Value.Const()).Bits & 0xffffffff
	}
	return true
}

// estimated weighs a block's edges by where they lead.
func (e *estimator) estimated(b ir.BlockID, w []uint64) bool {
	found, total := false, uint64(0)
	for k, s := range e.Graph.Succs(int(b)) {
		x := e.edgeWeight(int32(b), s)
		if e.Graph.Reachable(int(b)) && e.exits(int32(b), s) && x != weightUnreachable {
			if x < 0 {
				x = weightDefault
			}
			x = max(weightLowest, x/loopTrips)
		}
		if x >= 0 {
			found = true
		} else {
			x = weightDefault
		}
		w[k] = uint64(x)
		total += w[k]
	}
	return found && total > 0
}

// compared guesses by the comparison that a conditional branch asks.
func (e *estimator) compared(b ir.BlockID, w []uint64) bool {
	f := e.f
	t := f.Terminator(b)
	if f.Instrs[t].Op != ir.OpBr || len(w) != 2 {
		return false
	}
	i := f.Op(t, 0).Instr()
	if i == 0 {
		return false
	}
	yes, no := uint64(likely), uint64(unlikely)
	taken := false
	switch in := &f.Instrs[i]; in.Op {
	case ir.OpICmp:
		if e.t.Kind(f.TypeOf(f.Op(i, 0))) == ir.KindPointer {
			if in.Pred != ir.ICmpEQ && in.Pred != ir.ICmpNE {
				return false
			}
			taken = in.Pred == ir.ICmpNE
			break
		}
		ok := false
		if taken, ok = e.zeroCompare(i); !ok {
			return false
		}
	case ir.OpFCmp:
		switch in.Pred {
		case ir.FCmpOEQ, ir.FCmpUEQ:
		case ir.FCmpONE, ir.FCmpUNE:
			taken = true
		case ir.FCmpORD:
			taken, yes, no = true, orderedWeight, 1
		case ir.FCmpUNO:
			yes, no = orderedWeight, 1
		default:
			return false
		}
	default:
		return false
	}
	if !taken {
		yes, no = no, yes
	}
	w[0], w[1] = yes, no
	return true
}

// comparesStrings knows the functions that give numbers whose sign and zero say nothing.
func comparesStrings(s string) bool {
	switch s {
	case "strcasecmp", "strcmp", "strncasecmp", "strncmp", "memcmp", "bcmp":
		return true
	}
	return false
}

// zeroCompare judges comparisons with 0, 1 and -1: numbers are rarely zero or negative.
func (e *estimator) zeroCompare(i ir.InstrID) (taken, ok bool) {
	f := e.f
	x, c := f.Op(i, 0), f.Op(i, 1).Const()
	if c == 0 || f.Consts.At(c).Kind != ir.ConstInt {
		return false, false
	}
	v, ok := f.Consts.SignedInt(e.t, f.Op(i, 1))
	if !ok {
		return false, false
	}
	if d := x.Instr(); d != 0 && f.Instrs[d].Op == ir.OpAnd {
		if k := f.Op(d, 1).Const(); k != 0 && f.Consts.At(k).Kind == ir.ConstInt {
			if bits := f.Consts.At(k).Bits; bits != 0 && bits&(bits-1) == 0 {
				return false, false // one bit tells as often yes as no
			}
		}
	}
	if d := x.Instr(); d != 0 && f.Instrs[d].Op == ir.OpCall && v == 0 {
		if g := f.Callee(d).Global(); g != 0 && comparesStrings(f.Module.Globals[g].Name) {
			switch f.Instrs[i].Pred {
			case ir.ICmpEQ:
				return false, true
			case ir.ICmpNE:
				return true, true
			}
			return false, false
		}
	}
	switch p := f.Instrs[i].Pred; {
	case v == 0 && (p == ir.ICmpEQ || p == ir.ICmpSLT), v == 1 && p == ir.ICmpSLT, v == -1 && p == ir.ICmpEQ:
		return false, true
	case v == 0 && (p == ir.ICmpNE || p == ir.ICmpSGT), v == -1 && (p == ir.ICmpNE || p == ir.ICmpSGT):
		return true, true
	}
	return false, false
}
