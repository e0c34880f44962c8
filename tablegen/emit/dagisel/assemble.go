package dagisel

import (
	"path"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/tablegen/emit/trie"
)

// assemble writes the code: for each root opcode the decision tree of its rules.
func (g *generator) assemble() {
	by := map[int][]*rule{}
	var roots []int
	for _, r := range g.rules {
		if by[r.root] == nil {
			roots = append(roots, r.root)
		}
		by[r.root] = append(by[r.root], r)
	}
	slices.Sort(roots)
	tree := g.tree()
	for _, op := range roots {
		g.t.Roots = append(g.t.Roots, code.Root{Opcode: uint32(op), Offset: uint32(len(g.t.Code))})
		g.t.Code = append(g.t.Code, tree.Code(by[op])...)
	}
	for _, r := range g.rules {
		if !r.used {
			g.res.Skipped = g.p.Skip(g.res.Skipped, r.pat, "it never matches: another pattern with the same tests comes first")
		}
	}
}

func (g *generator) tree() *trie.Tree[*rule] {
	return &trie.Tree[*rule]{
		Steps: func(r *rule) []trie.Step { return r.steps }, Accept: g.accept,
		Try: byte(code.Try), CheckType: byte(code.CheckType), SwitchType: byte(code.SwitchType), MaxTries: code.MaxTries,
	}
}

// accept ends the tests of a rule and adds its actions.
func (g *generator) accept(r *rule) []byte {
	r.used = true
	pos, line := g.p.Records().Position(r.pat.Record.Loc)
	f, ok := g.files[pos]
	if !ok {
		f = len(g.t.Files)
		g.files[pos] = f
		g.t.Files = append(g.t.Files, path.Base(pos))
	}
	name := r.pat.Record.Name
	if strings.HasPrefix(name, "anonymous_") {
		name = ""
	}
	g.t.Rules = append(g.t.Rules, code.Rule{File: uint32(f), Line: uint32(line), Priority: int32(r.pat.Complexity), Name: name})
	return append(trie.Encode(code.Accept, len(g.t.Rules)-1, r.values), r.actions...)
}
