package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/mirin-go/mirin/internal/llvmflag"
	"github.com/mirin-go/mirin/link"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/object/elf"
	"github.com/mirin-go/mirin/objabi"
	"github.com/mirin-go/mirin/target/all"
)

// linkOptions are the flags of mirin link.
type linkOptions struct {
	llcOptions
	link.Options
}

// linkMain compiles modules and links them, and objects, to an executable.
func linkMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	const tool = "mirin link"
	o := &linkOptions{llcOptions: llcOptions{opt: "2", reloc: "pic", out: "a.out"}}
	fs := &llvmflag.Set{Tool: tool, Overview: "make a Linux executable of LLVM IR, without assembler, linker or compiler",
		Usage: "[options] <input .ll, .bc or .o>...", Version: versionText(),
		Examples: `  mirin link prog.ll -o prog && ./prog     one module
  mirin link main.ll util.bc fast.o -o prog several; objects are ELF objects of any compiler
  mirin link -O0 -s prog.ll -o prog         compile quickly; leave out the symbol table
  mirin link prog.ll -lz -L /opt/lib        with libz.so, looked for in /opt/lib first
  clang++ -S -emit-llvm x.cpp -o - | mirin link - -o x
`,
		Footer: `The program is linked dynamically. libc, libm, libgcc_s and libstdc++ of this
machine are used where symbols ask for them, others with -l. A symbol that
nothing defines is an error here, not when the program runs. MIR is compiled
to an object first: mirin llc -start-after=PASS -filetype=obj x.mir.
`}
	fs.Group("Input and output")
	fs.String(&o.out, "o", "Output filename (default = 'a.out')").Value("filename")
	fs.Bool(&o.Strip, "s", "Leave out the symbol table and section headers").Alias("strip-all")
	fs.Group("Libraries")
	fs.List(&o.Libraries, "l", "Link with a shared library").Value("name").Joined()
	fs.List(&o.LibraryDirs, "L", "Look for libraries in a folder first").Value("dir").Joined()
	fs.String(&o.Interp, "dynamic-linker", "The dynamic loader of the program").Value("path")
	fs.Group("Code generation")
	fs.Prefix(&o.opt, 'O', "Optimization level. [-O0, -O1, -O2, or -O3] (default = '-O2')").Value("char")
	fs.String(&o.cpu, "mcpu", "Target a specific cpu type").Value("cpu-name")
	fs.List(&o.attrs, "mattr", "Target specific attributes").Value("a1,+a2,-a3,...")
	fs.Bool(&o.verify, "verify-machineinstrs", "Verify generated machine code")
	fs.Int(&o.jobs, "j", "Number of functions compiled at the same time (0: one per processor)").Joined()
	done, err := fs.Parse(args, stdout)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	if done {
		return 0
	}
	if len(fs.Args) == 0 {
		fmt.Fprintln(stderr, tool+": expected a .ll, .bc or .o file.  Try: 'mirin link --help'")
		return 1
	}
	if err := o.run(fs.Args, stdin, stdout, stderr); err != nil {
		return fail(stderr, tool, err)
	}
	return 0
}

func (o *linkOptions) run(files []string, stdin io.Reader, stdout, stderr io.Writer) error {
	var in []link.Input
	for _, f := range files {
		obj, err := o.input(f, stdin, stderr)
		if err != nil {
			return err
		}
		in = append(in, link.Input{Name: f, Object: obj})
	}
	var abi *objabi.ABI
	if len(in) > 0 {
		abi = all.ABI(&in[0].Object.Machine)
	}
	b, err := link.Executable(abi, in, &o.Options)
	if err != nil {
		return err
	}
	return writeFile(o.out, b, stdout, 0o777)
}

// input reads an object, or compiles a module.
func (o *linkOptions) input(file string, stdin io.Reader, stderr io.Writer) (*mc.Object, error) {
	src, name, err := readText(file, stdin)
	if err != nil {
		return nil, err
	}
	if elf.Is([]byte(src[:min(len(src), 4)])) {
		obj, err := elf.Read([]byte(src))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return obj, nil
	}
	switch {
	case strings.HasSuffix(file, ".mir"):
		return nil, fmt.Errorf("%s: MIR is compiled to an object first: mirin llc -start-after=PASS -filetype=obj", name)
	case strings.HasPrefix(src, "!<arch>\n"):
		return nil, fmt.Errorf("%s: archives are not supported", name)
	}
	in, err := o.parse(name, src, false)
	if err != nil {
		return nil, err
	}
	return o.compileInput(in, stderr)
}
