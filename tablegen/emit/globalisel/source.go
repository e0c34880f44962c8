package globalisel

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/codegen/predicatecode"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/dagpattern"
)

// kind says what a part of a source is.
type kind uint8

const (
	kNode    kind = iota // an operator: matched by opcode
	kReg                 // any register: of a class, or of a type
	kImm                 // a constant
	kLit                 // a certain constant
	kTImm                // an immediate operand
	kTLit                // a certain immediate operand
	kFP                  // a floating-point constant
	kComplex             // a complex pattern
	kCond                // a condition, of a map or a certain one
	kBlock               // a basic block operand
	kJT                  // a jump table operand
	kAny                 // an operand of any kind
)

// tree is a source as the machine matches it: generic instructions with their
// operands.
type tree struct {
	kind  kind
	node  *node   // kNode
	args  []*tree // kNode
	name  string
	ty    uint64       // typeCode of the value, 0 when it has none
	rc    desc.ClassID // kReg: class, NoClass for none
	lit   int64        // kLit, kTLit
	imm   immTest      // kImm, kTImm
	fp    fpTest       // kFP
	conds condKey      // kCond
	// kComplex
	complex code.Complex
	roots   []desc.Opcode // where it starts, at the root of a pattern

	hooks []string // predicates over the instruction
	insn  int      // kNode: number of the matched instruction
}

// immTest is the condition on a constant: any, a range, or a function.
type immTest struct {
	hook   string
	ranged bool
	lo, hi int64
}

// fpTest is the condition on a floating constant: any, or its bits.
type fpTest struct {
	exact bool
	bits  uint64
}

// node is a generic instruction: what a node of the source stands for.
type node struct {
	opcodes []desc.Opcode
	results int
	// values are the kinds of results and operands, as typed by the source;
	// same is the first value of each that has its type, -1 where the type
	// tells nothing (pointers, operands without one).
	values  []valueKind
	same    []int
	opIndex []int // operand number of each operand
	intrin  string
	load    bool
	// variadic: the number of operands must be tested.
	variadic bool
	commutes bool
	// memory conditions: bits (-1 none, 0 as wide as the value), mask of orderings (0 none), address space (-1 any).
	memBits, memSpace int64
	memOrder          int64
	// noUse, oneUse: the first result has no use, one.
	noUse, oneUse bool
}

// source makes the tree of one pattern.
type source struct {
	g    *generator
	x    *dagpattern.Pattern
	phys []physOperand // physical registers that the source reads
}

// physOperand is a register that is set before the result: to the operand of
// that name.
type physOperand struct {
	reg  *tablegen.Record
	name string
}

// root makes the tree of a source. A constant is the instruction that makes it.
func (s *source) root(n *dagpattern.Node) (*tree, error) {
	if _, number := n.Int(); n.IsLeaf() && s.g.p.ComplexOf(n) == nil && !number {
		return nil, errors.New("Unable to deduce gMIR opcode to handle Src (which is a leaf)")
	}
	t, err := s.operand(n)
	if err != nil {
		return nil, err
	}
	switch t.kind {
	case kNode:
		return t, nil
	case kComplex:
		c := s.g.p.ComplexOf(n)
		if len(c.Roots) == 0 {
			return nil, fmt.Errorf("%s stands at the root and names no root nodes", c.Record.Name)
		}
		for _, r := range c.Roots {
			ops, err := s.rootOpcodes(r)
			if err != nil {
				return nil, err
			}
			t.roots = append(t.roots, ops...)
		}
		return t, nil
	case kImm, kLit, kFP:
		in := &node{opcodes: []desc.Opcode{desc.G_CONSTANT}, results: 1, values: []valueKind{{ty: t.ty, isInt: true}, {}}, same: []int{0, -1},
			opIndex: []int{1}, memBits: -1, memSpace: -1}
		if t.kind == kFP {
			in.opcodes, in.values[0] = []desc.Opcode{desc.G_FCONSTANT}, valueKind{ty: t.ty}
		}
		arg := *t
		arg.ty = 0
		return &tree{kind: kNode, node: in, args: []*tree{&arg}, ty: t.ty, rc: desc.NoClass}, nil
	}
	return nil, errors.New("the root is no instruction")
}

