package globalisel

import (
	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// This file has the functions of combine.td about carries.

// withoutCarryIn are additions and subtractions with carry in and those without.
var withoutCarryIn = [...][2]desc.Opcode{{desc.G_UADDE, desc.G_UADDO}, {desc.G_SADDE, desc.G_SADDO}, {desc.G_USUBE, desc.G_USUBO}, {desc.G_SSUBE, desc.G_SSUBO}}

// withoutCarry builds an operation whose carry in is 0 as the one that has none.
func withoutCarry(m *matchtable.Matcher, a []matchtable.Arg) bool {
	f, i := m.F, a[0].Instr
	for _, p := range withoutCarryIn {
		if f.Instr(i).Opcode == p[0] {
			m.B.Build(p[1], Def(f.Op(i, 0).Reg()), Def(f.Op(i, 1).Reg()), Use(f.Op(i, 2).Reg()), Use(f.Op(i, 3).Reg()))
			return true
		}
	}
	return false
}

// addNothing makes the result of an addition of 0 what it was added to, and the overflow 0.
func addNothing(m *matchtable.Matcher, a []matchtable.Arg) bool {
	f, i := m.F, a[0].Instr
	b := Builder{&m.B}
	b.BuildTo(desc.COPY, f.Op(i, 0).Reg(), f.Op(i, 2).Reg())
	b.ConstTo(f.Op(i, 1).Reg(), 0)
	return true
}

func hasUses(m *matchtable.Matcher, a []matchtable.Arg) bool { return m.F.HasUses(m.Reg(a[0])) }

// onlyAdd makes an addition whose overflow nobody asks for a plain one.
func onlyAdd(m *matchtable.Matcher, a []matchtable.Arg) bool {
	f, i := m.F, a[0].Instr
	op := desc.Opcode(desc.G_ADD)
	switch f.Instr(i).Opcode {
	case desc.G_USUBO, desc.G_SSUBO:
		op = desc.G_SUB
	}
	Builder{&m.B}.BuildTo(op, f.Op(i, 0).Reg(), f.Op(i, 2).Reg(), f.Op(i, 3).Reg())
	return true
}

// maxCarryDistance is how many instructions may stand between what makes a carry
// and what takes it.
const maxCarryDistance = 8

// carryReaches tells that a[1] is the carry of an addition or subtraction with no
// other arithmetic between it and a[0], so that machines that have carries in
// flags still have it there.
func carryReaches(m *matchtable.Matcher, a []matchtable.Arg) bool {
	f, i := m.F, a[0].Instr
	c := m.Reg(a[1])
	d := f.UniqueDef(c)
	if d == 0 || f.Instr(d).Block() != f.Instr(i).Block() || f.Instr(d).NumOps() < 4 || f.Op(d, 1).Reg() != c {
		return false
	}
	switch f.Instr(d).Opcode {
	case desc.G_UADDO, desc.G_UADDE, desc.G_USUBO, desc.G_USUBE:
	default:
		return false
	}
	n := 0
	for j := f.Instr(i).Prev(); j != d; j = f.Instr(j).Prev() {
		if n++; j == 0 || n > maxCarryDistance {
			return false
		}
		if f.IsDebugInstr(j) {
			continue
		}
		switch f.Instr(j).Opcode {
		case desc.COPY, desc.G_LOAD, desc.G_CONSTANT:
		case desc.G_STORE, desc.G_TRUNC, desc.G_ANYEXT, desc.G_ZEXT, desc.G_SEXT:
			if !TakesAsIs(f, j) {
				return false
			}
		default:
			// What is only there for i goes.
			if r := f.Op(i, 1).Reg(); f.UniqueDef(r) != j || !f.HasOneUse(r) {
				return false
			}
		}
	}
	return true
}

// TakesAsIs reports a store, extension or truncation of what nothing computes for
// it: with whatever else it is selected, that computes nothing.
func TakesAsIs(f *mir.Function, i mir.InstrID) bool {
	n := 1
	if f.Instr(i).Opcode == desc.G_STORE {
		n = 0
	}
	d := f.UniqueDef(f.Op(i, n).Reg())
	if d == 0 {
		return false
	}
	switch f.Instr(d).Opcode {
	case desc.COPY, desc.G_LOAD, desc.G_CONSTANT, desc.G_PHI, desc.G_UADDO, desc.G_UADDE, desc.G_USUBO, desc.G_USUBE:
		return true
	}
	return false
}
