package mirfmt

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/mir/mirtext"
	"github.com/mirin-go/mirin/mir/mirverify"
)

// What reading, printing and verifying a MIR file of n bytes may allocate, dead
// memory included: memPerByte*n + memBase. The base holds the tables that a
// target's verification makes on first use; docs/mir-tools.md states both.
const (
	memPerByte = 3000
	memBase    = 96 << 20
	fuzzMax    = 1 << 14
)

// FuzzFile takes any text through reader, printer, verifier and formatter: what
// is printed reads back and prints the same, and nothing panics.
//
//	go test ./mir/mirfmt -run NONE -fuzz FuzzFile -fuzztime 10m -parallel 1
func FuzzFile(f *testing.F) {
	for _, src := range fuzzSeeds(f) {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > fuzzMax {
			return
		}
		before := allocated()
		o := parseOptions(src)
		o.Jobs = 1
		file, err := mirtext.Parse("t.mir", src, o)
		if err == nil {
			readable := again(t, file, o)
			for _, fn := range file.Functions {
				mirverify.Verify(fn, mirverify.Options{}).AppendText(nil)
			}
			// Comments in odd places may be refused, but nothing is changed then.
			if _, err := Format("t.mir", src, Options{Parse: o, Simplify: true}); err != nil && readable && !strings.Contains(err.Error(), "comments cannot be kept") {
				t.Errorf("what reads cannot be formatted: %v", err)
			}
		}
		if n := allocated() - before; n > memBase+memPerByte*uint64(len(src)) {
			t.Errorf("%d bytes of text took %d KiB", len(src), n>>10)
		}
	})
}

// unreadable finds what LLVM prints, and we print like it, that no reader takes:
// metadata that the module does not number, debug records without a location,
// functions without a name, names of blocks that would need quotes.
var unreadable = regexp.MustCompile(`(?m)^name: +''$|<0x[0-9a-f]+>|<badref>|\(null\)|(?m)^  bb\.[0-9]+\.[^\n]*[^-\w$.():%,! \n]|^  bb\.[0-9]+\.[^ :]* [^(]`)

// again prints a file, reads it back and prints it again; false says that it is
// one that cannot be read back.
func again(t *testing.T, file *mirtext.File, o mirtext.ParseOptions) bool {
	text := file.AppendText(nil, mirtext.PrintOptions{})
	if unreadable.Match(text) {
		return false
	}
	back, err := mirtext.Parse("t.mir", text, o)
	if err != nil && !verifies(file) {
		return false // LLVM's reader takes only what verifies
	}
	if err != nil {
		t.Fatalf("what is printed does not read back: %v\n%s", err, text)
	}
	second := back.AppendText(nil, mirtext.PrintOptions{})
	if string(second) == string(text) {
		return true
	}
	// As in LLVM the fixed stack objects turn round at each reading.
	if back, err = mirtext.Parse("t.mir", second, o); err != nil {
		t.Fatalf("what is printed twice does not read back: %v\n%s", err, second)
	}
	if third := back.AppendText(nil, mirtext.PrintOptions{}); string(third) != string(text) && string(third) != string(second) {
		t.Fatalf("not a fixed point:\n%s\n%s", text, second)
	}
	return true
}

// verifies says that the machine verifier has nothing against the file's functions.
func verifies(file *mirtext.File) bool {
	for _, fn := range file.Functions {
		if !mirverify.Verify(fn, mirverify.Options{}).OK() {
			return false
		}
	}
	return true
}

// allocated returns the bytes that were allocated since the program began.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// fuzzSeeds are our own files and, where they are there, the small ones of LLVM's tests.
func fuzzSeeds(f *testing.F) [][]byte {
	files, _ := filepath.Glob("testdata/*.in")
	if len(files) == 0 {
		f.Fatal("no seeds in testdata")
	}
	suite := filepath.Join(filepath.Dir(testenv.Root(f)), "shared", "tools", "suite.py")
	if out, err := exec.Command("python3", suite).Output(); err == nil {
		err := filepath.WalkDir(filepath.Join(strings.TrimSpace(string(out)), "CodeGen"), func(p string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(p, ".mir") {
				files = append(files, p)
			}
			return err
		})
		if err != nil {
			f.Log(err)
		}
	}
	var seeds [][]byte
	for _, p := range files {
		if src, err := os.ReadFile(p); err == nil && len(src) < 4<<10 {
			seeds = append(seeds, src)
		}
	}
	return seeds
}
