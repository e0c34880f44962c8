// Package loopgen makes the loop of the interpreter, interp/zz_loop.go, from
// rows that say what its instructions do:
//
//	go test ./interp/internal/loopgen -update
//
// The loop must be one function without calls, so that its state stays in
// machine registers; what many instructions have in common is written out
// there, and stands once here. The package is its test alone, which fails when the file is not
// what the rows make. It imports the standard library only.
package loopgen
