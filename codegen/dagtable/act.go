package dagtable

import (
	"fmt"

	"github.com/mirin-go/mirin/codegen/dagtable/code"
	"github.com/mirin-go/mirin/support/bintable"
)

// act runs the actions of the pattern that matched.
func (m *Matcher) act(pc int) Selected {
	c := m.S.Table.Code
	t := m.S.Table
	m.temps, m.mem = m.temps[:0], m.mem[:0]
	m.chain, m.glue, m.outChain, m.outGlue = NoValue, NoValue, NoValue, NoValue
	var nodes []Node
	for {
		op := code.Op(c[pc])
		pc++
		var n int
		switch op {
		case code.Chains:
			n, pc = uv(c, pc)
			nodes = nodes[:0]
			for ; n > 0; n-- {
				var v int
				v, pc = uv(c, pc)
				nodes = append(nodes, m.vals[v].Node)
			}
			m.chain = m.D.MergeChains(nodes)
			m.outChain = m.chain
		case code.Glue:
			n, pc = uv(c, pc)
			if g := m.D.GlueInput(m.vals[n].Node); g != NoValue {
				m.glue = g
			}
		case code.MemRef:
			n, pc = uv(c, pc)
			m.mem = append(m.mem, m.vals[n].Node)
		case code.Int:
			var v int64
			v, pc = bintable.IntAt(c, pc)
			n, pc = uv(c, pc)
			m.temps = append(m.temps, m.D.Constant(v, m.S.types[n]))
		case code.Reg:
			var ty int
			n, pc = uv(c, pc)
			ty, pc = uv(c, pc)
			m.temps = append(m.temps, m.D.Register(t.Regs[n], m.S.types[ty]))
		case code.Class:
			n, pc = uv(c, pc)
			m.temps = append(m.temps, m.D.ClassID(t.Names[n]))
		case code.SubReg:
			n, pc = uv(c, pc)
			m.temps = append(m.temps, m.D.SubRegIndex(t.Names[n]))
		case code.Const:
			n, pc = uv(c, pc)
			m.temps = append(m.temps, m.D.TargetConstant(m.vals[n]))
		case code.Xform:
			m.ops, pc = m.source(m.ops[:0], c, pc)
			n, pc = uv(c, pc)
			m.temps = append(m.temps, m.S.xforms[n](m, m.ops[0]))
		case code.CopyToReg:
			m.ops, pc = m.source(m.ops[:0], c, pc)
			n, pc = uv(c, pc)
			m.chain, m.glue = m.D.CopyToReg(m.chain, t.Regs[n], m.ops[0], m.glue)
		case code.Node:
			pc = m.node(c, pc)
		case code.Done:
			out := Selected{Chain: m.outChain, Glue: m.outGlue}
			n, pc = uv(c, pc)
			for ; n > 0; n-- {
				out.Values, pc = m.source(out.Values, c, pc)
			}
			return out
		default:
			panic(fmt.Sprintf("dagtable: action %d, which code.Verify refuses", op))
		}
	}
}

// source appends the operand (or operands) that kind and number say.
func (m *Matcher) source(to []Value, c []byte, pc int) ([]Value, int) {
	kind, pc := uv(c, pc)
	n, pc := uv(c, pc)
	switch kind {
	case code.SrcValue:
		return append(to, m.vals[n]), pc
	case code.SrcTemp:
		return append(to, m.temps[n]), pc
	case code.SrcSlot:
		return append(to, m.slots[n]...), pc
	}
	part, pc := uv(c, pc)
	return append(to, m.slots[n][part]), pc
}

func (m *Matcher) node(c []byte, pc int) int {
	inst, pc := uv(c, pc)
	flags, pc := uv(c, pc)
	fixed, pc := uv(c, pc)
	n, pc := uv(c, pc)
	x := &Machine{Inst: m.S.Table.Insts[inst], Chain: NoValue, Glue: NoValue, OutGlue: flags&code.NodeOutGlue != 0}
	for ; n > 0; n-- {
		var t int
		t, pc = uv(c, pc)
		x.Types = append(x.Types, m.S.types[t])
	}
	n, pc = uv(c, pc)
	for ; n > 0; n-- {
		x.Ops, pc = m.source(x.Ops, c, pc)
	}
	if fixed > 0 {
		x.Ops = m.rest(x.Ops, fixed-1)
	}
	if flags&code.NodeChain != 0 {
		x.Chain = m.chain
	}
	if flags&code.NodeInGlue != 0 {
		x.Glue = m.glue
	}
	if flags&code.NodeMemRefs != 0 {
		x.MemRefs = append(x.MemRefs, m.mem...)
	}
	node := m.D.MachineNode(x)
	for i := range x.Types {
		m.temps = append(m.temps, Value{node, i})
	}
	next := len(x.Types)
	if flags&code.NodeChain != 0 {
		m.chain = Value{node, next}
		m.outChain = m.chain
		next++
	}
	if flags&code.NodeOutGlue != 0 {
		m.glue = Value{node, next}
		m.outGlue = m.glue
	}
	return pc
}

// rest appends the operands of the root behind those that the pattern has,
// but for its chain and its glue.
func (m *Matcher) rest(ops []Value, fixed int) []Value {
	root := m.Root()
	glue := m.D.GlueInput(root)
	for i := fixed; i < m.D.NumOperands(root); i++ {
		if v := m.D.Operand(root, i); v != glue {
			ops = append(ops, v)
		}
	}
	return ops
}
