package dagisel

import (
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/codegen/dagtable"
	"github.com/mirin-go/mirin/tablegen/emit/dagpattern"
)

// fakeDAG is a small graph for tests; it notes what selection makes.
type fakeDAG struct {
	nodes []fakeNode
	names map[string]int // of opcodes and types
	rev   []string
	log   []string
}

type fakeNode struct {
	op      string
	types   []string
	ops     []dagtable.Value
	v       int64
	width   int
	float   uint64
	isInt   bool
	isFloat bool
	text    string // condition, type, intrinsic, splat
	mem     *dagtable.MemInfo
	glue    bool // the last operand is glue
	noFold  bool
	machine *dagtable.Machine
	numUses int
}

func newFake() *fakeDAG { return &fakeDAG{names: map[string]int{}} }

func (d *fakeDAG) num(s string) int {
	n, ok := d.names[s]
	if !ok {
		n = len(d.names)
		d.names[s] = n
		d.rev = append(d.rev, s)
	}
	return n
}

func (d *fakeDAG) add(n fakeNode) dagtable.Value {
	d.nodes = append(d.nodes, n)
	return dagtable.Value{Node: dagtable.Node(len(d.nodes) - 1)}
}

func (d *fakeDAG) Opcode(n dagtable.Node) int      { return d.num(d.nodes[n].op) }
func (d *fakeDAG) NumOperands(n dagtable.Node) int { return len(d.nodes[n].ops) }
func (d *fakeDAG) Operand(n dagtable.Node, i int) dagtable.Value {
	return d.nodes[n].ops[i]
}
func (d *fakeDAG) Type(v dagtable.Value) int {
	if t := d.nodes[v.Node].types; v.Result < len(t) {
		return d.num("MVT " + t[v.Result])
	}
	return -1
}
func (d *fakeDAG) NumResults(n dagtable.Node) int { return len(d.nodes[n].types) }
func (d *fakeDAG) Int(n dagtable.Node) (int64, int, bool) {
	x := &d.nodes[n]
	return x.v, x.width, x.isInt
}
func (d *fakeDAG) FloatBits(n dagtable.Node) (uint64, bool) {
	return d.nodes[n].float, d.nodes[n].isFloat
}
func (d *fakeDAG) CondCode(n dagtable.Node) string  { return d.nodes[n].text }
func (d *fakeDAG) VT(n dagtable.Node) int           { return d.num("MVT " + d.nodes[n].text) }
func (d *fakeDAG) Intrinsic(n dagtable.Node) string { return d.nodes[n].text }
func (d *fakeDAG) Splat(n dagtable.Node, ones bool) bool {
	return d.nodes[n].text == map[bool]string{true: "ones", false: "zeros"}[ones]
}
func (d *fakeDAG) Uses(v dagtable.Value) int { return d.nodes[v.Node].numUses }
func (d *fakeDAG) Mem(n dagtable.Node) (dagtable.MemInfo, bool) {
	if m := d.nodes[n].mem; m != nil {
		return *m, true
	}
	return dagtable.MemInfo{}, false
}
func (d *fakeDAG) CanFold(n, root dagtable.Node) bool { return !d.nodes[n].noFold }
func (d *fakeDAG) MaskedBits(v dagtable.Value, have, want int64, or bool) bool {
	return false
}
func (d *fakeDAG) MergeChains(nodes []dagtable.Node) dagtable.Value {
	return d.nodes[nodes[0]].ops[0]
}
func (d *fakeDAG) GlueInput(n dagtable.Node) dagtable.Value {
	if x := &d.nodes[n]; x.glue {
		return x.ops[len(x.ops)-1]
	}
	return dagtable.NoValue
}
func (d *fakeDAG) Constant(v int64, typ int) dagtable.Value {
	return d.add(fakeNode{op: "target constant", types: []string{d.rev[typ][4:]}, text: fmt.Sprint(v)})
}
func (d *fakeDAG) Register(reg string, typ int) dagtable.Value {
	return d.add(fakeNode{op: "register", text: reg})
}
func (d *fakeDAG) ClassID(name string) dagtable.Value {
	return d.add(fakeNode{op: "class", text: name})
}
func (d *fakeDAG) SubRegIndex(name string) dagtable.Value {
	return d.add(fakeNode{op: "subreg", text: name})
}
func (d *fakeDAG) TargetConstant(v dagtable.Value) dagtable.Value {
	return d.add(fakeNode{op: "target constant", text: d.show(v)})
}
func (d *fakeDAG) CopyToReg(chain dagtable.Value, reg string, v, glue dagtable.Value) (dagtable.Value, dagtable.Value) {
	n := d.add(fakeNode{op: "copytoreg"})
	d.log = append(d.log, fmt.Sprintf("copy %s to %s", d.show(v), reg))
	return n, dagtable.Value{Node: n.Node, Result: 1}
}
func (d *fakeDAG) MachineNode(m *dagtable.Machine) dagtable.Node {
	x := *m
	return d.add(fakeNode{op: m.Inst, machine: &x}).Node
}