// opcodes are those that a source starts at.
func (t *tree) opcodes() []desc.Opcode {
	if t.kind == kNode {
		return t.node.opcodes
	}
	return t.roots
}

// sides lists the ways to write a tree whose constants may stand on either side
// of a commutative instruction: a DAG has them on the right, generic machine
// code need not. The first is the tree itself.
func sides(t *tree) []*tree {
	if t.kind != kNode {
		return []*tree{t}
	}
	out := []*tree{t}
	for i, a := range t.args {
		var more []*tree
		for _, v := range sides(a)[1:] {
			for _, o := range out {
				c := *o
				c.args = slices.Clone(o.args)
				c.args[i] = v
				more = append(more, &c)
			}
		}
		out = append(out, more...)
	}
	if !t.node.commutes || len(t.args) < 2 || t.node.intrin != "" {
		return out
	}
	if k := t.args[1].kind; k != kImm && k != kLit && k != kFP {
		return out
	}
	for _, o := range out[:len(out):len(out)] {
		c := *o
		c.args = slices.Clone(o.args)
		c.args[0], c.args[1] = c.args[1], c.args[0]
		out = append(out, &c)
	}
	return out
}

// rootOpcodes are the opcodes at which a complex pattern may start.
func (s *source) rootOpcodes(r *tablegen.Record) ([]desc.Opcode, error) {
	var out []desc.Opcode
	for _, e := range s.g.equivs[r] {
		op, ok := s.g.info.OpcodeByName(e.op)
		if !ok {
			return nil, fmt.Errorf("opcode %s is not known", e.op)
		}
		out = append(out, op)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("Pattern operator lacks an equivalent Instruction (%s)", r.Name)
	}
	return out, nil
}

// operand makes the tree of an operand.
func (s *source) operand(n *dagpattern.Node) (*tree, error) {
	t := &tree{name: n.Name, rc: desc.NoClass}
	switch {
	case s.g.p.ComplexOf(n) != nil:
		return t, s.complex(t, n)
	case n.IsLeaf():
		return t, s.leaf(t, n)
	}
	switch n.Op.Name {
	case "imm", "timm":
		t.kind = kImm
		if n.Op.Name == "timm" {
			t.kind = kTImm
			return t, s.immPreds(t, n)
		}
		if err := s.immPreds(t, n); err != nil {
			return nil, err
		}
		return t, s.typed(t, n)
	case "fpimm":
		t.kind = kFP
		return t, s.fpimm(t, n)
	case "bb":
		t.kind = kBlock
		return t, nil
	case "tjumptable":
		t.kind = kJT
		return t, nil
	case "cond":
		return t, s.condition(t, n, n.Preds)
	}
	return s.node(n)
}

// typed notes the type of a value.
func (s *source) typed(t *tree, n *dagpattern.Node) (err error) {
	t.ty, err = s.g.typeCode(n.Type(0))
	return err
}

func (s *source) complex(t *tree, n *dagpattern.Node) error {
	c := s.g.p.ComplexOf(n)
	fn := s.g.matchers[c.Record]
	if fn == "" {
		return fmt.Errorf("SelectionDAG ComplexPattern (%s) not mapped to GlobalISel", c.Record.Name)
	}
	if len(n.Kids) > 0 {
		return fmt.Errorf("ComplexPattern %s with named operands is not supported", c.Record.Name)
	}
	t.kind, t.complex = kComplex, code.Complex{Name: fn, NumOps: c.NumOperands}
	return s.typed(t, n)
}

func (s *source) leaf(t *tree, n *dagpattern.Node) error {
	if v, ok := n.Int(); ok {
		t.kind, t.lit = kLit, v
		return s.typed(t, n)
	}
	t.kind = kReg
	d := n.Def()
	if d != nil && d.IsSubClassOf("RegisterOperand") {
		d = d.DefField("RegClass")
	}
	switch {
	case d == nil, d.Name == "node", d.IsSubClassOf("ValueType") && n.Name != "":
		return s.typed(t, n)
	case d.IsSubClassOf("Register"):
		// It is copied there before the result.
		if t.name == "" {
			t.name = "physreg." + d.Name
		}
		s.phys = append(s.phys, physOperand{d, t.name})
		return s.typed(t, n)
	case d.IsSubClassOf("RegClassByHwMode"):
		return fmt.Errorf("register class %s depends on the hardware mode", d.Name)
	case d.IsSubClassOf("RegisterClass"):
		if n.Name == "" {
			return fmt.Errorf("register class %s has no name", d.Name)
		}
		c, ok := s.g.class(d.Name)
		if !ok {
			return fmt.Errorf("register class %s is not known", d.Name)
		}
		t.rc = c
		return s.typed(t, n)
	case d.Name == "immAllOnesV", d.Name == "immAllZerosV":
		return fmt.Errorf("Src pattern child def is an unsupported vector constant (%s)", d.Name)
	}
	return fmt.Errorf("Src pattern child def is an unsupported tablegen class (%s)", d.Name)
}

