package combiner

import (
	"os"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/tablegen"
)

// FuzzRules: no text makes the generator panic.
func FuzzRules(f *testing.F) {
	text, err := os.ReadFile("testdata/cases.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range strings.Split(string(text), "=== ")[1:] {
		_, rest, _ := strings.Cut(c, "\n")
		src, _, _ := strings.Cut(rest, "--- ")
		f.Add(src)
	}
	in, err := facts.Load("X86")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, src string) {
		o := options(in, nil)
		o.MaxSteps = 100000
		rs, err := tablegen.Parse(o, "f.td", []byte(head+src+"\ndef C : GICombiner<\"c\", [r]>;\n"))
		if err != nil {
			return
		}
		r, err := FromRecords(in, rs, "C")
		if err == nil {
			AppendGo(nil, r, "p", "p.bin")
			if err := code.Verify(r.Table, code.Limits{Opcodes: in.NumInstrs(), SubRegs: 1}); err != nil {
				t.Error(err)
			}
		}
	})
}
