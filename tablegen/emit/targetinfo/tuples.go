package targetinfo

import (
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
)

// tupleMaker gives the function that makes the registers of a RegisterTuples
// definition: each like its first part but for the fields that say what it is.
func (b *builder) tupleMaker() func(*tablegen.Record) ([]*tablegen.Record, error) {
	defined := map[string]*tablegen.Record{}
	return func(def *tablegen.Record) ([]*tablegen.Record, error) {
		bad := func(field, format string, args ...any) ([]*tablegen.Record, error) {
			return nil, b.rs.ErrorAt(def.FieldLoc(field), fmt.Sprintf(format, args...))
		}
		dim := len(def.List("SubRegIndices"))
		lists := def.List("SubRegs")
		if dim != len(lists) {
			return bad("SubRegs", "tuples '%s' have %d lists of sub-registers and %d indices", def.Name, len(lists), dim)
		}
		if dim < 2 {
			return bad("SubRegs", "tuples '%s' must have at least 2 sub-registers", def.Name)
		}
		cols := make([][]*tablegen.Record, dim)
		for i, x := range lists {
			l, err := b.sets.Eval(x, def.FieldLoc("SubRegs"))
			if err != nil {
				return nil, err
			}
			cols[i] = l
		}
		n := len(cols[0])
		for _, c := range cols {
			n = min(n, len(c))
		}
		asm := def.List("RegAsmNames")
		if len(asm) > 0 && len(asm) < n {
			return bad("RegAsmNames", "tuples '%s' have %d names for %d registers", def.Name, len(asm), n)
		}
		out := make([]*tablegen.Record, 0, n)
		for k := range n {
			r, err := b.tuple(def, cols, k)
			if err != nil {
				return nil, err
			}
			if old := defined[r.Name]; old != nil || b.rs.Def(r.Name) != nil && b.rs.Def(r.Name).IsSubClassOf("Register") {
				return nil, &diag.Diagnostic{Msg: b.rs.ErrorAt(def.Loc, fmt.Sprintf("tuples '%s': register '%s' is already defined", def.Name, r.Name)).Error()}
			}
			defined[r.Name] = r
			if len(asm) > 0 {
				r.SetField("AsmName", asm[k])
			}
			out = append(out, r)
		}
		return out, nil
	}
}

// tuple makes tuple k of the columns.
func (b *builder) tuple(def *tablegen.Record, cols [][]*tablegen.Record, k int) (*tablegen.Record, error) {
	var name strings.Builder
	parts := make([]tablegen.Init, len(cols))
	for i, c := range cols {
		if !c[k].IsSubClassOf("Register") {
			return nil, b.rs.ErrorAt(def.FieldLoc("SubRegs"), fmt.Sprintf("'%s' in the tuples '%s' is no register", c[k].Name, def.Name))
		}
		if i > 0 {
			name.WriteByte('_')
		}
		name.WriteString(c[k].Name)
		parts[i] = c[k].DefInit()
	}
	proto := cols[0][k]
	r := b.rs.Copy(proto, name.String(), def.Loc)
	class := b.rs.Class("Register")
	for i := range r.Fields {
		f := &r.Fields[i]
		switch f.Name {
		case "SubRegs":
			f.Value = tablegen.NewList(class.Type(), parts)
		case "AsmName":
			f.Value = tablegen.NewString("")
		case "CoveredBySubRegs":
			f.Value = tablegen.NewBit(true)
		case "SubRegIndices", "CompositeIndices", "PositionOrder":
			if v := def.Value(f.Name); v != nil {
				f.Value = v
			}
		case "DwarfNumbers", "DwarfAlias", "Aliases":
			if v := class.Value(f.Name); v != nil {
				f.Value = v
			}
		}
	}
	return r, nil
}