// immPreds reads the conditions on a constant.
func (s *source) immPreds(t *tree, n *dagpattern.Node) error {
	var exprs []string
	for _, c := range n.Preds {
		p := c.Pred
		body := p.ImmCode
		if body == "" && strings.Contains(p.Code, "N->get") {
			body = p.Code
		}
		if body == "" || p.Declared() || p.UsesOperands || p.APFloat {
			return fmt.Errorf("Src pattern child has predicate (%s)", p.Record.Name)
		}
		e, err := predicatecode.Parse(body)
		if err != nil || e.AsksWidth() {
			if len(n.Preds) != 1 || p.ImmCode == "" {
				return fmt.Errorf("Src pattern child has predicate (%s)", p.Record.Name)
			}
			t.imm.hook = p.HookName(body)
			return nil
		}
		if lo, hi, ok := e.Range(); ok && len(n.Preds) == 1 {
			t.imm = immTest{ranged: true, lo: lo, hi: hi}
			return nil
		}
		exprs = append(exprs, "("+e.String()+")")
	}
	if len(exprs) > 0 {
		t.imm.hook = "expr:" + strings.Join(exprs, " && ")
	}
	return nil
}

func (s *source) fpimm(t *tree, n *dagpattern.Node) error {
	for _, c := range n.Preds {
		bits, ok := s.g.p.FloatLeaf(c.Pred, n.Type(0))
		if !ok || len(n.Preds) > 1 {
			return fmt.Errorf("Src pattern child has predicate (%s)", c.Pred.Record.Name)
		}
		t.fp = fpTest{true, bits}
	}
	return s.typed(t, n)
}

// condition makes a condition of a map; the operand's place says whether it is
// one of floats.
func (s *source) condition(t *tree, n *dagpattern.Node, preds []dagpattern.PredCall) error {
	t.kind = kCond
	if len(preds) != 1 || preds[0].Pred.Conds == nil {
		return errors.New("a condition that is neither certain nor of a CondMap")
	}
	t.conds = condKey{rec: preds[0].Pred.Conds}
	return nil
}

// node makes the tree of an operator.
func (s *source) node(n *dagpattern.Node) (*tree, error) {
	g := s.g
	ni, equivs := g.p.Node(n.Op), g.equivs[n.Op]
	if len(equivs) == 0 || ni == nil {
		op := n.Op.Name
		if ni != nil {
			op = ni.Opcode
		}
		return nil, fmt.Errorf("Pattern operator lacks an equivalent Instruction (%s)", op)
	}
	if n != s.x.Src {
		if len(n.Types) > 1 {
			return nil, fmt.Errorf("%s has %d results below the root", n.Op.Name, len(n.Types))
		}
		if ni.Props&(dagpattern.MayStore|dagpattern.SideEffect) != 0 {
			return nil, fmt.Errorf("%s has effects and stands below the root", n.Op.Name)
		}
	}
	in := &node{results: len(n.Types), memBits: -1, memSpace: -1, load: ni.Props&dagpattern.MayLoad != 0}
	t := &tree{kind: kNode, node: in, name: n.Name, rc: desc.NoClass}
	for _, e := range equivs {
		if err := s.preds(t, n, e); err != nil {
			return nil, err
		}
	}
	for i := range n.Types {
		ty, err := g.typeCode(n.Type(i))
		if err != nil {
			return nil, err
		}
		if i == 0 {
			t.ty = ty
		}
		s.value(in, ni, i, ty)
	}
	kids := n.Kids
	if x := g.p.IntrinsicOf(n); x != nil {
		in.intrin = x.Name
		kids = kids[1:]
	}
	op := in.opcodes[0]
	in.commutes = ni.Props&dagpattern.Commutative != 0
	in.variadic = in.intrin == "" && g.info.Instr(op).IsVariadic()
	for i, k := range kids {
		at := in.results + i
		switch {
		case in.intrin != "":
			at++ // the intrinsic's number comes first
		case op == desc.G_ICMP, op == desc.G_FCMP:
			at = []int{2, 3, 1}[i] // the condition comes first
		}
		in.opIndex = append(in.opIndex, at)
		a, err := s.argument(n, k, op, at)
		if err != nil {
			return nil, err
		}
		v := in.results + i
		if in.intrin != "" {
			v++ // a value of the profile too
		}
		s.value(in, ni, v, a.ty)
		t.args = append(t.args, a)
	}
	if in.intrin != "" { // each value is tested
		for i := range in.same {
			if in.same[i] >= 0 {
				in.same[i] = i
			}
		}
	}
	return t, nil
}

