package target

import (
	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/codegen/regbank"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// ISelHooks is what instruction selection (codegen/globalisel) asks of a target.
type ISelHooks struct {
	// NativeRMW reports whether the target has an instruction for an atomicrmw;
	// others become loops around a compare-and-exchange. used says whether the
	// old value is read. nil: none.
	NativeRMW func(st *Subtarget, op ir.RMWOp, t mir.LLT, used bool) bool
	// MaxAtomicBits is the widest atomic access in bits; nil: no atomics.
	MaxAtomicBits func(st *Subtarget) int
	// MaxAtomicMove is the widest atomic load or store that is an instruction, where wider
	// ones are there as compare-and-exchange alone; 0: they are not.
	MaxAtomicMove int
	// PrefFuncAlign is log2 of the alignment of functions whose size does not count.
	PrefFuncAlign uint8
	// ShiftAdd is by how much an addition shifts one of its operands to the left at
	// no cost, at most; 0: not at all. Multiplications by constants become such additions.
	ShiftAdd uint8
	// BlockMove moves more at a time than a register for integers holds, where
	// memory is copied or cleared; nil: nothing does.
	BlockMove *BlockMove
	// DividesByConstants says that a division by a constant had better stay one.
	DividesByConstants bool
	// JumpsAreCheap says that a branch on several conditions had better be several branches.
	JumpsAreCheap bool
	// ConstantsInOrder says that constants and addresses that one instruction reads are made
	// in the order of its operands, those of stack objects first, as LLVM's SelectionDAG has them.
	ConstantsInOrder bool
	// MinJumpTableEntries is from how many ranges of cases on a switch jumps through a table, 0:
	// never; nil: from 4 on.
	MinJumpTableEntries func(st *Subtarget) int
	// JumpTableKind is the encoding of jump tables; nil: addresses of blocks.
	JumpTableKind func(st *Subtarget) mir.JumpTableKind

	// ExceptionRegs are the registers in which a landing pad finds the exception
	// and the number of the clause that caught it; nil: no exceptions.
	ExceptionRegs func(st *Subtarget) (exception, selector desc.PhysReg)
	// StackGuard builds what reads the word of stack protectors and returns the register
	// that has it, 0 where the system's is not known; nil: there are no stack protectors.
	StackGuard func(st *Subtarget, b *mir.Builder) mir.Reg
	// InlineAsm is what constraints mean; nil: no inline assembly.
	InlineAsm *AsmHooks

	// HasFloat reports the kinds of floating point beside float and double that are
	// lowered; nil: none.
	HasFloat func(st *Subtarget, k ir.TypeKind) bool
	// QuadSuffix is what functions of the C library on fp128 have behind their names; nil: "l".
	QuadSuffix func(st *Subtarget) string

	// Prepare is what passes over IR ask about instructions that are yet to be selected.
	Prepare PrepareHooks

	// Legalize replaces or changes instruction i, about which the rules say Custom; nil when they never do.
	Legalize func(h Legalizer, i mir.InstrID) error
	// Refuse is LLVM's sentence about instruction i, which nothing makes legal; "": there is none.
	Refuse func(st *Subtarget, f *mir.Function, i mir.InstrID) string
	// NoLibrary says that no functions stand for instructions that are not there: that they
	// would be called is an error.
	NoLibrary bool
	// LegalizeIntrinsic legalizes G_INTRINSIC and its relatives; true when it did,
	// false for those that stay. Without it all stay.
	LegalizeIntrinsic func(h Legalizer, i mir.InstrID, x ir.Intrinsic) (bool, error)
	// SignalNaN builds what raises the exception for invalid operands where x or y, scalars
	// of one legal type, is no number, and does nothing else. Without it comparisons that
	// do are refused.
	SignalNaN func(b *mir.Builder, x, y mir.Reg)
	// Banks gives the register banks and the mappings of opcodes to them.
	Banks func(st *Subtarget) *regbank.Table
	// Selector gives what selects instructions.
	Selector func(st *Subtarget) (Selector, error)
}

// AddressMode is an address that a memory instruction computes by itself: a
// global's, or a base's, plus scale times an index plus an offset.
type AddressMode struct {
	Global *ir.Global // nil: none
	Base   bool
	Scale  int64 // 0: no index
	Offset int64
}

// PrepareHooks is what passes over IR (codegen/irprep) ask of a target.
type PrepareHooks struct {
	// LegalAddress reports whether loads and stores can have an address; nil: a base alone.
	LegalAddress func(st *Subtarget, a AddressMode) bool
	// SlowDivide lists the widths of divisions that take much longer than narrower ones.
	SlowDivide []SlowDivide
	// BranchesPredict says that a branch that is guessed right costs less than a
	// select that waits for its condition.
	BranchesPredict bool
	// FastSqrt says that square roots of float and double are instructions.
	FastSqrt bool
	// Compare is how memory is compared in place.
	Compare MemoryCompare
	// ImmCost is what an integer constant costs at its use, in instructions: 0 where
	// the user takes it in, 1 where a short instruction makes it, more where it had
	// better be made once; nil: constants stay where they are.
	ImmCost func(u ImmediateUse) int
	// AddImmBits is how many bits, with their sign, the constant of an addition has; 0: none.
	AddImmBits int
	// Loops is what decides between ways to count in a loop.
	Loops LoopCosts
	// Masked reports masked accesses (llvm.masked.load and its kin) of vectors of a type
	// that the target selects; others become branches around single elements. nil: none.
	Masked func(st *Subtarget, types *ir.Types, x ir.Intrinsic, vec ir.Type) bool
}

// ImmediateUse is an operand of an IR instruction that is an integer constant of up to 64 bits.
type ImmediateUse struct {
	Op      ir.Op
	Operand int
	Value   int64
	Bits    int
}

// LoopCosts is what loop-reduce weighs.
type LoopCosts struct {
	// Registers is how many registers values in a loop can have.
	Registers int
	// InstrsFirst says that fewer instructions in a loop matter more than fewer registers.
	InstrsFirst bool
	// KeepsCounters says that loops which count numbers to their end go on doing so and do
	// not compare pointers: who reads the code follows values of numbers alone.
	KeepsCounters bool
}

// MemoryCompare says how memcmp and bcmp of a few bytes are loads instead of calls.
type MemoryCompare struct {
	// Sizes are the bytes that a load has, the most first; none: memory is not compared in place.
	Sizes []int
	// MaxLoads is how many pairs of loads there may be where only equality is
	// asked, MaxOrdered where order is.
	MaxLoads, MaxOrdered int
	// PerBlock is how many pairs are compared at once where only equality is asked.
	PerBlock int
}

// SlowDivide says that, on processors with a feature, a division of some bits
// had better be one of fewer bits where the operands fit.
type SlowDivide struct {
	Feature     string
	Bits, Short int
}

// LegalAddress answers PrepareHooks.LegalAddress.
func (st *Subtarget) LegalAddress(a AddressMode) bool {
	if h := st.Target.ISel.Prepare.LegalAddress; h != nil {
		return h(st, a)
	}
	return a.Global == nil && a.Base && a.Scale == 0 && a.Offset == 0
}

// BlockMove has the target's instructions for a block of 16 bytes at any address.
// They go through registers that functions marked noimplicitfloat do not touch.
type BlockMove struct {
	// Load reads the block at p + off, Store writes it, Clear makes one of zeros.
	Load  func(st *Subtarget, b *mir.Builder, p mir.Reg, off int64, m mir.MemOperand) mir.Reg
	Store func(st *Subtarget, b *mir.Builder, v, p mir.Reg, off int64, m mir.MemOperand)
	Clear func(b *mir.Builder) mir.Reg
}

// Selector replaces generic instructions by the target's. codegen/globalisel has
// one over a match table.
type Selector interface {
	// Select selects the instructions of f: blocks in the order given, in which
	// users come before what they use, and each from its end. It returns how many
	// instructions patterns selected. Several functions are selected at a time.
	Select(st *Subtarget, f *mir.Function, opt OptLevel, order []mir.BlockID) (selected int64, err error)
}

// Legalizer is the legalizer as a target's own actions see it.
type Legalizer interface {
	Subtarget() *Subtarget
	// Emit builds before the instruction that is being legalized; what it makes is legalized too.
	Emit() *mir.Builder
	// Erase erases an instruction that has been replaced.
	Erase(i mir.InstrID)
	// ReplaceWith erases i and makes the users of its definition n use r.
	ReplaceWith(i mir.InstrID, n int, r mir.Reg)
	// Changed says that i was changed in place and is to be looked at again.
	Changed(i mir.InstrID)
	// MemTransfer makes loads and stores, or a call, of a memcpy, memmove or memset.
	MemTransfer(i mir.InstrID) error
	// Unable is the error for an instruction that nothing makes legal.
	Unable(i mir.InstrID) error
	// Act does to an instruction what a rule may say.
	Act(i mir.InstrID, d legal.Decision) error
	// IsMask reports a value of which each element is known to be all ones or all zeros.
	IsMask(r mir.Reg) bool
}

// NativeRMW answers ISelHooks.NativeRMW.
func (st *Subtarget) NativeRMW(op ir.RMWOp, t mir.LLT, used bool) bool {
	h := st.Target.ISel.NativeRMW
	return h != nil && h(st, op, t, used)
}

// MaxAtomicBits answers ISelHooks.MaxAtomicBits.
func (st *Subtarget) MaxAtomicBits() int {
	if h := st.Target.ISel.MaxAtomicBits; h != nil {
		return h(st)
	}
	return 0
}

// MinJumpTableEntries answers ISelHooks.MinJumpTableEntries.
func (st *Subtarget) MinJumpTableEntries() int {
	if h := st.Target.ISel.MinJumpTableEntries; h != nil {
		return h(st)
	}
	return 4
}

// JumpTableKind answers ISelHooks.JumpTableKind.
func (st *Subtarget) JumpTableKind() mir.JumpTableKind {
	if h := st.Target.ISel.JumpTableKind; h != nil {
		return h(st)
	}
	return mir.JTBlockAddress
}
