package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// What commutes, and to what, is in the facts, asked of LLVM for every opcode, pair
// of operands and immediate. Here is what depends on the subtarget or has other
// operands afterwards.

// reshape is an instruction that commutes, in its operands 1 and 2, to one with an
// immediate more: the elements that the blend or shuffle takes from operand 2.
type reshape struct {
	plain, imm desc.Opcode
	value      int64
}

// sse41Moves and sse2Moves are moves of one element into another register.
var (
	sse41Moves = [...]reshape{
		{tab.MOVSDrr, tab.BLENDPDrri, 2}, {tab.MOVSSrr, tab.BLENDPSrri, 14},
		{tab.VMOVSDrr, tab.VBLENDPDrri, 2}, {tab.VMOVSSrr, tab.VBLENDPSrri, 14},
	}
	sse2Move = reshape{tab.MOVSDrr, tab.SHUFPDrri, 2}
)

// reshapes tells how i commutes to an instruction of other operands.
func reshapes(st *target.Subtarget, f *mir.Function, i mir.InstrID) (to desc.Opcode, value int64, ok bool) {
	op := f.Instr(i).Opcode
	switch op {
	case tab.MOVSDrr, tab.MOVSSrr, tab.VMOVSDrr, tab.VMOVSSrr:
		if st.HasFeature("sse4.1") {
			for k := range sse41Moves {
				if r := &sse41Moves[k]; r.plain == op {
					return r.imm, r.value, true
				}
			}
		}
		return sse2Move.imm, sse2Move.value, op == sse2Move.plain
	case tab.SHUFPDrri:
		return sse2Move.plain, 0, f.Op(i, 3).IsImm() && f.Op(i, 3).Imm() == sse2Move.value
	}
	return 0, 0, false
}

// commutableOps is InstrHooks.CommutableOps.
func commutableOps(st *target.Subtarget, f *mir.Function, i mir.InstrID, a, b int) (int, int, bool) {
	if op := f.Instr(i).Opcode; op < desc.FirstTargetOpcode {
		return st.FirstSources(f, i, a, b)
	} else if !f.Desc(i).IsCommutable() {
		return 0, 0, false
	}
	rows := f.Facts.CommutesOf(f.Instr(i).Opcode)
	for k := range rows {
		c := &rows[k]
		x, y, ok := bothRegs(f, i, a, b, int(c.A), int(c.B))
		if !ok {
			continue
		}
		// Another form of the same registers is no gain.
		if (a < 0 || b < 0) && (len(rows) > 1 || c.To != c.Op) && f.Op(i, x).Reg() == f.Op(i, y).Reg() {
			continue
		}
		if _, _, ok = commuted(st, f, i, c); ok {
			return x, y, true
		}
	}
	if _, _, ok := reshapes(st, f, i); ok {
		return bothRegs(f, i, a, b, 1, 2)
	}
	return 0, 0, false
}

// commuted gives the opcode and the immediate of i with c's operands exchanged.
func commuted(st *target.Subtarget, f *mir.Function, i mir.InstrID, c *desc.CommuteDesc) (desc.Opcode, int64, bool) {
	switch c.Op {
	case tab.MOVHLPSrr:
		if !st.HasFeature("sse2") {
			return 0, 0, false
		}
	}
	if c.Imm == 0 {
		return c.To, 0, true
	}
	o := f.Op(i, int(c.Imm))
	if !o.IsImm() {
		return 0, 0, false
	}
	imm, ok := f.Facts.CommutedImm(c, o.Imm())
	return c.To, imm, ok
}

func bothRegs(f *mir.Function, i mir.InstrID, a, b, x, y int) (int, int, bool) {
	if !f.Op(i, x).IsReg() || !f.Op(i, y).IsReg() {
		return 0, 0, false
	}
	return target.FixCommutable(a, b, x, y)
}

// commute is InstrHooks.Commute.
func commute(st *target.Subtarget, f *mir.Function, i mir.InstrID, a, b int) bool {
	if f.Instr(i).Opcode < desc.FirstTargetOpcode {
		target.SwapRegs(f, i, a, b)
		return true
	}
	if to, imm, ok := reshapes(st, f, i); ok {
		if f.Instr(i).NumOps() > 3 && f.Op(i, 3).IsImm() {
			f.RemoveOp(i, 3)
		} else {
			f.InsertOp(i, 3, mir.ImmOp(imm))
		}
		f.Instr(i).Opcode = to
		target.SwapRegs(f, i, a, b)
		return true
	}
	rows := f.Facts.CommutesOf(f.Instr(i).Opcode)
	for k := range rows {
		c := &rows[k]
		if int(c.A) != min(a, b) || int(c.B) != max(a, b) {
			continue
		}
		to, imm, ok := commuted(st, f, i, c)
		if !ok {
			return false
		}
		f.Instr(i).Opcode = to
		if c.Imm != 0 {
			f.SetImm(i, int(c.Imm), imm)
		}
		target.SwapRegs(f, i, a, b)
		return true
	}
	return false
}

// isAssociative is InstrHooks.IsAssociative. Additions and products of floating
// point are where the program allows it.
func isAssociative(_ *target.Subtarget, f *mir.Function, i mir.InstrID, inverse bool) bool {
	if inverse {
		return false
	}
	const free = mir.FmReassoc | mir.FmNsz
	fl := f.Facts.Traits(f.Instr(i).Opcode).Flags
	return fl&desc.Associative != 0 || fl&desc.AssociativeIfFree != 0 && f.Instr(i).Flags()&free == free
}
