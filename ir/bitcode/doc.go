// Package bitcode reads and writes LLVM 22's bitcode (.bc), and reads what
// earlier releases wrote, as LLVM 22 upgrades it.
//
// Read works in three steps, as irtext.Parse does. First the module block is
// read: types, attributes, globals, module constants, module metadata; function
// blocks are only found. Then the bodies are decoded, by several workers when
// Options.Jobs says so, each into its own arenas. Last, in the order of the
// functions, what a body made for the module (debug locations, metadata,
// inline assembly) gets ids of the module, so that the result does not depend on
// the number of workers.
//
// A cursor reads the bit stream: abbreviations, blocks, records. A record is a
// list of numbers; every count in it is checked against its length, and
// the length against what is left of the input, before memory is allocated, so
// that memory stays within a multiple of the input's size.
//
// Append writes a module: a writer numbers types, attributes, constants and
// metadata in the order that the reader (and LLVM's) expects and emits the
// blocks.
//
// Facts of the format are those of LLVM's BitCodeFormat.rst and LLVMBitCodes.h.
// Package bitcode imports ir, ir/autoupgrade, ir/dwarfname and ir/irtext (the fields of DIExpression).
package bitcode
