package globalisel

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/dagpattern"
	"github.com/mirin-go/mirin/tablegen/emit/matchasm"
	"github.com/mirin-go/mirin/tablegen/include"
)

// generator makes the table of a target.
type generator struct {
	p    *dagpattern.Set
	info *desc.Info
	compat
	// strict: the target says which registers instructions may read without
	// the result setting them; without, any.
	strict  bool
	ambient map[desc.PhysReg]bool
	// classes names the register class of each type where nothing else says it.
	classes map[string]desc.ClassID
	ptrBits int
	banks   map[valueKind]uint64 // register banks that hold values of a kind, a bit each

	asm     *matchasm.Assembler
	conds   map[condKey]int
	rules   []*rule
	reports diag.List
}

// Result is a generated table with what there is to say about the patterns.
type Result struct {
	Table *code.Table
	// Skipped are patterns that are not in the table, with the reason.
	Skipped []dagpattern.Skipped
	// Reports are warnings of patterns that never match, and notes of those
	// that overlap with equal priority.
	Reports  diag.List
	Patterns int // patterns read, alternatives and variants counted
	Imported int // patterns that became rules
	Rules    int // rules in the table
	// Complete: the target has no other selector, so that nothing may be skipped.
	Complete bool
}

// Err is an error for each pattern that was skipped where nothing may be.
func (r *Result) Err() error {
	if !r.Complete {
		return nil
	}
	var out diag.List
	for _, s := range r.Skipped {
		d := *s.Diagnostic
		d.Severity = diag.Error
		out = append(out, &d)
	}
	return out.Err()
}

// FromFile makes the table of a target that facts know out of its .td file.
// read gives the file and what it includes; mirin/*.td are built in.
func FromFile(facts *desc.Info, file string, read func(path string) ([]byte, error)) (*Result, error) {
	rs, err := include.ParseFile(facts, file, read)
	if err != nil {
		return nil, err
	}
	return FromRecords(facts, rs)
}

// FromRecords makes the table of a target out of its records.
func FromRecords(info *desc.Info, rs *tablegen.Records) (*Result, error) {
	p, err := dagpattern.Read(rs)
	if err != nil {
		return nil, err
	}
	return Generate(p, info)
}

// Generate makes the table of a target that info describes.
func Generate(p *dagpattern.Set, info *desc.Info) (*Result, error) {
	g := &generator{p: p, info: info, ambient: map[desc.PhysReg]bool{}, classes: map[string]desc.ClassID{},
		conds: map[condKey]int{}, asm: matchasm.New(info.Target, code.MIR)}
	if err := g.configure(); err != nil {
		return nil, err
	}
	g.readEquivs()
	g.readFeatures()
	g.readBanks()
	// GlobalISel tries patterns by complexity alone; among equals the order is
	// that of the set.
	pats := slices.Clone(p.Patterns)
	slices.SortStableFunc(pats, func(a, b *dagpattern.Pattern) int { return b.Complexity - a.Complexity })
	res := &Result{Patterns: len(pats), Complete: g.strict}
	for i, x := range pats {
		if x.GISelIgnore {
			continue
		}
		rules, err := g.pattern(x, i)
		if err != nil {
			res.Skipped = p.Skip(res.Skipped, x, err.Error())
			continue
		}
		g.rules = append(g.rules, rules...)
		res.Imported++
	}
	for _, d := range p.Dropped {
		g.report(diag.Warning, g.pos(d.Record), "pattern never matches: %s", d.Reason)
	}
	t, err := g.assemble()
	if err != nil {
		return nil, err
	}
	sort.SliceStable(g.reports, func(i, j int) bool {
		a, b := g.reports[i], g.reports[j]
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) < 0
	})
	res.Table, res.Reports, res.Rules = t, g.reports, len(g.rules)
	return res, nil
}

// Pos is a place in a .td file: line and column from 1, and the line's text.
type Pos struct {
	File      string
	Line, Col int
	Source    string
}

// String gives file:line.
func (p Pos) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

