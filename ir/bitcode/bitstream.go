package bitcode

import (
	"encoding/binary"
	"fmt"
	"strconv"
)

// Ids of blocks and abbreviations that every bit stream has.
const (
	abbrevEnd       = 0
	abbrevSubBlock  = 1
	abbrevDefine    = 2
	abbrevUnabbrev  = 3
	firstAbbrev     = 4
	blockInfoID     = 0
	blockInfoSetBID = 1
	maxChunk        = 32 // bits of a Fixed or VBR operand
	maxNesting      = 32 // of blocks
)

// abbrevKind is the encoding of one operand of an abbreviation.
type abbrevKind uint8

const (
	encLiteral abbrevKind = 0
	encFixed   abbrevKind = 1
	encVBR     abbrevKind = 2
	encArray   abbrevKind = 3
	encChar6   abbrevKind = 4
	encBlob    abbrevKind = 5
)

type abbrevOp struct {
	kind abbrevKind
	val  uint64 // literal value, or width
}

type abbrev []abbrevOp

// scope is what a block's end restores.
type scope struct {
	width   uint
	abbrevs []abbrev
	id      uint32
}

// cursor reads a bit stream. The first fault is kept in err; after it nothing
// more is read and every call returns zero.
type cursor struct {
	data    []byte
	pos     uint64 // in bits
	end     uint64
	width   uint // of abbreviation ids
	abbrevs []abbrev
	id      uint32 // of the current block
	stack   []scope
	info    map[uint32][]abbrev // abbreviations that BLOCKINFO gives to blocks
	rec     []uint64            // operands of the last record
	blob    []byte              // blob of the last record
	err     error
}

// left is the number of bits up to the end of what may be read; a record may
// have gone beyond it.
func (c *cursor) left() uint64 { return c.end - min(c.pos, c.end) }

// entry is what stands next in a block.
type entry uint8

const (
	entryErr    entry = iota
	entryEnd          // end of the block
	entryBlock        // a block begins; enter or skip it
	entryRecord       // a record; read it with record
)

func newCursor(data []byte) cursor {
	return cursor{data: data, end: uint64(len(data)) * 8, width: 2, info: map[uint32][]abbrev{}}
}

// fork returns a cursor at the same place with state of its own.
func (c *cursor) fork() cursor {
	n := *c
	n.stack, n.rec, n.blob = nil, nil, nil
	return n
}

func (c *cursor) fail(format string, args ...any) {
	if c.err == nil {
		if len(args) == 0 {
			c.err = errorText(format)
		} else {
			c.err = errorText(fmt.Sprintf(format, args...))
		}
	}
	c.pos = c.end
}

// failBare is fail for what LLVM says without the names of producer and reader: the
// faults that its loader of metadata finds.
func (c *cursor) failBare(msg string) {
	if c.err == nil {
		c.err = bareText(msg)
	}
	c.pos = c.end
}

// bareText is an error to which no names are added.
type bareText string

func (e bareText) Error() string { return string(e) }

// errorText is an error that is only a text.
type errorText string

func (e errorText) Error() string { return string(e) }

func (c *cursor) atEnd() bool { return c.pos >= c.end }

// word returns the 64 bits at a byte, zeros behind the end.
func (c *cursor) word(at uint64) uint64 {
	if at+8 <= uint64(len(c.data)) {
		return binary.LittleEndian.Uint64(c.data[at:])
	}
	var w uint64
	for i := uint64(0); at+i < uint64(len(c.data)) && i < 8; i++ {
		w |= uint64(c.data[at+i]) << (8 * i)
	}
	return w
}

// read returns the next n bits, at most 64.
func (c *cursor) read(n uint) uint64 {
	if c.pos+uint64(n) > c.end {
		c.fail("Unexpected end of file reading %d of %d bits", c.end-min(c.pos, c.end), n)
		return 0
	}
	at, off := c.pos>>3, uint(c.pos&7)
	w := c.word(at) >> off
	if off+n > 64 {
		w |= uint64(c.data[at+8]) << (64 - off)
	}
	c.pos += uint64(n)
	if n < 64 {
		w &= 1<<n - 1
	}
	return w
}

// vbr reads a number in chunks of n bits, the top bit of each saying that another follows.
func (c *cursor) vbr(n uint) uint64 {
	hi := uint64(1) << (n - 1)
	at := c.pos >> 3
	if at+8 <= uint64(len(c.data)) {
		w := binary.LittleEndian.Uint64(c.data[at:]) >> (c.pos & 7)
		if w&hi == 0 {
			c.pos += uint64(n)
			return w & (hi - 1)
		}
		if 2*n <= 56 {
			if w2 := w >> n; w2&hi == 0 {
				c.pos += 2 * uint64(n)
				return w&(hi-1) | w2&(hi-1)<<(n-1)
			}
		}
	}
	var v uint64
	for shift := uint(0); ; shift += n - 1 {
		if shift >= 64 && c.err == nil {
			c.fail("Unterminated VBR")
			return 0
		}
		w := c.read(n)
		v |= w & (hi - 1) << shift
		if w&hi == 0 {
			return v
		}
	}
}

