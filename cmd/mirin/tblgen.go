package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/internal/llvmflag"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/include"
)

// tblgenOptions are the flags of llvm-tblgen and our own.
type tblgenOptions struct {
	tool      string
	action    string
	class     string
	goPackage string
	target    string
	factsFile string // name that generated Go embeds
	// ignoreNonDecodable leaves out operands without bits in --gen-go-disassembler.
	ignoreNonDecodable bool
	combiner           string
	warnSkipped        bool // patterns that a selector's table leaves out
	out, dep           string
	dirs, defines      []string
	timePhases         bool
	ifChanged          bool
	noUnused           bool
	lint               bool
	find               string
	format             string
	maxSteps           int
	stdout, stderr     io.Writer
}

// tblgenMain reads a .td file and prints its records.
func tblgenMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o := &tblgenOptions{tool: "llvm-tblgen", stdout: stdout, stderr: stderr}
	fs := o.flags()
	if g := cxxBackend(args); g != "" {
		fmt.Fprintf(stderr, "%s: --%s writes C++ for LLVM's own sources and is not offered (see docs/tablegen/language.md)\n", o.tool, g)
		return 1
	}
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
	if o.dep != "" && o.out == "-" {
		fmt.Fprintf(stderr, "%s: the option -d must be used together with -o\n", o.tool)
		return 1
	}
	return o.run(in, stdin)
}

func (o *tblgenOptions) flags() *llvmflag.Set {
	fs := &llvmflag.Set{Tool: o.tool, Overview: "read TableGen files (.td) and print their records", Usage: "[options] <input file>",
		Examples: "  mirin tblgen -I include Target.td                     all records\n" +
			"  mirin tblgen --dump-json Target.td -o records.json    the same as JSON\n" +
			"  mirin tblgen --find ADD32rr X86.td                    one record, and where all of it comes from\n" +
			"  mirin tblgen --class Register --format table X86.td   all records of a class\n" +
			"  mirin tblgen --lint X86.td                            what is unused or never takes effect\n",
		MaxArgs: 1}
	fs.List(&o.dirs, "I", "Directory of include files").Value("directory").Joined()
	fs.List(&o.defines, "D", "Name of the macro to be defined").Value("macro name").Joined()
	o.out = "-"
	fs.String(&o.out, "o", "Output filename").Value("filename")
	fs.String(&o.dep, "d", "Dependency filename").Value("filename")
	fs.Bool(&o.timePhases, "time-phases", "Time phases of parser and backend")
	fs.Bool(&o.ifChanged, "write-if-changed", "Only write output if it changed")
	fs.Bool(&o.noUnused, "no-warn-on-unused-template-args", "Disable unused template argument warnings.")
	fs.String(&o.class, "class", "Print the records of this class; with --print-enums, their names").Value("class name")
	o.action = "print-records"
	fs.Group("Action to perform")
	for _, a := range [...][2]string{ // the last one given counts
		{"print-records", "Print all records to stdout (default)"},
		{"print-detailed-records", "Print full details of all records to stdout"},
		{"null-backend", "Do nothing after parsing (useful for timing)"},
		{"dump-json", "Dump all records as machine-readable JSON"},
		{"print-enums", "Print enum values for a class"},
		{"print-sets", "Print expanded sets for testing DAG exprs"},
		{"gen-ctags", "Generate ctags-compatible index"},
	} {
		fs.Action(&o.action, a[0], a[1])
	}
	fs.Group("Generators (not in llvm-tblgen)")
	for _, g := range tdGenerators() {
		fs.Action(&o.action, g.name, g.help)
	}
	o.goPackage = "main"
	fs.String(&o.goPackage, "go-package", "Package of a generated Go file").Value("name")
	fs.String(&o.target, "target", "Record of class Target to generate for, where there are several").Value("name")
	fs.String(&o.combiner, "combiners", "GICombiner to generate, where there are several").Value("name")
	fs.Bool(&o.ignoreNonDecodable, "ignore-non-decodable-operands", "--gen-go-disassembler: leave out operands that have no bits in the encoding")
	fs.Bool(&o.warnSkipped, "warn-on-skipped-patterns", "--gen-go-global-isel, --gen-go-dag-isel: tell which patterns are left out, and why")
	fs.String(&o.factsFile, "facts-file", "File of --gen-facts that the Go file of --gen-go-subtarget embeds").Value("filename")
	fs.Group("Queries (not in llvm-tblgen)")
	fs.Bool(&o.lint, "lint", "Report what is unused, shadowed or never set")
	fs.String(&o.find, "find", "Tell where a record comes from: superclasses, fields and who set them").Value("name")
	o.format = "table"
	fs.Enum(&o.format, "format", "Form of --class",
		llvmflag.Choice{Name: "table", Help: "columns"}, llvmflag.Choice{Name: "json", Help: "JSON, as --dump-json has it"})
	fs.Int(&o.maxSteps, "max-steps", "Limit of evaluation steps (0: the default)").Hidden()
	return fs
}

