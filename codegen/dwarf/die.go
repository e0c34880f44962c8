package dwarf

import (
	"github.com/mirin-go/mirin/mc"
)

// dieID is an entry of a tree; 0 is none. All units share one arena.
type dieID uint32

// die is one debugging information entry: its children and values are linked lists
// in the arenas of a forest.
type die struct {
	tag                       uint16
	unit                      uint16
	parent, first, last, next dieID
	values, lastValue         uint32
	abbrev                    uint32
	offset                    uint32 // in its unit
}

// value is an attribute. What a means says form and kind.
type value struct {
	a          uint64
	next       uint32
	attr, form uint16
	kind       valueKind
}

type valueKind uint8

const (
	valInt    valueKind = iota // a
	valULEB                    // a, in LEB128
	valSLEB                    // a, signed
	valStr                     // string a of the pool, by offset or index
	valInline                  // string a of the pool, in place
	valDie                     // entry a
	valSym                     // the address of, or a section's offset to, symbol a
	valDelta                   // the distance from symbol a>>32 to symbol a&(1<<32-1)
	valBlock                   // block a
)

// block is the bytes of an expression; symbols in it are addresses.
type block struct {
	b    []byte
	fix  []blockFix
	size int // of what is written: bytes and addresses
}

type blockFix struct {
	at   int // the address stands before this byte of b
	sym  mc.Sym
	size int
	// tls says that the offset in a thread's block is meant, by which modifier the target knows.
	tls bool
}

// forest is the arena of the entries of all units.
type forest struct {
	dies   []die
	values []value
	blocks []block

	abbrevs map[string]uint32
	// abbrevText has, for each abbreviation from 1, its key: tag, children, attributes and forms.
	abbrevText []string
	keyBuf     []byte
}

func newForest() *forest {
	return &forest{dies: make([]die, 1, 256), values: make([]value, 1, 1024), blocks: make([]block, 1, 64), abbrevs: map[string]uint32{}}
}

// newDie makes an entry below parent; 0: it stands nowhere yet, or is a unit's.
func (t *forest) newDie(unit int, tag uint16, parent dieID) dieID {
	d := dieID(len(t.dies))
	t.dies = append(t.dies, die{tag: tag, unit: uint16(unit)})
	if parent != 0 {
		t.adopt(parent, d)
	}
	return d
}

// adopt makes an entry the last child of another.
func (t *forest) adopt(parent, d dieID) {
	p := &t.dies[parent]
	t.dies[d].parent = parent
	if p.last != 0 {
		t.dies[p.last].next = d
	} else {
		p.first = d
	}
	p.last = d
}

// add gives an entry an attribute.
func (t *forest) add(d dieID, attr, form uint16, kind valueKind, a uint64) {
	v := uint32(len(t.values))
	t.values = append(t.values, value{attr: attr, form: form, kind: kind, a: a})
	x := &t.dies[d]
	if x.lastValue != 0 {
		t.values[x.lastValue].next = v
	} else {
		x.values = v
	}
	x.lastValue = v
}

// find is the value of an attribute of d, nil without one.
func (t *forest) find(d dieID, attr uint16) *value {
	for v := t.dies[d].values; v != 0; v = t.values[v].next {
		if t.values[v].attr == attr {
			return &t.values[v]
		}
	}
	return nil
}

func (t *forest) has(d dieID, attr uint16) bool { return t.find(d, attr) != nil }

func (t *forest) addFlag(d dieID, attr uint16, version int) {
	if version >= 4 {
		t.add(d, attr, formFlagPresent, valInt, 1)
	} else {
		t.add(d, attr, formFlag, valInt, 1)
	}
}

// addUint adds a number in the smallest form that has fixed size.
func (t *forest) addUint(d dieID, attr uint16, v uint64) {
	form := uint16(formData8)
	switch {
	case v < 1<<8:
		form = formData1
	case v < 1<<16:
		form = formData2
	case v < 1<<32:
		form = formData4
	}
	t.add(d, attr, form, valInt, v)
}

func (t *forest) addSint(d dieID, attr uint16, v int64) {
	t.add(d, attr, formSdata, valSLEB, uint64(v))
}

