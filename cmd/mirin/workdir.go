package main

import (
	"io"
	"path/filepath"

	"github.com/mirin-go/mirin/lit"
)

// A command that lit serves in process has a working folder that is not the
// process's. Its standard streams carry it to the places where files are read
// and written, so that no command needs to know.

// dirReader is a standard input with a working folder.
type dirReader struct {
	io.Reader
	dir string
}

// dirWriter is a standard output with a working folder.
type dirWriter struct {
	io.Writer
	dir string
}

func (d dirReader) workDir() string { return d.dir }
func (d dirWriter) workDir() string { return d.dir }

// inWorkDir resolves a file name that a command was given; stream is its
// standard input or output.
func inWorkDir(stream any, name string) string {
	d, ok := stream.(interface{ workDir() string })
	if !ok || name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(d.workDir(), name)
}

// served makes a tool of lit of a command.
func served(run func(args []string, stdin io.Reader, stdout, stderr io.Writer) int) lit.Tool {
	return func(env lit.Env, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
		return run(args, dirReader{stdin, env.Dir}, dirWriter{stdout, env.Dir}, stderr)
	}
}
