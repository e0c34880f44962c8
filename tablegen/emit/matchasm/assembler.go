package matchasm

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"path"
	"slices"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
)

// Step is one test, encoded. Steps with equal bytes are shared; two steps
// exclude each other when they ask for different values of one thing (Key).
type Step struct {
	Bytes string
	Key   string // "" when nothing is known to exclude it
}

// Encode gives an instruction with its operands.
func Encode(op code.Op, args ...int) []byte { return AppendArgs([]byte{byte(op)}, args...) }

// EncodeInt gives an instruction whose last operand is a signed number.
func EncodeInt(v int64, op code.Op, args ...int) []byte {
	return binary.AppendVarint(Encode(op, args...), v)
}

// AppendArgs appends operands, which are not negative: signed numbers have
// their own form. What a description has that fits nowhere is found in the end,
// since a table is verified.
func AppendArgs(b []byte, args ...int) []byte {
	for _, a := range args {
		b = binary.AppendUvarint(b, uint64(a))
	}
	return b
}

// Test makes a test of which nothing is known that excludes it.
func Test(op code.Op, args ...int) Step { return Step{Bytes: string(Encode(op, args...))} }

// Keyed makes a test whose first n operands say of what, and whose rest is the
// value that is asked for.
func Keyed(n int, op code.Op, args ...int) Step {
	return Step{string(Encode(op, args...)), string(Encode(op, args[:n]...))}
}

// Number makes a test for a signed number; the operands say of what.
func Number(v int64, op code.Op, args ...int) Step {
	return Step{string(EncodeInt(v, op, args...)), string(Encode(op, args...))}
}

// Excludes reports whether two tests cannot both succeed.
func (a Step) Excludes(b Step) bool { return a.Key != "" && a.Key == b.Key && a.Bytes != b.Bytes }

// Op is the instruction of a test.
func (a Step) Op() code.Op { return code.Op(a.Bytes[0]) }

// Rule is a rule of one root opcode.
type Rule struct {
	Root     int    // opcode, as the table numbers them
	Steps    []Step // the tests in their order
	Recorded int    // instructions that they record, the root among them
	Actions  []byte // all but the end
	// Info is the row of the debug section, 0 for one of the rule's own: see Assembler.Info.
	Info int
	// File, Line, Priority and Name are what that row says.
	File           string
	Line, Priority int
	Name           string

	// Used and Shadow are for reports, when the table is made: the rule can
	// match; another one always matches before.
	Used   bool
	Shadow *Rule
}

// Assembler makes one table.
type Assembler struct {
	t       code.Table
	strings map[*[]string]map[string]int
	files   map[string]int
	rules   []*Rule
	// Apart writes one rule behind the other, which share no tests: the order is plain then.
	Apart bool
}

// New starts a table; target is the name of the facts whose numbers it has, ""
// for none.
func New(target string, graph code.Graph) *Assembler {
	return &Assembler{t: code.Table{Target: target, Graph: graph}, strings: map[*[]string]map[string]int{}, files: map[string]int{}}
}

// SetTarget names the facts whose numbers the table has.
func (a *Assembler) SetTarget(target string) { a.t.Target = target }

// intern numbers s in a list of the header.
func (a *Assembler) intern(list *[]string, s string) int {
	m := a.strings[list]
	if m == nil {
		m = map[string]int{}
		a.strings[list] = m
	}
	n, ok := m[s]
	if !ok {
		n = len(*list)
		m[s] = n
		*list = append(*list, s)
	}
	return n
}

// Type gives the number of a type.
func (a *Assembler) Type(s string) int { return a.intern(&a.t.Types, s) }

// Xform gives the number of a transformation.
func (a *Assembler) Xform(s string) int { return a.intern(&a.t.Xforms, s) }

// Intrinsic gives the number of an intrinsic.
func (a *Assembler) Intrinsic(s string) int { return a.intern(&a.t.Intrinsics, s) }

