package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/ir/irtext"
)

// TestDebugRecords: debug records change no byte of the code, and their
// DBG_VALUEs survive a stop and a start after every pass.
func TestDebugRecords(t *testing.T) {
	files, _ := filepath.Glob("testdata/debug/*.ll")
	if len(files) == 0 {
		t.Fatal("no files")
	}
	for _, m := range files {
		for _, opt := range []string{"0", "2"} {
			code, text, msg := llc("-O"+opt, "-stop-after=irtranslator", m, "-o", "-")
			if code != 0 || !strings.Contains(text, "DBG_VALUE") && !strings.Contains(text, "debug-info-variable: '!") {
				t.Fatalf("%s: no debug instructions: %s", m, msg)
			}
			sameCode(t, m, opt)
			for k := range stages(opt) {
				stage(t, m, opt, k)
			}
		}
	}
}

// TestDebugRecordsOfPrograms does so with the shared programs, compiled with -g.
func TestDebugRecordsOfPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles many programs")
	}
	dir := testenv.Shared(t, "programs", "single")
	clang := testenv.LLVM(t, "clang")
	n := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if ext := filepath.Ext(path); ext != ".c" && ext != ".cpp" {
			return nil
		}
		if n++; n%32 != 0 {
			return nil
		}
		for _, opt := range []string{"0", "2"} {
			file := filepath.Join(t.TempDir(), "g.ll")
			cmd := exec.Command(clang, "-w", "-g", "-O"+opt, "-S", "-emit-llvm", "-o", file, path)
			if cmd.Run() != nil {
				continue // needs flags of its own
			}
			rel, _ := filepath.Rel(dir, path)
			t.Run(rel, func(t *testing.T) { sameCode(t, file, opt) })
		}
		return nil
	})
	if err != nil || n == 0 {
		t.Fatal("no programs", err)
	}
}

// sameCode compares assembly and object of a module with those of the module
// without its debug information.
func sameCode(t *testing.T, file, opt string) {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := irtext.Parse(file, src, irtext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !m.StripDebugInfo() {
		t.Fatal(file, "has no debug information")
	}
	plain := filepath.Join(t.TempDir(), filepath.Base(file))
	if err := os.WriteFile(plain, irtext.AppendModule(nil, m), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"asm", "obj"} {
		args := []string{"-O" + opt, "-verify-machineinstrs", "-filetype=" + kind, "-o", "-"}
		wantCode, want, wantMsg := llc(append(args, plain)...)
		code, got, msg := llc(append(args, file)...)
		switch {
		case code != wantCode:
			t.Errorf("-O%s %s: %s; without debug information: %s", opt, file, msg, wantMsg)
		case got != want && kind == "asm":
			t.Errorf("-O%s %s: %s", opt, file, firstDifference(want, got))
		case got != want:
			t.Errorf("-O%s %s: the objects differ", opt, file)
		}
	}
}
