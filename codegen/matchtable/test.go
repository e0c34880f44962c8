package matchtable

import (
	"fmt"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/bintable"
)

// test runs one test whose arguments start at pc.
func (m *Matcher) test(op code.Op, c []byte, pc int) (int, bool) {
	switch op {
	case code.CheckType, code.CheckBank, code.CheckConst, code.CheckConstRange, code.CheckConstHook,
		code.CheckAnyConst, code.CheckFP, code.CheckFPBits, code.CheckCond, code.CheckIntrinsic,
		code.CheckIsReg, code.CheckIsImm, code.CheckIsBlock, code.CheckIsJT:
		return m.testOperand(op, c, pc)
	case code.RecordDef:
		n, pc := bintable.UintAt(c, pc)
		o, pc := m.operand(c, pc)
		if o == nil || !o.IsReg() {
			return pc, false
		}
		d := m.Def(o.Reg())
		m.insns[n] = d
		return pc, d != 0
	case code.CheckSame:
		a, pc := m.operand(c, pc)
		b, pc := m.operand(c, pc)
		if a == nil || b == nil {
			return pc, false
		}
		if !a.IsReg() || !b.IsReg() {
			return pc, a.SameValue(b)
		}
		return pc, m.Look(a.Reg()) == m.Look(b.Reg())
	case code.CheckComplex:
		s, pc := bintable.UintAt(c, pc)
		o, pc := m.operand(c, pc)
		h, pc := bintable.UintAt(c, pc)
		m.slot = int(s)
		m.slots[s] = m.slots[s][:0]
		return pc, o != nil && o.IsReg() && m.S.complex[h](m, o.Reg())
	case code.CheckFeature:
		n, pc := bintable.UintAt(c, pc)
		return pc, m.features[n]
	}
	return m.testInstr(op, c, pc)
}

// testInstr runs a test about an instruction.
func (m *Matcher) testInstr(op code.Op, c []byte, pc int) (int, bool) {
	n, pc := bintable.UintAt(c, pc)
	i := m.insns[n]
	in := m.F.Instr(i)
	switch op {
	case code.CheckOpcode:
		v, pc := bintable.UintAt(c, pc)
		return pc, in.Opcode == desc.Opcode(v)
	case code.CheckOpcodes:
		ok := false
		k, pc := bintable.UintAt(c, pc)
		for ; k > 0; k-- {
			var v uint64
			v, pc = bintable.UintAt(c, pc)
			ok = ok || in.Opcode == desc.Opcode(v)
		}
		return pc, ok
	case code.CheckOneUse:
		return pc, m.F.HasOneUse(m.F.Op(i, 0).Reg())
	case code.CheckNoUse:
		return pc, !m.F.HasUses(m.F.Op(i, 0).Reg())
	case code.CheckFold:
		return pc, m.CanFold(i)
	case code.CheckHook:
		h, pc := bintable.UintAt(c, pc)
		return pc, m.S.instr[h](m, i)
	case code.CheckNumOps:
		v, pc := bintable.UintAt(c, pc)
		return pc, in.NumOps() == int(v)
	}
	v, pc := bintable.UintAt(c, pc)
	if m.F.NumMem(i) == 0 {
		return pc, false
	}
	mem := m.F.MemOf(i, 0)
	switch op {
	case code.CheckMemSize:
		if v == 0 {
			v = uint64(m.F.TypeOf(m.F.Op(i, 0).Reg()).Bits())
		}
		size := mem.Size * 8
		if mem.Type != 0 {
			size = int64(mem.Type.Bytes()) * 8
		}
		return pc, size == int64(v)
	case code.CheckMemOrder:
		return pc, v>>mem.Order&1 != 0
	case code.CheckMemSpace:
		return pc, uint64(mem.AddrSpace) == v
	}
	panic(fmt.Sprintf("matchtable: test %d, which tblgen does not write", op))
}

// testOperand runs a test about one operand.
func (m *Matcher) testOperand(op code.Op, c []byte, pc int) (int, bool) {
	o, pc := m.operand(c, pc)
	switch op {
	case code.CheckType:
		t, pc := bintable.UintAt(c, pc)
		return pc, o != nil && o.IsReg() && typeCode(m.F.TypeOf(o.Reg())) == t
	case code.CheckBank:
		b, pc := bintable.UintAt(c, pc)
		return pc, o != nil && o.IsReg() && m.inBank(o.Reg(), desc.BankID(b))
	case code.CheckConst:
		want, pc := bintable.IntAt(c, pc)
		v, ok := m.OperandConst(o)
		return pc, ok && v == want
	case code.CheckConstRange:
		lo, pc := bintable.IntAt(c, pc)
		hi, pc := bintable.IntAt(c, pc)
		v, ok := m.OperandConst(o)
		return pc, ok && lo <= v && v <= hi
	case code.CheckConstHook:
		h, pc := bintable.UintAt(c, pc)
		v, ok := m.OperandConst(o)
		return pc, ok && m.S.consts[h](v)
	case code.CheckAnyConst:
		_, ok := m.OperandConst(o)
		return pc, ok
	case code.CheckFP:
		_, ok := m.OperandFP(o)
		return pc, ok
	case code.CheckFPBits:
		want, pc := bintable.UintAt(c, pc)
		v, ok := m.OperandFP(o)
		return pc, ok && v == want
	case code.CheckCond:
		n, pc := bintable.UintAt(c, pc)
		return pc, o != nil && o.Kind() == mir.OpPredicate && m.S.conds[n].keys>>(uint(o.Imm())&63)&1 != 0
	case code.CheckIntrinsic:
		n, pc := bintable.UintAt(c, pc)
		return pc, o != nil && o.Kind() == mir.OpIntrinsicID && int(o.Index()) < len(m.F.Intrinsics) &&
			m.F.Intrinsics[o.Index()] == m.S.Table.Intrinsics[n]
	case code.CheckIsReg:
		return pc, o != nil && o.IsReg()
	case code.CheckIsImm:
		return pc, o != nil && (o.IsImm() || o.Kind() == mir.OpCImm)
	case code.CheckIsBlock:
		return pc, o != nil && o.Kind() == mir.OpMBB
	case code.CheckIsJT:
		return pc, o != nil && o.Kind() == mir.OpJTI
	}
	panic(fmt.Sprintf("matchtable: test %d, which tblgen does not write", op))
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
