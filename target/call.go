package target

import (
	"github.com/mirin-go/mirin/codegen/callconv"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// CallConv is how a subtarget calls: its conventions, which come from .td, and
// the instructions that stand around what they say. The driver of call lowering
// in codegen/globalisel does the rest, the same for all targets: cutting and
// joining of values, stack slots, demoted results, copies by value, jumps
// instead of calls. A function that is nil is not needed, or what it would do
// is refused by name.
//
// Builders stand where the instructions belong: the entry block for formal
// arguments, the call sequence for calls.
type CallConv struct {
	callconv.Conventions

	// Unsupported says what of a convention is not supported by the target, ""
	// for nothing; defines tells functions from calls. nil: the conventions C,
	// fast and cold are.
	Unsupported func(st *Subtarget, cc uint16, varArg, defines bool) string
	// Refuse says why a value cannot go to the place that a convention gave it, "" when it can;
	// defines is Unsupported's.
	Refuse func(st *Subtarget, cc uint16, p callconv.Part, l *callconv.Loc, defines bool) string
	// Sentences says that what Unsupported and Refuse return are sentences of LLVM's (Subtarget.Refusal).
	Sentences bool
	// NoHiddenResult is LLVM's sentence about functions whose results do not fit registers, where
	// these are not stored through a hidden argument; NoHiddenCall about calls of such.
	NoHiddenResult, NoHiddenCall string

	// Return is the instruction that returns, Call and CallReg those that call a
	// symbol and an address in a register of class CallClass. Explicit operands
	// that nothing is said about are zero.
	Return, Call, CallReg desc.Opcode
	CallClass             desc.ClassID
	// BuildCall builds the call instruction, with callee and mask, where Call and
	// CallReg do not serve.
	BuildCall func(st *Subtarget, b *mir.Builder, c *CallInfo, mask mir.Operand) mir.InstrID
	// BeforeCall builds what stands between the arguments in their places and the
	// call, and returns the registers that it sets for the callee.
	BeforeCall func(st *Subtarget, b *mir.Builder, c *CallInfo, s *callconv.State) []mir.Reg

	// CannotJump says why a call in tail position cannot be a jump, "" when
	// BuildJump can build it.
	CannotJump func(st *Subtarget, f *mir.Function, c *CallInfo) string
	// BuildJump's jump takes pop bytes off the stack.
	BuildJump func(st *Subtarget, b *mir.Builder, c *CallInfo, mask mir.Operand, pop int64) mir.InstrID

	// Popped is how many of the bytes of arguments on the stack the callee of a convention
	// takes off when it returns, of a call with args; nil: none.
	Popped func(st *Subtarget, cc uint16, varArg bool, stack int64, args []callconv.Arg) int64
	// TailCalls reports a convention whose calls marked "tail" are jumps at every level, and
	// may have other arguments on the stack than their caller; nil: none is.
	TailCalls func(st *Subtarget, cc uint16) bool
	// MoveReturn moves the return address up by n bytes, before a jump whose callee has that
	// much less on the stack.
	MoveReturn func(st *Subtarget, b *mir.Builder, n int64)

	// StructReturn is the register in which a function of a convention returns the
	// address that it got as an argument marked sret, 0 for none.
	StructReturn func(cc uint16) desc.PhysReg
	// VarArgRegs are the registers of arguments, in the order in which they are
	// taken, of a target whose va_list is the address of the next argument: those
	// that fixed arguments leave are stored right below the stack arguments. Empty,
	// but not nil: variable arguments are on the stack.
	VarArgRegs []desc.PhysReg
	// SaveVarArgs stores the registers that may hold variable arguments where a
	// va_list is more than that; s has the places of the fixed ones.
	SaveVarArgs func(st *Subtarget, b *mir.Builder, s *callconv.State) error
	// CopyLong copies an argument that is passed by value and too long for single
	// loads and stores; it may leave less than a word at the end and returns how
	// many bytes it copied.
	CopyLong func(b *mir.Builder, dst, src mir.Reg, size int64) int64

	// Carrier is the class of the register that a value of a type goes through
	// between a convention's register r (0 for the stack) and generic code,
	// desc.NoClass when a copy joins these; FromCarrier and ToCarrier convert.
	Carrier     func(t mir.LLT, r desc.PhysReg) desc.ClassID
	FromCarrier func(b *mir.Builder, d, carrier mir.Reg)
	ToCarrier   func(b *mir.Builder, carrier, v mir.Reg)
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
	Args   []callconv.Arg
	Ret    callconv.Arg // no parts for void
	VarArg bool
	// NumFixed is the number of arguments before the variable ones.
	NumFixed int
	Tail     bool // tail position marker ("tail"), lowering as a call is always right
	MustTail bool
	// Sibling says that the call may become a jump: it is marked "tail", nothing
	// but the return of its result follows, and optimizing is on.
	Sibling bool
	// AtEnd says that nothing but the return of its result follows, at any level.
	AtEnd    bool
	NoReturn bool
	// StructReturn is set in a function that must return an address of its own
	// (CallConv.StructReturn), which no jump does.
	StructReturn bool
	// Tailed is set by the lowering when it made the call a jump that ends the function.
	Tailed bool
}

// Callee is the operand of a plain direct call: a global or an external symbol
// with target flags; ok is false for a call through a register.
func (c *CallInfo) Callee(f *mir.Function, flags uint16) (o mir.Operand, ok bool) {
	switch {
	case c.Global != 0:
		return mir.IndexOp(mir.OpGlobal, uint32(c.Global), 0, flags), true
	case c.Symbol != "":
		return mir.IndexOp(mir.OpExtSym, f.Symbol(c.Symbol), 0, flags), true
	}
	return mir.Operand{}, false
}
