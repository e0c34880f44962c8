package pass

import (
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/mir"
)

// diamond makes f the blocks 1 → 2, 3 → 4.
func diamond(f *mir.Function) {
	f.Reset("f")
	for range 4 {
		f.AddBlock()
	}
	f.AddSucc(1, 2)
	f.AddSucc(1, 3)
	f.AddSucc(2, 4)
	f.AddSucc(3, 4)
}

// edges is a pass that adds an edge from block 2 to block 1, and says what it keeps.
func edges(p Pass) *Pass {
	p.Name = "edges"
	p.Run = func(c *Context, f *mir.Function) error {
		f.AddSucc(2, 1)
		return nil
	}
	return &p
}

func wants() *Pass {
	return &Pass{Name: "wants", KeepsAll: true, Run: func(c *Context, f *mir.Function) error {
		Get[Loops](c, f)
		Get[Frequencies](c, f)
		Get[PostDominators](c, f)
		return nil
	}}
}

func TestGet(t *testing.T) {
	f := mir.NewFunction("", nil)
	diamond(f)
	c := &Context{}
	d := Get[Dominators](c, f)
	if d.IDom(4) != 1 || d.IDom(2) != 1 || Get[PostDominators](c, f).IDom(1) != 4 {
		t.Error("wrong dominators")
	}
	f.AddSucc(4, 1)
	if len(Get[Loops](c, f).All) != 0 {
		t.Error("the graph was looked at again without need")
	}
	c.DropAll()
	if l := Get[Loops](c, f); len(l.All) != 1 || l.Depth(3) != 1 {
		t.Errorf("loops %v", l.All)
	}
	if q := Get[Frequencies](c, f); q.Freq[3]*2 != q.Freq[1] {
		t.Errorf("frequencies %v", q.Freq)
	}
	g := mir.NewFunction("", nil)
	g.AddBlock()
	if n := Get[CFG](c, g).NumEdges(); n != 0 {
		t.Error("another function got the graph of the first")
	}
}

// TestKeeps: what a pass does not keep is found anew, what it keeps is not
// touched, and a pass that lies is found where the runner verifies.
func TestKeeps(t *testing.T) {
	for _, x := range []struct {
		name string
		p    Pass
		lie  string
	}{
		{"nothing", Pass{}, ""},
		{"all", Pass{KeepsAll: true}, "keep the analysis Loops, which it changes: the list of loops"},
		{"cfg", Pass{KeepsCFG: true}, "edges"},
		{"named", Pass{Keeps: []Kind{KindOf[CFG]()}}, "keep the analysis CFG, which it changes: the number of blocks or edges"},
		{"dominators", Pass{Keeps: []Kind{KindOf[Dominators]()}}, ""}, // the edge back changes none
	} {
		var loops int
		check := &Pass{Name: "check", KeepsAll: true, Run: func(c *Context, f *mir.Function) error {
			loops = len(Get[Loops](c, f).All)
			return nil
		}}
		f := mir.NewFunction("", nil)
		for _, verify := range []bool{false, true} {
			r := &Runner{Passes: []*Pass{wants(), edges(x.p), check}, Config: Config{Verify: verify}}
			c := &Context{}
			diamond(f)
			err := r.Run(c, f, &Log{})
			switch {
			case verify && x.lie != "":
				if err == nil || !strings.Contains(err.Error(), x.lie) {
					t.Errorf("%s: error %v, want %q", x.name, err, x.lie)
				}
			case err != nil:
				t.Errorf("%s: %v", x.name, err)
			case x.lie == "" && loops != 1:
				t.Errorf("%s: the loop was not seen", x.name)
			}
		}
	}
}

// ofEdges is an analysis that counts how often it is computed, from the graph.
type ofEdges struct{ computed int }

func (o *ofEdges) Compute(c *Context, f *mir.Function) { Get[CFG](c, f); o.computed++ }
func (o *ofEdges) Differs(*ofEdges) string             { return "" }
func (o *ofEdges) OfCFG() bool                         { return true }
func (o *ofEdges) OfEdges()                            {}

