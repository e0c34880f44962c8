package dagisel

import (
	"fmt"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/dagpattern"
	"github.com/mirin-go/mirin/tablegen/emit/matchasm"
)

// src is the source of an operand, encoded.
type src string

func mkSrc(kind int, args ...int) src {
	return src(matchasm.AppendArgs(matchasm.AppendArgs(nil, kind), args...))
}

// builder makes the actions of one pattern.
type builder struct {
	m     *matcher
	out   []byte
	temps int
}

func (b *builder) emit(op code.Op, args ...int) {
	b.out = append(b.out, matchasm.Encode(op, args...)...)
}

// temp is the number of the value that the action just written makes.
func (b *builder) temp() src {
	b.temps++
	return mkSrc(code.SrcTemp, b.temps-1)
}

func (b *builder) build() error {
	m, x := b.m, b.m.x
	if len(m.chains) > 0 {
		b.emit(code.TakeChains, append([]int{len(m.chains)}, m.chains...)...)
	}
	for _, v := range m.glues {
		b.emit(code.TakeGlue, v)
	}
	for _, v := range m.mems {
		b.emit(code.TakeMem, v)
	}
	ops, err := b.operand(x.Dst, true)
	if err != nil {
		return err
	}
	n := len(x.Src.Types)
	if len(ops) < n {
		return fmt.Errorf("the result makes %d values, the source %d", len(ops), n)
	}
	order := x.Dst.ResultOrder()
	res := append([]src(nil), ops...)
	for i, o := range order {
		if i < len(ops) && o < len(res) {
			res[o] = ops[i]
		}
	}
	b.emit(code.Results, n)
	for _, s := range res[:n] {
		b.out = append(b.out, s...)
	}
	return nil
}

// operand makes a node of the result; it gives one source, or several for
// instructions with several results and complex patterns.
func (b *builder) operand(n *dagpattern.Node, root bool) ([]src, error) {
	g := b.m.g
	if n.Name != "" {
		return b.named(n)
	}
	if n.IsLeaf() {
		return b.leaf(n)
	}
	switch {
	case n.Op.IsSubClassOf("Instruction"):
		return b.instruction(n, root)
	case n.Op.IsSubClassOf("SDNodeXForm"):
		in, err := b.operand(n.Kids[0], false)
		if err != nil {
			return nil, err
		}
		if len(in) != 1 {
			return nil, fmt.Errorf("transformation %s of several operands", n.Op.Name)
		}
		g.hook("transformation", n.Op.Name, n.Op.String("XFormFunction"), n.Op)
		b.out = append(append(b.out, byte(code.MakeXform)), in[0]...)
		b.out = matchasm.AppendArgs(b.out, g.Xform(n.Op.Name))
		return []src{b.temp()}, nil
	}
	return nil, fmt.Errorf("%s cannot stand in a result", n.Op.Name)
}

// named gives an operand of the source.
func (b *builder) named(n *dagpattern.Node) ([]src, error) {
	at, ok := b.m.names[n.Name]
	switch {
	case !ok:
		return nil, fmt.Errorf("$%s is not matched", n.Name)
	case at.part >= 0:
		return []src{mkSrc(code.SrcPart, at.slot, at.part)}, nil
	case at.slot >= 0:
		return []src{mkSrc(code.SrcSlot, at.slot)}, nil
	}
	if n.Op != nil && (n.Op.Name == "imm" || n.Op.Name == "fpimm") {
		b.emit(code.MakeConst, at.value)
		return []src{b.temp()}, nil
	}
	return []src{mkSrc(code.SrcValue, at.value)}, nil
}

