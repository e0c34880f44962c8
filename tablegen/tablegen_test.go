package tablegen

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/internal/testenv"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata")

func parseFile(t testing.TB, path string, dirs ...string) (*Records, error) {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	opts := Options{IncludeDirs: append(dirs, filepath.Dir(path)), ReadFile: os.ReadFile}
	return Parse(opts, path, src)
}

func parseText(t testing.TB, src string) *Records {
	t.Helper()
	rs, err := Parse(Options{}, "t.td", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return rs
}

func TestGolden(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.td")
	if len(files) == 0 {
		t.Fatal("no files in testdata")
	}
	for _, f := range files {
		rs, err := parseFile(t, f)
		if err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		for _, g := range []struct {
			name string
			got  []byte
		}{
			{strings.TrimSuffix(f, ".td") + ".out", rs.AppendText(nil)},
			{strings.TrimSuffix(f, ".td") + ".json", append(rs.AppendJSON(nil), '\n')},
		} {
			if *update {
				if err := os.WriteFile(g.name, g.got, 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			want, err := os.ReadFile(g.name)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(g.got, want) {
				t.Errorf("%s: %s", g.name, firstDifference(g.got, want))
			}
		}
	}
}

func firstDifference(got, want []byte) string {
	g, w := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range g {
		if i >= len(w) {
			return "more lines than expected: " + clip(g[i])
		}
		if g[i] != w[i] {
			return "line " + NewInt(int64(i+1)).String() + "\n got " + clip(g[i]) + "\nwant " + clip(w[i])
		}
	}
	return "fewer lines than expected"
}

func clip(s string) string { return s[:min(len(s), 300)] }

// compare parses a file with both programs and reports a difference.
func compare(t *testing.T, tool, file string, dirs ...string) {
	t.Helper()
	modes := []string{"--print-records", "--dump-json"}
	if src, err := os.ReadFile(file); err == nil && (len(src) > 100_000 || bytes.Contains(src, []byte("include \""))) {
		modes = modes[:1] // these write a hundred megabytes
	}
	for _, mode := range modes {
		args := []string{mode, "--no-warn-on-unused-template-args", file}
		for _, d := range append(dirs, filepath.Dir(file)) {
			args = append(args, "-I", d)
		}
		want, refErr := exec.Command(tool, args...).Output()
		if e := (*exec.ExitError)(nil); errors.As(refErr, &e) && !e.Exited() {
			continue // llvm-tblgen crashes on fields without a value
		}
		rs, err := parseFile(t, file, dirs...)
		if (err == nil) != (refErr == nil) {
			var text []byte
			if e := (*exec.ExitError)(nil); errors.As(refErr, &e) {
				text = e.Stderr
			}
			t.Errorf("%s: error %v, the reference says %v\n%s", file, err, refErr, clip(string(text)))
			return
		}
		if err != nil {
			return
		}
		got := rs.AppendText(nil)
		if mode == "--dump-json" {
			got, want = rs.AppendJSON(nil), bytes.TrimRight(want, "\n")
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s %s: %s", mode, file, firstDifference(got, want))
		}
	}
}

func TestAgainstLLVMOnOwnFiles(t *testing.T) {
	tool := testenv.LLVM(t, "llvm-tblgen")
	files, _ := filepath.Glob("testdata/*.td")
	for _, f := range files {
		compare(t, tool, f)
	}
}

func llvmInclude(t testing.TB) string {
	out, err := exec.Command("llvm-config-22", "--includedir").Output()
	dir := strings.TrimSpace(string(out))
	if err != nil {
		dir = "/usr/lib/llvm-22/include"
	}
	if _, err := os.Stat(filepath.Join(dir, "llvm/Target/Target.td")); err != nil {
		t.Skip("skipped: LLVM 22's .td files are not installed")
	}
	return dir
}

func TestAgainstLLVMOnItsHeaders(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short")
	}
	tool := testenv.LLVM(t, "llvm-tblgen")
	dir := llvmInclude(t)
	for _, f := range []string{
		"Target/Target.td", "IR/Attributes.td",
		"CodeGen/ValueTypes.td", "Option/OptParser.td", "Frontend/OpenMP/OMP.td",
	} {
		compare(t, tool, filepath.Join(dir, "llvm", f), dir)
	}
}

func TestAgainstLLVMOnItsTests(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short")
	}
	tool := testenv.LLVM(t, "llvm-tblgen")
	inc := llvmInclude(t)
	out, err := exec.Command("python3", testenv.Shared(t, "tools", "suite.py")).Output()
	if err != nil {
		t.Skipf("skipped: the conformance tests cannot be found: %v", err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "TableGen")
	n := 0
	err = filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".td") {
			return err
		}
		n++
		// Most include all of Target.td with the intrinsics; a few of them will do.
		if src, err := os.ReadFile(path); err == nil && bytes.Contains(src, []byte("include \"")) && n%40 != 0 {
			return nil
		}
		compare(t, tool, path, root, inc, filepath.Join(root, "Common"))
		return nil
	})
	if err != nil || n == 0 {
		t.Skipf("skipped: no TableGen tests: %v", err)
	}
}

