package interp

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/ir/irtext"
)

// TestPrograms runs the ready-made modules that are quick, strictly, and
// compares output and exit status.
func TestPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: runs programs")
	}
	index := testenv.Shared(t, "programs", "ll.jsonl")
	base := filepath.Dir(index)
	data, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	for dec := json.NewDecoder(bytes.NewReader(data)); dec.More(); {
		var p struct {
			Name, Module, Stdin, Expected string
			Args                          []string
			Data                          [][2]string
			Seconds                       float64 `json:"seconds_O0"`
			Compare                       struct{ Mode string }
		}
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		if p.Seconds > 0.05 || p.Stdin != "" {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			src, err := os.ReadFile(filepath.Join(base, p.Module))
			if err != nil {
				t.Fatal(err)
			}
			m, err := irtext.Parse(p.Module, src, irtext.Options{})
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			for _, d := range p.Data {
				b, err := os.ReadFile(filepath.Join(base, d[0]))
				if err == nil {
					err = os.WriteFile(filepath.Join(dir, d[1]), b, 0o644)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			t.Chdir(dir)
			var out bytes.Buffer
			vm, err := New(m, Options{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out})
			if err != nil {
				t.Fatal(err)
			}
			code, err := vm.RunMain(append([]string{p.Module}, p.Args...))
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join(base, p.Expected))
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Fields(out.String() + "exit " + strconv.Itoa(code))
			exp := strings.Fields(string(want))
			if len(got) != len(exp) {
				t.Fatalf("%d words of output, want %d", len(got), len(exp))
			}
			for i := range got {
				if got[i] != exp[i] && p.Compare.Mode == "exact" {
					t.Fatalf("word %d: got %s, want %s", i, got[i], exp[i])
				}
			}
		})
	}
}
