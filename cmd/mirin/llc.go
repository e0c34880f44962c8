package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/codegen/asmprinter"
	"github.com/mirin-go/mirin/codegen/driver"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/pipeline"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/asmtext"
	"github.com/mirin-go/mirin/mc/object/elf"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/all"
)

// llcOptions are llc's flags.
type llcOptions struct {
	out, opt, fileType, triple, march, cpu, attrs  string
	reloc, codeModel, framePointer, syntax         string
	regalloc, globalISel                           string
	stopAfter, stopBefore, startAfter, startBefore string
	runPass, printAfter, printBefore, filter       []string
	simplifyMIR, printAfterAll, printBeforeAll     bool
	printChanged, verify, verifyRA, timePasses     bool
	stats, funcSections, dataSections, printPasses bool
	asmVerbose, addrSig                            bool
	jobs, fastISelAbort                            int
}

func (o *llcOptions) flags() *flagSet {
	fs := &flagSet{tool: "llc", overview: "Mirin: LLVM IR to assembly, objects or MIR", examples: `  llc prog.ll                          assembly into prog.s
  llc -O0 -filetype=obj prog.ll -o -   an ELF object to standard output
  llc -stop-after=irtranslator -o - prog.ll
  llc -print-after=regallocfast -filter-print-funcs=main prog.ll -o /dev/null
`}
	fs.str(&o.out, "o", "filename", "Output filename")
	fs.joined(&o.opt, "O", "char", "Optimization level. [-O0, -O1, -O2, or -O3] (default = '-O2')")
	fs.str(&o.fileType, "filetype", "asm|obj|null", "Choose a file type", "asm", "obj", "null")
	fs.str(&o.triple, "mtriple", "string", "Override target triple for module")
	fs.str(&o.march, "march", "string", "Architecture to generate code for (see --version)")
	fs.str(&o.cpu, "mcpu", "cpu-name", "Target a specific cpu type")
	fs.str(&o.attrs, "mattr", "a1,+a2,-a3,...", "Target specific attributes")
	fs.str(&o.reloc, "relocation-model", "model", "Choose relocation model", "static", "pic", "dynamic-no-pic", "ropi", "rwpi", "ropi-rwpi")
	fs.str(&o.codeModel, "code-model", "model", "Choose code model", "tiny", "small", "kernel", "medium", "large")
	fs.str(&o.framePointer, "frame-pointer", "kind", "Specify frame pointer elimination optimization", "all", "non-leaf", "none", "reserved")
	fs.str(&o.syntax, "x86-asm-syntax", "att|intel", "Choose style of code to emit from X86 backend", "att", "intel")
	fs.lst(&o.runPass, "run-pass", "pass-name", "Run compiler only for specified passes (comma separated list)")
	fs.str(&o.stopAfter, "stop-after", "pass-name", "Stop compilation after a specific pass")
	fs.str(&o.stopBefore, "stop-before", "pass-name", "Stop compilation before a specific pass")
	fs.str(&o.startAfter, "start-after", "pass-name", "Resume compilation after a specific pass")
	fs.str(&o.startBefore, "start-before", "pass-name", "Resume compilation before a specific pass")
	fs.bool(&o.simplifyMIR, "simplify-mir", "Leave out unnecessary information when printing MIR")
	fs.lst(&o.printAfter, "print-after", "pass-name", "Print IR after specified passes")
	fs.lst(&o.printBefore, "print-before", "pass-name", "Print IR before specified passes")
	fs.bool(&o.printAfterAll, "print-after-all", "Print IR after each pass")
	fs.bool(&o.printBeforeAll, "print-before-all", "Print IR before each pass")
	fs.bool(&o.printChanged, "print-changed", "Print changed IRs")
	fs.lst(&o.filter, "filter-print-funcs", "function names", "Only print IR for functions whose name match this")
	fs.bool(&o.printPasses, "print-pipeline", "Print the list of passes and stop")
	fs.bool(&o.verify, "verify-machineinstrs", "Verify generated machine code")
	fs.bool(&o.verifyRA, "verify-regalloc", "Verify during register allocation")
	fs.bool(&o.timePasses, "time-passes", "Time each pass, printing elapsed time for each on exit")
	fs.bool(&o.stats, "stats", "Enable statistics output from program")
	fs.str(&o.regalloc, "regalloc", "allocator", "Register allocator to use", "default", "fast", "basic", "greedy", "pbqp")
	fs.str(&o.globalISel, "global-isel", "0|1", "Enable the \"global\" instruction selector (the only one here)")
	fs.int(&o.fastISelAbort, "global-isel-abort", "Accepted and ignored: there is no other selector to fall back to")
	fs.bool(&o.funcSections, "function-sections", "Emit functions into separate sections")
	fs.bool(&o.dataSections, "data-sections", "Emit data into separate sections")
	fs.bool(&o.asmVerbose, "asm-verbose", "Add comments to directives")
	fs.bool(&o.addrSig, "addrsig", "Accepted and ignored: no address-significance table is emitted")
	fs.joinedInt(&o.jobs, "j", "Number of functions compiled at the same time (0: one per processor)")
	return fs
}

func llcMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o := &llcOptions{opt: "2", fileType: "asm", asmVerbose: true}
	fs := o.flags()
	// -global-isel takes an optional value.
	for k, a := range args {
		if a == "-global-isel" || a == "--global-isel" {
			args[k] = a + "=1"
		}
	}
	done, err := fs.parse(args, stdout)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	if done {
		return 0
	}
	if err := o.run(fs.args, stdin, stdout, stderr); err != nil {
		if errors.Is(err, errReported) {
			return 1
		}
		return fail(stderr, "llc", err)
	}
	return 0
}

var errReported = errors.New("errors were reported")

func (o *llcOptions) run(files []string, stdin io.Reader, stdout, stderr io.Writer) error {
	if len(files) > 1 {
		return fmt.Errorf("Too many positional arguments specified: '%s'", files[1])
	}
	in := "-"
	if len(files) == 1 {
		in = files[0]
	}
	src, name, err := readInput(in, stdin)
	if err != nil {
		return err
	}
	mod, err := irtext.Parse(name, src, irtext.Options{Jobs: o.jobs})
	if err != nil {
		return err
	}
	c, err := newCompilation(o, mod)
	if err != nil {
		return err
	}
	if o.printPasses {
		for _, p := range c.runner.Passes {
			fmt.Fprintln(stdout, p.Name)
		}
		return nil
	}
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
	return writeOutput(o.outName(in), out, stdout)
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
	return o.stopAfter != "" || o.stopBefore != "" || len(o.runPass) > 0
}

// compilation is one module on its way through a machine.
type compilation struct {
	o      *llcOptions
	mod    *ir.Module
	m      *target.Machine
	runner *pass.Runner
	totals *driver.Totals
}

