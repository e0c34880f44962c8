package searchable

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/gofile"
)

// Tables is all that a set of records declares.
type Tables struct {
	Enums  []*Enum
	Tables []*Table
}

// Enum is an enumeration.
type Enum struct {
	Name    string
	Prefix  string // of the names of constants
	Entries []EnumEntry
	rec     *tablegen.Record
	class   *tablegen.Record
	byRec   map[*tablegen.Record]int
}

// EnumEntry is one constant.
type EnumEntry struct {
	Name  string
	Value int64
	rec   *tablegen.Record
}

// Kind says how the cells of a field are typed, compared and written.
type Kind uint8

// The kinds of fields.
const (
	Bool   Kind = iota
	Bits        // an unsigned number
	String      // compared without regard to the case of ASCII letters
	Code        // a Go expression where a Go type is given, else a string
	Enumerated
	Instruction // the name of an instruction, or PREFIX + name
	Intrinsic   // LLVM's name of an intrinsic, or PREFIX + name
)

// Field is a column of a table.
type Field struct {
	Name   string
	Kind   Kind
	Width  int // of Bits
	Enum   *Enum
	GoType string // given in the table as GoType_NAME, else ""
	Prefix string // GoPrefix_NAME: written before the name of an instruction or intrinsic
}

// Cell is a value of a row. Num orders and stands for all kinds but strings and
// code; Text is the text of a string, of code, or a name.
type Cell struct {
	Num  uint64
	Text string
}

// Table is a table with its ways to search it.
type Table struct {
	Name    string
	RowType string
	Fields  []*Field
	Rows    [][]Cell
	Lookups []*Lookup // the primary key's first, then by name

	rec   *tablegen.Record
	class *tablegen.Record
}

// Lookup is a primary key or a search index.
type Lookup struct {
	Name     string
	Table    *Table
	Key      []int // indices into Table.Fields
	Primary  bool
	EarlyOut bool
	Range    bool
	Order    []int // rows in the order of the key; nil for the primary key: the rows are so

	loc tablegen.Loc
	rec *tablegen.Record
}

// collector reads the records. A fault ends the enumeration, table or index in
// which it is; the others are still checked.
type collector struct {
	rs     *tablegen.Records
	out    *Tables
	errs   diag.List
	enums  map[*tablegen.Record]*Enum
	tables map[*tablegen.Record]*Table
}

// Collect reads all searchable tables. The error is a diag.List.
func Collect(rs *tablegen.Records) (*Tables, error) {
	c := &collector{rs: rs, out: &Tables{}, enums: map[*tablegen.Record]*Enum{}, tables: map[*tablegen.Record]*Table{}}
	for _, r := range derived(rs, "GenericEnum") {
		c.enum(r)
	}
	for _, r := range derived(rs, "GenericTable") {
		c.table(r)
	}
	for _, r := range derived(rs, "SearchIndex") {
		c.index(r)
	}
	c.legacy()
	for _, t := range c.out.Tables {
		c.sort(t)
	}
	return c.out, c.errs.Err()
}

// derived lists the records of a class by name, the order of LLVM's tables.
func derived(rs *tablegen.Records, class string) []*tablegen.Record {
	l := slices.Clone(rs.DerivedFrom(class))
	slices.SortStableFunc(l, func(a, b *tablegen.Record) int { return cmp.Compare(a.Name, b.Name) })
	return l
}

func (c *collector) errorf(r *tablegen.Record, l tablegen.Loc, msg string) {
	c.errs = append(c.errs, c.rs.ErrorsAt(r, l, msg)...)
}

// class finds the FilterClass of r.
func (c *collector) class(r *tablegen.Record, what string) *tablegen.Record {
	name, ok := r.StringOK("FilterClass")
	if !ok {
		c.errorf(r, r.Loc, what+" '"+r.Name+"' has no FilterClass")
		return nil
	}
	cl := c.rs.Class(name)
	if cl == nil {
		c.errorf(r, r.FieldLoc("FilterClass"), what+" FilterClass '"+name+"' does not exist")
	}
	return cl
}

// text reads a string field of an entry.
func (c *collector) text(r *tablegen.Record, field string) (string, bool) {
	if !r.HasField(field) {
		c.errorf(r, r.Loc, "record '"+r.Name+"' does not have a field named '"+field+"'")
		return "", false
	}
	s, ok := r.StringOK(field)
	if !ok {
		c.errorf(r, r.FieldLoc(field), "record '"+r.Name+"', field '"+field+"' exists but does not have a string value")
	}
	return s, ok
}

