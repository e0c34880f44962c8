package mirverify

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// checkOperand checks operand n of i against its declaration, and what its
// kind asks for.
func (v *Verifier) checkOperand(i mir.InstrID, n int) {
	f := v.f
	d := f.Desc(i)
	o := f.Op(i, n)
	v.checkDeclared(i, n, d, o)
	switch o.Kind() {
	case mir.OpReg:
		v.checkRegister(i, n, d, o)
	case mir.OpRegMask:
		if v.tracks {
			v.live.masks = append(v.live.masks, f.RegMasks[o.Index()])
		}
	case mir.OpMBB:
		if f.IsPHI(i) && !v.cfg.isPred(o.Block(), f.Instr(i).Block()) {
			v.errOperand(i, n, "PHI operand is not in the CFG")
		}
	case mir.OpCFIIndex:
		if int(o.Index()) >= len(f.CFI) {
			v.errOperand(i, n, "CFI instruction has invalid index")
		}
	}
}

// checkDeclared compares kind, place and ties of an operand with the opcode's
// declaration.
func (v *Verifier) checkDeclared(i mir.InstrID, n int, d *desc.InstrDesc, o *mir.Operand) {
	defs := int(d.NumDefs)
	if v.f.Instr(i).Opcode == desc.PATCHPOINT && !(n == 0 && o.IsReg()) {
		defs = 0
	}
	if n >= int(d.NumOperands) {
		if n < defs || d.IsVariadic() || excess(o) {
			return
		}
		v.errOperand(i, n, "Extra explicit operand on non-variadic instruction")
		return
	}
	info := &v.in.OperandInfos[int(d.OpInfo)+n]
	if n < defs {
		switch {
		case !o.IsReg():
			v.errOperand(i, n, "Explicit definition must be a register")
		case !o.IsDef() && !info.IsOptionalDef():
			v.errOperand(i, n, "Explicit definition marked as use")
		case o.IsImplicit():
			v.errOperand(i, n, "Explicit definition marked as implicit")
		}
	} else {
		// The last declared operand of a variadic instruction may be one of the list.
		if !d.IsVariadic() || n != int(d.NumOperands)-1 {
			v.checkKind(i, n, d, o, info)
		}
		v.checkTie(i, n, o, int(info.TiedTo))
	}
	if info.EarlyClobber {
		if !o.IsReg() {
			v.errOperand(i, n, "Early clobber must be a register")
		} else if !o.IsEarlyClobber() {
			v.errOperand(i, n, "Missing earlyClobber flag")
		}
	}
}

// excess reports an operand that any instruction may have behind its own.
func excess(o *mir.Operand) bool {
	switch o.Kind() {
	case mir.OpReg:
		return o.IsImplicit()
	case mir.OpRegMask, mir.OpMetadata, mir.OpMCSymbol:
		return true
	}
	return false
}

func (v *Verifier) checkKind(i mir.InstrID, n int, d *desc.InstrDesc, o *mir.Operand, info *desc.OperandInfo) {
	if o.IsReg() {
		if o.IsDef() && !info.IsOptionalDef() && !d.Has(desc.VariadicOpsAreDefs) {
			v.errOperand(i, n, "Explicit operand marked as def")
		}
		if o.IsImplicit() {
			v.errOperand(i, n, "Explicit operand marked as implicit")
		}
		if info.Type == desc.OperandImmediate || info.Type == desc.OperandPCRel && !v.row.PCRelRegs {
			v.errOperand(i, n, "Expected a non-register operand.")
		}
		return
	}
	if info.Type == desc.OperandRegister && o.Kind() != mir.OpFrameIndex {
		v.errOperand(i, n, "Expected a register operand.")
	}
}

func (v *Verifier) checkTie(i mir.InstrID, n int, o *mir.Operand, to int) {
	f := v.f
	switch {
	case to < 0:
		if o.IsReg() && o.IsTied() {
			v.errOperand(i, n, "Explicit operand should not be tied")
		}
	case !o.IsReg():
		v.errOperand(i, n, "Tied use must be a register")
	case !o.IsTied():
		v.errOperand(i, n, "Operand should be tied")
	case f.TiedTo(i, n) != to:
		v.errOperand(i, n, "Tied def doesn't match MCInstrDesc")
	case o.Reg().IsPhysical() && to < f.Instr(i).NumOps():
		other := f.Op(i, to)
		if !other.IsReg() {
			v.errOperand(i, to, "Tied counterpart must be a register")
		} else if other.Reg().IsPhysical() && other.Reg() != o.Reg() {
			v.errOperand(i, to, "Tied physical registers must match.")
		}
	}
}

