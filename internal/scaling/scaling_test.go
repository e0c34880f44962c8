package scaling

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
)

// short is what runs unless SCALING asks for all: of -O3, whose other figures are
// mostly those of -O2, the shapes that its own passes were too slow for.
const short = "^O[02]/|^O3/(live|phi-dead|arguments|globals|memory|addresses)$"

// TestScaling builds tools/scaling with counters and runs it.
func TestScaling(t *testing.T) {
	if testing.Short() {
		t.Skip("builds an instrumented program")
	}
	exe := filepath.Join(t.TempDir(), "scaling")
	build := exec.Command("go", append(append([]string{"build", "-o", exe}, BuildFlags()...), "./tools/scaling")...)
	build.Dir = testenv.Root(t)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	args := []string{"-run", short}
	if x := os.Getenv("SCALING"); x != "" {
		args = []string{"-x", x}
	}
	if testing.Verbose() {
		args = append(args, "-v")
	}
	run := exec.Command(exe, args...)
	run.Env = append(os.Environ(), "GOCOVERDIR="+t.TempDir())
	out, err := run.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	} else if testing.Verbose() {
		t.Logf("%s", out)
	}
}
