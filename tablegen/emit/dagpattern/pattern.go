package dagpattern

import (
	"slices"

	"github.com/mirin-go/mirin/tablegen"
)

// Pattern is one thing to match and what to make of it. All types are settled.
type Pattern struct {
	// Record is the Pattern or Instruction that it comes from.
	Record     *tablegen.Record
	Src, Dst   *Node
	Predicates []*tablegen.Record
	// HwModes are conditions on the hardware mode: this mode is on; in the
	// pattern of the default mode, none of the others that it has types for.
	HwMode   Mode
	NotModes []Mode
	// DstRegs are physical registers that the source sets besides its values.
	DstRegs []*tablegen.Record
	// Added is the AddedComplexity, Complexity the whole.
	Added, Complexity int
	// ID orders patterns of equal complexity.
	ID int
	// GISelIgnore: not meant for GlobalISel.
	GISelIgnore bool
}

// Read reads the patterns of rs. The error, if there is one, is a diag.List
// with all that is wrong; the set then holds the patterns that are right.
func Read(rs *tablegen.Records) (*Set, error) {
	p := &Set{rs: rs, nodes: map[*tablegen.Record]*NodeInfo{}, insts: map[*tablegen.Record]*Inst{},
		complexes: map[*tablegen.Record]*Complex{}, intrinsics: map[*tablegen.Record]*Intrinsic{},
		frags: map[*tablegen.Record]*treePattern{}, preds: map[*tablegen.Record]*Predicate{}, defaults: map[*tablegen.Record][]*Node{}}
	var ok bool
	if p.types, ok = readTypes(rs); !ok {
		return nil, rs.ErrorAt(tablegen.Loc{}, "no value types: llvm/Target/Target.td is not included, or another version of it")
	}
	for _, step := range []func(){p.readTarget, func() { p.readFragments(false) }, p.readDefaults, p.readInstructions,
		func() { p.readFragments(true) }, p.readPatterns} {
		if step(); p.dead {
			return p, p.errs.Err()
		}
	}
	for _, r := range rs.DerivedFrom("Pattern") {
		p.nextID = max(p.nextID, r.ID)
	}
	for _, r := range rs.DerivedFrom("Instruction") {
		p.nextID = max(p.nextID, r.ID)
	}
	p.variants()
	p.expandModes()
	p.inferFlags()
	p.order()
	return p, p.errs.Err()
}

// hasNull reports whether a pattern uses null_frag: then it is none.
func hasNull(x tablegen.Init) bool {
	switch x := x.(type) {
	case *tablegen.DagInit:
		if d, ok := x.Op.(*tablegen.DefInit); ok && d.Rec.Name == "null_frag" {
			return true
		}
		return slices.ContainsFunc(x.Args, func(a tablegen.Init) bool {
			d, ok := a.(*tablegen.DefInit)
			return ok && d.Rec.Name == "null_frag" || !ok && hasNull(a)
		})
	}
	return false
}

func (p *Set) hasDefault(r *tablegen.Record) bool {
	return r.IsSubClassOf("OperandWithDefaultOps") && len(p.defaults[r]) > 0
}

// Defaults returns the values of an operand with default values.
func (p *Set) Defaults(r *tablegen.Record) []*Node { return p.defaults[r] }

// readDefaults parses the values of OperandWithDefaultOps.
func (p *Set) readDefaults() {
	for _, r := range p.rs.DerivedSorted("OperandWithDefaultOps") {
		d := r.Dag("DefaultOps")
		if d == nil {
			continue
		}
		t := p.newPattern(r, false)
		for i, a := range d.Args {
			n := t.parse(a, d.ArgNames[i])
			if n == nil || t.failed {
				break
			}
			t.trees = append(t.trees, n)
			for t.apply(n) {
			}
			if t.unresolved(n) {
				p.fatalAt(r, "Value #"+itoa(i)+" of OperandWithDefaultOps '"+r.Name+"' doesn't have a concrete type!")
				return
			}
			p.defaults[r] = append(p.defaults[r], n)
		}
	}
}