// Hook gives the number of a predicate over instructions.
func (a *Assembler) Hook(s string) int { return a.intern(&a.t.Hooks, s) }

// ConstHook gives the number of a predicate over constants.
func (a *Assembler) ConstHook(s string) int { return a.intern(&a.t.ConstHooks, s) }

// Func gives the number of a function of combine rules.
func (a *Assembler) Func(s string) int { return a.intern(&a.t.Funcs, s) }

// Opcode gives the number of an opcode of a SelectionDAG.
func (a *Assembler) Opcode(s string) int { return a.intern(&a.t.Opcodes, s) }

// Inst gives the number of a target instruction.
func (a *Assembler) Inst(s string) int { return a.intern(&a.t.Insts, s) }

// Reg gives the number of a register.
func (a *Assembler) Reg(s string) int { return a.intern(&a.t.Regs, s) }

// Name gives the number of any other name (of a condition code, a class, …).
func (a *Assembler) Name(s string) int { return a.intern(&a.t.Names, s) }

// Feature gives the number of a condition.
func (a *Assembler) Feature(f code.Feature) int { return row(&a.t.Features, f) }

// Complex gives the number of a complex pattern.
func (a *Assembler) Complex(c code.Complex) int { return row(&a.t.Complex, c) }

// row finds or adds a row.
func row[T comparable](list *[]T, x T) int {
	if n := slices.Index(*list, x); n >= 0 {
		return n
	}
	*list = append(*list, x)
	return len(*list) - 1
}

// Cond adds a condition map, Pred a predicate.
func (a *Assembler) Cond(m code.CondMap) int {
	a.t.Conds = append(a.t.Conds, m)
	return len(a.t.Conds) - 1
}

// Pred adds a predicate.
func (a *Assembler) Pred(p code.Pred) int {
	a.t.Preds = append(a.t.Preds, p)
	return len(a.t.Preds) - 1
}

// Info adds a row of the debug section, for Rule.Info of several rules. Its
// rules are numbered by it.
func (a *Assembler) Info(r *Rule) int {
	name := path.Base(r.File)
	f, ok := a.files[name]
	if !ok {
		f = len(a.t.Files)
		a.files[name] = f
		a.t.Files = append(a.t.Files, name)
	}
	priority := max(math.MinInt32, min(math.MaxInt32, r.Priority))
	a.t.Rules = append(a.t.Rules, code.Rule{File: uint32(f), Line: uint32(r.Line), Priority: int32(priority), Name: r.Name})
	return len(a.t.Rules)
}

// Add adds rules; those of one root are tried in the order in which they are added.
func (a *Assembler) Add(rs ...*Rule) { a.rules = append(a.rules, rs...) }

// Table writes the code of all rules and gives the table; an error when
// something in it is too large for its place.
func (a *Assembler) Table(l code.Limits) (*code.Table, error) {
	rules := slices.Clone(a.rules)
	slices.SortStableFunc(rules, func(x, y *Rule) int { return cmp.Compare(x.Root, y.Root) })
	for len(rules) > 0 {
		n := 1
		for n < len(rules) && rules[n].Root == rules[0].Root {
			n++
		}
		a.t.Roots = append(a.t.Roots, code.Root{Opcode: uint32(rules[0].Root), Offset: uint32(len(a.t.Code))})
		tree := tree{accept: a.accept, apart: a.Apart}
		a.t.Code = append(a.t.Code, tree.code(rules[:n], 0, 0)...)
		rules = rules[n:]
	}
	if len(a.t.Code) > math.MaxInt32 {
		return nil, errors.New("the match table is too large")
	}
	return &a.t, code.Verify(&a.t, l)
}

// accept ends a rule's tests and adds its actions.
func (a *Assembler) accept(r *Rule) []byte {
	r.Used = true
	row := r.Info
	if row == 0 {
		row = a.Info(r)
	}
	b := append(Encode(code.Accept, row-1, r.Recorded), r.Actions...)
	return append(b, byte(code.Done))
}
