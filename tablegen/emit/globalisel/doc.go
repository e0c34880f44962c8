// Package globalisel lowers the selection patterns of a target into a match
// table for codegen/matchtable.
//
// The patterns are those of tablegen/emit/dagpattern: LLVM's language, with all
// types inferred. Nodes become the generic instructions that GINodeEquiv records
// name; complexity decides the order. docs/tablegen/global-isel.md describes
// what is matched and made. Generate takes a set of patterns, FromFile and
// FromRecords what they are read from; each gives a Result: the table, the
// patterns that are not in it (and why), and reports of those that never match
// or overlap.
//
// Flow of data: target.go reads what GlobalISel has for nodes, classes, banks and
// features; source.go turns a source into the tree of generic instructions that
// is matched, with the predicates of predicate.go; match.go makes its tests;
// result.go and operand.go make the actions of the result and check the flow of
// physical registers such as the flags through it; assemble.go orders the rules by
// complexity, finds overlaps and has package matchasm write the code.
//
// The package imports dagpattern, tablegen, tablegen/include, emit/matchasm, desc, codegen/predicatecode
// and the format of tables (codegen/matchtable/code), no code generator.
package globalisel