// TestEdgeAnalysis: an analysis of the edges holds after passes that keep nothing,
// until blocks, their order, edges or probabilities change.
func TestEdgeAnalysis(t *testing.T) {
	for _, x := range []struct {
		name string
		p    Pass
		do   func(c *Context, f *mir.Function)
		want int
	}{
		{"nothing", Pass{}, func(*Context, *mir.Function) {}, 1},
		{"live-in", Pass{}, func(_ *Context, f *mir.Function) { f.AddLiveIn(2, 1, mir.AllLanes) }, 1},
		{"no move", Pass{}, func(_ *Context, f *mir.Function) { f.MoveBlockAfter(3, 2) }, 1},
		{"IR pass", Pass{IR: true}, func(*Context, *mir.Function) {}, 2},
		{"block", Pass{}, func(_ *Context, f *mir.Function) { f.AddBlock() }, 2},
		{"no block", Pass{}, func(_ *Context, f *mir.Function) { f.RemoveBlock(3) }, 2},
		{"order", Pass{}, func(_ *Context, f *mir.Function) { f.MoveBlockAfter(2, 3) }, 2},
		{"edge", Pass{}, func(_ *Context, f *mir.Function) { f.AddSucc(2, 1) }, 2},
		{"no edge", Pass{}, func(_ *Context, f *mir.Function) { f.RemoveSucc(1, 2) }, 2},
		{"other edge", Pass{}, func(_ *Context, f *mir.Function) { f.ReplaceSucc(2, 4, 1) }, 2},
		{"merged edge", Pass{}, func(_ *Context, f *mir.Function) { f.MergeSucc(1, 2, mir.ProbOne/8) }, 2},
		{"probability", Pass{}, func(_ *Context, f *mir.Function) { f.SetSuccProb(1, 0, mir.ProbOne/8) }, 2},
		{"probabilities", Pass{}, func(_ *Context, f *mir.Function) { f.NormalizeSuccProbs(1) }, 2},
		{"edges moved", Pass{}, func(_ *Context, f *mir.Function) { f.TransferSuccs(1, f.AddBlock()) }, 2},
		// What is computed within the pass stands on a graph from before the edge.
		{"stale", Pass{}, func(c *Context, f *mir.Function) {
			Drop[ofEdges](c)
			f.AddSucc(2, 1)
			Get[ofEdges](c, f)
		}, 3},
		{"fresh", Pass{}, func(c *Context, f *mir.Function) {
			f.AddSucc(2, 1)
			c.DropCFG()
			Get[ofEdges](c, f)
		}, 2},
	} {
		f, c := mir.NewFunction("", nil), &Context{}
		diamond(f)
		f.RemoveSucc(1, 2)
		f.RemoveSucc(1, 3)
		f.AddSuccProb(1, 2, mir.ProbOne/2)
		f.AddSuccProb(1, 3, mir.ProbOne/2)
		asks := &Pass{Name: "asks", KeepsAll: true, Run: func(c *Context, f *mir.Function) error {
			Get[ofEdges](c, f)
			return nil
		}}
		p := x.p
		p.Name, p.Run = "between", func(c *Context, f *mir.Function) error {
			x.do(c, f)
			return nil
		}
		r := &Runner{Passes: []*Pass{asks, &p, asks}}
		if err := r.Run(c, f, &Log{}); err != nil {
			t.Fatal(err)
		}
		if n := Get[ofEdges](c, f).computed; n != x.want {
			t.Errorf("%s: computed %d times, want %d", x.name, n, x.want)
		}
	}
}

