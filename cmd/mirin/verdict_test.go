package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/verdict"
)

// TestVerdicts gives input that is almost right to our tools and compares what
// they say with what LLVM 22 says, which stands in testdata/verdicts;
// "go run ./tools/mutants -record FILE" asks LLVM again.
func TestVerdicts(t *testing.T) {
	files, err := filepath.Glob("testdata/verdicts/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		cs, err := verdict.Read(b)
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txt"), func(t *testing.T) {
			dir := t.TempDir()
			for _, c := range cs {
				args, path := verdictArgs(t, filepath.Base(f), dir, c)
				var out, errs bytes.Buffer
				status := dispatch(append([]string{"mirin"}, args...), strings.NewReader(""), &out, &errs)
				got := verdict.Normal(errs.String(), path, status)
				if args[0] == "llc" {
					got = verdict.First(got)
				}
				if got != c.Want {
					t.Errorf("%s:\n%swant\n%s", c.Name, got, c.Want)
				}
			}
		})
	}
}

// verdictArgs writes a case's input and returns the command line for it: what
// the file's name begins with says which tool reads it.
func verdictArgs(t *testing.T, file, dir string, c verdict.Case) (args []string, path string) {
	t.Helper()
	lang := strings.FieldsFunc(file, func(r rune) bool { return r == '-' || r == '.' })[0]
	path = filepath.Join(dir, "t."+map[string]string{"filecheck": "txt"}[lang]+strings.TrimPrefix(lang, "filecheck"))
	src, in, checks := strings.Cut(c.Src, verdict.InputBar)
	if lang != "filecheck" {
		src, checks = c.Src, false
	}
	if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	if checks {
		if err := os.WriteFile(path+".in", []byte(in), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	flags := strings.Fields(c.Flags)
	switch lang {
	case "ll":
		args = append([]string{"as", "-S", "-o", os.DevNull}, flags...)
	case "bc":
		args = append([]string{"dis", "-o", os.DevNull}, flags...)
	case "mir":
		args = append([]string{"llc", "-run-pass=none", "-verify-machineinstrs", "-o", os.DevNull}, flags...)
	case "td":
		args = append([]string{"tblgen", "-o", os.DevNull}, flags...)
	case "filecheck":
		args = append([]string{"filecheck", "--color=0", "--input-file=" + path + ".in"}, flags...)
	default:
		t.Fatalf("%s: the name begins with no language", file)
	}
	return append(args, path), path
}
