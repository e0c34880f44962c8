package mirfmt

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/mir/mirtext"
)

func parseOptions(src []byte) mirtext.ParseOptions {
	triple, arch, _ := Target(src)
	return mirtext.ParseOptions{Triple: triple, Arch: arch, EmitCallSiteInfo: true, Facts: func(t string) (*desc.Info, error) {
		if arch != "" {
			t = arch
		}
		if t == "" {
			t = "x86_64"
		}
		return facts.Load(family.NameOf(family.ArchOfMarch(t)))
	}}
}

// TestFormat formats testdata/*.in and compares with *.out.
func TestFormat(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.in")
	if len(files) < 3 {
		t.Fatalf("only %d files", len(files))
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Parse: parseOptions(src), Simplify: !strings.Contains(file, "full"), Full: strings.Contains(file, "full")}
		got, err := Format("x.mir", src, o)
		if err != nil {
			t.Error(err)
			continue
		}
		name := strings.TrimSuffix(file, ".in") + ".out"
		if os.Getenv("UPDATE") != "" {
			if err := os.WriteFile(name, got, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("%s: got\n%s", file, got)
		}
		if again, err := Format("x.mir", got, o); err != nil || string(again) != string(got) {
			t.Errorf("%s: a second time gives something else: %v\n%s", file, err, again)
		}
		for _, l := range strings.Split(string(src), "\n") {
			for _, sign := range []byte("#;") {
				if _, note := cutComment(l, sign); note != "" && !derived.Get().MatchString(note) && !strings.Contains(string(got), strings.TrimLeft(note, "#; ")) {
					t.Errorf("%s: comment is lost: %s", file, note)
				}
			}
		}
	}
}

func TestErrors(t *testing.T) {
	src := []byte("---\nname: f\nbody: |\n  bb.0:\n    $eax = NOSUCH\n...\n")
	_, err := Format("x.mir", src, Options{Parse: parseOptions(src)})
	var d *diag.Diagnostic
	if !errors.As(err, &d) || d.Line != 5 || d.Col != 12 {
		t.Errorf("%v", err)
	}
}

func TestTarget(t *testing.T) {
	for src, want := range map[string]string{
		"# RUN: llc -mtriple=aarch64-- -mcpu=x":           "aarch64--||x",
		"# RUN: llc --march riscv64 %s":                   "|riscv64|",
		"# RUN: FileCheck\n; RUN: llc -mtriple 'armv7--'": "armv7--||",
		"# nothing": "||",
	} {
		triple, arch, cpu := Target([]byte(src))
		if got := triple + "|" + arch + "|" + cpu; got != want {
			t.Errorf("%s: %s", src, got)
		}
	}
}