func (c *collector) enum(r *tablegen.Record) {
	cl := c.class(r, "Enum")
	if cl == nil {
		return
	}
	e := &Enum{Name: r.Name, rec: r, class: cl}
	c.fillEnum(e, derived(c.rs, cl.Name), r.String("NameField"), r.String("ValueField"))
}

// fillEnum gives the enumeration its entries and adds it to the output.
func (c *collector) fillEnum(e *Enum, recs []*tablegen.Record, nameField, valueField string) {
	e.byRec = map[*tablegen.Record]int{}
	e.Prefix = e.Name + "_"
	if p, ok := e.rec.StringOK("GoPrefix"); ok {
		e.Prefix = p
	}
	for _, x := range recs {
		n := EnumEntry{Name: x.Name, rec: x}
		ok := true
		if nameField != "" {
			n.Name, ok = c.text(x, nameField)
		}
		if ok && valueField != "" {
			n.Value, ok = x.IntOK(valueField)
			switch {
			case ok:
			case !x.HasField(valueField):
				c.errorf(x, x.Loc, "record '"+x.Name+"' does not have a field named '"+valueField+"'")
			default:
				c.errorf(x, x.FieldLoc(valueField), "record '"+x.Name+"', field '"+valueField+"' has no integer value")
			}
		}
		if ok && !gofile.IsIdent(e.Prefix+n.Name) {
			c.errorf(x, x.Loc, "enum '"+e.Name+"': '"+e.Prefix+n.Name+"' is no Go identifier")
			ok = false
		}
		if !ok {
			return
		}
		e.Entries = append(e.Entries, n)
	}
	if valueField == "" {
		slices.SortStableFunc(e.Entries, func(a, b EnumEntry) int { return cmp.Compare(a.Name, b.Name) })
		for i := range e.Entries {
			e.Entries[i].Value = int64(i)
		}
	}
	for i := range e.Entries {
		e.byRec[e.Entries[i].rec] = i
	}
	c.enums[e.rec] = e
	c.out.Enums = append(c.out.Enums, e)
}

// entries lists the records of a table.
func (c *collector) entries(r, cl *tablegen.Record) ([]*tablegen.Record, bool) {
	recs := derived(c.rs, cl.Name)
	filter, ok := r.StringOK("FilterClassField")
	if !ok {
		return recs, true
	}
	k := slices.IndexFunc(cl.Fields, func(f tablegen.Field) bool { return f.Name == filter })
	if k < 0 {
		c.errorf(r, r.FieldLoc("FilterClassField"), "class '"+cl.Name+"' has no field '"+filter+"', the FilterClassField of table '"+r.Name+"'")
		return nil, false
	}
	if cl.Fields[k].Type.Kind != tablegen.BitType {
		c.errorf(r, cl.Fields[k].Loc, "FilterClassField '"+filter+"' should be a bit value")
		return nil, false
	}
	return slices.DeleteFunc(recs, func(x *tablegen.Record) bool { return !x.Bit(filter) }), true
}

func (c *collector) table(r *tablegen.Record) {
	cl := c.class(r, "Table")
	if cl == nil {
		return
	}
	if _, ok := r.ListOK("Fields"); !ok {
		c.errorf(r, r.FieldLoc("Fields"), "record '"+r.Name+"', field 'Fields' exists but does not have a list value")
		return
	}
	recs, ok := c.entries(r, cl)
	if !ok {
		return
	}
	t := &Table{Name: r.Name, RowType: r.String("CppTypeName"), rec: r, class: cl}
	if s, ok := r.StringOK("GoTypeName"); ok {
		t.RowType = s
	}
	t.RowType = strings.ReplaceAll(t.RowType, "::", "_")
	if len(recs) == 0 {
		c.errorf(r, r.FieldLoc("FilterClass"), "table '"+r.Name+"' has no entries")
		return
	}
	for _, x := range r.List("Fields") {
		name, _ := x.(*tablegen.StringInit)
		if name == nil {
			c.errorf(r, r.FieldLoc("Fields"), "an element of 'Fields' is not set")
			return
		}
		f := c.field(t, name.S, recs)
		if f == nil {
			return
		}
		t.Fields = append(t.Fields, f)
	}
	if !c.rows(t, recs) {
		return
	}
	c.tables[r] = t
	c.out.Tables = append(c.out.Tables, t)
	if key, ok := r.ListOK("PrimaryKey"); ok {
		name, ok := r.StringOK("PrimaryKeyName")
		if !ok {
			c.errorf(r, r.FieldLoc("PrimaryKeyName"), "record '"+r.Name+"', field 'PrimaryKeyName' exists but does not have a string value")
			return
		}
		c.lookup(t, &Lookup{Name: name, Primary: true, EarlyOut: r.Bit("PrimaryKeyEarlyOut"), Range: r.Bit("PrimaryKeyReturnRange"),
			loc: r.FieldLoc("PrimaryKey"), rec: r}, key)
	}
}

