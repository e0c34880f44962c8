package outfile

import (
	"io/fs"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// create makes a file in dir, without a name where the file system can.
func create(dir string, perm fs.FileMode) (f *os.File, unnamed bool, err error) {
	if f, err := os.OpenFile(dir, os.O_RDWR|unix.O_TMPFILE, perm); err == nil {
		return f, true, nil
	}
	f, err = named(dir, perm)
	return f, false, err
}

// link gives an unnamed file a name that nothing has.
func link(f *os.File, name string) error {
	return unix.Linkat(unix.AT_FDCWD, "/proc/self/fd/"+strconv.Itoa(int(f.Fd())), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW)
}

// links is how many names a file has.
func links(fi fs.FileInfo) uint64 {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

// like gives f the mode and owner of a file.
func like(f *os.File, was fs.FileInfo) error {
	if st, ok := was.Sys().(*syscall.Stat_t); ok && (int(st.Uid) != os.Geteuid() || int(st.Gid) != os.Getegid()) {
		if err := f.Chown(int(st.Uid), int(st.Gid)); err != nil {
			return err
		}
	}
	return f.Chmod(was.Mode().Perm() | was.Mode()&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky))
}
