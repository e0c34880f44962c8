package dagtable

import (
	"errors"
	"fmt"

	"github.com/mirin-go/mirin/codegen/dagtable/code"
	"github.com/mirin-go/mirin/codegen/predicatecode"
)

// Node is a node of the graph, Value one of its results.
type (
	Node  uint32
	Value struct {
		Node   Node
		Result int
	}
)

// NoValue is the absence of a value: a chain or glue that is not there.
var NoValue = Value{^Node(0), 0}

// DAG is what selection asks of a graph. Operands come as SelectionDAG has
// them: the chain first, glue last.
type DAG interface {
	Opcode(n Node) int
	NumOperands(n Node) int
	Operand(n Node, i int) Value
	Type(v Value) int
	// NumResults counts the values of a node, chain and glue among them.
	NumResults(n Node) int

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
	// Uses counts the uses of a value, of all values of the node.
	Uses(v Value) int
	// Mem describes the access of a node; ok is false where there is none.
	Mem(n Node) (m MemInfo, ok bool)
	// CanFold reports whether node n, which has a chain, may be done by root.
	CanFold(n, root Node) bool
	// MaskedBits reports whether bits of v that a constant lacks are known to
	// be zeros (of and) or ones (of or): see CheckAndImm in package code.
	MaskedBits(v Value, have, want int64, or bool) bool

	// MergeChains gives the chain input of several nodes with chains.
	MergeChains(nodes []Node) Value
	// GlueInput is the glue operand of a node, NoValue where there is none.
	GlueInput(n Node) Value
	Constant(v int64, typ int) Value
	Register(reg string, typ int) Value
	ClassID(name string) Value
	SubRegIndex(name string) Value
	// TargetConstant makes what an instruction takes of a constant node.
	TargetConstant(v Value) Value
	// CopyToReg makes a copy; it returns chain and glue.
	CopyToReg(chain Value, reg string, v, glue Value) (Value, Value)
	// MachineNode makes an instruction.
	MachineNode(m *Machine) Node
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

// Machine describes an instruction to make.
type Machine struct {
	Inst    string
	Types   []int
	Ops     []Value
	Chain   Value // input chain, NoValue: none; the node then has no chain result
	Glue    Value
	OutGlue bool
	MemRefs []Node // nodes whose memory references it gets
}

// Hooks are the Go functions that patterns name.
type Hooks struct {
	// Preds are predicates of fragments by name of the record; operands are
	// those that the fragment's predicate asks for.
	Preds map[string]func(m *Matcher, v Value, operands []Value) bool
	// Complex match a value and append their operands with Render.
	Complex map[string]func(m *Matcher, v Value) bool
	Xforms  map[string]func(m *Matcher, v Value) Value
	// Features answer a Predicate's CondString.
	Features func(cond string) (on, known bool)
	// Opcode and Type number the graph's opcodes and types; -1: it has none of that name.
	Opcode func(name string) int
	Type   func(name string) int
	// Pointer is the name of the type that iPTR stands for.
	Pointer string
}

// Selector is a table bound to hooks.
type Selector struct {
	Table    *code.Table
	roots    map[int]int
	opcodes  []int
	types    []int
	preds    []pred
	complex  []func(*Matcher, Value) bool
	xforms   []func(*Matcher, Value) Value
	features []bool
}

type pred struct {
	*code.Pred
	expr *predicatecode.Expr
	hook func(*Matcher, Value, []Value) bool
}

// Bind decodes a table and looks up what it names. The error lists every hook
// that is missing.
func Bind(data []byte, h *Hooks) (*Selector, error) {
	t, err := code.Decode(data)
	if err != nil {
		return nil, err
	}
	if err := code.Verify(t); err != nil {
		return nil, err
	}
	s := &Selector{Table: t, roots: map[int]int{}}
	var errs []error
	for _, n := range t.Opcodes {
		s.opcodes = append(s.opcodes, h.Opcode(n))
	}
	for _, n := range t.Types {
		if n == "iPTR" {
			n = h.Pointer
		}
		s.types = append(s.types, h.Type(n))
	}
	for i := range t.Preds {
		p := pred{Pred: &t.Preds[i]}
		if p.Expr != "" {
			if p.expr, err = predicatecode.Parse(p.Expr); err != nil {
				errs = append(errs, fmt.Errorf("predicate %s: %w", p.Name, err))
			}
		}
		if p.Hook != "" {
			if p.hook = h.Preds[p.Hook]; p.hook == nil {
				errs = append(errs, fmt.Errorf("no Go function for the predicate %q", p.Hook))
			}
		}
		s.preds = append(s.preds, p)
	}
	for _, c := range t.Complex {
		f := h.Complex[c.Name]
		if f == nil {
			errs = append(errs, fmt.Errorf("no Go function for the complex pattern %q", c.Name))
		}
		s.complex = append(s.complex, f)
	}
	for _, x := range t.Xforms {
		f := h.Xforms[x]
		if f == nil {
			errs = append(errs, fmt.Errorf("no Go function for the transformation %q", x))
		}
		s.xforms = append(s.xforms, f)
	}
	for _, f := range t.Features {
		on, known := false, false
		if h.Features != nil {
			on, known = h.Features(f.Name)
		}
		if !known {
			errs = append(errs, fmt.Errorf("the condition %q is not known", f.Name))
		}
		s.features = append(s.features, on != f.Not)
	}
	for _, r := range t.Roots {
		if op := s.opcodes[r.Opcode]; op >= 0 {
			s.roots[op] = int(r.Offset)
		}
	}
	return s, errors.Join(errs...)
}
