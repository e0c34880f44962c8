package driver_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mirin-go/mirin/codegen/driver"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/pipeline"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/mc/object/elf"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/all"
)

// program is a module of functions of very different length that share
// symbols, have landing pads, and take the addresses of each other's blocks.
func program() string {
	var b strings.Builder
	b.WriteString("target triple = \"x86_64-unknown-linux-gnu\"\n@a = private constant i32 7\n@t1 = external constant ptr\n@t2 = external constant ptr\n" +
		"declare i32 @callee(i32)\ndeclare i32 @__gxx_personality_v0(...)\n")
	for n := range 40 {
		link := []string{"", "internal ", "weak ", "linkonce_odr hidden "}[n%4]
		fmt.Fprintf(&b, "define %si32 @f%d(i32 %%x) personality ptr @__gxx_personality_v0 {\n", link, n)
		switch n % 5 {
		case 0:
			fmt.Fprintf(&b, "  %%r = invoke i32 @callee(i32 %%x) to label %%ok unwind label %%pad\nok:\n  ret i32 %%r\npad:\n"+
				"  %%p = landingpad { ptr, i32 } catch ptr @t%d\n  ret i32 1\n", n%2+1)
		case 1:
			fmt.Fprintf(&b, "  %%p = load ptr, ptr @g%d\n  indirectbr ptr %%p, [label %%one, label %%two]\none:\n  ret i32 1\ntwo:\n  ret i32 %d\n", n, n)
		case 2:
			fmt.Fprintf(&b, "  %%v0 = add i32 %%x, 1\n")
			for k := range (n + 3) * (n % 7) {
				fmt.Fprintf(&b, "  %%v%d = mul i32 %%v%d, %%x\n", k+1, k)
			}
			fmt.Fprintf(&b, "  %%c = call i32 @f%d(i32 %%v%d)\n  ret i32 %%c\n", (n+7)%40, (n+3)*(n%7))
		case 3:
			b.WriteString("  call void asm sideeffect \"nop\", \"\"()\n  %v = load i32, ptr @a\n  ret i32 %v\n")
		default:
			b.WriteString("  %d = uitofp i32 %x to double\n  %e = fadd double %d, 2.5\n  %i = fptosi double %e to i32\n  ret i32 %i\n")
		}
		b.WriteString("}\n")
		if n%5 == 1 {
			fmt.Fprintf(&b, "@g%d = global ptr blockaddress(@f%d, %%two)\n", n, n)
		}
	}
	return b.String()
}

