// Package mctarget gives what machine code of a triple needs: a [Target] has the
// subtarget, and makes, when asked, encoder, backend, printer, parser and
// disassembler (LLVM's MC layer of a target). The assembler, the disassembler, the
// JIT and whoever prints instructions ask here.
//
// Most parts are mc/table over the tables of desc/facts. What a target makes
// otherwise are its [Hooks]; target/all has those of all targets and finds the
// target of a triple. A part that a target does not have is a [MissingError].
//
// Flow of data: triple, processor, features → Target → mc.Encoder, mc.InstPrinter, …
//
// The package imports mc, mc/table, desc, desc/facts, desc/family and triple.
package mctarget
