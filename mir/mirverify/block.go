package mirverify

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// checkBlock checks a block, its instructions and their operands.
func (v *Verifier) checkBlock(b mir.BlockID) {
	f := v.f
	v.block = b
	v.bundle, v.firstTerminator, v.firstNonPHI = 0, 0, 0
	v.beginBlock(b)
	inBundle := false
	for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
		fl := f.Instr(i).Flags()
		if fl&mir.BundledPred == 0 {
			if v.bundle != 0 {
				v.endBundle()
			}
			v.bundle = i
			v.beginBundle(i)
		} else if v.bundle == 0 {
			v.errInstr(i, "No bundle header")
		}
		v.checkInstr(i)
		for n := range f.Instr(i).NumOps() {
			v.checkOperand(i, n)
		}
		if inBundle && fl&mir.BundledPred == 0 {
			v.errInstr(i, "Missing BundledPred flag, BundledSucc was set on predecessor")
		}
		if !inBundle && fl&mir.BundledPred != 0 {
			v.errInstr(i, "BundledPred flag is set, but BundledSucc not set on predecessor")
		}
		inBundle = fl&mir.BundledSucc != 0
	}
	if v.bundle != 0 {
		v.endBundle()
	}
	if inBundle {
		v.errInstr(f.Block(b).Last(), "BundledSucc flag set on last instruction in block")
	}
	v.endBlock(b)
}

// beginBlock checks the block as such and starts liveness from its live-ins.
func (v *Verifier) beginBlock(b mir.BlockID) {
	f := v.f
	blk := f.Block(b)
	if f.Props&mir.NoPHIs == 0 && v.tracks && b != f.FirstBlock() && blk.Flags&(mir.EHPad|mir.InlineAsmBrTarget) == 0 {
		for _, l := range f.LiveInsOf(b) {
			if r := l.Reg; r.IsPhysical() && has(v.allocSet, r) && !v.isReserved(r) {
				v.errBlock(b, "MBB has allocatable live-in, but isn't entry, landing-pad, or inlineasm-br-indirect-target.")
				v.notePhys(r)
			}
		}
	}
	v.checkEdges(b)
	v.checkExits(b)
	v.live.begin()
	if !v.tracks {
		return
	}
	v.addPristine()
	for _, l := range f.LiveInsOf(b) {
		r := l.Reg
		if !r.IsPhysical() {
			v.errBlock(b, "MBB live-in list contains non-physical register")
			continue
		}
		v.live.addWithSubs(v.in, r)
	}
}

// checkEdges checks the lists of successors and predecessors. That the two
// agree, LLVM's "Inconsistent CFG", package mir sees to.
func (v *Verifier) checkEdges(b mir.BlockID) {
	f := v.f
	pads := 0
	for _, s := range f.Succs(b) {
		blk := f.Block(s.Block)
		if blk.Flags&mir.EHPad != 0 {
			pads++
		}
		if blk.Number < 0 {
			v.errBlock(b, "MBB has successor that isn't part of the function.")
		}
	}
	for _, p := range f.Preds(b) {
		if f.Block(p).Number < 0 {
			v.errBlock(b, "MBB has predecessor that isn't part of the function.")
		}
	}
	if pads > 1 && !v.manyPads() {
		v.errBlock(b, "MBB has more than one landing pad successor")
	}
}

// duplicateEdges looks for blocks that have an edge twice.
func (v *Verifier) duplicateEdges() {
	f, s := v.f, &v.flow
	again := func(b mir.BlockID) bool {
		was := s.seen[b]
		s.seen[b] = s.stamp
		return was == s.stamp
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		s.stamp++
		if slices.ContainsFunc(f.Preds(b), again) {
			v.errBlock(b, "MBB has duplicate entries in its predecessor list.")
		}
		s.stamp++
		if slices.ContainsFunc(f.Succs(b), func(e mir.Succ) bool { return again(e.Block) }) {
			v.errBlock(b, "MBB has duplicate entries in its successor list.")
		}
	}
}

// manyPads reports a function whose blocks may unwind to several pads: those
// with scoped exception handling, and where there is no personality to ask.
func (v *Verifier) manyPads() bool {
	f := v.f
	return f.HasEHScopes || f.HasEHFunclets || f.IR == nil || v.row.ManyPads
}

func (v *Verifier) beginBundle(i mir.InstrID) {
	f := v.f
	term := f.Desc(i).IsTerminator()
	if f.Instr(i).Opcode == desc.BUNDLE {
		for k := range f.InBundle(i) {
			term = term || f.Desc(k).IsTerminator()
		}
	}
	switch {
	case term:
		if v.firstTerminator == 0 {
			v.firstTerminator = i
		}
	case v.firstTerminator != 0 && f.Instr(v.firstTerminator).Opcode != desc.G_INVOKE_REGION_START:
		v.errInstr(i, "Non-terminator instruction after the first terminator")
		r := v.rep
		r.line("First terminator was:\t")
		r.text = r.pr.AppendInstr(r.text, v.firstTerminator)
		r.note()
	}
}
