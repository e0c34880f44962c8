// Command allocfuzz makes random machine functions of x86-64 and takes them
// through everything between SSA form and physical registers: with the machine
// verifier behind every pass and with the checker of codegen/regalloc/check,
// which proves that the allocated function reads the values that it did before.
//
//	go run ./tools/allocfuzz -n 10000                # functions 1 to 10000
//	go run ./tools/allocfuzz -seed 77 -n 1 -print    # one function's text
//	go run ./tools/allocfuzz -passes 'livevars,phi-node-elimination,twoaddressinstruction,regallocfast'
//	go run ./tools/allocfuzz -run -n 500             # and runs them: what each list of passes makes gives the same results
//
// A function that fails is printed with its seed, its list of passes and what is
// wrong; the exit status is 1 then. Passes that are not there are left out.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/pipeline"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/mirtext"
	"github.com/mirin-go/mirin/mir/mirverify"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/all"
)

const tripleText = "x86_64-unknown-linux-gnu"

// lists are the lists of passes, by allocator.
var lists = [...]string{
	"phi-node-elimination,twoaddressinstruction,regallocfast",
	"processimpdefs,livevars,phi-node-elimination,twoaddressinstruction,register-coalescer,regallocfast",
	"processimpdefs,livevars,phi-node-elimination,twoaddressinstruction,register-coalescer,rename-independent-subregs,greedy,virtregrewriter,stack-slot-coloring",
	"processimpdefs,livevars,phi-node-elimination,twoaddressinstruction,register-coalescer,rename-independent-subregs,regallocbasic,virtregrewriter,stack-slot-coloring",
	"processimpdefs,livevars,phi-node-elimination,twoaddressinstruction,register-coalescer,rename-independent-subregs,regallocpbqp,virtregrewriter,stack-slot-coloring",
}

type campaign struct {
	facts *desc.Info
	lists [][]*pass.Pass
	names []string
	mu    sync.Mutex
	// bad counts what is wrong, refused what an allocator gave up.
	bad, refused, done int
	show               int
	showRefused, more  bool
	subregs            bool
}

func main() {
	seed := flag.Uint64("seed", 1, "the first seed")
	n := flag.Uint64("n", 1000, "the number of functions")
	jobs := flag.Int("j", 1, "workers")
	list := flag.String("passes", "", "one list of passes, with commas between; empty: those of each allocator")
	show := flag.Bool("print", false, "print the functions")
	verify := flag.Bool("verify", true, "verify behind every pass")
	llc := flag.String("llc", "mirin llc", "the command that -run tests")
	report := flag.Int("report", 20, "how many wrong functions are shown")
	refused := flag.Bool("refused", false, "show also the functions that an allocator gave up")
	more := flag.Bool("more", false, "functions with statements that ask for much: wide inline assembly, calls that preserve nothing, statepoints")
	subregs := flag.Bool("subregs", false, "parts of registers have live ranges of their own")
	run := flag.Bool("run", false, "compile the functions with each list, link them with cc and compare what they compute")
	flag.Parse()
	in, err := facts.Load("X86")
	if err != nil {
		fatal(err)
	}
	c := &campaign{facts: in, show: *report, showRefused: *refused, more: *more, subregs: *subregs}
	all := lists[:]
	if *list != "" {
		all = []string{*list}
	}
	if err := c.use(all); err != nil {
		fatal(err)
	}
	if *show {
		for s := *seed; s < *seed+*n; s++ {
			fmt.Print(generate(in, s, *run, *more))
		}
		return
	}
	if *run {
		if err := c.execute(*llc, *seed, *n); err != nil {
			fatal(err)
		}
	} else {
		c.check(*seed, *n, *jobs, *verify)
	}
	fmt.Printf("%d functions, %d ways, %d wrong, %d refused\n", c.done, len(c.lists), c.bad, c.refused)
	if c.bad > 0 {
		os.Exit(1)
	}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "allocfuzz:", err)
	os.Exit(2)
}

