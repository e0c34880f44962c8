package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

func llcMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o := &llcOptions{opt: "2", fileType: "asm", asmVerbose: true, uniqueSections: true, bisectVerbose: true, stripDebugifyOnly: true, leafDescendants: true}
	fs := o.flags()
	done, err := fs.Parse(args, stdout)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	if done {
		return 0
	}
	unusedFlags(stderr, fs)
	if err := o.run(fs.Args, stdin, stdout, stderr); err != nil {
		if errors.Is(err, errReported) {
			return 1
		}
		return fail(stderr, "llc", err)
	}
	return 0
}

var errReported = errors.New("errors were reported")

func (o *llcOptions) run(files []string, stdin io.Reader, stdout, stderr io.Writer) error {
	o.open = func(name string) (string, []byte, error) {
		b, err := os.ReadFile(inWorkDir(stdout, name))
		return name, b, err
	}
	if asksHelp(o.cpu, o.attrs) {
		in, err := o.facts(o.normalTriple())
		if err != nil {
			return err
		}
		return writeCPUHelp(stderr, in)
	}
	file := "-"
	if len(files) == 1 {
		file = files[0]
	}
	src, name, err := readText(file, stdin)
	if err != nil {
		return err
	}
	isMIR := o.lang == "mir" || o.lang == "" && strings.HasSuffix(file, ".mir")
	if !isMIR {
		if done, err := o.compileDeferred(file, name, src, stdout, stderr); done {
			return err
		}
	}
	in, err := o.parse(name, src, isMIR)
	if in != nil {
		io.WriteString(stderr, in.warning)
	}
	if err != nil {
		return err
	}
	c, err := newCompilation(o, in)
	if err != nil {
		return err
	}
	if o.printPasses {
		for _, p := range c.runner.Passes {
			fmt.Fprintln(stdout, p.Name)
		}
		return nil
	}
	c.describe(stderr)
	out, err := c.compile(stderr)
	if o.stats || o.timePasses {
		c.report(stderr, o)
	}
	if err != nil {
		return err
	}
	if o.fileType == "null" {
		return nil
	}
	return writeOutput(o.outName(file), out, stdout)
}

// outName is -o, or the input's name with the extension of the output.
func (o *llcOptions) outName(in string) string {
	if o.out != "" {
		return o.out
	}
	if in == "-" {
		return "-"
	}
	ext := ".s"
	switch {
	case o.mirOutput():
		ext = ".mir"
	case o.fileType == "obj":
		ext = ".o"
	}
	base := strings.TrimSuffix(strings.TrimSuffix(in, filepath.Ext(in)), ".")
	return base + ext
}

func (o *llcOptions) mirOutput() bool {
	return o.stopAfter != "" || o.stopBefore != "" || o.explicit()
}

// explicit reports that -run-pass or -passes names the passes.
func (o *llcOptions) explicit() bool { return len(o.runPass) > 0 || o.passes != "" }
