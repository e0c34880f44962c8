package globalisel

import (
	"cmp"
	"sort"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/matchasm"
)

// assemble makes the table of the rules: for each root opcode those of higher
// priority come first.
func (g *generator) assemble() (*code.Table, error) {
	sort.SliceStable(g.rules, func(i, j int) bool {
		a, b := g.rules[i], g.rules[j]
		return cmp.Or(cmp.Compare(a.Root, b.Root), cmp.Compare(b.Priority, a.Priority), cmp.Compare(a.order, b.order)) < 0
	})
	for i, n := 0, 0; i < len(g.rules); i = n {
		for n = i; n < len(g.rules) && g.rules[n].Root == g.rules[i].Root; n++ {
			g.asm.Add(&g.rules[n].Rule)
		}
		g.findOverlaps(g.rules[i:n])
	}
	t, err := g.asm.Table(code.LimitsOf(g.info))
	g.reportShadows()
	return t, err
}

// reportShadows warns of patterns none of whose rules can match; single
// alternatives that cannot are only noted.
func (g *generator) reportShadows() {
	live := map[*tablegen.Record]bool{}
	for _, r := range g.rules {
		if r.Used {
			live[r.record] = true
		}
	}
	type pair struct {
		a Pos
		b string
	}
	said := map[pair]bool{}
	for _, r := range g.rules {
		if r.Shadow == nil {
			continue
		}
		by := Pos{File: r.Shadow.File, Line: r.Shadow.Line}.String()
		if said[pair{r.pos, by}] {
			continue
		}
		said[pair{r.pos, by}] = true
		if live[r.record] {
			g.report(diag.Note, r.pos, "an alternative never matches: the pattern at %s always matches first", by)
		} else {
			g.report(diag.Warning, r.pos, "pattern never matches: the one at %s always matches first", by)
		}
	}
}

// findOverlaps notes pairs of rules of one root that have the same priority and
// may match the same instruction: then the order in the file decides.
func (g *generator) findOverlaps(rs []*rule) {
	for i, a := range rs {
		for _, b := range rs[i+1:] {
			if b.Priority != a.Priority {
				break
			}
			if b.record == a.record {
				continue
			}
			if !exclusive(a, b) {
				g.report(diag.Note, b.pos, "overlaps the pattern at %s, which comes first with equal priority %d", a.pos, a.Priority)
				break
			}
		}
	}
}

// exclusive reports whether a test of a and one of b cannot both succeed. Steps
// about the same instruction number mean the same one only while both rules
// walked the same way, so the scan stops where the ways part.
func exclusive(a, b *rule) bool {
	for i, s := range a.Steps {
		for j, t := range b.Steps {
			if s.Excludes(t) && sameWay(a.Steps[:i], b.Steps[:j]) {
				return true
			}
		}
	}
	return false
}

// sameWay reports whether two lists of tests record the same instructions.
func sameWay(a, b []matchasm.Step) bool {
	return recorded(a) == recorded(b)
}

func recorded(s []matchasm.Step) string {
	out := ""
	for _, x := range s {
		if op := x.Op(); op == code.RecordDef || op == code.CheckOpcode {
			out += x.Bytes
		}
	}
	return out
}
