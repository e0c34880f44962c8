package textdiff

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// lcs is the length of a longest common subsequence, the slow and sure way.
func lcs(a, b []string) int {
	t := make([][]int, len(a)+1)
	for i := range t {
		t[i] = make([]int, len(b)+1)
	}
	for i := range a {
		for j := range b {
			if t[i+1][j+1] = max(t[i][j+1], t[i+1][j]); a[i] == b[j] {
				t[i+1][j+1] = t[i][j] + 1
			}
		}
	}
	return t[len(a)][len(b)]
}

func TestMatch(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	gen := func() []string {
		s := make([]string, rnd.IntN(14))
		for k := range s {
			s[k] = string(rune('a' + rnd.IntN(4)))
		}
		return s
	}
	for range 20000 {
		a, b := gen(), gen()
		pairs := Match(a, b)
		last := Pair{-1, -1}
		for _, p := range pairs {
			if p.A <= last.A || p.B <= last.B || a[p.A] != b[p.B] {
				t.Fatalf("%v %v: %v", a, b, pairs)
			}
			last = p
		}
		if len(pairs) != lcs(a, b) {
			t.Fatalf("%v %v: %d pairs, want %d", a, b, len(pairs), lcs(a, b))
		}
	}
}

func TestUnified(t *testing.T) {
	a := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n"
	b := strings.Replace(strings.Replace(a, "2\n", "two\n", 1), "12\n", "12\n13", 1)
	got := string(AppendUnified(nil, "a", "b", a, b, Colors{}))
	want := "--- a\n+++ b\n@@ -1,5 +1,5 @@\n 1\n-2\n+two\n 3\n 4\n 5\n@@ -10,3 +10,4 @@\n 10\n 11\n 12\n+13\n\\ No newline at end of file\n"
	if got != want {
		t.Errorf("got:\n%s", got)
	}
	if AppendUnified(nil, "a", "b", a, a, Colors{}) != nil {
		t.Error("equal texts differ")
	}
}
