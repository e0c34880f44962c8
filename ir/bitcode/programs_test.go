package bitcode

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/ir/irtext"
)

// larger are the programs whose sources TestLargerPrograms compiles; the last
// ones take a minute to compile and are left out with -short.
var larger = []string{"FreeBench/pcompress2/pcompress2", "Prolangs-C++/shapes/shapes", "Ptrdist/bc/bc", "lua/lua:small", "siod/siod", "PAQ8p/paq8p:small",
	"sqlite3/sqlite3"}

// TestLargerPrograms compiles programs with clang -O2 -g to bitcode and to text
// and reads both: what we print is what llvm-dis prints of them, and what
// LLVM reads of the bitcode that we write is the same again.
func TestLargerPrograms(t *testing.T) {
	clang, dis, as := testenv.LLVM(t, "clang"), testenv.LLVM(t, "llvm-dis"), testenv.LLVM(t, "llvm-as")
	root := testenv.Shared(t, "programs")
	index, err := os.ReadFile(filepath.Join(root, "programs.jsonl"))
	if err != nil {
		t.Skip(err)
	}
	list := larger
	if testing.Short() || os.Getenv("MIRIN_LARGER") == "" {
		list = larger[:2] // MIRIN_LARGER=1 takes all of them
	}
	for dec := json.NewDecoder(bytes.NewReader(index)); ; {
		var p struct {
			Name    string
			Lang    string
			Sources []string
			CFlags  []string
		}
		if dec.Decode(&p) != nil {
			return
		}
		for _, want := range list {
			if !strings.HasSuffix(p.Name, want) {
				continue
			}
			for _, src := range p.Sources {
				base := filepath.Join(t.TempDir(), "m")
				flags := append([]string{"-O2", "-g", "-emit-llvm", "-w"}, p.CFlags...)
				compile(t, root, clang, append(flags, "-c", src, "-o", base+".bc"))
				compile(t, root, clang, append(flags, "-S", src, "-o", base+".ll"))
				compareModule(t, src, base, as, dis)
			}
		}
	}
}

func compile(t *testing.T, dir, tool string, args []string) {
	t.Helper()
	cmd := exec.Command(tool, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
}

// disassembled is what llvm-dis prints of a file.
func disassembled(t *testing.T, dis, file string) []byte {
	t.Helper()
	return run(t, nil, dis, file, "-o", "-")
}

func compareModule(t *testing.T, src, base, as, dis string) {
	want := disassembled(t, dis, base+".bc")
	bc, err := os.ReadFile(base + ".bc")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Read("m", bc, Options{})
	if err != nil {
		t.Errorf("%s: bitcode: %v", src, err)
		return
	}
	same(t, src+": bitcode", irtext.AppendModule(nil, m), want)

	ll, err := os.ReadFile(base + ".ll")
	if err != nil {
		t.Fatal(err)
	}
	m, err = irtext.Parse("m", ll, irtext.Options{})
	if err != nil {
		t.Errorf("%s: text: %v", src, err)
		return
	}
	compile(t, "", as, []string{base + ".ll", "-o", base + ".as.bc"})
	same(t, src+": text", irtext.AppendModule(nil, m), disassembled(t, dis, base+".as.bc"))

	out, err := Append(nil, m, Options{})
	if err != nil {
		t.Errorf("%s: %v", src, err)
		return
	}
	if err := os.WriteFile(base+".ours.bc", out, 0o600); err != nil {
		t.Fatal(err)
	}
	same(t, src+": our bitcode", disassembled(t, dis, base+".ours.bc"), disassembled(t, dis, base+".as.bc"))
}
