//go:build linux && amd64 && !nojit

package clib

import (
	"errors"
	"fmt"

	"github.com/ebitengine/purego"
)

// Library is some loaded libraries.
type Library struct{ handles []uintptr }

// standard are the libraries of C programs and of compilers: C, mathematics, and
// what GCC's and LLVM's code calls for wide numbers and exceptions.
var standard = []string{"libc.so.6", "libm.so.6", "libgcc_s.so.1"}

// Open loads the libraries of C, and those named; names are as for dlopen.
func Open(names ...string) (*Library, error) {
	l := &Library{}
	load := func(n string) error {
		h, err := purego.Dlopen(n, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err == nil {
			l.handles = append(l.handles, h)
		}
		return err
	}
	if err := load(""); err != nil {
		return nil, fmt.Errorf("clib: %w", err)
	}
	for _, n := range standard {
		_ = load(n) // others have them elsewhere: musl has all in one
	}
	var errs []error
	for _, n := range names {
		if err := load(n); err != nil {
			errs = append(errs, fmt.Errorf("clib: %w", err))
		}
	}
	return l, errors.Join(errs...)
}

// Lookup finds a symbol.
func (l *Library) Lookup(name string) (uintptr, bool) {
	for _, h := range l.handles {
		if a, err := purego.Dlsym(h, name); err == nil && a != 0 {
			return a, true
		}
	}
	return 0, false
}
