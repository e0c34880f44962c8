package interp

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/ir/irtext"
)

// prepare parses a module and makes an interpreter of it.
func prepare(t testing.TB, src string, o Options) *Interp {
	t.Helper()
	m, err := irtext.Parse("test.ll", []byte(src), irtext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	vm, err := New(m, o)
	if err != nil {
		t.Fatal(err)
	}
	return vm
}

// result runs @f of a module without arguments and tells what came out: numbers,
// "poison", "undef MASK", or the kind of undefined behaviour.
func result(t testing.TB, src string, o Options) string {
	t.Helper()
	vals, err := prepare(t, src, o).Call("f")
	var u *UB
	var n *NotSupported
	switch {
	case errors.As(err, &u):
		return "UB " + u.Kind
	case errors.As(err, &n):
		return "not supported: " + n.What
	case err != nil:
		return err.Error()
	}
	var s []string
	for _, v := range vals {
		switch {
		case v.Poison:
			s = append(s, "poison")
		case v.Undef != 0:
			s = append(s, "undef "+itoa(v.Undef))
		default:
			s = append(s, itoa(v.Bits))
		}
	}
	return strings.Join(s, " ")
}

// TestInstructions: a row is the result type, the body of a function, and what comes out.
func TestInstructions(t *testing.T) {
	for _, tc := range []struct{ ty, body, want string }{
		// Integers: wrapping, flags, undefined bits.
		{"i8", "%r = add i8 200, 100\nret i8 %r", "44"},
		{"i8", "%r = add nuw i8 200, 100\nret i8 %r", "poison"},
		{"i8", "%r = add nsw i8 100, 100\nret i8 %r", "poison"},
		{"i8", "%r = add nsw i8 -100, 100\nret i8 %r", "0"},
		{"i8", "%r = add i8 undef, 1\nret i8 %r", "undef 255"},
		{"i8", "%r = add i8 poison, 1\nret i8 %r", "poison"},
		{"i8", "%r = sub nuw i8 1, 2\nret i8 %r", "poison"},
		{"i8", "%r = sub nsw i8 -128, 1\nret i8 %r", "poison"},
		{"i7", "%r = sub i7 0, 1\nret i7 %r", "127"},
		{"i32", "%r = mul nsw i32 65536, 32768\nret i32 %r", "poison"},
		{"i32", "%r = mul nsw i32 -65536, 32768\nret i32 %r", "2147483648"},
		{"i64", "%r = mul nuw i64 4294967296, 4294967296\nret i64 %r", "poison"},
		{"i8", "%r = mul i8 undef, 4\nret i8 %r", "undef 252"},
		{"i8", "%r = and i8 undef, 15\nret i8 %r", "undef 15"},
		{"i8", "%r = or i8 undef, 15\nret i8 %r", "undef 240"},
		{"i8", "%r = and i8 poison, 0\nret i8 %r", "poison"},
		{"i8", "%r = or disjoint i8 3, 4\nret i8 %r", "7"},
		{"i8", "%r = or disjoint i8 3, 6\nret i8 %r", "poison"},
		{"i32", "%r = shl i32 1, 31\nret i32 %r", "2147483648"},
		{"i32", "%r = shl i32 1, 32\nret i32 %r", "poison"},
		{"i32", "%r = shl nsw i32 1, 31\nret i32 %r", "poison"},
		{"i32", "%r = shl nuw i32 3, 31\nret i32 %r", "poison"},
		{"i32", "%r = lshr exact i32 3, 1\nret i32 %r", "poison"},
		{"i32", "%r = ashr i32 -8, 1\nret i32 %r", "4294967292"},
		{"i32", "%r = udiv i32 7, 0\nret i32 %r", "UB division by zero"},
		{"i32", "%r = sdiv i32 -2147483648, -1\nret i32 %r", "UB signed division overflow"},
		{"i32", "%r = srem i32 -7, 2\nret i32 %r", "4294967295"},
		{"i32", "%r = udiv i32 1, undef\nret i32 %r", "UB division by undef"},
		{"i32", "%r = udiv i32 1, poison\nret i32 %r", "UB division by poison"},
		{"i32", "%r = udiv exact i32 7, 2\nret i32 %r", "poison"},
		// Casts.
		{"i8", "%r = trunc i32 300 to i8\nret i8 %r", "44"},
		{"i8", "%r = trunc nuw i32 300 to i8\nret i8 %r", "poison"},
		{"i8", "%r = trunc nsw i32 200 to i8\nret i8 %r", "poison"},
		{"i32", "%r = zext nneg i8 -1 to i32\nret i32 %r", "poison"},
		{"i32", "%r = sext i8 -1 to i32\nret i32 %r", "4294967295"},
		{"i32", "%r = fptosi double 1.0e10 to i32\nret i32 %r", "poison"},
		{"i32", "%r = fptosi double -1.5 to i32\nret i32 %r", "4294967295"},
		{"i64", "%r = fptoui double 1.8446744073709550e19 to i64\nret i64 %r", "18446744073709549568"},
		{"float", "%r = uitofp i64 -1 to float\nret float %r", "1602224128"},
		{"float", "%r = uitofp nneg i64 -1 to float\nret float %r", "poison"},
		{"half", "%r = fptrunc double 65519.9 to half\nret half %r", "31743"},
		{"half", "%r = fptrunc double 65520.0 to half\nret half %r", "31744"},
		// Comparisons.
		{"i1", "%r = icmp slt i8 -1, 0\nret i1 %r", "1"},
		{"i1", "%r = icmp samesign ult i8 -1, 0\nret i1 %r", "poison"},
		{"i1", "%u = and i8 undef, 15\n%r = icmp ult i8 %u, 16\nret i1 %r", "1"},
		{"i1", "%u = and i8 undef, 15\n%r = icmp ult i8 %u, 15\nret i1 %r", "undef 1"},
		{"i1", "%r = fcmp uno double 0x7FF8000000000000, 0.0\nret i1 %r", "1"},
		{"i1", "%r = fcmp nnan uno double 0x7FF8000000000000, 0.0\nret i1 %r", "poison"},
		// Floating point.
		{"double", "%r = fadd double 1.0, 2.0\nret double %r", "4613937818241073152"},
		{"double", "%r = fdiv double 0.0, 0.0\nret double %r", "18444492273895866368"},
		{"double", "%r = fadd ninf double 0x7FF0000000000000, 2.0\nret double %r", "poison"},
		{"half", "%r = fadd half 1.0, 0xH1000\nret half %r", "15360"},
		{"float", "%r = fneg float 1.0\nret float %r", "3212836864"},
		// freeze, select, phi.
		{"i8", "%r = freeze i8 poison\nret i8 %r", "0"},
		{"i8", "%u = or i8 undef, 8\n%r = freeze i8 %u\nret i8 %r", "8"},
		{"i8", "%r = select i1 poison, i8 1, i8 1\nret i8 %r", "poison"},
		{"i8", "%r = select i1 undef, i8 1, i8 1\nret i8 %r", "1"},
		{"i8", "%r = select i1 true, i8 1, i8 poison\nret i8 %r", "1"},
		// Control flow on what is not defined.
		{"i8", "br i1 poison, label %a, label %b\na:\nret i8 1\nb:\nret i8 2", "UB branch on poison"},
		{"i8", "br i1 undef, label %a, label %b\na:\nret i8 1\nb:\nret i8 2", "UB branch on undef"},
		{"i8", "switch i32 undef, label %a [ i32 1, label %a ]\na:\nret i8 1", "UB branch on undef"},
		{"i8", "switch i32 7, label %a [ i32 1, label %a\ni32 7, label %b\ni32 1000000, label %a ]\na:\nret i8 1\nb:\nret i8 2", "2"},
		{"i8", "unreachable", "UB unreachable"},
		// Memory.
		{"i32", "%p = alloca i32\n%r = load i32, ptr %p\nret i32 %r", "undef 4294967295"},
		{"i32", "%p = alloca i32\n%r = load i32, ptr %p, !noundef !{}\nret i32 %r", "UB undef where noundef"},
		{"i32", "%p = alloca i32\nstore i32 poison, ptr %p\n%r = load i32, ptr %p\nret i32 %r", "poison"},
		{"i32", "%p = alloca i32\nstore i32 7, ptr %p\n%q = getelementptr i8, ptr %p, i64 1\nstore i8 poison, ptr %q\n%r = load i32, ptr %p\nret i32 %r", "poison"},
		{"i32", "%p = alloca i32\nstore i32 0, ptr %p\n%q = getelementptr i8, ptr %p, i64 1\nstore i8 undef, ptr %q\n%r = load i32, ptr %p\nret i32 %r", "undef 65280"},
		{"i32", "%p = alloca i32\n%q = getelementptr i32, ptr %p, i64 1\n%r = load i32, ptr %q\nret i32 %r", "UB out of bounds"},
		{"i32", "%p = alloca [4 x i32]\n%q = getelementptr inbounds [4 x i32], ptr %p, i64 0, i64 5\n%c = ptrtoint ptr %q to i64\n%r = trunc i64 %c to i32\nret i32 %r", "poison"},
		{"i32", "%r = load i32, ptr null\nret i32 %r", "UB null pointer"},
		{"i32", "%r = load i32, ptr poison\nret i32 %r", "UB poison pointer"},
		{"i32", "%p = alloca i64, align 8\n%q = getelementptr i8, ptr %p, i64 1\n%r = load i32, ptr %q, align 4\nret i32 %r", "UB misaligned"},
		{"i32", "store i32 1, ptr @c\nret i32 0", "UB store to constant"},
		{"i32", "%r = load i32, ptr @c\nret i32 %r", "5"},
		{"i32", "%r = load i32, ptr @f\nret i32 %r", "UB access to code"},
		{"i32", "%p = call ptr @malloc(i64 4)\ncall void @free(ptr %p)\n%r = load i32, ptr %p\nret i32 %r", "UB use after free"},
		{"i32", "%p = call ptr @malloc(i64 4)\ncall void @free(ptr %p)\ncall void @free(ptr %p)\nret i32 0", "UB double free"},
		{"i32", "%p = call ptr @leak()\n%r = load i32, ptr %p\nret i32 %r", "UB use after free"},
		{"i32", "%p = alloca i32\ncall void @llvm.lifetime.start.p0(ptr %p)\nstore i32 1, ptr %p\ncall void @llvm.lifetime.end.p0(ptr %p)\n%r = load i32, ptr %p\nret i32 %r", "poison"},
		{"i32", "%p = alloca i32\ncall void @llvm.lifetime.start.p0(ptr %p)\ncall void @llvm.lifetime.end.p0(ptr %p)\nstore i32 1, ptr %p\nret i32 0", "UB outside of lifetime"},
		// Provenance through memory and integers.
		{"i8", "%p = alloca i8\n%q = alloca ptr\nstore i8 3, ptr %p\nstore ptr %p, ptr %q\n%x = load ptr, ptr %q\n%r = load i8, ptr %x\nret i8 %r", "3"},
		{"i8", "%p = alloca i8\nstore i8 3, ptr %p\n%i = ptrtoint ptr %p to i64\n%x = inttoptr i64 %i to ptr\n%r = load i8, ptr %x\nret i8 %r", "3"},
		{"i8", "%x = inttoptr i64 123456789 to ptr\n%r = load i8, ptr %x\nret i8 %r", "UB wild pointer"},
		// Calls.
		{"i32", "%r = call i32 @id(i32 undef)\nret i32 %r", "UB undef where noundef"},
		{"i32", "%r = call i32 @id(i32 4)\nret i32 %r", "4"},
		{"i32", "%r = call i32 null()\nret i32 %r", "UB call of null"},
		{"i32", "%r = call i32 @nowhere()\nret i32 %r", "not supported: external function @nowhere"},
		{"i32", "%v = sext <2 x i8> splat (i8 -3) to <2 x i65>\n%e = extractelement <2 x i65> %v, i32 1\n%r = trunc i65 %e to i32\nret i32 %r",
			"not supported: a vector of 65-bit elements"},
		{"i32", "%r = call i32 @small(i32 100)\nret i32 %r", "poison"},
		// Intrinsics.
		{"i8", "%r = call i8 @llvm.abs.i8(i8 -128, i1 true)\nret i8 %r", "poison"},
		{"i8", "%r = call i8 @llvm.abs.i8(i8 -128, i1 false)\nret i8 %r", "128"},
		{"i8", "%r = call i8 @llvm.ctlz.i8(i8 0, i1 true)\nret i8 %r", "poison"},
		{"i8", "%r = call i8 @llvm.ctlz.i8(i8 1, i1 true)\nret i8 %r", "7"},
		{"i8", "%r = call i8 @llvm.fshl.i8(i8 129, i8 128, i8 9)\nret i8 %r", "3"},
		{"i8", "%r = call i8 @llvm.fshr.i8(i8 1, i8 2, i8 8)\nret i8 %r", "2"},
		{"i8", "%r = call i8 @llvm.sadd.sat.i8(i8 100, i8 100)\nret i8 %r", "127"},
		{"i8", "%r = call i8 @llvm.usub.sat.i8(i8 100, i8 101)\nret i8 %r", "0"},
		{"{ i8, i1 }", "%r = call { i8, i1 } @llvm.smul.with.overflow.i8(i8 64, i8 2)\nret { i8, i1 } %r", "128 1"},
		{"i8", "call void @llvm.assume(i1 false)\nret i8 1", "UB assume of false"},
		{"double", "%r = call double @llvm.fma.f64(double 3.0, double 4.0, double 5.0)\nret double %r", "4625478292286210048"},
		{"i1", "%r = call i1 @llvm.is.fpclass.f64(double -0.0, i32 32)\nret i1 %r", "1"},
		// Wide integers, vectors, aggregates.
		{"i128", "%r = mul i128 18446744073709551616, 3\nret i128 %r", "0 3"},
		{"i128", "%r = sdiv i128 -10, 3\nret i128 %r", "18446744073709551613 18446744073709551615"},
		{"i65", "%r = add nuw i65 -1, 1\nret i65 %r", "poison poison"},
		{"i128", "%r = shl i128 1, 100\nret i128 %r", "0 68719476736"},
		{"i128", "%r = sext i8 -1 to i128\nret i128 %r", "18446744073709551615 18446744073709551615"},
		{"<2 x i8>", "%r = add nuw <2 x i8> <i8 255, i8 1>, <i8 1, i8 1>\nret <2 x i8> %r", "poison 2"},
		{"<2 x i8>", "%r = shufflevector <2 x i8> <i8 1, i8 2>, <2 x i8> <i8 3, i8 4>, <2 x i32> <i32 3, i32 poison>\nret <2 x i8> %r", "4 poison"},
		{"i8", "%r = extractelement <2 x i8> <i8 1, i8 2>, i32 2\nret i8 %r", "poison"},
		{"i8", "%v = bitcast <8 x i1> <i1 1, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 1> to i8\nret i8 %v", "129"},
		{"i16", "%v = bitcast <2 x i8> <i8 1, i8 poison> to i16\nret i16 %v", "poison"},
		{"{ i8, i32 }", "%a = insertvalue { i8, i32 } poison, i32 4, 1\nret { i8, i32 } %a", "poison 4"},
		{"i32", "%r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> <i32 1, i32 2, i32 3, i32 4>)\nret i32 %r", "10"},
		// x86_fp80.
		{"double", "%a = fdiv x86_fp80 0xK3FFF8000000000000000, 0xK4000C000000000000000\n%b = fmul x86_fp80 %a, 0xK4000C000000000000000\n%r = fptrunc x86_fp80 %b to double\nret double %r", "4607182418800017408"},
		{"x86_fp80", "%r = fdiv x86_fp80 0xK3FFF8000000000000000, 0xK4000C000000000000000\nret x86_fp80 %r", "12297829382473034411 16381"},
		{"i32", "%r = fptosi x86_fp80 0xKC000E000000000000000 to i32\nret i32 %r", "4294967293"},
		{"i1", "%r = fcmp olt x86_fp80 0xKC000E000000000000000, 0xK3FFF8000000000000000\nret i1 %r", "1"},
		{"x86_fp80", "%r = fmul x86_fp80 0xK00018000000000000000, 0xK3FFE8000000000000000\nret x86_fp80 %r", "4611686018427387904 0"},
		// Atomics.
		{"i32", "%p = alloca i32\nstore i32 5, ptr %p\n%o = atomicrmw umax ptr %p, i32 9 seq_cst\n%r = load i32, ptr %p\nret i32 %r", "9"},
		{"{ i32, i1 }", "%p = alloca i32\nstore i32 5, ptr %p\n%r = cmpxchg ptr %p, i32 5, i32 6 seq_cst seq_cst\nret { i32, i1 } %r", "5 1"},
	} {
		src := `
@c = constant i32 5
declare ptr @malloc(i64)
declare void @free(ptr)
declare i32 @nowhere()
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare i8 @llvm.abs.i8(i8, i1)
declare i8 @llvm.ctlz.i8(i8, i1)
declare i8 @llvm.fshl.i8(i8, i8, i8)
declare i8 @llvm.fshr.i8(i8, i8, i8)
declare i8 @llvm.sadd.sat.i8(i8, i8)
declare i8 @llvm.usub.sat.i8(i8, i8)
declare { i8, i1 } @llvm.smul.with.overflow.i8(i8, i8)
declare void @llvm.assume(i1)
declare double @llvm.fma.f64(double, double, double)
declare i1 @llvm.is.fpclass.f64(double, i32)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
define ptr @leak() {
  %p = alloca i32
  store i32 1, ptr %p
  ret ptr %p
}
define i32 @id(i32 noundef %x) {
  ret i32 %x
}
define range(i32 0, 10) i32 @small(i32 %x) {
  ret i32 %x
}
define ` + tc.ty + " @f() {\n" + tc.body + "\n}\n"
		if got := result(t, src, Options{}); got != tc.want {
			t.Errorf("%s\ngot %s, want %s", tc.body, got, tc.want)
		}
	}
}

// TestPhis: the copies of an edge happen at once.
func TestPhis(t *testing.T) {
	const src = `
define { i32, i32, i32 } @f() {
  br label %l
l:
  %a = phi i32 [ 1, %0 ], [ %b, %l ]
  %b = phi i32 [ 2, %0 ], [ %c, %l ]
  %c = phi i32 [ 3, %0 ], [ %a, %l ]
  %n = phi i32 [ 0, %0 ], [ %m, %l ]
  %m = add i32 %n, 1
  %e = icmp eq i32 %m, 5
  br i1 %e, label %x, label %l
x:
  %r0 = insertvalue { i32, i32, i32 } poison, i32 %a, 0
  %r1 = insertvalue { i32, i32, i32 } %r0, i32 %b, 1
  %r2 = insertvalue { i32, i32, i32 } %r1, i32 %c, 2
  ret { i32, i32, i32 } %r2
}`
	if got := result(t, src, Options{}); got != "2 3 1" {
		t.Errorf("got %s, want 2 3 1", got)
	}
}

// TestPosition: a report names function, block, instruction, source line and callers.
func TestPosition(t *testing.T) {
	const src = `
define void @g(ptr %p) !dbg !3 {
start:
  store i32 1, ptr %p, align 4, !dbg !5
  ret void
}
define void @f() {
  call void @g(ptr null)
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "prog.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{null})
!5 = !DILocation(line: 42, column: 3, scope: !3)
`
	_, err := prepare(t, src, Options{}).Call("f")
	var u *UB
	if !errors.As(err, &u) {
		t.Fatalf("got %v, want undefined behaviour", err)
	}
	if u.Function != "g" || u.Block != "start" || u.Line != 42 || u.File != "prog.c" || len(u.Callers) != 1 || u.Callers[0] != "f" ||
		!strings.HasPrefix(u.Instr, "store i32 1, ptr %p, align 4") {
		t.Errorf("got %+v", u.Position)
	}
}

// TestLenient: each knob turns one report off.
func TestLenient(t *testing.T) {
	for _, tc := range []struct {
		body string
		l    Lenient
		want string
	}{
		{"br i1 undef, label %a, label %b\na:\nret i8 1\nb:\nret i8 2", Lenient{UndefBranch: true}, "2"},
		{"%r = add nsw i8 100, 100\nret i8 %r", Lenient{Flags: true}, "200"},
		{"%p = alloca i64\n%q = getelementptr i8, ptr %p, i64 1\nstore i16 7, ptr %q, align 2\n%r = load i8, ptr %q\nret i8 %r", Lenient{Align: true}, "7"},
		{"%p = alloca [2 x i8]\n%q = getelementptr inbounds i8, ptr %p, i64 5\n%o = getelementptr i8, ptr %q, i64 -4\nstore i8 3, ptr %o\n%r = load i8, ptr %o\nret i8 %r", Lenient{InBounds: true}, "3"},
	} {
		src := "define i8 @f() {\n" + tc.body + "\n}\n"
		if got := result(t, src, Options{}); !strings.HasPrefix(got, "UB") && got != "poison" {
			t.Errorf("%s\nstrict: got %s", tc.body, got)
		}
		if got := result(t, src, Options{Lenient: tc.l}); got != tc.want {
			t.Errorf("%s\ngot %s, want %s", tc.body, got, tc.want)
		}
	}
}

// TestFuel: a loop without end stops, and deep recursion too.
func TestFuel(t *testing.T) {
	var s *Stopped
	_, err := prepare(t, "define void @f() {\n  br label %l\nl:\n  br label %l\n}\n", Options{Fuel: 1000}).Call("f")
	if !errors.As(err, &s) || s.Reason != "out of fuel" {
		t.Errorf("loop: got %v", err)
	}
	_, err = prepare(t, "define void @f() {\n  call void @f()\n  ret void\n}\n", Options{MaxDepth: 1000}).Call("f")
	if !errors.As(err, &s) || s.Reason != "too many nested calls" {
		t.Errorf("recursion: got %v", err)
	}
	_, err = prepare(t, "define void @f() {\n  %p = alloca [1000 x i8]\n  call void @f()\n  ret void\n}\n", Options{}).Call("f")
	if !errors.As(err, &s) || s.Reason != "stack overflow" {
		t.Errorf("stack: got %v", err)
	}
}

// TestPrintf compares with what the C library writes.
func TestPrintf(t *testing.T) {
	for _, tc := range []struct{ format, args, want string }{
		{"%d %i|%5d|%-5d|%05d|%+d|% d", "i32 -1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7", "-1 2|    3|4    |00005|+6| 7"},
		{"%.3d|%8.3d|%.0d|%hhd|%hd", "i32 5, i32 6, i32 0, i32 300, i32 65537", "005|     006||44|1"},
		{"%x %X %#x %o %#o %u", "i32 255, i32 255, i32 255, i32 8, i32 8, i32 -1", "ff FF 0xff 10 010 4294967295"},
		{"%ld %lx %llu", "i64 -5, i64 -1, i64 -1", "-5 ffffffffffffffff 18446744073709551615"},
		{"%c%c%%", "i32 65, i32 66", "AB%"},
		{"%f %.2f %e %g %g %g", "double 1.5, double 2.675, double 12345.678, double 1.0e10, double 0.0001, double 1.0e-5", "1.500000 2.67 1.234568e+04 1e+10 0.0001 1e-05"},
		{"%10.3f|%-10.3f|%010.3f|%+.1e", "double 3.14159, double 3.14159, double -3.14159, double 5.0e-324", "     3.142|3.142     |-00003.142|+4.9e-324"},
		{"%a %a %.2a %A", "double 1.0, double 0.1, double 1.999, double -0.5", "0x1p+0 0x1.999999999999ap-4 0x2.00p+0 -0X1P-1"},
		{"%f %F %g", "double 0x7FF0000000000000, double 0xFFF8000000000000, double 0x7FF8000000000000", "inf -NAN nan"},
		{"%s|%.2s|%5s|%-5s|", "ptr @s, ptr @s, ptr @s, ptr @s", "abc|ab|  abc|abc  |"},
		{"%*d|%-*d|%.*f", "i32 4, i32 1, i32 4, i32 2, i32 1, double 2.25", "   1|2   |2.2"},
		{"%s %p", "ptr null, ptr null", "(null) (nil)"},
		{"%#g %#.0f %g", "double 1.0, double 3.0, double 100000.0", "1.00000 3. 100000"},
	} {
		src := "@s = constant [4 x i8] c\"abc\\00\"\n@fmt = constant [" + itoa(uint64(len(tc.format)+1)) + " x i8] c\"" + tc.format + "\\00\"\n" +
			"declare i32 @printf(ptr, ...)\ndefine i32 @main() {\n  call i32 (ptr, ...) @printf(ptr @fmt, " + tc.args + ")\n  ret i32 3\n}\n"
		var out bytes.Buffer
		code, err := prepare(t, src, Options{Stdout: &out}).RunMain([]string{"prog"})
		if err != nil || code != 3 || out.String() != tc.want {
			t.Errorf("%s: got %q, %d, %v; want %q", tc.format, out.String(), code, err, tc.want)
		}
	}
}

// TestRand: the numbers are glibc's.
func TestRand(t *testing.T) {
	var g random
	g.seed(1)
	for _, want := range []uint32{1804289383, 846930886, 1681692777, 1714636915, 1957747793} {
		if got := g.next(); got != want {
			t.Errorf("got %d, want %d", got, want)
		}
	}
	g.seed(42)
	if got := g.next(); got != 71876166 {
		t.Errorf("seed 42: got %d, want 71876166", got)
	}
}

// TestNumbers: strtol, strtod and scanf's readers.
func TestNumbers(t *testing.T) {
	for _, tc := range []struct {
		s    string
		base int
		v    int64
		n    int
	}{{" -12x", 10, -12, 4}, {"0x1fz", 0, 31, 4}, {"077", 0, 63, 3}, {"0x", 16, 0, 1}, {"9223372036854775808", 10, 1<<63 - 1, 19}, {"+", 10, 0, 0}, {"zz", 36, 1295, 2}} {
		v, n, _ := parseInt([]byte(tc.s), tc.base, true, 64)
		if int64(v) != tc.v || n != tc.n {
			t.Errorf("%q: got %d, %d; want %d, %d", tc.s, int64(v), n, tc.v, tc.n)
		}
	}
	for _, tc := range []struct {
		s string
		v float64
		n int
	}{{" 1.5e3x", 1500, 6}, {"1e", 1, 1}, {".5", .5, 2}, {"0x1.8p1", 3, 7}, {"0x10", 16, 4}, {"-", 0, 0}, {"1.2.3", 1.2, 3}} {
		v, n := parseFloat([]byte(tc.s))
		if v != tc.v || n != tc.n {
			t.Errorf("%q: got %g, %d; want %g, %d", tc.s, v, n, tc.v, tc.n)
		}
	}
}

// TestScanf reads numbers and words from a stream.
func TestScanf(t *testing.T) {
	const src = `
@fmt = constant [16 x i8] c"%d,%lf %s%c%[a]\00"
@out = constant [18 x i8] c"%d %d %g %s %c %s\00"
declare i32 @printf(ptr, ...)
declare i32 @__isoc99_scanf(ptr, ...)
define i32 @main() {
  %i = alloca i32
  %d = alloca double
  %s = alloca [10 x i8]
  %c = alloca i8
  %t = alloca [10 x i8]
  %n = call i32 (ptr, ...) @__isoc99_scanf(ptr @fmt, ptr %i, ptr %d, ptr %s, ptr %c, ptr %t)
  %iv = load i32, ptr %i
  %dv = load double, ptr %d
  %cv = load i8, ptr %c
  %ci = zext i8 %cv to i32
  call i32 (ptr, ...) @printf(ptr @out, i32 %n, i32 %iv, double %dv, ptr %s, i32 %ci, ptr %t)
  ret i32 0
}`
	var out bytes.Buffer
	_, err := prepare(t, src, Options{Stdin: strings.NewReader("  -7,2.5e1 word\naab"), Stdout: &out}).RunMain([]string{"p"})
	if want := "5 -7 25 word \n aa"; err != nil || out.String() != want {
		t.Errorf("got %q, %v; want %q", out.String(), err, want)
	}
}

// TestSscanfPrefix: a string without an end is a fault when the end is reached.
func TestSscanfPrefix(t *testing.T) {
	const src = `
@fmt = constant [3 x i8] c"%d\00"
declare i32 @sscanf(ptr, ptr, ...)
define i32 @f() {
  %s = alloca [8 x i8]
  %i = alloca i32
  store i32 BYTES, ptr %s
  call i32 (ptr, ptr, ...) @sscanf(ptr %s, ptr @fmt, ptr %i)
  %v = load i32, ptr %i
  ret i32 %v
}`
	// "12 3", and "1234", which may go on.
	if got := result(t, strings.Replace(src, "BYTES", "857748017", 1), Options{}); got != "12" {
		t.Errorf("got %s", got)
	}
	if got := result(t, strings.Replace(src, "BYTES", "875770417", 1), Options{}); got != "UB read of undefined memory" {
		t.Errorf("got %s", got)
	}
}

// TestGetopt reads letters, arguments of both forms, and stops at what is no option.
func TestGetopt(t *testing.T) {
	const src = `
@opts = constant [6 x i8] c"ab:c\00\00"
@fmt = constant [6 x i8] c"%c%s \00"
@end = constant [3 x i8] c"%d\00"
@none = constant [1 x i8] zeroinitializer
@optarg = external global ptr
@optind = external global i32
declare i32 @getopt(i32, ptr, ptr)
declare i32 @printf(ptr, ...)
define i32 @main(i32 %n, ptr %v) {
  br label %l
l:
  %r = call i32 @getopt(i32 %n, ptr %v, ptr @opts)
  %d = icmp eq i32 %r, -1
  br i1 %d, label %x, label %p
p:
  %b = icmp eq i32 %r, 98
  %a = load ptr, ptr @optarg
  %s = select i1 %b, ptr %a, ptr @none
  call i32 (ptr, ...) @printf(ptr @fmt, i32 %r, ptr %s)
  br label %l
x:
  %i = load i32, ptr @optind
  call i32 (ptr, ...) @printf(ptr @end, i32 %i)
  ret i32 0
}`
	var out, msg bytes.Buffer
	_, err := prepare(t, src, Options{Stdout: &out, Stderr: &msg}).RunMain([]string{"p", "-acb1", "-b", "two", "-z", "-c", "rest"})
	if err != nil || out.String() != "a c b1 btwo ? c 6" || msg.String() != "p: invalid option -- 'z'\n" {
		t.Errorf("got %q, %q, %v", out.String(), msg.String(), err)
	}
}

// TestQsort calls back into the program.
func TestQsort(t *testing.T) {
	const src = `
@a = global [5 x i32] [i32 3, i32 1, i32 5, i32 2, i32 4]
declare void @qsort(ptr, i64, i64, ptr)
define i32 @cmp(ptr %x, ptr %y) {
  %a = load i32, ptr %x
  %b = load i32, ptr %y
  %r = sub i32 %a, %b
  ret i32 %r
}
define [5 x i32] @f() {
  call void @qsort(ptr @a, i64 5, i64 4, ptr @cmp)
  %r = load [5 x i32], ptr @a
  ret [5 x i32] %r
}`
	if got := result(t, src, Options{}); got != "1 2 3 4 5" {
		t.Errorf("got %s", got)
	}
}

// TestExamples runs the examples of the project.
func TestExamples(t *testing.T) {
	for name, want := range map[string]string{"hello.ll": "Hello from LLVM IR.\n", "primes.ll": "25 primes are below 100\n"} {
		src, err := os.ReadFile(filepath.Join(testenv.Root(t), "examples", name))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if _, err := prepare(t, string(src), Options{Stdout: &out}).RunMain([]string{name, "100"}); err != nil || out.String() != want {
			t.Errorf("%s: got %q, %v", name, out.String(), err)
		}
	}
}

// BenchmarkLoop counts instructions of a loop over memory.
func BenchmarkLoop(b *testing.B) {
	const src = `
define i32 @f() {
  %a = alloca [64 x i32]
  br label %l
l:
  %i = phi i32 [ 0, %0 ], [ %n, %l ]
  %s = phi i32 [ 0, %0 ], [ %t, %l ]
  %k = and i32 %i, 63
  %p = getelementptr inbounds [64 x i32], ptr %a, i32 0, i32 %k
  store i32 %i, ptr %p
  %v = load i32, ptr %p
  %t = xor i32 %s, %v
  %n = add nuw i32 %i, 1
  %c = icmp ult i32 %n, 1000000
  br i1 %c, label %l, label %x
x:
  ret i32 %t
}`
	vm := prepare(b, src, Options{})
	for b.Loop() {
		if _, err := vm.Call("f"); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(vm.Steps())/b.Elapsed().Seconds()/1e6, "Minstr/s")
}

// BenchmarkNew is what a run of a small function costs.
func BenchmarkNew(b *testing.B) {
	m := prepare(b, "define i32 @f() {\n  ret i32 1\n}\n", Options{}).m
	for b.Loop() {
		vm, err := New(m, Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := vm.Call("f"); err != nil {
			b.Fatal(err)
		}
	}
}
