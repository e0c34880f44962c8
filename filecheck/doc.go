// Package filecheck is LLVM's FileCheck as a library: it verifies that a text
// holds the strings and patterns that the directives of a check file ask for.
//
// Data flows one way. [Check] reads the check file into directives (read.go),
// whose patterns (pattern.go) are fixed strings or POSIX extended regular
// expressions (ere.go) with string and numeric substitutions (numeric.go).
// The checker (check.go) searches them in the input, reports what it finds
// in FileCheck's words (report.go) and keeps a record of each result, from
// which dump.go draws the annotated picture of the input. [Main] is the command.
//
// It imports the standard library, internal/llvmflag and internal/textdiff.
package filecheck
