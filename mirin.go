package mirin

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mirin-go/mirin/codegen/driver"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/pipeline"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/ir/irverify"
	"github.com/mirin-go/mirin/link"
	"github.com/mirin-go/mirin/mc/object/elf"
	"github.com/mirin-go/mirin/objabi"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/all"
	"github.com/mirin-go/mirin/triple"
)

// Options say how to compile. The zero value, and nil, are -O2 for the
// module's own target triple.
type Options struct {
	// Triple overrides the module's target triple; CPU and Features are -mcpu and -mattr.
	Triple, CPU, Features string
	// Opt is the optimization level.
	Opt Level
	// Static makes code for a fixed address instead of position-independent code.
	Static bool
	// AsmVariant is the syntax of Assembly, by LLVM's number: 0 is what the
	// target's assemblers expect, 1 its other one, where there is one.
	AsmVariant int
	// Jobs is the number of functions compiled at the same time, 0 for one per processor.
	Jobs int
	// Symbols are what Load resolves names to before all else: addresses (uintptr), or
	// Go functions, which compiled code calls (Program.Callback).
	Symbols map[string]any
	// Library finds the names that nothing else defines, such as a C library's
	// functions (package jit/clib has it). Without it a program can use what Builtins lists.
	Library func(name string) (uintptr, bool)
	// Replaceable lets Program.Replace give functions other code while they run.
	Replaceable bool
	// MaxMemory bounds the bytes of a program's code and data; 0 is no bound.
	MaxMemory int
	// PerfMap is told the functions that are loaded, as Linux's perf wants them in the file
	// /tmp/perf-PID.map: with it profiles name them. Writes of one program come one at a time.
	PerfMap io.Writer
}

// Level is an optimization level.
type Level uint8

// The levels; O2 is the default.
const (
	O2 Level = iota
	O0
	O1
	O3
)

// NewModule returns an empty module for a target triple, with the target's
// data layout; "" is x86-64 Linux.
func NewModule(name, targetTriple string) (*ir.Module, error) {
	if targetTriple == "" {
		targetTriple = all.DefaultTriple
	}
	t := all.Find(targetTriple, "")
	if t == nil {
		return nil, fmt.Errorf("there is no code generator for %s", targetTriple)
	}
	m := ir.NewModule(name)
	m.SourceFilename, m.Triple, m.DataLayout = name, targetTriple, t.DataLayout(triple.Parse(targetTriple))
	return m, nil
}

// ParseIR reads LLVM IR. The error of a fault in the text is a *diag.Diagnostic. A module
// without a data layout has that of its target, x86-64 Linux where it names none.
func ParseIR(name string, text []byte) (*ir.Module, error) {
	return irtext.Parse(name, text, irtext.Options{Layout: func(of, layout string) string {
		if layout != "" {
			return layout
		}
		return family.DataLayout(triple.Parse(cmp.Or(of, all.DefaultTriple)), "")
	}})
}

// Assembly compiles a module to assembly text.
func Assembly(m *ir.Module, o *Options) ([]byte, error) {
	j, err := job(m, o, false)
	if err != nil {
		return nil, err
	}
	text, _, errs := j.Assembly(driver.Shown{Verbose: true})
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return text, nil
}

// Object compiles a module to an object file.
func Object(m *ir.Module, o *Options) ([]byte, error) {
	j, err := job(m, o, false)
	if err != nil {
		return nil, err
	}
	obj, _, errs := j.Object()
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return elf.Append(nil, obj)
}

// Executable compiles modules and links them to a program for Linux, as
// package link does.
func Executable(mods []*ir.Module, o *Options) ([]byte, error) {
	var in []link.Input
	var abi *objabi.ABI
	for _, m := range mods {
		j, err := job(m, o, false)
		if err != nil {
			return nil, err
		}
		abi = j.Machine.ABI()
		obj, _, errs := j.Object()
		if len(errs) > 0 {
			return nil, errors.Join(errs...)
		}
		in = append(in, link.Input{Name: m.Name, Object: obj})
	}
	return link.Executable(abi, in, nil)
}

// job configures a compilation.
func job(m *ir.Module, o *Options, jit bool) (*driver.Job, error) {
	if o == nil {
		o = new(Options)
	}
	triple := o.Triple
	if triple == "" {
		triple = m.Triple
	}
	if triple == "" {
		triple = all.DefaultTriple
	}
	t := all.Find(triple, "")
	if t == nil {
		return nil, fmt.Errorf("there is no code generator for %s", triple)
	}
	to := target.Options{Triple: triple, CPU: o.CPU, Features: o.Features, Opt: [...]target.OptLevel{O2: 2, O0: 0, O1: 1, O3: 3}[o.Opt&3],
		Reloc: target.RelocPIC, AsmVariant: o.AsmVariant, JIT: jit, CodeModel: target.CodeModelOf(m)}
	if to.CodeModel == target.CodeModelDefault || jit { // what runs here is near
		to.CodeModel = target.CodeModelSmall
	}
	if o.Static {
		to.Reloc = target.RelocStatic
	}
	machine, err := target.NewMachine(t, to)
	if err != nil {
		return nil, err
	}
	if f := machine.UnknownFeature(o.Features); f != "" {
		return nil, fmt.Errorf("Options.Features: '%s' is not a feature of %s", f, t.Name)
	}
	// A module without a layout has the target's; it is not written into it, since others may be compiling it too.
	if err := machine.UseLayout(m.DataLayout); err != nil {
		return nil, err
	}
	if err := m.Err(); err != nil {
		return nil, fmt.Errorf("the module was not built right: %w", err)
	}
	if report := irverify.Module(m); report != "" {
		return nil, fmt.Errorf("the module breaks the rules of LLVM IR:\n%s", strings.TrimSuffix(report, "\n"))
	}
	r := &pass.Runner{Passes: pipeline.Passes(pipeline.Options{Opt: to.Opt, Target: t})}
	return &driver.Job{Machine: machine, Module: m, Runner: r, Workers: o.Jobs}, nil
}

// Version is the version of LLVM whose languages this package speaks.
const Version = "22.1"

// Targets lists the targets that there is a code generator for, a line each.
func Targets() string {
	var b strings.Builder
	for _, t := range all.Targets() {
		fmt.Fprintf(&b, "%s\t%s\n", t.Name, t.Desc)
	}
	return b.String()
}
