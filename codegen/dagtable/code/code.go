package code

// Op is an instruction of the match machine: tests, then actions.
//
// v numbers a value that was matched: 0 is the root, Operand makes others.
// name, type, inst, reg index the lists of the header. src is a source of an
// operand: kind and number, see SrcValue.
type Op uint8

// The tests.
const (
	// Try n: the alternatives that follow end n bytes behind; a failure inside goes there.
	Try Op = iota
	// Reject: no alternative is left.
	Reject
	// SwitchType v n (type offset)…: go to the offset behind the instruction for the type of v.
	SwitchType
	// Operand new v i: value new is operand i of the node of v.
	Operand
	// CheckOpcode v name.
	CheckOpcode
	// CheckType v type; CheckResult v i type: of result i of the node.
	CheckType
	CheckResult
	// CheckInt v value: an integer constant.
	CheckInt
	// CheckIntrinsic v name: the number of an intrinsic.
	CheckIntrinsic
	// CheckCond v name: a condition code; CheckVT v type: a type as an operand.
	CheckCond
	CheckVT
	// CheckAndImm v value w, CheckOrImm v value w: the constant v of an and (or) with w is
	// the value where its bits matter.
	CheckAndImm
	CheckOrImm
	// CheckOnes v, CheckZeros v: a splat of all ones, of zeros.
	CheckOnes
	CheckZeros
	// CheckSame v v.
	CheckSame
	// CheckFold v: the node with a chain may be folded into the root.
	CheckFold
	// CheckPred v pred n v…: a predicate of a fragment, with the operands it asks for.
	CheckPred
	// CheckFeature n: a condition on subtarget and function.
	CheckFeature
	// CheckComplex slot v complex: a complex pattern accepts v and makes operands.
	CheckComplex
	// Accept rule: the pattern matches; actions follow.
	Accept
)

// The actions. Each that makes a value numbers it, from 0.
const (
	// Chains n v…: the chain inputs of these nodes become the input chain.
	Chains Op = iota + 64
	// Glue v: the glue input of the node, if there is one, is the input glue.
	Glue
	// MemRef v: the memory reference of the node goes to the instructions that take them.
	MemRef
	// Int value type; Reg reg type; Class name; SubReg name.
	Int
	Reg
	Class
	SubReg
	// Const v: the constant of v as a target constant.
	Const
	// Xform src xform.
	Xform
	// CopyToReg src reg: with the input glue; the next node is glued to it.
	CopyToReg
	// Node inst flags variadic nTypes type… n src…: a machine node; variadic-1 is the number of the root's
	// operands that the pattern has, the others are appended. Makes as many values as types.
	Node
	// Done n src…: the results of the root.
	Done
)

// Kinds of src: the kind and the number follow each other.
const (
	SrcValue = iota // a matched value
	SrcTemp         // a value that an action made
	SrcSlot         // all operands of a complex pattern
	SrcPart         // one of them: slot and part
)

// Flags of Node.
const (
	NodeChain   = 1 << iota // takes and gives the chain
	NodeInGlue              // takes the glue
	NodeOutGlue             // gives glue
	NodeMemRefs             // gets the memory references
)

// Sizes of the interpreter's memory, which tables keep to.
const (
	MaxValues = 64
	MaxTemps  = 64
	MaxSlots  = 8
	MaxTries  = 64
)

// Magic starts every table.
const Magic = "mirin-dag\x01"

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

// Complex names the function of a complex pattern.
type Complex struct {
	Name   string
	NumOps int
	// Root and Parent: the function wants the root of the pattern, the parent of the value.
	Root, Parent bool
}

// Feature is a condition on subtarget and function: C++ of a Predicate's
// CondString, or a feature's name.
type Feature struct {
	Name string
	Not  bool
}

// Root says where the patterns of an opcode start.
type Root struct {
	Opcode uint32 // of Opcodes
	Offset uint32
}

// Rule is what is known about a pattern besides its code.
type Rule struct {
	File, Line uint32
	Complexity int32
	Name       string // of the record, "" for anonymous ones
}

// Table is a decoded table.
type Table struct {
	Target   string
	Opcodes  []string // "ISD::ADD"
	Types    []string // "i32"
	Insts    []string
	Regs     []string
	Names    []string // condition codes, intrinsics, classes, sub-register indices
	Preds    []Pred
	Complex  []Complex
	Xforms   []string
	Features []Feature
	Roots    []Root
	Files    []string
	Rules    []Rule
	Code     []byte
}
