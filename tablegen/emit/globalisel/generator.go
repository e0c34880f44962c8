package globalisel

import (
	"fmt"
	"sort"
	"strings"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen/emit/matchasm"
)

// Generator imports patterns and makes the table.
type Generator struct {
	Facts *desc.Info
	// Ambient names registers that instructions may read without the result
	// setting them: stack pointer, control words.
	Ambient []string
	// TypeClasses names the register class of each type where nothing else says it.
	TypeClasses map[string]string
	// PointerBits is the size of pointers, 0 for 64.
	PointerBits int

	asm     *matchasm.Assembler
	nodes   map[*Def]*node
	conds   map[*Def]int
	ambient map[desc.PhysReg]bool
	rules   []*rule
	reports diag.List
}

// Result is a generated table with what there is to say about the patterns.
type Result struct {
	Table *code.Table
	// Reports are errors for patterns that were not imported, warnings of those
	// that never match, and notes of those that overlap with equal priority.
	Reports  diag.List
	Patterns int // patterns read
	Imported int // patterns that became rules
	Rules    int // rules in the table
}

// Errors lists the patterns that were not imported.
func (r *Result) Errors() diag.List {
	var out diag.List
	for _, x := range r.Reports {
		if x.Severity == diag.Error {
			out = append(out, x)
		}
	}
	return out
}

// Generate makes the table of a target.
func (g *Generator) Generate(src *Source) (*Result, error) {
	g.asm = matchasm.New(g.Facts.Target, code.MIR)
	g.nodes, g.conds = map[*Def]*node{}, map[*Def]int{}
	g.ambient = map[desc.PhysReg]bool{}
	for _, n := range g.Ambient {
		r, err := g.reg(n)
		if err != nil {
			return nil, err
		}
		g.ambient[r] = true
	}
	res := &Result{Patterns: len(src.Patterns)}
	for i, p := range src.Patterns {
		n := len(g.rules)
		if err := g.pattern(p, i); err != nil {
			g.rules = g.rules[:n]
			g.report(diag.Error, p.Pos, "pattern not imported: %v", err)
			continue
		}
		res.Imported++
	}
	t, err := g.assemble()
	if err != nil {
		return nil, err
	}
	sort.SliceStable(g.reports, func(i, j int) bool {
		a, b := g.reports[i], g.reports[j]
		return a.File < b.File || a.File == b.File && a.Line < b.Line
	})
	res.Table, res.Reports, res.Rules = t, g.reports, len(g.rules)
	return res, nil
}

func (g *Generator) report(s diag.Severity, p Pos, format string, args ...any) {
	g.reports = append(g.reports, &diag.Diagnostic{File: p.File, Line: p.Line, Col: p.Col, Source: p.Source, Severity: s, Msg: fmt.Sprintf(format, args...)})
}

// pattern imports one pattern: all alternatives or none.
func (g *Generator) pattern(d *Def, order int) error {
	src := d.Dag("PatternToMatch")
	if src == nil {
		return fmt.Errorf("no source pattern")
	}
	results := d.List("ResultInstrs")
	if len(results) != 1 {
		return fmt.Errorf("%d results", len(results))
	}
	features, err := g.features(d)
	if err != nil {
		return err
	}
	p := &parser{g: g, pos: d.Pos}
	trees, err := p.dag(src, "")
	if err != nil {
		return err
	}
	for _, t := range trees {
		if err := g.importTree(t, results[0], features, d, order); err != nil {
			return err
		}
	}
	return nil
}

// features makes the tests of a pattern's Predicates.
func (g *Generator) features(d *Def) ([]matchasm.Step, error) {
	var out []matchasm.Step
	for _, v := range d.List("Predicates") {
		p, ok := v.(*Def)
		if !ok {
			return nil, fmt.Errorf("a predicate is no record")
		}
		f := code.Feature{Name: p.Str("Feature"), Not: p.Int("Not", 0) != 0}
		if h := p.Str("Hook"); h != "" {
			f.Name, f.Hook = h, true
		}
		if f.Name == "" {
			continue
		}
		if _, ok := g.Facts.FeatureByName(f.Name); !ok && !f.Hook {
			return nil, fmt.Errorf("feature %q is not known", f.Name)
		}
		out = append(out, matchasm.Test(code.CheckFeature, g.asm.Feature(f)))
	}
	return out, nil
}

