package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/codegen/driver"
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/pipeline"
	"github.com/mirin-go/mirin/codegen/ssaopt"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/object/elf"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/all"
	"github.com/mirin-go/mirin/triple"
)

// compilation is one module on its way through a machine.
type compilation struct {
	o      *llcOptions
	mod    *ir.Module
	in     *input
	m      *target.Machine // nil where MIR is only read, verified and printed
	runner *pass.Runner
	totals *driver.Totals
	bodies driver.Bodies // nil when the module holds all bodies
}

// machine configures the target that flags and module ask for. For MIR out of MIR
// it need not make code for the triple: another of its family does for most passes.
func (o *llcOptions) machine(mod *ir.Module, fromMIR bool) (*target.Machine, error) {
	if err := o.refusedDebug(); err != nil {
		return nil, err
	}
	of := mod.Triple
	if o.triple != "" {
		of = o.normalTriple()
	}
	if of == "" {
		of = all.DefaultTriple
	}
	t := all.Find(of, o.march)
	withoutABI, factsOnly := false, false
	if t == nil || o.td != nil && o.td.file != "" {
		in, err := o.facts(of)
		if err != nil {
			return nil, err
		}
		if t = nil; fromMIR && o.mirOutput() && (o.td == nil || o.td.file == "") {
			if t, withoutABI = all.OfFamily(in.Target), true; t == nil {
				t, factsOnly = all.FromFacts(family.ByName(in.Target), triple.Parse(of)), true
			}
		}
		if t == nil {
			return nil, noGenerator(in.Target)
		}
	}
	opt, err := strconv.Atoi(o.opt)
	if err != nil || opt > 3 || opt < 0 {
		return nil, errors.New("invalid optimization level.")
	}
	variant, err := o.asmVariant(t)
	if err != nil {
		return nil, err
	}
	mo := target.Options{Triple: of, CPU: o.cpu, Features: strings.Join(o.attrs, ","), Opt: target.OptLevel(opt),
		WithoutABI: withoutABI, FactsOnly: factsOnly, VerifyCFI: o.verifyCFI, TLSDesc: o.tlsDesc, GuaranteedTailCalls: o.tailCallOpt, LargeDataThreshold: uint64(o.largeData), SharedSectionNames: !o.uniqueSections, FunctionSections: o.funcSections, DataSections: o.dataSections, AsmVariant: variant, Tuning: o.tuning}
	switch o.reloc {
	case "pic":
		mo.Reloc = target.RelocPIC
	case "static":
		mo.Reloc = target.RelocStatic
	case "":
		mo.Reloc = cmp.Or(t.Reloc, target.RelocStatic)
		if level, _ := mod.FlagInt("PIC Level"); level > 0 {
			mo.Reloc = target.RelocPIC
		}
	default:
		return nil, fmt.Errorf("relocation model %s is not supported", o.reloc)
	}
	mo.CodeModel, _ = target.ParseCodeModel(o.codeModel)
	if o.codeModel == "" {
		mo.CodeModel = target.CodeModelOf(mod)
	}
	if mo.CodeModel == target.CodeModelDefault {
		mo.CodeModel = target.CodeModelSmall
	}
	if o.emulatedTLS {
		return nil, errors.New("emulated thread-local storage is not supported")
	}
	switch o.framePointer {
	case "all":
		mo.FramePointer = target.FramePointerAll
	case "non-leaf":
		mo.FramePointer = target.FramePointerNonLeaf
	case "none":
		mo.FramePointer = target.FramePointerNone
	}
	if strings.HasSuffix(o.outline, "-pgo") {
		return nil, fmt.Errorf("machine outliner mode %s is not supported; there are always and never", o.outline)
	}
	mo.Tuning.Outline.LeafChildren = !o.leafDescendants
	return target.NewMachine(t, mo)
}

func noGenerator(of string) error {
	return fmt.Errorf("target %s: there is no code generator yet; its MIR can be read, verified and printed", of)
}

