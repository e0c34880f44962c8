package bintable

import "encoding/binary"

// AppendString appends a string behind its length.
func AppendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// AppendStrings appends a list of strings.
func AppendStrings(b []byte, l []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(l)))
	for _, s := range l {
		b = AppendString(b, s)
	}
	return b
}

// AppendBool appends a byte, 0 or 1.
func AppendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

// Reader takes bytes apart. At the first thing that is not there it becomes bad
// and stays so; what it gives from then on is zero.
type Reader struct {
	b   []byte
	bad bool
}

// NewReader starts at the first byte.
func NewReader(b []byte) *Reader { return &Reader{b: b} }

// Bad reports whether bytes were missing.
func (r *Reader) Bad() bool { return r.bad }

// Rest gives the bytes that were not read.
func (r *Reader) Rest() []byte { return r.b }

func (r *Reader) fail() { r.bad, r.b = true, nil }

// Uint reads what binary.AppendUvarint writes.
func (r *Reader) Uint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return v
}

// Int reads what binary.AppendVarint writes.
func (r *Reader) Int() int64 {
	v := r.Uint()
	return int64(v>>1) ^ -int64(v&1)
}

// Byte reads a byte.
func (r *Reader) Byte() byte {
	if len(r.b) == 0 {
		r.fail()
		return 0
	}
	c := r.b[0]
	r.b = r.b[1:]
	return c
}

// Count reads the length of a list, each of whose elements takes a byte at least.
func (r *Reader) Count() int {
	n := r.Uint()
	if n > uint64(len(r.b)) {
		r.fail()
		return 0
	}
	return int(n)
}

// String reads a string.
func (r *Reader) String() string {
	n := r.Count()
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

// Strings reads a list of strings.
func (r *Reader) Strings() []string {
	out := make([]string, r.Count())
	for i := range out {
		out[i] = r.String()
	}
	return out
}

// UintAt reads a number at pc and gives the place behind it. For the inner loops
// of interpreters: what is read must be known to be whole.
func UintAt(c []byte, pc int) (uint64, int) {
	b := c[pc]
	pc++
	if b < 0x80 {
		return uint64(b), pc
	}
	v := uint64(b & 0x7f)
	for s := uint(7); ; s += 7 {
		b = c[pc]
		pc++
		v |= uint64(b&0x7f) << s
		if b < 0x80 {
			return v, pc
		}
	}
}

// IntAt is UintAt for a signed number.
func IntAt(c []byte, pc int) (int64, int) {
	v, pc := UintAt(c, pc)
	return int64(v>>1) ^ -int64(v&1), pc
}
