package pass

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// Where names a pass and, from 1, which of its runs in the pipeline is meant:
// LLVM's "name,N". N 0 means the first.
type Where struct {
	Name string
	N    int
}

// Hooks are what the runner needs from packages above: the printer and the
// verifier of machine functions.
type Hooks struct {
	// Print appends a dump of f.
	Print func(b []byte, c *Context, f *mir.Function) []byte
	// Verify appends a report of what is wrong with f and says how many faults
	// it is; banner heads the report, "" for none.
	Verify func(b []byte, c *Context, f *mir.Function, banner string) (report []byte, faults int)
	// PrintModule appends the IR of a module, where shows is true for all names, or of its functions that are shown.
	PrintModule func(b []byte, m *ir.Module, shows func(name string) bool) []byte
	// PrintInstr appends an instruction as a report shows it.
	PrintInstr func(b []byte, f *mir.Function, i mir.InstrID) []byte
}

// Config says what a Runner does beside running passes.
type Config struct {
	Hooks Hooks
	// PrintBefore and PrintAfter hold pass names; PrintAfterAll etc. mean every pass.
	PrintBefore, PrintAfter       []string
	PrintBeforeAll, PrintAfterAll bool
	// PrintChanged dumps a function after each pass that changed its text.
	PrintChanged bool
	// FilterFuncs limits dumps to these functions; empty or "*" for all.
	FilterFuncs []string
	Verify      bool
	// VerifyInput has a function verified before the first pass: it comes from outside.
	VerifyInput bool
	Time        bool
	// Gate decides about optional passes; nil runs them all.
	Gate *Gate
}

// Runner runs a list of passes over functions. It is shared by all workers.
type Runner struct {
	Passes []*Pass
	Config Config

	first    int // the place of the first pass in the pipeline that this one is the rest of
	numbered int // the runs of optional passes before it that have a number
}

// Log receives what a worker has to say about one function: dumps and reports.
// Each function has its own, so that the order of output does not depend on the workers.
type Log struct {
	Text []byte
}

// PassTime is the time spent in one pass of the pipeline, per worker.
type PassTime struct {
	Time time.Duration
	Runs int
}

// InternalError is a panic in a pass: a bug of ours.
type InternalError struct {
	Pass, Func string // Func is "" for passes over the module
	Value      any
	Stack      []byte
}

// Error names the pass and the function.
func (e *InternalError) Error() string {
	if e.Func == "" {
		return fmt.Sprintf("internal error in pass %q: %v", e.Pass, e.Value)
	}
	return fmt.Sprintf("internal error in pass %q on function %q: %v", e.Pass, e.Func, e.Value)
}

// VerifyError says that a function is wrong after a pass ("" for the input);
// the report of the machine verifier is in the Log.
type VerifyError struct {
	Pass, Func string
	Faults     int
	// What is wrong, "" being the machine code, and the Report where a pass itself looked.
	What, Report string
	// Text stands instead of the line that counts faults.
	Text string
}

// Error is LLVM's closing line.
func (e *VerifyError) Error() string {
	if e.Text != "" {
		return e.Text
	}
	return fmt.Sprintf("Found %d %s errors.", e.Faults, cmp.Or(e.What, "machine code"))
}

