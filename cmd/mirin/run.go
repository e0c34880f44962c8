package main

import (
	"fmt"
	"io"
	"os"

	"github.com/mirin-go/mirin/internal/llvmflag"
	"github.com/mirin-go/mirin/interp"
	"github.com/mirin-go/mirin/mc"
)

// runMain compiles a module and calls its main with the rest of the command line.
func runMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o := &llcOptions{opt: "2", reloc: "pic"}
	fs := &llvmflag.Set{Tool: "mirin run", Overview: "compile LLVM IR and run it", Usage: "[options] <input .ll or .bc> [arguments]",
		Version: versionText(), Examples: `  mirin run prog.ll
  mirin run -O0 prog.ll 1 2 3
  mirin run -interp prog.ll
`}
	fs.Prefix(&o.opt, 'O', "Optimization level. [-O0, -O1, -O2, or -O3] (default = '-O2')").Value("char")
	fs.String(&o.cpu, "mcpu", "Target a specific cpu type").Value("cpu-name")
	fs.List(&o.attrs, "mattr", "Target specific attributes").Value("a1,+a2,-a3,...")
	fs.Bool(&o.verify, "verify-machineinstrs", "Verify generated machine code")
	interpret, fuel := false, 0
	var lenient []string
	fs.Bool(&interpret, "interp", "Interpret the module with checks for undefined behaviour instead of compiling it")
	fs.Int(&fuel, "interp-fuel", "Number of instructions that -interp may execute (0: no limit)").Value("uint")
	fs.List(&lenient, "interp-lenient", "Checks that -interp leaves out: undef-branch, noundef, inbounds, align, flags, undef-args, all").Value("c1,c2,...")
	fs.Int(&o.jobs, "j", "Number of functions compiled at the same time (0: one per processor)").Joined()
	// Flags end at the program: what follows is its own.
	n := 0
	for n < len(args) && len(args[n]) > 1 && args[n][0] == '-' {
		n++
	}
	done, err := fs.Parse(args[:n], stdout)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	if done {
		return 0
	}
	if n == len(args) {
		fmt.Fprintln(stderr, "mirin run: expected a .ll file.  Try: 'mirin run --help'")
		return 1
	}
	if interpret {
		l, err := interp.ParseLenient(lenient)
		if err != nil {
			return fail(stderr, "mirin run", err)
		}
		code, err := o.interpret(args[n:], interp.Options{Fuel: uint64(max(fuel, 0)), Lenient: l, Stdin: stdin, Stdout: stdout, Stderr: stderr, Env: os.Environ()})
		if err != nil {
			fail(stderr, "mirin run", err)
			return exitUB
		}
		return code
	}
	code, err := o.execute(args[n:], stdin, stdout, stderr)
	if err != nil {
		return fail(stderr, "mirin run", err)
	}
	return code
}

// execute compiles a program and hands it to startProgram. Nothing of this
// process runs on where the program takes its place.
func (o *llcOptions) execute(args []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	in, err := o.read(args[0], stdin)
	if err != nil {
		return 1, err
	}
	obj, err := o.compileInput(in, stderr)
	if err != nil {
		return 1, err
	}
	return startProgram(obj, args, stdin, stdout, stderr)
}

// compileInput compiles a module into memory.
func (o *llcOptions) compileInput(in *input, stderr io.Writer) (*mc.Object, error) {
	io.WriteString(stderr, in.warning)
	c, err := newCompilation(o, in)
	if err != nil {
		return nil, err
	}
	obj, err := c.object(stderr)
	c.warn(stderr)
	return obj, err
}

// exitUB is the exit status of -interp for undefined behaviour and what is not supported.
const exitUB = 125

// interpret runs a module in the interpreter.
func (o *llcOptions) interpret(args []string, io interp.Options) (int, error) {
	in, err := o.read(args[0], io.Stdin)
	if err != nil {
		return 1, err
	}
	vm, err := interp.New(in.mod, io)
	if err != nil {
		return 1, err
	}
	return vm.RunMain(args)
}
