// Package family has one row for each LLVM back end, of what the facts do not
// say and tools need to know by target: which triples it serves, its data
// layouts, what its features imply, how its branches end blocks, which registers
// keep frames, the fields of its machineFunctionInfo. Who would ask "which
// target is this?" asks here instead; a test counts those who do not
// (internal/rules).
//
// [ByName] finds a row by LLVM's name of the back end (desc.Info.Target),
// [ByTriple] and [ByArch] by what a triple names, [ByMarch] by the name that
// -march has for it. [Resolve] turns a processor and a list of features into a
// [FeatureSet]. Rows are tables: nothing is computed before it is asked for.
//
// A rule that is code rather than data stays where it is used, in a file named
// for its target, and is found by the row's ID in an array of hooks. A target
// that LLVM does not have gets a row of its own, made where the target is, or
// none: then [ByName] gives one in which everything is as it is for most.
//
// Package family imports triple, desc and the standard library.
package family
