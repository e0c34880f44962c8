// Package scaling holds every pass to near-linear work.
//
// Each generator of gen.go makes one shape of input at any size: a block of n
// instructions, n blocks, a switch of n cases, a PHI of n predecessors, n
// functions. The test compiles it at two sizes, one twice the other, and counts
// the work of each pass: how often each basic block of our own code runs, by
// the counters of an instrumented build of tools/scaling, so that no pass can
// forget to count, and the figures are the same on every machine. Twice the
// input may cost 2.3 times the work.
//
// What the counters do not see is memory that the run-time system moves
// (growing slices, deletions in the middle of one); allocations are counted
// beside them.
//
// The test runs all shapes at -O0 and -O2 and some at -O3; with SCALING=1 all of them.
// SCALING=n multiplies the sizes: 1000 makes blocks of a million instructions,
// a hundred thousand blocks and switches and PHIs as wide.
package scaling
