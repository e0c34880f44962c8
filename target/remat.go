package target

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// IsRematerializable reports whether i, computed again where its register
// operands have the same values, gives the same result and does nothing else.
func (st *Subtarget) IsRematerializable(f *mir.Function, i mir.InstrID) bool {
	in := f.Instr(i)
	if in.Opcode == desc.IMPLICIT_DEF {
		return in.NumOps() == 1
	}
	if !f.Desc(i).IsRematerializable() {
		return false
	}
	if h := st.Target.Instr.IsRematerializable; h != nil && h(st, f, i) {
		return true
	}
	return st.rematerializable(f, i)
}

// IsTriviallyRematerializable is IsRematerializable of instructions that read no virtual register.
func (st *Subtarget) IsTriviallyRematerializable(f *mir.Function, i mir.InstrID) bool {
	if !st.IsRematerializable(f, i) {
		return false
	}
	for _, o := range f.Ops(i) {
		if o.IsUse() && o.Reg().IsVirtual() {
			return false
		}
	}
	return true
}

// readsVirtual reports whether i reads a part of r, or keeps one.
func readsVirtual(f *mir.Function, i mir.InstrID, r mir.Reg) bool {
	for _, o := range f.Ops(i) {
		if o.IsReg() && o.Reg() == r && o.ReadsReg() {
			return true
		}
	}
	return false
}

func (st *Subtarget) rematerializable(f *mir.Function, i mir.InstrID) bool {
	if f.Instr(i).NumOps() == 0 || !f.Op(i, 0).IsReg() {
		return false
	}
	def := *f.Op(i, 0)
	if def.Reg().IsVirtual() && def.SubReg() != 0 && readsVirtual(f, i, def.Reg()) {
		return false // the rest of the register is an input
	}
	if _, fi, _, ok := st.LoadFromStackSlot(f, i); ok && f.Frame.Object(fi).Flags&mir.FrameImmutable != 0 && fi < 0 {
		return true
	}
	d := f.Desc(i)
	switch {
	case d.IsNotDuplicable(), d.MayStore(), d.MayRaiseFPException(), d.HasUnmodeledSideEffects(),
		f.Instr(i).Opcode == desc.INLINEASM, f.Instr(i).Opcode == desc.INLINEASM_BR:
		return false
	case d.MayLoad() && !f.IsInvariantLoad(i):
		return false
	}
	for _, o := range f.Ops(i) {
		if !o.IsReg() || o.Reg() == 0 {
			continue
		}
		if o.Reg().IsPhysical() {
			if o.IsDef() || !st.IsConstantReg(f, o.Reg()) {
				return false
			}
			continue
		}
		if o.IsDef() && o.Reg() != def.Reg() {
			return false
		}
	}
	return true
}

// IsConstantReg reports whether physical register r reads the same all over f: as
// the facts say, or the program counter, which stands for the address that is
// wanted relative to it.
func (st *Subtarget) IsConstantReg(f *mir.Function, r mir.Reg) bool {
	return st.Facts.Regs[r].Flags&desc.RegConstant != 0 || desc.PhysReg(r) == st.Facts.ProgramCounter && r != 0
}

// Rematerialize puts, before at in b, an instruction that computes in dst:sub
// what orig computes in its first operand, and returns it.
func (st *Subtarget) Rematerialize(f *mir.Function, b mir.BlockID, at mir.InstrID, dst mir.Reg, sub uint16, orig mir.InstrID) mir.InstrID {
	n := mir.InstrID(0)
	if h := st.Target.Instr.Rematerialize; h != nil {
		n = h(st, f, b, at, orig)
	}
	if n == 0 {
		n = f.Clone(orig)
	}
	st.substituteDef(f, n, f.Op(orig, 0).Reg(), dst, sub)
	f.InsertBefore(b, at, n)
	return n
}

// substituteDef makes the operands of n that name from name to:sub.
func (st *Subtarget) substituteDef(f *mir.Function, n mir.InstrID, from, to mir.Reg, sub uint16) {
	for k := range f.Instr(n).NumOps() {
		o := f.Op(n, k)
		if !o.IsReg() || o.Reg() != from {
			continue
		}
		if to.IsPhysical() {
			r := to
			for _, s := range [...]uint16{sub, o.SubReg()} {
				if s != 0 {
					r = mir.Reg(st.Facts.SubReg(desc.PhysReg(r), desc.SubRegIdx(s)))
				}
			}
			if o.SubReg() != 0 && o.IsDef() {
				f.SetOpFlag(n, k, mir.Undef, false) // all of that register is defined
			}
			f.SetSubReg(n, k, 0)
			f.SetReg(n, k, r)
			continue
		}
		if s := desc.SubRegIdx(o.SubReg()); sub != 0 {
			f.SetSubReg(n, k, uint16(st.Facts.ComposeSubRegs(desc.SubRegIdx(sub), s)))
		}
		f.SetReg(n, k, to)
	}
}
