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
// Constants that LLVM 22 has no expression for any more (zext, select, … of
// old files) stay lazy: a body that uses one gets instructions, before the user or
// on the edge that a phi names; an initializer with one is refused.
//
// Append writes a module: a writer numbers types, attributes, constants and
// metadata in the order that the reader (and LLVM's) expects and emits the
// blocks, with LLVM's abbreviations, an index of metadata, the places of functions
// and, when asked for, a module hash and the use-list orders that the file gave.
//
// Module summaries (ir.Summary) are read, and written beside a module or, when
// they combine several, alone. Analyze shows the blocks and records of any bit
// stream, as llvm-bcanalyzer does.
//
// Left out: profiles of memory in summaries older than LLVM 22's, the symbol
// table for linkers (SYMTAB_BLOCK; they make one when it is absent), use-list
// orders of constants, and orders of uses for modules that were built or changed here.
//
// Facts of the format are those of LLVM's BitCodeFormat.rst and LLVMBitCodes.h.
// Package bitcode imports ir, ir/autoupgrade, ir/dwarfname, ir/irtext (the fields of DIExpression)
// and triple.
package bitcode