// use finds the passes of each list; a list without its allocator is left out.
func (c *campaign) use(all []string) error {
	for _, l := range all {
		var ps []*pass.Pass
		missing := ""
		for name := range strings.SplitSeq(l, ",") {
			p := pipeline.ByName(name, nil)
			switch {
			case p != nil:
				ps = append(ps, p)
			case name == "rename-independent-subregs" || name == "stack-slot-coloring" || name == "processimpdefs":
			default:
				missing = name
			}
		}
		if missing != "" {
			if len(all) == 1 {
				return fmt.Errorf("there is no pass %s", missing)
			}
			continue
		}
		c.lists, c.names = append(c.lists, ps), append(c.names, l)
	}
	return nil
}

// check takes functions through all lists, by several workers.
func (c *campaign) check(seed, n uint64, jobs int, verify bool) {
	seeds := make(chan uint64)
	var wg sync.WaitGroup
	for range max(1, jobs) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			w := c.worker(verify)
			for s := range seeds {
				text := generate(c.facts, s, false, c.more)
				for k := range c.lists {
					if err := w.allocate(s, text, k); err != "" {
						c.report(s, k, err)
					}
				}
				c.mu.Lock()
				c.done++
				c.mu.Unlock()
			}
		}()
	}
	for s := seed; s < seed+n; s++ {
		seeds <- s
	}
	close(seeds)
	wg.Wait()
}

func (c *campaign) report(seed uint64, list int, what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if tooTight(what) {
		c.refused++
		if c.showRefused {
			fmt.Printf("seed %d: %s:\n%s\n", seed, c.names[list], what)
		}
		return
	}
	c.bad++
	if c.bad <= c.show {
		if len(what) > 3000 {
			what = "…" + what[len(what)-3000:]
		}
		fmt.Printf("seed %d: %s:\n%s\n", seed, c.names[list], what)
	}
}

// tooTight reports an allocator that gives up, as each may where an instruction
// needs all registers of a small class.
func tooTight(what string) bool {
	return strings.HasSuffix(what, "is not supported") || strings.Contains(what, "ran out of registers") || strings.Contains(what, "requires more registers")
}

type worker struct {
	c   *campaign
	ctx *pass.Context
	run []*pass.Runner
}

func (c *campaign) worker(verify bool) *worker {
	m, err := target.NewMachine(all.Find(tripleText, ""), target.Options{Triple: tripleText, Opt: 2})
	if err != nil {
		fatal(err)
	}
	if err := m.UseLayout(m.Target.DataLayout(m.Triple)); err != nil {
		fatal(err)
	}
	st, err := m.Subtarget(nil, nil)
	if err != nil {
		fatal(err)
	}
	w := &worker{c: c, ctx: &pass.Context{Machine: m, Subtarget: st, Opt: 2, CheckRegAlloc: true, SubRegLiveness: c.subregs}}
	v := new(mirverify.Verifier)
	hooks := pass.Hooks{Verify: func(b []byte, _ *pass.Context, f *mir.Function, banner string) ([]byte, int) {
		r := v.Verify(f, mirverify.Options{Banner: banner})
		v.Reset()
		if len(r.Errors) == 0 {
			return b, 0
		}
		return r.AppendText(b), len(r.Errors)
	}}
	for _, l := range c.lists {
		w.run = append(w.run, &pass.Runner{Passes: l, Config: pass.Config{Hooks: hooks, Verify: verify, VerifyInput: true}})
	}
	return w
}

// allocate takes a function through list k and says what is wrong.
func (w *worker) allocate(seed uint64, text string, k int) string {
	f, err := mirtext.ParseString(fmt.Sprintf("f%d.mir", seed), text, mirtext.ParseOptions{Triple: tripleText,
		Facts: func(t string) (*desc.Info, error) { return facts.Load(family.NameOf(t)) }})
	if err != nil {
		return err.Error()
	}
	w.ctx.Module = f.Module
	var log pass.Log
	if err := w.run[k].Run(w.ctx, f.Functions[0], &log); err != nil {
		if x, ok := err.(*pass.InternalError); ok {
			return string(log.Text) + err.Error() + "\n" + string(x.Stack)
		}
		return string(log.Text) + err.Error()
	}
	return ""
}
