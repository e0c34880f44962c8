package matchtable

import (
	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// A recipe is the actions of one rule as Matchers run them: rows of one size
// instead of bytes, and what they add that does not depend on the function, as
// operands. It is made when the rule is first applied and never changed.
type recipe struct {
	acts []action
	ops  []mir.Operand
}

// action is an action: 24 bytes, pointer-free. Which fields it has depends on op;
// see Matcher.act. AddImm stands for all operands that do not depend on the
// function, which are ops[x:val]; so are the implicit operands of a Finish.
type action struct {
	op   code.Op
	insn uint8 // a recorded instruction (and operand opn of it), a slot, a temporary or a slot of data
	does does  // of a Finish
	opn  uint32
	x    uint32
	val  int64
}

// does says what the instruction of a Finish does, by its description, and where it stands.
type does uint8

const (
	doesMemory does = 1 << iota // may access memory
	doesRaise                   // may raise a floating-point exception
	doesLast                    // is the last that the rule builds: the root becomes it
)

// recipeOf gives the recipe of the rule that an Accept row leads to.
func (m *Matcher) recipeOf(t *tree, r *row) *recipe {
	at := &t.recipes[r.opn]
	if have := at.Load(); have != nil {
		return have
	}
	rc := new(recipe)
	rc.read(m.T, m.F.Facts, int(r.val))
	at.Store(rc) // whoever makes it makes the same
	return rc
}

// read reads the actions at pc.
func (rc *recipe) read(t *Table, facts *desc.Info, pc int) {
	c := t.t.Code
	opcode := desc.Opcode(0)
	for code.Op(c[pc]) != code.Done {
		a := action{op: code.Op(c[pc])}
		pc = a.readArgs(c, pc+1)
		switch a.op {
		case code.BuildMI:
			opcode = desc.Opcode(a.x)
		case code.AddImm:
			rc.add(mir.ImmOp(a.val))
			continue
		case code.AddCmpPred:
			rc.add(mir.PredOp(uint8(a.x)))
			continue
		case code.AddPhys:
			flags := mir.OpFlags(0)
			if a.val == code.PhysDef {
				flags = mir.Def
			}
			rc.add(mir.RegOp(mir.Reg(a.x), flags))
			continue
		case code.Finish:
			rc.implicit(&a, facts, opcode)
			if code.Op(c[pc]) == code.Done {
				a.does |= doesLast
			}
		}
		rc.acts = append(rc.acts, a)
	}
}

// add appends an operand, to those of the row before when that adds such ones.
func (rc *recipe) add(o mir.Operand) {
	rc.ops = append(rc.ops, o)
	if n := len(rc.acts); n > 0 && rc.acts[n-1].op == code.AddImm {
		rc.acts[n-1].val++
		return
	}
	rc.acts = append(rc.acts, action{op: code.AddImm, x: uint32(len(rc.ops) - 1), val: int64(len(rc.ops))})
}

// implicit gives the Finish of an instruction its implicit operands; bit n of what
// it has read says that implicit operand n is not read.
func (rc *recipe) implicit(a *action, facts *desc.Info, op desc.Opcode) {
	dead := uint64(a.val)
	a.x = uint32(len(rc.ops))
	add := func(r desc.PhysReg, fl mir.OpFlags) {
		if dead&1 != 0 {
			fl |= mir.Dead
		}
		dead >>= 1
		rc.ops = append(rc.ops, mir.RegOp(mir.Reg(r), fl|mir.Implicit))
	}
	for _, r := range facts.ImplicitDefs(op) {
		add(r, mir.Def)
	}
	for _, r := range facts.ImplicitUses(op) {
		add(r, 0)
	}
	a.val = int64(len(rc.ops))
	d := facts.Instr(op)
	if d.MayLoad() || d.MayStore() {
		a.does |= doesMemory
	}
	if d.MayRaiseFPException() {
		a.does |= doesRaise
	}
}

// readArgs reads the operands of an action, which stand at pc, and gives the place behind them.
func (a *action) readArgs(c []byte, pc int) int {
	insn, opn, x := false, false, false
	for _, k := range []byte(code.Args(a.op)) {
		if k == 'F' { // what stands behind it is read when it is called
			a.val = int64(pc)
		}
		if k == 'F' || k == 'A' {
			pc = code.SkipArg(c, k, pc)
			continue
		}
		if k == '-' {
			a.val, pc = code.Int(c, pc)
			continue
		}
		var n int
		n, pc = code.Uint(c, pc)
		switch {
		case !insn && (k == 'i' || k == 'e' || k == 's' || k == 'd'):
			a.insn, insn = uint8(n), true
		case !opn && k == 'o':
			a.opn, opn = uint32(n), true
		case !x && k != 'U':
			a.x, x = uint32(n), true
		default:
			a.val = int64(n)
		}
	}
	return pc
}
