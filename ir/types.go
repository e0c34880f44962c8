package ir

import (
	"encoding/binary"
	"sync"
	"sync/atomic"
)

// Type is an interned type of a module: an index into its Types table. Equal
// types have equal handles. The primitive types have the same handle in every module.
type Type uint32

// Handles of the types that every module has.
const (
	NoType Type = iota
	Void
	Label
	Metadata
	Token
	X86AMX
	Half
	BFloat
	Float
	Double
	X86FP80
	FP128
	PPCFP128
	Int1
	Int8
	Int16
	Int32
	Int64
	Int128
	Ptr // ptr in address space 0
	numPrimitive
)

// TypeKind says which form a type has.
type TypeKind uint8

// The forms of types.
const (
	KindNone TypeKind = iota
	KindVoid
	KindLabel
	KindMetadata
	KindToken
	KindX86AMX
	KindHalf
	KindBFloat
	KindFloat
	KindDouble
	KindX86FP80
	KindFP128
	KindPPCFP128
	KindInteger
	KindPointer
	KindArray
	KindVector         // fixed length
	KindScalableVector // <vscale x n x T>
	KindStruct
	KindFunction
	KindTargetExt
)

// typeRow is one interned type.
type typeRow struct {
	n       uint64 // integer width, address space, array or vector length
	elem    Type   // element type, function result
	subs    uint32 // first of the member or parameter types in Types.subs
	numSubs uint32
	name    uint32 // named struct or target type: index in names; literal: 0
	ints    uint32 // target type: first integer parameter in Types.ints
	numInts uint32
	kind    TypeKind
	packed  bool // struct
	vararg  bool // function
	opaque  bool // named struct without body
	ident   bool // identified struct: named, or numbered in the text
}

// Types is the table of a module's types. Reading takes no lock; interning does.
type Types struct {
	mu    sync.Mutex
	rows  atomic.Pointer[[]typeRow]
	subs  atomic.Pointer[[]Type]
	ints  []uint64
	names []string
	index map[string]Type // key of a literal type → handle
	named map[string]Type // named structs
	order []Type          // named structs in order of their definition, for printing
}

var primitiveRows = [numPrimitive]typeRow{
	Void: {kind: KindVoid}, Label: {kind: KindLabel}, Metadata: {kind: KindMetadata}, Token: {kind: KindToken},
	X86AMX: {kind: KindX86AMX}, Half: {kind: KindHalf, n: 16}, BFloat: {kind: KindBFloat, n: 16}, Float: {kind: KindFloat, n: 32},
	Double: {kind: KindDouble, n: 64}, X86FP80: {kind: KindX86FP80, n: 80}, FP128: {kind: KindFP128, n: 128},
	PPCFP128: {kind: KindPPCFP128, n: 128},
	Int1:     {kind: KindInteger, n: 1}, Int8: {kind: KindInteger, n: 8}, Int16: {kind: KindInteger, n: 16},
	Int32: {kind: KindInteger, n: 32}, Int64: {kind: KindInteger, n: 64}, Int128: {kind: KindInteger, n: 128},
	Ptr: {kind: KindPointer},
}

// NewTypes returns a table with the primitive types.
func NewTypes() *Types {
	t := &Types{index: map[string]Type{}, named: map[string]Type{}, names: []string{""}}
	rows := append(make([]typeRow, 0, 64), primitiveRows[:]...)
	subs := make([]Type, 0, 64)
	t.rows.Store(&rows)
	t.subs.Store(&subs)
	return t
}

func (t *Types) row(ty Type) *typeRow { return &(*t.rows.Load())[ty] }

// Len returns the number of handles in use, NoType included.
func (t *Types) Len() int { return len(*t.rows.Load()) }

// Kind returns the form of ty.
func (t *Types) Kind(ty Type) TypeKind { return t.row(ty).kind }

// IntBits returns the width of an integer type, 0 for any other.
func (t *Types) IntBits(ty Type) int {
	if r := t.row(ty); r.kind == KindInteger {
		return int(r.n)
	}
	return 0
}

