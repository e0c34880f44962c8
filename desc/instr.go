package desc

// Opcode is the number of a machine instruction, LLVM's own. Values below
// FirstTargetOpcode are target independent.
type Opcode uint16

// Name is a string in an Info's blob: the offset in the upper 23 bits, the
// length in the lower 9. The zero Name is the empty string.
type Name uint32

// MakeName packs an offset below 1<<23 and a length below 512. (AMDGPU has
// register names of 287 bytes.)
func MakeName(off, length int) Name { return Name(off<<nameLenBits | length) }

const (
	nameLenBits = 9
	nameLenMask = 1<<nameLenBits - 1
)

// In gives the text of a name in a blob.
func (n Name) In(blob string) string { return blob[n>>nameLenBits : n.End()] }

// End is where a name ends in its blob.
func (n Name) End() int { return int(n>>nameLenBits) + int(n&nameLenMask) }

// InstrFlags is a set of instruction properties (LLVM's MCID flags).
type InstrFlags uint64

// The properties, at LLVM's bit positions.
const (
	PreISelOpcode InstrFlags = 1 << iota
	Variadic
	HasOptionalDef
	Pseudo
	Meta
	Return
	EHScopeReturn
	Call
	Barrier
	Terminator
	Branch
	IndirectBranch
	Compare
	MoveImm
	MoveReg
	Bitcast
	Select
	DelaySlot
	FoldableAsLoad
	MayLoad
	MayStore
	MayRaiseFPException
	Predicable
	NotDuplicable
	UnmodeledSideEffects
	Commutable
	ConvertibleTo3Addr
	UsesCustomInserter
	HasPostISelHook
	Rematerializable
	CheapAsAMove
	ExtraSrcRegAllocReq
	ExtraDefRegAllocReq
	RegSequenceLike
	ExtractSubregLike
	InsertSubregLike
	Convergent
	Add
	Trap
	VariadicOpsAreDefs
	Authenticated
)

// instrFlagNames are LLVM's names of the flags, by bit.
var instrFlagNames = [...]string{
	"PreISelOpcode", "Variadic", "HasOptionalDef", "Pseudo", "Meta", "Return", "EHScopeReturn", "Call", "Barrier",
	"Terminator", "Branch", "IndirectBranch", "Compare", "MoveImm", "MoveReg", "Bitcast", "Select", "DelaySlot",
	"FoldableAsLoad", "MayLoad", "MayStore", "MayRaiseFPException", "Predicable", "NotDuplicable",
	"UnmodeledSideEffects", "Commutable", "ConvertibleTo3Addr", "UsesCustomInserter", "HasPostISelHook",
	"Rematerializable", "CheapAsAMove", "ExtraSrcRegAllocReq", "ExtraDefRegAllocReq", "RegSequence", "ExtractSubreg",
	"InsertSubreg", "Convergent", "Add", "Trap", "VariadicOpsAreDefs", "Authenticated",
}

// AppendNames appends the names of the flags that are set, separated by spaces.
func (f InstrFlags) AppendNames(b []byte) []byte {
	sep := false
	for i, name := range instrFlagNames {
		if f>>i&1 == 0 {
			continue
		}
		if sep {
			b = append(b, ' ')
		}
		b = append(b, name...)
		sep = true
	}
	return b
}

// InstrDesc describes one opcode. Rows are 32 bytes; two share a cache line.
type InstrDesc struct {
	TSFlags         uint64 // target-specific: the encoding form, mostly
	Flags           InstrFlags
	Name            Name
	OpInfo          uint16 // first of NumOperands rows in Info.OperandInfos
	Implicit        uint16 // implicit uses, then implicit defs, in Info.ImplicitRegs
	SchedClass      uint16
	NumOperands     uint16 // declared operands; more may follow when Variadic
	NumDefs         uint8  // leading operands that are definitions
	Size            uint8  // bytes when fixed, 0 when unknown or none
	NumImplicitUses uint8
	NumImplicitDefs uint8
}

