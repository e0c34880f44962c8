package main

import "errors"

// A bit stream as a tree that can be changed and written again, with the
// abbreviations that it was written with. It shares nothing with ir/bitcode on
// purpose: what that package reads wrong must not be hidden here.

type abbrevOp struct {
	kind  byte // l literal, f fixed, v VBR, a array, c char6, b blob
	value uint64
}

type item struct {
	// A block:
	block  bool
	id     uint32
	width  int
	items  []*item
	oldPos int // its place in words: of the word behind its header's first bits
	// A record; abbrev is its abbreviation id, 3 for none:
	abbrev int
	code   uint64
	ops    []uint64
	blob   []byte
	// An abbreviation:
	isDefine bool
	define   []abbrevOp
}

type bitReader struct {
	b   []byte
	pos int
	bad bool
	// abbreviations of BLOCKINFO, by block
	info map[uint32][][]abbrevOp
}

func (r *bitReader) fixed(n int) (v uint64) {
	for i := range n {
		if r.pos >= len(r.b)*8 {
			r.bad = true
			return 0
		}
		v |= uint64(r.b[r.pos/8]>>(r.pos%8)&1) << i
		r.pos++
	}
	return v
}

func (r *bitReader) vbr(n int) (v uint64) {
	for shift := 0; !r.bad && shift < 64; shift += n - 1 {
		x := r.fixed(n)
		v |= (x & (1<<(n-1) - 1)) << shift
		if x>>(n-1) == 0 {
			break
		}
	}
	return v
}

func (r *bitReader) align() { r.pos = (r.pos + 31) &^ 31 }

// parseBits reads the blocks behind the magic number.
func parseBits(b []byte) ([]*item, error) {
	r := &bitReader{b: b, pos: 32, info: map[uint32][][]abbrevOp{}}
	var top []*item
	for r.pos+32 <= len(b)*8 && !r.bad {
		if r.fixed(2) != 1 {
			break
		}
		top = append(top, r.block())
	}
	if r.bad || len(top) == 0 {
		return nil, errors.New("not a bit stream")
	}
	return top, nil
}

const noAbbrev = 3

func (r *bitReader) block() *item {
	it := &item{block: true, id: uint32(r.vbr(8))}
	it.width = int(r.vbr(4))
	r.align()
	r.fixed(32)
	it.oldPos = r.pos / 32
	abbrevs := append([][]abbrevOp(nil), r.info[it.id]...)
	current := uint32(0)
	for !r.bad {
		switch id := int(r.fixed(it.width)); id {
		case 0:
			r.align()
			return it
		case 1:
			it.items = append(it.items, r.block())
		case 2:
			d := r.abbrev()
			it.items = append(it.items, &item{isDefine: true, define: d})
			if it.id == 0 {
				r.info[current] = append(r.info[current], d)
			} else {
				abbrevs = append(abbrevs, d)
			}
		case noAbbrev:
			x := &item{abbrev: noAbbrev, code: r.vbr(6)}
			n := r.vbr(6)
			for range n {
				if r.bad {
					break
				}
				x.ops = append(x.ops, r.vbr(6))
			}
			if it.id == 0 && x.code == 1 && len(x.ops) > 0 {
				current = uint32(x.ops[0])
			}
			it.items = append(it.items, x)
		default:
			if id-4 >= len(abbrevs) {
				r.bad = true
				break
			}
			it.items = append(it.items, r.record(id, abbrevs[id-4]))
		}
	}
	return it
}

func (r *bitReader) abbrev() (d []abbrevOp) {
	for n := r.vbr(5); n > 0 && !r.bad; n-- {
		if r.fixed(1) == 1 {
			d = append(d, abbrevOp{'l', r.vbr(8)})
			continue
		}
		switch k := r.fixed(3); k {
		case 1:
			d = append(d, abbrevOp{'f', r.vbr(5)})
		case 2:
			d = append(d, abbrevOp{'v', r.vbr(5)})
		case 3:
			d = append(d, abbrevOp{'a', 0})
		case 4:
			d = append(d, abbrevOp{'c', 0})
		case 5:
			d = append(d, abbrevOp{'b', 0})
		default:
			r.bad = true
		}
	}
	return d
}

const char6 = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"

func (r *bitReader) scalar(o abbrevOp) uint64 {
	switch o.kind {
	case 'l':
		return o.value
	case 'f':
		return r.fixed(int(o.value))
	case 'v':
		if o.value == 0 {
			return 0
		}
		return r.vbr(int(o.value))
	case 'c':
		return uint64(char6[r.fixed(6)])
	}
	r.bad = true
	return 0
}

func (r *bitReader) record(id int, d []abbrevOp) *item {
	x := &item{abbrev: id}
	var vals []uint64
	for i := 0; i < len(d) && !r.bad; i++ {
		switch d[i].kind {
		case 'a':
			for n := r.vbr(6); n > 0 && !r.bad && i+1 < len(d); n-- {
				vals = append(vals, r.scalar(d[i+1]))
			}
			i++
		case 'b':
			n := int(r.vbr(6))
			r.align()
			if n < 0 || r.pos/8+n > len(r.b) {
				r.bad = true
				break
			}
			x.blob = append([]byte{}, r.b[r.pos/8:r.pos/8+n]...)
			r.pos += n * 8
			r.align()
		default:
			vals = append(vals, r.scalar(d[i]))
		}
	}
	if len(vals) > 0 {
		x.code, x.ops = vals[0], vals[1:]
	}
	return x
}

