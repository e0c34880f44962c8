package dagpattern

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/tablegen"
)

const llvmInclude = "/usr/include/llvm-22"

// llvmTblgen is the oracle; tests that need it skip where it is absent.
func llvmTblgen(t *testing.T) string {
	t.Helper()
	bin, err := exec.LookPath("llvm-tblgen-22")
	if err != nil {
		t.Skip("llvm-tblgen-22 is not installed")
	}
	if _, err := os.Stat(llvmInclude + "/llvm/Target/Target.td"); err != nil {
		t.Skip("LLVM's .td files are not installed")
	}
	return bin
}

func readFile(t *testing.T, file string, dirs []string) (*Set, error) {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	opts := tablegen.Options{IncludeDirs: append([]string{llvmInclude}, dirs...), ReadFile: os.ReadFile}
	rs, err := tablegen.Parse(opts, file, src)
	if err != nil {
		return nil, err
	}
	return Read(rs)
}

var srcLine = regexp.MustCompile(`(?m)^ *// Src: (.*)\n *// Dst: (.*)$`)

// oraclePatterns lists "Src\nDst" of llvm-tblgen's table in its order.
func oraclePatterns(t *testing.T, bin, file string, args ...string) ([]string, string, error) {
	t.Helper()
	out, err := exec.Command(bin, append([]string{"-gen-dag-isel", "-I", llvmInclude, file}, args...)...).CombinedOutput()
	var l []string
	for _, m := range srcLine.FindAllStringSubmatch(string(out), -1) {
		l = append(l, m[1]+"\n"+m[2])
	}
	return l, string(out), err
}

func ourPatterns(p *Set) []string {
	var l []string
	for _, x := range p.Patterns {
		s := string(p.AppendPattern(nil, x))
		a, b, _ := strings.Cut(strings.TrimSpace(s), "\n")
		l = append(l, strings.TrimPrefix(a, "// Src: ")+"\n"+strings.TrimPrefix(b, "// Dst: "))
	}
	return l
}

// TestOracle compares patterns, their types, complexity and order with those
// in the comments of llvm-tblgen's table, for our targets and LLVM's tests.
func TestOracle(t *testing.T) {
	bin := llvmTblgen(t)
	files := []string{filepath.Join("testdata", "toy.td"), filepath.Join("testdata", "modes.td")}
	var dirs []string
	if f := os.Getenv("DAGPATTERN_FILE"); f != "" {
		files, dirs = []string{f}, strings.Fields(os.Getenv("DAGPATTERN_DIRS"))
	} else if td := llvmTests(t); td != "" && !testing.Short() {
		dirs = []string{filepath.Join(td, "Common"), td}
		for _, n := range []string{"dag-isel-complexpattern", "dag-isel-subregs", "DAGDefaultOps", "CPtrWildcard", "RegClassByHwMode"} {
			files = append(files, filepath.Join(td, n+".td"))
		}
	}
	for _, f := range files {
		var args []string
		for _, d := range dirs {
			args = append(args, "-I", d)
		}
		want, out, err := oraclePatterns(t, bin, f, args...)
		if err != nil {
			t.Errorf("%s: llvm-tblgen: %v\n%s", f, err, out[:min(len(out), 1000)])
			continue
		}
		p, err := readFile(t, f, append(dirs, filepath.Dir(f)))
		if err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		got := ourPatterns(p)
		a, b := slices.Clone(got), slices.Clone(want)
		slices.Sort(a)
		slices.Sort(b)
		extra, missing := diff(a, b)
		t.Logf("%s: %d patterns, %d only here, %d only LLVM's", filepath.Base(f), len(want), len(extra), len(missing))
		for _, s := range extra {
			t.Errorf("%s: only here: %s", f, s)
		}
		for _, s := range missing {
			t.Errorf("%s: only LLVM's: %s", f, s)
		}
		for _, m := range misordered(p, got, want) {
			t.Errorf("%s: LLVM has the second first:\n%s\n%s", f, m[0], m[1])
		}
	}
}

// llvmTests is the folder of LLVM's TableGen tests, "" where it is absent.
func llvmTests(t *testing.T) string {
	suite := filepath.Join(filepath.Dir(testenv.Root(t)), "shared", "tools", "suite.py")
	if _, err := os.Stat(suite); err != nil {
		return ""
	}
	out, err := exec.Command("python3", suite).Output()
	if err != nil {
		return ""
	}
	return filepath.Join(strings.TrimSpace(string(out)), "TableGen")
}

// diff compares two sorted lists.
func diff(a, b []string) (onlyA, onlyB []string) {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			onlyA, a = append(onlyA, a[0]), a[1:]
		case len(a) == 0 || b[0] < a[0]:
			onlyB, b = append(onlyB, b[0]), b[1:]
		default:
			a, b = a[1:], b[1:]
		}
	}
	return
}
