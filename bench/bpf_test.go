package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mirin-go/mirin/bpf"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/ir"
)

// bpfProgram is a packet filter of steps that each read the packet, mix what they read and leave by a
// branch; each is 6 instructions of IR.
func bpfProgram(functions, steps int) []byte {
	var b strings.Builder
	b.WriteString("target datalayout = \"e-m:e-p:64:64-i64:64-i128:128-n32:64-S128\"\ntarget triple = \"bpfel\"\n")
	for f := range functions {
		fmt.Fprintf(&b, "\ndefine i32 @f%d(ptr %%p, i64 %%x0) section \"socket\" {\nb0:\n", f)
		for k := range steps {
			fmt.Fprintf(&b, "  %%a%d = getelementptr i8, ptr %%p, i64 %d\n  %%v%d = load i64, ptr %%a%d, align 8\n  %%m%d = mul i64 %%v%d, %d\n  %%x%d = xor i64 %%x%d, %%m%d\n", k, 8*(k%64), k, k, k, k, 3+k%100, k+1, k, k)
			fmt.Fprintf(&b, "  %%c%d = icmp ugt i64 %%x%d, %d\n  br i1 %%c%d, label %%b%d, label %%out\nb%d:\n", k, k+1, k, k, k+1, k+1)
		}
		fmt.Fprintf(&b, "  %%r = trunc i64 %%x%d to i32\n  ret i32 %%r\nout:\n  ret i32 0\n}\n", steps)
	}
	return []byte(b.String())
}

func compileBPF(b *testing.B, src []byte) []byte {
	m, err := bpf.ParseIR("bench.ll", src)
	if err != nil {
		b.Fatal(err)
	}
	obj, err := bpf.Compile(m, &bpf.Options{Jobs: 1})
	if err != nil {
		b.Fatal(err)
	}
	return obj
}

// BenchmarkBPFSmall reads, checks and compiles a program of a hundred lines, in process.
func BenchmarkBPFSmall(b *testing.B) {
	src := bpfProgram(1, 15)
	b.ReportAllocs()
	for b.Loop() {
		compileBPF(b, src)
	}
}

// BenchmarkBPFBuild builds a program of three maps and a hundred instructions with types and lines,
// and compiles it.
func BenchmarkBPFBuild(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		u := bpf.NewUnit("bench", nil)
		u.License("GPL")
		for _, name := range []string{"a", "b", "c"} {
			u.Map(name, bpf.MapSpec{Type: bpf.Hash, Key: bpf.U32, Value: bpf.U64, MaxEntries: 64})
		}
		f := u.Program("socket", "f", bpf.I32, bpf.Param{Name: "ctx", Type: bpf.Pointer(nil)})
		x := f.Int(ir.Int64, 1)
		for k := range 25 {
			f.Line()
			x = f.Xor(f.Mul(x, f.ZExt(f.Load(ir.Int32, f.Offset(f.Arg(0), int64(4*(k%12)))), ir.Int64)), f.Int(ir.Int64, int64(k)))
		}
		f.Ret(f.Trunc(x, ir.Int32))
		if _, err := u.Compile(&bpf.Options{Jobs: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

func cpuTime(ru *syscall.Rusage) time.Duration {
	return time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
}

// BenchmarkBPFLarge compiles a program of 100,000 instructions, and a quarter of it, and says what
// llc-22 takes (CPU time of the process, the least of three): x-llc is ours by llc's.
func BenchmarkBPFLarge(b *testing.B) {
	llc := testenv.LLVM(b, "llc")
	for _, functions := range []int{25, 100} {
		b.Run(fmt.Sprintf("insns=%d", 1000*functions), func(b *testing.B) {
			src := bpfProgram(functions, 167)
			var before, after syscall.Rusage
			runtime.GC()
			n := 0
			syscall.Getrusage(syscall.RUSAGE_SELF, &before)
			for b.Loop() {
				compileBPF(b, src)
				n++
			}
			syscall.Getrusage(syscall.RUSAGE_SELF, &after)
			ours := (cpuTime(&after) - cpuTime(&before)) / time.Duration(n)
			file := filepath.Join(b.TempDir(), "x.ll")
			if err := os.WriteFile(file, src, 0o666); err != nil {
				b.Fatal(err)
			}
			theirs := time.Duration(1 << 62)
			for range 3 {
				cmd := exec.Command(llc, "-O2", "-filetype=obj", file, "-o", file+".o")
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, out)
				}
				theirs = min(theirs, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
			}
			b.ReportMetric(float64(ours.Microseconds())/1000, "cpu-ms/op")
			b.ReportMetric(float64(theirs.Microseconds())/1000, "llc-cpu-ms/op")
			b.ReportMetric(float64(ours)/float64(theirs), "x-llc")
		})
	}
}
