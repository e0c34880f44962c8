package dagisel

import (
	"encoding/binary"
	"fmt"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/dagpattern"
	"github.com/mirin-go/mirin/tablegen/emit/matchasm"
)

// place is where a named operand of the source is: a value, or a slot (or a
// part of one) of a complex pattern.
type place struct {
	value, slot, part int // slot, part: -1 for none
	node              *dagpattern.Node
}

type complexUse struct {
	node  *dagpattern.Node
	value int
}

type physInput struct {
	reg   *tablegen.Record
	value int
}

// matcher makes the tests of one source.
type matcher struct {
	g       *generator
	x       *dagpattern.Pattern
	steps   []matchasm.Step
	names   map[string]place
	preds   map[dagpattern.ScopedName]int // operands that predicates ask for
	late    []latePred
	complex []complexUse
	chains  []int // values of nodes with a chain
	glues   []int
	mems    []int
	phys    []physInput
	values  int
}

type latePred struct {
	call  dagpattern.PredCall
	value int
	node  *dagpattern.Node
}

func (m *matcher) add(s matchasm.Step) { m.steps = append(m.steps, s) }

// match makes all tests and returns the opcodes at which the pattern starts.
func (m *matcher) match() ([]int, error) {
	g, src := m.g, m.x.Src
	m.values = 1
	m.preds = map[dagpattern.ScopedName]int{}
	var roots []int
	switch c := g.p.ComplexOf(src); {
	case c != nil:
		for _, r := range c.Roots {
			if n := g.p.Node(r); n != nil {
				roots = append(roots, g.Opcode(n.Opcode))
			}
		}
	case src.IsLeaf():
		d := src.Def()
		_, isInt := src.Int()
		switch {
		case isInt:
			roots = append(roots, g.Opcode("ISD::Constant"))
		case d != nil && (d.Name == "immAllOnesV" || d.Name == "immAllZerosV"):
			roots = append(roots, g.Opcode("ISD::BUILD_VECTOR"), g.Opcode("ISD::SPLAT_VECTOR"))
		default:
			return nil, fmt.Errorf("the source is a value, not a node")
		}
	default:
		roots = append(roots, g.Opcode(g.p.Node(src.Op).Opcode))
	}
	if err := m.node(src, 0, true); err != nil {
		return nil, err
	}
	for _, f := range m.features() {
		m.add(matchasm.Test(code.CheckFeature, f))
	}
	for _, l := range m.late {
		if err := m.pred(l); err != nil {
			return nil, err
		}
	}
	for i, c := range m.complex {
		m.add(matchasm.Test(code.CheckComplex, i, c.value, 0, g.complexIndex(g.p.ComplexOf(c.node))))
	}
	return roots, nil
}

// node makes the tests of value v.
func (m *matcher) node(n *dagpattern.Node, v int, root bool) error {
	g := m.g
	if n.Name != "" && g.p.ComplexOf(n) == nil {
		if old, ok := m.names[n.Name]; ok && old.slot < 0 {
			m.add(matchasm.Test(code.CheckSame, old.value, 0, v, 0))
			return nil
		}
		m.names[n.Name] = place{v, -1, -1, n}
	}
	for _, a := range n.PredArgs {
		m.preds[a] = v
	}
	if c := g.p.ComplexOf(n); c != nil {
		return m.complexUse(n, v)
	}
	if n.IsLeaf() {
		return m.leaf(n, v)
	}
	ni := g.p.Node(n.Op)
	if ni == nil {
		return fmt.Errorf("%s is no node", n.Op.Name)
	}
	if !root {
		m.add(matchasm.Keyed(1, code.CheckOpcode, v, g.Opcode(ni.Opcode)))
	}
	for i := range n.Types {
		if i == 0 {
			m.types(n, v)
		} else if t := n.Type(i); t >= 0 {
			m.add(matchasm.Keyed(2, code.CheckResult, v, i, g.typ(t)))
		}
	}
	off := 0
	props := ni.Props
	if x := g.p.IntrinsicOf(n); x != nil {
		props |= x.Props
	}
	if props&dagpattern.MemOperand != 0 {
		m.mems = append(m.mems, v)
	}
	if props&dagpattern.HasChain != 0 {
		off = 1
		m.chains = append(m.chains, v)
		if !root && m.mustFold(n) {
			m.add(matchasm.Test(code.CheckFold, v))
		}
	}
	if props&(dagpattern.InGlue|dagpattern.OptInGlue) != 0 {
		m.glues = append(m.glues, v)
	}
	if err := m.operands(n, v, off); err != nil {
		return err
	}
	for _, c := range n.Preds {
		if c.Scope != 0 {
			m.late = append(m.late, latePred{c, v, n})
		} else if err := m.pred(latePred{c, v, n}); err != nil {
			return err
		}
	}
	return nil
}

func (m *matcher) types(n *dagpattern.Node, v int) {
	switch t := n.Type(0); {
	case t < 0, m.g.p.TypeName(t) == "Other", m.g.p.TypeName(t) == "Untyped":
	case m.g.p.IsPtr(t): // may be the same as another type
		m.add(matchasm.Test(code.CheckType, v, 0, m.g.typ(t)))
	default:
		m.add(matchasm.Keyed(2, code.CheckType, v, 0, m.g.typ(t)))
	}
}

