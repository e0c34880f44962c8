package filecheck

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
)

// cases are check files with inputs; flags are separated by blanks. The exit
// status is the reference's, which TestAgainstReference compares in full.
var cases = []struct {
	name, check, input, flags string
	status                    int
}{
	{"plain", "CHECK: foo\nCHECK-NEXT: bar\nCHECK-SAME: baz\n", "foo\nbar baz\n", "", 0},
	{"next on the same line", "CHECK: a\nCHECK-NEXT: b\n", "a b\n", "", 1},
	{"next too far", "CHECK: a\nCHECK-NEXT: b\n", "a\nc\n b\n", "", 1},
	{"same too far", "CHECK: a\nCHECK-SAME: b\n", "a\nc\n b\n", "", 1},
	{"not", "CHECK: a\nCHECK-NOT: b\nCHECK: c\n", "a\nb\nc\n", "", 1},
	{"not at the end", "CHECK: a\nCHECK-NOT: b\n", "a\nb\n", "-vv", 1},
	{"not after", "CHECK: a\nCHECK-NOT: b\nCHECK: c\n", "a\nc\nb\n", "-vv", 0},
	{"dag", "CHECK-DAG: aa\nCHECK-DAG: aa\nCHECK-DAG: bb\nCHECK: end\n", "bb\naa aa\nend\n", "-vv -dump-input=always", 0},
	{"dag missing", "CHECK-DAG: aa\nCHECK-DAG: aa\n", "bb\naa\nend\n", "-vv", 1},
	{"dag overlap", "CHECK-DAG: aa\nCHECK-DAG: aa\n", "bb\naa\n", "-allow-deprecated-dag-overlap", 0},
	{"dag and not", "CHECK-DAG: a\nCHECK-NOT: x\nCHECK-DAG: b\n", "a\nx\nb\n", "", 1},
	{"label", "CHECK-LABEL: f:\nCHECK: one\nCHECK-LABEL: g:\nCHECK: two\n", "f:\nthree\ng:\ntwo\none\n", "", 1},
	{"label missing", "CHECK-LABEL: f:\nCHECK-LABEL: h:\n", "f:\ng:\n", "", 1},
	{"empty", "CHECK: a\nCHECK-EMPTY:\nCHECK-NEXT: b\n", "a\n\nb\n", "-vv -dump-input=always", 0},
	{"empty missing", "CHECK: a\nCHECK-EMPTY:\n", "a\nx\n\nb\n", "", 1},
	{"count", "CHECK-COUNT-3: a\nCHECK-NOT: a\n", "a\na\na\n", "-vv -dump-input=always", 0},
	{"count short", "CHECK-COUNT-3: a\n", "a\na\n", "", 1},
	{"literal", "CHECK{LITERAL}: [[X]] {{y\nCHECK-NEXT{LITERAL}: [[\n", "[[X]] {{y\n[[\n", "", 0},
	{"variable", "CHECK: [[R:r[0-9]+]] [[R]]\nCHECK: [[R]]\n", "r1 r2\nr10 r1\nr22 r22\nr22\n", "-v -dump-input=always", 0},
	{"bracket before variable", "CHECK: [[R:r[0-9]]]\nCHECK: [[[R]]]\n", "r1 [r1]\n", "", 0},
	{"undefined", "CHECK: [[Y]]\n", "x\n", "", 1},
	{"undefined number", "CHECK: [[#Y+Z]]\n", "x\n", "", 1},
	{"numbers", "CHECK: [[#A:]] [[#%x,B:]]\nCHECK: [[#A+1]] [[#%X,B-0x1]] [[#max(A,min(3,9))]] [[#mul(A,div(A,2))]]\n", "10 ff\n11 FE 10 50\n", "-vv -dump-input=always", 0},
	{"precision", "CHECK: [[#%.4u,A:]] [[#%#.4x,B:]]\nCHECK: [[#%.4u,A+1]] [[#%#.8X,B+1]]\n", "0009 0x00ff\n0010 0x00000100\n", "", 0},
	{"signed", "CHECK: [[#%d,A:]]\nCHECK: [[#A-10]] [[#sub(A,1)]]\n", "-5\n-15 -6\n", "", 0},
	{"constraint", "CHECK: [[#A:]]\nCHECK: [[#B:A+2]]\nCHECK: [[#==B]]\n", "5\n8\n7\n8\n", "", 1},
	{"overflow", "CHECK: [[#A:]]\nCHECK: [[#A-100]]\n", "5\n", "", 1},
	{"big", "CHECK: [[#A:]]\nCHECK: [[#A+1]]\n", "99999999999999999999999\n100000000000000000000000\n", "", 0},
	{"line", "CHECK: [[@LINE+1]] [[#@LINE]]\n", "2 1\n", "", 0},
	{"not found with values", "CHECK: [[#A:]]\nCHECK: x[[#A+1]]y\n", "5 7\nx5y\n", "", 1},
	{"defines", "CHECK: [[#A]] [[B]]\n", "13 foo\n", "-D#A=3+10 -DB=foo", 0},
	{"bad define", "CHECK: a\n", "a\n", "-D#A=3x", 2},
	{"bad name", "CHECK: a\n", "a\n", "-D1=3", 2},
	{"full lines", "CHECK: foo\n", " foo \n", "-match-full-lines", 0},
	{"full lines, strict", "CHECK:foo\n", " foo\n", "-match-full-lines -strict-whitespace", 1},
	{"strict", "CHECK: a  b\n", "a b\n", "-strict-whitespace", 1},
	{"canonical", "CHECK: a \t b\n", "a b\n", "", 0},
	{"case", "CHECK: FOO\nCHECK: {{B[a-z]R}}\n", "foo bar\n", "-ignore-case", 0},
	{"implicit", "CHECK: a\nCHECK: c\n", "a\n bad\nc\n", "-implicit-check-not=bad -vv", 1},
	{"prefixes", "A: a\nB: b\nCHECK: c\n", "a\nb\n", "-check-prefixes=A,B", 0},
	{"unused prefix", "A: a\n", "a\n", "-check-prefixes=A,B", 2},
	{"allowed unused prefix", "A: a\n", "a\n", "-check-prefixes=A,B -allow-unused-prefixes", 0},
	{"comment", "COM: CHECK: x\nCHECK: a\n", "a\n", "", 0},
	{"var scope", "CHECK-LABEL: f\nCHECK: [[A:x]] [[$B:y]]\nCHECK-LABEL: g\nCHECK: [[$B]]\nCHECK: [[A]]\n", "f\nx y\ng\ny x\n", "-enable-var-scope", 1},
	{"longest alternative", "CHECK: a{{x|xy}}b[[V:c|cd]]e\n", "axybcde\n", "", 0},
	{"classes", "CHECK: {{[[:alpha:]_]+[^]x]}} {{a{2,3}$}}\n", "ab_1 aaa\n", "", 0},
	{"filter", "CHECK: a\nCHECK: zz\n", "1\n2\n3\n4\n5\na\n6\n7\n8\n9\n10\n", "-dump-input-context=0 -v", 1},
	{"full filter", "CHECK: a\nCHECK: zz\n", "1\n2\n3\n4\n5\na\n6\n7\n8\n9\n10\n", "-dump-input-filter=annotation -dump-input-context=1 -vv", 1},
	{"color", "CHECK: a\nCHECK: zz\n", "1\na b\n3\n", "-color -v", 1},
	{"empty input", "CHECK: a\n", "", "", 2},
	{"allowed empty input", "CHECK-NOT: a\n", "", "-allow-empty", 0},
	{"no check", "nothing\n", "a\n", "", 2},
	{"misspelled", "CHECK_NEXT: a\n", "a\n", "", 2},
	{"bad count", "CHECK-COUNT-x: a\n", "a\n", "", 2},
	{"bad not", "CHECK-NOT-DAG: a\n", "a\n", "", 2},
	{"next first", "CHECK-NEXT: a\n", "a\n", "", 2},
	{"label with variable", "CHECK-LABEL: [[A:a]]\n", "a\n", "", 2},
	{"empty pattern", "CHECK:\n", "a\n", "", 2},
	{"open regex", "CHECK: {{a\n", "a\n", "", 2},
	{"bad regex", "CHECK: {{a(}}\n", "a\n", "", 2},
	{"double repeat", "CHECK: {{a**}}x\n", "a\n", "", 2},
	{"empty branch", "CHECK: {{(|a)}}x\n", "a\n", "", 2},
	{"open block", "CHECK: [[A\n", "a\n", "", 2},
	{"open bracket", "CHECK: [[A:[a-z]]\n", "a\n", "", 1},
	{"number in its own line", "CHECK: [[#%x,A:]] [[#A+1]]\n", "1 2\n", "", 2},
	{"unknown function", "CHECK: [[#foo(1,2)]]\n", "5\n", "", 2},
	{"three arguments", "CHECK: [[#add(1,2,3)]]\n", "5\n", "", 2},
	{"missing argument", "CHECK: [[#add(1,)]]\n", "5\n", "", 2},
	{"open call", "CHECK: [[#add(1,2]]\n", "5\n", "", 2},
	{"open parenthesis", "CHECK: [[#(1+2]]\n", "5\n", "", 2},
	{"bad operation", "CHECK: [[#1*2]]\n", "5\n", "", 2},
	{"no operand", "CHECK: [[#1+]]\n", "5\n", "", 2},
	{"pseudo variable", "CHECK: [[#@FOO]]\n", "5\n", "", 2},
	{"legacy tail", "CHECK: [[@LINE+2+3]]\n", "5\n", "", 2},
	{"format conflict", "CHECK: [[#%x,A:]]\nCHECK: [[#B:]]\nCHECK: [[#A+B]]\n", "1 2 3\n", "", 2},
	{"format change", "CHECK: [[#%x,A:]]\nCHECK: [[#%u,A:]]\n", "1 2 3\n", "", 2},
	{"two kinds", "CHECK: [[#A:]]\nCHECK: [[A:x]]\n", "1 2 3\n", "", 2},
	{"bad format", "CHECK: [[#%q,A:]]\n", "5\n", "", 2},
	{"bad alternate", "CHECK: [[#%#u,A:]]\n", "5\n", "", 2},
	{"bad precision", "CHECK: [[#%.u,A:]]\n", "5\n", "", 2},
	{"empty constraint", "CHECK: [[#%u,==]]\n", "5\n", "", 2},
	{"bad prefix", "CHECK: a\n", "a\n", "-check-prefix=A!B", 2},
	{"no value", "CHECK: a\n", "a\n", "-D", 1},
	{"bad dump", "CHECK: a\n", "a\n", "-dump-input=xx", 1},
	{"crlf", "CHECK: a\r\nCHECK-NEXT: b\r\n", "a\r\nb\r\n", "-match-full-lines", 0},
	{"non-ASCII", "CHECK: é{{.}}x\nCHECK: nope\n", "éüx é\n", "", 1},
	{"no newline at the end", "CHECK: a\nCHECK: zz\n", "a\nb", "", 1},
}

