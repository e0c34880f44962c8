package mctargetdesc

import (
	"math"
	"math/bits"
)

// step is one instruction of a sequence that makes a constant in a register; what is not
// said of it is the register as the step before left it, x0 for the first.
type step struct {
	op   string
	v    int64
	form stepForm
}

type stepForm uint8

const (
	stepImm    stepForm = iota // op rd, rs, v
	stepUpper                  // op rd, v
	stepZero                   // op rd, rs, x0
	stepDouble                 // op rd, rs, rs
)

// constants finds short sequences for constants, with what the subtarget has. Of several
// that are equally short it takes the one that LLVM takes.
type constants struct {
	wide          bool // RV64
	zba, zbb, zbs bool
	zbkb, theadBb bool
	luiAddi       bool // a processor that runs lui and addi as one
}

// is reports a value of n bits with a sign.
func signed(v int64, n int) bool { return v >= -1<<(n-1) && v < 1<<(n-1) }

// find gives the sequence for v.
func (c *constants) find(v int64) []step {
	best := c.plain(v)
	if v&0xfff != 0 && v&1 == 0 && len(best) >= 2 { // a smaller constant, shifted
		n := bits.TrailingZeros64(uint64(v))
		short := c.plain(v >> n)
		if len(short)+1 < len(best) || signed(v>>n, 6) && !c.luiAddi {
			best = append(short, step{op: "slli", v: int64(n)})
		}
	}
	shorter := func(s []step, more int) bool { return len(s)+more < len(best) }
	if len(best) <= 2 {
		return best
	}
	if v&0xfff != 0 && v&0x1800 == 0x1000 { // the number above, less a little
		add := v&0xfff - 0x800
		if s := c.plain(v - add); shorter(s, 1) {
			best = append(s, step{op: "addi", v: add})
		}
	}
	if v > 0 && len(best) > 2 {
		best = c.shiftedDown(v, best)
	}
	if v < 0 && len(best) > 3 { // its complement
		if s := c.shiftedDown(^v, nil); s != nil && shorter(s, 1) {
			best = append(s, step{op: "xori", v: -1})
		}
	}
	if len(best) > 2 && c.zbkb && int32(v) == int32(v>>32) {
		if s := c.plain(int64(int32(v))); shorter(s, 1) {
			best = append(s, step{op: "pack", form: stepDouble})
		}
	}
	if len(best) > 2 && c.zbs {
		best = c.bitwise(v, best)
	}
	if len(best) > 2 && c.zba {
		best = c.multiplied(v, best)
	}
	if len(best) > 2 && (c.zbb || c.theadBb) {
		if n := rotated(uint64(v)); n != 0 {
			op := "rori"
			if !c.zbb {
				op = "th.srri"
			}
			best = []step{{op: "addi", v: int64(bits.RotateLeft64(uint64(v), n))}, {op: op, v: int64(n)}}
		}
	}
	return best
}

// plain builds a constant from its highest part down.
func (c *constants) plain(v int64) []step {
	if c.zbs && v > 0 && v&(v-1) == 0 && (!signed(v, 32) || v == 0x800) {
		return []step{{op: "bseti", v: int64(bits.TrailingZeros64(uint64(v)))}}
	}
	if c.zbs && v == math.MinInt64 {
		return []step{{op: "bseti", v: 63}}
	}
	lo := v << 52 >> 52
	if signed(v, 32) {
		var s []step
		hi := (v + 0x800) >> 12 & 0xfffff
		if hi != 0 {
			s = append(s, step{op: "lui", v: hi, form: stepUpper})
		}
		if lo != 0 || hi == 0 {
			op := "addi"
			if c.wide && hi != 0 && !signed(int64(int32(hi<<12))+lo, 32) {
				op = "addiw"
			}
			s = append(s, step{op: op, v: lo})
		}
		return s
	}
	rest := int64(uint64(v) - uint64(lo))
	n, shift := 0, "slli"
	if !signed(rest, 32) {
		n = bits.TrailingZeros64(uint64(rest))
		rest >>= n
		const upper = -1 << 32
		if n > 12 && !signed(rest, 12) { // lui clears the low bits itself
			switch low := rest << 12; {
			case signed(low, 32):
				n, rest = n-12, low
			case c.zba && uint64(low) <= math.MaxUint32:
				n, rest, shift = n-12, low|upper, "slli.uw"
			}
		}
		if c.zba && rest > math.MaxInt32 && rest <= math.MaxUint32 {
			rest, shift = rest|upper, "slli.uw"
		}
	}
	s := c.plain(rest)
	if n > 0 {
		s = append(s, step{op: shift, v: int64(n)})
	}
	if lo != 0 {
		s = append(s, step{op: "addi", v: lo})
	}
	return s
}

