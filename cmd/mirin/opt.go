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
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/all"
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

// targetPasses gives the passes of all targets over IR by name.
func targetPasses(r *target.IRRun, do func(p *target.IRPass)) {
	for _, t := range all.Targets() {
		if t.IRPasses == nil {
			continue
		}
		for _, p := range t.IRPasses(r) {
			do(&p)
		}
	}
}

// runTargetPasses runs passes of targets, by name, over a module.
func runTargetPasses(m *ir.Module, names []string, stderr io.Writer) error {
	if len(names) == 0 {
		return nil
	}
	layout, err := ir.ParseDataLayout(m.DataLayout)
	if err != nil {
		return err
	}
	byName := map[string]*target.IRPass{}
	warn := func(f *ir.Function, loc ir.MDID, text string) {
		at := "<unknown>:0:0"
		if l, ok := m.MD.Location(loc); ok {
			at = fmt.Sprintf("%s:%d:%d", scopeFile(m, l.Scope), l.Line, l.Column)
		}
		fmt.Fprintf(stderr, "warning: %s: in function %s %s: %s\n", at, f.Name(), irtext.AppendType(nil, m.Types, f.Global().ValueType), text)
	}
	targetPasses(&target.IRRun{Module: m, Layout: layout, Warn: warn}, func(p *target.IRPass) { byName[p.Name] = p })
	for _, n := range names {
		if err := byName[n].Run(); err != nil {
			return err
		}
	}
	return nil
}

// scopeFile is the name of the file that a scope of debug information stands in.
func scopeFile(m *ir.Module, scope ir.MDID) string {
	for scope != 0 {
		n := m.MD.At(scope)
		if f := n.FieldNode("file"); f != 0 {
			return m.MD.At(f).FieldText("filename")
		}
		scope = n.FieldNode("scope")
	}
	return "<unknown>"
}

// optMain is opt for pipelines that change nothing, and for passes of targets: it reads, checks and prints.
func optMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var out, passes, dataLayout, of, cpu string
	var text, noOutput, noVerify, verifyEach, force, partial, opaque, o0, noTypeMap bool
	maxName := -1
	fs := &llvmflag.Set{Tool: "opt", Overview: "read, check and print a module; of transformations those of targets are known", Usage: "[options] <input bitcode file>", MaxArgs: 1, Foreign: foreignFlags()}
	fs.String(&out, "o", "Override output filename").Value("filename")
	fs.String(&passes, "passes", "A textual description of the pass pipeline; verify and the passes of targets (bpf-…) are known here")
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
	var run []string // passes of targets
	flags := map[string]*bool{}
	known := map[string]bool{}
	targetPasses(&target.IRRun{}, func(p *target.IRPass) {
		known[p.Name] = true
		if p.Flag {
			flags[p.Name] = new(bool)
			fs.Bool(flags[p.Name], p.Name, p.Title)
		}
	})
	done, err := fs.Parse(args, stdout)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	if done {
		return 0
	}
	unusedFlags(stderr, fs)
	for _, p := range strings.FieldsFunc(passes, func(r rune) bool { return r == ',' || r == '(' || r == ')' }) {
		switch p {
		case "verify", "module", "function", "cgscc", "no-op-module", "no-op-function", "print":
		case "name-anon-globals":
			w.nameAnonymous = true
		default:
			if !known[p] {
				fmt.Fprintf(stderr, "opt: unknown pass name '%s': mirin runs no transformations of LLVM IR but those of targets\n", p)
				return 1
			}
			run = append(run, p)
		}
	}
	targetPasses(&target.IRRun{}, func(p *target.IRPass) {
		if on := flags[p.Name]; on != nil && *on {
			run = append(run, p.Name)
		}
	})
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
	if err := runTargetPasses(m, run, stderr); err != nil {
		fmt.Fprintf(stderr, "LLVM ERROR: %v\n", err)
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
