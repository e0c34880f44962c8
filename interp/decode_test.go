package interp

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/ir"
)

// TestBinaryForms compares every form that an operation is decoded to, with two registers
// or a constant on either side, with the one function that tracks everything.
func TestBinaryForms(t *testing.T) {
	ops := []ir.Op{ir.OpAdd, ir.OpSub, ir.OpMul, ir.OpUDiv, ir.OpSDiv, ir.OpURem, ir.OpSRem, ir.OpShl, ir.OpLShr, ir.OpAShr, ir.OpAnd, ir.OpOr, ir.OpXor}
	for _, w := range []uint32{8, 32, 64} {
		vals := []uint64{0, 1, 3, uint64(w) - 1, uint64(w), 1<<(w-1) - 1, 1 << (w - 1), mask(w), mask(w) - 2}
		for _, op := range ops {
			var flags []uint8
			switch op {
			case ir.OpAdd, ir.OpSub, ir.OpMul, ir.OpShl:
				flags = []uint8{0, fNSW, fNUW, fNSW | fNUW}
			case ir.OpUDiv, ir.OpSDiv, ir.OpLShr, ir.OpAShr:
				flags = []uint8{0, fExact}
			case ir.OpOr:
				flags = []uint8{0, fDisjoint}
			default:
				flags = []uint8{0}
			}
			for _, fl := range flags {
				testBinary(t, op, fl, w, vals)
			}
		}
	}
}

func testBinary(t *testing.T, op ir.Op, fl uint8, w uint32, vals []uint64) {
	name := op.String()
	for k, s := range map[uint8]string{fNSW: " nsw", fNUW: " nuw", fExact: " exact", fDisjoint: " disjoint"} {
		if fl&k != 0 {
			name += s
		}
	}
	var src strings.Builder
	fmt.Fprintf(&src, "define i%d @rr(i%[1]d %%x, i%[1]d %%y) {\n%%r = %[2]s i%[1]d %%x, %%y\nret i%[1]d %%r\n}\n", w, name)
	for k, v := range vals {
		fmt.Fprintf(&src, "define i%d @ri%[3]d(i%[1]d %%x) {\n%%r = %[2]s i%[1]d %%x, %[4]d\nret i%[1]d %%r\n}\n", w, name, k, signed(v, w))
		fmt.Fprintf(&src, "define i%d @ir%[3]d(i%[1]d %%x) {\n%%r = %[2]s i%[1]d %[4]d, %%x\nret i%[1]d %%r\n}\n", w, name, k, signed(v, w))
	}
	vm := prepare(t, src.String(), Options{})
	check := func(fn string, a, b uint64, args ...Value) {
		t.Helper()
		want, wantErr := evalBin(op, fl, w, def(a), def(b))
		got, err := vm.Call(fn, args...)
		if (err == nil) != (wantErr == nil) {
			t.Errorf("%s i%d %d, %d as @%s: got %v, want %v", name, w, a, b, fn, err, wantErr)
			vm = prepare(t, src.String(), Options{})
			return
		}
		if err != nil {
			vm.frames = vm.frames[:0]
			return
		}
		if got[0].Poison != want.poison() || !got[0].Poison && got[0].Bits != want.v {
			t.Errorf("%s i%d %d, %d as @%s: got %v, want %v", name, w, a, b, fn, got[0], want)
		}
	}
	for i, a := range vals {
		for k, b := range vals {
			check("rr", a, b, Value{Bits: a}, Value{Bits: b})
			check(fmt.Sprintf("ri%d", k), a, b, Value{Bits: a})
			check(fmt.Sprintf("ir%d", i), a, b, Value{Bits: b})
		}
	}
}

