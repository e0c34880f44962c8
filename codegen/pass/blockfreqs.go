package pass

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/mirin-go/mirin/mir"
)

// Freq is how often a block runs, as an integer: what is compared must not
// depend on rounding. Sums and products stop at the greatest number, differences at 0.
type Freq uint64

// MaxFreq is the frequency of the block that runs most often.
const MaxFreq Freq = 1 << 54

// BlockFreqs are the frequencies of the blocks as integers, by BlockID: those of
// Frequencies, scaled so that the greatest is MaxFreq. Passes that make blocks
// tell how often these run.
type BlockFreqs struct{ freq []Freq }

// Compute scales the frequencies; a block that is reached has at least 1.
func (q *BlockFreqs) Compute(c *Context, f *mir.Function) {
	q.freq = q.freq[:0]
	from := Get[Frequencies](c, f)
	most := 0.0
	for _, x := range from.Freq {
		most = max(most, x)
	}
	if most == 0 {
		most = 1
	}
	for _, x := range from.Freq {
		n := Freq(x / most * float64(MaxFreq))
		if x > 0 {
			n = max(n, 1)
		}
		q.freq = append(q.freq, n)
	}
}

// Differs compares the frequencies.
func (q *BlockFreqs) Differs(o *BlockFreqs) string {
	for b := range max(len(q.freq), len(o.freq)) {
		if x, y := q.Of(mir.BlockID(b)), o.Of(mir.BlockID(b)); x != y {
			return fmt.Sprintf("the frequency of block %d", b)
		}
	}
	return ""
}

// OfCFG is true.
func (q *BlockFreqs) OfCFG() bool { return true }

// Of returns the frequency of b, 0 for blocks that are newer than what is known.
func (q *BlockFreqs) Of(b mir.BlockID) Freq {
	if int(b) >= len(q.freq) {
		return 0
	}
	return q.freq[b]
}

// Set tells how often b runs.
func (q *BlockFreqs) Set(b mir.BlockID, x Freq) {
	if int(b) >= len(q.freq) {
		q.freq = slices.Grow(q.freq, int(b)+1-len(q.freq))
		for int(b) >= len(q.freq) {
			q.freq = append(q.freq, 0)
		}
	}
	q.freq[b] = x
}

// Edge is how often control goes from b to s.
func (q *BlockFreqs) Edge(f *mir.Function, b, s mir.BlockID) Freq {
	return q.Of(b).Times(f.EdgeProb(b, s))
}

// Plus adds.
func (x Freq) Plus(y Freq) Freq {
	if s := x + y; s >= x {
		return s
	}
	return math.MaxUint64
}

// Minus subtracts.
func (x Freq) Minus(y Freq) Freq {
	if x < y {
		return 0
	}
	return x - y
}

// Times multiplies by a probability, rounding down.
func (x Freq) Times(p mir.Prob) Freq {
	hi, lo := bits.Mul64(uint64(x), uint64(p))
	return Freq(hi<<33 | lo>>31)
}

// Over divides by a probability, rounding down.
func (x Freq) Over(p mir.Prob) Freq {
	if p == 0 {
		return math.MaxUint64
	}
	hi, lo := bits.Mul64(uint64(x), uint64(mir.ProbOne))
	if hi >= uint64(p) {
		return math.MaxUint64
	}
	n, _ := bits.Div64(hi, lo, uint64(p))
	return Freq(n)
}

// Percent is the probability n/d rounded to the nearest.
func Percent(n, d uint32) mir.Prob {
	return mir.Prob((uint64(n)*uint64(mir.ProbOne) + uint64(d)/2) / uint64(d))
}

// Ratio is the probability n/d of frequencies.
func Ratio(n, d Freq) mir.Prob {
	scale := max(bits.Len64(uint64(d))-32, 0)
	n, d = n>>scale, d>>scale
	return mir.Prob((uint64(n)*uint64(mir.ProbOne) + uint64(d)/2) / uint64(d))
}
