package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Shuffles of 256 and 512 bits. Most instructions work on the lanes of 128 bits apart;
// those that cross lanes take the numbers of the elements in a register. What both
// widths have is written once, with the opcodes of 128, 256 and 512 bits side by side.

// wideOps are an instruction's opcodes for 128, 256 and 512 bits, 0 for none.
type wideOps [3]desc.Opcode

func (o wideOps) of(bits int) desc.Opcode { return o[bits/256] }

// wide builds an instruction that makes bits.
func (v *vecSelector) wide(bits int, ops wideOps, uses ...mir.Operand) mir.Reg {
	return v.emit(ops.of(bits), vecClass(bits), uses...)
}

var (
	opsPSHUFD   = wideOps{tab.PSHUFDri, tab.VPSHUFDYri, tab.VPSHUFDZri}
	opsPERMILPS = wideOps{tab.VPERMILPSri, tab.VPERMILPSYri, tab.VPERMILPSZri}
	opsPERMILPD = wideOps{tab.VPERMILPDri, tab.VPERMILPDYri, tab.VPERMILPDZri}
	opsPERMQ    = wideOps{0, tab.VPERMQYri, tab.VPERMQZri}
	opsPSHUFB   = wideOps{tab.PSHUFBrr, tab.VPSHUFBYrr, tab.VPSHUFBZrr}
	opsPSHUFLW  = wideOps{tab.PSHUFLWri, tab.VPSHUFLWYri, tab.VPSHUFLWZri}
	opsPSHUFHW  = wideOps{tab.PSHUFHWri, tab.VPSHUFHWYri, tab.VPSHUFHWZri}
	opsPALIGNR  = wideOps{tab.PALIGNRrri, tab.VPALIGNRYrri, tab.VPALIGNRZrri}
	opsPSRLDQ   = wideOps{tab.PSRLDQri, tab.VPSRLDQYri, tab.VPSRLDQZri}
	opsPSLLDQ   = wideOps{tab.PSLLDQri, tab.VPSLLDQYri, tab.VPSLLDQZri}
	opsSHUFPS   = wideOps{tab.SHUFPSrri, tab.VSHUFPSYrri, tab.VSHUFPSZrri}
	opsSHUFPD   = wideOps{tab.SHUFPDrri, tab.VSHUFPDYrri, tab.VSHUFPDZrri}
	opsPOR      = wideOps{tab.PORrr, tab.VPORYrr, tab.VPORQZrr}
)

// opsBroadcast repeat the first element of 128 bits.
func opsBroadcast(e int) wideOps {
	switch e {
	case 8:
		return wideOps{tab.VPBROADCASTBrr, tab.VPBROADCASTBYrr, tab.VPBROADCASTBZrr}
	case 16:
		return wideOps{tab.VPBROADCASTWrr, tab.VPBROADCASTWYrr, tab.VPBROADCASTWZrr}
	case 32:
		return wideOps{tab.VBROADCASTSSrr, tab.VBROADCASTSSYrr, tab.VBROADCASTSSZrr}
	}
	return wideOps{tab.VPBROADCASTQrr, tab.VBROADCASTSDYrr, tab.VBROADCASTSDZrr}
}

// opsUnpack interleave the low or high halves of lanes.
func opsUnpack(e int, high bool) wideOps {
	ops := map[int][2]wideOps{
		8:  {{tab.PUNPCKLBWrr, tab.VPUNPCKLBWYrr, tab.VPUNPCKLBWZrr}, {tab.PUNPCKHBWrr, tab.VPUNPCKHBWYrr, tab.VPUNPCKHBWZrr}},
		16: {{tab.PUNPCKLWDrr, tab.VPUNPCKLWDYrr, tab.VPUNPCKLWDZrr}, {tab.PUNPCKHWDrr, tab.VPUNPCKHWDYrr, tab.VPUNPCKHWDZrr}},
		32: {{tab.PUNPCKLDQrr, tab.VUNPCKLPSYrr, tab.VUNPCKLPSZrr}, {tab.PUNPCKHDQrr, tab.VUNPCKHPSYrr, tab.VUNPCKHPSZrr}},
		64: {{tab.PUNPCKLQDQrr, tab.VUNPCKLPDYrr, tab.VUNPCKLPDZrr}, {tab.PUNPCKHQDQrr, tab.VUNPCKHPDYrr, tab.VUNPCKHPDZrr}},
	}[e]
	if high {
		return ops[1]
	}
	return ops[0]
}

