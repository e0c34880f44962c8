package global

import (
	"math/bits"
	"slices"

	"github.com/mirin-go/mirin/codegen/liveness"
)

// Limits of slotProbes.
const (
	// maxProbes is how many places there are.
	maxProbes = 64
	// probesAsked is how many of them are asked about a slot.
	probesAsked = 8
)

// slotProbes knows for some places of a function which stack slots are in use
// there, 64 slots in a word: of many slots that are in use at once it leaves those out.
type slotProbes struct {
	at   []liveness.Index // in order
	busy []bitset         // by place
	full []bitset         // by place: words of busy whose slots are all in use
	// asked are the places that ask found, rows and fulls theirs, or empty ones.
	asked       []int
	rows, fulls [probesAsked][]uint64
	none        bitset
}

// begin spreads the places over those of the slots, which are n.
func (p *slotProbes) begin(slots []*liveness.Slotted) {
	lo, hi := ^liveness.Index(0), liveness.Index(0)
	for _, x := range slots {
		if s := x.Segments(); len(s) > 0 {
			lo, hi = min(lo, s[0].Start), max(hi, s[len(s)-1].End)
		}
	}
	p.at = p.at[:0]
	if lo < hi {
		step := max(1, uint64(hi-lo)/maxProbes)
		for at := uint64(lo) + step/2; at < uint64(hi); at += step {
			p.at = append(p.at, liveness.Index(at))
		}
	}
	for len(p.busy) < len(p.at) {
		p.busy, p.full = append(p.busy, bitset{}), append(p.full, bitset{})
	}
	for k := range p.at {
		p.busy[k].reset(len(slots))
		p.full[k].reset(len(slots)/64 + 1)
	}
	p.none.reset(len(slots))
}

// put says that slot n holds x.
func (p *slotProbes) put(n int, x *liveness.Slotted) {
	for _, s := range x.Segments() {
		for k, _ := slices.BinarySearch(p.at, s.Start); k < len(p.at) && p.at[k] < s.End; k++ {
			if p.busy[k].add(n); p.busy[k].words[n/64] == ^uint64(0) {
				p.full[k].add(n / 64)
			}
		}
	}
}

// ask looks for slots that are in use where x is; next lists the others.
func (p *slotProbes) ask(x *liveness.Slotted) {
	p.asked = p.asked[:0]
	for _, s := range x.Segments() {
		for k, _ := slices.BinarySearch(p.at, s.Start); k < len(p.at) && p.at[k] < s.End; k++ {
			p.asked = append(p.asked, k)
		}
	}
	// A few of them, spread over all.
	for k := range p.rows {
		at := k
		switch {
		case len(p.asked) > probesAsked:
			at = (2*k + 1) * len(p.asked) / (2 * probesAsked)
		case k >= len(p.asked):
			p.rows[k], p.fulls[k] = p.none.words, p.none.words
			continue
		}
		p.rows[k], p.fulls[k] = p.busy[p.asked[at]].words, p.full[p.asked[at]].words
	}
}

// next is the first slot from n on that may have room for what was asked about.
func (p *slotProbes) next(n int) int {
	k, mask := n/64, ^uint64(0)<<(n%64)
	for k < len(p.none.words) {
		if w := free(&p.rows, k) & mask; w != 0 {
			return k*64 + bits.TrailingZeros64(w)
		}
		mask = ^uint64(0)
		// On to a word that no place has full.
		k++
		for k < len(p.none.words) {
			w := free(&p.fulls, k/64) >> (k % 64)
			if w != 0 {
				k += bits.TrailingZeros64(w)
				break
			}
			k = (k/64 + 1) * 64
		}
	}
	return len(p.none.words) * 64
}

// free is the bits of word k that no row has.
func free(r *[probesAsked][]uint64, k int) uint64 {
	return ^(r[0][k] | r[1][k] | r[2][k] | r[3][k] | r[4][k] | r[5][k] | r[6][k] | r[7][k])
}
