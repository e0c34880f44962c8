//go:build !(linux && amd64)

package main

import (
	"fmt"
	"io"

	"github.com/mirin-go/mirin/jit"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/all"
)

// startProgram runs a program in this process, which ends with it.
func startProgram(obj *mc.Object, args []string, _ io.Reader, _, _ io.Writer) (int, error) {
	img, err := jit.NewImage(obj)
	if err != nil {
		return 1, err
	}
	e := jit.New(all.ABI(&obj.Machine), nil)
	if err := e.Load(img); err != nil {
		return 1, err
	}
	fn, ok := e.Lookup("main")
	if !ok {
		return 1, fmt.Errorf("%s: there is no function main", args[0])
	}
	return e.RunProgram(img, fn, args), nil
}
