//go:build !(linux && amd64)

package main

import (
	"fmt"
	"io"
	"runtime"

	"github.com/mirin-go/mirin/mc"
)

// startProgram has no programs of this system to start.
func startProgram(*mc.Object, []string, io.Reader, io.Writer, io.Writer) (int, error) {
	return 1, fmt.Errorf("programs for %s/%s are not made; mirin run -interp runs them in the interpreter", runtime.GOOS, runtime.GOARCH)
}
