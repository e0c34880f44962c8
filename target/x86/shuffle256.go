package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Shuffles of 256 bits. Most instructions work on the two lanes of 128 bits apart.

// broadcast256 repeats the first element of a register of 128 bits.
func (v *vecSelector) broadcast256(lo mir.Reg, e int) mir.Reg {
	if v.has("avx2") {
		op := map[int]desc.Opcode{8: tab.VPBROADCASTBYrr, 16: tab.VPBROADCASTWYrr, 32: tab.VPBROADCASTDYrr, 64: tab.VPBROADCASTQYrr}[e]
		return v.ymm(op, read(lo))
	}
	r := v.shuffle128(lo, 0, repeat(0, 128/e), e)
	return v.join(r, r)
}

// lanes256 are facts of a mask of 256 bits.
type lanes256 struct {
	within   bool    // no element leaves its lane
	repeated []int32 // what both lanes do, over the elements of two lanes of 128 bits; nil when they differ
}

func lanesOf(mask []int32) lanes256 {
	n := len(mask)
	h := n / 2
	l := lanes256{within: true, repeated: make([]int32, h)}
	for k := range l.repeated {
		l.repeated[k] = -1
	}
	for k, m := range mask {
		if m < 0 {
			continue
		}
		src, at := int(m)/n, int(m)%n
		if at/h != k/h {
			return lanes256{}
		}
		if l.repeated == nil {
			continue
		}
		x := int32(src*h + at%h)
		if r := &l.repeated[k%h]; *r == -1 {
			*r = x
		} else if *r != x {
			l.repeated = nil
		}
	}
	return l
}

// shuffle256 shuffles elements of e bits of x and y (0 for none).
func (v *vecSelector) shuffle256(x, y mir.Reg, mask []int32, e int) mir.Reg {
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
		return v.undef(256)
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
	n = int32(len(mask))
	if upper := mask[n/2:]; fits(upper, func(int) int { return -3 }) {
		return v.join(v.gather256(x, y, mask[:n/2], e), 0)
	}
	if e == 64 {
		if w, ok := widen(mask); ok {
			return v.lanes(x, y, w)
		}
	}
	if y == 0 {
		return v.single256(x, mask, e)
	}
	return v.double256(x, y, mask, e)
}

// gather256 makes one half of the result out of the halves of both registers.
func (v *vecSelector) gather256(x, y mir.Reg, mask []int32, e int) mir.Reg {
	g := gather{v: v, e: e, n: len(mask)}
	ls := make([]lane, len(mask))
	for k, m := range mask {
		if m < 0 {
			ls[k].src = noLane
			continue
		}
		r := x
		if int(m) >= 2*len(mask) {
			r, m = y, m-int32(2*len(mask))
		}
		half := int(m) / len(mask)
		ls[k] = lane{g.find(sourceKey{r: r, half: half}, func() mir.Reg { return v.part(r, half) }), int(m) % len(mask)}
	}
	return g.shuffle(ls)
}

// byHalves is what always works.
func (v *vecSelector) byHalves(x, y mir.Reg, mask []int32, e int) mir.Reg {
	h := len(mask) / 2
	return v.join(v.gather256(x, y, mask[:h], e), v.gather256(x, y, mask[h:], e))
}

// lanes moves whole lanes: m has their numbers.
func (v *vecSelector) lanes(x, y mir.Reg, m []int32) mir.Reg {
	if fits(m, func(k int) int { return k }) {
		return x
	}
	if y == 0 {
		y = x
	}
	if m[1] == 2 && m[0] <= 0 {
		return v.ymm(tab.VINSERTF128rri, read(x), read(v.part(y, 0)), mir.ImmOp(1))
	}
	return v.ymm(tab.VPERM2F128rri, read(x), read(y), mir.ImmOp(int64(max(m[0], 0)|max(m[1], 0)<<4)))
}

