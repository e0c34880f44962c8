package lit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// Env is what a tool that runs in process sees of the command's surroundings.
type Env struct {
	Dir    string              // the working folder; relative names are in it
	Getenv func(string) string // the environment
}

// Path resolves a file name in the working folder.
func (e Env) Path(name string) string { return inDir(e.Dir, name) }

// ReadFile reads a file in the working folder.
func (e Env) ReadFile(name string) ([]byte, error) { return os.ReadFile(e.Path(name)) }

// Tool is a command served in process; it returns the exit status.
type Tool func(env Env, args []string, stdin io.Reader, stdout, stderr io.Writer) int

// Runner runs test files. It must not change while tests run; it serves any
// number of them at once.
type Runner struct {
	Tools         map[string]Tool
	Substitutions map[string]string // added to the standard ones, as "%clang": "clang"
	Features      []string          // for REQUIRES:, UNSUPPORTED: and XFAIL:
	Targets       []string          // LLVM's names of the targets there are, for lit.local.cfg
	ScratchDir    string            // default: a temporary folder for each test
	Timeout       time.Duration     // of one test; 0: one minute
}

// Status is the outcome of a test.
type Status uint8

// The outcomes. Pass, XFail and Unsupported are good ones.
const (
	Pass        Status = iota
	XFail              // failed, as expected
	Unsupported        // a needed feature is missing
	Fail
	XPass      // passed, against expectation
	Unresolved // the file's directives are at fault
)

var statusNames = [...]string{"PASS", "XFAIL", "UNSUPPORTED", "FAIL", "XPASS", "UNRESOLVED"}

// String returns lit's word for the outcome.
func (s Status) String() string { return statusNames[s] }

// Good says that the outcome is no failure of the test run.
func (s Status) Good() bool { return s <= Unsupported }

// Result is what became of one test file.
type Result struct {
	Path    string
	Status  Status
	Output  string // the commands run and what they wrote, or why the test was not run
	Elapsed time.Duration
}

const (
	abortStatus = 134 // a tool panicked: as death by SIGABRT
	notFound    = 127
	pipeSize    = 64 << 10 // of the system's pipes
	timeLimit   = time.Minute
)

// overridesKey is the context key of the environment that "env" sets up.
type overridesKey struct{}

// Run runs one test file.
func (r *Runner) Run(path string) Result {
	start := time.Now()
	res := Result{Path: path}
	res.Status, res.Output = r.run(path)
	res.Elapsed = time.Since(start)
	return res
}

func (r *Runner) run(path string) (Status, string) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return Unresolved, err.Error()
	}
	src, err := os.ReadFile(abs)
	if err != nil {
		return Unresolved, err.Error()
	}
	cfg := r.config(filepath.Dir(abs))
	if cfg.unsupported != "" {
		return Unsupported, "not supported here, says " + cfg.unsupported
	}
	f, err := Parse(path, src)
	if err != nil {
		return Unresolved, err.Error()
	}
	xfail, why, err := r.conditions(f, cfg)
	if err != nil {
		return Unresolved, path + ": " + err.Error()
	}
	if why != "" {
		return Unsupported, why
	}
	var out lockedBuffer
	for _, n := range cfg.notes {
		fmt.Fprintln(&out, n)
	}
	err = r.script(f, abs, cfg, &out)
	var bad *scriptError
	switch {
	case errors.As(err, &bad):
		return Unresolved, path + ":" + bad.Error()
	case err != nil:
		fmt.Fprintf(&out, "%v\n", err)
		if xfail {
			return XFail, out.String()
		}
		return Fail, out.String()
	case xfail:
		return XPass, out.String()
	}
	return Pass, out.String()
}

// conditions evaluates REQUIRES:, UNSUPPORTED: and XFAIL:. why is not empty
// when the test is not to be run.
func (r *Runner) conditions(f *File, cfg *localConfig) (xfail bool, why string, err error) {
	features := map[string]bool{}
	for _, name := range slices.Concat(r.Features, cfg.features) {
		features[name] = true
	}
	for _, e := range f.Requires {
		v, err := evalBool(e, features)
		if err != nil {
			return false, "", err
		}
		if !v {
			return false, "requires " + e, nil
		}
	}
	for _, e := range f.Unsupported {
		v, err := evalBool(e, features)
		if err != nil {
			return false, "", err
		}
		if v {
			return false, "not supported with " + e, nil
		}
	}
	for _, e := range f.XFail {
		v, err := evalBool(e, features)
		if err != nil {
			return false, "", err
		}
		xfail = xfail || v
	}
	return xfail, "", nil
}

// scriptError is a fault of a directive.
type scriptError struct {
	line int
	msg  string
}

func (e *scriptError) Error() string { return fmt.Sprintf("%d: %s", e.line, e.msg) }

