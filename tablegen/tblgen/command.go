package tblgen

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/internal/llvmflag"
	"github.com/mirin-go/mirin/support/outfile"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/include"
)

// command is one run: the flags of llvm-tblgen and our own.
type command struct {
	tool      string
	action    string
	class     string
	goPackage string
	target    string
	facts     string     // LLVM target whose facts are records
	info      *desc.Info // those facts
	factsFile string     // name that generated Go embeds
	// ignoreNonDecodable leaves out operands without bits in --gen-go-disassembler.
	ignoreNonDecodable bool
	combiner           string
	warnSkipped        bool // patterns that a selector's table leaves out
	noteOverlaps       bool // patterns of equal priority
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

// Main runs the command with its arguments and returns the exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c := &command{tool: "llvm-tblgen", stdout: stdout, stderr: stderr}
	fs := c.flags()
	if g := cxxBackend(args); g != "" {
		ours := "gen-go-" + strings.TrimPrefix(g, "gen-")
		hint := "see docs/tablegen/language.md"
		if slices.ContainsFunc(generators(), func(x generator) bool { return x.name == ours }) {
			hint = "--" + ours + " writes Go"
		}
		fmt.Fprintf(stderr, "%s: --%s writes C++ for LLVM's own sources and is not offered (%s)\n", c.tool, g, hint)
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
	} else if c.facts != "" {
		stdin = strings.NewReader("") // the facts are description enough
	}
	if c.dep != "" && c.out == "-" {
		fmt.Fprintf(stderr, "%s: the option -d must be used together with -o\n", c.tool)
		return 1
	}
	return c.run(in, stdin)
}

func (c *command) flags() *llvmflag.Set {
	fs := &llvmflag.Set{Tool: c.tool, Overview: "read TableGen files (.td) and print their records", Usage: "[options] <input file>",
		Examples: "  mirin tblgen -I include Target.td                     all records\n" +
			"  mirin tblgen --dump-json Target.td -o records.json    the same as JSON\n" +
			"  mirin tblgen --find ADD32rr X86.td                    one record, and where all of it comes from\n" +
			"  mirin tblgen --class Register --format table X86.td   all records of a class\n" +
			"  mirin tblgen --lint X86.td                            what is unused or never takes effect\n",
		MaxArgs: 1}
	fs.List(&c.dirs, "I", "Directory of include files").Value("directory").Joined()
	fs.List(&c.defines, "D", "Name of the macro to be defined").Value("macro name").Joined()
	c.out = "-"
	fs.String(&c.out, "o", "Output filename").Value("filename")
	fs.String(&c.dep, "d", "Dependency filename").Value("filename")
	fs.Bool(&c.timePhases, "time-phases", "Time phases of parser and backend")
	fs.Bool(&c.ifChanged, "write-if-changed", "Only write output if it changed")
	fs.Bool(&c.noUnused, "no-warn-on-unused-template-args", "Disable unused template argument warnings.")
	fs.String(&c.class, "class", "Print the records of this class; with --print-enums, their names").Value("class name")
	c.action = "print-records"
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
		fs.Action(&c.action, a[0], a[1])
	}
	fs.Group("Generators (not in llvm-tblgen)")
	for _, g := range generators() {
		fs.Action(&c.action, g.name, g.help)
	}
	c.goPackage = "main"
	fs.String(&c.goPackage, "go-package", "Package of a generated Go file").Value("name")
	fs.String(&c.target, "target", "Record of class Target to generate for, where there are several").Value("name")
	fs.String(&c.facts, "facts", "LLVM target that the description is about, which may be empty then: its instructions, registers, classes and the value types are records").Value("name")
	fs.String(&c.combiner, "combiners", "GICombiner to generate, where there are several").Value("name")
	fs.Bool(&c.ignoreNonDecodable, "ignore-non-decodable-operands", "--gen-go-disassembler: leave out operands that have no bits in the encoding")
	fs.Bool(&c.warnSkipped, "warn-on-skipped-patterns", "--gen-go-global-isel, --gen-go-dag-isel: tell which patterns are left out, and why")
	fs.Bool(&c.noteOverlaps, "note-overlapping-patterns", "--gen-go-global-isel: tell which patterns of equal priority may match the same")
	fs.String(&c.factsFile, "facts-file", "File of --gen-facts that the Go file of --gen-go-subtarget embeds").Value("filename")
	fs.Group("Queries (not in llvm-tblgen)")
	fs.Bool(&c.lint, "lint", "Report what is unused, shadowed or never set")
	fs.String(&c.find, "find", "Tell where a record comes from: superclasses, fields and who set them").Value("name")
	c.format = "table"
	fs.Enum(&c.format, "format", "Form of --class",
		llvmflag.Choice{Name: "table", Help: "columns"}, llvmflag.Choice{Name: "json", Help: "JSON, as --dump-json has it"})
	fs.Int(&c.maxSteps, "max-steps", "Limit of evaluation steps (0: the default)").Hidden()
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

