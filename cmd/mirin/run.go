package main

import (
	"fmt"
	"io"

	mc "github.com/mirin-go/mirin/internal/mcx"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/jit"
)

// runMain compiles a module and calls its main with the rest of the command line.
func runMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o := &llcOptions{opt: "2", reloc: "pic"}
	fs := &flagSet{tool: "mirin run", overview: "compile LLVM IR and run it in this process", examples: `  mirin run prog.ll
  mirin run -O0 prog.ll 1 2 3
`}
	fs.joined(&o.opt, "O", "char", "Optimization level. [-O0, -O1, -O2, or -O3] (default = '-O2')")
	fs.str(&o.cpu, "mcpu", "cpu-name", "Target a specific cpu type")
	fs.str(&o.attrs, "mattr", "a1,+a2,-a3,...", "Target specific attributes")
	fs.bool(&o.verify, "verify-machineinstrs", "Verify generated machine code")
	fs.int(&o.jobs, "j", "Number of functions compiled at the same time (0: one per processor)")
	// Flags end at the program: what follows is its own.
	n := 0
	for n < len(args) && len(args[n]) > 1 && args[n][0] == '-' {
		n++
	}
	done, err := fs.parse(args[:n], stdout)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	if done {
		return 0
	}
	if n == len(args) {
		fmt.Fprintln(stderr, "mirin run: expected a .ll file.  Try: 'mirin run --help'")
		return 1
	}
	code, err := o.execute(args[n:], stdin, stderr)
	if err != nil {
		return fail(stderr, "mirin run", err)
	}
	return code
}

func (o *llcOptions) execute(args []string, stdin io.Reader, stderr io.Writer) (int, error) {
	src, name, err := readInput(args[0], stdin)
	if err != nil {
		return 1, err
	}
	mod, err := irtext.Parse(name, src, irtext.Options{Jobs: o.jobs})
	if err != nil {
		return 1, err
	}
	c, err := newCompilation(o, mod)
	if err != nil {
		return 1, err
	}
	obj, err := c.object(stderr)
	if err != nil {
		return 1, err
	}
	img, err := image(obj)
	if err != nil {
		return 1, err
	}
	e := jit.New(nil)
	if err := e.Load(img); err != nil {
		return 1, err
	}
	fn, ok := e.Lookup("main")
	if !ok {
		return 1, fmt.Errorf("%s: there is no function main", name)
	}
	return e.RunProgram(img, fn, args), nil
}

// image makes a loadable image of a finished object.
func image(o *mc.Object) (*jit.Image, error) {
	img := &jit.Image{}
	for k, s := range o.Sections {
		js := jit.Section{Name: s.Name, Data: s.Data(), Size: int(s.Len()), Align: s.Align,
			Exec: s.Flags&mc.FlagExec != 0, Write: s.Flags&mc.FlagWrite != 0}
		if s.Flags&mc.FlagTLS != 0 {
			return nil, fmt.Errorf("thread-local variables are not supported by mirin run")
		}
		img.Sections = append(img.Sections, js)
		for i := range o.Relocs(k) {
			r := &o.Relocs(k)[i]
			t, err := o.RelocType(r)
			if err != nil {
				return nil, err
			}
			img.Relocs = append(img.Relocs, jit.Reloc{Section: k, Offset: int(r.Off), Type: t, Symbol: int(r.Sym), Addend: r.Addend})
		}
	}
	for i := range o.Ctx.Syms {
		y := &o.Ctx.Syms[i]
		s := jit.Symbol{Name: y.Name, Section: y.Section, Value: uint64(y.Offset), Weak: y.Binding == mc.BindWeak,
			Local: y.Temp || y.Binding == mc.BindLocal}
		switch {
		case y.Common:
			s.Section, s.Value, s.Size = jit.Common, y.CommonAlign, y.CommonSize
		case y.HasEqual:
			e := o.Resolve(mc.Expr{Sym: mc.Sym(i)})
			if t := o.Ctx.At(e.Sym); t.Section >= 0 {
				s.Section, s.Value = t.Section, uint64(t.Offset+e.Off)
			}
		case y.Section < 0 && !y.Used():
			s.Name = "" // nothing refers to it
		}
		img.Symbols = append(img.Symbols, s)
	}
	return img, nil
}
