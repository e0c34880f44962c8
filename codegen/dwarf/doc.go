// Package dwarf writes DWARF debug information (versions 2 to 5) of a module
// that has some: line tables, and trees of entries that describe the source
// program, its types, variables and where these are.
//
// It is a target.AsmHandler. While functions are printed, by several workers
// (func.go), it gives the lines of instructions (lines.go), finds the ranges of
// lexical scopes (scopes.go) and the places of variables (history.go,
// location.go, expr.go), and puts labels where those begin and end. What is left
// of a function is a record, out of which entries are made in the module's order
// (subprogram.go, types.go, unit.go). All sections but the line table, which
// package mc writes, are written at the end (emit*.go).
//
// What is written, and in which order, is LLVM 22's choice, so that tools that
// read LLVM's output read ours. The forms are those of the DWARF standard.
package dwarf
