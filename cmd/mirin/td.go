package main

import (
	"io"
	"sync"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/internal/llvmflag"
	"github.com/mirin-go/mirin/tablegen/emit/targetinfo"
)

// tdTarget is a target that a .td file describes (--td, -I), read once however
// many files ask for it.
type tdTarget struct {
	file, name string
	dirs       []string

	once sync.Once
	info *desc.Info
	err  error
}

func (t *tdTarget) flags(s *llvmflag.Set) {
	s.String(&t.file, "td", "TableGen description of a target, in place of a built-in one").Value("file")
	s.String(&t.name, "td-target", "Record of class Target in it, where there are several").Value("name")
	s.List(&t.dirs, "I", "Directory of include files of --td").Value("directory").Joined()
}

// facts gives the description; it may be called from several goroutines.
func (t *tdTarget) facts() (*desc.Info, error) {
	t.once.Do(func() {
		var d *targetinfo.Target
		d, t.err = targetinfo.Load(t.file, targetinfo.Options{Target: t.name, IncludeDirs: t.dirs})
		if t.err == nil {
			t.info = d.Info
		}
	})
	return t.info, t.err
}

// parseFlags is parseFlags that also reads the target of --td, so that what is
// wrong in it is said once and not for each file.
func (t *mirTarget) parseFlags(s *llvmflag.Set, args []string, stdout, stderr io.Writer) (status int, ok bool) {
	if status, ok = parseFlags(s, args, stdout, stderr); !ok || t.td.file == "" {
		return status, ok
	}
	if _, err := t.td.facts(); err != nil {
		mirFault(stderr, s.Tool, err)
		return 2, false
	}
	return 0, true
}
