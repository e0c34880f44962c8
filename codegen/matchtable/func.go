package matchtable

import (
	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/mir"
)

// Func is a Go function that combine rules name. As a test it says whether the
// rule goes on and must not change the function that is compiled; as an action
// it builds instructions with m.B, in front of the root, and what it returns
// is of no matter: the root goes afterwards.
type Func func(m *Matcher, a []Arg) bool

// Arg is an argument of a Func: a matched instruction, one of its operands, a
// slot of data, or a number.
type Arg struct {
	Instr mir.InstrID
	Op    int32 // of an operand
	Data  *Data // of a slot, else nil
	Int   int64 // of a number
}

// Data is what a test leaves for the actions.
type Data struct {
	Reg, Reg2 mir.Reg
	Int       int64
	Pred      uint8
}

// Reg is the register of an operand argument.
func (m *Matcher) Reg(a Arg) mir.Reg { return m.F.Op(a.Instr, int(a.Op)).Reg() }

// call runs the function that is named at pc; what it says. ok is false when an
// argument is an operand that an instruction does not have.
func (m *Matcher) call(pc int) (said, ok bool) {
	c := m.code
	fn, pc := code.Uint(c, pc)
	n, pc := code.Uint(c, pc)
	ok = true
	for k := range n {
		a := &m.args[k]
		*a = Arg{}
		var kind, x int
		kind, pc = code.Uint(c, pc)
		if kind == code.ArgInt {
			a.Int, pc = code.Int(c, pc)
			continue
		}
		x, pc = code.Uint(c, pc)
		switch kind {
		case code.ArgInstr:
			a.Instr = m.insns[x]
		case code.ArgOperand:
			a.Instr = m.insns[x]
			x, pc = code.Uint(c, pc)
			a.Op = int32(x)
			ok = ok && x < m.F.Instr(a.Instr).NumOps()
		case code.ArgData:
			a.Data = &m.data[x]
		}
	}
	return ok && m.T.funcs[fn](m, m.args[:n]), ok
}
