package combiner

import (
	"strconv"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/matchasm"
)

// Result is a compiled combiner.
type Result struct {
	Name     string
	Table    *code.Table
	Warnings diag.List
	Refused  int // rules with errors
	Variants int // of all rules, after fragments and lists of opcodes
}

// generator compiles the rules of one combiner.
type generator struct {
	facts *desc.Info
	rs    *tablegen.Records
	out   *Result
	errs  diag.List
	asm   *matchasm.Assembler
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
	g := &generator{facts: facts, rs: rs, out: &Result{}, asm: matchasm.New("", code.MIR), byOp: map[desc.Opcode][]*variant{}}
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
	var err error
	if g.out.Table, err = g.asm.Table(code.LimitsOf(g.facts)); err != nil {
		g.errs = append(g.errs, g.rs.ErrorAt(c.Loc, err.Error()))
	}
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

// needTarget notes an opcode: a table of generic ones is for all targets.
func (g *generator) needTarget(op desc.Opcode) {
	if op >= desc.FirstTargetOpcode {
		g.asm.SetTarget(g.facts.Target)
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
	for _, v := range vs {
		if !g.check(v) || !g.emit(v) {
			return
		}
	}
	row := g.asm.Info(&matchasm.Rule{File: file, Line: line, Name: r.Name})
	for _, v := range vs {
		v.row = row
		for _, op := range v.rootOps {
			g.needTarget(op)
			g.byOp[op] = append(g.byOp[op], v)
		}
		g.out.Variants += len(v.rootOps)
	}
}
