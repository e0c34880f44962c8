// Package include is the include files that come with Mirin, mirin/NAME.td: the
// classes that the generators of tablegen/emit read. A description says
//
//	include "mirin/Target.td"
//
// and whoever parses it gives [ReadFile] to tablegen.Options. Names of classes
// and fields are LLVM's wherever LLVM has them, so that most descriptions read
// the same with llvm/Target/Target.td. The folder mirin/ may serve other tools
// as an include directory; only mirin/ValueTypes.td is not in it, it is made of
// the value types of package desc.
//
// Each file may be included any number of times, and with any other: Target.td
// first where it is one of them, then the others in any order. Target.td includes
// TargetSelectionDAG.td and SelectionDAGCompat.td, the language of selection
// patterns, as LLVM's does; Sequence.td adds to it, and works with LLVM's too.
//
// [Facts] makes what is known of a target records of LLVM's classes, with operand
// lists and types: a pattern may name ADD32rr and GR32 without declaring them.
// [ParseFile] reads a file with both.
//
// The package imports tablegen and desc.
package include
