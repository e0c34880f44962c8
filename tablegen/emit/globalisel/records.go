package globalisel

import (
	"errors"
	"fmt"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/include"
)

// FromFile makes the table of a target out of its .td file. read gives the
// file and what it includes; mirin/Selection.td and the target's facts are built in.
func FromFile(facts *desc.Info, file string, read func(path string) ([]byte, error)) (*Result, error) {
	rs, err := include.ParseFile(facts, file, read)
	if err != nil {
		return nil, err
	}
	return FromRecords(facts, rs)
}

// FromRecords makes the table of a target out of its records.
func FromRecords(facts *desc.Info, rs *tablegen.Records) (*Result, error) {
	c := &converter{rs: rs, defs: map[*tablegen.Record]*Def{}}
	infos := rs.DerivedFrom("SelectionInfo")
	if len(infos) != 1 {
		return nil, fmt.Errorf("%d records of class SelectionInfo, one is needed", len(infos))
	}
	g := &Generator{Facts: facts}
	g.Configure(c.def(infos[0]))
	src := &Source{}
	for _, r := range rs.DerivedFrom("Pattern") {
		src.Patterns = append(src.Patterns, c.def(r))
	}
	if c.err != nil {
		return nil, c.err
	}
	if len(src.Patterns) == 0 {
		return nil, errors.New("no patterns")
	}
	return g.Generate(src)
}

// converter turns records into the generator's own types.
type converter struct {
	rs   *tablegen.Records
	defs map[*tablegen.Record]*Def
	err  error
}

func (c *converter) def(r *tablegen.Record) *Def {
	if d := c.defs[r]; d != nil {
		return d
	}
	d := &Def{Name: r.Name, Fields: map[string]Value{}, Pos: PosOf(c.rs, r)}
	c.defs[r] = d
	for _, s := range r.Superclasses {
		d.Classes = append(d.Classes, s.Name)
	}
	for i := range r.Fields {
		d.Fields[r.Fields[i].Name] = c.value(r.Fields[i].Value)
	}
	return d
}

func (c *converter) value(x tablegen.Init) Value {
	switch x := x.(type) {
	case *tablegen.StringInit:
		return x.S
	case *tablegen.DefInit:
		return c.def(x.Rec)
	case *tablegen.ListInit:
		out := make([]Value, 0, len(x.Elems))
		for _, e := range x.Elems {
			out = append(out, c.value(e))
		}
		return out
	case *tablegen.DagInit:
		op, ok := x.Op.(*tablegen.DefInit)
		if !ok {
			c.err = fmt.Errorf("the operator of %s is no record", x)
			return nil
		}
		d := &Dag{Op: c.def(op.Rec)}
		for i, a := range x.Args {
			d.Args = append(d.Args, c.value(a))
			d.Names = append(d.Names, x.ArgNames[i])
		}
		return d
	}
	if v, ok := tablegen.IntValue(x); ok {
		return v
	}
	return nil
}
