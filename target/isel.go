package target

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// ISelHooks is what instruction selection (codegen/globalisel) asks of a target.
type ISelHooks struct {
	// LowerFormalArguments emits, at the builder's point in the entry block, what
	// brings the arguments into the given registers (one list per IR argument,
	// one register per split value of it).
	LowerFormalArguments func(st *Subtarget, b *mir.Builder, args [][]mir.Reg) error
	// LowerReturn emits the return of the split values in regs (none for void).
	LowerReturn func(st *Subtarget, b *mir.Builder, ret ir.InstrID, regs []mir.Reg) error
	// LowerCall emits a call.
	LowerCall func(st *Subtarget, b *mir.Builder, c *CallInfo) error
	// CanLowerReturn reports whether the function's result fits registers; if
	// not, the caller passes a hidden pointer (sret demotion).
	CanLowerReturn func(st *Subtarget, f *mir.Function, ret ir.Type, cc uint16) bool

	// Legalizer holds the legalization rules of a subtarget (a *legalizer.Info of codegen/globalisel).
	Legalizer func(st *Subtarget) any
	// RegBanks chooses register banks (a hook struct of codegen/globalisel).
	RegBanks func(st *Subtarget) any
	// Selector holds the match table and the hooks that patterns name (of codegen/globalisel).
	Selector func(st *Subtarget) any
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
	Ret    CallArg // Ret.Type is ir.Void for none
	VarArg bool
	// NumFixed is the number of arguments before the variable ones.
	NumFixed int
	Tail     bool // tail position marker ("tail"), lowering as a call is always right
	MustTail bool
	NoReturn bool
}

// CallArg is one argument or the result of a call.
type CallArg struct {
	Type  ir.Type
	Attrs ir.AttrSet
	Regs  []mir.Reg // one per split value
	Value ir.Value  // the IR value, 0 for library calls
}
