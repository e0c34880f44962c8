package irtext

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
)

// canonical returns what LLVM makes of a module: llvm-as | llvm-dis, without the first line.
func canonical(t *testing.T, as, dis, file string) []byte {
	t.Helper()
	bc := filepath.Join(t.TempDir(), "x.bc")
	if out, err := exec.Command(as, "-o", bc, file).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", file, err, out)
	}
	out, err := exec.Command(dis, "-o", "-", bc).Output()
	if err != nil {
		t.Fatal(err)
	}
	return dropLine(out)
}

func dropLine(b []byte) []byte { return b[bytes.IndexByte(b, '\n')+1:] }

// firstDifference returns the first lines in which a and b differ.
func firstDifference(a, b []byte) (line int, la, lb string) {
	as, bs := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := 0; i < len(as) || i < len(bs); i++ {
		var x, y string
		if i < len(as) {
			x = string(as[i])
		}
		if i < len(bs) {
			y = string(bs[i])
		}
		if x != y {
			return i + 2, x, y
		}
	}
	return 0, "", ""
}

// TestPrintPrograms prints every module of the shared programs as LLVM does.
func TestPrintPrograms(t *testing.T) {
	dir := testenv.Shared(t, "programs", "ll")
	as, dis := testenv.LLVM(t, "llvm-as"), testenv.LLVM(t, "llvm-dis")
	files, _ := filepath.Glob(filepath.Join(dir, "*.ll"))
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Parse(f, src, Options{Jobs: 2})
		if err != nil {
			t.Error(err)
			continue
		}
		got, want := dropLine(AppendModule(nil, m)), canonical(t, as, dis, f)
		if !bytes.Equal(got, want) {
			n, g, w := firstDifference(got, want)
			t.Errorf("%s:%d:\ngot  %s\nwant %s", filepath.Base(f), n, g, w)
		}
	}
}
