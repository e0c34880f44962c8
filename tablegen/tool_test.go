package tablegen

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
)

// golden compares got with testdata/tool/NAME.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata/tool", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: %s", file, firstDifference(got, want))
	}
}

func TestLint(t *testing.T) {
	src, err := os.ReadFile("testdata/tool/lint.td")
	if err != nil {
		t.Fatal(err)
	}
	rs, err := Parse(Options{Lint: true}, "lint.td", src)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "lint.out", rs.AppendLint(nil))
	if n := strings.Count(string(rs.AppendLint(nil)), "warning:"); n != rs.Findings() {
		t.Errorf("%d findings, %d lines", rs.Findings(), n)
	}
	find, err := rs.AppendFind(nil, "R3_x")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "find.out", find)
	table, err := rs.AppendClass(nil, "Reg", false)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "class.out", table)
	if _, err := rs.AppendFind(nil, "r1"); err == nil || !strings.Contains(err.Error(), "'R1'") {
		t.Errorf("no suggestion for r1: %v", err)
	}
}

// tool runs llvm-tblgen and returns what it writes.
func tool(t *testing.T, args ...string) (stdout, stderr []byte) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(testenv.LLVM(t, "llvm-tblgen"), args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Run()
	return out.Bytes(), errs.Bytes()
}

func TestSetsAgainstLLVM(t *testing.T) {
	const file = "testdata/tool/sets.td"
	want, _ := tool(t, "--print-sets", file)
	rs, err := parseFile(t, file)
	if err != nil {
		t.Fatal(err)
	}
	got, err := rs.AppendSets(nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error(firstDifference(got, want))
	}
}

func TestBadSets(t *testing.T) {
	for _, tc := range [][2]string{
		{"(sub)", "Set difference needs at least two arguments: (sub)"},
		{"(shl A, -1)", "Positive shift required: (shl A, -1)"},
		{"(decimate A, 0)", "Positive stride required: (decimate A, 0)"},
		{"(sequence \"Q%u\", 0, 1)", "No def named 'Q0': (sequence \"Q%u\", 0, 1)"},
		{"(A A)", "Unknown set operator: (A A)"},
		{"(add 3)", "Invalid element in set expression: 3"},
	} {
		rs := parseText(t, "class Set<dag d> { dag Elements = d; }\ndef sub; def shl; def decimate; def sequence; def add; def A;\ndef S : Set<"+tc[0]+">;\n")
		if _, err := rs.AppendSets(nil); err == nil || !strings.Contains(err.Error(), tc[1]) || !strings.HasPrefix(err.Error(), "t.td:3:5:") {
			t.Errorf("%s: %v, want t.td:3:5: error: %s", tc[0], err, tc[1])
		}
	}
}

// TestDetailedAgainstLLVM compares --print-detailed-records, but for LLVM's
// statistics of its own memory.
func TestDetailedAgainstLLVM(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.td")
	for _, f := range files {
		want, _ := tool(t, "--print-detailed-records", f)
		want, _, _ = bytes.Cut(want, []byte("-------------------- Memory Allocation"))
		if len(want) == 0 {
			continue // llvm-tblgen crashes on fields without a value
		}
		rs, err := parseFile(t, f)
		if err != nil {
			t.Fatal(err)
		}
		if got := rs.AppendDetailed(nil, f); !bytes.Equal(got, want) {
			t.Errorf("%s: %s", f, firstDifference(got, want))
		}
	}
}

// TestMessagesAgainstLLVM compares all that is said about wrong input.
func TestMessagesAgainstLLVM(t *testing.T) {
	dir := t.TempDir()
	for i, src := range []string{
		"def x;\ngarbage\n",
		"class A<int x> { int y = x; } def x : A<\"s\">;\ndef y : B;\n",
		"class A<int x> { int y = x; }\nmulticlass M<int i> { def a : A<i>; def a : A<2>; }\nmulticlass N { defm x : M<3>; }\ndefm Q : N;\n",
		"class A<int x> { int y = x; assert !lt(x, 4), \"too big\"; dump \"x is \" # x; }\n" +
			"multiclass M<int i> { def a : A<i>;  assert !lt(i, 4), \"mc big\"; dump \"q\"; }\nmulticlass N { defm x : M<7>; }\ndefm Q : N;\n",
		"class A { int y = !div(3, 0); }\n",
		"class A { int a = \"s\"; string b = 3; list<Nope> c; }\n",
		"class A { int a = 1; };\ndef x { string b = \"unterminated; }\n",
		"foreach i = 0 - in def q;\n",
		"class A<int x>; class B { int y = A<\"x\", 2>.z; }\n",
		"include \"nope.td\"\n",
		"#ifdef A\ndef x;\n#else\n#else\n#endif\n",
		"let x = 1, y = 2 in { def a; }\n",
		"multiclass M { def a; }; defm x : M;\n",
		"class A { int x = !foo(1); }\n",
	} {
		file := filepath.Join(dir, "t.td")
		if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		_, want := tool(t, file)
		if lines := bytes.SplitAfter(want, []byte("\n")); len(lines) > 2 && bytes.HasSuffix(want, []byte(" errors.\n")) {
			want = bytes.Join(lines[:len(lines)-2], nil) // what the tool itself says at the end
		}
		var got []byte
		Parse(Options{Report: func(r Report) { got = r.AppendText(got) }, ReadFile: os.ReadFile}, file, []byte(src))
		if !bytes.Equal(got, want) {
			t.Errorf("case %d: %s\ngot:\n%swant:\n%s", i, src, got, want)
		}
	}
}