func TestCases(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			status, out := runHere(t, c.check, c.input, c.flags)
			if status != c.status {
				t.Errorf("status %d, want %d\n%s", status, c.status, out)
			}
		})
	}
}

func runHere(t *testing.T, check, input, flags string) (int, string) {
	var out, errs bytes.Buffer
	env := Env{
		Getenv:   func(string) string { return "" },
		ReadFile: func(string) ([]byte, error) { return []byte(check), nil },
	}
	status := MainIn(env, append(strings.Fields(flags), "x.chk"), strings.NewReader(input), &out, &errs)
	return status, out.String() + errs.String()
}

// TestAgainstReference compares everything that is written with LLVM's FileCheck.
func TestAgainstReference(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process for each case")
	}
	ref := testenv.LLVM(t, "FileCheck")
	dir := t.TempDir()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, "x.chk"), []byte(c.check), 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(ref, append(strings.Fields(c.flags), "x.chk")...)
			cmd.Dir = dir
			cmd.Stdin = strings.NewReader(c.input)
			want, _ := cmd.CombinedOutput()
			if s := cmd.ProcessState.ExitCode(); s != c.status {
				t.Errorf("the reference's status is %d, the case says %d", s, c.status)
			}
			_, got := runHere(t, c.check, c.input, c.flags)
			if w := strings.NewReplacer(ref, "FileCheck", "FileCheck-22", "FileCheck").Replace(string(want)); got != w {
				t.Errorf("got:\n%s\nwant:\n%s", got, w)
			}
		})
	}
}

