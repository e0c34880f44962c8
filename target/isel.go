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
	// LowerFormalArguments emits, at the builder's point in the entry block, what
	// brings the arguments into the registers of args, one entry per argument.
	LowerFormalArguments func(st *Subtarget, b *mir.Builder, args []CallArg) error
	// LowerReturn emits the return of ret, which has no parts for void.
	LowerReturn func(st *Subtarget, b *mir.Builder, ret *CallArg) error
	// LowerCall emits a call.
	LowerCall func(st *Subtarget, b *mir.Builder, c *CallInfo) error
	// CanLowerReturn reports whether a result of these parts fits registers; if
	// not, the result goes through memory that a hidden first argument (with
	// the attribute sret) points to, and hooks see no result.
	CanLowerReturn func(st *Subtarget, parts []Part, cc uint16) bool
	// NativeRMW reports whether the target has an instruction for an atomicrmw;
	// others become loops around a compare-and-exchange. used says whether the
	// old value is read.
	NativeRMW func(st *Subtarget, op ir.RMWOp, t mir.LLT, used bool) bool
	// MaxAtomicBits is the widest atomic access in bits.
	MaxAtomicBits func(st *Subtarget) int
	// JumpTableKind is the encoding of jump tables.
	JumpTableKind func(st *Subtarget) mir.JumpTableKind

	// ExceptionRegs are the registers in which a landing pad finds the exception
	// and the number of the clause that caught it; nil: no exceptions.
	ExceptionRegs func(st *Subtarget) (exception, selector desc.PhysReg)
	// InlineAsm is what constraints mean; nil: no inline assembly.
	InlineAsm *AsmHooks

	// Legal gives the legalization rules of a subtarget.
	Legal func(st *Subtarget) *legal.Table
	// Legalize replaces or changes instruction i, about which the rules say Custom; nil when they never do.
	Legalize func(h Legalizer, i mir.InstrID) error
	// LegalizeIntrinsic legalizes G_INTRINSIC and its relatives; true when it did,
	// false for those that stay. Without it all stay.
	LegalizeIntrinsic func(h Legalizer, i mir.InstrID, name string) (bool, error)
	// Banks gives the register banks and the mappings of opcodes to them.
	Banks func(st *Subtarget) *regbank.Table
	// Selector holds the match table and the hooks that patterns name (of codegen/globalisel).
	Selector func(st *Subtarget) any
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
}

// Part is one register's worth of a value before the calling convention splits
// it further: a scalar leaf of an IR type and where it lies in it.
type Part struct {
	Type   ir.Type // a type without parts: integer, float, pointer, vector
	LLT    mir.LLT
	Offset int64 // bytes
}

// CallInfo describes one call to lower.
type CallInfo struct {
	// IR is the call site in the IR function, 0 for library calls.
	IR ir.InstrID
	CC uint16
	// Callee: a global, an external symbol, or a register.
	Global ir.GlobalID
	Symbol string
	Reg    mir.Reg
	Args   []CallArg
	Ret    CallArg // no parts for void
	VarArg bool
	// NumFixed is the number of arguments before the variable ones.
	NumFixed int
	Tail     bool // tail position marker ("tail"), lowering as a call is always right
	MustTail bool
	// Sibling says that the call may become a jump: it is marked "tail", nothing
	// but the return of its result follows, and optimizing is on. The target decides.
	Sibling  bool
	NoReturn bool
	// Tailed is set by LowerCall when it made the call a jump that ends the function.
	Tailed bool
}

// CallArg is one argument or the result of a call or function.
type CallArg struct {
	Type  ir.Type
	Attrs ir.AttrSet
	Parts []Part
	Regs  []mir.Reg // one per part
	Value ir.Value  // the IR value, 0 for library calls
}
