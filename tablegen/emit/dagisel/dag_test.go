package dagisel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/codegen/matchtable"
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
	ops     []matchtable.Value
	v       int64
	width   int
	float   uint64
	isInt   bool
	isFloat bool
	text    string // condition, type, intrinsic, splat
	mem     *matchtable.MemInfo
	glue    bool // the last operand is glue
	noFold  bool
	machine *matchtable.MachineNode
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

func (d *fakeDAG) add(n fakeNode) matchtable.Value {
	d.nodes = append(d.nodes, n)
	return matchtable.Value{Node: matchtable.Node(len(d.nodes) - 1)}
}

func (d *fakeDAG) Opcode(n matchtable.Node) int      { return d.num(d.nodes[n].op) }
func (d *fakeDAG) NumOperands(n matchtable.Node) int { return len(d.nodes[n].ops) }
func (d *fakeDAG) Operand(n matchtable.Node, i int) matchtable.Value {
	return d.nodes[n].ops[i]
}
func (d *fakeDAG) Type(v matchtable.Value) int {
	if t := d.nodes[v.Node].types; v.Result < len(t) {
		return d.num("MVT " + t[v.Result])
	}
	return -1
}
func (d *fakeDAG) NumResults(n matchtable.Node) int { return len(d.nodes[n].types) }
func (d *fakeDAG) Int(n matchtable.Node) (int64, int, bool) {
	x := &d.nodes[n]
	return x.v, x.width, x.isInt
}
func (d *fakeDAG) FloatBits(n matchtable.Node) (uint64, bool) {
	return d.nodes[n].float, d.nodes[n].isFloat
}
func (d *fakeDAG) CondCode(n matchtable.Node) string  { return d.nodes[n].text }
func (d *fakeDAG) VT(n matchtable.Node) int           { return d.num("MVT " + d.nodes[n].text) }
func (d *fakeDAG) Intrinsic(n matchtable.Node) string { return d.nodes[n].text }
func (d *fakeDAG) Splat(n matchtable.Node, ones bool) bool {
	return d.nodes[n].text == map[bool]string{true: "ones", false: "zeros"}[ones]
}
func (d *fakeDAG) Uses(v matchtable.Value) int { return d.nodes[v.Node].numUses }
func (d *fakeDAG) Mem(n matchtable.Node) (matchtable.MemInfo, bool) {
	if m := d.nodes[n].mem; m != nil {
		return *m, true
	}
	return matchtable.MemInfo{}, false
}
func (d *fakeDAG) CanFold(n, root matchtable.Node) bool { return !d.nodes[n].noFold }
func (d *fakeDAG) MaskedBits(v matchtable.Value, have, want int64, or bool) bool {
	return false
}
func (d *fakeDAG) MergeChains(nodes []matchtable.Node) matchtable.Value {
	if len(nodes) == 0 || len(d.nodes[nodes[0]].ops) == 0 { // of a damaged table
		return matchtable.NoValue
	}
	return d.nodes[nodes[0]].ops[0]
}
func (d *fakeDAG) GlueInput(n matchtable.Node) matchtable.Value {
	if x := &d.nodes[n]; x.glue {
		return x.ops[len(x.ops)-1]
	}
	return matchtable.NoValue
}
func (d *fakeDAG) Constant(v int64, typ int) matchtable.Value {
	return d.add(fakeNode{op: "target constant", types: []string{d.rev[typ][4:]}, text: fmt.Sprint(v)})
}
func (d *fakeDAG) Register(reg string, typ int) matchtable.Value {
	return d.add(fakeNode{op: "register", text: reg})
}
func (d *fakeDAG) ClassID(name string) matchtable.Value {
	return d.add(fakeNode{op: "class", text: name})
}
func (d *fakeDAG) SubRegIndex(name string) matchtable.Value {
	return d.add(fakeNode{op: "subreg", text: name})
}
func (d *fakeDAG) TargetConstant(v matchtable.Value) matchtable.Value {
	return d.add(fakeNode{op: "target constant", text: d.show(v)})
}
func (d *fakeDAG) CopyToReg(chain matchtable.Value, reg string, v, glue matchtable.Value) (matchtable.Value, matchtable.Value) {
	n := d.add(fakeNode{op: "copytoreg"})
	d.log = append(d.log, fmt.Sprintf("copy %s to %s", d.show(v), reg))
	return n, matchtable.Value{Node: n.Node, Result: 1}
}
func (d *fakeDAG) MachineNode(m *matchtable.MachineNode) matchtable.Node {
	x := *m
	x.Ops, x.MemRefs = slices.Clone(m.Ops), slices.Clone(m.MemRefs)
	return d.add(fakeNode{op: m.Inst, machine: &x}).Node
}

// show writes a value with what it is made of.
func (d *fakeDAG) show(v matchtable.Value) string {
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
		if n.machine.Chain != matchtable.NoValue {
			s += ", ch"
		}
		if n.machine.Glue != matchtable.NoValue {
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
	names map[string]matchtable.Value
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

func (g *grapher) build(n *dagpattern.Node) matchtable.Value {
	if v, ok := g.names[n.Name]; ok && n.Name != "" {
		return v
	}
	v := g.make(n)
	if n.Name != "" {
		g.names[n.Name] = v
	}
	return v
}

func (g *grapher) make(n *dagpattern.Node) matchtable.Value {
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
func (g *grapher) mem(n *dagpattern.Node) *matchtable.MemInfo {
	m := &matchtable.MemInfo{Unindexed: true, Type: -1, ScalarType: -1, Align: 16}
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
