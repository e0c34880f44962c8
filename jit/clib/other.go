//go:build !(linux && amd64) || nojit

package clib

import "errors"

// Library is not supported here.
type Library struct{}

// Open is not supported here.
func Open(...string) (*Library, error) {
	return nil, errors.New("clib: C libraries cannot be called here")
}

// Lookup finds nothing.
func (*Library) Lookup(string) (uintptr, bool) { return 0, false }
