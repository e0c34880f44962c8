// Package layout holds the passes that decide about blocks, and those about physical
// registers that run between and behind them: branch-folder merges equal ends of blocks
// and removes blocks and branches that are not needed, tailduplication (early, in SSA
// form, early-tailduplication) copies short blocks to who jumps there, block-placement
// orders blocks by how often control flows between them, and fallthrough-branches, at
// -O0, removes jumps to the next block; machine-cp removes copies, execution-domain-fix
// has vectors stay in the domain they are in, break-false-deps clears registers that
// instructions would wait for in vain. By name alone run gc-empty-basic-blocks and what
// marks where functions are entered and left (instrumentation.go).
//
// A pass a file or, where it is long, a few that begin with the same word; the
// package imports codegen/pass, codegen/liveness, codegen/tailduplicate and below.
package layout
