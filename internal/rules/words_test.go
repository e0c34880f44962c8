package rules

import (
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
)

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
	{"tools/", "maintainers' tools"},
	{"cmd/mirin/run_linux.go", "a build tag's name of this machine"},
	{"cmd/mirin/run_other.go", "a build tag's name of this machine"},
}

// x86Left are the words that are still elsewhere, at most, by file: what
// package triple and desc/family are to replace, and names of LLVM's examples.
var x86Left = map[string]int{
	"cmd/mirin/mir.go":                 2,
	"cmd/mirin/mirupgrade.go":          1,
	"interp/va.go":                     1,
	"ir/bitcode/write.go":              2,
	"ir/bitcode/globals.go":            2,
	"ir/intrinsic.go":                  1,
	"mir/mirtext/parse.go":             1,
	"tablegen/emit/targetinfo/regs.go": 1,
	"tablegen/tblgen/command.go":       4,
	"tablegen/tblgen/tables.go":        1,
}

// TestX86Words: nothing outside of these places depends on x86, in names or strings.
func TestX86Words(t *testing.T) {
	root := testenv.Root(t)
	var found []string
	seen := map[string]string{}
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
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") || strings.HasPrefix(d.Name(), "zz_") ||
			slices.ContainsFunc(x86Places, func(x struct{ path, why string }) bool { return strings.HasPrefix(rel, x.path) }) {
			return nil
		}
		b, err := os.ReadFile(p)
		if w := words(rel, b, seen); len(w) > x86Left[rel] {
			found = append(found, w...)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) > 0 {
		t.Errorf("%d words of x86 outside of target/x86:\n%s", len(found), strings.Join(found, "\n"))
	}
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

func TestWords(t *testing.T) {
	for src, want := range map[string]int{
		`package p; var x = "R_X86_64_32"`: 1, `package p; var RIP = 1`: 1, `package p // x86`: 0, `package p; var s = "\t.intel_syntax"`: 1,
		`package p; var k = "x86_fp80"`: 0, `package p; var relax, lexer, index = 1, 2, 3`: 0, `package p; func isIntel() {}`: 1, `package p; var s = "%eax"`: 1,
	} {
		if got := words("x.go", []byte(src), map[string]string{}); len(got) != want {
			t.Errorf("%s: %v", src, got)
		}
	}
}