// TestCompareForms does the same for comparisons, as values and in branches.
func TestCompareForms(t *testing.T) {
	for k, name := range []string{"eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"} {
		p := ir.ICmpEQ + ir.Pred(k)
		for _, w := range []uint32{8, 64} {
			vals := []uint64{0, 1, 5, 1<<(w-1) - 1, 1 << (w - 1), mask(w)}
			var src strings.Builder
			body := func(fn, params, x, y string) {
				fmt.Fprintf(&src, "define i1 @v%s(%s) {\n%%c = icmp %s i%d %s, %s\nret i1 %%c\n}\n", fn, params, name, w, x, y)
				fmt.Fprintf(&src, "define i1 @b%s(%s) {\n%%c = icmp %s i%d %s, %s\nbr i1 %%c, label %%t, label %%e\nt:\nret i1 true\ne:\nret i1 false\n}\n", fn, params, name, w, x, y)
			}
			ty := fmt.Sprintf("i%d", w)
			body("rr", ty+" %x, "+ty+" %y", "%x", "%y")
			for k, v := range vals {
				body(fmt.Sprintf("ri%d", k), ty+" %x", "%x", fmt.Sprint(signed(v, w)))
				body(fmt.Sprintf("ir%d", k), ty+" %x", fmt.Sprint(signed(v, w)), "%x")
			}
			vm := prepare(t, src.String(), Options{})
			check := func(fn string, a, b uint64, args ...Value) {
				t.Helper()
				want := evalICmp(p, 0, w, def(a), def(b))
				for _, form := range []string{"v", "b"} {
					got, err := vm.Call(form+fn, args...)
					if err != nil || got[0].Bits != want.v || got[0].Poison {
						t.Errorf("icmp %s i%d %d, %d as @%s%s: got %v, %v, want %d", name, w, a, b, form, fn, got, err, want.v)
					}
				}
			}
			for i, a := range vals {
				for k, b := range vals {
					check("rr", a, b, Value{Bits: a}, Value{Bits: b})
					check(fmt.Sprintf("ri%d", k), a, b, Value{Bits: a})
					check(fmt.Sprintf("ir%d", i), a, b, Value{Bits: b})
				}
			}
		}
	}
}

// TestRegisters: allocas in registers, and values that share a register, behave as memory does.
func TestRegisters(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"load before a store", "%p = alloca i32\n%a = load i32, ptr %p\nstore i32 1, ptr %p\nret i32 %a", "undef 4294967295"},
		{"an old value is kept", "%p = alloca i32\nstore i32 1, ptr %p\n%a = load i32, ptr %p\nstore i32 2, ptr %p\n%b = load i32, ptr %p\n%c = mul i32 %b, 10\n%r = add i32 %a, %c\nret i32 %r", "21"},
		{"an old value is used late", "%p = alloca i32\nstore i32 1, ptr %p\n%a = load i32, ptr %p\n%b = add i32 %a, 1\nstore i32 %b, ptr %p\n%c = load i32, ptr %p\n%d = mul i32 %c, 10\n%r = add i32 %a, %d\nret i32 %r", "21"},
		{"in place", "%p = alloca i32\nstore i32 3, ptr %p\n%a = load i32, ptr %p\n%b = mul i32 %a, %a\nstore i32 %b, ptr %p\n%r = load i32, ptr %p\nret i32 %r", "9"},
		{"swap", "%p = alloca i32\n%q = alloca i32\nstore i32 1, ptr %p\nstore i32 2, ptr %q\n%a = load i32, ptr %p\n%b = load i32, ptr %q\nstore i32 %b, ptr %p\nstore i32 %a, ptr %q\n" +
			"%c = load i32, ptr %p\n%d = load i32, ptr %q\n%e = mul i32 %c, 10\n%r = add i32 %e, %d\nret i32 %r", "21"},
		{"poison", "%p = alloca i32\nstore i32 poison, ptr %p\n%r = load i32, ptr %p\nret i32 %r", "poison"},
		{"undefined bits", "%p = alloca i32\n%u = and i32 undef, 15\nstore i32 %u, ptr %p\n%r = load i32, ptr %p\nret i32 %r", "undef 15"},
		{"vector", "%p = alloca <4 x i32>\nstore <4 x i32> <i32 1, i32 poison, i32 2147483647, i32 undef>, ptr %p\n%a = load <4 x i32>, ptr %p\n%b = add nsw <4 x i32> %a, <i32 1, i32 1, i32 1, i32 1>\n" +
			"%c = insertelement <4 x i32> %b, i32 7, i64 1\n%x = extractelement <4 x i32> %c, i64 0\n%y = extractelement <4 x i32> %c, i64 1\n%r = mul i32 %x, %y\nret i32 %r", "14"},
		{"a lane that overflows", "%p = alloca <4 x i32>\nstore <4 x i32> <i32 1, i32 2, i32 2147483647, i32 3>, ptr %p\n%a = load <4 x i32>, ptr %p\n%b = add nsw <4 x i32> %a, <i32 1, i32 1, i32 1, i32 1>\n" +
			"%r = extractelement <4 x i32> %b, i64 2\nret i32 %r", "poison"},
		{"noundef", "%p = alloca i32\n%r = load i32, ptr %p, !noundef !{}\nret i32 %r", "UB undef where noundef"},
		{"another type is memory", "%p = alloca i32\nstore i32 258, ptr %p\n%b = load i8, ptr %p\n%r = zext i8 %b to i32\nret i32 %r", "2"},
		{"fibonacci", "br label %l\nl:\n%i = phi i32 [ 0, %0 ], [ %n, %l ]\n%a = phi i32 [ 0, %0 ], [ %b, %l ]\n%b = phi i32 [ 1, %0 ], [ %s, %l ]\n%s = add i32 %a, %b\n%n = add i32 %i, 1\n" +
			"%c = icmp eq i32 %n, 10\nbr i1 %c, label %x, label %l\nx:\nret i32 %b", "55"},
		{"a phi that is used late", "br label %l\nl:\n%i = phi i32 [ 0, %0 ], [ %n, %l ]\n%n = add i32 %i, 1\n%c = icmp eq i32 %n, 10\nbr i1 %c, label %x, label %l\nx:\nret i32 %i", "9"},
		{"a loop's sum", "br label %l\nl:\n%i = phi i32 [ 0, %0 ], [ %n, %l ]\n%s = phi i32 [ 0, %0 ], [ %t, %l ]\n%t = add i32 %s, %i\n%n = add i32 %i, 1\n%c = icmp eq i32 %n, 10\nbr i1 %c, label %x, label %l\nx:\nret i32 %t", "45"},
		{"indirectbr", "br label %s\ns:\nindirectbr ptr blockaddress(@f, %b), [ label %a, label %b ]\na:\nret i32 1\nb:\n%r = phi i32 [ 7, %s ]\nret i32 %r", "7"},
		{"indirectbr to no destination", "indirectbr ptr blockaddress(@f, %b), [ label %a ]\na:\nret i32 1\nb:\nret i32 2", "UB indirect branch to no destination"},
		{"wide switch", "switch i128 18446744073709551617, label %a [ i128 1, label %a\ni128 18446744073709551617, label %b ]\na:\nret i32 1\nb:\nret i32 2", "2"},
		{"wide switch on undef", "%u = shl i128 undef, 64\nswitch i128 %u, label %a [ i128 1, label %a ]\na:\nret i32 1", "UB branch on undef"},
		{"index", "%p = getelementptr inbounds [4 x i32], ptr @g, i64 0, i64 3\n%i = load i8, ptr @three\n%q = getelementptr [4 x i32], ptr @g, i64 0, i8 %i\nstore i32 7, ptr %q\n%r = load i32, ptr %p\nret i32 %r", "7"},
		{"negative index", "%i = load i8, ptr @minus\n%p = getelementptr i8, ptr @g, i64 4\n%q = getelementptr i32, ptr %p, i8 %i\n%r = load i32, ptr %q\nret i32 %r", "10"},
		{"index out of bounds", "%i = load i8, ptr @three\n%p = getelementptr i8, ptr @g, i64 4\n%q = getelementptr i32, ptr %p, i8 %i\n%r = load i32, ptr %q\nret i32 %r", "UB out of bounds"},
		{"poison index", "%q = getelementptr i32, ptr @g, i32 poison\n%r = load i32, ptr %q\nret i32 %r", "UB poison pointer"},
		{"undef index", "%u = load i32, ptr @u\n%q = getelementptr i32, ptr @g, i32 %u\n%r = load i32, ptr %q\nret i32 %r", "UB undef pointer"},
		{"misaligned index", "%i = load i8, ptr @three\n%q = getelementptr i8, ptr @g, i8 %i\n%r = load i32, ptr %q, align 4\nret i32 %r", "UB misaligned"},
	} {
		src := "@g = global [4 x i32] [i32 10, i32 11, i32 12, i32 13]\n@three = global i8 3\n@minus = global i8 -1\n@u = global i32 undef\ndefine i32 @f() {\n" + tc.body + "\n}\n"
		if got := result(t, src, Options{}); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.name, got, tc.want)
		}
	}
}

