package tablegen

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
)

const (
	fuzzSteps = 200_000
	// fuzzBytes bounds what reading and printing a small file may allocate in
	// all, with at most fuzzSteps steps of evaluation: values that share parts
	// are printed with each part as often as it occurs.
	fuzzBytes = 1 << 30
)

// FuzzParse reads any text as TableGen, with every action that needs no name,
// and once more for the linter.
//
//	go test ./tablegen -run NONE -fuzz FuzzParse -fuzztime 10m
func FuzzParse(f *testing.F) {
	for _, src := range fuzzSeeds(f) {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		readAll(src)
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > fuzzBytes+uint64(4096*len(src)) {
			t.Errorf("%d bytes of text took %d MiB", len(src), n>>20)
		}
	})
}

func readAll(src []byte) {
	rs, err := Parse(Options{MaxSteps: fuzzSteps}, "t.td", src)
	if err != nil {
		return
	}
	rs.AppendText(nil)
	rs.AppendJSON(nil)
	rs.AppendDetailed(nil, "t.td")
	rs.AppendTags(nil)
	if b, err := rs.AppendSets(nil); err != nil && len(b) > 0 {
		return
	}
	for _, r := range rs.Classes() {
		if _, err := rs.AppendClass(nil, r.Name, true); err != nil {
			return
		}
		if _, err := rs.AppendFind(nil, r.Name); err != nil {
			return
		}
	}
	if rs, err = Parse(Options{MaxSteps: fuzzSteps, Lint: true}, "t.td", src); err == nil {
		rs.AppendLint(nil)
	}
}

// fuzzSeeds are our own files and, where they are there, LLVM's tests without includes.
func fuzzSeeds(f *testing.F) [][]byte {
	files, _ := filepath.Glob("testdata/*.td")
	if len(files) == 0 {
		f.Fatal("no seeds in testdata")
	}
	suite := filepath.Join(filepath.Dir(testenv.Root(f)), "shared", "tools", "suite.py")
	if out, err := exec.Command("python3", suite).Output(); err == nil {
		more, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "TableGen", "*.td"))
		files = append(files, more...)
	}
	var seeds [][]byte
	for _, p := range files {
		src, err := os.ReadFile(p)
		if err == nil && len(src) < 16<<10 && !strings.Contains(string(src), "include \"") {
			seeds = append(seeds, src)
		}
	}
	return seeds
}