// FloatBits returns the width of a floating-point type, 0 for any other.
func (t *Types) FloatBits(ty Type) int {
	if r := t.row(ty); r.kind >= KindHalf && r.kind <= KindPPCFP128 {
		return int(r.n)
	}
	return 0
}

// AddrSpace returns the address space of a pointer type.
func (t *Types) AddrSpace(ty Type) uint32 { return uint32(t.row(ty).n) }

// NumElems returns the length of an array or the (minimum) length of a vector.
func (t *Types) NumElems(ty Type) uint64 { return t.row(ty).n }

// Elem returns the element type of an array or vector.
func (t *Types) Elem(ty Type) Type { return t.row(ty).elem }

// Result returns the result type of a function type.
func (t *Types) Result(ty Type) Type { return t.row(ty).elem }

// Subtypes returns the members of a struct, the parameters of a function, the
// type parameters of a target type. The slice must not be changed.
func (t *Types) Subtypes(ty Type) []Type {
	r := t.row(ty)
	s := *t.subs.Load()
	return s[r.subs : r.subs+r.numSubs : r.subs+r.numSubs]
}

// TargetInts returns the integer parameters of a target type.
func (t *Types) TargetInts(ty Type) []uint64 {
	r := t.row(ty)
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ints[r.ints : r.ints+r.numInts : r.ints+r.numInts]
}

// IsPacked reports whether a struct type is packed.
func (t *Types) IsPacked(ty Type) bool { return t.row(ty).packed }

// IsVarArg reports whether a function type takes variable arguments.
func (t *Types) IsVarArg(ty Type) bool { return t.row(ty).vararg }

// IsOpaque reports whether a named struct has no body.
func (t *Types) IsOpaque(ty Type) bool { return t.row(ty).opaque }

// IsAggregate reports whether ty is an array or struct.
func (t *Types) IsAggregate(ty Type) bool {
	k := t.row(ty).kind
	return k == KindArray || k == KindStruct
}

// IsVector reports whether ty is a vector of fixed or scalable length.
func (t *Types) IsVector(ty Type) bool {
	k := t.row(ty).kind
	return k == KindVector || k == KindScalableVector
}

// IsFloat reports whether ty is a scalar floating-point type.
func (t *Types) IsFloat(ty Type) bool { k := t.row(ty).kind; return k >= KindHalf && k <= KindPPCFP128 }

// Scalar returns the element type of a vector, any other type itself.
func (t *Types) Scalar(ty Type) Type {
	if t.IsVector(ty) {
		return t.Elem(ty)
	}
	return ty
}

// StructName returns the name of a named struct or target type, "" for a literal one.
func (t *Types) StructName(ty Type) string {
	r := t.row(ty)
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.names[r.name]
}

// Int returns the integer type of the given width (1 to 1<<23).
func (t *Types) Int(bits int) Type {
	switch bits {
	case 1:
		return Int1
	case 8:
		return Int8
	case 16:
		return Int16
	case 32:
		return Int32
	case 64:
		return Int64
	case 128:
		return Int128
	}
	return t.intern(typeRow{kind: KindInteger, n: uint64(bits)}, nil, nil, "")
}

// Pointer returns ptr addrspace(as).
func (t *Types) Pointer(as uint32) Type {
	if as == 0 {
		return Ptr
	}
	return t.intern(typeRow{kind: KindPointer, n: uint64(as)}, nil, nil, "")
}

// Array returns [n x elem].
func (t *Types) Array(elem Type, n uint64) Type {
	return t.intern(typeRow{kind: KindArray, n: n, elem: elem}, nil, nil, "")
}

// Vector returns <n x elem>, or <vscale x n x elem>.
func (t *Types) Vector(elem Type, n uint64, scalable bool) Type {
	k := KindVector
	if scalable {
		k = KindScalableVector
	}
	return t.intern(typeRow{kind: k, n: n, elem: elem}, nil, nil, "")
}

// Struct returns a literal struct type.
func (t *Types) Struct(members []Type, packed bool) Type {
	return t.intern(typeRow{kind: KindStruct, packed: packed}, members, nil, "")
}

