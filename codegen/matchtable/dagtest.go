package matchtable

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
)

// value gives the value that insn and op at pc name; ok is false where a node
// has no such operand.
func (m *DAGMatcher) value(pc int) (v Value, ok bool, next int) {
	i, pc := code.Uint(m.code, pc)
	n, pc := code.Uint(m.code, pc)
	v = m.vals[i]
	if n == 0 {
		return v, true, pc
	}
	if n > m.D.NumOperands(v.Node) {
		return NoValue, false, pc
	}
	return m.D.Operand(v.Node, n-1), true, pc
}

// typeAt gives the key of a value's type.
func (m *DAGMatcher) typeAt(pc int) (uint64, int) {
	v, ok, pc := m.value(pc)
	if !ok {
		return noType, pc
	}
	return m.typeKey(v), pc
}

// opcodeAt gives the graph's number of the opcode of a recorded value's node.
func (m *DAGMatcher) opcodeAt(pc int) (uint64, int) {
	i, pc := code.Uint(m.code, pc)
	return uint64(m.D.Opcode(m.vals[i].Node)), pc
}

// typeKey is the graph's number of a type.
func (m *DAGMatcher) typeKey(v Value) uint64 {
	if t := m.D.Type(v); t >= 0 {
		return uint64(t)
	}
	return noType
}

// step runs one test or action.
func (m *DAGMatcher) step(op code.Op, pc int) (int, bool) {
	c := m.code
	switch op {
	case code.CheckType:
		key, pc := m.typeAt(pc)
		t, pc := code.Uint(c, pc)
		return pc, key == m.types[t]
	case code.CheckConst:
		v, ok, pc := m.value(pc)
		want, pc := code.Int(c, pc)
		if !ok {
			return pc, false
		}
		have, width, ok := m.D.Int(v.Node)
		return pc, ok && have == fit(want, width)
	case code.CheckSame:
		a, ok, pc := m.value(pc)
		b, is, pc := m.value(pc)
		return pc, ok && is && a == b
	case code.CheckIntrinsic:
		v, ok, pc := m.value(pc)
		n, pc := code.Uint(c, pc)
		return pc, ok && m.D.Intrinsic(v.Node) == m.T.t.Names[n]
	case code.CheckFeature:
		n, pc := code.Uint(c, pc)
		return pc, m.features[n]
	case code.CheckComplex:
		s, pc := code.Uint(c, pc)
		v, ok, pc := m.value(pc)
		k, pc := code.Uint(c, pc)
		m.slot = s
		m.slots[s] = m.slots[s][:0]
		return pc, ok && m.T.complex[k](m, v) && len(m.slots[s]) == m.T.t.Complex[k].NumOps
	case code.RecordOperand:
		to, pc := code.Uint(c, pc)
		v, ok, pc := m.value(pc)
		m.vals[to] = v
		return pc, ok
	}
	if op >= code.Done {
		return m.act(op, pc)
	}
	return m.testValue(op, pc)
}

// fit cuts a number to a width: patterns may say 255 for an i8 -1.
func fit(v int64, width int) int64 {
	if width < 64 {
		return v << (64 - uint(width)) >> (64 - uint(width))
	}
	return v
}

// testValue runs a test about a recorded value.
func (m *DAGMatcher) testValue(op code.Op, pc int) (int, bool) {
	c := m.code
	a, pc := code.Uint(c, pc)
	v := m.vals[a]
	switch op {
	case code.CheckOnes, code.CheckZeros:
		return pc, m.D.Splat(v.Node, op == code.CheckOnes)
	case code.CheckFold:
		return pc, m.D.CanFold(v.Node, m.vals[0].Node)
	case code.CheckAndImm, code.CheckOrImm:
		want, pc := code.Int(c, pc)
		other, pc := code.Uint(c, pc)
		have, width, ok := m.D.Int(v.Node)
		want = fit(want, width)
		return pc, ok && (have == want || m.D.MaskedBits(m.vals[other], have, want, op == code.CheckOrImm))
	}
	b, pc := code.Uint(c, pc)
	switch op {
	case code.CheckOpcode:
		return pc, uint64(m.D.Opcode(v.Node)) == m.opcodes[b]
	case code.CheckResult:
		t, pc := code.Uint(c, pc)
		return pc, b < m.D.NumResults(v.Node) && m.typeKey(Value{v.Node, b}) == m.types[t]
	case code.CheckCondCode:
		return pc, m.D.CondCode(v.Node) == m.T.t.Names[b]
	case code.CheckVT:
		return pc, uint64(m.D.VT(v.Node)) == m.types[b]
	case code.CheckPred:
		n, pc := code.Uint(c, pc)
		m.ops = m.ops[:0]
		for ; n > 0; n-- {
			var k int
			k, pc = code.Uint(c, pc)
			m.ops = append(m.ops, m.vals[k])
		}
		return pc, m.pred(&m.T.preds[b], v)
	}
	panic(fmt.Sprintf("matchtable: test %d, which code.Verify refuses", op))
}

// pred asks all conditions of a predicate.
func (m *DAGMatcher) pred(p *dagPred, v Value) bool {
	if p.expr != nil {
		x, width, ok := m.D.Int(v.Node)
		if !ok || !p.expr.Match(x, width) {
			return false
		}
	}
	if p.Float {
		if bits, ok := m.D.FloatBits(v.Node); !ok || bits != p.Bits {
			return false
		}
	}
	f := p.Flags
	if f&code.PredNoUse != 0 && m.D.Uses(v) != 0 || f&code.PredOneUse != 0 && m.D.Uses(v) != 1 {
		return false
	}
	if f&^(code.PredNoUse|code.PredOneUse) != 0 || p.Type != 0 || p.Scalar != 0 || len(p.Spaces) > 0 || p.MinAlign > 0 || p.Ordering != "" {
		mem, ok := m.D.Mem(v.Node)
		if !ok || !m.memory(p, &mem) {
			return false
		}
	}
	return p.hook == nil || p.hook(m, v, m.ops)
}

func (m *DAGMatcher) memory(p *dagPred, mem *MemInfo) bool {
	f := p.Flags
	is := func(flag uint32, ok bool) bool { return f&flag == 0 || ok }
	typ := func(n, have int) bool { return n == 0 || m.types[n-1] == uint64(have) }
	return is(code.PredUnindexed, mem.Unindexed) && is(code.PredNonExt, mem.Ext == 0) && is(code.PredAnyExt, mem.Ext == 'a') &&
		is(code.PredSignExt, mem.Ext == 's') && is(code.PredZeroExt, mem.Ext == 'z') && is(code.PredTrunc, mem.Trunc) && is(code.PredNotTrunc, !mem.Trunc) &&
		typ(p.Type, mem.Type) && typ(p.Scalar, mem.ScalarType) &&
		(len(p.Spaces) == 0 || slices.Contains(p.Spaces, mem.Space)) && mem.Align >= p.MinAlign &&
		(p.Ordering == "" || ordering(p.Ordering, mem.Ordering))
}

// ordering reports whether an atomic ordering is what a predicate asks for.
func ordering(want, have string) bool {
	if w, not := strings.CutPrefix(want, "!"); not {
		return !ordering(w, have)
	}
	switch want {
	case "AcquireOrStronger":
		return have == "Acquire" || have == "AcquireRelease" || have == "SequentiallyConsistent"
	case "ReleaseOrStronger":
		return have == "Release" || have == "AcquireRelease" || have == "SequentiallyConsistent"
	}
	return want == have
}