// readInstructions makes patterns of the Pattern fields of instructions.
func (p *Set) readInstructions() {
	var with []*Inst
	for _, r := range p.rs.DerivedSorted("Instruction") {
		l := r.List("Pattern")
		if len(l) == 0 || slices.ContainsFunc(l, hasNull) {
			continue
		}
		i := p.inst(r)
		if p.readInstruction(i, l); p.dead {
			return
		}
		with = append(with, i)
	}
	slices.SortStableFunc(with, func(a, b *Inst) int { return a.Record.ID - b.Record.ID })
	for _, i := range with {
		if i.src == nil || i.dst == nil {
			continue
		}
		p.onePattern(i.Record, p.newPattern(i.Record, true, i.src), p.newPattern(i.Record, false, i.dst), i.impRes, false)
		if p.dead {
			return
		}
	}
}

// readPatterns makes patterns of the records of class Pattern.
func (p *Set) readPatterns() {
	for _, r := range p.rs.DerivedSorted("Pattern") {
		d := r.Dag("PatternToMatch")
		if d == nil || hasNull(d) {
			continue
		}
		src := p.parsePattern(r, true, d)
		results := r.List("ResultInstrs")
		if len(results) == 0 {
			continue
		}
		dst := p.parsePattern(r, false, results...)
		if len(dst.trees) != 1 {
			dst.errorf("Cannot handle instructions producing instructions with temporaries yet!")
		}
		if src.failed || dst.failed {
			continue
		}
		u := newUses(src)
		for _, n := range src.trees {
			u.find(n)
		}
		if src.failed {
			continue
		}
		p.onePattern(r, src, dst, u.implicit, r.Bit("GISelShouldIgnore"))
		if p.dead {
			return
		}
	}
}

// onePattern infers source and result together and adds a pattern for each
// alternative of the source.
func (p *Set) onePattern(r *tablegen.Record, src, dst *treePattern, implicit []*tablegen.Record, ignore bool) {
	src.inline()
	dst.inline()
	if !dst.failed && len(dst.trees) != 1 {
		dst.errorf("Cannot use multi-alternative fragments in result pattern!")
	}
	if src.failed || dst.failed {
		return
	}
	var srcOK, dstOK bool
	for again := true; again && !src.failed && !dst.failed && !p.dead; {
		srcOK = src.inferAll(src)
		dstOK = dst.inferAll(src)
		again = false
		root := dst.trees[0]
		for _, n := range src.trees {
			for i := 0; i < min(len(root.Types), len(n.Types)); i++ {
				again = dst.update(n, i, root.Types[i]) || again
				again = dst.update(root, i, n.Types[i]) || again
			}
		}
		if !again && srcOK && !dstOK {
			again = dst.forceOne(root)
		}
	}
	if p.dead {
		return
	}
	if !srcOK {
		src.errorf("Could not infer all types in pattern!")
	}
	if !dstOK {
		dst.errorf("Could not infer all types in pattern result!")
	}
	if src.failed || dst.failed {
		return
	}
	tmp := p.newPattern(r, false, promoteXforms(dst.trees[0]))
	tmp.inferAll(nil)
	if !possible(tmp.trees[0]) {
		p.Dropped = append(p.Dropped, Dropped{r, "its result has no possible type"})
		return
	}
	for _, n := range src.trees {
		if !possible(n) {
			p.Dropped = append(p.Dropped, Dropped{r, "an alternative has no possible type"})
			continue
		}
		p.add(src, &Pattern{Record: r, Src: n, Dst: tmp.trees[0], Predicates: r.DefList("Predicates"), DstRegs: implicit,
			Added: int(r.Int("AddedComplexity")), ID: r.ID, GISelIgnore: ignore})
	}
}

// forceOne settles the type of one instruction in a result on the first that fits.
func (t *treePattern) forceOne(n *Node) bool {
	if n.IsLeaf() {
		return false
	}
	for _, k := range n.Kids {
		if t.forceOne(k) {
			return true
		}
	}
	if !n.Op.IsSubClassOf("Instruction") {
		return false
	}
	for i := range n.Types {
		if !n.Types[i].unknown() && !n.Types[i].single(false) && t.in.arbitrary(&n.Types[i]) {
			return true
		}
	}
	return false
}

// promoteXforms makes transformations operators of their own.
func promoteXforms(n *Node) *Node {
	if x := n.Xform; x != nil {
		n.Xform = nil
		return &Node{Op: x, Kids: []*Node{promoteXforms(n)}, Types: make([]TypeSet, len(n.Types))}
	}
	for i, k := range n.Kids {
		n.Kids[i] = promoteXforms(k)
	}
	return n
}

