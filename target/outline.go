package target

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// OutlineHooks is what machine-outliner asks of a target. Sizes are in the units of
// instructions, which all count one.
type OutlineHooks struct {
	// Call and TailCall are the instructions, with the callee as their only explicit
	// operand, that stand for a sequence in the middle of a block and at the end of a
	// function; Return ends the function made of the former.
	Call, TailCall, Return desc.Opcode
	// CallSize, TailCallSize and ReturnSize are what they cost.
	CallSize, TailCallSize, ReturnSize int
	// MayOutline reports whether sequences may be taken out of a function at all.
	MayOutline func(st *Subtarget, f *mir.Function) bool
	// MayMove reports whether an instruction may run in another function, between its
	// call and its return, where nothing of it names the function's own tables.
	MayMove func(st *Subtarget, f *mir.Function, i mir.InstrID) bool
}

// OutlineTuning are the flags of machine-outliner.
type OutlineTuning struct {
	// Reruns is how often it runs again over what it made.
	Reruns int
	// LeafChildren leaves out of a sequence's places those that go on like another one.
	LeafChildren bool
	// Benefit is the least size that is worth a function; 0 is 1.
	Benefit int
	// LinkOnceODR has functions that the linker may merge taken apart, too.
	LinkOnceODR bool
}
