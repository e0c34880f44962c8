// Package globalisel turns the selection patterns of a target's .td files into
// a match table for codegen/matchtable.
//
// The language is in mirin/Selection.td and described in
// docs/tablegen/global-isel.md. FromFile reads a target's file, FromRecords
// takes records that are read already; both give a Result: the table, and
// reports of patterns that were not imported (and why), never match, or overlap.
//
// Flow of data: records.go converts records into Def, Dag and Value (source.go);
// tree.go expands fragments and infers types; match.go makes the tests of a
// tree, result.go the actions of a result pattern, checking the flow of
// physical registers such as the flags through it; assemble.go orders the rules by
// priority, finds overlaps and has package matchasm write the code.
//
// The package imports tablegen, tablegen/include, emit/matchasm, desc and the format of tables
// (codegen/matchtable/code), no code generator.
package globalisel