// cxxBackends are llvm-tblgen's back ends that write C++.
const cxxBackends = ` gen-arm-target-def gen-attrs gen-directive-decl gen-directive-impl gen-intrinsic-enums gen-intrinsic-impl
 gen-riscv-target-def gen-runtime-libcalls gen-target-features gen-target-library-info gen-vt gen-asm-matcher gen-asm-writer
 gen-callingconv gen-emitter gen-compress-inst-emitter gen-dag-isel gen-automata gen-dfa-packetizer gen-disassembler
 gen-dxil-operation gen-exegesis gen-fast-isel gen-global-isel-combiner gen-global-isel gen-instr-docs gen-instr-info
 gen-macro-fusion-pred gen-opt-parser-defs gen-opt-rst gen-pseudo-lowering gen-register-bank gen-register-info
 gen-sd-node-info gen-searchable-tables gen-subtarget gen-x86-instr-mapping gen-x86-fold-tables gen-x86-mnemonic-tables `

// cxxBackend returns the back end among the arguments that we do not offer.
func cxxBackend(args []string) string {
	for _, a := range args {
		name := strings.TrimPrefix(strings.TrimPrefix(a, "-"), "-")
		if a == "--" {
			return ""
		}
		if name != a && strings.HasPrefix(name, "gen-") {
			for _, b := range strings.Fields(cxxBackends) {
				if b == name {
					return b
				}
			}
		}
	}
	return ""
}

// phase is one line of --time-phases.
type phase struct {
	name string
	took time.Duration
}

func (o *tblgenOptions) run(in string, stdin io.Reader) int {
	// The process lives for one file, so that collecting garbage seldom pays;
	// the limit keeps memory in bounds where a file is enormous.
	debug.SetGCPercent(800)
	debug.SetMemoryLimit(2 << 30)
	src, name, err := readTd(in, stdin)
	if err != nil {
		fmt.Fprintf(o.stderr, "%s: Could not open input file '%s': %s\n", o.tool, in, osMessage(err))
		return 1
	}
	var phases []phase
	start := time.Now()
	lap := func(name string) {
		phases = append(phases, phase{name, time.Since(start)})
		start = time.Now()
	}
	opts := tablegen.Options{IncludeDirs: o.dirs, Defines: o.defines, ReadFile: include.ReadFile(os.ReadFile), MaxSteps: o.maxSteps, Lint: o.lint}
	o.tableOptions(&opts)
	opts.Report = func(r tablegen.Report) {
		if (o.noUnused || o.lint) && r.Severity == diag.Warning && strings.HasPrefix(r.Msg, "unused template argument") {
			return
		}
		o.stderr.Write(r.AppendText(nil))
	}
	rs, err := tablegen.Parse(opts, name, src)
	if err != nil {
		if soft, n := softErrors(rs, err); !soft {
			return 1
		} else {
			fmt.Fprintf(o.stderr, "%s: %d errors.\n", o.tool, n)
			return 1
		}
	}
	lap("Parse, build records")
	b, err := o.backend(rs, in)
	lap("Backend overall")
	if err != nil {
		o.stderr.Write(appendTdError(nil, rs, err))
		return 1
	}
	if o.dep != "" {
		text := o.out + ":"
		for _, f := range rs.Files() {
			text += " " + f
		}
		if err := os.WriteFile(o.dep, []byte(text+"\n"), 0o644); err != nil {
			fmt.Fprintf(o.stderr, "%s: error opening %s: %s\n", o.tool, o.dep, osMessage(err))
			return 1
		}
	}
	if !o.write(b) {
		return 1
	}
	lap("Write output")
	if o.timePhases {
		io.WriteString(o.stderr, phaseTable(phases))
	}
	if o.lint && rs.Findings() > 0 {
		return 1
	}
	return 0
}

