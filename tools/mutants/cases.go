package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mirin-go/mirin/internal/verdict"
)

// cases asks LLVM for the answers of a file of cases, whose language is the
// first word of its name, and writes them into the file, or shows where ours differ.
func cases(file, tool string, record bool) error {
	l := langNamed(strings.FieldsFunc(filepath.Base(file), func(r rune) bool { return r == '-' || r == '.' })[0])
	if l == nil {
		return fmt.Errorf("%s: the name begins with no language", file)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	cs, err := verdict.Read(b)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bad := 0
	for i := range cs {
		p, err := l.place(dir, cs[i].Src)
		if err != nil {
			return err
		}
		if record {
			cs[i].Want = l.askLLVM(p, cs[i].Flags, false).verdict
		}
		if tool == "" {
			continue
		}
		if got := l.askOurs(tool, p, cs[i].Flags).verdict; got != cs[i].Want {
			bad++
			fmt.Printf("%s: %s\n  LLVM: %s  ours: %s", filepath.Base(file), cs[i].Name, cs[i].Want, got)
		}
	}
	fmt.Printf("%s: %d cases, %d differ\n", file, len(cs), bad)
	if record {
		return os.WriteFile(file, verdict.Append(nil, verdict.Head(b), cs), 0o666)
	}
	return nil
}
