package rules

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Sources calls visit with every Go file below root that people write: no
// tests, no generated files. rel is its path with slashes.
func Sources(root string, visit func(rel string, src []byte) error) error {
	return filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
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
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") || strings.HasPrefix(d.Name(), "zz_") {
			return nil
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		return visit(rel, b)
	})
}

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

// TargetNames lists the places that compare a target's name, outside of triple
// and desc/family, which are asked, and of what belongs to one target.
func TargetNames(root string) (found []string, err error) {
	fset := token.NewFileSet()
	err = Sources(root, func(rel string, src []byte) error {
		for _, free := range [...]string{"triple/", "desc/family/", "target/x86/", "examples/", "bench/"} {
			if strings.HasPrefix(rel, free) {
				return nil
			}
		}
		if rel == "ir/datalayout.go" {
			return nil // "ve" is a word of old data layouts there
		}
		f, err := parser.ParseFile(fset, rel, src, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, at := range asks(fset, f) {
			found = append(found, fmt.Sprintf("%s:%d", rel, at.Line))
		}
		return nil
	})
	return found, err
}

// x86Word finds what only x86 has: its names, registers, prefixes, syntaxes,
// relocations and well-known mnemonics.
var x86Word = regexp.MustCompile(`[xX]86|[iI][3-6]86|[aA][mM][dD]64|[iI]ntel|AT&T|att_syntax|\bATT\b|[%$][re]?[abcd][xlh]\b|\b[re][abcd]x\b|\b[RE][ABCD]X\b|` +
	`\b[re][sd]i\b|\b[RE][SD]I\b|\br[sbi]p\b|\b[RE][SBI]P\b|\b[rR](8|9|1[0-5])[dwbDWB]\b|eflags|EFLAGS|\bE?VEX\b|\bREX2?\b|GOTPCREL|GOTTPOFF|` +
	`\b(movabsq?|movq|movl|pushq|popq|callq|leaq?|xorl|jmpq?)\b`)

// languageWord are names of LLVM's languages, which know x86's types and
// conventions on every target.
var languageWord = regexp.MustCompile(`(?i)x86_?(fp80|amx|mmx)|x86_?(64_?)?(sysv|intr(errupt)?|stdcall|fastcall|thiscall|vectorcall|regcall)(cc)?|` +
	`(cc)?intel_?ocl(_?bi(cc)?)?|inteldialect|\bAsmIntel\b|\bIntel\b`)

// x86Places may speak of x86: a folder or file, and why.
var x86Places = []struct{ path, why string }{
	{"target/x86/", "it is x86"},
	{"target/all/", "it lists the targets, and says which one runs here"},
	{"triple/", "names of architectures"},
	{"desc/facts/", "LLVM's facts"},
	{"desc/family/", "a row for each LLVM back end"},
	{"ir/autoupgrade/", "LLVM's upgrades of x86's intrinsics"},
	{"ir/intrin/", "names of intrinsics"},
	{"mir/mirupgrade/", "upgrades of x86's MIR"},
	{"mir/mirverify/", "the verifier's rules of LLVM's targets"},
	{"bench/", "measurements of this machine"},
	{"internal/rules/", "it looks for them"},
	{"tools/", "maintainers' tools"},
	{"cmd/mirin/run_linux.go", "a build tag's name of this machine"},
	{"cmd/mirin/run_other.go", "a build tag's name of this machine"},
}

// X86Words lists, by file, the words of x86 outside of x86Places.
func X86Words(root string) (map[string][]string, error) {
	found, seen := map[string][]string{}, map[string]string{}
	err := Sources(root, func(rel string, src []byte) error {
		if slices.ContainsFunc(x86Places, func(x struct{ path, why string }) bool { return strings.HasPrefix(rel, x.path) }) {
			return nil
		}
		if w := words(rel, src, seen); len(w) > 0 {
			found[rel] = w
		}
		return nil
	})
	return found, err
}

// words lists the names and strings of a Go file that speak of x86. seen keeps
// the words of those that were looked at before.
func words(file string, src []byte, seen map[string]string) (found []string) {
	fs := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fs.AddFile(file, -1, len(src)), src, nil, 0)
	for {
		pos, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			return found
		case token.IDENT, token.STRING:
			w, ok := seen[lit]
			if !ok {
				w = x86Word.FindString(languageWord.ReplaceAllString(lit, ""))
				seen[lit] = w
			}
			if w != "" {
				found = append(found, fmt.Sprintf("%s: %s in %.60s", fs.Position(pos), w, lit))
			}
		}
	}
}

// hookPlaces are the rooms whose structs hold what targets fill in.
var hookPlaces = []string{"target/", "codegen/", "mir/", "mc/", "objabi/"}

// AnyInHooks lists the fields of function type, in structs of hookPlaces,
// that take or return any.
func AnyInHooks(root string) (found []string, err error) {
	fset := token.NewFileSet()
	err = Sources(root, func(rel string, src []byte) error {
		if !slices.ContainsFunc(hookPlaces, func(p string) bool { return strings.HasPrefix(rel, p) }) {
			return nil
		}
		f, err := parser.ParseFile(fset, rel, src, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.StructType)
			if !ok {
				return true
			}
			for _, field := range s.Fields.List {
				if fn, ok := field.Type.(*ast.FuncType); ok && mentionsAny(fn) {
					found = append(found, fmt.Sprintf("%s:%d", rel, fset.Position(field.Pos()).Line))
				}
			}
			return true
		})
		return nil
	})
	return found, err
}

func mentionsAny(n ast.Node) (any bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			any = any || n.Name == "any"
		case *ast.InterfaceType:
			any = any || len(n.Methods.List) == 0
		}
		return true
	})
	return any
}

// Interpreters lists the packages that execute match tables: those with a
// switch over ten operations of codegen/matchtable/code or more.
func Interpreters(root string) (found []string, err error) {
	fset := token.NewFileSet()
	err = Sources(root, func(rel string, src []byte) error {
		f, err := parser.ParseFile(fset, rel, src, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if dir := path.Dir(rel); !slices.Contains(found, dir) && switchesOver(f, "code", 10) {
			found = append(found, dir)
		}
		return nil
	})
	return found, err
}

// switchesOver reports a switch with at least n cases of constants of a package.
func switchesOver(f *ast.File, pkg string, n int) (yes bool) {
	ast.Inspect(f, func(x ast.Node) bool {
		s, ok := x.(*ast.SwitchStmt)
		if !ok {
			return true
		}
		cases := 0
		for _, c := range s.Body.List {
			for _, e := range c.(*ast.CaseClause).List {
				if sel, ok := e.(*ast.SelectorExpr); ok {
					if id, ok := sel.X.(*ast.Ident); ok && id.Name == pkg {
						cases++
					}
				}
			}
		}
		yes = yes || cases >= n
		return true
	})
	return yes
}
