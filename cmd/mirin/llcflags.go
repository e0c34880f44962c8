package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/codegen/dwarf"
	"github.com/mirin-go/mirin/codegen/pipeline"
	"github.com/mirin-go/mirin/internal/llvmflag"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/all"
)

// llcOptions are llc's flags.
type llcOptions struct {
	open                                                                                   func(name string) (shown string, text []byte, err error) // driver.Job.OpenFile
	out, opt, fileType, triple, march, cpu                                                 string
	attrs                                                                                  []string
	lang, targetABI                                                                        string
	reloc, codeModel, framePointer                                                         string
	syntax                                                                                 []*syntaxFlag
	variant                                                                                int // -output-asm-variant
	regalloc                                                                               string
	stopAfter, stopBefore, startAfter, startBefore                                         string
	passes                                                                                 string
	runPass, printAfter, printBefore, filter                                               []string
	stripDebugifyOnly, debugifyStrip, debugifyCheck, leafDescendants                       bool
	outline                                                                                string
	mischedPostRA                                                                          bool
	simplifyMIR, printAfterAll, printBeforeAll                                             bool
	printChanged, verify, verifyRA, subRegLiveness, verifyCFI, timePasses, noStackColoring bool
	stats, funcSections, dataSections, printPasses                                         bool
	largeData                                                                              int
	uniqueSections                                                                         bool
	tlsDesc, tailCallOpt, emulatedTLS                                                      bool
	asmVerbose, showEncoding, showInst, callSiteInfo                                       bool
	debugPass                                                                              string
	globalISel, fastISel                                                                   bool
	dwarf                                                                                  dwarf.Options
	typeUnits                                                                              bool
	tune, splitDwarf, splitOutput                                                          string
	jobs, iselAbort                                                                        int
	bisectLimit, bisect                                                                    string
	bisectVerbose                                                                          bool
	optDisable, bisectFuncs                                                                []string
	ignored                                                                                ignoredFlags
	tuning                                                                                 target.Tuning
	td                                                                                     *tdTarget // of --td; nil without
}

// ignoredFlags take the values of flags that change nothing here.
type ignoredFlags struct {
	addrSig, disableVerify, debugEntryValues, debugLocations, newPM, gcInCSR bool
}

// syntaxFlag is the flag of a target that chooses its assembly syntax.
type syntaxFlag struct {
	of   *target.Target
	name string
}

// asmVariant is the number of the assembly syntax that the flags ask for.
func (o *llcOptions) asmVariant(t *target.Target) (int, error) {
	n := 1
	if t.MC.Syntax != nil {
		n = len(t.MC.Syntax.Names)
	}
	if o.variant < 0 || o.variant >= n {
		return 0, fmt.Errorf("-output-asm-variant=%d: %s has %d", o.variant, t.Name, n)
	}
	for _, f := range o.syntax {
		if f.of == t && f.name != "" {
			return slices.Index(t.MC.Syntax.Names, f.name), nil
		}
	}
	return o.variant, nil
}

func choices(names ...string) []llvmflag.Choice {
	cs := make([]llvmflag.Choice, len(names))
	for i, n := range names {
		cs[i].Name = n
	}
	return cs
}

