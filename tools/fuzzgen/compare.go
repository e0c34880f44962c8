package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/mirin-go/mirin"
	"github.com/mirin-go/mirin/interp"
	"github.com/mirin-go/mirin/ir"
)

// fuel bounds the instructions of one call in the interpreter, patience the time of one
// that is compiled.
const (
	fuel     = 4_000_000
	patience = 20 * time.Second
)

// result is what comes of a module.
type result struct {
	compared, left int // functions
	refused        int // compilations
	wrong          []string
}

// input is the argument of the n-th call.
func input(n int) uint64 { return 0x9e3779b97f4a7c15 * uint64(n+1) }

// expected asks the interpreter for each function and input; ok is false for functions
// that it cannot answer for.
func (o *options) expected(m *ir.Module) (want [][]uint64, ok []bool, err error) {
	want, ok = make([][]uint64, o.funcs), make([]bool, o.funcs)
	for k := range want {
		ok[k] = true
		for n := range o.inputs {
			vm, err := interp.New(m, interp.Options{Fuel: fuel})
			if err != nil {
				return nil, nil, err
			}
			r, err := vm.Call(fmt.Sprint("run", k), interp.Value{Bits: input(n)})
			if err == nil && (r[0].Poison || r[0].Undef != 0) {
				err = errors.New("the result has no value")
			}
			if err != nil {
				ok[k] = false
				if o.verbose {
					fmt.Printf("@run%d is left out: %.300v\n", k, err)
				}
				break
			}
			want[k] = append(want[k], r[0].Bits)
		}
	}
	return want, ok, nil
}

// judged gives what functions of a module that was read must return, and counts them; a nil
// want says that the reader or the interpreter failed.
func (o *options) judged(m *ir.Module, err error, r *result) (want [][]uint64, ok []bool) {
	if err == nil {
		want, ok, err = o.expected(m)
	}
	if err != nil {
		r.wrong = append(r.wrong, err.Error())
		return nil, nil
	}
	for k := range ok {
		if ok[k] {
			r.compared++
		} else {
			r.left++
		}
	}
	return want, ok
}

// compare runs the module of a seed in all ways.
func (o *options) compare(seed uint64) (r result) {
	text := []byte(newModule(seed, o.funcs, o.steps))
	name := fmt.Sprint("seed", seed, ".ll")
	m, err := mirin.ParseIR(name, text)
	want, ok := o.judged(m, err, &r)
	if want == nil {
		return r
	}
	for _, l := range o.levels {
		m, err := mirin.ParseIR(name, text) // each compilation changes its module
		if err == nil {
			err = o.loaded(m, l, want, ok, &r)
		}
		switch {
		case err == nil:
		case strings.Contains(err.Error(), "is not supported"):
			r.refused++
			if o.verbose {
				fmt.Printf("seed %d: -O%s: %v\n", seed, l, err)
			}
		default:
			r.wrong = append(r.wrong, fmt.Sprintf("-O%s: %v", l, err))
		}
	}
	if o.ref != "" {
		if err := o.reference(text, want, ok, &r); err != nil {
			r.wrong = append(r.wrong, fmt.Sprintf("%s: %v", o.ref, err))
		}
	}
	return r
}

// levels by their names.
var levels = map[string]mirin.Level{"0": mirin.O0, "1": mirin.O1, "2": mirin.O2, "3": mirin.O3}

// loaded compares what the module computes in this process.
func (o *options) loaded(m *ir.Module, level string, want [][]uint64, ok []bool, r *result) error {
	l, known := levels[level]
	if !known {
		return errors.New("there is no such level")
	}
	p, err := mirin.Load(m, &mirin.Options{Opt: l, Features: o.features, Jobs: 1})
	if err != nil {
		return err
	}
	defer p.Close()
	for k := range want {
		if !ok[k] {
			continue
		}
		var f func(context.Context, uint64) (uint64, error)
		if err := p.Func(fmt.Sprint("run", k), &f); err != nil {
			return err
		}
		for n, w := range want[k] {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			got, err := f(ctx, input(n))
			cancel()
			if err != nil || got != w {
				r.wrong = append(r.wrong, fmt.Sprintf("-O%s: @run%d(%d) is %#x, %v; the interpreter has %#x", level, k, input(n), got, err, w))
				break
			}
		}
	}
	return nil
}

// reference compares with a program that another llc made.
func (o *options) reference(text []byte, want [][]uint64, ok []bool, r *result) error {
	dir, err := os.MkdirTemp("", "fuzzgen")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ll, obj, c, exe := filepath.Join(dir, "m.ll"), filepath.Join(dir, "m.o"), filepath.Join(dir, "m.c"), filepath.Join(dir, "m")
	var b strings.Builder
	b.WriteString("#include <stdio.h>\n")
	for k := range want {
		fmt.Fprintf(&b, "unsigned long run%d(unsigned long);\n", k)
	}
	b.WriteString("int main(void) {\n")
	for k := range want {
		for n := range want[k] {
			if ok[k] {
				fmt.Fprintf(&b, "printf(\"%%lx\\n\", run%d(%dul));\n", k, input(n))
			}
		}
	}
	b.WriteString("}\n")
	if err := errors.Join(os.WriteFile(ll, text, 0o644), os.WriteFile(c, []byte(b.String()), 0o644)); err != nil {
		return err
	}
	words := strings.Fields(o.ref)
	for _, cmd := range []*exec.Cmd{
		exec.Command(words[0], append(words[1:], "-filetype=obj", "-relocation-model=pic", "-mattr="+o.features, ll, "-o", obj)...),
		exec.Command("cc", "-o", exe, c, obj, "-lm"),
	} {
		if msg, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%w\n%.400s", err, msg)
		}
	}
	out, err := exec.Command(exe).Output()
	if err != nil {
		return err
	}
	lines := strings.Fields(string(out))
	for k := range want {
		for n := range want[k] {
			if !ok[k] {
				continue
			}
			if len(lines) == 0 || lines[0] != fmt.Sprintf("%x", want[k][n]) {
				r.wrong = append(r.wrong, fmt.Sprintf("%s: @run%d(%d) differs from the interpreter", o.ref, k, input(n)))
				return nil
			}
			lines = lines[1:]
		}
	}
	return nil
}
