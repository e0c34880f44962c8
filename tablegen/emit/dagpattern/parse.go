package dagpattern

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/tablegen"
)

// Node is a node of a source or result pattern: an operator with operands, or
// a leaf (a register class, a type, a number, …).
type Node struct {
	Op    *tablegen.Record // nil for a leaf
	Leaf  tablegen.Init    // of a leaf
	Kids  []*Node
	Name  string // of the operand, "" for none
	Types []TypeSet
	Preds []PredCall
	Xform *tablegen.Record
	// PredArgs are the names under which predicates of fragments ask for the node.
	PredArgs []ScopedName
	// Flags is the fragment of class GISelFlags that the node came from.
	Flags *tablegen.Record

	resultOrder []int // of an instruction: the result of the source that each of its own is
}

// PredCall is a condition on a node. Scope numbers the uses of fragments whose
// predicates ask for operands; 0 for others.
type PredCall struct {
	Pred  *Predicate
	Scope int
}

// ScopedName is the name of an operand inside the use of a fragment.
type ScopedName struct {
	Scope int
	Name  string
}

// IsLeaf reports whether n has no operator.
func (n *Node) IsLeaf() bool { return n.Op == nil }

// Def returns the record that a leaf refers to, nil for others.
func (n *Node) Def() *tablegen.Record {
	if d, ok := n.Leaf.(*tablegen.DefInit); ok {
		return d.Rec
	}
	return nil
}

// Int returns the number that a leaf is.
func (n *Node) Int() (int64, bool) {
	if v, ok := n.Leaf.(*tablegen.IntInit); ok {
		return v.V, true
	}
	return 0, false
}

// Type returns result i's type; -1 where there is none.
func (n *Node) Type(i int) VT {
	if i < len(n.Types) {
		if t, ok := n.Types[i].simple(); ok {
			return t
		}
	}
	return -1
}

// clone copies a tree.
func (n *Node) clone() *Node {
	c := *n
	c.Types = make([]TypeSet, len(n.Types))
	for i := range n.Types {
		c.Types[i] = n.Types[i].clone()
	}
	c.Kids = make([]*Node, len(n.Kids))
	for i, k := range n.Kids {
		c.Kids[i] = k.clone()
	}
	c.Preds, c.PredArgs, c.resultOrder = slices.Clone(n.Preds), slices.Clone(n.PredArgs), slices.Clone(n.resultOrder)
	return &c
}

// like copies a node without its operands, which are given.
func (n *Node) like(kids []*Node) *Node {
	c := *n
	c.Types = make([]TypeSet, len(n.Types))
	for i := range n.Types {
		c.Types[i] = n.Types[i].clone()
	}
	c.Kids = kids
	return &c
}

// walk calls f for n and what is below.
func (n *Node) walk(f func(*Node)) {
	f(n)
	for _, k := range n.Kids {
		k.walk(f)
	}
}

// treePattern is a pattern while it is made: its alternatives, the record it
// comes from and the inference of its types.
type treePattern struct {
	p      *Set
	rec    *tablegen.Record
	trees  []*Node
	input  bool // it is matched, not made
	args   []string
	failed bool
	in     infer
	// named nodes by name, names in order of first sight.
	named map[string][]*Node
	names []string
	// operands of complex patterns by name: each must keep its place.
	complexArgs map[string]complexArg
	// steps are the names that steps of a result give their values.
	steps map[string]bool
	depth int
}

type complexArg struct {
	op *tablegen.Record
	at int
}

// maxDepth bounds the nesting of patterns, maxTrees the alternatives of one,
// maxNodes what one pattern may grow to: fragments multiply.
const (
	maxDepth = 200
	maxTrees = 1 << 14
)

func (p *Set) newPattern(r *tablegen.Record, input bool, trees ...*Node) *treePattern {
	t := &treePattern{p: p, rec: r, input: input, trees: trees, complexArgs: map[string]complexArg{}}
	t.in = infer{t: p.types, legal: p.legal, pat: t}
	return t
}

// parsePattern makes the trees of dags.
func (p *Set) parsePattern(r *tablegen.Record, input bool, dags ...tablegen.Init) *treePattern {
	t := p.newPattern(r, input)
	for _, d := range dags {
		n := t.parse(d, "")
		if n == nil {
			n = &Node{Leaf: tablegen.Unset()}
			t.errorf("Pattern has unexpected init kind!")
		}
		t.trees = append(t.trees, n)
	}
	return t
}

