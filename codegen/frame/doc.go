// Package frame lays out stack frames: prologepilog decides which callee-saved
// registers are saved, gives every stack object its offset, lets the target
// write prologue and epilogue, and replaces frame indices by addresses.
//
// cfi-instr-inserter repeats call frame information behind epilogues.
//
// Offsets of frame objects count from the stack pointer before the call that
// entered the function (the CFA), as LLVM's do: an x86-64 return address
// stands at -8.
//
// The package imports codegen/pass and below; how a frame looks in
// instructions is the target's business (target.FrameHooks).
package frame
