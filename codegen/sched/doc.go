// Package sched orders the instructions of blocks before and after allocation.
//
// A region is a run of instructions of a block between two that nothing may pass
// (calls, labels, terminators, what moves the stack pointer). Its graph has a node
// for each instruction and an edge for each reason why one stands before another:
// a value, a register that is used again, memory, an effect; and edges that only
// advise. Picking ready nodes one after the other, from the region's end, its
// beginning or both, by the state of registers and machine, gives the new order.
//
// The order is found on numbers alone; the function is changed once for each
// block, and where registers are live with it (liveness.Intervals.Reorder), so that the
// whole takes time near linear in the number of instructions. Debug instructions are no
// nodes: DBG_VALUEs follow what they stood behind.
//
// pipeliner orders whole loops instead: a schedule modulo the interval in which iterations
// begin, then its prologue, kernel and epilogue.
//
// The package imports codegen/pass, codegen/liveness, codegen/regclass,
// codegen/alias and below.
package sched
