// Package combiner turns declarative combine rules (GICombineRule and its
// relatives of LLVM's llvm/Target/GlobalISel/Combine.td) into match
// tables for codegen/matchtable.
//
// mirin/Combine.td (package tablegen/include) declares the classes; C++ fragments
// become calls of named Go functions. docs/tablegen/combine.md describes the
// language.
//
// FromRecords makes the Result of a GICombiner, AppendGo writes the Go file that
// embeds its table.
//
// Flow of data: rules.go flattens the groups of a combiner; parse.go reads the
// dags of a rule into patterns, code.go the calls of functions, frag.go expands
// pattern fragments into variants of a rule; check.go finds the root and what
// does not fit; infer.go gives new registers and constants their types; emit.go
// makes tests and actions; share.go gives the variants to the assembler of
// match tables; source.go writes Go.
// Errors carry the place of the rule and the way there, and name the pattern.
//
// The package imports tablegen, emit/gofile, emit/matchasm, desc, diag and the format of tables
// (codegen/matchtable/code).
package combiner