func (o *llcOptions) flags() *llvmflag.Set {
	s := &llvmflag.Set{
		Tool: "llc", Overview: "Mirin: LLVM IR or MIR to assembly, objects or MIR",
		Usage: "[options] <input .ll or .mir>", Version: versionText(), MaxArgs: 1,
		Examples: `  llc prog.ll                            assembly into prog.s
  llc -O0 -filetype=obj prog.ll -o -     an ELF object to standard output
  llc -stop-after=irtranslator -o - prog.ll
  llc -run-pass=legalizer -verify-machineinstrs prog.mir -o -
  llc -start-after=regallocfast prog.mir -o prog.s
  llc -print-after=regallocfast -filter-print-funcs=main prog.ll -o /dev/null
`,
		Foreign: foreignFlags(),
		Footer:  "Passes, in the order of -O2: " + strings.Join(pipeline.Names(), ", ") + "\n",
	}
	s.Group("Input and output")
	s.String(&o.out, "o", "Output filename").Value("filename")
	s.Enum(&o.fileType, "filetype", "Choose a file type", choices("asm", "obj", "null")...)
	s.Enum(&o.lang, "x", "Input language (default: by the file's extension)", choices("ir", "mir")...)
	s.Bool(&o.asmVerbose, "asm-verbose", "Add comments to directives")
	s.Bool(&o.showEncoding, "show-mc-encoding", "Show encoding in .s output")
	s.Bool(&o.showInst, "asm-show-inst", "Emit internal instruction representation to assembly file")
	for _, t := range all.Targets() {
		if y := t.MC.Syntax; y != nil {
			f := &syntaxFlag{of: t}
			o.syntax = append(o.syntax, f)
			s.Enum(&f.name, y.Flag, y.Help, choices(y.Names...)...)
		}
		for k := range t.Flags {
			f, on := &t.Flags[k], false
			s.Bool(&on, f.Name, f.Help).Hidden().Then(func() { f.Set(&o.tuning, on) })
		}
	}
	s.Uint(&o.variant, "output-asm-variant", "Syntax variant to use for output printing")
	s.Int(&o.jobs, "j", "Number of functions compiled at the same time (0: one per processor)").Joined()
	s.Group("Target")
	o.td = &tdTarget{}
	o.td.flags(s)
	s.String(&o.triple, "mtriple", "Override target triple for module")
	s.String(&o.march, "march", "Architecture to generate code for (see --version)")
	s.String(&o.cpu, "mcpu", "Target a specific cpu type").Value("cpu-name")
	s.List(&o.attrs, "mattr", "Target specific attributes").Value("a1,+a2,-a3,...")
	s.String(&o.targetABI, "target-abi", "The name of the ABI to be targeted from the backend").Hidden()
	s.Enum(&o.reloc, "relocation-model", "Choose relocation model", choices("static", "pic", "dynamic-no-pic", "ropi", "rwpi", "ropi-rwpi")...)
	s.Enum(&o.codeModel, "code-model", "Choose code model", choices("tiny", "small", "kernel", "medium", "large")...)
	s.Enum(&o.framePointer, "frame-pointer", "Specify frame pointer elimination optimization", choices("all", "non-leaf", "none", "reserved")...)
	s.Uint(&o.largeData, "large-data-threshold", "Choose large data threshold of the medium code model")
	s.Bool(&o.uniqueSections, "unique-section-names", "Give unique names to every section")
	s.Bool(&o.tailCallOpt, "tailcallopt", "Turn fastcc calls into tail calls by (potentially) changing ABI.")
	s.Bool(&o.tlsDesc, "enable-tlsdesc", "Enable the use of TLS Descriptors")
	s.Bool(&o.emulatedTLS, "emulated-tls", "Use emulated TLS model")
	s.Group("Code generation")
	s.Prefix(&o.opt, 'O', "Optimization level. [-O0, -O1, -O2, or -O3] (default = '-O2')").Value("char")
	s.Enum(&o.regalloc, "regalloc", "Register allocator to use", choices("default", "fast", "basic", "greedy", "pbqp")...)
	s.Bool(&o.globalISel, "global-isel", "Enable the \"global\" instruction selector (the only one here)")
	s.Bool(&o.fastISel, "fast-isel", "Enable the \"fast\" instruction selector (refused: there is GlobalISel)").Hidden()
	s.Int(&o.iselAbort, "global-isel-abort", "Accepted and ignored: there is no other selector to fall back to").Hidden()
	s.Bool(&o.funcSections, "function-sections", "Emit functions into separate sections")
	s.Bool(&o.dataSections, "data-sections", "Emit data into separate sections")
	s.Uint(&o.dwarf.Version, "dwarf-version", "Dwarf version")
	s.Bool(&o.dwarf.Dwarf64, "dwarf64", "Generate debugging info in the 64-bit DWARF format")
	s.Enum(&o.dwarf.AccelTables, "accel-tables", "Output dwarf accelerator tables.", choices("Default", "Disable", "Apple", "Dwarf")...)
	s.Enum(&o.tune, "debugger-tune", "Tune debug info for a particular debugger (changes nothing)", choices("gdb", "lldb", "dbx", "sce")...)
	s.Bool(&o.typeUnits, "generate-type-units", "Generate DWARF4 type units. (refused)").Hidden()
	s.String(&o.splitDwarf, "split-dwarf-file", "Specify the name of the .dwo file to encode in the DWARF output (refused)").Hidden()
	s.String(&o.splitOutput, "split-dwarf-output", ".dwo output filename (refused)").Hidden()
	s.Bool(&o.callSiteInfo, "emit-call-site-info", "Emit call site debug information, if debug information is enabled")
	s.Bool(&o.ignored.addrSig, "addrsig", "Accepted and ignored: no address-significance table is emitted").Hidden()
	s.Bool(&o.ignored.gcInCSR, "fixup-allow-gcptr-in-csr", "Accepted and ignored: values for the collector are in no callee-saved register").Hidden()
	s.Bool(&o.ignored.disableVerify, "disable-verify", "Do not verify input module").Hidden()
	s.Bool(&o.ignored.debugLocations, "experimental-debug-variable-locations", "Accepted and ignored: debug information is dropped").Hidden()
	s.Bool(&o.ignored.debugEntryValues, "debug-entry-values", "Accepted and ignored: debug information is dropped").Hidden()
	for _, t := range all.Targets() {
		if name := t.Instr.EarlyIfCvtFlag; name != "" {
			s.Bool(&o.tuning.EarlyIfCvt.On, name, "Enable early if-conversion on "+t.Family.Name).Hidden()
		}
	}
	pipelinerFlags(s, o)
	s.Bool(&o.tuning.EarlyIfCvt.Stress, "stress-early-ifcvt", "Turn all knobs to 11").Hidden()
	s.Bool(&o.noStackColoring, "no-stack-coloring", "Disable stack coloring").Hidden()
	s.Enum(&o.outline, "enable-machine-outliner", "Enable the machine outliner", choices("always", "optimistic-pgo", "conservative-pgo", "never")...).Bare("always")
	s.Uint(&o.tuning.Outline.Reruns, "machine-outliner-reruns", "Number of times to rerun the outliner after the initial outline").Hidden()
	s.Uint(&o.tuning.Outline.Benefit, "outliner-benefit-threshold", "The minimum size in bytes before an outlining candidate is accepted").Hidden()
	s.Bool(&o.leafDescendants, "outliner-leaf-descendants", "Consider all leaf descendants of internal nodes of the suffix tree as candidates for outlining (if false, only leaf children are considered)").Hidden()
	s.Bool(&o.tuning.Outline.LinkOnceODR, "enable-linkonceodr-outlining", "Enable the machine outliner on linkonceodr functions").Hidden()
	schedFlags(s, o)
	limit := func(p *target.Limit, name, help string) {
		n := 0
		s.Uint(&n, name, help).Hidden().Then(func() { *p = target.LimitOf(n) })
	}
	limit(&o.tuning.TailDupSize, "tail-dup-size", "Maximum instructions to consider tail duplicating")
	limit(&o.tuning.TailDupPredSize, "tail-dup-pred-size", "Maximum predecessors (maximum successors at the same time) to consider tail duplicating blocks.")
	limit(&o.tuning.TailDupSuccSize, "tail-dup-succ-size", "Maximum successors (maximum predecessors at the same time) to consider tail duplicating blocks.")
	limit(&o.tuning.TailMergeSize, "tail-merge-size", "Min number of instructions to consider tail merging")
	limit(&o.tuning.EarlyIfCvt.Limit, "early-ifcvt-limit", "Maximum number of instructions per speculated block.")
	limit(&o.tuning.SinkLoads, "machine-sink-load-instrs-threshold", "Do not try to find alias store for a load if there is a in-path block whose instruction number is higher than this threshold.")
	limit(&o.tuning.SinkLoadBlocks, "machine-sink-load-blocks-threshold", "Do not try to find alias store for a load if the block number in the straight line is higher than this threshold.")
	limit(&o.tuning.PartialClearance, "partial-reg-update-clearance", "Clearance between two register writes for inserting XOR to avoid partial register update")
	limit(&o.tuning.UndefClearance, "undef-reg-clearance", "How many idle instructions we would like before certain undef register reads")
	s.Group("Stages")
	s.List(&o.runPass, "run-pass", "Run compiler only for specified passes (comma separated list)").Value("pass-name").CommaSeparated()
	s.Bool(&o.stripDebugifyOnly, "mir-strip-debugify-only", "Should mir-strip-debug only strip debug info from debugified modules by default").Hidden()
	s.Bool(&o.debugifyStrip, "debugify-and-strip-all-safe", "Debugify MIR before and Strip debug after each pass except those known to be unsafe when debug info is present").Hidden()
	s.Bool(&o.debugifyCheck, "debugify-check-and-strip-all-safe", "Debugify MIR before, by checking and stripping the debug info after, each pass except those known to be unsafe when debug info is present").Hidden()
	s.String(&o.passes, "passes", "A textual description of the pass pipeline, as in 'machine-function(branch-folder,print)'").Alias("p").Value("string")
	s.Bool(&o.ignored.newPM, "enable-new-pm", "Accepted and ignored: there is one pass manager").Hidden()
	s.String(&o.stopAfter, "stop-after", "Stop compilation after a specific pass").Value("pass-name[,N]")
	s.String(&o.stopBefore, "stop-before", "Stop compilation before a specific pass").Value("pass-name[,N]")
	s.String(&o.startAfter, "start-after", "Resume compilation after a specific pass").Value("pass-name[,N]")
	s.String(&o.startBefore, "start-before", "Resume compilation before a specific pass").Value("pass-name[,N]")
	s.Bool(&o.simplifyMIR, "simplify-mir", "Leave out unnecessary information when printing MIR")
	s.Bool(&o.printPasses, "print-pipeline", "Print the list of passes and stop")
	s.Enum(&o.debugPass, "debug-pass", "Print PassManager debugging information", choices("Disabled", "Arguments", "Structure")...)
	s.Group("Looking inside")
	s.List(&o.printAfter, "print-after", "Print IR after specified passes").Value("pass-name").CommaSeparated()
	s.List(&o.printBefore, "print-before", "Print IR before specified passes").Value("pass-name").CommaSeparated()
	s.Bool(&o.printAfterAll, "print-after-all", "Print IR after each pass")
	s.Bool(&o.printBeforeAll, "print-before-all", "Print IR before each pass")
	s.Bool(&o.printChanged, "print-changed", "Print changed IRs")
	s.List(&o.filter, "filter-print-funcs", "Only print IR for functions whose name match this").Value("function names").CommaSeparated()
	s.String(&o.bisectLimit, "opt-bisect-limit", "Maximum optimization to perform: the number of runs of optional passes, each of which is shown; -1 shows all and runs all").Value("int")
	s.String(&o.bisect, "opt-bisect", "Run optional passes only in these intervals of their numbers, as in 1-10,20-30,45").Value("intervals")
	s.Bool(&o.bisectVerbose, "opt-bisect-verbose", "Show verbose output when opt-bisect-limit is set")
	s.List(&o.bisectFuncs, "opt-bisect-funcs", "Run optional passes only for these functions").Value("function names").CommaSeparated()
	s.List(&o.optDisable, "opt-disable", "Optional passes that do not run").Value("pass names").CommaSeparated()
	s.Bool(&o.verify, "verify-machineinstrs", "Verify generated machine code")
	s.Bool(&o.verify, "verify-each", "Verify after each transform").Hidden()
	s.Bool(&o.verifyRA, "verify-regalloc", "Verify during register allocation")
	s.Bool(&o.subRegLiveness, "enable-subreg-liveness", "Enable subregister liveness tracking.").Hidden()
	s.Bool(&o.verifyRA, "verify-coalescing", "Verify machine instrs before and after register coalescing").Hidden()
	s.Bool(&o.verifyCFI, "verify-cfiinstrs", "Verify Call Frame Information instructions").Hidden()
	s.Bool(&o.timePasses, "time-passes", "Time each pass, printing elapsed time for each on exit")
	s.Bool(&o.stats, "stats", "Enable statistics output from program")
	return s
}

