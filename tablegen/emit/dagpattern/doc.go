// Package dagpattern reads LLVM-style selection patterns out of records:
// Pattern and Pat, the Pattern field of Instruction, and what they are made of
// (SDNode with its SDTypeProfile, PatFrags, ImmLeaf, ComplexPattern,
// SDNodeXForm, Intrinsic), as llvm/Target/TargetSelectionDAG.td defines them.
//
// Read is the way in; it returns a Set: the patterns with all types inferred,
// fragments expanded, commuted variants added, one pattern for each hardware
// mode, in the order in which a selector has to try them. What is wrong in a
// pattern is an error with the place of its record and the way there.
//
// Flow of data: target.go reads what patterns refer to (types, register
// classes, instructions, nodes); parse.go turns dags into trees of Nodes;
// fragment.go replaces fragments by what they stand for; infer.go with
// constraint.go and typeset.go finds the types; instruction.go and pattern.go
// make source and result of each pattern (sequence.go: results in several
// steps, Mirin's addition); variant.go commutes and splits by
// mode; order.go says which pattern comes first; print.go writes patterns as
// LLVM's comments do. predicate.go reads the conditions of fragments, among
// them C++ bodies of the common closed forms.
//
// The emitters of tables stand beside it: tablegen/emit/dagisel for
// SelectionDAG and tablegen/emit/globalisel for GlobalISel. The package
// imports tablegen and diag only.
package dagpattern
