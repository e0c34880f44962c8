package mc

import "encoding/binary"

// ByteOrder is what code that reads and writes both byte orders needs.
type ByteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// Order returns the byte order of the target's data.
func (m *Machine) Order() ByteOrder {
	if m.BigEndian {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// GetInt reads b as an unsigned integer; it has at most 8 bytes.
func GetInt(b []byte, bigEndian bool) uint64 {
	v := uint64(0)
	for i := range b {
		k := len(b) - 1 - i
		if bigEndian {
			k = i
		}
		v = v<<8 | uint64(b[k])
	}
	return v
}

// PutInt fills b with the low len(b) bytes of v.
func PutInt(b []byte, v uint64, bigEndian bool) {
	for i := range b {
		k := i
		if bigEndian {
			k = len(b) - 1 - i
		}
		b[k] = byte(v)
		v >>= 8
	}
}

// room makes room for n more. Tables of an output get large and everything that
// they grow out of is waste, so they grow faster than append lets them; what is not
// used yet stays untouched, which slices.Grow would clear.
func room[T any](s []T, n int) []T {
	if n <= cap(s)-len(s) {
		return s
	}
	const large = 1 << 12
	more := 2 * cap(s)
	if cap(s) >= large {
		more = 4 * cap(s)
	}
	return append(make([]T, 0, max(more, len(s)+n)), s...)
}

// slab is memory from which small slices are cut that live as long as each other.
type slab[T any] struct{ free []T }

// make returns a slice of length 0 and capacity n.
func (b *slab[T]) make(n int) []T {
	const rows = 1 << 12
	if n > rows/8 {
		return make([]T, 0, n)
	}
	if n > len(b.free) {
		b.free = make([]T, rows)
	}
	s := b.free[:0:n]
	b.free = b.free[n:]
	return s
}

// clone copies s.
func (b *slab[T]) clone(s []T) []T { return append(b.make(len(s)), s...) }