// versionText answers --version.
func versionText() string {
	var b strings.Builder
	b.WriteString("Mirin, a code generator that speaks LLVM version 22.1.8\n\n  Registered Targets:\n")
	for _, t := range all.Targets() {
		fmt.Fprintf(&b, "    %-12s - %s\n", t.Name, t.Desc)
	}
	return b.String()
}

// pipelinerFlags are the flags of the pipeliner.
func pipelinerFlags(s *llvmflag.Set, o *llcOptions) {
	t := &o.tuning.Pipeliner
	for _, x := range all.Targets() {
		if p := x.Instr.Pipeliner; p != nil {
			s.Bool(&t.On, p.Flag, "Enable the machine pipeliner on "+x.Family.Name).Hidden()
		}
	}
	on := true
	s.Bool(&on, "enable-pipeliner", "Enable Software Pipelining").Hidden().Then(func() { t.Off = !on })
	s.Bool(&t.OptSize, "enable-pipeliner-opt-size", "Enable SWP at Os.").Hidden()
	mii, stages := 0, 0
	s.Int(&mii, "pipeliner-max-mii", "Size limit for the MII.").Hidden().Then(func() { t.MaxMII = target.LimitOf(mii) })
	s.Int(&stages, "pipeliner-max-stages", "Maximum stages allowed in the generated scheduled.").Hidden().Then(func() { t.MaxStages = target.LimitOf(stages) })
	s.Int(&t.ForceII, "pipeliner-force-ii", "Force pipeliner to use specified II.").Hidden()
}

