package dagisel

import (
	"encoding/binary"
	"path"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/codegen/dagtable/code"
)

// assemble writes the code: for each root opcode a tree in which patterns share
// the tests that they begin with. A pattern moves only over patterns that
// exclude it, so that the first one in order that fits is found.
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
	for _, op := range roots {
		g.t.Roots = append(g.t.Roots, code.Root{Opcode: uint32(op), Offset: uint32(len(g.t.Code))})
		g.t.Code = append(g.t.Code, g.tree(by[op], 0, 0)...)
	}
	for _, r := range g.rules {
		if !r.used {
			file, line := g.p.Records().Position(r.pat.Record.Loc)
			g.res.Skipped = append(g.res.Skipped, Skipped{path.Base(file), line, r.pat.Record.Name, "it never matches: another pattern with the same tests comes first"})
		}
	}
}

func (r *rule) at(n int) step {
	if n < len(r.steps) {
		return r.steps[n]
	}
	return step{}
}

// tree codes rules that agree in their first depth tests.
func (g *generator) tree(rs []*rule, depth, tries int) []byte {
	groups := group(rs, depth)
	if len(groups) > 1 && allTypes(groups, depth) {
		return g.typeSwitch(groups, depth, tries)
	}
	var out []byte
	for i, gr := range groups {
		more := i < len(groups)-1
		n := tries
		if more {
			n++
		}
		if n+1 >= code.MaxTries { // too deep to share: one after the other
			return g.flat(rs, depth)
		}
		body, stop := g.group(gr, depth, n)
		if stop || !more {
			return append(out, body...)
		}
		out = binary.AppendUvarint(append(out, byte(code.Try)), uint64(len(body)))
		out = append(out, body...)
	}
	return out
}

// flat codes rules without sharing, which nests alternatives by one only.
func (g *generator) flat(rs []*rule, depth int) []byte {
	var out []byte
	for i, r := range rs {
		body := g.tail(r, depth)
		if i == len(rs)-1 {
			return append(out, body...)
		}
		out = binary.AppendUvarint(append(out, byte(code.Try)), uint64(len(body)))
		out = append(out, body...)
	}
	return out
}

// tail is the rest of one rule.
func (g *generator) tail(r *rule, depth int) []byte {
	var out []byte
	for _, s := range r.steps[min(depth, len(r.steps)):] {
		out = append(out, s.bytes...)
	}
	return append(out, g.accept(r)...)
}

// group codes rules whose test at depth is one; stop: the first one matches always.
func (g *generator) group(rs []*rule, depth, tries int) ([]byte, bool) {
	r := rs[0]
	if depth >= len(r.steps) {
		return g.accept(r), true
	}
	if len(rs) == 1 {
		return g.tail(r, depth), false
	}
	return append([]byte(r.steps[depth].bytes), g.tree(rs, depth+1, tries)...), false
}

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
	g.t.Rules = append(g.t.Rules, code.Rule{File: uint32(f), Line: uint32(line), Complexity: int32(r.pat.Complexity), Name: name})
	return append(enc(code.Accept, len(g.t.Rules)-1), r.actions...)
}

// group puts rules with the same test at depth together.
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

// allTypes reports whether all groups test the type of one value.
func allTypes(groups [][]*rule, depth int) bool {
	key := groups[0][0].at(depth).key
	seen := map[string]bool{}
	for _, gr := range groups {
		s := gr[0].at(depth)
		if s.bytes == "" || code.Op(s.bytes[0]) != code.CheckType || s.key != key || seen[s.bytes] {
			return false
		}
		seen[s.bytes] = true
	}
	return true
}

func (g *generator) typeSwitch(groups [][]*rule, depth, tries int) []byte {
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
