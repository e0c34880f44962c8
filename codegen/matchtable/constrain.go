package matchtable

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Constrain makes the registers of instruction i fit the classes that it
// demands: a register takes the common sub-class, or a copy goes between. Ties
// of the description are set, and which results are written before all operands are read. Registers of instructions that demand nothing
// (COPY, PHI, …) get the class of their type and bank.
func (m *Matcher) Constrain(i mir.InstrID) {
	f := m.F
	op := f.Instr(i).Opcode
	infos := f.Facts.Operands(op)
	tied := false
	for n := range f.Instr(i).NumOps() {
		o := f.Op(i, n)
		if !o.IsReg() || o.IsImplicit() {
			continue
		}
		class := desc.NoClass
		if n < len(infos) {
			info := &infos[n]
			tied = tied || info.TiedTo >= 0
			if info.EarlyClobber {
				f.SetOpFlag(i, n, mir.EarlyClobber, true)
			}
			if class = info.RegClass; info.Flags&desc.LookupClassByHwMode != 0 {
				class = f.Facts.OperandClass(op, n, f.Facts.DefaultMode)
			}
		}
		if !o.Reg().IsVirtual() {
			continue
		}
		if class == desc.NoClass {
			m.DefaultClass(o.Reg())
			if sub := f.Op(i, n).SubReg(); sub != 0 {
				m.fitSubReg(i, n, sub)
			}
			continue
		}
		m.constrainOp(i, n, class)
	}
	if op == desc.INSERT_SUBREG || op == desc.SUBREG_TO_REG {
		// What is inserted has its place in the registers of the class.
		sub := uint16(f.Op(i, 3).Imm())
		m.fitSubReg(i, 0, sub)
		if op == desc.INSERT_SUBREG {
			m.fitSubReg(i, 1, sub)
		}
	}
	for n := 0; tied && n < min(len(infos), f.Instr(i).NumOps()); n++ {
		if t := int(infos[n].TiedTo); t >= 0 && !f.Op(i, n).IsTied() && f.Op(i, n).IsUse() && f.Op(i, t).IsDef() {
			f.Tie(i, t, n)
		}
	}
}

// constrainOp makes operand n of i fit a class.
func (m *Matcher) constrainOp(i mir.InstrID, n int, class desc.ClassID) {
	f := m.F
	o := f.Op(i, n)
	r, sub := o.Reg(), o.SubReg()
	if sub != 0 {
		m.DefaultClass(r)
		v := f.VReg(r)
		c := desc.NoClass
		if v.Class >= 0 {
			c = f.Facts.MatchingSuperRegClass(desc.ClassID(v.Class), class, desc.SubRegIdx(sub))
		}
		if c != desc.NoClass {
			v.Class = int16(c)
			return
		}
	} else if constrainReg(f, r, class) {
		return
	}
	t := f.AddVReg(int16(class))
	f.VReg(t).Type = f.TypeOf(r)
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	if o.IsDef() {
		b.SetAfter(i)
		f.SetReg(i, n, t)
		b.Build(desc.COPY, mir.RegOp(r, mir.Def), mir.RegOp(t, 0))
		m.DefaultClass(r)
		return
	}
	m.DefaultClass(r)
	b.SetBefore(i)
	c := b.Build(desc.COPY, mir.RegOp(t, mir.Def), mir.SubRegOp(r, sub, 0))
	if sub != 0 {
		m.fitSubReg(c, 1, sub)
	}
	f.SetSubReg(i, n, 0)
	f.SetReg(i, n, t)
}

// fitSubReg narrows the class of the register of operand n to members that have the sub-register.
func (m *Matcher) fitSubReg(i mir.InstrID, n int, sub uint16) {
	r := m.F.Op(i, n).Reg()
	if !r.IsVirtual() {
		return
	}
	v := m.F.VReg(r)
	if v.Class < 0 {
		return
	}
	if c := m.F.Facts.SubClassWithSubReg(desc.ClassID(v.Class), desc.SubRegIdx(sub)); c != desc.NoClass {
		v.Class = int16(c)
	}
}

// constrainReg makes r a member of a class; false when its class or bank forbids.
func constrainReg(f *mir.Function, r mir.Reg, class desc.ClassID) bool {
	v := f.VReg(r)
	if v.Class >= 0 {
		c := f.Facts.CommonSubClass(desc.ClassID(v.Class), class)
		if c == desc.NoClass || len(f.Facts.ClassOrder(c)) == 0 {
			return false
		}
		v.Class = int16(c)
		return true
	}
	if v.Bank >= 0 && !f.Facts.BankCovers(desc.BankID(v.Bank), class) {
		return false
	}
	v.Class = int16(class)
	return true
}

// DefaultClass gives a register that has no class that of its type and bank;
// false when there is none.
func (m *Matcher) DefaultClass(r mir.Reg) bool {
	v := m.F.VReg(r)
	if v.Class >= 0 {
		return true
	}
	c := m.T.classOf(m.ST, v.Type, v.Bank)
	v.Class = int16(c)
	return c != desc.NoClass
}
