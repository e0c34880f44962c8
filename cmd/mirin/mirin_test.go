package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mirin-go/mirin/internal/testenv"
)

// mirinBinary builds the command once.
var mirinBinary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "mirin")
	if err != nil {
		return "", err
	}
	exe := filepath.Join(dir, "mirin")
	cmd := exec.Command("go", "build", "-o", exe, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return exe, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if exe, err := mirinBinary(); err == nil {
		os.RemoveAll(filepath.Dir(exe))
	}
	os.Exit(code)
}

func binary(t *testing.T) string {
	exe, err := mirinBinary()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// llc runs mirin llc in this process.
func llc(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = llcMain(args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

func TestExamples(t *testing.T) {
	exe := binary(t)
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"../../examples/hello.ll"}, "Hello from LLVM IR.\n"},
		{[]string{"../../examples/primes.ll"}, "78498 primes are below 1000000\n"},
		{[]string{"../../examples/primes.ll", "100"}, "25 primes are below 100\n"},
	} {
		for _, opt := range []string{"-O0", "-O2"} {
			out, err := exec.Command(exe, append([]string{"run", opt, "-verify-machineinstrs"}, tc.args...)...).CombinedOutput()
			if err != nil || string(out) != tc.want {
				t.Errorf("mirin run %s %v: got %q, %v; want %q", opt, tc.args, out, err, tc.want)
			}
		}
	}
}

// program is a row of the shared programs' index.
type program struct {
	Name, Module, Opt, Stdin, Expected string
	Args, Ldflags                      []string
	Data                               [][2]string
	Compare                            struct {
		Mode     string
		Rel, Abs float64
	}
}

// TestPrograms compiles and runs the ready-made modules through an object and
// the system linker, through assembly and the system assembler, and in the process.
func TestPrograms(t *testing.T) {
	index := testenv.Shared(t, "programs", "ll.jsonl")
	base := filepath.Dir(index)
	exe := binary(t)
	data, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	for dec.More() {
		var p program
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, d := range p.Data {
				if err := os.CopyFS(filepath.Join(dir, d[1]), os.DirFS(filepath.Join(base, d[0]))); err != nil {
					b, err := os.ReadFile(filepath.Join(base, d[0]))
					if err != nil {
						t.Fatal(err)
					}
					os.RemoveAll(filepath.Join(dir, d[1]))
					if err := os.WriteFile(filepath.Join(dir, d[1]), b, 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			module := filepath.Join(base, p.Module)
			check(t, base, dir, &p, "run", exe, append([]string{"run", "-O" + p.Opt, module}, p.Args...))
			cc, err := exec.LookPath("cc")
			if err != nil {
				t.Skip("skipped: linking needs a C compiler driver")
			}
			for _, kind := range []string{"obj", "asm"} {
				out := filepath.Join(dir, map[string]string{"obj": "out.o", "asm": "out.s"}[kind])
				if b, err := exec.Command(exe, "llc", "-O"+p.Opt, "-verify-machineinstrs", "-relocation-model=pic", "-filetype="+kind, module, "-o", out).CombinedOutput(); err != nil {
					t.Errorf("%s: %v: %s", kind, err, b)
					continue
				}
				prog := filepath.Join(dir, kind+".exe")
				if b, err := exec.Command(cc, append([]string{out, "-o", prog}, p.Ldflags...)...).CombinedOutput(); err != nil {
					t.Errorf("%s: %v: %s", kind, err, b)
					continue
				}
				check(t, base, dir, &p, kind, prog, p.Args)
			}
		})
	}
}

// check runs a program and compares output and exit code with what is expected.
func check(t *testing.T, base, dir string, p *program, how, exe string, args []string) {
	cmd := exec.Command(exe, args...)
	cmd.Dir = dir
	cmd.WaitDelay = time.Minute
	if p.Stdin != "" {
		f, err := os.Open(filepath.Join(base, p.Stdin))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		cmd.Stdin = f
	}
	out, err := cmd.CombinedOutput()
	code := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		t.Errorf("%s: %v", how, err)
		return
	}
	got := string(out) + "exit " + strconv.Itoa(code) + "\n"
	want, err := os.ReadFile(filepath.Join(base, p.Expected))
	if err != nil {
		t.Fatal(err)
	}
	if !same(p, got, string(want)) {
		t.Errorf("%s: wrong output: got …%q", how, got[max(0, len(got)-200):])
	}
}

