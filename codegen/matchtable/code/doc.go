// Package code defines the format of instruction-selector tables: what
// tablegen/emit/globalisel writes and codegen/matchtable interprets. It imports
// support/bintable only.
//
// A table is one byte string: a header (names of hooks, condition maps, where
// the rules of each root opcode start), a debug section (the source line of
// each rule) and a code section. Numbers are unsigned varints, signed ones are
// zigzag encoded. See docs/tablegen/global-isel.md for the language above.
package code
