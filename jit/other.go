//go:build !(linux && amd64) || nojit

package jit

import (
	"errors"
	"runtime"

	"github.com/mirin-go/mirin/objabi"
)

var errNoJIT = errors.New("jit: this build cannot run code in the process (on " + runtime.GOOS + "/" + runtime.GOARCH + ")")

// Engine is not supported here.
type Engine struct{}

// New returns an engine that cannot load.
func New(*objabi.ABI, Config) *Engine { return &Engine{} }

// Load is not supported here.
func (*Engine) Load(...*Image) error { return errNoJIT }

// Replace is not supported here.
func (*Engine) Replace(...*Image) error { return errNoJIT }

// Lookup finds nothing.
func (*Engine) Lookup(string) (uintptr, bool) { return 0, false }

// Symbols lists nothing.
func (*Engine) Symbols() []string { return nil }

// Code finds nothing.
func (*Engine) Code(string) ([]byte, uintptr, bool) { return nil, 0, false }

// Call is not supported here.
func (*Engine) Call(uintptr, ...uintptr) (uintptr, error) { return 0, errNoJIT }

// Bind is not supported here.
func (*Engine) Bind(string, any, *Signature) error { return errNoJIT }

// Callback is not supported here.
func (*Engine) Callback(any) (uintptr, error) { return 0, errNoJIT }

// Close has nothing to do.
func (*Engine) Close() error { return nil }

// Func0 is not supported here.
func Func0[R Word](*Engine, string, *Signature) (func() (R, error), error) { return nil, errNoJIT }

// Func1 is not supported here.
func Func1[A, R Word](*Engine, string, *Signature) (func(A) (R, error), error) { return nil, errNoJIT }

// Func2 is not supported here.
func Func2[A, B, R Word](*Engine, string, *Signature) (func(A, B) (R, error), error) {
	return nil, errNoJIT
}

// Func3 is not supported here.
func Func3[A, B, C, R Word](*Engine, string, *Signature) (func(A, B, C) (R, error), error) {
	return nil, errNoJIT
}
