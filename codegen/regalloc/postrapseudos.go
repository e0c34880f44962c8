package regalloc

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// PostRAPseudos turns COPY and SUBREG_TO_REG of physical registers into
// target instructions, and lets the target expand its own pseudos.
var PostRAPseudos = pass.Pass{
	Name:     "postrapseudos",
	Title:    "Post-RA pseudo instruction expansion pass",
	Requires: mir.NoVRegs,
	Run:      runPostRAPseudos,
}

func runPostRAPseudos(c *pass.Context, f *mir.Function) error {
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; {
			next := f.Instr(i).Next()
			if d := f.Desc(i); d.IsPseudo() || d.IsReturn() {
				if err := expandPseudo(c, f, b, i); err != nil {
					return err
				}
			}
			i = next
		}
	}
	return nil
}

func expandPseudo(c *pass.Context, f *mir.Function, b mir.BlockID, i mir.InstrID) error {
	h := &c.Machine.Target.Instr
	switch f.Instr(i).Opcode {
	case desc.COPY:
		return lowerCopy(c, f, b, i)
	case desc.SUBREG_TO_REG:
		return lowerSubregToReg(c, f, b, i)
	}
	if h.ExpandPostRAPseudo != nil {
		_, err := h.ExpandPostRAPseudo(c.Subtarget, f, i)
		return err
	}
	return nil
}

func lowerCopy(c *pass.Context, f *mir.Function, b mir.BlockID, i mir.InstrID) error {
	dst, src := *f.Op(i, 0), *f.Op(i, 1)
	dead := allDead(f, i)
	if dead || src.IsUndef() || dst.Reg() == src.Reg() {
		if dead || dst.Reg() != src.Reg() || f.Instr(i).NumOps() > 2 {
			// Keep the facts about who is defined and dead for the verifier.
			f.Instr(i).Opcode = desc.KILL
			return nil
		}
		f.Erase(i)
		return nil
	}
	err := c.Subtarget.CopyPhysReg(f, b, i, f.Instr(i).Loc, dst.Reg(), src.Reg(), src.IsKill())
	if err != nil {
		return err
	}
	// Implicit operands of the copy (a whole register defined with its part) go along.
	made := f.Instr(i).Prev()
	for k := 2; k < f.Instr(i).NumOps(); k++ {
		if o := *f.Op(i, k); o.IsReg() && o.IsImplicit() {
			f.AddOp(made, mir.RegOp(o.Reg(), o.Flags()))
		}
	}
	f.Erase(i)
	return nil
}

// allDead reports that nobody reads what i defines.
func allDead(f *mir.Function, i mir.InstrID) bool {
	for _, o := range f.Ops(i) {
		if o.IsDef() && !o.IsDead() {
			return false
		}
	}
	return true
}

// lowerSubregToReg turns $rax = SUBREG_TO_REG 0, $ecx, sub_32bit into a copy
// to the sub-register, or a note that the whole register is defined where the
// value is in place already. What defined the source cleared the upper bits.
func lowerSubregToReg(c *pass.Context, f *mir.Function, b mir.BlockID, i mir.InstrID) error {
	srcAt := 1
	if !f.Op(i, 1).IsReg() {
		srcAt = 2
	}
	dst, src := *f.Op(i, 0), *f.Op(i, srcAt)
	sub := f.Facts.SubReg(desc.PhysReg(dst.Reg()), desc.SubRegIdx(f.Op(i, srcAt+1).Imm()))
	if dead := allDead(f, i); dead || mir.Reg(sub) == src.Reg() {
		fl := mir.Def
		if dead {
			fl |= mir.Dead
		}
		k := f.New(desc.KILL, mir.RegOp(dst.Reg(), fl), mir.RegOp(src.Reg(), src.Flags()&^mir.Renamable))
		f.InsertBefore(b, i, k)
		f.Erase(i)
		return nil
	}
	err := c.Subtarget.CopyPhysReg(f, b, i, f.Instr(i).Loc, mir.Reg(sub), src.Reg(), src.IsKill())
	if err != nil {
		return err
	}
	f.AddOp(f.Instr(i).Prev(), mir.RegOp(dst.Reg(), mir.Def|mir.Implicit))
	f.Erase(i)
	return nil
}
