package matchtable

import (
	"slices"

	"fmt"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/bintable"
)

// act runs the actions of the accepted rule.
func (m *Matcher) act(pc int) {
	c, f := m.S.Table.Code, m.F
	root := m.insns[0]
	flags := f.Instr(root).Flags()
	m.b.SetBefore(root)
	m.b.Loc = f.Instr(root).Loc
	raises := f.Desc(root).MayRaiseFPException()
	var opcode desc.Opcode
	for {
		op := code.Op(c[pc])
		pc++
		switch op {
		case code.Done:
			f.Erase(root)
			return
		case code.BuildMI:
			var v uint64
			v, pc = bintable.UintAt(c, pc)
			opcode = desc.Opcode(v)
			m.ops, m.mem = m.ops[:0], m.mem[:0]
		case code.Finish:
			var dead uint64
			dead, pc = bintable.UintAt(c, pc)
			m.finish(opcode, dead, flags, raises)
		case code.MakeTemp:
			var v int64
			v, pc = bintable.IntAt(c, pc)
			m.temps = append(m.temps, f.AddVReg(int16(v)))
		case code.MakeTempLike:
			var o *mir.Operand
			o, pc = m.operand(c, pc)
			m.temps = append(m.temps, f.CloneVReg(o.Reg()))
		case code.SetClass:
			var o *mir.Operand
			o, pc = m.operand(c, pc)
			r := o.Reg()
			var v uint64
			v, pc = bintable.UintAt(c, pc)
			constrainReg(f, r, desc.ClassID(v))
		default:
			pc = m.add(op, c, pc)
		}
	}
}

// add appends operands to the instruction being built.
func (m *Matcher) add(op code.Op, c []byte, pc int) int {
	switch op {
	case code.AddRoot:
		n, pc := bintable.UintAt(c, pc)
		m.Add(mir.RegOp(m.F.Op(m.insns[0], int(n)).Reg(), mir.Def))
		return pc
	case code.AddCopy:
		o, pc := m.operand(c, pc)
		if o.IsReg() {
			m.Add(mir.SubRegOp(o.Reg(), o.SubReg(), 0))
		} else {
			m.Add(*o)
		}
		return pc
	case code.AddCopySub:
		o, pc := m.operand(c, pc)
		sub, pc := bintable.UintAt(c, pc)
		m.Add(mir.SubRegOp(o.Reg(), uint16(sub), 0))
		return pc
	case code.AddTempDef:
		n, pc := bintable.UintAt(c, pc)
		m.Add(mir.RegOp(m.temps[n], mir.Def))
		return pc
	case code.AddTemp:
		n, pc := bintable.UintAt(c, pc)
		sub, pc := bintable.UintAt(c, pc)
		m.Add(mir.SubRegOp(m.temps[n], uint16(sub), 0))
		return pc
	case code.AddImm:
		v, pc := bintable.IntAt(c, pc)
		m.Add(mir.ImmOp(v))
		return pc
	case code.AddConst:
		o, pc := m.operand(c, pc)
		v, _ := m.OperandConst(o)
		m.Add(mir.ImmOp(v))
		return pc
	case code.AddPhys:
		r, pc := bintable.UintAt(c, pc)
		fl, pc := bintable.UintAt(c, pc)
		var flags mir.OpFlags
		if fl == code.PhysDef {
			flags = mir.Def
		}
		m.Add(mir.RegOp(mir.Reg(r), flags))
		return pc
	case code.AddSlot:
		n, pc := bintable.UintAt(c, pc)
		m.ops = append(m.ops, m.slots[n]...)
		return pc
	case code.AddXform:
		i, pc := bintable.UintAt(c, pc)
		o, pc := bintable.UintAt(c, pc)
		h, pc := bintable.UintAt(c, pc)
		m.S.xforms[h](m, m.insns[i], int(o))
		return pc
	case code.AddCond:
		o, pc := m.operand(c, pc)
		n, pc := bintable.UintAt(c, pc)
		m.Add(mir.ImmOp(int64(m.S.conds[n].values[uint(o.Imm())&63])))
		return pc
	}
	panic(fmt.Sprintf("matchtable: action %d, which tblgen does not write", op))
}

// finish creates the instruction collected in m.ops.
func (m *Matcher) finish(op desc.Opcode, dead uint64, flags mir.MIFlags, raises bool) {
	f := m.F
	i := m.b.Build(op, m.ops...)
	n := f.Instr(i).NumOps()
	f.AddImplicitOps(i)
	for k := n; dead != 0 && k < f.Instr(i).NumOps(); k, dead = k+1, dead>>1 {
		if dead&1 != 0 {
			f.Op(i, k).SetFlag(mir.Dead, true)
		}
	}
	d := f.Desc(i)
	if !raises && d.MayRaiseFPException() {
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
