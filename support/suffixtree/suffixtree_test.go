package suffixtree

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"
)

// naive finds every string of two or more that is found twice and that, in one
// place, goes on otherwise than in another: the strings of the internal nodes.
func naive(str []uint32) map[string][]uint32 {
	out := map[string][]uint32{}
	for n := 2; n < len(str); n++ {
		at := map[string][]uint32{}
		for i := 0; i+n <= len(str); i++ {
			key := fmt.Sprint(str[i : i+n])
			at[key] = append(at[key], uint32(i))
		}
		for key, starts := range at {
			if len(starts) < 2 {
				continue // it ends in the last number
			}
			differ := false
			for _, s := range starts {
				differ = differ || str[int(s)+n] != str[int(starts[0])+n]
			}
			if differ {
				out[key] = starts
			}
		}
	}
	return out
}

func TestRandom(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 500 {
		str := make([]uint32, 1+r.Intn(60))
		letters := 1 + r.Intn(5)
		for k := range str {
			str[k] = uint32(r.Intn(letters))
		}
		str[len(str)-1] = 1000
		want := naive(str)
		tree := New(str)
		for n, starts := range tree.Repeats() {
			key := fmt.Sprint(str[starts[0] : int(starts[0])+n])
			if !slices.Equal(want[key], starts) {
				t.Fatalf("%v: %s begins at %v, want %v", str, key, starts, want[key])
			}
			delete(want, key)
		}
		if len(want) > 0 {
			t.Fatalf("%v: not found: %v", str, want)
		}
	}
}

// TestOrder: children are visited by their places in a table of 64, the last first.
func TestOrder(t *testing.T) {
	// 1 2 | 3 4 | 5 6 twice: places 37, 111&63 = 47, 185&63 = 57.
	str := []uint32{1, 2, 100, 3, 4, 101, 5, 6, 102, 1, 2, 103, 3, 4, 104, 5, 6, 105}
	var first []uint32
	for _, starts := range New(str).Repeats() {
		first = append(first, str[starts[0]])
	}
	if !slices.Equal(first, []uint32{5, 3, 1}) {
		t.Error(first)
	}
}

// TestNested: a number that goes on and on has as many repeats as it is long, each
// found as often: the limit keeps the work near linear.
func TestNested(t *testing.T) {
	str := make([]uint32, 200_000)
	str[len(str)-1] = 7
	tree := New(str)
	tree.Work = 10
	seen := 0
	for _, starts := range tree.Repeats() {
		seen += len(starts)
	}
	if seen > 11*len(str) || seen < len(str) {
		t.Errorf("%d suffixes looked at in a string of %d", seen, len(str))
	}
}
