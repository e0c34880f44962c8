//go:build !((linux || darwin) && (amd64 || arm64)) || nojit

package jit

import (
	"errors"
	"runtime"
)

var errNoJIT = errors.New("jit: this build cannot run code in the process (on " + runtime.GOOS + "/" + runtime.GOARCH + ")")

func mapMemory(int) ([]byte, error) { return nil, errNoJIT }
func protect([]byte, bool) error    { return errNoJIT }
func unmapMemory([]byte) error      { return errNoJIT }
