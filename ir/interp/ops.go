package interp

import "github.com/mirin-go/mirin/ir"

type opcode uint16

// The decoded instructions. Widths are kept as a shift: w is 64 minus the
// number of bits. d, a, b are registers unless a comment says otherwise.
const (
	opBad opcode = iota // imm: index of code.bad
	opMov
	opAdd // plain integer operations
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
	opBinF // any other with flags; imm: ir.Op
	opICmpEQ
	opICmpNE
	opICmpUGT
	opICmpUGE
	opICmpULT
	opICmpULE
	opICmpSGT
	opICmpSGE
	opICmpSLT
	opICmpSLE
	opICmpF // samesign; imm: predicate
	// Compare and branch: d and imm's low half are the targets, imm's high half the fuel.
	opBrEQ
	opBrNE
	opBrUGT
	opBrUGE
	opBrULT
	opBrULE
	opBrSGT
	opBrSGE
	opBrSLT
	opBrSLE
	opSelect // a: condition, b, imm: third register; w for undef
	opTrunc
	opZExt
	opSExt  // w: source shift, fl: target shift
	opCastF // trunc, zext with flags; imm: op<<16 | from<<8 | to
	opPtrToInt
	opIntToPtr
	opLoad8 // a: pointer, imm: offset, w: alignment-1
	opLoad16
	opLoad32
	opLoad64
	opLoadPtr
	opLoadVal  // b: index of code.layouts
	opStore8   // a: pointer, b: value
	opStore16  //
	opStore32  //
	opStore64  //
	opStorePtr //
	opStoreVal // d: index of code.layouts
	opGEPc     // d = a + imm; fl
	opGEP1     // d = a + sext(b, w)*imm; fl
	opFAdd64
	opFSub64
	opFMul64
	opFDiv64
	opFAdd32
	opFSub32
	opFMul32
	opFDiv32
	opFMulAdd64 // imm: third register
	opFBin      // fl: fast-math, w: leafKind, imm: ir.Op
	opFNeg      // imm: sign bit; fl
	opFCmp64
	opFCmp // fl: fast-math, w: leafKind, imm: predicate; also of opFCmp64
	opFCast
	opFreeze // imm: count
	opNoundef
	opGen // imm: index of code.gens
	opAlloca
	opJmp     // d: target, imm: fuel
	opCondBr  // a: condition, d, b: targets, imm: fuel
	opSwitch  // a: condition, imm: index of code.switches
	opCall    // imm: index of code.calls
	opRet     // a: value
	opIndirBr // a: address, imm: index of code.indirs
	opUnreachable
)

// inst is one decoded instruction, 24 bytes.
type inst struct {
	op      opcode
	w, fl   uint8
	d, a, b uint32
	imm     uint64
}

// genFn executes what has no instruction of its own.
type genFn func(vm *Interp, regs []reg) error

// code is a decoded function.
type code struct {
	g       *ir.Global
	insts   []inst
	src     []ir.InstrID // of each instruction
	consts  []reg        // copied to the frame's first registers
	nregs   int
	args    uint32 // first register of the arguments
	numArgs uint32 // registers of the arguments
	ret     *layout
	checks  []check // of parameters, slots from args on
	retChk  []check
	byvals  []byval
	gens    []genFn
	layouts []*layout
	calls   []callInfo
	sws     []switchInfo
	allocas []allocaInfo
	indirs  [][]target
	bad     []error
	blockPC []uint32
}

type target struct {
	block ir.BlockID
	pc    uint32
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
	slot, n  uint32
	noundef  bool
	nonnull  bool
	align    uint64
	deref    uint64
	hasRange bool
	lo, hi   uint64
	bits     uint32
	what     string
}

type argMove struct{ src, n uint32 }

type callInfo struct {
	fn      ir.GlobalID // 0: through register callee
	code    *code
	callee  uint32
	args    []argMove
	fixed   int // arguments before the variable ones
	types   []ir.Type
	fnType  ir.Type
	d       uint32
	nret    uint32
	checks  []check
	retChk  []check
	normal  uint32 // invoke: where to go on
	result  ir.Type
	byvalAt []byval
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
	pc      int // of the instruction after the call
	fp      int
	d       uint32 // where the caller wants the result
	nret    uint32
	objMark int
	sp      uint64
	retChk  []check
	va      []vaArg
	fixed   int
}

// vaArg is one variable argument.
type vaArg struct {
	regs  []reg
	ty    ir.Type
	byval *byval
}
