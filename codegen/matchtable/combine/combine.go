package combine

import (
	"fmt"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Func is a Go function that rules name. As a test it says whether the rule
// goes on and must not change the function that is compiled; as an action it
// builds instructions with m.B, in front of the root, and what it returns is
// of no matter: the root goes afterwards.
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
	Int, Int2 int64
	Pred      uint8
}

// Rule names a rule, for statistics and tests.
type Rule struct {
	Name string
	Line int32
}

// Root says where the rules of an opcode start in the code.
type Root struct {
	Opcode desc.Opcode
	Offset int32
}

// Table is a compiled set of rules.
type Table struct {
	Roots []Root // sorted by opcode
	Code  []int32
	Types []mir.LLT
	Funcs []Func
	Rules []Rule
}

// Matcher applies the rules of a table to one function at a time.
type Matcher struct {
	F *mir.Function
	B *mir.Builder
	T *Table
	// Const and BuildConst read and make constants, as the combiner has them:
	// Const gives the value of a register, sign-extended; BuildConst defines r.
	Const      func(f *mir.Function, r mir.Reg) (int64, bool)
	BuildConst func(b *mir.Builder, r mir.Reg, v int64)
	// Rule is the number of the last rule that matched.
	Rule int

	offsets []int32 // by opcode: offset + 1
	of      *Table  // that offsets is of
	insns   [code.MaxCombineInsns]mir.InstrID
	args    [code.MaxCombineArgs]Arg
	data    [code.MaxCombineData]Data
	temps   []mir.Reg
	pairs   [][2]mir.Reg // registers to be replaced
	ops     []mir.Operand
}

// Start prepares the matcher for a function.
func (m *Matcher) Start(t *Table, f *mir.Function, b *mir.Builder) {
	m.F, m.B, m.T = f, b, t
	if m.of == t {
		return
	}
	m.of = t
	m.offsets = m.offsets[:0]
	for _, r := range t.Roots {
		for len(m.offsets) <= int(r.Opcode) {
			m.offsets = append(m.offsets, 0)
		}
		m.offsets[r.Opcode] = r.Offset + 1
	}
}

// Root returns the instruction being combined.
func (m *Matcher) Root() mir.InstrID { return m.insns[0] }

// Combine applies the first rule that matches instruction i; false when none
// does, and nothing has changed then. Otherwise i is gone.
func (m *Matcher) Combine(i mir.InstrID) bool {
	op := m.F.Instr(i).Opcode
	if int(op) >= len(m.offsets) || m.offsets[op] == 0 {
		return false
	}
	m.insns[0] = i
	pc := m.match(int(m.offsets[op] - 1))
	if pc < 0 {
		return false
	}
	m.act(pc)
	return true
}

// match runs tests from pc; the place of the actions, -1 when no rule matches.
func (m *Matcher) match(pc int) int {
	var fails [code.MaxCombineTries]int32
	n := 0
	c := m.T.Code
	for {
		ok := false
		switch code.CombineOp(c[pc]) {
		case code.CombineTry:
			fails[n] = int32(pc) + 2 + c[pc+1]
			n++
			pc += 2
			continue
		case code.CombineFail:
		case code.CombineDef:
			o := m.op(pc + 2)
			if o.IsReg() {
				d := m.F.UniqueDef(o.Reg())
				m.insns[c[pc+1]] = d
				ok = d != 0
			}
			pc += 4
		case code.CombineOpcode:
			ok = int32(m.F.Instr(m.insns[c[pc+1]]).Opcode) == c[pc+2]
			pc += 3
		case code.CombineNumOps:
			k := int32(m.F.Instr(m.insns[c[pc+1]]).NumOps())
			ok = c[pc+2] <= k && k <= c[pc+3]
			pc += 4
		case code.CombineType:
			o := m.op(pc + 1)
			ok = o.IsReg() && m.F.TypeOf(o.Reg()) == m.T.Types[c[pc+3]]
			pc += 4
		case code.CombineConst:
			if o := m.op(pc + 1); o.IsReg() && o.Reg().IsVirtual() {
				v, is := m.Const(m.F, o.Reg())
				ok = is && v == word64(c, pc+3)
			}
			pc += 5
		case code.CombineImm:
			v, is := m.F.Imm64(m.op(pc + 1))
			ok = is && v == word64(c, pc+3)
			pc += 5
		case code.CombinePred:
			o := m.op(pc + 1)
			ok = o.Kind() == mir.OpPredicate && o.Imm() == int64(c[pc+3])
			pc += 4
		case code.CombineSame:
			a, b := m.op(pc+1), m.op(pc+3)
			ok = a.IsReg() && b.IsReg() && a.Reg() == b.Reg() && a.SubReg() == b.SubReg()
			pc += 5
		case code.CombineFlags:
			fl := uint32(m.F.Instr(m.insns[c[pc+1]]).Flags())
			ok = fl&uint32(c[pc+2]) == uint32(c[pc+2]) && fl&uint32(c[pc+3]) == 0
			pc += 4
		case code.CombineCanReplace:
			a, b := m.op(pc+1), m.op(pc+3)
			ok = a.IsReg() && b.IsReg() && m.CanReplace(a.Reg(), b.Reg())
			pc += 5
		case code.CombineTest, code.CombineNot:
			not := code.CombineOp(c[pc]) == code.CombineNot
			ok, pc = m.call(pc)
			ok = ok != not
		case code.CombineAccept:
			m.Rule = int(c[pc+1])
			return pc + 2
		default:
			panic(fmt.Sprintf("combine: instruction %d where tests stand; tblgen writes none", c[pc]))
		}
		if !ok {
			if n == 0 {
				return -1
			}
			n--
			pc = int(fails[n])
		}
	}
}

// word64 reads a number of two words.
func word64(c []int32, pc int) int64 {
	return int64(uint64(uint32(c[pc])) | uint64(uint32(c[pc+1]))<<32)
}

// op is the operand that two words at pc name.
func (m *Matcher) op(pc int) *mir.Operand {
	c := m.T.Code
	return m.F.Op(m.insns[c[pc]], int(c[pc+1]))
}

// call runs a function; the place behind the arguments.
func (m *Matcher) call(pc int) (bool, int) {
	c := m.T.Code
	f, n := m.T.Funcs[c[pc+1]], int(c[pc+2])
	pc += 3
	for k := range n {
		a := &m.args[k]
		*a = Arg{}
		switch c[pc] {
		case code.CombineArgInstr:
			a.Instr = m.insns[c[pc+1]]
		case code.CombineArgOperand:
			a.Instr, a.Op = m.insns[c[pc+1]], c[pc+2]
		case code.CombineArgData:
			a.Data = &m.data[c[pc+1]]
		case code.CombineArgInt:
			a.Int = word64(c, pc+1)
		}
		pc += 3
	}
	return f(m, m.args[:n]), pc
}

// Reg is the register of an operand argument.
func (m *Matcher) Reg(a Arg) mir.Reg { return m.F.Op(a.Instr, int(a.Op)).Reg() }

// CanReplace reports whether register b may stand wherever a does: virtual
// registers of one type, where neither's class or bank says otherwise.
func (m *Matcher) CanReplace(a, b mir.Reg) bool {
	if !a.IsVirtual() || !b.IsVirtual() || a == b {
		return false
	}
	x, y := m.F.VReg(a), m.F.VReg(b)
	if x.Type == 0 || x.Type != y.Type {
		return false
	}
	return x.Class == y.Class && x.Bank == y.Bank
}
