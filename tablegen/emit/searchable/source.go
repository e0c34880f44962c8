package searchable

import (
	"math"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/gofile"
)

// AppendGo appends the tables as a Go file of package pkg. Names that Go cannot
// declare twice are errors with a place.
func AppendGo(b []byte, rs *tablegen.Records, t *Tables, pkg string) ([]byte, error) {
	w := &writer{File: gofile.New("gen-go-searchable-tables", pkg), rs: rs, declared: map[string]string{}, rowTypes: map[string]*Table{}}
	for _, e := range t.Enums {
		w.enum(e)
	}
	for _, x := range t.Tables {
		w.table(x)
	}
	if w.fold {
		w.Printf("%s", foldSource)
	}
	if err := w.errs.Err(); err != nil {
		return b, err
	}
	return w.AppendTo(b)
}

// foldSource compares as LLVM does: ASCII letters in upper case, then bytes.
const foldSource = `
// compareFold orders strings without regard to the case of ASCII letters.
func compareFold(a, b string) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		x, y := a[i], b[i]
		if 'a' <= x && x <= 'z' {
			x -= 'a' - 'A'
		}
		if 'a' <= y && y <= 'z' {
			y -= 'a' - 'A'
		}
		if x != y {
			return int(x) - int(y)
		}
	}
	return len(a) - len(b)
}
`

type writer struct {
	*gofile.File
	rs       *tablegen.Records
	errs     diag.List
	declared map[string]string // names at the top level and what they are
	rowTypes map[string]*Table
	fold     bool
}

// declare notes a name at the top level; false after an error.
func (w *writer) declare(r *tablegen.Record, name, what string) bool {
	if old, ok := w.declared[name]; ok {
		w.errs = append(w.errs, w.rs.ErrorsAt(r, r.Loc, what+" would declare '"+name+"' again, which is "+old)...)
		return false
	}
	w.declared[name] = what
	return true
}

func (w *writer) enum(e *Enum) {
	lo, hi := int64(0), int64(0)
	for _, x := range e.Entries {
		lo, hi = min(lo, x.Value), max(hi, x.Value)
	}
	if !w.declare(e.rec, e.Name, "enum '"+e.Name+"'") {
		return
	}
	base := uintType(uint64(hi))
	if lo < 0 {
		base = "int64"
		if lo >= math.MinInt32 && hi <= math.MaxInt32 {
			base = "int32"
		}
	}
	w.Printf("\n// %s enumerates the records of class %s.\ntype %s %s\n", e.Name, e.class.Name, e.Name, base)
	if len(e.Entries) == 0 {
		return
	}
	w.Printf("\n// The values of %s.\nconst (\n", e.Name)
	for _, x := range e.Entries {
		if w.declare(x.rec, e.Prefix+x.Name, "an entry of enum '"+e.Name+"'") {
			w.Printf("\t%s%s %s = %d\n", e.Prefix, x.Name, e.Name, x.Value)
		}
	}
	w.Printf(")\n")
}

// uintType is the smallest type for numbers up to v.
func uintType(v uint64) string {
	switch {
	case v < 1<<8:
		return "uint8"
	case v < 1<<16:
		return "uint16"
	case v < 1<<32:
		return "uint32"
	}
	return "uint64"
}

// goType is the type of a field.
func (f *Field) goType() string {
	switch {
	case f.Kind == Bool:
		return "bool"
	case f.Kind == Bits:
		return uintType(1<<min(f.Width, 63) - 1 | uint64(f.Width>>6)<<63)
	case f.Kind == Enumerated:
		return f.Enum.Name
	case f.GoType != "":
		return f.GoType
	}
	return "string"
}

// literal is a cell as a Go expression.
func (f *Field) literal(c Cell) string {
	switch f.Kind {
	case Bool:
		return strconv.FormatBool(c.Num != 0)
	case Bits:
		return "0x" + strconv.FormatUint(c.Num, 16)
	case Enumerated:
		return f.Enum.Prefix + c.Text
	case Code:
		if f.GoType != "" {
			return strings.TrimSpace(c.Text)
		}
	case Instruction, Intrinsic:
		if f.GoType != "" {
			return f.Prefix + strings.NewReplacer(".", "_").Replace(strings.TrimPrefix(c.Text, "llvm."))
		}
	}
	return strconv.Quote(c.Text)
}

