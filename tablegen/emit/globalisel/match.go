package globalisel

import (
	"encoding/binary"
	"fmt"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen/emit/matchasm"
)

// loc is where a matched value stands.
type loc struct{ insn, op int }

// rule is a pattern that was imported.
type rule struct {
	matchasm.Rule
	order int
	pos   Pos
}

// binding is a named operand of the source pattern.
type binding struct {
	t    *tree
	loc  loc
	slot int // complex operands
}

// matcher makes the tests of one tree.
type matcher struct {
	g        *Generator
	steps    []matchasm.Step
	late     []matchasm.Step // after the structure: address operands
	last     []matchasm.Step // folding, hooks
	names    map[string]*binding
	insns    int
	slots    int
	priority int
}

// match makes the tests of a root node.
func (g *Generator) match(t *tree) (*matcher, error) {
	m := &matcher{g: g, names: map[string]*binding{}, insns: 1}
	if err := m.nodeTests(t, 0, true); err != nil {
		return nil, err
	}
	m.steps = append(m.steps, m.late...)
	m.steps = append(m.steps, m.last...)
	return m, nil
}

func (m *matcher) add(s matchasm.Step) { m.steps = append(m.steps, s) }

// resultIndex is the operand of a node's value: its first definition.
func (m *matcher) nodeTests(t *tree, insn int, root bool) error {
	n := t.node
	t.insn = insn
	m.priority += 10
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
		m.add(matchasm.Keyed(1, code.CheckNumOps, insn, len(n.outs)+len(n.ins)))
	}
	if err := m.typeTests(t, insn, root); err != nil {
		return err
	}
	if n.intrin != "" {
		m.add(matchasm.Keyed(2, code.CheckIntrinsic, insn, len(n.outs), m.g.asm.Intrinsic(n.intrin)))
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
		if err := m.operandTests(t, a, loc{insn, n.opIndex[i]}); err != nil {
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

// typeTests checks each type variable of a node once; the type of an inner
// node's value was checked as an operand.
func (m *matcher) typeTests(t *tree, insn int, root bool) error {
	n := t.node
	seen := map[string]bool{}
	if !root && len(n.outs) > 0 {
		seen[n.outs[0]] = true
	}
	check := func(v string, c *cell, op int) error {
		if seen[v] || c == nil || v == "ptr" || v == "any" {
			return nil
		}
		seen[v] = true
		ty := c.find().ty
		if ty == "" {
			return fmt.Errorf("cannot infer a type in %s: write (type …) around an operand", n.def.Name)
		}
		n, err := m.g.typeIndex(ty)
		if err != nil {
			return err
		}
		m.add(matchasm.Keyed(2, code.CheckType, insn, op, n))
		return nil
	}
	if len(n.outs) > 0 {
		if err := check(n.outs[0], t.ty, 0); err != nil {
			return err
		}
	}
	for i, a := range t.args {
		if err := check(n.ins[i], a.ty, n.opIndex[i]); err != nil {
			return err
		}
	}
	for i := 1; i < len(n.outTypes); i++ {
		tc, err := m.g.typeIndex(n.outTypes[i])
		if err != nil {
			return err
		}
		m.add(matchasm.Keyed(2, code.CheckType, insn, i, tc))
	}
	return nil
}

// operandTests makes the tests of operand a of node parent.
func (m *matcher) operandTests(parent, a *tree, at loc) error {
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
			m.names[a.name] = &binding{t: a, loc: at, slot: -1}
		}
	case kReg:
		if parent.node.anyBank && a.rc != desc.NoClass {
			m.add(matchasm.Keyed(2, code.CheckBank, at.insn, at.op, g.bankOf(a.rc)))
		}
	case kLit, kTLit:
		m.priority += 12
		m.add(matchasm.Number(a.lit, code.CheckConst, at.insn, at.op))
		if a.kind == kTLit {
			m.add(matchasm.Test(code.CheckIsImm, at.insn, at.op))
		}
	case kImm, kTImm:
		m.immTests(a, at)
	case kFP:
		m.priority += 6
		if v, ok := a.def.Fields["Bits"].(int64); ok && a.def.Int("AnyValue", 1) == 0 {
			m.priority += 6
			m.add(matchasm.Keyed(2, code.CheckFPBits, at.insn, at.op, int(v)))
		} else {
			m.add(matchasm.Test(code.CheckFP, at.insn, at.op))
		}
	case kCond:
		m.priority++
		n, err := g.condMap(a.def)
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
	g, d := m.g, a.def
	m.priority += 6
	if a.kind == kTImm {
		m.add(matchasm.Test(code.CheckIsImm, at.insn, at.op))
	}
	switch {
	case d.Str("Hook") != "":
		m.priority += 3
		m.add(matchasm.Test(code.CheckConstHook, at.insn, at.op, g.asm.ConstHook(d.Str("Hook"))))
	case d.Int("AnyValue", 1) == 0:
		m.priority += 3
		b := matchasm.EncodeInt(d.Int("Min", 0), code.CheckConstRange, at.insn, at.op)
		m.add(matchasm.Step{Bytes: string(binary.AppendVarint(b, d.Int("Max", 0)))})
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
	m.priority += int(a.def.Int("Complexity", 3))
	m.late = append(m.late, matchasm.Test(code.CheckComplex, s, at.insn, at.op, m.g.complexIndex(a.def)))
	if a.name != "" {
		m.names[a.name].slot = s
	}
	return nil
}
