// Package liveness says where registers are live.
//
// An [Index] is a point of a function: a place (an instruction, or a block's
// start) and one of four slots. [Indexes] gives them out and listens to the
// function, so that new instructions have one too. A [Range] is the stretches
// between indexes in which something is live, each with the value that is; an
// [Interval] is the range of a virtual register, with ranges of its parts where
// the target tracks them. [Intervals] finds them, and those of register units,
// from the use-def lists: from each use up the graph to the definitions, so that
// the cost of a register is that of the blocks in which it is live.
//
// Indexes and Intervals are analyses that a pass asks for by pass.Get.
//
// What keeps itself true: Indexes, by listening, when instructions are created,
// erased and moved. What callers keep true by explicit calls: ranges
// (Intervals.Remove and Interval, which computes anew, are always right; the
// methods that extend, shrink and prune cost less). No block is added while Indexes
// are at hand. They are numbers that callers hold; where they run short
// (Indexes.Crowded) Intervals.Renumber gives new ones.
//
// The package imports codegen/pass and below.
package liveness
