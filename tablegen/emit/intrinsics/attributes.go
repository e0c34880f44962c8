package intrinsics

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/tablegen"
)

// order is that of attributes in a set: LLVM's numbers of their kinds.
const order = "cold convergent immarg noalias nocallback nocreateundeforpoison noduplicate nofree nomerge noreturn nosync noundef nounwind " +
	"nonnull readnone readonly returned speculatable strictfp willreturn writeonly align captures dereferenceable memory range"

// attributes are those of one intrinsic.
type attributes struct {
	c      *collector
	r      *tablegen.Record
	params int
	fn     []string
	args   [][]string // by index: 0 is the result
	mem    memory
	throws bool
	side   bool // side effects beside those on memory
}

// fnAttr is the attribute of the function that a property means, "" for none.
func fnAttr(property string) string {
	for _, p := range [...][2]string{
		{"IntrNoReturn", "noreturn"},
		{"IntrNoCallback", "nocallback"},
		{"IntrNoSync", "nosync"},
		{"IntrNoFree", "nofree"},
		{"IntrWillReturn", "willreturn"},
		{"IntrCold", "cold"},
		{"IntrNoDuplicate", "noduplicate"},
		{"IntrNoMerge", "nomerge"},
		{"IntrConvergent", "convergent"},
		{"IntrSpeculatable", "speculatable"},
		{"IntrNoCreateUndefOrPoison", "nocreateundeforpoison"},
		{"IntrStrictFP", "strictfp"},
	} {
		if p[0] == property {
			return p[1]
		}
	}
	return ""
}

// argProps are the classes of properties that are attributes of a result or
// parameter; % stands for their number.
var argProps = [...][2]string{
	{"NoCapture", "captures(none)"}, {"NoAlias", "noalias"}, {"NoUndef", "noundef"}, {"NonNull", "nonnull"}, {"Returned", "returned"},
	{"ImmArg", "immarg"}, {"ReadOnly", "readonly"}, {"WriteOnly", "writeonly"}, {"ReadNone", "readnone"},
}

// read reads the properties; false after an error.
func (a *attributes) read() bool {
	a.mem = anything
	if !a.r.Bit("DisableDefaultAttributes") {
		for _, p := range a.c.defaults {
			a.fn = append(a.fn, fnAttr(p.Name))
		}
	}
	for _, x := range a.r.List("IntrProperties") {
		d, ok := x.(*tablegen.DefInit)
		if !ok {
			a.c.errorf(a.r, a.r.FieldLoc("IntrProperties"), "a property of '"+a.r.Name+"' is not set")
			return false
		}
		if msg := a.property(d.Rec); msg != "" {
			a.c.errorf(a.r, a.r.Loc, msg)
			return false
		}
	}
	if !a.throws {
		a.fn = append(a.fn, "nounwind")
	}
	// As in LLVM, side effects count only where no memory is touched.
	if a.mem == 0 && a.side {
		a.mem = anything
	}
	if a.mem != anything {
		a.fn = append(a.fn, a.mem.String())
	}
	return true
}

// property reads one property; a message where it makes no sense.
func (a *attributes) property(p *tablegen.Record) string {
	if s := fnAttr(p.Name); s != "" {
		a.fn = append(a.fn, s)
		return ""
	}
	switch {
	case p.Name == "Throws":
		a.throws = true
		return ""
	case p.Name == "IntrHasSideEffects":
		a.side = true
		return ""
	case p.Name == "Commutative", p.IsSubClassOf("ArgInfo"):
		return "" // no attributes
	}
	if known, msg := a.mem.property(p); known {
		return msg
	}
	text := ""
	for _, k := range argProps {
		if p.IsSubClassOf(k[0]) {
			text = k[1]
		}
	}
	switch {
	case p.IsSubClassOf("Align"):
		n := p.Int("Align")
		if n <= 0 || n&(n-1) != 0 {
			return "the alignment " + strconv.FormatInt(n, 10) + " is no power of two"
		}
		text = "align " + strconv.FormatInt(n, 10)
	case p.IsSubClassOf("Dereferenceable"):
		text = "dereferenceable(" + strconv.FormatInt(p.Int("Bytes"), 10) + ")"
	case p.IsSubClassOf("Range"):
		text = fmt.Sprintf("range(%% %d, %d)", p.Int("Lower"), p.Int("Upper"))
	}
	if text == "" {
		return "the property '" + p.Name + "' is not known"
	}
	n, ok := p.IntOK("ArgNo")
	if !ok || n < 0 || n > int64(a.params) {
		return fmt.Sprintf("the property '%s' names parameter %d of %d", text, n-1, a.params)
	}
	for len(a.args) <= int(n) {
		a.args = append(a.args, nil)
	}
	a.args[n] = append(a.args[n], text)
	return ""
}

// text writes all sets of attributes: FN|N:ATTRS|…
func (a *attributes) text() string {
	b := set(a.fn)
	for i, l := range a.args {
		if len(l) > 0 {
			b += "|" + strconv.Itoa(i) + ":" + set(l)
		}
	}
	return b
}

// set is a set of attributes in order, each once.
func set(l []string) string {
	key := func(s string) int {
		if i := strings.IndexAny(s, " ("); i >= 0 {
			s = s[:i]
		}
		return slices.Index(strings.Fields(order), s)
	}
	slices.SortStableFunc(l, func(x, y string) int { return key(x) - key(y) })
	return strings.Join(slices.Compact(l), " ")
}