// TestCastForms compares casts with flags with the full evaluation.
func TestCastForms(t *testing.T) {
	for _, tc := range []struct {
		name     string
		op       ir.Op
		fl       uint8
		from, to uint32
	}{{"trunc", ir.OpTrunc, 0, 32, 8}, {"trunc nuw", ir.OpTrunc, fNUW, 32, 8}, {"trunc nsw", ir.OpTrunc, fNSW, 32, 8}, {"trunc nuw nsw", ir.OpTrunc, fNUW | fNSW, 64, 32},
		{"zext", ir.OpZExt, 0, 8, 32}, {"zext nneg", ir.OpZExt, fNNeg, 8, 32}, {"sext", ir.OpSExt, 0, 8, 32}} {
		src := fmt.Sprintf("define i%d @f(i%d %%x) {\n%%r = %s i%[2]d %%x to i%[1]d\nret i%[1]d %%r\n}\n", tc.to, tc.from, tc.name)
		vm := prepare(t, src, Options{})
		for _, v := range []uint64{0, 1, 127, 128, 255, 256, 1 << 31, 1<<32 - 1, 1<<32 - 128, 1<<32 - 129, 1 << 63, 1<<64 - 1, 1<<64 - 1<<31} {
			v &= mask(tc.from)
			want := evalCast(tc.op, tc.fl, tc.from, tc.to, def(v))
			got, err := vm.Call("f", Value{Bits: v})
			if err != nil || got[0].Poison != want.poison() || !got[0].Poison && got[0].Bits != want.v {
				t.Errorf("%s %#x: got %v, %v, want %v", tc.name, v, got, err, want)
			}
		}
	}
}

