package bitcode

import "encoding/binary"

// bitWriter writes a bit stream. Records are written without an abbreviation
// unless one is asked for.
type bitWriter struct {
	buf   []byte
	base  int // where the stream begins in buf
	cur   uint64
	n     uint // bits in cur
	width uint
	open  []openBlock
	next  uint32 // number of the block's next abbreviation
}

type openBlock struct {
	width uint
	size  int // where the block's length goes
	next  uint32
}

func (w *bitWriter) emit(v uint64, n uint) {
	if n > 32 {
		w.emit(v&0xffffffff, 32)
		v, n = v>>32, n-32
	}
	w.cur |= v << w.n
	w.n += n
	if w.n >= 32 {
		w.buf = binary.LittleEndian.AppendUint32(w.buf, uint32(w.cur))
		w.cur >>= 32
		w.n -= 32
	}
}

func (w *bitWriter) vbr(v uint64, n uint) {
	hi := uint64(1) << (n - 1)
	for v >= hi {
		w.emit(v&(hi-1)|hi, n)
		v >>= n - 1
	}
	w.emit(v, n)
}

// bits is the number of bits written, counted from the start of the buffer.
func (w *bitWriter) bits() int { return len(w.buf)*8 + int(w.n) }

// patch sets n bits from at on, which were written as zeros.
func (w *bitWriter) patch(at int, v uint64, n int) {
	for i := range n {
		if v>>i&1 == 0 {
			continue
		}
		if p := at + i; p < len(w.buf)*8 {
			w.buf[p/8] |= 1 << (p % 8)
		} else {
			w.cur |= 1 << (p - len(w.buf)*8)
		}
	}
}

func (w *bitWriter) align() {
	if w.n > 0 {
		w.emit(0, 32-w.n)
	}
}

func (w *bitWriter) enter(id uint32, width uint) {
	w.emit(abbrevSubBlock, w.width)
	w.vbr(uint64(id), 8)
	w.vbr(uint64(width), 4)
	w.align()
	w.open = append(w.open, openBlock{w.width, len(w.buf), w.next})
	w.emit(0, 32)
	w.width = width
	w.next = firstAbbrev + uint32(len(standardAbbrevs(id, 0)))
}

func (w *bitWriter) leave() {
	w.emit(abbrevEnd, w.width)
	w.align()
	b := w.open[len(w.open)-1]
	w.open = w.open[:len(w.open)-1]
	binary.LittleEndian.PutUint32(w.buf[b.size:], uint32((len(w.buf)-b.size-4)/4))
	w.width, w.next = b.width, b.next
}

// define gives the block an abbreviation and returns its number.
func (w *bitWriter) define(a abbrev) uint32 {
	w.emit(abbrevDefine, w.width)
	w.vbr(uint64(len(a)), 5)
	for _, op := range a {
		if op.kind == encLiteral {
			w.emit(1, 1)
			w.vbr(op.val, 8)
			continue
		}
		w.emit(0, 1)
		w.emit(uint64(op.kind), 3)
		if op.kind == encFixed || op.kind == encVBR {
			w.vbr(op.val, 5)
		}
	}
	w.next++
	return w.next - 1
}

// short writes a record by abbreviation id, which is a. The operands fit it.
func (w *bitWriter) short(id uint32, a abbrev, code uint32, ops []uint64) {
	w.emit(uint64(id), w.width)
	if a[0].kind != encLiteral {
		w.scalar(a[0], uint64(code))
	}
	for i := 1; i < len(a); i++ {
		if a[i].kind == encArray {
			w.vbr(uint64(len(ops)), 6)
			for _, o := range ops {
				w.scalar(a[i+1], o)
			}
			return
		}
		w.scalar(a[i], ops[0])
		ops = ops[1:]
	}
}

func (w *bitWriter) scalar(op abbrevOp, v uint64) {
	switch op.kind {
	case encFixed:
		w.emit(v, uint(op.val))
	case encVBR:
		w.vbr(v, uint(op.val))
	case encChar6:
		w.emit(uint64(char6Num(byte(v))), 6)
	}
}

// char6Num is the number of a character of char6; isChar6 says which those are.
func char6Num(c byte) int {
	switch {
	case c >= 'a' && c <= 'z':
		return int(c - 'a')
	case c >= 'A' && c <= 'Z':
		return int(c-'A') + 26
	case c >= '0' && c <= '9':
		return int(c-'0') + 52
	case c == '.':
		return 62
	}
	return 63
}

func isChar6(c byte) bool { return c == '_' || char6Num(c) != 63 }

// charBits reports the narrowest of the encodings of characters that fits all of a
// string: 6 for char6, 7 or 8 bits.
func charBits(s string) int {
	bits := 6
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] >= 0x80:
			return 8
		case !isChar6(s[i]):
			bits = 7
		}
	}
	return bits
}

func (w *bitWriter) record(code uint32, ops ...uint64) {
	w.emit(abbrevUnabbrev, w.width)
	w.vbr(uint64(code), 6)
	w.vbr(uint64(len(ops)), 6)
	for _, o := range ops {
		w.vbr(o, 6)
	}
}

// text writes a record of characters behind some numbers.
func (w *bitWriter) text(code uint32, s string, first ...uint64) {
	w.emit(abbrevUnabbrev, w.width)
	w.vbr(uint64(code), 6)
	w.vbr(uint64(len(s)+len(first)), 6)
	for _, o := range first {
		w.vbr(o, 6)
	}
	for i := 0; i < len(s); i++ {
		w.vbr(uint64(s[i]), 6)
	}
}

// blob writes a record that ends in bytes, by an abbreviation made for it.
func (w *bitWriter) blob(code uint32, data []byte, first ...uint64) {
	a := abbrev{{encLiteral, uint64(code)}}
	for range first {
		a = append(a, abbrevOp{encVBR, 6})
	}
	w.blobBy(w.define(append(a, abbrevOp{kind: encBlob})), data, first...)
}

// blobBy writes numbers of six bits and bytes by an abbreviation.
func (w *bitWriter) blobBy(id uint32, data []byte, first ...uint64) {
	w.emit(uint64(id), w.width)
	for _, o := range first {
		w.vbr(o, 6)
	}
	w.vbr(uint64(len(data)), 6)
	w.align()
	w.buf = append(w.buf, data...)
	for (len(w.buf)-w.base)%4 != 0 {
		w.buf = append(w.buf, 0)
	}
}

// sign encodes a number with its sign in the lowest bit.
func sign(v int64) uint64 {
	if v >= 0 {
		return uint64(v) << 1
	}
	return uint64(-v)<<1 | 1
}
