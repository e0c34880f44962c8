// Package frame lays out stack frames: prologepilog decides which callee-saved
// registers are saved (calleesaves.go), gives every stack object its offset
// (layout.go), has prologue and epilogue written, and replaces the pseudo
// instructions around calls and frame indices by what they mean.
//
// shrink-wrap chooses the blocks in which the frame is entered and left,
// fixup-statepoint-caller-saved brings what statepoints keep in registers that calls
// clobber into the frame, cfi-instr-inserter repeats call frame information behind
// epilogues.
//
// Offsets of frame objects count from the stack pointer before the call that
// entered the function (the CFA), as LLVM's do: an x86-64 return address
// stands at -8.
//
// All of this follows from data: the facts about the stack (desc.VariantDesc),
// the conventions' lists of registers, and target.FrameHooks, whose functions only
// emit. The package imports codegen/pass and below.
package frame
