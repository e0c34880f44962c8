package dagpattern

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

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

func readFile(t *testing.T, file string, dirs []string, defs map[string]string) (*Set, error) {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	opts := tablegen.Options{IncludeDirs: append([]string{llvmInclude}, dirs...), ReadFile: os.ReadFile}
	for k, v := range defs {
		_ = v
		opts.Defines = append(opts.Defines, k)
	}
	rs, err := tablegen.Parse(opts, file, src)
	if err != nil {
		return nil, err
	}
	return Read(rs)
}

var srcLine = regexp.MustCompile(`(?m)^ *// Src: (.*)\n *// Dst: (.*)$`)

// oraclePatterns lists "Src\nDst" of llvm-tblgen's table in its order.
func oraclePatterns(t *testing.T, file string, args ...string) ([]string, string, error) {
	out, err := exec.Command(llvmTblgen(t), append([]string{"-gen-dag-isel", "-I", llvmInclude, file}, args...)...).CombinedOutput()
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

// TestScratch compares one file given in the environment.
func TestScratch(t *testing.T) {
	f := os.Getenv("DAGPATTERN_FILE")
	if f == "" {
		t.Skip("no file")
	}
	var dirs, args []string
	for _, d := range strings.Fields(os.Getenv("DAGPATTERN_DIRS")) {
		dirs = append(dirs, d)
		args = append(args, "-I", d)
	}
	want, out, oerr := oraclePatterns(t, f, args...)
	p, err := readFile(t, f, append(dirs, filepath.Dir(f)), nil)
	if oerr != nil || err != nil {
		t.Logf("LLVM: %v\n%s\nours: %v", oerr, out[:min(len(out), 2000)], err)
	}
	if p == nil {
		return
	}
	got := ourPatterns(p)
	a, b := slices.Clone(got), slices.Clone(want)
	slices.Sort(a)
	slices.Sort(b)
	extra, missing := diff(a, b)
	fmt.Printf("%s: %d LLVM, %d ours, %d only ours, %d only LLVM\n", f, len(want), len(got), len(extra), len(missing))
	for _, m := range misordered(got, want) {
		fmt.Printf("order: %s\n  LLVM has before it: %s\n", m[0], m[1])
	}
	for _, s := range extra[:min(len(extra), 8)] {
		fmt.Println("ours:", s)
	}
	for _, s := range missing[:min(len(missing), 8)] {
		fmt.Println("LLVM:", s)
	}
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
