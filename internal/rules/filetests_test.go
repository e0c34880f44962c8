package rules

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
)

// TestFileTests: every testdata folder that holds RUN: lines is run by a test
// of its package; without one its files would say nothing.
func TestFileTests(t *testing.T) {
	root := testenv.Root(t)
	found := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || d.Name() != "testdata" {
			return err
		}
		runs := false
		for _, ext := range []string{"ll", "mir", "s", "td"} {
			runs = runs || contains(t, filepath.Join(path, "*."+ext), "RUN:")
		}
		if !runs {
			return filepath.SkipDir
		}
		found++
		pkg := filepath.Dir(path)
		if !contains(t, filepath.Join(pkg, "*_test.go"), "filetest.Run(") && filepath.Base(pkg) != "filetest" {
			rel, _ := filepath.Rel(root, path)
			t.Errorf("no test runs the files of %s", filepath.ToSlash(rel))
		}
		return filepath.SkipDir
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 8 {
		t.Errorf("only %d folders of test files were found", found)
	}
}

// contains reports whether a file that the pattern matches has s.
func contains(t *testing.T, pattern, s string) bool {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if b, err := os.ReadFile(f); err == nil && bytes.Contains(b, []byte(s)) {
			return true
		}
	}
	return false
}
