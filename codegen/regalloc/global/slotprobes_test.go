package global

import (
	"math/rand/v2"
	"testing"
)

// TestSlotProbes goes through the slots that have room by next and one by one, where
// most words are full.
func TestSlotProbes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, n := range []int{1, 63, 64, 65, 4096, 9000} {
		for range 20 {
			var p slotProbes
			p.none.reset(n)
			var busy, full [probesAsked]bitset
			for k := range busy {
				busy[k].reset(n)
				full[k].reset(n/64 + 1)
				p.rows[k], p.fulls[k] = busy[k].words, full[k].words
			}
			for w := range p.none.words {
				if rng.IntN(50) == 0 {
					continue
				}
				k := rng.IntN(probesAsked)
				busy[k].words[w] = ^uint64(0)
				full[k].add(w)
			}
			for range n / 3 {
				busy[rng.IntN(probesAsked)].add(rng.IntN(n))
			}
			at := p.next(0)
			for slot := range n {
				room := true
				for k := range busy {
					room = room && !busy[k].has(slot)
				}
				if room != (at == slot) {
					t.Fatalf("%d slots: room in %d is %v, next is %d", n, slot, room, at)
				}
				if room {
					at = p.next(slot + 1)
				}
			}
			if at < n {
				t.Fatalf("%d slots: %d behind all", n, at)
			}
		}
	}
}
