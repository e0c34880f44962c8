package liveness

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/mirtext"
)

// parseMIR reads the functions of MIR text for a triple, x86-64 where the text has none.
func parseMIR(t testing.TB, name, src string) []*mir.Function {
	t.Helper()
	f, err := mirtext.Parse(name, []byte(src), mirtext.ParseOptions{Facts: func(t string) (*desc.Info, error) {
		if t == "" {
			t = "x86_64-unknown-linux-gnu"
		}
		return facts.Load(family.NameOf(t))
	}})
	if err != nil {
		t.Error(err)
		return nil
	}
	return f.Functions
}

// dump writes the intervals as LLVM's printer does, units that are live nowhere left out.
func dump(v *Intervals, f *mir.Function) []string {
	var out []string
	for u := range v.NumUnits() {
		r := v.CachedUnit(desc.RegUnit(u))
		if r == nil || r.Empty() {
			continue
		}
		name := ""
		for k, root := range f.Facts.Units[u] {
			if root == 0 || k > 0 && root == f.Facts.Units[u][0] {
				continue
			}
			if name != "" {
				name += "~"
			}
			name += f.Facts.RegName(root)
		}
		out = append(out, name+" "+string(r.AppendText(nil, v.Indexes)))
	}
	for n := range f.NumVRegs() {
		if r := mir.VReg(n); v.Has(r) && !v.Interval(r).Empty() {
			out = append(out, string(v.Interval(r).AppendText(nil, v.Indexes)))
		}
	}
	return out
}

var valNum = regexp.MustCompile(`:(\d+)\)`)

// canonical numbers the values of each range of a line in order of their first segments.
func canonical(line string) string {
	parts := strings.Split(line, " ")
	for k := 0; k+1 < len(parts); k++ {
		if !strings.HasPrefix(parts[k], "[") {
			continue
		}
		to := map[string]int{}
		parts[k] = valNum.ReplaceAllStringFunc(parts[k], func(s string) string {
			if _, ok := to[s]; !ok {
				to[s] = len(to)
			}
			return ":" + strconv.Itoa(to[s]) + ")"
		})
		// The values follow, "0@16r" each.
		first := k + 1
		for first < len(parts) && parts[first] == "" {
			first++
		}
		last := first
		var vals []string
		for ; last < len(parts) && strings.Contains(parts[last], "@"); last++ {
			n, def, _ := strings.Cut(parts[last], "@")
			if v, ok := to[":"+n+")"]; ok {
				vals = append(vals, strconv.Itoa(v)+"@"+def)
			}
		}
		slices.SortFunc(vals, func(a, b string) int {
			x, _, _ := strings.Cut(a, "@")
			y, _, _ := strings.Cut(b, "@")
			i, _ := strconv.Atoi(x)
			j, _ := strconv.Atoi(y)
			return i - j
		})
		parts[k] += " " + strings.Join(vals, " ")
		for j := first; j < last; j++ {
			parts[j] = ""
		}
		k = last - 1
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

// llvmDump is what llc-22 finds for each function of a file.
func llvmDump(t *testing.T, path string) map[string][]string {
	cmd := exec.Command("llc-22", "-passes=print<live-intervals>", path, "-o", os.DevNull)
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Run(); err != nil {
		return nil
	}
	out := map[string][]string{}
	name, on := "", false
	for line := range strings.SplitSeq(errs.String(), "\n") {
		if n, ok := strings.CutPrefix(line, "Live intervals for machine function: "); ok {
			name, on = strings.TrimSuffix(n, ":"), false
			out[name] = []string{}
			continue
		}
		switch {
		case strings.HasPrefix(line, "********** INTERVALS"):
			on = true
		case strings.HasPrefix(line, "RegMasks:"):
			on = false
		case on && strings.Contains(line, "["):
			out[name] = append(out[name], line)
		}
	}
	return out
}

// TestAgainstLLVM compares with llc-22 on the files of testdata, and on those of
// a folder that the environment names.
func TestAgainstLLVM(t *testing.T) {
	if _, err := exec.LookPath("llc-22"); err != nil {
		t.Skip("llc-22 is not installed")
	}
	files, _ := filepath.Glob("testdata/*.mir")
	if dir := os.Getenv("LIVENESS_MIR"); dir != "" {
		more, _ := filepath.Glob(filepath.Join(dir, "*.mir"))
		files = append(files, more...)
	}
	funcs, refused := 0, 0
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := llvmDump(t, path)
		if want == nil {
			refused++
			continue
		}
		c := &pass.Context{}
		for _, f := range parseMIR(t, path, string(src)) {
			w, ok := want[f.Name]
			if !ok {
				continue
			}
			v := pass.Get[Intervals](c, f)
			if how := v.Check(f); how != "" {
				t.Errorf("%s: %s: %s", path, f.Name, how)
			}
			got := dump(v, f)
			for k := range got {
				got[k] = canonical(got[k])
			}
			for k := range w {
				w[k] = canonical(w[k])
			}
			funcs++
			if !slices.Equal(got, w) {
				only := func(a, b []string) string {
					return strings.Join(slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) }), "\n")
				}
				t.Errorf("%s: %s:\ngot\n%s\nwant\n%s", path, f.Name, only(got, w), only(w, got))
			}
		}
	}
	t.Logf("%d functions are alike, %d files refused by llc", funcs, refused)
}
