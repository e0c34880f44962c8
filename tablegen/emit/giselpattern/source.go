package giselpattern

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/codegen/predicatecode"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/dagisel"
	"github.com/mirin-go/mirin/tablegen/emit/dagpattern"
	"github.com/mirin-go/mirin/tablegen/emit/globalisel"
)

// source translates one pattern.
type source struct {
	t    *translator
	x    *dagpattern.Pattern
	phys []physOperand // physical registers that the source reads
}

type physOperand struct {
	reg  *tablegen.Record
	name string
}

// def makes (once) a record of the dialect.
func (t *translator) def(name, class string) *globalisel.Def {
	k := class + " " + name
	d := t.defs[k]
	if d == nil {
		d = &globalisel.Def{Name: name, Classes: []string{class}, Fields: map[string]globalisel.Value{}}
		t.defs[k] = d
	}
	return d
}

// typ is the name of a value's type; pointers are integers.
func (t *translator) typ(v dagpattern.VT) (string, error) {
	if v < 0 {
		return "", errors.New("a value has no type")
	}
	if t.p.IsPtr(v) {
		return fmt.Sprintf("i%d", t.ptrBits), nil
	}
	n := t.p.TypeName(v)
	switch n {
	case "Untyped", "Other", "Glue", "isVoid":
		return "", fmt.Errorf("type %s has no generic type", n)
	}
	return n, nil
}

// cast wraps a value in its type.
func (s *source) cast(n *dagpattern.Node, v globalisel.Value, name string) (globalisel.Value, error) {
	ty, err := s.t.typ(n.Type(0))
	if err != nil {
		return nil, err
	}
	return &globalisel.Dag{Op: s.t.def(ty, "ValueType"), Args: []globalisel.Value{v}, Names: []string{name}}, nil
}

// root translates the root of a source.
func (s *source) root(n *dagpattern.Node) (globalisel.Value, error) {
	if n.IsLeaf() && s.t.p.ComplexOf(n) == nil {
		if _, ok := n.Int(); !ok {
			return nil, errors.New("Unable to deduce gMIR opcode to handle Src (which is a leaf)")
		}
	}
	v, _, err := s.operand(n)
	if err != nil {
		return nil, err
	}
	d, ok := v.(*globalisel.Dag)
	if !ok {
		return nil, errors.New("the root is no instruction")
	}
	return d, nil
}

// operand translates an operand; its name goes where the dialect wants it.
func (s *source) operand(n *dagpattern.Node) (globalisel.Value, string, error) {
	switch {
	case s.t.p.ComplexOf(n) != nil:
		return s.complex(n)
	case n.IsLeaf():
		return s.leaf(n)
	case n.Op.Name == "imm", n.Op.Name == "timm":
		return s.imm(n)
	case n.Op.Name == "fpimm":
		return s.fpimm(n)
	case n.Op.Name == "bb":
		return s.t.def("bb", "Leaf"), n.Name, nil
	}
	v, err := s.node(n)
	return v, "", err
}

func (s *source) complex(n *dagpattern.Node) (globalisel.Value, string, error) {
	c := s.t.p.ComplexOf(n)
	d := s.t.complex[c.Record]
	if d == nil {
		return nil, "", fmt.Errorf("SelectionDAG ComplexPattern (%s) not mapped to GlobalISel", c.Record.Name)
	}
	if len(n.Kids) > 0 {
		return nil, "", fmt.Errorf("ComplexPattern %s with named operands is not supported", c.Record.Name)
	}
	ty, err := s.t.typ(n.Type(0))
	if err != nil {
		return nil, "", err
	}
	// The type may differ from use to use.
	use := *d
	use.Fields = map[string]globalisel.Value{"Type": s.t.def(ty, "ValueType")}
	for k, v := range d.Fields {
		use.Fields[k] = v
	}
	key := c.Record.Name + " " + ty
	if x := s.t.defs["complex "+key]; x != nil {
		return x, n.Name, nil
	}
	s.t.defs["complex "+key] = &use
	return &use, n.Name, nil
}

