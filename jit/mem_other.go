//go:build !linux && !darwin

package jit

import (
	"errors"
	"runtime"
)

var errNoJIT = errors.New("jit: running code in the process is not supported on " + runtime.GOOS)

func mapMemory(int) ([]byte, error) { return nil, errNoJIT }
func protect([]byte, bool) error    { return errNoJIT }
func unmapMemory([]byte) error      { return errNoJIT }