// regAlloc reads -regalloc.
func regAlloc(name string) pipeline.RegAlloc {
	if name == "default" {
		name = ""
	}
	return pipeline.RegAlloc(name)
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

func newCompilation(o *llcOptions, in *input) (*compilation, error) {
	c := &compilation{o: o, mod: in.mod, in: in}
	passes, err := o.named(nil)
	if in.mir == nil || err != nil || !o.onlyReads(passes) {
		m, missing := o.machine(in.mod, in.mir != nil)
		if err != nil && missing == nil {
			passes, err = o.named(m.Target) // those of the target are known now
		}
		if err == nil {
			err = missing
		}
		if err != nil {
			return nil, err
		}
		c.m = m
	}
	if in.mir == nil {
		if o.triple != "" {
			in.mod.Triple = o.normalTriple()
		}
		if in.mod.DataLayout == "" {
			in.mod.DataLayout = c.m.Target.DataLayout(c.m.Triple)
		}
	}
	if c.m != nil {
		if err := c.m.UseLayout(in.mod.DataLayout); err != nil {
			return nil, err
		}
	}
	var whole []*pass.Pass
	if !o.explicit() {
		whole = pipeline.Passes(pipeline.Options{Opt: c.m.Options.Opt, RegAlloc: regAlloc(o.regalloc), Outline: o.outline == "always", Target: c.m.Target,
			MISched: o.tuning.Sched.Enable, MISchedPostRA: o.mischedPostRA, EarlyIfCvt: o.tuning.EarlyIfCvt.On, Pipeliner: o.tuning.Pipeliner.On})
		passes = whole
		if passes, err = pass.Cut(passes, where(o.startBefore), where(o.startAfter), where(o.stopBefore), where(o.stopAfter)); err != nil {
			return nil, err
		}
	}
	if o.debugifyStrip || o.debugifyCheck {
		passes = pipeline.Debugified(passes, whole, o.debugifyCheck)
	}
	if c.m != nil && c.m.Options.WithoutABI {
		if p := pipeline.NeedsABI(passes); p != nil {
			return nil, noGenerator(c.m.Target.Family.Name)
		}
	}
	if c.m != nil && c.m.Options.FactsOnly {
		if p := pipeline.NeedsTarget(passes, c.m.Target.Family); p != nil {
			return nil, fmt.Errorf("target %s: there is no code generator yet; %s needs to know more than the facts say", c.m.Target.Family.Name, p.Name)
		}
	}
	gate, err := o.gate()
	if err != nil {
		return nil, err
	}
	c.runner = &pass.Runner{Passes: passes, Config: pass.Config{PrintAfter: o.printAfter, PrintBefore: o.printBefore,
		PrintAfterAll: o.printAfterAll, PrintBeforeAll: o.printBeforeAll, PrintChanged: o.printChanged,
		FilterFuncs: o.filter, Verify: o.verify, VerifyInput: in.mir != nil && !o.ignored.disableVerify, Time: o.timePasses, Gate: gate, Hooks: runnerHooks()}}
	return c, nil
}

// gate makes what decides about optional passes, nil when all run.
func (o *llcOptions) gate() (*pass.Gate, error) {
	g := &pass.Gate{Quiet: !o.bisectVerbose, Disable: o.optDisable, Funcs: o.bisectFuncs}
	if o.noStackColoring {
		g.Disable = append(slices.Clone(g.Disable), ssaopt.StackColoring.Name)
	}
	switch {
	case o.bisect != "":
		runs, err := pass.ParseIntervals(o.bisect)
		if err != nil {
			return nil, err
		}
		g.Bisect, g.Runs = true, runs
	case o.bisectLimit != "":
		n, err := strconv.Atoi(o.bisectLimit)
		if err != nil {
			return nil, fmt.Errorf("for the --opt-bisect-limit option: '%s' value invalid for integer argument!", o.bisectLimit)
		}
		g.Bisect, g.Runs = true, pass.Limit(n)
	case len(g.Disable) == 0 && len(g.Funcs) == 0:
		return nil, nil
	}
	return g, nil
}

// named are the passes of -run-pass or -passes; t, which may be nil, adds its own.
func (o *llcOptions) named(t *target.Target) ([]*pass.Pass, error) {
	switch {
	case o.passes != "" && len(o.runPass) > 0:
		return nil, errors.New("-passes and -run-pass cannot be used at the same time")
	case o.passes != "":
		return pipeline.Parse(o.passes, t)
	}
	var passes []*pass.Pass
	for _, n := range o.runPass {
		if n == "none" {
			continue
		}
		p := pipeline.ByName(n, t)
		if p == nil {
			return nil, fmt.Errorf("%s pass is not registered.", n)
		}
		passes = append(passes, p)
	}
	return passes, nil
}

// onlyReads reports that MIR is just read, verified and printed, which works for
// every target of the facts.
func (o *llcOptions) onlyReads(passes []*pass.Pass) bool {
	for _, p := range passes {
		if !p.AnyTarget {
			return false
		}
	}
	return o.explicit()
}

// describe prints -debug-pass.
func (c *compilation) describe(w io.Writer) {
	if c.o.debugPass == "" || c.o.debugPass == "Disabled" {
		return
	}
	b := []byte("Pass Arguments: ")
	for _, p := range c.runner.Passes {
		b = append(b, " -"+p.Name...)
	}
	b = append(b, '\n')
	if c.o.debugPass == "Structure" {
		b = append(b, "  ModulePass Manager\n"...)
		inFunction := false
		for _, p := range c.runner.Passes {
			if p.RunModule != nil {
				b = append(b, "    "+p.Title+"\n"...)
				inFunction = false
				continue
			}
			if !inFunction {
				b = append(b, "    FunctionPass Manager\n"...)
				inFunction = true
			}
			b = append(b, "      "+p.Title+"\n"...)
		}
	}
	w.Write(b)
}

// warn says what the machine was asked for and does not know.
func (c *compilation) warn(stderr io.Writer) {
	if c.m == nil {
		return
	}
	for _, w := range c.m.Warnings() {
		fmt.Fprintln(stderr, w)
	}
}

// compile produces the output file's bytes.
func (c *compilation) compile(stderr io.Writer) ([]byte, error) {
	defer c.warn(stderr)
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
	text, totals, errs := c.job(stderr).Assembly(driver.Shown{Verbose: c.o.asmVerbose, Encoding: c.o.showEncoding, Inst: c.o.showInst})
	c.totals = totals
	if len(errs) > 0 {
		return nil, c.reportAll(errs, stderr)
	}
	return text, nil
}

// object compiles into memory.
func (c *compilation) object(stderr io.Writer) (*mc.Object, error) {
	obj, totals, errs := c.job(stderr).Object()
	c.totals = totals
	if len(errs) > 0 {
		return nil, c.reportAll(errs, stderr)
	}
	return obj, nil
}

// refusedDebug names what is asked of debug information and not done.
func (o *llcOptions) refusedDebug() error {
	for _, f := range [...]struct {
		on   bool
		name string
	}{{o.typeUnits, "generate-type-units"}, {o.splitDwarf != "", "split-dwarf-file"}, {o.splitOutput != "", "split-dwarf-output"}, {o.dwarf.AccelTables == "Apple", "accel-tables=Apple"}} {
		if f.on {
			return fmt.Errorf("-%s is not supported", f.name)
		}
	}
	return nil
}

func (c *compilation) job(stderr io.Writer) *driver.Job {
	j := &driver.Job{Machine: c.m, Module: c.mod, Runner: c.runner, Workers: c.o.jobs, Stats: c.o.stats,
		CheckRegAlloc: c.o.verifyRA || c.o.verify, SubRegLiveness: c.o.subRegLiveness, StripAllDebug: !c.o.stripDebugifyOnly, Bodies: c.bodies, Log: func(b []byte) { stderr.Write(b) },
		Dwarf: c.o.dwarf, OpenFile: c.o.open}
	if c.in.mir != nil {
		j.Facts = c.in.mir.Facts
		j.Input = c.in.byGlobal
		j.Skip = func(f *mir.Function) bool { return f.FirstBlock() == 0 && !c.fromIR() }
	}
	return j
}

// fromIR reports that the passes begin with IR functions.
func (c *compilation) fromIR() bool {
	for _, p := range c.runner.Passes {
		if p.RunModule == nil {
			return p.IR || p == &globalisel.IRTranslator
		}
	}
	return false
}

// reportAll prints every function's error, the same one once, and returns the
// one that decides the exit status: a bug of ours before all others.
func (c *compilation) reportAll(errs []error, stderr io.Writer) error {
	if c.bodies != nil {
		return errRefused // reported when the module was read as a whole
	}
	var internal *pass.InternalError
	for k, err := range errs {
		if errors.As(err, &internal) {
			errs[k], errs[len(errs)-1] = errs[len(errs)-1], errs[k]
			c.writeReproducer(internal, stderr)
			break
		}
	}
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
