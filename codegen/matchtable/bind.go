package matchtable

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/codegen/predicatecode"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// Hooks are the Go functions that the rules of a table over MIR name. A table
// that names one that is missing is refused when it is bound.
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
	// Funcs are what combine rules name.
	Funcs map[string]Func
	// ClassOf gives the register class for a value of a type in a bank (-1: any), desc.NoClass for none.
	ClassOf func(st *target.Subtarget, t mir.LLT, bank int16) desc.ClassID
	// ConstOf gives the constant that a register holds, sign-extended, copies
	// not looked through; BuildConst builds the definition of a register as a
	// constant. nil: of scalars of up to 64 bits.
	ConstOf    func(f *mir.Function, r mir.Reg) (int64, bool)
	BuildConst func(b *mir.Builder, r mir.Reg, v int64)
}

// Table is a table over MIR, verified and bound to its hooks. It is read-only
// and shared.
type Table struct {
	// Rules has the place and the name of each rule; it is read when first asked for.
	Rules func() []code.Rule

	t *code.Table
	// roots[opcode] is the code offset of its rules + 1, 0 for none.
	roots    []uint32
	trees    []atomic.Pointer[tree] // by opcode, of the roots that were met
	mu       sync.Mutex             // held by who makes one
	places   []uint32               // memory for that
	types    []uint64               // keys of the types as CheckType has them: see typeKey
	llts     []mir.LLT              // the types
	instr    []func(*Matcher, mir.InstrID) bool
	consts   []func(int64) bool
	complex  []func(*Matcher, mir.Reg) bool
	xforms   []func(*Matcher, mir.InstrID, int)
	funcs    []Func
	features []func(*target.Subtarget, *mir.Function) bool // nil: a feature's bit
	bits     []int
	conds    []condMap
	intrins  []ir.Intrinsic

	classOf    func(*target.Subtarget, mir.LLT, int16) desc.ClassID
	constOf    func(*mir.Function, mir.Reg) (int64, bool)
	buildConst func(*mir.Builder, mir.Reg, int64)
}

// condMap is a CondMap for direct access by predicate.
type condMap struct {
	keys   uint64
	values [64]int8
}

// Bind decodes and verifies a table over MIR and looks up its hooks. facts are
// those of the target that the table is for; a table for all targets has
// generic opcodes alone, and facts may be nil then. The error lists every hook
// that is missing.
func Bind(data []byte, h *Hooks, facts *desc.Info) (*Table, error) {
	return bind(data, h, facts, code.Verify)
}

// BindMade is Bind for a table that is part of the program: generators verify
// what they make, and a test of the target holds the table to what is made. To
// verify it again took most of the time in which a small module is compiled.
func BindMade(data []byte, h *Hooks, facts *desc.Info) (*Table, error) {
	return bind(data, h, facts, func(*code.Table, code.Limits) error { return nil })
}

func bind(data []byte, h *Hooks, facts *desc.Info, verify func(*code.Table, code.Limits) error) (*Table, error) {
	t, err := code.Decode(data)
	if err != nil {
		return nil, err
	}
	limits := code.LimitsOf(nil)
	if t.Target != "" {
		if facts == nil || t.Target != facts.Target {
			return nil, fmt.Errorf("a match table of target %q is bound to another", t.Target)
		}
		limits = code.LimitsOf(facts)
	}
	if t.Graph != code.MIR {
		return nil, errors.New("the match table is for a SelectionDAG")
	}
	if err := verify(t, limits); err != nil {
		return nil, err
	}
	b := &binder{t: t}
	s := &Table{t: t, Rules: rules(t), classOf: h.ClassOf, constOf: h.ConstOf, buildConst: h.BuildConst}
	s.defaults()
	for _, r := range t.Roots {
		for len(s.roots) <= int(r.Opcode) {
			s.roots = append(s.roots, 0)
		}
		s.roots[r.Opcode] = r.Offset + 1
	}
	s.trees = make([]atomic.Pointer[tree], len(s.roots))
	for _, n := range t.Types {
		ty, ok := parseType(n)
		if !ok {
			b.errorf("the type %q is not known", n)
		}
		s.llts, s.types = append(s.llts, ty), append(s.types, typeKey(ty))
	}
	for _, n := range t.Intrinsics {
		// What LLVM does not have, as intrinsics of a .td of one's own, has no
		// number in IR or MIR either: its rules match nothing.
		s.intrins = append(s.intrins, ir.LookupIntrinsic(n))
	}
	s.instr = lookup(b, t.Hooks, h.Instr, "predicate")
	s.consts = b.consts(h)
	s.complex = lookup(b, complexNames(t), h.Complex, "complex pattern")
	s.xforms = lookup(b, t.Xforms, h.Xforms, "transformation")
	s.funcs = lookup(b, t.Funcs, h.Funcs, "rule")
	b.features(s, h, facts)
	for _, c := range t.Conds {
		var m condMap
		for i, k := range c.Keys {
			if k > 63 || c.Values[i] != int64(int8(c.Values[i])) {
				b.errorf("a condition map has %d for predicate %d", c.Values[i], k)
			}
			m.keys |= 1 << (k & 63)
			m.values[k&63] = int8(c.Values[i])
		}
		s.conds = append(s.conds, m)
	}
	return s, errors.Join(b.errs...)
}