// field makes a column out of the type of the records' field and of what the
// table says about it.
func (c *collector) field(t *Table, name string, recs []*tablegen.Record) *Field {
	f := &Field{Name: name, GoType: t.rec.String("GoType_" + name), Prefix: t.rec.String("GoPrefix_" + name)}
	if !gofile.IsIdent(name) {
		c.errorf(t.rec, t.rec.FieldLoc("Fields"), "table '"+t.Name+"': '"+name+"' is no Go identifier")
		return nil
	}
	if x := t.rec.Value("TypeOf_" + name); x != nil {
		s, ok := x.(*tablegen.StringInit)
		switch {
		case ok && s.S == "code":
			f.Kind = Code
			return f
		case ok:
			if d := c.rs.Def(s.S); d != nil && c.enums[d] != nil {
				f.Kind, f.Enum = Enumerated, c.enums[d]
				return f
			}
		}
		c.errorf(t.rec, t.rec.FieldLoc("TypeOf_"+name), "table '"+t.Name+"' has invalid 'TypeOf_"+name+"': "+x.String()+
			"; it must be a string that names a GenericEnum, or \"code\"")
		return nil
	}
	// The type is that of the class, or of the first record where only a
	// subclass has the field.
	var ft *tablegen.Field
	for _, r := range append([]*tablegen.Record{t.class}, recs...) {
		if k := slices.IndexFunc(r.Fields, func(x tablegen.Field) bool { return x.Name == name }); k >= 0 {
			ft = &r.Fields[k]
			break
		}
	}
	if ft == nil {
		c.errorf(recs[0], recs[0].Loc, "record '"+recs[0].Name+"' does not have a field named '"+name+"'")
		return nil
	}
	bad := func(why string) *Field {
		c.errorf(t.rec, t.rec.FieldLoc("Fields"), "field '"+name+"' of table '"+t.Name+"' "+why)
		return nil
	}
	switch ty := ft.Type; ty.Kind {
	case tablegen.BitType:
		f.Kind = Bool
	case tablegen.BitsType:
		f.Kind, f.Width = Bits, ty.N
		if ty.N > 64 {
			return bad("has more than 64 bits")
		}
	case tablegen.StringType:
		f.Kind = String
		if s, ok := recs[0].Value(name).(*tablegen.StringInit); ok && s.Code {
			f.Kind = Code
		}
	case tablegen.RecordType:
		switch {
		case isClass(ty, "Intrinsic"):
			f.Kind = Intrinsic
		case isClass(ty, "Instruction"):
			f.Kind = Instruction
		default:
			return bad("has type " + ty.String() + ": where this class is a GenericEnum, 'TypeOf_" + name + "' must say so")
		}
	case tablegen.IntType:
		f.Kind, f.Width = Bits, -1
	default:
		return bad("has type " + ty.String() + "; expected: bit, bits, string, or code")
	}
	return f
}

func isClass(t *tablegen.Type, name string) bool {
	return slices.ContainsFunc(t.Classes, func(c *tablegen.Record) bool { return c.Name == name || c.IsSubClassOf(name) })
}

