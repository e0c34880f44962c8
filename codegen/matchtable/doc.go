// Package matchtable runs match tables: the selection patterns and the combine
// rules that the generators under tablegen/emit make out of .td files.
//
// A [Table] is a verified table with the Go functions that its rules name
// (predicates, complex patterns, transformations, functions of combine rules);
// it is read-only and shared. A [Matcher] holds what matching one instruction
// after the other needs and is reused, so that a match allocates nothing.
//
// Flow of data: Bind verifies the code of a table once, unless it was verified
// when it was made (BindMade). Matcher.Apply runs the
// tests of the root's opcode over the function, the rule that is to win first;
// the actions of the first rule that matches build instructions in front of the
// root, and the root is erased or becomes the last of them. Target instructions get the register classes
// that they demand. Instructions that were matched inside stay: who selects
// bottom-up, or combines, finds them dead when they have no other use.
// Matcher.Allow sees the number of each rule that is about to be applied.
// Matcher.Accept is asked about what a rule built; where it refuses, the next rule is tried.
//
// A [DAGTable] is the same for SelectionDAGs, which a [DAGMatcher] selects
// through the [DAG] interface: whoever has such graphs implements it.
//
// A Matcher runs the tests as trees of rows of one size, made of the code when a
// root is first met (tree.go), and the actions as rows, made when a rule is first
// applied (recipe.go); a DAGMatcher runs all code as it is written (machine.go). What a test or an action means on
// MIR is in test.go and act.go, on a SelectionDAG in dagtest.go and dagact.go.
//
// The package imports target, mir, ir, desc, codegen/predicatecode and the table
// format (package code).
package matchtable