func TestErrors(t *testing.T) {
	tests := []struct{ src, want string }{
		{"class A; def a : B;", "t.td:1:18: error: Couldn't find class 'B'"},
		{"def a; def a;", "t.td:1:12: error: def already exists: a"},
		{"class A { int x = 1; } class A { int y; }", "t.td:1:30: error: Class 'A' already defined"},
		{"def a { int x = y; }", "t.td:1:17: error: Variable not defined: 'y'"},
		{"def a { let x = 3; }", "t.td:1:13: error: Value 'x' unknown!"},
		{"def a { int x = \"s\"; }", "t.td:1:17: error: Field 'x' of type 'int' is incompatible with value '\"s\"' of type 'string'"},
		{"def a { bits<2> x = 7; }", "t.td:1:21: error: Field 'x' of type 'bits<2>' is incompatible with value '7' of type 'int'"},
		{"class A<int x>; def a : A;", "t.td:1:25: error: value not specified for template argument 'A:x'"},
		{"class A<int x>; def a : A<1, 2>;", "t.td:1:30: error: Too many template arguments: 2"},
		{"def a { int x = !div(1, 0); }", "t.td:1:5: error: Illegal operation: division by zero"},
		{"def a { int x = !foo(1); }", "t.td:1:17: error: unknown operator"},
		{"def a { string s = \"x", "t.td:1:21: error: end of file in string literal"},
		{"#ifdef X\n", "t.td:2:1: error: reached EOF without matching #endif"},
		{"include \"nope.td\"", "t.td:1:9: error: could not find include file 'nope.td'"},
		{"assert 0, \"no\";", "t.td:1:8: error: assertion failed: no"},
		{"multiclass M { }", "t.td:1:16: error: multiclass must contain at least one def"},
		{"class A { int x = x; }", "t.td:1:19: error: Recursion / self-assignment forbidden"},
		{"}", "t.td:1:1: error: Unexpected token at top level"},
		{"def a { list<int> l = [1, \"x\"]; }", "t.td:1:31: error: Incompatible types in list elements"},
	}
	for _, x := range tests {
		_, err := Parse(Options{}, "t.td", []byte(x.src))
		var l diag.List
		if !errors.As(err, &l) || l[0].Error() != x.want {
			t.Errorf("%s\n got %v\nwant %s", x.src, err, x.want)
		}
	}
}

// TestLimits holds that input which asks for endless work ends with an error.
func TestLimits(t *testing.T) {
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	tests := map[string]string{
		"endless recursion": "class A<int n> { int x = A<!add(n, 1)>.x; } def a : A<0>;",
		"self recursion":    "class A<int n> { A x = A<n>; } def a { A y = A<1>; }",
		"nested brackets":   "def a { list<int> l = " + deep + "; }",
		"nested parens":     "def op; def a { dag l = " + strings.Repeat("(op ", 5000) + "; }",
		"nested statements": strings.Repeat("foreach i = [1] in ", 5000) + "def a;",
		"long list":         "def a { list<int> l = !range(9000000000); }",
		"long string": "class S<string s, int n> { string r = !if(!eq(n, 0), s, S<s # s, !sub(n, 1)>.r); }" +
			"def a { string x = S<\"0123456789\", 60>.r; }",
		"many records":        "foreach a = 0...9999 in foreach b = 0...9999 in foreach c = 0...9999 in def x#a#_#b#_#c;",
		"shared parts":        "defvar a0 = [1, 1]; " + shared(40) + "def a { list<int> x = []; int n = !size(!repr(a40)); }",
		"shared parts stored": "defvar a0 = [1, 1]; " + shared(40) + "class K<dag d> { dag e = d; } def op; def a : K<(op a40)>;",
		"wide bits":           "def a { bits<999999999> x; }",
		"defm explosion":      "multiclass M0 { def a; def b; }\n" + doubling(40) + "defm Q : M40;",
		"wide range":          "foreach i = 0...99999999999 in def a#i;",
		"operators":           "def a { int x = " + strings.Repeat("!add(1, ", 5000) + "; }",
	}
	for name, src := range tests {
		_, err := Parse(Options{MaxSteps: 2_000_000}, "t.td", []byte(src))
		if err == nil {
			if name == "self recursion" {
				continue // llvm-tblgen accepts it: the record refers to itself
			}
			t.Errorf("%s: no error", name)
		}
	}
}

// doubling defines M1 … Mn, each with two times the records of the one before.
func doubling(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		p, s := NewInt(int64(i-1)).String(), NewInt(int64(i)).String()
		b.WriteString("multiclass M" + s + " { defm a : M" + p + "; defm b : M" + p + "; }\n")
	}
	return b.String()
}

