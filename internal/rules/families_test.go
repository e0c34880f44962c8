package rules

import (
	"go/parser"
	"go/token"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
)

// TestTargetNames: who asks which target or system something is asks triple or
// desc/family. What belongs to one target may name it: target/<isa> and examples.
func TestTargetNames(t *testing.T) {
	found, err := TargetNames(testenv.Root(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range found {
		t.Errorf("%s compares a target's name; ask triple or desc/family", at)
	}
}

// TestHooks: hooks are typed, and one package executes match tables.
func TestHooks(t *testing.T) {
	found, err := AnyInHooks(testenv.Root(t))
	if err != nil || len(found) > 0 {
		t.Errorf("hooks that take or return any: %v %v", found, err)
	}
	if found, err = Interpreters(testenv.Root(t)); err != nil || len(found) != 1 {
		t.Errorf("interpreters of match tables: %v %v, want one", found, err)
	}
}

// TestAsks: the counter sees what it counts.
func TestAsks(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "x.go", `package x
func f(s string, id int) {
	if s == "X86" || "amdgcn" != s || strings.HasPrefix(s, "powerpc64") || id == family.RISCV {}
	switch s { case "thumb", "other": }
	switch id { case family.None: case family.X86: }
	if runtime.GOARCH == "arm64" || s == "verify" {}
	switch runtime.GOOS { case "darwin": }
}`, 0)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(asks(fset, f)); n != 6 {
		t.Errorf("%d places found, want 6", n)
	}
}