// importTree makes the rules of one alternative.
func (g *Generator) importTree(t *tree, res Value, features []matchasm.Step, d *Def, order int) error {
	added := int(d.Int("AddedComplexity", 0))
	t = leafRoot(t)
	if t.kind == kComplex {
		return g.importComplexRoot(t, res, features, d, order, added)
	}
	if t.kind != kNode {
		return fmt.Errorf("the root must be an operator")
	}
	m, err := g.match(t)
	if err != nil {
		return err
	}
	b, err := g.build(m, t, res, resultOrder(d))
	if err != nil {
		return err
	}
	acts, err := b.actions()
	if err != nil {
		return err
	}
	steps := m.steps
	if b.noResult {
		steps = append(append([]matchasm.Step(nil), steps...), matchasm.Test(code.CheckNoUse, 0))
		m.priority++
	}
	if t.node.anyBank {
		// The bank of the result tells (i32 (load)) from (f32 (load)).
		var banks []matchasm.Step
		for i, c := range b.rootRC {
			if c != desc.NoClass {
				banks = append(banks, matchasm.Keyed(2, code.CheckBank, 0, i, g.bankOf(c)))
			}
		}
		n := 0
		for n < len(steps) && code.Op(steps[n].Bytes[0]) == code.CheckType {
			n++
		}
		steps = append(append(append([]matchasm.Step(nil), steps[:n]...), banks...), steps[n:]...)
	}
	steps = append(append([]matchasm.Step(nil), steps...), features...)
	for _, op := range t.node.opcodes {
		g.rules = append(g.rules, g.rule(d, op, m, steps, acts, m.priority+added, order))
	}
	return nil
}

// rule makes a rule of a pattern. The pattern may state the priority, where its
// order is known from elsewhere.
func (g *Generator) rule(d *Def, op desc.Opcode, m *matcher, steps []matchasm.Step, acts []byte, priority, order int) *rule {
	return &rule{matchasm.Rule{Root: int(op), Steps: steps, Recorded: m.insns, Actions: acts,
		File: d.Pos.File, Line: d.Pos.Line, Priority: int(d.Int("Priority", int64(priority)))}, order, d.Pos}
}

// resultOrder says, for patterns whose one instruction makes all results of
// the root, which of them each of its own is; nil where the pattern does not.
func resultOrder(d *Def) []int {
	var out []int
	for _, v := range d.List("ResultOrder") {
		n, _ := v.(int64)
		out = append(out, int(n))
	}
	return out
}

// leafRoot turns a constant at the root into the node that makes constants.
func leafRoot(t *tree) *tree {
	n := &node{outs: []string{"T"}, ins: []string{"any"}, opIndex: []int{1}, memBits: -1, memSpace: -1}
	switch t.kind {
	case kImm, kLit:
		n.opcodes, n.def = []desc.Opcode{desc.G_CONSTANT}, &Def{Name: "constant"}
	case kFP:
		n.opcodes, n.def = []desc.Opcode{desc.G_FCONSTANT}, &Def{Name: "fpconstant"}
	default:
		return t
	}
	arg := *t
	arg.ty = nil
	return &tree{kind: kNode, node: n, args: []*tree{&arg}, ty: t.ty, pos: t.pos, rc: desc.NoClass}
}

// importComplexRoot makes rules for a complex pattern at the root, one for each
// opcode of the nodes that it says it may start at.
func (g *Generator) importComplexRoot(t *tree, res Value, features []matchasm.Step, d *Def, order, added int) error {
	roots := t.def.List("RootNodes")
	if len(roots) == 0 {
		return fmt.Errorf("%s stands at the root and names no root nodes", t.def.Name)
	}
	m := &matcher{g: g, names: map[string]*binding{}, insns: 1}
	tc, err := g.typeIndex(t.ty.find().ty)
	if err != nil {
		return err
	}
	m.add(matchasm.Keyed(2, code.CheckType, 0, 0, tc))
	if t.name != "" {
		m.names[t.name] = &binding{t: t, loc: loc{0, 0}, slot: -1}
	}
	if err := m.complexTest(t, loc{0, 0}); err != nil {
		return err
	}
	m.priority += added
	b, err := g.build(m, t, res, nil)
	if err != nil {
		return err
	}
	acts, err := b.actions()
	if err != nil {
		return err
	}
	steps := append(append(m.steps, m.late...), features...)
	for _, v := range roots {
		r, _ := v.(*Def)
		if r == nil {
			return fmt.Errorf("a root node of %s is no record", t.def.Name)
		}
		n, err := g.node(r)
		if err != nil {
			return err
		}
		for _, op := range n.opcodes {
			g.rules = append(g.rules, g.rule(d, op, m, steps, acts, m.priority, order))
		}
	}
	return nil
}