// machine configures the target that flags and module ask for.
func (o *llcOptions) machine(mod *ir.Module) (*target.Machine, error) {
	triple := mod.Triple
	if o.triple != "" {
		triple = o.triple
	}
	if triple == "" {
		triple = all.DefaultTriple
	}
	t := all.Find(triple, o.march)
	if t == nil {
		if o.march != "" {
			return nil, fmt.Errorf("invalid target '%s'.", o.march)
		}
		return nil, fmt.Errorf("unable to get target for '%s', see --version and --triple.", triple)
	}
	opt, err := strconv.Atoi(o.opt)
	if err != nil || opt > 3 || opt < 0 {
		return nil, errors.New("invalid optimization level.")
	}
	mo := target.Options{Triple: triple, CPU: o.cpu, Features: o.attrs, Opt: target.OptLevel(opt),
		FunctionSections: o.funcSections, DataSections: o.dataSections, IntelSyntax: o.syntax == "intel"}
	switch o.reloc {
	case "pic":
		mo.Reloc = target.RelocPIC
	case "static":
		mo.Reloc = target.RelocStatic
	case "":
		mo.Reloc = target.RelocStatic
		if picLevel(mod) > 0 {
			mo.Reloc = target.RelocPIC
		}
	default:
		return nil, fmt.Errorf("relocation model %s is not supported", o.reloc)
	}
	switch o.codeModel {
	case "", "small":
		mo.CodeModel = target.CodeModelSmall
	default:
		return nil, fmt.Errorf("code model %s is not supported", o.codeModel)
	}
	switch o.framePointer {
	case "all":
		mo.FramePointer = target.FramePointerAll
	case "non-leaf":
		mo.FramePointer = target.FramePointerNonLeaf
	case "none":
		mo.FramePointer = target.FramePointerNone
	}
	if o.regalloc != "" && o.regalloc != "default" && o.regalloc != "fast" {
		return nil, fmt.Errorf("register allocator %s is not supported; there is -regalloc=fast", o.regalloc)
	}
	return target.NewMachine(t, mo)
}

// picLevel is the module flag "PIC Level".
func picLevel(mod *ir.Module) uint64 {
	for _, n := range mod.NamedMD {
		if n.Name != "llvm.module.flags" {
			continue
		}
		for _, id := range n.Nodes {
			f := mod.MD.At(id)
			if f == nil || len(f.Ops) != 3 {
				continue
			}
			key, val := mod.MD.At(f.Ops[1]), mod.MD.At(f.Ops[2])
			if key != nil && val != nil && key.Str == "PIC Level" && val.Kind == ir.MDConst {
				return mod.Consts.At(val.Value.Const()).Bits
			}
		}
	}
	return 0
}

func where(s string) pass.Where {
	name, n, _ := strings.Cut(s, ",")
	w := pass.Where{Name: name}
	if n != "" {
		w.N, _ = strconv.Atoi(n)
		w.N++ // LLVM counts runs from 0
	}
	return w
}

func newCompilation(o *llcOptions, mod *ir.Module) (*compilation, error) {
	m, err := o.machine(mod)
	if err != nil {
		return nil, err
	}
	passes := pipeline.Passes(pipeline.Options{Opt: m.Options.Opt, RegAlloc: o.regalloc})
	if len(o.runPass) > 0 {
		passes = nil
		for _, n := range o.runPass {
			if n == "none" {
				continue
			}
			p := pipeline.ByName(n)
			if p == nil {
				return nil, fmt.Errorf("%s pass is not registered.", n)
			}
			passes = append(passes, p)
		}
	} else if passes, err = pass.Cut(passes, where(o.startBefore), where(o.startAfter), where(o.stopBefore), where(o.stopAfter)); err != nil {
		return nil, err
	}
	r := &pass.Runner{Passes: passes, Config: pass.Config{PrintAfter: o.printAfter, PrintBefore: o.printBefore,
		PrintAfterAll: o.printAfterAll, PrintBeforeAll: o.printBeforeAll, PrintChanged: o.printChanged,
		FilterFuncs: o.filter, Verify: o.verify, Time: o.timePasses, Hooks: runnerHooks()}}
	return &compilation{o: o, mod: mod, m: m, runner: r}, nil
}

// compile produces the output file's bytes.
func (c *compilation) compile(stderr io.Writer) ([]byte, error) {
	if c.o.mirOutput() {
		return c.compileMIR(stderr)
	}
	if c.o.fileType == "obj" {
		obj, err := c.object(stderr)
		if err != nil {
			return nil, err
		}
		return elf.Append(nil, obj)
	}
	ctx := mc.NewContext()
	text := asmtext.New(ctx, c.m.Target.MC.Printer(c.m, c.m.Options.IntelSyntax).(mc.InstPrinter))
	p := asmprinter.New(c.m, c.mod, text, c.hooks())
	p.Verbose = c.o.asmVerbose
	if err := c.emit(p, stderr); err != nil {
		return nil, err
	}
	if err := text.Finish(); err != nil {
		return nil, err
	}
	return text.Output(), nil
}

