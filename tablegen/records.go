package tablegen

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Loc is a place in one of the files that were read; the zero Loc is none.
type Loc struct{ file, off int32 }

// Records is the result of a parse: all classes and definitions.
type Records struct {
	classes   map[string]*Record
	classList []*Record
	defs      map[string]*Record
	defList   []*Record // in order of definition, anonymous ones included
	globals   map[string]Init
	files     []sourceFile
	anon      int
	nextID    int
	opts      Options
	ev        *evaluator
	findings  []finding
	derived   map[string][]*Record // answers of DerivedFrom after the parse
	lazyBusy  map[string]bool
}

// Record is a class or a definition.
type Record struct {
	Name string
	Loc  Loc
	// Superclasses are all superclasses, each after its own superclasses, in
	// the order in which they were inherited.
	Superclasses []*Record
	// Fields are in order of declaration; a class's template arguments are
	// in TemplateArgs instead.
	Fields []Field
	// TemplateArgs are the template arguments of a class.
	TemplateArgs []Field
	// ID numbers all records in the order in which they were begun.
	ID int

	records   *Records
	usedAt    []Loc // the defm statements that led to the record, inner first
	used      bool  // something refers to it
	forward   []Loc // earlier declarations of a class
	kind      recordKind
	nameInit  Init // unresolved name of a record in a multiclass or loop
	direct    []*Record
	index     map[string]int32 // field name to index, made when there are many fields
	superSet  map[*Record]bool // made when there are many superclasses
	typ       *Type
	def       *DefInit
	checks    []check
	anonymous bool
	// indexShared and superShared tell that index and superSet belong to
	// another record too and must be copied before a change.
	indexShared, superShared bool
}

type recordKind uint8

const (
	kindDef recordKind = iota
	kindClass
	kindMulticlass
)

// Field is one field of a record.
type Field struct {
	Name  string
	Type  *Type
	Value Init
	Loc   Loc
	// NonConcreteOK tells that the declaration said "field": unresolved and
	// unset bits in it are meant.
	NonConcreteOK bool

	used bool // of a template argument: something refers to it
}

// Def returns the definition of that name, nil if there is none. While the
// parse goes on it asks Options.LazyDef about unknown names.
func (rs *Records) Def(name string) *Record {
	if r := rs.defs[name]; r != nil {
		return r
	}
	return rs.lazyDef(name)
}

// Class returns the class of that name, nil if there is none.
func (rs *Records) Class(name string) *Record { return rs.classes[name] }

// Defs returns all definitions in order of definition.
func (rs *Records) Defs() []*Record { return rs.defList }

// Classes returns all classes in order of definition.
func (rs *Records) Classes() []*Record { return rs.classList }

// Global returns the value of a defset or a top-level defvar.
func (rs *Records) Global(name string) (Init, bool) {
	v, ok := rs.globals[name]
	return v, ok
}

// DerivedFrom returns the definitions that derive from the class, in order of
// definition. It must not be called before the parse has ended.
func (rs *Records) DerivedFrom(class string) []*Record {
	if l, ok := rs.derived[class]; ok {
		return l
	}
	var l []*Record
	if c := rs.classes[class]; c != nil {
		for _, d := range rs.defList {
			if d.hasSuper(c) {
				l = append(l, d)
			}
		}
	}
	if rs.derived == nil {
		rs.derived = map[string][]*Record{}
	}
	rs.derived[class] = l
	return l
}

// IsClass reports whether r is a class.
func (r *Record) IsClass() bool { return r.kind == kindClass }

// IsAnonymous reports whether r was not given a name.
func (r *Record) IsAnonymous() bool { return r.anonymous }

// Type returns the type of references to r: r itself for a class, the direct
// superclasses for a definition.
func (r *Record) Type() *Type {
	if r.typ == nil {
		if r.kind == kindClass {
			r.typ = &Type{Kind: RecordType, Classes: []*Record{r}}
		} else {
			r.typ = recordTypeOf(r.direct)
		}
	}
	return r.typ
}

// DefInit returns the value that refers to r.
func (r *Record) DefInit() *DefInit {
	if r.def == nil {
		r.def = &DefInit{r}
	}
	return r.def
}

// IsSubClassOf reports whether r derives from the class of that name.
func (r *Record) IsSubClassOf(name string) bool {
	c := r.records.classes[name]
	return c != nil && r.hasSuper(c)
}

func (r *Record) hasSuper(c *Record) bool {
	if r.superSet != nil {
		return r.superSet[c]
	}
	return containsRecord(r.Superclasses, c)
}

func (r *Record) directSupers() []*Record { return r.direct }

// addSuper appends one superclass to the list of all.
func (r *Record) addSuper(c *Record, direct bool) {
	r.Superclasses = append(r.Superclasses, c)
	if direct {
		r.direct = append(r.direct, c)
	}
	switch {
	case r.superSet != nil:
		if r.superShared {
			r.superSet, r.superShared = maps.Clone(r.superSet), false
		}
		r.superSet[c] = true
	case len(r.Superclasses) > 24:
		r.superSet, r.superShared = make(map[*Record]bool, 64), false
		for _, s := range r.Superclasses {
			r.superSet[s] = true
		}
	}
	r.typ = nil
}

// field returns the field of that name, nil if there is none.
func (r *Record) field(name string) *Field {
	if r.index != nil {
		if i, ok := r.index[name]; ok {
			return &r.Fields[i]
		}
		return nil
	}
	for i := range r.Fields {
		if r.Fields[i].Name == name {
			return &r.Fields[i]
		}
	}
	return nil
}

