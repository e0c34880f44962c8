// Package mirtext reads and prints Machine IR in LLVM's serialization format:
// a stream of YAML documents, the first of them (optional) the module's LLVM
// IR, every other one a machine function whose body is written in the
// instruction language.
//
// AppendIR and AppendFunction print what llc prints at -stop-after, byte
// for byte; PrintOptions.Simplify leaves out what -simplify-mir leaves out.
// AppendDebug prints the form of -print-after. Parse reads everything that is
// printed; YAML is read by a reader of our own for the subset that the format
// uses, since positions inside a block scalar must be those of the file.
//
// What differs between targets comes from desc.Info and the row of desc/family,
// since MIR of every target can be read, also of those that Mirin has no code
// generator for; what is code is in hooks.go and the files named for targets.
//
// Package mirtext imports mir, ir, ir/irtext, desc, desc/family, triple and diag.
package mirtext
