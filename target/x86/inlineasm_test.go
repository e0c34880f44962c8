package x86

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/mirin-go/mirin/internal/filetest"
)

// TestAssembledObjects: the object of a module with assembly is the one that the
// assembler makes of the module's text, whatever the number of workers. The
// processor is named, since the two commands pad with NOPs of different lengths
// when it is not: llc's default is tuned as "x86-64", the assembler's is not (as in LLVM).
func TestAssembledObjects(t *testing.T) {
	exe := filetest.Binary(t)
	for _, name := range []string{"inlineasm.ll", "inlineasm-obj.ll"} {
		dir := t.TempDir()
		run := func(args ...string) {
			t.Helper()
			if out, err := exec.Command(exe, args...).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v: %v\n%s", name, args, err, out)
			}
		}
		in, text := filepath.Join("testdata", name), filepath.Join(dir, "a.s")
		run("llc", "-mtriple=x86_64-linux-gnu", "-mcpu=generic", in, "-o", text)
		want := filepath.Join(dir, "want.o")
		run("mc", "-triple=x86_64-linux-gnu", "-mcpu=generic", "-filetype=obj", text, "-o", want)
		for _, j := range []string{"-j1", "-j2", "-j5"} {
			got := filepath.Join(dir, j+".o")
			run("llc", "-mtriple=x86_64-linux-gnu", "-mcpu=generic", j, "-filetype=obj", in, "-o", got)
			a, err := os.ReadFile(want)
			if err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(got)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(a, b) {
				t.Errorf("%s: %s makes another object than the assembler", name, j)
			}
		}
	}
}