// errorf reports an error; a pattern says only its first.
func (t *treePattern) errorf(msg string) {
	if !t.failed && !t.p.dead {
		t.p.errorAt(t.rec, "In "+t.rec.Name+": "+msg)
	}
	t.failed = true
}

// fatal reports an error after which nothing is read any more.
func (t *treePattern) fatal(msg string) {
	if !t.failed && !t.p.dead {
		t.p.errorAt(t.rec, msg)
	}
	t.failed, t.p.dead = true, true
}

func (t *treePattern) parse(x tablegen.Init, name string) *Node {
	if t.depth > maxDepth {
		t.errorf("pattern is nested more than " + itoa(maxDepth) + " deep")
		return &Node{Leaf: tablegen.Unset(), Types: make([]TypeSet, 1)}
	}
	t.depth++
	defer func() { t.depth-- }()
	switch x := x.(type) {
	case *tablegen.DefInit:
		if x.Rec.IsSubClassOf("SDNode") || x.Rec.IsSubClassOf("PatFrags") {
			return t.parse(tablegen.NewDag(x, nil, nil), name) // imm is (imm)
		}
		if x.Rec.Name == "node" && name != "" {
			t.args = append(t.args, name)
		}
		return &Node{Leaf: x, Name: name, Types: make([]TypeSet, 1)}
	case *tablegen.UnsetInit:
		if name == "" {
			t.errorf("'?' argument requires a name to match with operand list")
		}
		t.args = append(t.args, name)
		return &Node{Leaf: x, Name: name, Types: make([]TypeSet, 1)}
	case *tablegen.IntInit, *tablegen.BitInit, *tablegen.BitsInit:
		v, ok := tablegen.IntValue(x)
		if !ok {
			t.errorf("Bits value must be constants!")
		}
		if name != "" {
			t.errorf("Constant int or bit argument should not have a name!")
		}
		return &Node{Leaf: tablegen.NewInt(v), Types: make([]TypeSet, 1)}
	case *tablegen.DagInit:
		return t.parseDag(x, name)
	}
	return nil
}

// cast parses what a type cast is about.
func (t *treePattern) cast(d *tablegen.DagInit, name string) *Node {
	if len(d.Args) != 1 {
		t.errorf("Type cast only takes one operand!")
	}
	if name != "" {
		t.errorf("Type cast should not have a name!")
	}
	if len(d.Args) == 0 {
		return nil
	}
	return t.parse(d.Args[0], d.ArgNames[0])
}

func (t *treePattern) parseDag(d *tablegen.DagInit, name string) *Node {
	if l, ok := d.Op.(*tablegen.ListInit); ok {
		n := t.cast(d, name)
		if n == nil {
			return nil
		}
		if len(l.Elems) == 0 || len(l.Elems) != len(n.Types) {
			t.errorf("Invalid number of type casts!")
		}
		for i := 0; i < min(len(l.Elems), len(n.Types)); i++ {
			if e, ok := l.Elems[i].(*tablegen.DefInit); ok {
				t.update(n, i, setOf(t.p.vtOf(e.Rec)))
			}
		}
		return n
	}
	def, ok := d.Op.(*tablegen.DefInit)
	if !ok {
		t.errorf("Pattern has unexpected operator type!")
		return nil
	}
	op := def.Rec
	if op.IsSubClassOf("ValueType") {
		n := t.cast(d, name)
		if n == nil {
			return nil
		}
		if len(n.Types) != 1 {
			t.errorf("ValueType cast can only have one type!")
		} else {
			t.update(n, 0, setOf(t.p.vtOf(op)))
		}
		return n
	}
	if !t.checkOperator(op) {
		return nil
	}
	var kids []*Node
	for i, a := range d.Args {
		k := t.parse(a, d.ArgNames[i])
		if k == nil {
			return nil
		}
		kids = append(kids, k)
	}
	results, ok := t.p.sequenceResults(op, kids)
	if !ok {
		results, ok = t.p.numResults(op, 0)
	}
	if !ok {
		t.fatal("Unhandled node in GetNumNodeResults")
		return nil
	}
	if x := t.p.intrinsics[op]; x != nil {
		op = t.p.intrinsicNode(x)
		if op == nil {
			t.errorf("no node of intrinsics is defined")
			return nil
		}
		kids = append([]*Node{{Leaf: tablegen.NewInt(int64(x.ID)), Types: make([]TypeSet, 1)}}, kids...)
	}
	if op.IsSubClassOf("ComplexPattern") {
		t.checkComplexArgs(op, kids)
	}
	n := &Node{Op: op, Kids: kids, Name: name, Types: make([]TypeSet, results)}
	if d.OpName != "" {
		if name != "" && name != d.OpName {
			t.errorf("node has two names, $" + d.OpName + " and $" + name)
		}
		n.Name = d.OpName
	}
	return n
}

