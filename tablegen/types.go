package tablegen

import "strconv"

// TypeKind tells the kinds of types apart.
type TypeKind uint8

// The kinds of types.
const (
	BitType TypeKind = iota
	BitsType
	IntType
	StringType // also what the word code names
	DagType
	ListType
	RecordType
)

// Type is the type of a value. Types are compared with sameType, not by
// address: list types and record types are made where they are needed.
type Type struct {
	Kind TypeKind
	N    int   // width, for BitsType
	Elem *Type // element type, for ListType
	// Classes are the classes that a value of RecordType derives from, none of
	// them a superclass of another; none at all admits every record.
	Classes []*Record
}

var (
	typeBit        = &Type{Kind: BitType}
	typeInt        = &Type{Kind: IntType}
	typeString     = &Type{Kind: StringType}
	typeDag        = &Type{Kind: DagType}
	typeAnyRecord  = &Type{Kind: RecordType}
	typeListInt    = &Type{Kind: ListType, Elem: typeInt}
	typeListString = &Type{Kind: ListType, Elem: typeString}
	typeListDag    = &Type{Kind: ListType, Elem: typeDag}
	typeListBit    = &Type{Kind: ListType, Elem: typeBit}
	bitsTypes      = smallBitsTypes()
)

func smallBitsTypes() (t [65]Type) {
	for i := range t {
		t[i] = Type{Kind: BitsType, N: i}
	}
	return t
}

func bitsOf(n int) *Type {
	if n < len(bitsTypes) {
		return &bitsTypes[n]
	}
	return &Type{Kind: BitsType, N: n}
}

func listOf(elem *Type) *Type {
	switch elem {
	case typeInt:
		return typeListInt
	case typeString:
		return typeListString
	case typeDag:
		return typeListDag
	case typeBit:
		return typeListBit
	}
	return &Type{Kind: ListType, Elem: elem}
}

// String returns the type as it is written in source.
func (t *Type) String() string { return string(t.appendText(nil)) }

func (t *Type) appendText(b []byte) []byte {
	switch t.Kind {
	case BitType:
		return append(b, "bit"...)
	case BitsType:
		b = append(b, "bits<"...)
		b = strconv.AppendInt(b, int64(t.N), 10)
		return append(b, '>')
	case IntType:
		return append(b, "int"...)
	case StringType:
		return append(b, "string"...)
	case DagType:
		return append(b, "dag"...)
	case ListType:
		b = append(b, "list<"...)
		b = t.Elem.appendText(b)
		return append(b, '>')
	}
	if len(t.Classes) == 1 {
		return append(b, t.Classes[0].Name...)
	}
	b = append(b, '{')
	for i, c := range t.Classes {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, c.Name...)
	}
	return append(b, '}')
}

// sameType reports whether a and b are the same type.
func sameType(a, b *Type) bool {
	for {
		if a == b {
			return true
		}
		if a == nil || b == nil || a.Kind != b.Kind {
			return false
		}
		switch a.Kind {
		case BitsType:
			return a.N == b.N
		case ListType:
			a, b = a.Elem, b.Elem
			continue
		case RecordType:
			if len(a.Classes) != len(b.Classes) {
				return false
			}
			for _, c := range a.Classes {
				if !containsRecord(b.Classes, c) {
					return false
				}
			}
		}
		return true
	}
}

func containsRecord(l []*Record, r *Record) bool {
	for _, x := range l {
		if x == r {
			return true
		}
	}
	return false
}

// isA reports whether every value of t is a value of u without any change.
func (t *Type) isA(u *Type) bool {
	switch {
	case t == u:
		return true
	case t.Kind != u.Kind:
		return false
	case t.Kind == ListType:
		return t.Elem.isA(u.Elem)
	case t.Kind == RecordType:
		return t.isSubclassOfAll(u)
	}
	return sameType(t, u)
}

// isSubclassOfAll reports whether t derives from each class of u.
func (t *Type) isSubclassOfAll(u *Type) bool {
	for _, want := range u.Classes {
		found := false
		for _, c := range t.Classes {
			if c == want || c.hasSuper(want) {
				found = true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// convertibleTo reports whether values of t can be turned into values of u.
func (t *Type) convertibleTo(u *Type) bool {
	switch t.Kind {
	case BitType:
		return u.Kind == BitType || u.Kind == IntType || u.Kind == BitsType && u.N == 1
	case BitsType:
		return u.Kind == BitsType && t.N == u.N || u.Kind == BitType && t.N == 1 || u.Kind == IntType
	case IntType:
		return u.Kind == BitType || u.Kind == BitsType || u.Kind == IntType
	case ListType:
		return u.Kind == ListType && t.Elem.convertibleTo(u.Elem)
	case RecordType:
		return u.Kind == RecordType && t.isSubclassOfAll(u)
	}
	return t.Kind == u.Kind
}

// commonType returns the most special type that both a and b are, nil when
// there is none; a nil operand (the type of ?) yields nil.
func commonType(a, b *Type) *Type {
	switch {
	case a == nil || b == nil:
		return nil
	case sameType(a, b):
		return a
	case a.Kind == RecordType && b.Kind == RecordType:
		return commonClasses(a, b)
	case a.convertibleTo(b):
		return b
	case b.convertibleTo(a):
		return a
	case a.Kind == ListType && b.Kind == ListType:
		if e := commonType(a.Elem, b.Elem); e != nil {
			return listOf(e)
		}
	}
	return nil
}

func commonClasses(a, b *Type) *Type {
	var out []*Record
	stack := append([]*Record(nil), a.Classes...)
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if b.isSubclassOfAll(&Type{Kind: RecordType, Classes: []*Record{c}}) {
			if !containsRecord(out, c) {
				out = append(out, c)
			}
		} else {
			stack = append(stack, c.directSupers()...)
		}
	}
	return recordTypeOf(out)
}

// recordTypeOf makes the record type of the classes, leaving out those that
// are superclasses of others.
func recordTypeOf(classes []*Record) *Type {
	if len(classes) == 1 {
		return classes[0].Type()
	}
	var kept []*Record
	for _, c := range classes {
		covered := false
		for _, d := range classes {
			if d != c && d.hasSuper(c) {
				covered = true
				break
			}
		}
		if !covered && !containsRecord(kept, c) {
			kept = append(kept, c)
		}
	}
	if len(kept) == 0 {
		return typeAnyRecord
	}
	// By name, so that the text of a type does not hang on the order of making.
	for i := 1; i < len(kept); i++ {
		for j := i; j > 0 && kept[j].Name < kept[j-1].Name; j-- {
			kept[j], kept[j-1] = kept[j-1], kept[j]
		}
	}
	return &Type{Kind: RecordType, Classes: kept}
}
