package testenv

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Root returns the top folder of the checkout.
func Root(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			tb.Fatal("no go.mod above the working directory")
		}
		dir = up
	}
}

// Shared returns the path of a file or folder of the shared material
// ($MIRIN_SHARED, or the folder "shared" beside the checkout) and skips the
// test where it is absent.
func Shared(tb testing.TB, elem ...string) string {
	tb.Helper()
	base := os.Getenv("MIRIN_SHARED")
	if base == "" {
		base = filepath.Join(filepath.Dir(Root(tb)), "shared")
	}
	p := filepath.Join(append([]string{base}, elem...)...)
	if _, err := os.Stat(p); err != nil {
		tb.Skipf("skipped: %s is not there (set MIRIN_SHARED)", p)
	}
	return p
}

// LLVM returns the path of an LLVM 22 tool (llc, opt, clang, llvm-mc, …) and
// skips the test where it is not installed.
func LLVM(tb testing.TB, tool string) string {
	tb.Helper()
	if p, err := exec.LookPath(tool + "-22"); err == nil {
		return p
	}
	p := filepath.Join("/usr/lib/llvm-22/bin", tool)
	if _, err := os.Stat(p); err == nil {
		return p
	}
	tb.Skipf("skipped: LLVM 22's %s is not installed", tool)
	return ""
}
