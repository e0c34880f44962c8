package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/filecheck"
	"github.com/mirin-go/mirin/internal/llvmflag"
	"github.com/mirin-go/mirin/support/outfile"
	"github.com/mirin-go/mirin/tablegen/tblgen"
)

// command is one subcommand.
type command struct {
	name string
	// tools are the LLVM tools whose names make the binary behave as this
	// command: llvm-as, or llvm-as-22.
	tools []string
	desc  string
	run   func(args []string, stdin io.Reader, stdout, stderr io.Writer) int
}

// commands lists the subcommands in the order in which help shows them.
func commands() []command {
	return []command{
		{"run", nil, "compile a .ll file and run it", runMain},
		{"llc", []string{"llc"}, "compile LLVM IR to assembly, an object or MIR, with llc's flags", llcMain},
		{"link", nil, "make an executable of LLVM IR and objects, without a toolchain", linkMain},
		{"filecheck", []string{"FileCheck"}, "check output against a file of CHECK lines, as LLVM's FileCheck", filecheck.Main},
		{"lit", []string{"lit", "llvm-lit"}, "run LLVM-style test files (RUN: and CHECK: lines) in this process", litMain},
		{"mir", nil, "tools for MIR: fmt, verify, diff, upgrade, stats, cfg", mirMain},
		{"as", []string{"llvm-as"}, "read .ll text, check it, write bitcode (-S: text in canonical form)", asMain},
		{"dis", []string{"llvm-dis"}, "read bitcode, print it as .ll text, with llvm-dis's flags", disMain},
		{"bcanalyzer", []string{"llvm-bcanalyzer"}, "show blocks and records of a bitcode file, and their sizes", bcanalyzerMain},
		{"mc", []string{"llvm-mc"}, "read assembly, print it or write an object; disassemble, with llvm-mc's flags", mcMain},
		{"objdump", []string{"llvm-objdump"}, "show sections, symbols, relocations and instructions of an ELF file", objdumpMain},
		{"tblgen", []string{"llvm-tblgen"}, "read TableGen files; print, query and check their records", tblgen.Main},
		{"opt", []string{"opt"}, "read, check and print a module, with opt's flags (no transformations)", optMain},
	}
}

// toolNamed finds the command that serves a program's name, with or without a
// version behind it.
func toolNamed(path string) *command {
	base := strings.TrimSuffix(filepath.Base(path), ".exe")
	bare := strings.TrimRight(base, "0123456789")
	bare = strings.TrimSuffix(bare, "-")
	for _, c := range commands() {
		for _, t := range c.tools {
			if strings.EqualFold(t, base) || strings.EqualFold(t, bare) {
				return &c
			}
		}
	}
	return nil
}

const usage = `Mirin compiles LLVM IR in pure Go.

USAGE: mirin <command> [flags] [files]

COMMANDS:
`

const examples = `
EXAMPLES:
  mirin run prog.ll 10 20              compile prog.ll and run its main with arguments
  mirin link prog.ll -o prog           make an executable of it
  mirin llc -O2 prog.ll -o prog.s      assembly
  mirin llc -filetype=obj prog.ll      an ELF object, prog.o
  mirin llc -stop-after=regallocfast prog.ll -o -

Each command explains itself: mirin llc --help
`

func main() {
	runtime.MemProfileRate = 0
	growStack(len(os.Args) == 0)
	// exit status 70 is a bug of ours (sysexits' EX_SOFTWARE).
	out := &output{File: os.Stdout}
	status := dispatch(os.Args, os.Stdin, out, os.Stderr)
	if out.err != nil && status == 0 {
		status = fail(os.Stderr, "mirin", fmt.Errorf("standard output: %w", out.err))
	}
	os.Exit(status)
}

func dispatch(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if c := toolNamed(args[0]); c != nil {
		return c.run(args[1:], stdin, stdout, stderr)
	}
	if len(args) < 2 || args[1] == "help" || args[1] == "--help" || args[1] == "-h" {
		help(stdout)
		return 0
	}
	if args[1] == "version" || args[1] == "--version" || args[1] == "-version" {
		io.WriteString(stdout, versionText())
		return 0
	}
	for _, c := range commands() {
		if args[1] == c.name {
			return c.run(args[2:], stdin, stdout, stderr)
		}
	}
	fmt.Fprintf(stderr, "mirin: unknown command '%s'.  Try: 'mirin --help'\n", args[1])
	names := make([]string, 0, 8)
	for _, c := range commands() {
		names = append(names, c.name)
	}
	if n := llvmflag.Nearest(args[1], names); n != "" {
		fmt.Fprintf(stderr, "mirin: Did you mean '%s'?\n", n)
	}
	return 1
}

func help(w io.Writer) {
	io.WriteString(w, usage)
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-10s %s\n", c.name, c.desc)
	}
	io.WriteString(w, examples)
}

// fail prints an error as LLVM's tools do and returns the exit status.
func fail(stderr io.Writer, tool string, err error) int {
	var verify *pass.VerifyError
	if errors.As(err, &verify) {
		io.WriteString(stderr, verify.Report)
		fmt.Fprintln(stderr, "LLVM ERROR:", err)
		return 134 // LLVM aborts here, and tests say "not --crash"
	}
	var broken *brokenModule
	if errors.As(err, &broken) {
		io.WriteString(stderr, broken.report)
	}
	stderr.Write(diag.AppendError(nil, tool, err))
	var internal *pass.InternalError
	if errors.As(err, &internal) {
		fmt.Fprintf(stderr, "%s\nThis is a bug in mirin; please report it with the input.\n", internal.Stack)
		return 70
	}
	return 1
}

// writeOutput writes a file whole or not at all; "-" is standard output.
func writeOutput(name string, b []byte, stdout io.Writer) error {
	return writeFile(name, b, stdout, 0o666)
}

func writeFile(name string, b []byte, stdout io.Writer, perm os.FileMode) error {
	if name == "-" {
		_, err := stdout.Write(b)
		return err
	}
	return outfile.Write(inWorkDir(stdout, name), b, perm)
}

// An output is standard output that remembers a write that failed: many things
// are printed on the way, and what is lost must show in the exit status.
type output struct {
	*os.File
	err error
}

func (o *output) Write(b []byte) (int, error) {
	n, err := o.File.Write(b)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// WriteString is Write; without it the file's own would be promoted.
func (o *output) WriteString(s string) (int, error) { return o.Write([]byte(s)) }

// ReadFrom copies through Write; the file's own would hide what fails.
func (o *output) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{o}, r)
}

// fileOf is the file that a stream is.
func fileOf(w io.Writer) (*os.File, bool) {
	if o, ok := w.(*output); ok {
		return o.File, true
	}
	f, ok := w.(*os.File)
	return f, ok
}

// growStack has the frame that the stack is to have room for. The stack grows
// while there is next to nothing on it: later it would grow in several steps,
// each of which copies it.
//
//go:noinline
func growStack(use bool) byte {
	if use {
		var room [60 << 10]byte
		return touch(room[:])
	}
	return 0
}

//go:noinline
func touch(b []byte) byte { return b[len(os.Args)] }
