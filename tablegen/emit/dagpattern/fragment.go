package dagpattern

import (
	"slices"

	"github.com/mirin-go/mirin/tablegen"
)

// readFragments parses the fragments of the target: those of sources, then,
// when instructions are known, those of results.
func (p *Set) readFragments(out bool) {
	recs := slices.DeleteFunc(p.rs.DerivedSorted("PatFrags"), func(r *tablegen.Record) bool { return r.IsSubClassOf("OutPatFrag") != out })
	for _, r := range recs {
		f := p.parsePattern(r, !out, r.List("Fragments")...)
		p.frags[r] = f
		p.fragmentArgs(r, f)
		if x := r.DefField("OperandTransform"); x != nil && x.String("XFormFunction") != "" {
			for _, t := range f.trees {
				t.Xform = x
			}
		}
	}
	for _, r := range recs {
		f := p.frags[r]
		f.inline()
		// A fragment may need types that the target lacks; that is an error
		// only where it is used.
		f.in.quiet = true
		failed := f.failed
		f.inferAll(nil)
		f.in.quiet = false
		if !failed {
			f.failed = false
		}
	}
}

// fragmentArgs checks the operands that a fragment declares against those it uses.
func (p *Set) fragmentArgs(r *tablegen.Record, f *treePattern) {
	used := map[string]bool{}
	for _, a := range f.args {
		used[a] = true
	}
	if used[""] {
		f.errorf("Cannot have unnamed 'node' values in pattern fragment!")
	}
	ops := r.Dag("Operands")
	if ops == nil {
		return
	}
	if d, ok := ops.Op.(*tablegen.DefInit); !ok || d.Rec.Name != "ops" && d.Rec.Name != "outs" && d.Rec.Name != "ins" {
		f.errorf("Operands list should start with '(ops ... '!")
	}
	order := f.args
	f.args = nil
	for i, a := range ops.Args {
		if d, ok := a.(*tablegen.DefInit); !ok || d.Rec.Name != "node" {
			f.errorf("Operands list should all be 'node' values.")
		}
		n := ops.ArgNames[i]
		if n == "" {
			f.errorf("Operands list should have names for each operand!")
		}
		if !used[n] {
			f.errorf("'" + n + "' does not occur in pattern or was multiply specified!")
		}
		delete(used, n)
		f.args = append(f.args, n)
	}
	for _, n := range order {
		if used[n] {
			f.errorf("Operands list does not contain an entry for operand '" + n + "'!")
		}
	}
}

// inline replaces fragments by their alternatives, in all combinations.
func (t *treePattern) inline() {
	var out []*Node
	for _, n := range t.trees {
		out = t.inlineNode(n, out)
	}
	t.trees = out
}

func (t *treePattern) inlineNode(n *Node, out []*Node) []*Node {
	if t.failed {
		return out
	}
	if t.depth > maxDepth || len(out) > maxTrees {
		t.errorf("fragments expand to too much: is one part of itself?")
		return out
	}
	t.depth++
	defer func() { t.depth-- }()
	if n.IsLeaf() || len(n.Kids) == 0 && !n.Op.IsSubClassOf("PatFrags") {
		return append(out, n)
	}
	if !n.Op.IsSubClassOf("PatFrags") {
		alts := make([][]*Node, len(n.Kids))
		for i, k := range n.Kids {
			if alts[i] = t.inlineNode(k, nil); len(alts[i]) == 0 {
				return out
			}
		}
		product(alts, func(kids []*Node) bool {
			out = append(out, n.like(kids))
			return len(out) <= maxTrees
		})
		return out
	}
	frag := t.p.frags[n.Op]
	if frag == nil {
		t.errorf("fragment '" + n.Op.Name + "' cannot be used here")
		return out
	}
	if len(frag.args) != len(n.Kids) {
		t.errorf("'" + n.Op.Name + "' fragment requires " + itoa(len(frag.args)) + " operands!")
		return out
	}
	pred := t.p.predicate(n.Op)
	scope := 0
	if pred.UsesOperands {
		t.p.scopes++
		scope = t.p.scopes
	}
	args := map[string]*Node{}
	for i, k := range n.Kids {
		if scope != 0 {
			k = k.clone()
			k.PredArgs = append(k.PredArgs, ScopedName{scope, frag.args[i]})
		}
		args[frag.args[i]] = k
	}
	for _, alt := range frag.trees {
		f := alt.clone()
		if !pred.AlwaysTrue() {
			f.Preds = append(f.Preds, PredCall{pred, scope})
		}
		if len(frag.args) > 0 {
			f = substitute(f, args)
		}
		f.Name = n.Name
		for i := range f.Types {
			if i < len(n.Types) {
				t.update(f, i, n.Types[i])
			}
		}
		if n.Op.IsSubClassOf("GISelFlags") {
			f.Flags = n.Op
		}
		f.Preds = append(f.Preds, n.Preds...)
		out = t.inlineNode(f, out)
	}
	return out
}

// substitute puts the arguments of a fragment in their places.
func substitute(n *Node, args map[string]*Node) *Node {
	for i, k := range n.Kids {
		if !k.IsLeaf() {
			substitute(k, args)
			continue
		}
		_, unset := k.Leaf.(*tablegen.UnsetInit)
		if d := k.Def(); unset || d != nil && d.Name == "node" {
			if a := args[k.Name]; a != nil {
				n.Kids[i] = a
			}
		}
	}
	return n
}

// product calls f with each choice of one of each list, the last one varying
// fastest, until it says stop.
func product(lists [][]*Node, f func([]*Node) bool) {
	pick := make([]int, len(lists))
	for {
		kids := make([]*Node, len(lists))
		for i := range lists {
			kids[i] = lists[i][pick[i]]
		}
		if !f(kids) {
			return
		}
		i := len(pick) - 1
		for ; i >= 0; i-- {
			if pick[i]++; pick[i] < len(lists[i]) {
				break
			}
			pick[i] = 0
		}
		if i < 0 {
			return
		}
	}
}
