// Mkcallconv makes the tables of a target's calling conventions out of its .td file.
//
//	mkcallconv -target X86 -o tab/zz_callconv.go X86CallingConv.td
//
// The file is of package tab; see docs/tablegen/calling-conv.md.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen/emit/callingconv"
)

func main() {
	out := flag.String("o", "", "file to write")
	name := flag.String("target", "", "LLVM's name of the target, such as X86")
	flag.Parse()
	if err := run(*name, flag.Arg(0), *out); err != nil {
		os.Stderr.Write(diag.AppendError(nil, "mkcallconv", err))
		os.Exit(1)
	}
}

func run(name, file, out string) error {
	info, err := facts.Load(name)
	if err != nil {
		return err
	}
	t, err := callingconv.FromFile(info, file, os.ReadFile)
	if err != nil {
		return err
	}
	b, err := callingconv.AppendGo(nil, t)
	if err != nil {
		return err
	}
	fmt.Printf("%d calling conventions in %d words, %d lists of saved registers\n", len(t.Convs), len(t.Code), len(t.Saved))
	if out == "" {
		return nil
	}
	return os.WriteFile(out, b, 0o644)
}
