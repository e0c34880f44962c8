package vm

import (
	"errors"
	"fmt"
)

// Kinds of BTF types (Documentation/bpf/btf.rst of Linux), those that are looked at.
const (
	btfInt       = 1
	btfPtr       = 2
	btfArray     = 3
	btfStruct    = 4
	btfUnion     = 5
	btfEnum      = 6
	btfTypedef   = 8
	btfVolatile  = 9
	btfConst     = 10
	btfRestrict  = 11
	btfFuncProto = 13
	btfVar       = 14
	btfDatasec   = 15
	btfFloat     = 16
	btfDeclTag   = 17
	btfTypeTag   = 18
	btfEnum64    = 19
)

// btfType is a type; of what follows it only the words are kept.
type btfType struct {
	name string
	kind uint8
	n    int    // members
	size uint32 // or the type that it refers to
	rest []byte
}

// btfData is a .BTF section.
type btfData struct {
	order   byteOrder
	types   []btfType
	strings []byte
}

var errBTF = errors.New("malformed .BTF")

func (d *btfData) str(off uint32) string {
	if uint64(off) >= uint64(len(d.strings)) {
		return ""
	}
	for k := off; int(k) < len(d.strings); k++ {
		if d.strings[k] == 0 {
			return string(d.strings[off:k])
		}
	}
	return ""
}

// part is n bytes of b at off; nil where it has fewer.
func part(b []byte, off, n uint32) []byte {
	if uint64(off)+uint64(n) > uint64(len(b)) {
		return nil
	}
	return b[off : off+n]
}

func readBTF(b []byte, order byteOrder) (*btfData, error) {
	if len(b) < 24 || order.Uint16(b) != 0xeb9f {
		return nil, errBTF
	}
	hdr := order.Uint32(b[4:])
	body := part(b, hdr, uint32(len(b))-min(hdr, uint32(len(b))))
	types := part(body, order.Uint32(b[8:]), order.Uint32(b[12:]))
	d := &btfData{order: order, strings: part(body, order.Uint32(b[16:]), order.Uint32(b[20:])), types: make([]btfType, 1)}
	for len(types) >= 12 {
		info := order.Uint32(types[4:])
		t := btfType{name: d.str(order.Uint32(types)), kind: uint8(info >> 24 & 31), n: int(info & 0xffff), size: order.Uint32(types[8:])}
		rest := 0
		switch t.kind {
		case btfInt, btfVar, btfDeclTag:
			rest = 4
		case btfArray:
			rest = 12
		case btfStruct, btfUnion, btfDatasec, btfEnum64:
			rest = 12 * t.n
		case btfEnum, btfFuncProto:
			rest = 8 * t.n
		}
		if 12+rest > len(types) {
			return nil, errBTF
		}
		t.rest = types[12 : 12+rest]
		d.types = append(d.types, t)
		types = types[12+rest:]
	}
	if len(types) != 0 {
		return nil, errBTF
	}
	return d, nil
}

// word is word i of what follows a type.
func (d *btfData) word(t *btfType, i int) uint32 { return d.order.Uint32(t.rest[4*i:]) }

// at is a type without names and qualifiers; nil where there is none.
func (d *btfData) at(id uint32) *btfType {
	for range 64 {
		if uint64(id) >= uint64(len(d.types)) {
			return nil
		}
		t := &d.types[id]
		switch t.kind {
		case btfTypedef, btfVolatile, btfConst, btfRestrict, btfTypeTag:
			id = t.size
		default:
			return t
		}
	}
	return nil
}

// sizeOf is the size of a type in bytes.
func (d *btfData) sizeOf(id uint32) (uint32, error) { return d.sizeIn(id, 0) }

func (d *btfData) sizeIn(id uint32, depth int) (uint32, error) {
	t := d.at(id)
	if t == nil || depth > 64 {
		return 0, errBTF
	}
	switch t.kind {
	case btfInt, btfStruct, btfUnion, btfEnum, btfEnum64, btfFloat, btfDatasec:
		return t.size, nil
	case btfPtr:
		return 8, nil
	case btfArray:
		n, err := d.sizeIn(d.word(t, 0), depth+1)
		return n * d.word(t, 2), err
	}
	return 0, fmt.Errorf("a type of kind %d has no size", t.kind)
}

// member is member i of a struct: name, type, offset in bits.
func (d *btfData) member(t *btfType, i int) (name string, id, offset uint32) {
	return d.str(d.word(t, 3*i)), d.word(t, 3*i+1), d.word(t, 3*i+2) & 0xffffff
}

// lineRecord is a line of the source, from an instruction on.
type lineRecord struct {
	pc   int
	file string
	line uint32
}

// readLines reads the line records of .BTF.ext; base gives the first instruction of a section.
func readLines(b []byte, d *btfData, base func(section string) (int, bool)) ([]lineRecord, error) {
	order := d.order
	if len(b) < 24 || order.Uint16(b) != 0xeb9f {
		return nil, errors.New("malformed .BTF.ext")
	}
	hdr := order.Uint32(b[4:])
	body := part(b, hdr, uint32(len(b))-min(hdr, uint32(len(b))))
	info := part(body, order.Uint32(b[16:]), order.Uint32(b[20:]))
	if len(info) < 4 {
		return nil, nil
	}
	size := order.Uint32(info)
	var out []lineRecord
	for info = info[4:]; len(info) >= 8; {
		first, known := base(d.str(order.Uint32(info)))
		n := order.Uint32(info[4:])
		rows := part(info, 8, n*size)
		if rows == nil || size < 16 {
			return nil, errors.New("malformed .BTF.ext")
		}
		info = info[8+n*size:]
		for ; known && len(rows) > 0; rows = rows[size:] {
			out = append(out, lineRecord{pc: first + int(order.Uint32(rows)/8), file: d.str(order.Uint32(rows[4:])), line: order.Uint32(rows[12:]) >> 10})
		}
	}
	return out, nil
}
