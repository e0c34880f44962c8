package tablegen

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAgainstLLVMOnAllHeaders compares --dump-json, and what is said about
// files that are not whole, for every .td file below the include folder of an
// installed LLVM: LLVM's own, and MLIR's where it is installed. It takes half a
// minute and runs where MIRIN_LONG is set.
func TestAgainstLLVMOnAllHeaders(t *testing.T) {
	if os.Getenv("MIRIN_LONG") == "" {
		t.Skip("skipped: MIRIN_LONG is not set")
	}
	dir := llvmInclude(t)
	files, same := 0, 0
	for _, sub := range [...]string{"llvm", "mlir", "clang"} {
		root, err := filepath.EvalSymlinks(filepath.Join(dir, sub))
		if err != nil {
			continue
		}
		err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".td") {
				return err
			}
			files++
			if compareJSON(t, path, dir, filepath.Join(dir, "llvm/Target")) {
				same++
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d of %d files give the same", same, files)
}

func compareJSON(t *testing.T, file string, dirs ...string) bool {
	args := []string{"--dump-json", file}
	for _, d := range dirs {
		args = append(args, "-I", d)
	}
	want, wantErr := tool(t, args...)
	src, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
		return false
	}
	var got, gotErr []byte
	rs, err := Parse(Options{IncludeDirs: dirs, ReadFile: os.ReadFile,
		Report: func(r Report) { gotErr = r.AppendText(gotErr) }}, file, src)
	if err == nil {
		got = append(rs.AppendJSON(nil), '\n')
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: %s", file, firstDifference(got, want))
		return false
	}
	if !bytes.Equal(gotErr, wantErr) {
		t.Errorf("%s: messages: %s", file, firstDifference(gotErr, wantErr))
		return false
	}
	return true
}
