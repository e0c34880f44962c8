package globalisel

import (
	"encoding/binary"
	"sort"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
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
		g.table.Roots = append(g.table.Roots, code.Root{Opcode: uint16(op), Offset: uint32(len(g.table.Code))})
		g.table.Code = append(g.table.Code, g.tree(rs, 0, 0)...)
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
			g.report(Note, r.pos, "an alternative never matches: the pattern at %s always matches first", r.shadow.pos)
		} else {
			g.report(Warning, r.pos, "pattern never matches: the one at %s always matches first", r.shadow.pos)
		}
	}
}

// at returns test n of a rule, the zero step behind its last one.
func (r *rule) at(n int) step {
	if n < len(r.steps) {
		return r.steps[n]
	}
	return step{}
}

// tree codes the rules, which agree in their first depth tests.
func (g *Generator) tree(rs []*rule, depth, tries int) []byte {
	groups := group(rs, depth)
	if len(groups) > 1 && allTypes(groups, depth) {
		return g.typeSwitch(groups, depth, tries)
	}
	if tries+2 >= code.MaxTries {
		g.report(Error, rs[0].pos, "alternatives nest too deeply")
		return []byte{byte(code.Reject)}
	}
	var out []byte
	for i, gr := range groups {
		more := i < len(groups)-1
		n := tries
		if more {
			n++
		}
		body, stop := g.group(gr, depth, n)
		if stop && more {
			for _, rest := range groups[i+1:] {
				for _, r := range rest {
					r.shadow = gr[0]
				}
			}
			more = false
		}
		if !more {
			return append(out, body...)
		}
		out = binary.AppendUvarint(append(out, byte(code.Try)), uint64(len(body)))
		out = append(out, body...)
	}
	return out
}

// group codes rules whose test at depth is the same; stop says that its first
// rule has no tests left.
func (g *Generator) group(rs []*rule, depth, tries int) ([]byte, bool) {
	r := rs[0]
	if depth == len(r.steps) {
		for _, x := range rs[1:] {
			x.shadow = r
		}
		return g.accept(r), true
	}
	out := []byte(r.steps[depth].bytes)
	if len(rs) == 1 {
		for _, s := range r.steps[depth+1:] {
			out = append(out, s.bytes...)
		}
		return append(out, g.accept(r)...), false
	}
	return append(out, g.tree(rs, depth+1, tries)...), false
}

// accept ends a rule's tests and adds its actions.
func (g *Generator) accept(r *rule) []byte {
	r.used = true
	f, ok := g.files[r.pos.File]
	if !ok {
		f = len(g.table.Files)
		g.files[r.pos.File] = f
		g.table.Files = append(g.table.Files, r.pos.File)
	}
	g.table.Rules = append(g.table.Rules, code.Rule{File: uint32(f), Line: uint32(r.pos.Line), Priority: int32(r.priority)})
	return append(enc(code.Accept, len(g.table.Rules)-1, r.insns), r.actions...)
}

// group puts rules with the same test at depth together. A rule moves up to an
// earlier group only over rules that its test excludes, so that priority stays.
func group(rs []*rule, depth int) [][]*rule {
	var groups [][]*rule
	for _, r := range rs {
		s := r.at(depth)
		at := len(groups)
		for i := len(groups) - 1; i >= 0; i-- {
			q := groups[i][0].at(depth)
			if q == s && s.bytes != "" {
				at = i
				break
			}
			if !q.excludes(s) {
				break
			}
		}
		if at == len(groups) {
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], r)
	}
	return groups
}

// allTypes reports whether all groups test the type of one operand.
func allTypes(groups [][]*rule, depth int) bool {
	key := groups[0][0].at(depth).key
	for _, gr := range groups {
		s := gr[0].at(depth)
		if s.bytes == "" || code.Op(s.bytes[0]) != code.CheckType || s.key != key {
			return false
		}
	}
	return true
}

// typeSwitch codes groups that differ in the type of an operand as a jump.
func (g *Generator) typeSwitch(groups [][]*rule, depth, tries int) []byte {
	key := groups[0][0].at(depth).key
	var table, bodies []byte
	for _, gr := range groups {
		table = append(table, gr[0].steps[depth].bytes[len(key):]...)
		table = binary.AppendUvarint(table, uint64(len(bodies)))
		bodies = append(bodies, g.tree(gr, depth+1, tries)...)
	}
	out := append([]byte{byte(code.SwitchType)}, key[1:]...)
	out = binary.AppendUvarint(out, uint64(len(groups)))
	return append(append(out, table...), bodies...)
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
				g.report(Note, b.pos, "overlaps the pattern at %s, which comes first with equal priority %d", a.pos, a.priority)
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
			if s.excludes(t) && sameWay(a.steps[:i], b.steps[:j]) {
				return true
			}
		}
	}
	return false
}

// sameWay reports whether two lists of tests record the same instructions.
func sameWay(a, b []step) bool {
	return recorded(a) == recorded(b)
}

func recorded(s []step) string {
	out := ""
	for _, x := range s {
		if op := code.Op(x.bytes[0]); op == code.RecordDef || op == code.CheckOpcode {
			out += x.bytes
		}
	}
	return out
}
