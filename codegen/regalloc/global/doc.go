// Package global allocates registers over whole functions: the allocators greedy,
// basic and pbqp, and what carries their decisions out.
//
// An allocator (Greedy, Basic, PBQP) asks codegen/liveness where registers live, and
// codegen/regclass which registers there are. What it decides of each virtual
// register is kept in the VirtRegMap, which VirtRegRewriter carries out;
// StackSlotColoring has spilled registers share slots,
// LiveDebugVariables follows debug values through all that. On the
// way it changes the code: the spiller moves registers to stack slots or computes
// values again, the splitEditor makes several registers of one, where EdgeBundles
// and the spillPlacement say that this pays. Both keep the live intervals true.
//
// The package imports codegen/liveness, codegen/regclass, codegen/regalloc/check,
// codegen/pass and below.
package global
