package irtext

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
)

// TestPrograms reads every module of the shared programs, with one and with several workers.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testenv.Shared(t, "programs", "ll"), "*.ll"))
	if err != nil || len(files) == 0 {
		t.Fatal("no modules", err)
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, jobs := range []int{1, 2} {
			if _, err := Parse(f, src, Options{Jobs: jobs}); err != nil {
				t.Errorf("%v", err)
				break
			}
		}
	}
}
