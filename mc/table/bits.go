package table

import (
	"fmt"

	"github.com/mirin-go/mirin/desc"
)

// word is the bits of one instruction, low word first. Instructions of all
// known machines fit.
type word [8]uint64

// maxSize is the greatest size of an instruction in bytes.
const maxSize = len(word{}) * 8

// flip changes the bits that the segments name by exclusive or with a value's.
func (w *word) flip(segs []desc.BitSeg, v uint64) {
	for _, s := range segs {
		x := v >> s.Value
		for n, at := int(s.Len), int(s.Inst); n > 0; {
			k := min(n, 64-at%64)
			w[at/64] ^= x & (^uint64(0) >> (64 - k)) << (at % 64)
			x >>= k // k may be 64: then nothing is left
			n, at = n-k, at+k
		}
	}
}

// put deposits the bits of a value that the segments name.
func (w *word) put(segs []desc.BitSeg, v uint64) {
	for _, s := range segs {
		x := v >> s.Value
		for n, at := int(s.Len), int(s.Inst); n > 0; {
			k := min(n, 64-at%64)
			m := ^uint64(0) >> (64 - k)
			w[at/64] = w[at/64]&^(m<<(at%64)) | x&m<<(at%64)
			x >>= k // k may be 64: then nothing is left
			n, at = n-k, at+k
		}
	}
}

// get collects the bits that the segments name.
func (w *word) get(segs []desc.BitSeg) (v uint64) {
	for _, s := range segs {
		v |= w.field(int(s.Inst), int(s.Len)) << s.Value
	}
	return v
}

// field is the field of n bits (at most 64) from bit at on.
func (w *word) field(at, n int) uint64 {
	if n == 0 {
		return 0
	}
	v := w[at/64] >> (at % 64)
	if at%64+n > 64 {
		v |= w[at/64+1] << (64 - at%64)
	}
	return v & (^uint64(0) >> (64 - n))
}

// appendBytes appends the low size bytes.
func (w *word) appendBytes(b []byte, size int, big bool) []byte {
	at := len(b)
	for k := range size {
		b = append(b, byte(w[k/8]>>(k%8*8)))
	}
	if big {
		for i, j := at, len(b)-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	}
	return b
}

// load reads an instruction of len(b) bytes.
func (w *word) load(b []byte, big bool) {
	*w = word{}
	for k, c := range b {
		if big {
			k = len(b) - 1 - k
		}
		w[k/8] |= uint64(c) << (k % 8 * 8)
	}
}

// toField turns an immediate into what the field of a format holds.
func toField(f desc.ImmFormat, v int64) (uint64, error) {
	if f.Bits == 0 && f.Shift == 0 {
		return uint64(v), nil
	}
	if v&(1<<f.Shift-1) != 0 {
		return 0, fmt.Errorf("%d is not a multiple of %d", v, 1<<f.Shift)
	}
	if !fits(f, v) {
		lo, hi := bounds(f)
		return 0, fmt.Errorf("%d is out of range [%d, %d]", v, lo, hi)
	}
	return uint64(v>>f.Shift) & (^uint64(0) >> (64 - max(f.Bits, 1))), nil
}

// fits reports whether a format can hold a value.
func fits(f desc.ImmFormat, v int64) bool {
	if v&(1<<f.Shift-1) != 0 {
		return false
	}
	v >>= f.Shift
	if f.Bits == 0 || f.Bits >= 64 {
		return true
	}
	if f.Signed {
		return v >= -(1<<(f.Bits-1)) && v < 1<<(f.Bits-1) || f.Either && v >= 0 && v < 1<<f.Bits
	}
	return v >= 0 && v < 1<<f.Bits
}

// bounds are the least and the greatest value of a format.
func bounds(f desc.ImmFormat) (lo, hi int64) {
	switch {
	case f.Bits == 0 || int(f.Bits)+int(f.Shift) >= 64:
		return -1 << 63, 1<<63 - 1
	case f.Signed && f.Either:
		return -(1 << (f.Bits - 1)) << f.Shift, (1<<f.Bits - 1) << f.Shift
	case f.Signed:
		return -(1 << (f.Bits - 1)) << f.Shift, (1<<(f.Bits-1) - 1) << f.Shift
	}
	return 0, (1<<f.Bits - 1) << f.Shift
}

// fromField turns what a field of n bits holds into the immediate.
func fromField(f desc.ImmFormat, v uint64) int64 {
	if f.Signed && f.Bits > 0 && f.Bits < 64 {
		v = uint64(int64(v<<(64-f.Bits)) >> (64 - f.Bits))
	}
	return int64(v << f.Shift)
}

// holds answers a condition about features.
func holds(terms []desc.FeatureTerm, c desc.FeatureCond, has func(bit uint16) bool) bool {
	list := terms[c.First : c.First+c.Num]
	for k := 0; k < len(list); k++ {
		ok := false
		for {
			t := list[k]
			ok = ok || has(uint16(t&^(desc.FeatureNot|desc.FeatureOr))) != (t&desc.FeatureNot != 0)
			if t&desc.FeatureOr == 0 {
				break
			}
			k++
		}
		if !ok {
			return false
		}
	}
	return true
}

// bind finds the functions that a table names.
func bind[F any](blob string, names []desc.Name, kind string, have map[string]F) ([]F, error) {
	out := make([]F, len(names))
	for k, n := range names {
		f, ok := have[n.In(blob)]
		if !ok {
			return nil, fmt.Errorf("mc/table: the target has no %s %q", kind, n.In(blob))
		}
		out[k] = f
	}
	return out, nil
}
