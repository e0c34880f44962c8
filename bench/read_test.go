package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/bitcode"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/ir/irverify"
	"github.com/mirin-go/mirin/mir/mirtext"
	"github.com/mirin-go/mirin/mir/mirverify"
)

// inputs are one large program (sqlite3: 170,000 lines of C) in all forms, made
// once a run by an installed clang and llc.
type inputs struct {
	ll, bc, bcDebug, mir []byte
}

var (
	largeOnce sync.Once
	large     inputs
	errLarge  error
)

// largeInputs skips the benchmark where there is no installed LLVM.
func largeInputs(b *testing.B) *inputs {
	src := testenv.Shared(b, "programs", "multi", "Applications", "sqlite3", "sqlite3.c")
	clang, as, llc := testenv.LLVM(b, "clang"), testenv.LLVM(b, "llvm-as"), testenv.LLVM(b, "llc")
	dir := b.TempDir()
	largeOnce.Do(func() {
		for _, f := range []struct {
			to   *[]byte
			name string
			args []string
		}{
			{&large.ll, "x.ll", []string{clang, "-O2", "-w", "-S", "-emit-llvm", src}},
			{&large.bcDebug, "g.bc", []string{clang, "-O2", "-w", "-g", "-c", "-emit-llvm", src}},
			{&large.bc, "x.bc", []string{as, filepath.Join(dir, "x.ll")}},
			{&large.mir, "x.mir", []string{llc, "-O2", "-stop-after=finalize-isel", filepath.Join(dir, "x.ll")}},
		} {
			out := filepath.Join(dir, f.name)
			if msg, err := exec.Command(f.args[0], append(f.args[1:], "-o", out)...).CombinedOutput(); err != nil {
				errLarge = fmt.Errorf("%s: %w: %.300s", f.args[0], err, msg)
				return
			}
			if *f.to, errLarge = os.ReadFile(out); errLarge != nil {
				return
			}
		}
	})
	if errLarge != nil {
		b.Fatal(errLarge)
	}
	return &large
}

// jobs runs a benchmark on one worker and on all.
func jobs(b *testing.B, bytes int, run func(b *testing.B, jobs int)) {
	list := []int{1}
	if n := runtime.GOMAXPROCS(0); n > 1 {
		list = append(list, n)
	}
	for _, j := range list {
		b.Run(fmt.Sprintf("j%d", j), func(b *testing.B) {
			b.SetBytes(int64(bytes))
			b.ReportAllocs()
			for b.Loop() {
				run(b, j)
			}
		})
	}
}

func BenchmarkReadText(b *testing.B) {
	in := largeInputs(b)
	jobs(b, len(in.ll), func(b *testing.B, jobs int) {
		if _, err := irtext.Parse("x.ll", in.ll, irtext.Options{Jobs: jobs}); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkReadBitcode(b *testing.B) {
	in := largeInputs(b)
	for name, src := range map[string][]byte{"plain": in.bc, "debug": in.bcDebug} {
		b.Run(name, func(b *testing.B) {
			jobs(b, len(src), func(b *testing.B, jobs int) {
				if _, err := bitcode.Read("x.bc", src, bitcode.Options{Jobs: jobs}); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}

// modules are the program as it was read, without and with debug info.
func modules(b *testing.B) map[string]*ir.Module {
	in := largeInputs(b)
	plain, err := irtext.Parse("x.ll", in.ll, irtext.Options{})
	if err != nil {
		b.Fatal(err)
	}
	debug, err := bitcode.Read("g.bc", in.bcDebug, bitcode.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return map[string]*ir.Module{"plain": plain, "debug": debug}
}

func BenchmarkVerifyIR(b *testing.B) {
	for name, m := range modules(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(irtext.AppendModule(nil, m))))
			for b.Loop() {
				if msg := irverify.Module(m); msg != "" {
					b.Fatal(msg)
				}
			}
		})
	}
}

func BenchmarkPrintIR(b *testing.B) {
	for name, m := range modules(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var out []byte
			for b.Loop() {
				out = irtext.AppendModule(out[:0], m)
			}
			b.SetBytes(int64(len(out)))
		})
	}
}

func BenchmarkWriteBitcode(b *testing.B) {
	for name, m := range modules(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var out []byte
			var err error
			for b.Loop() {
				if out, err = bitcode.Append(out[:0], m, bitcode.Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(int64(len(out)))
		})
	}
}

func parseMIR(b *testing.B, src []byte) *mirtext.File {
	f, err := mirtext.Parse("x.mir", src, mirtext.ParseOptions{Facts: func(string) (*desc.Info, error) { return facts.X86() }})
	if err != nil {
		b.Fatal(err)
	}
	return f
}

func BenchmarkReadMIR(b *testing.B) {
	in := largeInputs(b)
	b.SetBytes(int64(len(in.mir)))
	b.ReportAllocs()
	for b.Loop() {
		parseMIR(b, in.mir)
	}
}

func BenchmarkPrintMIR(b *testing.B) {
	f := parseMIR(b, largeInputs(b).mir)
	b.ReportAllocs()
	var out []byte
	for b.Loop() {
		out = f.AppendText(out[:0], mirtext.PrintOptions{})
	}
	b.SetBytes(int64(len(out)))
}

func BenchmarkVerifyMIR(b *testing.B) {
	in := largeInputs(b)
	f := parseMIR(b, in.mir)
	b.SetBytes(int64(len(in.mir)))
	b.ReportAllocs()
	var v mirverify.Verifier
	for b.Loop() {
		for _, fn := range f.Functions {
			if r := v.Verify(fn, mirverify.Options{}); !r.OK() {
				b.Fatalf("%s", r.AppendText(nil))
			}
		}
	}
}
