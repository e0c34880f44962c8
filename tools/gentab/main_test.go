package main

import (
	"bytes"
	"go/format"
	"os"
	"path/filepath"
	"testing"

	"github.com/mirin-go/mirin/desc/facts"
)

// The checked-in constants must be what the facts give.
func TestX86IsCurrent(t *testing.T) {
	in, err := facts.X86()
	if err != nil {
		t.Fatal(err)
	}
	for name, src := range Generate(in) {
		want, err := format.Source(src)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("../../target/x86/tab", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not current: run go generate ./target/x86/tab", name)
		}
	}
}

func TestCamel(t *testing.T) {
	for in, want := range map[string]string{"sub_8bit": "Sub8Bit", "sub_8bit_hi": "Sub8BitHi", "sub_xmm": "SubXmm", "sub_mask_0": "SubMask0"} {
		if got := camel(in); got != want {
			t.Errorf("camel(%q) = %q, want %q", in, got, want)
		}
	}
}