type bitWriter struct {
	b    []byte
	n    int
	info map[uint32][][]abbrevOp
	// newPos is where blocks stand by where they stood, in words.
	newPos map[int]int
}

func (w *bitWriter) fixed(v uint64, n int) {
	for i := range n {
		if w.n/8 >= len(w.b) {
			w.b = append(w.b, 0)
		}
		w.b[w.n/8] |= byte(v>>i&1) << (w.n % 8)
		w.n++
	}
}

func (w *bitWriter) vbr(v uint64, n int) {
	for hi := uint64(1) << (n - 1); v >= hi; v >>= n - 1 {
		w.fixed(v&(hi-1)|hi, n)
	}
	w.fixed(v, n)
}

func (w *bitWriter) align() { w.fixed(0, (32-w.n%32)%32) }

func writeBits(top []*item) *bitWriter {
	w := &bitWriter{info: map[uint32][][]abbrevOp{}, newPos: map[int]int{}}
	w.fixed(0xdec04342, 32)
	for _, it := range top {
		w.fixed(1, 2)
		w.block(it)
	}
	return w
}

func (w *bitWriter) block(it *item) {
	w.vbr(uint64(it.id), 8)
	w.vbr(uint64(it.width), 4)
	w.align()
	size := len(w.b)
	w.fixed(0, 32)
	w.newPos[it.oldPos] = w.n / 32
	abbrevs := append([][]abbrevOp(nil), w.info[it.id]...)
	current := uint32(0)
	for _, x := range it.items {
		switch {
		case x.block:
			w.fixed(1, it.width)
			w.block(x)
		case x.isDefine:
			w.fixed(2, it.width)
			w.abbrev(x.define)
			if it.id == 0 {
				w.info[current] = append(w.info[current], x.define)
			} else {
				abbrevs = append(abbrevs, x.define)
			}
		case x.abbrev > noAbbrev && x.abbrev-4 < len(abbrevs) && fits(abbrevs[x.abbrev-4], x):
			w.fixed(uint64(x.abbrev), it.width)
			w.record(abbrevs[x.abbrev-4], x)
		default:
			if it.id == 0 && x.code == 1 && len(x.ops) > 0 {
				current = uint32(x.ops[0])
			}
			w.fixed(noAbbrev, it.width)
			w.vbr(x.code, 6)
			w.vbr(uint64(len(x.ops)), 6)
			for _, o := range x.ops {
				w.vbr(o, 6)
			}
		}
	}
	w.fixed(0, it.width)
	w.align()
	words := (len(w.b)-size)/4 - 1
	for i := range 4 {
		w.b[size+i] = byte(words >> (8 * i))
	}
}

func (w *bitWriter) abbrev(d []abbrevOp) {
	w.vbr(uint64(len(d)), 5)
	for _, o := range d {
		if o.kind == 'l' {
			w.fixed(1, 1)
			w.vbr(o.value, 8)
			continue
		}
		w.fixed(0, 1)
		switch o.kind {
		case 'f':
			w.fixed(1, 3)
			w.vbr(o.value, 5)
		case 'v':
			w.fixed(2, 3)
			w.vbr(o.value, 5)
		case 'a':
			w.fixed(3, 3)
		case 'c':
			w.fixed(4, 3)
		case 'b':
			w.fixed(5, 3)
		}
	}
}

func scalarFits(o abbrevOp, v uint64) bool {
	switch o.kind {
	case 'l':
		return v == o.value
	case 'f':
		return o.value >= 64 || v>>o.value == 0
	case 'v':
		return o.value > 1 || v == 0
	case 'c':
		for i := range len(char6) {
			if uint64(char6[i]) == v {
				return true
			}
		}
	}
	return false
}

// fits reports whether a record can be written with an abbreviation.
func fits(d []abbrevOp, x *item) bool {
	vals := append([]uint64{x.code}, x.ops...)
	for i := 0; i < len(d); i++ {
		switch d[i].kind {
		case 'a':
			if i+1 >= len(d) {
				return false
			}
			for _, v := range vals {
				if !scalarFits(d[i+1], v) {
					return false
				}
			}
			return i+2 == len(d)
		case 'b':
			return len(vals) == 0 && x.blob != nil && i+1 == len(d)
		default:
			if len(vals) == 0 || !scalarFits(d[i], vals[0]) {
				return false
			}
			vals = vals[1:]
		}
	}
	return len(vals) == 0 && x.blob == nil
}

func (w *bitWriter) scalar(o abbrevOp, v uint64) {
	switch o.kind {
	case 'f':
		w.fixed(v, int(o.value))
	case 'v':
		if o.value > 1 {
			w.vbr(v, int(o.value))
		}
	case 'c':
		for i := range len(char6) {
			if uint64(char6[i]) == v {
				w.fixed(uint64(i), 6)
			}
		}
	}
}

func (w *bitWriter) record(d []abbrevOp, x *item) {
	vals := append([]uint64{x.code}, x.ops...)
	for i := range d {
		switch d[i].kind {
		case 'a':
			w.vbr(uint64(len(vals)), 6)
			for _, v := range vals {
				w.scalar(d[i+1], v)
			}
			return
		case 'b':
			w.vbr(uint64(len(x.blob)), 6)
			w.align()
			for _, c := range x.blob {
				w.fixed(uint64(c), 8)
			}
			w.align()
			return
		default:
			w.scalar(d[i], vals[0])
			vals = vals[1:]
		}
	}
}