func (c *command) run(in string, stdin io.Reader) int {
	// The process lives for one file, so that collecting garbage seldom pays;
	// the limit keeps memory in bounds where a file is enormous.
	debug.SetGCPercent(800)
	debug.SetMemoryLimit(2 << 30)
	src, name, err := readTd(in, stdin)
	if err != nil {
		fmt.Fprintf(c.stderr, "%s: Could not open input file '%s': %s\n", c.tool, in, osMessage(err))
		return 1
	}
	var phases []phase
	start := time.Now()
	lap := func(name string) {
		phases = append(phases, phase{name, time.Since(start)})
		start = time.Now()
	}
	opts := tablegen.Options{IncludeDirs: c.dirs, Defines: c.defines, ReadFile: include.ReadFile(os.ReadFile), MaxSteps: c.maxSteps, Lint: c.lint}
	if err := c.loadFacts(&opts); err != nil {
		fmt.Fprintf(c.stderr, "%s: %s\n", c.tool, err)
		return 1
	}
	opts.Report = func(r tablegen.Report) {
		if (c.noUnused || c.lint) && r.Severity == diag.Warning && strings.HasPrefix(r.Msg, "unused template argument") {
			return
		}
		c.stderr.Write(r.AppendText(nil))
	}
	rs, err := tablegen.Parse(opts, name, src)
	if err != nil {
		if soft, n := softErrors(rs, err); !soft {
			return 1
		} else {
			fmt.Fprintf(c.stderr, "%s: %d errors.\n", c.tool, n)
			return 1
		}
	}
	lap("Parse, build records")
	b, err := c.backend(rs, in)
	lap("Backend overall")
	if err != nil {
		c.stderr.Write(appendTdError(nil, rs, err))
		return 1
	}
	if c.dep != "" {
		text := c.out + ":"
		for _, f := range rs.Files() {
			text += " " + f
		}
		if err := outfile.Write(c.dep, []byte(text+"\n"), 0o666); err != nil {
			fmt.Fprintf(c.stderr, "%s: error opening %s: %s\n", c.tool, c.dep, osMessage(err))
			return 1
		}
	}
	if !c.write(b) {
		return 1
	}
	lap("Write output")
	if c.timePhases {
		io.WriteString(c.stderr, phaseTable(phases))
	}
	if c.lint && rs.Findings() > 0 {
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

func (c *command) backend(rs *tablegen.Records, in string) ([]byte, error) {
	switch {
	case c.lint:
		return rs.AppendLint(nil), nil
	case c.find != "":
		return rs.AppendFind(nil, c.find)
	case c.class != "" && c.action == "print-records":
		return rs.AppendClass(nil, c.class, c.format == "json")
	}
	switch c.action {
	case "print-detailed-records":
		return rs.AppendDetailed(nil, in), nil
	case "dump-json":
		return append(rs.AppendJSON(nil), '\n'), nil
	case "print-enums":
		return rs.AppendEnums(nil, c.class)
	case "print-sets":
		return rs.AppendSets(nil)
	case "gen-ctags":
		return rs.AppendTags(nil), nil
	case "null-backend":
		return nil, nil
	}
	for _, g := range generators() {
		if g.name == c.action {
			return g.run(c, rs, in)
		}
	}
	return rs.AppendText(nil), nil
}

// write writes the output; false after an error, which has been reported.
func (c *command) write(b []byte) bool {
	if c.out == "-" {
		_, err := c.stdout.Write(b)
		return err == nil
	}
	if c.ifChanged {
		if old, err := os.ReadFile(c.out); err == nil && bytes.Equal(old, b) {
			return true
		}
	}
	if err := outfile.Write(c.out, b, 0o666); err != nil {
		fmt.Fprintf(c.stderr, "%s: error opening %s: %s\n", c.tool, c.out, osMessage(err))
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
