package stamped

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestMap compares the table with a map of Go's, with hashes that are good and with one for all.
func TestMap(t *testing.T) {
	for _, hash := range []func(uint64) uint64{Mix, func(uint64) uint64 { return 7 }} {
		r := rand.New(rand.NewPCG(1, 2))
		var m Map[uint64, int]
		for round := range 40 {
			if round == 20 {
				m.stamp = math.MaxUint32 - 3 // comes round
			}
			m.Reset()
			want := map[uint64]int{}
			for range r.IntN(400) {
				k := r.Uint64N(300)
				if v := m.Find(hash(k), k); v == nil != (want[k] == 0) || v != nil && *v != want[k] {
					t.Fatalf("round %d: %d is %v, not %d", round, k, v, want[k])
				}
				v, found := m.Add(hash(k), k, hash)
				if found != (want[k] != 0) {
					t.Fatalf("round %d: found %v for %d", round, found, k)
				}
				*v++
				want[k]++
			}
			if m.Len() != len(want) {
				t.Fatalf("round %d: %d keys, not %d", round, m.Len(), len(want))
			}
		}
	}
}