func (s *source) leaf(n *dagpattern.Node) (globalisel.Value, string, error) {
	if v, ok := n.Int(); ok {
		c, err := s.cast(n, v, "")
		return c, "", err
	}
	d := n.Def()
	switch {
	case d == nil, d.Name == "node", d.IsSubClassOf("ValueType") && n.Name != "":
		ty, err := s.t.typ(n.Type(0))
		if err != nil {
			return nil, "", err
		}
		return s.t.def(ty, "ValueType"), n.Name, nil
	case d.IsSubClassOf("RegisterOperand"):
		d = d.DefField("RegClass")
	case d.IsSubClassOf("Register"):
		return s.physical(n, d)
	}
	switch {
	case d.IsSubClassOf("RegClassByHwMode"):
		return nil, "", fmt.Errorf("register class %s depends on the hardware mode", d.Name)
	case d.IsSubClassOf("RegisterClass"):
		if n.Name == "" {
			return nil, "", fmt.Errorf("register class %s has no name", d.Name)
		}
		c, err := s.cast(n, s.t.def(d.Name, "RegisterClass"), n.Name)
		return c, "", err
	case d.Name == "immAllOnesV", d.Name == "immAllZerosV":
		return nil, "", fmt.Errorf("Src pattern child def is an unsupported vector constant (%s)", d.Name)
	}
	return nil, "", fmt.Errorf("Src pattern child def is an unsupported tablegen class (%s)", d.Name)
}

// physical: a register that the source reads is copied there before the result.
func (s *source) physical(n *dagpattern.Node, d *tablegen.Record) (globalisel.Value, string, error) {
	ty, err := s.t.typ(n.Type(0))
	if err != nil {
		return nil, "", err
	}
	name := n.Name
	if name == "" {
		name = "physreg." + d.Name
	}
	s.phys = append(s.phys, physOperand{d, name})
	return s.t.def(ty, "ValueType"), name, nil
}

// imm translates a constant with its conditions.
func (s *source) imm(n *dagpattern.Node) (globalisel.Value, string, error) {
	d := &globalisel.Def{Name: n.Op.Name, Classes: []string{"ImmOperand"}, Fields: map[string]globalisel.Value{"AnyValue": int64(1)}}
	lit := n.Op.Name == "timm"
	if lit {
		d.Fields["Literal"] = int64(1)
	}
	if err := s.immPreds(n, d); err != nil {
		return nil, "", err
	}
	// Equal conditions are one record, so that equal tests are shared.
	key := fmt.Sprintf("imm %s %v %v %v %v", n.Op.Name, d.Fields["Hook"], d.Fields["AnyValue"], d.Fields["Min"], d.Fields["Max"])
	if x := s.t.defs[key]; x != nil {
		d = x
	} else {
		s.t.defs[key] = d
	}
	if lit {
		return d, n.Name, nil
	}
	c, err := s.cast(n, d, n.Name)
	return c, "", err
}

func (s *source) immPreds(n *dagpattern.Node, d *globalisel.Def) error {
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
			d.Fields["Hook"] = p.Record.Name
			return nil
		}
		if lo, hi, ok := e.Range(); ok && len(n.Preds) == 1 {
			d.Fields["AnyValue"], d.Fields["Min"], d.Fields["Max"] = int64(0), lo, hi
			return nil
		}
		exprs = append(exprs, "("+e.String()+")")
	}
	if len(exprs) > 0 {
		d.Fields["Hook"] = "expr:" + strings.Join(exprs, " && ")
	}
	return nil
}

func (s *source) fpimm(n *dagpattern.Node) (globalisel.Value, string, error) {
	d := &globalisel.Def{Name: "fpimm", Classes: []string{"FPImmOperand"}, Fields: map[string]globalisel.Value{"AnyValue": int64(1)}}
	for _, c := range n.Preds {
		f, ok := dagisel.FloatLiteral(c.Pred.ImmCode)
		bits, exact := dagisel.FloatBits(f, s.t.p, n.Type(0))
		if !ok || !exact || len(n.Preds) > 1 {
			return nil, "", fmt.Errorf("Src pattern child has predicate (%s)", c.Pred.Record.Name)
		}
		d.Fields["AnyValue"], d.Fields["Bits"] = int64(0), int64(bits)
	}
	c, err := s.cast(n, d, n.Name)
	return c, "", err
}

