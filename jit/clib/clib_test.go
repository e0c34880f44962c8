//go:build linux && amd64

package clib_test

import (
	"errors"
	"testing"

	"github.com/mirin-go/mirin"
	"github.com/mirin-go/mirin/jit/clib"
)

// TestCLibrary calls variadic, allocating and calling-back functions of the C
// library, and faults in one.
func TestCLibrary(t *testing.T) {
	lib, err := clib.Open()
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	m, err := mirin.ParseIR("c.ll", []byte(`
@format = private constant [12 x i8] c"%d %s %.2f!\00"
@word = private constant [4 x i8] c"abc\00"
declare i32 @snprintf(ptr, i64, ptr, ...)
declare ptr @malloc(i64)
declare void @free(ptr)
declare void @qsort(ptr, i64, i64, ptr)
declare i64 @strlen(ptr)
define i32 @text(ptr %to, i64 %n, i32 %a, double %x) {
  %r = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %to, i64 %n, ptr @format, i32 %a, ptr @word, double %x)
  ret i32 %r
}
define internal i32 @compare(ptr %p, ptr %q) {
  %a = load i32, ptr %p
  %b = load i32, ptr %q
  %c = call i32 @llvm.scmp.i32.i32(i32 %a, i32 %b)
  ret i32 %c
}
declare i32 @llvm.scmp.i32.i32(i32, i32)
define void @sort(ptr %p, i64 %n) { call void @qsort(ptr %p, i64 %n, i64 4, ptr @compare) ret void }
define i64 @bad() { %n = call i64 @strlen(ptr inttoptr (i64 64 to ptr)) ret i64 %n }
`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := mirin.Load(m, &mirin.Options{Library: lib.Lookup})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var text func([]byte, int, int32, float64) int32
	if err := p.Func("text", &text); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 64)
	n := text(buf, len(buf), -5, 2.125)
	if s := string(buf[:n]); s != "-5 abc 2.12!" {
		t.Errorf("snprintf wrote %q", s)
	}
	var sort func([]int32, int)
	if err := p.Func("sort", &sort); err != nil {
		t.Fatal(err)
	}
	ns := []int32{5, -2, 9, 1}
	sort(ns, len(ns))
	if ns != nil && (ns[0] != -2 || ns[3] != 9) {
		t.Errorf("qsort left %v", ns)
	}
	var bad func() (int64, error)
	if err := p.Func("bad", &bad); err != nil {
		t.Fatal(err)
	}
	var f *mirin.Fault
	if _, err := bad(); !errors.As(err, &f) || f.Addr != 64 {
		t.Errorf("strlen of a bad address: %v", err)
	}
}