// show writes a value with what it is made of.
func (d *fakeDAG) show(v dagtable.Value) string {
	n := &d.nodes[v.Node]
	switch {
	case n.machine != nil:
		var ops []string
		for _, o := range n.machine.Ops {
			ops = append(ops, d.show(o))
		}
		s := "(" + n.op
		if len(ops) > 0 {
			s += " " + strings.Join(ops, ", ")
		}
		if n.machine.Chain != dagtable.NoValue {
			s += ", ch"
		}
		if n.machine.Glue != dagtable.NoValue {
			s += ", glue"
		}
		if len(n.machine.MemRefs) > 0 {
			s += ", mem"
		}
		s += ")"
		if v.Result > 0 {
			s += fmt.Sprintf(":%d", v.Result)
		}
		return s
	case n.isInt:
		return fmt.Sprint(n.v)
	case n.text != "":
		return n.text
	}
	return n.op
}

// build makes the graph that a source describes. Names tie operands.
type grapher struct {
	d     *fakeDAG
	p     *dagpattern.Set
	ptr   string
	names map[string]dagtable.Value
	ints  func(n *dagpattern.Node) int64
}

func (g *grapher) typ(n *dagpattern.Node, i int) string {
	t := n.Type(i)
	if t < 0 {
		return "Other"
	}
	if g.p.IsPtr(t) {
		return g.ptr
	}
	return g.p.TypeName(t)
}

func (g *grapher) build(n *dagpattern.Node) dagtable.Value {
	if v, ok := g.names[n.Name]; ok && n.Name != "" {
		return v
	}
	v := g.make(n)
	if n.Name != "" {
		g.names[n.Name] = v
	}
	return v
}

func (g *grapher) make(n *dagpattern.Node) dagtable.Value {
	width := 64
	if len(n.Types) > 0 {
		if t := n.Type(0); t >= 0 {
			width, _, _, _ = g.p.TypeShape(t)
		}
	}
	f := fakeNode{op: "value", width: width, numUses: 1}
	for i := range n.Types {
		f.types = append(f.types, g.typ(n, i))
	}
	if v, ok := n.Int(); ok {
		f.op, f.isInt, f.v = "ISD::Constant", true, v
		return g.d.add(f)
	}
	if n.IsLeaf() || g.p.ComplexOf(n) != nil {
		if d := n.Def(); d != nil {
			switch {
			case d.IsSubClassOf("CondCode"):
				f.op, f.text = "ISD::CONDCODE", d.Name
			case d.IsSubClassOf("ValueType") && n.Name == "":
				f.op, f.text = "ISD::VALUETYPE", d.Name
			case d.Name == "immAllOnesV":
				f.op, f.text = "ISD::BUILD_VECTOR", "ones"
			case d.Name == "immAllZerosV":
				f.op, f.text = "ISD::BUILD_VECTOR", "zeros"
			}
		}
		if f.text == "" {
			f.text = "$" + n.Name
		}
		return g.d.add(f)
	}
	ni := g.p.Node(n.Op)
	f.op = ni.Opcode
	if n.Op.Name == "imm" || n.Op.Name == "timm" {
		f.isInt, f.v = true, g.ints(n)
	}
	if n.Op.Name == "fpimm" {
		f.isFloat = true
	}
	if ni.Props&dagpattern.HasChain != 0 {
		f.ops = append(f.ops, g.d.add(fakeNode{op: "chain", types: []string{"Other"}}))
	}
	for i, k := range n.Kids {
		if x := g.p.IntrinsicOf(n); x != nil && i == 0 {
			f.ops = append(f.ops, g.d.add(fakeNode{op: "ISD::TargetConstant", text: x.Name, types: []string{g.ptr}}))
			continue
		}
		f.ops = append(f.ops, g.build(k))
	}
	if ni.Props&dagpattern.MemOperand != 0 {
		f.mem = g.mem(n)
	}
	return g.d.add(f)
}

// mem makes an access that the predicates of a node accept.
func (g *grapher) mem(n *dagpattern.Node) *dagtable.MemInfo {
	m := &dagtable.MemInfo{Unindexed: true, Type: -1, ScalarType: -1, Align: 16}
	for _, c := range n.Preds {
		p := c.Pred
		switch {
		case p.AnyExt == dagpattern.Yes:
			m.Ext = 'a'
		case p.SignExt == dagpattern.Yes:
			m.Ext = 's'
		case p.ZeroExt == dagpattern.Yes:
			m.Ext = 'z'
		}
		if p.TruncStore == dagpattern.Yes {
			m.Trunc = true
		}
		if p.MemVT >= 0 {
			m.Type = g.d.num("MVT " + g.p.TypeName(p.MemVT))
		}
		if p.Ordering != "" {
			m.Ordering = p.Ordering
		}
	}
	return m
}
