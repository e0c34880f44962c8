package matchtable

import (
	"fmt"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// operand gives the operand that insn and op at pc name, nil when there is no such one.
func (m *Matcher) operand(pc int) (*mir.Operand, int) {
	i, pc := code.Uint(m.code, pc)
	n, pc := code.Uint(m.code, pc)
	if n >= m.F.Instr(m.insns[i]).NumOps() {
		return nil, pc
	}
	return m.F.Op(m.insns[i], n), pc
}

// reg gives the register of the operand that is named at pc; ok is false where there is none.
func (m *Matcher) reg(pc int) (r mir.Reg, ok bool, next int) {
	o, pc := m.operand(pc)
	if o == nil || !o.IsReg() {
		return 0, false, pc
	}
	return o.Reg(), true, pc
}

// typeAt gives the key of an operand's type.
func (m *Matcher) typeAt(pc int) (uint64, int) {
	r, ok, pc := m.reg(pc)
	if !ok {
		return noType, pc
	}
	return typeKey(m.F.TypeOf(r)), pc
}

// step runs one test or action.
func (m *Matcher) step(op code.Op, pc int) (int, bool) {
	c := m.code
	switch op {
	case code.CheckOpcode:
		i, pc := code.Uint(c, pc)
		n, pc := code.Uint(c, pc)
		return pc, m.F.Instr(m.insns[i]).Opcode == desc.Opcode(n)
	case code.CheckType:
		r, ok, pc := m.reg(pc)
		t, pc := code.Uint(c, pc)
		return pc, ok && typeKey(m.F.TypeOf(r)) == m.types[t]
	case code.RecordDef, code.RecordUniqueDef:
		n, pc := code.Uint(c, pc)
		r, ok, pc := m.reg(pc)
		if !ok {
			return pc, false
		}
		d := mir.InstrID(0)
		if op == code.RecordDef {
			d = m.Def(r)
		} else {
			d = m.F.UniqueDef(r)
		}
		m.insns[n] = d
		return pc, d != 0
	case code.CheckComplex:
		s, pc := code.Uint(c, pc)
		r, ok, pc := m.reg(pc)
		h, pc := code.Uint(c, pc)
		m.slot = s
		m.slots[s] = m.slots[s][:0]
		return pc, ok && m.T.complex[h](m, r)
	case code.CheckFeature:
		n, pc := code.Uint(c, pc)
		return pc, m.features[n]
	case code.CheckSame:
		return m.same(pc)
	case code.CheckFunc, code.CheckNotFunc:
		said, ok, pc := m.call(pc)
		return pc, ok && said == (op == code.CheckFunc)
	case code.CheckSameReg, code.CheckCanReplace:
		a, pc := m.operand(pc)
		b, pc := m.operand(pc)
		if a == nil || b == nil || !a.IsReg() || !b.IsReg() {
			return pc, false
		}
		if op == code.CheckCanReplace {
			return pc, m.CanReplace(a.Reg(), b.Reg())
		}
		return pc, a.Reg() == b.Reg() && a.SubReg() == b.SubReg()
	case code.CheckOpcodes, code.CheckNumOps, code.CheckNumOpsIn, code.CheckOneUse, code.CheckNoUse, code.CheckFold, code.CheckHook,
		code.CheckFlags, code.CheckMemSize, code.CheckMemOrder, code.CheckMemSpace:
		return m.testInstr(op, pc)
	}
	if op >= code.Done {
		return m.act(op, pc)
	}
	return m.testOperand(op, pc)
}

// same tests two operands for one value.
func (m *Matcher) same(pc int) (int, bool) {
	a, pc := m.operand(pc)
	b, pc := m.operand(pc)
	switch {
	case a == nil || b == nil:
		return pc, false
	case !a.IsReg() || !b.IsReg():
		return pc, a.SameValue(b)
	}
	return pc, m.Look(a.Reg()) == m.Look(b.Reg())
}

// testInstr runs a test about an instruction.
func (m *Matcher) testInstr(op code.Op, pc int) (int, bool) {
	c := m.code
	n, pc := code.Uint(c, pc)
	i := m.insns[n]
	in := m.F.Instr(i)
	switch op {
	case code.CheckFold:
		return pc, m.CanFold(i)
	case code.CheckOneUse, code.CheckNoUse:
		if in.NumOps() == 0 || !m.F.Op(i, 0).IsReg() {
			return pc, false
		}
		if r := m.F.Op(i, 0).Reg(); op == code.CheckOneUse {
			return pc, m.F.HasOneUse(r)
		} else {
			return pc, !m.F.HasUses(r)
		}
	}
	v, pc := code.Uint(c, pc)
	switch op {
	case code.CheckHook:
		return pc, m.T.instr[v](m, i)
	case code.CheckOpcodes:
		ok := false
		for ; v > 0; v-- {
			var o int
			o, pc = code.Uint(c, pc)
			ok = ok || in.Opcode == desc.Opcode(o)
		}
		return pc, ok
	case code.CheckNumOps:
		return pc, in.NumOps() == v
	case code.CheckNumOpsIn:
		hi, pc := code.Uint(c, pc)
		return pc, v <= in.NumOps() && in.NumOps() <= hi
	case code.CheckFlags:
		clear, pc := code.Uint(c, pc)
		fl := in.Flags()
		return pc, fl&mir.MIFlags(v) == mir.MIFlags(v) && fl&mir.MIFlags(clear) == 0
	}
	return pc, m.F.NumMem(i) > 0 && m.testMem(op, i, v)
}

// testMem runs a test about the memory operand of an instruction.
func (m *Matcher) testMem(op code.Op, i mir.InstrID, v int) bool {
	mem := m.F.MemOf(i, 0)
	switch op {
	case code.CheckMemSize:
		if v == 0 {
			o := m.F.Op(i, 0)
			if !o.IsReg() {
				return false
			}
			v = m.F.TypeOf(o.Reg()).Bits()
		}
		size := mem.Size * 8
		if mem.Type != 0 {
			size = int64(mem.Type.Bytes()) * 8
		}
		return size == int64(v)
	case code.CheckMemOrder:
		return v>>mem.Order&1 != 0
	}
	return int(mem.AddrSpace) == v // CheckMemSpace
}

// testOperand runs a test about one operand.
func (m *Matcher) testOperand(op code.Op, pc int) (int, bool) {
	c := m.code
	o, pc := m.operand(pc)
	switch op {
	case code.CheckIsReg:
		return pc, o != nil && o.IsReg()
	case code.CheckIsImm:
		return pc, o != nil && (o.IsImm() || o.Kind() == mir.OpCImm)
	case code.CheckIsBlock:
		return pc, o != nil && o.Kind() == mir.OpMBB
	case code.CheckIsJT:
		return pc, o != nil && o.Kind() == mir.OpJTI
	case code.CheckAnyConst:
		_, ok := m.OperandConst(o)
		return pc, ok
	case code.CheckFP:
		_, ok := m.OperandFP(o)
		return pc, ok
	case code.CheckConst, code.CheckRegConst, code.CheckImm:
		want, pc := code.Int(c, pc)
		if o == nil {
			return pc, false
		}
		var v int64
		ok := false
		switch {
		case op == code.CheckConst:
			v, ok = m.OperandConst(o)
		case op == code.CheckImm:
			v, ok = m.F.Imm64(o)
		case o.IsReg() && o.Reg().IsVirtual():
			v, ok = m.T.hooks.ConstOf(m.F, o.Reg())
		}
		return pc, ok && v == want
	case code.CheckConstRange:
		lo, pc := code.Int(c, pc)
		hi, pc := code.Int(c, pc)
		v, ok := m.OperandConst(o)
		return pc, ok && lo <= v && v <= hi
	}
	n, pc := code.Uint(c, pc)
	if o == nil {
		return pc, false
	}
	switch op {
	case code.CheckExactType:
		return pc, o.IsReg() && m.F.TypeOf(o.Reg()) == m.T.llts[n]
	case code.CheckBank:
		return pc, o.IsReg() && m.inBank(o.Reg(), desc.BankID(n))
	case code.CheckConstHook:
		v, ok := m.OperandConst(o)
		return pc, ok && m.T.consts[n](v)
	case code.CheckFPBits:
		v, ok := m.OperandFP(o)
		return pc, ok && v == uint64(n)
	case code.CheckCond:
		return pc, o.Kind() == mir.OpPredicate && m.T.conds[n].keys>>(uint(o.Imm())&63)&1 != 0
	case code.CheckCmpPred:
		return pc, o.Kind() == mir.OpPredicate && o.Imm() == int64(n)
	case code.CheckIntrinsic:
		return pc, o.Kind() == mir.OpIntrinsicID && int(o.Index()) < len(m.F.Intrinsics) &&
			m.F.Intrinsics[o.Index()] == m.T.t.Intrinsics[n]
	}
	panic(fmt.Sprintf("matchtable: test %d, which code.Verify refuses", op))
}

// inBank reports whether a register lives in a bank, by its class when it has one.
func (m *Matcher) inBank(r mir.Reg, b desc.BankID) bool {
	if !r.IsVirtual() {
		return false
	}
	v := m.F.VReg(r)
	if v.Bank >= 0 {
		return desc.BankID(v.Bank) == b
	}
	return v.Class >= 0 && m.F.Facts.BankCovers(b, desc.ClassID(v.Class))
}