// rows reads the cells of all records.
func (c *collector) rows(t *Table, recs []*tablegen.Record) bool {
	for _, f := range t.Fields {
		if f.Width < 0 {
			c.errorf(t.rec, t.rec.FieldLoc("Fields"), "invalid field type for field '"+f.Name+"'; expected: bit, bits, string, or code")
			return false
		}
	}
	for _, r := range recs {
		row := make([]Cell, len(t.Fields))
		for k, f := range t.Fields {
			var ok bool
			if row[k], ok = c.cell(t, f, r); !ok {
				return false
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return true
}

func (c *collector) cell(t *Table, f *Field, r *tablegen.Record) (Cell, bool) {
	v := r.Value(f.Name)
	if v == nil {
		c.errorf(r, r.Loc, "record '"+r.Name+"' does not have a field named '"+f.Name+"'")
		return Cell{}, false
	}
	switch f.Kind {
	case Bool, Bits:
		if n, ok := tablegen.IntValue(v); ok {
			return Cell{Num: uint64(n)}, true
		}
	case String, Code:
		switch v := v.(type) {
		case *tablegen.StringInit:
			return Cell{Text: v.S}, true
		case *tablegen.IntInit, *tablegen.BitInit:
			if n, _ := tablegen.IntValue(v); f.Kind == Code {
				return Cell{Text: strconv.FormatInt(n, 10)}, true
			}
		}
	default:
		d, ok := v.(*tablegen.DefInit)
		if !ok {
			if _, ok := v.(*tablegen.UnsetInit); !ok && f.Kind == Enumerated {
				c.errorf(r, r.FieldLoc(f.Name), "field '"+f.Name+"' of table '"+t.Name+"' entry has incompatible type: "+v.Type().String()+" vs. "+f.Enum.class.Name)
				return Cell{}, false
			}
			break
		}
		switch f.Kind {
		case Enumerated:
			k, ok := f.Enum.byRec[d.Rec]
			if !ok {
				c.errorf(r, r.FieldLoc(f.Name), "field '"+f.Name+"' of table '"+t.Name+"' entry has incompatible type: '"+d.Rec.Name+"' is no entry of "+f.Enum.Name)
				return Cell{}, false
			}
			return Cell{Num: uint64(f.Enum.Entries[k].Value), Text: f.Enum.Entries[k].Name}, true
		case Instruction:
			// LLVM numbers pseudo instructions before the others.
			n := uint64(1)
			if d.Rec.Bit("isPseudo") {
				n = 0
			}
			return Cell{Num: n, Text: d.Rec.Name}, true
		case Intrinsic:
			name := d.Rec.String("LLVMName")
			if name == "" {
				name = "llvm." + strings.ReplaceAll(strings.TrimPrefix(d.Rec.Name, "int_"), "_", ".")
			}
			n := uint64(0)
			if d.Rec.String("TargetPrefix") != "" {
				n = 1
			}
			return Cell{Num: n, Text: name}, true
		}
	}
	c.errorf(r, r.Loc, "record '"+r.Name+"' for table '"+t.Name+"' is missing field '"+f.Name+"'")
	return Cell{}, false
}

func (c *collector) index(r *tablegen.Record) {
	d := r.DefField("Table")
	if d == nil {
		c.errorf(r, r.FieldLoc("Table"), "record '"+r.Name+"', field 'Table' does not have a def initializer")
		return
	}
	t := c.tables[d]
	if t == nil {
		if len(c.errs) == 0 {
			c.errorf(r, r.FieldLoc("Table"), "SearchIndex '"+r.Name+"' refers to nonexistent table '"+d.Name+"'")
		}
		return
	}
	key, ok := r.ListOK("Key")
	if !ok {
		c.errorf(r, r.FieldLoc("Key"), "record '"+r.Name+"', field 'Key' exists but does not have a list value")
		return
	}
	c.lookup(t, &Lookup{Name: r.Name, EarlyOut: r.Bit("EarlyOut"), loc: r.FieldLoc("Key"), rec: r}, key)
}

// lookup resolves the key of a lookup and adds it to its table.
func (c *collector) lookup(t *Table, l *Lookup, key []tablegen.Init) {
	bad := func(msg string) { c.errorf(l.rec, l.loc, msg) }
	l.Table = t
	if !gofile.IsIdent(l.Name) {
		bad("'" + l.Name + "' is no Go identifier")
		return
	}
	if len(key) == 0 {
		bad("lookup method '" + l.Name + "' of table '" + t.Name + "' has no key")
		return
	}
	for _, x := range key {
		s, _ := x.(*tablegen.StringInit)
		k := -1
		if s != nil {
			k = slices.IndexFunc(t.Fields, func(f *Field) bool { return f.Name == s.S })
		}
		if k < 0 {
			bad("in table '" + t.Name + "', 'PrimaryKey' or 'Key' refers to nonexistent field " + x.String())
			return
		}
		f := t.Fields[k]
		switch {
		case f.Kind == Code:
			bad("in table '" + t.Name + "' lookup method '" + l.Name + "', key field '" + f.Name + "' is code")
			return
		case f.Kind == String && l.Primary:
			bad("in table '" + t.Name + "', use a secondary lookup method for case-insensitive comparison of field '" + f.Name + "'")
			return
		case l.EarlyOut && len(l.Key) == 0 && f.Kind == String:
			bad("in lookup method '" + l.Name + "', early-out is not supported for a first key field of type string")
			return
		}
		if slices.Contains(l.Key, k) {
			bad("in table '" + t.Name + "' lookup method '" + l.Name + "' has the field '" + f.Name + "' twice")
			return
		}
		l.Key = append(l.Key, k)
	}
	t.Lookups = append(t.Lookups, l)
}
