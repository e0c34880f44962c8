package combiner

import (
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
)

// Result is a compiled combiner.
type Result struct {
	Name     string
	Roots    []Root
	Code     []int32
	Types    []string // Go expressions
	Funcs    []string // names of Go functions
	Rules    []Rule
	Files    []string
	Warnings diag.List
	Refused  int // rules with errors
	Variants int // of all rules, after fragments and lists of opcodes
}

// Root says where the rules of an opcode start.
type Root struct {
	Opcode desc.Opcode
	Name   string
	Offset int32
}

// Rule is a rule and its place.
type Rule struct {
	Name string
	File string
	Line int
}

// generator compiles the rules of one combiner.
type generator struct {
	facts *desc.Info
	rs    *tablegen.Records
	out   *Result
	errs  diag.List
	types map[string]int32
	funcs map[string]int32
	// byOp are the variants of each root opcode in order of the rules.
	byOp map[desc.Opcode][]*variant
	// rule is the rule at hand; bad tells that it has an error.
	rule *tablegen.Record
	bad  bool
}

// FromRecords compiles the combiner of that name ("" for the only one). The
// error is a diag.List with what is wrong in all rules; the result has the
// others then.
func FromRecords(facts *desc.Info, rs *tablegen.Records, name string) (*Result, error) {
	g := &generator{facts: facts, rs: rs, out: &Result{}, types: map[string]int32{}, funcs: map[string]int32{}, byOp: map[desc.Opcode][]*variant{}}
	all := rs.DerivedFrom("GICombiner")
	var c *tablegen.Record
	for _, r := range all {
		if r.Name == name || name == "" && len(all) == 1 {
			c = r
		}
	}
	if c == nil {
		if name == "" {
			return nil, diag.List{{Msg: strconv.Itoa(len(all)) + " records of class GICombiner; one must be chosen"}}
		}
		return nil, diag.List{{Msg: "no GICombiner '" + name + "'"}}
	}
	g.out.Name = c.String("Classname")
	var rules []*tablegen.Record
	g.flatten(c, &rules, map[*tablegen.Record]bool{}, map[*tablegen.Record]bool{})
	for _, r := range rules {
		g.rule, g.bad = r, false
		g.compile(r)
		if g.bad {
			g.out.Refused++
		}
	}
	g.link()
	return g.out, g.errs.Err()
}

// flatten lists the rules of groups in order, each once.
func (g *generator) flatten(r *tablegen.Record, out *[]*tablegen.Record, seen, open map[*tablegen.Record]bool) {
	g.rule = r
	if open[r] {
		g.errorf("group '" + r.Name + "' contains itself")
		return
	}
	if seen[r] && r.IsSubClassOf("GICombineRule") {
		d := g.rs.ErrorAt(r.Loc, "skipping rule '"+r.Name+"' because it has already been processed")
		d.Severity = diag.Warning
		g.out.Warnings = append(g.out.Warnings, d)
		return
	}
	seen[r], open[r] = true, true
	defer delete(open, r)
	if r.IsSubClassOf("GICombineRule") {
		*out = append(*out, r)
		return
	}
	for _, d := range r.DefList("Rules") {
		g.flatten(d, out, seen, open)
	}
}

// errorf reports an error of the rule at hand.
func (g *generator) errorf(msg string) {
	g.bad = true
	if l := g.rs.ErrorsAt(g.rule, g.rule.Loc, msg); len(g.errs) == 0 || *g.errs[len(g.errs)-1] != *l[0] {
		g.errs = append(g.errs, l...)
	}
}

// compile makes the variants of a rule.
func (g *generator) compile(r *tablegen.Record) {
	m, ok := g.parseRule(r)
	if !ok {
		return
	}
	file, line := g.rs.Position(r.Loc)
	vs := g.expand(m)
	if len(vs) == 0 {
		return
	}
	id := int32(len(g.out.Rules))
	g.out.Rules = append(g.out.Rules, Rule{r.Name, file, line})
	for _, v := range vs {
		v.id = id
		if !g.check(v) || !g.emit(v) {
			g.out.Rules = g.out.Rules[:id]
			return
		}
	}
	for _, v := range vs {
		for _, op := range v.rootOps {
			g.byOp[op] = append(g.byOp[op], v)
		}
		g.out.Variants += len(v.rootOps)
	}
}
