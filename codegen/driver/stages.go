package driver

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// ModulePasses takes the functions through the pipeline up to its last pass over the
// module, if there is one. What follows, which [Job.Assembly] and [Job.Object]
// do by themselves and Run does with the functions that the module defines
// then, goes on from there. All machine functions are in memory at once; the
// errors of a stage end the compilation behind it.
func (j *Job) ModulePasses() []error {
	for {
		k := j.Runner.NextModulePass()
		if k < 0 {
			return nil
		}
		if errs := j.stage(k); len(errs) > 0 {
			return errs
		}
	}
}

// stage runs the first k passes over all functions and the next one over the module.
func (j *Job) stage(k int) []error {
	m := &pass.Module{IR: j.Module, IDs: Defined(j.Module), Subtarget: j.subtarget}
	m.Funcs = make([]*mir.Function, len(m.IDs))
	kept := make(map[ir.GlobalID]*mir.Function, len(m.IDs))
	front, rest := j.Runner.Split(k, len(m.IDs))
	j.Runner = front
	if k > 0 || j.Input != nil {
		render := j.Worker
		j.Worker = func(bool) Render {
			return func(n int, f *mir.Function, st *target.Subtarget) (Finished, error) {
				return Finished{Keep: true, Join: func() error {
					if kept[m.IDs[n]] = f; st != nil || j.Machine == nil && f.FirstBlock() != 0 {
						m.Funcs[n] = f
					}
					return nil
				}}, nil
			}
		}
		totals, errs := j.Run(m.IDs)
		j.before = *totals
		j.Worker = render
		if len(errs) > 0 {
			return errs
		}
		j.Input = func(id ir.GlobalID) *mir.Function { return kept[id] }
	}
	c, r := j.newContext(), &result{}
	m.Log = &r.log
	r.err = rest.RunModule(c, m)
	errs := j.finish(r, nil)
	j.before.add(c)
	for n, f := range m.Funcs {
		if f != nil {
			kept[m.IDs[n]] = f
		}
	}
	_, j.Runner = rest.Split(1, 1)
	return errs
}

func (j *Job) subtarget(id ir.GlobalID) (*target.Subtarget, error) {
	return j.Machine.Subtarget(j.Module.Globals[id], j.Module)
}