// node translates an operator.
func (s *source) node(n *dagpattern.Node) (globalisel.Value, error) {
	t := s.t
	ni := t.p.Node(n.Op)
	e := t.equiv[n.Op]
	if e == nil {
		op := n.Op.Name
		if ni != nil {
			op = ni.Opcode
		}
		return nil, fmt.Errorf("Pattern operator lacks an equivalent Instruction (%s)", op)
	}
	p, err := s.preds(n, e)
	if err != nil {
		return nil, err
	}
	op, err := s.opcode(n, e, p)
	if err != nil {
		return nil, err
	}
	d := &globalisel.Def{Name: n.Op.Name, Classes: []string{"SDNode"}, Fields: map[string]globalisel.Value{"Opcodes": []globalisel.Value{op}}}
	var outs, ins, props []globalisel.Value
	for i := range n.Types {
		outs = append(outs, fmt.Sprintf("R%d", i))
	}
	kids := n.Kids
	if x := t.p.IntrinsicOf(n); x != nil {
		d.Fields["Intrinsic"] = x.Name
		kids = kids[1:]
	}
	dag := &globalisel.Dag{Op: d}
	for i, k := range kids {
		what := fmt.Sprintf("O%d", i)
		v, name, err := s.special(n, i, k, &what)
		if err == nil && v == nil {
			v, name, err = s.operand(k)
		}
		if err != nil {
			return nil, err
		}
		ins = append(ins, what)
		dag.Args, dag.Names = append(dag.Args, v), append(dag.Names, name)
	}
	if n.Op.Name == "setcc" {
		d.Fields["OperandOrder"] = []globalisel.Value{int64(2), int64(3), int64(1)}
	}
	if len(t.info.Banks) > 0 {
		props = append(props, t.def("SDNPAnyBank", "SDNodeProperty"))
	}
	if ni.Props&dagpattern.MayLoad != 0 {
		props = append(props, t.def("SDNPMayLoad", "SDNodeProperty"))
	}
	d.Fields["Outs"], d.Fields["Ins"], d.Fields["Properties"] = outs, ins, props
	s.memory(d, p)
	if len(n.Types) > 1 {
		var types []globalisel.Value
		for i := range n.Types {
			ty, err := t.typ(n.Type(i))
			if err != nil {
				return nil, err
			}
			types = append(types, ty)
		}
		d.Fields["OutTypes"] = types
		if n != s.x.Src {
			return nil, fmt.Errorf("%s has %d results below the root", n.Op.Name, len(n.Types))
		}
	}
	if p.noUse {
		d.Fields["NoUse"] = int64(1)
	}
	if p.oneUse {
		d.Fields["OneUse"] = int64(1)
	}
	var v globalisel.Value = dag
	for _, h := range p.hooks {
		v = &globalisel.Dag{Op: &globalisel.Def{Name: h, Classes: []string{"PatFrags"},
			Fields: map[string]globalisel.Value{"Fragments": []globalisel.Value{v}, "Hook": h}}}
	}
	if len(n.Types) == 0 {
		return v, nil
	}
	return s.cast(n, v, n.Name)
}

// special translates operands that are no values: conditions, types, blocks,
// immediates of nodes that have them as immediates.
func (s *source) special(n *dagpattern.Node, i int, k *dagpattern.Node, what *string) (globalisel.Value, string, error) {
	d := k.Def()
	switch {
	case k.IsLeaf() && d != nil && d.IsSubClassOf("CondCode"):
		*what = "cc"
		float := len(n.Kids) > 0 && s.isFloat(n.Kids[0])
		pred, ok := condition(d, float)
		if !ok {
			return nil, "", fmt.Errorf("condition %s has no predicate of its kind", d.Name)
		}
		c := s.t.def(d.Name, "CondCode")
		if float {
			c = s.t.def(d.Name+".f", "CondCode")
		}
		c.Fields["Pred"] = int64(pred)
		return c, k.Name, nil
	case k.IsLeaf() && d != nil && d.IsSubClassOf("ValueType") && k.Name == "":
		*what = "timm"
		return d.Int("Size"), "", nil
	case k.IsLeaf() && d != nil && d.Name == "srcvalue":
		*what = "any"
		return s.t.def("operand", "Leaf"), k.Name, nil
	case k.Op != nil && k.Op.Name == "bb":
		*what = "bb"
	case k.Op != nil && k.Op.Name == "timm":
		*what = "timm"
	case s.t.p.IsPtr(k.Type(0)) && k.IsLeaf():
		*what = "ptr"
	}
	return nil, "", nil
}

func (s *source) isFloat(n *dagpattern.Node) bool {
	if t := n.Type(0); t >= 0 {
		_, _, f, _ := s.t.p.TypeShape(t)
		return f
	}
	return false
}

