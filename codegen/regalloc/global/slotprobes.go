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
	// asked are the places that ask found, rows theirs, or empty ones.
	asked []int
	rows  [probesAsked][]uint64
	none  bitset
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
		p.busy = append(p.busy, bitset{})
	}
	for k := range p.at {
		p.busy[k].reset(len(slots))
	}
	p.none.reset(len(slots))
}

// put says that slot n holds x.
func (p *slotProbes) put(n int, x *liveness.Slotted) {
	for _, s := range x.Segments() {
		for k, _ := slices.BinarySearch(p.at, s.Start); k < len(p.at) && p.at[k] < s.End; k++ {
			p.busy[k].add(n)
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
		switch {
		case len(p.asked) > probesAsked:
			p.rows[k] = p.busy[p.asked[(2*k+1)*len(p.asked)/(2*probesAsked)]].words
		case k < len(p.asked):
			p.rows[k] = p.busy[p.asked[k]].words
		default:
			p.rows[k] = p.none.words
		}
	}
}

// next is the first slot from n on that may have room for what was asked about.
func (p *slotProbes) next(n int) int {
	r := &p.rows
	mask := ^uint64(0) << (n % 64)
	for k := n / 64; k < len(p.none.words); k++ {
		if w := ^(r[0][k] | r[1][k] | r[2][k] | r[3][k] | r[4][k] | r[5][k] | r[6][k] | r[7][k]) & mask; w != 0 {
			return k*64 + bits.TrailingZeros64(w)
		}
		mask = ^uint64(0)
	}
	return len(p.none.words) * 64
}
