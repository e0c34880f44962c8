package code

// Op is an instruction of the match machine. Those before BuildMI test, those
// behind it act; a test that fails continues behind the innermost open Try.
//
// Operand notation: insn numbers a matched instruction (0 is the root), op one
// of its operands.
type Op uint8

// The tests.
const (
	// Try n: the alternatives that follow end n bytes behind; a failure inside goes there.
	Try Op = iota
	// Reject: no alternative is left.
	Reject
	// SwitchType insn op n (type offset)…: go to the offset (from the end of the instruction) of the operand's type.
	SwitchType
	// CheckType insn op type.
	CheckType
	// CheckBank insn op bank: the register lives in the bank.
	CheckBank
	// RecordDef new insn op: instruction new is what defines the operand, copies looked through.
	RecordDef
	// CheckOpcode insn opcode.
	CheckOpcode
	// CheckOpcodes insn n opcode…: one of them.
	CheckOpcodes
	// CheckConst insn op value: an immediate or a register that a G_CONSTANT defines.
	CheckConst
	// CheckConstRange insn op lo hi: inclusive, of the sign-extended value.
	CheckConstRange
	// CheckConstHook insn op hook: a constant that the hook accepts.
	CheckConstHook
	// CheckAnyConst insn op.
	CheckAnyConst
	// CheckFP insn op: a register that a G_FCONSTANT defines, or its immediate.
	CheckFP
	// CheckFPBits insn op bits.
	CheckFPBits
	// CheckSame insn op insn op: the same register, copies looked through.
	CheckSame
	// CheckOneUse insn: the first result has one use.
	CheckOneUse
	// CheckNoUse insn: the first result has no use.
	CheckNoUse
	// CheckCond insn op map: the condition operand is a key of the map.
	CheckCond
	// CheckMemSize insn bits: the access has that size; 0 for that of the value operand 0.
	CheckMemSize
	// CheckMemOrder insn mask: bit o set: atomic ordering o is accepted.
	CheckMemOrder
	// CheckMemSpace insn space.
	CheckMemSpace
	// CheckFold insn: the load may move down to the root.
	CheckFold
	// CheckComplex slot insn op hook: the hook accepts the operand and renders operands into the slot.
	CheckComplex
	// CheckHook insn hook: the hook accepts the instruction.
	CheckHook
	// CheckIntrinsic insn op name.
	CheckIntrinsic
	// CheckFeature n: predicate n of the subtarget and function holds.
	CheckFeature
	// CheckIsReg insn op, CheckIsImm insn op: kind of the operand itself.
	CheckIsReg
	CheckIsImm
	// CheckIsBlock insn op.
	CheckIsBlock
	// CheckIsJT insn op: a jump table operand.
	CheckIsJT
	// CheckNumOps insn n.
	CheckNumOps
	// Accept rule n: the rule matches, with n instructions; actions follow.
	Accept
)

// The actions.
const (
	// MakeTemp class: the next temporary register, of a class.
	MakeTemp Op = iota + 64
	// MakeTempLike insn op: the next temporary, with type and bank of an operand.
	MakeTempLike
	// BuildMI opcode: start an instruction.
	BuildMI
	// AddRoot op: define result op of the root.
	AddRoot
	// AddCopy insn op: copy a matched operand.
	AddCopy
	// AddCopySub insn op sub: use sub-register sub of a matched register.
	AddCopySub
	// AddTempDef temp; AddTemp temp sub: define, use a temporary.
	AddTempDef
	AddTemp
	// AddImm value.
	AddImm
	// AddConst insn op: the constant of a matched operand as an immediate.
	AddConst
	// AddPhys reg flags: a physical register, read (PhysUse) or written (PhysDef).
	AddPhys
	// AddSlot slot: all operands that a complex pattern rendered.
	AddSlot
	// AddXform insn op hook: operands made by the hook.
	AddXform
	// AddCond insn op map: the value of the condition in the map.
	AddCond
	// Finish dead: end the instruction; bit n of dead says that implicit definition n is not read.
	Finish
	// SetClass insn op class: constrain a matched register.
	SetClass
	// Done ends the actions: the root goes.
	Done
)

// Sizes of the interpreter's memory, which tables keep to.
const (
	MaxInsns = 16 // instructions of a pattern
	MaxSlots = 6  // complex operands of a pattern
	MaxTries = 64 // nesting of alternatives
)

// Flags of AddPhys.
const (
	PhysUse = 0
	PhysDef = 1
)

// Magic starts every table.
const Magic = "mirin-sel\x01"

// CondMap maps comparison predicates (ir.Pred) to target condition codes.
type CondMap struct {
	Keys   []uint8
	Values []int64
}

// Root says where the rules of an opcode start.
type Root struct {
	Opcode uint16
	Offset uint32
}

// Complex names a complex-pattern hook and the number of operands it renders.
type Complex struct {
	Name   string
	NumOps int
}

// Table is a decoded table.
type Table struct {
	Target     string // FactsName
	Features   []Feature
	Hooks      []string // predicates over instructions
	ConstHooks []string // predicates over constants
	Complex    []Complex
	Xforms     []string
	Intrinsics []string
	Conds      []CondMap
	Roots      []Root // sorted by opcode
	Files      []string
	Rules      []Rule
	Code       []byte
}

// Feature is a condition on subtarget or function: a feature's name, or a hook.
type Feature struct {
	Name string
	Not  bool
	Hook bool // Name is a hook's
}

// Rule is the debug information of a rule.
type Rule struct {
	File, Line uint32
	Priority   int32
}
