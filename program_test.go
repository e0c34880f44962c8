//go:build linux && amd64

package mirin_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/mirin-go/mirin"
	"github.com/mirin-go/mirin/ir"
)

func parse(t testing.TB, text string) *ir.Module {
	t.Helper()
	m, err := mirin.ParseIR(t.Name()+".ll", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func load(t testing.TB, o *mirin.Options, texts ...string) *mirin.Program {
	t.Helper()
	p, err := mirin.NewProgram(o)
	if err != nil {
		t.Fatal(err)
	}
	var mods []*ir.Module
	for _, x := range texts {
		mods = append(mods, parse(t, x))
	}
	if err := p.Add(mods...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func bind(t testing.TB, p *mirin.Program, name string, fn any) {
	t.Helper()
	if err := p.Func(name, fn); err != nil {
		t.Fatal(err)
	}
}

// TestFaultFrames: faults of compiled code are errors that name the functions.
func TestFaultFrames(t *testing.T) {
	const text = `
define i64 @divide(i64 %a, i64 %b) noinline { %q = sdiv i64 %a, %b  ret i64 %q }
define i64 @middle(i64 %a, i64 %b) noinline {
  %p = alloca [100 x i64]
  %q = call i64 @divide(i64 %a, i64 %b)
  %at = getelementptr i64, ptr %p, i64 %q
  store volatile i64 %q, ptr %at
  %r = load volatile i64, ptr %at
  ret i64 %r
}
define i64 @outer(i64 %a, i64 %b) { %q = call i64 @middle(i64 %a, i64 %b) %r = add i64 %q, 1 ret i64 %r }
define i64 @deep(i64 %n) noinline {
  %p = alloca [64 x i64]
  store volatile i64 %n, ptr %p
  %m = add i64 %n, 1
  %r = call i64 @deep(i64 %m)
  %v = load volatile i64, ptr %p
  %s = add i64 %r, %v
  ret i64 %s
}
define i64 @peek(ptr %p) { %v = load i64, ptr %p ret i64 %v }
declare void @llvm.trap()
define void @trap() { call void @llvm.trap() unreachable }
`
	for _, opt := range []mirin.Level{mirin.O0, mirin.O2} {
		p := load(t, &mirin.Options{Opt: opt}, text)
		var outer func(a, b int64) (int64, error)
		bind(t, p, "outer", &outer)
		if v, err := outer(42, 2); v != 22 || err != nil {
			t.Errorf("outer: %d, %v", v, err)
		}
		_, err := outer(1, 0)
		var f *mirin.Fault
		if !errors.As(err, &f) || !strings.Contains(err.Error(), "division by zero or overflow in divide+") {
			t.Fatalf("outer(1, 0): %v", err)
		}
		var names []string
		for _, fr := range f.Frames {
			names = append(names, fr.Func)
		}
		if !slices.Equal(names, []string{"divide", "middle", "outer"}) {
			t.Errorf("O%d: frames %v", opt, names)
		}
		var deep func(int64) (int64, error)
		bind(t, p, "deep", &deep)
		if _, err := deep(0); err == nil || !strings.HasPrefix(err.Error(), "stack overflow in deep") {
			t.Errorf("deep: %v", err)
		}
		var peek func(uintptr) (int64, error)
		bind(t, p, "peek", &peek)
		if _, err := peek(4096); err == nil || !strings.Contains(err.Error(), "memory access at 0x1000 in peek") {
			t.Errorf("peek: %v", err)
		}
		var trap func() error
		bind(t, p, "trap", &trap)
		if err := trap(); err == nil || !strings.Contains(err.Error(), "trap in trap") {
			t.Errorf("trap: %v", err)
		}
	}
}

// TestValues passes what Go and C can exchange.
func TestValues(t *testing.T) {
	p := load(t, nil, `
%big = type { i64, double, [4 x i32] }
define i8 @neg8(i8 signext %a) { %n = sub i8 0, %a ret i8 %n }
define i1 @odd(i32 %a) { %b = trunc i32 %a to i1 ret i1 %b }
define float @halve(float %a) { %h = fmul float %a, 5.0e-1 ret float %h }
define { i64, double } @both(i64 %a, double %b) {
  %x = insertvalue { i64, double } poison, i64 %a, 0
  %y = insertvalue { i64, double } %x, double %b, 1
  ret { i64, double } %y
}
define void @fill(ptr sret(%big) %out, i64 %a, double %b) {
  store i64 %a, ptr %out
  %d = getelementptr %big, ptr %out, i64 0, i32 1
  store double %b, ptr %d
  %e = getelementptr %big, ptr %out, i64 0, i32 2, i64 3
  store i32 7, ptr %e
  ret void
}
define i64 @take(i64 %k, ptr byval(%big) align 8 %in) {
  %a = load i64, ptr %in
  %e = getelementptr %big, ptr %in, i64 0, i32 2, i64 3
  %b = load i32, ptr %e
  %c = sext i32 %b to i64
  %s = add i64 %a, %c
  %r = add i64 %s, %k
  store i64 0, ptr %in
  ret i64 %r
}
define i64 @word(ptr byval(i64) align 8 %p) { %v = load i64, ptr %p ret i64 %v }
define i64 @many(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g, double %x, i32 %h) {
  %y = fptosi double %x to i64
  %w = sext i32 %h to i64
  %1 = mul i64 %g, 1000
  %2 = mul i64 %w, 100
  %3 = add i64 %1, %2
  %4 = add i64 %3, %y
  %5 = add i64 %4, %f
  ret i64 %5
}
define i64 @length(ptr %s) { %n = call i64 @strlen(ptr %s) ret i64 %n }
declare i64 @strlen(ptr)
define i64 @sum(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s = phi i64 [ 0, %entry ], [ %t, %loop ]
  %q = getelementptr i64, ptr %p, i64 %i
  %v = load i64, ptr %q
  %t = add i64 %s, %v
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %done
done:
  ret i64 %t
}
define i32 @variadic(i32 %a, ...) { ret i32 %a }
define i128 @wide(i128 %a) { ret i128 %a }
define preserve_allcc i64 @odd_convention(i64 %a) { ret i64 %a }
`)
	type big struct {
		a int64
		d float64
		e [4]int32
	}
	var neg8 func(int8) int8
	bind(t, p, "neg8", &neg8)
	var odd func(int32) bool
	bind(t, p, "odd", &odd)
	var halve func(float32) float32
	bind(t, p, "halve", &halve)
	var both func(int64, float64) (int64, float64)
	bind(t, p, "both", &both)
	var both2 func(int64, float64) struct {
		A int64
		B float64
	}
	bind(t, p, "both", &both2)
	var fill func(int64, float64) big
	bind(t, p, "fill", &fill)
	var take func(int64, big) int64
	bind(t, p, "take", &take)
	var many func(a, b, c, d, e, f, g int64, x float64, h int32) int64
	bind(t, p, "many", &many)
	var length func(string) int64
	bind(t, p, "length", &length)
	var sum func([]int64, int64) int64
	bind(t, p, "sum", &sum)
	sum2, err := mirin.Func2[unsafe.Pointer, uint64, int64](p, "sum")
	if err != nil {
		t.Fatal(err)
	}
	var word func(int64) int64
	bind(t, p, "word", &word)
	if v := word(77); v != 77 {
		t.Errorf("word: %d", v)
	}
	if _, err := mirin.Func1[int64, int64](p, "word"); err == nil || !strings.Contains(err.Error(), "on the stack") {
		t.Errorf("Func1 of word: %v", err)
	}
	if v := neg8(-128); v != -128 {
		t.Errorf("neg8: %d", v)
	}
	if !odd(7) || odd(-2) {
		t.Error("odd")
	}
	if v := halve(3); v != 1.5 {
		t.Errorf("halve: %v", v)
	}
	if a, b := both(5, 2.5); a != 5 || b != 2.5 {
		t.Errorf("both: %v, %v", a, b)
	}
	if r := both2(5, 2.5); r.A != 5 || r.B != 2.5 {
		t.Errorf("both2: %v", r)
	}
	b := fill(11, 2.5)
	if b != (big{11, 2.5, [4]int32{0, 0, 0, 7}}) && (b.a != 11 || b.d != 2.5 || b.e[3] != 7) {
		t.Errorf("fill: %v", b)
	}
	if v := take(100, b); v != 118 || b.a != 11 {
		t.Errorf("take: %d, %v", v, b)
	}
	if v := many(1, 2, 3, 4, 5, 6, 7, 8, -9); v != 7000-900+8+6 {
		t.Errorf("many: %d", v)
	}
	if v := length("eleven char"); v != 11 {
		t.Errorf("length: %d", v)
	}
	ns := []int64{1, 2, 3}
	if v := sum(ns, 3); v != 6 {
		t.Errorf("sum: %d", v)
	}
	if v, err := sum2(unsafe.Pointer(&ns[0]), 3); v != 6 || err != nil {
		t.Errorf("sum2: %d, %v", v, err)
	}
	for name, c := range map[string]struct {
		fn   any
		want string
	}{
		"sum":            {new(func(int64) int64), "function sum: it takes 2 arguments, func(int64) int64 has 1"},
		"halve":          {new(func(float64) float64), "argument 1 is float, Go has float64"},
		"variadic":       {new(func(int32) int32), "variadic"},
		"wide":           {new(func(int64) int64), "argument 1 is i128, Go has int64"},
		"odd_convention": {new(func(int64) int64), "preserve_allcc"},
		"nothing":        {new(func()), "there is no function nothing"},
		"take":           {new(func(int64, uintptr) int64), "ptr byval of 32 bytes, Go has uintptr of 8 bytes"},
	} {
		if err := p.Func(name, c.fn); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestBuiltins: a program without a C library has what compiled code calls.
func TestBuiltins(t *testing.T) {
	p := load(t, nil, `
declare double @llvm.sin.f64(double)
declare float @llvm.floor.f32(float)
declare double @llvm.pow.f64(double, double)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i32 @memcmp(ptr, ptr, i64)
define double @sine(double %x) { %s = call double @llvm.sin.f64(double %x) ret double %s }
define float @down(float %x) { %s = call float @llvm.floor.f32(float %x) ret float %s }
define double @power(double %x, double %y) { %s = call double @llvm.pow.f64(double %x, double %y) ret double %s }
define double @rem(double %x, double %y) { %s = frem double %x, %y ret double %s }
define void @cpy(ptr %a, ptr %b, i64 %n) { call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 %n, i1 false) ret void }
define void @move(ptr %a, ptr %b, i64 %n) { call void @llvm.memmove.p0.p0.i64(ptr %a, ptr %b, i64 %n, i1 false) ret void }
define void @set(ptr %a, i8 %c, i64 %n) { call void @llvm.memset.p0.i64(ptr %a, i8 %c, i64 %n, i1 false) ret void }
define i32 @cmp(ptr %a, ptr %b, i64 %n) { %r = call i32 @memcmp(ptr %a, ptr %b, i64 %n) ret i32 %r }
define void @wide(ptr %p, i64 %signed) {
  %q = getelementptr i128, ptr %p, i64 1
  %a = load i128, ptr %p
  %b = load i128, ptr %q
  %s = icmp ne i64 %signed, 0
  br i1 %s, label %sg, label %us
sg:
  %d1 = sdiv i128 %a, %b
  %r1 = srem i128 %a, %b
  br label %done
us:
  %d2 = udiv i128 %a, %b
  %r2 = urem i128 %a, %b
  br label %done
done:
  %d = phi i128 [ %d1, %sg ], [ %d2, %us ]
  %r = phi i128 [ %r1, %sg ], [ %r2, %us ]
  store i128 %d, ptr %p
  store i128 %r, ptr %q
  ret void
}
`)
	var sine func(float64) float64
	bind(t, p, "sine", &sine)
	var down func(float32) float32
	bind(t, p, "down", &down)
	var power, rem func(x, y float64) float64
	bind(t, p, "power", &power)
	bind(t, p, "rem", &rem)
	if sine(1) != math.Sin(1) || down(-1.5) != -2 || power(2, 0.5) != math.Pow(2, 0.5) || rem(7, 4) != 3 {
		t.Errorf("mathematics: %v %v %v %v", sine(1), down(-1.5), power(2, 0.5), rem(7, 4))
	}
	var cpy, move func(a, b []byte, n int)
	bind(t, p, "cpy", &cpy)
	bind(t, p, "move", &move)
	var set func(a []byte, c byte, n int)
	bind(t, p, "set", &set)
	var cmp func(a, b []byte, n int) int32
	bind(t, p, "cmp", &cmp)
	from := []byte("0123456789")
	to := make([]byte, 10)
	cpy(to, from, 9)
	move(to[2:], to, 7)
	set(to[5:], 'x', 3)
	if string(to) != "01012xxx6\x00" {
		t.Errorf("memory: %q", to)
	}
	move(from, from[3:], 7)
	if string(from) != "3456789789" || cmp(from, to, 10) <= 0 || cmp(to, from, 1) >= 0 || cmp(to, to, 10) != 0 {
		t.Errorf("memory: %q %d", from, cmp(from, to, 10))
	}
	var wide func(p []uint64, signed int64)
	bind(t, p, "wide", &wide)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		in := make([]uint64, 4)
		for i := range in {
			in[i] = rng.Uint64() >> (rng.UintN(8) * rng.UintN(9))
			if rng.UintN(8) == 0 {
				in[i] = -in[i]
			}
		}
		if in[2]|in[3] == 0 {
			continue
		}
		for signed := range int64(2) {
			got := slices.Clone(in)
			wide(got, signed)
			a, b := bigOf(in[:2], signed == 1), bigOf(in[2:], signed == 1)
			d, r := new(big.Int).QuoRem(a, b, new(big.Int))
			if bigOf(got[:2], signed == 1).Cmp(d) != 0 || bigOf(got[2:], signed == 1).Cmp(r) != 0 {
				t.Fatalf("%x, signed %d: %x, want %v %v", in, signed, got, d, r)
			}
		}
	}
}

func bigOf(w []uint64, signed bool) *big.Int {
	v := new(big.Int).SetUint64(w[1])
	v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(w[0]))
	if signed && w[1]>>63 != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), 128))
	}
	return v
}

