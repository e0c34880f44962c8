// Package matchasm assembles match tables: what the generators of selection
// patterns and of combine rules have in common behind their own languages.
//
// A generator encodes the tests of a rule as [Step] values ([Test], [Keyed],
// [Number]) and its actions as bytes ([Encode], [EncodeInt]); names get their
// numbers from the [Assembler]. [Assembler.Add] takes the rules, and
// [Assembler.Table] gives the table: for each root opcode a decision tree
// (tree.go) in which rules share the tests that they begin with, and where the
// first rule in the order of the generator wins.
//
// codegen/matchtable/code says what the code means. The package imports that
// and the standard library alone.
package matchasm
