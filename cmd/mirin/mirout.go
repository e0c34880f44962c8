package main

import (
	"bytes"
	"io"
	"sync"

	"github.com/mirin-go/mirin/codegen/driver"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/intrin"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/mirtext"
	"github.com/mirin-go/mirin/mir/mirverify"
	"github.com/mirin-go/mirin/target"
)

// runnerHooks gives the runner the printer and verifier of MIR.
func runnerHooks() pass.Hooks {
	// A verifier's tables serve one function after the other; workers take one each.
	verifiers := sync.Pool{New: func() any { return new(mirverify.Verifier) }}
	return pass.Hooks{
		Print: func(b []byte, c *pass.Context, f *mir.Function) []byte {
			return mirtext.AppendDebug(b, f, mirtext.PrintOptions{})
		},
		Verify: func(b []byte, c *pass.Context, f *mir.Function, banner string) ([]byte, int) {
			v := verifiers.Get().(*mirverify.Verifier)
			r := v.Verify(f, mirverify.Options{Banner: banner})
			v.Reset()
			verifiers.Put(v)
			if len(r.Errors) == 0 {
				return b, 0
			}
			return r.AppendText(b), len(r.Errors)
		},
		PrintModule: printModule,
		PrintInstr: func(b []byte, f *mir.Function, i mir.InstrID) []byte {
			return mirtext.NewDebugPrinter(f, mirtext.PrintOptions{}).AppendInstr(b, i)
		},
	}
}

// printModule prints the IR of a module, or of those of its functions that are shown.
func printModule(b []byte, m *ir.Module, shows func(name string) bool) []byte {
	all := true
	for _, id := range m.Funcs {
		all = all && shows(m.Globals[id].Name)
	}
	if all {
		return irtext.AppendModule(b, m)
	}
	for _, id := range m.Funcs {
		if shows(m.Globals[id].Name) {
			b = irtext.AppendFunction(b, m, id)
		}
	}
	return b
}

// prepareIR runs the passes over IR that the pipeline begins with and makes
// what they made of the functions the module's, which is printed.
func (c *compilation) prepareIR(stderr io.Writer) error {
	n := 0
	for n < len(c.runner.Passes) && c.runner.Passes[n].IR {
		n++
	}
	if n == 0 {
		return nil
	}
	all := c.runner.Passes
	defer func() { c.runner.Passes = all[n:] }()
	c.runner.Passes = all[:n]
	j := c.job(stderr)
	ids := driver.Defined(c.mod)
	bodies := make([]*ir.Function, len(ids))
	j.Worker = func(bool) driver.Render {
		return func(n int, f *mir.Function, _ *target.Subtarget) (driver.Finished, error) {
			if f.HasOwnIR() {
				bodies[n] = f.IR.Compact()
			}
			return driver.Finished{}, nil
		}
	}
	if _, errs := j.Run(ids); len(errs) > 0 {
		return c.reportAll(errs, stderr)
	}
	for n, body := range bodies {
		if body != nil {
			intrin.Declare(body)
			c.mod.SetBody(ids[n], body)
		}
	}
	return nil
}

// compileMIR runs the passes and prints MIR.
func (c *compilation) compileMIR(stderr io.Writer) ([]byte, error) {
	if err := c.prepareIR(stderr); err != nil {
		return nil, err
	}
	j := c.job(stderr)
	if errs := j.ModulePasses(); len(errs) > 0 {
		return nil, c.reportAll(errs, stderr)
	}
	o := mirtext.PrintOptions{Simplify: c.o.simplifyMIR, Slots: irtext.NewSlots(c.mod)}
	out := mirtext.AppendIR(outputBuffer(c.outSize()), c.mod)
	j.Worker = printMIR(&out, o)
	totals, errs := j.Run(driver.Defined(c.mod))
	c.totals = totals
	if len(errs) > 0 {
		return nil, c.reportAll(errs, stderr)
	}
	return out, nil
}

// printMIR makes workers that append functions to out.
func printMIR(out *[]byte, o mirtext.PrintOptions) func(alone bool) driver.Render {
	return func(alone bool) driver.Render {
		var buf []byte
		own := o
		own.Slots = o.Slots.Clone()
		return func(_ int, f *mir.Function, _ *target.Subtarget) (driver.Finished, error) {
			if alone {
				*out = mirtext.AppendFunction(*out, f, o)
				return driver.Finished{}, nil
			}
			buf = mirtext.AppendFunction(buf[:0], f, own)
			text := bytes.Clone(buf)
			return driver.Finished{Join: func() error {
				*out = append(*out, text...)
				return nil
			}}, nil
		}
	}
}

// outSize guesses the size of the MIR that is printed.
func (c *compilation) outSize() int {
	n := len(c.in.src)
	if c.in.mir == nil {
		n *= 4 // IR's lines are shorter, and registers and stack slots are not listed there
	}
	return n
}