func same(p *program, got, want string) bool {
	got, want = strings.TrimSpace(got), strings.TrimSpace(want)
	if p.Compare.Mode != "fp" {
		return got == want
	}
	a, b := strings.Fields(got), strings.Fields(want)
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, err1 := strconv.ParseFloat(a[i], 64)
		y, err2 := strconv.ParseFloat(b[i], 64)
		if a[i] != b[i] && (err1 != nil || err2 != nil || abs(x-y) > p.Compare.Abs+abs(y)*p.Compare.Rel) {
			return false
		}
	}
	return true
}

func abs(x float64) float64 { return max(x, -x) }

// TestWorkers: the output does not depend on the number of workers, and not on
// whether the module is read whole, as for -time-passes, or function by function.
func TestWorkers(t *testing.T) {
	mods, _ := filepath.Glob(filepath.Join(testenv.Shared(t, "programs", "ll"), "*.ll"))
	for _, m := range mods {
		for _, ft := range []string{"asm", "obj"} {
			_, one, _ := llc("-j1", "-filetype="+ft, "-o", "-", m)
			_, two, _ := llc("-j=3", "-filetype="+ft, "-o", "-", m)
			_, whole, _ := llc("-j=3", "-time-passes", "-filetype="+ft, "-o", "-", m)
			if one != two || one == "" {
				t.Errorf("%s: -filetype=%s differs between -j1 and -j3", filepath.Base(m), ft)
			}
			if whole != two {
				t.Errorf("%s: -filetype=%s differs when the module is read as a whole", filepath.Base(m), ft)
			}
		}
	}
}

// TestBadInput: every fault is a message with a place, exit status 1, and no output file.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good.ll")
	os.WriteFile(good, []byte("define void @f() {\n  ret void\n}\n"), 0o644)
	for _, tc := range []struct {
		name string
		src  string // module text; "" uses good
		args []string
		want string // regular expression
	}{
		{name: "truncated", src: "define i32 @f() {\n  %x = add i32 1, 2\n", want: `bad\.ll:\d+:\d+: error: .*\n`},
		{name: "wrong type", src: "define i32 @f(i64 %a) {\n  %x = add i32 %a, 1\n  ret i32 %x\n}\n", want: `bad\.ll:2:16: error: '%a' defined with type 'i64' but expected 'i32'\n  %x = add i32 %a, 1\n               \^\n`},
		{name: "undefined value", src: "define i32 @f() {\n  ret i32 %nope\n}\n", want: `bad\.ll:2:11: error: use of undefined value '%nope'\n  ret i32 %nope\n          \^\n`},
		{name: "unknown target", args: []string{"-mtriple=pdp11-unknown-unix"}, want: `error: unable to get target for 'pdp11-unknown-unix'`},
		{name: "use before definition", src: "define i32 @f(i32 %x) {\n  br i1 true, label %a, label %b\na:\n  %y = add i32 %x, 1\n  br label %b\nb:\n  ret i32 %y\n}\n",
			want: `Instruction does not dominate all uses!\n  %y = add i32 %x, 1\n  ret i32 %y\nllc: error: '[^']*': input module cannot be verified`},
		{name: "fault where no code is made", src: "define available_externally i32 @f(i64 %a) {\n  ret i32 %a\n}\ndefine void @g() {\n  ret void\n}\n",
			want: `bad\.ll:2:11: error: '%a' defined with type 'i64' but expected 'i32'`},
		{name: "fault behind code", src: "define void @g() {\n  ret void\n}\ndefine void @h(i1 %c) {\na:\n  br label %a\n}\n",
			want: `Entry block to function must not have predecessors!`},
		{name: "unknown flag", args: []string{"-stopafter=legalizer"}, want: `Unknown command line argument '-stopafter=legalizer'[^\n]*\n[^\n]*Did you mean '--stop-after=legalizer'\?`},
		{name: "flag of LLVM's that is refused", args: []string{"-basic-block-sections=all"}, want: `^llc: for the --basic-block-sections option: not supported\n$`},
		{name: "flag of LLVM's with a bad value", args: []string{"-misched-limit=x"}, want: `^llc: for the --misched-limit option: 'x' value invalid for uint argument!\n$`},
		{name: "unknown pass", args: []string{"-stop-after=legaliser"}, want: `"legaliser" pass is not registered`},
		{name: "unknown processor", args: []string{"-mcpu=i8080"}, want: `'i8080' is not a recognized processor`},
		{name: "parts of the triple left out", args: []string{"-mtriple=x86_64-linux-gnux32"}, want: `error: x86-64: the x32 ABI is not supported`},
		{name: "foreign layout", src: "target datalayout = \"e-p:32:32\"\ntarget triple = \"x86_64-linux-gnu\"\ndefine void @f() {\n  ret void\n}\n",
			want: `error: data layout "e-p:32:32[^"]*": pointers of 32 bits, those of x86-64 have 64`},
		{name: "unwritable output", args: []string{"-o", filepath.Join(dir, "no", "such", "dir.s")}, want: `error: .*no such file or directory`},
		{name: "stack object of any size", src: "define ptr @f() {\n  %a = alloca [9223372036854775807 x i8]\n  ret ptr %a\n}\n", want: `in function f: a stack object of more than 2\^40 bytes is not supported`},
		{name: "stack object whose size wraps", src: "define ptr @f() {\n  %a = alloca i64, i64 2305843009213693952\n  ret ptr %a\n}\n", want: `in function f: a stack object of more than 2\^40 bytes is not supported`},
		{name: "no such file", args: []string{filepath.Join(dir, "absent.ll")}, want: `absent\.ll: Could not open input file: No such file or directory`},
	} {
		in := good
		if tc.src != "" {
			in = filepath.Join(dir, "bad.ll")
			os.WriteFile(in, []byte(tc.src), 0o644)
		}
		args := tc.args
		if tc.name != "no such file" {
			args = append(args, in)
		}
		out := filepath.Join(dir, "out.s")
		if tc.name != "unwritable output" {
			args = append(args, "-o", out)
		}
		code, _, stderr := llc(args...)
		if code != 1 {
			t.Errorf("%s: exit status %d, want 1", tc.name, code)
		}
		if !regexp.MustCompile(tc.want).MatchString(stderr) {
			t.Errorf("%s: got %q, want a match of %s", tc.name, stderr, tc.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: an output file was left", tc.name)
			os.Remove(out)
		}
	}
}

