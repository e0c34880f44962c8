package main

import (
	"bytes"
	"debug/elf"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// needsLinker skips where programs are not linked.
func needsLinker(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("skipped: programs are linked on linux/amd64 only")
	}
}

// write puts a file into a new folder and gives its name.
func write(t *testing.T, name, text string) string {
	t.Helper()
	p := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return p
}

// The binary is linked statically on Linux: a dynamic loader would cost every start.
func TestStatic(t *testing.T) {
	needsLinker(t)
	f, err := elf.Open(binary(t))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			t.Error("the binary needs a dynamic loader")
		}
	}
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil || strings.Contains(string(out), "purego") {
		t.Errorf("the command imports purego (%v)", err)
	}
}

// TestRun: a program has its own arguments, input, exit status and signals.
func TestRun(t *testing.T) {
	needsLinker(t)
	exe := binary(t)
	const echo = `
@fmt = private constant [8 x i8] c"%s|%s|\0A\00"
@loc = thread_local global i32 40
declare ptr @fgets(ptr, i32, ptr)
declare i32 @printf(ptr, ...)
declare i32 @raise(i32)
@stdin = external global ptr
define i32 @main(i32 %argc, ptr %argv) {
  %buf = alloca [100 x i8]
  %in = load ptr, ptr @stdin
  %l = call ptr @fgets(ptr %buf, i32 100, ptr %in)
  %p = getelementptr ptr, ptr %argv, i32 1
  %a = load ptr, ptr %p
  %r = call i32 (ptr, ...) @printf(ptr @fmt, ptr %a, ptr %buf)
  %many = icmp sgt i32 %argc, 2
  br i1 %many, label %crash, label %out
crash:
  %s = call i32 @raise(i32 11)
  br label %out
out:
  %v = load i32, ptr @loc
  %w = add i32 %v, %argc
  ret i32 %w
}`
	prog := write(t, "echo.ll", echo)
	for _, opt := range []string{"-O0", "-O2"} {
		cmd := exec.Command(exe, "run", opt, prog, "argument")
		cmd.Stdin = strings.NewReader("line")
		out, err := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); string(out) != "argument|line|\n" || code != 42 {
			t.Errorf("%s: %q, exit status %d (%v)", opt, out, code, err)
		}
	}
	cmd := exec.Command(exe, "run", prog, "a", "b")
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGSEGV {
		t.Errorf("a crash gives %v", err)
	}
	// Within this process a program is a child.
	var stdout, stderr bytes.Buffer
	if code := runMain([]string{prog, "x"}, strings.NewReader("y"), &stdout, &stderr); code != 42 || stdout.String() != "x|y|\n" {
		t.Errorf("as a child: %d, %q, %q", code, stdout.String(), stderr.String())
	}
	if code := runMain([]string{prog, "x", "z"}, strings.NewReader("y"), &stdout, &stderr); code != 128+11 {
		t.Errorf("a crashing child: %d", code)
	}
}

// TestRunKill: the process that was started is the program, so a signal to it
// reaches the program.
func TestRunKill(t *testing.T) {
	needsLinker(t)
	prog := write(t, "pause.ll", `
declare i32 @puts(ptr)
declare i32 @fflush(ptr)
declare i32 @pause()
@s = private constant [6 x i8] c"ready\00"
define i32 @main() {
  %r = call i32 @puts(ptr @s)
  %f = call i32 @fflush(ptr null)
  %p = call i32 @pause()
  ret i32 0
}`)
	cmd := exec.Command(binary(t), "run", prog)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.WaitDelay = time.Minute
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 6)
	if _, err := out.Read(b); err != nil || string(b) != "ready\n" {
		t.Fatalf("%q, %v", b, err)
	}
	cmd.Process.Signal(syscall.SIGTERM)
	err = cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
		t.Errorf("got %v", err)
	}
}

// TestRunErrors: what is wrong with a program is said before it runs.
func TestRunErrors(t *testing.T) {
	needsLinker(t)
	for _, tc := range [][2]string{
		{"declare void @nosuch()\ndefine i32 @main() {\n  call void @nosuch()\n  ret i32 0\n}\n", "mirin run: error: undefined symbol nosuch (in "},
		{"define i32 @f() {\n  ret i32 0\n}\n", "mirin run: error: there is no function main"},
	} {
		var stdout, stderr bytes.Buffer
		if code := runMain([]string{write(t, "a.ll", tc[0])}, strings.NewReader(""), &stdout, &stderr); code != 1 || !strings.HasPrefix(stderr.String(), tc[1]) {
			t.Errorf("exit status %d, %q, want %q", code, stderr.String(), tc[1])
		}
	}
}

// TestLink: modules as text and as bitcode, and an object, make one program.
func TestLink(t *testing.T) {
	needsLinker(t)
	mainLL := write(t, "main.ll", "declare i32 @two()\ndeclare i32 @three()\ndefine i32 @main() {\n  %a = call i32 @two()\n  %b = call i32 @three()\n  %c = mul i32 %a, %b\n  ret i32 %c\n}\n")
	twoLL := write(t, "two.ll", "define i32 @two() {\n  ret i32 2\n}\n")
	threeLL := write(t, "three.ll", "define i32 @three() {\n  ret i32 3\n}\n")
	dir := t.TempDir()
	two, three, prog := filepath.Join(dir, "two.bc"), filepath.Join(dir, "three.o"), filepath.Join(dir, "prog")
	var stdout, stderr bytes.Buffer
	if code := asMain([]string{twoLL, "-o", two}, nil, &stdout, &stderr); code != 0 {
		t.Fatal(stderr.String())
	}
	if code := llcMain([]string{"-filetype=obj", threeLL, "-o", three}, nil, &stdout, &stderr); code != 0 {
		t.Fatal(stderr.String())
	}
	for _, flags := range [][]string{{"-o", prog}, {"-O0", "-s", "-lm", "-o=" + prog}, {"-L" + dir, "-l", "m", "-L", "/nowhere", "-o", prog}} {
		if code := linkMain(append(flags, mainLL, two, three), nil, &stdout, &stderr); code != 0 {
			t.Errorf("%v: %s", flags, stderr.String())
			continue
		}
		cmd := exec.Command(prog)
		cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != 6 {
			t.Errorf("%v: exit status %d", flags, code)
		}
		os.Remove(prog)
	}
	for _, bad := range [][3]string{{"a.mir", "---\n", "MIR is compiled to an object first"}, {"a.a", "!<arch>\n", "archives are not supported"},
		{"a.o", "\x7fELF\x01", "not an ELF file"}, {"a.ll", "define", "error: "}} {
		stderr.Reset()
		if code := linkMain([]string{write(t, bad[0], bad[1]), "-o", prog}, nil, &stdout, &stderr); code != 1 || !strings.Contains(stderr.String(), bad[2]) {
			t.Errorf("%s: exit status %d, %q", bad[0], code, stderr.String())
		}
	}
	stderr.Reset()
	if code := linkMain([]string{mainLL, two, "-o", prog}, nil, &stdout, &stderr); code != 1 || !strings.Contains(stderr.String(), "mirin link: error: undefined symbol three (in ") {
		t.Errorf("exit status %d, %q", code, stderr.String())
	}
	if _, err := os.Stat(prog); err == nil {
		t.Error("a failed link left a file")
	}
}
