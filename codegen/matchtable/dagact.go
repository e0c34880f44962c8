package matchtable

import (
	"fmt"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
)

// act runs one action.
func (m *DAGMatcher) act(op code.Op, pc int) (int, bool) {
	c, t := m.code, m.T.t
	var n int
	switch op {
	case code.TakeChains:
		n, pc = code.Uint(c, pc)
		m.nodes = m.nodes[:0]
		for ; n > 0; n-- {
			var v int
			v, pc = code.Uint(c, pc)
			m.nodes = append(m.nodes, m.vals[v].Node)
		}
		m.chain = m.D.MergeChains(m.nodes)
		m.out.Chain = m.chain
	case code.TakeGlue:
		n, pc = code.Uint(c, pc)
		if g := m.D.GlueInput(m.vals[n].Node); g != NoValue {
			m.glue = g
		}
	case code.TakeMem:
		n, pc = code.Uint(c, pc)
		m.mem = append(m.mem, m.vals[n].Node)
	case code.MakeInt:
		var v int64
		v, pc = code.Int(c, pc)
		n, pc = code.Uint(c, pc)
		m.temps = append(m.temps, m.D.Constant(v, m.typ(n)))
	case code.MakeReg:
		var ty int
		n, pc = code.Uint(c, pc)
		ty, pc = code.Uint(c, pc)
		m.temps = append(m.temps, m.D.Register(t.Regs[n], m.typ(ty)))
	case code.MakeClass:
		n, pc = code.Uint(c, pc)
		m.temps = append(m.temps, m.D.ClassID(t.Names[n]))
	case code.MakeSubReg:
		n, pc = code.Uint(c, pc)
		m.temps = append(m.temps, m.D.SubRegIndex(t.Names[n]))
	case code.MakeConst:
		n, pc = code.Uint(c, pc)
		m.temps = append(m.temps, m.D.TargetConstant(m.vals[n]))
	case code.MakeXform, code.CopyToReg:
		m.ops, pc = m.source(m.ops[:0], pc)
		n, pc = code.Uint(c, pc)
		if len(m.ops) != 1 { // a slot of several operands
			return pc, false
		}
		if op == code.MakeXform {
			m.temps = append(m.temps, m.T.xforms[n](m, m.ops[0]))
		} else {
			m.chain, m.glue = m.D.CopyToReg(m.chain, t.Regs[n], m.ops[0], m.glue)
		}
	case code.BuildNode:
		pc = m.build(pc)
	case code.Results:
		n, pc = code.Uint(c, pc)
		for ; n > 0; n-- {
			m.out.Values, pc = m.source(m.out.Values, pc)
		}
	default:
		panic(fmt.Sprintf("matchtable: action %d, which code.Verify refuses", op))
	}
	return pc, true
}

// typ is the graph's number of a type, -1 where it has none.
func (m *DAGMatcher) typ(n int) int {
	if k := m.types[n]; k != noSuchType {
		return int(k)
	}
	return -1
}

// source appends the operand (or operands) that kind and number say.
func (m *DAGMatcher) source(to []Value, pc int) ([]Value, int) {
	kind, pc := code.Uint(m.code, pc)
	n, pc := code.Uint(m.code, pc)
	switch kind {
	case code.SrcValue:
		return append(to, m.vals[n]), pc
	case code.SrcTemp:
		return append(to, m.temps[n]), pc
	case code.SrcSlot:
		return append(to, m.slots[n]...), pc
	}
	part, pc := code.Uint(m.code, pc)
	return append(to, m.slots[n][part]), pc
}

// build makes a machine node.
func (m *DAGMatcher) build(pc int) int {
	c := m.code
	inst, pc := code.Uint(c, pc)
	flags, pc := code.Uint(c, pc)
	fixed, pc := code.Uint(c, pc)
	n, pc := code.Uint(c, pc)
	x := &m.node
	*x = MachineNode{Inst: m.T.t.Insts[inst], Types: x.Types[:0], Ops: x.Ops[:0], MemRefs: x.MemRefs[:0],
		Chain: NoValue, Glue: NoValue, OutGlue: flags&code.NodeOutGlue != 0}
	for ; n > 0; n-- {
		var t int
		t, pc = code.Uint(c, pc)
		x.Types = append(x.Types, m.typ(t))
	}
	n, pc = code.Uint(c, pc)
	for ; n > 0; n-- {
		x.Ops, pc = m.source(x.Ops, pc)
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
		m.out.Chain = m.chain
		next++
	}
	if flags&code.NodeOutGlue != 0 {
		m.glue = Value{node, next}
		m.out.Glue = m.glue
	}
	return pc
}

// rest appends the operands of the root behind those that the pattern has,
// but for its chain and its glue.
func (m *DAGMatcher) rest(ops []Value, fixed int) []Value {
	root := m.Root()
	glue := m.D.GlueInput(root)
	for i := fixed; i < m.D.NumOperands(root); i++ {
		if v := m.D.Operand(root, i); v != glue {
			ops = append(ops, v)
		}
	}
	return ops
}
