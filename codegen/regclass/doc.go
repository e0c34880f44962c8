// Package regclass says what a function may allocate: the registers of each
// class in the order in which allocators try them, without those that are
// reserved, and how much of each kind of register pressure is too much.
// It is LLVM's RegisterClassInfo.
//
// Info is an analysis of codegen/pass; allocators, the coalescer and passes
// that watch register pressure ask it. Orders are found when a class is first
// asked for, and kept from function to function while the reserved and the
// callee-saved registers are the same.
//
// The package imports codegen/pass and below.
package regclass
