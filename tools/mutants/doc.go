// Command mutants compares our tools with the installed LLVM 22 on input that
// is almost right.
//
//	mutants -tool BINARY -lang ll|bc|mir|td|filecheck [-seed S] [-n N] [-seeds FOLDER] [-keep DIR] [-show K]
//	mutants -record [-tool BINARY] FILE…
//	mutants -check -tool BINARY FILE…
//
// Valid files below FOLDER are changed in a place or two: a token lost, twice,
// exchanged for another of its kind, a line moved; records of bitcode likewise.
// Check files for FileCheck are made from nothing, with input that fits or nearly fits.
// Both sides are asked; verdict, first message with its place, and the text printed of
// what both accept are compared, and the kinds of differences printed by frequency.
//
// -record writes LLVM's answers into files of cases (internal/verdict), which
// cmd/mirin's tests hold us to.
package main
