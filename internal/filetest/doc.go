// Package filetest runs a package's LLVM-style test files (RUN: and CHECK:
// lines) as Go subtests:
//
//	func TestFiles(t *testing.T) { filetest.Run(t, "testdata") }
//
// Each file is given to "mirin lit", a program of its own: whatever package
// asks, there is no import cycle, and the tools are all there. The program is
// built once for each test process, by a go command that finds all but its own
// link in the build cache. $MIRIN_BINARY names one that is to be used instead.
//
// It imports the standard library and internal/testenv.
package filetest
