package globalisel

import (
	"math/rand/v2"
	"testing"
)

// leastRuns is the definition: the fewest runs of dense ranges, in O(n³).
func leastRuns(s *switchState) int {
	n := len(s.ranges)
	least := make([]int, n+1)
	for i := n - 1; i >= 0; i-- {
		least[i] = least[i+1] + 1
		for j := i + 1; j < n; j++ {
			if s.tableFits(i, j, s.cases(i, j)) {
				least[i] = min(least[i], least[j+1]+1)
			}
		}
	}
	return least[0]
}

func TestPartition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 3000 {
		s := &switchState{density: minDensity, minTable: 4}
		if round%3 == 0 {
			s.density = minDensityOptSize
		}
		at := int64(r.IntN(100) - 50)
		if round%50 == 0 {
			at = -1 << 63
		}
		for range 1 + r.IntN(40) {
			n := int64(0)
			if r.IntN(3) == 0 {
				n = int64(r.IntN(30))
			}
			s.ranges = append(s.ranges, cluster{lo: at, hi: at + n, prob: 1})
			at += n + 1 + int64(r.IntN(1<<r.IntN(10)))
			if r.IntN(20) == 0 {
				at += int64(r.Uint32()) << 20
			}
		}
		end := s.parts.partition(s)
		runs := 0
		for i := 0; i < len(s.ranges); i = int(end[i]) + 1 {
			runs++
			if e := int(end[i]); e < i || e > i && !s.tableFits(i, e, s.cases(i, e)) {
				t.Fatalf("round %d: ranges %d to %d are no run", round, i, e)
			}
		}
		if want := leastRuns(s); runs != want {
			t.Fatalf("round %d: %d runs, want %d: %v", round, runs, want, s.ranges)
		}
	}
}
