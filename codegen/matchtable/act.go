package matchtable

import (
	"slices"

	"fmt"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// actAll runs the actions of a rule; false where one cannot be done.
func (m *Matcher) actAll(rc *recipe) bool {
	for k := range rc.acts {
		if !m.act(rc, &rc.acts[k]) {
			return false
		}
	}
	return true
}

// act runs one action; false where an operand is not what the action needs.
func (m *Matcher) act(rc *recipe, a *action) bool {
	f := m.F
	switch a.op {
	case code.BuildMI:
		m.opcode, m.flags = desc.Opcode(a.x), 0
		m.ops = m.ops[:0]
		m.mem = m.mem[:0]
	case code.AddImm:
		m.ops = append(m.ops, rc.ops[a.x:a.val]...)
	case code.AddDef:
		r, ok := m.regOf(a.insn, a.opn)
		m.Add(mir.RegOp(r, mir.Def))
		return ok
	case code.AddCopy:
		o := m.opOf(a.insn, a.opn)
		if o != nil {
			m.addCopy(o)
		}
		return o != nil
	case code.AddRest:
		for k := int(a.opn); k < f.Instr(m.insns[a.insn]).NumOps(); k++ {
			m.addCopy(f.Op(m.insns[a.insn], k))
		}
	case code.AddCopySub:
		r, ok := m.regOf(a.insn, a.opn)
		m.Add(mir.SubRegOp(r, uint16(a.x), 0))
		return ok
	case code.AddTempDef:
		m.Add(mir.RegOp(m.temps[a.insn], mir.Def))
	case code.AddTemp:
		m.Add(mir.SubRegOp(m.temps[a.insn], uint16(a.x), 0))
	case code.AddConst:
		v, ok := m.OperandConst(m.opOf(a.insn, a.opn))
		m.Add(mir.ImmOp(v))
		return ok
	case code.AddSlot:
		m.ops = append(m.ops, m.slots[a.insn]...)
		if m.reads[a.insn] != 0 {
			m.AddMem(m.reads[a.insn])
		}
	case code.AddXform:
		if int(a.opn) >= f.Instr(m.insns[a.insn]).NumOps() {
			return false
		}
		m.T.xforms[a.x](m, m.insns[a.insn], int(a.opn))
	case code.AddCond:
		o := m.opOf(a.insn, a.opn)
		if o == nil || o.Kind() != mir.OpPredicate {
			return false
		}
		m.Add(mir.ImmOp(int64(m.T.conds[a.x].values[uint(o.Imm())&63])))
	case code.AddData:
		m.addData(&m.data[a.insn], int(a.x))
	case code.AddFlags:
		m.flags |= f.Instr(m.insns[a.insn]).Flags()
	case code.Finish:
		m.finish(rc, a)
	case code.FinishGeneric:
		i := m.B.Build(m.opcode, m.ops...)
		f.Instr(i).SetFlags((m.flags | mir.MIFlags(a.x)) &^ mir.MIFlags(a.val))
	case code.CallFunc:
		_, ok := m.call(int(a.val))
		return ok
	default:
		return m.actRegs(a)
	}
	return true
}

// actRegs runs an action that makes, constrains, defines or replaces registers.
func (m *Matcher) actRegs(a *action) bool {
	f := m.F
	switch a.op {
	case code.MakeTemp:
		m.temps = append(m.temps, f.AddVReg(int16(a.x)))
		return true
	case code.MakeGenericTemp:
		m.temps = append(m.temps, f.AddGenericVReg(m.T.llts[a.x]))
		return true
	case code.BuildTempConst:
		return m.buildConst(m.temps[a.insn], a.val)
	case code.BuildTempDataConst:
		return m.buildConst(m.temps[a.insn], m.data[a.x].Int)
	}
	r, ok := m.regOf(a.insn, a.opn)
	ok = ok && r.IsVirtual()
	switch a.op {
	case code.MakeTempLike:
		m.temps = append(m.temps, f.AddGenericVReg(f.TypeOf(r)))
		return ok
	case code.BuildConst:
		return ok && m.buildConst(r, a.val)
	case code.ReplaceReg:
		to, is := m.regOf(uint8(a.x), uint32(a.val))
		return m.replace(r, to, ok && is)
	case code.SetClass:
		if ok {
			constrainReg(f, r, desc.ClassID(a.x))
		}
		return ok
	case code.BuildDataConst:
		return ok && m.buildConst(r, m.data[a.x].Int)
	case code.ReplaceRegTemp:
		return m.replace(r, m.temps[a.x], ok)
	case code.ReplaceRegData:
		return m.replace(r, m.data[a.x].Reg, ok)
	}
	panic(fmt.Sprintf("matchtable: instruction %d, which code.Verify refuses", a.op))
}

// addCopy adds an operand of a matched instruction; registers are read.
func (m *Matcher) addCopy(o *mir.Operand) {
	if o.IsReg() {
		m.Add(mir.SubRegOp(o.Reg(), o.SubReg(), 0))
	} else {
		m.Add(*o)
	}
}

// addData adds what a function left.
func (m *Matcher) addData(d *Data, kind int) {
	switch kind {
	case code.DataReg:
		m.Add(mir.RegOp(d.Reg, 0))
	case code.DataImm:
		m.Add(mir.ImmOp(d.Int))
	default:
		m.Add(mir.PredOp(d.Pred))
	}
}

// buildConst defines a register as a constant.
func (m *Matcher) buildConst(r mir.Reg, v int64) bool {
	if !m.F.TypeOf(r).IsValid() {
		return false
	}
	m.T.buildConst(&m.B, r, v)
	return true
}

// replace notes that a register is to be replaced.
func (m *Matcher) replace(old, by mir.Reg, ok bool) bool {
	if !ok || !by.IsVirtual() {
		return false
	}
	m.pairs = append(m.pairs, [2]mir.Reg{old, by})
	return true
}

// finish creates the target instruction collected in m.ops. The last one is the
// root itself, which becomes it where it stands.
func (m *Matcher) finish(rc *recipe, a *action) {
	f, i := m.F, m.insns[0]
	m.ops = append(m.ops, rc.ops[a.x:a.val]...)
	flags := f.Instr(i).Flags()
	if a.does&doesRaise != 0 && !m.Raises && !f.Desc(i).MayRaiseFPException() {
		flags |= mir.NoFPExcept
	}
	mem := m.memIDs[:0]
	if a.does&doesMemory != 0 {
		for k := range m.ninsns {
			src := m.insns[k]
			for _, id := range f.MemIDs(src) {
				mem = appendNew(mem, id)
			}
		}
	}
	for _, id := range m.mem {
		mem = appendNew(mem, id)
	}
	if a.does&doesLast != 0 {
		f.Become(i, m.opcode, m.ops...)
		m.became = true
	} else {
		i = m.B.Build(m.opcode, m.ops...)
	}
	if m.opcode != desc.COPY {
		f.Instr(i).SetFlags(flags)
	}
	if len(mem) > 0 {
		f.SetMem(i, mem...)
	}
	m.memIDs = mem
	m.Constrain(i)
}

// appendNew adds a memory operand unless it is there.
func appendNew(mem []mir.MemID, id mir.MemID) []mir.MemID {
	if slices.Contains(mem, id) {
		return mem
	}
	return append(mem, id)
}