// possible reports whether each value has a type in some mode.
func possible(n *Node) bool {
	ok := true
	n.walk(func(n *Node) {
		for i := range n.Types {
			ok = ok && n.Types[i].possible()
		}
	})
	return ok
}

// add checks the names of a pattern and adds it.
func (p *Set) add(t *treePattern, pat *Pattern) {
	if why := p.cannotMatch(pat.Src); why != "" {
		p.Dropped = append(p.Dropped, Dropped{pat.Record, why})
		p.Warnings = append(p.Warnings, p.warning(pat.Record, "Pattern can never match: "+why))
		return
	}
	if c := p.ComplexOf(pat.Src); c != nil && len(c.Roots) == 0 {
		t.errorf("ComplexPattern at root must specify list of opcodes it could match")
	}
	pat.Src.walk(func(n *Node) {
		if n.IsLeaf() && n.Name == "" && p.ComplexOf(n) != nil && !p.dead {
			t.fatal("We expect complex pattern uses to have names: " + string(p.AppendNode(nil, n)))
		}
	})
	steps := stepNames([]*Node{pat.Dst})
	src, dst := t.countNames(pat.Src, nil), t.countNames(pat.Dst, steps)
	for _, n := range dst.order {
		if src.count[n] == 0 && !steps[n] {
			t.errorf("Pattern has input without matching name in output: $" + n)
		}
	}
	for _, n := range src.order {
		if dst.count[n] == 0 && src.count[n] == 1 {
			t.errorf("Pattern has dead named input: $" + n)
		}
	}
	if !t.failed {
		p.Patterns = append(p.Patterns, pat)
	}
}

type nameCount struct {
	count map[string]int
	first map[string]*Node
	order []string
}

// countNames counts the names in a tree. A step that makes several values has
// the type of the first one.
func (t *treePattern) countNames(n *Node, steps map[string]bool) *nameCount {
	c := &nameCount{count: map[string]int{}, first: map[string]*Node{}}
	n.walk(func(n *Node) {
		if n.Name == "" {
			return
		}
		if c.count[n.Name]++; c.count[n.Name] == 1 {
			c.first[n.Name] = n
			c.order = append(c.order, n.Name)
		} else if f := c.first[n.Name]; steps[n.Name] && len(f.Types) == 0 {
			t.errorf("Step $" + n.Name + " makes no value")
		} else if !sameTypes(f, n) && !(steps[n.Name] && len(n.Types) > 0 && f.Type(0) == n.Type(0)) {
			t.errorf("repetition of value: $" + n.Name + " where different uses have different types!")
		}
	})
	slices.Sort(c.order)
	return c
}

func sameTypes(a, b *Node) bool {
	return slices.EqualFunc(a.Types, b.Types, func(x, y TypeSet) bool { return x.equal(&y) })
}

// onlyRight reports whether n may only be the last operand of a commutative
// node: the DAG has constants there.
func onlyRight(n *Node) bool {
	if !n.IsLeaf() {
		return n.Op.Name == "imm"
	}
	if _, ok := n.Int(); ok {
		return true
	}
	d := n.Def()
	return d != nil && (d.Name == "immAllOnesV" || d.Name == "immAllZerosV")
}

// cannotMatch says why a source can never match, "" when it can.
func (p *Set) cannotMatch(n *Node) string {
	if n.IsLeaf() {
		return ""
	}
	for _, k := range n.Kids {
		if s := p.cannotMatch(k); s != "" {
			return s
		}
	}
	ni := p.nodes[n.Op]
	if ni == nil || len(n.Kids) == 0 {
		return ""
	}
	commIntrinsic := p.commutativeIntrinsic(n)
	if ni.Props&Commutative == 0 && !commIntrinsic || onlyRight(n.Kids[len(n.Kids)-1]) {
		return ""
	}
	first := 0
	if commIntrinsic {
		first = 1 // after the number of the intrinsic
	}
	for _, k := range n.Kids[first : len(n.Kids)-1] {
		if onlyRight(k) {
			return "Immediate value must be on the RHS of commutative operators!"
		}
	}
	return ""
}

func (p *Set) commutativeIntrinsic(n *Node) bool {
	x := p.IntrinsicOf(n)
	return x != nil && x.commutative
}
