package main

import (
	"bytes"
	"errors"
	"io"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/ir/irverify"
	"github.com/mirin-go/mirin/mir/mirtext"
)

// deferredBodies reads, checks and hands out the bodies of a module's functions
// one by one, so that the module is never in memory as a whole.
type deferredBodies struct {
	*irtext.Deferred
	apart *irverify.Apart
}

// errRefused says that the module must be read as a whole.
var errRefused = errors.New("the module is not compiled function by function")

// NewReader is for one worker.
func (b deferredBodies) NewReader() func(id ir.GlobalID) (*ir.Function, error) {
	r, check := b.Deferred.NewReader(), b.apart.NewChecker()
	return func(id ir.GlobalID) (*ir.Function, error) {
		f := r.Read(id)
		if f == nil || !check.Function(b.Module.Globals[id], f) {
			return nil, errRefused
		}
		return f, nil
	}
}

// others checks the functions that no code is made for.
func (b deferredBodies) others() bool {
	var read func(id ir.GlobalID) (*ir.Function, error)
	for _, id := range b.Module.Funcs {
		if g := b.Module.Globals[id]; g.Func == nil || g.Linkage != ir.AvailableExternally {
			continue
		}
		if read == nil {
			read = b.NewReader()
		}
		if _, err := read(id); err != nil {
			return false
		}
	}
	return true
}

// mayDefer reports that the flags ask for nothing but code: what passes print
// about functions, or to MIR, shows the module as it is when it is read whole.
func (o *llcOptions) mayDefer() bool {
	return !o.mirOutput() && o.startBefore == "" && o.startAfter == "" && !o.printPasses && o.debugPass == "" &&
		len(o.printAfter)+len(o.printBefore)+len(o.filter) == 0 && !o.printAfterAll && !o.printBeforeAll && !o.printChanged &&
		o.bisect == "" && o.bisectLimit == "" && len(o.bisectFuncs) == 0 && !o.ignored.disableVerify && !o.stats && !o.timePasses
}

// compileDeferred compiles a module whose functions are read when their turn
// comes; done is false when that is not possible, or anything is wrong with the
// module: nothing has been said or written then.
func (o *llcOptions) compileDeferred(file, name, src string, stdout, stderr io.Writer) (done bool, err error) {
	if !o.mayDefer() || isBitcode(src) {
		return false, nil
	}
	growth := deferredGrowth
	if o.opt == "0" {
		growth = deferredGrowth0
	}
	afterFirst := collectLess(len(src), growth)
	defer func() {
		if !done {
			afterFirst.Stop()
			expectHeap(len(src))
		}
	}()
	d := irtext.ParseDeferred(name, src, irtext.Options{Layout: layoutFor(o.normalTriple(), o.targetABI)})
	if d == nil {
		return false, nil
	}
	apart := irverify.NewApart(d.Module)
	if apart == nil {
		return false, nil
	}
	mirtext.SetAttributes(d.Module, o.cpu, o.featureString())
	c, err := newCompilation(o, &input{name: name, src: src, mod: d.Module})
	if err != nil || c.runner.NextModulePass() >= 0 {
		return false, nil
	}
	bodies := deferredBodies{d, apart}
	c.bodies = bodies
	var log bytes.Buffer
	out, err := c.compile(&log)
	if err != nil || !bodies.others() {
		return false, nil
	}
	stderr.Write(log.Bytes())
	if o.fileType == "null" {
		return true, nil
	}
	return true, writeOutput(o.outName(file), out, stdout)
}