// opsPermute take elements of one register in any order, by numbers in another.
func (v *vecSelector) opsPermute(e int) wideOps {
	switch {
	case e == 64 && v.has("masks"):
		return wideOps{0, tab.VPERMQZ256rr, tab.VPERMQZrr}
	case e == 32:
		return wideOps{0, tab.VPERMDYrr, tab.VPERMDZrr}
	case e == 16 && v.has("masks"):
		return wideOps{tab.VPERMWZ128rr, tab.VPERMWZ256rr, tab.VPERMWZrr}
	case e == 8 && v.has("masks") && v.has("avx512vbmi"):
		return wideOps{tab.VPERMBZ128rr, tab.VPERMBZ256rr, tab.VPERMBZrr}
	}
	return wideOps{}
}

// opsPermute2 take elements of two registers, the first of which becomes the result.
func (v *vecSelector) opsPermute2(e int) wideOps {
	if !v.has("masks") {
		return wideOps{}
	}
	switch {
	case e == 64:
		return wideOps{tab.VPERMT2PDZ128rr, tab.VPERMT2PDZ256rr, tab.VPERMT2PDZrr}
	case e == 32:
		return wideOps{tab.VPERMT2PSZ128rr, tab.VPERMT2PSZ256rr, tab.VPERMT2PSZrr}
	case e == 16:
		return wideOps{tab.VPERMT2WZ128rr, tab.VPERMT2WZ256rr, tab.VPERMT2WZrr}
	case v.has("avx512vbmi"):
		return wideOps{tab.VPERMT2BZ128rr, tab.VPERMT2BZ256rr, tab.VPERMT2BZrr}
	}
	return wideOps{}
}

//===- Parts ----------------------------------------------------------------

// part is lane k of 128 bits of a register.
func (v *vecSelector) part(r mir.Reg, k int) mir.Reg {
	if k == 0 {
		return v.emit(desc.COPY, tab.VR128RegClassID, mir.SubRegOp(r, uint16(tab.SubXmm), 0))
	}
	return v.xmm(v.extractOp(r), read(r), mir.ImmOp(int64(k)))
}

// extractOp is the instruction that takes a lane of 128 bits out of r.
func (v *vecSelector) extractOp(r mir.Reg) desc.Opcode {
	if v.bitsOf(r) == 512 {
		return tab.VEXTRACTF32X4Zrri
	}
	return tab.VEXTRACTF128rri
}

// half is the lower or the upper half of 512 bits.
func (v *vecSelector) half(r mir.Reg, k int) mir.Reg {
	if k == 0 {
		return v.emit(desc.COPY, tab.VR256RegClassID, mir.SubRegOp(r, uint16(tab.SubYmm), 0))
	}
	return v.ymm(tab.VEXTRACTF64X4Zrri, read(r), mir.ImmOp(1))
}

// bitsOf is the size of a register, by its type or its class.
func (v *vecSelector) bitsOf(r mir.Reg) int {
	if t := v.f.TypeOf(r); t.IsVector() {
		return t.Bits()
	}
	switch v.f.VReg(r).Class {
	case int16(tab.VR256RegClassID):
		return 256
	case int16(tab.VR512RegClassID):
		return 512
	}
	return 128
}

// join makes bits of two halves; either may be 0 for what does not count.
func (v *vecSelector) join(lo, hi mir.Reg, bits int) mir.Reg {
	sub := tab.SubXmm
	if bits == 512 {
		sub = tab.SubYmm
	}
	if lo == 0 {
		lo = v.undef(bits / 2)
	}
	w := v.emit(desc.INSERT_SUBREG, vecClass(bits), read(v.undef(bits)), read(lo), mir.ImmOp(int64(sub)))
	if hi == 0 {
		return w
	}
	return v.wide(bits, wideOps{0, tab.VINSERTF128rri, tab.VINSERTF64X4Zrri}, read(w), read(hi), mir.ImmOp(1))
}

