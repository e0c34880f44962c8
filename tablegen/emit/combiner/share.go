package combiner

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/matchasm"
)

// link gives the assembler the variants of each root opcode.
func (g *generator) link() {
	ops := make([]desc.Opcode, 0, len(g.byOp))
	for op := range g.byOp {
		ops = append(ops, op)
	}
	slices.SortFunc(ops, func(a, b desc.Opcode) int { return cmp.Compare(a, b) })
	for _, op := range ops {
		g.shadowed(g.byOp[op])
		for _, v := range g.byOp[op] {
			g.asm.Add(&matchasm.Rule{Root: int(op), Steps: v.steps, Recorded: v.insns, Actions: v.act, Info: v.row})
		}
	}
}

// shadowed warns of variants that another one always comes before: it makes no
// test that they do not make.
func (g *generator) shadowed(vs []*variant) {
	for i, v := range vs {
		for _, w := range vs[:i] {
			all := v.row != w.row
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
