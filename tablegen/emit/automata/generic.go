package automata

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/support/automaton"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/gofile"
)

// Automaton is a GenericAutomaton.
type Automaton struct {
	Name    string
	Fields  []Field
	Symbols [][]string // Go expressions of the fields, by symbol
	Table   *automaton.Table
}

// Field is a part of an action.
type Field struct {
	Name, Type string // Type is a Go type
}

// reader collects errors.
type reader struct {
	rs   *tablegen.Records
	errs diag.List
}

func (r *reader) errorf(rec *tablegen.Record, l tablegen.Loc, msg string) {
	r.errs = append(r.errs, r.rs.ErrorsAt(rec, l, msg)...)
}

// derived lists records by name, as LLVM orders them.
func (r *reader) derived(class string) []*tablegen.Record {
	l := slices.Clone(r.rs.DerivedFrom(class))
	slices.SortStableFunc(l, func(a, b *tablegen.Record) int { return cmp.Compare(a.Name, b.Name) })
	return l
}

// Generic makes all automata that GenericAutomaton records describe. The error
// is a diag.List.
func Generic(rs *tablegen.Records) ([]*Automaton, error) {
	r := &reader{rs: rs}
	var out []*Automaton
	for _, rec := range r.derived("GenericAutomaton") {
		if a := r.generic(rec); a != nil {
			out = append(out, a)
		}
	}
	return out, r.errs.Err()
}

// generic reads one automaton; nil after an error.
func (r *reader) generic(rec *tablegen.Record) *Automaton {
	name, ok := rec.StringOK("TransitionClass")
	if !ok {
		r.errorf(rec, rec.FieldLoc("TransitionClass"), "record '"+rec.Name+"', field 'TransitionClass' exists but does not have a string value")
		return nil
	}
	if r.rs.Class(name) == nil {
		r.errorf(rec, rec.FieldLoc("TransitionClass"), "the class '"+name+"' is not defined")
		return nil
	}
	a := &Automaton{Name: rec.Name}
	list, ok := rec.ListOK("SymbolFields")
	if !ok || len(list) == 0 {
		r.errorf(rec, rec.FieldLoc("SymbolFields"), "SymbolFields of '"+rec.Name+"' must name the fields of an action")
		return nil
	}
	for _, x := range list {
		s, _ := x.(*tablegen.StringInit)
		if s == nil || !gofile.IsIdent(s.S) {
			r.errorf(rec, rec.FieldLoc("SymbolFields"), x.String()+" is no name of a field in Go")
			return nil
		}
		a.Fields = append(a.Fields, Field{Name: s.S, Type: rec.String("TypeOf_" + s.S)})
	}
	number := map[string]int{}
	var choices [][]uint64
	trans := r.derived(name)
	if len(trans) == 0 {
		r.errorf(rec, rec.FieldLoc("TransitionClass"), "there is no transition: class '"+name+"' has no records")
		return nil
	}
	for _, t := range trans {
		mask, ok := t.IntOK("NewState")
		if !ok {
			r.errorf(t, t.Loc, "transition '"+t.Name+"' has no NewState")
			return nil
		}
		symbol, ok := r.symbol(rec, a, t)
		if !ok {
			return nil
		}
		k := ""
		for _, s := range symbol {
			k += strconv.Itoa(len(s)) + ":" + s
		}
		n, ok := number[k]
		if !ok {
			n = len(choices)
			number[k] = n
			choices = append(choices, nil)
			a.Symbols = append(a.Symbols, symbol)
		}
		if c := uint64(mask); !slices.Contains(choices[n], c) {
			choices[n] = append(choices[n], c)
		}
	}
	t, err := Determinize(choices)
	if err != nil {
		r.errorf(rec, rec.Loc, "'"+rec.Name+"': "+err.Error())
		return nil
	}
	a.Table = t
	return a
}

// symbol reads the action of a transition and settles the Go types of fields.
func (r *reader) symbol(rec *tablegen.Record, a *Automaton, t *tablegen.Record) ([]string, bool) {
	var out []string
	for i := range a.Fields {
		f := &a.Fields[i]
		x := t.Value(f.Name)
		if x == nil {
			r.errorf(t, t.Loc, "transition '"+t.Name+"' has no field '"+f.Name+"', which SymbolFields of '"+rec.Name+"' names")
			return nil, false
		}
		text, typ := "", ""
		switch x := x.(type) {
		case *tablegen.IntInit, *tablegen.BitInit, *tablegen.BitsInit:
			v, ok := tablegen.IntValue(x)
			if !ok {
				r.errorf(t, t.FieldLoc(f.Name), "field '"+f.Name+"' of transition '"+t.Name+"' has bits that are not set")
				return nil, false
			}
			text, typ = strconv.FormatInt(v, 10), "int64"
		case *tablegen.StringInit:
			text, typ = x.S, "string"
		case *tablegen.DefInit:
			text, typ = x.Rec.Name, "string"
		default:
			r.errorf(t, t.FieldLoc(f.Name), "field '"+f.Name+"' of transition '"+t.Name+"' must be a record, a number or a string")
			return nil, false
		}
		// With a type that is given texts and names are Go expressions.
		if given := rec.String("TypeOf_" + f.Name); given != "" {
			typ = given
		} else if typ == "string" {
			text = strconv.Quote(text)
		}
		if f.Type != "" && f.Type != typ {
			r.errorf(t, t.FieldLoc(f.Name), "field '"+f.Name+"' of transition '"+t.Name+"' is a "+typ+", elsewhere a "+f.Type)
			return nil, false
		}
		f.Type = typ
		out = append(out, text)
	}
	return out, true
}
