package link

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/driver"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/pipeline"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/all"
)

// compile makes an object of LLVM IR.
func compile(t *testing.T, text string, reloc target.RelocModel) *mc.Object {
	t.Helper()
	mod, err := irtext.Parse("test.ll", []byte(text), irtext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := target.NewMachine(all.Find(all.DefaultTriple, ""), target.Options{Triple: all.DefaultTriple, Reloc: reloc})
	if err != nil {
		t.Fatal(err)
	}
	mod.Triple, mod.DataLayout = all.DefaultTriple, m.Target.DataLayout(m.Triple)
	j := &driver.Job{Machine: m, Module: mod, Runner: &pass.Runner{Passes: pipeline.Passes(pipeline.Options{})}, Workers: 1}
	o, _, errs := j.Object()
	if len(errs) > 0 {
		t.Fatal(errors.Join(errs...))
	}
	return o
}

// linked links objects and gives the path of the program.
func linked(t *testing.T, o *Options, objs ...*mc.Object) string {
	t.Helper()
	var in []Input
	for i, obj := range objs {
		in = append(in, Input{Name: string(rune('a'+i)) + ".o", Object: obj})
	}
	b, err := Executable(in, o)
	if err != nil {
		t.Fatal(err)
	}
	p := filepath.Join(t.TempDir(), "prog")
	if err := os.WriteFile(p, b, 0o755); err != nil {
		t.Fatal(err)
	}
	return p
}

// runs runs a program and compares what it prints, and its exit status.
func runs(t *testing.T, prog, want string, code int) {
	t.Helper()
	cmd := exec.Command(prog, "one", "two")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); string(out) != want || got != code {
		t.Errorf("got %q and exit status %d (%v), want %q and %d", out, got, err, want, code)
	}
}

func TestHello(t *testing.T) {
	for _, strip := range []bool{false, true} {
		p := linked(t, &Options{Strip: strip}, compile(t, `
@s = private constant [13 x i8] c"Hello, %s %d\00"
declare i32 @printf(ptr, ...)
define i32 @main(i32 %argc, ptr %argv) {
  %p = getelementptr ptr, ptr %argv, i32 1
  %a = load ptr, ptr %p
  %r = call i32 (ptr, ...) @printf(ptr @s, ptr %a, i32 %argc)
  ret i32 %r
}`, target.RelocPIC))
		runs(t, p, "Hello, one 3", 12)
		_ = strings.TrimSpace
	}
}
