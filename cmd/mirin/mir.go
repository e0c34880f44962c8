package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/internal/llvmflag"
	"github.com/mirin-go/mirin/internal/textdiff"
	"github.com/mirin-go/mirin/mir/mirfmt"
	"github.com/mirin-go/mirin/mir/mirtext"
)

// mirCommands lists the commands of mirin mir.
func mirCommands() []command {
	return []command{
		{"fmt", nil, "rewrite MIR in canonical form, comments kept", mirFmtMain},
		{"verify", nil, "check MIR with the machine verifier, many files at once", mirVerifyMain},
		{"diff", nil, "compare MIR function by function, whatever registers and blocks are called", mirDiffMain},
		{"upgrade", nil, "bring MIR of LLVM's older editions (%eax) to today's form", mirUpgradeMain},
		{"stats", nil, "count blocks, instructions, registers, spills", mirStatsMain},
		{"cfg", nil, "draw the blocks of a function as SVG or dot", mirCFGMain},
	}
}

const mirUsage = `OVERVIEW: tools for Machine IR of every LLVM target

USAGE: mirin mir <command> [options] <files>

COMMANDS:
`

const mirExamples = `
EXAMPLES:
  mirin mir fmt -d a.mir               show what the canonical form would change
  mirin mir verify codegen/testdata    check every .mir file of a folder
  mirin mir diff before.mir after.mir
  mirin mir cfg a.mir -o a.svg

Each command explains itself: mirin mir fmt --help
`

// mirMain is mirin mir.
func mirMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 || args[0] == "help" || args[0] == "--help" || args[0] == "-help" || args[0] == "-h" {
		io.WriteString(stdout, mirUsage)
		for _, c := range mirCommands() {
			fmt.Fprintf(stdout, "  %-8s %s\n", c.name, c.desc)
		}
		io.WriteString(stdout, mirExamples)
		return 0
	}
	var names []string
	for _, c := range mirCommands() {
		if c.name == args[0] {
			return c.run(args[1:], stdin, stdout, stderr)
		}
		names = append(names, c.name)
	}
	fmt.Fprintf(stderr, "mirin mir: unknown command '%s'.  Try: 'mirin mir --help'\n", args[0])
	if n := llvmflag.Nearest(args[0], names); n != "" {
		fmt.Fprintf(stderr, "mirin mir: Did you mean '%s'?\n", n)
	}
	return 2
}

// mirTarget are the flags that say what target MIR is of where the file does not.
type mirTarget struct {
	triple, arch string
	td           tdTarget
}

func (t *mirTarget) flags(s *llvmflag.Set) {
	s.String(&t.triple, "mtriple", "Target of files that do not name one; default: the file's first RUN: line's, else x86_64").Value("triple")
	s.String(&t.arch, "march", "Architecture of files that do not name one").Value("arch")
	t.td.flags(s)
}

// options returns how a file is parsed.
func (t *mirTarget) options(src []byte) mirtext.ParseOptions {
	o := llcOptions{triple: t.triple, march: t.arch, td: &t.td}
	if t.td.file == "" && o.triple == "" && o.march == "" {
		of, arch, _ := mirfmt.Target(src)
		known := llcOptions{triple: of, march: arch}
		if _, err := known.facts(of); err == nil {
			o = known
		}
	}
	return mirtext.ParseOptions{Facts: o.facts, Triple: o.normalTriple(), Arch: o.march, EmitCallSiteInfo: true}
}

// parse reads a MIR file.
func (t *mirTarget) parse(file string, stdin io.Reader) (*mirtext.File, error) {
	src, name, err := readInput(file, stdin)
	if err != nil {
		return nil, err
	}
	return mirtext.Parse(name, src, t.options(src))
}

