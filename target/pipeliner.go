package target

import "github.com/mirin-go/mirin/mir"

// LoopCounter is what decides how often a loop of one block is executed: a register that
// changes by Step in each iteration, from Start on, until it is Bound at the end of one.
// How many iterations there are follows from the distance of the two; a distance of 0 stands
// for as many as registers of Bits bits have values.
type LoopCounter struct {
	// Exit is the block behind the loop.
	Exit mir.BlockID
	// Compare does nothing but compare, 0 when the flags are Update's, which computes the
	// counter's next value; both are in the loop. The branches do the rest of the control.
	Compare, Update mir.InstrID
	// Start and Bound are registers from outside of the loop or immediates.
	Start, Bound mir.Operand
	// Early says that the counter is compared before it changes.
	Early bool
	Step  int64
	Bits  int
}

// PipelinerHooks is what pipeliner asks about loops (LLVM's PipelinerLoopInfo). The hooks
// that emit code append to a block without branches, and give conditions for InsertBranch.
type PipelinerHooks struct {
	// Flag has the pass run, and loops be found: no target's pipeline has it by itself.
	Flag string
	// FindCounter understands the control of the loop that block b is; false when it cannot.
	FindCounter func(st *Subtarget, f *mir.Function, b mir.BlockID) (LoopCounter, bool)
	// Distance computes how far Start is from Bound, a multiple of the step's amount where
	// IsWhole, which is nil when it always is, gives that condition.
	Distance func(st *Subtarget, f *mir.Function, b mir.BlockID, c *LoopCounter) mir.Reg
	IsWhole  func(st *Subtarget, f *mir.Function, b mir.BlockID, c *LoopCounter, left mir.Reg) []mir.Operand
	// IsMore gives the condition that more than n iterations are left.
	IsMore func(st *Subtarget, f *mir.Function, b mir.BlockID, c *LoopCounter, left mir.Reg, n int) []mir.Operand
	// Less puts left without n iterations into to, and gives the condition that some are left.
	Less func(st *Subtarget, f *mir.Function, b mir.BlockID, c *LoopCounter, to, left mir.Reg, n int) []mir.Operand
	// NewLeft makes a register for the iterations that are left.
	NewLeft func(f *mir.Function, c *LoopCounter) mir.Reg
}

// PipelinerTuning says what flags change of pipeliner: On has it run, Off has it do nothing;
// the limits are the greatest interval and number of stages above the first; ForceII is the
// interval, 0 the least that is possible; OptSize has it change functions that are
// optimized for size, too.
type PipelinerTuning struct {
	On, Off, OptSize bool
	MaxMII           Limit
	MaxStages        Limit
	ForceII          int
}
