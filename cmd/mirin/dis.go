package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/internal/llvmflag"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/bitcode"
	"github.com/mirin-go/mirin/ir/irtext"
)

// disMain is llvm-dis: it reads bitcode and prints the text.
func disMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	const tool = "llvm-dis"
	out, disable := "", false
	var ignored, expand, useLists, indexOnly bool
	var threshold string
	fs := &llvmflag.Set{Tool: tool, Overview: "llvm .bc -> .ll disassembler", Usage: "[options] [input bitcode]...",
		Examples: "  mirin dis prog.bc -o prog.ll\n"}
	fs.String(&out, "o", "Override output filename").Value("filename")
	fs.Bool(&disable, "disable-output", "Don't output the .ll file")
	for _, f := range [...]struct{ name, help string }{
		{"f", "Enable binary output on terminals"}, {"S", "Accepted and ignored: text is what is written"},
		{"show-annotations", "Add informational comments to the .ll file"}, {"print-module-id", "Print the module's name as a comment"},
		{"materialize-metadata", "Load module without materializing metadata, then materialize only the metadata"},
		{"set-importing", "Set lazy loading to pretend to import a module"}, {"opaque-pointers", "Accepted and ignored: pointers are opaque"},
		{"use-constant-int-for-fixed-length-splat", "Accepted and ignored"}, {"use-constant-int-for-scalable-splat", "Accepted and ignored"},
		{"use-constant-fp-for-fixed-length-splat", "Accepted and ignored"}, {"use-constant-fp-for-scalable-splat", "Accepted and ignored"},
	} {
		fs.Bool(&ignored, f.name, f.help).Hidden()
	}
	fs.String(&threshold, "bitcode-mdindex-threshold", "Accepted and ignored").Hidden()
	fs.Bool(&useLists, "preserve-ll-uselistorder", "Preserve use-list order when writing LLVM assembly.").Hidden()
	fs.Bool(&indexOnly, "print-thinlto-index-only", "Only read thinlto index and print the index as LLVM assembly.").Hidden()
	fs.Bool(&expand, "expand-constant-exprs", "Expand constant expressions to instructions for testing purposes").Hidden()
	done, err := fs.Parse(args, stdout)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	if done {
		return 0
	}
	inputs := fs.Args
	if len(inputs) == 0 {
		inputs = []string{"-"}
	}
	if len(inputs) > 1 && out != "" {
		fmt.Fprintf(stderr, "%s: error: output file name cannot be set for multiple input files\n", tool)
		return 1
	}
	for _, in := range inputs {
		src, name, err := readInput(in, stdin)
		if err != nil {
			return fail(stderr, tool, err)
		}
		mods, err := bitcode.ReadAll(name, src, bitcode.Options{ExpandConstExprs: expand, Warn: func(s string) { fmt.Fprintf(stderr, "%s: warning: %s\n", tool, s) }})
		if err != nil {
			return fail(stderr, tool, err)
		}
		if disable {
			continue
		}
		dest := out
		if dest == "" {
			dest = "-"
			if in != "-" {
				dest = strings.TrimSuffix(in, ".bc") + ".ll"
			}
		}
		for i, m := range mods {
			to := dest
			if len(mods) > 1 && dest != "-" {
				to += "." + strconv.Itoa(i)
			}
			text := irtext.AppendModule
			if useLists {
				text = irtext.AppendModuleUseLists
			}
			if indexOnly {
				text = func(b []byte, m *ir.Module) []byte {
					if m.Summary == nil {
						return b
					}
					return irtext.AppendSummary(b, m.Summary)
				}
			}
			if err := writeOutput(to, text(nil, m), stdout); err != nil {
				return fail(stderr, tool, err)
			}
		}
	}
	return 0
}
