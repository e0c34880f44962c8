package main

import (
	"io"

	"github.com/mirin-go/mirin/internal/llvmflag"
	"github.com/mirin-go/mirin/mir/mirfmt"
)

const mirFmtExamples = `  mirin mir fmt a.mir                  print the canonical form
  mirin mir fmt -w -simplify test.mir  rewrite the file, defaults left out
  mirin mir fmt -l codegen/testdata    name the files that are not canonical
  llc -stop-after=isel a.ll -o - | mirin mir fmt -simplify -

Comments are kept: at the top, between documents, before keys, blocks and
instructions, and behind instructions. What a comment in YAML stood behind, it
stands before. A file that cannot be formatted without loss is left alone.
`

// mirFmtMain is mirin mir fmt.
func mirFmtMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var t mirTarget
	var simplify, full bool
	r := rewriter{tool: "mirin mir fmt"}
	s := &llvmflag.Set{Tool: "mirin mir fmt", Usage: "[options] [files or folders, - for standard input]",
		Overview: "rewrite MIR in LLVM's canonical form, comments kept", Examples: mirFmtExamples}
	r.flags(s)
	s.Bool(&simplify, "simplify", "Leave out defaults and what can be guessed, as llc -simplify-mir").Alias("simplify-mir", "s")
	s.Bool(&full, "full", "Print the IR module and empty functions too, as llc -run-pass=none")
	t.flags(s)
	if status, ok := t.parseFlags(s, args, stdout, stderr); !ok {
		return status
	}
	r.change = func(name string, src []byte) ([]byte, error) {
		return mirfmt.Format(name, src, mirfmt.Options{Parse: t.options(src), Simplify: simplify, Full: full})
	}
	return r.run(s.Args, stdin, stdout, stderr)
}
