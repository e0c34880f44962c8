package dagpattern

import (
	"slices"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
)

func (p *Set) warning(r *tablegen.Record, msg string) *diag.Diagnostic {
	d := p.rs.ErrorsAt(nil, r.Loc, msg)[0]
	d.Severity = diag.Warning
	return d
}

// uses collects what a pattern reads by name and what it sets.
type uses struct {
	t        *treePattern
	inputs   map[string]*Node
	inNames  []string
	results  []result
	implicit []*tablegen.Record // physical registers that are set
}

// result is a named destination of a set.
type result struct {
	name string
	node *Node
}

func newUses(t *treePattern) *uses { return &uses{t: t, inputs: map[string]*Node{}} }

// resolve expands the fragments of a named node or destination, which must
// give one alternative.
func (u *uses) resolve(n *Node, input bool) *Node {
	s := u.t.p.newPattern(u.t.rec, input, n)
	s.inline()
	s.inferAll(nil)
	if s.failed || len(s.trees) != 1 {
		u.t.failed = u.t.failed || s.failed
		if !u.t.failed {
			u.t.errorf("a named operand stands for several alternatives")
		}
		return n
	}
	return s.trees[0]
}

// find collects the uses and definitions of a tree.
func (u *uses) find(n *Node) {
	t := u.t
	if t.failed {
		return
	}
	if n.Name != "" {
		n = u.resolve(n, true)
	}
	if n.IsLeaf() {
		if !u.use(n) && n.Xform != nil {
			t.errorf("Cannot specify a transform function for a non-input value!")
		}
		return
	}
	switch n.Op.Name {
	case "implicit":
		for _, k := range n.Kids {
			d := k.Def()
			if d == nil || !d.IsSubClassOf("Register") {
				t.errorf("implicitly defined value should be a register!")
				return
			}
			u.implicit = append(u.implicit, d)
		}
		return
	case "set":
		u.set(n)
		return
	}
	for _, k := range n.Kids {
		if len(k.Types) == 0 {
			t.errorf("Cannot have void nodes inside of patterns!")
		}
		u.find(k)
	}
	if !u.use(n) && n.Xform != nil {
		t.errorf("Cannot specify a transform function for a non-input value!")
	}
}

func (u *uses) set(n *Node) {
	t := u.t
	if len(n.Kids) == 0 {
		t.errorf("set requires operands!")
		return
	}
	if n.Xform != nil {
		t.errorf("Cannot specify a transform function on a set node!")
	}
	for _, k := range n.Kids[:len(n.Kids)-1] {
		k = u.resolve(k, false)
		d := k.Def()
		switch {
		case t.failed:
			return
		case d == nil:
			t.errorf("set destination should be a register!")
		case d.IsSubClassOf("RegisterClassLike"), d.IsSubClassOf("RegisterClass"), d.IsSubClassOf("ValueType"), d.IsSubClassOf("RegisterOperand"):
			if k.Name == "" {
				t.errorf("set destination must have a name!")
			}
			if slices.ContainsFunc(u.results, func(r result) bool { return r.name == k.Name }) {
				t.errorf("cannot set '" + k.Name + "' multiple times")
			}
			u.results = append(u.results, result{k.Name, k})
		case d.IsSubClassOf("Register"):
			u.implicit = append(u.implicit, d)
		default:
			t.errorf("set destination should be a register!")
		}
	}
	u.find(n.Kids[len(n.Kids)-1])
}

// use notes a named operand; false when n is none.
func (u *uses) use(n *Node) bool {
	t := u.t
	if n.Name == "" {
		if d := n.Def(); d != nil && (d.IsSubClassOf("RegisterClass") || d.IsSubClassOf("RegisterOperand")) {
			t.errorf("Input " + d.Name + " must be named!")
		}
		return false
	}
	rec := n.Op
	if n.IsLeaf() {
		if rec = n.Def(); rec == nil {
			t.errorf("Input $" + n.Name + " must be an identifier!")
			return false
		}
	}
	if rec.Name == "srcvalue" {
		return false
	}
	old := u.inputs[n.Name]
	if old == nil {
		u.inputs[n.Name] = n
		u.inNames = append(u.inNames, n.Name)
		return true
	}
	oldRec := old.Op
	if old.IsLeaf() {
		oldRec = old.Def()
	}
	if rec != oldRec {
		t.errorf("All $" + n.Name + " inputs must agree with each other")
	}
	if len(old.Types) > 0 && len(n.Types) > 0 {
		t.update(old, 0, n.Types[0])
		t.update(n, 0, old.Types[0])
	}
	if !sameTypes(old, n) {
		t.errorf("All $" + n.Name + " inputs must agree with each other")
	}
	return true
}

