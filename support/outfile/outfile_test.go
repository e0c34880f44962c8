//go:build linux

package outfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func mode(t *testing.T, name string) fs.FileMode {
	t.Helper()
	fi, err := os.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	return fi.Mode()
}

func write(t *testing.T, name, text string, perm fs.FileMode) {
	t.Helper()
	if err := Write(name, []byte(text), perm); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(name); err != nil || string(b) != text {
		t.Fatalf("%s: %q, %v", name, b, err)
	}
}

func TestWrite(t *testing.T) {
	old := syscall.Umask(0o027)
	defer syscall.Umask(old)
	dir := t.TempDir()
	path := func(s string) string { return filepath.Join(dir, s) }

	write(t, path("new"), "1", 0o666)
	if m := mode(t, path("new")); m != 0o640 {
		t.Errorf("a new file has mode %v", m)
	}
	write(t, path("program"), "1", 0o777)
	if m := mode(t, path("program")); m != 0o750 {
		t.Errorf("a new program has mode %v", m)
	}
	os.Chmod(path("new"), 0o604)
	write(t, path("new"), "22", 0o666)
	if m := mode(t, path("new")); m != 0o604 {
		t.Errorf("a file that was there has mode %v", m)
	}

	os.Symlink("new", path("soft"))
	write(t, path("soft"), "333", 0o666)
	if mode(t, path("soft"))&fs.ModeSymlink == 0 {
		t.Error("a symbolic link became a file")
	}
	os.Symlink("nowhere", path("dangling"))
	write(t, path("dangling"), "x", 0o666)

	os.Link(path("new"), path("hard"))
	write(t, path("hard"), "4", 0o666)
	if b, _ := os.ReadFile(path("new")); string(b) != "4" {
		t.Errorf("the file's other name has %q", b)
	}

	if err := Write(path("no/such/folder"), nil, 0o666); err == nil || !strings.Contains(err.Error(), "no/such/folder") {
		t.Errorf("no folder: %v", err)
	}
	if err := Write(dir, nil, 0o666); err == nil {
		t.Error("a folder was written")
	}
	if err := Write("/dev/null", []byte("x"), 0o666); err != nil {
		t.Error(err)
	}
	names, _ := filepath.Glob(path(".mirin-*"))
	if len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
	if os.Geteuid() != 0 {
		os.Chmod(path("new"), 0o400)
		if Write(path("new"), []byte("5"), 0o666) == nil {
			t.Error("a read-only file was written")
		}
	}
}
