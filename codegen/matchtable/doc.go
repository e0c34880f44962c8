// Package matchtable interprets the selector tables that
// tablegen/emit/globalisel makes out of the selection patterns of a target.
//
// A [Selector] is a decoded table with the Go functions that its patterns name
// (predicates, complex patterns, transformations); it is read-only and shared.
// A [Matcher] holds what matching one instruction after the other needs and is
// reused, so that a match allocates nothing.
//
// Flow of data: Matcher.Select runs the tests of the root's opcode over the
// function, most specific rule first; the actions of the first rule that
// matches build target instructions in front of the root, with register
// classes constrained to what the instructions demand, and erase the root.
// Instructions that were matched inside stay: who selects bottom-up finds them
// dead when they have no other use.
//
// The package imports target, mir, ir, desc, codegen/predicatecode, support/bintable and the
// table format (package code).
package matchtable
