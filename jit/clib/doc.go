// Package clib finds functions of C libraries for code that runs in this process:
// Open loads libraries, Lookup is what an engine asks (jit.Config.Library,
// mirin.Options.Library).
//
//	lib, err := clib.Open()                        // the C and math libraries
//	p, err := mirin.Load(m, &mirin.Options{Library: lib.Lookup})
//
// A program that imports this package is linked dynamically against the system's C
// library, without cgo (by github.com/ebitengine/purego), and starts a
// millisecond later; one that does not stays static. C functions run on the stack
// of compiled code. A fault in one is a *jit.Fault like any other, but what the
// library had locked stays locked. Functions that end the process (abort after a
// failed check of the library's own, std::terminate) do end it.
package clib
