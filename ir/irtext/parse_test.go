package irtext

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/internal/testenv"
)

// faults are bad modules and what LLVM 22 says about them.
var faults = []struct{ src, want string }{
	{"foo\n", "1:1: error: expected top-level entity"},
	{"@x = global foo zeroinitializer\n", "1:13: error: expected type"},
	{"@x = global [a x i32] zeroinitializer\n", "1:14: error: expected number in address space"},
	{"@x = global [4 y i32] zeroinitializer\n", "1:16: error: expected 'x' after element count"},
	{"@x = global <0 x i32> zeroinitializer\n", "1:14: error: zero element vector is illegal"},
	{"@x = global {i32 y} zeroinitializer\n", "1:18: error: expected '}' at end of struct"},
	{"@x = foo\n", "1:6: error: expected 'global' or 'constant'"},
	{"@x = global ptr @y\n", "1:17: error: use of undefined value '@y'"},
	{"@x = global float 1.1\n", "1:19: error: floating point constant invalid for type"},
	{"@x = global i32 \"a\"\n", "1:17: error: expected value token"},
	{"@x = global i32\n", "2:1: error: expected value token"},
	{"@x = global i32 0\n@x = global i32 1\n", "2:1: error: redefinition of global '@x'"},
	{"@x = global ptr 1\n", "1:17: error: integer constant must have integer type"},
	{"!0 = !{!1}\n", "1:9: error: use of undefined metadata '!1'"},
	{"!0 = !{i32 %x}\n", "1:12: error: invalid use of function-local name"},
	{"declare void @f(i32 x)\n", "1:21: error: expected ')' at end of argument list"},
	{"define i32 @f() {\n  ret i32 %x\n}\n", "2:11: error: use of undefined value '%x'"},
	{"define i32 @f(i64 %a) {\n  ret i32 %a\n}\n", "2:11: error: '%a' defined with type 'i64' but expected 'i32'"},
	{"define void @f() {\n  %a = add i32 1, 2\n  %a = add i32 1, 2\n  ret void\n}\n", "3:3: error: multiple definition of local value named 'a'"},
	{"define void @f() {\n  br label %x\n}\n", "2:12: error: use of undefined value '%x'"},
	{"define i32 @f() {\n  add i32 @f, 1\n  ret i32 0\n}\n", "2:11: error: global variable reference must have pointer type"},
	{"define i32 @f(i64 %a) {\n  ret i32 0\nfoo:\n}\n", "4:1: error: expected instruction opcode"},
	{"define void @f() {\n  call i32 @g()\n  ret void\n}\n", "2:12: error: use of undefined value '@g'"},
	{"declare void @g(i32)\ndefine void @f() {\n  %3 = add i32 1, 2\n  %2 = add i32 1, 2\n  ret void\n}\n",
		"4:3: error: instruction expected to be numbered '%4' or greater"},
	{"define void @f(i32 %a) {\n  %r = fadd i32 %a, %a\n  ret void\n}\n", "2:13: error: invalid operand type for instruction"},
	{"define void @f(i32 %a) {\n  br i32 %a, label %x, label %x\nx:\n  ret void\n}\n", "2:6: error: branch condition must have 'i1' type"},
	{"define void @f() {\n  %v = call void @f()\n  ret void\n}\n", "2:3: error: instructions returning void cannot have a name"},
	{"define void @f(ptr %p) {\n  call void %p(i32 1\n  ret void\n}\n", "3:3: error: expected ',' in argument list"},
	{"define void @f(i32 %a) {\n  %z = zext i32 %a to i32\n  ret void\n}\n", "2:13: error: invalid cast opcode for cast from 'i32' to 'i32'"},
	{"define void @f() {\n  ret i32 1\n}\n", "2:7: error: value doesn't match function result type 'void'"},
	{"define void @f(ptr %p) {\n  store i32 1, i32 2\n  ret void\n}\n", "2:16: error: store operand must be a pointer"},
	{"define void @f() {\n  %x = phi i32 [ %y, %0 ]\n  ret void\n", "4:1: error: found end of file when expecting more instructions"},
	{"@s = global [2 x i8] c\"a\n", "1:23: error: end of file in string constant"},
}

// TestFaults holds wording and places, and where LLVM is installed that they are LLVM's.
func TestFaults(t *testing.T) {
	as, _ := exec.LookPath("llvm-as-22")
	for _, c := range faults {
		_, err := Parse("t.ll", []byte(c.src), Options{Jobs: 1})
		if err == nil {
			t.Errorf("accepted:\n%s", c.src)
			continue
		}
		if got := err.Error(); got != "t.ll:"+c.want {
			t.Errorf("%s\n got  %s\n want t.ll:%s", c.src, got, c.want)
		}
		if as == "" {
			continue
		}
		cmd := exec.Command(as, "-o", os.DevNull, "-")
		cmd.Stdin = strings.NewReader(c.src)
		out, _ := cmd.CombinedOutput()
		line, _, _ := strings.Cut(string(out), "\n")
		if _, msg, _ := strings.Cut(line, "<stdin>:"); msg != c.want {
			t.Errorf("%s\n LLVM says %s\n not       %s", c.src, msg, c.want)
		}
	}
}

func TestCaret(t *testing.T) {
	_, err := Parse("t.ll", []byte("define i32 @f() {\n  ret i32 %x\n}\n"), Options{})
	want := "t.ll:2:11: error: use of undefined value '%x'\n  ret i32 %x\n          ^\n"
	if got := string(diag.AppendError(nil, "", err)); got != want {
		t.Errorf("got %q", got)
	}
}

