package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestDifferences: what two objects do otherwise is found, what they do alike is not.
func TestDifferences(t *testing.T) {
	const text = `
target triple = "bpfel"
define i32 @f(ptr %skb) section "SECTION" {
  %n = load i32, ptr %skb
  %m = and i32 %n, MASK
  ret i32 %m
}
`
	o := options{opt: "2", mcpu: "v3"}
	compile := func(section, mask string) []byte {
		file := filepath.Join(t.TempDir(), "x.ll")
		src := []byte(text)
		for _, p := range [][2]string{{"SECTION", section}, {"MASK", mask}} {
			src = bytes.ReplaceAll(src, []byte(p[0]), []byte(p[1]))
		}
		if err := os.WriteFile(file, src, 0o666); err != nil {
			t.Fatal(err)
		}
		obj, err := o.ours(file)
		if err != nil {
			t.Fatal(err)
		}
		return obj
	}
	for _, section := range []string{"socket", "kprobe/x"} {
		a, b := compile(section, "255"), compile(section, "127")
		if v, why := compareVM(a, a, "f", 10, 1); v != same {
			t.Errorf("%s: an object and itself: %s %s", section, v, why)
		}
		if v, _ := compareVM(a, b, "f", 10, 1); v != different {
			t.Errorf("%s: two programs: %s", section, v)
		}
	}
}
