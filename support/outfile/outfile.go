package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// Write makes name hold b. perm is the mode of a file that is not there yet,
// before the umask: 0o666, or 0o777 for programs.
//
//	err := outfile.Write("prog.s", text, 0o666)
func Write(name string, b []byte, perm fs.FileMode) error {
	target := name
	if real, err := filepath.EvalSymlinks(name); err == nil {
		target = real
	}
	fi, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(name); err == nil {
			return overwrite(name, b, perm) // a link to what is not there yet
		}
		return replace(name, target, b, perm, nil)
	case err != nil:
		return err
	case !fi.Mode().IsRegular() || links(fi) > 1:
		return overwrite(name, b, perm)
	}
	if w, err := os.OpenFile(target, os.O_WRONLY, 0); err != nil {
		return err // a file that is read-only stays, though its folder could be written
	} else if err := w.Close(); err != nil {
		return err
	}
	return replace(name, target, b, perm, fi)
}

// overwrite writes into what is there.
func overwrite(name string, b []byte, perm fs.FileMode) error { return os.WriteFile(name, b, perm) }

// replace writes b to a file beside target, which then takes its name; was is the
// file that is there, nil for none.
func replace(name, target string, b []byte, perm fs.FileMode, was fs.FileInfo) error {
	dir := filepath.Dir(target)
	f, unnamed, err := create(dir, perm)
	if err != nil {
		if was == nil || errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: %w", name, errors.Unwrap(err))
		}
		return overwrite(name, b, perm)
	}
	temp := f.Name()
	drop := func(err error) error {
		f.Close()
		if !unnamed {
			os.Remove(temp)
		}
		return err
	}
	if _, err := f.Write(b); err != nil {
		return drop(err)
	}
	if was != nil {
		if err := like(f, was); err != nil {
			drop(nil)
			return overwrite(name, b, perm)
		}
	}
	if unnamed {
		if was == nil && link(f, target) == nil {
			return f.Close()
		}
		temp = tempName(dir)
		if err := link(f, temp); err != nil {
			drop(nil)
			return overwrite(name, b, perm)
		}
	}
	err = f.Close()
	if err == nil {
		err = os.Rename(temp, target)
	}
	if err != nil {
		os.Remove(temp)
	}
	return err
}

// named makes a file of a name of its own.
func named(dir string, perm fs.FileMode) (*os.File, error) {
	for {
		f, err := os.OpenFile(tempName(dir), os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

func tempName(dir string) string {
	return filepath.Join(dir, ".mirin-"+strconv.FormatUint(rand.Uint64(), 36))
}