// checkRegister checks a register operand.
func (v *Verifier) checkRegister(i mir.InstrID, n int, d *desc.InstrDesc, o *mir.Operand) {
	f := v.f
	debug := f.IsDebugInstr(i)
	if debug && o.IsUse() {
		if !o.IsDebug() {
			v.errOperand(i, n, "Register operand must be marked debug")
		}
	} else if o.IsDebug() {
		v.errOperand(i, n, "Register operand must not be marked debug")
	}
	r := o.Reg()
	if r == 0 {
		return
	}
	if v.tracks && !debug {
		v.checkLive(i, n, o)
	}
	if o.IsDef() && o.IsUndef() && o.SubReg() == 0 && r.IsVirtual() {
		v.errOperand(i, n, "Undef virtual register def operands require a subregister")
	}
	if o.IsTied() {
		v.checkTieLinks(i, n, d, o)
	}
	if r.IsPhysical() {
		v.checkPhysical(i, n, d, o)
	} else if r.IsVirtual() {
		v.checkVirtual(i, n, d, o)
	}
}

func (v *Verifier) checkTieLinks(i mir.InstrID, n int, d *desc.InstrDesc, o *mir.Operand) {
	f := v.f
	k := f.TiedTo(i, n)
	if k < 0 || k >= f.Instr(i).NumOps() {
		return
	}
	other := f.Op(i, k)
	if !other.IsReg() {
		v.errOperand(i, n, "Must be tied to a register")
	}
	if !other.IsTied() {
		v.errOperand(i, n, "Missing tie flags on tied operand")
	}
	if f.TiedTo(i, k) != n {
		v.errOperand(i, n, "Inconsistent tie links")
	}
	if n < int(d.NumDefs) {
		if k < int(d.NumOperands) {
			if v.in.OperandInfos[int(d.OpInfo)+k].TiedTo < 0 {
				v.errOperand(i, n, "Explicit def tied to explicit use without tie constraint")
			}
		} else if !other.IsImplicit() {
			v.errOperand(i, n, "Explicit def should be tied to implicit use")
		}
	}
	if v.tiedDone && o.IsUse() && other.IsDef() && other.Reg() != o.Reg() {
		v.errOperand(i, n, "Two-address instruction operands must be identical")
	}
}

func (v *Verifier) checkPhysical(i mir.InstrID, n int, d *desc.InstrDesc, o *mir.Operand) {
	r := o.Reg()
	if o.SubReg() != 0 {
		v.errOperand(i, n, "Illegal subregister index for physical register")
		return
	}
	if int(r) >= len(v.in.Regs) {
		return
	}
	if n < int(d.NumOperands) {
		if c := v.operandClass(i, n); c != desc.NoClass && !v.in.ClassContains(c, desc.PhysReg(r)) {
			v.errOperand(i, n, "Illegal physical register for instruction")
			v.rep.note(v.regText(r), " is not a ", v.in.RegClassName(c), " register.")
		}
	}
	extra := desc.ExtraSrcRegAllocReq
	if o.IsDef() {
		extra = desc.ExtraDefRegAllocReq
	}
	if o.Flags()&mir.Renamable != 0 && !d.Has(extra) && v.alwaysReserved(r) {
		v.errOperand(i, n, "isRenamable set on reserved register")
	}
}

// operandClass is the register class that the declaration asks for. Classes
// that depend on the hardware mode are those of the default one.
func (v *Verifier) operandClass(i mir.InstrID, n int) desc.ClassID {
	return v.in.OperandClass(v.f.Instr(i).Opcode, n, v.mode)
}