// mustFold reports whether a node with a chain below the root needs the check
// that it may be folded; it does not as the only input of the root.
func (m *matcher) mustFold(n *dagpattern.Node) bool {
	root := m.x.Src
	direct := false
	for _, k := range root.Kids {
		direct = direct || k == n
	}
	ni := m.g.p.Node(root.Op)
	return !direct || ni == nil || m.g.p.IntrinsicOf(root) != nil || ni.NumOperands > 1 ||
		ni.Props&(dagpattern.HasChain|dagpattern.InGlue|dagpattern.OptInGlue) != 0
}

func (m *matcher) operands(n *dagpattern.Node, v, off int) error {
	g := m.g
	for i, k := range n.Kids {
		child := m.values
		m.values++
		m.add(matchasm.Test(code.RecordOperand, child, v, i+off+1))
		c, isInt := k.Int()
		switch {
		case i == 0 && g.p.IntrinsicOf(n) != nil:
			m.add(matchasm.Keyed(2, code.CheckIntrinsic, child, 0, g.Name(g.p.IntrinsicOf(n).Name)))
		case isInt && i == 1 && len(n.Kids) == 2 && len(k.Preds) == 0 && (n.Op.Name == "and" || n.Op.Name == "or"):
			// The bits of the constant that the other operand makes needless may differ.
			op := code.CheckAndImm
			if n.Op.Name == "or" {
				op = code.CheckOrImm
			}
			b := matchasm.AppendArgs(matchasm.EncodeInt(c, op, child), m.firstOperand(v))
			m.add(matchasm.Step{Bytes: string(b)})
		default:
			if err := m.node(k, child, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// firstOperand finds the value that is the first operand of v.
func (m *matcher) firstOperand(v int) int {
	for _, s := range m.steps {
		if s.Op() != code.RecordOperand {
			continue
		}
		b := []byte(s.Bytes[1:])
		to, n := binary.Uvarint(b)
		from, _ := binary.Uvarint(b[n:])
		if int(from) == v {
			return int(to)
		}
	}
	return v
}

func (m *matcher) complexUse(n *dagpattern.Node, v int) error {
	slot := len(m.complex)
	c := m.g.p.ComplexOf(n)
	if n.Name != "" {
		if old, ok := m.names[n.Name]; ok && n.IsLeaf() {
			m.add(matchasm.Test(code.CheckSame, m.complex[old.slot].value, 0, v, 0))
			return nil
		}
		m.names[n.Name] = place{v, slot, -1, n}
	}
	if !n.IsLeaf() {
		if len(n.Kids) > 0 && len(n.Kids) != c.NumOperands {
			return fmt.Errorf("complex pattern %s makes %d operands, %d are named", c.Record.Name, c.NumOperands, len(n.Kids))
		}
		for i, k := range n.Kids {
			m.names[k.Name] = place{v, slot, i, k}
		}
	}
	m.types(n, v)
	m.complex = append(m.complex, complexUse{n, v})
	return nil
}

// leaf makes the tests of a leaf.
func (m *matcher) leaf(n *dagpattern.Node, v int) error {
	g := m.g
	if c, ok := n.Int(); ok {
		m.types(n, v)
		m.add(matchasm.Number(c, code.CheckConst, v, 0))
		return m.leafPreds(n, v)
	}
	d := n.Def()
	switch {
	case d == nil: // a name alone
		m.types(n, v)
	case d.IsSubClassOf("CondCode"):
		m.add(matchasm.Keyed(1, code.CheckCondCode, v, g.Name(d.Name)))
	case d.IsSubClassOf("ValueType") && n.Name == "":
		m.add(matchasm.Keyed(1, code.CheckVT, v, g.Type(d.String("LLVMName"))))
	case d.Name == "immAllOnesV", d.Name == "immAllZerosV":
		m.types(n, v)
		op := code.CheckOnes
		if d.Name == "immAllZerosV" {
			op = code.CheckZeros
		}
		m.add(matchasm.Test(op, v))
	case d.Name == "srcvalue", d.Name == "undef_tied_input":
	case d.IsSubClassOf("Register"):
		m.types(n, v)
		m.phys = append(m.phys, physInput{d, v})
	default:
		m.types(n, v)
	}
	return m.leafPreds(n, v)
}

func (m *matcher) leafPreds(n *dagpattern.Node, v int) error {
	for _, c := range n.Preds {
		if err := m.pred(latePred{c, v, n}); err != nil {
			return err
		}
	}
	return nil
}

// pred tests a predicate with the operands it asks for.
func (m *matcher) pred(l latePred) error {
	args := []int{l.value, m.g.predicate(l.call.Pred, l.node), 0}
	if l.call.Scope != 0 {
		ops := l.call.Pred.Record.Dag("Operands")
		for _, name := range ops.ArgNames {
			v, ok := m.preds[dagpattern.ScopedName{Scope: l.call.Scope, Name: name}]
			if !ok {
				return fmt.Errorf("predicate %s asks for operand $%s, which the pattern does not match", l.call.Pred.Record.Name, name)
			}
			args = append(args, v)
			args[2]++
		}
	}
	m.add(matchasm.Test(code.CheckPred, args...))
	return nil
}
