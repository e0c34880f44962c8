package target

import (
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

	// Legalizer holds the legalization rules of a subtarget (a *globalisel.LegalizerInfo).
	Legalizer func(st *Subtarget) any
	// RegBanks chooses register banks (a hook struct of codegen/globalisel).
	RegBanks func(st *Subtarget) any
	// Selector holds the match table and the hooks that patterns name (of codegen/globalisel).
	Selector func(st *Subtarget) any
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
