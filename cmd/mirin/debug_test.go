package main

import (
	"debug/elf"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

// codeLines are the lines of assembly that are not about debug information: no sections of
// it, no lines of the source, no labels that only it refers to.
func codeLines(text string) string {
	var b strings.Builder
	debug := false
	for _, l := range strings.SplitAfter(text, "\n") {
		word, rest, _ := strings.Cut(strings.TrimLeft(l, "\t"), "\t")
		switch word = strings.TrimSpace(word); {
		case word == ".section" && strings.HasPrefix(rest, ".debug_"), word == ".section" && strings.HasPrefix(rest, "\".debug_"):
			debug = true
			continue
		case word == ".section", word == ".text", word == ".data", word == ".bss":
			debug = false
		case word == ".file", word == ".loc", word == ".cfi_sections", debugOnly.MatchString(l):
			continue
		}
		if !debug {
			b.WriteString(numberedLabel.ReplaceAllString(l, ".Ltmp"))
		}
	}
	return b.String()
}

var (
	debugOnly     = regexp.MustCompile(`^\.L(?:func_begin|func_end|tmp|cfi)[0-9]+:`)
	numberedLabel = regexp.MustCompile(`\.L(?:func_begin|func_end|tmp)[0-9]+`)
)

// sameSections compares the sections of two objects that a process has: bytes, and sizes of
// what has none.
func sameSections(t *testing.T, a, b string) bool {
	t.Helper()
	loaded := func(s string) map[string]string {
		f, err := elf.NewFile(strings.NewReader(s))
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]string{}
		for _, s := range f.Sections {
			if s.Flags&elf.SHF_ALLOC == 0 {
				continue
			}
			data := ""
			if s.Type != elf.SHT_NOBITS {
				d, err := s.Data()
				if err != nil {
					t.Fatal(err)
				}
				data = string(d)
			}
			out[s.Name] += fmt.Sprint(s.Size) + data
		}
		return out
	}
	return maps.Equal(loaded(a), loaded(b))
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
		case kind == "asm":
			if want, got = codeLines(want), codeLines(got); want != got {
				t.Errorf("-O%s %s: %s", opt, file, firstDifference(want, got))
			}
		case code == 0 && !sameSections(t, want, got):
			t.Errorf("-O%s %s: the objects differ", opt, file)
		}
	}
}