// shiftedDown makes v > 0 of a constant without leading zeros, if that is shorter than best.
func (c *constants) shiftedDown(v int64, best []step) []step {
	if v <= 0 {
		return best
	}
	n := bits.LeadingZeros64(uint64(v))
	try := func(w uint64, last step) {
		if s := c.plain(int64(w)); len(s)+1 < len(best) || best == nil && len(s) < 8 {
			best = append(s, last)
		}
	}
	up := uint64(v) << n
	try(up|(1<<n-1), step{op: "srli", v: int64(n)})
	try(up, step{op: "srli", v: int64(n)})
	if n == 32 && c.zba {
		try(uint64(v)|math.MaxUint32<<32, step{op: "add.uw", form: stepZero})
	}
	return best
}

// bitwise sets or clears single bits of a constant of 32 bits.
func (c *constants) bitwise(v int64, best []step) []step {
	try := func(low uint64, op string) {
		var s []step
		if low != 0 {
			s = c.plain(int64(low))
		}
		left := uint64(v) ^ low
		if len(s)+bits.OnesCount64(left) >= len(best) {
			return
		}
		for ; left != 0; left &= left - 1 {
			s = append(s, step{op: op, v: int64(bits.TrailingZeros64(left))})
		}
		best = s
	}
	try(uint64(v)&math.MaxInt32, "bseti")
	if len(best) > 1 && best[0].op == "addi" && best[0].v == 1 && best[1].op == "slli" {
		best = append([]step{{op: "bseti", v: best[1].v}}, best[2:]...)
	}
	if len(best) > 2 {
		try(uint64(v)|^uint64(math.MaxInt32), "bclri")
	}
	return best
}

// multiplied makes a constant as 3, 5 or 9 times another, with a small one added.
func (c *constants) multiplied(v int64, best []step) []step {
	factor := func(w int64) (by int64, op string) {
		for i, f := range [...]int64{3, 5, 9} {
			if w%f == 0 && signed(w/f, 32) {
				return f, [...]string{"sh1add", "sh2add", "sh3add"}[i]
			}
		}
		return 0, ""
	}
	if f, op := factor(v); f > 0 {
		if s := c.plain(v / f); len(s)+1 < len(best) {
			best = append(s, step{op: op, form: stepDouble})
		}
		return best
	}
	hi := int64((uint64(v) + 0x800) &^ 0xfff)
	if f, op := factor(hi); f > 0 {
		if s := c.plain(hi / f); len(s)+2 < len(best) {
			best = append(s, step{op: op, form: stepDouble}, step{op: "addi", v: v << 52 >> 52})
		}
	}
	return best
}

// rotated is by how much v must be rotated to the right of what 12 bits say, 0 where it is
// none of these.
func rotated(v uint64) int {
	lead, trail := bits.LeadingZeros64(^v), bits.TrailingZeros64(^v)
	if trail > 0 && trail < 64 && lead+trail > 64-12 {
		return 64 - trail
	}
	up, down := bits.TrailingZeros32(^uint32(v>>32)), bits.LeadingZeros32(^uint32(v))
	if up < 32 && up+down > 64-12 {
		return 32 - up
	}
	return 0
}