// conditions of LLVM IR in the order of their numbers; integers from 32.
const floatPreds = "FALSE OEQ OGT OGE OLT OLE ONE ORD UNO UEQ UGT UGE ULT ULE UNE TRUE"
const intPreds = "EQ NE UGT UGE ULT ULE SGT SGE SLT SLE"

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

// opcode chooses the generic instruction of a node.
func (s *source) opcode(n *dagpattern.Node, e *equiv, p *nodePreds) (string, error) {
	op := e.op
	switch {
	case p.sext:
		op = e.sext
	case p.zext:
		op = e.zext
	case e.float != "" && len(n.Kids) > 0 && s.isFloat(n.Kids[0]):
		op = e.float
	}
	if x := s.t.p.IntrinsicOf(n); x != nil && e.convergent != "" {
		for _, q := range x.Record.DefList("IntrProperties") {
			if q.Name == "IntrConvergent" {
				op = e.convergent
			}
		}
	}
	if op == "" {
		return "", fmt.Errorf("no generic instruction for %s with these predicates", n.Op.Name)
	}
	return op, nil
}

// ordering gives the mask of an ordering, as package ir numbers them.
func ordering(name string) (v int64, ok bool) {
	switch name {
	case "Monotonic":
		return 1 << 2, true
	case "Acquire":
		return 1 << 4, true
	case "Release":
		return 1 << 5, true
	case "AcquireRelease":
		return 1 << 6, true
	case "SequentiallyConsistent":
		return 1 << 7, true
	case "AcquireOrStronger":
		return 1<<4 | 1<<6 | 1<<7, true
	case "ReleaseOrStronger":
		return 1<<5 | 1<<6 | 1<<7, true
	}
	return v, false
}

// preds sorts the predicates of a node.
func (s *source) preds(n *dagpattern.Node, e *equiv) (*nodePreds, error) {
	out := &nodePreds{memBits: -1, space: -1}
	const all = 1<<1 | 1<<2 | 1<<4 | 1<<5 | 1<<6 | 1<<7
	if e.nonAtomic {
		out.orders = 1
	} else if e.atomic {
		out.orders = all
	}
	trunc := false
	for _, c := range n.Preds {
		p := c.Pred
		bad := fmt.Errorf("Src pattern child has predicate (%s)", p.Record.Name)
		switch {
		case c.Scope != 0 || p.ImmCode != "" || p.MinAlign > 0 || p.ScalarMemVT >= 0:
			return nil, bad
		case p.GISelCode != "":
			out.hooks = append(out.hooks, p.Record.Name)
		case p.Code != "":
			return nil, bad
		}
		out.noUse = out.noUse || p.NoUse == dagpattern.Yes
		out.oneUse = out.oneUse || p.OneUse == dagpattern.Yes
		out.sext = out.sext || p.SignExt == dagpattern.Yes
		out.zext = out.zext || p.ZeroExt == dagpattern.Yes
		out.anyext = out.anyext || p.AnyExt == dagpattern.Yes
		trunc = trunc || p.TruncStore == dagpattern.Yes
		if p.NonExt == dagpattern.Yes || p.TruncStore == dagpattern.No {
			out.memBits = 0
		}
		if p.MemVT >= 0 {
			size, _, _, _ := s.t.p.TypeShape(p.MemVT)
			out.memBits = int64(size)
		}
		if len(p.AddrSpaces) > 1 {
			return nil, bad
		} else if len(p.AddrSpaces) == 1 {
			out.space = p.AddrSpaces[0]
		}
		if p.Ordering != "" {
			name, not := strings.CutPrefix(p.Ordering, "!")
			m, _ := ordering(name)
			if not {
				m = (all | 1) &^ m
			}
			if out.orders == 0 {
				out.orders = all | 1
			}
			if out.orders &= m; out.orders == 0 {
				return nil, bad
			}
		}
	}
	if (out.anyext || out.sext || out.zext || trunc) && out.memBits <= 0 {
		return nil, fmt.Errorf("%s of a size that is not stated", n.Op.Name)
	}
	return out, nil
}

func (s *source) memory(d *globalisel.Def, p *nodePreds) {
	d.Fields["MemBits"] = p.memBits
	if p.space >= 0 {
		d.Fields["MemSpace"] = p.space
	}
	var l []globalisel.Value
	for o := int64(0); o < 8; o++ {
		if p.orders>>o&1 != 0 {
			l = append(l, o)
		}
	}
	d.Fields["MemOrders"] = l
}
