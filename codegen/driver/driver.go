package driver

import (
	"cmp"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/mirin-go/mirin/codegen/dwarf"
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
	// SubRegLiveness is -enable-subreg-liveness.
	SubRegLiveness bool
	// StripAllDebug is -mir-strip-debugify-only=0.
	StripAllDebug bool
	// Input gives the machine function to start from where it comes from MIR;
	// nil starts every function empty, for the pipeline's first pass to fill.
	Input func(id ir.GlobalID) *mir.Function
	// Bodies gives the bodies of functions that the module does not hold; nil
	// when it holds them all.
	Bodies Bodies
	// Skip leaves a function as it is; nil skips none.
	Skip func(f *mir.Function) bool
	// Worker makes what renders the functions that one worker finishes. It is
	// called before any function is compiled; alone says that there is no other
	// worker, and that functions come in the module's order. nil renders nothing.
	Worker func(alone bool) Render
	// Log takes what passes had to say about a function, in order.
	Log func(text []byte)

	// Dwarf is what flags say of debug information.
	Dwarf dwarf.Options
	// Handlers write what is to stand beside the code; they serve one output.
	Handlers []target.AsmHandler

	// OpenFile reads a file that assembly includes, and gives the name that messages have
	// for it; nil: assembly includes none.
	OpenFile func(name string) (shown string, text []byte, err error)

	before  Totals      // of the stages before the one that runs
	stopped atomic.Bool // there was an error, and bodies come from Bodies
}

// Bodies reads the bodies of a module's functions when their turn comes. The
// first error, of theirs or of a pass, ends the compilation: whoever has Bodies
// begins again with the whole module, to find all errors.
type Bodies interface {
	// Length is a measure of how long it takes to compile a function.
	Length(id ir.GlobalID) int
	// NewReader makes what reads bodies for one worker. Each is good until the
	// next is read.
	NewReader() func(id ir.GlobalID) (*ir.Function, error)
}

// Render makes output of function number n of the ids given to Run. It is asked for
// all that the passes let through, also after an error, so that every function that
// it refuses is named.
type Render func(n int, f *mir.Function, st *target.Subtarget) (Finished, error)

// Finished is a function's share of the output. The zero value says that the
// output has it already.
type Finished struct {
	// Join adds it; shares are joined in the module's order, one at a time.
	Join func() error
	// Keep says that Join reads the machine function, which is then not reused.
	Keep bool
	// Refuses says that Join may refuse the function: it is called after an error, too.
	Refuses bool
}

// Totals are the counters of all workers.
type Totals struct {
	Stats map[pass.Stat]int64
	Times []pass.PassTime
}

// result is one function's way through the pipeline.
type result struct {
	log  pass.Log
	part Finished
	err  error
}

// Run compiles functions: ids gives each one's global. It returns the errors of all functions that failed, in order.
func (j *Job) Run(ids []ir.GlobalID) (*Totals, []error) {
	workers := j.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = max(1, min(workers, len(ids)))
	total := &Totals{}
	*total = j.before
	j.stopped.Store(false)
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
	c := &pass.Context{Machine: j.Machine, Module: j.Module, CheckRegAlloc: j.CheckRegAlloc, SubRegLiveness: j.SubRegLiveness, StripAllDebug: j.StripAllDebug}
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
	w := j.newWorker(true)
	for n, id := range ids {
		r := w.compile(n, id)
		errs = j.finish(r, errs)
	}
	total.add(w.c)
	return errs
}

// finish hands a result on: its log, its error or its code. After the first
// error nothing more is joined but what may have an error of its own: all are collected.
func (j *Job) finish(r *result, errs []error) []error {
	if len(r.log.Text) > 0 && j.Log != nil {
		j.Log(r.log.Text)
	}
	if r.err == nil && r.part.Join != nil && (len(errs) == 0 || r.part.Refuses) {
		r.err = r.part.Join()
	}
	if r.err != nil {
		errs = append(errs, r.err)
	}
	return errs
}

// worker compiles one function after the other.
type worker struct {
	j      *Job
	c      *pass.Context
	f      *mir.Function // reused; nil when the last one is kept
	render Render
	read   func(id ir.GlobalID) (*ir.Function, error) // nil: the module holds all bodies
}

