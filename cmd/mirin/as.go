package main

import (
	"fmt"
	"io"

	"github.com/mirin-go/mirin/internal/llvmflag"
	"github.com/mirin-go/mirin/ir/irtext"
)

// asMain reads a module and prints it in canonical form.
func asMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := "-"
	fs := &llvmflag.Set{Tool: "mirin as", Overview: "read .ll text, check it, print it in canonical form", Usage: "[options] [file.ll]",
		Examples: "  mirin as prog.ll -o canonical.ll\n", MaxArgs: 1}
	fs.String(&out, "o", "Output filename").Value("filename")
	done, err := fs.Parse(args, stdout)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	if done {
		return 0
	}
	in := "-"
	if len(fs.Args) > 0 {
		in = fs.Args[0]
	}
	src, name, err := readInput(in, stdin)
	if err != nil {
		return fail(stderr, "mirin as", err)
	}
	m, err := irtext.Parse(name, src, irtext.Options{})
	if err != nil {
		return fail(stderr, "mirin as", err)
	}
	if err := writeOutput(out, irtext.AppendModule(nil, m), stdout); err != nil {
		return fail(stderr, "mirin as", err)
	}
	return 0
}
