package mirin_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/mirin-go/mirin"
)

// largeFunctions are bodies beyond what 16 bits count, as programs write them:
// each makes i32 @f(i32) of size n and says what it returns.
var largeFunctions = []struct {
	name string
	n    int
	text func(n int) string
	want func(n, x int32) int32
	args func(n int32) []int32
}{
	{"switch", 100_000, largeSwitch, func(n, x int32) int32 {
		if x >= 0 && x%3 == 0 && x/3 < n {
			return x + x/3
		}
		return 7
	}, around},
	{"phis", 100_000, largePHIs, func(n, x int32) int32 {
		if x < 0 || x >= n {
			return 7
		}
		return x%1000 + 2*x%1000 ^ 3*x%1000
	}, around},
	{"blocks", 100_000, largeChain, func(n, x int32) int32 {
		if x <= 77 && x > 77-n {
			return 2 * (77 - x)
		}
		return 3
	}, func(n int32) []int32 { return []int32{78, 77, 76, 0, 70 - n/2, 78 - n, 77 - n} }},
	{"instructions, -O2", 200_000, largeBlock, func(n, x int32) int32 { return x + n/4 }, func(int32) []int32 { return []int32{0, 5} }},
	{"instructions, -O0", 1_000_000, largeBlock, func(n, x int32) int32 { return x + n/4 }, func(int32) []int32 { return []int32{0, 5} }},
}

func around(n int32) []int32 {
	return []int32{-1, 0, 1, 3, 32_767, 32_768, 65_535, 65_536, 69_999, n - 2, n - 1, n, 3 * 65_535, 3 * 65_536, 3*n - 3, 3 * n}
}

// largeSwitch has n cases and a PHI of n+1 values.
func largeSwitch(n int) string {
	var b, cases, phi strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "    i32 %d, label %%c%d\n", 3*i, i)
		fmt.Fprintf(&cases, "c%d:\n  %%v%d = add i32 %%x, %d\n  br label %%j\n", i, i, i)
		fmt.Fprintf(&phi, "[ %%v%d, %%c%d ], ", i, i)
	}
	return "define i32 @f(i32 %x) {\n  switch i32 %x, label %d [\n" + b.String() + "  ]\n" + cases.String() +
		"d:\n  br label %j\nj:\n  %r = phi i32 " + phi.String() + "[ 7, %d ]\n  ret i32 %r\n}\n"
}

// largePHIs has three PHIs of n+1 constants behind a switch.
func largePHIs(n int) string {
	var b, cases strings.Builder
	var phis [3]strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "    i32 %d, label %%c%d\n", i, i)
		fmt.Fprintf(&cases, "c%d:\n  br label %%j\n", i)
		for k := range phis {
			fmt.Fprintf(&phis[k], "[ %d, %%c%d ], ", (k+1)*i%1000, i)
		}
	}
	return "define i32 @f(i32 %x) {\n  switch i32 %x, label %d [\n" + b.String() + "  ]\n" + cases.String() +
		"d:\n  br label %j\nj:\n  %p = phi i32 " + phis[0].String() + "[ 7, %d ]\n  %q = phi i32 " + phis[1].String() +
		"[ 0, %d ]\n  %s = phi i32 " + phis[2].String() + "[ 0, %d ]\n  %t = add i32 %p, %q\n  %r = xor i32 %t, %s\n  ret i32 %r\n}\n"
}

// largeChain has n blocks, each of which may leave to the end.
func largeChain(n int) string {
	var b, phi strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "b%d:\n  %%v%d = add i32 %%x, %d\n  %%w%d = mul i32 %d, 2\n  %%c%d = icmp eq i32 %%v%d, 77\n  br i1 %%c%d, label %%e, label %%b%d\n", i, i, i, i, i, i, i, i, i+1)
		fmt.Fprintf(&phi, "[ %%w%d, %%b%d ], ", i, i)
	}
	return "define i32 @f(i32 %x) {\n  br label %b0\n" + b.String() + fmt.Sprintf("b%d:\n  br label %%e\ne:\n  %%r = phi i32 %s[ 3, %%b%d ]\n  ret i32 %%r\n}\n", n, phi.String(), n)
}

// largeBlock has n instructions in one block, half of them stores and loads.
func largeBlock(n int) string {
	var b strings.Builder
	b.WriteString("define i32 @f(i32 %x) {\n  %p = alloca i32\n  store i32 %x, ptr %p\n")
	for i := range n / 4 {
		fmt.Fprintf(&b, "  %%a%d = load i32, ptr %%p\n  %%b%d = add i32 %%a%d, 3\n  %%c%d = sub i32 %%b%d, 2\n  store i32 %%c%d, ptr %%p\n", i, i, i, i, i, i)
	}
	return b.String() + "  %r = load i32, ptr %p\n  ret i32 %r\n}\n"
}

// TestLargeFunctions compiles them and calls what came out.
func TestLargeFunctions(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("skipped: compiled code is run on linux/amd64 only")
	}
	for _, l := range largeFunctions {
		m, err := mirin.ParseIR(l.name+".ll", []byte(l.text(l.n)))
		if err != nil {
			t.Fatal(err)
		}
		for o, level := range map[mirin.Level]string{mirin.O0: "-O0", mirin.O2: "-O2"} {
			if strings.Contains(l.name, "-O") && !strings.HasSuffix(l.name, level) {
				continue
			}
			p, err := mirin.Load(m, &mirin.Options{Opt: o})
			if err != nil {
				t.Fatalf("%s: %v", l.name, err)
			}
			var f func(int32) int32
			if err := p.Func("f", &f); err != nil {
				t.Fatal(err)
			}
			for _, x := range l.args(int32(l.n)) {
				if got, want := f(x), l.want(int32(l.n), x); got != want {
					t.Errorf("%s, %s: f(%d) = %d, want %d", l.name, level, x, got, want)
				}
			}
			p.Close()
		}
	}
}
