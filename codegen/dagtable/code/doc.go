// Package code defines the format of the tables that select SelectionDAG nodes:
// what tablegen/emit/dagisel writes and codegen/dagtable interprets.
//
// A table is one byte string: a header with the names that the code refers to
// (opcodes of nodes, types, instructions, registers, predicates, hooks), where
// the patterns of each root opcode start, the source line of each pattern, and
// the code. Numbers are unsigned varints, signed ones are zigzag encoded.
// docs/tablegen/dag-isel.md describes it.
//
// The package imports support/bintable only.
package code