// Has reports whether all flags of f are set.
func (d *InstrDesc) Has(f InstrFlags) bool { return d.Flags&f == f }

// IsPreISel reports a generic opcode that selection must replace.
func (d *InstrDesc) IsPreISel() bool { return d.Flags&PreISelOpcode != 0 }

// IsVariadic reports that operands may follow the declared ones.
func (d *InstrDesc) IsVariadic() bool { return d.Flags&Variadic != 0 }

// IsPseudo reports an opcode without an encoding of its own.
func (d *InstrDesc) IsPseudo() bool { return d.Flags&Pseudo != 0 }

// IsMeta reports an instruction that produces no machine code.
func (d *InstrDesc) IsMeta() bool { return d.Flags&Meta != 0 }

// IsReturn reports a return from the function.
func (d *InstrDesc) IsReturn() bool { return d.Flags&Return != 0 }

// IsCall reports a call.
func (d *InstrDesc) IsCall() bool { return d.Flags&Call != 0 }

// IsBarrier reports that control never reaches the next instruction.
func (d *InstrDesc) IsBarrier() bool { return d.Flags&Barrier != 0 }

// IsTerminator reports an instruction of a block's terminator group.
func (d *InstrDesc) IsTerminator() bool { return d.Flags&Terminator != 0 }

// IsBranch reports any branch: conditional, unconditional or indirect.
func (d *InstrDesc) IsBranch() bool { return d.Flags&Branch != 0 }

// IsIndirectBranch reports a branch through a register or memory.
func (d *InstrDesc) IsIndirectBranch() bool { return d.Flags&IndirectBranch != 0 }

// IsConditionalBranch reports a direct branch that may fall through.
func (d *InstrDesc) IsConditionalBranch() bool {
	return d.Flags&(Branch|Barrier|IndirectBranch) == Branch
}

// IsUnconditionalBranch reports a direct branch that is always taken.
func (d *InstrDesc) IsUnconditionalBranch() bool {
	return d.Flags&(Branch|Barrier|IndirectBranch) == Branch|Barrier
}

// IsCompare reports a comparison.
func (d *InstrDesc) IsCompare() bool { return d.Flags&Compare != 0 }

// IsMoveImm reports a move of an immediate into a register.
func (d *InstrDesc) IsMoveImm() bool { return d.Flags&MoveImm != 0 }

// IsMoveReg reports a register to register move.
func (d *InstrDesc) IsMoveReg() bool { return d.Flags&MoveReg != 0 }

// IsBitcast reports a change of register class that keeps the bits.
func (d *InstrDesc) IsBitcast() bool { return d.Flags&Bitcast != 0 }

// IsSelect reports a select.
func (d *InstrDesc) IsSelect() bool { return d.Flags&Select != 0 }

// HasDelaySlot reports that the next instruction fills a delay slot.
func (d *InstrDesc) HasDelaySlot() bool { return d.Flags&DelaySlot != 0 }

// CanFoldAsLoad reports a simple load that others may take as memory operand.
func (d *InstrDesc) CanFoldAsLoad() bool { return d.Flags&FoldableAsLoad != 0 }

// MayLoad reports that the instruction may read memory.
func (d *InstrDesc) MayLoad() bool { return d.Flags&MayLoad != 0 }

// MayStore reports that the instruction may write memory.
func (d *InstrDesc) MayStore() bool { return d.Flags&MayStore != 0 }

// MayRaiseFPException reports that it may raise a floating-point exception.
func (d *InstrDesc) MayRaiseFPException() bool { return d.Flags&MayRaiseFPException != 0 }

// IsPredicable reports a predicate operand that guards execution.
func (d *InstrDesc) IsPredicable() bool { return d.Flags&Predicable != 0 }

// IsNotDuplicable reports that copies of the instruction are not allowed.
func (d *InstrDesc) IsNotDuplicable() bool { return d.Flags&NotDuplicable != 0 }

