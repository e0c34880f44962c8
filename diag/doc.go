// Package diag holds source positions and diagnostics: what every reader of
// Mirin (.ll, .mir, .td, flags, FileCheck files) reports bad input with.
//
// A Diagnostic knows its file, line and column, what was expected, and the
// source line, and prints as LLVM's tools print:
//
//	prog.ll:3:14: error: expected type
//	  %x = add nope %a, %b
//	           ^
//
// Readers return *Diagnostic or List as their error value. The package
// imports the standard library only.
package diag
