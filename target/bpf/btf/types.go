package btf

import "github.com/mirin-go/mirin/ir"

// Kind is the kind of a type, by the kernel's numbers.
type Kind uint8

// The kinds.
const (
	KindVoid Kind = iota
	KindInt
	KindPtr
	KindArray
	KindStruct
	KindUnion
	KindEnum
	KindFwd
	KindTypedef
	KindVolatile
	KindConst
	KindRestrict
	KindFunc
	KindFuncProto
	KindVar
	KindDataSec
	KindFloat
	KindDeclTag
	KindTypeTag
	KindEnum64
)

// kindNames are the words of comments behind BTF_KIND_.
var kindNames = [...]string{
	"UNKN", "INT", "PTR", "ARRAY", "STRUCT", "UNION", "ENUM", "FWD", "TYPEDEF", "VOLATILE", "CONST", "RESTRICT", "FUNC",
	"FUNC_PROTO", "VAR", "DATASEC", "FLOAT", "DECL_TAG", "TYPE_TAG", "ENUM64",
}

// TypeID numbers the types of a table; 0 is void.
type TypeID uint32

const (
	maxVLen  = 0xffff  // members, parameters, values of one type
	kindFlag = 1 << 31 // of info: bit fields, a union, a signed enumeration
)

// Linkage of functions and variables.
const (
	linkStatic uint32 = iota
	linkGlobal
	linkExtern
)

// Encodings of KindInt.
const (
	intSigned uint32 = 1
	intBool   uint32 = 4
)

// typeRow is one type. Its words behind the first three are words[first:first+n]
// of the table; they are there once it is complete.
type typeRow struct {
	name     string  // of types whose node does not tell it
	node     ir.MDID // what names, members and the base type are read from; 0: nothing more is to come
	nameOff  uint32
	info     uint32
	size     uint32 // or the type that is referred to
	first, n uint32
	kind     Kind
	// pointeeLater says that size is filled in at the end, when it is known
	// whether the structure came in.
	pointeeLater bool
}

// table is the types and strings of one module.
type table struct {
	m     *ir.Module
	rows  []typeRow // row 0 is void
	words []uint32
	// complete is the number of the first rows that are complete: types refer to
	// others that came later, so that they are completed in bunches.
	complete int
	ids      []TypeID // by MDID, 0: not there yet
	// arrayIndex is the type that all arrays are indexed with, 0 before the first array.
	arrayIndex TypeID
	// structs has the first structure or union of a name.
	structs map[string]TypeID
	// pointers are those whose pointees were left out, by the structure, in the order of
	// its first mention.
	pointees []ir.MDID
	pointers map[ir.MDID][]TypeID
	// params are the names of parameters of functions, by the prototype's first word until it is complete.
	params [][]string
	secs   map[string]*dataSec

	strings   []string
	stringOff map[string]uint32
	stringLen uint32
}

// dataSec is the variables of a section; functions without a body, too.
type dataSec struct {
	name string
	vars []secVar
}

type secVar struct {
	id   TypeID
	g    ir.GlobalID
	size uint32
}

func newTable(m *ir.Module) *table {
	t := &table{m: m, rows: make([]typeRow, 1), complete: 1, structs: map[string]TypeID{}, pointers: map[ir.MDID][]TypeID{},
		secs: map[string]*dataSec{}, stringOff: map[string]uint32{}}
	t.str("")
	return t
}

// str returns the offset of a string in the table.
func (t *table) str(s string) uint32 {
	off, ok := t.stringOff[s]
	if !ok {
		off = t.stringLen
		t.stringOff[s] = off
		t.strings = append(t.strings, s)
		t.stringLen += uint32(len(s)) + 1
	}
	return off
}

// add adds a type; node is that which it is the type of, 0 for none.
func (t *table) add(kind Kind, r typeRow, of ir.MDID) TypeID {
	r.kind = kind
	r.info |= uint32(kind) << 24
	id := TypeID(len(t.rows))
	t.rows = append(t.rows, r)
	if of != 0 {
		t.setID(of, id)
	}
	return id
}

func (t *table) setID(of ir.MDID, id TypeID) {
	if n := int(of) + 1 - len(t.ids); n > 0 {
		t.ids = append(t.ids, make([]TypeID, max(n, t.m.MD.Len()-len(t.ids)))...)
	}
	t.ids[of] = id
}

