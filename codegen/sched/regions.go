package sched

import (
	"iter"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// region is a run of instructions of a block: from begin until before end (0:
// the end of the block). n counts those that are no debug instructions.
type region struct {
	begin, end mir.InstrID
	n          int
}

// isBoundary reports an instruction that no other is moved across: calls,
// terminators, labels, bundles, what moves the stack pointer, and what the target says.
func isBoundary(c *pass.Context, f *mir.Function, i mir.InstrID) bool {
	d := f.Desc(i)
	if d.IsCall() || d.IsTerminator() || f.IsBundled(i) || f.IsPHI(i) {
		return true
	}
	switch f.Instr(i).Opcode {
	case desc.EH_LABEL, desc.GC_LABEL, desc.ANNOTATION_LABEL, desc.CFI_INSTRUCTION, desc.INLINEASM_BR:
		return true
	}
	if h := c.Subtarget.Target.Instr.IsSchedulingBoundary; h != nil && h(f, i) {
		return true
	}
	sp := c.Subtarget.Variant.StackPointer
	if sp == 0 {
		return false
	}
	ops := f.Ops(i)
	for k := range ops {
		o := &ops[k]
		switch {
		case o.Kind() == mir.OpRegMask:
			if m := f.RegMasks[o.Index()]; int(sp/32) >= len(m) || m[sp/32]>>(sp%32)&1 == 0 {
				return true
			}
		case o.IsDef() && o.Reg().IsPhysical() && f.Facts.Overlap(desc.PhysReg(o.Reg()), sp):
			return true
		}
	}
	return false
}

// isDebug reports instructions that are no code: they have no place in the graph.
func isDebug(f *mir.Function, i mir.InstrID) bool {
	return f.IsDebugInstr(i) || f.Instr(i).Opcode == desc.PSEUDO_PROBE
}

// appendRegions lists the regions of b, the last one first; those of one
// instruction or none are left out. Fake uses end regions, too.
func appendRegions(list []region, c *pass.Context, f *mir.Function, b mir.BlockID) []region {
	for r := range regionsOf(c, f, b, true) {
		if r.n > 1 {
			list = append(list, r)
		}
	}
	return list
}

// appendEveryRegion lists all regions of b, the last one first: one behind and one
// before each boundary, even if nothing stands there.
func appendEveryRegion(list []region, c *pass.Context, f *mir.Function, b mir.BlockID) []region {
	for r := range regionsOf(c, f, b, false) {
		list = append(list, r)
	}
	return list
}

// regionsOf finds the regions of b from the last to the first.
func regionsOf(c *pass.Context, f *mir.Function, b mir.BlockID, fakeUses bool) iter.Seq[region] {
	isEnd := func(i mir.InstrID) bool {
		return isBoundary(c, f, i) || fakeUses && f.Instr(i).Opcode == desc.FAKE_USE
	}
	return func(yield func(region) bool) {
		r := region{}
		for i := f.Block(b).Last(); i != 0; i = f.Instr(i).Prev() {
			switch {
			case isEnd(i):
				if !yield(r) {
					return
				}
				r = region{begin: i, end: i}
				continue
			case !isDebug(f, i):
				r.n++
			}
			r.begin = i
		}
		yield(r)
	}
}
