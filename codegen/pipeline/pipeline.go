package pipeline

import (
	"slices"
	"strings"

	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/codegen/debugify"
	"github.com/mirin-go/mirin/codegen/debugvalues"
	"github.com/mirin-go/mirin/codegen/frame"
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/irprep"
	"github.com/mirin-go/mirin/codegen/layout"
	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/outliner"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/regalloc"
	"github.com/mirin-go/mirin/codegen/regalloc/global"
	"github.com/mirin-go/mirin/codegen/sched"
	"github.com/mirin-go/mirin/codegen/ssaopt"
	"github.com/mirin-go/mirin/codegen/tracemetrics"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// Options choose between passes where a flag does.
type Options struct {
	Opt target.OptLevel
	// RegAlloc is -regalloc.
	RegAlloc RegAlloc
	// Outline has machine-outliner run (-enable-machine-outliner).
	Outline bool
	// MISched is -enable-misched; by default the level decides. MISchedPostRA has postmisched
	// run instead of post-RA-sched (-misched-postra).
	MISched       target.Switch
	MISchedPostRA bool
	// EarlyIfCvt has early-ifcvt run (-x86-early-ifcvt).
	EarlyIfCvt bool
	// Pipeliner has pipeliner run (-x86-pipeliner).
	Pipeliner bool
	// Target adds its own passes, and gives its name to passes that LLVM calls
	// after the target; nil does neither.
	Target *target.Target
}

// misched reports whether machine-scheduler runs.
func (o *Options) misched() bool {
	return o.Opt > 0 && (o.MISched == target.SwitchOn || o.MISched == target.SwitchDefault && o.Opt > 2)
}

// RegAlloc names a register allocator.
type RegAlloc string

// The register allocators; the default one follows from the level.
const (
	DefaultRegAlloc RegAlloc = ""
	FastRegAlloc    RegAlloc = "fast"
	BasicRegAlloc   RegAlloc = "basic"
	GreedyRegAlloc  RegAlloc = "greedy"
	PBQPRegAlloc    RegAlloc = "pbqp"
)

// ofTarget names a pass after the target ("x86-…"), as LLVM names those that each target has of its own.
func ofTarget(p pass.Pass, t *target.Target) *pass.Pass {
	if t != nil {
		p.Name = strings.ToLower(t.Family.Name) + "-" + p.Name
	}
	return &p
}

// Passes returns the pipeline from an IR function to what the asm printer takes.
func Passes(o Options) []*pass.Pass {
	var p []*pass.Pass
	add := func(on bool, ps ...*pass.Pass) {
		if on {
			p = append(p, ps...)
		}
	}
	opt := o.Opt > 0
	// IR that the target has instructions for.
	add(true, &irprep.AtomicExpand)
	add(opt, &irprep.LoopReduce)
	add(opt, &irprep.MergeICmps)
	add(opt, &irprep.ExpandMemCmp)
	add(o.Opt > 2, &irprep.ConstantHoisting)
	add(opt, &irprep.PartiallyInlineLibCalls)
	add(true, &irprep.EntryExitInstrumenter)
	add(true, &irprep.ScalarizeMasked)
	add(opt, &irprep.CodeGenPrepare)
	add(true, &irprep.CallBrPrepare)
	add(true, &irprep.StackProtector)
	// Instruction selection: IR to generic machine code to target instructions.
	add(true, &globalisel.IRTranslator)
	add(opt, ofTarget(globalisel.PreLegalizerCombiner, o.Target))
	add(opt, &globalisel.Localizer)
	add(true, &globalisel.Legalizer)
	add(opt, ofTarget(globalisel.PostLegalizerCombiner, o.Target))
	add(opt, &globalisel.LoadStoreOpt)
	add(true, &globalisel.RegBankSelect)
	add(opt, ofTarget(globalisel.RegBankCombiner, o.Target))
	add(true, &globalisel.InstructionSelect)
	add(true, &ssaopt.FinalizeISel)
	// Machine code in SSA form.
	add(o.Opt > 2, &layout.EarlyTailDuplication)
	add(opt, &ssaopt.OptPHIs)
	add(opt, &ssaopt.StackColoring)
	add(opt, &ssaopt.DeadMI)
	add(opt && o.EarlyIfCvt, &ssaopt.EarlyIfConverter)
	add(o.Opt > 2, &ssaopt.MachineCombiner)
	add(opt, &ssaopt.EarlyMachineLICM)
	add(opt, &ssaopt.MachineCSE)
	add(opt, &ssaopt.MachineSink)
	add(opt, &ssaopt.PeepholeOpt)
	add(opt, &ssaopt.DeadMI)
	add(o.Opt > 2, &ssaopt.LiveRangeShrink)
	add(opt && o.Pipeliner, &sched.Pipeliner)
	// Out of SSA form and into registers.
	add(opt, &regalloc.DetectDeadLanes)
	add(opt, &regalloc.InitUndef)
	add(opt, &regalloc.ProcessImpDefs)
	add(opt, &regalloc.UnreachableBlocks)
	add(opt, &liveness.LiveVars)
	add(true, &regalloc.PHIElimination)
	add(true, &regalloc.TwoAddress)
	add(opt, &regalloc.RegisterCoalescer)
	add(opt, &regalloc.RenameSubregs)
	add(o.misched(), &sched.MachineScheduler)
	alloc := o.RegAlloc
	switch {
	case alloc != DefaultRegAlloc:
	case opt:
		alloc = GreedyRegAlloc
	default:
		alloc = FastRegAlloc
	}
	add(alloc == FastRegAlloc, &regalloc.Fast)
	add(alloc != FastRegAlloc, &global.LiveDebugVariables)
	add(alloc == BasicRegAlloc, &global.Basic)
	add(alloc == GreedyRegAlloc, &global.Greedy)
	add(alloc == PBQPRegAlloc, &global.PBQP)
	add(alloc != FastRegAlloc, &global.VirtRegRewriter)
	add(alloc != FastRegAlloc && opt, &global.StackSlotColoring)
	add(alloc != FastRegAlloc && opt, &layout.MachineCP)
	add(o.Opt > 2, &ssaopt.MachineLICM)
	// Frames and what follows.
	add(true, &frame.FixupStatepoint)
	add(opt, &ssaopt.PostRAMachineSink)
	add(opt, &frame.ShrinkWrap)
	add(true, &frame.PrologEpilog)
	add(o.Opt > 2, &ssaopt.MachineLateCleanup)
	add(opt, &layout.BranchFolder)
	add(opt, &layout.TailDuplication)
	add(opt, &layout.MachineCP)
	add(true, &regalloc.PostRAPseudos)
	add(opt && !o.MISchedPostRA, &sched.PostRAScheduler)
	add(opt && o.MISchedPostRA, &sched.PostMachineScheduler)
	add(opt, &layout.BlockPlacement)
	add(!opt, &layout.FallThrough)
	add(true, &layout.FEntryInsert)
	add(true, &layout.XRayInstrumentation)
	add(true, &layout.PatchableFunction)
	add(o.Opt > 2 && (o.Target == nil || o.Target.Instr.Domains != nil), ofTarget(layout.ExecutionDomainFix, o.Target))
	add(opt, &layout.BreakFalseDeps)
	add(true, &debugvalues.LiveDebugValues)
	add(opt && o.Outline, &outliner.MachineOutliner)
	add(true, &frame.CFIInstrInserter)
	if o.Target != nil {
		p = withOwn(p, o.Target, o.Opt)
	}
	return p
}

// withOwn puts the passes of a target in their places.
func withOwn(passes []*pass.Pass, t *target.Target, opt target.OptLevel) []*pass.Pass {
	for k := range t.Passes {
		own := &t.Passes[k]
		if own.Optimizing && opt < max(own.From, 1) {
			continue
		}
		at := -1
		for name := range strings.SplitSeq(own.Before+own.After, ",") {
			if at = slices.IndexFunc(passes, func(p *pass.Pass) bool { return p.Name == name }); at >= 0 {
				break
			}
		}
		if at < 0 {
			panic("pass " + own.Name + " of target " + t.Name + " has no place: there is no " + own.Before + own.After)
		}
		if own.After != "" {
			// Behind those that were put there before it.
			for at++; at < len(passes) && slices.ContainsFunc(t.Passes[:k], func(q target.Pass) bool { return q.Name == passes[at].Name && q.After == own.After }); at++ {
			}
		}
		passes = slices.Insert(passes, at, ownPass(own))
	}
	return passes
}

// ownPass makes a pass of a target's.
func ownPass(own *target.Pass) *pass.Pass {
	p := &pass.Pass{Name: own.Name, Title: own.Title, Requires: own.Requires, Sets: own.Sets, Clears: own.Clears, KeepsCFG: own.KeepsCFG, IR: own.IR,
		Run: func(c *pass.Context, f *mir.Function) error { return own.Run(ownContext{c, f}, f) }}
	if own.Optimizing {
		p.Optional = pass.Skippable
	}
	return p
}

// ownContext is what a target's pass sees.
type ownContext struct {
	c *pass.Context
	f *mir.Function
}

func (o ownContext) SubtargetOf() *target.Subtarget   { return o.c.Subtarget }
func (o ownContext) OptLevel() target.OptLevel        { return o.c.Opt }
func (o ownContext) Count(pass, desc string, n int64) { o.c.Count(pass, desc, n) }
func (o ownContext) CFG() *analysis.Graph             { return &pass.Get[pass.CFG](o.c, o.f).Graph }
func (o ownContext) Dominators() *analysis.Dominators {
	return &pass.Get[pass.Dominators](o.c, o.f).Dominators
}
func (o ownContext) Loops() *analysis.Loops { return &pass.Get[pass.Loops](o.c, o.f).Loops }
func (o ownContext) Frequencies() *analysis.Frequencies {
	return &pass.Get[pass.Frequencies](o.c, o.f).Frequencies
}

// all lists every pass as often as a pipeline has it: those of -O3 and, where they stand, those that only
// other levels or another register allocator has.
func all() []*pass.Pass {
	passes := Passes(Options{Opt: 3})
	for _, o := range []Options{{}, {Opt: 2}, {Opt: 2, RegAlloc: FastRegAlloc}, {Opt: 2, RegAlloc: BasicRegAlloc}, {Opt: 2, RegAlloc: GreedyRegAlloc}, {Opt: 2, RegAlloc: PBQPRegAlloc}, {Opt: 2, MISchedPostRA: true}, {Opt: 2, EarlyIfCvt: true, Pipeliner: true}} {
		at := 0
		for _, p := range Passes(o) {
			// A pass that is named after the target is made anew each time.
			if k := slices.IndexFunc(passes, func(q *pass.Pass) bool { return q.Name == p.Name }); k >= 0 {
				at = k + 1
				continue
			}
			passes = slices.Insert(passes, at, p)
			at++
		}
	}
	return passes
}

// modulePasses are the passes over the module, which no level asks for.
var modulePasses = []*pass.Pass{&outliner.MachineOutliner, &debugify.Debugify, &debugify.CheckDebugify, &debugify.StripDebug}

// unasked are passes over functions that no level asks for.
var unasked = []*pass.Pass{&layout.GCEmptyBasicBlocks, &tracemetrics.Pass}

// ByName returns the pass called name, nil when there is none. t adds its own
// passes; it may be nil.
func ByName(name string, t *target.Target) *pass.Pass {
	if name == pass.MachineVerifier.Name {
		return &pass.MachineVerifier
	}
	for _, p := range modulePasses {
		if p.Name == name {
			return p
		}
	}
	for _, p := range liveness.Passes {
		if p.Name == name {
			return p
		}
	}
	for _, p := range all() {
		if p.Name == name {
			return p
		}
	}
	for _, p := range unasked {
		if p.Name == name {
			return p
		}
	}
	for _, own := range [...]pass.Pass{globalisel.PreLegalizerCombiner, globalisel.PostLegalizerCombiner, globalisel.RegBankCombiner, layout.ExecutionDomainFix} {
		if strings.HasSuffix(name, "-"+own.Name) {
			own.Name = name
			return &own
		}
	}
	if t != nil {
		for k := range t.Passes {
			if t.Passes[k].Name == name {
				return ownPass(&t.Passes[k])
			}
		}
	}
	return nil
}

// NeedsABI returns the first of the passes that has to know how functions call
// and what their frames look like, nil when none has: those over IR, instruction
// selection, and what lays out frames.
func NeedsABI(passes []*pass.Pass) *pass.Pass {
	known := all()
	behind := slices.Index(known, &ssaopt.FinalizeISel)
	for _, p := range passes {
		if k := slices.Index(known, p); p.IR || k >= 0 && k < behind || strings.HasSuffix(p.Name, globalisel.PreLegalizerCombiner.Name) ||
			strings.HasSuffix(p.Name, globalisel.PostLegalizerCombiner.Name) || strings.HasSuffix(p.Name, globalisel.RegBankCombiner.Name) ||
			p == &frame.PrologEpilog || p == &frame.CFIInstrInserter {
			return p
		}
	}
	return nil
}

// Names lists the names of all passes in pipeline order.
func Names() []string {
	var ns []string
	for _, p := range all() {
		ns = append(ns, p.Name)
	}
	return ns
}
