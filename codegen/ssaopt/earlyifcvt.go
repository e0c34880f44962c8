package ssaopt

import (
	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/tracemetrics"
	"github.com/mirin-go/mirin/mir"
)

// EarlyIfConverter makes branches around short blocks selects where a branch that is
// predicted wrongly would cost more: both ways are computed then, if there are units to
// spare, and the select waits for its condition. Targets ask for it
// (target.Tuning.EarlyIfCvt).
//
// Heads are visited behind those that they dominate, so that what is converted inside a
// block is there when the branch around it is looked at.
var EarlyIfConverter = pass.Pass{
	Name:     "early-ifcvt",
	Title:    "Early If-Conversion",
	Requires: mir.IsSSA,
	Optional: pass.Skippable,
	Run:      runEarlyIfConverter,
}

// earlyIfConverter is the state of a function.
type earlyIfConverter struct {
	ifConv
	c       *pass.Context
	metrics tracemetrics.Metrics
	traces  *tracemetrics.Ensemble // nil until asked for
	loops   *analysis.Loops
	stress  bool
	order   []mir.BlockID
	stack   []mir.BlockID
}

// ifcvtLimit is LLVM's early-ifcvt-limit.
const ifcvtLimit = 30

func runEarlyIfConverter(c *pass.Context, f *mir.Function) error {
	st := c.Subtarget
	t := &st.Options.Tuning.EarlyIfCvt
	if !t.On || st.Target.Instr.CanInsertSelect == nil {
		return nil
	}
	s := pass.Scratch[earlyIfConverter](c)
	limit := t.Limit.Or(ifcvtLimit)
	if t.Stress {
		limit = f.NumInstrIDs()
	}
	s.begin(f, st, limit)
	s.c, s.traces, s.stress = c, nil, t.Stress
	s.loops = &pass.Get[pass.Loops](c, f).Loops
	s.postorder(&pass.Get[pass.Dominators](c, f).Dominators)
	for _, b := range s.order {
		for s.find(b) {
			s.count("Number of triangles", "Number of diamonds")
			if !s.worth() {
				break
			}
			s.apply()
		}
	}
	return nil
}

// postorder lists the blocks in postorder of the tree of dominators.
func (s *earlyIfConverter) postorder(dom *analysis.Dominators) {
	s.order, s.stack = s.order[:0], append(s.stack[:0], s.f.FirstBlock())
	for len(s.stack) > 0 {
		b := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		s.order = append(s.order, b)
		dom.Children(int(b), func(n int) { s.stack = append(s.stack, mir.BlockID(n)) })
	}
	// That was a preorder, the last child first.
	for i, j := 0, len(s.order)-1; i < j; i, j = i+1, j-1 {
		s.order[i], s.order[j] = s.order[j], s.order[i]
	}
}

// apply converts what find found.
func (s *earlyIfConverter) apply() {
	if s.traces != nil {
		s.metrics.Invalidate(s.head)
		s.metrics.Invalidate(s.tail)
		for _, b := range [...]mir.BlockID{s.onTrue, s.onFalse} {
			if b != s.tail {
				s.metrics.Invalidate(b)
			}
		}
	}
	s.count("Number of triangles converted", "Number of diamonds converted")
	s.convert()
}

// count counts what find found for -stats.
func (s *earlyIfConverter) count(triangle, diamond string) {
	if s.isTriangle() {
		diamond = triangle
	}
	s.c.Count("early-ifcvt", diamond, 1)
}

// worth reports that what find found makes no critical path longer than a branch costs that
// is predicted wrongly half of the time, and that there is room for both ways.
func (s *earlyIfConverter) worth() bool {
	if s.stress {
		return true
	}
	if s.predictable() {
		return false
	}
	if s.traces == nil {
		s.metrics.Reset(s.c, s.f)
		s.traces = s.metrics.Ensemble(tracemetrics.MinInstrCount)
	}
	onTrue, onFalse := s.traces.Of(s.truePred()), s.traces.Of(s.falsePred())
	critical := min(onTrue.CriticalPath(), onFalse.CriticalPath())
	limit := s.metrics.MispredictPenalty() / 2
	var length int
	if s.onTrue != s.tail {
		length = onFalse.ResourceLength(s.onTrue)
	} else {
		length = onFalse.ResourceLength()
	}
	if length > critical+limit {
		return false
	}
	// The select waits for what the branch waits for.
	branch := s.traces.Of(s.head).Depth(s.f.FirstTerminator(s.head))
	tail := s.traces.Of(s.tail)
	for _, p := range s.phis {
		late := tail.Slack(p.phi) + tail.Depth(p.phi) + limit
		if branch+p.cost.Cond > late || onTrue.PHIDepth(p.phi)+p.cost.True > late || onFalse.PHIDepth(p.phi)+p.cost.False > late {
			return false
		}
	}
	return true
}

// predictable reports that the branch is in a loop and its condition computed of what the
// loop does not change, or of values that are: a load counts by its address, which often
// gives the same.
func (s *earlyIfConverter) predictable() bool {
	l := int(s.loops.Loop[s.head])
	if l < 0 {
		return false
	}
	for k := range s.cond {
		if o := &s.cond[k]; o.IsUse() && o.Reg().IsVirtual() && s.invariant(l, defOf(s.f, o.Reg()), true) {
			return true
		}
	}
	return false
}

// invariant reports that def reads virtual registers alone that are written outside of loop
// l; with deeper, that all that it reads are results of such instructions will do, too.
func (s *earlyIfConverter) invariant(l int, def mir.InstrID, deeper bool) bool {
	f := s.f
	if def == 0 {
		return true
	}
	outside, near := true, deeper
	for _, o := range f.Ops(def) {
		if !o.IsUse() || o.Reg() == 0 {
			continue
		}
		if o.Reg().IsPhysical() {
			return false
		}
		d := defOf(f, o.Reg())
		outside = outside && (d == 0 || !s.loops.Contains(l, int(f.Instr(d).Block())))
		near = near && s.invariant(l, d, false)
	}
	return outside || near
}