// TestModules: modules refer to each other, and functions are replaced while they run.
func TestModules(t *testing.T) {
	var order []int64
	p := load(t, &mirin.Options{Replaceable: true, Symbols: map[string]any{"note": func(n int64) { order = append(order, n) }}}, `
@shared = global i64 5
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @late, ptr null }, { i32, ptr, ptr } { i32 100, ptr @early, ptr null }]
declare void @note(i64)
define internal void @late() { call void @note(i64 2) ret void }
define internal void @early() { call void @note(i64 1) ret void }
declare i64 @other(i64)
define i64 @twice(i64 %n) noinline { %r = mul i64 %n, 2 ret i64 %r }
define i64 @f(i64 %n) { %a = call i64 @other(i64 %n) %b = call i64 @twice(i64 %a) ret i64 %b }
`, `
@shared = external global i64
@pending = common global i64 0
declare i64 @twice(i64)
define i64 @other(i64 %n) { %v = load i64, ptr @shared %s = add i64 %n, %v %r = call i64 @twice(i64 %s) ret i64 %r }
`)
	if !slices.Equal(order, []int64{1, 2}) {
		t.Errorf("constructors ran as %v", order)
	}
	var f func(int64) int64
	bind(t, p, "f", &f)
	if v := f(1); v != 24 {
		t.Errorf("f: %d", v)
	}
	if err := p.Add(parse(t, "define i64 @twice(i64 %n) { ret i64 %n }")); err == nil || !strings.Contains(err.Error(), "twice is defined twice") {
		t.Errorf("a second definition: %v", err)
	}
	if err := p.Add(parse(t, "declare void @nowhere()\ndefine void @g() { call void @nowhere() ret void }")); err == nil || !strings.Contains(err.Error(), "undefined symbol nowhere") {
		t.Errorf("an undefined symbol: %v", err)
	}
	stop := make(chan bool)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if v := f(1); v%6 != 0 || v < 6 {
					t.Errorf("f: %d", v)
					return
				}
			}
		})
	}
	for k := range 20 {
		// n times k+1, so that f is 6 (k+1)^2 or, in between, 6 (k+1) (j+1).
		if err := p.Replace(parse(t, fmt.Sprintf("define i64 @twice(i64 %%n) { %%r = mul i64 %%n, %d ret i64 %%r }", k+1))); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	wg.Wait()
	if v := f(1); v != 6*400 {
		t.Errorf("f after all: %d", v)
	}
}