func job(t *testing.T, src string, workers int, opt target.OptLevel) *driver.Job {
	t.Helper()
	mod, err := irtext.Parse("t.ll", []byte(src), irtext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := target.NewMachine(all.Find(mod.Triple, ""), target.Options{Triple: mod.Triple, Opt: opt, Reloc: target.RelocPIC})
	if err != nil {
		t.Fatal(err)
	}
	if mod.DataLayout == "" {
		mod.DataLayout = m.Target.DataLayout(m.Triple)
	}
	if err := m.UseLayout(mod.DataLayout); err != nil {
		t.Fatal(err)
	}
	return &driver.Job{Machine: m, Module: mod, Workers: workers, Runner: &pass.Runner{Passes: pipeline.Passes(pipeline.Options{Opt: opt, Target: m.Target})}}
}

// TestOrder: text and object are the same for every number of workers.
func TestOrder(t *testing.T) {
	src := program()
	for _, opt := range []target.OptLevel{0, 2} {
		var text, obj []byte
		for _, workers := range []int{1, 2, 7} {
			got, _, errs := job(t, src, workers, opt).Assembly(driver.Shown{Verbose: true})
			o, _, errs2 := job(t, src, workers, opt).Object()
			if len(errs)+len(errs2) > 0 {
				t.Fatal(errs, errs2)
			}
			file, err := elf.Append(nil, o)
			if err != nil {
				t.Fatal(err)
			}
			if workers == 1 {
				text, obj = got, file
			}
			if !bytes.Equal(got, text) || !bytes.Equal(file, obj) {
				t.Errorf("-O%d: %d workers make another output than one", opt, workers)
			}
		}
	}
}

// TestLongestFirst: workers take long functions before short ones, shares are
// joined in the module's order, and a function that Join reads is not reused.
func TestLongestFirst(t *testing.T) {
	var b strings.Builder
	b.WriteString("target triple = \"x86_64-unknown-linux-gnu\"\n")
	for n := range 20 {
		fmt.Fprintf(&b, "define i32 @f%d(i32 %%v0) {\n", n)
		for k := range n * 20 {
			fmt.Fprintf(&b, "  %%v%d = add i32 %%v%d, 1\n", k+1, k)
		}
		fmt.Fprintf(&b, "  ret i32 %%v%d\n}\n", n*20)
	}
	j := job(t, b.String(), 2, 0)
	var joined []string
	first := make([]int, 0, 2)
	j.Worker = func(alone bool) driver.Render {
		if alone {
			t.Error("two workers, and one is alone")
		}
		seen := false
		return func(n int, f *mir.Function, st *target.Subtarget) (driver.Finished, error) {
			if !seen {
				seen = true
				j.Log([]byte(fmt.Sprint(n)))
			}
			return driver.Finished{Keep: n%3 == 0, Join: func() error {
				if n%3 == 0 {
					joined = append(joined, f.Name)
				} else {
					joined = append(joined, fmt.Sprintf("f%d", n))
				}
				return nil
			}}, nil
		}
	}
	logs := make(chan int, 2)
	j.Log = func(text []byte) {
		var n int
		fmt.Sscan(string(text), &n)
		logs <- n
	}
	if _, errs := j.Run(driver.Defined(j.Module)); len(errs) > 0 {
		t.Fatal(errs)
	}
	for len(logs) > 0 {
		first = append(first, <-logs)
	}
	// One worker may have been late: the other one took a few before it.
	if max(first[0], first[len(first)-1]) != 19 {
		t.Errorf("the workers began with functions %v", first)
	}
	for n, name := range joined {
		if name != fmt.Sprintf("f%d", n) {
			t.Fatalf("joined %v", joined)
		}
	}
	if len(joined) != 20 {
		t.Errorf("%d functions joined", len(joined))
	}
}

// TestErrors: all errors come, in the module's order, and nothing is joined after the first.
func TestErrors(t *testing.T) {
	for _, workers := range []int{1, 3} {
		j := job(t, program(), workers, 0)
		j.Runner = &pass.Runner{Passes: []*pass.Pass{{Name: "refuse", Run: func(c *pass.Context, f *mir.Function) error {
			if c.Index%10 == 3 {
				return fmt.Errorf("no %s", f.Name)
			}
			return nil
		}}}}
		joined := 0
		j.Worker = func(bool) driver.Render {
			return func(int, *mir.Function, *target.Subtarget) (driver.Finished, error) {
				return driver.Finished{Join: func() error { joined++; return nil }}, nil
			}
		}
		_, errs := j.Run(driver.Defined(j.Module))
		if got := fmt.Sprint(errs); got != "[no f3 no f13 no f23 no f33]" || joined != 3 {
			t.Errorf("%d workers: %v, %d joined", workers, got, joined)
		}
	}
}

// TestRefusals: every function that cannot be printed is named, also those whose
// blocks' addresses are taken, which are printed when their turn comes.
func TestRefusals(t *testing.T) {
	src, want := "target triple = \"x86_64-unknown-linux-gnu\"\n", []string{}
	for n := range 12 {
		asm, name := "nop", fmt.Sprintf("f%d", n)
		if n%3 != 0 {
			asm = "${:hardly}"
			want = append(want, name)
		}
		src += fmt.Sprintf("define void @%s(ptr %%p) {\n  call void asm sideeffect \"%s\", \"\"()\n", name, asm)
		if n%2 == 0 {
			src += "  ret void\n}\n"
			continue
		}
		src += fmt.Sprintf("  indirectbr ptr %%p, [label %%a]\na:\n  ret void\n}\n@g%d = global ptr blockaddress(@%s, %%a)\n", n, name)
	}
	for _, workers := range []int{1, 2, 5} {
		_, _, errs := job(t, src, workers, 0).Object()
		var got []string
		for _, err := range errs {
			_, name, _ := strings.Cut(err.Error(), "function ")
			name, _, _ = strings.Cut(name, ":")
			got = append(got, name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d workers: %v are refused, want %v\n%v", workers, got, want, errs)
		}
	}
}

// faultyBodies are those of the module but for one that cannot be read.
type faultyBodies struct {
	m     *ir.Module
	fault string
	reads *atomic.Int32
}

func (b faultyBodies) Length(ir.GlobalID) int { return 1 }

func (b faultyBodies) NewReader() func(id ir.GlobalID) (*ir.Function, error) {
	return func(id ir.GlobalID) (*ir.Function, error) {
		b.reads.Add(1)
		if g := b.m.Globals[id]; g.Name != b.fault {
			return g.Func, nil
		}
		return nil, errors.New("refused")
	}
}

// TestBodiesFault: after a body that cannot be read no other one is compiled in vain.
func TestBodiesFault(t *testing.T) {
	src := ""
	for n := range 300 {
		src += fmt.Sprintf("define void @f%d() {\n  ret void\n}\n", n)
	}
	for _, workers := range []int{1, 2} {
		j := job(t, "target triple = \"x86_64-unknown-linux-gnu\"\n"+src, workers, 0)
		b := faultyBodies{m: j.Module, fault: "f2", reads: new(atomic.Int32)}
		j.Bodies = b
		_, _, errs := j.Assembly(driver.Shown{Verbose: true})
		if !slices.ContainsFunc(errs, func(err error) bool { return strings.Contains(err.Error(), "refused") }) {
			t.Errorf("%d workers: the fault is not among %d errors", workers, len(errs))
		}
		// Two take runs of bodies side by side: which were read by then, and how many, is chance.
		if n := b.reads.Load(); workers == 1 && n != 3 {
			t.Errorf("one worker read %d bodies", n)
		}
	}
}
