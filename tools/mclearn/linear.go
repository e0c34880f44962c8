package main

import (
	"math/bits"
	"sort"

	"github.com/mirin-go/mirin/desc"
)

// code is the bits of an instruction of at most 16 bytes, low word first; bit 0
// is the lowest of its first byte, of its last where the high byte comes first.
type code [2]uint64

func codeOf(b []byte, big bool) (c code) {
	for k, x := range b {
		if big {
			k = len(b) - 1 - k
		}
		c[k/8] |= uint64(x) << (k % 8 * 8)
	}
	return c
}

func (c code) xor(d code) code { return code{c[0] ^ d[0], c[1] ^ d[1]} }
func (c code) or(d code) code  { return code{c[0] | d[0], c[1] | d[1]} }

// positions are the bits that are set.
func (c code) positions() (out []int) {
	for w, x := range c {
		for ; x != 0; x &= x - 1 {
			out = append(out, w*64+bits.TrailingZeros64(x))
		}
	}
	return out
}

// linear is what a value's bits do to an instruction's: bit k changes the bits of masks[k].
type linear struct{ masks [64]code }

// of gives the bits that a value sets.
func (l *linear) of(v uint64) (c code) {
	for ; v != 0; v &= v - 1 {
		c = c.xor(l.masks[bits.TrailingZeros64(v)])
	}
	return c
}

// used are the value's bits that do something.
func (l *linear) used() (v uint64) {
	for k, m := range l.masks {
		if m != (code{}) {
			v |= 1 << k
		}
	}
	return v
}

// segs are the bits of values in their places, in the least number of runs.
func (l *linear) segs() (out []desc.BitSeg) {
	type pair struct{ bit, at int }
	var ps []pair
	for k, m := range l.masks {
		for _, p := range m.positions() {
			ps = append(ps, pair{k, p})
		}
	}
	// Runs have one difference of place and bit.
	sort.Slice(ps, func(i, j int) bool {
		a, b := ps[i], ps[j]
		if a.at-a.bit != b.at-b.bit {
			return a.at-a.bit < b.at-b.bit
		}
		return a.bit < b.bit
	})
	for k, p := range ps {
		if k > 0 && ps[k-1].bit+1 == p.bit && ps[k-1].at+1 == p.at {
			out[len(out)-1].Len++
			continue
		}
		out = append(out, desc.BitSeg{Value: uint16(p.bit), Inst: uint16(p.at), Len: 1})
	}
	sort.Slice(out, func(i, j int) bool {
		return out[i].Value < out[j].Value || out[i].Value == out[j].Value && out[i].Inst < out[j].Inst
	})
	return out
}

// sample is a value and the instruction that has it.
type sample struct {
	val uint64
	out code
}

// solve finds the linear map that all samples follow, up to a constant; false
// when there is none. Bits that the samples do not tell apart from others do nothing.
func solve(ss []sample) (*linear, bool) {
	type row struct {
		in  uint64
		out code
	}
	if len(ss) == 0 {
		return nil, false
	}
	var rows [64]row // by highest bit
	for _, s := range ss[1:] {
		in, out := s.val^ss[0].val, s.out.xor(ss[0].out)
		for in != 0 {
			h := bits.Len64(in) - 1
			if rows[h].in == 0 {
				rows[h] = row{in, out}
				break
			}
			in ^= rows[h].in
			out = out.xor(rows[h].out)
		}
		if in == 0 && out != (code{}) {
			return nil, false
		}
	}
	// From the low bits up, what lower bits do is taken out of the rows.
	l := &linear{}
	for h := range rows {
		if rows[h].in == 0 {
			continue
		}
		l.masks[h] = rows[h].out.xor(l.of(rows[h].in &^ (1 << h)))
	}
	return l, true
}