// Func returns a function type.
func (t *Types) Func(result Type, params []Type, vararg bool) Type {
	return t.intern(typeRow{kind: KindFunction, elem: result, vararg: vararg}, params, nil, "")
}

// TargetExt returns target("name", types…, ints…).
func (t *Types) TargetExt(name string, types []Type, ints []uint64) Type {
	return t.intern(typeRow{kind: KindTargetExt}, types, ints, name)
}

// intern finds or adds a literal type.
func (t *Types) intern(r typeRow, subs []Type, ints []uint64, name string) Type {
	var buf [96]byte
	key := append(buf[:0], byte(r.kind), b2b(r.packed), b2b(r.vararg))
	key = binary.AppendUvarint(key, r.n)
	key = binary.AppendUvarint(key, uint64(r.elem))
	key = binary.AppendUvarint(key, uint64(len(subs)))
	for _, s := range subs {
		key = binary.AppendUvarint(key, uint64(s))
	}
	key = binary.AppendUvarint(key, uint64(len(ints)))
	for _, n := range ints {
		key = binary.AppendUvarint(key, n)
	}
	key = append(key, name...)
	t.mu.Lock()
	defer t.mu.Unlock()
	if ty, ok := t.index[string(key)]; ok {
		return ty
	}
	r.subs, r.numSubs = t.addSubs(subs)
	r.ints, r.numInts = uint32(len(t.ints)), uint32(len(ints))
	t.ints = append(t.ints, ints...)
	if name != "" {
		r.name = uint32(len(t.names))
		t.names = append(t.names, name)
	}
	ty := t.addRow(r)
	t.index[string(key)] = ty
	return ty
}

func b2b(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// addRow and addSubs append and publish a new slice header; readers that hold
// the old one see every row they can name.
func (t *Types) addRow(r typeRow) Type {
	rows := append(*t.rows.Load(), r)
	t.rows.Store(&rows)
	return Type(len(rows) - 1)
}

func (t *Types) addSubs(s []Type) (first, n uint32) {
	subs := *t.subs.Load()
	first = uint32(len(subs))
	if len(s) > 0 {
		subs = append(subs, s...)
		t.subs.Store(&subs)
	}
	return first, uint32(len(s))
}

// NamedStruct returns the struct type called name, opaque until SetBody.
func (t *Types) NamedStruct(name string) Type {
	t.mu.Lock()
	defer t.mu.Unlock()
	if ty, ok := t.named[name]; ok {
		return ty
	}
	t.names = append(t.names, name)
	ty := t.addRow(typeRow{kind: KindStruct, opaque: true, ident: true, name: uint32(len(t.names) - 1)})
	t.named[name] = ty
	t.order = append(t.order, ty)
	return ty
}

// LookupStruct returns the named struct, NoType when there is none.
func (t *Types) LookupStruct(name string) Type {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.named[name]
}

// NamedStructs returns the named structs in order of their first mention.
func (t *Types) NamedStructs() []Type { return t.order }

// SetBody gives a named struct its members. It must not run beside readers.
func (t *Types) SetBody(ty Type, members []Type, packed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.row(ty)
	r.subs, r.numSubs = t.addSubs(members)
	r.packed, r.opaque = packed, false
}

// AnonStruct returns a new identified struct without a name (%0 = type { … }
// in the text), opaque until SetBody.
func (t *Types) AnonStruct() Type {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.addRow(typeRow{kind: KindStruct, opaque: true, ident: true})
}

// IsIdentified reports whether ty is an identified struct: one that has its
// own definition, by name or by number, and is equal to no other.
func (t *Types) IsIdentified(ty Type) bool { return t.row(ty).ident }

// SetName gives an identified struct that has none a name, which no other
// struct has.
func (t *Types) SetName(ty Type, name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.names = append(t.names, name)
	t.row(ty).name = uint32(len(t.names) - 1)
	t.named[name] = ty
	t.order = append(t.order, ty)
}
