package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
)

// kept are words of x86 that stand elsewhere and have a reason to, by file: how many, and the reason.
var kept = map[string]struct {
	n   int
	why string
}{
	"cmd/mirin/mir.go":                 {2, "help: an example of LLVM's older MIR, and LLVM's default triple"},
	"cmd/mirin/mirupgrade.go":          {1, "help: an example of LLVM's older MIR"},
	"interp/va.go":                     {1, "the form of va_list that front ends read by plain loads"},
	"ir/bitcode/write.go":              {2, "the processor numbers of LLVM's bitcode wrapper"},
	"ir/bitcode/globals.go":            {2, "old bitcode of LLVM's calling convention x86_intrcc lacks a type"},
	"mir/mirtext/parse.go":             {1, "LLVM's default triple"},
	"tablegen/emit/targetinfo/regs.go": {1, "LLVM numbers the register tuples of one target in an order of its own"},
	"tablegen/tblgen/command.go":       {4, "help: examples, and the names of llvm-tblgen's actions"},
}

// TestX86Words: nothing outside of these places depends on x86, in names or strings.
func TestX86Words(t *testing.T) {
	found, err := X86Words(testenv.Root(t))
	if err != nil {
		t.Fatal(err)
	}
	var more []string
	for file, words := range found {
		if len(words) > kept[file].n {
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
