package combiner

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/trie"
)

// link writes the decision trees of the root opcodes one behind the other.
func (g *generator) link() {
	ops := make([]desc.Opcode, 0, len(g.byOp))
	for op := range g.byOp {
		ops = append(ops, op)
	}
	slices.SortFunc(ops, func(a, b desc.Opcode) int { return cmp.Compare(a, b) })
	t := g.out.Table
	tree := trie.Tree[*variant]{
		Steps: func(v *variant) []trie.Step { return v.steps },
		Accept: func(v *variant) []byte {
			return append(trie.Encode(code.Accept, v.id, v.insns), v.act...)
		},
		Try: byte(code.Try), CheckType: byte(code.CheckType), SwitchType: byte(code.SwitchType), MaxTries: code.MaxTries,
	}
	for _, op := range ops {
		g.shadowed(g.byOp[op])
		t.Roots = append(t.Roots, code.Root{Opcode: uint32(op), Offset: uint32(len(t.Code))})
		t.Code = append(t.Code, tree.Code(g.byOp[op])...)
	}
}

// shadowed warns of variants that another one always comes before: it makes no
// test that they do not make.
func (g *generator) shadowed(vs []*variant) {
	for i, v := range vs {
		for _, w := range vs[:i] {
			all := v.id != w.id
			for _, s := range w.steps {
				all = all && slices.Contains(v.steps, s)
			}
			if all {
				g.warn(v.rec, "rule '"+v.rec.Name+"' has an alternative that never matches: rule '"+w.rec.Name+"' matches before")
				break
			}
		}
	}
}

func (g *generator) warn(r *tablegen.Record, msg string) {
	d := g.rs.ErrorAt(r.Loc, msg)
	d.Severity = diag.Warning
	if n := len(g.out.Warnings); n == 0 || *g.out.Warnings[n-1] != *d {
		g.out.Warnings = append(g.out.Warnings, d)
	}
}
