package main

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/lit"
)

// TestFiles runs the test files that stand beside the passes: every testdata
// folder below codegen, target and mir that holds RUN: lines.
func TestFiles(t *testing.T) {
	r := litRunner()
	found := 0
	for _, root := range []string{"../../codegen", "../../target", "../../mir"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() || d.Name() != "testdata" {
				return err
			}
			files, err := lit.Find(path)
			if err != nil || len(files) == 0 {
				return err
			}
			found += len(files)
			name := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../../")
			t.Run(name, func(t *testing.T) { lit.RunDir(t, path, r) })
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found < 12 {
		t.Errorf("only %d test files", found)
	}
}
