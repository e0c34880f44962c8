package mirupgrade

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

func options() mirtext.ParseOptions {
	return mirtext.ParseOptions{Facts: func(t string) (*desc.Info, error) {
		if t == "" {
			t = "x86_64"
		}
		return facts.Load(family.NameOf(t))
	}}
}

// TestUpgrade upgrades testdata/*.in and compares with *.out.
func TestUpgrade(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.in")
	if len(files) < 2 {
		t.Fatalf("only %d files", len(files))
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Upgrade("x.mir", src, options())
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
		if again, err := Upgrade("x.mir", got, options()); err != nil || string(again) != string(got) {
			t.Errorf("%s: a second time changes it again: %v\n%s", file, err, again)
		}
	}
}

// TestToday holds that names of virtual registers are not taken for physical ones.
func TestToday(t *testing.T) {
	src := "---\nname: f\nalignment: 4\nbody: |\n  bb.0 (align 4):\n    %eax:gr32 = MOV32ri 1\n    %b:gr32 = COPY %eax\n    $eax = COPY %b\n    RET64 $eax\n...\n"
	if got, err := Upgrade("x.mir", []byte(src), options()); err != nil || string(got) != src {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestError(t *testing.T) {
	src := "---\nname: f\nallVRegsAllocated: true\nbody: |\n  bb.0:\n    %eax = NO_LONGER_THERE %eax\n...\n"
	_, err := Upgrade("x.mir", []byte(src), options())
	var d *diag.Diagnostic
	if !errors.As(err, &d) || d.Line != 6 || d.Col != 12 {
		t.Errorf("%v", err)
	}
}

func TestUntypedPointers(t *testing.T) {
	for in, want := range map[string]string{
		"load i8*, i8** %p":                          "load ptr, ptr %p",
		"{ i8*, [4 x i32*] }* %p":                    "ptr %p",
		"<4 x i32>* %v, %struct.S* %s, %\"a b\"* %q": "ptr %v, ptr %s, ptr %q",
		"i32 (i8*, ...)* @f":                         "ptr @f",
		"i8 addrspace(5)* %x":                        "ptr addrspace(5) %x",
		"i8 addrspace(1)* addrspace(5)* %x":          "ptr addrspace(5) %x",
		"c\"a i8* b\" ; i8*":                         "c\"a i8* b\" ; i8*",
		"%a = mul i32 %b, 3":                         "%a = mul i32 %b, 3",
	} {
		if got := untypedPointers(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
