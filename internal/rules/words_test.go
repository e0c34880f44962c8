package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
)

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
	found, err := X86Words(testenv.Root(t))
	if err != nil {
		t.Fatal(err)
	}
	var more []string
	for file, words := range found {
		if len(words) > x86Left[file] {
			more = append(more, words...)
		}
	}
	if slices.Sort(more); len(more) > 0 {
		t.Errorf("%d words of x86 outside of target/x86:\n%s", len(more), strings.Join(more, "\n"))
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
