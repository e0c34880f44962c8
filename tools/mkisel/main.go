// Mkisel makes the instruction-selection table of a target out of its .td file.
//
//	mkisel -target X86 -o tab/zz_isel.bin X86.td
//
// It prints the patterns that cannot be imported or never match, and with -v
// those that overlap; see docs/tablegen/global-isel.md.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/tablegen/emit/globalisel"
)

func main() {
	out := flag.String("o", "", "file to write")
	name := flag.String("target", "", "LLVM's name of the target, such as X86")
	verbose := flag.Bool("v", false, "say which patterns overlap")
	flag.Parse()
	if err := run(*name, flag.Arg(0), *out, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(name, file, out string, verbose bool) error {
	info, err := facts.Load(name)
	if err != nil {
		return err
	}
	res, err := globalisel.FromFile(info, file, os.ReadFile)
	if err != nil {
		return err
	}
	for _, r := range res.Reports {
		if r.Severity > globalisel.Note || verbose {
			fmt.Println(r)
		}
	}
	b := res.Table.AppendBinary(nil)
	fmt.Printf("%d patterns, %d imported: %d rules in %d bytes\n", res.Patterns, res.Imported, res.Rules, len(b))
	if n := len(res.Errors()); n > 0 {
		return fmt.Errorf("%d patterns were not imported", n)
	}
	if out == "" {
		return nil
	}
	return os.WriteFile(out, b, 0o644)
}
