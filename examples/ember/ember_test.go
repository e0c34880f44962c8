package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/mirin-go/mirin"
)

func TestPrimes(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: builds the command")
	}
	out, err := exec.Command("go", "run", ".", "primes.ember").CombinedOutput()
	if err != nil || string(out) != "25\n9592\n" {
		t.Errorf("got %q, %v", out, err)
	}
}

func TestLanguage(t *testing.T) {
	for _, tc := range []struct {
		src  string
		arg  int64
		want int64
	}{
		{"fn f(n) { return 2 + 3 * n - -1 }", 4, 15},
		{"fn f(n) { if n < 2 { return n } return f(n - 1) + f(n - 2) }", 20, 6765},
		{"fn f(n) { if n == 1 { n = 10 } else if n == 2 { n = 20 } else { n = 30 } return n }", 2, 20},
		{"fn f(n) { let s = 0 while n { s = s + n n = n - 1 } return s }", 10, 55},
		{"fn f(n) { return (n / 3) * 100 + n % 3 }", -7, -201},
		{"fn f(n) { return g(n, 1) } fn g(a, b) { return a * 10 + b }", 4, 41},
		{"fn f(n) { return n >= 3 # not 4\n }", 3, 1},
	} {
		m, err := Compile("test", tc.src+" fn main() {}")
		if err != nil {
			t.Errorf("%s: %v", tc.src, err)
			continue
		}
		for _, level := range []mirin.Level{mirin.O0, mirin.O2} {
			p, err := mirin.Load(m, &mirin.Options{Opt: level, Symbols: map[string]any{"print": func(int64) {}}})
			if err != nil {
				t.Errorf("%s: %v", tc.src, err)
				continue
			}
			var f func(int64) int64
			if err := p.Func("f", &f); err != nil {
				t.Fatal(err)
			}
			if got := f(tc.arg); got != tc.want {
				t.Errorf("%s: f(%d) = %d, want %d", tc.src, tc.arg, got, tc.want)
			}
			p.Close()
		}
	}
}

func TestFaults(t *testing.T) {
	for src, want := range map[string]string{
		"fn f( {":                          "t:1:7: error: expected a name",
		"fn main() { return x }":           "t:1:20: error: there is no variable x",
		"fn main() { print(1, 2) }":        "t:1:13: error: function print takes another number of arguments",
		"fn f() { }":                       "expected a function called main",
		"fn main() { } fn main() { }":      "function main is there already",
		"fn main() {\n  let x = 5 +\n}":    "t:3:1: error: expected a name",
		"fn main() { 99999999999999999999": "expected a number that fits 64 bits",
	} {
		_, err := Compile("t", src)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", src, err, want)
		}
	}
}

// TestTutorial: the code that the tutorial shows is the code that runs.
func TestTutorial(t *testing.T) {
	doc, err := os.ReadFile("../../docs/tutorial.md")
	if err != nil {
		t.Fatal(err)
	}
	var src string
	for _, f := range []string{"main.go", "lexer.go", "compile.go", "primes.ember"} {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		src += string(b)
	}
	blocks := strings.Split(string(doc), "```")
	shown := 0
	for k := 1; k < len(blocks); k += 2 {
		kind, code, _ := strings.Cut(blocks[k], "\n")
		if kind != "go" && kind != "ember" {
			continue
		}
		shown++
		for _, part := range strings.Split(strings.TrimSpace(code), "\n\t…\n") {
			if !strings.Contains(src, part) {
				t.Errorf("the tutorial shows what is not in the example:\n%s", part)
			}
		}
	}
	if shown < 6 {
		t.Errorf("only %d pieces of code are shown", shown)
	}
}
