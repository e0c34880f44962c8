// Package dagisel makes a match table over SelectionDAGs (for
// codegen/matchtable) out of LLVM-style selection patterns
// (tablegen/emit/dagpattern).
//
// Generate is the way in; its Result is the table with the Go functions that a
// target has to provide: predicates, complex patterns and transformations
// whose bodies are C++ that has no closed form.
//
// Flow of data: match.go makes the tests of a source, result.go the actions of
// a result, predicate.go the conditions; package matchasm writes the
// code. The order of patterns is that of the Set,
// which is LLVM's.
//
// The package imports tablegen, dagpattern, matchasm, predicatecode and the format of tables.
package dagisel