// classFits reports whether a leaf of a pattern can be an operand.
func classFits(op *tablegen.Record, leaf *tablegen.Record) bool {
	return op == leaf || leaf.IsSubClassOf("ValueType") || leaf.IsSubClassOf("ComplexPattern")
}

// readInstruction makes source and result of an instruction's own pattern.
func (p *Set) readInstruction(inst *Inst, dags []tablegen.Init) {
	r := inst.Record
	t := p.parsePattern(r, true, dags...)
	if t.failed {
		return
	}
	u := newUses(t)
	for _, n := range t.trees {
		if len(n.Types) != 0 {
			var b []byte
			for i := range n.Types {
				if i > 0 {
					b = append(b, ", "...)
				}
				b = p.appendTypeSet(b, &n.Types[i])
			}
			t.errorf("Top-level forms in instruction pattern should have void types, has types " + string(b))
		}
		u.find(n)
	}
	if t.failed {
		return
	}
	inst.NumResults, inst.results = len(u.results), nil
	var resNodes []*Node
	var order []int
	left := slices.Clone(u.results)
	for i := range u.results {
		if i == len(inst.Operands) {
			k := slices.IndexFunc(left, func(r result) bool { return r.node != nil })
			t.errorf("'" + left[k].name + "' set but does not appear in operand list!")
			return
		}
		op := inst.Operands[i]
		k := slices.IndexFunc(left, func(r result) bool { return r.node != nil && r.name == op.Name })
		if k < 0 {
			t.errorf("Operand $" + op.Name + " does not exist in operand list!")
			return
		}
		n := left[k].node
		left[k].node = nil
		if !classFits(op.Rec, n.Def()) {
			t.errorf("Operand $" + op.Name + " class mismatch!")
			return
		}
		inst.results = append(inst.results, op.Rec)
		resNodes, order = append(resNodes, n), append(order, k)
	}
	kids := p.inputOperands(t, u, inst)
	if t.failed {
		return
	}
	results, _ := p.numResults(r, 0)
	inst.dst = &Node{Op: r, Kids: kids, Types: make([]TypeSet, results), resultOrder: order}
	for i, n := range resNodes {
		if i < len(inst.dst.Types) && len(n.Types) == 1 {
			inst.dst.Types[i] = n.Types[0].clone()
		}
	}
	inst.src, inst.impRes = t.trees[0], u.implicit
	if inst.src.Op != nil && inst.src.Op.Name == "set" {
		inst.src = inst.src.Kids[len(inst.src.Kids)-1].clone()
	}
	p.reorder(t, inst, order)
}

// reorder notes results of the source that the instruction has in another
// order; a result of the source says which operand it is.
func (p *Set) reorder(t *treePattern, inst *Inst, order []int) {
	if slices.IsSorted(order) {
		inst.dst.resultOrder = nil
	}
}

// inputOperands makes the operands of the result of an instruction's pattern.
func (p *Set) inputOperands(t *treePattern, u *uses, inst *Inst) []*Node {
	var kids []*Node
	used := map[string]bool{}
	for i := len(u.results); i < len(inst.Operands); i++ {
		op := inst.Operands[i]
		if op.Name == "" {
			t.errorf("Operand #" + itoa(i) + " in operands list has no name!")
			continue
		}
		n := u.inputs[op.Name]
		if n == nil || used[op.Name] {
			if !p.hasDefault(op.Rec) {
				t.errorf("Operand $" + op.Name + " does not appear in the instruction pattern")
			}
			continue
		}
		used[op.Name] = true
		if d := n.Def(); n.IsLeaf() && d != nil && !classFits(op.Rec, d) {
			t.errorf("Operand $" + op.Name + "'s register class disagrees between the operand and pattern")
			continue
		}
		k := n.clone()
		k.Preds = nil
		if x := k.Xform; x != nil {
			k.Xform = nil
			k = &Node{Op: x, Kids: []*Node{k}, Types: make([]TypeSet, len(k.Types))}
		}
		kids = append(kids, k)
	}
	names := slices.Clone(u.inNames)
	slices.Sort(names)
	for _, n := range names {
		if !used[n] {
			t.errorf("Input operand $" + n + " occurs in pattern but not in operands list!")
		}
	}
	return kids
}
