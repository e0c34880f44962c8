package code

// Magic starts every table.
const Magic = "mirin-match\x01"

// Graph says what a table matches.
type Graph uint8

// The graphs.
const (
	MIR Graph = iota
	DAG
)

// Table is a table taken apart. Which lists it has depends on the graph; those
// of MIR number opcodes, classes, registers as the facts of the target do.
type Table struct {
	Target string // the facts' name
	Graph  Graph

	Types    []string // "i32", "v4f32", "iPTR"
	Features []Feature
	Complex  []Complex
	Xforms   []string

	// of MIR
	Intrinsics []string
	Hooks      []string // predicates over instructions
	ConstHooks []string // predicates over constants
	Conds      []CondMap
	Funcs      []string // tests and actions over arguments

	// of a SelectionDAG
	Opcodes []string // "ISD::ADD"
	Insts   []string
	Regs    []string
	Names   []string // condition codes, intrinsics, classes, sub-register indices
	Preds   []Pred

	Roots []Root // in the order of their code
	Files []string
	// Rules are those of a table that is being written. One that was read has
	// NumRules, in bytes that DecodeRules takes apart.
	Rules    []Rule
	NumRules int
	ruleData []byte
	Code     []byte
}

// Root says where the rules of an opcode start.
type Root struct {
	Opcode uint32 // of Opcodes in a SelectionDAG
	Offset uint32
}

// Rule is what is known about a rule besides its code.
type Rule struct {
	File, Line uint32
	Priority   int32
	Name       string // of the record, "" for anonymous ones
}

// Feature is a condition on subtarget or function: a feature's name, or a hook.
type Feature struct {
	Name string
	Not  bool
	Hook bool // Name is a hook's
}

// Complex names a complex-pattern hook and the number of operands it renders.
type Complex struct {
	Name   string
	NumOps int
	// Root and Parent: the function wants the root of the pattern, the parent of the value.
	Root, Parent bool
}

// CondMap maps comparison predicates (ir.Pred) to target condition codes.
type CondMap struct {
	Keys   []uint8
	Values []int64
}

// Pred is a predicate of a fragment. All conditions that it states must hold.
type Pred struct {
	Name string
	// Expr is a condition on a constant, for predicatecode.Parse; Float tells
	// that Bits are the bits of a floating constant instead.
	Expr  string
	Float bool
	Bits  uint64
	// Hook is a Go function; its operands are given to it.
	Hook string
	// What LLVM's records state about memory and uses without code.
	Flags        uint32
	Type, Scalar int // number of a type + 1, 0 for none
	Spaces       []uint64
	MinAlign     uint64
	Ordering     string
}

// Flags of Pred. Those in pairs ask for a property or for its absence.
const (
	PredNoUse uint32 = 1 << iota
	PredOneUse
	PredUnindexed
	PredNonExt
	PredAnyExt
	PredSignExt
	PredZeroExt
	PredTrunc
	PredNotTrunc
	PredLoad
	PredStore
	PredAtomic
)
