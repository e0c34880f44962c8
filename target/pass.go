package target

import (
	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// Pass is a pass of a target's own, which codegen/pipeline puts beside
// the passes of all targets.
type Pass struct {
	// Name is LLVM's name of the pass, Title its description.
	Name, Title string
	// Before or After names the pass of the pipeline beside which it stands;
	// one of them is given. Of several names, between commas, the first counts that
	// is in the pipeline of the level. Of several passes at one place the one that
	// is listed first stands first.
	Before, After string
	// Optimizing passes run from -O1 on, where their neighbour may stand alone; From
	// is a higher level.
	Optimizing bool
	From       OptLevel
	// IR says that it works on the function's IR (mir.Function.OwnIR), before there is machine code.
	IR bool
	// Requires must hold of the function before the pass; Sets and Clears say
	// what holds and what no longer holds after it.
	Requires, Sets, Clears mir.Properties
	// KeepsCFG says that blocks and edges stay.
	KeepsCFG bool
	Run      func(c PassContext, f *mir.Function) error
}

// IRPass is a pass over IR that belongs to a target and runs where modules are optimized, under
// LLVM's name; a name may have a parameter, "name<parameter>".
type IRPass struct {
	Name, Title string
	// Flag says that LLVM's old pass manager, whose passes are flags of commands, has it.
	Flag bool
	// Run changes the module.
	Run func() error
}

// IRRun is one run of such passes over a module.
type IRRun struct {
	Module *ir.Module // nil: only the names of the passes are asked for
	Layout *ir.DataLayout
	// Warn takes what a pass has to say of a function, at a debug location or 0.
	Warn func(f *ir.Function, loc ir.MDID, text string)
}

// PassContext is what the passes of targets see beside the function. Analyses
// are those of the function as it is when they are asked for, computed when it
// was not known; they hold no longer when the pass has changed blocks or edges.
type PassContext interface {
	SubtargetOf() *Subtarget
	OptLevel() OptLevel
	CFG() *analysis.Graph
	Dominators() *analysis.Dominators
	Loops() *analysis.Loops
	Frequencies() *analysis.Frequencies
	// Count counts events for -stats, in LLVM's words.
	Count(pass, desc string, n int64)
}
