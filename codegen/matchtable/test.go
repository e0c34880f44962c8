package matchtable

import (
	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// operand gives the operand that insn and op at pc name, nil when there is no such one.
func (m *Matcher) operand(pc int) (*mir.Operand, int) {
	i, pc := code.Uint(m.code, pc)
	n, pc := code.Uint(m.code, pc)
	ops := m.F.Ops(m.insns[i])
	if n >= len(ops) {
		return nil, pc
	}
	return &ops[n], pc
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

// opcodeAt gives the opcode of a recorded instruction.
func (m *Matcher) opcodeAt(pc int) (uint64, int) {
	i, pc := code.Uint(m.code, pc)
	return uint64(m.F.Instr(m.insns[i]).Opcode), pc
}

// step runs one test or action. The tests are all here, so that one jump finds
// them.
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
	case code.CheckExactType:
		r, ok, pc := m.reg(pc)
		t, pc := code.Uint(c, pc)
		return pc, ok && m.F.TypeOf(r) == m.T.llts[t]
	case code.RecordDef:
		n, pc := code.Uint(c, pc)
		r, ok, pc := m.reg(pc)
		if !ok {
			return pc, false
		}
		d := m.Def(r)
		m.insns[n] = d
		return pc, d != 0
	case code.RecordUniqueDef:
		n, pc := code.Uint(c, pc)
		r, ok, pc := m.reg(pc)
		if !ok {
			return pc, false
		}
		d := m.F.UniqueDef(r)
		m.insns[n] = d
		return pc, d != 0
	case code.CheckConst:
		o, pc := m.operand(pc)
		want, pc := code.Int(c, pc)
		v, ok := m.OperandConst(o)
		return pc, ok && v == want
	case code.CheckRegConst:
		r, ok, pc := m.reg(pc)
		want, pc := code.Int(c, pc)
		if !ok || !r.IsVirtual() {
			return pc, false
		}
		v, ok := m.T.constOf(m.F, r)
		return pc, ok && v == want
	case code.CheckImm:
		o, pc := m.operand(pc)
		want, pc := code.Int(c, pc)
		if o == nil {
			return pc, false
		}
		v, ok := m.F.Imm64(o)
		return pc, ok && v == want
	case code.CheckConstRange:
		o, pc := m.operand(pc)
		lo, pc := code.Int(c, pc)
		hi, pc := code.Int(c, pc)
		v, ok := m.OperandConst(o)
		return pc, ok && lo <= v && v <= hi
	case code.CheckConstHook:
		o, pc := m.operand(pc)
		h, pc := code.Uint(c, pc)
		v, ok := m.OperandConst(o)
		return pc, ok && m.T.consts[h](v)
	case code.CheckAnyConst:
		o, pc := m.operand(pc)
		_, ok := m.OperandConst(o)
		return pc, ok
	case code.CheckFP:
		o, pc := m.operand(pc)
		_, ok := m.OperandFP(o)
		return pc, ok
	case code.CheckFPBits:
		o, pc := m.operand(pc)
		want, pc := code.Uint(c, pc)
		v, ok := m.OperandFP(o)
		return pc, ok && v == uint64(want)
	case code.CheckComplex:
		s, pc := code.Uint(c, pc)
		r, ok, pc := m.reg(pc)
		h, pc := code.Uint(c, pc)
		m.slot = s
		m.slots[s], m.reads[s] = m.slots[s][:0], 0
		return pc, ok && m.T.complex[h](m, r)
	case code.CheckFeature:
		n, pc := code.Uint(c, pc)
		return pc, m.features[n]
	case code.CheckFunc, code.CheckNotFunc:
		said, ok, pc := m.call(pc)
		return pc, ok && said == (op == code.CheckFunc)
	case code.CheckHook:
		i, pc := code.Uint(c, pc)
		h, pc := code.Uint(c, pc)
		return pc, m.T.instr[h](m, m.insns[i])
	case code.CheckFold:
		i, pc := code.Uint(c, pc)
		return pc, m.CanFold(m.insns[i])
	case code.CheckOneUse:
		i, pc := code.Uint(c, pc)
		r, ok := m.firstReg(m.insns[i])
		return pc, ok && m.F.HasOneUse(r)
	case code.CheckNoUse:
		i, pc := code.Uint(c, pc)
		r, ok := m.firstReg(m.insns[i])
		return pc, ok && !m.F.HasUses(r)
	case code.CheckSame:
		return m.same(pc)
	case code.CheckSameReg:
		a, pc := m.operand(pc)
		b, pc := m.operand(pc)
		return pc, a != nil && b != nil && a.IsReg() && b.IsReg() && a.Reg() == b.Reg() && a.SubReg() == b.SubReg()
	case code.CheckCanReplace:
		a, ok, pc := m.reg(pc)
		b, is, pc := m.reg(pc)
		return pc, ok && is && m.CanReplace(a, b)
	case code.CheckOpcodes:
		return m.oneOf(pc)
	case code.CheckNumOps:
		i, pc := code.Uint(c, pc)
		n, pc := code.Uint(c, pc)
		return pc, m.F.Instr(m.insns[i]).NumOps() == n
	case code.CheckNumOpsIn:
		i, pc := code.Uint(c, pc)
		lo, pc := code.Uint(c, pc)
		hi, pc := code.Uint(c, pc)
		n := m.F.Instr(m.insns[i]).NumOps()
		return pc, lo <= n && n <= hi
	case code.CheckFlags:
		i, pc := code.Uint(c, pc)
		set, pc := code.Uint(c, pc)
		clear, pc := code.Uint(c, pc)
		fl := m.F.Instr(m.insns[i]).Flags()
		return pc, fl&mir.MIFlags(set) == mir.MIFlags(set) && fl&mir.MIFlags(clear) == 0
	case code.CheckMemSize, code.CheckMemOrder, code.CheckMemSpace:
		i, pc := code.Uint(c, pc)
		v, pc := code.Uint(c, pc)
		return pc, m.F.NumMem(m.insns[i]) > 0 && m.testMem(op, m.insns[i], v)
	case code.CheckBank:
		r, ok, pc := m.reg(pc)
		n, pc := code.Uint(c, pc)
		return pc, ok && m.inBank(r, desc.BankID(n))
	case code.CheckCond:
		o, pc := m.operand(pc)
		n, pc := code.Uint(c, pc)
		return pc, o != nil && o.Kind() == mir.OpPredicate && m.T.conds[n].keys>>(uint(o.Imm())&63)&1 != 0
	case code.CheckCmpPred:
		o, pc := m.operand(pc)
		n, pc := code.Uint(c, pc)
		return pc, o != nil && o.Kind() == mir.OpPredicate && o.Imm() == int64(n)
	case code.CheckIntrinsic:
		o, pc := m.operand(pc)
		n, pc := code.Uint(c, pc)
		return pc, o != nil && m.isIntrinsic(o, n)
	case code.CheckIsReg:
		_, ok, pc := m.reg(pc)
		return pc, ok
	case code.CheckIsImm:
		o, pc := m.operand(pc)
		return pc, o != nil && (o.IsImm() || o.Kind() == mir.OpCImm)
	case code.CheckIsBlock:
		o, pc := m.operand(pc)
		return pc, o != nil && o.Kind() == mir.OpMBB
	case code.CheckIsJT:
		o, pc := m.operand(pc)
		return pc, o != nil && o.Kind() == mir.OpJTI
	}
	return m.act(op, pc)
}