// Run runs all passes over f. A panic is recovered here, once per function.
func (r *Runner) Run(c *Context, f *mir.Function, log *Log) (err error) {
	current := ""
	defer func() {
		if v := recover(); v != nil {
			err = &InternalError{Pass: current, Func: f.Name, Value: v, Stack: debug.Stack()}
		}
		log.Text, c.warnings = append(log.Text, c.warnings...), c.warnings[:0]
	}()
	show := r.shows(f.Name)
	var before []byte
	if r.Config.PrintChanged && show {
		before = r.print(nil, c, f)
	}
	if r.Config.VerifyInput {
		if err := r.verify(c, f, log, nil); err != nil {
			return err
		}
	}
	c.DropAll()
	number := r.numbered + c.Index*r.optional()
	for k, p := range r.Passes {
		current = p.Name
		opt := c.Opt
		if p.Optional != Required {
			number++
			run := r.Config.Gate.run(number, p, f.Name, log)
			if p.Optional == Skippable && (!run || c.OptNone) {
				continue
			}
			if !run {
				c.Opt = 0
			}
		}
		if missing := p.Requires &^ f.Props; missing != 0 {
			return fmt.Errorf("pass %s: function %s lacks the properties %v", p.Name, f.Name, missing)
		}
		if show && (r.Config.PrintBeforeAll || has(r.Config.PrintBefore, p.Name)) {
			log.dump(r, c, f, "Before", p)
		}
		var start time.Time
		if r.Config.Time {
			start = time.Now()
		}
		if p.Print != nil {
			log.Text = p.Print(log.Text, r, c, f)
		} else if err := p.Run(c, f); err != nil {
			return err
		}
		c.Opt = opt
		f.FreeLooseOps()
		if r.Config.Time {
			c.addTime(r.first+k, time.Since(start))
		}
		f.Props = f.Props&^p.Clears | p.Sets
		if show && (r.Config.PrintAfterAll || has(r.Config.PrintAfter, p.Name)) {
			log.dump(r, c, f, "After", p)
		}
		if r.Config.PrintChanged && show {
			before = log.changed(r, c, f, p, before)
		}
		if how := c.dropAfter(p, f, r.Config.Verify); how != nil {
			return &InternalError{Pass: p.Name, Func: f.Name, Value: how}
		}
		if r.Config.Verify && !p.IR || p.Verify {
			if err := r.verify(c, f, log, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// verify runs the machine verifier after pass p; nil stands for the input.
func (r *Runner) verify(c *Context, f *mir.Function, log *Log, p *Pass) error {
	if r.Config.Hooks.Verify == nil {
		return nil
	}
	n, name, banner := len(log.Text), "", ""
	if p != nil {
		name = p.Name
		if !p.Verify {
			banner = "After " + p.Title
		}
	}
	var faults int
	if log.Text, faults = r.Config.Hooks.Verify(log.Text, c, f, banner); faults > 0 || len(log.Text) != n {
		return &VerifyError{Pass: name, Func: f.Name, Faults: faults}
	}
	return nil
}

func (r *Runner) shows(name string) bool {
	return len(r.Config.FilterFuncs) == 0 || has(r.Config.FilterFuncs, name) || has(r.Config.FilterFuncs, "*")
}

func has(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func (r *Runner) print(b []byte, c *Context, f *mir.Function) []byte {
	if r.Config.Hooks.Print == nil {
		return b
	}
	return r.Config.Hooks.Print(b, c, f)
}

// dump writes LLVM's header and the function.
func (l *Log) dump(r *Runner, c *Context, f *mir.Function, when string, p *Pass) {
	l.Text = append(l.Text, "# *** IR Dump "+when+" "+p.Title+" ("+p.Name+") ***:\n"...)
	l.Text = r.print(l.Text, c, f)
	l.Text = append(l.Text, '\n')
}

func (l *Log) changed(r *Runner, c *Context, f *mir.Function, p *Pass, before []byte) []byte {
	after := r.print(nil, c, f)
	if string(after) == string(before) {
		l.Text = append(l.Text, "# *** IR Dump After "+p.Title+" ("+p.Name+") on "+f.Name+" omitted because no change ***\n"...)
		return before
	}
	l.Text = append(l.Text, "# *** IR Dump After "+p.Title+" ("+p.Name+") on "+f.Name+" ***\n"...)
	l.Text = append(l.Text, after...)
	return after
}

func (c *Context) addTime(k int, d time.Duration) {
	if len(c.Times) <= k {
		c.Times = append(c.Times, make([]PassTime, k+1-len(c.Times))...)
	}
	c.Times[k].Time += d
	c.Times[k].Runs++
}

// Cut returns the part of a pipeline that -start-before, -start-after,
// -stop-before and -stop-after leave. An empty Where cuts nothing; a name that
// does not occur is an error.
func Cut(passes []*Pass, startBefore, startAfter, stopBefore, stopAfter Where) ([]*Pass, error) {
	lo, hi := 0, len(passes)
	var err error
	find := func(w Where, off, def int) int {
		if w.Name == "" {
			return def
		}
		n := max(w.N, 1)
		for k, p := range passes {
			if p.Name == w.Name {
				if n--; n == 0 {
					return k + off
				}
			}
		}
		if err == nil {
			err = fmt.Errorf("\"%s\" pass is not registered or not part of the pipeline", w.Name)
		}
		return def
	}
	lo = find(startBefore, 0, lo)
	lo = find(startAfter, 1, lo)
	hi = find(stopBefore, 0, hi)
	hi = find(stopAfter, 1, hi)
	if err != nil {
		return nil, err
	}
	if hi < lo {
		return nil, fmt.Errorf("the pass to stop at comes before the pass to start at")
	}
	return passes[lo:hi], nil
}
