package testtarget

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/driver"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/pipeline"
	"github.com/mirin-go/mirin/internal/oddwidth"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/interp"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/target"
)

// job prepares the compilation of a module.
func job(t *testing.T, name string, src []byte, opt target.OptLevel) *driver.Job {
	t.Helper()
	m, err := target.NewMachine(&Target, target.Options{Triple: "big32", Opt: opt})
	if err != nil {
		t.Fatal(err)
	}
	mod, err := irtext.Parse(name, src, irtext.Options{DataLayout: m.Layout.Text})
	if err != nil {
		t.Fatal(err)
	}
	return &driver.Job{Machine: m, Module: mod, Workers: 1, CheckRegAlloc: true,
		Runner: &pass.Runner{Passes: pipeline.Passes(pipeline.Options{Opt: opt, Target: &Target}), Config: pass.Config{Verify: true}}}
}

func levels(t *testing.T, f func(t *testing.T, opt target.OptLevel)) {
	for _, o := range [...]target.OptLevel{0, 2} {
		t.Run(fmt.Sprintf("O%d", o), func(t *testing.T) { f(t, o) })
	}
}

// compiled links a module for the simulator.
func compiled(t *testing.T, j *driver.Job) *sim {
	t.Helper()
	obj, _, errs := j.Object()
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	tab, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	s, err := link(tab, obj)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// function finds a function by name.
func function(m *ir.Module, name string) *ir.Global { return m.Globals[m.Lookup(name)] }

// files are modules whose lines "; RUN f(1, -2)" are calls that the simulator and the
// interpreter make.
var programs = []string{"testdata/calls.ll", "../../examples/target-tiny/testdata/programs.ll"}

// TestRun compiles programs, runs them in the simulator, and compares with the interpreter.
func TestRun(t *testing.T) {
	levels(t, func(t *testing.T, opt target.OptLevel) {
		for _, file := range programs {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			j := job(t, file, src, opt)
			s := compiled(t, j)
			n := 0
			for _, c := range calls(t, file, string(src)) {
				f := function(j.Module, c.fn)
				if f == nil {
					t.Fatalf("%s: no function %s", file, c.fn)
				}
				vm, err := interp.New(j.Module, interp.Options{Fuel: 1e7})
				if err != nil {
					t.Fatal(err)
				}
				bits := j.Module.Types.IntBits(j.Module.Types.Result(f.ValueType))
				var vals []interp.Value
				for k, ty := range j.Module.Types.Subtypes(f.ValueType) {
					vals = append(vals, interp.Value{Bits: c.args[k] & (^uint64(0) >> (64 - j.Module.Types.IntBits(ty)))})
				}
				want, err := vm.Call(c.fn, vals...)
				if err != nil || want[0].Poison {
					t.Errorf("%s: %s%d: %v in the interpreter", file, c.fn, c.args, err)
					continue
				}
				mask := ^uint64(0) >> (64 - bits)
				if got, err := s.call(j.Module, f, c.args...); err != nil || got&mask != want[0].Bits {
					t.Errorf("%s: %s%d = %#x (%v), want %#x", file, c.fn, int64s(c.args), got&mask, err, want[0].Bits)
				}
				n++
			}
			if n == 0 {
				t.Errorf("%s: nothing was run", file)
			}
		}
	})
}

func int64s(args []uint64) (out []int64) {
	for _, a := range args {
		out = append(out, int64(a))
	}
	return out
}

type call struct {
	fn   string
	args []uint64
}

// calls reads the calls to make, or knows those of Tiny's programs.
func calls(t *testing.T, file, src string) (out []call) {
	if strings.Contains(file, "tiny") {
		src = tinyRuns
	}
	for line := range strings.Lines(src) {
		line, ok := strings.CutPrefix(strings.TrimSpace(line), "; RUN ")
		if !ok {
			continue
		}
		name, rest, _ := strings.Cut(line, "(")
		c := call{fn: name}
		for _, a := range strings.Split(strings.TrimSuffix(rest, ")"), ",") {
			if a = strings.TrimSpace(a); a != "" {
				var v int64
				if _, err := fmt.Sscan(a, &v); err != nil {
					t.Fatalf("%s: %s: %v", file, line, err)
				}
				c.args = append(c.args, uint64(v))
			}
		}
		out = append(out, c)
	}
	return out
}

const tinyRuns = `
; RUN factorial(1)
; RUN factorial(10)
; RUN fib(10)
; RUN fib(40)
; RUN sortnumbers(0)
; RUN sortnumbers(4)
; RUN sortnumbers(9)
; RUN seven(1, 2, 3, 4, 5, 6, 7)
; RUN stack(8)
; RUN narrow(200, -3)
; RUN through(0, 6)
; RUN through(1, 20)
; RUN through(2, 8)
; RUN wide(7, 8589934591)
; RUN wide(4294967305, 5)
; RUN copied(9)
; RUN copied(11)
; RUN byvalue(3)
; RUN bytwovalues(3)
; RUN lanes(5)
; RUN slots(511, 196606)
; RUN throughmemory(12)
; RUN choose(0)
; RUN choose(1)
; RUN choose(7)
; RUN choose(-5)
; RUN choose(5)
`

// TestOddWidths compiles every operation on every odd width and compares with the interpreter.
func TestOddWidths(t *testing.T) {
	tab, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	levels(t, func(t *testing.T, opt target.OptLevel) {
		refused, run := 0, 0
		for k, p := range oddwidth.Programs(true) {
			if k%3 != 0 || (testing.Short() || opt != 0) && k%7 != 0 {
				continue
			}
			j := job(t, p.Name, []byte(p.Source), opt)
			obj, _, errs := j.Object()
			if len(errs) > 0 {
				if e := errs[0].Error(); !strings.Contains(e, "is not supported") || strings.Contains(e, "without end") {
					t.Errorf("%s: %v", p.Name, errs)
				}
				refused++
				continue
			}
			s, err := link(tab, obj)
			if err != nil {
				if strings.Contains(err.Error(), "is not defined") {
					continue // the run-time library's
				}
				t.Fatal(err)
			}
			vm, err := interp.New(j.Module, interp.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for n := range oddwidth.Inputs {
				want, err := vm.Call("f", interp.Value{Bits: uint64(n)})
				if err != nil {
					if u := (*interp.NotSupported)(nil); !errors.As(err, &u) {
						t.Errorf("%s(%d): %v", p.Name, n, err)
					}
					break
				}
				got, err := s.call(j.Module, function(j.Module, "f"), uint64(n))
				if w := uint32(want[0].Bits); err != nil || uint32(got) != w {
					t.Errorf("%s(%d) = %#x (%v), want %#x", p.Name, n, uint32(got), err, w)
					break
				}
				run++
			}
		}
		t.Logf("%d calls compared, %d programs refused", run, refused)
	})
}

// hostAttrs are the processors that clang names.
var hostAttrs = regexp.MustCompile(`(?m)"(target-cpu|target-features|tune-cpu)"="[^"]*"|^target .*$`)

// TestPrograms runs a program that clang compiled for another machine, and that does not
// ask how long its addresses are.
func TestPrograms(t *testing.T) {
	for _, name := range [...]string{"RegrC-DuffsDevice.O0.ll", "RegrC-DuffsDevice.O2.ll"} {
		file := testenv.Shared(t, "programs", "ll", name)
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(file[:len(file)-len(".O0.ll")] + ".expected")
		if err != nil {
			t.Fatal(err)
		}
		levels(t, func(t *testing.T, opt target.OptLevel) {
			j := job(t, name, hostAttrs.ReplaceAll(src, nil), opt)
			s := compiled(t, j)
			exit, err := s.call(j.Module, function(j.Module, "main"), 1, 0x10000)
			if got := fmt.Sprintf("%sexit %d\n", s.out, exit); err != nil || got != string(want) {
				t.Errorf("%s: %s (%v), want %s", name, got, err, want)
			}
		})
	}
}
