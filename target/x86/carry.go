package x86

import (
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Carries go from an addition to the next in EFLAGS, and conditions that SETCC
// stored are tested in the flags that it read.

// maxCarryScan bounds how many instructions may stand between an addition and
// the one that takes its carry.
const maxCarryScan = 16

// carryForm is the instruction of an addition or subtraction, by log2 of its
// bytes, and the condition that says that it overflows.
type carryForm struct {
	ops [4]desc.Opcode
	cc  int64
}

func carryFormOf(op desc.Opcode) (form carryForm, takes bool) {
	adc := [4]desc.Opcode{tab.ADC8rr, tab.ADC16rr, tab.ADC32rr, tab.ADC64rr}
	sbb := [4]desc.Opcode{tab.SBB8rr, tab.SBB16rr, tab.SBB32rr, tab.SBB64rr}
	switch op {
	case desc.G_UADDO:
		return carryForm{[4]desc.Opcode{tab.ADD8rr, tab.ADD16rr, tab.ADD32rr, tab.ADD64rr}, condB}, false
	case desc.G_USUBO:
		return carryForm{[4]desc.Opcode{tab.SUB8rr, tab.SUB16rr, tab.SUB32rr, tab.SUB64rr}, condB}, false
	case desc.G_UADDE:
		return carryForm{adc, condB}, true
	case desc.G_SADDE:
		return carryForm{adc, condO}, true
	case desc.G_USUBE:
		return carryForm{sbb, condB}, true
	}
	return carryForm{sbb, condO}, true
}

// takeCarry selects an addition or subtraction with carry in that stands right
// behind what makes the carry: EFLAGS have it. What makes it is selected with it,
// up to the first, since nothing but EFLAGS may be left of it.
func takeCarry(m *matchtable.Matcher, i mir.InstrID) bool {
	if carryBefore(m, i) == 0 {
		return false
	}
	buildCarry(m, i)
	m.F.Erase(i)
	return true
}

// carryBefore gives the instruction whose carry instruction i takes, when nothing
// between them writes EFLAGS but constants; 0 for none.
func carryBefore(m *matchtable.Matcher, i mir.InstrID) mir.InstrID {
	f := m.F
	if n := f.TypeOf(f.Op(i, 0).Reg()).Bits(); n != 8 && n != 16 && n != 32 && n != 64 {
		return 0
	}
	c := m.Look(f.Op(i, 4).Reg())
	d := f.UniqueDef(c)
	if d == 0 || f.Instr(d).Block() != f.Instr(i).Block() || f.Instr(d).NumOps() < 4 || f.Op(d, 1).Reg() != c {
		return 0
	}
	switch f.Instr(d).Opcode {
	case desc.G_UADDO, desc.G_UADDE, desc.G_USUBO, desc.G_USUBE:
	default:
		return 0
	}
	n := 0
	for j := f.Instr(i).Prev(); j != d; j = f.Instr(j).Prev() {
		if n++; j == 0 || n > maxCarryScan || f.Instr(j).Opcode != desc.G_CONSTANT && !leavesFlags(f, j) {
			return 0
		}
	}
	return d
}

// buildCarry builds what i does in front of it, and what makes its carry, which is
// dead then. Constants between go up, since zeros are made by what writes EFLAGS.
func buildCarry(m *matchtable.Matcher, i mir.InstrID) {
	f := m.F
	form, takes := carryFormOf(f.Instr(i).Opcode)
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	if takes {
		if d := carryBefore(m, i); d != 0 {
			// The selector goes on with what stands before i, which must not move: the constant
			// above is another one, and that here is dead.
			b.SetBefore(d)
			for j := f.Instr(i).Prev(); j != d; j = f.Instr(j).Prev() {
				if f.Instr(j).Opcode == desc.G_CONSTANT {
					r := f.Op(j, 0).Reg()
					f.SetReg(j, 0, f.CloneVReg(r))
					b.Build(desc.G_CONSTANT, mir.RegOp(r, mir.Def), *f.Op(j, 1))
				}
			}
			buildCarry(m, d)
			sum, out := f.Op(d, 0).Reg(), f.Op(d, 1).Reg()
			f.SetReg(d, 0, f.CloneVReg(sum))
			f.SetReg(d, 1, f.CloneVReg(out))
			f.SetReg(i, 4, f.Op(d, 1).Reg())
		} else {
			// Adding all ones to a bool carries exactly when it is true.
			r, s := f.AddVReg(int16(tab.GR8RegClassID)), f.AddVReg(int16(tab.GR8RegClassID))
			b.SetBefore(i)
			m.Constrain(b.BuildInstr(tab.AND8ri, mir.RegOp(r, mir.Def), mir.RegOp(m.Look(f.Op(i, 4).Reg()), 0), mir.ImmOp(1)))
			m.Constrain(b.BuildInstr(tab.ADD8ri, mir.RegOp(s, mir.Def), mir.RegOp(r, 0), mir.ImmOp(-1)))
		}
	}
	sum, out := f.Op(i, 0).Reg(), f.Op(i, 1).Reg()
	size := 0
	for 8<<size != f.TypeOf(sum).Bits() {
		size++
	}
	b.SetBefore(i)
	m.Constrain(b.BuildInstr(form.ops[size], mir.RegOp(sum, mir.Def), mir.RegOp(m.Look(f.Op(i, 2).Reg()), 0), mir.RegOp(m.Look(f.Op(i, 3).Reg()), 0)))
	m.Constrain(b.BuildInstr(tab.SETCCr, mir.RegOp(out, mir.Def), mir.ImmOp(form.cc)))
}

// leavesFlags reports instructions that are selected as what neither reads nor writes EFLAGS.
func leavesFlags(f *mir.Function, i mir.InstrID) bool {
	switch f.Instr(i).Opcode {
	case desc.COPY, desc.G_LOAD, desc.G_IMPLICIT_DEF, desc.G_FRAME_INDEX, desc.G_GLOBAL_VALUE:
		return true
	case desc.G_STORE, desc.G_TRUNC, desc.G_ANYEXT, desc.G_ZEXT, desc.G_SEXT:
		return globalisel.TakesAsIs(f, i)
	}
	if f.IsDebugInstr(i) {
		return true
	}
	reads, writes := flagsUse(f, i)
	return !f.Desc(i).IsPreISel() && !reads && !writes && !f.Desc(i).IsCall() && !f.HasSideEffects(i)
}

// multiplyOnce selects a multiplication's upper half together with the lower half
// that another one before it computes of the same numbers: MUL and IMUL make both.
func multiplyOnce(m *matchtable.Matcher, i mir.InstrID) bool {
	f := m.F
	x, y := f.Op(i, 1).Reg(), f.Op(i, 2).Reg()
	signed := f.Instr(i).Opcode == desc.G_SMULH
	var op desc.Opcode
	var lo, hi desc.PhysReg
	switch f.TypeOf(x).Bits() {
	case 32:
		op, lo, hi = tab.MUL32r, tab.EAX, tab.EDX
		if signed {
			op = tab.IMUL32r
		}
	case 64:
		op, lo, hi = tab.MUL64r, tab.RAX, tab.RDX
		if signed {
			op = tab.IMUL64r
		}
	default:
		return false
	}
	mul, n := mir.InstrID(0), 0
	for u := range f.NonDebugUses(x) {
		if n++; n > maxUses {
			return false
		}
		if f.Instr(u).Opcode == desc.G_MUL && f.Instr(u).Block() == f.Instr(i).Block() && f.Before(u, i) &&
			(f.Op(u, 1).Reg() == x && f.Op(u, 2).Reg() == y || f.Op(u, 1).Reg() == y && f.Op(u, 2).Reg() == x) {
			mul = u
		}
	}
	if mul == 0 || readBefore(f, i, f.Op(mul, 0).Reg()) {
		return false
	}
	low, high := f.Op(mul, 0).Reg(), f.Op(i, 0).Reg()
	dropDebugUsesBefore(f, i, low)
	f.SetReg(mul, 0, f.CloneVReg(low)) // dead: the selector goes on with what stands before i
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	m.Constrain(b.Copy(reg(lo), m.Look(x)))
	m.Constrain(b.BuildInstr(op, mir.RegOp(m.Look(y), 0)))
	m.Constrain(b.Copy(low, reg(lo)))
	m.Constrain(b.Copy(high, reg(hi)))
	f.Erase(i)
	return true
}

// findCondition looks back from TEST i of the lowest bit of a register for the SETCC
// that defines it and the flags that this read, where they still are at i.
func findCondition(f *mir.Function, i mir.InstrID, c target.Compare) (from flagsFrom, ok bool) {
	set := f.UniqueDef(c.Src)
	if set == 0 || f.Instr(set).Opcode != tab.SETCCr || f.Op(set, 0).SubReg() != 0 {
		return from, false
	}
	behind := false // set, that is, before it in the code
	b, j := f.Instr(i).Block(), f.Instr(i).Prev()
	for n := 0; n < maxFlagsScan; n++ {
		if j == 0 {
			if b, j, ok = from.above(f, i, b); !ok {
				return from, false
			}
			continue
		}
		switch _, writes := flagsUse(f, j); {
		case j == set:
			behind = true
		case writes && behind:
			// Where EFLAGS come from a call or inline assembly, what else it does to them is not known.
			from.by, from.cond, from.isZero = j, true, f.Op(set, 1).Imm()^1
			return from, !f.Desc(j).IsCall() && f.Instr(j).Opcode != desc.INLINEASM
		case writes:
			if from.zeroing != 0 || f.Instr(j).Opcode != tab.MOV32r0 || !flagsDead(f, j) {
				return from, false
			}
			from.zeroing = j
		}
		j = f.Instr(j).Prev()
	}
	return from, false
}

// addsCompared reports that j adds, and that comparison i asks whether the addition
// carries, or whether the sum is 0:
//
//	sum < a, a > sum; with a constant sum < k, a > ^k, a == -k
func addsCompared(f *mir.Function, i, j mir.InstrID, c target.Compare, from *flagsFrom) bool {
	imm, step, k := false, false, int64(0)
	switch f.Instr(j).Opcode {
	case tab.ADD8ri, tab.ADD16ri, tab.ADD32ri, tab.ADD64ri32:
		if imm = f.Op(j, 2).IsImm(); !imm {
			return false
		}
		k = f.Op(j, 2).Imm()
	case tab.INC8r, tab.INC16r, tab.INC32r, tab.INC64r:
		step, k = true, 1 // which leaves the carry alone
	case tab.DEC8r, tab.DEC16r, tab.DEC32r, tab.DEC64r:
		step, k = true, -1
	case tab.ADD8rr, tab.ADD16rr, tab.ADD32rr, tab.ADD64rr:
		if f.Op(j, 2).SubReg() != 0 {
			return false
		}
	default:
		return false
	}
	if f.Op(j, 0).SubReg() != 0 || f.Op(j, 1).SubReg() != 0 || !f.Op(j, 0).Reg().IsVirtual() {
		return false
	}
	sum, a := f.Op(j, 0).Reg(), f.Op(j, 1).Reg()
	added := func(r mir.Reg) bool { return !step && (r == a || !imm && r == f.Op(j, 2).Reg()) }
	bits := classBytes(f, desc.ClassID(f.VReg(sum).Class)) * 8
	same := func(k int64) bool { return c.Value<<(64-bits) == k<<(64-bits) }
	switch number := c.Src2 == 0 && c.Mask == allBits && (imm || step); {
	case c.Src2 != 0 && c.Src == sum && added(c.Src2):
		from.carry = true
	case c.Src2 != 0 && c.Src2 == sum && added(c.Src):
		from.carry, from.swapped = true, true
	case number && imm && c.Src == sum && same(k):
		from.carry = true
	case number && imm && c.Src == a && same(^k) && c.Value != 0: // else see borrowCompare
		from.carry, from.swapped = true, true
	case number && c.Src == a && same(-k):
		from.zeroSum = true
	default:
		return false
	}
	return true
}
