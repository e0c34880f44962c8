package liveness

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/mirtext"
)

// TestVariablesAgainstLLVM compares what livevars leaves with llc-22's, on the
// files of a folder that the environment names.
func TestVariablesAgainstLLVM(t *testing.T) {
	dir := os.Getenv("LIVEVARS_MIR")
	if dir == "" {
		t.Skip("LIVEVARS_MIR is not set")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.mir"))
	funcs, refused := 0, 0
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("llc-22", "-run-pass=livevars", path, "-o", "-").Output()
		if err != nil {
			refused++
			continue
		}
		c := &pass.Context{}
		got, want := parseMIR(t, path, string(src)), parseMIR(t, path, string(out))
		for _, f := range got {
			k := slices.IndexFunc(want, func(w *mir.Function) bool { return w.Name == f.Name })
			if k < 0 || f.FirstBlock() == 0 || f.Props&mir.IsSSA == 0 {
				continue
			}
			pass.Get[Variables](c, f)
			funcs++
			a, b := mirtext.AppendFunction(nil, f, mirtext.PrintOptions{Simplify: true}), mirtext.AppendFunction(nil, want[k], mirtext.PrintOptions{Simplify: true})
			if string(a) != string(b) {
				x, y := strings.Split(string(b), "\n"), strings.Split(string(a), "\n")
				k := 0
				for k < min(len(x), len(y)) && x[k] == y[k] {
					k++
				}
				t.Errorf("%s: %s: line %d:\nwant %s\ngot  %s", path, f.Name, k, x[k], y[k])
			}
		}
	}
	t.Logf("%d functions, %d files refused by llc", funcs, refused)
}
