package bpf

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/codegen/driver"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/pipeline"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/ir/irverify"
	"github.com/mirin-go/mirin/mc/object/elf"
	"github.com/mirin-go/mirin/target"
	backend "github.com/mirin-go/mirin/target/bpf"
	"github.com/mirin-go/mirin/target/bpf/irpass"
	"github.com/mirin-go/mirin/triple"
)

// Options say how to compile. The zero value, and nil, are instruction set version 3, little
// endian, -O2.
type Options struct {
	// CPU is the version of the instruction set: v1 to v4.
	CPU string
	// Features are -mattr of llc: +alu32 and the like.
	Features string
	// BigEndian makes an object for machines of that byte order.
	BigEndian bool
	// Opt is the optimization level.
	Opt Level
	// Jobs is the number of functions compiled at the same time, 0 for one per processor.
	Jobs int
	// Source reads a source file whose lines the object is to quote, so that the kernel's verifier
	// shows them; os.ReadFile does. Without it there are numbers of lines alone.
	Source func(name string) ([]byte, error)
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

// Triples of the two byte orders.
const (
	tripleLittle = "bpfel"
	tripleBig    = "bpfeb"
)

// ParseIR reads LLVM IR. The error of a fault in the text is a *diag.Diagnostic.
func ParseIR(name string, text []byte) (*ir.Module, error) {
	return irtext.Parse(name, text, irtext.Options{Layout: func(of, layout string) string {
		return cmp.Or(layout, layoutOf(cmp.Or(of, tripleLittle)))
	}})
}

// layoutOf is the data layout of a triple.
func layoutOf(name string) string { return backend.Target.DataLayout(triple.Parse(name)) }

// Compile compiles a module to an ELF object. What the passes of clang's optimizer would have done
// for eBPF (bpf-abstract-member-access and the like) is done first, in the module. The same module
// gives the same bytes. Errors are one *Error for each fault, joined; their functions, lines and
// variables are in its fields.
func Compile(m *ir.Module, o *Options) ([]byte, error) {
	if o == nil {
		o = &Options{}
	}
	name := m.Triple
	switch t := triple.Parse(cmp.Or(name, tripleLittle)); {
	case !backend.Target.Matches(t):
		return nil, fmt.Errorf("the module is for %s, not for bpf", name)
	case o.BigEndian != (t.Arch == triple.BPFEB) && m.DataLayout != "" && name != "":
		return nil, fmt.Errorf("the module is for %s: Options.BigEndian says otherwise", name)
	case name == "" && o.BigEndian:
		name = tripleBig
	case name == "":
		name = tripleLittle
	}
	machine, err := target.NewMachine(&backend.Target, target.Options{Triple: name, CPU: cmp.Or(o.CPU, "v3"), Features: o.Features,
		Opt: [...]target.OptLevel{O2: 2, O0: 0, O1: 1, O3: 3}[o.Opt&3], Reloc: target.RelocStatic})
	if err != nil {
		return nil, err
	}
	if f := machine.UnknownFeature(o.Features); f != "" {
		return nil, fmt.Errorf("Options.Features: '%s' is not a feature of eBPF", f)
	}
	if err := machine.UseLayout(m.DataLayout); err != nil {
		return nil, err
	}
	if err := m.Err(); err != nil {
		return nil, fmt.Errorf("the module was not built right: %w", err)
	}
	if report := irverify.Module(m); report != "" {
		return nil, fmt.Errorf("the module breaks the rules of LLVM IR:\n%s", strings.TrimSuffix(report, "\n"))
	}
	if err := lower(m, machine); err != nil {
		return nil, err
	}
	j := &driver.Job{Machine: machine, Module: m, Workers: o.Jobs,
		Runner: &pass.Runner{Passes: pipeline.Passes(pipeline.Options{Opt: machine.Options.Opt, Target: &backend.Target})}}
	if o.Source != nil {
		j.OpenFile = func(name string) (string, []byte, error) {
			b, err := o.Source(name)
			return name, b, err
		}
	}
	obj, _, errs := j.Object()
	if len(errs) > 0 {
		return nil, errors.Join(describe(m, errs)...)
	}
	return elf.Append(nil, obj)
}

// lower runs the passes over IR that code generation needs to have been run.
func lower(m *ir.Module, machine *target.Machine) error {
	r := irpass.NewRun(m, machine.Layout)
	for _, p := range irpass.Passes() {
		switch p.Name {
		case "bpf-abstract-member-access", "bpf-preserve-di-type", "bpf-preserve-static-offset":
			if err := r.Run(&p); err != nil {
				return err
			}
		}
	}
	return nil
}
