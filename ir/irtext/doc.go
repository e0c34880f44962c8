// Package irtext reads and prints LLVM IR's textual form (.ll) as LLVM 22 defines it.
//
// Parse works in three steps. The top level is read first: types, globals,
// attribute groups, metadata, and the heads of functions; bodies are only
// found. Then the bodies are parsed, by several workers when Options.Jobs
// says so, each into its own arenas, with ids of their own for what belongs to
// the module (attribute lists, inline assembly, metadata written in place).
// Last, in the order of the functions, these ids are replaced by ids of the
// module, so that the result does not depend on the number of workers. (Only
// the numbers of Type handles may; nothing may be ordered by them.)
//
// ParseDeferred takes the first step alone; the bodies are read when their turn
// to be compiled comes, each into the memory of the last.
//
// Names are substrings of one copy of the source. The first fault of the file
// is reported as LLVM reports it, as a *diag.Diagnostic.
//
// AppendModule prints the canonical form: that of llvm-dis.
//
// Package irtext imports ir, ir/autoupgrade, ir/dwarfname, ir/intrin and diag.
package irtext
