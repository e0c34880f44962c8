package matchtable

import (
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/codegen/predicatecode"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// Hooks are the Go functions that a target's patterns name. A table that names
// one that is missing is refused when it is bound.
type Hooks struct {
	// Instr are predicates over a matched instruction.
	Instr map[string]func(m *Matcher, i mir.InstrID) bool
	// Const are predicates over a constant, sign-extended.
	Const map[string]func(v int64) bool
	// Complex match the value of a register (operands of memory references,
	// mostly) and append the operands with m.Render; they must not change the function.
	Complex map[string]func(m *Matcher, value mir.Reg) bool
	// Xforms append operands made of a matched operand to the instruction being built, with m.Add.
	Xforms map[string]func(m *Matcher, i mir.InstrID, op int)
	// Features are conditions on subtarget and function that are no plain feature.
	Features map[string]func(st *target.Subtarget, f *mir.Function) bool
	// ClassOf gives the register class for a value of a type in a bank (-1: any), desc.NoClass for none.
	ClassOf func(st *target.Subtarget, t mir.LLT, bank int16) desc.ClassID
}

// Selector is a table bound to its hooks.
type Selector struct {
	Table *code.Table
	// roots[opcode] is the code offset of its rules + 1, 0 for none.
	roots    []uint32
	instr    []func(*Matcher, mir.InstrID) bool
	consts   []func(int64) bool
	complex  []func(*Matcher, mir.Reg) bool
	xforms   []func(*Matcher, mir.InstrID, int)
	features []func(*target.Subtarget, *mir.Function) bool // nil: a feature's bit
	bits     []int
	conds    []condMap
	classOf  func(*target.Subtarget, mir.LLT, int16) desc.ClassID
}

// condMap is a CondMap for direct access by predicate.
type condMap struct {
	keys   uint64
	values [64]int8
}

// Bind decodes a table and looks up its hooks. Of the code only the places of
// the rules are checked: a table is what tblgen writes for the same facts.
func Bind(data []byte, h *Hooks, facts *desc.Info) (*Selector, error) {
	t, err := code.Decode(data)
	if err != nil {
		return nil, err
	}
	if t.Target != facts.Target {
		return nil, fmt.Errorf("selector table of target %q bound to %q", t.Target, facts.Target)
	}
	s := &Selector{Table: t, classOf: h.ClassOf}
	s.roots = make([]uint32, desc.FirstTargetOpcode)
	for _, r := range t.Roots {
		if int(r.Opcode) >= len(s.roots) {
			return nil, code.ErrFormat
		}
		s.roots[r.Opcode] = r.Offset + 1
	}
	if s.instr, err = lookup(t.Hooks, h.Instr, "predicate"); err != nil {
		return nil, err
	}
	if s.consts, err = constHooks(t.ConstHooks, h.Const); err != nil {
		return nil, err
	}
	names := make([]string, len(t.Complex))
	for i, c := range t.Complex {
		names[i] = c.Name
	}
	if s.complex, err = lookup(names, h.Complex, "complex pattern"); err != nil {
		return nil, err
	}
	if s.xforms, err = lookup(t.Xforms, h.Xforms, "transformation"); err != nil {
		return nil, err
	}
	for _, f := range t.Features {
		if f.Hook {
			fn := h.Features[f.Name]
			if fn == nil {
				return nil, fmt.Errorf("selector table names the unknown condition %q", f.Name)
			}
			s.features, s.bits = append(s.features, fn), append(s.bits, 0)
			continue
		}
		n, ok := facts.FeatureByName(f.Name)
		if !ok {
			return nil, fmt.Errorf("selector table names the unknown feature %q", f.Name)
		}
		s.features, s.bits = append(s.features, nil), append(s.bits, int(facts.Features[n].Bit))
	}
	for _, c := range t.Conds {
		var m condMap
		for i, k := range c.Keys {
			m.keys |= 1 << (k & 63)
			m.values[k&63] = int8(c.Values[i])
		}
		s.conds = append(s.conds, m)
	}
	return s, nil
}

// constHooks looks up predicates over constants; those of the form "expr:E"
// are conditions that package predicatecode evaluates.
func constHooks(names []string, m map[string]func(int64) bool) ([]func(int64) bool, error) {
	out := make([]func(int64) bool, len(names))
	for i, n := range names {
		if text, ok := strings.CutPrefix(n, "expr:"); ok {
			e, err := predicatecode.Parse(text)
			if err != nil {
				return nil, fmt.Errorf("selector table: %q: %w", n, err)
			}
			out[i] = func(v int64) bool { return e.Match(v, 64) }
			continue
		}
		f, ok := m[n]
		if !ok {
			return nil, fmt.Errorf("selector table names the unknown immediate predicate %q", n)
		}
		out[i] = f
	}
	return out, nil
}

func lookup[T any](names []string, m map[string]T, what string) ([]T, error) {
	out := make([]T, len(names))
	for i, n := range names {
		f, ok := m[n]
		if !ok {
			return nil, fmt.Errorf("selector table names the unknown %s %q", what, n)
		}
		out[i] = f
	}
	return out, nil
}

// HasRules reports whether rules start at an opcode.
func (s *Selector) HasRules(op desc.Opcode) bool {
	return int(op) < len(s.roots) && s.roots[op] != 0
}

// RuleSource returns file and line of a rule.
func (s *Selector) RuleSource(rule int) (string, int) {
	r := s.Table.Rules[rule]
	return s.Table.Files[r.File], int(r.Line)
}

// typeCode is the number of a type in tables: bits of a scalar or pointer
// (pointers are matched as integers of their size), elements in the upper bits
// for vectors.
func typeCode(t mir.LLT) uint64 {
	if t.IsVector() {
		c := uint64(t.NumElems())<<16 | uint64(t.ScalarBits())
		if t.IsScalable() {
			c |= 1 << 40
		}
		return c
	}
	return uint64(t.ScalarBits())
}
