package globalisel

import (
	"fmt"

	"github.com/mirin-go/mirin/tablegen"
)

// The generator reads records through these few types, so that it depends on
// the language's record types in one place (records.go) and tests can make
// patterns by hand.

// Value is int64, string, *Def, *Dag, []Value, or nil for an unset one.
type Value any

// Pos is a place in a .td file: line and column from 1, and the line's text.
type Pos struct {
	File      string
	Line, Col int
	Source    string
}

// PosOf is the place of a record.
func PosOf(rs *tablegen.Records, r *tablegen.Record) Pos {
	d := rs.ErrorAt(r.Loc, "")
	return Pos{d.File, d.Line, d.Col, d.Source}
}

// String gives file:line.
func (p Pos) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Def is a record: its name, all its classes, its fields.
type Def struct {
	Name    string
	Classes []string
	Fields  map[string]Value
	Pos     Pos
}

// Is reports whether the record derives from a class.
func (d *Def) Is(class string) bool {
	for _, c := range d.Classes {
		if c == class {
			return true
		}
	}
	return false
}

// Str returns a string field, "" when unset.
func (d *Def) Str(name string) string {
	s, _ := d.Fields[name].(string)
	return s
}

// Int returns an integer (or bit) field, def when unset.
func (d *Def) Int(name string, def int64) int64 {
	if v, ok := d.Fields[name].(int64); ok {
		return v
	}
	return def
}

// List returns a list field.
func (d *Def) List(name string) []Value {
	l, _ := d.Fields[name].([]Value)
	return l
}

// Dag returns a dag field.
func (d *Def) Dag(name string) *Dag {
	x, _ := d.Fields[name].(*Dag)
	return x
}

// Strs returns a list of strings.
func (d *Def) Strs(name string) []string {
	var out []string
	for _, v := range d.List(name) {
		s, _ := v.(string)
		out = append(out, s)
	}
	return out
}

// Dag is an operator with named arguments.
type Dag struct {
	Op    *Def
	Args  []Value
	Names []string // "" for none
}

// Source is all that the generator reads.
type Source struct {
	// Patterns are the records of class Pattern in source order.
	Patterns []*Def
}
