package bintable

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"
)

// TestRoundTrip reads what was written, and finds each cut.
func TestRoundTrip(t *testing.T) {
	list := []string{"", "a", "two words"}
	b := AppendString(nil, "name")
	b = AppendStrings(b, list)
	b = AppendBool(AppendBool(b, true), false)
	b = binary.AppendVarint(binary.AppendUvarint(b, math.MaxUint64), math.MinInt64)
	read := func(b []byte) *Reader {
		r := NewReader(b)
		name, l := r.String(), r.Strings()
		yes, no := r.Byte(), r.Byte()
		u, i := r.Uint(), r.Int()
		if !r.Bad() && (name != "name" || !slices.Equal(l, list) || yes != 1 || no != 0 || u != math.MaxUint64 || i != math.MinInt64) {
			t.Errorf("%q %q %d %d %d %d", name, l, yes, no, u, i)
		}
		return r
	}
	if r := read(append(b, 7, 8)); r.Bad() || string(r.Rest()) != "\x07\x08" {
		t.Errorf("bad %v, rest %q", r.Bad(), r.Rest())
	}
	for n := range b {
		if !read(b[:n]).Bad() {
			t.Errorf("cut to %d bytes: nothing is missing", n)
		}
	}
	if r := NewReader([]byte{200, 1, 0}); r.Count() != 0 || !r.Bad() {
		t.Error("a list is longer than its bytes")
	}
}

// TestAt: as Reader reads.
func TestAt(t *testing.T) {
	for _, v := range []int64{0, 1, -1, 63, 64, -65, 1 << 20, math.MaxInt64, math.MinInt64} {
		b := binary.AppendVarint([]byte{9}, v)
		if got, pc := IntAt(b, 1); got != v || pc != len(b) {
			t.Errorf("%d at %d, want %d", got, pc, v)
		}
		b = binary.AppendUvarint([]byte{9}, uint64(v))
		if got, pc := UintAt(b, 1); got != uint64(v) || pc != len(b) {
			t.Errorf("%d at %d, want %d", got, pc, uint64(v))
		}
	}
}
