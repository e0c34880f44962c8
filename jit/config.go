package jit

import (
	"io"
	"strings"
)

// Config says what an engine's code may refer to.
type Config struct {
	// Resolve finds names that the images do not define; Library those that
	// nothing else does, such as the C library's. Both may be nil.
	Resolve, Library func(name string) (uintptr, bool)
	// Replaceable lets Replace give functions other code while they run: calls and
	// addresses of global functions go through words that are changed then.
	Replaceable bool
	// MaxMemory bounds the bytes of all images together; 0 is no bound.
	MaxMemory int
	// PerfMap is told the functions of each image that is loaded, a line each: address
	// and size in hexadecimal, and the name (tools/perf/Documentation/jit-interface.txt of
	// Linux). Errors of writing are not reported.
	PerfMap io.Writer
}

// MissingError lists symbols that nothing defines.
type MissingError struct{ Names []string }

// Error lists the names.
func (m *MissingError) Error() string {
	return "jit: undefined symbol " + strings.Join(m.Names, ", ")
}