func (j *Job) newWorker(alone bool) *worker {
	w := &worker{j: j, c: j.newContext()}
	if j.Worker != nil {
		w.render = j.Worker(alone)
	}
	if j.Bodies != nil {
		w.read = j.Bodies.NewReader()
	}
	return w
}

// compile takes function number n through the passes and renders it.
func (w *worker) compile(n int, id ir.GlobalID) *result {
	r := &result{}
	if w.read != nil {
		if w.j.stopped.Load() {
			r.err = errStopped
			return r
		}
		defer func() {
			if r.err != nil {
				w.j.stopped.Store(true)
			}
		}()
	}
	w.c.Index = n
	if w.f == nil && w.j.Input == nil {
		w.f = mir.NewFunction("", w.j.facts())
	}
	f, st, err := w.one(id, &r.log)
	if r.err = err; err == nil && w.render != nil {
		r.part, r.err = w.render(n, f, st)
		if r.part.Keep {
			w.f = nil
			if w.read != nil && r.err == nil {
				r.err = errKept
			}
		}
	}
	return r
}

// errKept is met by no module that Bodies reads: blocks whose address is taken
// are referred to by more than their function.
var errKept = errors.New("the body of a function is needed after the next one is read")

// errStopped is the error of functions that are not looked at after the first one.
var errStopped = errors.New("not compiled: there was an error before")

// one takes a function through the passes, in w.f unless it comes from MIR.
func (w *worker) one(id ir.GlobalID, log *pass.Log) (f *mir.Function, st *target.Subtarget, err error) {
	j, c := w.j, w.c
	switch g := j.Module.Globals[id]; {
	case j.Input != nil:
		f = j.Input(id)
	default:
		f = w.f
		f.Reset(g.Name)
		f.Module, f.IR = j.Module, g.Func
		if w.read != nil {
			if f.IR, err = w.read(id); err != nil {
				return f, nil, err
			}
		}
	}
	g := j.Module.Globals[id]
	if j.Skip != nil && j.Skip(f) {
		return f, nil, nil
	}
	if j.Machine != nil {
		if st, err = j.Machine.Subtarget(g, j.Module); err != nil {
			return f, nil, err
		}
		c.Subtarget = st
		c.Opt = j.Machine.Options.Opt
	}
	if c.OptNone = g != nil && j.Module.Attrs.At(g.Attrs).Fn.Has("optnone"); c.OptNone {
		c.Opt = 0
	}
	return f, st, j.Runner.Run(c, f, log)
}

// parallel runs workers over the functions, long ones first, so that no long
// one is left when the others are done, and joins what they made in the
// module's order as soon as it is there. Each worker has one machine function:
// memory is that of the largest, for each worker, and of finished code.
func (j *Job) parallel(ids []ir.GlobalID, workers int, total *Totals) (errs []error) {
	order := j.order(ids)
	results := make([]chan *result, len(ids))
	for i := range results {
		results[i] = make(chan *result, 1)
	}
	var next atomic.Int64
	ws := make([]*worker, workers)
	for k := range ws {
		ws[k] = j.newWorker(false)
	}
	var wg sync.WaitGroup
	for _, w := range ws {
		wg.Go(func() {
			for k := next.Add(1) - 1; k < int64(len(order)); k = next.Add(1) - 1 {
				n := order[k]
				results[n] <- w.compile(int(n), ids[n])
			}
		})
	}
	for n := range ids {
		errs = j.finish(<-results[n], errs)
		results[n] = nil
	}
	wg.Wait()
	for _, w := range ws {
		total.add(w.c)
	}
	return errs
}

// order is the order in which workers take functions: long ones first, by
// length, then the others in the module's order, so that what is made of them
// is joined, and its memory free, at once. Long is what would keep the others
// waiting for more than a hundredth of the time if it came last.
func (j *Job) order(ids []ir.GlobalID) []int32 {
	size, order := make([]int, len(ids)), make([]int32, len(ids))
	total := 0
	for n, id := range ids {
		order[n] = int32(n)
		switch {
		case j.Input != nil:
			size[n] = j.Input(id).NumInstrIDs()
		case j.Bodies != nil:
			size[n] = j.Bodies.Length(id)
		default:
			size[n] = len(j.Module.Globals[id].Func.Instrs)
		}
		total += size[n]
	}
	for n := range size {
		if size[n] <= total/100 {
			size[n] = 0
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(size[b], size[a]) })
	return order
}
