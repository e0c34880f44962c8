package autoupgrade_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/ir/irverify"
)

// TestCalls upgrades one call of each of many old intrinsics. testdata/calls.want
// is what LLVM 22 makes of testdata/calls.ll (tools/irroundtrip/ref).
func TestCalls(t *testing.T) {
	src, err := os.ReadFile("testdata/calls.ll")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/calls.want")
	if err != nil {
		t.Fatal(err)
	}
	m, err := irtext.Parse("<stdin>", src, irtext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if faults := irverify.Module(m); faults != "" {
		t.Fatal(faults)
	}
	got := bytes.Split(irtext.AppendModule(nil, m), []byte("\n"))
	for i, w := range bytes.Split(want, []byte("\n")) {
		if i >= len(got) || !bytes.Equal(got[i], w) {
			t.Fatalf("line %d: %s\nwant %s", i+1, got[min(i, len(got)-1)], w)
		}
	}
}
