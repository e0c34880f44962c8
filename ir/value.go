package ir

// Typed ids of the rows of a function body. 0 is none.
type (
	// InstrID names an instruction or argument, and so every local value.
	InstrID uint32
	// BlockID names a basic block; the entry block is 1.
	BlockID uint32
	// ConstID names a constant of a ConstPool.
	ConstID uint32
	// GlobalID names a global variable, function, alias or ifunc of the module.
	GlobalID uint32
	// MDID names a metadata node or string of the module.
	MDID uint32
	// AttrListID names an attribute list (function, result, parameters) of the module.
	AttrListID uint32
)

// Value is anything an operand can be: a tag in the top three bits and an
// index. The zero Value is none.
type Value uint32

// ValueTag is the kind of a Value.
type ValueTag uint8

// The kinds of values. Constants belong to the pool of the function (in
// bodies) or of the module (in initializers); globals are GlobalIDs.
const (
	TagLocal     ValueTag = iota // InstrID
	TagConst                     // ConstID
	TagGlobal                    // GlobalID
	TagBlock                     // BlockID
	TagMetadata                  // MDID: metadata as an operand
	TagInlineAsm                 // index into Module.InlineAsms
	// TagIntrinsic is, as the callee of a call in a body that does not belong to
	// the module, an Intrinsic that the module need not declare; intrin.Declare
	// makes globals of such callees, for printing.
	TagIntrinsic
	// TagLibrary is, as the callee of a call in such a body, a LibFunc that the
	// module need not declare; intrin.Declare makes a global of it too.
	TagLibrary
)

const tagShift = 29

func mkValue(t ValueTag, i uint32) Value { return Value(uint32(t)<<tagShift | i) }

// Tag returns the kind of v.
func (v Value) Tag() ValueTag { return ValueTag(v >> tagShift) }

// Index returns the index of v without its tag.
func (v Value) Index() uint32 { return uint32(v) & (1<<tagShift - 1) }

// Local makes the Value of an instruction or argument.
func Local(i InstrID) Value { return mkValue(TagLocal, uint32(i)) }

// ConstVal makes the Value of a constant.
func ConstVal(c ConstID) Value { return mkValue(TagConst, uint32(c)) }

// GlobalVal makes the Value of a global.
func GlobalVal(g GlobalID) Value { return mkValue(TagGlobal, uint32(g)) }

// BlockVal makes the Value of a block.
func BlockVal(b BlockID) Value { return mkValue(TagBlock, uint32(b)) }

// MDVal makes the Value of a metadata operand.
func MDVal(m MDID) Value { return mkValue(TagMetadata, uint32(m)) }

// AsmVal makes the Value of an inline assembly string.
func AsmVal(i uint32) Value { return mkValue(TagInlineAsm, i) }

// IntrinsicVal makes the Value of an intrinsic as a callee, see TagIntrinsic.
func IntrinsicVal(x Intrinsic) Value { return mkValue(TagIntrinsic, uint32(x)) }

// LibraryVal makes the Value of a function of the C library as a callee, see TagLibrary.
func LibraryVal(x LibFunc) Value { return mkValue(TagLibrary, uint32(x)) }

// IsLocal reports whether v is an instruction or argument.
func (v Value) IsLocal() bool { return v != 0 && v.Tag() == TagLocal }

// Instr returns the instruction of a local value, 0 for others.
func (v Value) Instr() InstrID {
	if v.Tag() != TagLocal {
		return 0
	}
	return InstrID(v)
}

// Const returns the constant of v, 0 for others.
func (v Value) Const() ConstID {
	if v.Tag() != TagConst {
		return 0
	}
	return ConstID(v.Index())
}

// Global returns the global of v, 0 for others.
func (v Value) Global() GlobalID {
	if v.Tag() != TagGlobal {
		return 0
	}
	return GlobalID(v.Index())
}

// Block returns the block of v, 0 for others.
func (v Value) Block() BlockID {
	if v.Tag() != TagBlock {
		return 0
	}
	return BlockID(v.Index())
}

// MD returns the metadata of v, 0 for others.
func (v Value) MD() MDID {
	if v.Tag() != TagMetadata {
		return 0
	}
	return MDID(v.Index())
}

// LibFunc is a function of the C library, or of a profiler, that passes make calls of.
type LibFunc uint8

// The functions.
const (
	LibMemCmp LibFunc = iota + 1
	LibStackChkFail
	LibMcount
	LibDotMcount
	LibUnderMcount
	LibUnderUnderMcount
	LibCygEnterBare
	LibCygEnter
	LibCygExit
)

// Name returns the function's symbol.
func (x LibFunc) Name() string {
	return [...]string{LibMemCmp: "memcmp", LibStackChkFail: "__stack_chk_fail",
		LibMcount: "mcount", LibDotMcount: ".mcount", LibUnderMcount: "_mcount", LibUnderUnderMcount: "__mcount",
		LibCygEnterBare: "__cyg_profile_func_enter_bare", LibCygEnter: "__cyg_profile_func_enter", LibCygExit: "__cyg_profile_func_exit"}[x]
}

// Op is the operation of an instruction or constant expression.
type Op uint8

