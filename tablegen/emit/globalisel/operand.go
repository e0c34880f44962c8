package globalisel

import (
	"errors"
	"fmt"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen/emit/dagpattern"
	"github.com/mirin-go/mirin/tablegen/emit/matchasm"
)

// instruction emits a target instruction and the instructions of its operands.
// order: it makes all values of the root, its result k being value order[k].
func (b *builder) instruction(d *dagpattern.Node, o out, want bool, order []int, phys []physOperand) (out, error) {
	g := b.g
	op, ok := g.info.OpcodeByName(d.Op.Name)
	if !ok {
		return o, fmt.Errorf("instruction %s is not known", d.Op.Name)
	}
	de := g.info.Instr(op)
	nd := int(de.NumDefs)
	var body []byte
	n := nd
	for _, a := range b.arguments(d) {
		class := desc.NoClass
		if n < int(de.NumOperands) {
			class = g.info.OperandClass(op, n, g.info.DefaultMode)
		}
		val, err := b.value(a, class)
		if err != nil {
			return o, err
		}
		body = append(body, val...)
		n += b.width(a)
	}
	if n != int(de.NumOperands) && !de.IsVariadic() {
		return o, fmt.Errorf("%s takes %d operands, the pattern gives %d", d.Op.Name, int(de.NumOperands)-nd, n-nd)
	}
	var defs []byte
	if nd > 0 {
		var err error
		if o, defs, err = b.dest(o, g.info.OperandClass(op, 0, g.info.DefaultMode)); err != nil {
			return o, fmt.Errorf("%s: %w", d.Op.Name, err)
		}
		for k := 1; k < nd; k++ {
			// Further results are not used, unless the root has them.
			to := temporary
			if k < len(order) {
				to.root = order[k]
			}
			_, x, err := b.dest(to, g.info.OperandClass(op, k, g.info.DefaultMode))
			if err != nil {
				return o, err
			}
			defs = append(defs, x...)
		}
	} else if want {
		return o, fmt.Errorf("%s has no result: use (get register)", d.Op.Name)
	}
	for _, p := range phys {
		r, err := g.reg(p.reg.Name)
		if err != nil {
			return o, err
		}
		val, err := b.name(&dagpattern.Node{Name: p.name})
		if err != nil {
			return o, err
		}
		b.setPhys(r, val)
	}
	b.ins = append(b.ins, instr{op: op, body: append(defs, body...), uses: g.info.ImplicitUses(op), defs: g.info.ImplicitDefs(op)})
	return o, nil
}

// arguments lists what becomes the operands of an instruction: those that the
// pattern gives, and the values of operands with a default that it does not.
func (b *builder) arguments(d *dagpattern.Node) []*dagpattern.Node {
	p := b.g.p
	inst := p.Inst(d.Op)
	if inst.Flat {
		return d.Kids
	}
	var out []*dagpattern.Node
	kid := 0
	optional := len(inst.Operands)
	for optional > inst.NumResults && len(p.Defaults(inst.Operands[optional-1].Rec)) > 0 {
		optional--
	}
	for i := inst.NumResults; i < len(inst.Operands); i++ {
		if def := p.Defaults(inst.Operands[i].Rec); len(def) > 0 && (i < optional || kid >= len(d.Kids)) {
			out = append(out, def...)
			continue
		}
		have := 0
		for parts := max(1, p.NumParts(inst.Operands[i].Rec)); have < parts && kid < len(d.Kids); kid++ {
			out = append(out, d.Kids[kid])
			have += b.width(d.Kids[kid])
		}
	}
	return append(out, d.Kids[kid:]...)
}

// width is the number of operands that an argument becomes.
func (b *builder) width(n *dagpattern.Node) int {
	if bd := b.m.names[n.Name]; n.Name != "" && bd != nil && bd.t.kind == kComplex {
		return bd.t.complex.NumOps
	}
	if n.Op != nil && n.Op.IsSubClassOf("SDNodeXForm") {
		return max(1, int(n.Op.Int("NumOperands")))
	}
	return 1
}

// value makes the operand actions of an argument, emitting what it needs before.
func (b *builder) value(n *dagpattern.Node, class desc.ClassID) ([]byte, error) {
	if n.Name != "" {
		return b.name(n)
	}
	if v, ok := n.Int(); ok {
		return matchasm.EncodeInt(v, code.AddImm), nil
	}
	if n.IsLeaf() {
		switch d := n.Def(); {
		case d != nil && d.Name == "zero_reg":
			return matchasm.Encode(code.AddPhys, 0, 0), nil
		case d != nil && d.IsSubClassOf("Register"):
			r, err := b.g.reg(d.Name)
			return matchasm.Encode(code.AddPhys, int(r), 0), err
		}
		return nil, errors.New("Dst pattern child def is an unsupported tablegen class")
	}
	if n.Op.IsSubClassOf("SDNodeXForm") {
		return b.xform(n)
	}
	if n.Op.Name == "COPY_TO_REGCLASS" && class != desc.NoClass && b.namesRegister(n.Kids[0]) {
		// The operand demands a class of its own: a register that fits it
		// needs no copy, one that does not gets one.
		if c, err := b.classArg(n, 1); err == nil && b.g.info.HasSubClassEq(c, class) && b.g.info.HasSubClassEq(class, c) {
			return b.name(n.Kids[0])
		}
	}
	o, err := b.emit(n, temporary, true, class)
	if err != nil {
		return nil, err
	}
	return useOf(o, 0), nil
}