// TestEnds: exit, abort and contexts end calls, and what was registered runs at Close.
func TestEnds(t *testing.T) {
	var said []int64
	p, err := mirin.NewProgram(&mirin.Options{Symbols: map[string]any{"say": func(n int64) { said = append(said, n) }}})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Add(parse(t, `
declare void @exit(i32) noreturn
declare void @abort() noreturn
declare i32 @atexit(ptr)
declare void @say(i64)
define void @leave(i32 %c) { call void @exit(i32 %c) unreachable }
define void @give_up() { call void @abort() unreachable }
define internal void @last() { call void @say(i64 9) ret void }
define void @register() { %r = call i32 @atexit(ptr @last) ret void }
define i64 @spin(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %n, %entry ], [ %j, %loop ]
  %j = add i64 %i, 1
  %p = inttoptr i64 %n to ptr
  call void asm sideeffect "", ""()
  br label %loop
}
`)); err != nil {
		t.Fatal(err)
	}
	var leave func(int32) error
	bind(t, p, "leave", &leave)
	var x *mirin.ExitError
	if err := leave(3); !errors.As(err, &x) || x.Code != 3 {
		t.Errorf("exit: %v", err)
	}
	var giveUp, register func() error
	bind(t, p, "give_up", &giveUp)
	bind(t, p, "register", &register)
	if err := giveUp(); !errors.As(err, &x) || !x.Aborted {
		t.Errorf("abort: %v", err)
	}
	if err := register(); err != nil {
		t.Error(err)
	}
	var spin func(context.Context, int64) (int64, error)
	bind(t, p, "spin", &spin)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	if _, err := spin(ctx, 1); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("spin: %v", err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if !slices.Equal(said, []int64{9}) {
		t.Errorf("at the end: %v", said)
	}
	if err := giveUp(); !errors.Is(err, mirin.ErrClosed) {
		t.Errorf("a call of a closed program: %v", err)
	}
}

// TestStress calls, faults, loads, replaces and closes at once. The short form
// runs always; go test -run Stress -count 20 makes it long.
func TestStress(t *testing.T) {
	const text = `
define i64 @add(i64 %a, i64 %b) { %s = add i64 %a, %b ret i64 %s }
define i64 @divide(i64 %a, i64 %b) { %q = sdiv i64 %a, %b ret i64 %q }
define i64 @peek(i64 %a, i64 %b) { %p = inttoptr i64 %a to ptr %q = load i64, ptr %p ret i64 %q }
declare i64 @back(i64)
define i64 @through(i64 %a, i64 %b) { %s = call i64 @back(i64 %a) %r = add i64 %s, %b ret i64 %r }
`
	calls, programs := 20000, 20
	if testing.Short() {
		calls, programs = 2000, 3
	}
	m := parse(t, text)
	options := &mirin.Options{Opt: mirin.O0, Jobs: 1, Replaceable: true, Symbols: map[string]any{"back": func(n int64) int64 { return n + 1 }}}
	shared, err := mirin.Load(m, options)
	if err != nil {
		t.Fatal(err)
	}
	var add, divide, peek, through func(a, b int64) (int64, error)
	for name, f := range map[string]any{"add": &add, "divide": &divide, "peek": &peek, "through": &through} {
		bind(t, shared, name, f)
	}
	var wg sync.WaitGroup
	for g := range 64 {
		wg.Go(func() {
			for i := range int64(calls / 64) {
				if v, err := add(i, 2); v != i+2 || err != nil {
					t.Errorf("add: %d, %v", v, err)
				}
				if v, err := through(i, 2); v != i+3 || err != nil {
					t.Errorf("through: %d, %v", v, err)
				}
				var f *mirin.Fault
				if _, err := divide(i, 0); !errors.As(err, &f) {
					t.Errorf("divide: %v", err)
				}
				if _, err := peek(8, 0); !errors.As(err, &f) {
					t.Errorf("peek: %v", err)
				}
				if i%50 == 0 && g%16 == 0 {
					runtime.GC()
				}
			}
		})
	}
	for range 2 {
		wg.Go(func() {
			for i := range programs / 2 {
				p, err := mirin.Load(m, options)
				if err != nil {
					t.Error(err)
					return
				}
				var f func(a, b int64) (int64, error)
				bind(t, p, "through", &f)
				if v, err := f(int64(i), 2); v != int64(i)+3 || err != nil {
					t.Errorf("through: %d, %v", v, err)
				}
				if err := p.Replace(m); err != nil {
					t.Error(err)
				}
				if err := p.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if err := shared.Close(); err != nil {
		t.Error(err)
	}
}
