package layout

import (
	"fmt"
	"slices"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
	"github.com/mirin-go/mirin/target"
)

// BranchFolder makes equal ends of blocks one, removes blocks that nothing
// reaches and that do nothing, threads branches over blocks that only jump on,
// moves blocks to where control falls into them, and hoists what both ways of a
// branch begin with.
var BranchFolder = branchFolder(true)

func branchFolder(merge bool) pass.Pass {
	return pass.Pass{
		Name:     "branch-folder",
		Title:    "Control Flow Optimizer",
		Requires: mir.NoPHIs,
		Optional: pass.Skippable,
		Run:      func(c *pass.Context, f *mir.Function) error { return runBranchFolder(c, f, merge) },
		WithParams: func(p *pass.Pass, params string) error {
			switch params {
			case "":
				p.Run = branchFolder(false).Run
			case "enable-tail-merge":
			default:
				return fmt.Errorf("invalid BranchFolderPass pass parameter '%s'", params)
			}
			return nil
		},
	}
}

// Limits of the folder.
const (
	// mergeCandidates is how many blocks are compared with each other; where there are
	// as many, each is looked at only once.
	mergeCandidates = 150
	// minTail is how many instructions ends of blocks must share to be made one.
	minTail = 3
	// maxRounds bounds the rounds of changes that make others possible.
	maxRounds = 32
	// maxVisits bounds how often, on average, a block is met in one walk.
	maxVisits = 4
)

// options say what a folder does.
type options struct {
	merge, hoist bool
	// afterPlacement has it leave loops alone whose blocks are placed.
	afterPlacement bool
	minTail        int
}

// folder is the state of one run.
type folder struct {
	c    *pass.Context
	st   *target.Subtarget
	f    *mir.Function
	o    options
	freq *pass.BlockFreqs
	// liveIns says that live-ins are kept true.
	liveIns bool
	live    liveness.LivePhysRegs
	more    liveness.LivePhysRegs
	ready   bool // live and more are for this function
	optSize bool

	potentials []potential
	same       []sameTail
	cfa        []int64 // by block, empty where pushes are none: see cfaAtEnds
	seen       []bool  // by block, and work: of cfaAtEnds
	work       []mir.BlockID
	tried      []bool  // by block
	loopOf     []int32 // by block, after placement: its innermost loop
	headers    []bool
	renamed    []mir.BlockID // by block: the one that stands for it in jump tables
	anyRenamed bool
	preds      []mir.BlockID
	edgeFreq   []pass.Freq
	regs       hoistRegs
}

func (p *folder) init(c *pass.Context, f *mir.Function, o options) {
	p.c, p.st, p.f, p.o = c, c.Subtarget, f, o
	p.liveIns = f.Props&mir.TracksLiveness != 0
	p.ready, p.anyRenamed = false, false
	p.optSize = target.OptForSize(f)
	p.tried = rows.Zeroed(p.tried, f.NumBlockIDs())
	p.renamed = rows.Zeroed(p.renamed, f.NumBlockIDs())
	p.loopOf, p.headers = p.loopOf[:0], rows.Zeroed(p.headers, f.NumBlockIDs())
	if o.afterPlacement {
		l := pass.Get[pass.Loops](c, f)
		p.loopOf = append(p.loopOf, l.Loop...)
		for k := range l.All {
			p.headers[l.All[k].Header] = true
		}
	}
}

func runBranchFolder(c *pass.Context, f *mir.Function, merge bool) error {
	if f.HasEHScopes {
		return nil // blocks of different funclets must stay apart
	}
	p := pass.Scratch[folder](c)
	o := options{merge: merge && c.Opt > 0, hoist: true, minTail: c.Machine.Options.Tuning.TailMergeSize.Or(minTail)}
	p.init(c, f, o)
	if o.merge {
		p.freq = pass.Get[pass.BlockFreqs](c, f)
	}
	p.run()
	return nil
}

// run folds until nothing changes and reports whether anything did.
func (p *folder) run() bool {
	any := false
	for range maxRounds {
		changed := p.o.merge && p.mergeTails()
		if !p.o.afterPlacement || changed {
			changed = p.branches() || changed
		}
		if p.o.hoist {
			changed = p.hoistAll() || changed
		}
		if !changed {
			break
		}
		any = true
	}
	return p.deadTables() || any
}

// sets makes the sets of registers ready.
func (p *folder) sets() {
	if !p.ready {
		p.live.Init(p.st, p.f)
		p.more.Init(p.st, p.f)
		p.ready = true
	}
}

// deadTables empties jump tables that no instruction names.
func (p *folder) deadTables() bool {
	f := p.f
	if len(f.JumpTables) == 0 {
		return false
	}
	used := make([]bool, len(f.JumpTables))
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			for k := range f.Instr(i).NumOps() {
				if o := f.Op(i, k); o.Kind() == mir.OpJTI {
					used[o.Index()] = true
				}
			}
		}
	}
	changed := false
	for j := range used {
		if !used[j] && len(f.JumpTables[j].Blocks) > 0 {
			f.JumpTables[j].Blocks = f.JumpTables[j].Blocks[:0]
			changed = true
		}
	}
	return changed
}

// branches optimizes the end and the place of each block once.
func (p *folder) branches() bool {
	f := p.f
	f.RenumberBlocks()
	changed := false
	// A block that moves down the function is met again: blocks that want to stand
	// behind one another would move for ever.
	visits := maxVisits * f.NumBlockIDs()
	for b := f.NextBlock(f.FirstBlock()); b != 0 && visits > 0; visits-- {
		next := f.NextBlock(b)
		changed = p.block(b) || changed
		if f.NumPreds(b) == 0 && f.Block(b).Flags&mir.MachineAddrTaken == 0 && f.Block(b).AddrTakenIR == 0 {
			p.remove(b)
			changed = true
		}
		b = next
	}
	p.renameInTables()
	return changed
}