func (w *writer) table(t *Table) {
	what := "table '" + t.Name + "'"
	if !gofile.IsIdent(t.RowType) {
		w.errs = append(w.errs, w.rs.ErrorsAt(t.rec, t.rec.Loc, what+": '"+t.RowType+"' is no Go type; set GoTypeName")...)
		return
	}
	if same := w.rowTypes[t.RowType]; same == nil {
		if !w.declare(t.rec, t.RowType, "the row type of "+what) {
			return
		}
		w.rowTypes[t.RowType] = t
		w.Printf("\n// %s is a row of %s.\ntype %s struct {\n", t.RowType, t.Name, t.RowType)
		for _, f := range t.Fields {
			w.Printf("\t%s %s\n", f.Name, f.goType())
		}
		w.Printf("}\n")
	} else if !sameRow(same, t) {
		w.errs = append(w.errs, w.rs.ErrorsAt(t.rec, t.rec.FieldLoc("Fields"), what+" has other fields than '"+same.Name+"' but the same row type '"+t.RowType+"'")...)
		return
	}
	if !w.declare(t.rec, t.Name, what) {
		return
	}
	order := "in order of all fields"
	for _, l := range t.Lookups {
		if l.Primary {
			order = "in the order of " + l.Name
		}
	}
	w.Printf("\n// %s has the records of class %s, %s.\nvar %s = [...]%s{\n", t.Name, t.class.Name, order, t.Name, t.RowType)
	for i, row := range t.Rows {
		w.Printf("\t{")
		for k, f := range t.Fields {
			if k > 0 {
				w.Printf(", ")
			}
			w.Printf("%s", f.literal(row[k]))
		}
		w.Printf("}, // %d\n", i)
	}
	w.Printf("}\n")
	for _, l := range t.Lookups {
		w.lookup(l)
	}
}

func sameRow(a, b *Table) bool {
	if len(a.Fields) != len(b.Fields) {
		return false
	}
	for i, f := range a.Fields {
		if f.Name != b.Fields[i].Name || f.goType() != b.Fields[i].goType() {
			return false
		}
	}
	return true
}

// lookup writes the index of a lookup and its function.
func (w *writer) lookup(l *Lookup) {
	t := l.Table
	if !w.declare(l.rec, l.Name, "a lookup of table '"+t.Name+"'") {
		return
	}
	row := func(i string) string { return t.Name + "[" + i + "]" }
	if !l.Primary {
		index := l.Name + "Index"
		if !w.declare(l.rec, index, "the index of '"+l.Name+"'") {
			return
		}
		w.Printf("\nvar %s = [...]%s{", index, uintType(uint64(len(t.Rows)-1)))
		for i, r := range l.Order {
			if i%16 == 0 {
				w.Printf("\n\t")
			}
			w.Printf("%d, ", r)
		}
		w.Printf("\n}\n")
		row = func(i string) string { return t.Name + "[" + index + "[" + i + "]]" }
	}
	var names, params []string
	for _, k := range l.Key {
		f := t.Fields[k]
		n := f.Name + "Key"
		names = append(names, f.Name)
		params = append(params, n+" "+f.goType())
	}
	result := "*" + t.RowType
	if l.Range {
		result = "[]" + t.RowType
		w.Printf("\n// %s returns the rows of %s with this %s.\n", l.Name, t.Name, strings.Join(names, ", "))
	} else {
		w.Printf("\n// %s returns the first row of %s with this %s, nil if there is none.\n", l.Name, t.Name, strings.Join(names, ", "))
	}
	w.Printf("func %s(%s) %s {\n", l.Name, strings.Join(params, ", "), result)
	if first, ok := l.dense(); ok {
		w.bounds(l)
		f := t.Fields[l.Key[0]]
		i := f.Name + "Key - " + strconv.FormatInt(int64(first), 10)
		if f.Kind == Bits {
			i = f.Name + "Key - 0x" + strconv.FormatUint(first, 16)
		}
		if first == 0 {
			i = f.Name + "Key"
		}
		w.Printf("\treturn &%s\n}\n", row(i))
		return
	}
	if l.EarlyOut {
		w.bounds(l)
	}
	w.Printf("\tlo, hi := 0, len(%s)\n\tfor lo < hi {\n\t\tm := int(uint(lo+hi) >> 1)\n\t\tr := &%s\n", t.Name, row("m"))
	w.Printf("\t\tif %s {\n\t\t\tlo = m + 1\n\t\t} else {\n\t\t\thi = m\n\t\t}\n\t}\n", w.less(l, l.Key))
	if l.Range {
		w.Printf("\tfor hi < len(%s) {\n\t\tr := &%s\n\t\tif !(%s) {\n\t\t\tbreak\n\t\t}\n\t\thi++\n\t}\n\treturn %s[lo:hi]\n}\n", t.Name, row("hi"), w.equal(l), t.Name)
		return
	}
	w.Printf("\tif lo < len(%s) {\n\t\tif r := &%s; %s {\n\t\t\treturn r\n\t\t}\n\t}\n\treturn nil\n}\n", t.Name, row("lo"), w.equal(l))
}