// softErrors reports whether the parse went on to the end, and the number of errors.
func softErrors(rs *tablegen.Records, err error) (bool, int) {
	var l diag.List
	if !errors.As(err, &l) || !rs.ParsedToEnd() {
		return false, 0
	}
	n := 0
	for _, d := range l {
		if d.Severity == diag.Error {
			n++
		}
	}
	return true, n
}

func (o *tblgenOptions) backend(rs *tablegen.Records, in string) ([]byte, error) {
	switch {
	case o.lint:
		return rs.AppendLint(nil), nil
	case o.find != "":
		return rs.AppendFind(nil, o.find)
	case o.class != "" && o.action == "print-records":
		return rs.AppendClass(nil, o.class, o.format == "json")
	}
	switch o.action {
	case "print-detailed-records":
		return rs.AppendDetailed(nil, in), nil
	case "dump-json":
		return append(rs.AppendJSON(nil), '\n'), nil
	case "print-enums":
		return rs.AppendEnums(nil, o.class)
	case "print-sets":
		return rs.AppendSets(nil)
	case "gen-ctags":
		return rs.AppendTags(nil), nil
	case "null-backend":
		return nil, nil
	}
	for _, g := range tdGenerators() {
		if g.name == o.action {
			return g.run(o, rs, in)
		}
	}
	return rs.AppendText(nil), nil
}

// write writes the output; false after an error, which has been reported.
func (o *tblgenOptions) write(b []byte) bool {
	if o.out == "-" {
		_, err := o.stdout.Write(b)
		return err == nil
	}
	if o.ifChanged {
		if old, err := os.ReadFile(o.out); err == nil && bytes.Equal(old, b) {
			return true
		}
	}
	if err := os.WriteFile(o.out, b, 0o644); err != nil {
		fmt.Fprintf(o.stderr, "%s: error opening %s: %s\n", o.tool, o.out, osMessage(err))
		return false
	}
	return true
}

func readTd(in string, stdin io.Reader) ([]byte, string, error) {
	if in == "-" {
		b, err := io.ReadAll(stdin)
		return b, "<stdin>", err
	}
	b, err := os.ReadFile(in)
	return b, in, err
}

// osMessage returns the system's words for an error, as strerror has them.
func osMessage(err error) string {
	var e syscall.Errno
	if errors.As(err, &e) {
		s := e.Error()
		return strings.ToUpper(s[:1]) + s[1:]
	}
	return err.Error()
}

func appendTdError(b []byte, rs *tablegen.Records, err error) []byte {
	var l diag.List
	var d *diag.Diagnostic
	if errors.As(err, &l) {
		return diag.AppendError(b, "", l)
	}
	if errors.As(err, &d) {
		return tablegen.Report{Diagnostic: d}.AppendText(b)
	}
	return append(append(b, strings.TrimSuffix(err.Error(), "\n")...), '\n')
}

// phaseTable formats the times as LLVM's timer groups do.
func phaseTable(phases []phase) string {
	var b strings.Builder
	rule := "===-------------------------------------------------------------------------===\n"
	var total time.Duration
	for _, p := range phases {
		total += p.took
	}
	fmt.Fprintf(&b, "%s%s%s", rule, "                             TableGen Phase Timing\n", rule)
	fmt.Fprintf(&b, "  Total Execution Time: %.4f seconds (%.4f wall clock)\n\n", total.Seconds(), total.Seconds())
	b.WriteString("   ---Wall Time---  --- Name ---\n")
	row := func(d time.Duration, name string) {
		share := 100.0
		if total > 0 {
			share = 100 * float64(d) / float64(total)
		}
		fmt.Fprintf(&b, "  %7.4f (%5.1f%%)  %s\n", d.Seconds(), share, name)
	}
	for _, p := range phases {
		row(p.took, p.name)
	}
	row(total, "Total")
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Fprintf(&b, "\n  %d allocations, %d KiB, %d collections\n\n", m.Mallocs, m.TotalAlloc/1024, m.NumGC)
	return b.String()
}