// broadcast repeats the first element of a register of 128 bits.
func (v *vecSelector) broadcast(lo mir.Reg, e, bits int) mir.Reg {
	if v.has("avx2") {
		return v.wide(bits, opsBroadcast(e), read(lo))
	}
	r := v.shuffle128(lo, 0, repeat(0, 128/e), e)
	return v.join(r, r, 256)
}

//===- Masks ----------------------------------------------------------------

// laneMask are facts of a mask of several lanes.
type laneMask struct {
	within   bool    // no element leaves its lane
	repeated []int32 // what all lanes do, over the elements of two lanes of 128 bits; nil when they differ
}

// lanesOf looks at a mask of elements of e bits.
func lanesOf(mask []int32, e int) laneMask {
	n, h := len(mask), 128/e
	l := laneMask{within: true, repeated: repeat(-1, h)}
	for k, m := range mask {
		if m < 0 {
			continue
		}
		src, at := int(m)/n, int(m)%n
		if at/h != k/h {
			return laneMask{}
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

// shuffleWide shuffles elements of e bits of x and y (0 for none).
func (v *vecSelector) shuffleWide(x, y mir.Reg, mask []int32, e int) mir.Reg {
	bits := len(mask) * e
	x, y, mask, e = sources(x, y, mask, e)
	if x == 0 {
		return v.undef(bits)
	}
	n := int32(len(mask))
	if fits(mask, func(k int) int { return k }) {
		return x
	}
	if s := splatOf(mask); s >= 0 && (v.has("avx2") || e >= 32) {
		return v.splatWide(x, int(s), e, bits)
	}
	if upper := mask[n/2:]; fits(upper, func(int) int { return -3 }) {
		return v.join(v.lowHalf(x, y, mask[:n/2], e, bits/2), 0, bits)
	}
	if e == 64 {
		if w, ok := widen(mask); ok {
			if r := v.lanes(x, y, w, bits); r != 0 {
				return r
			}
		}
	}
	if y == 0 {
		return v.singleWide(x, mask, e)
	}
	return v.doubleWide(x, y, mask, e)
}

// splatWide repeats element s of x.
func (v *vecSelector) splatWide(x mir.Reg, s, e, bits int) mir.Reg {
	per := 128 / e
	lo := v.part(x, s/per)
	if at := s % per; at != 0 {
		m := repeat(-1, per)
		m[0] = int32(at)
		lo = v.shuffle128(lo, 0, m, e)
	}
	return v.broadcast(lo, e, bits)
}

// lowHalf makes half of a result out of the halves of both registers.
func (v *vecSelector) lowHalf(x, y mir.Reg, mask []int32, e, bits int) mir.Reg {
	if bits == 128 {
		return v.gatherLane(x, y, mask, e)
	}
	// Of 256 bits: what takes its elements from at most two halves.
	var src [2]mir.Reg
	var key [2][2]int
	used := 0
	m := make([]int32, len(mask))
	h := len(mask)
	for k, s := range mask {
		if m[k] = -1; s < 0 {
			continue
		}
		id := [2]int{int(s) / (2 * h), int(s) / h % 2}
		j := 0
		for j < used && key[j] != id {
			j++
		}
		if j == 2 {
			// All of the wide registers are needed.
			full := append(append([]int32(nil), mask...), repeat(-1, h)...)
			if y == 0 {
				return v.half(v.singleWide(x, full, e), 0)
			}
			return v.half(v.doubleWide(x, y, full, e), 0)
		}
		if j == used {
			key[j] = id
			r := x
			if id[0] == 1 {
				r = y
			}
			src[j] = v.half(r, id[1])
			used++
		}
		m[k] = int32(j*h + int(s)%h)
	}
	return v.shuffleWide(src[0], src[1], m, e)
}

// gatherLane makes 128 bits of the result out of lanes of both registers.
func (v *vecSelector) gatherLane(x, y mir.Reg, mask []int32, e int) mir.Reg {
	per := len(mask)
	n := v.bitsOf(x) / e
	g := gather{v: v, e: e, n: per}
	ls := make([]lane, per)
	for k, m := range mask {
		if m < 0 {
			ls[k].src = noLane
			continue
		}
		r := x
		if int(m) >= n {
			r, m = y, m-int32(n)
		}
		at := int(m) / per
		ls[k] = lane{g.find(sourceKey{r: r, half: at}, func() mir.Reg { return v.part(r, at) }), int(m) % per}
	}
	return g.shuffle(ls)
}

// byLanes is what always works.
func (v *vecSelector) byLanes(x, y mir.Reg, mask []int32, e int) mir.Reg {
	per := 128 / e
	var out []mir.Reg
	for k := 0; k < len(mask); k += per {
		r := mir.Reg(0)
		if m := mask[k : k+per]; !fits(m, func(int) int { return -3 }) {
			r = v.gatherLane(x, y, m, e)
		}
		out = append(out, r)
	}
	for bits := 256; len(out) > 1; bits *= 2 {
		var next []mir.Reg
		for k := 0; k < len(out); k += 2 {
			next = append(next, v.join(out[k], out[k+1], bits))
		}
		out = next
	}
	return out[0]
}

// lanes moves whole lanes: m has their numbers; 0 where there is no instruction.
func (v *vecSelector) lanes(x, y mir.Reg, m []int32, bits int) mir.Reg {
	same := y == 0
	if same {
		y = x
	}
	if bits == 256 {
		if m[1] == 2 && m[0] <= 0 {
			return v.ymm(tab.VINSERTF128rri, read(x), read(v.part(y, 0)), mir.ImmOp(1))
		}
		return v.ymm(tab.VPERM2F128rri, read(x), read(y), mir.ImmOp(int64(max(m[0], 0)|max(m[1], 0)<<4)))
	}
	if fits(m, func(k int) int { return []int{0, 1, 4, 5}[k] }) && !same {
		return v.emit(tab.VINSERTF64X4Zrri, tab.VR512RegClassID, read(x), read(v.half(y, 0)), mir.ImmOp(1))
	}
	// The two lower lanes of the result out of one register, the upper ones out of one.
	var src [2]mir.Reg
	imm := int64(0)
	for k, s := range m {
		if s < 0 {
			continue
		}
		r := x
		if s >= 4 {
			r = y
		}
		if at := &src[k/2]; *at == 0 {
			*at = r
		} else if *at != r {
			return 0
		}
		imm |= int64(s&3) << (2 * k)
	}
	for k := range src {
		if src[k] == 0 {
			src[k] = src[1-k]
		}
	}
	return v.emit(tab.VSHUFF64X2Zrri, tab.VR512RegClassID, read(src[0]), read(src[1]), mir.ImmOp(imm))
}

//===- One register ---------------------------------------------------------

// singleWide shuffles one register.
func (v *vecSelector) singleWide(x mir.Reg, mask []int32, e int) mir.Reg {
	n := len(mask)
	bits := n * e
	avx2 := v.has("avx2")
	l := lanesOf(mask, e)
	switch {
	case l.within && e == 64:
		return v.wide(bits, opsPERMILPD, read(x), mir.ImmOp(immPD(mask)))
	case l.within && e == 32 && l.repeated != nil:
		if avx2 {
			return v.wide(bits, opsPSHUFD, read(x), mir.ImmOp(imm4(l.repeated)))
		}
		return v.wide(bits, opsPERMILPS, read(x), mir.ImmOp(imm4(l.repeated)))
	case l.within && e == 32 && bits == 256:
		return v.ymm(tab.VPERMILPSYrr, read(x), read(v.indices(mask, e, 3)))
	case !avx2:
		return v.byLanes(x, 0, mask, e)
	case e == 64 && bits == 256:
		return v.ymm(tab.VPERMQYri, read(x), mir.ImmOp(imm4(mask)))
	case e == 64 && fits(mask[4:], func(k int) int {
		if mask[k] < 0 {
			return -1
		}
		return int(mask[k]) + 4
	}) && fits(mask[:4], func(k int) int { return int(mask[k]) & 3 }):
		return v.wide(bits, opsPERMQ, read(x), mir.ImmOp(imm4(mask[:4])))
	case l.within && e < 32:
		if l.repeated != nil {
			if r := v.repeatedWide(x, 0, l.repeated, e, bits); r != 0 {
				return r
			}
		}
		return v.bytesWide(x, mask, e, 0, false)
	}
	if op := v.opsPermute(e).of(bits); op != 0 {
		return v.emit(op, vecClass(bits), read(v.indices(mask, e, int32(n-1))), read(x))
	}
	if e == 8 && v.has("masks") {
		return v.bytesByWords(x, 0, mask, bits)
	}
	if bits == 512 {
		return v.byLanes(x, 0, mask, e)
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
		return v.shuffleWide(swapped, 0, other, e)
	}
	return v.ymm(tab.VPORYrr, read(v.bytesWide(x, own, e, 0, true)), read(v.bytesWide(swapped, other, e, 0, true)))
}

// immPD has a bit for each element: whether it is the second of its lane.
func immPD(mask []int32) int64 {
	imm := int64(0)
	for k, m := range mask {
		if m >= 0 {
			imm |= int64(m&1) << k
		}
	}
	return imm
}

// indices is the vector of the numbers of a mask, in elements of its width.
func (v *vecSelector) indices(mask []int32, e int, most int32) mir.Reg {
	words := make([]uint64, len(mask)*e/64)
	for k, m := range mask {
		setBits(words, k, e, uint64(max(m, 0)&most))
	}
	return v.constant(words)
}

// bytesWide is VPSHUFB of a mask that stays within lanes, of elements from first on.
func (v *vecSelector) bytesWide(x mir.Reg, mask []int32, e int, first int32, others bool) mir.Reg {
	bits := len(mask) * e
	words := make([]uint64, bits/64)
	for k, m := range narrow(mask, e) {
		b := uint64(0x80)
		switch f := first * int32(e) / 8; {
		case m == -1 && !others:
			b = 0
		case m >= f && m < f+int32(bits/8):
			b = uint64((m - f) % 16)
		}
		setBits(words, k, 8, b)
	}
	return v.wide(bits, opsPSHUFB, read(x), read(v.constant(words)))
}

// bytesByWords crosses lanes by words, once for even and once for odd places, and then
// picks bytes; those of odd places are merged by a mask.
func (v *vecSelector) bytesByWords(x, y mir.Reg, mask []int32, bits int) mir.Reg {
	n := len(mask)
	pick := func(odd int) (words, bytes []int32) {
		words, bytes = repeat(-1, n/2), repeat(-1, n)
		for k := range n / 2 {
			if s := mask[2*k+odd]; s >= 0 {
				words[k] = s / 2
				bytes[2*k+odd] = int32(2*k) + s%2
			}
		}
		return words, bytes
	}
	evenWords, evenBytes := pick(0)
	oddWords, oddBytes := pick(1)
	even := v.bytesWide(v.shuffleWide(x, y, evenWords, 16), evenBytes, 8, 0, false)
	odd := v.shuffleWide(x, y, oddWords, 16)
	idx := make([]uint64, bits/64)
	for k, m := range oddBytes {
		setBits(idx, k, 8, uint64(max(m, 0)%16))
	}
	k := v.maskConst(0xaaaaaaaaaaaaaaaa, n)
	return v.wide(bits, wideOps{tab.VPSHUFBZ128rrk, tab.VPSHUFBZ256rrk, tab.VPSHUFBZrrk}, read(even), read(k), read(odd), read(v.constant(idx)))
}

// maskConst is a mask register of n constant bits.
func (v *vecSelector) maskConst(bits uint64, n int) mir.Reg {
	if n < 64 {
		bits &= 1<<n - 1
	}
	w := maskClass(max(8, n))
	switch {
	case n == 64:
		return v.emit(tab.KMOVQkr, w, read(v.emit(tab.MOV64ri, tab.GR64RegClassID, mir.ImmOp(int64(bits)))))
	case n == 32:
		return v.emit(tab.KMOVDkr, w, read(v.emit(tab.MOV32ri, tab.GR32RegClassID, mir.ImmOp(int64(int32(bits))))))
	}
	r := v.emit(tab.MOV32ri, tab.GR32RegClassID, mir.ImmOp(int64(bits)))
	op := tab.KMOVBkr
	if n == 16 {
		op = tab.KMOVWkr
	}
	k := v.emit(op, w, read(r))
	if n < 8 {
		k = v.emit(desc.COPY, maskClass(n), read(k))
	}
	return k
}

// repeatedWide does in all lanes what one instruction does; 0 where none does.
func (v *vecSelector) repeatedWide(x, y mir.Reg, m []int32, e, bits int) mir.Reg {
	h := len(m)
	same := y == 0 || x == y
	if same {
		y = x
	}
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
					x, y = y, x
				}
				return v.wide(bits, opsUnpack(e, high), read(x), read(y))
			}
		}
	}
	if !v.has("avx2") {
		return 0
	}
	if same {
		return v.repeatedSingle(x, m, e, bits)
	}
	for s := 1; s < h; s++ {
		if fits(m, func(k int) int { return k + s }) {
			return v.wide(bits, opsPALIGNR, read(y), read(x), mir.ImmOp(int64(s*e/8)))
		}
		if fits(m, func(k int) int { return (k + s + h) % (2 * h) }) {
			return v.wide(bits, opsPALIGNR, read(x), read(y), mir.ImmOp(int64(s*e/8)))
		}
	}
	return 0
}

