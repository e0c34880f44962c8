package bitcode

import "encoding/binary"

// bitWriter writes a bit stream. Records are written without abbreviations
// but for blobs.
type bitWriter struct {
	buf   []byte
	base  int // where the stream begins in buf
	cur   uint64
	n     uint // bits in cur
	width uint
	open  []openBlock
}

type openBlock struct {
	width uint
	size  int // where the block's length goes
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
	w.open = append(w.open, openBlock{w.width, len(w.buf)})
	w.emit(0, 32)
	w.width = width
}

func (w *bitWriter) leave() {
	w.emit(abbrevEnd, w.width)
	w.align()
	b := w.open[len(w.open)-1]
	w.open = w.open[:len(w.open)-1]
	binary.LittleEndian.PutUint32(w.buf[b.size:], uint32((len(w.buf)-b.size-4)/4))
	w.width = b.width
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
	w.emit(abbrevDefine, w.width)
	w.vbr(uint64(len(first)+2), 5)
	w.emit(1, 1)
	w.vbr(uint64(code), 8)
	for range first {
		w.emit(0, 1)
		w.emit(uint64(encVBR), 3)
		w.vbr(6, 5)
	}
	w.emit(0, 1)
	w.emit(uint64(encBlob), 3)
	w.emit(firstAbbrev, w.width)
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
