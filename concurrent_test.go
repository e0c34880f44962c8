package mirin_test

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/mirin-go/mirin"
)

// TestOneModuleManyCompilations compiles one module from several goroutines at
// once, with several workers each: code generation reads the module and never
// writes it. Under go test -race a write is a failure by itself; without it,
// outputs that differ are.
func TestOneModuleManyCompilations(t *testing.T) {
	for _, name := range []string{"primes.ll", "hello.ll"} {
		src, err := os.ReadFile(filepath.Join("examples", name))
		if err != nil {
			t.Fatal(err)
		}
		concurrently(t, name, src)
	}
	concurrently(t, "everything.ll", []byte(everything))
}

// everything has what made code generation add to a module once: constants of
// switches, aggregates and shifts, floating-point pool entries, library calls, atomics.
const everything = `
target triple = "x86_64-unknown-linux-gnu"
@g = global [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@t = thread_local global i32 0
declare double @llvm.pow.f64(double, double)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define double @fp(double %x, float %y) {
  %a = fadd double %x, 3.25
  %b = call double @llvm.pow.f64(double %a, double 1.5)
  %c = fpext float %y to double
  %d = fmul double %b, %c
  ret double %d
}
define i32 @sw(i32 %n, ptr %p) {
entry:
  switch i32 %n, label %d [ i32 0, label %a  i32 7, label %b  i32 100, label %a  i32 101, label %b  i32 102, label %a i32 103, label %b ]
a:
  %o = atomicrmw nand ptr %p, i32 %n seq_cst
  ret i32 %o
b:
  %m = atomicrmw fadd ptr %p, float 2.0 seq_cst
  %i = bitcast float %m to i32
  ret i32 %i
d:
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @g, i64 400, i1 false)
  %v = load i128, ptr %p
  %q = udiv i128 %v, 10
  %r = trunc i128 %q to i32
  ret i32 %r
}
define { i32, [2 x i8] } @agg(i1 %c) {
  %s = select i1 %c, { i32, [2 x i8] } { i32 5, [2 x i8] c"ab" }, { i32, [2 x i8] } zeroinitializer
  ret { i32, [2 x i8] } %s
}
define <4 x i32> @vec(<4 x i32> %v, i32 %k) {
  %a = add <4 x i32> %v, <i32 1, i32 2, i32 3, i32 4>
  %b = insertelement <4 x i32> %a, i32 %k, i32 %k
  %c = shufflevector <4 x i32> %b, <4 x i32> zeroinitializer, <4 x i32> <i32 3, i32 4, i32 1, i32 6>
  ret <4 x i32> %c
}
define ptr @addr() {
  %l = load i32, ptr @t
  store i32 %l, ptr getelementptr ([4 x i32], ptr @g, i64 0, i64 2)
  ret ptr blockaddress(@sw, %a)
}
`

func concurrently(t *testing.T, name string, src []byte) {
	t.Helper()
	m, err := mirin.ParseIR(name, src)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	const n = 6
	var out [n][]byte
	for k := range n {
		wg.Go(func() {
			text, err := mirin.Assembly(m, &mirin.Options{Opt: mirin.Level(k % 2), Jobs: 1 + k%3})
			if err != nil {
				t.Error(err)
			}
			out[k] = text
		})
	}
	wg.Wait()
	for k := 2; k < n; k++ {
		if !bytes.Equal(out[k], out[k%2]) {
			t.Errorf("%s: compilation %d gave other code than %d", name, k, k%2)
		}
	}
}
