package code

// CombineOp is an instruction of the machine that runs combine rules: what
// tablegen/emit/combiner writes and codegen/matchtable/combine interprets. Code
// is words of 32 bits; a 64-bit number takes two, low first. insn numbers a
// matched instruction (0 is the root), op one of its operands.
type CombineOp int32

// The tests. A test that fails goes to where the innermost open Try leads.
const (
	// CombineTry n: a failure before the next Accept or Fail at this level goes n words behind the instruction.
	CombineTry CombineOp = iota
	// CombineFail: no alternative is left.
	CombineFail
	// CombineDef new insn op: instruction new is the only one that defines the register.
	CombineDef
	// CombineOpcode insn opcode.
	CombineOpcode
	// CombineNumOps insn min max: the number of operands lies there.
	CombineNumOps
	// CombineType insn op type: the register has the type.
	CombineType
	// CombineConst insn op value: a register that a G_CONSTANT of the value defines.
	CombineConst
	// CombineImm insn op value: an immediate operand.
	CombineImm
	// CombinePred insn op predicate: a comparison predicate.
	CombinePred
	// CombineSame insn op insn op: the same register.
	CombineSame
	// CombineFlags insn set clear: instruction flags that must be set, and that must not.
	CombineFlags
	// CombineCanReplace insn op insn op: the first register may be replaced by the second.
	CombineCanReplace
	// CombineTest fn n arguments: the function accepts them.
	CombineTest
	// CombineNot fn n arguments: the function does not.
	CombineNot
	// CombineAccept rule: all tests of the rule hold; actions follow.
	CombineAccept
)

// The actions.
const (
	// CombineTemp type: a new register of a type; temporaries are numbered in order.
	CombineTemp CombineOp = iota + 64
	// CombineTempLike insn op: a new register of the type of an operand.
	CombineTempLike
	// CombineBuild opcode: begin an instruction.
	CombineBuild
	// CombineAddDef insn op: a result of the root.
	CombineAddDef
	// CombineAddCopy insn op: the operand as it is, of any kind.
	CombineAddCopy
	// CombineAddRest insn op: this operand and all behind it.
	CombineAddRest
	// CombineAddTempDef temp, CombineAddTemp temp: a temporary.
	CombineAddTempDef
	CombineAddTemp
	// CombineAddImm value: an immediate.
	CombineAddImm
	// CombineAddPred predicate.
	CombineAddPred
	// CombineAddData slot kind: what a function left there.
	CombineAddData
	// CombineFinish set clear: end the instruction; it has the flags that
	// CombineCopyFlags gathered, with these set and those cleared.
	CombineFinish
	// CombineCopyFlags insn: the instruction being built has the flags of a matched one.
	CombineCopyFlags
	// CombineConstTo temp value, CombineConstRoot insn op value: build a constant.
	CombineConstTo
	CombineConstRoot
	// CombineConstData 0 insn op slot, CombineConstData 1 temp 0 slot: build the constant that a function left.
	CombineConstData
	// CombineReplace insn op insn op, CombineReplaceTemp insn op temp, CombineReplaceData insn op slot:
	// every use of the register becomes one of the other, as soon as the root has gone.
	CombineReplace
	CombineReplaceTemp
	CombineReplaceData
	// CombineCall fn n arguments: a function that does the rest.
	CombineCall
	// CombineErase: the root goes, and registers are replaced.
	CombineErase
	// CombineDone ends the actions.
	CombineDone
)

// The kinds of arguments of a function, two words each behind the kind.
const (
	CombineArgInstr   = iota // insn, 0
	CombineArgOperand        // insn op
	CombineArgData           // slot, 0
	CombineArgInt            // value: low, high
)

// The kinds of data that an operand takes from a slot.
const (
	CombineDataReg = iota
	CombineDataImm
	CombineDataPred
)

// Sizes of the interpreter's memory, which rules keep to.
const (
	MaxCombineInsns = 16
	MaxCombineArgs  = 12
	MaxCombineData  = 8
	MaxCombineTries = 64
)