func (b *builder) leaf(n *dagpattern.Node) ([]src, error) {
	g := b.m.g
	if v, ok := n.Int(); ok {
		b.out = append(b.out, matchasm.EncodeInt(v, code.MakeInt)...)
		b.out = matchasm.AppendArgs(b.out, g.typ(n.Type(0)))
		return []src{b.temp()}, nil
	}
	d := n.Def()
	switch {
	case d == nil:
		return nil, fmt.Errorf("an operand of the result has no name")
	case d.IsSubClassOf("Register"):
		b.emit(code.MakeReg, g.Reg(d.Name), b.regType(n))
	case d.Name == "zero_reg":
		b.emit(code.MakeReg, g.Reg(""), b.regType(n))
	case d.Name == "undef_tied_input":
		b.emit(code.BuildNode, g.Inst("IMPLICIT_DEF"), 0, 0, 1, g.typ(n.Type(0)), 0)
	case d.IsSubClassOf("RegisterOperand"):
		d = d.DefField("RegClass")
		b.emit(code.MakeClass, g.Name(d.Name))
	case d.IsSubClassOf("RegisterClassLike"), d.IsSubClassOf("RegisterClass"):
		b.emit(code.MakeClass, g.Name(d.Name))
	case d.IsSubClassOf("SubRegIndex"):
		b.emit(code.MakeSubReg, g.Name(d.Name))
	default:
		return nil, fmt.Errorf("%s cannot stand in a result", d.Name)
	}
	return []src{b.temp()}, nil
}

func (b *builder) regType(n *dagpattern.Node) int {
	if t := n.Type(0); t >= 0 {
		return b.m.g.typ(t)
	}
	return b.m.g.Type("Other")
}

// instruction makes a machine node.
func (b *builder) instruction(n *dagpattern.Node, root bool) ([]src, error) {
	g, m := b.m.g, b.m
	inst := g.p.Inst(n.Op)
	ops, err := b.instOperands(n, inst)
	if err != nil {
		return nil, err
	}
	flags := 0
	if root && len(m.phys) > 0 {
		for _, p := range m.phys {
			b.out = append(append(b.out, byte(code.CopyToReg)), mkSrc(code.SrcValue, p.value)...)
			b.out = matchasm.AppendArgs(b.out, g.Reg(p.reg.Name))
		}
		flags |= code.NodeInGlue
	}
	types := []int{}
	for i := range n.Types {
		types = append(types, g.typ(n.Type(i)))
	}
	if root {
		types = append(types, b.regResults(inst)...)
	}
	props := g.props(m.x.Src)
	if root && props&(dagpattern.InGlue|dagpattern.OptInGlue) != 0 {
		flags |= code.NodeInGlue
	}
	if root && props&dagpattern.OutGlue != 0 {
		flags |= code.NodeOutGlue
	}
	if props&dagpattern.HasChain != 0 && g.takesChain(n.Op, root) {
		flags |= code.NodeChain
	}
	if props&dagpattern.MemOperand != 0 && g.takesMem(n, m.x.Dst, root) {
		flags |= code.NodeMemRefs
	}
	fixed := 0
	if root && !m.x.Src.IsLeaf() {
		if ni := g.p.Node(m.x.Src.Op); ni != nil && ni.Props&dagpattern.Variadic != 0 {
			fixed = len(m.x.Src.Kids) + 1
			if ni.Props&dagpattern.HasChain != 0 {
				fixed++
			}
		}
	}
	b.emit(code.BuildNode, append([]int{g.Inst(n.Op.Name), flags, fixed, len(types)}, types...)...)
	b.out = matchasm.AppendArgs(b.out, len(ops))
	for _, s := range ops {
		b.out = append(b.out, s...)
	}
	var out []src
	for range types {
		out = append(out, b.temp())
	}
	return out, nil
}

