package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/mirin-go/mirin/internal/llvmflag"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
)

// asOptions are the flags of llvm-as.
type asOptions struct {
	out                  string
	text                 bool // -S
	disableOutput        bool
	disableVerify        bool
	dataLayout           string
	force                bool
	opaque, allowPartial bool
	write                writeOptions
}

// asMain is llvm-as: it reads text, checks it and writes bitcode, or text in
// canonical form.
func asMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	const tool = "llvm-as" // LLVM's tests look for the name in messages
	o := asOptions{}
	fs := &llvmflag.Set{Tool: tool, Overview: "read .ll text, check it, write bitcode", Usage: "[options] <input .llvm file>",
		Examples: "  mirin as prog.ll                    bitcode into prog.bc\n  mirin as -S prog.ll -o canonical.ll\n", MaxArgs: 1}
	fs.String(&o.out, "o", "Override output filename").Value("filename")
	fs.Bool(&o.text, "S", "Write text in canonical form")
	fs.Bool(&o.force, "f", "Enable binary output on terminals")
	fs.Bool(&o.disableOutput, "disable-output", "Disable output")
	fs.Bool(&o.disableVerify, "disable-verify", "Do not run verifier on input LLVM (dangerous!)").Hidden()
	fs.String(&o.dataLayout, "data-layout", "data layout string to use").Value("layout-string")
	o.write.flags(fs)
	fs.Bool(&o.opaque, "opaque-pointers", "Accepted and ignored: pointers are opaque").Hidden()
	fs.Bool(&o.allowPartial, "allow-incomplete-ir", "Declare what is used and not declared").Hidden()
	done, err := fs.Parse(args, stdout)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	if done {
		return 0
	}
	in := "-"
	if len(fs.Args) > 0 {
		in = fs.Args[0]
	}
	if _, err := ir.ParseDataLayout(o.dataLayout); err != nil {
		fmt.Fprintf(stderr, "%s: <unknown>:0: error: %v\n", tool, err)
		return 1
	}
	src, name, err := readText(in, stdin)
	if err != nil {
		return fail(stderr, tool, err)
	}
	m, err := irtext.ParseString(name, src, irtext.Options{DataLayout: o.dataLayout, AllowIncomplete: o.allowPartial,
		Warn: func(s string) { fmt.Fprintf(stderr, "warning: %s\n", s) }})
	if err != nil {
		return failIn(stderr, tool, err)
	}
	if msg := checkInput(m, !o.disableVerify, stderr); msg != "" {
		fmt.Fprintf(stderr, "%s: assembly parsed, but does not verify as correct!\n%s", tool, msg)
		return 1
	}
	if o.disableOutput {
		return 0
	}
	binary := !o.text
	out := o.out
	if out == "" {
		switch {
		case in == "-" || !binary:
			out = "-"
		case strings.HasSuffix(in, ".ll"):
			out = strings.TrimSuffix(in, ".ll") + ".bc"
		default:
			out = in + ".bc"
		}
	}
	b, err := o.write.write(m, o.text)
	if err == nil {
		err = writeOutput(out, b, stdout)
	}
	if err != nil {
		return fail(stderr, tool, err)
	}
	return 0
}