// less is the condition that row r comes before the key.
func (w *writer) less(l *Lookup, key []int) string {
	f := l.Table.Fields[key[0]]
	a, b := "r."+f.Name, f.Name+"Key"
	var less, same string
	switch f.Kind {
	case Bool:
		less, same = "!"+a+" && "+b, a+" == "+b
	case String:
		w.fold = true
		less, same = "compareFold("+a+", "+b+") < 0", "compareFold("+a+", "+b+") == 0"
	default:
		less, same = a+" < "+b, a+" == "+b
	}
	if len(key) == 1 {
		return less
	}
	return less + " || " + same + " && (" + w.less(l, key[1:]) + ")"
}

// equal is the condition that row r has the key.
func (w *writer) equal(l *Lookup) string {
	var out []string
	for _, k := range l.Key {
		f := l.Table.Fields[k]
		if f.Kind == String {
			w.fold = true
			out = append(out, "compareFold(r."+f.Name+", "+f.Name+"Key) == 0")
		} else {
			out = append(out, "r."+f.Name+" == "+f.Name+"Key")
		}
	}
	return strings.Join(out, " && ")
}

// bounds writes the test that the first part of the key lies between the least
// and the greatest there are; comparisons that always hold are left out.
func (w *writer) bounds(l *Lookup) {
	f := l.Table.Fields[l.Key[0]]
	lo, hi := l.row(0)[l.Key[0]], l.row(len(l.Table.Rows) - 1)[l.Key[0]]
	key := f.Name + "Key"
	var out []string
	switch f.Kind {
	case Bool:
		if lo.Num != hi.Num {
			return
		}
		out = append(out, key+" != "+f.literal(lo))
	case Bits:
		if lo.Num > 0 {
			out = append(out, key+" < "+f.literal(lo))
		}
		if width, _ := strconv.Atoi(f.goType()[len("uint"):]); hi.Num != math.MaxUint64>>(64-width) {
			out = append(out, key+" > "+f.literal(hi))
		}
	default:
		if f.Kind != Enumerated || lo.Num != 0 || hasNegative(f.Enum) {
			out = append(out, key+" < "+f.literal(lo))
		}
		out = append(out, key+" > "+f.literal(hi))
	}
	if len(out) > 0 {
		w.Printf("\tif %s {\n\t\treturn nil\n\t}\n", strings.Join(out, " || "))
	}
}

func hasNegative(e *Enum) bool {
	for _, x := range e.Entries {
		if x.Value < 0 {
			return true
		}
	}
	return false
}
