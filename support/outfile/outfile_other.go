//go:build !linux

package outfile

import (
	"errors"
	"io/fs"
	"os"
)

func create(dir string, perm fs.FileMode) (f *os.File, unnamed bool, err error) {
	f, err = named(dir, perm)
	return f, false, err
}

func link(*os.File, string) error { return errors.ErrUnsupported }

func links(fs.FileInfo) uint64 { return 1 }

func like(f *os.File, was fs.FileInfo) error { return f.Chmod(was.Mode().Perm()) }
