package dagisel

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/dagpattern"
	"github.com/mirin-go/mirin/tablegen/emit/trie"
)

// Hook is a Go function that a target has to provide.
type Hook struct {
	Kind string // "predicate", "complex pattern", "transformation"
	Name string
	Code string // the C++ body, "" where there is none
	// File and Line are those of the record.
	File string
	Line int
}

// Result is a table with what there is to say about it.
type Result struct {
	Table    *code.Table
	Hooks    []Hook
	Skipped  []dagpattern.Skipped
	Patterns int
	Rules    int
}

// generator makes the table of a target.
type generator struct {
	p       *dagpattern.Set
	t       code.Table
	index   map[string]map[string]int // of the lists of names
	preds   map[*dagpattern.Predicate]int
	complex map[*dagpattern.Complex]int
	files   map[string]int
	hooks   map[string]bool
	res     *Result
	rules   []*rule
}

// Generate makes the table. Patterns that it cannot express are in Skipped.
func Generate(p *dagpattern.Set) *Result {
	g := &generator{p: p, index: map[string]map[string]int{}, preds: map[*dagpattern.Predicate]int{}, complex: map[*dagpattern.Complex]int{},
		files: map[string]int{}, hooks: map[string]bool{}}
	g.res = &Result{Table: &g.t, Patterns: len(p.Patterns)}
	g.t.Target, g.t.Graph = p.Target, code.DAG
	for _, x := range p.Patterns {
		if err := g.pattern(x); err != nil {
			g.res.Skipped = p.Skip(g.res.Skipped, x, err.Error())
		}
	}
	g.assemble()
	slices.SortStableFunc(g.res.Hooks, func(a, b Hook) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name)) })
	g.res.Rules = len(g.t.Rules)
	return g.res
}

// intern numbers s in one of the lists of the header.
func (g *generator) intern(list *[]string, kind, s string) int {
	m := g.index[kind]
	if m == nil {
		m = map[string]int{}
		g.index[kind] = m
	}
	n, ok := m[s]
	if !ok {
		n = len(*list)
		m[s] = n
		*list = append(*list, s)
	}
	return n
}

func (g *generator) opcode(s string) int { return g.intern(&g.t.Opcodes, "opcode", s) }
func (g *generator) typ(v dagpattern.VT) int {
	return g.intern(&g.t.Types, "type", g.p.TypeName(v))
}
func (g *generator) inst(s string) int { return g.intern(&g.t.Insts, "inst", s) }
func (g *generator) reg(s string) int  { return g.intern(&g.t.Regs, "reg", s) }
func (g *generator) name(s string) int { return g.intern(&g.t.Names, "name", s) }

// hook notes a function that the target has to provide.
func (g *generator) hook(kind, name, body string, r *tablegen.Record) {
	if g.hooks[kind+name] {
		return
	}
	g.hooks[kind+name] = true
	file, line := g.p.Records().Position(r.Loc)
	g.res.Hooks = append(g.res.Hooks, Hook{kind, name, strings.TrimSpace(body), path.Base(file), line})
}

// rule is a pattern of one root opcode: its tests and its actions.
type rule struct {
	root    int
	steps   []trie.Step
	values  int // recorded
	actions []byte
	pat     *dagpattern.Pattern
	used    bool
}

// pattern makes the rules of a pattern, one for each opcode it may start at.
func (g *generator) pattern(x *dagpattern.Pattern) error {
	m := &matcher{g: g, x: x, names: map[string]place{}}
	roots, err := m.match()
	if err != nil {
		return err
	}
	b := &builder{m: m}
	if err := b.build(); err != nil {
		return err
	}
	if m.values > code.MaxInsns || len(m.complex) > code.MaxSlots {
		return fmt.Errorf("the pattern is too large for the table")
	}
	for _, r := range roots {
		g.rules = append(g.rules, &rule{root: r, steps: m.steps, values: m.values, actions: b.out, pat: x})
	}
	return nil
}
