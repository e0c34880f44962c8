package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/internal/llvmflag"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/bitcode"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/ir/irverify"
	"github.com/mirin-go/mirin/triple"
)

// failIn is fail for tools that put their name before the place, as llvm-as and opt do.
func failIn(stderr io.Writer, tool string, err error) int {
	b := diag.AppendError(nil, tool, err)
	if !strings.HasPrefix(string(b), tool+": ") {
		b = append([]byte(tool+": "), b...)
	}
	stderr.Write(b)
	return 1
}

// optMain is opt for pipelines that change nothing: it reads, checks and prints.
func optMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var out, passes, dataLayout, of, cpu string
	var text, noOutput, noVerify, verifyEach, force, partial, opaque, o0, noTypeMap bool
	maxName := -1
	fs := &llvmflag.Set{Tool: "opt", Overview: "read, check and print a module (no transformation is run)", Usage: "[options] <input bitcode file>", MaxArgs: 1}
	fs.String(&out, "o", "Override output filename").Value("filename")
	fs.String(&passes, "passes", "A textual description of the pass pipeline; verify and none are known here")
	fs.Bool(&text, "S", "Write output as LLVM assembly")
	fs.Bool(&noOutput, "disable-output", "Do not write result bitcode file").Hidden()
	fs.Bool(&noVerify, "disable-verify", "Do not run the verifier").Hidden()
	fs.Bool(&verifyEach, "verify-each", "Verify after each transform")
	fs.Bool(&force, "f", "Enable binary output on terminals")
	var w writeOptions
	w.flags(fs)
	w.summaryFlags(fs)
	fs.Bool(&opaque, "opaque-pointers", "Accepted and ignored: pointers are opaque").Hidden()
	fs.Bool(&partial, "allow-incomplete-ir", "Declare what is used and not declared").Hidden()
	fs.Bool(&noTypeMap, "disable-debug-info-type-map", "Don't use a uniquing type map for debug info").Hidden()
	fs.Bool(&o0, "O0", "Optimization level 0: no transformation")
	fs.String(&dataLayout, "data-layout", "data layout string to use").Value("layout-string")
	fs.String(&of, "mtriple", "Override target triple for module")
	fs.String(&cpu, "mcpu", "Target a specific cpu type")
	fs.Int(&maxName, "non-global-value-max-name-size", "Maximum size for the name of non-global values.").Hidden()
	done, err := fs.Parse(args, stdout)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	if done {
		return 0
	}
	for _, p := range strings.FieldsFunc(passes, func(r rune) bool { return r == ',' || r == '(' || r == ')' }) {
		switch p {
		case "verify", "module", "function", "cgscc", "no-op-module", "no-op-function", "print":
		case "name-anon-globals":
			w.nameAnonymous = true
		default:
			fmt.Fprintf(stderr, "opt: unknown pass name '%s': mirin runs no transformations of LLVM IR\n", p)
			return 1
		}
	}
	in := "-"
	if len(fs.Args) > 0 {
		in = fs.Args[0]
	}
	src, name, err := readText(in, stdin)
	if err != nil {
		return fail(stderr, "opt", err)
	}
	if of != "" {
		of = triple.Normalize(of)
	}
	// A module that has no layout gets that of its target.
	inferred := func(own, l string) string {
		if of != "" {
			own = of
		}
		if l != "" || own == "" {
			return l
		}
		return family.DataLayout(triple.Parse(own), "")
	}
	var m *ir.Module
	if isBitcode(src) {
		if m, err = bitcode.Read(name, []byte(src), bitcode.Options{}); err == nil {
			irverify.StripTBAA(m)
			m.DataLayout = inferred(m.Triple, m.DataLayout)
		}
	} else {
		// A layout of old is replaced in bitcode alone.
		layout := func(own, l string) string {
			if dataLayout != "" {
				return dataLayout
			}
			return inferred(own, l)
		}
		m, err = irtext.ParseString(name, src, irtext.Options{Layout: layout, AllowIncomplete: partial, MaxLocalName: maxName,
			Warn: func(s string) { fmt.Fprintf(stderr, "warning: %s\n", s) }})
	}
	if err != nil {
		return failIn(stderr, "opt", err)
	}
	if of != "" {
		m.Triple = of
	}
	warning, msg := irverify.InputWith(m, irverify.Options{ODRTypes: !noTypeMap, DebugInfoOnly: noVerify})
	io.WriteString(stderr, warning)
	if msg != "" {
		if name == "<stdin>" {
			name = "-"
		}
		fmt.Fprintf(stderr, "%sopt: %s: error: input module is broken!\n", msg, name)
		return 1
	}
	if noOutput {
		return 0
	}
	if out == "" {
		out = "-"
	}
	if err := w.summarize(m); err != nil {
		return fail(stderr, "opt", err)
	}
	b, err := w.write(m, text)
	if err != nil {
		return fail(stderr, "opt", err)
	}
	if err := writeOutput(out, b, stdout); err != nil {
		return fail(stderr, "opt", err)
	}
	return 0
}
