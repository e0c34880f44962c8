package lit

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mirin-go/mirin/internal/llvmflag"
)

// testSuffixes are the names that count as test files in a folder.
var testSuffixes = []string{".ll", ".mir", ".s", ".td", ".test", ".txt"}

// Find returns the test files among paths: files as they are, and of folders
// the files with a RUN: line, without folders named Inputs.
func Find(paths ...string) ([]string, error) {
	var list []string
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			list = append(list, p)
			continue
		}
		err = filepath.WalkDir(p, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "Inputs":
				return filepath.SkipDir
			case d.IsDir() || !slices.Contains(testSuffixes, filepath.Ext(path)):
				return nil
			}
			src, err := os.ReadFile(path)
			if err == nil && bytes.Contains(src, []byte("RUN:")) {
				list = append(list, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// RunDir makes a parallel subtest of each test file of a folder.
func RunDir(t *testing.T, dir string, r *Runner) {
	t.Helper()
	files, err := Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("%s: no test files", dir)
	}
	for _, file := range files {
		name, err := filepath.Rel(dir, file)
		if err != nil {
			name = file
		}
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			t.Parallel()
			res := r.Run(file)
			switch {
			case res.Status == Unsupported:
				t.Skip(res.Output)
			case !res.Status.Good():
				t.Errorf("%s\n%s", res.Status, res.Output)
			}
		})
	}
}

const examples = `  mirin lit codegen/testdata
  mirin lit -v -j 4 add.ll
  mirin lit -update codegen/testdata/new.ll
`

// Main is the command: it runs test files and folders of them and returns 0
// when no test failed.
func (r *Runner) Main(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	var verbose, update bool
	jobs := runtime.GOMAXPROCS(0)
	s := &llvmflag.Set{Tool: "mirin lit", Usage: "[options] <file or folder>...", Overview: "run LLVM-style test files in process", Examples: examples}
	s.Bool(&verbose, "v", "Show the output of failing tests and name every test")
	s.Bool(&update, "update", "Rewrite the CHECK lines of files that say '"+strings.TrimPrefix(autoNote, "NOTE: ")+"'")
	s.Int(&jobs, "j", "Tests run at once").Value("N").Joined()
	done, err := s.Parse(args, stdout)
	if err == nil && !done && len(s.Args) == 0 {
		err = llvmflag.Error("mirin lit: no test file or folder was named.  Try: 'mirin lit --help'")
	}
	var files []string
	if err == nil && !done {
		files, err = Find(s.Args...)
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	if done {
		return 0
	}
	if update {
		return r.updateAll(files, stdout, stderr)
	}
	return r.runAll(files, max(jobs, 1), verbose, stdout)
}

// runAll runs the files and reports them in order.
func (r *Runner) runAll(files []string, jobs int, verbose bool, w io.Writer) int {
	start := time.Now()
	results := make([]Result, len(files))
	ready := make([]chan struct{}, len(files))
	work := make(chan int)
	for k := range ready {
		ready[k] = make(chan struct{})
	}
	var wg sync.WaitGroup
	for range min(jobs, len(files)) {
		wg.Go(func() {
			for k := range work {
				results[k] = r.Run(files[k])
				close(ready[k])
			}
		})
	}
	go func() {
		for k := range files {
			work <- k
		}
		close(work)
	}()
	var count [len(statusNames)]int
	for k := range files {
		<-ready[k]
		res := &results[k]
		count[res.Status]++
		if verbose || !res.Status.Good() {
			fmt.Fprintf(w, "%s: %s (%d of %d)\n", res.Status, res.Path, k+1, len(files))
		}
		switch {
		case !res.Status.Good() && (verbose || res.Status == Unresolved):
			fmt.Fprintf(w, "%s\n", strings.TrimRight(res.Output, "\n"))
		case !res.Status.Good():
			lines := strings.Split(strings.TrimRight(res.Output, "\n"), "\n")
			fmt.Fprintf(w, "  %s\n", lines[len(lines)-1])
		}
	}
	wg.Wait()
	fmt.Fprintf(w, "\nTesting Time: %.2fs\n\nTotal Discovered Tests: %d\n", time.Since(start).Seconds(), len(files))
	failed := false
	for s, n := range count {
		if n > 0 {
			fmt.Fprintf(w, "  %-12s: %d\n", Status(s), n)
			failed = failed || !Status(s).Good()
		}
	}
	if failed {
		return 1
	}
	return 0
}