// The instructions of LLVM IR.
const (
	OpNone Op = iota
	OpArgument
	// Terminators.
	OpRet         // [value]
	OpBr          // dest | cond, iftrue, iffalse
	OpSwitch      // cond, default, (const, dest)*
	OpIndirectBr  // address, dest*
	OpInvoke      // args*, callee, normal, unwind
	OpResume      // value
	OpUnreachable //
	OpCleanupRet  // pad [, dest]
	OpCatchRet    // pad, dest
	OpCatchSwitch // parentpad, (dest*), [unwind]
	OpCallBr      // args*, callee, default, indirect*
	// Unary and binary.
	OpFNeg
	OpAdd
	OpFAdd
	OpSub
	OpFSub
	OpMul
	OpFMul
	OpUDiv
	OpSDiv
	OpFDiv
	OpURem
	OpSRem
	OpFRem
	OpShl
	OpLShr
	OpAShr
	OpAnd
	OpOr
	OpXor
	// Memory.
	OpAlloca // size
	OpLoad   // ptr
	OpStore  // value, ptr
	OpGEP    // base, index*
	OpFence
	OpCmpXchg   // ptr, cmp, new
	OpAtomicRMW // ptr, value
	// Casts.
	OpTrunc
	OpZExt
	OpSExt
	OpFPToUI
	OpFPToSI
	OpUIToFP
	OpSIToFP
	OpFPTrunc
	OpFPExt
	OpPtrToInt
	OpPtrToAddr
	OpIntToPtr
	OpBitCast
	OpAddrSpaceCast
	// Others.
	OpICmp
	OpFCmp
	OpPhi    // (value, block)*
	OpSelect // cond, a, b
	OpCall   // args*, callee
	OpVAArg
	OpExtractElement
	OpInsertElement
	OpShuffleVector // a, b; the mask is in Extra
	OpExtractValue  // agg; indices in Extra
	OpInsertValue   // agg, value; indices in Extra
	OpLandingPad    // clause*
	OpFreeze
	OpCleanupPad // parent, args*
	OpCatchPad   // parent, args*
	NumOps
)

// Flags of an instruction; which of them can occur depends on its Op.
type Flags uint32

// Instruction flags.
const (
	NUW Flags = 1 << iota
	NSW
	Exact
	Disjoint
	NNeg
	SameSign
	InBounds
	NUSW
	// Fast-math flags, in LLVM's order of printing.
	Reassoc
	NoNaNs
	NoInfs
	NoSignedZeros
	AllowReciprocal
	Contract
	ApproxFunc
	Volatile
	Weak // cmpxchg
	Cleanup
	InAlloca
	SwiftError
	TailCall
	MustTail
	NoTail
	HasInRange // gep: Extra holds the range
	// SplatGEP etc. are added above.
)

// FastMath is the set of all fast-math flags (printed as "fast" when complete).
const FastMath = Reassoc | NoNaNs | NoInfs | NoSignedZeros | AllowReciprocal | Contract | ApproxFunc

// Pred is the predicate of icmp and fcmp, with LLVM's numbers.
type Pred uint8

// The predicates.
const (
	FCmpFalse Pred = iota
	FCmpOEQ
	FCmpOGT
	FCmpOGE
	FCmpOLT
	FCmpOLE
	FCmpONE
	FCmpORD
	FCmpUNO
	FCmpUEQ
	FCmpUGT
	FCmpUGE
	FCmpULT
	FCmpULE
	FCmpUNE
	FCmpTrue
	ICmpEQ Pred = iota + 16
	ICmpNE
	ICmpUGT
	ICmpUGE
	ICmpULT
	ICmpULE
	ICmpSGT
	ICmpSGE
	ICmpSLT
	ICmpSLE
)

// The bits of a predicate of floating-point numbers say when it holds.
const (
	predGreater = 2
	predLess    = 4
	predAlways  = 15
)

// Inverse is the predicate that holds when p does not.
func (p Pred) Inverse() Pred {
	switch p {
	case ICmpEQ:
		return ICmpNE
	case ICmpNE:
		return ICmpEQ
	case ICmpUGT:
		return ICmpULE
	case ICmpUGE:
		return ICmpULT
	case ICmpULT:
		return ICmpUGE
	case ICmpULE:
		return ICmpUGT
	case ICmpSGT:
		return ICmpSLE
	case ICmpSGE:
		return ICmpSLT
	case ICmpSLT:
		return ICmpSGE
	case ICmpSLE:
		return ICmpSGT
	}
	return p ^ predAlways
}

// Swapped is the predicate that says of b and a what p says of a and b.
func (p Pred) Swapped() Pred {
	switch p {
	case ICmpEQ, ICmpNE:
		return p
	case ICmpUGT:
		return ICmpULT
	case ICmpUGE:
		return ICmpULE
	case ICmpULT:
		return ICmpUGT
	case ICmpULE:
		return ICmpUGE
	case ICmpSGT:
		return ICmpSLT
	case ICmpSGE:
		return ICmpSLE
	case ICmpSLT:
		return ICmpSGT
	case ICmpSLE:
		return ICmpSGE
	}
	return p&^(predGreater|predLess) | p&predGreater<<1 | p&predLess>>1
}

// Ordering is an atomic memory ordering.
type Ordering uint8

// The orderings, LLVM's numbers.
const (
	NotAtomic Ordering = 0
	Unordered Ordering = 1
	Monotonic Ordering = 2
	Acquire   Ordering = 4
	Release   Ordering = 5
	AcqRel    Ordering = 6
	SeqCst    Ordering = 7
)

// RMWOp is the operation of atomicrmw.
type RMWOp uint8

// The operations of atomicrmw, LLVM's order.
const (
	RMWXchg RMWOp = iota
	RMWAdd
	RMWSub
	RMWAnd
	RMWNand
	RMWOr
	RMWXor
	RMWMax
	RMWMin
	RMWUMax
	RMWUMin
	RMWFAdd
	RMWFSub
	RMWFMax
	RMWFMin
	RMWUIncWrap
	RMWUDecWrap
	RMWUSubCond
	RMWUSubSat
	RMWFMaximum
	RMWFMinimum
)
