//go:build !((linux || darwin) && (amd64 || arm64)) || nojit

package jit

func (e *Engine) processSymbol(string) (uintptr, bool) { return 0, false }

// Call is not supported here and returns 0.
func Call(uintptr, ...uintptr) uintptr { return 0 }

// RunMain is not supported here and returns -1.
func (e *Engine) RunMain(uintptr, []string) int { return -1 }

// RunProgram is not supported here and returns -1.
func (e *Engine) RunProgram(*Image, uintptr, []string) int { return -1 }

// Bind is not supported here.
func (e *Engine) Bind(string, any) error { return errNoJIT }

// Callback is not supported here.
func Callback(any) (uintptr, error) { return 0, errNoJIT }
