package main

import (
	"io"
	"strings"

	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/filecheck"
	"github.com/mirin-go/mirin/lit"
)

// litRunner runs test files with this binary's commands as the tools: "mirin"
// and the names of the LLVM tools that they serve.
func litRunner() *lit.Runner {
	r := &lit.Runner{Tools: map[string]lit.Tool{}, Targets: facts.Names(), Features: []string{"mirin"}}
	// MIR is read and printed for every target; what code cannot be generated
	// for says so when asked.
	for _, name := range r.Targets {
		r.Features = append(r.Features, strings.ToLower(name)+"-registered-target")
	}
	for _, c := range commands() {
		if c.name == "lit" || c.name == "run" {
			continue
		}
		for _, name := range c.tools {
			r.Tools[name] = served(c.run)
		}
	}
	check := func(env lit.Env, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
		return filecheck.MainIn(filecheck.Env{Getenv: env.Getenv, ReadFile: env.ReadFile}, args, stdin, stdout, stderr)
	}
	r.Tools["FileCheck"], r.Tools["filecheck"] = check, check
	r.Tools["mirin"] = served(func(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
		return dispatch(append([]string{"mirin"}, args...), stdin, stdout, stderr)
	})
	return r
}

func litMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return litRunner().Main(args, stdin, stdout, stderr)
}