// defaults sets the hooks that a table may do without.
func (s *Table) defaults() {
	if s.classOf == nil {
		s.classOf = func(*target.Subtarget, mir.LLT, int16) desc.ClassID { return desc.NoClass }
	}
	if s.constOf == nil {
		s.constOf = func(f *mir.Function, r mir.Reg) (int64, bool) {
			d := f.UniqueDef(r)
			if d == 0 || f.Instr(d).Opcode != desc.G_CONSTANT {
				return 0, false
			}
			return f.Imm64(f.Op(d, 1))
		}
	}
	if s.buildConst == nil {
		s.buildConst = func(b *mir.Builder, r mir.Reg, v int64) {
			b.Build(desc.G_CONSTANT, mir.RegOp(r, mir.Def), b.F.CImm(b.F.TypeOf(r).ScalarBits(), uint64(v)))
		}
	}
}

func complexNames(t *code.Table) []string {
	names := make([]string, len(t.Complex))
	for i, c := range t.Complex {
		names[i] = c.Name
	}
	return names
}

// rules reads the debug section when it is first asked for.
func rules(t *code.Table) func() []code.Rule {
	return sync.OnceValue(func() []code.Rule {
		l, err := t.DecodeRules()
		if err != nil {
			l = make([]code.Rule, t.NumRules)
		}
		return l
	})
}

// binder collects what is missing.
type binder struct {
	t    *code.Table
	errs []error
}

func (b *binder) errorf(format string, args ...any) {
	b.errs = append(b.errs, fmt.Errorf("match table: "+format, args...))
}

func lookup[T any](b *binder, names []string, m map[string]T, what string) []T {
	out := make([]T, len(names))
	for i, n := range names {
		f, ok := m[n]
		if !ok {
			b.errorf("no Go function for the %s %q", what, n)
		}
		out[i] = f
	}
	return out
}

// consts looks up predicates over constants; those of the form "expr:E" are
// conditions that package predicatecode evaluates.
func (b *binder) consts(h *Hooks) []func(int64) bool {
	out := make([]func(int64) bool, len(b.t.ConstHooks))
	for i, n := range b.t.ConstHooks {
		if text, ok := strings.CutPrefix(n, "expr:"); ok {
			e, err := predicatecode.Parse(text)
			if err != nil {
				b.errorf("%q: %w", n, err)
			}
			out[i] = func(v int64) bool { return e.Match(v, 64) }
			continue
		}
		if out[i] = h.Const[n]; out[i] == nil {
			b.errorf("no Go function for the immediate predicate %q", n)
		}
	}
	return out
}

func (b *binder) features(s *Table, h *Hooks, facts *desc.Info) {
	s.features = make([]func(*target.Subtarget, *mir.Function) bool, len(b.t.Features))
	s.bits = make([]int, len(b.t.Features))
	for i, f := range b.t.Features {
		if f.Hook {
			if s.features[i] = h.Features[f.Name]; s.features[i] == nil {
				b.errorf("no Go function for the condition %q", f.Name)
			}
			continue
		}
		n, ok := -1, false
		if facts != nil {
			n, ok = facts.FeatureByName(f.Name)
		}
		if !ok {
			b.errorf("the feature %q is not known", f.Name)
			continue
		}
		s.bits[i] = int(facts.Features[n].Bit)
	}
}

// HasRules reports whether rules start at an opcode.
func (s *Table) HasRules(op desc.Opcode) bool {
	return int(op) < len(s.roots) && s.roots[op] != 0
}

// RuleSource returns file and line of a rule.
func (s *Table) RuleSource(rule int) (string, int) {
	r := s.Rules()[rule]
	if int(r.File) >= len(s.t.Files) { // the debug section is damaged
		return "", 0
	}
	return s.t.Files[r.File], int(r.Line)
}

// typeKey is what CheckType compares: bits of a scalar or pointer (pointers
// count as integers of their size), elements in the upper bits for vectors.
func typeKey(t mir.LLT) uint64 {
	if t.IsVector() {
		c := uint64(t.NumElems())<<32 | uint64(t.ScalarBits())
		if t.IsScalable() {
			c |= 1 << 63
		}
		return c
	}
	return uint64(t.ScalarBits())
}

// parseType reads a type as tables name it: i32, f80, v4f32, nxv2i64.
func parseType(s string) (mir.LLT, bool) {
	number := func() int {
		n, k := 0, 0
		for ; k < len(s) && k < 8 && s[k] >= '0' && s[k] <= '9'; k++ {
			n = 10*n + int(s[k]-'0')
		}
		s = s[k:]
		return n
	}
	elems := 0
	rest, scalable := strings.CutPrefix(s, "nx")
	if s = rest; strings.HasPrefix(s, "v") {
		s = s[1:]
		if elems = number(); elems == 0 {
			return 0, false
		}
	}
	s = strings.TrimPrefix(s, "b") // bf16
	if !strings.HasPrefix(s, "i") && !strings.HasPrefix(s, "f") || scalable && elems == 0 {
		return 0, false
	}
	s = s[1:]
	bits := number()
	switch {
	case bits == 0 || elems > math.MaxUint16 || s != "":
		return 0, false
	case scalable:
		return mir.ScalableVector(elems, mir.Scalar(bits)), true
	case elems > 0:
		return mir.Vector(elems, mir.Scalar(bits)), true
	}
	return mir.Scalar(bits), true
}
