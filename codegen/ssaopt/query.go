package ssaopt

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// Questions about single instructions that several passes ask, answered as
// LLVM answers them: the flags of the description, what INLINEASM says in its
// operands, and memory operands.

func isConvergent(f *mir.Function, i mir.InstrID) bool {
	if f.Instr(i).Flags()&mir.NoConvergent != 0 {
		return false
	}
	return f.Desc(i).IsConvergent() || f.InlineAsmFlags(i)&mir.AsmConvergent != 0
}

func mayRaiseFP(f *mir.Function, i mir.InstrID) bool {
	return f.Desc(i).MayRaiseFPException() && f.Instr(i).Flags()&mir.NoFPExcept == 0
}

// isPosition reports labels and frame instructions, which mean the place where they stand.
func isPosition(op desc.Opcode) bool {
	switch op {
	case desc.EH_LABEL, desc.GC_LABEL, desc.ANNOTATION_LABEL, desc.CFI_INSTRUCTION:
		return true
	}
	return false
}

// isCopyLike reports COPY and SUBREG_TO_REG.
func isCopyLike(op desc.Opcode) bool { return op == desc.COPY || op == desc.SUBREG_TO_REG }

// safeToMove reports that i may stand elsewhere as far as its effects go. It
// sets sawStore when a load must not pass i, and reads it for loads.
func safeToMove(f *mir.Function, i mir.InstrID, sawStore *bool) bool {
	if f.MayStore(i) || f.Desc(i).IsCall() || f.IsPHI(i) || f.MayLoad(i) && f.HasOrderedMem(i) {
		*sawStore = true
		return false
	}
	op := f.Instr(i).Opcode
	if op == desc.INLINEASM || op == desc.INLINEASM_BR { // which may trap where nothing asked for it
		return false
	}
	if isPosition(op) || f.IsDebugInstr(i) || f.Desc(i).IsTerminator() || mayRaiseFP(f, i) || f.HasSideEffects(i) || op == desc.JUMP_TABLE_DEBUG_INFO {
		return false
	}
	if f.MayLoad(i) && !f.IsInvariantLoad(i) {
		return !*sawStore
	}
	return true
}

// numDefs counts the declared definitions, implicit ones included.
func numDefs(f *mir.Function, i mir.InstrID) int {
	d := f.Desc(i)
	return int(d.NumDefs) + int(d.NumImplicitDefs)
}

// Registers.

// isReserved reports that allocation must not use a register.
func isReserved(reserved []uint32, r mir.Reg) bool {
	return int(r/32) < len(reserved) && reserved[r/32]>>(r%32)&1 != 0
}

// physRegs answers about physical registers in one function.
type physRegs struct {
	f        *mir.Function
	reserved []uint32
}

// reset reads which registers are reserved in f.
func (p *physRegs) reset(c *pass.Context, f *mir.Function) {
	p.f = f
	p.reserved = c.Subtarget.ReservedSet(f, p.reserved)
}

// isAllocatable reports a register that values may be allocated to.
func (p *physRegs) isAllocatable(r mir.Reg) bool {
	return p.f.Facts.Regs[r].Flags&desc.RegInAllocatableSet != 0 && !isReserved(p.reserved, r)
}

// isConstant reports a register that always reads the same in the function.
func (p *physRegs) isConstant(r mir.Reg) bool {
	in := p.f.Facts
	if in.Regs[r].Flags&desc.RegConstant != 0 {
		return true
	}
	if p.isAllocatable(r) {
		return false // the common case
	}
	for _, a := range in.Aliases(desc.PhysReg(r)) {
		if p.f.HasDefs(mir.Reg(a)) || p.isAllocatable(mir.Reg(a)) {
			return false
		}
	}
	return true
}

// overlaps reports whether physical registers share a part.
func overlaps(f *mir.Function, a, b mir.Reg) bool {
	return f.Facts.Overlap(desc.PhysReg(a), desc.PhysReg(b))
}

// clobbers reports that a register mask does not preserve r.
func clobbers(f *mir.Function, o *mir.Operand, r mir.Reg) bool {
	mask := f.RegMasks[o.Index()]
	return int(r/32) >= len(mask) || mask[r/32]>>(r%32)&1 == 0
}

// clearKills clears the kill flags of all uses of r.
func clearKills(f *mir.Function, r mir.Reg) {
	for id := f.FirstUse(r); id != 0; id = f.NextUse(id) {
		if f.OpAt(id).IsKill() {
			i, n := f.Owner(id)
			f.SetOpFlag(i, n, mir.Kill, false)
		}
	}
}

// clearDeads clears the dead flags of the definitions of virtual register r.
func clearDeads(f *mir.Function, r mir.Reg) {
	for id := f.FirstUse(r); id != 0 && f.OpAt(id).IsDef(); id = f.NextUse(id) {
		if f.OpAt(id).IsDead() {
			i, n := f.Owner(id)
			f.SetOpFlag(i, n, mir.Dead, false)
		}
	}
}

// defOf returns the instruction that defines virtual register r in SSA form, 0 for none.
func defOf(f *mir.Function, r mir.Reg) mir.InstrID {
	if id := f.FirstUse(r); id != 0 && f.OpAt(id).IsDef() {
		i, _ := f.Owner(id)
		return i
	}
	return 0
}

// constrain gives r a class, bank and type that fit both r and what with has;
// false, with nothing changed, when there are none.
func constrain(f *mir.Function, r, with mir.Reg) bool {
	return constrainMin(f, r, with, 0)
}

// constrainMin is constrain that refuses a class of fewer than atLeast
// allocatable registers, unless r has it already.
func constrainMin(f *mir.Function, r, with mir.Reg, atLeast int) bool {
	v, w := f.VReg(r), f.VReg(with)
	if v.Type != w.Type && v.Type.IsValid() && w.Type.IsValid() {
		return false
	}
	switch {
	case w.Class >= 0 && v.Class >= 0:
		if !constrainClass(f, r, desc.ClassID(w.Class), atLeast) {
			return false
		}
	case w.Class >= 0 || w.Bank >= 0:
		switch {
		case v.Class < 0 && v.Bank < 0:
			v.Class, v.Bank = w.Class, w.Bank
		case v.Class != w.Class || v.Bank != w.Bank:
			return false
		}
	}
	if w.Type.IsValid() {
		v.Type = w.Type
	}
	return true
}

// constrainClass makes the class of r its common sub-class with c.
func constrainClass(f *mir.Function, r mir.Reg, c desc.ClassID, atLeast int) bool {
	v := f.VReg(r)
	if v.Class < 0 {
		return false
	}
	old := desc.ClassID(v.Class)
	if old == c {
		return true
	}
	n := f.Facts.CommonSubClass(old, c)
	if n == desc.NoClass {
		return false
	}
	if n != old {
		if len(f.Facts.ClassMembers(n)) < atLeast {
			return false
		}
		v.Class = int16(n)
	}
	return true
}

// moveDebugUses makes the debug instructions that name r, which is about to go, name to.
func moveDebugUses(f *mir.Function, r, to mir.Reg) {
	for id := f.FirstUse(r); id != 0; {
		next := f.NextUse(id)
		if f.OpAt(id).IsDebug() {
			i, n := f.Owner(id)
			f.SetReg(i, n, to)
		}
		id = next
	}
}

// minSize reports that size counts alone in f.
func minSize(f *mir.Function) bool {
	_, ok := target.FnAttr(f, "minsize")
	return ok
}

// optForSize reports that size counts more than speed in f.
func optForSize(f *mir.Function) bool {
	_, ok := target.FnAttr(f, "optsize")
	return ok || minSize(f)
}