func (p *folder) remove(b mir.BlockID) {
	p.f.RemoveBlock(b)
	p.c.Count("branch-folder", "Number of dead blocks removed", 1)
}

// renameInTables makes jump tables lead where the blocks go that were forwarded.
func (p *folder) renameInTables() {
	if !p.anyRenamed {
		return
	}
	for j := range p.f.JumpTables {
		for e, b := range p.f.JumpTables[j].Blocks {
			for n := 0; int(b) < len(p.renamed) && p.renamed[b] != 0 && n < len(p.renamed); n++ {
				b = p.renamed[b]
			}
			p.f.JumpTables[j].Blocks[e] = b
		}
	}
	clear(p.renamed)
	p.anyRenamed = false
}

func (p *folder) rename(b, to mir.BlockID) {
	if len(p.f.JumpTables) == 0 {
		return
	}
	if n := int(max(b, to)) + 1; n > len(p.renamed) {
		p.renamed = append(p.renamed, make([]mir.BlockID, n-len(p.renamed))...)
	}
	p.renamed[to] = 0 // what leads to it now stays there
	p.renamed[b] = to
	p.anyRenamed = true
}

// isEmpty reports a block of nothing but debug instructions.
func (p *folder) isEmpty(b mir.BlockID) bool {
	return p.firstReal(b) == 0
}

// firstReal is the first instruction of b that is neither of debug information nor a probe.
func (p *folder) firstReal(b mir.BlockID) mir.InstrID {
	f := p.f
	i := f.Block(b).First()
	for i != 0 && (f.IsDebugInstr(i) || f.Instr(i).Opcode == desc.PSEUDO_PROBE) {
		i = f.Instr(i).Next()
	}
	return i
}

// isPad reports blocks that more than branches lead to: landing pads, and what inline assembly jumps to.
func (p *folder) isPad(b mir.BlockID) bool {
	return p.f.Block(b).Flags&(mir.EHPad|mir.InlineAsmBrTarget) != 0
}

// fallThrough optimizes branches to the next block alone, for FallThrough.
func (p *folder) fallThrough() {
	f, st := p.f, p.st
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		br, ok := st.AnalyzeBranch(f, b)
		if !ok || br.True == 0 {
			continue
		}
		next := f.NextBlock(b)
		loc := f.Instr(f.LastReal(b)).Loc
		other := br.False
		if br.Cond != nil && other == 0 {
			other = next
		}
		switch {
		case br.Cond != nil && br.True == other:
			// Both ways lead to the same block.
			st.RemoveBranch(f, b)
			if br.True != next {
				st.InsertBranch(f, b, target.Branch{True: br.True}, loc)
			}
		case br.Cond == nil && br.True == next:
			st.RemoveBranch(f, b)
		case br.Cond != nil && br.False != 0 && br.False == next:
			st.RemoveBranch(f, b)
			st.InsertBranch(f, b, target.Branch{True: br.True, Cond: br.Cond}, loc)
		case br.Cond != nil && br.False != 0 && br.True == next && st.ReverseCond(br.Cond):
			st.RemoveBranch(f, b)
			st.InsertBranch(f, b, target.Branch{True: br.False, Cond: br.Cond}, loc)
		}
	}
}

// FallThrough removes branches to the next block. LLVM's selectors do not
// create them at -O0; here it is a pass of its own.
var FallThrough = pass.Pass{
	Name:     "fallthrough-branches",
	Title:    "Remove branches to the next block",
	Requires: mir.NoPHIs,
	Optional: pass.Skippable,
	KeepsCFG: true,
	Run: func(c *pass.Context, f *mir.Function) error {
		(&folder{c: c, st: c.Subtarget, f: f}).fallThrough()
		return nil
	},
}

// identical reports whether two instructions do the same; with kills, also
// whether the same registers end there.
func identical(f *mir.Function, a, b mir.InstrID, kills bool) bool {
	x, y := f.Instr(a), f.Instr(b)
	if x.Opcode != y.Opcode || x.NumOps() != y.NumOps() || x.Flags()&mir.BundledSucc != y.Flags()&mir.BundledSucc {
		return false
	}
	p, q := f.Ops(a), f.Ops(b)
	for k := range p {
		if !sameOperand(f, &p[k], &q[k]) || kills && p[k].IsReg() && (p[k].Flags()^q[k].Flags())&mir.Kill != 0 {
			return false
		}
	}
	if f.HasExtra(a) || f.HasExtra(b) {
		e, g := f.Extra(a), f.Extra(b)
		if e.PreSymbol != g.PreSymbol || e.PostSymbol != g.PostSymbol || e.CFIType != g.CFIType || e.HasCFIType != g.HasCFIType {
			return false
		}
	}
	return !f.IsDebugInstr(a) || x.Loc == y.Loc
}

func sameOperand(f *mir.Function, a, b *mir.Operand) bool {
	if a.SameValue(b) {
		return true
	}
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case mir.OpRegMask, mir.OpLiveOut:
		return slices.Equal(f.RegMasks[a.Index()], f.RegMasks[b.Index()])
	case mir.OpFPImm:
		return f.FPImms[a.Index()] == f.FPImms[b.Index()]
	}
	return false
}