// size reads the number of operands of a record or of an array, which has 32 bits.
func (c *cursor) size() uint64 {
	n := uint64(0)
	for shift := uint(0); c.err == nil; shift += 5 {
		if shift >= 32 {
			c.fail("Unterminated VBR")
			break
		}
		w := c.read(6)
		n |= w & 31 << shift
		if w&32 == 0 {
			return n & (1<<32 - 1)
		}
	}
	c.err = errorText("Failed to read size: " + c.err.Error())
	return 0
}

func (c *cursor) align32() {
	c.pos = (c.pos + 31) &^ 31
	if c.pos > c.end {
		c.pos = c.end
	}
}

// next tells what stands next; id is a block's id or a record's abbreviation.
func (c *cursor) next() (e entry, id uint32) {
	for c.err == nil {
		if c.atEnd() {
			return entryErr, 0
		}
		switch id := uint32(c.read(c.width)); id {
		case abbrevEnd:
			c.leave()
			if c.err != nil {
				return entryErr, 0
			}
			return entryEnd, 0
		case abbrevSubBlock:
			id := uint32(c.vbr(8))
			if c.err != nil {
				return entryErr, 0
			}
			return entryBlock, id
		case abbrevDefine:
			if a := c.define(); c.err == nil {
				c.abbrevs = append(c.abbrevs[:len(c.abbrevs):len(c.abbrevs)], a)
			}
		default:
			if c.err != nil {
				return entryErr, 0
			}
			return entryRecord, id
		}
	}
	return entryErr, 0
}

// enter goes into the block that next has found.
func (c *cursor) enter(id uint32) bool {
	if len(c.stack) >= maxNesting {
		c.fail("Malformed block")
		return false
	}
	c.stack = append(c.stack, scope{c.width, c.abbrevs, c.id})
	width := c.vbr(4)
	if c.err == nil && width > maxChunk {
		c.fail("can't read more than %d at a time, trying to read %d", maxChunk, width)
	}
	c.align32()
	words := c.read(32)
	if c.err != nil {
		return false
	}
	if width == 0 {
		c.fail("can't enter sub-block: current code size is 0")
		return false
	}
	if c.atEnd() && words > 0 {
		c.fail("can't enter sub block: already at end of stream")
		return false
	}
	c.width, c.id = uint(width), id
	c.abbrevs = c.info[id]
	c.abbrevs = c.abbrevs[:len(c.abbrevs):len(c.abbrevs)]
	return true
}

// skip passes over the block that next has found.
func (c *cursor) skip() bool {
	c.vbr(4)
	c.align32()
	words := c.read(32)
	if c.err != nil {
		return false
	}
	to := c.pos + words*32
	if c.atEnd() {
		c.fail("can't skip block: already at end of stream")
		return false
	}
	if to > c.end {
		at := c.pos
		c.fail("can't skip to bit %d from %d", to, at)
		return false
	}
	c.pos = to
	return true
}

// leave ends a block.
func (c *cursor) leave() {
	if len(c.stack) == 0 {
		c.fail("Malformed block")
		return
	}
	c.align32()
	s := c.stack[len(c.stack)-1]
	c.stack = c.stack[:len(c.stack)-1]
	c.width, c.abbrevs, c.id = s.width, s.abbrevs, s.id
}

// define reads a DEFINE_ABBREV.
func (c *cursor) define() abbrev {
	n := int(c.vbr(5))
	if c.err != nil {
		return nil
	}
	if n > int(c.left()) {
		c.fail("Unexpected end of file")
		return nil
	}
	var a abbrev
	for i := 0; i < n && c.err == nil; i++ {
		if c.read(1) != 0 {
			a = append(a, abbrevOp{encLiteral, c.vbr(8)})
			continue
		}
		k := abbrevKind(c.read(3))
		switch k {
		case encArray, encChar6, encBlob:
			a = append(a, abbrevOp{kind: k})
		case encFixed, encVBR:
			w := c.vbr(5)
			if w == 0 { // as written by old releases: a literal zero
				a = append(a, abbrevOp{encLiteral, 0})
				continue
			}
			if w > maxChunk {
				c.fail("Fixed or VBR abbrev record with size > MaxChunkData")
			}
			a = append(a, abbrevOp{k, w})
		default:
			c.fail("Invalid encoding")
		}
	}
	if c.err == nil && len(a) == 0 {
		c.fail("Abbrev record with no operands")
	}
	return a
}

