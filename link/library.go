package link

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

var errNoMain = errors.New("there is no function main")

// system is the machine that the program is linked for.
type system struct {
	interp string
	musl   bool
	dirs   []string
	libc   *sharedLib
	opened map[string]*sharedLib // by the name that was asked for; nil for those that are not there
}

// loaderName stands for the dynamic loader in lists of libraries.
const loaderName = ""

// systemLibraries are where symbols are looked for behind the C library, in
// that order.
var systemLibraries = [...]string{"libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", loaderName,
	"libpthread.so.0", "libdl.so.2", "librt.so.1", "libatomic.so.1"}

// searchOrder is the order of libraries that the dynamic loader is to follow:
// one before those that it uses itself.
var searchOrder = [...]string{"libatomic.so.1", "libstdc++.so.6", "libm.so.6", "libgcc_s.so.1", "librt.so.1", "libdl.so.2",
	"libpthread.so.0", "libc.so.6", loaderName}

// findSystem finds the dynamic loader and the C library, and opens the
// libraries that were asked for.
func (l *linker) findSystem() error {
	s, on := &l.sys, &l.abi.System
	s.interp = l.opt.Interp
	for _, p := range [...]string{on.GlibcLoader, on.MuslLoader} {
		if _, err := os.Stat(p); err == nil && s.interp == "" {
			s.interp = p
		}
	}
	if s.interp == "" {
		return fmt.Errorf("no dynamic loader is installed: neither %s nor %s is there", on.GlibcLoader, on.MuslLoader)
	}
	s.opened = map[string]*sharedLib{}
	s.musl = strings.HasPrefix(filepath.Base(s.interp), "ld-musl")
	s.dirs = append(slices.Clone(l.opt.LibraryDirs), on.LibraryDirs...)
	for _, name := range l.opt.Libraries {
		lib, err := l.openNamed(name)
		if err != nil {
			return err
		}
		if lib != nil {
			l.need(lib)
		}
	}
	path := "libc.so.6"
	if s.musl {
		path = s.interp
	}
	var err error
	if s.libc, err = l.open(path); err != nil {
		return err
	}
	if s.libc == nil {
		return fmt.Errorf("the C library is not installed: no %s is in %s", path, strings.Join(s.dirs, ", "))
	}
	if s.musl && !strings.HasPrefix(s.libc.soname, "libc.") {
		s.libc.soname = "libc.so" // the loader knows itself by this name
	}
	l.need(s.libc)
	return nil
}

// legacyInit reports a C library that leaves constructors to the program: glibc
// before 2.34, whose __libc_start_main has no version of that name.
func (l *linker) legacyInit() bool {
	if l.opt.legacyInit {
		return true
	}
	i, ok := l.sys.libc.lookup("__libc_start_main")
	return ok && l.sys.libc.version(i) == l.abi.System.LegacyStart
}

// loader is the file name of glibc's dynamic loader, which is a library too.
func (l *linker) loader() string { return filepath.Base(l.abi.System.GlibcLoader) }

// need puts a library into the program's list.
func (l *linker) need(lib *sharedLib) {
	if !slices.Contains(l.libs, lib) {
		l.libs = append(l.libs, lib)
	}
}

// inLibraries finds a symbol in the libraries, opening further ones if it may.
func (l *linker) inLibraries(name string, more bool) (*linkLib, error) {
	for _, lib := range l.libs {
		if i, ok := lib.lookup(name); ok {
			return &linkLib{lib, i}, nil
		}
	}
	if !more {
		return nil, nil
	}
	for _, path := range systemLibraries {
		if path == loaderName {
			path = l.loader()
		}
		lib, err := l.open(path)
		if err != nil {
			return nil, err
		}
		if lib == nil {
			continue
		}
		if i, ok := lib.lookup(name); ok {
			l.need(lib)
			return &linkLib{lib, i}, nil
		}
	}
	return nil, nil
}

// openNamed opens the library of a flag -l: libNAME.so, which the development
// files of a library have, or else the library that programs use, libNAME.so.N.
// What the C library holds itself is nil.
func (l *linker) openNamed(name string) (*sharedLib, error) {
	file := name
	if !strings.Contains(name, "/") {
		file = "lib" + name + ".so"
		if l.sys.musl && slices.Contains([]string{"c", "m", "pthread", "dl", "rt"}, name) {
			return nil, nil
		}
		for _, known := range searchOrder {
			if strings.HasPrefix(known, file+".") {
				file = known
			}
		}
	}
	lib, err := l.open(file)
	if lib != nil || err != nil {
		return lib, err
	}
	for _, d := range l.sys.dirs {
		// A shorter name has a major version alone, which is the one to ask for.
		found, _ := filepath.Glob(filepath.Join(d, file+".*"))
		slices.SortFunc(found, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(b, a)) })
		for _, p := range found {
			if lib, _ = l.open(p); lib != nil {
				return lib, nil
			}
		}
	}
	return nil, fmt.Errorf("library %s: no %s is in %s", name, file, strings.Join(l.sys.dirs, ", "))
}

// sortLibraries puts the libraries in the order of the search: those that were
// asked for first.
func (l *linker) sortLibraries() {
	place := func(lib *sharedLib) int {
		if lib.asked == l.loader() {
			return slices.Index(searchOrder[:], loaderName)
		}
		return slices.Index(searchOrder[:], lib.asked)
	}
	slices.SortStableFunc(l.libs, func(a, b *sharedLib) int { return place(a) - place(b) })
}

// open finds and reads a library; nil when it is not there.
func (l *linker) open(name string) (*sharedLib, error) {
	lib, ok := l.sys.opened[name]
	if ok {
		return lib, nil
	}
	lib, err := l.find(name)
	l.sys.opened[name] = lib
	return lib, err
}

func (l *linker) find(name string) (*sharedLib, error) {
	path := strings.Contains(name, "/")
	dirs := l.sys.dirs
	if path {
		dirs = []string{""}
	}
	for _, d := range dirs {
		p := filepath.Join(d, name)
		f, err := os.Open(p)
		if err != nil {
			continue
		}
		lib := &sharedLib{asked: name, soname: filepath.Base(p), machine: &l.abi.Machine, order: l.order}
		err = lib.read(f)
		f.Close()
		if err == errOtherMachine && !path {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("library %s: %w", p, err)
		}
		return lib, nil
	}
	return nil, nil
}