// firstReg is the register of the first operand.
func (m *Matcher) firstReg(i mir.InstrID) (mir.Reg, bool) {
	ops := m.F.Ops(i)
	if len(ops) == 0 || !ops[0].IsReg() {
		return 0, false
	}
	return ops[0].Reg(), true
}

// oneOf tests the opcode of an instruction for one of a list.
func (m *Matcher) oneOf(pc int) (int, bool) {
	i, pc := code.Uint(m.code, pc)
	n, pc := code.Uint(m.code, pc)
	op, found := m.F.Instr(m.insns[i]).Opcode, false
	for ; n > 0; n-- {
		var o int
		o, pc = code.Uint(m.code, pc)
		found = found || op == desc.Opcode(o)
	}
	return pc, found
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

// isIntrinsic reports whether an operand is the number of an intrinsic.
func (m *Matcher) isIntrinsic(o *mir.Operand, name int) bool {
	x := m.T.intrins[name]
	return o.Kind() == mir.OpIntrinsicID && x.Known() && o.Intrinsic() == x
}

// testMem runs a test about the memory operand of an instruction.
func (m *Matcher) testMem(op code.Op, i mir.InstrID, v int) bool {
	mem := m.F.MemOf(i, 0)
	switch op {
	case code.CheckMemSize:
		if v == 0 {
			r, ok := m.firstReg(i)
			if !ok {
				return false
			}
			v = m.F.TypeOf(r).Bits()
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
