package main

import (
	"errors"
	"io"

	"github.com/mirin-go/mirin/codegen/pass"
)

// runnerHooks gives the runner the printer and verifier of MIR.
func runnerHooks() pass.Hooks { return pass.Hooks{} }

// compileMIR runs the passes and prints MIR.
func (c *compilation) compileMIR(io.Writer) ([]byte, error) {
	return nil, errors.New("MIR output is not supported yet")
}
