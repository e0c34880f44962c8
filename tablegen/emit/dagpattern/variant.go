package dagpattern

import (
	"slices"

	"github.com/mirin-go/mirin/tablegen"
)

// variants adds patterns that follow by commuting and reassociating operators.
func (p *Set) variants() {
	n := len(p.Patterns)
	// Equal sources agree in the operators of the root and its first operand.
	type head struct{ root, first *tablegen.Record }
	headOf := func(n *Node) head {
		h := head{root: n.Op}
		if len(n.Kids) > 0 {
			h.first = n.Kids[0].Op
		}
		return h
	}
	by := map[head][]*Pattern{}
	for _, x := range p.Patterns {
		by[headOf(x.Src)] = append(by[headOf(x.Src)], x)
	}
	for i := range n {
		pat := p.Patterns[i]
		dep := repeatedNames(pat.Src)
		alts := p.variantsOf(pat.Src, dep)
		if len(alts) == 1 {
			continue
		}
		for _, v := range alts {
			exists := slices.ContainsFunc(by[headOf(v)], func(o *Pattern) bool {
				return (o == pat || slices.Equal(pat.Predicates, o.Predicates)) && same(v, o.Src, dep)
			})
			if exists {
				continue
			}
			p.nextID++
			c := *pat
			c.Src, c.ID = v, p.nextID
			p.Patterns = append(p.Patterns, &c)
			by[headOf(v)] = append(by[headOf(v)], &c)
		}
	}
}

// repeatedNames finds names that tie operands together.
func repeatedNames(n *Node) map[string]bool {
	count, out := map[string]int{}, map[string]bool{}
	n.walk(func(n *Node) {
		if n.IsLeaf() && n.Name != "" && n.Def() != nil {
			if count[n.Name]++; count[n.Name] > 1 {
				out[n.Name] = true
			}
		}
	})
	return out
}

// same reports whether two sources match the same; names count only where they
// tie operands.
func same(a, b *Node, dep map[string]bool) bool {
	if a == b {
		return true
	}
	if a.Op != b.Op || len(a.Kids) != len(b.Kids) || a.Xform != b.Xform || !sameTypes(a, b) || !slices.Equal(a.Preds, b.Preds) {
		return false
	}
	if a.IsLeaf() {
		if x, y := a.Def(), b.Def(); x != nil && y != nil {
			return x == y && (!dep[a.Name] || a.Name == b.Name)
		}
		x, ok1 := a.Int()
		y, ok2 := b.Int()
		return ok1 && ok2 && x == y || !ok1 && !ok2 && a.Leaf == b.Leaf
	}
	for i := range a.Kids {
		if !same(a.Kids[i], b.Kids[i], dep) {
			return false
		}
	}
	return true
}

// variantsOf lists the ways to write a source; the first is n itself unless it
// can never match.
func (p *Set) variantsOf(n *Node, dep map[string]bool) []*Node {
	if n.IsLeaf() || n.Op.IsSubClassOf("ComplexPattern") || p.nodes[n.Op] == nil {
		return []*Node{n}
	}
	ni := p.nodes[n.Op]
	var out []*Node
	combine := func(lists ...[]*Node) { out = p.combine(n, lists, out, dep) }
	if ni.Props&Associative != 0 && len(n.Kids) == 2 {
		if l := gather(n, nil); len(l) == 3 {
			var v [3][]*Node
			for i := range l {
				v[i] = p.variantsOf(l[i], dep)
			}
			pair := func(i, j int) []*Node { return p.combine(n, [][]*Node{v[i], v[j]}, nil, dep) }
			ab, ba, ac, ca, bc, cb := pair(0, 1), pair(1, 0), pair(0, 2), pair(2, 0), pair(1, 2), pair(2, 1)
			combine(ab, v[2])
			combine(ba, v[2])
			combine(ac, v[1])
			combine(ca, v[1])
			combine(bc, v[0])
			combine(cb, v[0])
			combine(v[2], ab)
			combine(v[2], ba)
			combine(v[1], ac)
			combine(v[1], ca)
			combine(v[0], bc)
			combine(v[0], cb)
			return out
		}
	}
	kids := make([][]*Node, len(n.Kids))
	for i, k := range n.Kids {
		kids[i] = p.variantsOf(k, dep)
	}
	combine(kids...)
	skip := 0
	if p.commutativeIntrinsic(n) {
		skip = 1
	} else if ni.Props&Commutative == 0 {
		return out
	}
	if len(n.Kids) < skip+2 {
		return out
	}
	for _, k := range n.Kids[skip : skip+2] {
		if d := k.Def(); k.IsLeaf() && d != nil && d.IsSubClassOf("Register") {
			return out
		}
	}
	kids[skip], kids[skip+1] = kids[skip+1], kids[skip]
	combine(kids...)
	return out
}

// gather lists the operands of a chain of one associative operator.
func gather(n *Node, out []*Node) []*Node {
	if n.Name != "" || len(n.Preds) > 0 || n.Xform != nil {
		return append(out, n)
	}
	for _, k := range n.Kids {
		if k.IsLeaf() || k.Op != n.Op {
			out = append(out, k)
		} else {
			out = gather(k, out)
		}
	}
	return out
}

// combine adds n with each choice of operands that can match and is new.
func (p *Set) combine(n *Node, lists [][]*Node, out []*Node, dep map[string]bool) []*Node {
	for _, l := range lists {
		if len(l) == 0 {
			return out
		}
	}
	product(lists, func(kids []*Node) bool {
		v := n.like(kids)
		if p.cannotMatch(v) == "" && !slices.ContainsFunc(out, func(o *Node) bool { return same(v, o, dep) }) {
			out = append(out, v)
		}
		return len(out) < maxTrees
	})
	return out
}

// expandModes makes a pattern with simple types for each hardware mode.
func (p *Set) expandModes() {
	if len(p.modes) == 1 {
		return
	}
	old := p.Patterns
	p.Patterns = nil
	for _, pat := range old {
		modes := map[Mode]bool{}
		collect := func(n *Node) {
			proper := false
			n.walk(func(n *Node) {
				for i := range n.Types {
					proper = proper || !n.Types[i].onlyDefault()
				}
			})
			if !proper {
				return
			}
			n.walk(func(n *Node) {
				for i := range n.Types {
					for _, x := range n.Types[i].by {
						modes[x.mode] = true
					}
				}
			})
		}
		collect(pat.Src)
		collect(pat.Dst)
		if len(modes) == 0 {
			p.Patterns = append(p.Patterns, pat)
			continue
		}
		var not []Mode
		for m := Mode(1); int(m) < len(p.modes); m++ {
			if modes[m] {
				p.addForMode(pat, m, nil)
				not = append(not, m)
			}
		}
		if modes[0] {
			p.addForMode(pat, 0, not)
		}
	}
}

func (p *Set) addForMode(pat *Pattern, m Mode, not []Mode) {
	c := *pat
	c.Src, c.Dst, c.HwMode, c.NotModes = pat.Src.clone(), pat.Dst.clone(), m, not
	ok := true
	fix := func(n *Node) {
		for i := range n.Types {
			s := n.Types[i].peek(m)
			ok = ok && !s.empty()
			n.Types[i].by = []modeSet{{0, s}}
		}
	}
	c.Src.walk(fix)
	c.Dst.walk(fix)
	if !ok {
		return
	}
	p.nextID++
	c.ID = p.nextID
	p.Patterns = append(p.Patterns, &c)
}
