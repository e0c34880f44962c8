package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/bpf"
	"github.com/mirin-go/mirin/target/bpf/vm"
)

// Modules for eBPF (-bpf) have what its programs may have: integers of up to 64 bits, five
// arguments, no signed division before version 4. The interpreter of eBPF runs their objects.

// kernelTypes are the types that such functions compute with.
var kernelTypes = []typ{i32, i64, i32, i64, i8, {0, 16, false}, i32, i64, i1, {0, 3, false}, {0, 7, false}, {0, 13, false}, {0, 24, false}, {0, 33, false},
	{0, 48, false}, {0, 63, false}}

// kernelVersions are the versions of the instruction set.
var kernelVersions = []string{"v1", "v2", "v3", "v4"}

// kernelLevels are the levels by their names.
var kernelLevels = map[string]bpf.Level{"0": bpf.O0, "1": bpf.O1, "2": bpf.O2, "3": bpf.O3}

// maxVMSteps bounds a run.
const maxVMSteps = 20_000_000

// compareBPF compiles the module of a seed for all versions, levels and byte orders. Modules of
// even seeds divide with a sign: these are for version 4 alone.
func (o *options) compareBPF(seed uint64) (r result) {
	versions := kernelVersions
	if seed%2 == 0 {
		versions = versions[3:]
	}
	for _, big := range []bool{false, true} {
		triple := "bpfel"
		if big {
			triple = "bpfeb"
		}
		mod := &module{declared: map[string]string{}, kernel: true, signed: seed%2 == 0}
		text := []byte(mod.write(seed, o.funcs, o.steps, triple))
		name := fmt.Sprint("seed", seed, ".ll")
		m, err := bpf.ParseIR(name, text)
		want, ok := o.judged(m, err, &r)
		if want == nil {
			return r
		}
		for _, v := range versions {
			for _, l := range o.levels {
				what := fmt.Sprintf("%s %s -O%s", triple, v, l)
				m, err := bpf.ParseIR(name, text)
				if err != nil {
					r.wrong = append(r.wrong, err.Error())
					return r
				}
				level, known := kernelLevels[l]
				if !known {
					r.wrong = append(r.wrong, "there is no such level")
					return r
				}
				object, err := bpf.Compile(m, &bpf.Options{CPU: v, Features: o.features, BigEndian: big, Opt: level, Jobs: 1})
				if err != nil {
					o.refusedBPF(seed, what, err, &r)
					continue
				}
				o.runBPF(what, big, object, want, ok, &r)
			}
		}
	}
	return r
}

// refusedBPF counts modules with more on a stack than eBPF has.
func (o *options) refusedBPF(seed uint64, what string, err error, r *result) {
	if strings.Contains(err.Error(), "stack limit") {
		r.refused++
		if o.verbose {
			fmt.Printf("seed %d: %s: %v\n", seed, what, err)
		}
		return
	}
	r.wrong = append(r.wrong, fmt.Sprintf("%s: %v", what, err))
}

// runBPF runs the programs of an object.
func (o *options) runBPF(what string, big bool, object []byte, want [][]uint64, ok []bool, r *result) {
	order := binary.ByteOrder(binary.LittleEndian)
	if big {
		order = binary.BigEndian
	}
	c, err := vm.Load(object, &vm.Options{Steps: maxVMSteps})
	if err != nil {
		r.wrong = append(r.wrong, fmt.Sprintf("%s: %v", what, err))
		return
	}
	for k := range want {
		p := c.Program(fmt.Sprint("prog", k))
		for n, w := range want[k] {
			if !ok[k] {
				break
			}
			err := errors.New("the program is not there")
			got := uint64(0)
			if p != nil {
				got, err = p.Run(&vm.Input{Context: ctx(order, input(n))})
			}
			if err != nil || got != w {
				r.wrong = append(r.wrong, fmt.Sprintf("%s: @run%d(%d) is %#x, %v; the interpreter has %#x", what, k, input(n), got, err, w))
				break
			}
		}
	}
}

// program writes the eBPF program that calls the runner.
func (g *generator) program() {
	fmt.Fprintf(g.b, `define i64 @prog%[1]d(ptr %%ctx) section "syscall" {
  %%seed = load i64, ptr %%ctx
  %%r = call i64 @run%[1]d(i64 %%seed)
  ret i64 %%r
}

`, g.k)
}

// ctx is the context that a program reads its argument from.
func ctx(order binary.ByteOrder, v uint64) []byte {
	b := make([]byte, 8)
	order.PutUint64(b, v)
	return b
}
