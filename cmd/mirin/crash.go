package main

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/mirin-go/mirin/codegen/driver"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/mir/mirtext"
)

// writeReproducer writes the MIR of a function as it was before the pass that
// failed on it, and says how to run that pass alone. The passes before it are
// run again from the input: they are deterministic, and no copy of each
// function need be kept.
func (c *compilation) writeReproducer(e *pass.InternalError, stderr io.Writer) {
	text, ext, err := c.before(e)
	if err != nil {
		fmt.Fprintf(stderr, "llc: note: no reproducer: %v\n", err)
		return
	}
	f, err := os.CreateTemp("", "mirin-"+e.Pass+"-*"+ext)
	if err != nil {
		fmt.Fprintf(stderr, "llc: note: no reproducer: %v\n", err)
		return
	}
	_, err = f.Write(text)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		fmt.Fprintf(stderr, "llc: note: no reproducer: %v\n", err)
		return
	}
	how := "-run-pass=" + e.Pass
	if ext == ".ll" {
		how = "-stop-after=" + e.Pass
	}
	fmt.Fprintf(stderr, "llc: note: the function before the pass is in %s\nllc: note: to see it again: mirin llc -O%s %s %s -o -\n",
		f.Name(), c.o.opt, how, f.Name())
}

// before gives the function as it was before the pass, as MIR, or the module
// as IR where there was no machine code yet.
func (c *compilation) before(e *pass.InternalError) (text []byte, ext string, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("making it failed too: %v", v)
		}
	}()
	in, err := c.o.parse(c.in.name, c.in.src, c.in.mir != nil)
	if err != nil {
		return nil, "", err
	}
	n := slices.IndexFunc(c.runner.Passes, func(p *pass.Pass) bool { return p.Name == e.Pass })
	if n <= 0 && in.mir == nil {
		return irtext.AppendModule(nil, in.mod), ".ll", nil
	}
	again := &compilation{o: c.o, mod: in.mod, in: in, m: c.m, runner: &pass.Runner{Passes: c.runner.Passes[:max(n, 0)]}}
	j := again.job(io.Discard)
	j.Workers = 1
	if errs := j.ModulePasses(); len(errs) > 0 {
		return nil, "", errs[0]
	}
	text = mirtext.AppendIR(nil, in.mod)
	j.Worker = printMIR(&text, mirtext.PrintOptions{Slots: irtext.NewSlots(in.mod)})
	ids := driver.Defined(in.mod)
	if e.Func != "" {
		ids = []ir.GlobalID{in.mod.Lookup(e.Func)}
	}
	_, errs := j.Run(ids)
	if len(errs) > 0 {
		return nil, "", errs[0]
	}
	return text, ".mir", nil
}
