package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
)

// targetName matches LLVM's names of back ends, and the words of triples for
// architectures and systems, in any case.
var targetName = regexp.MustCompile(`(?i)^(x86|x86[-_]64h?|i[3-9]86|amd64|aarch64(_be|_32)?|arm64(_32|e|ec)?|arm(eb)?|thumb(eb)?|amdgpu|amdgcn|r600|nvptx(64)?|nvvm|` +
	`bpf(el|eb)?|mips(64)?(el)?|hexagon|riscv(32|64)?(be)?|ppc(32|64)?(le)?|powerpc(64)?(le)?|systemz|s390x?|sparc(v9|el|64)?|wasm(32|64)?|webassembly|` +
	`avr|msp430|lanai|loongarch(32|64)?|ve|xcore|xtensa|m68k|csky|arc|spirv?(32|64)?|dxil|darwin|macosx?|ios|linux|windows|win32|freebsd|amdhsa|mesa3d)$`)

// asks counts the places in a file where a value is held against a target's
// name: ==, != and case with a literal, strings.HasPrefix, HasSuffix and
// Contains of one, and of the families' numbers.
func asks(fset *token.FileSet, f *ast.File) (where []token.Position) {
	name := func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.BasicLit:
			s, err := strconv.Unquote(e.Value)
			return e.Kind == token.STRING && err == nil && targetName.MatchString(s)
		case *ast.SelectorExpr:
			x, ok := e.X.(*ast.Ident)
			return ok && x.Name == "family" && targetName.MatchString(e.Sel.Name)
		}
		return false
	}
	// runtime.GOARCH and its like ask about the machine that we run on.
	host := func(e ast.Expr) bool {
		s, ok := e.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		x, ok := s.X.(*ast.Ident)
		return ok && x.Name == "runtime"
	}
	hit := func(e ast.Node) { where = append(where, fset.Position(e.Pos())) }
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if (n.Op == token.EQL || n.Op == token.NEQ) && (name(n.X) && !host(n.Y) || name(n.Y) && !host(n.X)) {
				hit(n)
			}
		case *ast.SwitchStmt:
			if n.Tag != nil && host(n.Tag) {
				return false
			}
		case *ast.CaseClause:
			for _, e := range n.List {
				if name(e) {
					hit(e)
				}
			}
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && len(n.Args) == 2 && name(n.Args[1]) {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "strings" && (s.Sel.Name == "HasPrefix" || s.Sel.Name == "HasSuffix" || s.Sel.Name == "Contains") {
					hit(n)
				}
			}
		}
		return true
	})
	return where
}

// TestTargetNames: who asks which target or system something is asks triple or
// desc/family. What belongs to one target may name it: target/<isa> and examples.
func TestTargetNames(t *testing.T) {
	root := testenv.Root(t)
	fset := token.NewFileSet()
	err := filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, p)
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			for _, free := range [...]string{"triple", "desc/family", "target/x86", "examples", "bench"} {
				if rel == free {
					return filepath.SkipDir
				}
			}
			if strings.HasPrefix(d.Name(), ".") && rel != "." || d.Name() == "testdata" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") || strings.HasPrefix(d.Name(), "zz_") {
			return nil
		}
		f, err := parser.ParseFile(fset, p, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if rel == "ir/datalayout.go" {
			return nil // "ve" is a word of old data layouts there
		}
		for _, at := range asks(fset, f) {
			t.Errorf("%s:%d compares a target's name; ask triple or desc/family", rel, at.Line)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
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
