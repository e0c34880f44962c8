package matchtable

import (
	"errors"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/codegen/predicatecode"
)

// Node is a node of a SelectionDAG, Value one of its results: small numbers of
// whoever has the graph.
type (
	Node  uint32
	Value struct {
		Node   Node
		Result int
	}
)

// NoValue is the absence of a value: a chain or glue that is not there.
var NoValue = Value{^Node(0), 0}

// DAG is a SelectionDAG as selection sees it: what tests ask, and what actions
// make.
type DAG interface {
	DAGNodes
	DAGMaker
}

// DAGNodes is what tests ask of a graph. Operands come as SelectionDAG has
// them: the chain first, glue last. Opcodes and types are the graph's numbers.
type DAGNodes interface {
	Opcode(n Node) int
	NumOperands(n Node) int
	Operand(n Node, i int) Value
	Type(v Value) int
	// NumResults counts the values of a node, chain and glue among them.
	NumResults(n Node) int
	// Uses counts the uses of a value, of all values of the node.
	Uses(v Value) int

	// Int is the value of an integer constant, sign-extended, and its width.
	Int(n Node) (v int64, width int, ok bool)
	// FloatBits are the bits of a floating constant of at most 64 bits.
	FloatBits(n Node) (bits uint64, ok bool)
	// CondCode names a condition code node ("SETEQ"); VT is the type that a type node names.
	CondCode(n Node) string
	VT(n Node) int
	// Intrinsic names the intrinsic that an operand stands for ("llvm.foo").
	Intrinsic(n Node) string
	// Splat reports whether a vector constant consists of ones (all bits) or zeros.
	Splat(n Node, ones bool) bool
	// Mem describes the access of a node; ok is false where there is none.
	Mem(n Node) (m MemInfo, ok bool)
	// CanFold reports whether node n, which has a chain, may be done by root.
	CanFold(n, root Node) bool
	// MaskedBits reports whether bits of v that a constant lacks are known to
	// be zeros (of and) or ones (of or): see code.CheckAndImm.
	MaskedBits(v Value, have, want int64, or bool) bool
	// GlueInput is the glue operand of a node, NoValue where there is none.
	GlueInput(n Node) Value
}

// DAGMaker is what actions make in a graph.
type DAGMaker interface {
	// MergeChains gives the chain input of several nodes with chains.
	MergeChains(nodes []Node) Value
	Constant(v int64, typ int) Value
	Register(reg string, typ int) Value
	ClassID(name string) Value
	SubRegIndex(name string) Value
	// TargetConstant makes what an instruction takes of a constant node.
	TargetConstant(v Value) Value
	// CopyToReg makes a copy; it returns chain and glue.
	CopyToReg(chain Value, reg string, v, glue Value) (Value, Value)
	// MachineNode makes an instruction. What m holds is good during the call alone.
	MachineNode(m *MachineNode) Node
}

// MemInfo describes the access of a memory node.
type MemInfo struct {
	// Type is the type in memory; ScalarType that of its elements.
	Type, ScalarType int
	Unindexed        bool
	// Ext says how a load extends: 0 not, 'a' any, 's' sign, 'z' zero.
	Ext    byte
	Trunc  bool // of a store
	Space  uint64
	Align  uint64
	Atomic bool
	// Ordering is LLVM's name: "Monotonic", "Acquire", …
	Ordering string
}

// MachineNode describes an instruction to make.
type MachineNode struct {
	Inst    string
	Types   []int
	Ops     []Value
	Chain   Value // input chain, NoValue: none; the node then has no chain result
	Glue    Value
	OutGlue bool
	MemRefs []Node // nodes whose memory references it gets
}

// DAGHooks are the Go functions that patterns over a SelectionDAG name.
type DAGHooks struct {
	// Preds are predicates of fragments by name of the record; operands are
	// those that the fragment's predicate asks for.
	Preds map[string]func(m *DAGMatcher, v Value, operands []Value) bool
	// Complex match a value and append their operands with Render.
	Complex map[string]func(m *DAGMatcher, v Value) bool
	Xforms  map[string]func(m *DAGMatcher, v Value) Value
	// Features answer a Predicate's CondString.
	Features func(cond string) (on, known bool)
	// Opcode and Type number the graph's opcodes and types; -1: it has none of that name.
	Opcode func(name string) int
	Type   func(name string) int
	// Pointer is the name of the type that iPTR stands for.
	Pointer string
}

// DAGTable is a table over a SelectionDAG, verified and bound to hooks. It is
// read-only and shared.
type DAGTable struct {
	// Rules has the place and the name of each pattern; it is read when first asked for.
	Rules func() []code.Rule

	t        *code.Table
	roots    []uint32 // by the graph's opcode: code offset + 1
	opcodes  []uint64 // the graph's numbers; see noSuchType
	types    []uint64
	preds    []dagPred
	complex  []func(*DAGMatcher, Value) bool
	xforms   []func(*DAGMatcher, Value) Value
	features []bool
}

