package globalisel

import (
	"encoding/binary"
	"fmt"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/matchasm"
)

// loc is where a matched value stands.
type loc struct{ insn, op int }

// rule is a pattern that was imported: its tests and its actions.
type rule struct {
	matchasm.Rule
	order  int // position among the rules of equal priority
	record *tablegen.Record
	pos    Pos
}

// binding is a named operand of the source pattern.
type binding struct {
	t    *tree
	loc  loc
	slot int // complex operands
}

// matcher makes the tests of one tree.
type matcher struct {
	g     *generator
	steps []matchasm.Step
	late  []matchasm.Step // after the structure: address operands
	last  []matchasm.Step // folding, hooks
	names map[string]*binding
	insns int
	slots int
}

// match makes the tests of a source.
func (g *generator) match(t *tree) (*matcher, error) {
	m := &matcher{g: g, names: map[string]*binding{}, insns: 1}
	if t.kind == kComplex {
		m.add(matchasm.Keyed(2, code.CheckType, 0, 0, g.typeIndex(t.ty)))
		if t.name != "" {
			m.names[t.name] = &binding{t: t, loc: loc{0, 0}, slot: -1}
		}
		if err := m.complexTest(t, loc{0, 0}); err != nil {
			return nil, err
		}
	} else if err := m.nodeTests(t, 0, true); err != nil {
		return nil, err
	}
	m.steps = append(m.steps, m.late...)
	m.steps = append(m.steps, m.last...)
	return m, nil
}

func (m *matcher) add(s matchasm.Step) { m.steps = append(m.steps, s) }

// nodeTests tests instruction insn against a node.
func (m *matcher) nodeTests(t *tree, insn int, root bool) error {
	n := t.node
	t.insn = insn
	if root && t.name != "" {
		m.names[t.name] = &binding{t: t, loc: loc{insn, 0}, slot: -1}
	}
	if !root {
		if len(n.opcodes) == 1 {
			m.add(matchasm.Keyed(1, code.CheckOpcode, insn, int(n.opcodes[0])))
		} else {
			args := []int{insn, len(n.opcodes)}
			for _, o := range n.opcodes {
				args = append(args, int(o))
			}
			m.add(matchasm.Test(code.CheckOpcodes, args...))
		}
	}
	if n.variadic {
		m.add(matchasm.Keyed(1, code.CheckNumOps, insn, n.results+len(t.args)))
	}
	m.typeTests(t, insn, root)
	if n.intrin != "" {
		m.add(matchasm.Keyed(2, code.CheckIntrinsic, insn, n.results, m.g.asm.Intrinsic(n.intrin)))
	}
	if n.memBits >= 0 {
		m.add(matchasm.Keyed(1, code.CheckMemSize, insn, int(n.memBits)))
	}
	if n.memOrder != 0 {
		m.add(matchasm.Test(code.CheckMemOrder, insn, int(n.memOrder)))
	}
	if n.memSpace >= 0 {
		m.add(matchasm.Keyed(1, code.CheckMemSpace, insn, int(n.memSpace)))
	}
	if n.noUse {
		m.add(matchasm.Test(code.CheckNoUse, insn))
	}
	if n.oneUse {
		m.add(matchasm.Test(code.CheckOneUse, insn))
	}
	for i, a := range t.args {
		if err := m.operandTests(a, n.values[n.results+i], loc{insn, n.opIndex[i]}); err != nil {
			return err
		}
	}
	for _, h := range t.hooks {
		m.last = append(m.last, matchasm.Test(code.CheckHook, insn, m.g.asm.Hook(h)))
	}
	if !root && n.load {
		m.last = append(m.last, matchasm.Test(code.CheckFold, insn))
	} else if !root && hasLoad(t) {
		m.last = append(m.last, matchasm.Test(code.CheckOneUse, insn))
	}
	return nil
}

// hasLoad reports whether a load stands below t.
func hasLoad(t *tree) bool {
	for _, a := range t.args {
		if a.kind == kNode && (a.node.load || hasLoad(a)) {
			return true
		}
	}
	return false
}

