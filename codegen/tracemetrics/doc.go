// Package tracemetrics estimates how long code takes along traces: ways through
// the blocks of a function that stay within a loop, LLVM's MachineTraceMetrics.
//
// A Strategy picks the block before each block and the block behind it; what they
// picked is the trace through the block, and all traces of a strategy are an
// Ensemble. Metrics.Of gives the Trace through a block with
//
//   - the depth of each instruction, the cycle in which it can be issued, counted from
//     the trace's first instruction, when nothing but operands is waited for;
//   - its height, the cycles from its issue to the end of the trace;
//   - the critical path, the greatest sum of both, and the slack of an instruction,
//     by which it may be late without making that longer;
//   - the resource length: the cycles for which the busiest resource of the
//     processor, or the issue of instructions, is needed.
//
// Traces share what they have in common: the way up from a block is the way up from
// the block before it. What is known of a block is found when it is asked for, and
// holds until Invalidate says that a block of the trace is about to change.
//
// The package imports codegen/pass and below.
package tracemetrics
