package mc

import (
	"encoding/binary"
	"slices"
)

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
// they grow out of is waste: they double, which append does not do for long.
func room[T any](s []T, n int) []T {
	if n <= cap(s)-len(s) {
		return s
	}
	return slices.Grow(s, max(n, len(s)))
}
