package main

import (
	"fmt"
	"io"

	"github.com/mirin-go/mirin/ir/irtext"
)

// asMain reads a module and prints it in canonical form.
func asMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := "-"
	fs := &flagSet{tool: "mirin as", overview: "read .ll text, check it, print it in canonical form", examples: "  mirin as prog.ll -o canonical.ll\n"}
	fs.str(&out, "o", "filename", "Output filename")
	done, err := fs.parse(args, stdout)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	if done {
		return 0
	}
	in := "-"
	if len(fs.args) > 0 {
		in = fs.args[0]
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