// node reads an SDNode record.
func (g *Generator) node(d *Def) (*node, error) {
	if n := g.nodes[d]; n != nil {
		return n, nil
	}
	n := &node{def: d, outs: d.Strs("Outs"), ins: d.Strs("Ins"), memBits: d.Int("MemBits", -1),
		memSpace: -1, ptr: g.ptrType(), intrin: d.Str("Intrinsic"), variadic: d.Int("Variadic", 0) != 0}
	for _, name := range d.Strs("Opcodes") {
		op, ok := g.Facts.OpcodeByName(name)
		if !ok {
			return nil, fmt.Errorf("node %s: opcode %s is not known", d.Name, name)
		}
		n.opcodes = append(n.opcodes, op)
	}
	if len(n.opcodes) == 0 {
		return nil, fmt.Errorf("node %s has no generic opcode", d.Name)
	}
	order := d.List("OperandOrder")
	for i := range n.ins {
		at := int64(len(n.outs) + i)
		if n.intrin != "" {
			at++
		}
		if i < len(order) {
			at, _ = order[i].(int64)
		}
		n.opIndex = append(n.opIndex, int(at))
	}
	for _, p := range d.List("Properties") {
		q, _ := p.(*Def)
		if q == nil {
			continue
		}
		switch q.Name {
		case "SDNPCommutative":
			n.commut = true
		case "SDNPAnyBank":
			n.anyBank = true
		case "SDNPMayLoad":
			n.load = true
		}
	}
	n.outTypes, n.noUse, n.oneUse = d.Strs("OutTypes"), d.Int("NoUse", 0) != 0, d.Int("OneUse", 0) != 0
	for _, v := range d.List("MemOrders") {
		o, _ := v.(int64)
		n.memOrder |= 1 << o
	}
	if v := d.Int("MemSpace", -1); v >= 0 {
		n.memSpace = v
	}
	g.nodes[d] = n
	return n, nil
}

// condMap returns the index of the map of a CondMap, or of a single CondCode.
func (g *Generator) condMap(d *Def) (int, error) {
	if n, ok := g.conds[d]; ok {
		return n, nil
	}
	var m code.CondMap
	if d.Is("CondCode") {
		m.Keys, m.Values = []uint8{uint8(d.Int("Pred", 0))}, []int64{0}
	} else {
		codes, vals := d.List("Codes"), d.List("Values")
		if len(codes) != len(vals) || len(codes) == 0 {
			return 0, fmt.Errorf("condition map %s: %d codes, %d values", d.Name, len(codes), len(vals))
		}
		for i := range codes {
			c, _ := codes[i].(*Def)
			v, ok := vals[i].(int64)
			if x, isDef := vals[i].(*Def); isDef {
				v, ok = x.Fields["Value"].(int64)
			}
			if c == nil || !c.Is("CondCode") || !ok {
				return 0, fmt.Errorf("condition map %s: entry %d", d.Name, i)
			}
			m.Keys = append(m.Keys, uint8(c.Int("Pred", 0)))
			m.Values = append(m.Values, v)
		}
	}
	g.conds[d] = g.asm.Cond(m)
	return g.conds[d], nil
}

func (g *Generator) complexIndex(d *Def) int {
	return g.asm.Complex(code.Complex{Name: d.Str("Hook"), NumOps: int(d.Int("NumOperands", 1))})
}

func (g *Generator) class(name string) (desc.ClassID, bool) {
	return g.Facts.RegClassByName(strings.ToLower(name))
}

func (g *Generator) reg(name string) (desc.PhysReg, error) {
	r, ok := g.Facts.RegByName(strings.ToLower(name))
	if !ok {
		return 0, fmt.Errorf("register %s is not known", name)
	}
	return r, nil
}

// bankOf is the register bank of a class.
func (g *Generator) bankOf(c desc.ClassID) int {
	for k := range g.Facts.Banks {
		if g.Facts.BankCovers(desc.BankID(k), c) {
			return k
		}
	}
	return 0
}

// classOfType is the target's class for a type.
func (g *Generator) classOfType(ty string) desc.ClassID {
	if n, ok := g.TypeClasses[ty]; ok {
		if c, ok := g.class(n); ok {
			return c
		}
	}
	return desc.NoClass
}

// widest is the largest allocatable class that contains class c and holds the same types.
func (g *Generator) widest(c desc.ClassID) desc.ClassID {
	if c == desc.NoClass {
		return c
	}
	for _, ty := range g.Facts.ClassTypes(c, g.Facts.DefaultMode) {
		if w := g.classOfType(ty.String()); w != desc.NoClass && g.Facts.HasSubClassEq(w, c) {
			return w
		}
	}
	return c
}

// overlap reports whether two registers share a unit.
func (g *Generator) overlap(a, b desc.PhysReg) bool { return g.Facts.Overlap(a, b) }

// Configure takes what the generator must know of a target from its SelectionInfo record.
func (g *Generator) Configure(d *Def) {
	for _, v := range d.List("Ambient") {
		if r, ok := v.(*Def); ok {
			g.Ambient = append(g.Ambient, r.Name)
		}
	}
	g.PointerBits = int(d.Int("PointerBits", 64))
	g.TypeClasses = map[string]string{}
	classes := d.List("Classes")
	for i, v := range d.List("Types") {
		t, ok := v.(*Def)
		if !ok || i >= len(classes) {
			continue
		}
		if c, ok := classes[i].(*Def); ok {
			g.TypeClasses[t.Name] = c.Name
		}
	}
}