// schedFlags are the flags of the schedulers.
func schedFlags(s *llvmflag.Set, o *llcOptions) {
	t := &o.tuning.Sched
	onOff := func(p *target.Switch, name, help string) {
		on := false
		s.Bool(&on, name, help).Hidden().Then(func() {
			if *p = target.SwitchOff; on {
				*p = target.SwitchOn
			}
		})
	}
	onOff(&t.Enable, "enable-misched", "Enable the machine instruction scheduling pass.")
	onOff(&t.EnablePostRA, "enable-post-misched", "Enable the post-ra machine instruction scheduling pass.")
	onOff(&t.PostRAList, "post-RA-scheduler", "Enable scheduling after register allocation")
	var mode string
	s.String(&mode, "break-anti-dependencies", "Break post-RA scheduling anti-dependencies: \"critical\", \"all\", or \"none\"").Hidden().Then(func() {
		switch mode {
		case "all":
			t.AntiDeps = target.AntiDepsAll
		case "critical":
			t.AntiDeps = target.AntiDepsCritical
		default:
			t.AntiDeps = target.AntiDepsNone
		}
	})
	direction := func(p *target.SchedDirection, name, when string) {
		var v string
		s.Enum(&v, name, when+" reg-alloc list scheduling direction", choices("topdown", "bottomup", "bidirectional")...).Hidden().Then(func() {
			*p = map[string]target.SchedDirection{"topdown": target.SchedTopDown, "bottomup": target.SchedBottomUp, "bidirectional": target.SchedBidirectional}[v]
		})
	}
	direction(&t.PreRA, "misched-prera-direction", "Pre")
	direction(&t.PostRA, "misched-postra-direction", "Post")
	s.Bool(&o.mischedPostRA, "misched-postra", "Run MachineScheduler post regalloc (independent of preRA sched)").Hidden()
	s.Bool(&t.UseAA, "enable-aa-sched-mi", "Enable use of AA during MI DAG construction").Hidden()
	unless := func(p *bool, name, help string) {
		on := true
		s.Bool(&on, name, help).Hidden().Then(func() { *p = !on })
	}
	unless(&t.NoPressure, "misched-regpressure", "Enable register pressure scheduling.")
	unless(&t.NoFusion, "misched-fusion", "Enable scheduling for macro fusion.")
	unless(&t.NoCyclicPath, "misched-cyclicpath", "Enable cyclic critical path analysis.")
}