// namesRegister reports whether a node is a named register of the source.
func (b *builder) namesRegister(n *dagpattern.Node) bool {
	bd := b.m.names[n.Name]
	return n.Name != "" && bd != nil && (bd.t.kind == kReg || bd.t.kind == kNode)
}

// name makes the operand actions of a named operand or step.
func (b *builder) name(n *dagpattern.Node) ([]byte, error) {
	if o, ok := b.named[n.Name]; ok {
		return useOf(o, 0), nil
	}
	bd := b.m.names[n.Name]
	if bd == nil {
		return nil, fmt.Errorf("$%s is not in the source pattern, nor a step before", n.Name)
	}
	switch bd.t.kind {
	case kImm, kTImm, kLit, kTLit:
		return matchasm.Encode(code.AddConst, bd.loc.insn, bd.loc.op), nil
	case kComplex:
		return matchasm.Encode(code.AddSlot, bd.slot), nil
	case kCond:
		k := bd.t.conds
		for _, c := range n.Preds {
			if c.Pred.Conds != nil {
				k.rec = c.Pred.Conds
			}
		}
		num, err := b.g.condMap(k)
		if err != nil {
			return nil, err
		}
		return matchasm.Encode(code.AddCond, bd.loc.insn, bd.loc.op, num), nil
	case kFP:
		return nil, fmt.Errorf("$%s is a floating-point constant: a transformation must say how it becomes an operand", n.Name)
	case kNode:
		if n.Op != nil && addressOf[n.Op.Name] {
			if len(bd.t.args) > 0 || bd.t.node.results != 1 {
				return nil, fmt.Errorf("$%s is no address of a thing: %s stands for none", n.Name, n.Op.Name)
			}
			return matchasm.Encode(code.AddCopy, bd.t.insn, 1), nil
		}
		if bd.loc == (loc{0, 0}) {
			return nil, fmt.Errorf("$%s is the value of the source itself", n.Name)
		}
	}
	return matchasm.Encode(code.AddCopy, bd.loc.insn, bd.loc.op), nil
}

// addressOf are the nodes of results that stand for the thing whose address a
// leaf of the source makes: tglobaladdr:$g for globaladdr:$g.
var addressOf = map[string]bool{"tglobaladdr": true, "tglobaltlsaddr": true, "tconstpool": true, "tjumptable": true, "tframeindex": true, "tblockaddress": true,
	"texternalsym": true}

// valueSub is value with a sub-register.
func (b *builder) valueSub(n *dagpattern.Node, sub int) ([]byte, error) {
	if n.Name == "" {
		if n.IsLeaf() {
			return nil, errors.New("EXTRACT_SUBREG of something that is no value")
		}
		o, err := b.emit(n, temporary, true, desc.NoClass)
		if err != nil {
			return nil, err
		}
		return useOf(o, sub), nil
	}
	if o, ok := b.named[n.Name]; ok {
		return useOf(o, sub), nil
	}
	if !b.namesRegister(n) {
		return nil, fmt.Errorf("EXTRACT_SUBREG of $%s, which is no register of the pattern", n.Name)
	}
	bd := b.m.names[n.Name]
	return matchasm.Encode(code.AddCopySub, bd.loc.insn, bd.loc.op, sub), nil
}

func (b *builder) xform(n *dagpattern.Node) ([]byte, error) {
	fn := b.g.xforms[n.Op]
	if fn == "" {
		return nil, fmt.Errorf("SDNodeXForm %s does not have GISel equivalent", n.Op.Name)
	}
	if len(n.Kids) != 1 || b.m.names[n.Kids[0].Name] == nil {
		return nil, fmt.Errorf("transformation %s takes one operand of the source pattern", n.Op.Name)
	}
	bd := b.m.names[n.Kids[0].Name]
	return matchasm.Encode(code.AddXform, bd.loc.insn, bd.loc.op, b.g.asm.Xform(fn)), nil
}

// actions checks the flow of physical registers through the instructions and
// encodes them. A register that an instruction reads must have been written by
// one before it in the same result.
func (b *builder) actions() ([]byte, error) {
	g := b.g
	for i, x := range b.ins {
		for _, r := range x.uses {
			if g.ambient[r] || !g.strict {
				continue
			}
			found := false
			for _, y := range b.ins[:i] {
				for _, s := range append(append([]desc.PhysReg(nil), y.defs...), y.phys...) {
					found = found || g.info.Overlap(r, s)
				}
			}
			if !found {
				return nil, fmt.Errorf("%s reads %s, which nothing before it in the result sets",
					g.info.OpcodeName(x.op), g.info.RegName(r))
			}
		}
	}
	out := append([]byte(nil), b.pre...)
	for i, x := range b.ins {
		out = append(out, matchasm.Encode(code.BuildMI, int(x.op))...)
		out = append(out, x.body...)
		dead := uint64(0)
		for k, r := range x.defs {
			if !g.ambient[r] && !b.readLater(i, r) && k < 60 {
				dead |= 1 << k
			}
		}
		out = append(out, matchasm.Encode(code.Finish, int(dead))...)
	}
	return out, nil
}

// readLater reports whether an instruction behind i reads r before it is written again.
func (b *builder) readLater(i int, r desc.PhysReg) bool {
	for _, x := range b.ins[i+1:] {
		for _, u := range x.uses {
			if b.g.info.Overlap(u, r) {
				return true
			}
		}
		for _, w := range append(append([]desc.PhysReg(nil), x.defs...), x.phys...) {
			if w == r {
				return false
			}
		}
	}
	return false
}