// addDie refers to another entry, of another unit too.
func (t *forest) addDie(d dieID, attr uint16, to dieID) {
	form := uint16(formRef4)
	if t.dies[d].unit != t.dies[to].unit {
		form = formRefAddr
	}
	t.add(d, attr, form, valDie, uint64(to))
}

// addBlock adds an expression.
func (t *forest) addBlock(d dieID, attr uint16, b block, version int) {
	n := len(b.b)
	for _, f := range b.fix {
		n += f.size
	}
	b.size = n
	t.blocks = append(t.blocks, b)
	form := uint16(formExprloc)
	if version < 4 || attr == atConstValue {
		form = blockForm(n)
	}
	t.add(d, attr, form, valBlock, uint64(len(t.blocks)-1))
}

func blockForm(n int) uint16 {
	switch {
	case n < 1<<8:
		return formBlock1
	case n < 1<<16:
		return formBlock2
	}
	return formBlock4
}

// abbreviate gives an entry the number of its abbreviation.
func (t *forest) abbreviate(d dieID) {
	x := &t.dies[d]
	k := appendULEB(t.keyBuf[:0], uint64(x.tag))
	if x.first != 0 {
		k = append(k, 1)
	} else {
		k = append(k, 0)
	}
	for v := x.values; v != 0; v = t.values[v].next {
		r := &t.values[v]
		k = appendULEB(appendULEB(k, uint64(r.attr)), uint64(r.form))
		if r.form == formImplicitConst {
			k = appendSLEB(k, int64(r.a))
		}
	}
	t.keyBuf = k
	n, ok := t.abbrevs[string(k)]
	if !ok {
		t.abbrevText = append(t.abbrevText, string(k))
		n = uint32(len(t.abbrevText))
		t.abbrevs[t.abbrevText[n-1]] = n
	}
	x.abbrev = n
}

// sizes says how many bytes forms take.
type sizes struct {
	version, ptr, offset int
}

// size is the size of a value.
func (t *forest) size(v *value, s sizes) int {
	switch v.form {
	case formFlagPresent, formImplicitConst:
		return 0
	case formData1, formFlag, formStrx1, formRef1, formAddrx1:
		return 1
	case formData2, formStrx2, formRef2:
		return 2
	case formStrx3:
		return 3
	case formData4, formRef4, formStrx4:
		return 4
	case formData8, formRef8, formRefSig8:
		return 8
	case formData16:
		return 16
	case formUdata, formAddrx, formLoclistx, formRnglistx, formStrx, formGNUAddrIndex, formGNUStrIndex:
		return ulebSize(v.a)
	case formSdata:
		return slebSize(int64(v.a))
	case formAddr:
		return s.ptr
	case formStrp, formLineStrp, formSecOffset:
		return s.offset
	case formRefAddr:
		if s.version == 2 {
			return s.ptr
		}
		return s.offset
	case formExprloc:
		n := t.blocks[v.a].size
		return n + ulebSize(uint64(n))
	case formBlock1:
		return 1 + t.blocks[v.a].size
	case formBlock2:
		return 2 + t.blocks[v.a].size
	case formBlock4:
		return 4 + t.blocks[v.a].size
	}
	panic("dwarf: a form without size")
}

// place gives an entry and those below it abbreviations and offsets, from off on, and
// returns where they end.
func (t *forest) place(d dieID, off uint32, s sizes) uint32 {
	t.abbreviate(d)
	x := &t.dies[d]
	x.offset = off
	off += uint32(ulebSize(uint64(x.abbrev)))
	for v := x.values; v != 0; v = t.values[v].next {
		off += uint32(t.size(&t.values[v], s))
	}
	for c := x.first; c != 0; c = t.dies[c].next {
		off = t.place(c, off, s)
	}
	if x.first != 0 {
		off++ // the end of the children
	}
	return off
}

func appendULEB(b []byte, v uint64) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

func appendSLEB(b []byte, v int64) []byte {
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

func ulebSize(v uint64) int {
	n := 1
	for v >= 0x80 {
		v >>= 7
		n++
	}
	return n
}

func slebSize(v int64) int {
	n := 1
	for v < -64 || v >= 64 {
		v >>= 7
		n++
	}
	return n
}
