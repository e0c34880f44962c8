// Package intrin knows the signatures and attributes of LLVM 22's intrinsics, as
// data that go generate makes of the headers of an installed LLVM
// (docs/tablegen/intrinsics.md).
//
// An [ID] is the number that package ir knows an intrinsic by. [ID.Match] compares a
// function type with the signature and returns the types that an overloaded
// intrinsic was made for, [ID.MangledName] the function's name with them, and
// [ID.FuncType] goes the other way.
//
// It imports ir and the standard library.
package intrin
