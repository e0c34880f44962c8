// Package dagtable interprets the tables that tablegen/emit/dagisel makes out
// of LLVM-style selection patterns: it selects nodes of a SelectionDAG.
//
// The graph is whatever implements [DAG]; nodes and values are small numbers
// of the caller's. A [Selector] is a table bound to the graph's numbers of
// opcodes and types and to the Go functions that patterns name; it is
// read-only and shared. A [Matcher] holds what matching needs and is reused.
//
// Flow of data: Matcher.Select finds the first pattern, in LLVM's order, that
// fits the root, makes its machine nodes through DAG and returns the values
// that stand for the root's results; the caller replaces them.
//
// The package imports codegen/predicatecode, support/bintable and the format of tables
// (package code).
package dagtable