// outputNodes are the nodes that may stand in a result.
const outputNodes = " imm timm fpimm tglobaltlsaddr tconstpool tjumptable tframeindex texternalsym tblockaddress tglobaladdr bb vt mcsym "

func (t *treePattern) checkOperator(op *tablegen.Record) bool {
	known := op.Name == "set" || op.Name == "implicit" || isSequence(op)
	for _, c := range []string{"PatFrags", "SDNode", "Instruction", "SDNodeXForm", "Intrinsic", "ComplexPattern"} {
		known = known || op.IsSubClassOf(c)
	}
	if !known {
		t.errorf("Unrecognized node '" + op.Name + "'!")
		return false
	}
	if t.input {
		if op.IsSubClassOf("Instruction") || op.IsSubClassOf("SDNodeXForm") || isSequence(op) {
			t.errorf("Cannot use '" + op.Name + "' in an input pattern!")
		}
		return true
	}
	if op.IsSubClassOf("Intrinsic") || op.IsSubClassOf("SDNode") && !strings.Contains(outputNodes, " "+op.Name+" ") {
		t.errorf("Cannot use '" + op.Name + "' in an output pattern!")
	}
	return true
}

func (t *treePattern) checkComplexArgs(op *tablegen.Record, kids []*Node) {
	for i, k := range kids {
		if k.Name == "" {
			t.errorf("All arguments to a ComplexPattern must be named")
		}
		if old, ok := t.complexArgs[k.Name]; ok && old != (complexArg{op, i}) {
			t.errorf("All ComplexPattern operands must appear consistently: in the same order in just one ComplexPattern instance.")
		}
		t.complexArgs[k.Name] = complexArg{op, i}
	}
}

// intrinsicNode is the SDNode that stands for calls of an intrinsic.
func (p *Set) intrinsicNode(x *Intrinsic) *tablegen.Record {
	switch {
	case len(x.rets) == 0:
		return p.rs.Def("intrinsic_void")
	case !x.noMem:
		return p.rs.Def("intrinsic_w_chain")
	}
	return p.rs.Def("intrinsic_wo_chain")
}

// numResults is the number of values that an operator has.
func (p *Set) numResults(op *tablegen.Record, depth int) (int, bool) {
	switch {
	case op.Name == "set", op.Name == "implicit":
		return 0, true
	case op.IsSubClassOf("Intrinsic"):
		if x := p.intrinsics[op]; x != nil {
			return len(x.rets), true
		}
		return 0, true
	case op.IsSubClassOf("SDNode"):
		if n := p.nodes[op]; n != nil {
			return n.NumResults, true
		}
	case op.IsSubClassOf("PatFrags"):
		n := 0
		if f := p.frags[op]; f != nil {
			for _, t := range f.trees {
				n = max(n, len(t.Types))
			}
			return n, true
		}
		for _, f := range op.List("Fragments") {
			d, _ := f.(*tablegen.DagInit)
			if d == nil {
				return 0, false
			}
			o, _ := d.Op.(*tablegen.DefInit)
			if o == nil || depth > maxDepth {
				return 0, false
			}
			k, ok := p.numResults(o.Rec, depth+1)
			if !ok {
				return 0, false
			}
			n = max(n, k)
		}
		return n, true
	case op.IsSubClassOf("Instruction"):
		i := p.inst(op)
		n := i.NumDefs
		for _, o := range i.Operands[:i.NumDefs] {
			if o.Rec.IsSubClassOf("OperandWithDefaultOps") && len(p.defaults[o.Rec]) > 0 {
				n--
			}
		}
		if _, ok := p.implicitVT(i); ok {
			n++
		}
		return n, true
	case op.IsSubClassOf("SDNodeXForm"), op.IsSubClassOf("ValueType"), op.IsSubClassOf("ComplexPattern"):
		return 1, true
	}
	return 0, false
}

func itoa(n int) string { return strconv.Itoa(n) }

func trimPrefix(s, p string) string { return strings.TrimPrefix(s, p) }
