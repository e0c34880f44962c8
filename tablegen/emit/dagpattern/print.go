package dagpattern

import (
	"strconv"

	"github.com/mirin-go/mirin/tablegen"
)

// AppendNode writes a tree as LLVM's comments do:
// (add:{ *:[i32] } GPR:{ *:[i32] }:$a, 1:{ *:[i32] })<<P:Predicate_x>>:$b.
func (p *Set) AppendNode(b []byte, n *Node) []byte {
	if n.IsLeaf() {
		b = n.Leaf.AppendText(b)
	} else {
		b = append(append(b, '('), n.Op.Name...)
	}
	for i := range n.Types {
		b = p.appendTypeSet(append(b, ':'), &n.Types[i])
	}
	if !n.IsLeaf() {
		for i, k := range n.Kids {
			if i > 0 {
				b = append(b, ',')
			}
			b = p.AppendNode(append(b, ' '), k)
		}
		b = append(b, ')')
	}
	for _, c := range n.Preds {
		b = append(b, "<<P:"...)
		if c.Scope != 0 {
			b = append(strconv.AppendInt(b, int64(c.Scope), 10), ':')
		}
		b = append(append(append(b, "Predicate_"...), c.Pred.Record.Name...), ">>"...)
	}
	if n.Xform != nil {
		b = append(append(append(b, "<<X:"...), n.Xform.Name...), ">>"...)
	}
	if n.Name != "" {
		b = append(append(b, ":$"...), n.Name...)
	}
	for _, a := range n.PredArgs {
		b = append(b, ":$pred:"...)
		b = append(append(strconv.AppendInt(b, int64(a.Scope), 10), ':'), a.Name...)
	}
	return b
}

// AppendPattern writes source, complexity and result of a pattern in two lines.
func (p *Set) AppendPattern(b []byte, x *Pattern) []byte {
	b = p.AppendNode(append(b, "// Src: "...), x.Src)
	b = strconv.AppendInt(append(b, " - Complexity = "...), int64(x.Complexity), 10)
	return append(p.AppendNode(append(b, "\n// Dst: "...), x.Dst), '\n')
}

// ResultOrder gives for each result of an instruction with a pattern of its
// own which result of the source it is; nil: in order.
func (n *Node) ResultOrder() []int { return n.resultOrder }

// NumParts is the number of machine operands of an operand record.
func (p *Set) NumParts(r *tablegen.Record) int { return len(subOperands(r)) }

// ImplicitType is the type of the first implicit definition of an instruction
// when it has one type only: a result of the instruction in patterns.
func (p *Set) ImplicitType(i *Inst) (VT, bool) { return p.implicitVT(i) }

// RegisterType is the first type that a register holds, -1 for none.
func (p *Set) RegisterType(r *tablegen.Record) VT {
	for _, v := range p.regVTs[r] {
		if t, ok := p.resolve(v, 0); ok {
			return t
		}
	}
	return -1
}
