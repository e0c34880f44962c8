package dagpattern

import (
	"math"
	"strconv"

	"github.com/mirin-go/mirin/tablegen"
)

// update merges more knowledge into the type of a result of n.
func (t *treePattern) update(n *Node, i int, s TypeSet) bool {
	if i >= len(n.Types) {
		return false
	}
	s = s.clone()
	t.in.expand(&s)
	return t.in.merge(&n.Types[i], &s)
}

func (t *treePattern) updateVT(n *Node, i int, v VT) bool {
	if v < 0 {
		t.errorf("an intrinsic has a value without a known type")
		return false
	}
	return t.update(n, i, setOfVT(v))
}

// inferAll applies all constraints until nothing changes. Names give values of
// the source their types in the result.
func (t *treePattern) inferAll(source *treePattern) bool {
	t.findNamed()
	for changed := true; changed; {
		changed = false
		for i := range t.trees {
			changed = t.apply(t.trees[i]) || changed
			changed = t.simplify(&t.trees[i]) || changed
		}
		for _, name := range t.names {
			nodes := t.named[name]
			if source != nil && t.steps[name] {
				if len(source.named[name]) > 0 {
					t.errorf("Step $" + name + " has the name of an operand of the source")
					return true
				}
			} else if source != nil {
				from := source.named[name]
				if len(from) == 0 {
					t.errorf("Node '" + name + "' in output pattern but not input pattern")
					return true
				}
				for _, n := range nodes {
					// A register class as the whole result only says where
					// the value goes: it may have another type.
					if d := n.Def(); n == t.trees[0] && d != nil && (d.IsSubClassOf("RegisterClass") || d.IsSubClassOf("RegisterOperand")) {
						continue
					}
					if len(n.Types) > 0 && len(from[0].Types) > 0 {
						changed = t.update(n, 0, from[0].Types[0]) || changed
					}
				}
			}
			for i := 0; i+1 < len(nodes); i++ {
				a, b := nodes[i], nodes[i+1]
				if len(a.Types) > 0 && len(b.Types) > 0 {
					changed = t.update(a, 0, b.Types[0]) || changed
					changed = t.update(b, 0, a.Types[0]) || changed
				}
			}
		}
		if t.failed || t.p.dead {
			break
		}
	}
	for _, n := range t.trees {
		if t.unresolved(n) {
			return false
		}
	}
	return true
}

func (t *treePattern) findNamed() {
	t.named, t.names, t.steps = map[string][]*Node{}, nil, stepNames(t.trees)
	for _, n := range t.trees {
		n.walk(func(n *Node) {
			if n.Name != "" {
				if t.named[n.Name] == nil {
					t.names = append(t.names, n.Name)
				}
				t.named[n.Name] = append(t.named[n.Name], n)
			}
		})
	}
}

// unresolved reports whether some value has no single type.
func (t *treePattern) unresolved(n *Node) bool {
	bad := false
	n.walk(func(n *Node) {
		for i := range n.Types {
			bad = bad || !n.Types[i].single(true)
		}
	})
	return bad
}

// simplify drops bitconverts that convert nothing.
func (t *treePattern) simplify(at **Node) bool {
	n := *at
	if n.IsLeaf() {
		return false
	}
	if n.Op.Name == "bitconvert" && len(n.Types) == 1 && len(n.Kids) == 1 && len(n.Kids[0].Types) > 0 && n.Types[0].single(false) &&
		n.Types[0].equal(&n.Kids[0].Types[0]) && n.Name == "" && len(n.Preds) == 0 {
		*at = n.Kids[0]
		t.simplify(at)
		return true
	}
	changed := false
	for i := range n.Kids {
		changed = t.simplify(&n.Kids[i]) || changed
	}
	return changed
}

// apply applies the constraints of n and what is below.
func (t *treePattern) apply(n *Node) bool {
	if t.failed || t.p.dead {
		return false
	}
	if n.IsLeaf() {
		return t.applyLeaf(n)
	}
	switch op := n.Op; {
	case op.Name == "set" && t.input:
		return t.applySet(n)
	case op.Name == "set" || isSequence(op):
		return t.applySequence(n)
	case op.Name == "implicit":
		return t.applyKids(n)
	case t.intrinsicOf(n) != nil:
		return t.applyIntrinsic(n, t.intrinsicOf(n))
	case op.IsSubClassOf("SDNode"):
		return t.applyNode(n)
	case op.IsSubClassOf("Instruction"):
		return t.applyInst(n)
	case op.IsSubClassOf("ComplexPattern"):
		changed := false
		c := t.p.complexes[op]
		if v, ok := c.vt.simple(); !ok || v != t.p.types.untyped {
			changed = t.update(n, 0, setOf(c.vt))
		}
		return t.applyKids(n) || changed
	case op.IsSubClassOf("SDNodeXForm"):
		if len(n.Kids) != 1 {
			t.errorf("Node transform '" + op.Name + "' requires one operand!")
			return false
		}
		return t.applyKids(n)
	}
	return t.applyKids(n) // a fragment that is not replaced yet
}

