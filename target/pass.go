package target

import "github.com/mirin-go/mirin/mir"

// Pass is a machine pass of a target's own, which codegen/pipeline puts beside
// the passes of all targets.
type Pass struct {
	// Name is LLVM's name of the pass, Title its description.
	Name, Title string
	// Before or After names the pass of the pipeline beside which it stands;
	// one of them is given. Of several passes at one place the one that is listed
	// first stands first.
	Before, After string
	// Optimizing passes run from -O1 on, where their neighbour may stand alone.
	Optimizing bool
	// Requires must hold of the function before the pass; Sets and Clears say
	// what holds and what no longer holds after it.
	Requires, Sets, Clears mir.Properties
	// KeepsCFG says that blocks and edges stay.
	KeepsCFG bool
	Run      func(st *Subtarget, opt OptLevel, f *mir.Function) error
}
