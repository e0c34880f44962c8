package bpf

import (
	"bytes"
	"os"
	"testing"

	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/diag"
	emit "github.com/mirin-go/mirin/tablegen/emit/globalisel"
	"github.com/mirin-go/mirin/target/bpf/tab"
)

// TestTableIsCurrent makes the table anew: run `go generate ./target/bpf/tab` when it fails.
func TestTableIsCurrent(t *testing.T) {
	info, err := facts.BPF()
	if err != nil {
		t.Fatal(err)
	}
	res, err := emit.FromFile(info, "BPF.td", os.ReadFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Err(); err != nil {
		t.Error(err)
	}
	for _, r := range res.Reports {
		if r.Severity != diag.Note {
			t.Error(r)
		}
	}
	if !bytes.Equal(res.Table.AppendBinary(nil), tab.ISel) {
		t.Error("tab/zz_isel.bin is not what BPF.td says: run go generate")
	}
	if _, err := matchtable.Bind(tab.ISel, patternHooks(), info); err != nil {
		t.Error(err)
	}
}
