package outliner

import (
	"math/bits"
	"slices"

	"github.com/mirin-go/mirin/mir"
)

// regSet is a set of registers that lists them as LLVM's SmallSet of two does, whose
// order output shows: up to two as they came, sorted once there was a third.
type regSet struct {
	regs   []mir.Reg
	sorted bool
}

func (s *regSet) reset() { s.regs, s.sorted = s.regs[:0], false }

func (s *regSet) has(r mir.Reg) bool { return slices.Contains(s.regs, r) }

func (s *regSet) insert(r mir.Reg) {
	if s.has(r) {
		return
	}
	s.regs = append(s.regs, r)
	s.sorted = s.sorted || len(s.regs) > 2
}

func (s *regSet) erase(r mir.Reg) {
	s.regs = slices.DeleteFunc(s.regs, func(x mir.Reg) bool { return x == r })
}

func (s *regSet) list() []mir.Reg {
	if s.sorted {
		slices.Sort(s.regs)
	}
	return s.regs
}

// places is a set of places of the string. A bit of a level says that there is one
// among 64 of the level below.
type places struct{ levels [][]uint64 }

func (p *places) reset(n int) {
	p.levels = p.levels[:0]
	for {
		n = (n + 63) / 64
		p.levels = append(p.levels, make([]uint64, n))
		if n <= 1 {
			return
		}
	}
}

// add adds the places from lo to before hi.
func (p *places) add(lo, hi int) {
	for k := lo; k < hi; k++ {
		for at, l := k, 0; l < len(p.levels); l++ {
			p.levels[l][at/64] |= 1 << (at % 64)
			at /= 64
		}
	}
}

// any reports whether there is one from lo to before hi.
func (p *places) any(lo, hi int) bool {
	for l := 0; l < len(p.levels) && lo < hi; l++ {
		w := p.levels[l]
		if lo/64 == (hi-1)/64 {
			return w[lo/64]>>(lo%64)<<(lo%64)<<(63-(hi-1)%64) != 0
		}
		if w[lo/64]>>(lo%64) != 0 || bits.TrailingZeros64(w[(hi-1)/64]) <= (hi-1)%64 {
			return true
		}
		lo, hi = lo/64+1, (hi-1)/64
	}
	return false
}