// mirFiles returns the files that are meant: files as they are, and of folders
// those that end in .mir. None means standard input when it may be read.
func mirFiles(args []string, stdin io.Reader) ([]string, error) {
	if len(args) == 0 {
		return []string{"-"}, nil
	}
	var list []string
	for _, a := range args {
		path := inWorkDir(stdin, a)
		if info, err := os.Stat(path); a == "-" || err != nil || !info.IsDir() {
			list = append(list, a) // what is not there is said when it is read
			continue
		}
		err := filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(p, ".mir") {
				rel, _ := filepath.Rel(path, p)
				list = append(list, filepath.Join(a, rel))
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// eachInOrder calls work for 0..n-1 on some goroutines, and done with each
// result in order.
func eachInOrder[T any](n int, work func(k int) T, done func(k int, v T)) {
	results := make([]chan T, n)
	for k := range results {
		results[k] = make(chan T, 1)
	}
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for k := range next {
				results[k] <- work(k)
			}
		})
	}
	go func() {
		for k := range n {
			next <- k
		}
		close(next)
	}()
	for k := range n {
		done(k, <-results[k])
	}
	wg.Wait()
}

// guarded calls f; a panic in it is an error of that file, and the others go on.
func guarded[T any](name string, f func() (T, error)) (v T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: internal error: %v (this is a bug in mirin; please report it with the input)", name, p)
		}
	}()
	return f()
}

// isTerminal reports whether a stream is a terminal that shows colours.
func isTerminal(w io.Writer) bool {
	f, ok := fileOf(w)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb" && os.Getenv("NO_COLOR") == ""
}

// colorsFor returns the colours of a difference; when is auto, always or never.
func colorsFor(w io.Writer, when string) textdiff.Colors {
	if when == "always" || when != "never" && isTerminal(w) {
		return textdiff.Terminal()
	}
	return textdiff.Colors{}
}

func colorFlag(s *llvmflag.Set, p *string) {
	s.Enum(p, "color", "Use colours", llvmflag.Choice{Name: "auto", Help: "on a terminal"}, llvmflag.Choice{Name: "always"}, llvmflag.Choice{Name: "never"})
}

// mirFault prints an error of one file; the others go on.
func mirFault(stderr io.Writer, tool string, err error) {
	stderr.Write(diag.AppendError(nil, tool, err))
}

// rewriter is what fmt and upgrade share: files in, changed files, differences
// or text out.
type rewriter struct {
	tool              string
	write, diff, list bool
	color             string
	change            func(name string, src []byte) ([]byte, error)
}

func (r *rewriter) flags(s *llvmflag.Set) {
	s.Bool(&r.write, "w", "Write the result to the file instead of standard output")
	s.Bool(&r.diff, "d", "Print what would change as a unified diff; exit status 1 when something would")
	s.Bool(&r.list, "l", "Name the files that would change; exit status 1 when one would")
	colorFlag(s, &r.color)
}

type rewritten struct {
	name     string
	src, out []byte
	err      error
}

// run rewrites the files; the status is 2 when one could not be.
func (r *rewriter) run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	files, err := mirFiles(args, stdin)
	if err != nil {
		mirFault(stderr, r.tool, err)
		return 2
	}
	status := 0
	eachInOrder(len(files), func(k int) rewritten {
		src, name, err := readInput(files[k], stdin)
		v := rewritten{name: name, src: src, err: err}
		if err == nil {
			v.out, v.err = guarded(name, func() ([]byte, error) { return r.change(name, src) })
		}
		return v
	}, func(k int, v rewritten) {
		if v.err != nil {
			mirFault(stderr, r.tool, v.err)
			status = 2
			return
		}
		changed := string(v.src) != string(v.out)
		if changed && (r.list || r.diff) && status == 0 {
			status = 1
		}
		if changed && r.list {
			fmt.Fprintln(stdout, v.name)
		}
		if changed && r.diff {
			stdout.Write(textdiff.AppendUnified(nil, v.name+".orig", v.name, string(v.src), string(v.out), colorsFor(stdout, r.color)))
		}
		switch {
		case r.write && files[k] != "-":
			if changed {
				err = writeOutput(files[k], v.out, stdout)
			}
		case !r.list && !r.diff:
			_, err = stdout.Write(v.out)
		}
		if err != nil {
			mirFault(stderr, r.tool, err)
			status = 2
		}
	})
	return status
}

// parseFlags parses a command's flags; ok is false when the command is over, with status.
func parseFlags(s *llvmflag.Set, args []string, stdout, stderr io.Writer) (status int, ok bool) {
	done, err := s.Parse(args, stdout)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2, false
	}
	return 0, !done
}
