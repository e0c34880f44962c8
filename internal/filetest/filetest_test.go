package filetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestFiles(t *testing.T) { Run(t, "testdata") }

// TestFailure runs a test file that must fail in a copy of this test process.
func TestFailure(t *testing.T) {
	if dir := os.Getenv("FILETEST_DIR"); dir != "" {
		Run(t, dir)
		return
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "bad.ll"), []byte("; RUN: echo one | FileCheck %s\n; CHECK: two\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=TestFailure")
	cmd.Env = append(os.Environ(), "FILETEST_DIR="+dir, binaryVar+"="+Binary(t))
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "FAIL: TestFailure/bad.ll") || !strings.Contains(string(out), "expected string not found") {
		t.Errorf("%v\n%s", err, out)
	}
}
