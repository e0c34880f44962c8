package outliner

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/mirin-go/mirin/mir"
)

func TestPlaces(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for _, n := range []int{1, 64, 65, 5000, 300_000} {
		var p places
		p.reset(n)
		marks := make([]bool, n)
		for range 300 {
			lo := r.Intn(n)
			hi := min(n, lo+1+r.Intn(r.Intn(n)+1))
			if got, want := p.any(lo, hi), slices.Contains(marks[lo:hi], true); got != want {
				t.Fatalf("%d places: any(%d, %d) = %v", n, lo, hi, got)
			}
			if r.Intn(4) == 0 {
				hi = min(hi, lo+3)
				p.add(lo, hi)
				for k := lo; k < hi; k++ {
					marks[k] = true
				}
			}
		}
	}
}

// TestRegSet: in the order in which they came up to two, by number from the third on.
func TestRegSet(t *testing.T) {
	var s regSet
	s.insert(9)
	s.insert(3)
	if !slices.Equal(s.list(), []mir.Reg{9, 3}) {
		t.Error(s.list())
	}
	s.insert(9)
	s.insert(5)
	s.erase(3)
	if !slices.Equal(s.list(), []mir.Reg{5, 9}) {
		t.Error(s.list())
	}
}
