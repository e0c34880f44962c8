package table

import (
	"math/rand/v2"
	"testing"

	"github.com/mirin-go/mirin/desc"
)

// TestWord: what is put into pieces of an instruction comes out again, and
// nothing else changes.
func TestWord(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		var w, before word
		for k := range w {
			w[k] = rnd.Uint64()
		}
		before = w
		var segs []desc.BitSeg
		width := 1 + rnd.IntN(64)
		at, mask := rnd.IntN(300), word{}
		for v := 0; v < width; {
			n := 1 + rnd.IntN(width-v)
			segs = append(segs, desc.BitSeg{Value: uint16(v), Inst: uint16(at), Len: uint16(n)})
			for k := at; k < at+n; k++ {
				mask[k/64] |= 1 << (k % 64)
			}
			v, at = v+n, at+n+rnd.IntN(20)
		}
		x := rnd.Uint64() & (^uint64(0) >> (64 - width))
		w.put(segs, x)
		if got := w.get(segs); got != x {
			t.Fatalf("%v: put %#x, got %#x", segs, x, got)
		}
		for k := range w {
			if (w[k]^before[k])&^mask[k] != 0 {
				t.Fatalf("%v: other bits changed", segs)
			}
		}
		for _, big := range [...]bool{false, true} {
			size := 1 + rnd.IntN(maxSize)
			var back word
			b := w.appendBytes(nil, size, big)
			back.load(b, big)
			for k := range back {
				keep := min(max(size*8-k*64, 0), 64)
				m := uint64(0)
				if keep > 0 {
					m = ^uint64(0) >> (64 - keep)
				}
				if back[k] != w[k]&m {
					t.Fatalf("%d bytes, big-endian %v: %x, was %x", size, big, back, w)
				}
			}
		}
	}
}

// TestFormats: the bounds of a format are in it, what is beyond is not, and
// fields give back what was put into them.
func TestFormats(t *testing.T) {
	for bits := uint8(1); bits <= 32; bits++ {
		for shift := uint8(0); shift < 5; shift++ {
			for _, f := range [...]desc.ImmFormat{{Bits: bits, Shift: shift}, {Bits: bits, Shift: shift, Signed: true}} {
				lo, hi := bounds(f)
				step := int64(1) << shift
				for _, v := range [...]int64{lo, hi, 0, lo + step, hi - step} {
					if v < lo || v > hi {
						continue
					}
					x, err := toField(f, v)
					if err != nil || fromField(f, x) != v || x>>bits != 0 {
						t.Fatalf("%+v: %d is %#x (%v), which is %d", f, v, x, err, fromField(f, x))
					}
				}
				for _, v := range [...]int64{lo - step, hi + step} {
					if _, err := toField(f, v); err == nil {
						t.Fatalf("%+v: %d is accepted", f, v)
					}
				}
				if _, err := toField(f, 1); shift > 0 && err == nil {
					t.Fatalf("%+v: 1 is accepted", f)
				}
			}
		}
	}
	if !fits(desc.ImmFormat{Bits: 8, Signed: true, Either: true}, 255) || fits(desc.ImmFormat{Bits: 8, Signed: true, Either: true}, 256) {
		t.Error("a format that takes both signs")
	}
}
