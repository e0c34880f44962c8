// Package outliner makes modules smaller: machine-outliner finds sequences of
// machine instructions that occur two or more times in the module, makes
// functions of those and calls these instead, where that is less code.
//
// The module's instructions are mapped to numbers, equal ones to the same, what
// cannot move to numbers of their own (mapper.go); a suffix tree of these finds
// what repeats; sequences are taken in the order of what they save, each unless one
// before it took its instructions. What targets must say is target.OutlineHooks.
//
// Order and names are those of LLVM's pass. Package outliner imports codegen/pass,
// codegen/liveness, support/suffixtree and below.
package outliner
