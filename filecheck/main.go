package filecheck

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/internal/llvmflag"
)

// mainFlags are the flags that only the command has.
type mainFlags struct {
	opts       Options
	input      string
	dumpInput  []string
	dumpFilter []string
	context    []int
}

var (
	dumpChoices = []llvmflag.Choice{
		{Name: "help", Help: "Explain input dump and quit"},
		{Name: "always", Help: "Always dump input"},
		{Name: "fail", Help: "Dump input on failure"},
		{Name: "never", Help: "Never dump input"},
	}
	filterChoices = []llvmflag.Choice{
		{Name: "all", Help: "All input lines"},
		{Name: "annotation-full", Help: "Input lines with annotations"},
		{Name: "annotation", Help: "Input lines with starting points of annotations"},
		{Name: "error", Help: "Input lines with starting points of error annotations"},
	}
)

const examples = `  llc prog.ll -o - | FileCheck prog.ll
  FileCheck --check-prefixes=CHECK,X64 --input-file=out.s prog.ll
  FileCheck -vv -dump-input=always prog.ll < out.s
`

func (m *mainFlags) set(tool string) *llvmflag.Set {
	o := &m.opts
	s := &llvmflag.Set{Tool: tool, Usage: "[options] <check-file>", MaxArgs: 1,
		Overview: "verify that a text holds what the directives of a check file ask for", Examples: examples,
		Footer: "Options are parsed from the environment variable FILECHECK_OPTS and\nfrom the command line.\n"}
	s.List(&o.CheckPrefixes, "check-prefix", "Prefix to use from check file (defaults to 'CHECK')")
	s.List(&o.CheckPrefixes, "check-prefixes", "Alias for -check-prefix permitting multiple comma separated values").CommaSeparated()
	s.List(&o.CommentPrefixes, "comment-prefixes", "Comma-separated list of comment prefixes to use from check file (defaults to 'COM,RUN')").CommaSeparated().Hidden()
	s.String(&m.input, "input-file", "File to check (defaults to stdin)").Value("filename")
	s.List(&o.Defines, "D", "Define a variable to be used in capture patterns.").Value("VAR=VALUE").AlwaysJoined()
	s.List(&o.ImplicitCheckNot, "implicit-check-not", "Forbid the pattern wherever no positive check matches it").Value("pattern")
	s.Bool(&o.AllowEmpty, "allow-empty", "Allow the input file to be empty")
	s.Bool(&o.AllowUnusedPrefixes, "allow-unused-prefixes", "Allow prefixes to be specified but not appear in the test")
	s.Bool(&o.AllowDAGOverlap, "allow-deprecated-dag-overlap", "Enable overlapping among matches in a group of consecutive CHECK-DAG directives")
	s.Bool(&o.MatchFullLines, "match-full-lines", "Require all positive matches to cover an entire input line")
	s.Bool(&o.StrictWhitespace, "strict-whitespace", "Do not treat all horizontal whitespace as equivalent")
	s.Bool(&o.IgnoreCase, "ignore-case", "Use case-insensitive matching")
	s.Bool(&o.EnableVarScope, "enable-var-scope", "Reset variables without a leading '$' at each CHECK-LABEL")
	s.Bool(&o.Verbose, "v", "Print directive pattern matches, or add them to the input dump if enabled")
	s.Bool(&o.VeryVerbose, "vv", "Print or dump also what helps to diagnose FileCheck itself; implies -v")
	s.Bool(&o.Color, "color", "Use colors in output")
	s.EnumList(&m.dumpInput, "dump-input", "Dump input to stderr with annotations (default: fail)", dumpChoices...)
	s.EnumList(&m.dumpFilter, "dump-input-filter", "Lines to print in the dump (default: error on failure, all with -dump-input=always)", filterChoices...)
	s.IntList(&m.context, "dump-input-context", "Lines printed around those that the filter selects (default: 5)").Value("N")
	return s
}

// earliest returns the value that stands first in the list of choices, which
// has precedence where a flag is repeated.
func earliest(values []string, choices []llvmflag.Choice) string {
	for _, c := range choices {
		if slices.Contains(values, c.Name) {
			return c.Name
		}
	}
	return ""
}

// Main is the FileCheck command with the process's environment and files. It
// returns the exit status: 0 when all checks hold, 1 when not, 2 when the
// check file, the input or the options are at fault.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return MainIn(Env{}, args, stdin, stdout, stderr)
}

// Env is the surroundings of a command that runs in process.
type Env struct {
	Tool     string                       // how messages name the command; default FileCheck
	Getenv   func(string) string          // default os.Getenv
	ReadFile func(string) ([]byte, error) // default os.ReadFile
}

