package irtext_test

import (
	"bytes"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"os"

	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/ir/irtext"
)

// TestCorpus compares a sample of LLVM's tests with what llvm-as | llvm-dis
// makes of them: the same text, or a fault at the same place. It needs LLVM 22
// and the folder of tests; tools/irroundtrip measures all of them.
func TestCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped in short mode")
	}
	suite := testenv.Shared(t, "tools", "suite.py")
	as, dis := testenv.LLVM(t, "llvm-as"), testenv.LLVM(t, "llvm-dis")
	out, err := exec.Command("python3", suite).Output()
	if err != nil {
		t.Skipf("skipped: %s: %v", suite, err)
	}
	root := strings.TrimSpace(string(out))
	var files []string
	filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(p, ".ll") {
			files = append(files, p)
		}
		return nil
	})
	const step = 397 // a prime: no folder is favoured
	bad, n := 0, 0
	for i := 0; i < len(files); i += step {
		src, err := os.ReadFile(files[i])
		if err != nil {
			t.Fatal(err)
		}
		n++
		m, perr := irtext.Parse("<stdin>", src, irtext.Options{})
		run := exec.Command(as)
		run.Stdin = bytes.NewReader(src)
		var msg bytes.Buffer
		run.Stderr = &msg
		bc, err := run.Output()
		if err != nil {
			// What the verifier rejects is none of the reader's business.
			if line, _, _ := strings.Cut(msg.String(), "\n"); strings.Contains(line, ": error: ") {
				_, place, _ := strings.Cut(line, "<stdin>:")
				place, _, _ = strings.Cut(place, ": error:")
				if perr == nil || !strings.HasPrefix(perr.Error(), "<stdin>:"+place) {
					t.Logf("%s: LLVM says %s, we say %v", files[i], line, perr)
					bad++
				}
			}
			continue
		}
		run = exec.Command(dis)
		run.Stdin = bytes.NewReader(bc)
		want, err := run.Output()
		switch {
		case err != nil:
		case perr != nil:
			t.Logf("%s: rejected: %v", files[i], perr)
			bad++
		case !bytes.Equal(irtext.AppendModule(nil, m), want):
			t.Logf("%s: prints otherwise", files[i])
			bad++
		}
	}
	if n < 15 {
		t.Fatalf("only %d files found under %s", n, root)
	}
	if bad*20 > n {
		t.Errorf("%d of %d files differ", bad, n)
	}
}
