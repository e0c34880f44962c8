package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// A number is 0 where 1 less borrows, so that a loop that counts down and asks
// for the count before the step needs neither a comparison nor, beside the new
// count, the old one:
//
//	%2 = DEC64r %1            %2 = SUB64ri32 %1, 1
//	TEST64rr %1, %1       →   JCC_1 b, AE
//	JCC_1 b, NE

// borrowCompare replaces comparison i of a register with 0, whose readers ask
// for equality, by a subtraction of 1 in its block, which moves down to it.
func borrowCompare(f *mir.Function, i mir.InstrID, c target.Compare) bool {
	if c.Mask != allBits || c.Value != 0 || c.Src2 != 0 {
		return false
	}
	from := flagsFrom{borrow: true}
	if from.by = findDecrement(f, i, c.Src); from.by == 0 {
		return false
	}
	conds, ok := newConds(f, i, c, &from)
	if !ok {
		return false
	}
	sub, _ := decrement(f, from.by)
	r := f.Op(from.by, 0).Reg()
	b := mir.Builder{F: f, Loc: f.Instr(from.by).Loc}
	if flagsKeep(f, from.by, i) {
		b.SetAfter(from.by)
	} else {
		dropDebugUsesBefore(f, i, r)
		b.SetBefore(i)
	}
	f.Erase(from.by)
	b.BuildInstr(sub, mir.RegOp(r, mir.Def), mir.RegOp(c.Src, 0), mir.ImmOp(1))
	for u, k := range f.NonDebugUses(c.Src) {
		f.SetOpFlag(u, k, mir.Kill, false)
	}
	f.Erase(i)
	for _, n := range conds {
		f.SetImm(n.user, n.at, n.cc)
	}
	return true
}

// decrement reports instructions that take 1 from a register, and names the
// subtraction of the same width.
func decrement(f *mir.Function, i mir.InstrID) (sub desc.Opcode, ok bool) {
	switch f.Instr(i).Opcode {
	case tab.DEC64r:
		return tab.SUB64ri32, true
	case tab.DEC32r:
		return tab.SUB32ri, true
	case tab.ADD64ri32:
		return tab.SUB64ri32, f.Op(i, 2).IsImm() && f.Op(i, 2).Imm() == -1
	case tab.ADD32ri:
		return tab.SUB32ri, f.Op(i, 2).IsImm() && f.Op(i, 2).Imm() == -1
	case tab.SUB64ri32, tab.SUB32ri:
		return f.Instr(i).Opcode, f.Op(i, 2).IsImm() && f.Op(i, 2).Imm() == 1
	}
	return 0, false
}

// findDecrement finds a subtraction of 1 from r before i in its block, whose
// flags would reach i, or whose result nothing reads before i; 0 for none.
func findDecrement(f *mir.Function, i mir.InstrID, r mir.Reg) mir.InstrID {
	n := 0
	for u, k := range f.NonDebugUses(r) {
		if n++; n > maxUses {
			break
		}
		if k != 1 || f.Instr(u).Block() != f.Instr(i).Block() || u == i || !f.Before(u, i) {
			continue
		}
		if _, ok := decrement(f, u); !ok || !flagsDead(f, u) {
			continue
		}
		d, s := f.Op(u, 0), f.Op(u, 1)
		if d.Reg().IsVirtual() && d.SubReg() == 0 && s.SubReg() == 0 && (flagsKeep(f, u, i) || !readBefore(f, i, d.Reg())) {
			return u
		}
	}
	return 0
}

// flagsKeep reports that nothing between by and i, in one block, reads or writes EFLAGS.
func flagsKeep(f *mir.Function, by, i mir.InstrID) bool {
	n := 0
	for j := f.Instr(by).Next(); j != i; j = f.Instr(j).Next() {
		if f.IsDebugInstr(j) {
			continue
		}
		reads, writes := flagsUse(f, j)
		if n++; n > maxFlagsScan || reads || writes {
			return false
		}
	}
	return true
}

// readBefore reports uses of r before i in its block, but for PHIs.
func readBefore(f *mir.Function, i mir.InstrID, r mir.Reg) bool {
	n := 0
	for u := range f.NonDebugUses(r) {
		if n++; n > maxUses || f.Instr(u).Block() == f.Instr(i).Block() && !f.IsPHI(u) && f.Before(u, i) {
			return true
		}
	}
	return false
}

// dropDebugUsesBefore makes debug instructions before i in its block, which
// name r, name no register.
func dropDebugUsesBefore(f *mir.Function, i mir.InstrID, r mir.Reg) {
	for id := f.FirstUse(r); id != 0; {
		next := f.NextUse(id)
		if u, n := f.Owner(id); f.IsDebugInstr(u) && f.Instr(u).Block() == f.Instr(i).Block() && f.Before(u, i) {
			f.SetReg(u, n, mir.NoReg)
			f.SetSubReg(u, n, 0)
		}
		id = next
	}
}