// instOperands makes the operands, with the default ones where they are not given.
func (b *builder) instOperands(n *dagpattern.Node, inst *dagpattern.Inst) ([]src, error) {
	p := b.m.g.p
	var ops []src
	kid := 0
	add := func() error {
		if kid == len(n.Kids) {
			return fmt.Errorf("%s has too few operands", n.Op.Name)
		}
		l, err := b.operand(n.Kids[kid], false)
		if err != nil {
			return err
		}
		kid++
		if k := n.Kids[kid-1]; k.Op != nil && k.Op.IsSubClassOf("Instruction") && len(l) > 1 {
			l = l[:1]
		}
		ops = append(ops, l...)
		return nil
	}
	optional := len(inst.Operands)
	for optional > inst.NumResults && len(p.Defaults(inst.Operands[optional-1].Rec)) > 0 {
		optional--
	}
	for i := inst.NumResults; i < len(inst.Operands); i++ {
		rec := inst.Operands[i].Rec
		if d := p.Defaults(rec); len(d) > 0 && (i < optional || kid == len(n.Kids)) {
			for _, v := range d {
				l, err := b.operand(v, false)
				if err != nil {
					return nil, err
				}
				ops = append(ops, l...)
			}
			continue
		}
		parts := max(1, p.NumParts(rec))
		for have := 0; have < parts; {
			before := b.width(n, kid)
			if err := add(); err != nil {
				return nil, err
			}
			have += before
		}
	}
	for kid < len(n.Kids) {
		if err := add(); err != nil {
			return nil, err
		}
	}
	return ops, nil
}

// width is the number of machine operands that an operand of the result makes.
func (b *builder) width(n *dagpattern.Node, kid int) int {
	if kid >= len(n.Kids) {
		return 1
	}
	k := n.Kids[kid]
	if at, ok := b.m.names[k.Name]; ok && k.Name != "" && at.slot >= 0 && at.part < 0 {
		return b.m.g.p.ComplexOf(at.node).NumOperands
	}
	return 1
}

// regResults are the types of physical registers that the source sets, but for
// the one that the instruction's own type list has.
func (b *builder) regResults(inst *dagpattern.Inst) []int {
	var out []int
	var handled *tablegen.Record
	if _, ok := b.m.g.p.ImplicitType(inst); ok {
		handled = inst.ImplicitDefs[0]
	}
	for _, r := range b.m.x.DstRegs {
		if r != handled {
			if t := b.m.g.p.RegisterType(r); t >= 0 {
				out = append(out, b.m.g.typ(t))
			}
		}
	}
	return out
}

// props are the properties of all nodes of a source.
func (g *generator) props(n *dagpattern.Node) dagpattern.Property {
	var out dagpattern.Property
	if n.Op != nil {
		if ni := g.p.Node(n.Op); ni != nil {
			out |= ni.Props
		}
		if x := g.p.IntrinsicOf(n); x != nil {
			out |= x.Props
		}
	}
	if c := g.p.ComplexOf(n); c != nil {
		out |= c.Props
	}
	for _, k := range n.Kids {
		out |= g.props(k)
	}
	return out
}

// takesChain reports whether an instruction gets the chain: what it does to
// memory decides, or its own pattern, else the root has it.
func (g *generator) takesChain(r *tablegen.Record, root bool) bool {
	i := g.p.Inst(r)
	if r.Bit("hasCtrlDep") || r.Bit("canFoldAsLoad") || i.SideEffects || i.MayLoad || i.MayStore {
		return true
	}
	if i.Chain != dagpattern.Open {
		return i.Chain == dagpattern.Yes
	}
	return root
}

func (g *generator) touchesMem(r *tablegen.Record) bool {
	i := g.p.Inst(r)
	return i.MayLoad || i.MayStore
}

// takesMem reports whether an instruction gets the memory references.
func (g *generator) takesMem(n, dst *dagpattern.Node, root bool) bool {
	count := 0
	var walk func(n *dagpattern.Node)
	walk = func(n *dagpattern.Node) {
		if n.Op != nil && n.Op.IsSubClassOf("Instruction") && g.touchesMem(n.Op) {
			count++
		}
		for _, k := range n.Kids {
			walk(k)
		}
	}
	walk(dst)
	mine := g.touchesMem(n.Op)
	return mine && count == 1 || root && (mine || count != 1)
}