// value notes the kind of a value of a node; v is its number in the profile.
func (s *source) value(in *node, ni *dagpattern.NodeInfo, v int, ty uint64) {
	i := len(in.values)
	in.values = append(in.values, valueKind{ty, ni.IsInt(v), ni.IsFP(v)})
	same := ni.SameAs(v)
	if same > i {
		same = i
	}
	if ty == 0 || ni.IsPtr(v) {
		same = -1
	}
	in.same = append(in.same, same)
}

// argument makes the tree of an operand of a node, which operand at of a
// generic instruction is: an immediate, a condition or a value.
func (s *source) argument(n, k *dagpattern.Node, op desc.Opcode, at int) (*tree, error) {
	d := k.Def()
	switch {
	case k.IsLeaf() && d != nil && d.IsSubClassOf("CondCode"):
		return &tree{kind: kCond, name: k.Name, rc: desc.NoClass, conds: condKey{d, s.isFloat(n.Kids[0])}}, nil
	case k.IsLeaf() && d != nil && d.IsSubClassOf("ValueType") && k.Name == "":
		return &tree{kind: kTLit, lit: d.Int("Size"), rc: desc.NoClass}, nil
	case k.IsLeaf() && d != nil && d.Name == "srcvalue":
		return &tree{kind: kAny, name: k.Name, rc: desc.NoClass}, nil
	}
	a, err := s.operand(k)
	if err != nil {
		return nil, err
	}
	if s.isImmediate(op, at) {
		switch a.kind {
		case kLit:
			a.kind = kTLit
		case kImm:
			a.kind = kTImm
		}
	}
	if a.kind == kCond {
		a.conds.float = s.isFloat(n.Kids[0])
	}
	if a.kind == kTLit || a.kind == kTImm {
		a.ty = 0
	}
	return a, nil
}

// isImmediate reports whether an operand of a generic instruction is no register.
func (s *source) isImmediate(op desc.Opcode, at int) bool {
	if at >= int(s.g.info.Instr(op).NumOperands) {
		return false
	}
	o := s.g.info.OperandInfo(op, at)
	return o.GenericTypeIndex() < 0 && (o.IsGenericImm() || o.Type == desc.OperandImmediate)
}

func (s *source) isFloat(n *dagpattern.Node) bool {
	if t := n.Type(0); t >= 0 {
		_, _, f, _ := s.g.p.TypeShape(t)
		return f
	}
	return false
}

// conditions of LLVM IR in the order of their numbers; integers from 32.
const floatPreds = "FALSE OEQ OGT OGE OLT OLE ONE ORD UNO UEQ UGT UGE ULT ULE UNE TRUE"
const intPreds = "EQ NE UGT UGE ULT ULE SGT SGE SLT SLE"

// condition is the number of a CondCode as package ir has it.
func condition(d *tablegen.Record, float bool) (int, bool) {
	field, list, base := "ICmpPredicate", intPreds, 32
	if float {
		field, list, base = "FCmpPredicate", floatPreds, 0
	}
	_, name, _ := strings.Cut(d.String(field), "_")
	for i, p := range strings.Fields(list) {
		if p == name {
			return base + i, true
		}
	}
	return 0, false
}