// single256 shuffles one register.
func (v *vecSelector) single256(x mir.Reg, mask []int32, e int) mir.Reg {
	n := len(mask)
	if fits(mask, func(k int) int { return k }) {
		return x
	}
	avx2 := v.has("avx2")
	if s := splatOf(mask); s >= 0 && (avx2 || e >= 32) {
		half := int(s) / (n / 2)
		lo := v.part(x, half)
		if at := s % int32(n/2); at != 0 {
			m := repeat(-1, n/2)
			m[0] = at
			lo = v.shuffle128(lo, 0, m, e)
		}
		return v.broadcast256(lo, e)
	}
	l := lanesOf(mask)
	switch {
	case l.within && e == 64:
		imm := int64(0)
		for k, m := range mask {
			if m >= 0 {
				imm |= int64(m&1) << k
			}
		}
		return v.ymm(tab.VPERMILPDYri, read(x), mir.ImmOp(imm))
	case l.within && e == 32 && l.repeated != nil:
		if avx2 {
			return v.ymm(tab.VPSHUFDYri, read(x), mir.ImmOp(imm4(l.repeated)))
		}
		return v.ymm(tab.VPERMILPSYri, read(x), mir.ImmOp(imm4(l.repeated)))
	case l.within && e == 32:
		return v.ymm(tab.VPERMILPSYrr, read(x), read(v.indices(mask, 3)))
	case !avx2:
		return v.byHalves(x, 0, mask, e)
	case e == 64:
		return v.ymm(tab.VPERMQYri, read(x), mir.ImmOp(imm4(mask)))
	case e == 32:
		return v.ymm(tab.VPERMDYrr, read(v.indices(mask, 7)), read(x))
	case l.within:
		if l.repeated != nil {
			if r := v.repeated256(x, 0, l.repeated, e); r != 0 {
				return r
			}
		}
		return v.bytes256(x, mask, e, 0, false)
	}
	// What comes from the other lane out of the register with its lanes exchanged.
	swapped := v.ymm(tab.VPERMQYri, read(x), mir.ImmOp(0x4e))
	own, other := make([]int32, n), make([]int32, n)
	for k, m := range mask {
		own[k], other[k] = -1, -1
		if m < 0 {
			continue
		}
		if int(m)/(n/2) == k/(n/2) {
			own[k] = m
		} else {
			other[k] = int32((int(m) + n/2) % n)
		}
	}
	if fits(own, func(int) int { return -3 }) {
		return v.shuffle256(swapped, 0, other, e)
	}
	return v.ymm(tab.VPORYrr, read(v.bytes256(x, own, e, 0, true)), read(v.bytes256(swapped, other, e, 0, true)))
}

// indices is the vector of the numbers of a mask over elements of 32 bits.
func (v *vecSelector) indices(mask []int32, most int32) mir.Reg {
	words := make([]uint64, 4)
	for k, m := range mask {
		setBits(words, k, 32, uint64(max(m, 0)&most))
	}
	return v.constant(words)
}

// bytes256 is VPSHUFB of a mask that stays within lanes, of elements from first on.
func (v *vecSelector) bytes256(x mir.Reg, mask []int32, e int, first int32, others bool) mir.Reg {
	words := make([]uint64, 4)
	for k, m := range narrow(mask, e) {
		b := uint64(0x80)
		switch f := first * int32(e) / 8; {
		case m == -1 && !others:
			b = 0
		case m >= f && m < f+32:
			b = uint64((m - f) % 16)
		}
		setBits(words, k, 8, b)
	}
	return v.ymm(tab.VPSHUFBYrr, read(x), read(v.constant(words)))
}

// repeated256 does in both lanes what one instruction does; 0 where none does.
func (v *vecSelector) repeated256(x, y mir.Reg, m []int32, e int) mir.Reg {
	h := len(m)
	if y == 0 {
		y = x
		m = append([]int32(nil), m...)
	}
	unpack := func(e int, high bool) desc.Opcode {
		ops := map[int][2]desc.Opcode{8: {tab.VPUNPCKLBWYrr, tab.VPUNPCKHBWYrr}, 16: {tab.VPUNPCKLWDYrr, tab.VPUNPCKHWDYrr},
			32: {tab.VUNPCKLPSYrr, tab.VUNPCKHPSYrr}, 64: {tab.VUNPCKLPDYrr, tab.VUNPCKHPDYrr}}[e]
		if high {
			return ops[1]
		}
		return ops[0]
	}
	same := x == y
	for _, high := range [...]bool{false, true} {
		off := 0
		if high {
			off = h / 2
		}
		for _, turned := range [...]bool{false, true} {
			want := func(k int) int {
				second := k%2 == 1
				w := off + k/2
				if second != turned && !same {
					w += h
				}
				return w
			}
			if fits(m, want) && (e >= 32 || v.has("avx2")) {
				if turned {
					return v.ymm(unpack(e, high), read(y), read(x))
				}
				return v.ymm(unpack(e, high), read(x), read(y))
			}
		}
	}
	if !v.has("avx2") || same {
		return 0
	}
	for s := 1; s < h; s++ {
		if fits(m, func(k int) int { return k + s }) {
			return v.ymm(tab.VPALIGNRYrri, read(y), read(x), mir.ImmOp(int64(s*e/8)))
		}
		if fits(m, func(k int) int { return (k + s + h) % (2 * h) }) {
			return v.ymm(tab.VPALIGNRYrri, read(x), read(y), mir.ImmOp(int64(s*e/8)))
		}
	}
	return 0
}

