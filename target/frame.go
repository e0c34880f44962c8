package target

import "github.com/mirin-go/mirin/mir"

// FrameHooks is what prologepilog asks of a target.
type FrameHooks struct {
	// StackAlign is log2 of the stack's alignment at calls; StackGrowsUp is false for all supported targets.
	StackAlign uint8
	// LocalAreaOffset is the offset of the local area from the stack pointer on
	// entry (x86-64: -8, below the return address).
	LocalAreaOffset int
	// DetermineCalleeSaves adds to or removes from the set of callee-saved registers to save.
	DetermineCalleeSaves func(st *Subtarget, f *mir.Function, saved map[mir.Reg]bool)
	// AssignCalleeSavedSlots gives the saved registers their slots; false leaves it to the pass.
	AssignCalleeSavedSlots func(st *Subtarget, f *mir.Function, csi []mir.CalleeSavedInfo) bool
	// SpillCalleeSaved and RestoreCalleeSaved emit the saves and restores; false leaves it to the pass.
	SpillCalleeSaved   func(st *Subtarget, f *mir.Function, b mir.BlockID, at mir.InstrID, csi []mir.CalleeSavedInfo) (bool, error)
	RestoreCalleeSaved func(st *Subtarget, f *mir.Function, b mir.BlockID, at mir.InstrID, csi []mir.CalleeSavedInfo) (bool, error)
	EmitPrologue       func(st *Subtarget, f *mir.Function, b mir.BlockID) error
	EmitEpilogue       func(st *Subtarget, f *mir.Function, b mir.BlockID) error
	// EliminateCallFramePseudo replaces ADJCALLSTACKDOWN/UP and returns the next instruction.
	EliminateCallFramePseudo func(st *Subtarget, f *mir.Function, i mir.InstrID) (mir.InstrID, error)
	// EliminateFrameIndex replaces operand op (a frame index) of i by register
	// and offset; spAdj is how far the stack pointer stands below its home.
	EliminateFrameIndex func(st *Subtarget, f *mir.Function, i mir.InstrID, op, spAdj int) error
	// HasFP reports whether the function needs a frame pointer.
	HasFP func(st *Subtarget, f *mir.Function) bool
	// HasReservedCallFrame reports whether the outgoing argument area is part of the frame.
	HasReservedCallFrame func(st *Subtarget, f *mir.Function) bool
	// ProcessBeforeFrameFinalized may add objects (emergency slots).
	ProcessBeforeFrameFinalized func(st *Subtarget, f *mir.Function) error
}
