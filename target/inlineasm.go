package target

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// AsmHooks say what a target's constraint codes of inline assembly mean. A code
// is a letter, several letters, or a register in braces; see ir.AsmConstraint.List.
// The codes that mean the same everywhere (r, m, i, n, X, …) come here too.
type AsmHooks struct {
	// Register tells where a value of type t (float: of floating point) goes
	// under a constraint: any register of a class, or the one register reg when it
	// is not 0. ok is false when the code is none of registers or the type does not fit.
	Register func(st *Subtarget, code string, t mir.LLT, float bool) (class desc.ClassID, reg desc.PhysReg, ok bool)
	// Format is the type that a value of type t has in registers of a class, where these
	// hold no other: a wider floating-point format, or the bits of an integer as a vector.
	// Without it every type is its own.
	Format func(class desc.ClassID, t mir.LLT) mir.LLT
	// Immediate reports whether a constant may stand for a constraint.
	Immediate func(st *Subtarget, code string, v int64) bool
	// Symbol reports whether the address of a global may stand for it.
	Symbol func(st *Subtarget, code string) bool
	// Memory gives the number of a memory constraint in mir.AsmMemConstraints.
	Memory func(code string) (n int, ok bool)
	// Address appends the machine operands of the memory that p points to.
	Address func(ops []mir.Operand, p mir.Reg) []mir.Operand
	// Flag handles outputs that are conditions ("{@cce}"): reg is what the
	// assembly leaves, and read builds an instruction that gives 1 or 0, as a register of class class.
	Flag func(st *Subtarget, code string) (reg desc.PhysReg, class desc.ClassID, read func(b *mir.Builder, dst mir.Reg), ok bool)
	// Clobber finds the register of "~{name}"; ok without a register is a name without one (memory, cc).
	Clobber func(st *Subtarget, name string) (reg desc.PhysReg, ok bool)
}
