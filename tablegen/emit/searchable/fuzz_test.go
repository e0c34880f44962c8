package searchable

import (
	"os"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/tablegen"
)

// FuzzTables: no text makes the generator panic.
func FuzzTables(f *testing.F) {
	text, err := os.ReadFile("testdata/cases.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range strings.Split(string(text), "=== ")[1:] {
		_, rest, _ := strings.Cut(c, "\n")
		src, _, _ := strings.Cut(rest, "--- ")
		f.Add(src)
	}
	f.Add(many())
	f.Fuzz(func(t *testing.T, src string) {
		rs, err := tablegen.Parse(tablegen.Options{MaxSteps: 100000, ReadFile: ours}, "f.td", []byte(head+src))
		if err != nil {
			return
		}
		if tabs, err := Collect(rs); err == nil {
			AppendGo(nil, rs, tabs, "p")
		}
	})
}
