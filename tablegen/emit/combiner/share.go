package combiner

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
)

// link writes the variants of each root opcode one behind the other.
func (g *generator) link() {
	ops := make([]desc.Opcode, 0, len(g.byOp))
	for op := range g.byOp {
		ops = append(ops, op)
	}
	slices.SortFunc(ops, func(a, b desc.Opcode) int { return cmp.Compare(a, b) })
	for _, op := range ops {
		g.shadowed(g.byOp[op])
		g.out.Roots = append(g.out.Roots, Root{op, g.facts.OpcodeName(op), int32(len(g.out.Code))})
		g.write(g.byOp[op], 0, 0)
		g.out.Code = append(g.out.Code, int32(code.CombineFail))
	}
}

// write writes alternatives from step number at on. Neighbours that begin with
// the same step share it, so that the order of rules stays.
func (g *generator) write(vs []*variant, at, depth int) {
	if depth > code.MaxCombineTries-2 {
		g.errorf("rules are nested more than " + strconv.Itoa(code.MaxCombineTries) + " deep")
		return
	}
	for len(vs) > 0 {
		n := 1
		for n < len(vs) && slices.Equal(vs[n].steps[at], vs[0].steps[at]) {
			n++
		}
		last := n == len(vs) && at > 0
		mark := -1
		if !last {
			g.out.Code = append(g.out.Code, int32(code.CombineTry), 0)
			mark = len(g.out.Code)
		}
		d := depth
		if !last {
			d++
		}
		g.run(vs[:n], at, d)
		if mark >= 0 {
			g.out.Code[mark-1] = int32(len(g.out.Code) - mark)
		}
		vs = vs[n:]
	}
}

// run writes the steps that all variants share, then what differs. A variant
// whose steps are all shared is an accepted one: those behind it never match.
func (g *generator) run(vs []*variant, at, depth int) {
	for {
		s := vs[0].steps[at]
		g.out.Code = append(g.out.Code, s...)
		at++
		if at == len(vs[0].steps) {
			g.out.Code = append(g.out.Code, vs[0].act...)
			return
		}
		same := true
		for _, v := range vs[1:] {
			same = same && slices.Equal(v.steps[at], vs[0].steps[at])
		}
		if !same {
			break
		}
	}
	g.write(vs, at, depth)
}

// shadowed warns of variants that another one always comes before: it makes no
// test that they do not make.
func (g *generator) shadowed(vs []*variant) {
	has := func(steps [][]int32, s []int32) bool {
		return slices.ContainsFunc(steps, func(x []int32) bool { return slices.Equal(x, s) })
	}
	for i, v := range vs {
		for _, w := range vs[:i] {
			all := v.id != w.id
			for _, s := range w.steps[:len(w.steps)-1] {
				all = all && has(v.steps, s)
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
