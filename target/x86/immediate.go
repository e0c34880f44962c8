package x86

import (
	"math"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// immForm is the form of an instruction whose last source is an immediate, 0 when
// there is none.
func immForm(op desc.Opcode) desc.Opcode {
	switch op {
	case tab.ADD64rr:
		return tab.ADD64ri32
	case tab.ADC64rr:
		return tab.ADC64ri32
	case tab.SUB64rr:
		return tab.SUB64ri32
	case tab.SBB64rr:
		return tab.SBB64ri32
	case tab.AND64rr:
		return tab.AND64ri32
	case tab.OR64rr:
		return tab.OR64ri32
	case tab.XOR64rr:
		return tab.XOR64ri32
	case tab.TEST64rr:
		return tab.TEST64ri32
	case tab.CMP64rr:
		return tab.CMP64ri32
	case tab.ADD32rr:
		return tab.ADD32ri
	case tab.ADC32rr:
		return tab.ADC32ri
	case tab.SUB32rr:
		return tab.SUB32ri
	case tab.SBB32rr:
		return tab.SBB32ri
	case tab.AND32rr:
		return tab.AND32ri
	case tab.OR32rr:
		return tab.OR32ri
	case tab.XOR32rr:
		return tab.XOR32ri
	case tab.TEST32rr:
		return tab.TEST32ri
	case tab.CMP32rr:
		return tab.CMP32ri
	case tab.CTEST64rr:
		return tab.CTEST64ri32
	case tab.CTEST32rr:
		return tab.CTEST32ri
	case tab.CCMP64rr:
		return tab.CCMP64ri32
	case tab.CCMP32rr:
		return tab.CCMP32ri
	case tab.SHL64rCL:
		return tab.SHL64ri
	case tab.SHR64rCL:
		return tab.SHR64ri
	case tab.SAR64rCL:
		return tab.SAR64ri
	case tab.ROL64rCL:
		return tab.ROL64ri
	case tab.ROR64rCL:
		return tab.ROR64ri
	case tab.RCL64rCL:
		return tab.RCL64ri
	case tab.RCR64rCL:
		return tab.RCR64ri
	case tab.SHL32rCL:
		return tab.SHL32ri
	case tab.SHR32rCL:
		return tab.SHR32ri
	case tab.SAR32rCL:
		return tab.SAR32ri
	case tab.ROL32rCL:
		return tab.ROL32ri
	case tab.ROR32rCL:
		return tab.ROR32ri
	case tab.RCL32rCL:
		return tab.RCL32ri
	case tab.RCR32rCL:
		return tab.RCR32ri
	}
	return 0
}

// constantIn gives the constant that def moves into r.
func constantIn(f *mir.Function, def mir.InstrID, r mir.Reg) (v int64, ok bool) {
	if f.Instr(def).Opcode == desc.SUBREG_TO_REG {
		// A 32-bit constant that is zero-extended.
		src := 1
		for ; !f.Op(def, src).IsReg(); src++ {
			if o := f.Op(def, src); !o.IsImm() || o.Imm() != 0 {
				return 0, false
			}
		}
		if f.Op(def, src+1).Imm() != int64(tab.Sub32Bit) || f.Op(def, src).SubReg() != 0 || !f.Op(def, src).Reg().IsVirtual() {
			return 0, false
		}
		r = f.Op(def, src).Reg()
		if def = f.UniqueDef(r); def == 0 {
			return 0, false
		}
		if v, ok = constantIn(f, def, r); ok {
			v = int64(uint32(v))
		}
		return v, ok
	}
	switch f.Instr(def).Opcode {
	case tab.MOV32r0:
		return 0, f.Op(def, 0).Reg() == r && f.Op(def, 0).SubReg() == 0
	case tab.MOV32ri, tab.MOV64ri, tab.MOV64ri32, tab.MOV32ri64, tab.MOV8ri:
		o := f.Op(def, 1)
		return o.Imm(), o.IsImm() && f.Op(def, 0).Reg() == r && f.Op(def, 0).SubReg() == 0
	}
	return 0, false
}

// isClass reports whether r is a register of a class or one of its sub-classes.
func isClass(f *mir.Function, r mir.Reg, c desc.ClassID) bool {
	if r.IsPhysical() {
		return f.Facts.ClassContains(c, desc.PhysReg(r))
	}
	k := f.VReg(r).Class
	return k >= 0 && f.Facts.HasSubClassEq(c, desc.ClassID(k))
}

// foldImmediate is InstrHooks.FoldImmediate.
func foldImmediate(st *target.Subtarget, f *mir.Function, use, def mir.InstrID, r mir.Reg) bool {
	v, ok := constantIn(f, def, r)
	if !ok {
		return false
	}
	if isClass(f, r, tab.GR64RegClassID) && v != int64(int32(v)) {
		return false
	}
	at := -1
	for k := range f.Instr(use).NumOps() {
		if o := f.Op(use, k); o.IsUse() && o.Reg() == r {
			if at >= 0 || o.SubReg() != 0 {
				return false
			}
			at = k
		}
	}
	if at < 0 || optSize(f) && r.IsVirtual() && !f.HasOneUse(r) {
		return false
	}
	op := f.Instr(use).Opcode
	if op == desc.COPY {
		ok = constantCopy(f, use, v)
	} else {
		ok = immediateALU(st, f, use, at, v, r)
	}
	if ok && r.IsVirtual() && !f.HasUses(r) {
		f.DropDebugUses(r)
		f.Erase(def)
	}
	return ok
}

// constantCopy makes a copy a move of the constant.
func constantCopy(f *mir.Function, i mir.InstrID, v int64) bool {
	dst := f.Op(i, 0)
	if dst.SubReg() != 0 || f.Instr(i).NumOps() != 2 {
		return false
	}
	r := dst.Reg()
	op := desc.Opcode(0)
	switch {
	case isClass(f, r, tab.GR32RegClassID) && v == 0:
		if flagsLive(f, f.Instr(i).Block(), f.Instr(i).Next()) {
			return false
		}
		f.Instr(i).Opcode = tab.MOV32r0
		f.RemoveOp(i, 1)
		f.AddOp(i, mir.RegOp(reg(tab.EFLAGS), mir.Def|mir.Implicit|mir.Dead))
		return true
	case v == 0:
		return false
	case isClass(f, r, tab.GR64RegClassID) && uint64(v) <= math.MaxUint32:
		op = tab.MOV32ri64
	case isClass(f, r, tab.GR64RegClassID):
		op = tab.MOV64ri
	case isClass(f, r, tab.GR32RegClassID):
		op = tab.MOV32ri
	case isClass(f, r, tab.GR8RegClassID):
		op = tab.MOV8ri
	default:
		return false
	}
	f.Instr(i).Opcode = op
	f.ReplaceOp(i, 1, mir.ImmOp(v))
	return true
}

// immediateALU makes operand at of an arithmetic instruction the constant.
func immediateALU(st *target.Subtarget, f *mir.Function, i mir.InstrID, at int, v int64, r mir.Reg) bool {
	op := f.Instr(i).Opcode
	to := immForm(op)
	if to == 0 {
		return false
	}
	last := 2
	switch op {
	case tab.TEST64rr, tab.TEST32rr, tab.CMP64rr, tab.CMP32rr, tab.CTEST64rr, tab.CTEST32rr, tab.CCMP64rr, tab.CCMP32rr:
		last = 1
	}
	switch op {
	case tab.SUB64rr, tab.SUB32rr, tab.SBB64rr, tab.SBB32rr, tab.CMP64rr, tab.CMP32rr, tab.CCMP64rr, tab.CCMP32rr:
		if at != last {
			return false
		}
	case tab.ADD64rr, tab.ADD32rr, tab.ADC64rr, tab.ADC32rr, tab.AND64rr, tab.AND32rr, tab.OR64rr, tab.OR32rr, tab.XOR64rr, tab.XOR32rr, tab.TEST64rr, tab.TEST32rr, tab.CTEST64rr, tab.CTEST32rr:
		if at > last {
			return false
		}
		if at != last {
			if f.Op(i, 0).IsDef() && f.Op(i, 0).Reg() == f.Op(i, at).Reg() {
				return false // two-address form: the other source would have to be copied
			}
			if !commute(st, f, i, last-1, last) {
				return false
			}
		}
	default:
		// A shift by CL, which is no explicit operand.
		if f.Op(i, at).Reg() != reg(tab.CL) || v != int64(int8(v)) {
			return false
		}
		f.RemoveOp(i, at)
		f.Instr(i).Opcode = to
		f.AddOp(i, mir.ImmOp(v))
		return true
	}
	if v == 0 && last == 2 && op != tab.AND64rr && op != tab.AND32rr && op != tab.ADC64rr && op != tab.ADC32rr && op != tab.SBB64rr && op != tab.SBB32rr && flagsDead(f, i) {
		f.Untie(i, 1)
		for k := f.Instr(i).NumOps() - 1; k >= 2; k-- {
			f.RemoveOp(i, k)
		}
		f.Instr(i).Opcode = desc.COPY
		f.Instr(i).ClearFlags(mir.NoSWrap | mir.NoUWrap)
		return true
	}
	f.Instr(i).Opcode = to
	f.ReplaceOp(i, last, mir.ImmOp(v))
	return true
}

// canInsertSelect is InstrHooks.CanInsertSelect: CMOV of general registers. Its
// latency is that of the processors on which it was two micro-operations.
func canInsertSelect(st *target.Subtarget, f *mir.Function, cond []mir.Operand, dst, whenTrue, whenFalse mir.Reg) (target.SelectCost, bool) {
	if len(cond) != 1 || !cond[0].IsImm() || cond[0].Imm() > condG || !st.HasFeature("cmov") || !whenTrue.IsVirtual() || !whenFalse.IsVirtual() {
		return target.SelectCost{}, false
	}
	a, b := f.VReg(whenTrue).Class, f.VReg(whenFalse).Class
	if a < 0 || b < 0 {
		return target.SelectCost{}, false
	}
	c := f.Facts.CommonSubClass(desc.ClassID(a), desc.ClassID(b))
	if c == desc.NoClass || cmovOf(st, f, c) == 0 {
		return target.SelectCost{}, false
	}
	return target.SelectCost{Cond: 2, True: 2, False: 2}, true
}

// cmovOf is the CMOV of a class of registers, 0 for none.
func cmovOf(st *target.Subtarget, f *mir.Function, c desc.ClassID) desc.Opcode {
	ops := [...]desc.Opcode{tab.CMOV64rr, tab.CMOV32rr, tab.CMOV16rr}
	if st.HasFeature("ndd") {
		ops = [...]desc.Opcode{tab.CMOV64rr_ND, tab.CMOV32rr_ND, tab.CMOV16rr_ND}
	}
	for k, class := range [...]desc.ClassID{tab.GR64RegClassID, tab.GR32RegClassID, tab.GR16RegClassID} {
		if f.Facts.HasSubClassEq(class, c) {
			return ops[k]
		}
	}
	return 0
}

// insertSelect is InstrHooks.InsertSelect.
func insertSelect(st *target.Subtarget, f *mir.Function, b mir.BlockID, at mir.InstrID, loc mir.DebugLoc, cond []mir.Operand, dst, whenTrue, whenFalse mir.Reg) {
	bd := mir.Builder{F: f, Block: b, At: at, Loc: loc}
	bd.BuildInstr(cmovOf(st, f, desc.ClassID(f.VReg(dst).Class)), mir.RegOp(dst, mir.Def), mir.RegOp(whenFalse, 0), mir.RegOp(whenTrue, 0), cond[0])
}
