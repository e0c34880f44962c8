// Package legal holds what a target says about legality: for each generic
// opcode an ordered list of rules over the types of an instruction, its memory
// and little else, the first of which that applies names an action
// (LLVM's: Legal, NarrowScalar, …), a type index and the wanted type.
//
// A target writes rules with a Builder (names after LLVM's LegalizeRuleSet),
// whose Table is rows without pointers: sets by opcode, rules, conditions and
// types, each one slice. Rules may ask for features of the subtarget;
// Table.Bind keeps those that hold of one. Query.Set collects what rules see of
// an instruction and Table.Decide answers; neither allocates. A Memo of a worker
// remembers answers: whoever asks about every instruction asks that. What the
// actions do is codegen/globalisel's.
//
// The package imports desc and mir.
package legal
