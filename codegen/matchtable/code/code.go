package code

// Op is an instruction of the match machine. Those before MakeTemp test, the
// others act. A test that fails goes to where the innermost open Try leads.
//
// Operand notation: insn numbers what was recorded (0 is the root): an
// instruction of MIR, or a value of a SelectionDAG. op numbers an operand of it:
// in MIR as they stand, results first; in a SelectionDAG 0 is the value itself
// and k+1 operand k of its node. Other words number rows of the header's lists;
// … is a list behind its length.
type Op uint8

// Control.
const (
	// Try n: the alternative that follows ends n bytes behind; a failure inside goes there.
	Try Op = iota
	// Reject: no alternative is left.
	Reject
	// SwitchType insn op size (type offset)…: go to the offset (from the end of
	// the instruction) of the operand's type. The cases take size bytes. Offsets
	// ascend from 0: the alternatives follow each other.
	SwitchType
	// SwitchOpcode insn size (opcode offset)…: the same by opcode.
	SwitchOpcode
	// Accept rule n: the rule matches, with n recorded instructions; actions follow.
	Accept
)

// Tests of all graphs.
const (
	// CheckOpcode insn opcode: a number of the target's facts, of Opcodes in a SelectionDAG.
	CheckOpcode = Accept + 1 + iota
	// CheckType insn op type: pointers of MIR count as integers of their size.
	CheckType
	// CheckConst insn op value: a constant; in MIR an immediate, or a register
	// that a G_CONSTANT defines, copies looked through.
	CheckConst
	// CheckSame insn op insn op: the same value; in MIR copies are looked through.
	CheckSame
	// CheckIntrinsic insn op name: the number of an intrinsic.
	CheckIntrinsic
	// CheckFold insn: a load (a node with a chain) may move to the root.
	CheckFold
	// CheckComplex slot insn op complex: the hook accepts the operand and renders operands into the slot.
	CheckComplex
	// CheckFeature feature: a condition on subtarget and function holds.
	CheckFeature
)

// Tests of MIR.
const (
	// RecordDef new insn op: instruction new is what defines the operand, copies looked through.
	RecordDef = CheckFeature + 1 + iota
	// RecordUniqueDef new insn op: as RecordDef, a copy being an instruction like others.
	RecordUniqueDef
	// CheckOpcodes insn opcode…: one of them.
	CheckOpcodes
	// CheckNumOps insn n; CheckNumOpsIn insn min max: the number of operands.
	CheckNumOps
	CheckNumOpsIn
	// CheckExactType insn op type: a register of the type, which no pointer has.
	CheckExactType
	// CheckBank insn op bank: the register lives in the bank.
	CheckBank
	// CheckConstRange insn op lo hi: a constant, inclusive, sign-extended.
	CheckConstRange
	// CheckConstHook insn op hook: a constant that the hook accepts.
	CheckConstHook
	// CheckAnyConst insn op.
	CheckAnyConst
	// CheckRegConst insn op value: a register that a G_CONSTANT defines at once.
	CheckRegConst
	// CheckImm insn op value: an immediate operand.
	CheckImm
	// CheckFP insn op: a register that a G_FCONSTANT defines, or its immediate.
	CheckFP
	// CheckFPBits insn op bits.
	CheckFPBits
	// CheckSameReg insn op insn op: one register and sub-register.
	CheckSameReg
	// CheckOneUse insn, CheckNoUse insn: uses of the first result.
	CheckOneUse
	CheckNoUse
	// CheckCond insn op map: the comparison predicate is a key of the map.
	CheckCond
	// CheckCmpPred insn op predicate: it is this one (ir.Pred).
	CheckCmpPred
	// CheckMemSize insn bits: the access has that size; 0 for that of the value operand 0.
	CheckMemSize
	// CheckMemOrder insn mask: bit o set: atomic ordering o is accepted.
	CheckMemOrder
	// CheckMemSpace insn space.
	CheckMemSpace
	// CheckHook insn hook: the hook accepts the instruction.
	CheckHook
	// CheckIsReg insn op, CheckIsImm, CheckIsBlock, CheckIsJT: the kind of the operand itself.
	CheckIsReg
	CheckIsImm
	CheckIsBlock
	CheckIsJT
	// CheckFlags insn set clear: instruction flags that must be set, and that must not.
	CheckFlags
	// CheckCanReplace insn op insn op: the first register may be replaced by the second.
	CheckCanReplace
	// CheckFunc func arg…, CheckNotFunc func arg…: what a function says of the arguments, see Arg.
	CheckFunc
	CheckNotFunc
)

// Tests of a SelectionDAG.
const (
	// RecordOperand new insn op: the value of an operand.
	RecordOperand = CheckNotFunc + 1 + iota
	// CheckResult insn n type: result n of the node.
	CheckResult
	// CheckCondCode insn name; CheckVT insn type: a condition code, a type as an operand.
	CheckCondCode
	CheckVT
	// CheckAndImm insn value other, CheckOrImm insn value other: the constant of an and (or)
	// with other is the value where its bits matter.
	CheckAndImm
	CheckOrImm
	// CheckOnes insn, CheckZeros insn: a splat of all ones, of zeros.
	CheckOnes
	CheckZeros
	// CheckPred insn pred insn…: a predicate of a fragment, with the values it asks for.
	CheckPred

	lastTest = CheckPred
)

