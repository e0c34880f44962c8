// Package combine runs the combine rules that tablegen/emit/combiner makes out
// of GICombineRule records: it matches the rules of an instruction's opcode, in
// their order, and lets the first that matches rewrite the function.
//
// A [Table] is a generated Go value with the code words, the types and the Go
// functions that the rules name; it is read-only and shared. A [Matcher] holds
// what matching needs and is reused, so that a match allocates nothing.
//
// The actions of a rule build instructions in front of the root and erase it.
// Matched instructions other than the root stay; who combines removes them when
// nothing uses them. docs/tablegen/combine.md describes the language.
//
// The package imports mir, desc and the table format (codegen/matchtable/code).
package combine