// TestStackGrows: objects keep their contents, addresses and pointers to each other while the stack's memory moves.
func TestStackGrows(t *testing.T) {
	const src = `
define i64 @deep(ptr %up, i64 %n) {
  %a = alloca [1000 x i64]
  %p = getelementptr i64, ptr %a, i64 %n
  store i64 %n, ptr %p
  %c = icmp eq i64 %n, 0
  br i1 %c, label %end, label %more
more:
  %m = sub i64 %n, 1
  %r = call i64 @deep(ptr %p, i64 %m)
  %v = load i64, ptr %p
  %i = ptrtoint ptr %p to i64
  %q = inttoptr i64 %i to ptr
  %w = load i64, ptr %q
  %same = icmp eq i64 %v, %w
  br i1 %same, label %sum, label %bad
sum:
  %s = add i64 %r, %v
  ret i64 %s
bad:
  unreachable
end:
  %u = load i64, ptr %up
  ret i64 %u
}
define i64 @f() {
  %r = call i64 @deep(ptr null, i64 200)
  ret i64 %r
}`
	if got := result(t, src, Options{}); got != "20101" {
		t.Errorf("got %s, want 20101", got)
	}
}

const jumps = `
@env = global [25 x i64] zeroinitializer, align 16
@a = global [3 x i32] [i32 3, i32 1, i32 2]
declare i32 @_setjmp(ptr) returns_twice
declare void @longjmp(ptr, i32) noreturn
declare void @qsort(ptr, i64, i64, ptr)
define i32 @cmp(ptr %x, ptr %y) {
  %big = alloca [100 x i64]
  call void @longjmp(ptr @env, i32 5)
  unreachable
}
define i32 @f() {
  %n = alloca i32
  store i32 1, ptr %n
  %k = add i32 4, 4
  %r = call i32 @_setjmp(ptr @env)
  %s = add i32 %r, %k
  %old = load i32, ptr %n
  %new = add i32 %old, 1
  store i32 %new, ptr %n
  %c = icmp eq i32 %r, 0
  br i1 %c, label %go, label %out
go:
  call void @qsort(ptr @a, i64 3, i64 4, ptr @cmp)
  br label %out
out:
  %last = load i32, ptr %n
  %t = mul i32 %last, 100
  %u = add i32 %t, %s
  ret i32 %u
}
define i32 @late() {
  %r = call i32 @f()
  call void @longjmp(ptr @env, i32 1)
  ret i32 0
}`

// TestLongjmp leaves a callback of the C library; after the function has returned it is a fault.
func TestLongjmp(t *testing.T) {
	if got := result(t, jumps, Options{}); got != "313" {
		t.Errorf("got %s, want 313", got)
	}
	_, err := prepare(t, jumps, Options{}).Call("late")
	if u := new(UB); !errors.As(err, &u) || u.Kind != "longjmp into a function that returned" {
		t.Errorf("got %v", err)
	}
}

// TestPoisonSource: the report of poison names what made it.
func TestPoisonSource(t *testing.T) {
	const src = `
define i32 @f() {
  %x = add nsw i32 2147483647, 1
  %c = icmp eq i32 %x, 0
  br i1 %c, label %a, label %a
a:
  ret i32 0
}`
	_, err := prepare(t, src, Options{}).Call("f")
	if u := new(UB); !errors.As(err, &u) || u.Poison != "%x = add nsw i32 2147483647, 1 in @f" {
		t.Errorf("got %v", err)
	}
}

// TestSteps: the unit of fuel is an instruction of the program, however it is decoded.
func TestSteps(t *testing.T) {
	const src = `
define i32 @f(i32 %n) {
  br label %l
l:
  %i = phi i32 [ 0, %0 ], [ %k, %l ]
  %k = add i32 %i, 1
  %c = icmp eq i32 %k, %n
  br i1 %c, label %x, label %l
x:
  ret i32 %k
}`
	vm := prepare(t, src, Options{})
	if _, err := vm.Call("f", Value{Bits: 100}); err != nil || vm.Steps() != 402 {
		t.Errorf("%d steps, %v; want 402", vm.Steps(), err)
	}
	_, err := prepare(t, src, Options{Fuel: 300}).Call("f", Value{Bits: 100})
	if s := new(Stopped); !errors.As(err, &s) || s.Reason != "out of fuel" || s.Function != "f" {
		t.Errorf("got %v", err)
	}
}
