package pass

import (
	"fmt"
	"math/bits"
	"reflect"
	"slices"

	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/miranalysis"
)

// Analysis is what Get asks of a result: T is a struct whose zero value can be
// computed, again and again into the same memory.
type Analysis[T any] interface {
	*T
	// Compute finds the facts of f. It may Get what it stands on.
	Compute(c *Context, f *mir.Function)
	// Differs says how the result differs from another of the same function, ""
	// when it does not. The runner holds passes to what they claim to keep by it.
	Differs(other *T) string
	// OfCFG reports that the facts follow from blocks and edges alone.
	OfCFG() bool
}

// EdgeAnalysis marks an analysis that follows from mir.Function's blocks, their order,
// their edges and the probabilities of these, and that nobody changes: it holds until one of
// those is changed (CFGEdits), whatever passes claim to keep.
type EdgeAnalysis interface{ OfEdges() }

// Forgetter is an analysis that wants to know when its result no longer holds:
// one that listens to the function (mir.Listener) to stay true stops there.
type Forgetter interface{ Forget(f *mir.Function) }

// Checker is an analysis that can say by itself, from the function, what is wrong
// with it, "" for nothing. It need not be computed again to be compared: for
// those whose computing changes flags, and which may say more than one that is new.
type Checker interface{ Check(f *mir.Function) string }

// Kind names an analysis in Pass.Keeps.
type Kind struct{ t reflect.Type }

// KindOf returns the name of analysis T.
func KindOf[T any]() Kind { return Kind{reflect.TypeFor[T]()} }

// maxKinds is how many kinds of analyses a context can hold: a bit each.
const maxKinds = 64

// result is an analysis of the context's current function, or memory for one.
type result struct {
	kind  Kind
	ofCFG bool
	// edges says that it is an EdgeAnalysis, edits at which CFGEdits what it was computed from was computed.
	edges bool
	edits uint64
	value any // a *T; Get alone reads it
	// differs computes the analysis in another context and says how that differs.
	differs func(fresh *Context, f *mir.Function) string
}

// isValid reports whether result k holds.
func (c *Context) isValid(k int) bool { return c.valid>>k&1 != 0 }

// forget says that result k no longer holds.
func (c *Context) forget(k int, f *mir.Function) {
	if !c.isValid(k) {
		return
	}
	c.valid &^= 1 << k
	if x, ok := c.results[k].value.(Forgetter); ok {
		x.Forget(f)
	}
}

// eachValid calls f for each result that holds.
func (c *Context) eachValid(f func(k int)) {
	for m := c.valid; m != 0; m &= m - 1 {
		f(bits.TrailingZeros64(m))
	}
}

// Get returns analysis T of the function that the context works on, computed
// unless it is known. It is good until the pass ends, and after it for as long
// as passes keep it; a pass that changes what it stands on calls Drop.
func Get[T any, P Analysis[T]](c *Context, f *mir.Function) *T {
	if c.analysed != f {
		c.DropAll()
		c.analysed = f
	}
	k := 0
	for ; k < len(c.results); k++ {
		if v, ok := c.results[k].value.(*T); ok {
			if c.isValid(k) {
				c.edits = min(c.edits, c.results[k].edits)
				return v
			}
			break
		}
	}
	if k == len(c.results) {
		if k == maxKinds {
			panic("pass: too many kinds of analyses")
		}
		v := new(T)
		_, edges := any(v).(EdgeAnalysis)
		c.results = append(c.results, result{kind: KindOf[T](), ofCFG: P(v).OfCFG(), edges: edges, value: v,
			differs: func(fresh *Context, f *mir.Function) string {
				if x, ok := any(v).(Checker); ok {
					return x.Check(f)
				}
				return P(v).Differs(Get[T, P](fresh, f))
			}})
	}
	v := c.results[k].value.(*T)
	// What it stands on may be older than the function is now.
	outer := c.edits
	c.edits = f.CFGEdits()
	P(v).Compute(c, f)
	r := &c.results[k] // the slice may have grown meanwhile
	r.edits = c.edits
	c.valid |= 1 << k
	c.edits = min(c.edits, outer)
	if c.Stats != nil {
		c.Count("analyses", "Number of times that "+r.kind.String()+" was computed", 1)
	}
	return v
}

// Known returns analysis T of the function when it is at hand, nil when it would
// have to be computed: what a pass keeps true that others asked for.
func Known[T any](c *Context, f *mir.Function) *T {
	if c.analysed == f {
		for k := range c.results {
			if v, ok := c.results[k].value.(*T); ok && c.isValid(k) {
				return v
			}
		}
	}
	return nil
}

// String is the analysis' Go name.
func (k Kind) String() string { return k.t.Name() }

// Drop forgets an analysis that no longer holds.
func Drop[T any](c *Context) {
	for k := range c.results {
		if c.results[k].kind == KindOf[T]() {
			c.forget(k, c.analysed)
		}
	}
}

// DropAll forgets all analyses; their memory stays.
func (c *Context) DropAll() {
	c.eachValid(func(k int) { c.forget(k, c.analysed) })
	c.analysed = nil
}

// DropCFG forgets all analyses that follow from blocks and edges: a pass that
// keeps them unless it adds an edge, or a block, says so here.
func (c *Context) DropCFG() {
	c.eachValid(func(k int) {
		if c.results[k].ofCFG {
			c.forget(k, c.analysed)
		}
	})
}

