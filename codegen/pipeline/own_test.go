package pipeline

import (
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

func names(passes []*pass.Pass) string {
	var ns []string
	for _, p := range passes {
		ns = append(ns, p.Name)
	}
	return strings.Join(ns, " ")
}

// TestOwnPasses: a target's passes stand where it says, and are found by name.
func TestOwnPasses(t *testing.T) {
	var ran []string
	run := func(name string) func(target.PassContext, *mir.Function) error {
		return func(target.PassContext, *mir.Function) error { ran = append(ran, name); return nil }
	}
	tgt := &target.Target{Name: "t", Family: &family.Row{Name: "T"}, Passes: []target.Pass{
		{Name: "t-first", After: "prologepilog", Run: run("first")},
		{Name: "t-second", After: "prologepilog", Run: run("second")},
		{Name: "t-early", Before: "prologepilog", Run: run("early")},
		{Name: "t-layout", After: "branch-folder", Optimizing: true, Run: run("layout")},
		{Name: "t-last", After: "cfi-instr-inserter", Run: run("last")},
		{Name: "t-behind-first", After: "nowhere,t-first,prologepilog", Run: run("behind")},
	}}
	for opt, want := range map[target.OptLevel][]string{
		0: {"t-early prologepilog t-first t-behind-first t-second postrapseudos", "cfi-instr-inserter t-last"},
		2: {"t-early prologepilog t-first t-behind-first t-second branch-folder", "branch-folder t-layout", "t-prelegalizer-combiner"},
	} {
		got := names(Passes(Options{Opt: opt, Target: tgt}))
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("-O%d: %s: no %s", opt, got, w)
			}
		}
		if strings.Contains(got, "t-layout") != (opt > 0) {
			t.Errorf("-O%d: %s", opt, got)
		}
	}
	if ByName("t-early", nil) != nil || ByName("t-elsewhere", tgt) != nil {
		t.Error("a pass that is not there is found")
	}
	p := ByName("t-early", tgt)
	if p == nil {
		t.Fatal("no t-early")
	}
	if err := p.Run(&pass.Context{}, nil); err != nil || len(ran) != 1 || ran[0] != "early" {
		t.Error("ran", ran, err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a pass without a place is taken")
		}
	}()
	tgt.Passes = []target.Pass{{Name: "t-lost", After: "nowhere"}}
	Passes(Options{Target: tgt})
}
