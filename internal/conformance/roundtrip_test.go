package conformance

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mirin-go/mirin/internal/testenv"
)

// sum is what LLVM's llc made of a .mir file.
type sum struct {
	flags []string
	want  string // "ok HASH", or "error" and, where LLVM names one, "LINE:COLUMN"
}

// readSums reads lines of three fields with tabs between them: path, flags,
// outcome.
func readSums(t *testing.T) map[string]sum {
	t.Helper()
	b, err := os.ReadFile("roundtrip.sum")
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]sum{}
	for line := range strings.Lines(string(b)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 3 {
			t.Fatalf("roundtrip.sum: not three fields: %q", line)
		}
		sums[f[0]] = sum{strings.Fields(f[1]), f[2]}
	}
	return sums
}

var (
	address  = regexp.MustCompile(`<0x[0-9a-f]+>`)
	nodes    = regexp.MustCompile(`(?m)^(machineMetadataNodes:[^\n]*\n)((?:  - .*\n)+)`)
	position = regexp.MustCompile(`:(\d+:\d+):`)
	crash    = regexp.MustCompile(`(?m)^(panic:|fatal error:|goroutine \d)`)
)

// hash identifies an output but for what differs from run to run of LLVM: the
// addresses of metadata without a number, the order of machine metadata.
func hash(b []byte) string {
	b = address.ReplaceAll(b, []byte("<0x>"))
	b = nodes.ReplaceAllFunc(b, func(m []byte) []byte {
		lines := slices.Collect(bytes.Lines(m))
		slices.SortFunc(lines[1:], bytes.Compare)
		return bytes.Join(lines, nil)
	})
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:8])
}

// roundtrip runs our llc over a file and says how that differs from what LLVM did.
func (s *setup) roundtrip(file string, want sum) string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	args := append(slices.Clone(want.flags), "-run-pass=none", "-o", "-", filepath.Base(file))
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, "llc"), args...)
	cmd.Dir = filepath.Join(s.suite, filepath.Dir(file))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	msg := tail(stderr.String(), 400)
	kind, detail, _ := strings.Cut(want.want, " ")
	switch {
	case ctx.Err() != nil:
		return "took longer than a minute"
	case crash.Match(stderr.Bytes()):
		return "crashes: " + msg
	case kind == "ok" && err != nil:
		return "fails: " + msg
	case kind == "ok" && hash(out) != detail:
		return "the output differs from LLVM's"
	case kind == "error" && err == nil:
		return "accepted; LLVM rejects it at " + detail
	case kind == "error" && msg == "":
		return "fails without a message"
	case kind == "error" && detail != "":
		for _, m := range position.FindAllStringSubmatch(stderr.String(), -1) {
			if m[1] == detail {
				return ""
			}
		}
		return fmt.Sprintf("rejected elsewhere than at %s: %s", detail, msg)
	}
	return ""
}

// TestRoundTrip: llc -run-pass=none does with every listed .mir file what LLVM's does.
func TestRoundTrip(t *testing.T) {
	s := prepare(t)
	if *update {
		s.growRoundTrip(t)
	}
	listed, sums := readList(t, "roundtrip.txt"), readSums(t)
	results := make([]string, len(listed))
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for k := range next {
				want, ok := sums[listed[k]]
				if !ok {
					results[k] = "not in roundtrip.sum; run with -update"
					continue
				}
				results[k] = s.roundtrip(listed[k], want)
			}
		})
	}
	step := 1
	if testing.Short() {
		step = 10
	}
	n := 0
	for k := 0; k < len(listed); k += step {
		next <- k
		n++
	}
	close(next)
	wg.Wait()
	for k, why := range results {
		if why != "" {
			t.Errorf("%s: listed, and no longer passes: %s\nrun it: go run ./cmd/mirin llc %s -run-pass=none -o - %s",
				listed[k], why, strings.Join(sums[listed[k]].flags, " "), filepath.Join(s.suite, listed[k]))
		}
	}
	t.Logf("%d files", n)
}

// growRoundTrip adds files that roundtrip.py finds equal, and writes the sums
// of all listed files from its cache of what LLVM's llc did.
func (s *setup) growRoundTrip(t *testing.T) {
	llc := testenv.LLVM(t, "llc")
	cache := filepath.Join(os.TempDir(), "rtcache")
	passed := filepath.Join(t.TempDir(), "passed")
	cmd := exec.Command("python3", testenv.Shared(t, "tools", "roundtrip.py"), "--tool", filepath.Join(s.bin, "llc"),
		"--root", s.suite, "--ref", llc, "--cache", cache, "--passed-out", passed)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("roundtrip.py: %v\n%s", err, out)
	}
	t.Logf("%s", out)
	old := readList(t, "roundtrip.txt")
	b, err := os.ReadFile(passed)
	if err != nil {
		t.Fatal(err)
	}
	list := strings.Fields(string(b))
	for _, file := range list {
		if !slices.Contains(old, file) {
			t.Logf("%s: added", file)
		}
	}
	list = append(list, old...)
	slices.Sort(list)
	list = slices.Compact(list)
	writeList(t, "roundtrip.txt", list)

	sums := s.cachedSums(t, cache)
	lines := make([]string, 0, len(list))
	for _, file := range list {
		sum, ok := sums[s.identity(t, file)]
		if !ok {
			t.Fatalf("%s: not in the cache of roundtrip.py", file)
		}
		lines = append(lines, file+"\t"+strings.Join(sum.flags, " ")+"\t"+sum.want)
	}
	writeList(t, "roundtrip.sum", lines)
}

// identity is what files share that roundtrip.py runs once: name and content.
func (s *setup) identity(t *testing.T, file string) string {
	b, err := os.ReadFile(filepath.Join(s.suite, file))
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.Sum256(b)
	return filepath.Base(file) + string(h[:])
}

// cachedSums reads the cache of roundtrip.py.
func (s *setup) cachedSums(t *testing.T, cache string) map[string]sum {
	sums := map[string]sum{}
	err := filepath.WalkDir(cache, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".json" {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var rec struct {
			RC        any
			Err, File string
			Flags     []string
		}
		if err := json.Unmarshal(b, &rec); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if _, err := os.Stat(filepath.Join(s.suite, rec.File)); errors.Is(err, fs.ErrNotExist) {
			return nil // of another edition of the suite
		}
		want := "error"
		if rec.RC == float64(0) {
			out, err := os.ReadFile(strings.TrimSuffix(path, ".json") + ".mir")
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			want = "ok " + hash(out)
		} else if m := position.FindStringSubmatch(rec.Err); m != nil {
			want += " " + m[1]
		}
		sums[s.identity(t, rec.File)] = sum{rec.Flags, want}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}
