package matchtable

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// opOf gives operand n of a recorded instruction, nil when there is no such one.
func (m *Matcher) opOf(insn uint8, n uint32) *mir.Operand {
	ops := m.F.Ops(m.insns[insn])
	if uint(n) >= uint(len(ops)) {
		return nil
	}
	return &ops[n]
}

// regOf gives the register of an operand; ok is false where there is none.
func (m *Matcher) regOf(insn uint8, n uint32) (mir.Reg, bool) {
	o := m.opOf(insn, n)
	if o == nil || !o.IsReg() {
		return 0, false
	}
	return o.Reg(), true
}

// match runs the tests of a tree; the row of the first rule that matches and is
// allowed, nil for none.
func (m *Matcher) match(t *tree) *row {
	rows := t.rows
	for at := uint32(1); at != 0; {
		r := &rows[at]
		switch r.op {
		case code.SwitchOpcode:
			at = t.choose(r, uint64(m.F.Instr(m.insns[r.insn]).Opcode), r.fail)
			continue
		case code.SwitchType:
			key := noType
			if reg, ok := m.regOf(r.insn, r.opn); ok {
				key = typeKey(m.F.TypeOf(reg))
			}
			at = t.choose(r, key, r.fail)
			continue
		case code.Accept:
			if !slices.Contains(m.refused, int(r.x)) && (m.Allow == nil || m.Allow(int(r.x))) {
				m.Rule, m.ninsns = int(r.x), int(r.n)
				return r
			}
		default:
			if m.holds(t, r) {
				at = r.next
				if r.n != 0 { // a RecordDef
					at = t.choose(r, uint64(m.F.Instr(m.insns[r.insn2]).Opcode), uint32(r.val))
				}
				continue
			}
		}
		at = r.fail
	}
	return nil
}

