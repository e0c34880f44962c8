package main

import (
	"fmt"
	"io"

	"github.com/mirin-go/mirin/internal/llvmflag"
	"github.com/mirin-go/mirin/mir/mirdiff"
)

const mirDiffExamples = `  mirin mir diff before.mir after.mir
  mirin mir diff --color=always a.mir b.mir | less -R
  llc -run-pass=machine-cse a.mir -o - | mirin mir diff a.mir -

Registers, blocks and stack objects of the second file are shown by the names
of their counterparts in the first; %12' is one that has none. The exit status
is 0 when nothing differs, 1 when something does, 2 for trouble.
`

// mirDiffMain is mirin mir diff.
func mirDiffMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var t mirTarget
	var brief bool
	var color string
	o := mirdiff.Options{Context: 3}
	s := &llvmflag.Set{Tool: "mirin mir diff", Usage: "[options] <file A> <file B>", MaxArgs: 2,
		Overview: "compare MIR function by function, whatever registers and blocks are called", Examples: mirDiffExamples}
	s.Bool(&brief, "q", "Say only whether the files differ").Alias("brief")
	s.Bool(&o.Exact, "exact", "Compare names and numbers too")
	s.Bool(&o.Locations, "locations", "Compare debug locations too")
	s.Int(&o.Context, "U", "Lines of context").Value("N").Joined().Alias("unified")
	colorFlag(s, &color)
	t.flags(s)
	if status, ok := t.parseFlags(s, args, stdout, stderr); !ok {
		return status
	}
	if len(s.Args) != 2 || o.Context < 0 {
		fmt.Fprintln(stderr, "mirin mir diff: two files are needed.  Try: 'mirin mir diff --help'")
		return 2
	}
	a, errA := t.parse(s.Args[0], stdin)
	b, errB := t.parse(s.Args[1], stdin)
	for _, err := range []error{errA, errB} {
		if err != nil {
			mirFault(stderr, s.Tool, err)
		}
	}
	if errA != nil || errB != nil {
		return 2
	}
	o.Colors = colorsFor(stdout, color)
	r := mirdiff.Files(s.Args[0], s.Args[1], a, b, o)
	switch {
	case r.Equal():
		return 0
	case brief:
		fmt.Fprintf(stdout, "%s and %s differ: %s differ, %d only in the first, %d only in the second\n",
			s.Args[0], s.Args[1], counted(r.Changed, "function"), r.OnlyA, r.OnlyB)
	default:
		stdout.Write(r.Text)
	}
	return 1
}