func (r *Record) addField(f Field) {
	if r.index != nil {
		if r.indexShared {
			r.index, r.indexShared = maps.Clone(r.index), false
		}
		r.index[f.Name] = int32(len(r.Fields))
	}
	r.Fields = append(r.Fields, f)
	if r.index == nil && len(r.Fields) > 12 {
		r.index, r.indexShared = make(map[string]int32, 2*len(r.Fields)), false
		for i := range r.Fields {
			r.index[r.Fields[i].Name] = int32(i)
		}
	}
}

// templateArg returns the template argument of that full name ("Class:arg").
func (r *Record) templateArg(name string) *Field {
	for i := range r.TemplateArgs {
		if r.TemplateArgs[i].Name == name {
			return &r.TemplateArgs[i]
		}
	}
	return nil
}

// Value returns the value of a field, nil if there is no such field.
func (r *Record) Value(field string) Init {
	if f := r.field(field); f != nil {
		return f.Value
	}
	return nil
}

// HasField reports whether r has the field.
func (r *Record) HasField(field string) bool { return r.field(field) != nil }

// StringOK returns the value of a string field; false where it is missing,
// unset or no string.
func (r *Record) StringOK(field string) (string, bool) {
	if s, ok := r.Value(field).(*StringInit); ok {
		return s.S, true
	}
	return "", false
}

// String returns the value of a string field, "" where there is none.
func (r *Record) String(field string) string { s, _ := r.StringOK(field); return s }

// IntOK returns the value of an int, bit or complete bits field.
func (r *Record) IntOK(field string) (int64, bool) {
	return IntValue(r.Value(field))
}

// Int returns the value of an int, bit or bits field, 0 where there is none.
func (r *Record) Int(field string) int64 { v, _ := r.IntOK(field); return v }

// BitOK returns the value of a bit field.
func (r *Record) BitOK(field string) (bool, bool) {
	v, ok := r.IntOK(field)
	return v != 0, ok
}

// Bit returns the value of a bit field, false where there is none.
func (r *Record) Bit(field string) bool { v, _ := r.BitOK(field); return v }

// Bits returns the value of a bits field, nil where there is none.
func (r *Record) Bits(field string) *BitsInit { b, _ := r.Value(field).(*BitsInit); return b }

// ListOK returns the elements of a list field.
func (r *Record) ListOK(field string) ([]Init, bool) {
	if l, ok := r.Value(field).(*ListInit); ok {
		return l.Elems, true
	}
	return nil, false
}

// List returns the elements of a list field, nil where there is none.
func (r *Record) List(field string) []Init { l, _ := r.ListOK(field); return l }

// DefList returns the records that a list field refers to.
func (r *Record) DefList(field string) []*Record {
	var out []*Record
	for _, x := range r.List(field) {
		if d, ok := x.(*DefInit); ok {
			out = append(out, d.Rec)
		}
	}
	return out
}

// Dag returns the value of a dag field, nil where there is none.
func (r *Record) Dag(field string) *DagInit { d, _ := r.Value(field).(*DagInit); return d }

// DefField returns the record that a field refers to, nil where there is none.
func (r *Record) DefField(field string) *Record {
	if d, ok := r.Value(field).(*DefInit); ok {
		return d.Rec
	}
	return nil
}

// IntValue returns the value of an int, a bit, or bits that are all known.
func IntValue(x Init) (int64, bool) {
	switch x := x.(type) {
	case *IntInit:
		return x.V, true
	case *BitInit:
		if x.V {
			return 1, true
		}
		return 0, true
	case *BitsInit:
		var v uint64
		for i, b := range x.Bits {
			k, ok := b.(*BitInit)
			if !ok {
				return 0, false
			}
			if k.V && i < 64 {
				v |= 1 << i
			}
		}
		return int64(v), true
	}
	return 0, false
}

// sortedByName returns the records in order of their names' bytes.
func sortedByName(l []*Record) []*Record {
	l = slices.Clone(l)
	slices.SortFunc(l, func(a, b *Record) int { return strings.Compare(a.Name, b.Name) })
	return l
}

// DerivedSorted is DerivedFrom in the order in which LLVM's emitters and
// !instances see records: by name, numbers in names by their value.
func (rs *Records) DerivedSorted(class string) []*Record {
	l := slices.Clone(rs.DerivedFrom(class))
	SortByName(l)
	return l
}

// SortByName sorts records by name with CompareNames.
func SortByName(l []*Record) {
	slices.SortStableFunc(l, func(a, b *Record) int { return CompareNames(a.Name, b.Name) })
}

// CompareNames compares two names byte by byte, except that of two runs of
// digits the longer is the larger.
func CompareNames(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) {
		if !isDigit(a[i]) || !isDigit(b[i]) {
			if a[i] != b[i] {
				return cmp.Compare(a[i], b[i])
			}
			i++
			continue
		}
		j, k := i, i
		for j < len(a) && isDigit(a[j]) {
			j++
		}
		for k < len(b) && isDigit(b[k]) {
			k++
		}
		if j != k {
			return cmp.Compare(j, k)
		}
		if c := strings.Compare(a[i:j], b[i:j]); c != 0 {
			return c
		}
		i = j
	}
	return cmp.Compare(len(a), len(b))
}