// shared defines a1 … an, each two times the one before.
func shared(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		p := "a" + NewInt(int64(i-1)).String()
		b.WriteString("defvar a" + NewInt(int64(i)).String() + " = [" + p + ", " + p + "]; ")
	}
	return b.String()
}

func TestHelpers(t *testing.T) {
	rs := parseText(t, `class B; class C : B; def op; def d : C { int i = 5; bit b = 1; bits<4> bs = 9; string s = "x"; int u;
  list<int> l = [1, 2]; dag g = (op 1:$n, d2); B r = d2; list<B> rl = [d2]; field bits<2> f = {?, 1}; } def d2 : C;`[0:0]+
		`class B; class C : B; def op; def d2 : C; def d : C { int i = 5; bit b = 1; bits<4> bs = 9; string s = "x"; int u;
  list<int> l = [1, 2]; dag g = (op 1:$n, d2); B r = d2; list<B> rl = [d2]; field bits<2> f = {?, 1}; }`)
	d := rs.Def("d")
	if d == nil || d.Int("i") != 5 || !d.Bit("b") || d.Int("bs") != 9 || d.String("s") != "x" || len(d.List("l")) != 2 {
		t.Fatalf("wrong values in %s", rs.AppendText(nil))
	}
	if _, ok := d.IntOK("u"); ok {
		t.Error("an unset field has a value")
	}
	if _, ok := d.IntOK("f"); ok || !d.HasField("f") || d.HasField("zz") || d.Value("zz") != nil {
		t.Error("fields that are missing or not known")
	}
	if d.DefField("r") != rs.Def("d2") || len(d.DefList("rl")) != 1 || d.Dag("g").ArgNames[0] != "n" {
		t.Error("references")
	}
	if !d.IsSubClassOf("B") || d.IsSubClassOf("zz") || len(d.Superclasses) != 2 || d.Superclasses[0].Name != "B" {
		t.Error("superclasses")
	}
	if l := rs.DerivedFrom("C"); len(l) != 2 || l[0].Name != "d2" || rs.DerivedSorted("C")[0].Name != "d" {
		t.Error("DerivedFrom")
	}
	if len(rs.Defs()) != 3 || rs.Class("C") == nil || d.ID <= rs.Def("op").ID {
		t.Error("order of records")
	}
}

func TestCompareNames(t *testing.T) {
	sorted := []string{"", "A", "R1", "R2", "R10", "R10a", "R10b2", "R10b10", "S", "a"}
	for i, a := range sorted {
		for j, b := range sorted {
			if got := CompareNames(a, b); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("CompareNames(%q, %q) = %d", a, b, got)
			}
		}
	}
}

func TestLazyDef(t *testing.T) {
	var asked []string
	opts := Options{LazyDef: func(_ *Records, name string) LazyRecord {
		asked = append(asked, name)
		switch name {
		case "R1", "R2":
			return LazyRecord{Class: "Reg", Fields: []LazyField{{"Size", NewInt(32)}, {"None", NewInt(1)}}}
		case "R5":
			return LazyRecord{Class: "Reg", Args: []Init{NewInt(5), NewInt(6)}}
		case "A":
			return LazyRecord{Class: "Absent"}
		}
		return LazyRecord{}
	}}
	const classes = "class Reg<int n = 7> { int Num = n; int Size = 64; }\n"
	rs, err := Parse(opts, "t.td", []byte(classes+"def a { list<Reg> l = [R2, R1, R2]; int n = R2.Num; int s = R2.Size; int n5 = R5.Num; int s5 = R5.Size; bit e = !exists<Reg>(\"R9\"); }"))
	if err != nil {
		t.Fatal(err)
	}
	if got := rs.Def("a").Int("n"); got != 7 {
		t.Errorf("n = %d", got)
	}
	for f, want := range map[string]int64{"s": 32, "n5": 5, "s5": 64} {
		if got := rs.Def("a").Int(f); got != want {
			t.Errorf("%s = %d, want %d", f, got, want)
		}
	}
	if rs.Def("a").Bit("e") || len(rs.DerivedFrom("Reg")) != 3 || rs.Def("R3") != nil {
		t.Error("records that nobody asked for")
	}
	if n := strings.Count(strings.Join(asked, " "), "R2"); n != 1 {
		t.Errorf("asked for %v", asked)
	}
	for _, bad := range []string{"def a { Reg r = R3; }", "def a { Reg r = A; }"} {
		if _, err := Parse(opts, "t.td", []byte(classes+bad)); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

func TestReport(t *testing.T) {
	var got []string
	add := func(r Report) { got = append(got, r.Error()) }
	_, err := Parse(Options{Report: add}, "t.td", []byte("class A<int x, int y> { int z = y; }\ndump \"hi\" # 1;"))
	want := "t.td:1:13: warning: unused template argument: A:x t.td:2:1: note: hi1"
	if err != nil || strings.Join(got, " ") != want {
		t.Errorf("got %v, %v", got, err)
	}
}