type dagPred struct {
	*code.Pred
	expr *predicatecode.Expr
	hook func(*DAGMatcher, Value, []Value) bool
}

// BindDAG decodes and verifies a table over a SelectionDAG and looks up what it
// names. The error lists every hook that is missing.
func BindDAG(data []byte, h *DAGHooks) (*DAGTable, error) {
	t, err := code.Decode(data)
	if err != nil {
		return nil, err
	}
	if t.Graph != code.DAG {
		return nil, errors.New("the match table is not for a SelectionDAG")
	}
	if err := code.Verify(t, code.Limits{}); err != nil {
		return nil, err
	}
	b := &binder{t: t}
	s := &DAGTable{t: t, Rules: rules(t)}
	key := func(n int) uint64 {
		if n < 0 {
			return noSuchType
		}
		return uint64(n)
	}
	for _, n := range t.Opcodes {
		s.opcodes = append(s.opcodes, key(h.Opcode(n)))
	}
	for _, n := range t.Types {
		if n == "iPTR" {
			n = h.Pointer
		}
		s.types = append(s.types, key(h.Type(n)))
	}
	for i := range t.Preds {
		p := dagPred{Pred: &t.Preds[i]}
		if p.Expr != "" {
			if p.expr, err = predicatecode.Parse(p.Expr); err != nil {
				b.errorf("predicate %s: %w", p.Name, err)
			}
		}
		if p.Hook != "" {
			if p.hook = h.Preds[p.Hook]; p.hook == nil {
				b.errorf("no Go function for the predicate %q", p.Hook)
			}
		}
		s.preds = append(s.preds, p)
	}
	s.complex = lookup(b, complexNames(t), h.Complex, "complex pattern")
	s.xforms = lookup(b, t.Xforms, h.Xforms, "transformation")
	for _, f := range t.Features {
		on, known := false, false
		if h.Features != nil {
			on, known = h.Features(f.Name)
		}
		if !known {
			b.errorf("the condition %q is not known", f.Name)
		}
		s.features = append(s.features, on != f.Not)
	}
	for _, r := range t.Roots {
		op := s.opcodes[r.Opcode]
		if op == noSuchType {
			continue
		}
		for uint64(len(s.roots)) <= op {
			s.roots = append(s.roots, 0)
		}
		s.roots[op] = r.Offset + 1
	}
	return s, errors.Join(b.errs...)
}

// DAGMatcher selects nodes of one graph. It is reused, so that a match
// allocates nothing but what the graph makes.
type DAGMatcher struct {
	machine
	D DAG
	T *DAGTable

	only  bool // match alone, without actions
	vals  [code.MaxInsns]Value
	slots [code.MaxSlots][]Value
	slot  int
	temps []Value
	ops   []Value
	nodes []Node
	mem   []Node
	node  MachineNode // the one that is being built
	chain Value       // the input chain and glue of the next node
	glue  Value
	out   Selected
}

// Start prepares the matcher for a graph.
func (m *DAGMatcher) Start(t *DAGTable, d DAG) {
	m.T, m.D = t, d
	m.code, m.types, m.opcodes, m.features = t.t.Code, t.types, t.opcodes, t.features
}

// Root is the node being selected.
func (m *DAGMatcher) Root() Node { return m.vals[0].Node }

// Render appends an operand to those of the complex pattern being matched.
func (m *DAGMatcher) Render(v Value) { m.slots[m.slot] = append(m.slots[m.slot], v) }

// Selected is what replaces a node: its values, the chain and the glue, which
// are NoValue where the pattern has none. Values are good until the next Select.
type Selected struct {
	Values      []Value
	Chain, Glue Value
}

// Select finds the pattern for a node and makes its instructions.
func (m *DAGMatcher) Select(n Node) (Selected, bool) {
	m.only = false
	ok := m.start(n)
	return m.out, ok
}

// Match finds the pattern for a node without making anything; -1 for none.
func (m *DAGMatcher) Match(n Node) int {
	m.only = true
	if !m.start(n) {
		return -1
	}
	return m.Rule
}

func (m *DAGMatcher) start(n Node) bool {
	m.out = Selected{m.out.Values[:0], NoValue, NoValue}
	op := m.D.Opcode(n)
	if op < 0 || op >= len(m.T.roots) || m.T.roots[op] == 0 {
		return false
	}
	m.vals[0] = Value{n, 0}
	return m.run(int(m.T.roots[op] - 1))
}

// accept begins the actions of a pattern.
func (m *DAGMatcher) accept() bool {
	m.temps, m.mem = m.temps[:0], m.mem[:0]
	m.chain, m.glue = NoValue, NoValue
	return !m.only
}
