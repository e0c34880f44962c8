// Package table interprets the tables of the machine code layer
// (desc.EncoderTable, DecoderTable, WriterTable, MatcherTable): an Encoder, a
// Backend, a Decoder, a Printer and a Matcher for any target.
//
// Each is made once from its table, the target's facts and the functions that
// the table names (a map for each kind of function); a function that is missing
// is an error at that time, not when it is needed. The results are read-only
// and may be shared.
//
// Flow of data: tablegen/emit/mcgen → tables (Go literals in target/<isa>/tab, or
// values made in the process), or tools/mclearn → tables of LLVM's targets
// (desc/facts) → this package → mc.Streamer, assembler, disassembler.
// docs/machine-code.md has the design.
//
// The package imports mc, desc and support/editdistance.
package table