// repeatedSingle shuffles one register, within each lane alike; 0 where nothing but PSHUFB does.
func (v *vecSelector) repeatedSingle(x mir.Reg, m []int32, e, bits int) mir.Reg {
	h := len(m)
	for s := 1; s < h; s++ {
		if fits(m[:h-s], func(k int) int { return k + s }) && fits(m[h-s:], func(int) int { return -3 }) {
			return v.wide(bits, opsPSRLDQ, read(x), mir.ImmOp(int64(s*e/8)))
		}
		if fits(m[s:], func(k int) int { return k }) && fits(m[:s], func(int) int { return -3 }) {
			return v.wide(bits, opsPSLLDQ, read(x), mir.ImmOp(int64(s*e/8)))
		}
		if fits(m, func(k int) int { return (k + s) % h }) {
			return v.wide(bits, opsPALIGNR, read(x), read(x), mir.ImmOp(int64(s*e/8)))
		}
	}
	if e != 16 {
		return 0
	}
	in := func(m []int32, lo int32) bool {
		for _, s := range m {
			if s >= 0 && (s < lo || s >= lo+4) {
				return false
			}
		}
		return true
	}
	switch {
	case fits(m[4:], func(k int) int { return k + 4 }) && in(m[:4], 0):
		return v.wide(bits, opsPSHUFLW, read(x), mir.ImmOp(imm4(m[:4])))
	case fits(m[:4], func(k int) int { return k }) && in(m[4:], 4):
		return v.wide(bits, opsPSHUFHW, read(x), mir.ImmOp(imm4(m[4:])))
	}
	return 0
}