func (v *Verifier) checkVirtual(i mir.InstrID, n int, d *desc.InstrDesc, o *mir.Operand) {
	f := v.f
	vr := f.VReg(o.Reg())
	if vr.Class < 0 {
		v.checkGenericReg(i, n, d, o, vr)
		return
	}
	c := desc.ClassID(vr.Class)
	sub := desc.SubRegIdx(o.SubReg())
	if sub != 0 {
		s := v.in.SubClassWithSubReg(c, sub)
		if s == desc.NoClass {
			v.errOperand(i, n, "Invalid subregister index for virtual register")
			v.rep.note("Register class ", v.in.RegClassName(c), " does not support subreg index ", v.in.SubRegIndexName(sub))
			return
		}
		if s != c {
			v.errOperand(i, n, "Invalid register class for subregister index")
			v.rep.note("Register class ", v.in.RegClassName(c), " does not fully support subreg index ", v.in.SubRegIndexName(sub))
			return
		}
	}
	if n >= int(d.NumOperands) {
		return
	}
	want := v.operandClass(i, n)
	if want == desc.NoClass {
		return
	}
	if sub != 0 {
		if want = v.matchingSuper(c, want, sub); want == desc.NoClass {
			v.errOperand(i, n, "No matching super-reg register class.")
			return
		}
	}
	if !v.in.HasSubClassEq(want, c) {
		v.errOperand(i, n, "Illegal virtual register for instruction")
		v.rep.note("Expected a ", v.in.RegClassName(want), " register, but got a ", v.in.RegClassName(c), " register")
	}
}

// matchingSuper is the largest class around c whose registers have a
// sub-register of class want at index sub.
func (v *Verifier) matchingSuper(c, want desc.ClassID, sub desc.SubRegIdx) desc.ClassID {
	// Classes are numbered so that a super-class comes before its sub-classes.
	for k := range v.in.Classes {
		s := desc.ClassID(k)
		if !v.in.HasSubClassEq(s, c) || v.classBits(s) != v.classBits(c) {
			continue
		}
		if m := v.in.MatchingSuperRegClass(s, want, sub); m != desc.NoClass && v.in.HasSubClassEq(m, c) {
			return m
		}
	}
	return v.in.MatchingSuperRegClass(c, want, sub)
}

// checkGenericReg checks an operand whose register has no class yet.
func (v *Verifier) checkGenericReg(i mir.InstrID, n int, d *desc.InstrDesc, o *mir.Operand, vr *mir.VRegInfo) {
	f := v.f
	if o.IsDebug() && f.Props&mir.TracksDebugUserValues == 0 {
		return
	}
	if o.IsUndef() {
		v.errOperand(i, n, "Generic virtual register use cannot be undef")
	}
	if v.selected {
		v.errOperand(i, n, "Generic virtual register invalid in a Selected function")
		return
	}
	if vr.Type == 0 {
		v.errOperand(i, n, "Generic virtual register must have a valid type")
		return
	}
	if vr.Bank < 0 && v.banked {
		v.errOperand(i, n, "Generic virtual register must have a bank in a RegBankSelected function")
		return
	}
	if vr.Bank >= 0 && int(vr.Bank) < len(v.in.Banks) && !vr.Type.IsScalable() {
		if b := &v.in.Banks[vr.Bank]; int(b.MaxSize) < vr.Type.Bits() {
			v.errOperand(i, n, "Register bank is too small for virtual register")
			v.rep.note("Register bank ", v.in.Str(b.Name), " too small(", itoa(int(b.MaxSize)), ") to fit ", itoa(vr.Type.Bits()), "-bits")
			return
		}
	}
	if o.SubReg() != 0 {
		v.errOperand(i, n, "Generic virtual register does not allow subregister index")
		return
	}
	if isGeneric(f.Instr(i).Opcode, d) || n >= int(d.NumOperands) {
		return
	}
	if c := v.operandClass(i, n); c != desc.NoClass {
		v.errOperand(i, n, "Virtual register does not match instruction constraint")
		v.rep.note("Expect register class ", v.in.RegClassName(c), " but got nothing")
	}
}

// alwaysReserved reports a register that no function allocates: reserved in
// every variant of the facts, and not for want of a feature.
func (v *Verifier) alwaysReserved(r mir.Reg) bool {
	if v.o.Reserved != nil {
		return v.isReserved(r)
	}
	if len(v.in.Variants) == 0 {
		return false
	}
	for k := range v.in.Variants {
		if !has(v.in.ReservedRegs(k), r) {
			return false
		}
	}
	if !has(v.allocSet, r) {
		return true
	}
	n := v.in.RegName(desc.PhysReg(r))
	for _, prefix := range v.row.Freed {
		if strings.HasPrefix(n, prefix) {
			return false
		}
	}
	return true
}