// holds runs one test. They are all here, so that one jump finds them.
func (m *Matcher) holds(t *tree, r *row) bool {
	switch r.op {
	case code.CheckExactType:
		reg, ok := m.regOf(r.insn, r.opn)
		return ok && m.F.TypeOf(reg) == mir.LLT(r.val)
	case code.RecordDef:
		reg, ok := m.regOf(r.insn, r.opn)
		if !ok {
			return false
		}
		d := m.Def(reg)
		m.insns[r.insn2] = d
		return d != 0
	case code.RecordUniqueDef:
		reg, ok := m.regOf(r.insn, r.opn)
		if !ok {
			return false
		}
		d := m.F.UniqueDef(reg)
		m.insns[r.insn2] = d
		return d != 0
	case code.CheckConst:
		v, ok := m.OperandConst(m.opOf(r.insn, r.opn))
		return ok && v == r.val
	case code.CheckRegConst:
		reg, ok := m.regOf(r.insn, r.opn)
		if !ok || !reg.IsVirtual() {
			return false
		}
		v, ok := m.T.constOf(m.F, reg)
		return ok && v == r.val
	case code.CheckImm:
		o := m.opOf(r.insn, r.opn)
		if o == nil {
			return false
		}
		v, ok := m.F.Imm64(o)
		return ok && v == r.val
	case code.CheckConstRange:
		v, ok := m.OperandConst(m.opOf(r.insn, r.opn))
		return ok && r.val <= v && v <= t.ints[r.x]
	case code.CheckConstHook:
		v, ok := m.OperandConst(m.opOf(r.insn, r.opn))
		return ok && m.T.consts[r.x](v)
	case code.CheckAnyConst:
		_, ok := m.OperandConst(m.opOf(r.insn, r.opn))
		return ok
	case code.CheckFP:
		_, ok := m.OperandFP(m.opOf(r.insn, r.opn))
		return ok
	case code.CheckFPBits:
		v, ok := m.OperandFP(m.opOf(r.insn, r.opn))
		return ok && v == uint64(r.val)
	case code.CheckComplex:
		s := r.insn2
		m.slot = int(s)
		m.slots[s], m.reads[s] = m.slots[s][:0], 0
		reg, ok := m.regOf(r.insn, r.opn)
		return ok && m.T.complex[r.x](m, reg)
	case code.CheckFeature:
		return m.features[r.x]
	case code.CheckFunc, code.CheckNotFunc:
		said, ok := m.call(int(r.val))
		return ok && said == (r.op == code.CheckFunc)
	case code.CheckHook:
		return m.T.instr[r.x](m, m.insns[r.insn])
	case code.CheckFold:
		return m.CanFold(m.insns[r.insn])
	case code.CheckOneUse:
		reg, ok := m.firstReg(m.insns[r.insn])
		return ok && m.F.HasOneUse(reg)
	case code.CheckNoUse:
		reg, ok := m.firstReg(m.insns[r.insn])
		return ok && !m.F.HasUses(reg)
	case code.CheckSame:
		return m.same(m.opOf(r.insn, r.opn), m.opOf(r.insn2, r.x))
	case code.CheckSameReg:
		a, b := m.opOf(r.insn, r.opn), m.opOf(r.insn2, r.x)
		return a != nil && b != nil && a.IsReg() && b.IsReg() && a.Reg() == b.Reg() && a.SubReg() == b.SubReg()
	case code.CheckCanReplace:
		a, ok := m.regOf(r.insn, r.opn)
		b, is := m.regOf(r.insn2, r.x)
		return ok && is && m.CanReplace(a, b)
	case code.CheckNumOps:
		return m.F.Instr(m.insns[r.insn]).NumOps() == int(r.x)
	case code.CheckNumOpsIn:
		n := m.F.Instr(m.insns[r.insn]).NumOps()
		return int(r.x) <= n && n <= int(r.val)
	case code.CheckFlags:
		fl := m.F.Instr(m.insns[r.insn]).Flags()
		return fl&mir.MIFlags(r.x) == mir.MIFlags(r.x) && fl&mir.MIFlags(r.val) == 0
	case opMem:
		return m.testMem(m.insns[r.insn], r)
	case code.CheckBank:
		reg, ok := m.regOf(r.insn, r.opn)
		return ok && m.inBank(reg, desc.BankID(r.x))
	case code.CheckCond:
		o := m.opOf(r.insn, r.opn)
		return o != nil && o.Kind() == mir.OpPredicate && m.T.conds[r.x].keys>>(uint(o.Imm())&63)&1 != 0
	case code.CheckCmpPred:
		o := m.opOf(r.insn, r.opn)
		return o != nil && o.Kind() == mir.OpPredicate && o.Imm() == int64(r.x)
	case code.CheckIntrinsic:
		o := m.opOf(r.insn, r.opn)
		return o != nil && m.isIntrinsic(o, int(r.x))
	case code.CheckIsReg:
		_, ok := m.regOf(r.insn, r.opn)
		return ok
	case code.CheckIsImm:
		o := m.opOf(r.insn, r.opn)
		return o != nil && (o.IsImm() || o.Kind() == mir.OpCImm)
	case code.CheckIsBlock:
		o := m.opOf(r.insn, r.opn)
		return o != nil && o.Kind() == mir.OpMBB
	case code.CheckIsJT:
		o := m.opOf(r.insn, r.opn)
		return o != nil && o.Kind() == mir.OpJTI
	}
	return false // code.Reject
}

// firstReg is the register of the first operand.
func (m *Matcher) firstReg(i mir.InstrID) (mir.Reg, bool) {
	ops := m.F.Ops(i)
	if len(ops) == 0 || !ops[0].IsReg() {
		return 0, false
	}
	return ops[0].Reg(), true
}

// same tests two operands for one value.
func (m *Matcher) same(a, b *mir.Operand) bool {
	switch {
	case a == nil || b == nil:
		return false
	case !a.IsReg() || !b.IsReg():
		return a.SameValue(b)
	}
	return m.Look(a.Reg()) == m.Look(b.Reg())
}

// isIntrinsic reports whether an operand is the number of an intrinsic.
func (m *Matcher) isIntrinsic(o *mir.Operand, name int) bool {
	x := m.T.intrins[name]
	return o.Kind() == mir.OpIntrinsicID && x.Known() && o.Intrinsic() == x
}

// testMem runs a test about the memory operand of an instruction; see opMem.
func (m *Matcher) testMem(i mir.InstrID, r *row) bool {
	if m.F.NumMem(i) == 0 {
		return false
	}
	mem := m.F.MemOf(i, 0)
	if r.x>>mem.Order&1 == 0 || r.opn != noSpace && mem.AddrSpace != r.opn {
		return false
	}
	want := r.val
	switch {
	case want < 0:
		return true
	case want == 0:
		reg, ok := m.firstReg(i)
		if !ok {
			return false
		}
		want = int64(m.F.TypeOf(reg).Bits())
	}
	size := mem.Size * 8
	if mem.Type != 0 {
		size = int64(mem.Type.Bytes()) * 8
	}
	return size == want
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
