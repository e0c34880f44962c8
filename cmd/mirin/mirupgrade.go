package main

import (
	"io"

	"github.com/mirin-go/mirin/internal/llvmflag"
	"github.com/mirin-go/mirin/mir/mirupgrade"
)

const mirUpgradeExamples = `  mirin mir upgrade old.mir            print it in today's form
  mirin mir upgrade -d tests           show what would change in a folder
  mirin mir upgrade -w old.mir && mirin mir fmt -w -simplify old.mir

What cannot be upgraded is an error with its place in the file, which is then
left alone.
`

// mirUpgradeMain is mirin mir upgrade.
func mirUpgradeMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var t mirTarget
	r := rewriter{tool: "mirin mir upgrade"}
	s := &llvmflag.Set{Tool: r.tool, Usage: "[options] [files or folders, - for standard input]",
		Overview: "bring MIR of LLVM's older editions (%eax, load 4 from) to today's form", Examples: mirUpgradeExamples}
	r.flags(s)
	t.flags(s)
	if status, ok := t.parseFlags(s, args, stdout, stderr); !ok {
		return status
	}
	r.change = func(name string, src []byte) ([]byte, error) {
		return mirupgrade.Upgrade(name, src, t.options(src))
	}
	return r.run(s.Args, stdin, stdout, stderr)
}
