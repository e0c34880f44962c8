package globalisel

import (
	"fmt"

	"github.com/mirin-go/mirin/ir"
)

// callAttrs remembers the lists of attributes that ask nothing of calls: modules
// have many calls and few lists.
type callAttrs struct {
	of           *ir.AttrTable
	site, callee []bool // by AttrListID
}

// seen reports whether a list was looked at before, and remembers it.
func seen(lists *[]bool, id ir.AttrListID) bool {
	for int(id) >= len(*lists) {
		*lists = append(*lists, false)
	}
	was := (*lists)[id]
	(*lists)[id] = true
	return was
}

// reset forgets the lists of another module.
func (a *callAttrs) reset(t *ir.AttrTable) {
	if a.of != t {
		*a = callAttrs{of: t, site: a.site[:0], callee: a.callee[:0]}
	}
}

// checkCall refuses what the attributes and operand bundles of a call ask for and nobody does.
func (t *translator) checkCall(i ir.InstrID) {
	in := t.fn.Instr(i)
	if in.Extra != 0 {
		for _, bu := range t.fn.Extras[in.Extra].Bundles {
			if r := t.st.Target.RefusedBundle(bu.Tag); r != nil {
				t.fail(r.String())
				return
			}
		}
	}
	id := in.Attrs
	if id == 0 {
		return
	}
	t.callAttrs.reset(&t.mod.Attrs)
	if seen(&t.callAttrs.site, id) {
		return
	}
	if r := t.st.RefusedCall(t.mod.Attrs.At(id).Fn); r != nil {
		t.callAttrs.site[id] = false
		t.fail(r.String())
	}
}

// checkCallee does the same for the attributes of the function called, and says what is
// to be said where it is called: nobody is to call it.
func (t *translator) checkCallee(g ir.GlobalID, id ir.AttrListID) {
	if id == 0 {
		return
	}
	t.callAttrs.reset(&t.mod.Attrs)
	if seen(&t.callAttrs.callee, id) {
		return
	}
	attrs := t.mod.Attrs.At(id).Fn
	if r := t.st.RefusedCall(attrs); r != nil {
		t.callAttrs.callee[id] = false
		t.fail(r.String())
		return
	}
	for _, key := range [...]string{"dontcall-error", "dontcall-warn"} {
		a, ok := attrs.Get(key)
		if !ok {
			continue
		}
		t.callAttrs.callee[id] = false // it is said of each call
		text := fmt.Sprintf("call to %s marked \"%s\"", t.mod.Globals[g].Name, key)
		if a.Value != "" {
			text += ": " + a.Value
		}
		if key == "dontcall-error" {
			t.setErr(fmt.Errorf("in function %s: %s", t.f.Name, text))
			return
		}
		t.c.Warn(text)
	}
}
