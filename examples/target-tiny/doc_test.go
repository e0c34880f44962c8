package tiny

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocument holds docs/add-a-target.md to the files: each piece of code
// between ellipses is there.
func TestDocument(t *testing.T) {
	doc, err := os.ReadFile("../../docs/add-a-target.md")
	if err != nil {
		t.Fatal(err)
	}
	names, _ := filepath.Glob("*.go")
	files := map[string]string{}
	for _, n := range append(names, "Tiny.td") {
		b, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		ext := filepath.Ext(n)[1:]
		files[ext] += string(b)
	}
	pieces := 0
	for rest := string(doc); ; {
		_, after, ok := strings.Cut(rest, "\n```")
		if !ok {
			break
		}
		head, body, _ := strings.Cut(after, "\n")
		code, tail, _ := strings.Cut(body, "\n```")
		rest = tail
		text, known := files[head]
		if !known {
			continue
		}
		for _, piece := range strings.Split("\n"+code+"\n", "\n…\n") {
			pieces++
			if !strings.Contains("\n"+text+"\n", "\n"+strings.Trim(piece, "\n")+"\n") {
				t.Errorf("the example does not say\n%s", piece)
			}
		}
	}
	if pieces < 20 {
		t.Errorf("only %d pieces of code", pieces)
	}
}

// TestSize: what is written by hand stays under 400 lines.
func TestSize(t *testing.T) {
	n := 0
	for _, f := range [...]string{"tiny.go", "isel.go", "machine.go"} {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		n += strings.Count(string(b), "\n")
	}
	if n >= 400 {
		t.Errorf("%d lines of Go", n)
	}
}