func (t *treePattern) applyKids(n *Node) bool {
	changed := false
	for _, k := range n.Kids {
		changed = t.apply(k) || changed
	}
	return changed
}

func (t *treePattern) applySet(n *Node) bool {
	if len(n.Kids) < 2 {
		t.errorf("Missing RHS of a set?")
		return false
	}
	val := n.Kids[len(n.Kids)-1]
	changed := t.apply(val)
	for i, d := range n.Kids[:len(n.Kids)-1] {
		changed = t.apply(d) || changed
		if i >= len(val.Types) || len(d.Types) == 0 {
			continue
		}
		changed = t.update(d, 0, val.Types[i]) || changed
		changed = t.update(val, i, d.Types[0]) || changed
	}
	return changed
}

// intrinsicOf returns the intrinsic that a node calls.
func (t *treePattern) intrinsicOf(n *Node) *Intrinsic { return t.p.IntrinsicOf(n) }

// IntrinsicOf returns the intrinsic that a node calls, nil for other nodes.
func (p *Set) IntrinsicOf(n *Node) *Intrinsic {
	if n.Op == nil || len(n.Kids) == 0 {
		return nil
	}
	switch n.Op.Name {
	case "intrinsic_void", "intrinsic_w_chain", "intrinsic_wo_chain":
		if id, ok := n.Kids[0].Int(); ok {
			return p.IntrinsicByID(id)
		}
	}
	return nil
}

func (t *treePattern) applyIntrinsic(n *Node, x *Intrinsic) bool {
	changed := false
	for i, v := range x.rets {
		changed = t.updateVT(n, i, v) || changed
	}
	if len(n.Kids) != len(x.params)+1 {
		t.errorf("Intrinsic '" + x.Name + "' expects " + itoa(len(x.params)) + " operands, not " + itoa(len(n.Kids)-1) + " operands!")
		return false
	}
	changed = t.updateVT(n.Kids[0], 0, t.p.types.iPTR) || changed
	for i, k := range n.Kids[1:] {
		changed = t.apply(k) || changed
		changed = t.updateVT(k, 0, x.params[i]) || changed
	}
	return changed
}

func (t *treePattern) applyLeaf(n *Node) bool {
	changed := false
	if d := n.Def(); d != nil {
		for i := range n.Types {
			changed = t.update(n, i, t.leafType(d, n.Name == "")) || changed
		}
		return changed
	}
	v, ok := n.Int()
	if !ok || len(n.Types) != 1 {
		return false
	}
	changed = t.in.integer(&n.Types[0])
	if !n.Types[0].single(false) {
		return changed
	}
	for _, x := range n.Types[0].by {
		vt := x.set.first()
		if vt == t.p.types.iPTR {
			continue
		}
		if w := t.p.types.info[vt].size; w < 64 && (v < math.MinInt64>>(64-w) || v > int64(uint64(math.MaxUint64)>>(64-w))) {
			t.errorf("Integer value '" + strconv.FormatInt(v, 10) + "' is out of range for type 'MVT::" + t.p.types.info[vt].name + "'!")
			break
		}
	}
	return changed
}

// leafType is what the record of a leaf says about its type.
func (t *treePattern) leafType(r *tablegen.Record, unnamed bool) TypeSet {
	p := t.p
	switch {
	case r.IsSubClassOf("RegisterOperand"):
		if c := r.DefField("RegClass"); c != nil {
			return p.classTypes(c, t)
		}
	case r.IsSubClassOf("RegisterClassLike"), r.IsSubClassOf("RegisterClass"):
		if unnamed {
			return setOfVT(p.types.i32) // the class itself, of COPY_TO_REGCLASS
		}
		return p.classTypes(r, t)
	case r.IsSubClassOf("PatFrags"):
		return TypeSet{}
	case r.IsSubClassOf("Register"):
		return setOf(p.regVTs[r]...)
	case r.IsSubClassOf("SubRegIndex"):
		return setOfVT(p.types.i32)
	case r.IsSubClassOf("ValueType"):
		if unnamed {
			return setOfVT(p.types.other) // (sext_inreg GPR:$a, i16)
		}
		return setOf(p.vtOf(r))
	case r.IsSubClassOf("CondCode"):
		return setOfVT(p.types.other)
	case r.IsSubClassOf("ComplexPattern"):
		return setOf(p.complexes[r].vt)
	case r.IsSubClassOf("PointerLikeRegClass"):
		return setOfVT(p.types.iPTR)
	case r.Name == "node", r.Name == "srcvalue", r.Name == "zero_reg", r.Name == "immAllOnesV", r.Name == "immAllZerosV", r.Name == "undef_tied_input":
		return TypeSet{}
	case r.IsSubClassOf("Operand"):
		return setOf(p.vtOf(r.DefField("Type")))
	}
	t.errorf("Unknown node flavor used in pattern: " + r.Name)
	return setOfVT(p.types.other)
}

