// Package tblgen is the command mirin tblgen, which also answers to llvm-tblgen:
// it reads TableGen files, prints and queries their records, and runs the
// generators of tablegen/emit. docs/tablegen describes it.
//
// [Main] is the whole command. It is apart from cmd/mirin so that tools/tblgen
// can be it without the targets whose tables it writes: go generate must work
// where those do not compile yet.
//
// command.go has the flags and the flow; generators.go lists the generators;
// isel.go, target.go and tables.go run them.
//
// The package imports tablegen, its generators and include files, desc, desc/facts,
// diag and internal/llvmflag.
package tblgen
