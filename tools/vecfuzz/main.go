// Command vecfuzz writes random functions over vectors, compiles them with two code
// generators, runs both programs and compares what they leave in memory.
//
//	go run ./tools/vecfuzz -seed 1 -count 20 -llc 'mirin llc' -ref llc-22 -mattr +avx2
//
// It needs gcc, and a reference that is believed. What would be poison is not written:
// amounts of shifts are in range, divisors are not zero, floats that become integers fit;
// numbers that are none have one form before their bits are looked at.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	seed := flag.Uint64("seed", 1, "the first module's seed")
	count := flag.Int("count", 10, "how many modules")
	funcs := flag.Int("funcs", 40, "functions of a module")
	steps := flag.Int("steps", 12, "operations of a function")
	llc := flag.String("llc", "mirin llc", "the code generator under test")
	ref := flag.String("ref", "llc-22", "the one to compare with")
	mattr := flag.String("mattr", "", "features of both")
	opt := flag.String("opt", "2", "optimization level of the one under test")
	dir := flag.String("dir", "", "where files stay; a temporary folder without")
	print := flag.Bool("print", false, "print the first module and stop")
	flag.Parse()
	if *print {
		os.Stdout.WriteString(newModule(*seed, *funcs, *steps))
		return
	}
	work := *dir
	if work == "" {
		d, err := os.MkdirTemp("", "vecfuzz")
		check(err)
		defer os.RemoveAll(d)
		work = d
	}
	bad := 0
	for n := range *count {
		s := *seed + uint64(n)
		if what := one(work, s, *funcs, *steps, *llc, *ref, *mattr, *opt); what != "" {
			bad++
			fmt.Printf("seed %d: %s\n", s, what)
		}
	}
	fmt.Printf("%d modules of %d functions, %d bad\n", *count, *funcs, bad)
	if bad > 0 {
		os.Exit(1)
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "vecfuzz:", err)
		os.Exit(2)
	}
}

// one compiles and runs the module of a seed both ways; "" says that all is equal.
func one(dir string, seed uint64, funcs, steps int, llc, ref, mattr, opt string) string {
	text := newModule(seed, funcs, steps)
	ll := filepath.Join(dir, "m.ll")
	check(os.WriteFile(ll, []byte(text), 0o644))
	main := filepath.Join(dir, "main.c")
	check(os.WriteFile(main, []byte(mainText(funcs)), 0o644))
	var out [2]string
	for k, tool := range [...]string{llc, ref} {
		words := strings.Fields(tool)
		obj, exe := filepath.Join(dir, fmt.Sprint("m", k, ".o")), filepath.Join(dir, fmt.Sprint("m", k))
		args := append(words[1:], "-filetype=obj", "-relocation-model=pic", "-mattr="+mattr, ll, "-o", obj)
		if k == 0 {
			args = append(args, "-O"+opt)
		}
		if msg, err := exec.Command(words[0], args...).CombinedOutput(); err != nil {
			return fmt.Sprintf("%s: %v\n%s", tool, err, firstLines(msg, 6))
		}
		if msg, err := exec.Command("gcc", "-O1", "-o", exe, main, obj, "-lm").CombinedOutput(); err != nil {
			return fmt.Sprintf("gcc: %v\n%s", err, msg)
		}
		o, err := exec.Command(exe).Output()
		if err != nil {
			return fmt.Sprintf("running what %s made: %v", tool, err)
		}
		out[k] = string(o)
	}
	if out[0] == out[1] {
		return ""
	}
	a, b := strings.Split(out[0], "\n"), strings.Split(out[1], "\n")
	for k := range a {
		if k >= len(b) || a[k] != b[k] {
			return "differs in " + a[k]
		}
	}
	return "differs"
}

func firstLines(b []byte, n int) []byte {
	lines := bytes.SplitAfterN(b, []byte("\n"), n+1)
	return bytes.Join(lines[:min(n, len(lines))], nil)
}

const (
	inBytes  = 1024
	outBytes = 4096
)

func mainText(funcs int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `#include <stdio.h>
#include <string.h>
static unsigned char in[%d] __attribute__((aligned(64))), out[%d] __attribute__((aligned(64)));
static unsigned long long state = 88172645463325252ull;
static unsigned long long next(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
typedef void fn(void *, void *);
`, inBytes, outBytes)
	for k := range funcs {
		fmt.Fprintf(&b, "fn f%d;\n", k)
	}
	b.WriteString("static fn *all[] = {")
	for k := range funcs {
		fmt.Fprintf(&b, "f%d,", k)
	}
	b.WriteString(`};
int main(void) {
  for (unsigned k = 0; k < sizeof all / sizeof *all; k++) {
    unsigned long long h = 14695981039346656037ull;
    for (int r = 0; r < 8; r++) {
      for (unsigned j = 0; j < sizeof in; j++) in[j] = r < 2 ? (unsigned char)((next() & 3) * 0x7f + (r & 1)) : (unsigned char)next();
      memset(out, 0, sizeof out);
      all[k](in, out);
      for (unsigned j = 0; j < sizeof out; j++) h = (h ^ out[j]) * 1099511628211ull;
    }
    printf("f%u %llx\n", k, h);
  }
}
`)
	return b.String()
}
