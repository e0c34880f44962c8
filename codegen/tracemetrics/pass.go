package tracemetrics

import (
	"fmt"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/mir"
)

// Pass finds the traces of all blocks by all strategies and checks that they agree with
// themselves, for -run-pass: it changes nothing.
var Pass = pass.Pass{Name: "machine-trace-metrics", Title: "Machine Trace Metrics", KeepsAll: true,
	Run: func(c *pass.Context, f *mir.Function) error {
		if f.Props&mir.IsSSA == 0 {
			return nil
		}
		m := pass.Scratch[Metrics](c)
		m.Reset(c, f)
		for s := range numStrategies {
			if err := m.Ensemble(s).check(); err != nil {
				return fmt.Errorf("internal error: traces of function %s: %w", f.Name, err)
			}
		}
		return nil
	}}

// check looks at the traces of all blocks.
func (e *Ensemble) check() error {
	m, f := e.m, e.m.f
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		t := e.Of(b)
		x, n := &e.blocks[b], f.Block(b).Number
		if p := x.pred; p != 0 && (x.depth != e.blocks[p].depth+m.instrs(p) || x.head != e.blocks[p].head || !f.HasSucc(p, b)) {
			return fmt.Errorf("bb.%d does not follow bb.%d", n, f.Block(p).Number)
		}
		if s := x.succ; s != 0 && (x.height != e.blocks[s].height+m.instrs(b) || !f.HasSucc(b, s)) {
			return fmt.Errorf("bb.%d does not lead to bb.%d", n, f.Block(s).Number)
		}
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if t.Slack(i) < 0 {
				return fmt.Errorf("an instruction of bb.%d is later than the critical path of %d cycles", n, t.CriticalPath())
			}
		}
		if l := t.ResourceLength(); l < int(x.depth+x.height)/m.model.IssueWidth() {
			return fmt.Errorf("bb.%d needs %d cycles for %d instructions", n, l, x.depth+x.height)
		}
	}
	return nil
}