// dropAfter forgets what pass p does not keep. With check, what it keeps is
// computed again and must come out the same.
func (c *Context) dropAfter(p *Pass, f *mir.Function, check bool) error {
	if !p.KeepsAll {
		c.eachValid(func(k int) {
			r := &c.results[k]
			if p.KeepsCFG && r.ofCFG || r.edges && !p.IR && r.edits == f.CFGEdits() || slices.Contains(p.Keeps, r.kind) {
				return
			}
			c.forget(k, f)
		})
	}
	if !check {
		return nil
	}
	if c.fresh == nil {
		c.fresh = &Context{}
	}
	c.fresh.Machine, c.fresh.Subtarget, c.fresh.Module, c.fresh.Opt = c.Machine, c.Subtarget, c.Module, c.Opt
	c.fresh.SubRegLiveness = c.SubRegLiveness
	c.fresh.DropAll()
	defer c.fresh.DropAll()
	for k := range c.results {
		if !c.isValid(k) {
			continue
		}
		if how := c.results[k].differs(c.fresh, f); how != "" {
			return fmt.Errorf("internal error: pass %s on function %s claims to keep the analysis %s, which it changes: %s",
				p.Name, f.Name, c.results[k].kind, how)
		}
	}
	return nil
}

// CFG is the control-flow graph; its nodes are mir.BlockIDs.
type CFG struct{ analysis.Graph }

// Compute builds the graph.
func (g *CFG) Compute(_ *Context, f *mir.Function) { miranalysis.FillCFG(&g.Graph, f) }

// Differs compares edges.
func (g *CFG) Differs(o *CFG) string {
	if g.NumNodes() != o.NumNodes() || g.NumEdges() != o.NumEdges() || g.Entry() != o.Entry() {
		return "the number of blocks or edges"
	}
	for e := range g.NumEdges() {
		a, b := g.Edge(e)
		if x, y := o.Edge(e); a != x || b != y {
			return fmt.Sprintf("the edge from block %d to %d", x, y)
		}
	}
	return ""
}

// OfCFG is true.
func (g *CFG) OfCFG() bool { return true }

// OfEdges says that it holds until an edge changes.
func (g *CFG) OfEdges() {}

// Dominators is the tree of dominators.
type Dominators struct{ analysis.Dominators }

// Compute finds the dominators.
func (d *Dominators) Compute(c *Context, f *mir.Function) {
	d.Dominators.Compute(&Get[CFG](c, f).Graph)
}

// Differs compares the trees.
func (d *Dominators) Differs(o *Dominators) string { return treesDiffer(&d.Dominators, &o.Dominators) }

// OfCFG is true.
func (d *Dominators) OfCFG() bool { return true }

// OfEdges says that it holds until an edge changes.
func (d *Dominators) OfEdges() {}

// PostDominators is the tree of post-dominators: the dominators of the graph
// turned round, whose entry is a node more than there are blocks.
type PostDominators struct {
	analysis.Dominators
	reverse analysis.Graph
}

// Compute finds the post-dominators.
func (d *PostDominators) Compute(c *Context, f *mir.Function) {
	Get[CFG](c, f).ReverseInto(&d.reverse)
	d.Dominators.Compute(&d.reverse)
}

// Differs compares the trees.
func (d *PostDominators) Differs(o *PostDominators) string {
	return treesDiffer(&d.Dominators, &o.Dominators)
}

// OfCFG is true.
func (d *PostDominators) OfCFG() bool { return true }

// OfEdges says that it holds until an edge changes.
func (d *PostDominators) OfEdges() {}

func treesDiffer(d, o *analysis.Dominators) string {
	if d.NumNodes() != o.NumNodes() {
		return "the number of blocks"
	}
	for n := range d.NumNodes() {
		if d.IDom(n) != o.IDom(n) {
			return fmt.Sprintf("the immediate dominator of block %d", n)
		}
	}
	return ""
}

// Loops is the nest of natural loops.
type Loops struct{ analysis.Loops }

// Compute finds the loops.
func (l *Loops) Compute(c *Context, f *mir.Function) {
	l.Loops.Compute(&Get[CFG](c, f).Graph, &Get[Dominators](c, f).Dominators)
}

// Differs compares the nests.
func (l *Loops) Differs(o *Loops) string {
	if !slices.Equal(l.All, o.All) {
		return "the list of loops"
	}
	if !slices.Equal(l.Loop, o.Loop) {
		return "the loop of a block"
	}
	return ""
}

// OfCFG is true.
func (l *Loops) OfCFG() bool { return true }

// OfEdges says that it holds until an edge changes.
func (l *Loops) OfEdges() {}

// Frequencies says how often each block runs for one run of the function. A
// pass that changes probabilities and no edge must not claim to keep it.
type Frequencies struct {
	analysis.Frequencies
	probs []mir.Prob
}

// Compute finds the frequencies.
func (q *Frequencies) Compute(c *Context, f *mir.Function) {
	q.probs = miranalysis.AppendProbs(q.probs[:0], f)
	q.Frequencies.Compute(&Get[CFG](c, f).Graph, &Get[Loops](c, f).Loops, func(edge int) uint32 { return uint32(q.probs[edge]) })
}

// Differs compares the frequencies.
func (q *Frequencies) Differs(o *Frequencies) string {
	if !slices.Equal(q.Freq, o.Freq) {
		return "the frequency of a block"
	}
	return ""
}

// OfCFG is true: probabilities belong to the edges.
func (q *Frequencies) OfCFG() bool { return true }

// OfEdges says that it holds until an edge changes.
func (q *Frequencies) OfEdges() {}
