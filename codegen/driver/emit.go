package driver

import (
	"fmt"

	"github.com/mirin-go/mirin/codegen/asmprinter"
	"github.com/mirin-go/mirin/codegen/dwarf"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/asmtext"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// Defined lists the functions of a module that code is made for.
func Defined(m *ir.Module) []ir.GlobalID {
	var ids []ir.GlobalID
	for _, id := range m.Funcs {
		if g := m.Globals[id]; g.Func != nil && g.Linkage != ir.AvailableExternally {
			ids = append(ids, id)
		}
	}
	return ids
}

// Shown are the comments of assembly text.
type Shown struct {
	Verbose  bool // what a value or a block is
	Encoding bool // the bytes of each instruction, with what is left to fix up
	Inst     bool // its opcode and operands
}

// Assembly compiles the module's functions and its data to assembly text.
func (j *Job) Assembly(show Shown) ([]byte, *Totals, []error) {
	m := j.Machine
	text := asmtext.New(m.NewMCContext(), m.Target.MC.Printer(m, m.Options.AsmVariant))
	if show.Encoding {
		text.Encodings(m.Target.MC.Encoder(m), m.Target.MC.Backend(m))
	}
	if show.Inst {
		text.ShowInst()
	}
	p := asmprinter.New(m, j.Module, text, m.Target.MC.AsmPrinter(m))
	p.Verbose = show.Verbose
	totals, errs := j.emit(p)
	if len(errs) == 0 {
		if err := text.Finish(); err != nil {
			errs = append(errs, err)
		}
	}
	return text.Output(), totals, errs
}

// Object compiles the module's functions and its data to an object in memory.
func (j *Job) Object() (*mc.Object, *Totals, []error) {
	m := j.Machine
	s, err := m.NewObjectStreamer()
	if err != nil {
		return nil, nil, []error{err}
	}
	p := asmprinter.New(m, j.Module, s, m.Target.MC.AsmPrinter(m))
	totals, errs := j.emit(p)
	if len(errs) > 0 {
		return nil, totals, errs
	}
	if err = s.Finish(); err == nil {
		var obj *mc.Object
		if obj, err = s.Object(); err == nil {
			return obj, totals, nil
		}
	}
	return nil, totals, []error{p.Explain(err)}
}

// emit runs all functions through the passes and prints them: several workers
// each into chunks that are joined in order, one alone straight to the output.
func (j *Job) emit(p *asmprinter.Printer) (*Totals, []error) {
	if err := j.Machine.RefusedModule(j.Module); err != nil {
		return nil, []error{err}
	}
	if errs := j.ModulePasses(); len(errs) > 0 {
		return &j.before, errs
	}
	p.OpenFile = j.OpenFile
	if d := dwarf.New(j.Machine, j.Module, j.Dwarf, p.Hooks.DTPOff); d != nil {
		p.Handle(d)
	}
	p.Handle(j.Handlers...)
	if err := p.Begin(); err != nil {
		return nil, []error{err}
	}
	e := &emitter{p: p}
	j.Worker = func(alone bool) Render {
		if alone {
			return func(n int, f *mir.Function, st *target.Subtarget) (Finished, error) {
				if st == nil {
					return Finished{}, notStarted(f)
				}
				return Finished{}, e.print(n, f, st)
			}
		}
		w := p.Fork()
		return func(n int, f *mir.Function, st *target.Subtarget) (Finished, error) {
			switch {
			case st == nil:
				return Finished{}, notStarted(f)
			case w.InOrder(f):
				return Finished{Keep: true, Refuses: true, Join: func() error { return e.print(n, f, st) }}, nil
			}
			c, err := w.Chunk(n, f, st)
			return Finished{Join: func() error { return p.Join(c) }}, err
		}
	}
	totals, errs := j.Run(Defined(j.Module))
	if len(errs) == 0 {
		if err := p.End(); err != nil {
			errs = append(errs, err)
		}
	}
	switch d, failed := p.Diagnostics(); {
	case failed:
		errs = append(errs, d)
	case len(errs) == 0 && j.Log != nil:
		for _, w := range d {
			j.Log(w.AppendText(nil))
		}
	}
	return totals, errs
}

// emitter prints functions straight to the output.
type emitter struct {
	p *asmprinter.Printer
	// rest prints what comes behind a function that was refused in the middle: whether
	// it is refused too, nothing else, is of interest then.
	rest *asmprinter.Printer
}

func (e *emitter) print(n int, f *mir.Function, st *target.Subtarget) error {
	if e.rest != nil {
		_, err := e.rest.Chunk(n, f, st)
		return err
	}
	err := e.p.Func(n, f, st)
	if err != nil {
		e.rest = e.p.Fork()
	}
	return err
}

func notStarted(f *mir.Function) error {
	return fmt.Errorf("function '%s' has no machine code to start from", f.Name)
}
