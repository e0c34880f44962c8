// Package intrinsics turns the intrinsics of LLVM's Intrinsics.td (or of any
// file with records of class Intrinsic) into the tables of ir/intrin: names,
// signatures as LLVM's type codes, and attributes as they are printed.
//
// Collect reads the records into a list of Intrinsic values and checks them,
// AppendGo, AppendNames and AppendSignatures write the tables of ir and ir/intrin. docs/tablegen/intrinsics.md
// describes both.
//
// Flow of data: collect.go reads names and signatures and refuses names that
// would mean two things; attributes.go turns properties into attributes, with
// memory.go for what an intrinsic touches; source.go gives equal combinations
// and signatures one number and writes Go. Errors carry the place of the record
// or field at fault and the way there.
//
// The package imports tablegen, emit/gofile and diag.
package intrinsics