func (c *compilation) hooks() *asmprinter.Hooks {
	return c.m.Target.MC.AsmPrinter(c.m).(*asmprinter.Hooks)
}

// object compiles into memory.
func (c *compilation) object(stderr io.Writer) (*mc.Object, error) {
	obj := mc.NewObjectStreamer(mc.NewContext(), c.m.Target.MC.Encoder(c.m).(mc.Encoder), c.m.Target.MC.Backend(c.m).(mc.AsmBackend))
	if err := c.emit(asmprinter.New(c.m, c.mod, obj, c.hooks()), stderr); err != nil {
		return nil, err
	}
	if err := obj.Finish(); err != nil {
		return nil, err
	}
	return obj.Object()
}

func (c *compilation) job(stderr io.Writer) *driver.Job {
	return &driver.Job{Machine: c.m, Module: c.mod, Runner: c.runner, Workers: c.o.jobs, Stats: c.o.stats,
		CheckRegAlloc: c.o.verifyRA || c.o.verify, Log: func(b []byte) { stderr.Write(b) }}
}

// defined lists the functions with bodies.
func (c *compilation) defined() []ir.GlobalID {
	var ids []ir.GlobalID
	for _, id := range c.mod.Funcs {
		if g := c.mod.Globals[id]; g.Func != nil && g.Linkage != ir.AvailableExternally {
			ids = append(ids, id)
		}
	}
	return ids
}

// emit runs all functions through the passes and prints them.
func (c *compilation) emit(p *asmprinter.Printer, stderr io.Writer) error {
	if err := p.Begin(); err != nil {
		return err
	}
	j := c.job(stderr)
	j.Emit = func(f *mir.Function, st *target.Subtarget) error { return p.Func(f, st) }
	totals, errs := j.Run(c.defined())
	c.totals = totals
	if len(errs) > 0 {
		return c.reportAll(errs, stderr)
	}
	return p.End()
}

// reportAll prints every function's error, the same one once.
func (c *compilation) reportAll(errs []error, stderr io.Writer) error {
	for _, err := range errs[:len(errs)-1] {
		fail(stderr, "llc", err)
	}
	return errs[len(errs)-1]
}

// report prints -stats and -time-passes.
func (c *compilation) report(w io.Writer, o *llcOptions) {
	if c.totals == nil {
		return
	}
	if o.stats {
		fmt.Fprintf(w, "===%s===\n%26s... Statistics Collected ...\n===%s===\n\n", strings.Repeat("-", 73), "", strings.Repeat("-", 73))
		keys := make([]pass.Stat, 0, len(c.totals.Stats))
		for k := range c.totals.Stats {
			keys = append(keys, k)
		}
		slices.SortFunc(keys, func(a, b pass.Stat) int { return strings.Compare(a.Pass+"\x00"+a.Desc, b.Pass+"\x00"+b.Desc) })
		for _, k := range keys {
			fmt.Fprintf(w, "%8d %-24s - %s\n", c.totals.Stats[k], k.Pass, k.Desc)
		}
		fmt.Fprintln(w)
	}
	if o.timePasses {
		total := int64(1)
		for _, t := range c.totals.Times {
			total += int64(t.Time)
		}
		fmt.Fprintf(w, "===%s===\n%22s... Pass execution timing report ...\n===%s===\n  Total Execution Time: %.4f seconds\n\n   ---Wall Time---  --- Name ---\n",
			strings.Repeat("-", 73), "", strings.Repeat("-", 73), float64(total)/1e9)
		for k, t := range c.totals.Times {
			fmt.Fprintf(w, "   %8.4f (%5.1f%%)  %s\n", t.Time.Seconds(), 100*float64(t.Time)/float64(total), c.runner.Passes[k].Title)
		}
		fmt.Fprintln(w)
	}
}