func (t *treePattern) applyNode(n *Node) bool {
	ni := t.p.nodes[n.Op]
	if ni.NumOperands >= 0 && len(n.Kids) != ni.NumOperands {
		t.errorf(n.Op.Name + " node requires exactly " + itoa(ni.NumOperands) + " operands!")
		return false
	}
	changed := t.applyKids(n)
	for i := range ni.constraints {
		changed = t.constraint(n, ni, &ni.constraints[i]) || changed
	}
	return changed
}

// operand finds the value that number op of a constraint means: a result of
// the node or an operand.
func (t *treePattern) operand(n *Node, ni *NodeInfo, op int) (*Node, int, bool) {
	if op >= 0 && op < ni.NumResults && op < len(n.Types) {
		return n, op, true
	}
	if k := op - ni.NumResults; k >= 0 && k < len(n.Kids) && len(n.Kids[k].Types) > 0 {
		return n.Kids[k], 0, true
	}
	t.fatal("Invalid operand number in type constraint " + itoa(op) + " of " + ni.Record.Name)
	return nil, 0, false
}

func (t *treePattern) constraint(n *Node, ni *NodeInfo, c *constraint) bool {
	if t.failed {
		return false
	}
	a, i, ok := t.operand(n, ni, c.op)
	if !ok {
		return false
	}
	at := &a.Types[i]
	switch c.kind {
	case cVT:
		return t.update(a, i, setOf(c.vt))
	case cPtr:
		return t.updateVT(a, i, t.p.types.iPTR)
	case cInt:
		return t.in.integer(at)
	case cFP:
		return t.in.float(at)
	case cVec:
		return t.in.vector(at)
	case cVecElt:
		e := setOf(c.vt)
		return t.in.eltOfVec(at, &e)
	}
	b, j, ok := t.operand(n, ni, c.other)
	if !ok {
		return false
	}
	bt := &b.Types[j]
	switch c.kind {
	case cSame:
		changed := t.update(a, i, *bt)
		return t.update(b, j, *at) || changed
	case cVTSmaller:
		d := a.Def()
		if !a.IsLeaf() || d == nil || !d.IsSubClassOf("ValueType") {
			t.errorf(n.Op.Name + " expects a VT operand!")
			return false
		}
		s := setOf(t.p.vtOf(d))
		return t.in.smaller(&s, bt, true)
	case cSmaller:
		return t.in.smaller(at, bt, false)
	case cElt:
		return t.in.eltOfVec(bt, at)
	case cSub:
		return t.in.subVecOfVec(bt, at)
	case cSameLanes:
		return t.in.sameLanes(at, bt)
	}
	return t.in.sameSize(at, bt)
}

// fromOperand applies what an operand of an instruction demands.
func (t *treePattern) fromOperand(n *Node, i int, r *tablegen.Record) bool {
	if n.Op != nil && n.Op.Name == "cond" { // the number that a CondMap has for it
		return false
	}
	switch {
	case r.Name == "anyimm":
		// Numbers and what transformations make are immediates of no type of
		// their own; a named constant has that of its place in the source.
		_, number := n.Int()
		if i < len(n.Types) && n.Types[i].unknown() && (number || n.Op != nil && n.Op.IsSubClassOf("SDNodeXForm")) {
			return t.updateVT(n, i, t.p.types.i64)
		}
		return false
	case r.IsSubClassOf("unknown_class"):
		return false
	case r.IsSubClassOf("Operand"):
		return t.update(n, i, setOf(t.p.vtOf(r.DefField("Type"))))
	case r.IsSubClassOf("PointerLikeRegClass"):
		return t.updateVT(n, i, t.p.types.iPTR)
	case r.IsSubClassOf("RegisterOperand"):
		if r = r.DefField("RegClass"); r == nil {
			return false
		}
	case !r.IsSubClassOf("RegisterClassLike") && !r.IsSubClassOf("RegisterClass"):
		t.errorf("Unknown operand type " + r.Name)
		return false
	}
	return t.update(n, i, t.p.classTypes(r, t))
}

