// Package verdict keeps what tools say about bad input as tests: files of
// cases, each a source and the answer that LLVM 22's tool gives for it, in a
// form that leaves out the tool's name, the file's name and the source lines
// that are shown. cmd/mirin's tests hold our tools to them, and
// "go run ./tools/mutants -record FILE" asks the installed LLVM again.
//
// It imports the standard library only.
package verdict
