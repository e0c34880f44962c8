package pipeline

import (
	"strings"

	"github.com/mirin-go/mirin/codegen/frame"
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/irprep"
	"github.com/mirin-go/mirin/codegen/layout"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/regalloc"
	"github.com/mirin-go/mirin/codegen/ssaopt"
	"github.com/mirin-go/mirin/target"
)

// Options choose between passes where a flag does.
type Options struct {
	Opt target.OptLevel
	// RegAlloc is -regalloc: "default", "fast".
	RegAlloc string
	// Target is LLVM's name of the target in lower case ("x86"): the combiners
	// before and after the legalizer are called after it.
	Target string
}

// ofTarget names a pass after the target, as LLVM names those that each target has of its own.
func ofTarget(p pass.Pass, target string) *pass.Pass {
	if target != "" {
		p.Name = target + "-" + p.Name
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
	// Instruction selection: IR to generic machine code to target instructions.
	add(true, &globalisel.IRTranslator)
	add(opt, ofTarget(globalisel.PreLegalizerCombiner, o.Target))
	add(opt, globalisel.Localizer)
	add(true, &globalisel.Legalizer)
	add(true, globalisel.RegBankSelect)
	add(true, globalisel.InstructionSelect)
	add(true, &ssaopt.FinalizeISel)
	// Machine code in SSA form.
	add(opt, &ssaopt.DeadMI)
	// Out of SSA form and into registers.
	add(true, &regalloc.PHIElimination)
	add(true, &regalloc.TwoAddress)
	add(true, &regalloc.Fast)
	// Frames and what follows.
	add(true, &frame.PrologEpilog)
	add(true, &regalloc.PostRAPseudos)
	add(opt, &layout.BranchFolder)
	add(!opt, &layout.FallThrough)
	add(true, &frame.CFIInstrInserter)
	return p
}

// all lists every pass once, for ByName.
func all() []*pass.Pass {
	return []*pass.Pass{
		&irprep.AtomicExpand, &globalisel.IRTranslator, &globalisel.PreLegalizerCombiner, globalisel.Localizer, &globalisel.Legalizer,
		globalisel.RegBankSelect, globalisel.InstructionSelect,
		&ssaopt.FinalizeISel, &ssaopt.DeadMI,
		&regalloc.PHIElimination, &regalloc.TwoAddress, &regalloc.Fast, &regalloc.PostRAPseudos,
		&frame.PrologEpilog, &layout.BranchFolder, &layout.FallThrough, &frame.CFIInstrInserter,
	}
}

// ByName returns the pass called name, nil when there is none; "none" is the
// pass that does nothing.
func ByName(name string) *pass.Pass {
	if name == pass.MachineVerifier.Name {
		return &pass.MachineVerifier
	}
	for _, p := range all() {
		if p.Name == name {
			return p
		}
	}
	if target, ok := strings.CutSuffix(name, "-"+globalisel.PreLegalizerCombiner.Name); ok {
		return ofTarget(globalisel.PreLegalizerCombiner, target)
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
