// Package ir is LLVM IR in memory: types, constants, globals, functions and
// metadata as LLVM 22 defines them.
//
// A Module owns what functions share: the interned Types, the Globals, the
// attribute lists, the metadata. It is safe for parallel readers, and types,
// attributes and metadata may be interned from several goroutines, so that
// function bodies can be parsed and compiled in parallel.
//
// A Function owns its body in flat arenas without pointers: instructions,
// operands, blocks and the constants it uses are rows named by 32-bit ids
// (InstrID, BlockID, …; 0 is none). Arguments are rows of the instruction
// arena too (OpArgument), so that an InstrID names every local value. A Value
// is one 32-bit word: a tag (local, constant, global, block, …) and an index.
//
// A body is edited through its methods: uses.go has an index of all uses, made
// on demand and kept up to date (Uses, ReplaceAllUses); edit.go inserts, moves
// and erases instructions, splits and merges blocks, splits, redirects and
// removes edges, with the PHIs and debug records kept right. Function.CopyFrom
// makes a body to edit that does not belong to the module.
//
// Package ir imports the standard library only; readers and
// printers live in ir/irtext, ir/bitcode, the checks in ir/irverify.
package ir
