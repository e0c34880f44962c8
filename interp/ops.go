package interp

import "github.com/mirin-go/mirin/ir"

type opcode uint16

// The decoded instructions. Widths are kept as a shift: w is 64 minus the
// number of bits. d, a, b, c are registers unless a comment says otherwise.
const (
	opBad opcode = iota // imm: index of code.bad
	opMov
	opMovN // k registers
	opAdd  // plain integer operations
	opSub
	opMul
	opAnd
	opOr
	opXor
	opShl
	opLShr
	opAShr
	opUDiv
	opSDiv
	opURem
	opSRem
	opAddF // with nsw, nuw
	opSubF
	opMulF
	opOrF   // disjoint
	opShlF  // nsw, nuw
	opLShrF // exact
	opAShrF
	opBinF // any other with flags; imm: ir.Op
	// With the constant imm in place of b; the amounts of shifts are in range.
	opAddI
	opMulI
	opAndI
	opShlI
	opLShrI
	opAShrI
	opAddFI
	opICmpEQ
	opICmpNE
	opICmpULT
	opICmpULE
	opICmpSLT
	opICmpSLE
	opICmpF // any predicate, samesign; imm: predicate
	// Compare and branch: k and imm's low half are the targets, imm's high half the fuel.
	opBrEQ
	opBrULT
	opBrSLT
	// Compare with the constant imm and branch: k and d + c<<16 are the targets,
	// b the fuel. In the signed ones imm is shifted up by w.
	opBrEQI
	opBrULTI
	opBrUGTI
	opBrSLTI
	opBrSGTI
	opSelect // a: condition, b, c; w for undef
	opTrunc
	opZExt
	opSExt   // w: source shift, fl: target shift
	opZExtF  // nneg; w: source shift
	opTruncF // nsw, nuw; w: target shift, k: source shift
	opPtrToInt
	opIntToPtr
	opLoad8 // a: pointer, imm: offset, fl: alignment-1
	opLoad16
	opLoad32
	opLoad64
	opLoadPtr
	opLoadVal // k: index of code.layouts
	opStore8  // a: pointer, b: value, imm: offset, fl: alignment-1
	opStore16
	opStore32
	opStore64
	opStorePtr
	opStoreVal // k: index of code.layouts
	// The same at a + sext(c, w)*k + imm.
	opLoad8X
	opLoad16X
	opLoad32X
	opLoad64X
	opLoadPtrX
	opStore8X
	opStore16X
	opStore32X
	opStore64X
	opStorePtrX
	opGEPc // d = a + imm; fl
	opGEP1 // d = a + sext(b, w)*k + imm; fl
	opFAdd64
	opFSub64
	opFMul64
	opFDiv64
	opFAdd32
	opFSub32
	opFMul32
	opFDiv32
	opFMulAdd64 // c: third register
	opFMulAdd32
	opFBin   // fl: fast-math, w: leafKind, imm: ir.Op
	opFNeg   // imm: sign bit; fl
	opFCmp64 // w: predicate
	opFCmp32
	opBrF64    // compare and branch; w: predicate, k and imm as of opBrEQ
	opFCmp     // fl: fast-math, w: leafKind, imm: predicate
	opSIToFP64 // w: source shift
	opUIToFP64 // w: source shift, fl: nneg
	opFPToSI64 // w: target shift
	opFPExt
	opFPTrunc
	opFCast  // imm: op<<32 | from<<24 | to<<16 | fromBits<<8 | toBits; fl
	opFreeze // imm: count
	opNoundef
	opGen // imm: index of code.gens
	opAlloca
	opJmp     // k: target, imm: fuel
	opCondBr  // a: condition, k and imm as of opBrEQ
	opSwitch  // a: condition, imm: index of code.sws, k: 1 for a dense one
	opCall    // imm: index of code.calls
	opRet     // a: value, imm: fuel
	opIndirBr // a: address, imm: index of code.indirs, k: fuel
	opUnreachable
)

// proto is an instruction while its function is decoded: registers are not
// final, and may have any number.
type proto struct {
	op         opcode
	w, fl      uint8
	d, a, b, c uint32
	k          uint32
	imm        uint64
}

// inst is one decoded instruction, 24 bytes.
type inst struct {
	op         opcode
	w, fl      uint8
	d, a, b, c uint16
	k          uint32
	imm        uint64
}

// frameRegs is the number of registers that an instruction can name. The loop
// looks at a frame as at an array of this length, so that no index of 16 bits needs a check.
const frameRegs = 1 << 16

// genFn executes what has no instruction of its own.
type genFn func(vm *Interp, regs []reg) error

// code is a decoded function.
type code struct {
	g       *ir.Global
	protos  []proto // until they are linked
	insts   []inst
	src     []ir.InstrID // of each instruction
	consts  []reg        // copied to the frame's first registers
	nregs   int
	args    uint32 // first register of the arguments
	numArgs uint32 // registers of the arguments
	ret     *layout
	noundef []uint32 // parameters that are noundef and nothing else, slots from args on
	checks  []check  // of other parameters, slots from args on
	retChk  []check
	byvals  []byval
	gens    []genFn
	layouts []*layout
	calls   []callInfo
	allocas []allocaInfo
	indirs  [][]uint32 // by block: the instruction it starts with, plus 1; 0 is no destination
	bad     []error
	blockPC []uint32
}

type allocaInfo struct {
	size, align uint64
	countW      uint32 // width of the count, 0: constant, in size already
	dead        bool
}

// byval is a parameter that gets a copy of what the argument points to.
type byval struct {
	slot        uint32
	size, align uint64
}

// check is what an attribute says about a value.
type check struct {
	slot, n uint32
	noundef bool
	nonnull bool
	// onlyNoundef: noundef of a value in one register, and nothing else.
	onlyNoundef bool
	align       uint64
	deref       uint64
	hasRange    bool
	lo, hi      uint64
	bits        uint32
	what        string
}

type argMove struct{ src, n uint32 }

// callInfo is a call site. callee, args, checks and d are registers.
type callInfo struct {
	fn     ir.GlobalID // 0: through register callee
	code   *code       // of fn, once it is decoded
	callee uint32
	// What an indirect call called last, through which pointer. Functions do not end.
	last     reg
	lastCode *code
	args     []argMove
	fixed    int // arguments before the variable ones
	types    []ir.Type
	fnType   ir.Type
	d        uint32 // where the result goes
	nret     uint32
	checks   []check
	retChk   []check
	result   ir.Type
	byvalAt  []byval
	simple   bool // all arguments take one register each, and none is variable
}

type switchInfo struct {
	def     uint32
	w       uint32
	vals    []uint64 // sorted, when not dense
	pcs     []uint32
	dense   []uint32 // by value - lo
	lo      uint64
	fuel    int64
	wide    []wideCase
	nw      uint32
	isDense bool
}

type wideCase struct {
	words []uint64
	pc    uint32
}

// frame is one active call.
type frame struct {
	c       *code
	ci      *callInfo // the call site, nil for calls from outside
	pc      int       // of the next instruction
	fp      int       // first register in Interp.stack
	objMark int
	used    uint64 // of the stack before the call
	va      []vaArg
}

// vaArg is one variable argument.
type vaArg struct {
	regs  []reg
	ty    ir.Type
	byval *byval
}
