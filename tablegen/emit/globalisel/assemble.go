package globalisel

import (
	"path"
	"sort"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen/emit/trie"
)

// assemble turns the rules into the code section: for each root opcode a
// decision tree in which rules share common tests. The order of priority is
// kept but for rules that exclude each other.
func (g *Generator) assemble() {
	byOp := map[desc.Opcode][]*rule{}
	var ops []desc.Opcode
	for _, r := range g.rules {
		if byOp[r.root] == nil {
			ops = append(ops, r.root)
		}
		byOp[r.root] = append(byOp[r.root], r)
	}
	tree := trie.Tree[*rule]{
		Steps: func(r *rule) []trie.Step { return r.steps }, Accept: g.accept, Shadow: func(r, by *rule) { r.shadow = by },
		Try: byte(code.Try), CheckType: byte(code.CheckType), SwitchType: byte(code.SwitchType), MaxTries: code.MaxTries,
	}
	sort.Slice(ops, func(i, j int) bool { return ops[i] < ops[j] })
	for _, op := range ops {
		rs := byOp[op]
		sort.SliceStable(rs, func(i, j int) bool {
			if rs[i].priority != rs[j].priority {
				return rs[i].priority > rs[j].priority
			}
			return rs[i].order < rs[j].order
		})
		g.findOverlaps(rs)
		g.table.Roots = append(g.table.Roots, code.Root{Opcode: uint32(op), Offset: uint32(len(g.table.Code))})
		g.table.Code = append(g.table.Code, tree.Code(rs)...)
	}
	g.reportShadows()
}

// reportShadows warns of patterns none of whose rules can match; single
// alternatives that cannot are only noted.
func (g *Generator) reportShadows() {
	live := map[int]bool{}
	for _, r := range g.rules {
		if r.used {
			live[r.order] = true
		}
	}
	type pair struct{ a, b Pos }
	said := map[pair]bool{}
	for _, r := range g.rules {
		if r.shadow == nil || said[pair{r.pos, r.shadow.pos}] {
			continue
		}
		said[pair{r.pos, r.shadow.pos}] = true
		if live[r.order] {
			g.report(diag.Note, r.pos, "an alternative never matches: the pattern at %s always matches first", r.shadow.pos)
		} else {
			g.report(diag.Warning, r.pos, "pattern never matches: the one at %s always matches first", r.shadow.pos)
		}
	}
}

// accept ends a rule's tests and adds its actions.
func (g *Generator) accept(r *rule) []byte {
	r.used = true
	name := path.Base(r.pos.File)
	f, ok := g.files[name]
	if !ok {
		f = len(g.table.Files)
		g.files[name] = f
		g.table.Files = append(g.table.Files, name)
	}
	g.table.Rules = append(g.table.Rules, code.Rule{File: uint32(f), Line: uint32(r.pos.Line), Priority: int32(r.priority)})
	return append(trie.Encode(code.Accept, len(g.table.Rules)-1, r.insns), r.actions...)
}

// findOverlaps notes pairs of rules of one root that have the same priority and
// may match the same instruction: then the order in the file decides.
func (g *Generator) findOverlaps(rs []*rule) {
	for i, a := range rs {
		for _, b := range rs[i+1:] {
			if b.priority != a.priority {
				break
			}
			if b.order == a.order {
				continue
			}
			if !exclusive(a, b) {
				g.report(diag.Note, b.pos, "overlaps the pattern at %s, which comes first with equal priority %d", a.pos, a.priority)
				break
			}
		}
	}
}

// exclusive reports whether a test of a and one of b cannot both succeed. Steps
// about the same instruction number mean the same one only while both rules
// walked the same way, so the scan stops where the ways part.
func exclusive(a, b *rule) bool {
	for i, s := range a.steps {
		for j, t := range b.steps {
			if s.Excludes(t) && sameWay(a.steps[:i], b.steps[:j]) {
				return true
			}
		}
	}
	return false
}

// sameWay reports whether two lists of tests record the same instructions.
func sameWay(a, b []trie.Step) bool {
	return recorded(a) == recorded(b)
}

func recorded(s []trie.Step) string {
	out := ""
	for _, x := range s {
		if op := code.Op(x.Bytes[0]); op == code.RecordDef || op == code.CheckOpcode {
			out += x.Bytes
		}
	}
	return out
}