func TestLibrary(t *testing.T) {
	report, ok, err := Check(Options{}, "x", []byte("CHECK: [[A:a+]]b[[A]]\n"), "in", []byte("aabaaa\n"))
	if !ok || err != nil || len(report) > 0 {
		t.Errorf("%v %v\n%s", ok, err, report)
	}
	if _, _, err := Check(Options{CheckPrefixes: []string{"!"}}, "x", nil, "in", nil); err == nil {
		t.Error("a bad prefix is accepted")
	}
}

func TestRegexp(t *testing.T) {
	for _, c := range []struct {
		re, text string
		want     string // what matches; "-" for nothing
	}{
		{`a|ab|abc`, "xabcd", "abc"},
		{`(a|ab)(c|bcd)(d*)`, "abcd", "abcd"},
		{`(a*)b\1`, "aabaa", "aabaa"},
		{`(a*)b\1$`, "aaba", "aba"},
		{`x[^a]*y`, "x\ny xby", "xby"},
		{`[[:<:]]foo[[:>:]]`, "foobar foo", "foo"},
		{`a{2}`, "aaa", "aa"},
		{`a{b`, "a{b", "a{b"},
		{`\d`, "1d", "d"},
		{`é+`, "éé", "é"},
		{`[[:space:]]x`, "a\nx", "\nx"},
		{`(x)(\1|y)*z`, "xxyz", "xxyz"},
	} {
		re, err := compileERE(c.re, false)
		if err != nil {
			t.Errorf("%s: %v", c.re, err)
			continue
		}
		got := "-"
		if m := re.find([]byte(c.text)); m != nil {
			got = c.text[m[0]:m[1]]
		}
		if got != c.want {
			t.Errorf("%s on %q: %q, want %q", c.re, c.text, got, c.want)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	var check, input strings.Builder
	for k := range 2000 {
		n := itoa(k)
		check.WriteString("CHECK: %[[V" + n + ":[0-9]+]] = add i32 " + n + "\nCHECK-NEXT: ret i32 %[[V" + n + "]]\n")
		input.WriteString("  %" + n + " = add i32 " + n + "\n  ret i32 %" + n + "\n\n")
	}
	b.SetBytes(int64(input.Len()))
	for b.Loop() {
		if _, ok, err := Check(Options{}, "x", []byte(check.String()), "in", []byte(input.String())); !ok || err != nil {
			b.Fatal(err)
		}
	}
}
