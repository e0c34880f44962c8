package mirin_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/mirin-go/mirin"
	"github.com/mirin-go/mirin/ir"
)

// Two modules become one program.
func TestExecutable(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("skipped: programs are linked on linux/amd64 only")
	}
	var mods []*ir.Module
	for name, text := range map[string]string{
		"a.ll": "declare i32 @f(i32)\ndefine i32 @main() {\n  %r = call i32 @f(i32 20)\n  ret i32 %r\n}\n",
		"b.ll": "define i32 @f(i32 %a) {\n  %r = add i32 %a, 22\n  ret i32 %r\n}\n",
	} {
		m, err := mirin.ParseIR(name, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		mods = append(mods, m)
	}
	b, err := mirin.Executable(mods, nil)
	if err != nil {
		t.Fatal(err)
	}
	prog := filepath.Join(t.TempDir(), "prog")
	if err := os.WriteFile(prog, b, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(prog)
	cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 42 {
		t.Errorf("exit status %d, want 42", code)
	}
}
