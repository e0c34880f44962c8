package x86

import (
	"sync"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Shuffles of 128 bits.

// sources are the registers that elements of e bits are taken from, as few as there are (0
// for none), with a mask of elements as wide as they stay together.
func sources(x, y mir.Reg, mask []int32, e int) (mir.Reg, mir.Reg, []int32, int) {
	n := int32(len(mask))
	mask = append([]int32(nil), mask...)
	usesX, usesY := false, false
	for k, m := range mask {
		if m >= n && (y == 0 || y == x) {
			mask[k] = m - n
			m -= n
		}
		usesX, usesY = usesX || m >= 0 && m < n, usesY || m >= n
	}
	if !usesX && usesY {
		for k := range mask {
			if mask[k] >= 0 {
				mask[k] -= n
			}
		}
		x, y, usesX, usesY = y, 0, true, false
	}
	if !usesX {
		return 0, 0, mask, e
	}
	for e < 64 {
		w, ok := widen(mask)
		if !ok {
			break
		}
		mask, e = w, 2*e
	}
	if !usesY {
		y = 0
	}
	return x, y, mask, e
}

// shuffle128 shuffles elements of e bits of x and y (0 for none).
func (v *vecSelector) shuffle128(x, y mir.Reg, mask []int32, e int) mir.Reg {
	x, y, mask, e = sources(x, y, mask, e)
	if x == 0 {
		return v.undef(128)
	}
	if y == 0 {
		return v.single128(x, mask, e)
	}
	return v.double128(x, y, mask, e)
}

// single128 shuffles one register.
func (v *vecSelector) single128(x mir.Reg, mask []int32, e int) mir.Reg {
	n := len(mask)
	if fits(mask, func(k int) int { return k }) {
		return x
	}
	switch e {
	case 64:
		// Both halves are pairs.
		m := make([]int32, 4)
		for k, s := range mask {
			m[2*k], m[2*k+1] = -1, -1
			if s >= 0 {
				m[2*k], m[2*k+1] = 2*s, 2*s+1
			}
		}
		return v.xmm(tab.PSHUFDri, read(x), mir.ImmOp(imm4(m)))
	case 32:
		return v.xmm(tab.PSHUFDri, read(x), mir.ImmOp(imm4(mask)))
	}
	for _, high := range [...]bool{false, true} {
		off := 0
		if high {
			off = n / 2
		}
		if fits(mask, func(k int) int { return off + k/2 }) {
			return v.xmm(unpackOp(e, high), read(x), read(x))
		}
	}
	if r := v.shiftBytes(x, mask, e, false); r != 0 {
		return r
	}
	if e == 16 {
		if r := v.words(x, mask); r != 0 {
			return r
		}
	}
	if v.has("ssse3") {
		return v.bytes(x, narrow(mask, e), 0, false)
	}
	if e == 8 {
		if s := splatOf(mask); s >= 0 {
			// A pair of it, then words.
			p := v.xmm(unpackOp(8, s >= 8), read(x), read(x))
			return v.shuffle128(p, 0, repeat(s%8, 8), 16)
		}
		return v.bytesSlow(x, 0, mask)
	}
	return v.wordsSlow(x, 0, mask)
}

func splatOf(mask []int32) int32 {
	s := int32(-1)
	for _, m := range mask {
		if m >= 0 {
			if s >= 0 && m != s {
				return -1
			}
			s = m
		}
	}
	return s
}

func repeat(x int32, n int) []int32 {
	out := make([]int32, n)
	for k := range out {
		out[k] = x
	}
	return out
}

// shiftBytes shifts the register by elements, what comes in is not used, or zero
// where zeros says that zeroLane counts; 0 where that does not do it.
func (v *vecSelector) shiftBytes(x mir.Reg, mask []int32, e int, zeros bool) mir.Reg {
	n := len(mask)
	for s := 1; s < n; s++ {
		in := func(ok bool) int {
			if ok && zeros {
				return zeroLane
			}
			return -3
		}
		if fits(mask, func(k int) int {
			if k+s < n {
				return k + s
			}
			return in(true)
		}) {
			return v.xmm(tab.PSRLDQri, read(x), mir.ImmOp(int64(s*e/8)))
		}
		if fits(mask, func(k int) int {
			if k >= s {
				return k - s
			}
			return in(true)
		}) {
			return v.xmm(tab.PSLLDQri, read(x), mir.ImmOp(int64(s*e/8)))
		}
	}
	return 0
}

// words shuffles 16-bit elements of one register: within halves, then 32 bits of both,
// then within halves again, as few of these as will do; 0 where none do.
func (v *vecSelector) words(x mir.Reg, mask []int32) mir.Reg {
	inLow := fits(mask[4:], func(k int) int { return k + 4 })
	inHigh := fits(mask[:4], func(k int) int { return k })
	half := func(m []int32, lo int32) bool {
		for _, s := range m {
			if s >= 0 && (s < lo || s >= lo+4) {
				return false
			}
		}
		return true
	}
	within := half(mask[:4], 0) && half(mask[4:], 4)
	switch {
	case inLow && half(mask[:4], 0):
		return v.xmm(tab.PSHUFLWri, read(x), mir.ImmOp(imm4(mask[:4])))
	case inHigh && half(mask[4:], 4):
		return v.xmm(tab.PSHUFHWri, read(x), mir.ImmOp(imm4(mask[4:])))
	case within:
		r := v.xmm(tab.PSHUFLWri, read(x), mir.ImmOp(imm4(mask[:4])))
		return v.xmm(tab.PSHUFHWri, read(r), mir.ImmOp(imm4(mask[4:])))
	}
	s := splatOf(mask)
	if s < 0 && v.has("ssse3") {
		return 0
	}
	best := -1
	var plan [5][]int32
	perms := perms()
	for a := range perms {
		for b := range perms {
			p := planWords(mask, perms[a][:], perms[b][:])
			if p == nil {
				continue
			}
			cost := 0
			for _, m := range p {
				if m != nil {
					cost++
				}
			}
			if best < 0 || cost < best {
				best, plan = cost, *p
			}
		}
	}
	if best < 0 {
		return 0
	}
	for k, m := range plan {
		if m == nil {
			continue
		}
		op := [...]desc.Opcode{tab.PSHUFLWri, tab.PSHUFHWri, tab.PSHUFDri, tab.PSHUFLWri, tab.PSHUFHWri}[k]
		x = v.xmm(op, read(x), mir.ImmOp(imm4(m)))
	}
	return x
}

// perms are arrangements of four words that make two pairs, and splats of one.
var perms = sync.OnceValue(func() (out [][4]int32) {
	for a := int32(0); a < 4; a++ {
		for b := int32(0); b < 4; b++ {
			for c := int32(0); c < 4; c++ {
				for d := int32(0); d < 4; d++ {
					if a != b && c != d && a != c && a != d && b != c && b != d || a == b && b == c && c == d {
						out = append(out, [4]int32{a, b, c, d})
					}
				}
			}
		}
	}
	return out
})

// planWords says how words of mask come about when the halves are first arranged as
// lo and hi: nil steps are none.
func planWords(mask, lo, hi []int32) *[5][]int32 {
	var now [8]int32
	for k := range 4 {
		now[k], now[4+k] = lo[k], 4+hi[k]
	}
	var p [5][]int32
	if !fits(lo, func(k int) int { return k }) {
		p[0] = lo
	}
	if !fits(hi, func(k int) int { return k }) {
		p[1] = hi
	}
	var mid [4]int32
	for h := range 2 {
		m := mask[4*h : 4*h+4]
		found := false
	pairs:
		for a := range int32(4) {
			for b := range int32(4) {
				have := [4]int32{now[2*a], now[2*a+1], now[2*b], now[2*b+1]}
				var last [4]int32
				ok, plain := true, true
				for k, s := range m {
					last[k] = -1
					if s < 0 {
						continue
					}
					if have[k] == s {
						last[k] = int32(k)
						continue
					}
					plain = false
					for j := range int32(4) {
						if have[j] == s {
							last[k] = j
						}
					}
					ok = ok && last[k] >= 0
				}
				if !ok {
					continue
				}
				if !found || plain {
					mid[2*h], mid[2*h+1] = a, b
					if p[3+h] = append([]int32(nil), last[:]...); plain {
						p[3+h] = nil
					}
					found = true
					if plain {
						break pairs
					}
				}
			}
		}
		if !found {
			return nil
		}
	}
	if !fits(mid[:], func(k int) int { return k }) {
		p[2] = mid[:]
	}
	return &p
}

// double128 shuffles two registers.
func (v *vecSelector) double128(x, y mir.Reg, mask []int32, e int) mir.Reg {
	n := len(mask)
	swapped := make([]int32, n)
	for k, m := range mask {
		switch {
		case m < 0:
			swapped[k] = m
		case int(m) < n:
			swapped[k] = m + int32(n)
		default:
			swapped[k] = m - int32(n)
		}
	}
	for _, high := range [...]bool{false, true} {
		off := 0
		if high {
			off = n / 2
		}
		want := func(k int) int { return off + k/2 + k%2*n }
		if fits(mask, want) {
			return v.xmm(unpackOp(e, high), read(x), read(y))
		}
		if fits(swapped, want) {
			return v.xmm(unpackOp(e, high), read(y), read(x))
		}
	}
	if r := v.blend128(x, y, mask, e); r != 0 {
		return r
	}
	switch e {
	case 64:
		a, b := mask[0], mask[1]
		if a < 2 {
			return v.xmm(tab.SHUFPDrri, read(x), read(y), mir.ImmOp(int64(max(a, 0)&1|max(b-2, 0)<<1)))
		}
		return v.xmm(tab.SHUFPDrri, read(y), read(x), mir.ImmOp(int64(a-2&1|max(b, 0)&1<<1)))
	case 32:
		return v.dwords(x, y, mask)
	}
	if r := v.align128(x, y, mask, e); r != 0 {
		return r
	}
	if r := v.align128(y, x, swapped, e); r != 0 {
		return r
	}
	if r := v.permute2(x, y, mask, e); r != 0 {
		return r
	}
	if r := v.packEven(x, y, mask, e); r != 0 {
		return r
	}
	// Each by itself, and then one of both.
	if v.has("ssse3") {
		b := narrow(mask, e)
		return v.xmm(tab.PORrr, read(v.bytes(x, b, 0, true)), read(v.bytes(y, b, 16, true)))
	}
	if e == 8 {
		return v.bytesSlow(x, y, mask)
	}
	return v.wordsSlow(x, y, mask)
}

// blend128 takes each element from the same place of one of both; 0 where that is not
// what the mask says.
func (v *vecSelector) blend128(x, y mir.Reg, mask []int32, e int) mir.Reg {
	n := len(mask)
	imm := int64(0)
	for k, m := range mask {
		switch int(m) {
		case -1, k:
		case k + n:
			imm |= 1 << k
		default:
			return 0
		}
	}
	// imm has a bit for each element of y.
	switch {
	case e == 64 && !v.has("sse4.1"):
		if imm == 1 {
			return v.xmm(tab.MOVSDrr, read(x), read(y))
		}
		return v.xmm(tab.MOVSDrr, read(y), read(x))
	case e == 32 && !v.has("sse4.1") && imm == 1:
		return v.xmm(tab.MOVSSrr, read(x), read(y))
	case e == 32 && !v.has("sse4.1") && imm == 14:
		return v.xmm(tab.MOVSSrr, read(y), read(x))
	case e == 64:
		return v.xmm(tab.BLENDPDrri, read(x), read(y), mir.ImmOp(imm))
	case e == 32 && v.has("sse4.1"):
		return v.xmm(tab.BLENDPSrri, read(x), read(y), mir.ImmOp(imm))
	case e == 16 && v.has("sse4.1"):
		return v.xmm(tab.PBLENDWrri, read(x), read(y), mir.ImmOp(imm))
	case e == 32:
		return 0 // two shuffles are as good
	}
	words := make([]uint64, 2)
	for k := range n {
		if imm>>k&1 == 0 {
			setBits(words, k, e, ^uint64(0))
		}
	}
	m := v.constant(words) // ones where x is taken
	if v.has("avx") {
		return v.xmm(tab.VPBLENDVBrrr, read(y), read(x), read(m))
	}
	return v.xmm(tab.PORrr, read(v.xmm(tab.PANDrr, read(x), read(m))), read(v.xmm(tab.PANDNrr, read(m), read(y))))
}

// dwords shuffles 32-bit elements of two registers.
func (v *vecSelector) dwords(x, y mir.Reg, mask []int32) mir.Reg {
	from := func(k int) int {
		switch {
		case mask[k] < 0:
			return -1
		case mask[k] < 4:
			return 0
		}
		return 1
	}
	count := [2]int{}
	for k := range 4 {
		if s := from(k); s >= 0 {
			count[s]++
		}
	}
	// Each half of the result out of one register.
	oneOf := func(a, b int) (int, bool) {
		s, t := from(a), from(b)
		if s < 0 {
			s = t
		}
		return max(s, 0), t < 0 || s == t
	}
	src := [2]mir.Reg{x, y}
	lo, okLo := oneOf(0, 1)
	hi, okHi := oneOf(2, 3)
	if okLo && okHi {
		return v.xmm(tab.SHUFPSrri, read(src[lo]), read(src[hi]), mir.ImmOp(imm4(mask)))
	}
	if v.has("sse4.1") {
		// One element into an otherwise unchanged register.
		for s := range 2 {
			odd, n := -1, 0
			for k := range 4 {
				if mask[k] >= 0 && (from(k) != s || int(mask[k])%4 != k) {
					odd = k
					n++
				}
			}
			if n == 1 {
				return v.xmm(tab.INSERTPSrri, read(src[s]), read(src[from(odd)]), mir.ImmOp(int64(mask[odd]&3)<<6|int64(odd)<<4))
			}
		}
	}
	if r := v.permute2(x, y, mask, 32); r != 0 {
		return r
	}
	if count[0] == 1 || count[1] == 1 {
		// The one, and the element beside it, first.
		one := 0
		if count[1] == 1 {
			one = 1
		}
		p := 0
		for k := range 4 {
			if from(k) == one {
				p = k
			}
		}
		q := p ^ 1
		a, b := src[1-one], src[one]
		other := int64(max(mask[q], 0) & 3)
		t := v.xmm(tab.SHUFPSrri, read(b), read(a), mir.ImmOp(int64(mask[p]&3)*5|other*5<<4))
		m := append([]int32(nil), mask...)
		m[p], m[q] = 0, 2
		if p < 2 {
			return v.xmm(tab.SHUFPSrri, read(t), read(a), mir.ImmOp(imm4(m)))
		}
		return v.xmm(tab.SHUFPSrri, read(a), read(t), mir.ImmOp(imm4(m)))
	}
	// Two of each: collected, then put in order.
	var at [2][]int32
	m := make([]int32, 4)
	for k := range 4 {
		if mask[k] < 0 {
			m[k] = -1
			continue
		}
		s := from(k)
		m[k] = int32(2*s + len(at[s]))
		at[s] = append(at[s], mask[k]&3)
	}
	for s := range at {
		for len(at[s]) < 2 {
			at[s] = append(at[s], 0)
		}
	}
	t := v.xmm(tab.SHUFPSrri, read(x), read(y), mir.ImmOp(imm4([]int32{at[0][0], at[0][1], at[1][0], at[1][1]})))
	return v.shuffle128(t, 0, m, 32)
}

// align128 takes what a shift of both registers, one behind the other, gives: y above x.
func (v *vecSelector) align128(x, y mir.Reg, mask []int32, e int) mir.Reg {
	for s := 1; s < len(mask); s++ {
		if !fits(mask, func(k int) int { return k + s }) {
			continue
		}
		n := int64(s * e / 8)
		if v.has("ssse3") {
			return v.xmm(tab.PALIGNRrri, read(y), read(x), mir.ImmOp(n))
		}
		return v.xmm(tab.PORrr, read(v.xmm(tab.PSRLDQri, read(x), mir.ImmOp(n))), read(v.xmm(tab.PSLLDQri, read(y), mir.ImmOp(16-n))))
	}
	return 0
}

// packEven takes the even elements of both, which are the low halves of wider ones.
func (v *vecSelector) packEven(x, y mir.Reg, mask []int32, e int) mir.Reg {
	if !fits(mask, func(k int) int { return 2 * k }) {
		return 0
	}
	switch {
	case e == 8:
		m := v.constant([]uint64{0x00ff00ff00ff00ff, 0x00ff00ff00ff00ff})
		return v.xmm(tab.PACKUSWBrr, read(v.xmm(tab.PANDrr, read(x), read(m))), read(v.xmm(tab.PANDrr, read(y), read(m))))
	case v.has("sse4.1"):
		z := v.constant([]uint64{0, 0})
		low := func(r mir.Reg) mir.Operand { return read(v.xmm(tab.PBLENDWrri, read(z), read(r), mir.ImmOp(0x55))) }
		return v.xmm(tab.PACKUSDWrr, low(x), low(y))
	}
	sign := func(r mir.Reg) mir.Operand {
		return read(v.xmm(tab.PSRADri, read(v.xmm(tab.PSLLDri, read(r), mir.ImmOp(16))), mir.ImmOp(16)))
	}
	return v.xmm(tab.PACKSSDWrr, sign(x), sign(y))
}

// bytes is PSHUFB of x by those of a mask over bytes that begin at first; with others
// the rest becomes zero, to be joined with another register's.
func (v *vecSelector) bytes(x mir.Reg, mask []int32, first int32, others bool) mir.Reg {
	return v.xmm(tab.PSHUFBrr, read(x), read(v.constant(bytesOf(mask, first, others))))
}

func bytesOf(mask []int32, first int32, others bool) []uint64 {
	words := make([]uint64, len(mask)/8)
	for k, m := range mask {
		b := uint64(0x80)
		switch {
		case m == -1 && !others:
			b = 0
		case m >= first && m < first+16:
			b = uint64(m - first)
		}
		setBits(words, k, 8, b)
	}
	return words
}

// wordsSlow builds a vector of words one by one.
func (v *vecSelector) wordsSlow(x, y mir.Reg, mask []int32) mir.Reg {
	if y != 0 {
		// Each register by itself, then those of one among those of the other.
		a, b, m := make([]int32, 8), make([]int32, 8), make([]int32, 8)
		for k, s := range mask {
			a[k], b[k], m[k] = -1, -1, -1
			switch {
			case s >= 8:
				b[k], m[k] = s-8, int32(k+8)
			case s >= 0:
				a[k], m[k] = s, int32(k)
			}
		}
		return v.shuffle128(v.shuffle128(x, 0, a, 16), v.shuffle128(y, 0, b, 16), m, 16)
	}
	acc := x
	for k, s := range mask {
		if s >= 0 && int(s) != k {
			w := v.emit(tab.PEXTRWrri, tab.GR32RegClassID, read(x), mir.ImmOp(int64(s)))
			acc = v.xmm(tab.PINSRWrri, read(acc), read(w), mir.ImmOp(int64(k)))
		}
	}
	return acc
}

// bytesSlow shuffles bytes without PSHUFB: even and odd ones as words.
func (v *vecSelector) bytesSlow(x, y mir.Reg, mask []int32) mir.Reg {
	// The words that have the bytes wanted at even and at odd places; then their bytes.
	pick := func(odd int) mir.Reg {
		m, any := make([]int32, 8), false
		need := [2]bool{} // low, high bytes of the words
		for k := range m {
			m[k] = -1
			if s := mask[2*k+odd]; s >= 0 {
				m[k], any = s/2, true
				need[s%2] = true
			}
		}
		if !any {
			return 0
		}
		w := v.shuffle128(x, y, m, 16)
		// To the low byte of each word, with nothing above.
		lo := func() mir.Reg {
			return v.xmm(tab.PANDrr, read(w), read(v.constant([]uint64{0x00ff00ff00ff00ff, 0x00ff00ff00ff00ff})))
		}
		hi := func() mir.Reg { return v.xmm(tab.PSRLWri, read(w), mir.ImmOp(8)) }
		switch {
		case !need[1]:
			return lo()
		case !need[0]:
			return hi()
		}
		words := make([]uint64, 2)
		for k := range m {
			if s := mask[2*k+odd]; s >= 0 && s%2 == 0 {
				setBits(words, k, 16, 0xff)
			}
		}
		c := v.constant(words)
		return v.xmm(tab.PORrr, read(v.xmm(tab.PANDrr, read(w), read(c))), read(v.xmm(tab.PANDNrr, read(c), read(hi()))))
	}
	even, odd := pick(0), pick(1)
	if odd == 0 {
		return even
	}
	odd = v.xmm(tab.PSLLWri, read(odd), mir.ImmOp(8))
	if even == 0 {
		return odd
	}
	return v.xmm(tab.PORrr, read(even), read(odd))
}

// shuffleZero shuffles one register, with zeros in some places.
func (v *vecSelector) shuffleZero(x mir.Reg, mask []int32, e int) mir.Reg {
	for e < 64 {
		w, ok := widen(mask)
		if !ok {
			break
		}
		mask, e = w, 2*e
	}
	n := len(mask)
	if r := v.shiftBytes(x, mask, e, true); r != 0 {
		return r
	}
	if e == 64 && fits(mask, func(k int) int { return [...]int{0, zeroLane}[k] }) {
		return v.xmm(tab.MOVZPQILo2PQIrr, read(x))
	}
	zero := v.constant([]uint64{0, 0})
	// As a second register: unpacked, or blended in place.
	for _, high := range [...]bool{false, true} {
		off := 0
		if high {
			off = n / 2
		}
		if fits(mask, func(k int) int {
			if k%2 == 1 {
				return zeroLane
			}
			return off + k/2
		}) {
			return v.xmm(unpackOp(e, high), read(x), read(zero))
		}
	}
	inPlace := true
	words := make([]uint64, 2)
	plain := append([]int32(nil), mask...)
	for k, m := range mask {
		if m == zeroLane {
			plain[k] = -1
			continue
		}
		inPlace = inPlace && (m == -1 || int(m) == k)
		setBits(words, k, e, ^uint64(0))
	}
	if !inPlace && e < 32 && v.has("ssse3") {
		return v.bytes(x, narrow(mask, e), 0, false)
	}
	if e >= 32 && v.has("sse4.1") {
		second := make([]int32, n)
		for k, m := range mask {
			if second[k] = int32(k); m == zeroLane {
				second[k] = int32(k + n)
			}
		}
		return v.double128(v.shuffle128(x, 0, plain, e), zero, second, e)
	}
	return v.xmm(tab.PANDrr, read(v.shuffle128(x, 0, plain, e)), read(v.constant(words)))
}