// scratch makes the folder for a test's files and returns the scratch name.
func (r *Runner) scratch(path string) (base string, cleanup func(), err error) {
	if r.ScratchDir == "" {
		dir, err := os.MkdirTemp("", "lit")
		return filepath.Join(dir, filepath.Base(path)), func() { os.RemoveAll(dir) }, err
	}
	root, err := filepath.Abs(r.ScratchDir)
	if err != nil {
		return "", nil, err
	}
	// The folder of the test is part of the name: tests of one name do not meet.
	dir := filepath.Join(root, strings.NewReplacer(":", "", "/", "_", `\`, "_").Replace(strings.TrimLeft(filepath.Dir(path), `/\`)))
	return filepath.Join(dir, filepath.Base(path)), func() {}, os.MkdirAll(dir, 0o777)
}

// script runs the RUN: lines one after the other; the first that fails ends it.
func (r *Runner) script(f *File, path string, cfg *localConfig, out io.Writer) error {
	base, cleanup, err := r.scratch(path)
	if err != nil {
		return err
	}
	defer cleanup()
	subs := standard(path, base, r.Substitutions, cfg.subs)
	limit := r.Timeout
	if limit == 0 {
		limit = timeLimit
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	sh, err := r.shell(filepath.Dir(base), out, out)
	if err != nil {
		return err
	}
	for k := range f.Directives {
		d := &f.Directives[k]
		if d.Kind != "RUN" {
			if err := subs.define(d); err != nil {
				return &scriptError{d.Line, err.Error()}
			}
			continue
		}
		text, err := subs.expand(d.Text, d.Line)
		if err != nil {
			return &scriptError{d.Line, err.Error()}
		}
		prog, err := syntax.NewParser().Parse(strings.NewReader(text), f.Path)
		if err != nil {
			return &scriptError{d.Line, err.Error()}
		}
		fmt.Fprintf(out, "+ %s\n", text)
		if err := sh.Run(ctx, prog); err != nil {
			if ctx.Err() != nil {
				return fmt.Errorf("%s:%d: RUN: line took longer than %v", f.Path, d.Line, limit)
			}
			return fmt.Errorf("%s:%d: RUN: line failed: %v", f.Path, d.Line, err)
		}
		if sh.Exited() {
			return nil
		}
	}
	return nil
}

func (r *Runner) shell(dir string, out, errOut io.Writer) (*interp.Runner, error) {
	return interp.New(
		interp.Dir(dir),
		interp.StdIO(nil, out, errOut),
		interp.Params("-o", "pipefail"),
		interp.ExecHandlers(func(next interp.ExecHandlerFunc) interp.ExecHandlerFunc {
			return func(ctx context.Context, args []string) error { return r.exec(ctx, args, next) }
		}),
	)
}

// exec runs one command: a tool, a built-in one or a program of the system.
func (r *Runner) exec(ctx context.Context, args []string, next interp.ExecHandlerFunc) error {
	hc := interp.HandlerCtx(ctx)
	if tool, ok := r.Tools[args[0]]; ok {
		return r.serve(ctx, tool, args)
	}
	switch args[0] {
	case "not":
		return r.runNot(ctx, args[1:], next)
	case "env":
		return r.runEnv(ctx, args[1:], next)
	case "count":
		return runCount(hc, args[1:])
	case "split-file":
		return runSplitFile(hc, args[1:])
	}
	if o, _ := ctx.Value(overridesKey{}).([]string); len(o) > 0 {
		args = append(append([]string{"env"}, o...), args...)
	}
	return next(ctx, args)
}

// runEnv changes the environment of one command, which may be served in process.
func (r *Runner) runEnv(ctx context.Context, args []string, next interp.ExecHandlerFunc) error {
	o, _ := ctx.Value(overridesKey{}).([]string)
	o = append([]string(nil), o...)
	for len(args) > 0 {
		if args[0] == "-u" && len(args) > 1 {
			o = append(o, "-u", args[1])
			args = args[2:]
			continue
		}
		if strings.HasPrefix(args[0], "-") || !strings.Contains(args[0], "=") {
			break
		}
		o = append(o, args[0])
		args = args[1:]
	}
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return next(ctx, append(append([]string{"env"}, o...), args...))
	}
	return r.exec(context.WithValue(ctx, overridesKey{}, o), args, next)
}

// getenv looks a variable up as the command sees it.
func getenv(ctx context.Context, env expand.Environ) func(string) string {
	o, _ := ctx.Value(overridesKey{}).([]string)
	return func(name string) string {
		value := ""
		if v := env.Get(name); v.Exported {
			value = v.String()
		}
		for k := 0; k < len(o); k++ {
			if o[k] == "-u" {
				if k++; o[k] == name {
					value = ""
				}
			} else if n, v, _ := strings.Cut(o[k], "="); n == name {
				value = v
			}
		}
		return value
	}
}

// serve runs a tool in process. A panic is a crash, as "not --crash" sees it.
func (r *Runner) serve(ctx context.Context, tool Tool, args []string) (err error) {
	hc := interp.HandlerCtx(ctx)
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(hc.Stderr, "%s: panic: %v\n%s", args[0], p, debug.Stack())
			err = interp.ExitStatus(abortStatus)
		}
	}()
	stdin := hc.Stdin
	if stdin == nil {
		stdin = bytes.NewReader(nil)
	}
	status := tool(Env{Dir: hc.Dir, Getenv: getenv(ctx, hc.Env)}, args[1:], stdin, hc.Stdout, hc.Stderr)
	// What a pipe holds is read even by a tool that did not ask for it (it
	// stopped at its flags): the writer must not depend on who is faster.
	_, _ = io.CopyN(io.Discard, stdin, pipeSize)
	if status == 0 {
		return nil
	}
	if status < 0 || status > 255 {
		status = 255
	}
	return interp.ExitStatus(uint8(status))
}

// lockedBuffer takes what the commands of a pipeline write at the same time.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
