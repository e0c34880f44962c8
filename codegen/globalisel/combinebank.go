package globalisel

import (
	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// This file has the functions of combine.td about register banks.

// Bounds of a web: its registers and what reads them.
const (
	maxWebRegs = 16
	maxWebUses = 64
)

// bankWeb is registers of one type and bank that instructions without arithmetic
// (G_PHI, G_SELECT, G_FREEZE, COPY) join: whatever bank one is in, the others had better be in too.
type bankWeb struct {
	f     *mir.Function
	regs  [maxWebRegs]mir.Reg
	n     int
	t     mir.LLT
	bank  int16 // where it is
	other int16 // where it could be
}

// integerBank is the bank of what no mapping says anything about.
func integerBank(m *matchtable.Matcher) int16 {
	return int16(m.ST.Target.ISel.Banks(m.ST).Bank(0, 0, 0))
}

// isIn tells a register that has bank b and no class.
func isIn(f *mir.Function, r mir.Reg, b int16) bool {
	return r.IsVirtual() && f.VReg(r).Class < 0 && f.VReg(r).Bank == b
}

// fpConstBits gives the bits of the floating-point constant that i is, where they
// fit a register for integers.
func fpConstBits(m *matchtable.Matcher, i mir.InstrID) (int64, bool) {
	f := m.F
	if f.Instr(i).Opcode != desc.G_FCONSTANT {
		return 0, false
	}
	c, n := &f.FPImms[f.Op(i, 1).Index()], f.TypeOf(f.Op(i, 0).Reg()).Bits()
	ok := n == 32 && c.Type == ir.Float || n == 64 && c.Type == ir.Double
	return int64(c.Lo), ok && n <= 8*int(m.ST.Layout.PointerSize(0))
}

// webOf collects the web that the constant i is in; false when something in it
// computes, comes from, or goes to where it is, so that it is not as good in the bank of integers.
func (w *bankWeb) webOf(m *matchtable.Matcher, i mir.InstrID) bool {
	f, r := m.F, m.F.Op(i, 0).Reg()
	if !r.IsVirtual() {
		return false
	}
	w.f, w.n, w.t, w.bank, w.other = f, 0, f.TypeOf(r), f.VReg(r).Bank, integerBank(m)
	if w.bank == w.other || !w.add(r) {
		return false
	}
	uses := 0
	for k := 0; k < w.n; k++ {
		d := f.UniqueDef(w.regs[k])
		if d == 0 || !w.defines(m, d) {
			return false
		}
		for u, n := range f.Uses(w.regs[k]) {
			if f.IsDebugInstr(u) {
				continue
			}
			if uses++; uses > maxWebUses || f.Op(u, n).SubReg() != 0 || !w.reads(u, n) {
				return false
			}
		}
	}
	return uses > 0
}

// add makes r one of the web; false when it cannot be or there are too many.
func (w *bankWeb) add(r mir.Reg) bool {
	for _, have := range w.regs[:w.n] {
		if have == r {
			return true
		}
	}
	if w.n == maxWebRegs || !isIn(w.f, r, w.bank) || w.f.TypeOf(r) != w.t {
		return false
	}
	w.regs[w.n] = r
	w.n++
	return true
}

// defines tells that what d defines may as well be in the other bank.
func (w *bankWeb) defines(m *matchtable.Matcher, d mir.InstrID) bool {
	switch w.f.Instr(d).Opcode {
	case desc.G_FCONSTANT:
		_, ok := fpConstBits(m, d)
		return ok
	case desc.G_LOAD:
		return w.isMoved(d)
	case desc.G_IMPLICIT_DEF:
		return true
	case desc.COPY:
		if isIn(w.f, w.f.Op(d, 1).Reg(), w.other) {
			return true
		}
	}
	return w.join(d)
}

// reads tells that operand n of u may as well be in the other bank.
func (w *bankWeb) reads(u mir.InstrID, n int) bool {
	switch w.f.Instr(u).Opcode {
	case desc.G_STORE:
		return n == 0 && w.isMoved(u)
	case desc.COPY:
		if isIn(w.f, w.f.Op(u, 0).Reg(), w.other) {
			return true
		}
	case desc.G_SELECT:
		if n == 1 {
			return false
		}
	}
	return w.join(u)
}

// isMoved tells that i moves all of a register to or from memory.
func (w *bankWeb) isMoved(i mir.InstrID) bool {
	return w.f.NumMem(i) == 1 && w.f.MemOf(i, 0).Size*8 == int64(w.t.Bits())
}

// join adds the values that i chooses from and its result.
func (w *bankWeb) join(i mir.InstrID) bool {
	f, first, step := w.f, 1, 1
	switch f.Instr(i).Opcode {
	case desc.G_PHI:
		step = 2
	case desc.G_SELECT:
		first = 2
	case desc.G_FREEZE, desc.COPY:
	default:
		return false
	}
	for n := first; n < f.Instr(i).NumOps(); n += step {
		if !f.Op(i, n).IsReg() || f.Op(i, n).SubReg() != 0 || !w.add(f.Op(i, n).Reg()) {
			return false
		}
	}
	return w.add(f.Op(i, 0).Reg())
}

// onlyMoves tells that a floating-point constant, and whatever it is chosen
// against, is only moved: from constants and memory to memory and integers.
func onlyMoves(m *matchtable.Matcher, a []matchtable.Arg) bool {
	var w bankWeb
	return w.webOf(m, a[0].Instr) && isLegal(m, desc.G_CONSTANT, w.t)
}

// moveAsInteger brings the web of a constant to the bank of integers.
func moveAsInteger(m *matchtable.Matcher, a []matchtable.Arg) bool {
	var w bankWeb
	root := a[0].Instr
	if !w.webOf(m, root) {
		return false
	}
	f := m.F
	for _, r := range w.regs[:w.n] {
		d := f.UniqueDef(r)
		v, ok := fpConstBits(m, d)
		f.VReg(r).Bank = w.other
		switch {
		case d == root:
			Builder{&m.B}.ConstTo(r, v)
		case ok:
			f.Become(d, desc.G_CONSTANT, Def(r), f.CImm(w.t.Bits(), uint64(v)))
		}
	}
	return true
}

// copiesConst gives the bits of a constant that is copied to the bank of integers.
func copiesConst(m *matchtable.Matcher, a []matchtable.Arg) bool {
	f, d := m.F, m.Reg(a[0])
	if !isIn(f, d, integerBank(m)) || !m.Reg(a[1]).IsVirtual() || f.TypeOf(d) != f.TypeOf(m.Reg(a[1])) {
		return false
	}
	i := f.UniqueDef(m.Reg(a[1]))
	if i == 0 {
		return false
	}
	v, ok := fpConstBits(m, i)
	if !ok {
		if v, ok = constArg(m, a[1]); !ok || !f.TypeOf(d).IsScalar() || f.TypeOf(d).Bits() > 64 {
			return false
		}
	}
	a[2].Data.Int = v
	return true
}
