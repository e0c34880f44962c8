// Command fuzzgen writes random functions in LLVM IR, over integers of all widths, floats,
// vectors and memory, with loops, switches and calls of several conventions, and compares
// what they compute: by the interpreter and compiled into this process, at each level.
//
//	go run ./tools/fuzzgen -seed 1 -n 100 -funcs 20
//	go run ./tools/fuzzgen -seed 17 -print > m.ll
//	go run ./tools/fuzzgen -bpf -n 20 -funcs 4        eBPF, all versions, both byte orders
//	go run ./tools/fuzzgen -n 20 -ref llc-22          also programs that an installed llc makes
//
// The interpreter judges: where it finds undefined behaviour or what it does not support, a
// function is left out and counted. What is wrong is shown with its seed; -steps makes
// smaller functions of other seeds.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
)

// options of a campaign.
type options struct {
	funcs, steps, inputs int
	levels               []string
	features             string
	ref                  string
	verbose              bool
	bpf                  bool
}

func main() {
	var o options
	seed := flag.Uint64("seed", 1, "the first module's seed")
	n := flag.Uint64("n", 10, "how many modules")
	j := flag.Int("j", 1, "modules at a time")
	flag.IntVar(&o.funcs, "funcs", 20, "functions of a module")
	flag.IntVar(&o.steps, "steps", 25, "operations of a function")
	flag.IntVar(&o.inputs, "inputs", 4, "inputs of a function")
	levels := flag.String("levels", "0,1,2,3", "optimization levels, with commas between")
	flag.StringVar(&o.features, "mattr", "", "features, as -mattr")
	flag.StringVar(&o.ref, "ref", "", "an installed llc whose programs are run, too (with cc)")
	flag.BoolVar(&o.bpf, "bpf", false, "modules for eBPF, versions 1 to 4, both byte orders, run by its interpreter (fewer -funcs)")
	flag.BoolVar(&o.verbose, "v", false, "say why functions are left out or refused")
	print := flag.Bool("print", false, "print the first module and stop")
	flag.Parse()
	o.levels = strings.Split(*levels, ",")
	if *print {
		os.Stdout.WriteString(newModule(*seed, o.funcs, o.steps))
		return
	}
	var wrong, left, done, refused atomic.Int64
	var mu sync.Mutex
	var wg sync.WaitGroup
	next := make(chan uint64)
	for range max(1, *j) {
		wg.Go(func() {
			for s := range next {
				compare := o.compare
				if o.bpf {
					compare = o.compareBPF
				}
				r := compare(s)
				done.Add(int64(r.compared))
				left.Add(int64(r.left))
				refused.Add(int64(r.refused))
				wrong.Add(int64(len(r.wrong)))
				mu.Lock()
				for _, w := range r.wrong {
					fmt.Printf("seed %d: %s\n", s, w)
				}
				mu.Unlock()
			}
		})
	}
	for k := range *n {
		next <- *seed + k
	}
	close(next)
	wg.Wait()
	fmt.Printf("%d functions compared, %d left out, %d modules refused at a level, %d wrong\n", done.Load(), left.Load(), refused.Load(), wrong.Load())
	if wrong.Load() > 0 {
		os.Exit(1)
	}
}