// id returns the type of a node, 0 when it has none: void, and what BTF cannot say.
func (t *table) id(of ir.MDID) TypeID {
	if int(of) >= len(t.ids) {
		return 0
	}
	return t.ids[of]
}

// addWords gives a type the words behind its first three.
func (t *table) addWords(id TypeID, words ...uint32) {
	r := &t.rows[id]
	if r.n == 0 {
		r.first = uint32(len(t.words))
	}
	r.n += uint32(len(words))
	t.words = append(t.words, words...)
}

// completeAll gives names, members and base types to the types that came in
// since it was last called. The order of strings follows from it.
func (t *table) completeAll() {
	for ; t.complete < len(t.rows); t.complete++ {
		t.completeRow(TypeID(t.complete))
	}
}

func (t *table) completeRow(id TypeID) {
	r := &t.rows[id]
	n := t.at(r.node)
	switch r.kind {
	case KindArray:
		t.words[r.first+1] = uint32(t.arrayIndex)
	case KindFuncProto:
		t.completeProto(id, n)
	case KindStruct, KindUnion:
		r.nameOff = t.str(n.FieldText("name"))
		t.completeStruct(id, r.node, n)
	case KindEnum, KindEnum64:
		r.nameOff = t.str(n.FieldText("name"))
		t.completeEnum(id, n)
	default:
		r.nameOff = t.str(r.name)
		if n != nil && !r.pointeeLater {
			r.size = uint32(t.id(t.plain(n.FieldNode("baseType"))))
		}
	}
}

// completeProto writes parameters: a null type, the last one, is the "...".
func (t *table) completeProto(id TypeID, n *ir.MDNode) {
	r := &t.rows[id]
	names := t.params[r.first]
	types := t.list(n.FieldNode("types"))
	r.size = uint32(t.id(t.plain(types[0])))
	for k, p := range types[1:] {
		if p == 0 {
			t.addWords(id, 0, 0)
			continue
		}
		name := ""
		if k < len(names) {
			name = names[k]
		}
		t.addWords(id, t.str(name), uint32(t.id(t.plain(p))))
	}
}

func (t *table) completeStruct(id TypeID, of ir.MDID, n *ir.MDNode) {
	bits := t.rows[id].info&kindFlag != 0
	if d := t.discriminator(n); d != 0 {
		m := t.at(d)
		t.addWords(id, t.str(m.FieldText("name")), uint32(t.id(t.plain(m.FieldNode("baseType")))), uint32(m.FieldInt("offset")))
	}
	for _, e := range t.list(n.FieldNode("elements")) {
		m := t.at(e)
		if m.Str == "DICompositeType" { // a part of which variants share the place
			t.addWords(id, t.str(m.FieldText("name")), uint32(t.id(e)), uint32(m.FieldInt("offset")))
			continue
		}
		off := uint32(m.FieldInt("offset"))
		if bits && isBitField(m) {
			off |= uint32(uint8(m.FieldInt("size"))) << 24
		}
		t.addWords(id, t.str(m.FieldText("name")), uint32(t.id(t.plain(m.FieldNode("baseType")))), off)
	}
}

func (t *table) completeEnum(id TypeID, n *ir.MDNode) {
	wide := t.rows[id].kind == KindEnum64
	for _, e := range t.list(n.FieldNode("elements")) {
		x := t.at(e)
		v := x.FieldInt("value")
		t.addWords(id, t.str(x.FieldText("name")), uint32(v))
		if wide {
			t.addWords(id, uint32(v>>32))
		}
	}
}

// at returns a node, nil for 0.
func (t *table) at(id ir.MDID) *ir.MDNode {
	if id == 0 {
		return nil
	}
	return t.m.MD.At(id)
}

// list returns the nodes of a tuple, none for 0.
func (t *table) list(id ir.MDID) []ir.MDID {
	if n := t.at(id); n != nil && n.Kind == ir.MDTuple {
		return n.Ops
	}
	return nil
}

// plain is a type without DW_TAG_atomic_type, which BTF has no word for.
func (t *table) plain(id ir.MDID) ir.MDID {
	if n := t.at(id); n != nil && n.Str == "DIDerivedType" && n.FieldText("tag") == "DW_TAG_atomic_type" {
		return n.FieldNode("baseType")
	}
	return id
}

func isBitField(m *ir.MDNode) bool { return m.FieldHas("flags", "DIFlagBitField") }

func bytesOf(bits uint64) uint32 { return uint32((bits + 7) / 8) }
