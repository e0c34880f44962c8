package main

import (
	"io"

	"github.com/mirin-go/mirin/filecheck"
	"github.com/mirin-go/mirin/lit"
)

// litRunner runs test files with this binary's commands as the tools, under
// their own names and those of the LLVM tools that they serve.
func litRunner() *lit.Runner {
	r := &lit.Runner{Tools: map[string]lit.Tool{}, Features: []string{"x86-registered-target"}}
	for _, c := range commands() {
		if c.name == "lit" || c.name == "run" {
			continue
		}
		tool := func(_ lit.Env, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
			return c.run(args, stdin, stdout, stderr)
		}
		for _, name := range c.tools {
			r.Tools[name] = tool
		}
	}
	check := func(env lit.Env, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
		return filecheck.MainIn(filecheck.Env{Getenv: env.Getenv, ReadFile: env.ReadFile}, args, stdin, stdout, stderr)
	}
	r.Tools["FileCheck"], r.Tools["filecheck"] = check, check
	r.Tools["mirin"] = func(_ lit.Env, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
		return dispatch(append([]string{"mirin"}, args...), stdin, stdout, stderr)
	}
	return r
}

func litMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return litRunner().Main(args, stdin, stdout, stderr)
}