//===- Two registers --------------------------------------------------------

// doubleWide shuffles two registers.
func (v *vecSelector) doubleWide(x, y mir.Reg, mask []int32, e int) mir.Reg {
	n := len(mask)
	bits := n * e
	if r := v.blendWide(x, y, mask, e); r != 0 {
		return r
	}
	l := lanesOf(mask, e)
	if l.repeated != nil {
		if r := v.repeatedWide(x, y, l.repeated, e, bits); r != 0 {
			return r
		}
	}
	if l.within && e == 64 {
		// Even elements of one, odd of the other.
		for _, turned := range [...]bool{false, true} {
			ok := true
			for k, m := range mask {
				ok = ok && (m < 0 || int(m) >= n == (k%2 == 1 != turned))
			}
			if ok {
				if turned {
					x, y = y, x
				}
				return v.wide(bits, opsSHUFPD, read(x), read(y), mir.ImmOp(immPD(mask)))
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
			return v.wide(bits, opsSHUFPS, read(r[lo]), read(r[hi]), mir.ImmOp(imm4(l.repeated)))
		}
	}
	if r := v.alignWide(x, y, mask, e); r != 0 {
		return r
	}
	if r := v.permute2(x, y, mask, e); r != 0 {
		return r
	}
	switch {
	case !v.has("avx2"):
		return v.byLanes(x, y, mask, e)
	case l.within && e < 32:
		return v.wide(bits, opsPOR, read(v.bytesWide(x, mask, e, 0, true)), read(v.bytesWide(y, mask, e, int32(n), true)))
	case e == 8 && v.has("masks"):
		return v.bytesByWords(x, y, mask, bits)
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
	return v.blendWide(v.shuffleWide(x, 0, a, e), v.shuffleWide(y, 0, b, e), m, e)
}

// permute2 takes elements of both by their numbers; 0 where there is no such instruction.
func (v *vecSelector) permute2(x, y mir.Reg, mask []int32, e int) mir.Reg {
	bits := len(mask) * e
	op := v.opsPermute2(e).of(bits)
	if op == 0 {
		return 0
	}
	return v.emit(op, vecClass(bits), read(x), read(v.indices(mask, e, int32(2*len(mask)-1))), read(y))
}

// alignWide takes what a shift over all lanes of both registers, one behind the other,
// gives; 0 for others.
func (v *vecSelector) alignWide(x, y mir.Reg, mask []int32, e int) mir.Reg {
	if e < 32 || !v.has("masks") {
		return 0
	}
	n := len(mask)
	ops := wideOps{tab.VALIGNDZ128rri, tab.VALIGNDZ256rri, tab.VALIGNDZrri}
	if e == 64 {
		ops = wideOps{tab.VALIGNQZ128rri, tab.VALIGNQZ256rri, tab.VALIGNQZrri}
	}
	for s := 1; s < n; s++ {
		if fits(mask, func(k int) int { return k + s }) {
			return v.wide(n*e, ops, read(y), read(x), mir.ImmOp(int64(s)))
		}
		if fits(mask, func(k int) int { return (k + s + n) % (2 * n) }) {
			return v.wide(n*e, ops, read(x), read(y), mir.ImmOp(int64(s)))
		}
	}
	return 0
}

// blendWide takes each element from the same place of one of both; 0 where that is not
// what the mask says, or there is no instruction.
func (v *vecSelector) blendWide(x, y mir.Reg, mask []int32, e int) mir.Reg {
	n := len(mask)
	bits := n * e
	imm := uint64(0)
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
	case bits == 512 && e == 64 && imm == 0xf0:
		return v.emit(tab.VSHUFF64X2Zrri, tab.VR512RegClassID, read(x), read(y), mir.ImmOp(0xe4))
	case bits == 512:
		ops := map[int]desc.Opcode{8: tab.VPBLENDMBZrrk, 16: tab.VPBLENDMWZrrk, 32: tab.VPBLENDMDZrrk, 64: tab.VPBLENDMQZrrk}
		return v.emit(ops[e], tab.VR512RegClassID, read(v.maskConst(imm, n)), read(x), read(y))
	case e == 64:
		return v.ymm(tab.VBLENDPDYrri, read(x), read(y), mir.ImmOp(int64(imm)))
	case e == 32:
		return v.ymm(tab.VBLENDPSYrri, read(x), read(y), mir.ImmOp(int64(imm)))
	case !v.has("avx2"):
		return 0
	case e == 16 && imm>>8 == imm&0xff:
		return v.ymm(tab.VPBLENDWYrri, read(x), read(y), mir.ImmOp(int64(imm&0xff)))
	}
	words := make([]uint64, 4)
	for k := range n {
		if imm>>k&1 != 0 {
			setBits(words, k, e, ^uint64(0))
		}
	}
	return v.ymm(tab.VPBLENDVBYrrr, read(x), read(y), read(v.constant(words)))
}
