package matchtable

import (
	"slices"

	"fmt"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// actAll runs the actions of a rule, which stand at pc; false where one cannot be done.
func (m *Matcher) actAll(pc int) bool {
	ok := true
	for {
		op := code.Op(m.code[pc])
		if op == code.Done {
			return true
		}
		if pc, ok = m.act(op, pc+1); !ok {
			return false
		}
	}
}

// act runs one action; false where an operand is not what the action needs.
func (m *Matcher) act(op code.Op, pc int) (int, bool) {
	c, f := m.code, m.F
	switch op {
	case code.BuildMI:
		n, pc := code.Uint(c, pc)
		m.opcode, m.flags = desc.Opcode(n), 0
		m.ops, m.mem = m.ops[:0], m.mem[:0]
		return pc, true
	case code.AddDef:
		r, ok, pc := m.reg(pc)
		m.Add(mir.RegOp(r, mir.Def))
		return pc, ok
	case code.AddCopy:
		o, pc := m.operand(pc)
		if o != nil {
			m.addCopy(o)
		}
		return pc, o != nil
	case code.AddRest:
		i, pc := code.Uint(c, pc)
		n, pc := code.Uint(c, pc)
		for k := n; k < f.Instr(m.insns[i]).NumOps(); k++ {
			m.addCopy(f.Op(m.insns[i], k))
		}
		return pc, true
	case code.AddCopySub:
		r, ok, pc := m.reg(pc)
		sub, pc := code.Uint(c, pc)
		m.Add(mir.SubRegOp(r, uint16(sub), 0))
		return pc, ok
	case code.AddTempDef:
		n, pc := code.Uint(c, pc)
		m.Add(mir.RegOp(m.temps[n], mir.Def))
		return pc, true
	case code.AddTemp:
		n, pc := code.Uint(c, pc)
		sub, pc := code.Uint(c, pc)
		m.Add(mir.SubRegOp(m.temps[n], uint16(sub), 0))
		return pc, true
	case code.AddImm:
		v, pc := code.Int(c, pc)
		m.Add(mir.ImmOp(v))
		return pc, true
	case code.AddConst:
		o, pc := m.operand(pc)
		v, ok := m.OperandConst(o)
		m.Add(mir.ImmOp(v))
		return pc, ok
	case code.AddPhys:
		r, pc := code.Uint(c, pc)
		w, pc := code.Uint(c, pc)
		var flags mir.OpFlags
		if w == code.PhysDef {
			flags = mir.Def
		}
		m.Add(mir.RegOp(mir.Reg(r), flags))
		return pc, true
	case code.AddSlot:
		n, pc := code.Uint(c, pc)
		m.ops = append(m.ops, m.slots[n]...)
		if m.reads[n] != 0 {
			m.AddMem(m.reads[n])
		}
		return pc, true
	case code.AddXform:
		i, pc := code.Uint(c, pc)
		o, pc := code.Uint(c, pc)
		h, pc := code.Uint(c, pc)
		if o >= f.Instr(m.insns[i]).NumOps() {
			return pc, false
		}
		m.T.xforms[h](m, m.insns[i], o)
		return pc, true
	case code.AddCond:
		o, pc := m.operand(pc)
		n, pc := code.Uint(c, pc)
		if o == nil || o.Kind() != mir.OpPredicate {
			return pc, false
		}
		m.Add(mir.ImmOp(int64(m.T.conds[n].values[uint(o.Imm())&63])))
		return pc, true
	case code.AddCmpPred:
		n, pc := code.Uint(c, pc)
		m.Add(mir.PredOp(uint8(n)))
		return pc, true
	case code.AddData:
		n, pc := code.Uint(c, pc)
		kind, pc := code.Uint(c, pc)
		m.addData(&m.data[n], kind)
		return pc, true
	case code.AddFlags:
		n, pc := code.Uint(c, pc)
		m.flags |= f.Instr(m.insns[n]).Flags()
		return pc, true
	case code.Finish:
		dead, pc := code.Uint(c, pc)
		m.finish(uint64(dead))
		return pc, true
	case code.FinishGeneric:
		set, pc := code.Uint(c, pc)
		clear, pc := code.Uint(c, pc)
		i := m.B.Build(m.opcode, m.ops...)
		f.Instr(i).SetFlags((m.flags | mir.MIFlags(set)) &^ mir.MIFlags(clear))
		return pc, true
	case code.CallFunc:
		_, ok, pc := m.call(pc)
		return pc, ok
	}
	return m.actRegs(op, pc)
}

// actRegs runs an action that makes, constrains, defines or replaces registers.
func (m *Matcher) actRegs(op code.Op, pc int) (int, bool) {
	c, f := m.code, m.F
	switch op {
	case code.MakeTemp:
		n, pc := code.Uint(c, pc)
		m.temps = append(m.temps, f.AddVReg(int16(n)))
		return pc, true
	case code.MakeGenericTemp:
		n, pc := code.Uint(c, pc)
		m.temps = append(m.temps, f.AddGenericVReg(m.T.llts[n]))
		return pc, true
	case code.BuildTempConst:
		n, pc := code.Uint(c, pc)
		v, pc := code.Int(c, pc)
		return pc, m.buildConst(m.temps[n], v)
	case code.BuildTempDataConst:
		n, pc := code.Uint(c, pc)
		d, pc := code.Uint(c, pc)
		return pc, m.buildConst(m.temps[n], m.data[d].Int)
	}
	r, ok, pc := m.reg(pc)
	ok = ok && r.IsVirtual()
	switch op {
	case code.MakeTempLike:
		m.temps = append(m.temps, f.AddGenericVReg(f.TypeOf(r)))
		return pc, ok
	case code.BuildConst:
		v, pc := code.Int(c, pc)
		return pc, ok && m.buildConst(r, v)
	case code.ReplaceReg:
		to, is, pc := m.reg(pc)
		return pc, m.replace(r, to, ok && is)
	}
	n, pc := code.Uint(c, pc)
	switch op {
	case code.SetClass:
		if ok {
			constrainReg(f, r, desc.ClassID(n))
		}
		return pc, ok
	case code.BuildDataConst:
		return pc, ok && m.buildConst(r, m.data[n].Int)
	case code.ReplaceRegTemp:
		return pc, m.replace(r, m.temps[n], ok)
	case code.ReplaceRegData:
		return pc, m.replace(r, m.data[n].Reg, ok)
	}
	panic(fmt.Sprintf("matchtable: instruction %d, which code.Verify refuses", op))
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

// finish creates the target instruction collected in m.ops.
func (m *Matcher) finish(dead uint64) {
	f, root := m.F, m.insns[0]
	op, flags := m.opcode, f.Instr(root).Flags()
	implicit := func(r desc.PhysReg, fl mir.OpFlags) {
		if dead&1 != 0 {
			fl |= mir.Dead
		}
		dead >>= 1
		m.Add(mir.RegOp(mir.Reg(r), fl|mir.Implicit))
	}
	for _, r := range f.Facts.ImplicitDefs(op) {
		implicit(r, mir.Def)
	}
	for _, r := range f.Facts.ImplicitUses(op) {
		implicit(r, 0)
	}
	i := m.B.Build(op, m.ops...)
	d := f.Facts.Instr(op)
	if !f.Desc(root).MayRaiseFPException() && d.MayRaiseFPException() {
		flags |= mir.NoFPExcept
	}
	if op != desc.COPY {
		f.Instr(i).SetFlags(flags)
	}
	mem := m.memIDs[:0]
	if d.MayLoad() || d.MayStore() {
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
