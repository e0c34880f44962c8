package sched

import (
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
	case desc.EH_LABEL, desc.GC_LABEL, desc.ANNOTATION_LABEL, desc.CFI_INSTRUCTION, desc.INLINEASM_BR, desc.FAKE_USE:
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
// instruction or none are left out.
func appendRegions(list []region, c *pass.Context, f *mir.Function, b mir.BlockID) []region {
	last := f.Block(b).Last()
	if last == 0 {
		return list
	}
	end := mir.InstrID(0)
	// above is the last instruction that may belong to the region.
	above := last
	for {
		if above != 0 && isBoundary(c, f, above) {
			end = above
			above = f.Instr(above).Prev()
		}
		n, begin := 0, end
		for above != 0 && !isBoundary(c, f, above) {
			if !isDebug(f, above) {
				n++
			}
			begin = above
			above = f.Instr(above).Prev()
		}
		if n > 1 {
			list = append(list, region{begin, end, n})
		}
		if above == 0 {
			return list
		}
	}
}
