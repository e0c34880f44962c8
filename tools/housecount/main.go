// Command housecount counts what the house is made of, and what should not be
// in it: packages, lines by room, comparisons of target names outside of triple
// and desc/family, any in types of hooks, interpreters of match tables, words of
// x86 outside of its places (see internal/rules).
//
//	go run ./tools/housecount [-v] [folder of a checkout]
//
// -v lists the places.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/internal/rules"
)

func main() {
	verbose := flag.Bool("v", false, "list the places")
	flag.Parse()
	root := "."
	if flag.NArg() > 0 {
		root = flag.Arg(0)
	}
	if err := count(root, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "housecount:", err)
		os.Exit(1)
	}
}

// lines are those of a room: written, generated and of tests.
type lines struct{ packages, code, generated, tests int }

func count(root string, verbose bool) error {
	rooms, err := lineCounts(root)
	if err != nil {
		return err
	}
	var sum lines
	fmt.Printf("%-28s %8s %9s %9s %9s\n", "room", "packages", "lines", "generated", "tests")
	for _, r := range slices.Sorted(maps.Keys(rooms)) {
		x := rooms[r]
		fmt.Printf("%-28s %8d %9d %9d %9d\n", r, x.packages, x.code, x.generated, x.tests)
		sum = lines{sum.packages + x.packages, sum.code + x.code, sum.generated + x.generated, sum.tests + x.tests}
	}
	fmt.Printf("%-28s %8d %9d %9d %9d\n\n", "all", sum.packages, sum.code, sum.generated, sum.tests)
	list := func(what string, found []string, err error) error {
		fmt.Printf("%-70s %d\n", what, len(found))
		if verbose {
			for _, f := range found {
				fmt.Println("\t" + f)
			}
		}
		return err
	}
	names, err := rules.TargetNames(root)
	if err := list("comparisons of target names outside of triple and desc/family", names, err); err != nil {
		return err
	}
	hooks, err := rules.AnyInHooks(root)
	if err := list("hooks that take or return any", hooks, err); err != nil {
		return err
	}
	interpreters, err := rules.Interpreters(root)
	if err := list("interpreters of match tables", interpreters, err); err != nil {
		return err
	}
	byFile, err := rules.X86Words(root)
	var words []string
	for _, f := range slices.Sorted(maps.Keys(byFile)) {
		words = append(words, byFile[f]...)
	}
	return list("words of x86 outside of its places", words, err)
}

// lineCounts counts the Go files of each room: a folder of the top, and the
// folders below codegen, mir, mc, target and ir one by one.
func lineCounts(root string) (map[string]lines, error) {
	rooms := map[string]lines{}
	packages := map[string]bool{}
	err := filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, p)
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && rel != "." {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") {
			return nil
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		dir := path.Dir(rel)
		room := dir
		if parts := strings.Split(dir, "/"); len(parts) > 1 {
			switch room = parts[0]; room {
			case "codegen", "mir", "mc", "target", "ir", "tablegen":
				room = parts[0] + "/" + parts[1]
			}
		}
		x := rooms[room]
		if !packages[dir] {
			packages[dir] = true
			x.packages++
		}
		n := bytes.Count(b, []byte{'\n'})
		switch {
		case strings.HasSuffix(rel, "_test.go"):
			x.tests += n
		case strings.HasPrefix(d.Name(), "zz_"):
			x.generated += n
		default:
			x.code += n
		}
		rooms[room] = x
		return nil
	})
	return rooms, err
}
