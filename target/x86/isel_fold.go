package x86

import (
	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// This file selects instructions that do the work of several of which one is the
// target's already, which patterns do not match.

// selectFolded is globalisel.Selector.Fold.
func selectFolded(m *matchtable.Matcher, i mir.InstrID) bool {
	switch m.F.Instr(i).Opcode {
	case tab.CALL64r, tab.CALL32r:
		return m.Opt > 0 && foldCallee(m, i)
	case desc.G_STORE:
		return m.Opt > 0 && shareFlags(m, i)
	case desc.G_UADDE, desc.G_SADDE, desc.G_USUBE, desc.G_SSUBE:
		return m.Opt > 0 && takeCarry(m, i)
	case desc.G_UMULH, desc.G_SMULH:
		return m.Opt > 0 && multiplyOnce(m, i)
	}
	return false
}

// foldCallee has a call read the address of the callee from memory by itself.
func foldCallee(m *matchtable.Matcher, i mir.InstrID) bool {
	f := m.F
	r := f.Op(i, 0).Reg()
	cp := f.UniqueDef(r)
	if cp == 0 || f.Instr(cp).Opcode != desc.COPY {
		return false
	}
	load := m.Def(f.Op(cp, 1).Reg())
	if load == 0 || f.Instr(load).Opcode != desc.G_LOAD || !f.HasOneUse(r) || m.ST.HasFeature("slow-two-mem-ops") ||
		f.MemOf(load, 0).AddrSpace != 0 || !m.CanFoldInto(load, i) {
		return false
	}
	p := f.Op(load, 1).Reg()
	a := address{}
	if !matchAddress(m, &a, p, 0) {
		a = address{base: m.Look(p)}
	}
	ops := a.operands(m.ST)
	n := foldOperand(m.ST, f, i, 0, &target.MemRef{Addr: ops[:], Size: modeOf(m.ST).word}, false)
	if n == 0 {
		return false
	}
	f.SetMem(n, append(f.MemIDs(i), f.MemIDs(load)...)...)
	f.Erase(i)
	m.Constrain(n)
	return true
}

// shareFlags selects a store of what an operation makes of the same memory, where
// the only other user compares the result with 0: the operation on memory sets
// the flags, and the comparison goes. Otherwise nothing would be gained by it, and
// no pattern matches.
func shareFlags(m *matchtable.Matcher, i mir.InstrID) bool {
	f := m.F
	v := f.Op(i, 0).Reg()
	d := f.UniqueDef(v)
	if d == 0 || f.Instr(d).Block() != f.Instr(i).Block() || !changesMemory(m, d, i) {
		return false
	}
	test := comparedOnly(f, v, i)
	logic := false
	switch f.Instr(d).Opcode {
	case desc.G_AND, desc.G_OR, desc.G_XOR:
		logic = true // overflow and carry are 0 as after TEST
	}
	if test == 0 || !flagsFree(f, i, test) || !readersAllow(f, test, logic) {
		return false
	}
	next, op := f.Instr(i).Next(), f.Instr(test).Opcode
	loc := f.Instr(test).Loc
	if next == test {
		next = f.Instr(test).Next()
	}
	f.Erase(test)
	done := m.Apply(i)
	n := f.Block(f.Instr(d).Block()).Last()
	if next != 0 {
		n = f.Instr(next).Prev()
	}
	if done && f.Desc(n).MayStore() && f.Desc(n).MayLoad() {
		for k := range f.Instr(n).NumOps() {
			if o := f.Op(n, k); o.IsReg() && o.IsDef() && o.Reg() == reg(tab.EFLAGS) {
				f.SetOpFlag(n, k, mir.Dead, false)
				return true
			}
		}
	}
	b := mir.Builder{F: f, Loc: loc}
	b.SetAfter(n)
	b.BuildInstr(op, mir.RegOp(v, 0), mir.RegOp(v, 0))
	return done
}

// changesMemory reports that d computes from the memory that store i writes.
func changesMemory(m *matchtable.Matcher, d, i mir.InstrID) bool {
	f := m.F
	if f.NumMem(i) != 1 || f.MemOf(i, 0).Flags&mir.MemVolatile != 0 {
		return false
	}
	last := 2
	switch f.Instr(d).Opcode {
	case desc.G_ADD, desc.G_AND, desc.G_OR, desc.G_XOR:
	case desc.G_SUB:
		last = 1
	default:
		return false
	}
	for k := 1; k <= last; k++ {
		r := f.Op(d, k).Reg()
		ld := f.UniqueDef(r)
		if ld != 0 && f.Instr(ld).Opcode == desc.G_LOAD && f.Op(ld, 1).Reg() == f.Op(i, 1).Reg() && m.CanFoldInto(ld, i) {
			return true
		}
	}
	return false
}

// comparedOnly is the TEST of r with itself behind store i that is the only other
// user of r.
func comparedOnly(f *mir.Function, r mir.Reg, i mir.InstrID) (test mir.InstrID) {
	n := 0
	for u := range f.NonDebugUses(r) {
		if n++; n > 3 {
			return 0
		}
		if u == i {
			continue
		}
		switch f.Instr(u).Opcode {
		case tab.TEST8rr, tab.TEST16rr, tab.TEST32rr, tab.TEST64rr:
		default:
			return 0
		}
		if test != 0 && test != u || f.Op(u, 0).Reg() != r || f.Op(u, 1).Reg() != r {
			return 0
		}
		test = u
	}
	if n != 3 || test == 0 || f.Instr(test).Block() != f.Instr(i).Block() || !f.Before(i, test) {
		return 0
	}
	return test
}

// flagsFree reports that nothing between two instructions reads or writes the flags.
func flagsFree(f *mir.Function, from, to mir.InstrID) bool {
	n := 0
	for i := f.Instr(from).Next(); i != to; i = f.Instr(i).Next() {
		if n++; i == 0 || n > maxFlagsScan {
			return false
		}
		if usesFlags(f, i) {
			return false
		}
	}
	return true
}

// usesFlags reports an instruction that reads, writes or may write the flags.
func usesFlags(f *mir.Function, i mir.InstrID) bool {
	if d := f.Desc(i); d.IsCall() || d.HasUnmodeledSideEffects() {
		return true
	}
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsReg() && o.Reg() == reg(tab.EFLAGS) || o.Kind() == mir.OpRegMask {
			return true
		}
	}
	return false
}

// readersAllow reports that those who read the flags of test ask for zero and sign
// alone, or any condition where that is the same.
func readersAllow(f *mir.Function, test mir.InstrID, all bool) bool {
	for i := f.Instr(test).Next(); i != 0; i = f.Instr(i).Next() {
		if f.IsDebugInstr(i) {
			continue
		}
		reads, writes := false, f.Desc(i).IsCall()
		for k := range f.Instr(i).NumOps() {
			if o := f.Op(i, k); o.IsReg() && o.Reg() == reg(tab.EFLAGS) {
				reads, writes = reads || o.IsUse(), writes || o.IsDef()
			}
		}
		if reads {
			k := condOperand(f, i)
			if k < 0 {
				return false
			}
			switch f.Op(i, k).Imm() {
			case condE, condNE, condS, condNS:
			default:
				if !all {
					return false
				}
			}
		}
		if writes {
			return true
		}
	}
	return true
}