// TestFlags: flags are read in either dash form, joined or not, before and after the file.
// TestFullOutput: what cannot be printed shows in the exit status, of help too;
// an empty name is no file's.
func TestFullOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	defer full.Close()
	exe := binary(t)
	module := filepath.Join(t.TempDir(), "m.ll")
	os.WriteFile(module, []byte("define void @f() {\n  ret void\n}\n"), 0o644)
	for _, args := range [][]string{{"--help"}, {"llc", "--help"}, {"llc", "--version"}, {"llc", module, "-o", "-"}, {"llc", "-print-pipeline", module},
		{"opt", "-S", module}, {"as", module, "-o", "-"}, {"tblgen", "--help"}, {"llc", ""}} {
		cmd := exec.Command(exe, args...)
		cmd.Stdout = full
		out := new(bytes.Buffer)
		cmd.Stderr = out
		if err := cmd.Run(); cmd.ProcessState.ExitCode() != 1 || out.Len() == 0 {
			t.Errorf("%q: %v, %s", args, err, out)
		}
	}
}

func TestFlags(t *testing.T) {
	in := filepath.Join(t.TempDir(), "f.ll")
	os.WriteFile(in, []byte("define i32 @f(i32 %a) {\n  ret i32 %a\n}\n"), 0o644)
	var want string
	for k, args := range [][]string{
		{"-O0", in, "-o", "-"}, {"--O0", "-o=-", in}, {in, "-O=0", "--o", "-"}, {"-o", "-", "-O", "0", in},
	} {
		code, out, stderr := llc(args...)
		if code != 0 || out == "" {
			t.Errorf("%v: %d %s", args, code, stderr)
		}
		if k == 0 {
			want = out
		} else if out != want {
			t.Errorf("%v: another output than %v's", args, "-O0")
		}
	}
}