// Actions of all graphs.
const (
	// Done ends the actions: the root goes, and registers are replaced.
	Done Op = 128 + iota
)

// Actions on MIR. Each Make numbers a temporary register, from 0.
const (
	// MakeTemp class: a register of a class.
	MakeTemp Op = Done + 1 + iota
	// MakeGenericTemp type; MakeTempLike insn op: a generic register of a type, of an operand's type.
	MakeGenericTemp
	MakeTempLike
	// SetClass insn op class: constrain a matched register.
	SetClass
	// BuildMI opcode: start an instruction; its operands follow.
	BuildMI
	// AddDef insn op: define a matched register (a result of the root).
	AddDef
	// AddCopy insn op: copy a matched operand; registers are read.
	AddCopy
	// AddRest insn op: this operand and all behind it.
	AddRest
	// AddCopySub insn op sub: use sub-register sub of a matched register.
	AddCopySub
	// AddTempDef temp; AddTemp temp sub: define, use a temporary.
	AddTempDef
	AddTemp
	// AddImm value.
	AddImm
	// AddCmpPred predicate.
	AddCmpPred
	// AddConst insn op: the constant of a matched operand as an immediate.
	AddConst
	// AddPhys reg flags: a physical register, read (PhysUse) or written (PhysDef).
	AddPhys
	// AddSlot slot: all operands that a complex pattern rendered.
	AddSlot
	// AddXform insn op xform: operands made by the hook.
	AddXform
	// AddCond insn op map: the value of the comparison predicate in the map.
	AddCond
	// AddData data kind: what a function left there, see DataReg.
	AddData
	// AddFlags insn: the instruction that is built has the flags of a matched one (of a generic one).
	AddFlags
	// Finish dead: end a target instruction. It has the root's flags and the
	// implicit operands of its description; bit n of dead says that implicit
	// definition n is not read.
	Finish
	// FinishGeneric set clear: end a generic instruction; of its flags, these are set and those cleared.
	FinishGeneric
	// BuildConst insn op value, BuildTempConst temp value: a G_CONSTANT that defines a register.
	BuildConst
	BuildTempConst
	// BuildDataConst insn op data, BuildTempDataConst temp data: of a number that a function left.
	BuildDataConst
	BuildTempDataConst
	// ReplaceReg insn op insn op, ReplaceRegTemp insn op temp, ReplaceRegData insn op data:
	// every use of the register becomes one of the other, as soon as the root has gone.
	ReplaceReg
	ReplaceRegTemp
	ReplaceRegData
	// CallFunc func arg…: a function that does the rest.
	CallFunc
)

// Actions on a SelectionDAG. Each Make and BuildNode numbers the values that it makes, from 0.
const (
	// TakeChains insn…: the chain inputs of these nodes become the input chain.
	TakeChains Op = CallFunc + 1 + iota
	// TakeGlue insn: the glue input of the node, if there is one, is the input glue.
	TakeGlue
	// TakeMem insn: the memory reference of the node goes to the instructions that take them.
	TakeMem
	// MakeInt value type; MakeReg reg type; MakeClass name; MakeSubReg name.
	MakeInt
	MakeReg
	MakeClass
	MakeSubReg
	// MakeConst insn: the constant as a target constant.
	MakeConst
	// MakeXform src xform.
	MakeXform
	// CopyToReg src reg: with the input glue; the next node is glued to it.
	CopyToReg
	// BuildNode inst flags variadic type… src…: a machine node; variadic-1 is the number of the root's
	// operands that the pattern has, the others are appended. Makes as many values as types.
	BuildNode
	// Results src…: what stands for the results of the root.
	Results

	lastAction = Results
)

// The kinds of arguments of a function; the kind and its number follow each other.
const (
	ArgInstr   = iota // insn
	ArgOperand        // insn op
	ArgData           // data
	ArgInt            // signed value
)

// The kinds of data that an operand takes from a slot.
const (
	DataReg = iota
	DataImm
	DataPred
)

// Kinds of src: the kind and the number follow each other.
const (
	SrcValue = iota // a recorded value
	SrcTemp         // a value that an action made
	SrcSlot         // all operands of a complex pattern
	SrcPart         // one of them: slot and part
)

// Flags of BuildNode.
const (
	NodeChain   = 1 << iota // takes and gives the chain
	NodeInGlue              // takes the glue
	NodeOutGlue             // gives glue
	NodeMemRefs             // gets the memory references
)

// Flags of AddPhys.
const (
	PhysUse = 0
	PhysDef = 1
)

// Sizes of the interpreter's memory, which tables keep to.
const (
	MaxInsns = 64 // recorded instructions (values) of a rule
	MaxSlots = 8  // complex operands of a rule
	MaxData  = 8  // match data of a rule
	MaxArgs  = 12 // of a function
	MaxTries = 64 // nesting of alternatives
)
