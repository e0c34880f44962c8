package regalloc

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// TwoAddress makes tied operands name the same register, by a copy before the
// instruction, and turns REG_SEQUENCE and INSERT_SUBREG into copies to
// sub-registers.
//
// Where an instruction commutes and only its other source dies here, the
// sources are exchanged first, which saves the register a life beyond the
// instruction; where the target has a three-address form and the tied source
// lives on, that form is taken above -O0.
var TwoAddress = pass.Pass{
	Name:   "twoaddressinstruction",
	Title:  "Two-Address instruction pass",
	Sets:   mir.TiedOpsRewritten,
	Clears: mir.IsSSA,
	// The better forms of betterForm are for -O1 and above.
	Optional: pass.Relaxable,
	KeepsCFG: true,
	Run:      runTwoAddress,
}

func runTwoAddress(c *pass.Context, f *mir.Function) error {
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; {
			next := f.Instr(i).Next()
			switch f.Instr(i).Opcode {
			case desc.REG_SEQUENCE:
				expandRegSequence(f, b, i)
			case desc.INSERT_SUBREG:
				expandInsertSubreg(f, b, i)
			default:
				rewriteTied(c, f, b, i)
			}
			i = next
		}
	}
	return nil
}

// rewriteTied handles every tied pair of one instruction.
func rewriteTied(c *pass.Context, f *mir.Function, b mir.BlockID, i mir.InstrID) {
	n := f.Instr(i).NumOps()
	for use := 0; use < n; use++ {
		o := f.Op(i, use)
		if !o.IsReg() || o.IsDef() || !o.IsTied() {
			continue
		}
		def := f.TiedTo(i, use)
		dst, src := f.Op(i, def).Reg(), o.Reg()
		if dst == src {
			continue
		}
		if o.IsUndef() {
			f.SetReg(i, use, dst)
			f.SetSubReg(i, use, 0)
			continue
		}
		if c.Opt > 0 && !diesAt(f, b, i, src) {
			if done := betterForm(c, f, b, i, use); done {
				return
			}
			src = f.Op(i, use).Reg()
		}
		sub := f.Op(i, use).SubReg()
		cp := f.New(desc.COPY, mir.RegOp(dst, mir.Def), mir.SubRegOp(src, sub, 0))
		f.Instr(cp).Loc = f.Instr(i).Loc
		f.InsertBefore(b, i, cp)
		if dst.IsVirtual() && src.IsVirtual() && sub == 0 {
			constrainForCopy(f, dst, src)
		}
		f.SetReg(i, use, dst)
		f.SetSubReg(i, use, 0)
		f.SetOpFlag(i, use, mir.Kill, false)
		c.Count("twoaddressinstruction", "Number of two-address instructions", 1)
	}
}

// constrainForCopy gives a classless destination the class of its source.
func constrainForCopy(f *mir.Function, dst, src mir.Reg) {
	if v := f.VReg(dst); v.Class < 0 {
		v.Class = f.VReg(src).Class
	}
}

// diesAt reports that instruction i is certainly the last to read r: in what
// was SSA form until now, a register whose only reader is i and whose
// definition stands in the same block.
func diesAt(f *mir.Function, b mir.BlockID, i mir.InstrID, r mir.Reg) bool {
	if !r.IsVirtual() {
		return false
	}
	for u := range f.NonDebugUses(r) {
		if u != i {
			return false
		}
	}
	d := f.UniqueDef(r)
	return d != 0 && f.Instr(d).Block() == b
}

// betterForm tries to save the copy of a tied source that lives on: by
// exchanging it with another source that dies here, or by a three-address
// form. It reports whether the instruction was replaced.
func betterForm(c *pass.Context, f *mir.Function, b mir.BlockID, i mir.InstrID, use int) bool {
	h := &c.Machine.Target.Instr
	d := f.Desc(i)
	if d.IsCommutable() && h.CommutableOps != nil && h.Commute != nil {
		if a, x, ok := h.CommutableOps(c.Subtarget, f, i, use, -1); ok {
			other := x
			if x == use {
				other = a
			}
			if o := f.Op(i, other); o.IsReg() && o.Reg().IsVirtual() && o.Reg() != f.Op(i, use).Reg() && diesAt(f, b, i, o.Reg()) {
				if h.Commute(c.Subtarget, f, i, use, other) {
					c.Count("twoaddressinstruction", "Number of instructions commuted to coalesce", 1)
					return false
				}
			}
		}
	}
	if d.IsConvertibleTo3Addr() && h.ConvertToThreeAddress != nil {
		if n := h.ConvertToThreeAddress(c.Subtarget, f, i); n != 0 {
			c.Count("twoaddressinstruction", "Number of instructions promoted to 3-address", 1)
			return true
		}
	}
	return false
}

// expandRegSequence turns %d = REG_SEQUENCE %a, sub, %b, sub … into one copy
// to a sub-register of %d for each source. The first one does not read the
// rest of %d.
func expandRegSequence(f *mir.Function, b mir.BlockID, i mir.InstrID) {
	dst := f.Op(i, 0).Reg()
	loc := f.Instr(i).Loc
	first := true
	for k := 1; k+1 < f.Instr(i).NumOps(); k += 2 {
		src, sub := *f.Op(i, k), uint16(f.Op(i, k+1).Imm())
		if src.IsUndef() {
			continue
		}
		fl := mir.Def
		if first {
			fl |= mir.Undef
		}
		first = false
		cp := f.New(desc.COPY, mir.SubRegOp(dst, sub, fl), mir.SubRegOp(src.Reg(), src.SubReg(), 0))
		f.Instr(cp).Loc = loc
		f.InsertBefore(b, i, cp)
	}
	if first {
		def := f.New(desc.IMPLICIT_DEF, mir.RegOp(dst, mir.Def))
		f.InsertBefore(b, i, def)
	}
	f.Erase(i)
}

// expandInsertSubreg turns %d = INSERT_SUBREG %base(tied), %v, sub into
// %d = COPY %base; %d.sub = COPY %v.
func expandInsertSubreg(f *mir.Function, b mir.BlockID, i mir.InstrID) {
	dst, base, val, sub := f.Op(i, 0).Reg(), *f.Op(i, 1), *f.Op(i, 2), uint16(f.Op(i, 3).Imm())
	loc := f.Instr(i).Loc
	fl := mir.Def
	if base.IsUndef() || isUndef(f, &base) {
		fl |= mir.Undef
	} else if base.Reg() != dst {
		cp := f.New(desc.COPY, mir.RegOp(dst, mir.Def), mir.SubRegOp(base.Reg(), base.SubReg(), 0))
		f.Instr(cp).Loc = loc
		f.InsertBefore(b, i, cp)
	}
	cp := f.New(desc.COPY, mir.SubRegOp(dst, sub, fl), mir.SubRegOp(val.Reg(), val.SubReg(), 0))
	f.Instr(cp).Loc = loc
	f.InsertBefore(b, i, cp)
	f.Erase(i)
}
