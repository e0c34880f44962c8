package dagtable

import (
	"fmt"
	"slices"

	"github.com/mirin-go/mirin/codegen/dagtable/code"
	"github.com/mirin-go/mirin/support/bintable"
)

// Matcher selects nodes of one graph.
type Matcher struct {
	D DAG
	S *Selector
	// Rule is the number of the pattern that matched last.
	Rule int

	vals  [code.MaxValues]Value
	slots [code.MaxSlots][]Value
	slot  int
	fails [code.MaxTries]int
	temps []Value
	ops   []Value
	chain Value
	glue  Value
	mem   []Node
	// what the last chained and glued nodes give
	outChain, outGlue Value
}

// Root is the node being selected.
func (m *Matcher) Root() Node { return m.vals[0].Node }

// Render appends an operand to those of the complex pattern being matched.
func (m *Matcher) Render(v Value) { m.slots[m.slot] = append(m.slots[m.slot], v) }

// Selected is what replaces a node: its values, the chain and the glue, which
// are NoValue where the pattern has none.
type Selected struct {
	Values      []Value
	Chain, Glue Value
}

// Select finds the pattern for a node and makes its instructions.
func (m *Matcher) Select(n Node) (Selected, bool) {
	at, ok := m.S.roots[m.D.Opcode(n)]
	if !ok {
		return Selected{}, false
	}
	m.vals[0] = Value{n, 0}
	pc, ok := m.match(at)
	if !ok {
		return Selected{}, false
	}
	return m.act(pc), true
}

// Match finds the pattern for a node without making anything; -1 for none.
func (m *Matcher) Match(n Node) int {
	at, ok := m.S.roots[m.D.Opcode(n)]
	if !ok {
		return -1
	}
	m.vals[0] = Value{n, 0}
	if _, ok := m.match(at); !ok {
		return -1
	}
	return m.Rule
}

// uv reads a number at pc.
func uv(c []byte, pc int) (int, int) {
	v, pc := bintable.UintAt(c, pc)
	return int(v), pc
}

func (m *Matcher) match(pc int) (int, bool) {
	c, sp := m.S.Table.Code, 0
	for {
		op := code.Op(c[pc])
		pc++
		ok := true
		switch op {
		case code.Try:
			var n int
			n, pc = uv(c, pc)
			m.fails[sp] = pc + n
			sp++
		case code.Reject:
			ok = false
		case code.SwitchType:
			pc, ok = m.switchType(c, pc)
		case code.Accept:
			m.Rule, pc = uv(c, pc)
			return pc, true
		default:
			pc, ok = m.test(op, c, pc)
		}
		if !ok {
			if sp == 0 {
				return 0, false
			}
			sp--
			pc = m.fails[sp]
		}
	}
}

func (m *Matcher) switchType(c []byte, pc int) (int, bool) {
	v, pc := uv(c, pc)
	n, pc := uv(c, pc)
	want, found := m.D.Type(m.vals[v]), -1
	for ; n > 0; n-- {
		var t, off int
		t, pc = uv(c, pc)
		off, pc = uv(c, pc)
		if found < 0 && m.S.types[t] == want {
			found = off
		}
	}
	return pc + found, found >= 0
}

