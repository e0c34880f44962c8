package target

import "github.com/mirin-go/mirin/mir"

// InstrHooks is what the machine passes ask about a target's instructions.
type InstrHooks struct {
	// CopyPhysReg inserts a copy of physical registers before at in block b.
	CopyPhysReg func(st *Subtarget, f *mir.Function, b mir.BlockID, at mir.InstrID, loc mir.DebugLoc, dst, src mir.Reg, killSrc bool) error
	// StoreRegToStack and LoadRegFromStack spill and reload a register of a class.
	StoreRegToStack  func(st *Subtarget, f *mir.Function, b mir.BlockID, at mir.InstrID, src mir.Reg, kill bool, fi int, class int16, flags mir.MIFlags) error
	LoadRegFromStack func(st *Subtarget, f *mir.Function, b mir.BlockID, at mir.InstrID, dst mir.Reg, fi int, class int16, flags mir.MIFlags) error

	// AnalyzeBranch understands the terminators of b. ok is false when it cannot.
	// True is the taken destination (0: none, falls through), False the other
	// one of a conditional branch (0: falls through), Cond the condition operands.
	AnalyzeBranch func(st *Subtarget, f *mir.Function, b mir.BlockID) (br Branch, ok bool)
	// RemoveBranch removes the branches at the end of b; InsertBranch adds them.
	RemoveBranch func(st *Subtarget, f *mir.Function, b mir.BlockID) int
	InsertBranch func(st *Subtarget, f *mir.Function, b mir.BlockID, br Branch, loc mir.DebugLoc) int
	// ReverseCond inverts a condition in place; false when that cannot be done.
	ReverseCond func(st *Subtarget, cond []mir.Operand) bool

	// ExpandPostRAPseudo expands pseudo i after register allocation and reports
	// whether it did.
	ExpandPostRAPseudo func(st *Subtarget, f *mir.Function, i mir.InstrID) (bool, error)
	// InsertCustom expands an instruction with UsesCustomInserter in finalize-isel
	// and returns the block in which to go on.
	InsertCustom func(st *Subtarget, f *mir.Function, i mir.InstrID) (mir.BlockID, error)
	// CommutableOps finds two operands of i that may be exchanged; -1 asks for any.
	CommutableOps func(st *Subtarget, f *mir.Function, i mir.InstrID, a, b int) (int, int, bool)
	// Commute exchanges operands a and b of i in place (opcode may change); false when it cannot.
	Commute func(st *Subtarget, f *mir.Function, i mir.InstrID, a, b int) bool
	// ConvertToThreeAddress replaces i by a three-address form and returns it, 0 when it cannot.
	ConvertToThreeAddress func(st *Subtarget, f *mir.Function, i mir.InstrID) mir.InstrID
	// IsTrivialDead etc. are in desc; ReservedRegs marks registers that allocation must not use.
	ReservedRegs func(st *Subtarget, f *mir.Function) []mir.Reg
	// CalleeSaved lists the registers that f must preserve, in the target's order of saving.
	CalleeSaved func(st *Subtarget, f *mir.Function) []mir.Reg
	// CallPreservedMask returns the mask of registers that a call of a convention preserves.
	CallPreservedMask func(st *Subtarget, f *mir.Function, cc uint16) []uint32
	// AllocationOrder returns the members of a class in the order in which the
	// allocator should try them, nil for the facts' order.
	AllocationOrder func(st *Subtarget, f *mir.Function, class int16) []mir.Reg
}

// Branch is a block's end: see InstrHooks.AnalyzeBranch.
type Branch struct {
	True, False mir.BlockID
	Cond        []mir.Operand
}
