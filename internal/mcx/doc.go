// Package mc is machine code between instruction and file: instructions with
// operands ready for printing or encoding, symbols, sections, and streamers
// that take them in order.
//
// An Object is the Streamer that encodes: it keeps one buffer a section with
// fixups and the places that may grow (short jumps, alignments), and Finish
// settles them. A Text is the Streamer that prints assembly. Both are fed by
// codegen/asmprinter; mc/object/elf writes a finished Object to a file, package
// jit loads it.
//
// Symbols are numbers in a Context's table. Expressions are small values,
// Sym - Sub + Off with a modifier such as @PLT: all that code generation needs.
package mc