func (m *Matcher) test(op code.Op, c []byte, pc int) (int, bool) {
	a, pc := uv(c, pc)
	if op == code.CheckFeature {
		return pc, m.S.features[a]
	}
	if op == code.Operand || op == code.CheckComplex {
		return m.bind(op, a, c, pc)
	}
	v := m.vals[a]
	switch op {
	case code.CheckOnes, code.CheckZeros:
		return pc, m.D.Splat(v.Node, op == code.CheckOnes)
	case code.CheckFold:
		return pc, m.D.CanFold(v.Node, m.vals[0].Node)
	case code.CheckInt, code.CheckAndImm, code.CheckOrImm:
		want, pc := bintable.IntAt(c, pc)
		lhs := 0
		if op != code.CheckInt {
			lhs, pc = uv(c, pc)
		}
		have, width, ok := m.D.Int(v.Node)
		if !ok {
			return pc, false
		}
		if width < 64 { // patterns may say 255 for an i8 -1
			want = want << (64 - uint(width)) >> (64 - uint(width))
		}
		if have == want || op == code.CheckInt {
			return pc, have == want
		}
		return pc, m.D.MaskedBits(m.vals[lhs], have, want, op == code.CheckOrImm)
	}
	b, pc := uv(c, pc)
	switch op {
	case code.CheckOpcode:
		return pc, m.D.Opcode(v.Node) == m.S.opcodes[b]
	case code.CheckType:
		return pc, m.D.Type(v) == m.S.types[b]
	case code.CheckResult:
		t, pc := uv(c, pc)
		return pc, b < m.D.NumResults(v.Node) && m.D.Type(Value{v.Node, b}) == m.S.types[t]
	case code.CheckIntrinsic:
		return pc, m.D.Intrinsic(v.Node) == m.S.Table.Names[b]
	case code.CheckCond:
		return pc, m.D.CondCode(v.Node) == m.S.Table.Names[b]
	case code.CheckVT:
		return pc, m.D.VT(v.Node) == m.S.types[b]
	case code.CheckSame:
		return pc, v == m.vals[b]
	case code.CheckPred:
		n, pc := uv(c, pc)
		m.ops = m.ops[:0]
		for ; n > 0; n-- {
			var k int
			k, pc = uv(c, pc)
			m.ops = append(m.ops, m.vals[k])
		}
		return pc, m.pred(&m.S.preds[b], v)
	}
	panic(fmt.Sprintf("dagtable: test %d, which code.Verify refuses", op))
}

// bind runs the tests that make values or slots.
func (m *Matcher) bind(op code.Op, to int, c []byte, pc int) (int, bool) {
	v, pc := uv(c, pc)
	k, pc := uv(c, pc)
	if op == code.Operand {
		n := m.vals[v].Node
		if k >= m.D.NumOperands(n) {
			return pc, false
		}
		m.vals[to] = m.D.Operand(n, k)
		return pc, true
	}
	m.slot = to
	m.slots[to] = m.slots[to][:0]
	return pc, m.S.complex[k](m, m.vals[v]) && len(m.slots[to]) == m.S.Table.Complex[k].NumOps
}

// pred asks all conditions of a predicate.
func (m *Matcher) pred(p *pred, v Value) bool {
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

func (m *Matcher) memory(p *pred, mem *MemInfo) bool {
	f := p.Flags
	for _, c := range []struct {
		flag uint32
		ok   bool
	}{
		{code.PredUnindexed, mem.Unindexed}, {code.PredNonExt, mem.Ext == 0}, {code.PredAnyExt, mem.Ext == 'a'},
		{code.PredSignExt, mem.Ext == 's'}, {code.PredZeroExt, mem.Ext == 'z'}, {code.PredTrunc, mem.Trunc},
		{code.PredNotTrunc, !mem.Trunc},
	} {
		if f&c.flag != 0 && !c.ok {
			return false
		}
	}
	switch {
	case p.Type != 0 && mem.Type != m.S.types[p.Type-1],
		p.Scalar != 0 && mem.ScalarType != m.S.types[p.Scalar-1],
		len(p.Spaces) > 0 && !slices.Contains(p.Spaces, mem.Space),
		mem.Align < p.MinAlign:
		return false
	}
	return p.Ordering == "" || ordering(p.Ordering, mem.Ordering)
}

// ordering reports whether an atomic ordering is what a predicate asks for.
func ordering(want, have string) bool {
	if w, ok := cutNot(want); ok {
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

func cutNot(s string) (string, bool) {
	if s != "" && s[0] == '!' {
		return s[1:], true
	}
	return s, false
}
