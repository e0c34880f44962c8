package pass

import (
	"fmt"
	"runtime/debug"
	"time"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// Module is what a pass over the module works on. No function is compiled while
// such a pass runs: it may change the module, which other passes only read.
type Module struct {
	IR *ir.Module
	// IDs are the defined functions that code is made for, in the module's order,
	// and Funcs their machine functions, nil for those that have no code yet.
	IDs   []ir.GlobalID
	Funcs []*mir.Function
	// Subtarget gives the subtarget of a function of the module.
	Subtarget func(id ir.GlobalID) (*target.Subtarget, error)
	// PrintInstr appends an instruction; nil when nothing can be printed.
	PrintInstr func(b []byte, f *mir.Function, i mir.InstrID) []byte
	// Log takes what LLVM writes to the standard error output.
	Log *Log
}

// Add adds a function, the last of the module, that has its code.
func (m *Module) Add(f *mir.Function) {
	m.IDs = append(m.IDs, f.IR.ID)
	m.Funcs = append(m.Funcs, f)
}

// NextModulePass returns the place of the first pass over the module, -1 when
// the pipeline has none.
func (r *Runner) NextModulePass() int {
	for k, p := range r.Passes {
		if p.RunModule != nil {
			return k
		}
	}
	return -1
}

// Split returns the passes in front of place k, and those from there on, which
// go on where the first ones stopped. funcs is the number of functions that the
// first ones run over.
func (r *Runner) Split(k, funcs int) (front, rest *Runner) {
	front, rest = &Runner{}, &Runner{}
	*front, *rest = *r, *r
	front.Passes, rest.Passes = r.Passes[:k], r.Passes[k:]
	rest.first, rest.numbered = r.first+k, r.numbered+front.optional()*funcs
	rest.Config.VerifyInput = false
	return front, rest
}

// RunModule runs the first pass, which is one over the module.
func (r *Runner) RunModule(c *Context, m *Module) (err error) {
	p := r.Passes[0]
	defer func() {
		if v := recover(); v != nil {
			err = &InternalError{Pass: p.Name, Value: v, Stack: debug.Stack()}
		}
	}()
	if p.Optional != Required && !r.Config.Gate.runModule(r.numbered+1, p, m) {
		return nil
	}
	if r.Config.PrintBeforeAll || has(r.Config.PrintBefore, p.Name) {
		r.dumpModule(m, "Before", p)
	}
	for _, f := range m.Funcs {
		if f == nil {
			continue
		}
		if missing := p.Requires &^ f.Props; missing != 0 {
			return fmt.Errorf("pass %s: function %s lacks the properties %v", p.Name, f.Name, missing)
		}
	}
	m.PrintInstr = r.Config.Hooks.PrintInstr
	start := time.Now()
	if err := p.RunModule(c, m); err != nil {
		return err
	}
	if r.Config.Time {
		c.addTime(r.first, time.Since(start))
	}
	for _, f := range m.Funcs {
		if f != nil {
			f.FreeLooseOps()
			f.Props = f.Props&^p.Clears | p.Sets
		}
	}
	if r.Config.PrintAfterAll || has(r.Config.PrintAfter, p.Name) {
		r.dumpModule(m, "After", p)
	}
	if !r.Config.Verify {
		return nil
	}
	for _, f := range m.Funcs {
		if f == nil {
			continue
		}
		if err := r.verify(c, f, m.Log, p); err != nil {
			return err
		}
	}
	return nil
}

// dumpModule writes LLVM's header and the IR of the module, or of those of its
// functions that dumps are limited to.
func (r *Runner) dumpModule(m *Module, when string, p *Pass) {
	if r.Config.Hooks.PrintModule == nil {
		return
	}
	b := append(m.Log.Text, "*** IR Dump "+when+" "+p.Title+" ("+p.Name+") ***\n"...)
	m.Log.Text = r.Config.Hooks.PrintModule(b, m.IR, r.shows)
}
