package global

import (
	"strconv"

	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/regalloc/check"
	"github.com/mirin-go/mirin/codegen/regclass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// alloc is what all allocators stand on: the function, where values live, what
// is free, what it costs.
type alloc struct {
	c       *pass.Context
	st      *target.Subtarget
	f       *mir.Function
	in      *desc.Info
	classes *regclass.Info
	idx     *liveness.Indexes
	lis     *liveness.Intervals
	matrix  *liveness.Matrix
	vrm     *VirtRegMap
	loops   *pass.Loops
	freq    []float64 // how often a block runs, 1 for the entry
	// optSize says that code is to be small: all blocks count the same.
	optSize bool
	name    string // of the allocator, for statistics
	// placed says that all registers have their place, and keep it when their intervals change.
	placed bool

	vars     *DebugVars
	weights  weigher
	spiller  spiller
	owner    owner
	newVRegs []mir.Reg
	toShrink []mir.Reg
	deadDefs []mir.InstrID
	stacks   *liveness.Stacks
}

// begin starts the allocation of f.
func (a *alloc) begin(c *pass.Context, f *mir.Function, name string, o owner) error {
	a.c, a.st, a.f, a.in, a.name = c, c.Subtarget, f, f.Facts, name
	if err := a.st.CanAllocate(f); err != nil {
		return err
	}
	a.idx = pass.Get[liveness.Indexes](c, f)
	a.lis = pass.Get[liveness.Intervals](c, f)
	a.vars = pass.Get[DebugVars](c, f)
	a.vars.take(c, f)
	if !a.idx.Packed() {
		// How long a range is must not depend on what stood in it once.
		to := a.lis.Renumber()
		a.vars.renumbered(to)
	}
	pass.Drop[liveness.Matrix](c)
	a.matrix = pass.Get[liveness.Matrix](c, f)
	a.classes = pass.Get[regclass.Info](c, f)
	pass.Drop[VirtRegMap](c)
	a.vrm = pass.Get[VirtRegMap](c, f)
	pass.Drop[liveness.Stacks](c)
	a.stacks = pass.Get[liveness.Stacks](c, f)
	a.loops = pass.Get[pass.Loops](c, f)
	a.freq = pass.Get[pass.Frequencies](c, f).Freq
	a.optSize = hasFnAttr(f, "optsize") || hasFnAttr(f, "minsize")
	if c.CheckRegAlloc {
		a.vrm.snapshot = check.Record(f)
		a.vrm.snapshot.Constants(c.Machine.Target.Instr.ConstantIn)
	}
	a.owner, a.placed = o, false
	a.spiller.begin(a)
	for n := range f.NumVRegs() {
		if r := mir.VReg(n); f.VReg(r).Class < 0 && a.isUsed(r) {
			return a.st.NotSupported(f, "register %"+strconv.Itoa(n)+" without a class in register allocation")
		}
	}
	return nil
}

func hasFnAttr(f *mir.Function, name string) bool {
	_, ok := target.FnAttr(f, name)
	return ok
}

// relFreq is how often block b runs for one run of the function.
func (a *alloc) relFreq(b mir.BlockID) float64 {
	if e := a.freq[a.f.FirstBlock()]; e != 1 {
		return a.freq[b] / e
	}
	return a.freq[b]
}

// order returns the registers of r's class in allocation order.
func (a *alloc) order(r mir.Reg) []desc.PhysReg {
	return a.classes.Order(desc.ClassID(a.f.VReg(r).Class))
}

// oneBlock returns the block that a range begins and ends in, 0 when it reaches
// beyond one.
func (a *alloc) oneBlock(r *liveness.Range) mir.BlockID {
	if r.Empty() {
		return 0
	}
	// A range that begins with a block is live into it, or a PHI's.
	start := r.Begin()
	if start.IsBlock() {
		return 0
	}
	stop := r.End()
	if stop.IsBlock() {
		return 0
	}
	if b := a.idx.BlockAt(start); b == a.idx.BlockAt(stop) {
		return b
	}
	return 0
}

// size is the length of a range in LLVM's measure: 16 an instruction.
func (a *alloc) size(r *liveness.Range) int {
	return a.idx.Distance(0, liveness.Index(min(r.Size(), 1<<32-1)))
}

// isFullCopy reports whether i copies a whole register to another.
func (a *alloc) isFullCopy(i mir.InstrID) bool {
	if a.f.Instr(i).Opcode != desc.COPY {
		return false
	}
	ops := a.f.Ops(i)
	return ops[0].SubReg() == 0 && ops[1].SubReg() == 0
}

// copyOf returns the other register of a full copy that reads or writes r, 0 for
// other instructions. Copies with implicit operands say more than they move.
func (a *alloc) copyOf(i mir.InstrID, r mir.Reg) mir.Reg {
	if !a.isFullCopy(i) || a.f.Instr(i).NumOps() != 2 {
		return 0
	}
	ops := a.f.Ops(i)
	switch r {
	case ops[0].Reg():
		return ops[1].Reg()
	case ops[1].Reg():
		return ops[0].Reg()
	}
	return 0
}

// readsWrites says whether instruction i reads and writes virtual register r,
// and which operands name it.
func readsWrites(f *mir.Function, i mir.InstrID, r mir.Reg) (reads, writes bool) {
	partDef, fullDef, use := false, false, false
	ops := f.Ops(i)
	for k := range ops {
		o := &ops[k]
		if !o.IsReg() || o.Reg() != r {
			continue
		}
		switch {
		case !o.IsDef():
			use = use || !o.IsUndef()
		case o.SubReg() != 0 && !o.IsUndef():
			partDef = true
		default:
			fullDef = true
		}
	}
	// A definition of a part reads the rest, unless the instruction defines it all.
	return use || partDef && !fullDef, partDef || fullDef
}

// renumber makes room for new instructions where it is short, and reports whether
// indexes are others now. Nobody holds one when it is called.
func (a *alloc) renumber() bool {
	if !a.idx.Crowded() {
		return false
	}
	a.vars.renumbered(a.matrix.Renumber(a.stacks))
	return true
}

func (a *alloc) dominators() *analysis.Dominators {
	return &pass.Get[pass.Dominators](a.c, a.f).Dominators
}