func (g *generator) pos(r *tablegen.Record) Pos {
	d := g.p.Records().ErrorAt(r.Loc, "")
	return Pos{d.File, d.Line, d.Col, d.Source}
}

func (g *generator) report(s diag.Severity, p Pos, format string, args ...any) {
	g.reports = append(g.reports, &diag.Diagnostic{File: p.File, Line: p.Line, Col: p.Col, Source: p.Source, Severity: s, Msg: fmt.Sprintf(format, args...)})
}

// pattern makes the rules of a pattern: one for each opcode that it may start at.
func (g *generator) pattern(x *dagpattern.Pattern, order int) ([]*rule, error) {
	s := &source{g: g, x: x}
	root, err := s.root(x.Src)
	if err != nil {
		return nil, err
	}
	var out []*rule
	for _, t := range sides(root) {
		r, err := g.tree(t, x, s.phys)
		if err != nil {
			return nil, err
		}
		for _, op := range t.opcodes() {
			c := *r
			c.Root, c.order = int(op), order
			out = append(out, &c)
		}
	}
	return out, nil
}

// tree makes the rule of one way to write a source, without the opcode that it
// starts at.
func (g *generator) tree(t *tree, x *dagpattern.Pattern, phys []physOperand) (*rule, error) {
	m, err := g.match(t)
	if err != nil {
		return nil, err
	}
	b, err := g.build(m, t, x, phys)
	if err != nil {
		return nil, err
	}
	acts, err := b.actions()
	if err != nil {
		return nil, err
	}
	steps := m.steps
	if t.kind == kNode {
		// The bank of the result tells (i32 (load)) from (f32 (load)).
		var banks []matchasm.Step
		for i, c := range b.rootRC {
			if c != desc.NoClass && g.needsBank(t.node.values[i], c) {
				banks = append(banks, matchasm.Keyed(2, code.CheckBank, 0, i, g.bankOf(c)))
			}
		}
		n := 0
		for n < len(steps) && steps[n].Op() == code.CheckType {
			n++
		}
		steps = slices.Concat(steps[:n], banks, steps[n:])
	}
	pos := g.pos(x.Record)
	return &rule{Rule: matchasm.Rule{Steps: slices.Concat(steps, g.featureTests(x)), Recorded: m.insns, Actions: acts,
		File: pos.File, Line: pos.Line, Priority: x.Complexity}, record: x.Record, pos: pos}, nil
}

// featureTests makes the tests of the conditions on the subtarget.
func (g *generator) featureTests(x *dagpattern.Pattern) []matchasm.Step {
	var out []matchasm.Step
	for _, c := range g.p.Conditions(x) {
		out = append(out, matchasm.Test(code.CheckFeature, g.asm.Feature(g.feature(c))))
	}
	return out
}

// condKey is a map of conditions, or one condition: of integers or of floats.
type condKey struct {
	rec   *tablegen.Record
	float bool
}

// condMap returns the index of a map of conditions, or of a single one.
func (g *generator) condMap(k condKey) (int, error) {
	if n, ok := g.conds[k]; ok {
		return n, nil
	}
	codes, values := []*tablegen.Record{k.rec}, []tablegen.Init{tablegen.NewInt(0)}
	if k.rec.IsSubClassOf("CondMap") {
		codes, values = k.rec.DefList("Codes"), k.rec.List("Values")
	}
	if len(codes) != len(values) || len(codes) == 0 {
		return 0, fmt.Errorf("condition map %s: %d codes, %d values", k.rec.Name, len(codes), len(values))
	}
	var m code.CondMap
	for i, c := range codes {
		pred, ok := condition(c, k.float)
		if !ok {
			return 0, fmt.Errorf("condition %s has no predicate of its kind", c.Name)
		}
		v, ok := tablegen.IntValue(values[i])
		if !ok {
			return 0, fmt.Errorf("condition map %s: value %d is no number", k.rec.Name, i)
		}
		m.Keys, m.Values = append(m.Keys, uint8(pred)), append(m.Values, v)
	}
	g.conds[k] = g.asm.Cond(m)
	return g.conds[k], nil
}

var errNoType = errors.New("a value has no type")
