package driver_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/driver"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/mir"
)

// TestModulePass: a pass over the module stands between all runs of the passes
// before it and all runs of those behind it, sees the functions in the module's
// order, and changes nothing that it does not mean to, for every number of workers.
func TestModulePass(t *testing.T) {
	src := program()
	want, _, errs := job(t, src, 1, 0).Assembly(driver.Shown{Verbose: true})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for _, at := range []int{0, 1, 4, 6} {
		var first []byte
		for _, workers := range []int{1, 3} {
			j := job(t, src, workers, 0)
			var log bytes.Buffer
			j.Log = func(b []byte) { log.Write(b) }
			j.Stats = true
			note := func(name string) *pass.Pass {
				return &pass.Pass{Name: name, KeepsAll: true, Optional: pass.Skippable, Run: func(c *pass.Context, f *mir.Function) error {
					c.Count("note", name, 1)
					return nil
				}}
			}
			over := &pass.Pass{Name: "over", Optional: pass.Skippable, RunModule: func(c *pass.Context, m *pass.Module) error {
				c.Count("note", "over", 1)
				for k, f := range m.Funcs {
					name := "nothing yet"
					if f != nil {
						name = f.Name
					}
					m.Log.Text = fmt.Appendf(m.Log.Text, "%s: %s\n", m.IR.Globals[m.IDs[k]].Name, name)
				}
				return nil
			}}
			for k, p := range j.Runner.Passes {
				own := *p
				own.Optional = pass.Required // leaves the numbers to the passes of this test
				j.Runner.Passes[k] = &own
			}
			j.Runner.Config.Gate = &pass.Gate{Bisect: true, Runs: pass.Limit(-1)}
			j.Runner.Passes = slices.Concat(j.Runner.Passes[:at], []*pass.Pass{note("front"), over, note("rest")}, j.Runner.Passes[at:])
			if at == 0 {
				j.Runner.Passes = j.Runner.Passes[1:]
			}
			got, totals, errs := j.Assembly(driver.Shown{Verbose: true})
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("behind %d passes, %d workers: another output than without a pass over the module", at, workers)
			}
			if first == nil {
				first = log.Bytes()
			}
			if !bytes.Equal(first, log.Bytes()) {
				t.Errorf("behind %d passes, %d workers: another log than of one", at, workers)
			}
			text := log.String()
			for _, s := range []string{"(1) over on module (t.ll)\nf0: nothing yet\n", "(2) rest on function (f0)", "(41) rest on function (f39)"} {
				if at > 0 {
					s = strings.NewReplacer("(1)", "(41)", "(2)", "(42)", "(41)", "(81)", "nothing yet", "f0").Replace(s)
				}
				if !strings.Contains(text, s) {
					t.Errorf("behind %d passes, %d workers: the log lacks %q", at, workers, s)
				}
			}
			for name, n := range map[string]int64{"front": 40, "over": 1, "rest": 40} {
				if at == 0 && name == "front" {
					continue
				}
				if got := totals.Stats[pass.Stat{Pass: "note", Desc: name}]; got != n {
					t.Errorf("%s ran %d times, want %d", name, got, n)
				}
			}
		}
	}
}

// TestModulePassErrors: the errors of all functions in front of a pass over the
// module are reported, and it does not run then; its own panic is an internal error.
func TestModulePassErrors(t *testing.T) {
	j := job(t, program(), 2, 0)
	j.Runner.Passes = []*pass.Pass{
		{Name: "odd", Run: func(c *pass.Context, f *mir.Function) error {
			if c.Index%2 == 1 {
				return errors.New(f.Name)
			}
			return nil
		}},
		{Name: "over", RunModule: func(*pass.Context, *pass.Module) error { return errors.New("ran") }},
	}
	if _, _, errs := j.Assembly(driver.Shown{}); len(errs) != 20 || errs[0].Error() != "f1" || errs[19].Error() != "f39" {
		t.Error(errs)
	}
	j = job(t, program(), 2, 0)
	j.Runner.Passes = []*pass.Pass{{Name: "over", RunModule: func(*pass.Context, *pass.Module) error { panic("fault") }}}
	_, _, errs := j.Assembly(driver.Shown{})
	var internal *pass.InternalError
	if len(errs) != 1 || !errors.As(errs[0], &internal) || internal.Pass != "over" || internal.Func != "" {
		t.Error(errs)
	}
}
