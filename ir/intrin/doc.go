// Package intrin knows LLVM 22's intrinsics: their names, signatures and
// attributes, as data that go generate makes of the headers of an installed
// LLVM (docs/tablegen/intrinsics.md).
//
// An [ID] names an intrinsic without its type suffixes. [ID.Match] compares a
// function type with the signature and returns the types that an overloaded
// intrinsic was made for, [ID.MangledName] the function's name with them, and
// [ID.FuncType] goes the other way.
//
// It imports ir and the standard library.
package intrin
