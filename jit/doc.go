// Package jit runs code in this process: it maps the sections of an
// mc.Object, resolves its symbols against itself, the C library and the
// caller's, relocates, makes code executable and data read-only where it
// should be (never writable and executable at once), and calls it.
//
// An Engine holds loaded objects; Lookup gives addresses, Call calls with
// integer arguments, RunMain calls a C main. External functions beyond the
// reach of a 32-bit displacement are called through stubs, external data
// through a table of addresses, both placed beside the code.
//
// The package is the only one with unsafe code and memory system calls; where
// the operating system or processor is not supported, loading fails with a named
// error, and so it does in programs that are built with the tag nojit. Calling C
// without cgo makes a program load the C library at its start, which takes most
// of a millisecond; a program with that tag, or without this package, is linked
// statically. The command mirin runs programs through package link instead where
// it can; code that is loaded here cannot have thread-local variables, and
// exceptions do not pass through it.
package jit
