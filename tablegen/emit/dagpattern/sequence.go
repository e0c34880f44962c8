package dagpattern

import "github.com/mirin-go/mirin/tablegen"

// Results in several steps (mirin/Sequence.td): Seq, get and results, and set as
// a step, which copies into a register.

// isSequence reports whether op is Seq, get or results.
func isSequence(op *tablegen.Record) bool { return op.IsSubClassOf("ResultOperator") }

// IsStepOf reports whether a node of a result is the operator of that name: Seq,
// set, get or results.
func (n *Node) IsStepOf(name string) bool {
	return n.Op != nil && n.Op.Name == name && (name == "set" || isSequence(n.Op))
}

// sequenceResults is the number of values of Seq, get and results.
func (p *Set) sequenceResults(op *tablegen.Record, kids []*Node) (int, bool) {
	if !isSequence(op) {
		return 0, false
	}
	switch op.Name {
	case "get":
		return 1, true
	case "results":
		return len(kids), true
	}
	if len(kids) == 0 {
		return 0, true
	}
	return len(kids[len(kids)-1].Types), true
}

// stepNames are the names of the steps in trees.
func stepNames(trees []*Node) map[string]bool {
	var out map[string]bool
	for _, n := range trees {
		n.walk(func(n *Node) {
			if !n.IsStepOf("Seq") {
				return
			}
			for _, k := range n.Kids {
				if k.Name != "" && !k.IsLeaf() {
					if out == nil {
						out = map[string]bool{}
					}
					out[k.Name] = true
				}
			}
		})
	}
	return out
}

// applySequence applies what Seq, get, results and set say about types.
func (t *treePattern) applySequence(n *Node) bool {
	register := func() bool {
		if len(n.Kids) > 0 {
			if d := n.Kids[0].Def(); d != nil && d.IsSubClassOf("Register") {
				return true
			}
		}
		t.errorf("(" + n.Op.Name + " …) takes a register first")
		return false
	}
	switch n.Op.Name {
	case "set":
		if !register() {
			return false
		}
		if len(n.Kids) != 2 || len(n.Kids[1].Types) == 0 {
			t.errorf("(set register, value) takes one value")
			return false
		}
		changed := t.applyKids(n)
		return t.same(n.Kids[0], 0, n.Kids[1], 0) || changed
	case "get":
		if !register() {
			return false
		}
		if len(n.Kids) != 1 {
			t.errorf("(get register) takes no value")
			return false
		}
		changed := t.applyKids(n)
		return t.same(n, 0, n.Kids[0], 0) || changed
	case "results":
		changed := t.applyKids(n)
		for i, k := range n.Kids {
			changed = t.same(n, i, k, 0) || changed
		}
		return changed
	}
	if len(n.Kids) == 0 {
		t.errorf("(Seq) has no steps")
		return false
	}
	changed := t.applyKids(n)
	for i := range n.Types {
		changed = t.same(n, i, n.Kids[len(n.Kids)-1], i) || changed
	}
	return changed
}

// same makes two values have one type.
func (t *treePattern) same(a *Node, i int, b *Node, j int) bool {
	if i >= len(a.Types) || j >= len(b.Types) {
		return false
	}
	changed := t.update(a, i, b.Types[j])
	return t.update(b, j, a.Types[i]) || changed
}
