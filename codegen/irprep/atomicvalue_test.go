package irprep_test

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/mirin-go/mirin"
)

// TestAtomicValues runs every operation on values at its edges and compares
// what is in memory afterwards and what was returned with the definition.
func TestAtomicValues(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("runs x86-64 code")
	}
	ints := map[string]func(o, v uint8) uint8{
		"xchg": func(_, v uint8) uint8 { return v },
		"add":  func(o, v uint8) uint8 { return o + v },
		"sub":  func(o, v uint8) uint8 { return o - v },
		"and":  func(o, v uint8) uint8 { return o & v },
		"nand": func(o, v uint8) uint8 { return ^(o & v) },
		"or":   func(o, v uint8) uint8 { return o | v },
		"xor":  func(o, v uint8) uint8 { return o ^ v },
		"max":  func(o, v uint8) uint8 { return uint8(max(int8(o), int8(v))) },
		"min":  func(o, v uint8) uint8 { return uint8(min(int8(o), int8(v))) },
		"umax": func(o, v uint8) uint8 { return max(o, v) },
		"umin": func(o, v uint8) uint8 { return min(o, v) },
		"uinc_wrap": func(o, v uint8) uint8 {
			if o >= v {
				return 0
			}
			return o + 1
		},
		"udec_wrap": func(o, v uint8) uint8 {
			if o == 0 || o > v {
				return v
			}
			return o - 1
		},
		"usub_cond": func(o, v uint8) uint8 {
			if o >= v {
				return o - v
			}
			return o
		},
		"usub_sat": func(o, v uint8) uint8 {
			if o >= v {
				return o - v
			}
			return 0
		},
	}
	number := func(pick func(a, b float64) float64) func(a, b float64) float64 {
		return func(a, b float64) float64 {
			switch {
			case math.IsNaN(a):
				return b
			case math.IsNaN(b):
				return a
			}
			return pick(a, b)
		}
	}
	nan := func(pick func(a, b float64) float64) func(a, b float64) float64 {
		return func(a, b float64) float64 {
			if math.IsNaN(a) || math.IsNaN(b) {
				return math.NaN()
			}
			return pick(a, b)
		}
	}
	floats := map[string]func(o, v float64) float64{
		"fadd": func(o, v float64) float64 { return o + v },
		"fsub": func(o, v float64) float64 { return o - v },
		"fmax": number(math.Max), "fmin": number(math.Min), "fmaximum": nan(math.Max), "fminimum": nan(math.Min),
	}
	var src strings.Builder
	for op := range ints {
		fmt.Fprintf(&src, "define i8 @%s(ptr %%p, i8 %%v) {\n %%o = atomicrmw %s ptr %%p, i8 %%v seq_cst\n ret i8 %%o\n}\n", op, op)
	}
	for op := range floats {
		fmt.Fprintf(&src, "define double @%s(ptr %%p, double %%v) {\n %%o = atomicrmw %s ptr %%p, double %%v seq_cst\n ret double %%o\n}\n", op, op)
	}
	for _, level := range []mirin.Level{mirin.O0, mirin.O2} {
		m, err := mirin.ParseIR("values.ll", []byte(src.String()))
		if err != nil {
			t.Fatal(err)
		}
		p, err := mirin.Load(m, &mirin.Options{Opt: level})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		for op, want := range ints {
			var f func(p *uint8, v uint8) uint8
			if err := p.Func(op, &f); err != nil {
				t.Fatal(err)
			}
			for _, o := range []uint8{0, 1, 5, 127, 128, 254, 255} {
				for _, v := range []uint8{0, 1, 5, 127, 128, 254, 255} {
					mem := o
					if old := f(&mem, v); old != o || mem != want(o, v) {
						t.Errorf("%s of %d, %d: %d, returned %d; want %d", op, o, v, mem, old, want(o, v))
					}
				}
			}
		}
		values := []float64{0, math.Copysign(0, -1), 1, -1.5, math.Inf(1), math.Inf(-1), math.NaN()}
		for op, want := range floats {
			var f func(p *float64, v float64) float64
			if err := p.Func(op, &f); err != nil {
				t.Fatal(err)
			}
			for _, o := range values {
				for _, v := range values {
					mem, w := o, want(o, v)
					f(&mem, v)
					// Of zeros of either sign maxnum and minnum may give any.
					free := o == 0 && v == 0 && (op == "fmax" || op == "fmin")
					if same := math.Float64bits(mem) == math.Float64bits(w) || math.IsNaN(mem) && math.IsNaN(w); !same && !free {
						t.Errorf("%s of %v, %v: %v, want %v", op, o, v, mem, w)
					}
				}
			}
		}
	}
}