// typeTests checks each type of a node once; the type of an inner node's value
// was checked as an operand.
func (m *matcher) typeTests(t *tree, insn int, root bool) {
	n := t.node
	seen := map[int]bool{-1: true}
	if !root && n.results > 0 {
		seen[n.same[0]] = true
	}
	for i, v := range n.same {
		if seen[v] {
			continue
		}
		seen[v] = true
		op := i
		if i >= n.results {
			op = n.opIndex[i-n.results]
		}
		m.add(matchasm.Keyed(2, code.CheckType, insn, op, m.g.typeIndex(n.values[i].ty)))
	}
}

// operandTests makes the tests of an operand; v is what its node says of it.
func (m *matcher) operandTests(a *tree, v valueKind, at loc) error {
	if a.name != "" && a.kind != kNode {
		if b := m.names[a.name]; b != nil {
			if b.t.kind != a.kind {
				return fmt.Errorf("$%s names two different things", a.name)
			}
			m.late = append(m.late, matchasm.Test(code.CheckSame, b.loc.insn, b.loc.op, at.insn, at.op))
			return nil
		}
		m.names[a.name] = &binding{t: a, loc: at, slot: -1}
	}
	g := m.g
	switch a.kind {
	case kNode:
		if m.insns == code.MaxInsns {
			return fmt.Errorf("more than %d operators", code.MaxInsns)
		}
		n := m.insns
		m.insns++
		m.add(matchasm.Test(code.RecordDef, n, at.insn, at.op))
		if err := m.nodeTests(a, n, false); err != nil {
			return err
		}
		if a.name != "" {
			if m.names[a.name] != nil {
				return fmt.Errorf("$%s names two different things", a.name)
			}
			m.names[a.name] = &binding{t: a, loc: at, slot: -1}
		}
	case kReg:
		if a.rc != desc.NoClass && g.needsBank(v, a.rc) {
			m.add(matchasm.Keyed(2, code.CheckBank, at.insn, at.op, g.bankOf(a.rc)))
		}
	case kLit, kTLit:
		m.add(matchasm.Number(a.lit, code.CheckConst, at.insn, at.op))
		if a.kind == kTLit {
			m.add(matchasm.Test(code.CheckIsImm, at.insn, at.op))
		}
	case kImm, kTImm:
		m.immTests(a, at)
	case kFP:
		if !a.fp.exact {
			m.add(matchasm.Test(code.CheckFP, at.insn, at.op))
			break
		}
		b := matchasm.Encode(code.CheckFPBits, at.insn, at.op)
		m.add(matchasm.Step{Bytes: string(binary.AppendUvarint(b, a.fp.bits)), Key: string(b)})
	case kCond:
		n, err := g.condMap(a.conds)
		if err != nil {
			return err
		}
		m.add(matchasm.Test(code.CheckCond, at.insn, at.op, n))
	case kBlock:
		m.add(matchasm.Test(code.CheckIsBlock, at.insn, at.op))
	case kJT:
		m.add(matchasm.Test(code.CheckIsJT, at.insn, at.op))
	case kComplex:
		return m.complexTest(a, at)
	}
	return nil
}

func (m *matcher) immTests(a *tree, at loc) {
	if a.kind == kTImm {
		m.add(matchasm.Test(code.CheckIsImm, at.insn, at.op))
	}
	switch {
	case a.imm.hook != "":
		m.add(matchasm.Test(code.CheckConstHook, at.insn, at.op, m.g.asm.ConstHook(a.imm.hook)))
	case a.imm.ranged:
		b := matchasm.Encode(code.CheckConstRange, at.insn, at.op)
		b = binary.AppendVarint(b, a.imm.lo)
		m.add(matchasm.Step{Bytes: string(binary.AppendVarint(b, a.imm.hi))})
	case a.kind == kImm:
		m.add(matchasm.Test(code.CheckAnyConst, at.insn, at.op))
	}
}

// complexTest tests an address operand or the like, after the structure.
func (m *matcher) complexTest(a *tree, at loc) error {
	if m.slots == code.MaxSlots {
		return fmt.Errorf("more than %d complex operands", code.MaxSlots)
	}
	s := m.slots
	m.slots++
	m.late = append(m.late, matchasm.Test(code.CheckComplex, s, at.insn, at.op, m.g.asm.Complex(a.complex)))
	if a.name != "" {
		m.names[a.name].slot = s
	}
	return nil
}