// double256 shuffles two registers.
func (v *vecSelector) double256(x, y mir.Reg, mask []int32, e int) mir.Reg {
	n := len(mask)
	avx2 := v.has("avx2")
	if r := v.blend256(x, y, mask, e); r != 0 {
		return r
	}
	l := lanesOf(mask)
	if l.repeated != nil {
		if r := v.repeated256(x, y, l.repeated, e); r != 0 {
			return r
		}
	}
	if l.within && e == 64 {
		// Even elements of one, odd of the other.
		for _, turned := range [...]bool{false, true} {
			imm, ok := int64(0), true
			for k, m := range mask {
				if m < 0 {
					continue
				}
				second := int(m) >= n
				ok = ok && second == (k%2 == 1 != turned)
				imm |= int64(m&1) << k
			}
			if ok && turned {
				return v.ymm(tab.VSHUFPDYrri, read(y), read(x), mir.ImmOp(imm))
			} else if ok {
				return v.ymm(tab.VSHUFPDYrri, read(x), read(y), mir.ImmOp(imm))
			}
		}
	}
	if l.repeated != nil && e == 32 {
		src := func(a, b int) (second, ok bool) {
			s, t := l.repeated[a], l.repeated[b]
			if s < 0 {
				s = t
			}
			if t < 0 {
				t = s
			}
			return s >= 4, s >= 4 == (t >= 4)
		}
		lo, ok1 := src(0, 1)
		hi, ok2 := src(2, 3)
		if ok1 && ok2 {
			r := map[bool]mir.Reg{false: x, true: y}
			return v.ymm(tab.VSHUFPSYrri, read(r[lo]), read(r[hi]), mir.ImmOp(imm4(l.repeated)))
		}
	}
	if !avx2 {
		return v.byHalves(x, y, mask, e)
	}
	if l.within && e < 32 {
		return v.ymm(tab.VPORYrr, read(v.bytes256(x, mask, e, 0, true)), read(v.bytes256(y, mask, e, int32(n), true)))
	}
	// Each by itself, then one of both.
	a, b, m := make([]int32, n), make([]int32, n), make([]int32, n)
	for k, s := range mask {
		a[k], b[k], m[k] = -1, -1, -1
		switch {
		case int(s) >= n:
			b[k], m[k] = s-int32(n), int32(k+n)
		case s >= 0:
			a[k], m[k] = s, int32(k)
		}
	}
	return v.blend256(v.shuffle256(x, 0, a, e), v.shuffle256(y, 0, b, e), m, e)
}

// blend256 takes each element from the same place of one of both; 0 where that is not
// what the mask says, or there is no instruction.
func (v *vecSelector) blend256(x, y mir.Reg, mask []int32, e int) mir.Reg {
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
	switch {
	case e == 64:
		return v.ymm(tab.VBLENDPDYrri, read(x), read(y), mir.ImmOp(imm))
	case e == 32:
		return v.ymm(tab.VBLENDPSYrri, read(x), read(y), mir.ImmOp(imm))
	case !v.has("avx2"):
		return 0
	case e == 16 && imm>>8 == imm&0xff:
		return v.ymm(tab.VPBLENDWYrri, read(x), read(y), mir.ImmOp(imm&0xff))
	}
	words := make([]uint64, 4)
	for k := range n {
		if imm>>k&1 != 0 {
			setBits(words, k, e, ^uint64(0))
		}
	}
	return v.ymm(tab.VPBLENDVBYrrr, read(x), read(y), read(v.constant(words)))
}