// TestFirstFault reports the first fault of the file whatever worker finds one.
func TestFirstFault(t *testing.T) {
	var b strings.Builder
	for range 50 {
		b.WriteString("define void @" + strings.Repeat("f", b.Len()/40+1) + "() {\n  " + strings.Repeat("fence seq_cst\n  ", 40) + "ret i32 0\n}\n")
	}
	var first string
	for i, jobs := range []int{1, 2, 8, 8, 8} {
		_, err := Parse("t.ll", []byte(b.String()), Options{Jobs: jobs})
		if err == nil {
			t.Fatal("accepted")
		}
		if i == 0 {
			first = err.Error()
		} else if err.Error() != first {
			t.Errorf("jobs %d: %v, want %s", jobs, err, first)
		}
	}
}

// TestCanonical compares testdata/*.ll with what LLVM makes of them, where it
// is installed, and the printed form with itself read again.
func TestCanonical(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.ll")
	if len(files) == 0 {
		t.Fatal("no testdata")
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var texts [][]byte
		for _, jobs := range []int{1, 4} {
			m, err := Parse(f, src, Options{Jobs: jobs})
			if err != nil {
				t.Fatal(string(diag.AppendError(nil, "", err)))
			}
			texts = append(texts, AppendModule(nil, m))
		}
		if !bytes.Equal(texts[0], texts[1]) {
			t.Errorf("%s: output depends on the number of jobs", f)
		}
		m, err := Parse(f, texts[0], Options{})
		if err != nil {
			t.Errorf("printed form: %v", err)
			continue
		}
		if again := AppendModule(nil, m); !bytes.Equal(again, texts[0]) {
			n, g, w := firstDifference(again, texts[0])
			t.Errorf("%s:%d: read again:\ngot  %s\nwant %s", f, n, g, w)
		}
		t.Run(filepath.Base(f), func(t *testing.T) {
			want := canonical(t, testenv.LLVM(t, "llvm-as"), testenv.LLVM(t, "llvm-dis"), f)
			if got := dropLine(texts[0]); !bytes.Equal(got, want) {
				n, g, w := firstDifference(got, want)
				t.Errorf("%s:%d:\ngot  %s\nwant %s", f, n, g, w)
			}
		})
	}
}

// TestNesting holds that hostile nesting is an error, not a crash.
func TestNesting(t *testing.T) {
	for _, s := range []string{
		"@x = global " + strings.Repeat("[1 x ", 100000),
		"@x = global " + strings.Repeat("{", 100000),
		"@x = global i32 " + strings.Repeat("add (i32 ", 100000),
		"!0 = " + strings.Repeat("!{", 100000),
		"!0 = " + strings.Repeat("!DIFile(filename: ", 100000),
		"define void @f() {\n ret void" + strings.Repeat("}", 1000),
		"define void @f() " + strings.Repeat("{", 1000),
		"declare " + strings.Repeat("void (", 100000),
	} {
		if _, err := Parse("t.ll", []byte(s), Options{}); err == nil {
			t.Errorf("accepted %.40s…", s)
		}
	}
}

// Faults returns the texts of the table for tests outside the package.
func Faults() (srcs []string) {
	for _, c := range faults {
		srcs = append(srcs, c.src)
	}
	return srcs
}

// TestMutations is the fuzzer's smoke test: cuts and changes of real text must not panic.
func TestMutations(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.ll")
	seed := uint32(1)
	rnd := func(n int) int {
		seed = seed*1664525 + 1013904223
		return int(seed>>8) % n
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for range 300 {
			b := bytes.Clone(src)
			switch rnd(4) {
			case 0:
				b = b[:rnd(len(b))]
			case 1:
				i := rnd(len(b))
				b = append(b[:i], b[min(i+rnd(20), len(b)):]...)
			case 2:
				b[rnd(len(b))] = "{}()[]<>%@!#,\"0iptr"[rnd(19)]
			case 3:
				i, j := rnd(len(b)), rnd(len(b))
				n := rnd(30)
				copy(b[i:min(i+n, len(b))], b[j:min(j+n, len(b))])
			}
			m, err := Parse("m.ll", b, Options{Jobs: 1 + rnd(2)})
			if err == nil {
				AppendModule(nil, m)
			}
		}
	}
}

// TestAlignAttribute: align is an attribute of what it stands at without a comma; the
// alignment of functions alone. Of one that a group has too the group's counts.
func TestAlignAttribute(t *testing.T) {
	src := `@a = common global i32 0 align 4
@b = global i32 0, section "x" align(16)
@c = global i32 0, align 2 align 4 #1
define void @f() align 4 #1 section "x" align 2 {
  ret void
}
define void @g() "p"="1" align 4 section "x" align 2 {
  call void @g() "p"="1" #0
  ret void
}
attributes #0 = { "p"="2" }
attributes #1 = { align=8 "q" }
`
	m, err := Parse("t.ll", []byte(src), Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := string(AppendModule(nil, m))
	for _, want := range []string{"@a = common global i32 0 #0\n", "@b = global i32 0, section \"x\" #1\n", "@c = global i32 0, align 2 #2\n",
		"define void @f() #3 section \"x\" align 8 {", "define void @g() #4 section \"x\" align 4 {", "call void @g() #5\n",
		"#0 = { align=4 }", "#1 = { align=16 }", "#2 = { align=8 \"q\" }", "#3 = { \"q\" }", "#4 = { \"p\"=\"1\" }", "#5 = { \"p\"=\"2\" }"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for src, want := range map[string]string{
		"@a = global i32 0 align 3":                 "alignment is not a power of two",
		"@a = global i32 0 align 4, section \"x\"":  "expected top-level entity",
		"attributes #0 = { align 4 }":               "expected '=' here",
		"define void @f() section \"x\" nounwind {": "expected '{' in function body",
	} {
		if _, err := Parse("t.ll", []byte(src), Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", src, err, want)
		}
	}
}
