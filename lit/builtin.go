package lit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/interp"
)

// crashStatus is the least exit status that means death by a signal, as
// shells report it.
const crashStatus = 128

// notFoundStatus is the shell's exit status for a command that does not exist.
const notFoundStatus = 127

// runNot runs a command and turns its success around; with --crash the command
// must die by a signal.
func (r *Runner) runNot(ctx context.Context, args []string, next interp.ExecHandlerFunc) error {
	crash := len(args) > 0 && args[0] == "--crash"
	if crash {
		args = args[1:]
	}
	if len(args) == 0 {
		return interp.ExitStatus(1)
	}
	err := r.exec(ctx, args, next)
	var status interp.ExitStatus
	if err != nil && !errors.As(err, &status) {
		return err
	}
	if status == notFoundStatus {
		return status // a tool that is not there failed in no way that a test can ask for
	}
	died := status >= crashStatus
	switch {
	case status == notFound: // a misspelled command is no expected failure
		return interp.ExitStatus(1)
	case crash && died, !crash && status != 0 && !died:
		return nil
	}
	return interp.ExitStatus(1)
}

// runCount checks the number of lines of its input.
func runCount(hc interp.HandlerContext, args []string) error {
	if len(args) != 1 {
		fmt.Fprintln(hc.Stderr, "usage: count <expected line count>")
		return interp.ExitStatus(2)
	}
	want, err := strconv.Atoi(args[0])
	if err != nil {
		fmt.Fprintf(hc.Stderr, "count: invalid line count '%s'\n", args[0])
		return interp.ExitStatus(2)
	}
	in, err := readAll(hc.Stdin)
	if err != nil {
		return err
	}
	lines := bytes.Count(in, []byte{'\n'})
	if len(in) > 0 && in[len(in)-1] != '\n' {
		lines++
	}
	if lines != want {
		fmt.Fprintf(hc.Stderr, "Expected %d lines, got %d.\n", want, lines)
		return interp.ExitStatus(1)
	}
	return nil
}

func readAll(r io.Reader) ([]byte, error) {
	if r == nil {
		return nil, nil
	}
	return io.ReadAll(r)
}

// partMarker recognizes a line that starts a part of a split file: the marker
// may follow a comment leader of at most two characters.
func partMarker(line string) (name string, ok bool) {
	k := strings.Index(line, "--- ")
	if k < 0 || k > 2 || strings.ContainsAny(line[:k], "- \t") {
		return "", false
	}
	return strings.TrimSpace(line[k+len("--- "):]), true
}

// runSplitFile writes the parts of a file, which lines "--- name" separate, to
// a folder that it makes anew. --leading-lines keeps the parts' line numbers.
func runSplitFile(hc interp.HandlerContext, args []string) error {
	fail := func(format string, a ...any) error {
		fmt.Fprintf(hc.Stderr, "split-file: error: "+format+"\n", a...)
		return interp.ExitStatus(1)
	}
	leading := false
	var paths []string
	for _, a := range args {
		switch {
		case a == "--leading-lines" || a == "-leading-lines":
			leading = true
		case strings.HasPrefix(a, "--no-leading-lines"):
			leading = false
		case len(a) > 1 && a[0] == '-':
			return fail("unknown option %s", a)
		default:
			paths = append(paths, a)
		}
	}
	if len(paths) != 2 {
		return fail("needs an input file and an output folder")
	}
	var src []byte
	var err error
	if paths[0] == "-" {
		src, err = readAll(hc.Stdin)
	} else {
		src, err = os.ReadFile(inDir(hc.Dir, paths[0]))
	}
	if err != nil {
		return fail("%s: %v", paths[0], err)
	}
	out := inDir(hc.Dir, paths[1])
	if info, err := os.Lstat(out); err == nil && !info.IsDir() {
		os.Remove(out)
	}
	parts, err := splitParts(src, leading)
	if err != nil {
		return fail("%s: %v", paths[0], err)
	}
	for _, p := range parts {
		file := filepath.Join(out, filepath.FromSlash(p.name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return fail("%v", err)
		}
		if err := os.WriteFile(file, p.text, 0o666); err != nil {
			return fail("%v", err)
		}
	}
	return nil
}

type filePart struct {
	name string
	text []byte
}

func splitParts(src []byte, leading bool) ([]filePart, error) {
	var parts []filePart
	seen := map[string]bool{}
	for n, line := range bytes.SplitAfter(src, []byte{'\n'}) {
		if name, ok := partMarker(strings.TrimRight(string(line), "\r\n")); ok {
			if name == "" || !filepath.IsLocal(name) || seen[name] {
				return nil, fmt.Errorf("line %d: bad or repeated part name '%s'", n+1, name)
			}
			seen[name] = true
			p := filePart{name: name}
			if leading {
				p.text = bytes.Repeat([]byte{'\n'}, n+1)
			}
			parts = append(parts, p)
		} else if len(parts) > 0 {
			p := &parts[len(parts)-1]
			p.text = append(p.text, line...)
		}
	}
	if len(parts) == 0 {
		return nil, errors.New("no part separator was found")
	}
	return parts, nil
}

// inDir resolves a file name of a command that runs in dir.
func inDir(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}
