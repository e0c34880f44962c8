package lit

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
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
// the files with a RUN: line, without folders named Inputs and what
// lit.local.cfg files leave out.
func Find(paths ...string) ([]string, error) { return new(Runner).find(paths) }

func (r *Runner) find(paths []string) ([]string, error) {
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
		configs := map[string]*localConfig{}
		err = filepath.WalkDir(filepath.Clean(p), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			dir := filepath.Dir(path)
			if d.IsDir() {
				if cfg := configs[dir]; d.Name() == "Inputs" || cfg != nil && slices.Contains(cfg.excludes, d.Name()) {
					return filepath.SkipDir
				}
				abs, err := filepath.Abs(path)
				configs[path] = r.config(abs)
				return err
			}
			cfg := configs[dir]
			suffixes := cfg.suffixes
			if suffixes == nil {
				suffixes = testSuffixes
			}
			if !slices.Contains(suffixes, filepath.Ext(path)) || slices.Contains(cfg.excludes, d.Name()) {
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
  mirin lit --filter 'ssaopt.*coalesc' codegen target
  mirin lit --update codegen/testdata/new.ll
`

// mainOptions are the flags of the command.
type mainOptions struct {
	verbose, all, quiet, succinct bool
	update, list                  bool
	jobs, timeout                 int
	filter, filterOut             string
	features                      []string
}

func (o *mainOptions) flags() *llvmflag.Set {
	s := &llvmflag.Set{Tool: "mirin lit", Usage: "[options] <file or folder>...", Overview: "run LLVM-style test files in process", Examples: examples}
	s.Bool(&o.verbose, "v", "Show the output of failing tests and name every test").Alias("verbose", "vv")
	s.Bool(&o.all, "a", "Show the output of every test").Alias("show-all")
	s.Bool(&o.quiet, "q", "Name only tests that fail, without a summary").Alias("quiet")
	s.Bool(&o.succinct, "s", "Do not name tests that pass, with -v too").Alias("succinct")
	s.Int(&o.jobs, "j", "Tests run at once").Value("N").Joined().Alias("workers")
	s.String(&o.filter, "filter", "Run only tests whose path matches").Value("regexp")
	s.String(&o.filterOut, "filter-out", "Leave out tests whose path matches").Value("regexp")
	s.List(&o.features, "features", "Features to add for REQUIRES:, UNSUPPORTED: and XFAIL:").Value("names").CommaSeparated()
	s.Int(&o.timeout, "timeout", "Longest time of one test in seconds").Value("seconds")
	s.Bool(&o.list, "show-tests", "Name the tests that were found and run none")
	s.Bool(&o.update, "update", "Rewrite the CHECK lines of files that say '"+strings.TrimPrefix(autoNote, "NOTE: ")+"'")
	return s
}

// Main is the command: it runs test files and folders of them and returns 0
// when no test failed.
func (r *Runner) Main(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	o := &mainOptions{jobs: runtime.GOMAXPROCS(0)}
	s := o.flags()
	done, err := s.Parse(args, stdout)
	if err == nil && !done && len(s.Args) == 0 {
		err = llvmflag.Error("mirin lit: no test file or folder was named.  Try: 'mirin lit --help'")
	}
	own := *r
	r = &own
	r.Features = slices.Concat(r.Features, o.features)
	if o.timeout > 0 {
		r.Timeout = time.Duration(o.timeout) * time.Second
	}
	var files []string
	if err == nil && !done {
		files, err = r.find(s.Args)
	}
	if err == nil {
		files, err = o.choose(files)
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	if done {
		return 0
	}
	for _, note := range r.notes(files) {
		fmt.Fprintf(stderr, "mirin lit: warning: %s\n", note)
	}
	switch {
	case o.list:
		for _, f := range files {
			fmt.Fprintln(stdout, f)
		}
		return 0
	case o.update:
		return r.updateAll(files, stdout, stderr)
	case len(files) == 0:
		fmt.Fprintln(stderr, "mirin lit: no test was found")
		return 2
	}
	return r.runAll(files, o, stdout)
}

// choose applies --filter and --filter-out.
func (o *mainOptions) choose(files []string) ([]string, error) {
	keep, err := regexp.Compile(o.filter)
	if err != nil {
		return nil, fmt.Errorf("mirin lit: --filter: %w", err)
	}
	drop, err := regexp.Compile(o.filterOut)
	if err != nil {
		return nil, fmt.Errorf("mirin lit: --filter-out: %w", err)
	}
	return slices.DeleteFunc(files, func(f string) bool {
		f = filepath.ToSlash(f)
		return !keep.MatchString(f) || o.filterOut != "" && drop.MatchString(f)
	}), nil
}

// notes returns what was not understood in the lit.local.cfg files of the tests.
func (r *Runner) notes(files []string) []string {
	var list []string
	seen, told := map[string]bool{}, map[string]bool{}
	for _, f := range files {
		abs, err := filepath.Abs(f)
		if err != nil || seen[filepath.Dir(abs)] {
			continue
		}
		seen[filepath.Dir(abs)] = true
		for _, n := range r.config(filepath.Dir(abs)).notes {
			if !told[n] {
				told[n] = true
				list = append(list, n)
			}
		}
	}
	return list
}

// runAll runs the files and reports them in order.
func (r *Runner) runAll(files []string, o *mainOptions, w io.Writer) int {
	start := time.Now()
	results := make([]Result, len(files))
	ready := make([]chan struct{}, len(files))
	work := make(chan int)
	for k := range ready {
		ready[k] = make(chan struct{})
	}
	var wg sync.WaitGroup
	for range min(max(o.jobs, 1), len(files)) {
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
		bad := !res.Status.Good()
		show := o.verbose || o.all
		if bad || show && !o.quiet && !(o.succinct && res.Status == Pass) {
			fmt.Fprintf(w, "%s: %s (%d of %d)\n", res.Status, res.Path, k+1, len(files))
		}
		switch {
		case bad && (show || res.Status == Unresolved), o.all:
			fmt.Fprintf(w, "%s\n", strings.TrimRight(res.Output, "\n"))
		case bad:
			lines := strings.Split(strings.TrimRight(res.Output, "\n"), "\n")
			fmt.Fprintf(w, "  %s\n", lines[len(lines)-1])
		}
	}
	wg.Wait()
	if !o.quiet {
		fmt.Fprintf(w, "\nTesting Time: %.2fs\n\nTotal Discovered Tests: %d\n", time.Since(start).Seconds(), len(files))
	}
	failed := false
	for s, n := range count {
		if n > 0 && !o.quiet {
			fmt.Fprintf(w, "  %-12s: %d\n", Status(s), n)
		}
		failed = failed || n > 0 && !Status(s).Good()
	}
	if failed {
		return 1
	}
	return 0
}
