// Package layout holds the passes that decide about blocks after register
// allocation: branch-folder merges equal ends of blocks and removes blocks and
// branches that are not needed, tailduplication copies short blocks to who jumps
// there, block-placement orders blocks by how often control flows between them,
// break-false-deps clears registers that instructions would wait for in vain.
// A pass a file or, where it is long, a few that begin with the same word; the
// package imports codegen/pass, codegen/liveness, codegen/tailduplicate and below.
package layout
