// Package mc is machine code between instruction and file: instructions ready
// to be printed or encoded, expressions, symbols, sections, and streamers that
// take them in order.
//
// The main types:
//
//   - [Inst]: an opcode with register, immediate and expression operands. Callers
//     fill and pass the same Inst again and again; nothing keeps a pointer to it.
//   - [Context]: owns symbols, expressions and sections of one output (or of one
//     chunk of it) and hands out small numbers for them: [Sym], [Expr], [SectionID].
//   - [Streamer]: takes labels, data, directives and instructions. [ObjectStreamer]
//     encodes; package mc/asmtext prints.
//   - [Object]: what an ObjectStreamer makes: sections' bytes, symbols, relocations.
//     Package mc/object/elf writes it to a file, package link makes a program of
//     it, package jit loads it from memory.
//   - [Encoder], [AsmBackend], [InstPrinter]: what a target gives in code.
//   - [AsmInfo], [Machine], [FixupInfo]: what it gives as data: prefixes, comments,
//     directives and modifiers of its assembly; class, byte order, form of the
//     relocations and call frame information of its objects; the bit fields that
//     expressions fill in. Nothing here knows one target from another.
//
// Flow of data: codegen/asmprinter (or the assembler) → Streamer → Object → file
// or memory.
//
// Functions are compiled in parallel: each worker emits into a streamer of its own
// (Streamer.Fork), with a private Context, so that workers share nothing, and cuts
// a chunk from it for each function (Streamer.Cut). The chunks are then joined in the order of the functions (Streamer.Join): symbols
// meet by name, temporary symbols and numbered labels get their final numbers. The
// result does not depend on the number of workers.
//
// The package imports desc only; it knows neither ir nor mir.
package mc
