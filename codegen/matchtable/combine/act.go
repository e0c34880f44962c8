package combine

import (
	"fmt"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// act runs the actions of the accepted rule.
func (m *Matcher) act(pc int) {
	c, f := m.T.Code, m.F
	root := m.insns[0]
	m.temps, m.pairs = m.temps[:0], m.pairs[:0]
	m.B.SetBefore(root)
	m.B.Loc = f.Instr(root).Loc
	var opcode desc.Opcode
	var flags mir.MIFlags
	for {
		switch code.CombineOp(c[pc]) {
		case code.CombineTemp:
			m.temps = append(m.temps, f.AddGenericVReg(m.T.Types[c[pc+1]]))
			pc += 2
		case code.CombineTempLike:
			m.temps = append(m.temps, f.AddGenericVReg(f.TypeOf(m.op(pc+1).Reg())))
			pc += 3
		case code.CombineBuild:
			opcode, flags = desc.Opcode(c[pc+1]), 0
			m.ops = m.ops[:0]
			pc += 2
		case code.CombineAddDef:
			m.ops = append(m.ops, mir.RegOp(m.op(pc+1).Reg(), mir.Def))
			pc += 3
		case code.CombineAddCopy:
			m.addCopy(m.op(pc + 1))
			pc += 3
		case code.CombineAddRest:
			i := m.insns[c[pc+1]]
			for k := int(c[pc+2]); k < f.Instr(i).NumOps(); k++ {
				m.addCopy(f.Op(i, k))
			}
			pc += 3
		case code.CombineAddTempDef:
			m.ops = append(m.ops, mir.RegOp(m.temps[c[pc+1]], mir.Def))
			pc += 2
		case code.CombineAddTemp:
			m.ops = append(m.ops, mir.RegOp(m.temps[c[pc+1]], 0))
			pc += 2
		case code.CombineAddImm:
			m.ops = append(m.ops, mir.ImmOp(word64(c, pc+1)))
			pc += 3
		case code.CombineAddPred:
			m.ops = append(m.ops, mir.PredOp(uint8(c[pc+1])))
			pc += 2
		case code.CombineAddData:
			d := &m.data[c[pc+1]]
			switch c[pc+2] {
			case code.CombineDataReg:
				m.ops = append(m.ops, mir.RegOp(d.Reg, 0))
			case code.CombineDataImm:
				m.ops = append(m.ops, mir.ImmOp(d.Int))
			default:
				m.ops = append(m.ops, mir.PredOp(d.Pred))
			}
			pc += 3
		case code.CombineCopyFlags:
			flags |= f.Instr(m.insns[c[pc+1]]).Flags()
			pc += 2
		case code.CombineFinish:
			i := m.B.Build(opcode, m.ops...)
			f.Instr(i).SetFlags((flags | mir.MIFlags(uint32(c[pc+1]))) &^ mir.MIFlags(uint32(c[pc+2])))
			pc += 3
		case code.CombineConstTo:
			m.BuildConst(m.B, m.temps[c[pc+1]], word64(c, pc+2))
			pc += 4
		case code.CombineConstRoot:
			m.BuildConst(m.B, m.op(pc+1).Reg(), word64(c, pc+3))
			pc += 5
		case code.CombineConstData:
			r := mir.Reg(0)
			if c[pc+1] == 0 {
				r = m.op(pc + 2).Reg()
			} else {
				r = m.temps[c[pc+2]]
			}
			m.BuildConst(m.B, r, m.data[c[pc+4]].Int)
			pc += 5
		case code.CombineReplace, code.CombineReplaceTemp, code.CombineReplaceData:
			pc = m.replace(pc)
		case code.CombineCall:
			_, pc = m.call(pc)
		case code.CombineErase:
			f.Erase(root)
			for _, p := range m.pairs {
				f.ReplaceReg(p[0], p[1])
			}
			pc++
		case code.CombineDone:
			return
		default:
			panic(fmt.Sprintf("combine: instruction %d where actions stand; tblgen writes none", c[pc]))
		}
	}
}

// addCopy adds an operand of a matched instruction; registers are read.
func (m *Matcher) addCopy(o *mir.Operand) {
	if o.IsReg() {
		m.ops = append(m.ops, mir.SubRegOp(o.Reg(), o.SubReg(), 0))
	} else {
		m.ops = append(m.ops, *o)
	}
}

// replace notes that a register is to be replaced.
func (m *Matcher) replace(pc int) int {
	c := m.T.Code
	old := m.op(pc + 1).Reg()
	switch code.CombineOp(c[pc]) {
	case code.CombineReplace:
		m.pairs = append(m.pairs, [2]mir.Reg{old, m.op(pc + 3).Reg()})
		return pc + 5
	case code.CombineReplaceTemp:
		m.pairs = append(m.pairs, [2]mir.Reg{old, m.temps[c[pc+3]]})
	default:
		m.pairs = append(m.pairs, [2]mir.Reg{old, m.data[c[pc+3]].Reg})
	}
	return pc + 4
}
