package x86_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/mirin-go/mirin"
	"github.com/mirin-go/mirin/ir"
)

// TestAttributesRun runs programs whose attributes ask for other code, and looks at what it does.
func TestAttributesRun(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("skipped: programs are linked on linux/amd64 only")
	}
	// fill writes n bytes of value 7 to a buffer of 16.
	const fill = `
define internal i32 @fill(i64 %n) noinline ATTR {
entry:
  %a = alloca [16 x i8]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i8, ptr %a, i64 %i
  store volatile i8 7, ptr %p
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %v = load volatile i8, ptr %a
  %r = zext i8 %v to i32
  ret i32 %r
}
`
	// frames has a frame of that many bytes, of which the first and the last are written.
	const frames = `
define void @__probe() { ret void }
define internal i32 @large() noinline ATTR {
  %a = alloca [SIZE x i8]
  %b = getelementptr i8, ptr %a, i64 LAST
  store volatile i8 40, ptr %a
  store volatile i8 2, ptr %b
  %x = load volatile i8, ptr %a
  %y = load volatile i8, ptr %b
  %s = add i8 %x, %y
  %r = zext i8 %s to i32
  ret i32 %r
}
define i32 @main() {
  %r = call i32 @large()
  ret i32 %r
}
`
	large := func(attr, size, last string) string { return replace(frames, "ATTR", attr, "SIZE", size, "LAST", last) }
	const variable = `
define internal i32 @object(i64 %n) noinline ATTR {
  %a = alloca i8, i64 %n
  %l = add i64 %n, -1
  %b = getelementptr i8, ptr %a, i64 %l
  store volatile i8 40, ptr %a
  store volatile i8 2, ptr %b
  %o = alloca i8, i64 %n, align 64
  store volatile i8 40, ptr %o
  %x = load volatile i8, ptr %o
  %y = load volatile i8, ptr %b
  %s = add i8 %x, %y
  %r = zext i8 %s to i32
  ret i32 %r
}
define i32 @main() {
  %q = call i32 @object(i64 3)
  %r = call i32 @object(i64 100001)
  ret i32 %r
}
`
	const counted = `
@n = global i32 0
define void @__fentry__() {
  %a = load i32, ptr @n
  %b = add i32 %a, 1
  store i32 %b, ptr @n
  ret void
}
define void @__cyg_profile_func_enter(ptr %f, ptr %from) {
  %is = icmp eq ptr %f, @inner
  %one = zext i1 %is to i32
  %a = load i32, ptr @n
  %b = add i32 %a, %one
  store i32 %b, ptr @n
  ret void
}
define void @__cyg_profile_func_exit(ptr %f, ptr %from) {
  %a = load i32, ptr @n
  %b = add i32 %a, 10
  store i32 %b, ptr @n
  ret void
}
define void @inner() noinline ATTR { ret void }
define i32 @main() {
  call void @inner()
  call void @inner()
  %a = load i32, ptr @n
  ret i32 %a
}
`
	for _, r := range []struct {
		name, src string
		exit      int
		signal    syscall.Signal
	}{
		{"whole stack", replace(fill, "ATTR", "sspstrong") + "define i32 @main() {\n %r = call i32 @fill(i64 16)\n ret i32 %r\n}\n", 7, 0},
		{"smashed stack", replace(fill, "ATTR", "sspstrong") + "define i32 @main() {\n %r = call i32 @fill(i64 24)\n ret i32 %r\n}\n", -1, syscall.SIGABRT},
		{"smashed stack of main", replace(fill, "ATTR", "ssp", "@fill(i64 %n)", "@main(i64 %n)", "[ 0, %entry ]", "[ 8, %entry ]", "ult i64 %next, %n", "ult i64 %next, 24", "internal", ""), -1, syscall.SIGABRT},
		{"profiler", replace(counted, "ATTR", `"fentry-call"="true"`), 2, 0},
		{"entry and exit", replace(counted, "ATTR", `"instrument-function-entry-inlined"="__cyg_profile_func_enter" "instrument-function-exit-inlined"="__cyg_profile_func_exit"`), 22, 0},
		{"patchable", replace(counted, "ATTR", `"patchable-function-entry"="7" "patchable-function-prefix"="3"`), 0, 0},
		{"xray", replace(counted, "ATTR", `"function-instrument"="xray-always"`), 0, 0},
		{"data around the label", replace(counted, "ATTR", `prefix i32 7`), 0, 0},
		{"pages", large(`"probe-stack"="inline-asm"`, "10000", "9999"), 42, 0},
		{"many pages", large(`"probe-stack"="inline-asm"`, "1000000", "999999"), 42, 0},
		{"many pages with a frame pointer", large(`"probe-stack"="inline-asm" "frame-pointer"="all"`, "1000000", "999999"), 42, 0},
		{"small pages", large(`"probe-stack"="inline-asm" "stack-probe-size"="64"`, "1000", "999"), 42, 0},
		{"pages by a function", large(`"probe-stack"="__probe"`, "100000", "99999"), 42, 0},
		{"pages of variable size", replace(variable, "ATTR", `"probe-stack"="inline-asm"`), 42, 0},
		{"small pages of variable size", replace(variable, "ATTR", `"probe-stack"="inline-asm" "stack-probe-size"="256"`), 42, 0},
		{"cleared registers", large(`"zero-call-used-regs"="all"`, "10", "9"), 42, 0},
		{"cleared integers", large(`"zero-call-used-regs"="used-gpr"`, "10", "9"), 42, 0},
		{"marks", large("", "10", "9") + "!llvm.module.flags = !{!0, !1}\n!0 = !{i32 8, !\"cf-protection-branch\", i32 1}\n!1 = !{i32 8, !\"cf-protection-return\", i32 1}\n", 42, 0},
		{"straight lines", large(`"target-features"="+harden-sls-ret,+harden-sls-ijmp"`, "10", "9"), 42, 0},
	} {
		for _, opt := range []mirin.Level{mirin.O0, mirin.O2} {
			exit, signal := execute(t, r.name, r.src, opt)
			if exit != r.exit || signal != r.signal {
				t.Errorf("%s, level %d: exit status %d, signal %v; want %d, %v", r.name, opt, exit, signal, r.exit, r.signal)
			}
		}
	}
}

// replace replaces pairs of texts.
func replace(s string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(s) }

// execute links a module and runs it.
func execute(t *testing.T, name, src string, opt mirin.Level) (exit int, signal syscall.Signal) {
	t.Helper()
	m, err := mirin.ParseIR("x.ll", []byte(src))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	b, err := mirin.Executable([]*ir.Module{m}, &mirin.Options{Opt: opt})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	prog := filepath.Join(t.TempDir(), "prog")
	if err := os.WriteFile(prog, b, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(prog)
	cmd.Run()
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		signal = status.Signal()
	}
	return cmd.ProcessState.ExitCode(), signal
}