const char6 = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"

// scalar reads one operand that is neither array nor blob.
func (c *cursor) scalar(op abbrevOp) uint64 {
	switch op.kind {
	case encLiteral:
		return op.val
	case encFixed:
		return c.read(uint(op.val))
	case encVBR:
		return c.vbr(uint(op.val))
	case encChar6:
		return uint64(char6[c.read(6)])
	}
	c.fail("Abbreviation starts with an Array or a Blob")
	return 0
}

// record reads the record whose abbreviation is id: its operands are rec and
// blob until the next one is read.
func (c *cursor) record(id uint32) (code uint32) {
	c.rec, c.blob = c.rec[:0], nil
	if id == abbrevUnabbrev {
		code = uint32(c.vbr(6))
		n := c.size()
		if c.err == nil && n > c.left()/6 {
			c.fail("Size of record is too large")
			return 0
		}
		rec := c.rec
		for range n {
			rec = append(rec, c.vbr(6))
		}
		c.rec = rec
		return code
	}
	if int(id)-firstAbbrev >= len(c.abbrevs) {
		c.fail("Invalid abbrev number")
		return 0
	}
	a := c.abbrevs[id-firstAbbrev]
	code = uint32(c.scalar(a[0]))
	rec := c.rec
	for i := 1; i < len(a) && c.err == nil; i++ {
		switch op := a[i]; op.kind {
		case encLiteral:
			rec = append(rec, op.val)
		case encFixed:
			rec = append(rec, c.read(uint(op.val)))
		case encVBR:
			rec = append(rec, c.vbr(uint(op.val)))
		case encChar6:
			rec = append(rec, uint64(char6[c.read(6)]))
		case encArray:
			n := c.size()
			if c.err != nil {
				return 0
			}
			if i+2 != len(a) {
				c.fail("Array op not second to last")
				return 0
			}
			i++
			rec = c.array(rec, a[i], n)
		case encBlob:
			n := c.vbr(6)
			c.align32()
			if c.err != nil {
				return 0
			}
			if n > c.left()/8 {
				c.fail("Blob ends too soon")
				return 0
			}
			at := c.pos / 8
			c.blob = c.data[at : at+n : at+n]
			c.pos += n * 8
			c.align32()
		}
	}
	c.rec = rec
	return code
}

// array reads n elements.
func (c *cursor) array(rec []uint64, op abbrevOp, n uint64) []uint64 {
	least := uint64(1)
	switch op.kind {
	case encFixed, encVBR:
		least = op.val
	case encChar6:
		least = 6
	case encLiteral:
	default:
		c.fail("Array element type can't be an Array or a Blob")
		return rec
	}
	if n > c.left()/least {
		c.fail("Size of array is too large")
		return rec
	}
	switch op.kind {
	case encFixed:
		w := uint(op.val)
		for range n {
			rec = append(rec, c.read(w))
		}
	case encVBR:
		w := uint(op.val)
		for range n {
			rec = append(rec, c.vbr(w))
		}
	case encChar6:
		for range n {
			rec = append(rec, uint64(char6[c.read(6)]))
		}
	default:
		for range n {
			rec = append(rec, op.val)
		}
	}
	return rec
}

// blockInfo reads a BLOCKINFO block that next has found.
func (c *cursor) blockInfo() {
	if !c.enter(blockInfoID) {
		return
	}
	cur, have := uint32(0), false
	for c.err == nil {
		if c.atEnd() {
			c.fail("Malformed block")
			return
		}
		// DEFINE_ABBREV belongs to the block that SETBID names, so next cannot be used.
		switch id := uint32(c.read(c.width)); id {
		case abbrevEnd:
			c.leave()
			return
		case abbrevSubBlock:
			c.vbr(8)
			c.skip()
		case abbrevDefine:
			a := c.define()
			if !have {
				c.fail("Malformed block")
				return
			}
			if c.err == nil {
				c.info[cur] = append(c.info[cur], a)
			}
		default:
			if c.record(id) == blockInfoSetBID && c.err == nil {
				if len(c.rec) < 1 {
					c.fail("Malformed block")
					return
				}
				cur, have = uint32(c.rec[0]), true
			}
		}
	}
}

// text returns the operands from at on as characters.
func text(rec []uint64, at int) string {
	if at >= len(rec) {
		return ""
	}
	b := make([]byte, 0, len(rec)-at)
	for _, c := range rec[at:] {
		b = append(b, byte(c))
	}
	return string(b)
}

// unsign decodes a number whose lowest bit is its sign.
func unsign(v uint64) int64 {
	if v&1 == 0 {
		return int64(v >> 1)
	}
	if v != 1 {
		return -int64(v >> 1)
	}
	return -1 << 63
}

func itoa(n uint64) string { return strconv.FormatUint(n, 10) }
