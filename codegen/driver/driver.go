package driver

import (
	"runtime"
	"sync"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// Job is one compilation of a module's functions.
type Job struct {
	// Machine is nil for runs without passes that ask for a target; Facts are given then.
	Machine *target.Machine
	Facts   *desc.Info
	Module  *ir.Module
	Runner  *pass.Runner
	// Workers is the number of goroutines; 0 means one per processor.
	Workers int
	// Stats asks for counters, returned in Totals.
	Stats bool
	// CheckRegAlloc is -verify-regalloc.
	CheckRegAlloc bool
	// Input gives the machine function to start from where it comes from MIR;
	// nil starts every function empty, for the pipeline's first pass to fill.
	Input func(id ir.GlobalID) *mir.Function
	// Skip leaves a function as it is; nil skips none.
	Skip func(f *mir.Function) bool
	// Emit takes each finished function, in order. The function is reused afterwards.
	Emit func(f *mir.Function, st *target.Subtarget) error
	// Log takes what passes had to say about a function, in order.
	Log func(text []byte)
}

// Totals are the counters of all workers.
type Totals struct {
	Stats map[pass.Stat]int64
	Times []pass.PassTime
}

// result is one function's way through the pipeline.
type result struct {
	f   *mir.Function
	st  *target.Subtarget
	log pass.Log
	err error
}

// Run compiles functions: ids gives each one's global . It returns the errors of all functions that failed, in order.
func (j *Job) Run(ids []ir.GlobalID) (*Totals, []error) {
	workers := j.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = max(1, min(workers, len(ids)))
	total := &Totals{}
	if workers == 1 {
		return total, j.serial(ids, total)
	}
	return total, j.parallel(ids, workers, total)
}

func (j *Job) facts() *desc.Info {
	if j.Machine != nil {
		return j.Machine.Facts
	}
	return j.Facts
}

func (j *Job) newContext() *pass.Context {
	c := &pass.Context{Machine: j.Machine, Module: j.Module, CheckRegAlloc: j.CheckRegAlloc}
	if j.Stats {
		c.Stats = map[pass.Stat]int64{}
	}
	return c
}

func (t *Totals) add(c *pass.Context) {
	for k, v := range c.Stats {
		if t.Stats == nil {
			t.Stats = map[pass.Stat]int64{}
		}
		t.Stats[k] += v
	}
	for k, pt := range c.Times {
		if k >= len(t.Times) {
			t.Times = append(t.Times, pass.PassTime{})
		}
		t.Times[k].Time += pt.Time
		t.Times[k].Runs += pt.Runs
	}
}

func (j *Job) serial(ids []ir.GlobalID, total *Totals) (errs []error) {
	c := j.newContext()
	f := mir.NewFunction("", j.facts())
	for i, id := range ids {
		c.Index = i
		r := j.one(c, f, id)
		errs = j.finish(r, errs)
	}
	total.add(c)
	return errs
}

// finish hands a result on: its log, its error or its code. After the first
// error nothing more is emitted, but all errors are collected.
func (j *Job) finish(r *result, errs []error) []error {
	if len(r.log.Text) > 0 && j.Log != nil {
		j.Log(r.log.Text)
	}
	switch {
	case r.err != nil:
		return append(errs, r.err)
	case len(errs) == 0 && j.Emit != nil:
		if err := j.Emit(r.f, r.st); err != nil {
			return append(errs, err)
		}
	}
	return errs
}

// one takes function i through the passes, in f unless it comes from MIR.
func (j *Job) one(c *pass.Context, f *mir.Function, id ir.GlobalID) *result {
	r := &result{}
	if j.Input != nil {
		f = j.Input(id)
	} else {
		g := j.Module.Globals[id]
		f.Reset(g.Name)
		f.Module, f.IR = j.Module, g.Func
	}
	r.f = f
	g := j.Module.Globals[id]
	if j.Skip != nil && j.Skip(f) {
		return r
	}
	if j.Machine != nil {
		st, err := j.Machine.Subtarget(g, j.Module)
		if err != nil {
			r.err = err
			return r
		}
		r.st = st
		c.Subtarget = st
		c.Opt = j.Machine.Options.Opt
	}
	if c.OptNone = g != nil && j.Module.Attrs.At(g.Attrs).Fn.Has("optnone"); c.OptNone {
		c.Opt = 0
	}
	r.err = j.Runner.Run(c, f, &r.log)
	return r
}

// parallel runs workers over the functions in order and finishes results in
// order. A worker takes a machine function from the free list; there are a few
// more of them than workers, which bounds memory when one function takes long.
func (j *Job) parallel(ids []ir.GlobalID, workers int, total *Totals) (errs []error) {
	free := make(chan *mir.Function, 4*workers)
	for range cap(free) {
		free <- mir.NewFunction("", j.facts())
	}
	results := make([]chan *result, len(ids))
	for i := range results {
		results[i] = make(chan *result, 1)
	}
	// A worker takes a function's number and a machine function in one step, so
	// that the lowest number still running always has one.
	var mu sync.Mutex
	next := 0
	take := func() (int, *mir.Function) {
		mu.Lock()
		defer mu.Unlock()
		if next == len(ids) {
			return -1, nil
		}
		i := next
		next++
		return i, <-free
	}
	contexts := make([]*pass.Context, workers)
	var wg sync.WaitGroup
	for w := range workers {
		contexts[w] = j.newContext()
		wg.Go(func() {
			for i, f := take(); i >= 0; i, f = take() {
				contexts[w].Index = i
				results[i] <- j.one(contexts[w], f, ids[i])
			}
		})
	}
	for i := range ids {
		r := <-results[i]
		errs = j.finish(r, errs)
		if j.Input == nil {
			free <- r.f
		} else {
			free <- nil
		}
	}
	wg.Wait()
	for _, c := range contexts {
		total.add(c)
	}
	return errs
}