// HasUnmodeledSideEffects reports effects that operands and flags do not show.
func (d *InstrDesc) HasUnmodeledSideEffects() bool { return d.Flags&UnmodeledSideEffects != 0 }

// IsCommutable reports that two source operands may be exchanged.
func (d *InstrDesc) IsCommutable() bool { return d.Flags&Commutable != 0 }

// IsConvertibleTo3Addr reports a two-address form with a three-address sister.
func (d *InstrDesc) IsConvertibleTo3Addr() bool { return d.Flags&ConvertibleTo3Addr != 0 }

// UsesCustomInserter reports a pseudo that finalize-isel expands by a hook.
func (d *InstrDesc) UsesCustomInserter() bool { return d.Flags&UsesCustomInserter != 0 }

// HasPostISelHook reports that a hook adjusts the instruction after selection.
func (d *InstrDesc) HasPostISelHook() bool { return d.Flags&HasPostISelHook != 0 }

// IsRematerializable reports that recomputing may replace spilling.
func (d *InstrDesc) IsRematerializable() bool { return d.Flags&Rematerializable != 0 }

// IsAsCheapAsAMove reports a cost no higher than a move's.
func (d *InstrDesc) IsAsCheapAsAMove() bool { return d.Flags&CheapAsAMove != 0 }

// IsConvergent reports that control dependences must not be added.
func (d *InstrDesc) IsConvergent() bool { return d.Flags&Convergent != 0 }

// OperandFlags are properties of a declared operand (LLVM's MCOI flags).
type OperandFlags uint8

// The operand flags, at LLVM's bit positions.
const (
	// LookupClassByHwMode says that RegClass is an index for Info.ClassByMode.
	LookupClassByHwMode OperandFlags = 1 << iota
	PredicateOperand
	OptionalDefOperand
	BranchTargetOperand
)

// OperandType says what an operand is. Values from FirstTargetOperandType on
// belong to the target.
type OperandType uint8

// The target-independent operand types.
const (
	OperandUnknown   OperandType = 0
	OperandImmediate OperandType = 1
	OperandRegister  OperandType = 2
	OperandMemory    OperandType = 3
	OperandPCRel     OperandType = 4
	// OperandGeneric0 to OperandGeneric5 name a generic opcode's type indices.
	OperandGeneric0 OperandType = 6
	OperandGeneric5 OperandType = 11
	// OperandGenericImm0 is an immediate of a generic opcode.
	OperandGenericImm0     OperandType = 12
	FirstTargetOperandType OperandType = 13
)

// OperandInfo describes one declared operand, in 6 bytes; rows are shared by
// all opcodes with the same operand list.
type OperandInfo struct {
	RegClass     ClassID // NoClass when not a register or a generic one
	Flags        OperandFlags
	Type         OperandType
	TiedTo       int8 // index of the operand it must equal, -1 when none
	EarlyClobber bool
}

// IsLookupByHwMode reports that RegClass is an index for Info.ClassByMode.
func (o *OperandInfo) IsLookupByHwMode() bool { return o.Flags&LookupClassByHwMode != 0 }

// IsPredicate reports an operand that is part of the predicate.
func (o *OperandInfo) IsPredicate() bool { return o.Flags&PredicateOperand != 0 }

// IsOptionalDef reports a definition that may be absent (ARM's cc_out).
func (o *OperandInfo) IsOptionalDef() bool { return o.Flags&OptionalDefOperand != 0 }

// IsBranchTarget reports a branch target.
func (o *OperandInfo) IsBranchTarget() bool { return o.Flags&BranchTargetOperand != 0 }

// GenericTypeIndex is the type index of a generic operand, -1 for others.
func (o *OperandInfo) GenericTypeIndex() int {
	if o.Type >= OperandGeneric0 && o.Type <= OperandGeneric5 {
		return int(o.Type - OperandGeneric0)
	}
	return -1
}

// IsGenericImm reports an immediate of a generic opcode.
func (o *OperandInfo) IsGenericImm() bool { return o.Type == OperandGenericImm0 }