// MainIn is Main in given surroundings.
func MainIn(env Env, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if env.Tool == "" {
		env.Tool = "FileCheck"
	}
	if env.Getenv == nil {
		env.Getenv = os.Getenv
	}
	if env.ReadFile == nil {
		env.ReadFile = os.ReadFile
	}
	var m mainFlags
	set := m.set(env.Tool)
	args = append(strings.Fields(env.Getenv("FILECHECK_OPTS")), args...)
	done, err := set.Parse(args, stdout)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	if done {
		return 0
	}
	o := &m.opts
	if o.DumpInput = earliest(m.dumpInput, dumpChoices); o.DumpInput == "help" {
		io.WriteString(stdout, dumpHelp)
		return 0
	}
	o.DumpInputFilter = earliest(m.dumpFilter, filterChoices)
	if len(m.context) > 0 {
		if o.DumpInputContext = slices.Max(m.context); o.DumpInputContext == 0 {
			o.DumpInputContext = -1
		}
	}
	return m.run(env, set.Args, args, stdin, stderr)
}

func (m *mainFlags) run(env Env, files, args []string, stdin io.Reader, stderr io.Writer) int {
	if len(files) == 0 {
		fmt.Fprint(stderr, "<check-file> not specified")
		return 2
	}
	for _, d := range m.opts.Defines {
		switch eq := strings.IndexByte(d, '='); {
		case eq < 0:
			fmt.Fprintf(stderr, "Missing equal sign in command-line definition '-D%s'\n", d)
			return 2
		case eq == 0 || eq == 1 && d[0] == '#':
			fmt.Fprintf(stderr, "Missing variable name in command-line definition '-D%s'\n", d)
			return 2
		}
	}
	if _, err := m.opts.withDefaults(); err != nil {
		fmt.Fprint(stderr, err)
		return 2
	}
	read := func(name string) ([]byte, string, error) {
		if name == "-" {
			b, err := io.ReadAll(stdin)
			return b, "<stdin>", err
		}
		b, err := env.ReadFile(name)
		return b, name, err
	}
	check, checkName, err := read(files[0])
	if err != nil {
		fmt.Fprintf(stderr, "Could not open check file '%s': %s\n", files[0], systemText(err))
		return 2
	}
	f, err := readCheckFile(m.opts, checkName, check)
	if err != nil {
		fmt.Fprint(stderr, err)
		var se *srcError
		if errors.As(err, &se) && se.fatal {
			return 1
		}
		return 2
	}
	if m.input == "" {
		m.input = "-"
	}
	input, inputName, err := read(m.input)
	if err != nil {
		fmt.Fprintf(stderr, "Could not open input file '%s': %s\n", m.input, systemText(err))
		return 2
	}
	if len(input) == 0 && !m.opts.AllowEmpty {
		fmt.Fprintf(stderr, "FileCheck error: '%s' is empty.\nFileCheck command line:  %s\n", inputName, strings.Join(append([]string{env.Tool}, args...), " "))
		return 2
	}
	report, ok := f.check(inputName, input)
	stderr.Write(report)
	if !ok {
		return 1
	}
	return 0
}

// systemText is the system's own words for a file error.
func systemText(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "No such file or directory"
	case errors.Is(err, fs.ErrPermission):
		return "Permission denied"
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// dumpHelp explains the input dump.
const dumpHelp = `The following description was requested by -dump-input=help to
explain the input dump printed by FileCheck.

Flags that go with it:

  - -dump-input=<value> says when the input is dumped
  - -dump-input-filter=<value> selects the lines
  - -dump-input-context=<N> sets how many lines around them are kept
  - -v and -vv add annotations for what matched and what was skipped
  - -color colors the dump

They can also be set in the environment variable FILECHECK_OPTS:

  $ FILECHECK_OPTS='-dump-input-filter=all -vv -color' make check

Input dump annotation format:

  - L:     labels line number L of the input file, which is shown with a
           blank in place of its newline
  - T:L    labels the only result of a pattern of type T that stands in line L
           of the check file; "impN" in place of L is the Nth implicit pattern
  - T:L'N  labels the Nth result of such a pattern, counted from 0
  - ^~~    marks a good match (with -v)
  - !~~    marks a bad match: CHECK-NEXT on the wrong line or CHECK-NOT found
           (errors), CHECK-DAG overlapping an earlier match (with -vv)
  - X~~    marks the searched range where no match was found: an error, or
           the success of a CHECK-NOT (with -vv)
  - ?      marks the place most like a pattern that was not found
  - ...    stands for lines left out by filter and context
  - colors success, error, fuzzy match, discarded match, unmatched input
`
