package filetest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
)

// binaryVar names a program that is used instead of building one.
const binaryVar = "MIRIN_BINARY"

// built is the program and the folder that holds it. Package variables are
// what lasts as long as a test process.
var built struct {
	sync.Mutex
	exe string
	err error
}

// Binary returns the path of the command, built from the checkout.
func Binary(tb testing.TB) string {
	tb.Helper()
	if exe := os.Getenv(binaryVar); exe != "" {
		return exe
	}
	built.Lock()
	defer built.Unlock()
	if built.exe == "" && built.err == nil {
		built.exe, built.err = build(testenv.Root(tb))
	}
	if built.err != nil {
		tb.Fatal(built.err)
	}
	return built.exe
}

// build builds the command. The file lies at a fixed place for each checkout,
// so that the go command links only what has changed; it is replaced at once,
// so that test processes may build at the same time.
func build(root string) (string, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return "", err
	}
	if err := readSources(root); err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dir := filepath.Join(cache, "mirin-filetest", strings.NewReplacer("/", "-", `\`, "-", ":", "").Replace(root))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	name := "mirin"
	if filepath.Separator == '\\' {
		name += ".exe"
	}
	exe := filepath.Join(dir, name)
	own, err := os.MkdirTemp(dir, "build")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(own)
	next := filepath.Join(own, name)
	// A copy of the last one lets the go command see that it is current.
	if b, err := os.ReadFile(exe); err == nil {
		if err := os.WriteFile(next, b, 0o777); err != nil {
			return "", err
		}
	}
	cmd := exec.Command("go", "build", "-o", next, "./cmd/mirin")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build ./cmd/mirin: %w\n%s", err, out)
	}
	return exe, os.Rename(next, exe)
}

// readSources opens the folders that hold the program's sources. The go
// command remembers what a test opened, and so does not take an old result for
// current when the program has changed.
func readSources(root string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		return err
	})
}

// Run makes a parallel subtest of each test file of a folder.
func Run(t *testing.T, dir string) {
	t.Helper()
	exe := Binary(t)
	out, err := exec.Command(exe, "lit", "--show-tests", dir).Output()
	if err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	files := strings.Fields(string(out))
	if len(files) == 0 {
		t.Fatalf("%s: no test file", dir)
	}
	slices.Sort(files)
	for _, file := range files {
		name, err := filepath.Rel(dir, file)
		if err != nil {
			name = file
		}
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			t.Parallel()
			runFile(t, exe, file)
		})
	}
}

// runFile gives one file to the program.
func runFile(t *testing.T, exe, file string) {
	if _, err := os.ReadFile(file); err != nil { // so that the go command sees that it matters
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd := exec.Command(exe, "lit", "-a", file)
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	text, _, _ := strings.Cut(out.String(), "\n\nTesting Time:")
	var exit *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &exit):
		t.Fatal(err)
	case err != nil:
		t.Error(text)
	case strings.HasPrefix(text, "UNSUPPORTED:"):
		t.Skip(text)
	}
}
