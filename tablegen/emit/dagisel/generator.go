package dagisel

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/dagpattern"
	"github.com/mirin-go/mirin/tablegen/emit/matchasm"
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
	*matchasm.Assembler
	p     *dagpattern.Set
	preds map[*dagpattern.Predicate]int
	hooks map[string]bool
	res   *Result
	rules []*rule
}

// newGenerator makes the rules of all patterns that can be expressed.
func newGenerator(p *dagpattern.Set) *generator {
	g := &generator{Assembler: matchasm.New(p.Target, code.DAG), p: p, preds: map[*dagpattern.Predicate]int{}, hooks: map[string]bool{}}
	g.res = &Result{Patterns: len(p.Patterns)}
	for _, x := range p.Patterns {
		if err := g.pattern(x); err != nil {
			g.res.Skipped = p.Skip(g.res.Skipped, x, err.Error())
		}
	}
	return g
}

// Generate makes the table. Patterns that it cannot express are in Skipped.
func Generate(p *dagpattern.Set) (*Result, error) {
	g := newGenerator(p)
	if err := g.assemble(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(g.res.Hooks, func(a, b Hook) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name)) })
	return g.res, nil
}

// assemble makes the table of the rules.
func (g *generator) assemble() (err error) {
	for _, r := range g.rules {
		g.Add(&r.Rule)
	}
	if g.res.Table, err = g.Table(code.Limits{}); err != nil {
		return err
	}
	for _, r := range g.rules {
		if !r.Used {
			g.res.Skipped = g.p.Skip(g.res.Skipped, r.pat, "it never matches: another pattern with the same tests comes first")
		}
	}
	g.res.Rules = len(g.res.Table.Rules)
	return nil
}

func (g *generator) typ(v dagpattern.VT) int { return g.Type(g.p.TypeName(v)) }

// hook notes a function that the target has to provide.
func (g *generator) hook(kind, name, body string, r *tablegen.Record) {
	if g.hooks[kind+name] {
		return
	}
	g.hooks[kind+name] = true
	file, line := g.p.Records().Position(r.Loc)
	g.res.Hooks = append(g.res.Hooks, Hook{kind, name, strings.TrimSpace(body), path.Base(file), line})
}

// rule is a pattern of one root opcode.
type rule struct {
	matchasm.Rule
	pat *dagpattern.Pattern
}

// pattern makes the rules of a pattern, one for each opcode it may start at.
func (g *generator) pattern(x *dagpattern.Pattern) error {
	if why := unsupported(x); why != "" {
		return errors.New(why)
	}
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
	file, line := g.p.Records().Position(x.Record.Loc)
	name := x.Record.Name
	if strings.HasPrefix(name, "anonymous_") {
		name = ""
	}
	for _, r := range roots {
		g.rules = append(g.rules, &rule{matchasm.Rule{Root: r, Steps: m.steps, Recorded: m.values, Actions: b.out,
			File: file, Line: line, Priority: x.Complexity, Name: name}, x})
	}
	return nil
}

// unsupported says what of Mirin's own extensions a pattern has: they are for
// GlobalISel.
func unsupported(x *dagpattern.Pattern) (why string) {
	var walk func(n *dagpattern.Node)
	walk = func(n *dagpattern.Node) {
		for _, c := range n.Preds {
			if c.Pred.Conds != nil {
				why = "condition map " + c.Pred.Record.Name + " has no meaning in SelectionDAG"
			}
		}
		for _, name := range []string{"Seq", "set", "get", "results"} {
			if n.IsStepOf(name) {
				why = name + " in a result has no meaning in SelectionDAG"
			}
		}
		for _, k := range n.Kids {
			walk(k)
		}
	}
	walk(x.Src)
	walk(x.Dst)
	return why
}
