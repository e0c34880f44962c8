package searchable

import (
	"slices"

	"github.com/mirin-go/mirin/tablegen"
)

// legacy makes an enumeration CLASSValues, a table CLASSsList and functions
// lookupCLASSByFIELD out of each class right below SearchableTable.
func (c *collector) legacy() {
	base := c.rs.Class("SearchableTable")
	if base == nil {
		return
	}
	for _, cl := range c.rs.Classes() {
		if n := len(cl.Superclasses); n != 1 || cl.Superclasses[0] != base {
			continue
		}
		recs := derived(c.rs, cl.Name)
		if len(recs) == 0 {
			continue
		}
		if valueField, ok := cl.StringOK("EnumValueField"); ok || cl.String("EnumNameField") != "" {
			if name, named := cl.StringOK("EnumNameField"); named {
				c.fillEnum(&Enum{Name: cl.Name + "Values", rec: cl, class: cl}, recs, name, valueField)
			}
		}
		t := &Table{Name: cl.Name + "sList", RowType: cl.Name, rec: cl, class: cl}
		ok := true
		for i := range cl.Fields {
			name := cl.Fields[i].Name
			if base.HasField(name) || !ok {
				continue
			}
			f := c.field(t, name, recs)
			if ok = f != nil; ok {
				t.Fields = append(t.Fields, f)
			}
		}
		if !ok || !c.rows(t, recs) {
			continue
		}
		c.out.Tables = append(c.out.Tables, t)
		for _, x := range cl.List("SearchableFields") {
			s, _ := x.(*tablegen.StringInit)
			if s == nil {
				continue
			}
			k := slices.IndexFunc(t.Fields, func(f *Field) bool { return f.Name == s.S })
			early := k >= 0 && t.Fields[k].Kind != String
			c.lookup(t, &Lookup{Name: "lookup" + cl.Name + "By" + s.S, EarlyOut: early, loc: cl.FieldLoc("SearchableFields"), rec: cl}, []tablegen.Init{x})
		}
	}
}