// TestWarm: analyses of a warm context allocate nothing.
func TestWarm(t *testing.T) {
	f, c, r := mir.NewFunction("", nil), &Context{}, &Runner{Passes: []*Pass{wants()}}
	log := &Log{}
	diamond(f)
	if n := testing.AllocsPerRun(20, func() {
		if err := r.Run(c, f, log); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations per function", n)
	}
}

// TestGate: numbers depend on the function's place alone, and what may not be left out runs.
func TestGate(t *testing.T) {
	var ran []string
	step := func(name string, o Optional) *Pass {
		return &Pass{Name: name, Optional: o, Run: func(c *Context, f *mir.Function) error {
			if c.Opt == 0 {
				name += " relaxed"
			}
			ran = append(ran, name)
			return nil
		}}
	}
	passes := func() []*Pass { return []*Pass{step("a", Skippable), step("b", Required), step("c", Relaxable)} }
	for _, x := range []struct {
		gate    *Gate
		index   int
		optnone bool
		ran     string
		log     string
	}{
		{nil, 0, false, "a b c", ""},
		{&Gate{Bisect: true, Runs: Limit(-1)}, 0, false, "a b c", "BISECT: running pass (1) a on function (f)\nBISECT: running pass (2) c on function (f)\n"},
		{&Gate{Bisect: true, Runs: Limit(3)}, 1, false, "a b c relaxed", "BISECT: running pass (3) a on function (f)\nBISECT: NOT running pass (4) c on function (f)\n"},
		{&Gate{Bisect: true, Runs: []Interval{{4, 4}}, Quiet: true}, 1, false, "b c", ""},
		{&Gate{Disable: []string{"a"}}, 0, false, "b c", ""},
		{&Gate{Funcs: []string{"g"}}, 0, false, "b c relaxed", ""},
		{&Gate{Funcs: []string{"g", "f"}}, 0, false, "a b c", ""},
		{nil, 0, true, "b c", ""},
	} {
		ran = nil
		r, log := &Runner{Passes: passes(), Config: Config{Gate: x.gate}}, &Log{}
		f := mir.NewFunction("", nil)
		f.Reset("f")
		if err := r.Run(&Context{Opt: 2, Index: x.index, OptNone: x.optnone}, f, log); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(ran, " "); got != x.ran || string(log.Text) != x.log {
			t.Errorf("%+v: ran %q, said %q", x, got, log.Text)
		}
	}
}

func TestParseIntervals(t *testing.T) {
	got, err := ParseIntervals("1-10,20,30-31")
	if err != nil || !slices.Equal(got, []Interval{{1, 10}, {20, 20}, {30, 31}}) {
		t.Error(got, err)
	}
	for _, bad := range []string{"", "x", "2-1", "3,2", "1,,2", "-5", "1-2-3"} {
		if _, err := ParseIntervals(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// counted is an analysis that listens to the function: the number of its instructions.
type counted struct {
	mir.NoListener
	n int
}

func (a *counted) Compute(_ *Context, f *mir.Function) {
	a.n = 0
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			a.n++
		}
	}
	f.Listen(a)
}

func (a *counted) Differs(o *counted) string {
	if a.n != o.n {
		return "the number of instructions"
	}
	return ""
}

func (a *counted) OfCFG() bool            { return false }
func (a *counted) Forget(f *mir.Function) { f.Unlisten(a) }
func (a *counted) Created(mir.InstrID)    { a.n++ }

// TestForget: an analysis that listens stays true while it is kept, and hears no more when it is dropped.
func TestForget(t *testing.T) {
	f := mir.NewFunction("", nil)
	diamond(f)
	c := &Context{}
	a := Get[counted](c, f)
	f.Append(1, f.New(0))
	if Get[counted](c, f).n != 1 {
		t.Errorf("%d instructions, want 1", a.n)
	}
	r := &Runner{Passes: []*Pass{{Name: "asks", KeepsAll: true, Run: func(c *Context, f *mir.Function) error {
		Get[counted](c, f)
		return nil
	}}, {Name: "keeps", Keeps: []Kind{KindOf[counted]()}, Run: func(_ *Context, f *mir.Function) error {
		f.Append(2, f.New(0))
		return nil
	}}, {Name: "drops", Run: func(*Context, *mir.Function) error { return nil }}, {Name: "after", KeepsAll: true, Run: func(c *Context, f *mir.Function) error {
		f.Append(3, f.New(0))
		if a.n != 2 {
			t.Errorf("the analysis that was dropped counts %d instructions, want 2", a.n)
		}
		return nil
	}}}, Config: Config{Verify: true}}
	if err := r.Run(c, f, &Log{}); err != nil {
		t.Fatal(err)
	}
	if n := Get[counted](c, f).n; n != 3 {
		t.Errorf("%d instructions, want 3", n)
	}
	Drop[counted](c)
	f.Append(4, f.New(0))
	if a.n != 3 {
		t.Error("a dropped analysis still listens")
	}
}