func (t *treePattern) applyInst(n *Node) bool {
	p, inst := t.p, t.p.inst(n.Op)
	changed := false
	results := min(inst.NumDefs, inst.NumResults, len(inst.results))
	for i := range results {
		changed = t.fromOperand(n, i, inst.results[i]) || changed
	}
	if v, ok := p.implicitVT(inst); ok {
		changed = t.updateVT(n, results, v) || changed
	}
	switch n.Op.Name {
	case "INSERT_SUBREG":
		if len(n.Kids) > 0 && len(n.Kids[0].Types) > 0 && len(n.Types) > 0 {
			changed = t.update(n, 0, n.Kids[0].Types[0]) || changed
			changed = t.update(n.Kids[0], 0, n.Types[0]) || changed
		}
	case "REG_SEQUENCE":
		if !t.checkRegSequence(n) {
			return false
		}
	}
	kid := 0
	next := func() *Node {
		if kid == len(n.Kids) {
			t.errorf("Instruction '" + n.Op.Name + "' expects more than the provided " + itoa(len(n.Kids)) + " operands!")
			return nil
		}
		kid++
		return n.Kids[kid-1]
	}
	// Operands with a default at the end may be given or not; others with a
	// default are never given.
	optional := len(inst.Operands)
	for optional > inst.NumResults && p.hasDefault(inst.Operands[optional-1].Rec) {
		optional--
	}
	for i := inst.NumResults; i < len(inst.Operands); i++ {
		rec := inst.Operands[i].Rec
		if p.hasDefault(rec) && (i < optional || kid == len(n.Kids)) {
			continue
		}
		k := next()
		if k == nil {
			return false
		}
		if sub := subOperands(rec); len(sub) > 0 && p.machineResults(k) < len(sub) {
			changed = t.fromOperand(k, 0, sub[0]) || changed
			for _, s := range sub[1:] {
				if k = next(); k == nil {
					return false
				}
				changed = t.fromOperand(k, 0, s) || changed
			}
			continue
		}
		if parts := p.machineResults(k); inst.Flat && parts > 1 {
			i += parts - 1
			if k.Op != nil && k.Op.IsSubClassOf("SDNodeXForm") && len(k.Types) > 0 && k.Types[0].unknown() {
				changed = t.updateVT(k, 0, p.types.i64) || changed
			}
			continue
		}
		changed = t.fromOperand(k, 0, rec) || changed
	}
	if !inst.Variadic && kid != len(n.Kids) {
		t.errorf("Instruction '" + n.Op.Name + "' was provided " + itoa(len(n.Kids)) + " operands but expected only " + itoa(kid) + "!")
		return false
	}
	return t.applyKids(n) || changed
}

// subOperands lists the parts of an operand.
func subOperands(r *tablegen.Record) []*tablegen.Record {
	if !r.IsSubClassOf("Operand") {
		return nil
	}
	var out []*tablegen.Record
	if d := r.Dag("MIOperandInfo"); d != nil {
		for _, a := range d.Args {
			if x, ok := a.(*tablegen.DefInit); ok {
				out = append(out, x.Rec)
			}
		}
	}
	return out
}

// machineResults is the number of machine operands that a node of a result
// makes: more than one for complex patterns and operands that have parts.
func (p *Set) machineResults(n *Node) int {
	if c := p.ComplexOf(n); c != nil {
		return c.NumOperands
	}
	if n.Op != nil && n.Op.IsSubClassOf("SDNodeXForm") {
		return max(1, int(n.Op.Int("NumOperands")))
	}
	if d := n.Def(); d != nil && d.IsSubClassOf("Operand") {
		return max(1, len(subOperands(d)))
	}
	return 1
}

// ComplexOf returns the complex pattern that a node is, nil for other nodes.
func (p *Set) ComplexOf(n *Node) *Complex {
	if n.IsLeaf() {
		return p.complexes[n.Def()]
	}
	return p.complexes[n.Op]
}

func (t *treePattern) checkRegSequence(n *Node) bool {
	is := func(k *Node, classes ...string) bool {
		d := k.Def()
		for _, c := range classes {
			if d != nil && d.IsSubClassOf(c) {
				return true
			}
		}
		return false
	}
	switch {
	case len(n.Kids) < 3:
		t.errorf("REG_SEQUENCE requires at least 3 operands!")
	case len(n.Kids)%2 == 0:
		t.errorf("REG_SEQUENCE requires an odd number of operands!")
	case !is(n.Kids[0], "RegisterClass", "RegisterOperand"):
		t.errorf("REG_SEQUENCE requires a RegisterClass for first operand!")
	}
	for i := 2; i < len(n.Kids) && !t.failed; i += 2 {
		if !is(n.Kids[i], "SubRegIndex") {
			t.errorf("REG_SEQUENCE requires a SubRegIndex for operand " + itoa(i) + "!")
		}
	}
	return !t.failed
}
